/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "verify/diagram_parts.h"

#include <string.h>

#define FIRST_SLOTS 4096
#define CACHE_BITS 17

enum operation { CHOOSE = 1, WHERE, LASTING, GIVEN, FORGET };

struct remembered {
	uint32_t operation; /* 0: empty */
	uint32_t a, b, c;
	diagram result;
};

static void grow_slots(struct diagrams *all)
{
	free(all->slot);
	all->slot = or_die(calloc(all->slots, sizeof(*all->slot)));
	for (size_t i = 0; i < all->count; i++) {
		const struct node *n = &all->node[i];
		size_t at = mix(n->level, n->yes, n->no) & (all->slots - 1);

		while (all->slot[at])
			at = (at + 1) & (all->slots - 1);
		all->slot[at] = (uint32_t)i + 1;
	}
}

static diagram add_node(struct diagrams *all, struct node node, size_t at)
{
	if (all->count >= all->at_most && node.level != LEAF) {
		all->overflow = true;
		return DIAGRAM_NO;
	}
	if (all->count == all->capacity) {
		all->capacity *= 2;
		all->node = or_die(
			realloc(all->node, all->capacity * sizeof(node)));
	}
	all->node[all->count] = node;
	all->slot[at] = (uint32_t)++all->count;
	if (2 * all->count > all->slots) {
		all->slots *= 2;
		grow_slots(all);
	}
	return (diagram)(all->count - 1);
}

static diagram intern(struct diagrams *all, struct node node)
{
	size_t at = mix(node.level, node.yes, node.no) & (all->slots - 1);

	for (; all->slot[at]; at = (at + 1) & (all->slots - 1)) {
		const struct node *n = &all->node[all->slot[at] - 1];

		if (n->level == node.level && n->yes == node.yes &&
		    n->no == node.no)
			return all->slot[at] - 1;
	}
	return add_node(all, node, at);
}

struct diagrams *diagrams_new(const unsigned int *group, const bool *lasts,
			      size_t levels, size_t nodes_at_most)
{
	struct diagrams *all = or_die(calloc(1, sizeof(*all)));

	all->group = group;
	all->lasts = lasts;
	all->levels = levels;
	all->at_most = nodes_at_most;
	all->work_at_most = SIZE_MAX;
	all->capacity = FIRST_SLOTS / 2;
	all->node = or_die(calloc(all->capacity, sizeof(*all->node)));
	all->slots = FIRST_SLOTS;
	grow_slots(all);
	all->cache =
		or_die(calloc((size_t)1 << CACHE_BITS, sizeof(*all->cache)));
	diagram_leaf(all, 0);
	diagram_leaf(all, 1);
	return all;
}

void diagrams_free(struct diagrams *all)
{
	free(all->node);
	free(all->slot);
	free(all->cache);
	free(all->node_seen);
	free(all->level_seen);
	free(all);
}

bool diagrams_overflow(const struct diagrams *all)
{
	return all->overflow;
}

void diagrams_allow(struct diagrams *all, size_t work)
{
	all->work_at_most =
		work < SIZE_MAX - all->work ? all->work + work : SIZE_MAX;
}

size_t diagrams_work(const struct diagrams *all)
{
	return all->work;
}

size_t diagrams_count(const struct diagrams *all)
{
	return all->count;
}

void diagrams_return(struct diagrams *all, size_t mark)
{
	all->count = mark;
	all->overflow = false;
	grow_slots(all);
	memset(all->cache, 0, sizeof(*all->cache) << CACHE_BITS);
}

diagram diagram_leaf(struct diagrams *all, uint32_t value)
{
	return intern(all, (struct node){LEAF, value, 0});
}

bool diagram_is_leaf(const struct diagrams *all, diagram d)
{
	return all->node[d].level == LEAF;
}

uint32_t diagram_value(const struct diagrams *all, diagram leaf)
{
	return all->node[leaf].yes;
}

size_t diagram_level(const struct diagrams *all, diagram d)
{
	return all->node[d].level;
}

diagram diagram_if_yes(const struct diagrams *all, diagram d)
{
	return all->node[d].yes;
}

diagram diagram_if_no(const struct diagrams *all, diagram d)
{
	return all->node[d].no;
}

static diagram make(struct diagrams *all, uint32_t level, diagram yes,
		    diagram no)
{
	if (yes == no)
		return yes;
	/* below 5: A, from 5 to 7: A too */
	if (same_group(all, level, all->node[no].level) &&
	    all->node[no].yes == yes)
		return no;
	return intern(all, (struct node){level, yes, no});
}

diagram diagram_ask(struct diagrams *all, size_t level)
{
	return make(all, (uint32_t)level, DIAGRAM_YES, DIAGRAM_NO);
}

static struct remembered *recall(struct diagrams *all, enum operation operation,
				 uint32_t a, uint32_t b, uint32_t c,
				 bool *found)
{
	uint32_t hash = mix(a, b, c ^ (uint32_t)operation << 24);
	struct remembered *r = &all->cache[hash >> (32 - CACHE_BITS)];

	*found = r->operation == (uint32_t)operation && r->a == a &&
		 r->b == b && r->c == c;
	return r;
}

static diagram remember(struct diagrams *all, struct remembered *r,
			enum operation operation, uint32_t a, uint32_t b,
			uint32_t c, diagram result)
{
	if (!all->overflow)
		*r = (struct remembered){operation, a, b, c, result};
	return result;
}

diagram diagram_choose(struct diagrams *all, diagram condition, diagram yes,
		       diagram no)
{
	struct remembered *r;
	uint32_t level;
	diagram y, n;
	bool found;

	if (condition == DIAGRAM_YES || yes == no)
		return yes;
	if (condition == DIAGRAM_NO)
		return no;
	if (yes == DIAGRAM_YES && no == DIAGRAM_NO)
		return condition;
	if (all->overflow)
		return DIAGRAM_NO;
	r = recall(all, CHOOSE, condition, yes, no, &found);
	if (found)
		return r->result;
	if (!enter(all))
		return DIAGRAM_NO;
	level = least(all->node[condition].level,
		      least(all->node[yes].level, all->node[no].level));
	y = diagram_choose(all, if_yes(all, condition, level),
			   if_yes(all, yes, level), if_yes(all, no, level));
	n = diagram_choose(all, if_no(all, condition, level),
			   if_no(all, yes, level), if_no(all, no, level));
	leave(all);
	return remember(all, r, CHOOSE, condition, yes, no,
			make(all, level, y, n));
}

diagram diagram_and(struct diagrams *all, diagram a, diagram b)
{
	if (a > b)
		return diagram_choose(all, b, a, DIAGRAM_NO);
	return diagram_choose(all, a, b, DIAGRAM_NO);
}

diagram diagram_or(struct diagrams *all, diagram a, diagram b)
{
	if (a > b)
		return diagram_choose(all, b, DIAGRAM_YES, a);
	return diagram_choose(all, a, DIAGRAM_YES, b);
}

diagram diagram_not(struct diagrams *all, diagram a)
{
	return diagram_choose(all, a, DIAGRAM_NO, DIAGRAM_YES);
}

diagram diagram_where(struct diagrams *all, diagram d, uint32_t value)
{
	struct remembered *r;
	struct node node = all->node[d];
	diagram y, n;
	bool found;

	if (node.level == LEAF)
		return node.yes == value ? DIAGRAM_YES : DIAGRAM_NO;
	if (all->overflow)
		return DIAGRAM_NO;
	r = recall(all, WHERE, d, value, 0, &found);
	if (found)
		return r->result;
	if (!enter(all))
		return DIAGRAM_NO;
	y = diagram_where(all, node.yes, value);
	n = diagram_where(all, node.no, value);
	leave(all);
	return remember(all, r, WHERE, d, value, 0,
			make(all, node.level, y, n));
}

diagram diagram_lasting(struct diagrams *all, diagram d)
{
	struct remembered *r;
	struct node node = all->node[d];
	diagram y, n;
	bool found;

	if (node.level == LEAF || all->overflow)
		return d;
	r = recall(all, LASTING, d, 0, 0, &found);
	if (found)
		return r->result;
	if (!enter(all))
		return d;
	y = diagram_lasting(all, node.yes);
	n = diagram_lasting(all, node.no);
	leave(all);
	return remember(all, r, LASTING, d, 0, 0,
			all->lasts[node.level] ? make(all, node.level, y, n)
					       : diagram_or(all, y, n));
}

diagram diagram_given(struct diagrams *all, diagram d, size_t level,
		      bool answer)
{
	struct remembered *r;
	struct node node = all->node[d];
	uint32_t l = (uint32_t)level;
	diagram y, n;
	bool found;

	if (node.level == LEAF || all->overflow)
		return d;
	if (node.level >= l) {
		y = answer ? if_yes(all, d, l) : if_no(all, d, l);
		return y;
	}
	r = recall(all, GIVEN, d, l, answer, &found);
	if (found)
		return r->result;
	if (!enter(all))
		return d;
	y = diagram_given(all, node.yes, level, answer);
	n = diagram_given(all, node.no, level, answer);
	leave(all);
	return remember(all, r, GIVEN, d, l, answer,
			make(all, node.level, y, n));
}

diagram diagram_forget(struct diagrams *all, diagram d, size_t level)
{
	struct remembered *r;
	struct node node = all->node[d];
	uint32_t l = (uint32_t)level;
	bool found, forgotten;
	diagram y, n;

	if (node.level == LEAF || all->overflow)
		return d;
	r = recall(all, FORGET, d, l, 0, &found);
	if (found)
		return r->result;
	if (!enter(all))
		return d;
	y = diagram_forget(all, node.yes, level);
	n = diagram_forget(all, node.no, level);
	forgotten = node.level == l || same_group(all, l, node.level);
	leave(all);
	return remember(all, r, FORGET, d, l, 0,
			forgotten ? diagram_or(all, y, n)
				  : make(all, node.level, y, n));
}
