/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rules of the exit filter are put into an order in which the walks of
 * frequent calls can be ended early: what they must walk past first, what they
 * need not behind it. The ends are terminators (terminators.c), put in later.
 *
 * Why that changes nothing: two rules keep their order unless facts_may_swap()
 * says that nothing tells: they never see the same call, or both are in the
 * list and have the same outcome. Rules in buckets keep their order among
 * themselves, and all rules theirs to what stands on the other side of a -q. An
 * order that differs only in such pairs comes of this one by exchanging
 * neighbours.
 *
 * How good an order is: for each kind of calls (what it is, who makes it, with
 * what result) the rules that an end of its walk must not stand in front of are
 * known (terminator_permit.c); order_plan.c looks for the order in which they
 * are walked for least. That counts neither what terminators cost nor how many
 * there may be; so the order is taken only if with terminators the walks become
 * cheaper (terminators_cost), and otherwise left as it is: a second run finds
 * the same.
 */
#include "optimize/facts.h"

#include <stdlib.h>
#include <string.h>

#include "model/price.h"
#include "optimize/order_plan.h"
#include "optimize/terminator_permit.h"
#include "optimize/terminator_traffic.h"
#include "optimize/terminators.h"

/* Hundredths of instructions that a new order must spare a call. */
#define GAIN_AT_LEAST 50
/* Conditions without flags: the first ones. */
#define PLAIN_CONDITIONS 6
#define PLAIN_DEMANDS \
	(1U << DEMAND_UNSET | 1U << DEMAND_SUCCESS | 1U << DEMAND_RESULT)

struct ordering {
	struct facts *facts;
	const struct profile *profile;
	const struct asking *asking;
	struct syscall_set allowed;
	size_t *position; /* in the set, of each rule that is ordered */
	size_t rules;
	struct order_set *before; /* itself and what must stand in front of it,
				   * by rule */
	struct syscall_set *kept[PLAIN_CONDITIONS]; /* by rule */
	struct order_problem problem;
	int64_t *more;
	struct order_group *all; /* before the heaviest are taken */
	size_t alls, capacity;
};

/* What RULE watches, as path= or dir=; NULL: nothing. */
static const char *watched(const struct rule *rule)
{
	for (unsigned int i = 0; i < rule->tests; i++)
		if (rule->test[i].field->kind == FIELD_PATH ||
		    rule->test[i].field->kind == FIELD_DIR)
			return rule->test[i].string;
	return NULL;
}

/* A watch that is not settled may turn out to be the same as a rule for the
 * same path: the kernel then refuses the later one (EEXIST). */
static bool may_be_refused(const struct rule *a, const struct rule *b)
{
	const char *of_a = watched(a), *of_b = watched(b);

	return (a->unsettled || b->unsettled) && of_a && of_b &&
	       strcmp(of_a, of_b) == 0;
}

static bool must_stay(const struct ordering *o, size_t i, size_t j)
{
	const struct facts *facts = o->facts;
	size_t a = o->position[i], b = o->position[j];

	if (facts->item[a].role != ROLE_LIST &&
	    facts->item[b].role != ROLE_LIST)
		return true;
	if ((facts->set->rule[a]->kept && facts->set->rule[b]->kept) ||
	    may_be_refused(facts->set->rule[a], facts->set->rule[b]))
		return true;
	return facts->set->rule[a]->epoch != facts->set->rule[b]->epoch ||
	       !facts_may_swap(facts, b, a);
}

static void find_before(struct ordering *o)
{
	for (size_t j = 0; j < o->rules; j++) {
		order_add(&o->before[j], j);
		for (size_t i = j; i-- > 0;)
			if (!order_has(&o->before[j], i) && must_stay(o, i, j))
				order_unite(&o->before[j], &o->before[i]);
	}
}

static void find_prices(struct ordering *o)
{
	for (size_t j = 0; j < o->rules; j++) {
		size_t at = o->position[j];
		const struct rule *rule = o->facts->set->rule[at];

		if (o->facts->item[at].role == ROLE_BUCKET)
			continue;
		order_add(&o->problem.walked, j);
		o->more[j] = PRICE_RULE_ENTERED - PRICE_RULE_PASSED;
		if (rule->tests)
			o->more[j] += price_of_test(&rule->test[0]);
	}
}

static void find_kept(struct ordering *o)
{
	for (size_t j = 0; j < o->rules; j++) {
		struct syscall_set kept =
			terminator_kept_by(o->asking, o->position[j]);
		struct syscall_set with[DEMANDS];

		for (int d = 0; d < DEMANDS; d++) {
			if (!(PLAIN_DEMANDS >> d & 1))
				continue;
			with[d] = kept;
			terminator_let_go(o->asking, o->position[j],
					  (enum demand)d, &with[d]);
		}
		for (unsigned int c = 0; c < PLAIN_CONDITIONS; c++) {
			o->kept[c][j] = kept;
			for (int d = 0; d < DEMANDS; d++)
				if (condition_demands(c) >> d & 1)
					syscall_set_intersect(&o->kept[c][j],
							      &with[d]);
		}
	}
}

/* Where the walks of calls of one ABI and number may end. */
struct ends {
	struct order_set entered;
	/* By condition: the rules that an end with it must stand behind, with
	 * theirs, and what a walk over them costs. */
	struct order_set needed[PLAIN_CONDITIONS];
	int64_t price[PLAIN_CONDITIONS];
};

/* Adds rule J, and what must stand in front of it, for the conditions with
 * which it keeps the call. Without a condition it keeps all that it keeps with
 * one. */
static void add_needed(const struct ordering *o, size_t j, enum abi abi,
		       int number, struct ends *ends)
{
	if (!syscall_set_has(&o->kept[0][j], abi, number))
		return;
	for (unsigned int c = 0; c < PLAIN_CONDITIONS; c++)
		if (!order_has(&ends->needed[c], j) &&
		    syscall_set_has(&o->kept[c][j], abi, number))
			order_unite(&ends->needed[c], &o->before[j]);
}

static struct ends ends_of(const struct ordering *o, enum abi abi, int number)
{
	struct ends ends = {.entered = {{0}}};
	struct order_group group;

	for (size_t j = o->rules; j-- > 0;) {
		const struct rule *rule = o->facts->set->rule[o->position[j]];

		if (syscall_mask_has(&rule->mask, number))
			order_add(&ends.entered, j);
		add_needed(o, j, abi, number, &ends);
	}
	group.entered = ends.entered;
	for (unsigned int c = 0; c < PLAIN_CONDITIONS; c++)
		ends.price[c] =
			order_price(&o->problem, &group, &ends.needed[c]);
	return ends;
}

static bool is_empty(const struct order_set *set)
{
	static const struct order_set empty;

	return order_equal(set, &empty);
}

static void add_group(struct ordering *o, const struct order_group *group)
{
	for (size_t i = 0; i < o->alls; i++)
		if (order_equal(&o->all[i].rules, &group->rules) &&
		    order_equal(&o->all[i].entered, &group->entered)) {
			o->all[i].weight += group->weight;
			return;
		}
	if (o->alls < o->capacity)
		o->all[o->alls++] = *group;
}

/* Of the conditions that calls of the kind K meet the one that lets them end
 * first. */
static unsigned int best_end(const struct ends *ends,
			     const struct traffic *traffic, unsigned int k)
{
	unsigned int best = 0; /* met by all */

	for (unsigned int c = 1; c < PLAIN_CONDITIONS; c++)
		if (traffic_likelihood(traffic, c, k) &&
		    ends->price[c] < ends->price[best])
			best = c;
	return best;
}

static void add_groups(struct ordering *o, const struct traffic *traffic,
		       int abi, int n)
{
	struct ends ends = ends_of(o, (enum abi)abi, n);

	for (unsigned int k = 0; k < PROFILE_KINDS; k++) {
		struct order_group group = {.entered = ends.entered};

		group.rules = ends.needed[best_end(&ends, traffic, k)];
		group.weight = traffic->made[abi][n][k] / PROFILE_WHOLE;
		if (group.weight && !is_empty(&group.rules))
			add_group(o, &group);
	}
}

static int by_weight(const void *left, const void *right)
{
	const struct order_group *a = left, *b = right;

	return a->weight != b->weight ? (a->weight > b->weight ? -1 : 1) : 0;
}

static void find_groups(struct ordering *o)
{
	const struct traffic *traffic =
		traffic_of(o->facts->scratch, o->profile);

	for (int abi = 0; abi < ABI_COUNT; abi++)
		for (int n = 0; n < SYSCALL_MASK_CALLS; n++)
			if (o->profile->weight[abi][n] &&
			    syscall_set_has(&o->allowed, (enum abi)abi, n))
				add_groups(o, traffic, abi, n);
	if (o->alls)
		qsort(o->all, o->alls, sizeof(*o->all), by_weight);
	o->problem.group = o->all;
	o->problem.groups =
		o->alls < ORDER_GROUPS_AT_MOST ? o->alls : ORDER_GROUPS_AT_MOST;
}

static bool prepare(struct ordering *o)
{
	const struct facts *facts = o->facts;
	struct arena *scratch = facts->scratch;
	size_t count = facts->set->count;

	o->position = arena_array(scratch, count, sizeof(*o->position));
	for (size_t i = 0; i < count; i++)
		if (facts->item[i].role != ROLE_OTHER)
			o->position[o->rules++] = i;
	if (o->rules < 2 || o->rules > ORDER_RULES_AT_MOST)
		return false;
	o->before = arena_array(scratch, o->rules, sizeof(*o->before));
	o->more = arena_array(scratch, o->rules, sizeof(*o->more));
	for (unsigned int c = 0; c < PLAIN_CONDITIONS; c++)
		o->kept[c] =
			arena_array(scratch, o->rules, sizeof(*o->kept[c]));
	o->capacity = 4096;
	o->all = arena_array(scratch, o->capacity, sizeof(*o->all));
	o->problem = (struct order_problem){.rules = o->rules,
					    .passed = PRICE_RULE_PASSED,
					    .more = o->more};
	return true;
}

/* Fills in ORDER with the numbers of the rules as PLAN has them. */
static void follow(const struct ordering *o, const struct order_plan *plan,
		   size_t *order)
{
	struct order_set done = {{0}};
	size_t count = 0;

	for (size_t i = 0; i <= o->problem.groups; i++) {
		struct order_set next = done;

		for (size_t j = 0; i == o->problem.groups && j < o->rules; j++)
			order_add(&next, j);
		if (i < o->problem.groups)
			order_unite(&next,
				    &o->problem.group[plan->group[i]].rules);
		for (size_t j = 0; j < o->rules; j++)
			if (order_has(&next, j) && !order_has(&done, j))
				order[count++] = j;
		done = next;
	}
}

/* SET with its ordered rules in that ORDER. */
static struct ruleset *reordered(const struct ordering *o, const size_t *order)
{
	struct ruleset *set =
		ruleset_new(o->facts->scratch, o->facts->set->target);

	for (size_t i = 0; i < o->facts->set->count; i++)
		ruleset_insert(set, i, o->facts->set->rule[i]);
	for (size_t j = 0; j < o->rules; j++)
		set->rule[o->position[j]] =
			o->facts->set->rule[o->position[order[j]]];
	return set;
}

/* How many rules are not in their old order to all the others: all but the
 * longest ascending row of ORDER. FIRST: the first that stands in front of one
 * that was in front of it. */
static size_t moved(const struct ordering *o, const size_t *order,
		    size_t *first)
{
	size_t *end = arena_array(o->facts->scratch, o->rules, sizeof(*end));
	size_t longest = 0;

	*first = o->rules;
	for (size_t j = 0; j < o->rules; j++) {
		size_t low = 0;

		while (low < longest && end[low] < order[j])
			low++;
		end[low] = order[j];
		longest += low == longest;
		if (*first == o->rules && order[j] != j)
			*first = order[j];
	}
	return o->rules - longest;
}

static int64_t a_call(const struct ordering *o, int64_t all)
{
	int64_t weight = 0;

	for (size_t g = 0; g < o->problem.groups; g++)
		weight += o->problem.group[g].weight;
	return weight ? all / weight : 0;
}

static void note(const struct ordering *o, const struct order_plan *plan,
		 const size_t *order)
{
	struct pass_context *context = o->facts->context;
	size_t first, moves = moved(o, order, &first);
	struct change change = {.pass = pass_order.name};

	change.what = o->facts->set->rule[o->position[first]]->origin;
	change.text = arena_printf(
		context->arena,
		"moved up%s: calls that must walk past rules pay %lld "
		"instructions for it on average instead of %lld; no order "
		"makes it less than %lld",
		moves > 1 ? arena_printf(context->arena, ", and %zu others",
					 moves - 1)
			  : "",
		(long long)a_call(o, plan->cost),
		(long long)a_call(o, order_cost_now(&o->problem)),
		(long long)a_call(o, plan->exact ? plan->cost : plan->bound));
	change_log_add(context, change);
}

/* Are the walks over SET so much cheaper that it is worth it? */
static bool is_better(const struct ordering *o, struct ruleset *set)
{
	struct facts *facts = facts_begin(set, o->facts->context);
	int64_t cost = terminators_cost(facts);

	facts_free(facts);
	return cost + GAIN_AT_LEAST <= terminators_cost(o->facts);
}

static void put(struct ordering *o, const struct order_plan *plan,
		const size_t *order)
{
	struct ruleset *set = reordered(o, order);
	size_t first;

	if (!moved(o, order, &first) || !is_better(o, set))
		return;
	note(o, plan, order);
	for (size_t i = 0; i < set->count; i++)
		o->facts->set->rule[i] = set->rule[i];
}

static void look(struct ordering *o)
{
	struct arena *scratch = o->facts->scratch;
	struct order_plan plan;
	size_t *order = arena_array(scratch, o->rules, sizeof(*order));

	o->asking = terminator_asking(o->facts);
	o->allowed = terminator_allowed(o->facts->set, o->facts->context);
	o->profile = o->facts->context->profile;
	if (!o->profile)
		o->profile = profile_default(scratch, o->facts->set->target);
	find_before(o);
	find_prices(o);
	find_kept(o);
	find_groups(o);
	if (!o->problem.groups)
		return;
	plan = order_plan(scratch, &o->problem);
	if (plan.cost >= order_cost_now(&o->problem))
		return;
	follow(o, &plan, order);
	put(o, &plan, order);
}

static void run(struct ruleset *set, struct pass_context *context)
{
	struct facts *facts = facts_begin(set, context);
	struct ordering *o = arena_alloc(facts->scratch, sizeof(*o));

	o->facts = facts;
	if (prepare(o))
		look(o);
	facts_end(facts);
}

const struct pass pass_order = {
	.name = "order",
	.purpose = "moves rules, so that frequent calls need not walk past "
		   "what does not concern them",
	.level = 1,
	.keeps_text = true,
	.run = run,
};
