/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A rule set with its control commands as the text of a rules file.
 */
#include "emit/emit.h"

#include <libaudit.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>
#include <utstring.h>

#include "emit/comment.h"
#include "emit/legend.h"
#include "emit/remarks.h"
#include "emit/rule_text.h"
#include "util/printable.h"

/* A line that was written, so that none is written twice: the kernel refuses
 * the second (audit_add_rule) and auditctl stops there. Two rules of a set give
 * one line if they differ only in what text cannot keep apart. */
struct written {
	char *line;
	UT_hash_handle hh;
};

struct emitter {
	struct arena *arena;
	const struct ruleset *set;
	const struct controls *controls;
	const struct input *input;
	const struct emit_options *options;
	UT_string out;
	struct written *written;
	size_t next_left, next_moment;
	size_t counted, lines; /* so many lines in the first so many bytes */
};

static void put_comment(struct emitter *e, const char *text)
{
	comment_put(e->arena, &e->out, text);
}

static void put_heading(struct emitter *e)
{
	const char *line = e->options->heading;

	while (line && *line) {
		size_t length = strcspn(line, "\n");

		if (length)
			comment_line(e->arena, &e->out, line, length);
		else
			utstring_printf(&e->out, "#\n");
		line += length + (line[length] == '\n');
	}
}

char *emit_origin(struct arena *arena, const struct input *input,
		  struct origin origin)
{
	const char *file = NULL;
	UT_string out;
	char *text;

	utstring_init(&out);
	for (size_t i = 0; i < origin.count;) {
		const struct source_line *first = &input->line[origin.line[i]];
		uint32_t last = first->number;
		size_t run = i + 1;

		if (!file || strcmp(file, first->file) != 0) {
			utstring_printf(&out, "%s", file ? ", " : "");
			utstring_printf(&out, "%s:",
					printable_text(arena, first->file,
						       strlen(first->file)));
			file = first->file;
		} else {
			utstring_printf(&out, ",");
		}
		for (; run < origin.count; run++) {
			const struct source_line *next =
				&input->line[origin.line[run]];

			if (next->number != last + 1 ||
			    strcmp(next->file, file) != 0)
				break;
			last = next->number;
		}
		utstring_printf(&out, "%u", first->number);
		if (run - i > 1)
			utstring_printf(&out, "%c%u", run - i > 2 ? '-' : ',',
					last);
		i = run;
	}
	text = arena_strndup(arena, utstring_body(&out), utstring_len(&out));
	utstring_done(&out);
	return text;
}

static void put_number(struct emitter *e, const char *option,
		       const struct audit_action *action)
{
	if (action)
		utstring_printf(&e->out, "%s %u\n", option, action->number);
}

static void put_flag(struct emitter *e, const char *option,
		     const struct audit_action *action)
{
	if (action)
		utstring_printf(&e->out, "%s\n", option);
}

/* All controls but -e, which may lock everything behind it out. */
static void put_controls(struct emitter *e)
{
	const struct controls *c = e->controls;

	put_flag(e, "-i", c->ignore);
	put_flag(e, "-c", c->keep_going);
	put_flag(e, "-D", c->delete_all);
	put_number(e, "-b", c->backlog);
	put_number(e, "-f", c->failure);
	put_number(e, "-r", c->rate);
	put_number(e, "--backlog_wait_time", c->backlog_wait_time);
	put_flag(e, "--loginuid-immutable", c->loginuid_immutable);
}

/* An option with a text as one word, escaped as auditctl reads it. */
static void put_text(struct emitter *e, const char *option, const char *text)
{
	UT_string line;

	utstring_init(&line);
	utstring_printf(&line, "%s ", option);
	for (const char *c = text; *c; c++) {
		if (*c == ' ' || *c == '\\')
			utstring_bincpy(&line, "\\", 1);
		utstring_bincpy(&line, c, 1);
	}
	utstring_printf(&e->out, "%s\n",
			rule_text_pad(e->arena, utstring_body(&line)));
	utstring_done(&line);
}

static void put_moment(struct emitter *e, const struct audit_action *action)
{
	switch (action->kind) {
	case DO_EQUIVALENT:
		put_text(e, "-q", action->text);
		break;
	case DO_MESSAGE:
		put_text(e, "-m", action->text);
		break;
	case DO_SIGNAL:
		put_text(e, "--signal", action->text);
		break;
	case DO_TRIM:
		put_flag(e, "-t", action);
		break;
	case DO_RESET_LOST:
		put_flag(e, "--reset-lost", action);
		break;
	case DO_RESET_BACKLOG_WAIT_TIME_ACTUAL:
		put_flag(e, "--reset_backlog_wait_time_actual", action);
		break;
	default: /* the others are no moments: see put_controls() */
		break;
	}
}

/* Those that stood before the first rule of EPOCH. */
static void put_moments(struct emitter *e, unsigned int epoch)
{
	const struct controls *c = e->controls;

	while (e->next_moment < c->moments &&
	       c->moment_epoch[e->next_moment] <= epoch)
		put_moment(e, c->moment[e->next_moment++]);
}

/* Where ORIGIN stands, as a comment names it: the lines of a file that is about
 * to be replaced are not those of the file with its name. */
static const char *place_text(struct emitter *e, struct origin origin)
{
	const char *text = emit_origin(e->arena, e->input, origin);
	const char *file;

	if (!e->options->replaces || !origin.count)
		return text;
	file = e->input->line[origin.line[0]].file;
	file = printable_text(e->arena, file, strlen(file));
	return arena_printf(e->arena, "line%s %s of the old file",
			    origin.count > 1 ? "s" : "",
			    text + strlen(file) + 1);
}

/* What was left out at lines before LINE. */
static void put_left_out(struct emitter *e, uint32_t line)
{
	const struct emit_options *o = e->options;

	for (; e->next_left < o->lefts; e->next_left++) {
		const struct left_out *left = &o->left[e->next_left];
		const struct source_line *source = &e->input->line[left->line];
		struct origin origin = {.line = &left->line, .count = 1};
		const char *at;

		if (left->line >= line)
			return;
		at = place_text(e, origin);
		put_comment(e, arena_printf(e->arena, "left out%s %s: %s",
					    left->text ? " of" : "", at,
					    left->why ? left->why : "fault"));
		if (left->text)
			comment_line(e->arena, &e->out, left->text,
				     strlen(left->text));
		else
			comment_line(e->arena, &e->out, source->text,
				     source->length);
	}
}

static bool remember(struct emitter *e, char *line)
{
	struct written *entry;

	HASH_FIND_STR(e->written, line, entry);
	if (entry)
		return false;
	entry = arena_alloc(e->arena, sizeof(*entry));
	entry->line = line;
	HASH_ADD_KEYPTR(hh, e->written, entry->line, strlen(entry->line),
			entry);
	return true;
}

/* Where RULE is from, or why it was added, and what is hard to see in it. */
static void put_remark(struct emitter *e, const struct rule *rule)
{
	const struct origin origin = rule->origin;
	const char *values = remark_values(e->arena, e->set->target, rule);
	const char *text;

	if (!origin.count && rule->copied.count)
		text = arena_printf(e->arena,
				    "added: as line%s %s, for calls whose walk "
				    "ends before %s",
				    rule->copied.count > 1 ? "s" : "",
				    place_text(e, rule->copied),
				    rule->copied.count > 1 ? "them" : "it");
	else if (!origin.count)
		text = remark_added(e->arena, rule);
	else if (e->options->replaces)
		text = place_text(e, origin);
	else
		text = arena_printf(e->arena, "line%s %s",
				    origin.count > 1 ? "s" : "",
				    place_text(e, origin));
	put_comment(e, arena_printf(e->arena, "%s%s%s", text,
				    *values ? "; " : "", values));
}

/* "line 9" where the file is that of the rule which was dropped. */
static const char *because_text(struct emitter *e, const struct emit_dropped *d)
{
	const char *file = e->input->line[d->what.line[0]].file;
	const char *text = emit_origin(e->arena, e->input, d->because);

	for (size_t i = 0; i < d->because.count; i++)
		if (strcmp(e->input->line[d->because.line[i]].file, file) != 0)
			return text;
	file = printable_text(e->arena, file, strlen(file));
	return arena_printf(e->arena, "line%s %s",
			    d->because.count > 1 ? "s" : "",
			    text + strlen(file) + 1);
}

/* The rules of the input that nothing stands for any more, a line each. */
static void put_dropped(struct emitter *e)
{
	const struct emit_options *o = e->options;

	for (size_t i = 0; o->comments && i < o->drops; i++) {
		const struct emit_dropped *d = &o->dropped[i];
		const char *text = arena_printf(e->arena, "dropped: %s: %s",
						place_text(e, d->what), d->why);

		if (d->because.count)
			text = arena_printf(e->arena, "%s %s", text,
					    because_text(e, d));
		put_comment(e, text);
	}
}

/* The text that RULE keeps; NULL: none. */
static const char *kept_text(const struct emitter *e, const struct rule *rule)
{
	return e->options->text && rule->origin.count
		       ? e->options->text[rule->line]
		       : NULL;
}

static void put_legend(struct emitter *e)
{
	struct legend legend = {.native_only = e->options->native_only};
	const char *text;

	for (size_t i = 0; i < e->set->count; i++)
		if (!kept_text(e, e->set->rule[i]))
			legend_note(&legend, e->set->target, e->set->rule[i]);
	text = legend_text(e->arena, e->set->target, &legend);
	if (*text && e->options->heading)
		utstring_printf(&e->out, "#\n");
	comment_paragraphs(e->arena, &e->out, text);
}

static bool lines_of(struct emitter *e, const struct rule *rule,
		     struct rule_lines *lines)
{
	const char *kept = kept_text(e, rule);

	if (!kept)
		return rule_text(e->arena, e->set->target, rule,
				 e->options->native_only, lines);
	lines->count = 1;
	lines->line = arena_alloc(e->arena, sizeof(*lines->line));
	lines->line[0] = arena_strndup(e->arena, kept, strlen(kept));
	return true;
}

/* Why RULE has not the text of its line. */
static void put_why(struct emitter *e, const struct rule *rule)
{
	const char *why = e->options->why && rule->origin.count
				  ? e->options->why[rule->line]
				  : NULL;

	if (e->options->comments && why && !kept_text(e, rule))
		put_comment(e, arena_printf(e->arena,
					    "its text was not kept: %s", why));
}

/* How many lines have been written. */
static size_t lines_written(struct emitter *e)
{
	const char *text = utstring_body(&e->out);

	for (; e->counted < utstring_len(&e->out); e->counted++)
		e->lines += text[e->counted] == '\n';
	return e->lines;
}

/* Rule AT of the set. */
static bool put_rule(struct emitter *e, size_t at)
{
	const struct rule *rule = e->set->rule[at];
	const struct origin *origin = &rule->origin;
	struct rule_lines lines;
	size_t first;

	if (!lines_of(e, rule, &lines))
		return false;
	put_left_out(e, origin->count ? origin->line[0] : 0);
	if (e->options->comments)
		put_remark(e, rule);
	put_why(e, rule);
	first = lines_written(e) + 1;
	for (size_t i = 0; i < lines.count; i++) {
		if (remember(e, lines.line[i]))
			utstring_printf(&e->out, "%s\n", lines.line[i]);
		else if (e->options->comments)
			utstring_printf(&e->out,
					"# the same as a rule above\n");
	}
	if (e->options->place)
		e->options->place[at] = (struct emit_place){
			first, lines_written(e) + 1 - first};
	return true;
}

/* A rule in the order in which it is added. */
struct addition {
	size_t at; /* position in the set */
	unsigned int epoch;
};

static int by_time(const void *left, const void *right)
{
	const struct addition *a = left, *b = right;

	if (a->epoch != b->epoch)
		return a->epoch < b->epoch ? -1 : 1;
	return a->at < b->at ? -1 : 1;
}

/* Rules of an epoch are added before the -q that ends it. NULL if one of a
 * later epoch stands before one of an earlier: that order takes -A, which
 * deletes rules in some versions (4.0.4 to 4.1.0). */
static struct addition *additions_of(struct emitter *e)
{
	size_t count = e->set->count;
	struct addition *all = arena_array(e->arena, count, sizeof(*all));
	unsigned int latest[AUDIT_FILTER_MASK + 1] = {0};

	for (size_t i = 0; i < count; i++) {
		const struct rule *rule = e->set->rule[i];
		unsigned int *seen = &latest[rule->filter & AUDIT_FILTER_MASK];

		if (rule->epoch < *seen)
			return NULL;
		*seen = rule->epoch;
		all[i].at = i;
		all[i].epoch = rule->epoch;
	}
	qsort(all, count, sizeof(*all), by_time);
	return all;
}

static bool put_rules(struct emitter *e)
{
	struct addition *all = additions_of(e);

	for (size_t i = 0; all && i < e->set->count; i++) {
		put_moments(e, all[i].epoch);
		if (!put_rule(e, all[i].at))
			return false;
	}
	return all != NULL;
}

char *emit_ruleset(struct arena *arena, const struct ruleset *set,
		   const struct controls *controls, const struct input *input,
		   const struct emit_options *options, size_t *size)
{
	struct emitter e = {.arena = arena,
			    .set = set,
			    .controls = controls,
			    .input = input,
			    .options = options};
	char *text = NULL;
	bool good;

	utstring_init(&e.out);
	put_heading(&e);
	if (options->comments)
		put_legend(&e);
	put_controls(&e);
	good = put_rules(&e);
	put_moments(&e, UINT32_MAX);
	put_left_out(&e, UINT32_MAX);
	put_dropped(&e);
	put_number(&e, "-e", controls->enable);
	if (good) {
		*size = utstring_len(&e.out);
		text = arena_strndup(arena, utstring_body(&e.out), *size);
	}
	HASH_CLEAR(hh, e.written);
	utstring_done(&e.out);
	return text;
}

char *emit_rule(struct arena *arena, const struct target *target,
		const struct rule *rule)
{
	struct rule_lines lines;
	UT_string out;
	char *text;

	if (!rule_text(arena, target, rule, false, &lines))
		return NULL;
	utstring_init(&out);
	for (size_t i = 0; i < lines.count; i++)
		utstring_printf(&out, "%s%s", i ? "\n" : "", lines.line[i]);
	text = arena_strndup(arena, utstring_body(&out), utstring_len(&out));
	utstring_done(&out);
	return text;
}
