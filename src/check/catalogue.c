/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "check/catalogue.h"

#include <string.h>

#include "util/printable.h"

/* The I-th in the order of the alphabet: few rows, asked rarely. */
static const struct catalogue_row *next_after(const char *id)
{
	const struct catalogue_row *const tables[] = {catalogue_frontend,
						      catalogue_findings};
	const struct catalogue_row *best = NULL;

	for (size_t t = 0; t < 2; t++)
		for (const struct catalogue_row *row = tables[t]; row->id;
		     row++)
			if ((!id || strcmp(row->id, id) > 0) &&
			    (!best || strcmp(row->id, best->id) < 0))
				best = row;
	return best;
}

const struct catalogue_row *catalogue_row(size_t i)
{
	const struct catalogue_row *row = next_after(NULL);

	while (row && i--)
		row = next_after(row->id);
	return row;
}

const struct catalogue_row *catalogue_find(const char *id)
{
	const struct catalogue_row *row;

	for (row = catalogue_frontend; row->id; row++)
		if (strcmp(row->id, id) == 0)
			return row;
	for (row = catalogue_findings; row->id; row++)
		if (strcmp(row->id, id) == 0)
			return row;
	return NULL;
}

static const char *candidate(size_t i, void *data)
{
	const struct catalogue_row *row = catalogue_row(i);

	(void)data;
	return row ? row->id : NULL;
}

const char *catalogue_nearest(const char *word)
{
	return nearest_name(word, candidate, NULL);
}

/* How far an example is moved in. */
#define INDENT "    "

/* Each line of TEXT by WRITE, with what cannot be seen made visible. */
static void each_line(const char *text, FILE *stream,
		      void (*write)(const char *line, FILE *stream))
{
	struct arena *arena = arena_new();

	while (*text) {
		size_t length = strcspn(text, "\n");

		write(printable_text(arena, text, length), stream);
		text += length + (text[length] == '\n');
	}
	arena_free(arena);
}

static void write_indented(const char *line, FILE *stream)
{
	fprintf(stream, INDENT "%s\n", line);
}

#define WIDTH 76

/* LENGTH bytes of TEXT for mdoc: no escape, and no macro at LINE_BEGIN. */
static void write_roff(const char *text, size_t length, bool line_begin,
		       FILE *stream)
{
	if (line_begin && length && (*text == '.' || *text == '\''))
		fputs("\\&", stream);
	for (; length; length--, text++)
		if (*text == '\\')
			fputs("\\e", stream);
		else
			fputc(*text, stream);
}

static void write_plain(const char *text, size_t length, bool line_begin,
			FILE *stream)
{
	(void)line_begin;
	fprintf(stream, "%.*s", (int)length, text);
}

/* LENGTH bytes of TEXT, the words broken into lines. */
static void write_wrapped(const char *text, size_t length, FILE *stream,
			  void (*write)(const char *, size_t, bool, FILE *))
{
	const char *end = text + length;
	size_t used = 0;

	while (text < end) {
		size_t word = strcspn(text, " ");

		if (word > (size_t)(end - text))
			word = (size_t)(end - text);
		if (used && used + 1 + word > WIDTH) {
			fputc('\n', stream);
			used = 0;
		}
		if (used)
			fputc(' ', stream);
		write(text, word, !used, stream);
		used += word + (used != 0);
		text += word;
		text += text < end;
	}
	fputc('\n', stream);
}

void catalogue_explain(const struct catalogue_row *row, FILE *stream)
{
	fprintf(stream, "%s (%s): %s\n\n", row->id,
		severity_name(row->severity), row->title);
	write_wrapped(row->why, strlen(row->why), stream, write_plain);
	fputc('\n', stream);
	write_wrapped(row->advice, strlen(row->advice), stream, write_plain);
	if (row->bad) {
		fputs("\nFor example:\n", stream);
		each_line(row->bad, stream, write_indented);
	}
	if (row->good) {
		fputs("\nBetter:\n", stream);
		each_line(row->good, stream, write_indented);
	}
}

void catalogue_list(FILE *stream)
{
	const struct catalogue_row *row;

	for (size_t i = 0; (row = catalogue_row(i)); i++)
		fprintf(stream, "%-28s %-8s %s\n", row->id,
			severity_name(row->severity), row->title);
}

static void write_roff_line(const char *line, FILE *stream)
{
	write_roff(line, strlen(line), true, stream);
	fputc('\n', stream);
}

/* A sentence a line, as mdoc wants it. */
static void write_sentences(const char *text, FILE *stream)
{
	while (*text) {
		const char *end = strstr(text, ". ");
		size_t length = end ? (size_t)(end - text) + 1 : strlen(text);

		write_wrapped(text, length, stream, write_roff);
		text += length;
		text += *text == ' ';
	}
}

static void write_example(const char *title, const char *lines, FILE *stream)
{
	fprintf(stream, ".Pp\n%s\n.Bd -literal -compact\n", title);
	each_line(lines, stream, write_roff_line);
	fputs(".Ed\n", stream);
}

void catalogue_manual(FILE *stream)
{
	const struct catalogue_row *row;

	for (size_t i = 0; (row = catalogue_row(i)); i++) {
		fprintf(stream, ".It Sy %s Po %s Pc : %s\n", row->id,
			severity_name(row->severity), row->title);
		write_sentences(row->why, stream);
		write_sentences(row->advice, stream);
		if (row->bad)
			write_example("For example:", row->bad, stream);
		if (row->good)
			write_example("Better:", row->good, stream);
	}
}
