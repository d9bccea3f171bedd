/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is left out of the result: one entry a line at most.
 */
#ifndef AUDITOPT_LEFT_LIST_H
#define AUDITOPT_LEFT_LIST_H

#include "frontend/compile.h"

struct left_list {
	struct left_out *item;
	size_t count, room;
};

/* Says that TEXT, a part of LINE, is left out, or with NULL all of it. What was
 * said of the same line last is completed: another part is named too, and all
 * of the line stands for its parts. */
void left_add(struct arena *arena, struct left_list *list, uint32_t line,
	      const char *text, const char *why);

/* Both together in the order of the lines; of a line that is in both, what B
 * says. A is in order, B is put in order. */
struct left_list left_merge(struct arena *arena, const struct left_list *a,
			    struct left_list *b);

#endif
