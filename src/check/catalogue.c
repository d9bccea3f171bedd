/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "check/catalogue.h"

#include <string.h>

#include "util/printable.h"
#include "util/wrap.h"

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

/* Each line of TEXT, with what cannot be seen made visible. */
static void write_indented(const char *text, FILE *stream)
{
	struct arena *arena = arena_new();

	while (*text) {
		size_t length = strcspn(text, "\n");

		fprintf(stream, INDENT "%s\n",
			printable_text(arena, text, length));
		text += length + (text[length] == '\n');
	}
	arena_free(arena);
}

#define WIDTH 76

static void write_plain(const char *text, size_t length, bool line_begin,
			FILE *stream)
{
	(void)line_begin;
	fprintf(stream, "%.*s", (int)length, text);
}

void catalogue_explain(const struct catalogue_row *row, FILE *stream)
{
	fprintf(stream, "%s (%s): %s\n\n", row->id,
		severity_name(row->severity), row->title);
	wrap_words(row->why, strlen(row->why), WIDTH, write_plain, stream);
	fputc('\n', stream);
	wrap_words(row->advice, strlen(row->advice), WIDTH, write_plain,
		   stream);
	if (row->bad) {
		fputs("\nFor example:\n", stream);
		write_indented(row->bad, stream);
	}
	if (row->good) {
		fputs("\nBetter:\n", stream);
		write_indented(row->good, stream);
	}
}

void catalogue_list(FILE *stream)
{
	const struct catalogue_row *row;

	for (size_t i = 0; (row = catalogue_row(i)); i++)
		fprintf(stream, "%-28s %-8s %s\n", row->id,
			severity_name(row->severity), row->title);
}
