/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "optimize/facts_tables.h"

/* How many rules between two others are looked at one by one, and how many
 * blocks of them at all: what keeps large sets close to linear. */
#define RULES_AT_MOST 1024
#define BLOCKS_AT_MOST 256

static uint32_t filter_of(const struct facts *facts, size_t i)
{
	return facts->set->rule[i]->filter;
}

/* Is everything about them asked in one and the same walk, or lasting? */
static bool asked_together(const struct fact *a, const struct fact *b)
{
	if (a->role == ROLE_LIST && b->role == ROLE_LIST)
		return true;
	return a->lasting && b->lasting;
}

void facts_only_several_walks(const struct facts *facts,
			      struct syscall_set *calls)
{
	syscall_set_intersect(calls, &facts->tables->uring_calls);
}

bool facts_meet_as(const struct facts *facts, const struct fact *a,
		   uint32_t filter, size_t k, struct syscall_set *both)
{
	const struct fact *b = &facts->item[k];

	*both = *a->calls;
	if (a->role == ROLE_OTHER || b->role == ROLE_OTHER)
		return false;
	/* Operations and calls are no subsets of each other, and one call may
	 * run many operations. */
	if (a->role == ROLE_OPAQUE || b->role == ROLE_OPAQUE ||
	    filter == AUDIT_FILTER_URING_EXIT ||
	    filter_of(facts, k) == AUDIT_FILTER_URING_EXIT)
		return true;
	if (!syscall_set_intersects(a->calls, b->calls))
		return false;
	syscall_set_intersect(both, b->calls);
	if (asked_together(a, b) &&
	    predicate_disjoint(a->predicate, b->predicate))
		facts_only_several_walks(facts, both);
	return !syscall_set_empty(both);
}

bool facts_meet(const struct facts *facts, size_t i, size_t k,
		struct syscall_set *both)
{
	return facts_meet_as(facts, &facts->item[i], filter_of(facts, i), k,
			     both);
}

static bool block_concerns(const struct block *block, uint32_t filter,
			   const struct syscall_set *calls)
{
	if (filter == AUDIT_FILTER_URING_EXIT)
		return block->exit || block->uring;
	return block->uring || syscall_set_intersects(&block->calls, calls);
}

static bool scan_rules(const struct facts *facts, size_t first, size_t end,
		       bool (*visit)(size_t k, void *data), void *data)
{
	for (size_t k = first; k < end; k++)
		if (!facts->item[k].gone && facts->item[k].role != ROLE_OTHER &&
		    !visit(k, data))
			return false;
	return true;
}

bool facts_scan(const struct facts *facts, size_t first, size_t end,
		uint32_t filter, const struct syscall_set *calls,
		bool (*visit)(size_t k, void *data), void *data)
{
	while (first < end) {
		size_t number = first / BLOCK_RULES;
		size_t next = (number + 1) * BLOCK_RULES;

		if (next > end)
			next = end;
		if (block_concerns(&facts->tables->block[number], filter,
				   calls) &&
		    !scan_rules(facts, first, next, visit, data))
			return false;
		first = next;
	}
	return true;
}

/* Rules of the same kind with the same outcome may change places. A list rule
 * and a bucket rule may not, whatever their outcome: prio decides whether the
 * bucket rule can still match, and so which name's rules come next. */
bool facts_may_swap(const struct facts *facts, size_t j, size_t k)
{
	const struct fact *a = &facts->item[j], *b = &facts->item[k];
	struct syscall_set both;

	if (filter_of(facts, j) == filter_of(facts, k) && a->role == b->role &&
	    a->role != ROLE_UNSETTLED && a->role != ROLE_OPAQUE &&
	    a->outcome_id == b->outcome_id)
		return true;
	return !facts_meet(facts, j, k, &both);
}

struct passage {
	const struct facts *facts;
	size_t mover;
	unsigned int looked_at;
};

static bool passes(size_t k, void *data)
{
	struct passage *passage = data;

	return ++passage->looked_at <= RULES_AT_MOST &&
	       facts_may_swap(passage->facts, passage->mover, k);
}

bool facts_clear_between(const struct facts *facts, size_t i, size_t j)
{
	struct passage passage = {facts, j, 0};

	if (j / BLOCK_RULES - i / BLOCK_RULES > BLOCKS_AT_MOST)
		return false;
	return facts_scan(facts, i + 1, j, filter_of(facts, j),
			  facts->item[j].calls, passes, &passage);
}
