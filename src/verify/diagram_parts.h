/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What diagram.c and diagram_walk.c share; nobody else.
 */
#ifndef AUDITOPT_DIAGRAM_PARTS_H
#define AUDITOPT_DIAGRAM_PARTS_H

#include <stdio.h>
#include <stdlib.h>

#include "verify/diagram.h"

#define LEAF UINT32_MAX
/* A chain of more nodes would be more than the stack may hold. */
#define DEPTH_AT_MOST 12000

struct node {
	uint32_t level; /* LEAF: yes is the value */
	diagram yes, no;
};

struct remembered;

struct diagrams {
	const unsigned int *group;
	const bool *lasts;
	size_t levels;
	size_t at_most;
	bool overflow;
	size_t work, work_at_most;
	size_t depth; /* of the recursion */
	struct node *node;
	size_t count, capacity;
	uint32_t *slot; /* node + 1; 0: empty */
	size_t slots;	/* a power of two */
	struct remembered *cache;
	/* for diagram_levels(): by whom a node, a level was last seen */
	uint32_t *node_seen, *level_seen;
	size_t seen_capacity;
	uint32_t seen;
};

static inline void *or_die(void *memory)
{
	if (!memory) {
		fputs("auditopt: out of memory; nothing was written\n", stderr);
		exit(4);
	}
	return memory;
}

static inline uint32_t mix(uint32_t a, uint32_t b, uint32_t c)
{
	uint64_t h = a * UINT64_C(0x9e3779b97f4a7c15);

	h = (h ^ b ^ h >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
	h = (h ^ c ^ h >> 32) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)(h ^ h >> 31);
}

static inline uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static inline bool same_group(const struct diagrams *all, uint32_t a,
			      uint32_t b)
{
	return b != LEAF && all->group[a] && all->group[a] == all->group[b];
}

/* D where the question of LEVEL, which does not come after D's, has been
 * answered. */
static inline diagram if_yes(const struct diagrams *all, diagram d,
			     uint32_t level)
{
	uint32_t own = all->node[d].level;

	return own == level || same_group(all, level, own) ? all->node[d].yes
							   : d;
}

static inline diagram if_no(const struct diagrams *all, diagram d,
			    uint32_t level)
{
	return all->node[d].level == level ? all->node[d].no : d;
}

/* One step more, and one deeper, until leave(); false if that is too many. */
static inline bool enter(struct diagrams *all)
{
	if (all->work >= all->work_at_most || all->depth >= DEPTH_AT_MOST)
		all->overflow = true;
	if (all->overflow)
		return false;
	all->work++;
	all->depth++;
	return true;
}

static inline void leave(struct diagrams *all)
{
	all->depth--;
}

#endif
