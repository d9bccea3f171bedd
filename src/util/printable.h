/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes of the input as they may be shown: on a terminal, in an editor, in a
 * comment of a rules file. Nothing that is shown can move the cursor, end a
 * line, hide itself or change the order of other characters.
 */
#ifndef AUDITOPT_PRINTABLE_H
#define AUDITOPT_PRINTABLE_H

#include <stddef.h>

#include "util/arena.h"

/* What is shown of one or more bytes: a character as it is, "<TAB>", "<U+0085>"
 * for a character that is not to be seen, "\x9b" for a byte that is no UTF-8.
 */
struct printable {
	char text[16];
	size_t width; /* in columns */
	size_t bytes; /* that it stands for */
};

/* The first character of TEXT, of which LEFT bytes, at least one, are there. */
struct printable printable_at(const char *text, size_t left);

/* LENGTH bytes of TEXT, NUL-terminated; lives in ARENA. Of what it has made it
 * makes the same again. */
char *printable_text(struct arena *arena, const char *text, size_t length);

/* The same, but "..." for what goes past MOST columns. */
char *printable_cut(struct arena *arena, const char *text, size_t length,
		    size_t most);

#endif
