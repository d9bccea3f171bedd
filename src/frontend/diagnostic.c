/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "frontend/diagnostic.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/source.h"
#include "util/printable.h"

/* How many columns of a line are shown. */
#define SHOWN_WIDTH 100
/* "  12 | " has at least this many columns before the bar. */
#define GUTTER_WIDTH 5

struct entry {
	struct diagnostic d;
	size_t order; /* of adding */
};

struct diagnostics {
	struct arena *arena;
	struct entry **entry;
	size_t count, room;
	size_t sorted; /* how many there were when they were sorted last */
};

struct diagnostics *diagnostics_new(struct arena *arena)
{
	struct diagnostics *all = arena_alloc(arena, sizeof(*all));

	all->arena = arena;
	return all;
}

struct diagnostic *diagnostics_add(struct diagnostics *all,
				   const struct diagnostic *d)
{
	struct entry *entry = arena_alloc(all->arena, sizeof(*entry));

	all->entry = arena_grow(all->arena, all->entry, all->count, &all->room,
				sizeof(struct entry *));
	entry->d = *d;
	entry->order = all->count;
	all->entry[all->count++] = entry;
	return &entry->d;
}

struct diagnostic *diag(struct diagnostics *all, enum severity severity,
			const char *id, struct position at, const char *format,
			...)
{
	struct diagnostic d = {
		.severity = severity,
		.id = id,
		.at = at,
		.other = {.line = DIAG_NO_LINE},
	};
	va_list args;

	va_start(args, format);
	d.what = arena_vprintf(all->arena, format, args);
	va_end(args);
	return diagnostics_add(all, &d);
}

struct diagnostic *diagnostics_find(struct diagnostics *all, const char *id,
				    struct position at)
{
	for (size_t i = 0; i < all->count; i++) {
		struct diagnostic *d = &all->entry[i]->d;

		if (d->at.line == at.line && d->at.column == at.column &&
		    strcmp(d->id, id) == 0)
			return d;
	}
	return NULL;
}

size_t diagnostics_count(const struct diagnostics *all, enum severity severity)
{
	size_t n = 0;

	for (size_t i = 0; i < all->count; i++)
		n += all->entry[i]->d.severity == severity;
	return n;
}

/* Fatal ones without a place come first, then the others without one. */
static int rank(const struct diagnostic *d)
{
	if (d->at.line != DIAG_NO_LINE)
		return 2;
	return d->severity == DIAG_FATAL ? 0 : 1;
}

#define COMPARE(a, b)                              \
	do {                                       \
		if ((a) != (b))                    \
			return (a) < (b) ? -1 : 1; \
	} while (0)

static int by_place(const void *a, const void *b)
{
	const struct entry *x = *(struct entry *const *)a;
	const struct entry *y = *(struct entry *const *)b;

	COMPARE(rank(&x->d), rank(&y->d));
	if (rank(&x->d) == 2) {
		COMPARE(x->d.at.line, y->d.at.line);
		COMPARE(x->d.at.column, y->d.at.column);
	}
	COMPARE(x->order, y->order);
	return 0;
}

const struct diagnostic *diagnostics_get(struct diagnostics *all, size_t i)
{
	if (i >= all->count)
		return NULL;
	if (all->sorted != all->count) {
		qsort(all->entry, all->count, sizeof(*all->entry), by_place);
		all->sorted = all->count;
	}
	return &all->entry[i]->d;
}

/* Texts may quote bytes of the input: nothing goes to a terminal raw. */
static void print_text(FILE *stream, const char *text)
{
	size_t left = strlen(text);

	while (left) {
		struct printable g = printable_at(text, left);

		fputs(g.text, stream);
		text += g.bytes;
		left -= g.bytes;
	}
}

/* A line on the screen, in columns from 0. */
struct view {
	size_t width;	    /* of the whole line */
	size_t mark, marks; /* where the place begins, how wide it is */
	size_t begin, end;  /* what is shown */
};

static struct view view_of(const struct source_line *line, struct position at)
{
	struct view v = {0};
	size_t from = at.column ? at.column - 1 : 0;
	size_t to = from + (at.length ? at.length : 1);
	size_t after = 0;

	for (size_t i = 0; i < line->length;) {
		struct printable g =
			printable_at(line->text + i, line->length - i);

		if (i <= from)
			v.mark = v.width;
		v.width += g.width;
		if (i < to)
			after = v.width;
		i += g.bytes;
		if (i <= from)
			v.mark = v.width;
	}
	v.marks = after > v.mark ? after - v.mark : 1;
	v.end = v.width;
	if (v.width > SHOWN_WIDTH) {
		v.begin =
			v.mark > SHOWN_WIDTH / 3 ? v.mark - SHOWN_WIDTH / 3 : 0;
		if (v.begin > v.width - SHOWN_WIDTH)
			v.begin = v.width - SHOWN_WIDTH;
		v.end = v.begin + SHOWN_WIDTH;
	}
	return v;
}

/* Prints the part of the line that is in view; makes V say what was shown, as
 * no character is cut. */
static void print_view(FILE *stream, const struct source_line *line,
		       struct view *v)
{
	size_t column = 0, begin = v->width, end = v->begin;

	if (v->begin)
		fputs("...", stream);
	for (size_t i = 0; i < line->length;) {
		struct printable g =
			printable_at(line->text + i, line->length - i);

		if (column >= v->begin && column + g.width <= v->end) {
			if (column < begin)
				begin = column;
			fputs(g.text, stream);
			end = column + g.width;
		}
		column += g.width;
		i += g.bytes;
	}
	if (v->end < v->width)
		fputs("...", stream);
	v->begin = begin;
	v->end = end;
}

struct colours {
	const char *bold, *mark, *off, *severity[DIAG_FATAL + 1];
};

static const struct colours no_colours = {
	"",
	"",
	"",
	{"", "", "", ""},
};

static const struct colours terminal_colours = {
	"\033[1m",
	"\033[1;32m",
	"\033[0m",
	{"\033[1;36m", "\033[1;35m", "\033[1;31m", "\033[1;31m"},
};

const char *severity_name(enum severity severity)
{
	static const char *const names[] = {
		[DIAG_NOTE] = "note",
		[DIAG_WARNING] = "warning",
		[DIAG_ERROR] = "error",
		[DIAG_FATAL] = "error",
	};

	return names[severity];
}

static bool has_line(const struct input *input, struct position at)
{
	return input && input_line(input, at.line);
}

static int gutter_of(const struct source_line *line)
{
	int digits = snprintf(NULL, 0, "%" PRIu32, line->number);

	return digits > GUTTER_WIDTH ? digits : GUTTER_WIDTH;
}

static void print_excerpt(FILE *stream, const struct input *input,
			  struct position at, const struct colours *c)
{
	const struct source_line *line = input_line(input, at.line);
	struct view v = view_of(line, at);
	int gutter = gutter_of(line);
	bool cut = v.begin != 0;

	fprintf(stream, "%*" PRIu32 " | ", gutter, line->number);
	print_view(stream, line, &v);
	fprintf(stream, "\n%*s | ", gutter, "");
	if (v.mark < v.begin)
		v.mark = v.begin;
	if (v.mark + v.marks > v.end)
		v.marks = v.end > v.mark ? v.end - v.mark : 1;
	fprintf(stream, "%*s%s^", (int)((cut ? 3 : 0) + v.mark - v.begin), "",
		c->mark);
	for (size_t i = 1; i < v.marks; i++)
		putc('~', stream);
	fprintf(stream, "%s\n", c->off);
}

static void print_head(FILE *stream, const struct input *input,
		       struct position at, enum severity severity,
		       const struct colours *c)
{
	fputs(c->bold, stream);
	if (has_line(input, at)) {
		const struct source_line *line = input_line(input, at.line);

		print_text(stream, line->file);
		fprintf(stream, ":%" PRIu32 ":%" PRIu32 ":", line->number,
			line->column + at.column - 1);
	} else {
		fputs("auditopt:", stream);
	}
	fprintf(stream, "%s %s%s:%s ", c->off, c->severity[severity],
		severity_name(severity), c->off);
}

static void print_part(FILE *stream, int gutter, const char *text)
{
	fprintf(stream, "%*s = ", gutter, "");
	print_text(stream, text);
	putc('\n', stream);
}

size_t diagnostic_lines_after(const struct input *input, uint32_t after)
{
	size_t n = 0;

	for (uint32_t i = after + 1; i < input->count; i++) {
		const struct source_line *line = &input->line[i];
		size_t at = 0;

		while (at < line->length && line->text[at] == ' ')
			at++;
		n += at < line->length && line->text[at] != '#';
	}
	return n;
}

static void print_stop(FILE *stream, int gutter, const struct input *input,
		       const struct diagnostic *d, bool first)
{
	size_t lost = first ? diagnostic_lines_after(input, d->at.line) : 0;

	fprintf(stream, "%*s = ", gutter, "");
	if (!first)
		fputs("auditctl would stop here too, once it came this far\n",
		      stream);
	else if (!lost)
		fputs("auditctl stops here\n", stream);
	else if (lost == 1)
		fputs("auditctl stops here and never loads the line after it\n",
		      stream);
	else
		fprintf(stream,
			"auditctl stops here and never loads the %zu lines "
			"after it\n",
			lost);
}

/* How many further places are listed. */
#define MORE_SHOWN 12

/* "see also a.rules:3, 7 and b.rules:1 and 4 more" */
static void print_more(FILE *stream, int gutter, const struct input *input,
		       const struct diagnostic *d)
{
	const char *file = NULL;
	size_t shown = 0, left = 0;

	for (size_t i = 0; i < d->mores; i++) {
		const struct source_line *line;

		if (!has_line(input, d->more[i]))
			continue;
		if (shown == MORE_SHOWN) {
			left++;
			continue;
		}
		line = input_line(input, d->more[i].line);
		if (!shown++)
			fprintf(stream, "%*s = see also ", gutter, "");
		else
			fputs(", ", stream);
		if (!file || strcmp(file, line->file) != 0) {
			print_text(stream, line->file);
			putc(':', stream);
		}
		file = line->file;
		fprintf(stream, "%" PRIu32, line->number);
	}
	if (left)
		fprintf(stream, " and %zu more", left);
	if (shown)
		putc('\n', stream);
}

/* What has been said of lines where auditctl stops. */
struct stops {
	uint32_t first, last; /* DIAG_NO_LINE */
};

static void print_one(FILE *stream, const struct input *input,
		      const struct diagnostic *d, struct stops *stops,
		      const struct colours *c)
{
	int gutter = GUTTER_WIDTH;

	print_head(stream, input, d->at, d->severity, c);
	fputs(c->bold, stream);
	print_text(stream, d->what);
	fprintf(stream, "%s [%s]\n", c->off, d->id);
	if (has_line(input, d->at)) {
		gutter = gutter_of(input_line(input, d->at.line));
		print_excerpt(stream, input, d->at, c);
		if (d->stops && d->at.line != stops->last) {
			print_stop(stream, gutter, input, d,
				   d->at.line == stops->first);
			stops->last = d->at.line;
		}
	}
	if (d->auditctl)
		print_part(stream, gutter, d->auditctl);
	if (d->advice)
		print_part(stream, gutter, d->advice);
	print_more(stream, gutter, input, d);
	if (has_line(input, d->other)) {
		print_head(stream, input, d->other, DIAG_NOTE, c);
		print_text(stream, d->other_what ? d->other_what : "see here");
		putc('\n', stream);
		print_excerpt(stream, input, d->other, c);
	}
}

void diagnostics_print(struct diagnostics *all, const struct input *input,
		       enum severity minimum, FILE *stream, bool colour)
{
	const struct colours *c = colour ? &terminal_colours : &no_colours;
	const struct diagnostic *d;
	struct stops stops = {DIAG_NO_LINE, DIAG_NO_LINE};

	for (size_t i = 0; (d = diagnostics_get(all, i)); i++) {
		if (d->stops && stops.first == DIAG_NO_LINE)
			stops.first = d->at.line;
		if (d->severity >= minimum)
			print_one(stream, input, d, &stops, c);
	}
}

static const char *in_list(size_t i, void *data)
{
	return ((const char *const *)data)[i];
}

const char *nearest_in_list(const char *word, const char *const *names)
{
	return nearest_name(word, in_list, (void *)names);
}
