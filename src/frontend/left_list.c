/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "frontend/left_list.h"

#include <stdlib.h>
#include <string.h>

static void append(struct arena *arena, struct left_list *list,
		   struct left_out left)
{
	list->item = arena_grow(arena, list->item, list->count, &list->room,
				sizeof(left));
	list->item[list->count++] = left;
}

void left_add(struct arena *arena, struct left_list *list, uint32_t line,
	      const char *text, const char *why)
{
	struct left_out *last =
		list->count ? &list->item[list->count - 1] : NULL;

	if (!last || last->line != line) {
		append(arena, list, (struct left_out){line, text, why});
	} else if (!text && last->text) {
		last->text = NULL;
		last->why = why;
	} else if (text && last->text) {
		last->text = arena_printf(arena, "%s, %s", last->text, text);
		last->why = arena_printf(arena, "%s; %s", last->why, why);
	}
}

static int by_line(const void *a, const void *b)
{
	const struct left_out *x = a, *y = b;

	return (x->line > y->line) - (x->line < y->line);
}

struct left_list left_merge(struct arena *arena, const struct left_list *a,
			    struct left_list *b)
{
	struct left_list all = {0};
	size_t i = 0, j = 0;

	if (b->count)
		qsort(b->item, b->count, sizeof(*b->item), by_line);
	while (i < a->count || j < b->count) {
		const struct left_out *x = i < a->count ? &a->item[i] : NULL;
		const struct left_out *y = j < b->count ? &b->item[j] : NULL;
		bool takes_y = y && (!x || y->line <= x->line);
		const struct left_out *next = takes_y ? y : x;

		i += !takes_y;
		j += takes_y;
		if (!all.count || all.item[all.count - 1].line != next->line)
			append(arena, &all, *next);
	}
	return all;
}
