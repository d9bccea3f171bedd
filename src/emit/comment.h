/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Comments of a rules file. ARENA is for what is in between.
 */
#ifndef AUDITOPT_COMMENT_H
#define AUDITOPT_COMMENT_H

#include <stddef.h>
#include <utstring.h>

#include "util/arena.h"

/* Adds LENGTH bytes at TEXT as a comment line of their own, cut where it would
 * be too long. A byte that ends the line would make a command of the rest. */
void comment_line(struct arena *arena, UT_string *out, const char *text,
		  size_t length);

/* Adds TEXT as comment lines, broken where they can be: a line that is too long
 * for auditctl's buffer would go on as a command. */
void comment_put(struct arena *arena, UT_string *out, const char *text);

/* The same for each line of TEXT. */
void comment_paragraphs(struct arena *arena, UT_string *out, const char *text);

#endif
