/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/comment.h"

#include <string.h>

#include "util/printable.h"

/* Comments are broken at this column where they can be. */
#define COMMENT_WIDTH 96
/* A line of the input is shown up to here, so that it can be found and copied
 * back; behind it stand a few bytes more, below EMIT_LINE_MAX. */
#define SHOWN_LINE_MAX 3900

void comment_line(struct arena *arena, UT_string *out, const char *text,
		  size_t length)
{
	utstring_printf(out, "# %s\n",
			printable_cut(arena, text, length, SHOWN_LINE_MAX));
}

/* How much of TEXT goes on a line: up to the last comma or space there is, else
 * whole characters. */
static size_t line_part(const char *text, size_t left)
{
	size_t end = COMMENT_WIDTH, whole = 0;

	if (left <= COMMENT_WIDTH)
		return left;
	while (end > 0 && text[end - 1] != ' ' && text[end - 1] != ',')
		end--;
	if (end > 0)
		return end;
	for (size_t i = 0; i <= COMMENT_WIDTH;) {
		whole = i;
		i += printable_at(text + i, left - i).bytes;
	}
	return whole;
}

void comment_put(struct arena *arena, UT_string *out, const char *text)
{
	size_t left;

	text = printable_text(arena, text, strlen(text));
	for (left = strlen(text); left > 0;) {
		size_t take = line_part(text, left), shown = take;

		while (shown > 0 && text[shown - 1] == ' ')
			shown--;
		utstring_printf(out, "# %.*s\n", (int)shown, text);
		while (text[take] == ' ')
			take++;
		text += take;
		left -= take;
	}
}

void comment_paragraphs(struct arena *arena, UT_string *out, const char *text)
{
	while (*text) {
		size_t length = strcspn(text, "\n");

		comment_put(arena, out, arena_strndup(arena, text, length));
		text += length + (text[length] == '\n');
	}
}
