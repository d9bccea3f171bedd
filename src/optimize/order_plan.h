/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order of rules as a problem of its own: groups of calls, each of which
 * must walk past certain rules before its walk can be ended. This is
 * 1|prec|sum w*C with jobs of two kinds: rules, which take time, and groups,
 * which have weight. For order.c and its tests.
 */
#ifndef AUDITOPT_ORDER_PLAN_H
#define AUDITOPT_ORDER_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/arena.h"

/* Rules, and groups, that a plan may have. */
#define ORDER_RULES_AT_MOST 1024
#define ORDER_WORDS (ORDER_RULES_AT_MOST / 64)
#define ORDER_GROUPS_AT_MOST 48
/* So many groups are solved exactly. */
#define ORDER_EXACT_AT_MOST 14

struct order_set {
	uint64_t word[ORDER_WORDS];
};

bool order_has(const struct order_set *set, size_t rule);
void order_add(struct order_set *set, size_t rule);
void order_unite(struct order_set *a, const struct order_set *b);
bool order_equal(const struct order_set *a, const struct order_set *b);

struct order_group {
	int64_t weight;
	/* The rules that must stand in front of the end of its walk, those that
	 * must stand in front of them included, and so on. */
	struct order_set rules;
	struct order_set entered; /* the rules in the list that it enters */
};

struct order_problem {
	size_t rules;
	struct order_set walked; /* the rules in the list */
	int64_t passed;		 /* what one of those costs if it is passed */
	const int64_t *more;	 /* by rule: how much more if it is entered */
	struct order_group *group;
	size_t groups; /* at most ORDER_GROUPS_AT_MOST */
};

struct order_plan {
	size_t *group; /* in the order in which their walks end */
	int64_t cost;  /* what all groups pay, by weight */
	int64_t bound; /* no order costs less */
	bool exact;    /* none costs less than COST either */
};

/* What GROUP pays for walking over RULES. */
int64_t order_price(const struct order_problem *problem,
		    const struct order_group *group,
		    const struct order_set *rules);

/* What all pay if the rules stand as they are numbered. */
int64_t order_cost_now(const struct order_problem *problem);

/* The best order, or if there are many groups a good one; lives in ARENA. */
struct order_plan order_plan(struct arena *arena,
			     const struct order_problem *problem);

#endif
