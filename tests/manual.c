/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the section FINDINGS of man/auditopt-check.8, in mdoc: `make manual`
 * puts it there, tests/cli_check.sh compares. */
#include <string.h>

#include "check/catalogue.h"
#include "util/printable.h"
#include "util/wrap.h"

#define WIDTH 76

/* No escape, and no macro at LINE_BEGIN. */
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

/* A sentence a line, as mdoc wants it. */
static void print_sentences(const char *text)
{
	while (*text) {
		const char *end = strstr(text, ". ");
		size_t length = end ? (size_t)(end - text) + 1 : strlen(text);

		wrap_words(text, length, WIDTH, write_roff, stdout);
		text += length;
		text += *text == ' ';
	}
}

static void print_example(const char *title, const char *lines)
{
	struct arena *arena = arena_new();

	printf(".Pp\n%s\n.Bd -literal -compact\n", title);
	while (*lines) {
		size_t length = strcspn(lines, "\n");
		const char *line = printable_text(arena, lines, length);

		write_roff(line, strlen(line), true, stdout);
		putchar('\n');
		lines += length + (lines[length] == '\n');
	}
	puts(".Ed");
	arena_free(arena);
}

int main(void)
{
	const struct catalogue_row *row;

	for (size_t i = 0; (row = catalogue_row(i)); i++) {
		printf(".It Sy %s Po %s Pc : %s\n", row->id,
		       severity_name(row->severity), row->title);
		print_sentences(row->why);
		print_sentences(row->advice);
		if (row->bad)
			print_example("For example:", row->bad);
		if (row->good)
			print_example("Better:", row->good);
	}
	return 0;
}
