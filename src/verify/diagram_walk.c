/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks over diagrams that make none: pairs of leaves, levels.
 */
#include "verify/diagram_parts.h"

#define PAIRS_AT_MOST 2000000

/* A set of pairs of diagrams. */
struct pairs {
	struct diagrams *all;
	uint64_t *slot;
	size_t count, slots;
	bool too_many;
	void (*visit)(uint32_t a, uint32_t b, void *data);
	void *data;
};

static void pairs_grow(struct pairs *p)
{
	uint64_t *old = p->slot;
	size_t slots = p->slots;

	p->slots = slots ? 2 * slots : 1024;
	p->slot = or_die(calloc(p->slots, sizeof(*p->slot)));
	for (size_t i = 0; i < slots; i++) {
		size_t at;

		if (!old[i])
			continue;
		at = mix((uint32_t)old[i], (uint32_t)(old[i] >> 32), 0) &
		     (p->slots - 1);
		while (p->slot[at])
			at = (at + 1) & (p->slots - 1);
		p->slot[at] = old[i];
	}
	free(old);
}

/* Returns true if it was not there. */
static bool pairs_add(struct pairs *p, diagram a, diagram b)
{
	/* never 0: nodes are below 2^31 */
	uint64_t key = (uint64_t)(b + 1) << 32 | a;
	size_t at;

	if (2 * p->count >= p->slots)
		pairs_grow(p);
	at = mix(a, b + 1, 0) & (p->slots - 1);
	for (; p->slot[at]; at = (at + 1) & (p->slots - 1))
		if (p->slot[at] == key)
			return false;
	p->slot[at] = key;
	if (++p->count > PAIRS_AT_MOST)
		p->too_many = true;
	return true;
}

static void walk_pairs(struct pairs *p, diagram a, diagram b)
{
	struct diagrams *all = p->all;
	uint32_t level = least(all->node[a].level, all->node[b].level);

	if (p->too_many || !pairs_add(p, a, b))
		return;
	if (!enter(all)) {
		p->too_many = true;
		return;
	}
	if (level == LEAF) {
		p->visit(all->node[a].yes, all->node[b].yes, p->data);
	} else {
		walk_pairs(p, if_yes(all, a, level), if_yes(all, b, level));
		walk_pairs(p, if_no(all, a, level), if_no(all, b, level));
	}
	leave(all);
}

bool diagram_pairs(struct diagrams *all, diagram a, diagram b,
		   void (*visit)(uint32_t a, uint32_t b, void *data),
		   void *data)
{
	struct pairs p = {.all = all, .visit = visit, .data = data};

	walk_pairs(&p, a, b);
	free(p.slot);
	return !p.too_many;
}

struct levels {
	size_t *item;
	size_t count, capacity;
};

static void add_level(struct levels *levels, size_t level)
{
	if (levels->count == levels->capacity) {
		levels->capacity = 2 * levels->capacity + 16;
		levels->item = or_die(
			realloc(levels->item,
				levels->capacity * sizeof(*levels->item)));
	}
	levels->item[levels->count++] = level;
}

static void find_levels(struct diagrams *all, diagram d, struct levels *levels)
{
	uint32_t level = all->node[d].level;

	if (level == LEAF || all->node_seen[d] == all->seen || !enter(all))
		return;
	all->node_seen[d] = all->seen;
	if (all->level_seen[level] != all->seen)
		add_level(levels, level);
	all->level_seen[level] = all->seen;
	find_levels(all, all->node[d].yes, levels);
	find_levels(all, all->node[d].no, levels);
	leave(all);
}

static int by_number(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return x < y ? -1 : x > y;
}

size_t *diagram_levels(struct diagrams *all, diagram d, size_t *count)
{
	struct levels levels = {NULL, 0, 0};

	if (all->seen_capacity < all->capacity || all->seen == UINT32_MAX) {
		free(all->node_seen);
		free(all->level_seen);
		all->node_seen =
			or_die(calloc(all->capacity, sizeof(*all->node_seen)));
		all->level_seen = or_die(
			calloc(all->levels + 1, sizeof(*all->level_seen)));
		all->seen_capacity = all->capacity;
		all->seen = 0;
	}
	all->seen++;
	find_levels(all, d, &levels);
	if (levels.count)
		qsort(levels.item, levels.count, sizeof(*levels.item),
		      by_number);
	*count = levels.count;
	return levels.item;
}
