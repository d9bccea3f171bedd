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

/* Rules that the same groups must walk past count as one. A set of groups has a
 * bit for each. */
struct parcel {
	uint64_t groups;		     /* these must walk past it */
	int64_t price[ORDER_GROUPS_AT_MOST]; /* what it costs each of all */
};

struct planning {
	const struct order_problem *problem;
	size_t groups;
	struct parcel *parcel;
	size_t parcels;
};

static uint64_t bit(size_t group)
{
	return UINT64_C(1) << group;
}

static struct parcel *find_parcel(struct planning *p, uint64_t groups)
{
	size_t i = 0;

	while (i < p->parcels && p->parcel[i].groups != groups)
		i++;
	if (i == p->parcels)
		p->parcel[p->parcels++].groups = groups;
	return &p->parcel[i];
}

static void add_rule(struct planning *p, size_t rule)
{
	const struct order_problem *problem = p->problem;
	int64_t passed =
		order_has(&problem->walked, rule) ? problem->passed : 0;
	struct parcel *parcel;
	uint64_t groups = 0;

	for (size_t g = 0; g < p->groups; g++)
		if (order_has(&problem->group[g].rules, rule))
			groups |= bit(g);
	if (!groups)
		return;
	parcel = find_parcel(p, groups);
	for (size_t g = 0; g < p->groups; g++)
		parcel->price[g] +=
			passed + (order_has(&problem->group[g].entered, rule)
					  ? problem->more[rule]
					  : 0);
}

static struct planning planning_of(struct arena *scratch,
				   const struct order_problem *problem)
{
	struct planning p = {.problem = problem, .groups = problem->groups};

	p.parcel = arena_array(scratch, problem->rules, sizeof(*p.parcel));
	for (size_t rule = 0; rule < problem->rules; rule++)
		add_rule(&p, rule);
	return p;
}

/* What GROUP pays if the groups of WALKED come up to it. */
static int64_t price_of(const struct planning *p, size_t group, uint64_t walked)
{
	int64_t price = 0;

	for (size_t i = 0; i < p->parcels; i++)
		if (p->parcel[i].groups & walked)
			price += p->parcel[i].price[group];
	return price;
}

/* The same, by weight. */
static int64_t pay(const struct planning *p, size_t group, uint64_t walked)
{
	return p->problem->group[group].weight * price_of(p, group, walked);
}

static int64_t cost_of(const struct planning *p, const size_t *order)
{
	uint64_t walked = 0;
	int64_t cost = 0;

	for (size_t i = 0; i < p->groups; i++) {
		walked |= bit(order[i]);
		cost += pay(p, order[i], walked);
	}
	return cost;
}

/* Exact. */

struct state {
	int64_t cost;
	size_t last; /* the group that comes last of the set */
};

static void solve(const struct planning *p, struct state *state, uint64_t set)
{
	state[set].cost = INT64_MAX;
	for (size_t g = 0; g < p->groups; g++) {
		int64_t cost;

		if (!(set & bit(g)))
			continue;
		cost = state[set & ~bit(g)].cost + pay(p, g, set);
		if (cost < state[set].cost)
			state[set] = (struct state){cost, g};
	}
}

static void plan_exactly(struct arena *scratch, const struct planning *p,
			 size_t *order)
{
	uint64_t set = bit(p->groups) - 1;
	struct state *state = arena_array(scratch, set + 1, sizeof(*state));

	for (uint64_t s = 1; s <= set; s++)
		solve(p, state, s);
	for (size_t i = p->groups; i-- > 0;) {
		order[i] = state[set].last;
		set &= ~bit(order[i]);
	}
}

/* Good. */

/* The group that costs least for its weight if it comes next. */
static size_t cheapest(const struct planning *p, uint64_t walked)
{
	const struct order_group *group = p->problem->group;
	size_t best = p->groups;
	int64_t best_price = 0;

	for (size_t g = 0; g < p->groups; g++) {
		int64_t price;

		if (walked & bit(g))
			continue;
		price = price_of(p, g, walked | bit(g)) -
			price_of(p, g, walked);
		if (best == p->groups ||
		    (double)price * (double)group[best].weight <
			    (double)best_price * (double)group[g].weight) {
			best = g;
			best_price = price;
		}
	}
	return best;
}

static void plan_greedily(const struct planning *p, size_t *order)
{
	uint64_t walked = 0;

	for (size_t i = 0; i < p->groups; i++) {
		order[i] = cheapest(p, walked);
		walked |= bit(order[i]);
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

static void find_gaps(const struct planning *p, const size_t *order,
		      size_t left_out, struct gaps *gaps)
{
	size_t one = order[left_out], place = 0;
	uint64_t walked = 0;

	gaps->in_front[0] = gaps->behind[0] = 0;
	for (size_t i = 0; i < p->groups; i++) {
		if (i == left_out)
			continue;
		gaps->there[place] = pay(p, one, walked | bit(one));
		walked |= bit(order[i]);
		gaps->in_front[place + 1] =
			gaps->in_front[place] + pay(p, order[i], walked);
		gaps->behind[place + 1] = gaps->behind[place] +
					  pay(p, order[i], walked | bit(one));
		place++;
	}
	gaps->there[place] = pay(p, one, walked | bit(one));
	for (size_t i = 0; i <= place; i++)
		gaps->behind[i] = gaps->behind[place] - gaps->behind[i];
}

/* Tries each group in each place; true if something got better. */
static bool improve(const struct planning *p, size_t *order, int64_t *cost)
{
	bool better = false;

	for (size_t from = 0; from < p->groups; from++) {
		struct gaps gaps;

		find_gaps(p, order, from, &gaps);
		for (size_t to = 0; to < p->groups; to++) {
			int64_t moved = gaps.in_front[to] + gaps.there[to] +
					gaps.behind[to];

			if (from == to || moved >= *cost)
				continue;
			*cost = moved;
			better = true;
			move(order, from, to);
			find_gaps(p, order, from, &gaps);
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
	struct planning p = planning_of(scratch, problem);

	if (plan.exact)
		plan_exactly(scratch, &p, plan.group);
	else
		plan_greedily(&p, plan.group);
	plan.cost = cost_of(&p, plan.group);
	for (int round = 0; !plan.exact && round < ROUNDS_AT_MOST; round++)
		if (!improve(&p, plan.group, &plan.cost))
			break;
	for (size_t g = 0; g < problem->groups; g++)
		plan.bound += pay(&p, g, bit(g));
	arena_free(scratch);
	return plan;
}
