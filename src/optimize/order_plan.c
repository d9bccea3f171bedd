/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What counts is the order in which the walks of the groups end. If that is
 * given, the best that can be done is to put for each group in turn those of
 * its rules next that do not stand yet: what must stand in front of them is
 * among them, so that this is an order that the rules may have, and no rule
 * stands earlier than it must. So a group pays for the rules of all groups up
 * to it.
 *
 * Few groups: for each set of them what they cost if they come first, from the
 * smaller sets to the larger (Held and Karp). Many: the group next that costs
 * least for its weight, and then single groups are moved as long as that helps.
 *
 * A bound for all orders: each group pays for its own rules.
 */
#include "optimize/order_plan.h"

#include <string.h>

/* Rounds in which groups are moved. */
#define ROUNDS_AT_MOST 4

bool order_has(const struct order_set *set, size_t rule)
{
	return set->word[rule / 64] >> rule % 64 & 1;
}

void order_add(struct order_set *set, size_t rule)
{
	set->word[rule / 64] |= (uint64_t)1 << rule % 64;
}

void order_unite(struct order_set *a, const struct order_set *b)
{
	for (size_t i = 0; i < ORDER_WORDS; i++)
		a->word[i] |= b->word[i];
}

bool order_equal(const struct order_set *a, const struct order_set *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

int64_t order_price(const struct order_problem *problem,
		    const struct order_group *group,
		    const struct order_set *rules)
{
	size_t words = problem->rules / 64 + 1;
	int64_t count = 0, price = 0;

	for (size_t i = 0; i < words && i < ORDER_WORDS; i++) {
		uint64_t left = rules->word[i] & group->entered.word[i];

		count += __builtin_popcountll(rules->word[i] &
					      problem->walked.word[i]);
		for (; left; left &= left - 1)
			price += problem->more[i * 64 +
					       (size_t)__builtin_ctzll(left)];
	}
	return price + count * problem->passed;
}

int64_t order_cost_now(const struct order_problem *problem)
{
	int64_t cost = 0;

	for (size_t g = 0; g < problem->groups; g++) {
		const struct order_group *group = &problem->group[g];
		struct order_set walked = {{0}};
		size_t end = problem->rules;

		while (end > 0 && !order_has(&group->rules, end - 1))
			end--;
		for (size_t rule = 0; rule < end; rule++)
			order_add(&walked, rule);
		cost += group->weight * order_price(problem, group, &walked);
	}
	return cost;
}

static int64_t cost_of(const struct order_problem *problem, const size_t *order)
{
	struct order_set walked = {{0}};
	int64_t cost = 0;

	for (size_t i = 0; i < problem->groups; i++) {
		const struct order_group *group = &problem->group[order[i]];

		order_unite(&walked, &group->rules);
		cost += group->weight * order_price(problem, group, &walked);
	}
	return cost;
}

/* Exact. */

struct state {
	int64_t cost;
	size_t last; /* the group that comes last of the set */
};

static void add_rules(const struct order_problem *problem, size_t set,
		      struct order_set *rules)
{
	memset(rules, 0, sizeof(*rules));
	for (size_t g = 0; g < problem->groups; g++)
		if (set >> g & 1)
			order_unite(rules, &problem->group[g].rules);
}

static void solve(const struct order_problem *problem, struct state *state,
		  size_t set)
{
	struct order_set rules;

	add_rules(problem, set, &rules);
	state[set].cost = INT64_MAX;
	for (size_t g = 0; g < problem->groups; g++) {
		const struct order_group *group = &problem->group[g];
		int64_t cost;

		if (!(set >> g & 1))
			continue;
		cost = state[set & ~((size_t)1 << g)].cost +
		       group->weight * order_price(problem, group, &rules);
		if (cost < state[set].cost)
			state[set] = (struct state){cost, g};
	}
}

static void plan_exactly(struct arena *scratch,
			 const struct order_problem *problem, size_t *order)
{
	size_t sets = (size_t)1 << problem->groups, set = sets - 1;
	struct state *state = arena_array(scratch, sets, sizeof(*state));

	for (size_t s = 1; s < sets; s++)
		solve(problem, state, s);
	for (size_t i = problem->groups; i-- > 0;) {
		order[i] = state[set].last;
		set &= ~((size_t)1 << order[i]);
	}
}

/* Good. */

/* The group that costs least for its weight if it comes next. */
static size_t cheapest(const struct order_problem *problem,
		       const struct order_set *walked, const bool *done)
{
	size_t best = problem->groups;
	int64_t best_price = 0;

	for (size_t g = 0; g < problem->groups; g++) {
		const struct order_group *group = &problem->group[g];
		struct order_set with = *walked;
		int64_t price;

		if (done[g])
			continue;
		order_unite(&with, &group->rules);
		price = order_price(problem, group, &with) -
			order_price(problem, group, walked);
		if (best == problem->groups ||
		    (double)price * (double)problem->group[best].weight <
			    (double)best_price * (double)group->weight) {
			best = g;
			best_price = price;
		}
	}
	return best;
}

static void plan_greedily(const struct order_problem *problem, size_t *order)
{
	bool done[ORDER_GROUPS_AT_MOST] = {false};
	struct order_set walked = {{0}};

	for (size_t i = 0; i < problem->groups; i++) {
		order[i] = cheapest(problem, &walked, done);
		done[order[i]] = true;
		order_unite(&walked, &problem->group[order[i]].rules);
	}
}

static void move(size_t *order, size_t from, size_t to)
{
	size_t group = order[from];

	if (from < to)
		memmove(&order[from], &order[from + 1],
			(to - from) * sizeof(*order));
	else
		memmove(&order[to + 1], &order[to],
			(from - to) * sizeof(*order));
	order[to] = group;
}

/* Of the order of all groups but one: what the first I groups pay, what all
 * behind them pay that must walk over the rules of that one too, and what that
 * one pays if it stands there. */
struct gaps {
	int64_t in_front[ORDER_GROUPS_AT_MOST + 1];
	int64_t behind[ORDER_GROUPS_AT_MOST + 1];
	int64_t there[ORDER_GROUPS_AT_MOST + 1];
};

static void find_gaps(const struct order_problem *problem, const size_t *order,
		      size_t left_out, struct gaps *gaps)
{
	const struct order_group *one = &problem->group[order[left_out]];
	struct order_set walked = {{0}}, with = one->rules;
	size_t place = 0;

	gaps->in_front[0] = gaps->behind[0] = 0;
	for (size_t i = 0; i < problem->groups; i++) {
		const struct order_group *group = &problem->group[order[i]];

		if (i == left_out)
			continue;
		gaps->there[place] =
			one->weight * order_price(problem, one, &with);
		order_unite(&walked, &group->rules);
		order_unite(&with, &group->rules);
		gaps->in_front[place + 1] =
			gaps->in_front[place] +
			group->weight * order_price(problem, group, &walked);
		gaps->behind[place + 1] =
			gaps->behind[place] +
			group->weight * order_price(problem, group, &with);
		place++;
	}
	gaps->there[place] = one->weight * order_price(problem, one, &with);
	for (size_t i = 0; i <= place; i++)
		gaps->behind[i] = gaps->behind[place] - gaps->behind[i];
}

/* Tries each group in each place; true if something got better. */
static bool improve(const struct order_problem *problem, size_t *order,
		    int64_t *cost)
{
	bool better = false;

	for (size_t from = 0; from < problem->groups; from++) {
		struct gaps gaps;

		find_gaps(problem, order, from, &gaps);
		for (size_t to = 0; to < problem->groups; to++) {
			int64_t moved = gaps.in_front[to] + gaps.there[to] +
					gaps.behind[to];

			if (from == to || moved >= *cost)
				continue;
			*cost = moved;
			better = true;
			move(order, from, to);
			find_gaps(problem, order, from, &gaps);
		}
	}
	return better;
}

struct order_plan order_plan(struct arena *arena,
			     const struct order_problem *problem)
{
	struct order_plan plan = {
		.group = arena_array(arena, problem->groups + 1,
				     sizeof(*plan.group)),
		.exact = problem->groups <= ORDER_EXACT_AT_MOST};
	struct arena *scratch = arena_new();

	if (plan.exact)
		plan_exactly(scratch, problem, plan.group);
	else
		plan_greedily(problem, plan.group);
	plan.cost = cost_of(problem, plan.group);
	for (int round = 0; !plan.exact && round < ROUNDS_AT_MOST; round++)
		if (!improve(problem, plan.group, &plan.cost))
			break;
	for (size_t g = 0; g < problem->groups; g++)
		plan.bound += problem->group[g].weight *
			      order_price(problem, &problem->group[g],
					  &problem->group[g].rules);
	arena_free(scratch);
	return plan;
}
