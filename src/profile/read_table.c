/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables with a heading that names their columns: strace -c, perf trace -s,
 * syscount of bcc. What stands around them (the trace itself, the names of
 * threads, the time) is passed over; several tables are added up.
 *
 * strace leaves the column of errors blank where there is none, and is the only
 * one to do so (call_summary_pers() in its count.c). It has a table for each
 * ABI, with a line in front of all but the first. perf and syscount count by
 * number and name all as calls of the native ABI.
 */
#include <stdlib.h>
#include <string.h>

#include "profile/reader.h"

struct layout {
	unsigned int columns;
	int name, calls, errors; /* which column; -1: there is none */
	bool blank_errors;
};

/* Which words a tool's heading may have, and which it must have. */
struct tool {
	const char *kind;
	const char *const *words; /* the first MUST of them are there */
	unsigned int must;
	bool blank_errors;
	bool blank_ends; /* a blank line ends a table */
};

static const char *const strace_words[] = {
	"calls",      "syscall",  "errors",  "% time",	   "seconds",
	"usecs/call", "shortest", "longest", "wall-total", "wall-min",
	"wall-max",   "wall-avg", NULL};
static const char *const perf_words[] = {"syscall", "calls", "min",
					 "avg",	    "max",   "stddev",
					 "errors",  "total", NULL};
static const char *const syscount_words[] = {"SYSCALL", "COUNT", "TIME (us)",
					     "TIME (ms)", NULL};

static const struct tool strace = {"strace -c", strace_words, 2, true, false};
static const struct tool perf = {"perf trace -s", perf_words, 6, false, true};
static const struct tool syscount = {"syscount", syscount_words, 2, false,
				     true};

static int index_of(const char *const *words, const char *text)
{
	for (int i = 0; words[i]; i++)
		if (strcmp(words[i], text) == 0)
			return i;
	return -1;
}

/* Makes one word of two that belong together: "% time", "TIME (us)",
 * "[unknown: 321]". */
static void join_words(const struct reader *reader, struct words *words)
{
	for (unsigned int i = 0; i + 1 < words->count && i + 1 < WORDS_AT_MOST;
	     i++) {
		struct word *word = &words->item[i];

		if (strcmp(word->text, "%") != 0 &&
		    strcmp(word->text, "TIME") != 0 &&
		    strcmp(word->text, "[unknown:") != 0)
			continue;
		word->text = arena_printf(reader->arena, "%s %s", word->text,
					  word[1].text);
		words->count--;
		memmove(&word[1], &word[2],
			(WORDS_AT_MOST - i - 2) * sizeof(*word));
	}
}

/* Is it the heading of a table of TOOL? */
static bool read_heading(const struct tool *tool, const struct words *words,
			 struct layout *layout)
{
	unsigned int found = 0;

	if (words->count > WORDS_AT_MOST)
		return false;
	*layout = (struct layout){.columns = words->count,
				  .name = -1,
				  .calls = -1,
				  .errors = -1,
				  .blank_errors = tool->blank_errors};
	for (unsigned int i = 0; i < words->count; i++) {
		const char *text = words->item[i].text;
		int index = index_of(tool->words, text);

		if (index < 0)
			return false;
		found += (unsigned int)index < tool->must;
		if (strcasecmp(text, "syscall") == 0)
			layout->name = (int)i;
		else if (!strcmp(text, "calls") || !strcmp(text, "COUNT"))
			layout->calls = (int)i;
		else if (strcmp(text, "errors") == 0)
			layout->errors = (int)i;
	}
	return found == tool->must;
}

/* Lines of dashes, "(msec)", and what --errno-summary of perf adds. */
static bool is_ornament(const struct words *words)
{
	const char *first = words->item[0].text;

	return first[0] == '(' || strspn(first, "-") == strlen(first) ||
	       (words->count == 2 && first[strlen(first) - 1] == ':');
}

static int share_of(uint64_t errors, uint64_t calls)
{
	if (!calls)
		return -1;
	return (int)((double)errors / (double)calls * PROFILE_WHOLE + 0.5);
}

/* The words in the order of the columns; false if WORDS are no row. */
static bool read_row(struct reader *reader, const struct layout *layout,
		     const struct words *words, enum abi abi)
{
	bool blank = layout->errors >= 0 && layout->blank_errors &&
		     words->count == layout->columns - 1;
	struct call_count row = {.failed = -1, .unset = -1};
	uint64_t errors = 0;
	struct word word[WORDS_AT_MOST];

	if (words->count != layout->columns && !blank)
		return false;
	for (unsigned int i = 0, w = 0; i < layout->columns; i++)
		if (!blank || (int)i != layout->errors)
			word[i] = words->item[w++];
	if (!reader_number(word[layout->calls].text, &row.calls))
		return false;
	if (layout->errors >= 0) {
		if (!blank &&
		    !reader_number(word[layout->errors].text, &errors))
			return false;
		if (errors > row.calls)
			return false;
		row.failed = share_of(errors, row.calls);
	}
	reader_add(reader, word[layout->name], abi, row);
	return true;
}

/* "System call usage summary for 32 bit mode:". -1: an ABI that no rule can
 * name (x32, n32). -2: another line. */
static int abi_of_line(const struct reader *reader, const struct words *words)
{
	bool wide = reader->target->abi[ABI_NATIVE].bits &&
		    strcmp(reader->target->abi[ABI_NATIVE].bits, "b64") == 0;

	if (words->count < 7 || strcmp(words->item[0].text, "System") != 0 ||
	    strcmp(words->item[2].text, "usage") != 0)
		return -2;
	if (strcmp(words->item[5].text, "64") == 0)
		return wide ? ABI_NATIVE : -1;
	if (strcmp(words->item[5].text, "32") == 0)
		return !wide					    ? ABI_NATIVE
		       : target_has_abi(reader->target, ABI_COMPAT) ? ABI_COMPAT
								    : -1;
	return -1;
}

static bool is_total(const struct layout *layout, const struct words *words)
{
	return layout->name >= 0 && words->count &&
	       strcmp(words->item[words->count > (unsigned int)layout->name
					  ? (unsigned int)layout->name
					  : words->count - 1]
			      .text,
		      "total") == 0;
}

static void no_row(struct reader *reader, const struct tool *tool,
		   struct position at)
{
	struct diagnostic *d =
		reader_warn(reader, "profile-row", at,
			    "no row of a table of %s", tool->kind);

	if (d)
		d->advice = "the row is left out";
}

struct table {
	const struct tool *tool;
	struct layout layout;
	bool open;
	int abi;
	bool any;
};

static void read_line(struct reader *reader, struct table *t, uint32_t line)
{
	struct words words = reader_words(reader, line, false);
	struct layout layout;
	int abi;

	join_words(reader, &words);
	if (!words.count) {
		t->open = t->open && !t->tool->blank_ends;
		return;
	}
	abi = abi_of_line(reader, &words);
	if (abi > -2)
		t->abi = abi;
	if (read_heading(t->tool, &words, &layout)) {
		t->layout = layout;
		t->open = t->any = true;
		return;
	}
	if (!t->open || is_ornament(&words))
		return;
	if (is_total(&t->layout, &words)) {
		t->open = false;
		t->abi = ABI_NATIVE;
		return;
	}
	if (t->abi >= 0 &&
	    !read_row(reader, &t->layout, &words, (enum abi)t->abi))
		no_row(reader, t->tool, words.item[0].at);
}

static const char *read_tables(struct reader *reader, const struct tool *tool)
{
	struct table t = {.tool = tool, .abi = ABI_NATIVE};

	for (uint32_t i = 0; i < reader->input->count; i++)
		read_line(reader, &t, i);
	return t.any ? tool->kind : NULL;
}

const char *read_strace(struct reader *reader)
{
	return read_tables(reader, &strace);
}

const char *read_perf(struct reader *reader)
{
	return read_tables(reader, &perf);
}

/* syscount -x counts failures only, and -P counts by process. */
static bool is_of_no_use(const struct reader *reader, uint32_t line,
			 const char **why)
{
	struct words words = reader_words(reader, line, false);
	const struct word *word = words.item;

	*why = NULL;
	if (words.count >= 3 && !strcmp(word[0].text, "Tracing") &&
	    !strcmp(word[1].text, "failed"))
		*why = "syscount -x counts only calls that failed";
	else if (words.count == 3 && !strcmp(word[0].text, "PID") &&
		 !strcmp(word[1].text, "COMM") &&
		 !strcmp(word[2].text, "COUNT"))
		*why = "syscount -P counts by process, not by call";
	return *why != NULL;
}

const char *read_syscount(struct reader *reader)
{
	const char *why;

	for (uint32_t i = 0; i < reader->input->count; i++)
		if (is_of_no_use(reader, i, &why)) {
			struct position at = {i, 1, 1};

			diag(reader->diagnostics, DIAG_ERROR, "profile-kind",
			     at, "%s", why)
				->advice = "run syscount -T 1000 without it";
			return syscount.kind;
		}
	return read_tables(reader, &syscount);
}
