/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "frontend/listing.h"

#include <string.h>

#include "frontend/behaviour.h"
#include "frontend/listing_line.h"

/* The lines FROM up to TO of one file. */
struct listing {
	struct arena *arena;
	struct input *input;
	const struct compile_options *options;
	struct diagnostics *diag;
	bool asked;
	uint32_t from, to;
	struct listing_line
		*line;	      /* from FROM on; text NULL: none of a listing */
	size_t others, rules; /* lines that are none; that are some */
	uint32_t first_other;
};

static struct position whole_line(const struct listing *l, uint32_t id)
{
	size_t length = l->input->line[id].length;

	return (struct position){id, 1, length ? (uint32_t)length : 1};
}

static bool is_blank(const struct source_line *line)
{
	for (size_t i = 0; i < line->length; i++)
		if (line->text[i] != ' ' && line->text[i] != '\t')
			return false;
	return true;
}

/* The first line behind that of ID and the pieces that it was cut into. */
static uint32_t behind(const struct listing *l, uint32_t id)
{
	do
		id++;
	while (id < l->to && l->input->line[id].column > 1);
	return id;
}

/* The line of ID with the pieces behind it that it was cut into. */
static const char *joined(struct arena *arena, const struct listing *l,
			  uint32_t id)
{
	const struct source_line *line = l->input->line;
	uint32_t end = behind(l, id);
	size_t length = 0;
	char *text, *to;

	for (uint32_t i = id; i < end; i++)
		length += line[i].length;
	text = to = arena_alloc(arena, length + 1);
	for (uint32_t i = id; i < end; i++)
		to = mempcpy(to, line[i].text, line[i].length);
	return text;
}

/* The line of ID. What is only looked at leaves nothing behind but what it is. */
static bool read_line(struct listing *l, uint32_t id,
		      struct listing_state *state, struct listing_line *line)
{
	struct arena *arena = l->asked ? l->arena : arena_new();
	bool good;

	good = listing_line_read(arena, state, joined(arena, l, id), line);
	if (!l->asked) {
		line->text = good && *line->text ? "a rule" : "";
		arena_free(arena);
	}
	return good;
}

static void read_lines(struct listing *l)
{
	struct listing_state state = {l->options->target, ABI_NATIVE};

	l->line = arena_array(l->arena, l->to - l->from, sizeof(*l->line));
	for (uint32_t id = l->from; id < l->to; id++) {
		const struct source_line *source = &l->input->line[id];
		struct listing_line *line = &l->line[id - l->from];

		if (source->column > 1 || is_blank(source)) {
			line->text = "";
			continue;
		}
		if (!memchr(source->text, '\0', source->length) &&
		    read_line(l, id, &state, line))
			continue;
		*line = (struct listing_line){.text = NULL};
		if (!l->others++)
			l->first_other = id;
		if (!l->asked) /* a rules file, then */
			return;
	}
}

/* The first line of the file is one of a listing. */
static bool begins_as_listing(const struct listing *l)
{
	for (uint32_t i = 0; i < l->to - l->from; i++)
		if (!l->line[i].text || *l->line[i].text ||
		    l->line[i].differs) /* "No rules" */
			return l->line[i].text != NULL;
	return false;
}

static bool differs(const struct listing *l, const struct listing_line *line)
{
	return line->differs || (line->adds_calls &&
				 auditctl_behaves(l->options->auditctl_version,
						  BEHAVES_PERM_ADDS_CALLS));
}

static bool is_empty_listing(const struct listing *l)
{
	for (uint32_t i = 0; i < l->to - l->from; i++)
		if (!l->line[i].text || *l->line[i].text)
			return false;
	return true;
}

static void replace(struct listing *l)
{
	for (uint32_t id = l->from; id < l->to; id++) {
		const struct listing_line *line = &l->line[id - l->from];
		struct source_line *source = &l->input->line[id];
		struct diagnostic *cut;

		if (!line->text)
			continue;
		cut = diagnostics_find(
			l->diag, "line-too-long",
			(struct position){id, SOURCE_LINE_MAX, 1});
		if (cut) { /* it is not cut here */
			cut->severity = DIAG_NOTE;
			cut->auditctl = "auditctl -R would read the rest as a "
					"line of its own";
		}
		source->text = line->text;
		source->length = strlen(line->text);
		source->column = 1;
	}
}

/* How many lines HAS() is true for, and the first of them. */
static size_t count_lines(const struct listing *l,
			  bool (*has)(const struct listing *,
				      const struct listing_line *),
			  uint32_t *first)
{
	size_t count = 0;

	for (uint32_t id = l->from; id < l->to; id++) {
		const struct listing_line *line = &l->line[id - l->from];

		if (line->text && has(l, line) && !count++)
			*first = id;
	}
	return count;
}

static bool is_watch(const struct listing *l, const struct listing_line *line)
{
	(void)l;
	return line->watch;
}

static bool has_doubtful_exe(const struct listing *l,
			     const struct listing_line *line)
{
	return line->exe && !auditctl_behaves(l->options->auditctl_version,
					      BEHAVES_LISTS_EXE_NOT);
}

/* "-w means ..., here and on 3 more lines" */
static const char *here_and(struct listing *l, const char *what, size_t count)
{
	return count == 1
		       ? what
		       : arena_printf(l->arena,
				      "%s: here and on %zu more line%s", what,
				      count - 1, count == 2 ? "" : "s");
}

static void tell_doubts(struct listing *l)
{
	uint32_t first = 0;
	size_t count = count_lines(l, is_watch, &first);

	if (count)
		diag(l->diag, DIAG_WARNING, "listing-watch",
		     whole_line(l, first), "%s",
		     here_and(l,
			      "auditctl -l prints -w for a rule that says "
			      "never, too; it is taken for always",
			      count))
			->advice = "--from-kernel can tell";
	count = count_lines(l, has_doubtful_exe, &first);
	if (count)
		diag(l->diag, DIAG_WARNING, "listing-exe", whole_line(l, first),
		     "%s",
		     here_and(l,
			      "auditctl before 4.0 prints exe= for exe!=, "
			      "too; it is taken for exe=",
			      count))
			->advice = "--from-kernel can tell; --auditctl=4.0 if "
				   "such a one printed this";
}

static void tell_others(struct listing *l)
{
	for (uint32_t id = l->first_other; id < l->to; id++)
		if (!l->line[id - l->from].text)
			diag(l->diag, DIAG_ERROR, "not-listed",
			     whole_line(l, id),
			     "auditctl -l prints no such line")
				->advice =
				"give all that auditctl -l prints, as it is, "
				"or leave --listing out for a rules file";
}

/* Without --listing. */
static void tell_look(struct listing *l)
{
	uint32_t first = 0;
	size_t count = count_lines(l, differs, &first);
	struct diagnostic *d;

	if (!count)
		return;
	d = diag(l->diag, DIAG_WARNING, "listing-form", whole_line(l, first),
		 "%s",
		 here_and(l,
			  "this looks like what auditctl -l prints, and then "
			  "means something else than in a rules file",
			  count));
	d->advice = "if auditctl -l printed it, say --listing";
}

/* The input's next file from line FROM on. */
static struct listing file_from(struct arena *arena, struct input *input,
				uint32_t from)
{
	struct listing l = {
		.arena = arena, .input = input, .from = from, .to = from};

	while (l.to < input->count &&
	       input->line[l.to].file_index == input->line[from].file_index)
		l.to++;
	return l;
}

/* One file. True if it was taken for a listing. */
static bool apply_to(struct listing *l)
{
	if (l->input->line[l->from].merged)
		return false;
	read_lines(l);
	if (l->others && !l->asked)
		return false;
	if (!begins_as_listing(l))
		return false;
	if (!l->asked && !is_empty_listing(l)) {
		tell_look(l);
		return false;
	}
	if (l->others)
		tell_others(l);
	tell_doubts(l);
	replace(l);
	return true;
}

void listing_apply(struct arena *arena, struct input *input,
		   const struct compile_options *options, bool asked,
		   struct diagnostics *all)
{
	for (uint32_t at = 0; at < input->count;) {
		struct listing l = file_from(arena, input, at);

		l.options = options;
		l.diag = all;
		l.asked = asked;
		input->listings += apply_to(&l);
		at = l.to;
	}
	if (asked && !input->listings && !input->mixed)
		diag(all, DIAG_WARNING, "no-listing",
		     (struct position){.line = DIAG_NO_LINE},
		     "--listing: nothing that auditctl -l printed was read");
}
