/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order of rules: the plans are as good as the best of all orders, and what
 * is made of rule sets means the same, comes out of itself again, and ends the
 * walks of frequent calls earlier.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "lib/build.h"
#include "lib/compare.h"
#include "lib/random_rules.h"
#include "optimize/order_plan.h"
#include "optimize/pipeline.h"
#include "verify/equivalence.h"

#define NL "\n"
#define RULES 6
#define PROBLEMS 400
#define EVENTS 3000
#define SETS 60

static struct arena *arena;
static const struct target *target;

static void setup(void)
{
	arena = arena_new();
	target = mk_target("x86_64");
}

static void teardown(void)
{
	arena_free(arena);
}

/* Problems. */

struct made {
	struct order_problem problem;
	struct order_set before[RULES]; /* itself, and what must precede it */
	int64_t more[RULES];
	struct order_group group[ORDER_GROUPS_AT_MOST];
};

static void make_group(struct made *made, struct random *random, size_t g)
{
	struct order_group *group = &made->group[g];

	*group = (struct order_group){.weight = 1 + random_below(random, 50)};
	for (size_t j = 0; j < RULES; j++) {
		if (random_below(random, 3) == 0)
			order_unite(&group->rules, &made->before[j]);
		if (random_below(random, 2) &&
		    order_has(&made->problem.walked, j))
			order_add(&group->entered, j);
	}
}

static void make_problem(struct made *made, struct random *random,
			 size_t groups)
{
	memset(made, 0, sizeof(*made));
	made->problem = (struct order_problem){.rules = RULES,
					       .passed = 19,
					       .more = made->more,
					       .group = made->group,
					       .groups = groups};
	for (size_t j = 0; j < RULES; j++) {
		made->more[j] = random_below(random, 150);
		if (random_below(random, 4))
			order_add(&made->problem.walked, j);
		order_add(&made->before[j], j);
		for (size_t i = 0; i < j; i++)
			if (random_below(random, 3) == 0)
				order_unite(&made->before[j], &made->before[i]);
	}
	for (size_t g = 0; g < groups; g++)
		make_group(made, random, g);
}

/* What all groups pay if the rules stand in that ORDER. */
static int64_t cost_in(const struct made *made, const size_t *order)
{
	int64_t cost = 0;

	for (size_t g = 0; g < made->problem.groups; g++) {
		const struct order_group *group = &made->group[g];
		struct order_set walked = {{0}};
		size_t end = RULES;

		while (end > 0 && !order_has(&group->rules, order[end - 1]))
			end--;
		for (size_t i = 0; i < end; i++)
			order_add(&walked, order[i]);
		cost += group->weight *
			order_price(&made->problem, group, &walked);
	}
	return cost;
}

/* The least of all orders that begin with the first COUNT of ORDER. */
static int64_t least(const struct made *made, size_t *order, size_t count)
{
	int64_t best = INT64_MAX;

	if (count == RULES)
		return cost_in(made, order);
	for (size_t j = 0; j < RULES; j++) {
		bool free = true;
		int64_t cost;

		for (size_t i = 0; i < count; i++)
			free &= order[i] != j;
		for (size_t k = 0; k < RULES; k++) {
			bool stands = k == j;

			for (size_t i = 0; i < count; i++)
				stands |= order[i] == k;
			free &= stands || !order_has(&made->before[j], k);
		}
		if (!free)
			continue;
		order[count] = j;
		cost = least(made, order, count + 1);
		best = cost < best ? cost : best;
	}
	return best;
}

static void check_problem(struct random *random, size_t groups, bool exact,
			  size_t *best_found)
{
	struct made made;
	size_t order[RULES], now[RULES] = {0, 1, 2, 3, 4, 5};
	struct order_plan plan;
	int64_t best;

	make_problem(&made, random, groups);
	plan = order_plan(arena, &made.problem);
	best = least(&made, order, 0);
	ck_assert_int_eq(plan.exact, exact);
	ck_assert_int_eq(order_cost_now(&made.problem), cost_in(&made, now));
	ck_assert_int_le(plan.bound, best);
	ck_assert_int_ge(plan.cost, best);
	if (exact)
		ck_assert_int_eq(plan.cost, best);
	*best_found += plan.cost <= best + best / 20;
}

START_TEST(few_groups_are_solved_exactly)
{
	struct random random = {11};
	size_t best = 0;

	for (int i = 0; i < PROBLEMS; i++)
		check_problem(&random, 1 + random_below(&random, 7), true,
			      &best);
	ck_assert_uint_eq(best, PROBLEMS);
}
END_TEST

START_TEST(many_groups_are_solved_well)
{
	struct random random = {12};
	size_t best = 0;

	for (int i = 0; i < PROBLEMS / 4; i++)
		check_problem(&random,
			      ORDER_EXACT_AT_MOST + 1 +
				      random_below(&random, 6),
			      false, &best);
	ck_assert_uint_ge(best, PROBLEMS / 4 * 9 / 10);
}
END_TEST

START_TEST(rules_with_a_higher_number_than_a_word_has_bits)
{
	static int64_t more[200];
	struct order_group group[2] = {{.weight = 1}, {.weight = 1000}};
	struct order_problem problem = {.rules = 200,
					.passed = 19,
					.more = more,
					.group = group,
					.groups = 2};
	struct order_plan plan;

	for (size_t j = 0; j < 200; j++)
		order_add(&problem.walked, j);
	for (size_t j = 0; j < 190; j++)
		order_add(&group[0].rules, j);
	order_add(&group[1].rules, 195);
	order_add(&group[1].entered, 195);
	more[195] = 81;
	plan = order_plan(arena, &problem);
	ck_assert_uint_eq(plan.group[0], 1);
	ck_assert_int_eq(plan.cost, 1000 * 100 + 191 * 19);
	ck_assert_int_eq(plan.bound, 1000 * 100 + 190 * 19);
	ck_assert_int_eq(order_cost_now(&problem),
			 1000 * (196 * 19 + 81) + 190 * 19);
}
END_TEST

/* Rule sets. */

static struct change_log run(struct ruleset *set, int level)
{
	struct change_log log = {0};
	struct pass_context context = {
		.arena = arena, .level = level, .log = &log};

	pass_order.run(set, &context);
	return log;
}

static void expect_no_difference(const struct ruleset *before,
				 const struct ruleset *after, int level)
{
	struct event_maker *maker = event_maker_new(arena, before);
	struct settled was = settled_of(arena, before);
	struct settled is = settled_of(arena, after);
	struct verify_options options = {.level = level};
	struct random random = {7};
	const struct event *event;
	struct difference difference;

	if (sets_differ(&was, &is, level, maker, &random, EVENTS, &event,
			&difference)) {
		dump_difference(stderr, &was, &is, level, event, &difference);
		ck_abort_msg("another meaning");
	}
	ck_assert_int_eq(
		verify_equivalent(arena, before, after, &options).proof,
		PROOF_GOOD);
}

/* TEXT ordered at level 2; a second run changes nothing. */
static struct ruleset *ordered(const char *text)
{
	struct ruleset *before = mk_ruleset(arena, target, text);
	struct ruleset *after = ruleset_copy(arena, before);
	struct ruleset *again;

	run(after, 2);
	ck_assert_uint_eq(after->count, before->count);
	expect_no_difference(before, after, 2);
	again = ruleset_copy(arena, after);
	ck_assert_uint_eq(run(again, 2).count, 0);
	ck_assert(sets_identical(after, again));
	return after;
}

/* Where the rule with that KEY stands. */
static size_t place_of(const struct ruleset *set, const char *key)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->rule[i]->key && !strcmp(set->rule[i]->key, key))
			return i;
	ck_abort_msg("no rule with key %s", key);
	return 0;
}

/* Rules that nobody's frequent calls are in, COUNT of them. */
static char *seldom(unsigned int count, const char *before)
{
	char *text = arena_strdup(arena, before);

	for (unsigned int i = 0; i < count; i++)
		text = arena_printf(arena,
				    "%salways arch=b64 calls=acct,swapon "
				    "a0=%u key=s%u" NL,
				    text, i, i);
	return text;
}

START_TEST(frequent_calls_come_first)
{
	struct ruleset *set = ordered(arena_printf(
		arena, "%salways arch=b64 calls=openat a2=7 key=hot" NL,
		seldom(40, "")));

	ck_assert_uint_eq(place_of(set, "hot"), 0);
	ck_assert_uint_eq(place_of(set, "s0"), 1);
	ck_assert_uint_eq(place_of(set, "s39"), 40);
}
END_TEST

START_TEST(what_overlaps_with_another_outcome_stays)
{
	struct ruleset *set = ordered(arena_printf(
		arena,
		"%salways arch=b64 calls=acct,openat a1=3 key=first" NL
		"always arch=b64 calls=openat a2=7 key=hot" NL,
		seldom(40, "")));

	ck_assert_uint_lt(place_of(set, "first"), place_of(set, "hot"));
	ck_assert_uint_lt(place_of(set, "s39"), place_of(set, "first"));
}
END_TEST

START_TEST(rules_in_buckets_keep_their_order)
{
	struct ruleset *set = ordered(arena_printf(
		arena,
		"always path=/a perm=x key=a" NL
		"%salways path=/b perm=r key=b" NL
		"always path=/c perm=r calls=openat key=c" NL
		"always arch=b64 calls=openat a2=7 path=/d key=d" NL,
		seldom(40, "")));

	ck_assert_uint_lt(place_of(set, "a"), place_of(set, "b"));
	ck_assert_uint_lt(place_of(set, "b"), place_of(set, "c"));
	ck_assert_uint_lt(place_of(set, "c"), place_of(set, "d"));
	/* they go in front of rules that never see what they see */
	ck_assert_uint_lt(place_of(set, "d"), place_of(set, "s0"));
}
END_TEST

START_TEST(a_bucket_rule_does_not_overtake_what_it_meets)
{
	struct ruleset *set = ordered(
		arena_printf(arena,
			     "%salways dir=/etc perm=wa key=dir" NL
			     "always path=/etc/shadow perm=rwa key=path" NL,
			     seldom(40, "")));

	ck_assert_uint_lt(place_of(set, "dir"), place_of(set, "path"));
}
END_TEST

START_TEST(nothing_goes_past_an_equivalence)
{
	struct ruleset *set = ordered(arena_printf(
		arena, "%salways arch=b64 calls=openat a2=7 epoch=1 key=hot" NL,
		seldom(40, "")));

	ck_assert_uint_eq(place_of(set, "hot"), 40);
}
END_TEST

START_TEST(level_1_has_ends_for_few_calls)
{
	char *text = arena_printf(
		arena, "%salways arch=b64 calls=openat a2=7 key=hot" NL,
		seldom(40, ""));
	struct ruleset *before = mk_ruleset(arena, target, text);

	/* openat can log by itself, so that no end may be put behind it */
	ck_assert_uint_eq(run(before, 1).count, 0);
	text = arena_printf(arena,
			    "%salways arch=b64 calls=getpid a2=7 key=hot" NL,
			    seldom(200, ""));
	before = mk_ruleset(arena, target, text);
	run(before, 1);
	ck_assert_uint_eq(place_of(before, "hot"), 0);
}
END_TEST

START_TEST(the_change_says_what_could_be_better)
{
	struct ruleset *set = mk_ruleset(
		arena, target,
		arena_printf(arena,
			     "%salways arch=b64 calls=openat a2=7 key=hot" NL,
			     seldom(40, "")));
	struct change_log log = run(set, 2);

	ck_assert_uint_eq(log.count, 1);
	ck_assert_uint_eq(log.item[0].what.line[0], 41);
	ck_assert_ptr_nonnull(
		strstr(log.item[0].text, "no order makes it less"));
	ck_assert_ptr_null(strstr(log.item[0].text, "others"));
}
END_TEST

START_TEST(random_sets_mean_the_same)
{
	struct random random = {5};
	size_t changed = 0;

	for (int i = 0; i < SETS; i++) {
		struct rules_shape shape = rules_shape_default(target, 30);
		struct ruleset *before = random_ruleset(arena, &random, &shape);
		struct ruleset *after = ruleset_copy(arena, before);
		struct ruleset *again;

		changed += run(after, 2).count;
		expect_no_difference(before, after, 2);
		again = ruleset_copy(arena, after);
		ck_assert_uint_eq(run(again, 2).count, 0);
	}
	(void)changed;
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("order");
	TCase *tcase = tcase_create("order");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, few_groups_are_solved_exactly);
	tcase_add_test(tcase, many_groups_are_solved_well);
	tcase_add_test(tcase, rules_with_a_higher_number_than_a_word_has_bits);
	tcase_add_test(tcase, frequent_calls_come_first);
	tcase_add_test(tcase, what_overlaps_with_another_outcome_stays);
	tcase_add_test(tcase, rules_in_buckets_keep_their_order);
	tcase_add_test(tcase, a_bucket_rule_does_not_overtake_what_it_meets);
	tcase_add_test(tcase, nothing_goes_past_an_equivalence);
	tcase_add_test(tcase, level_1_has_ends_for_few_calls);
	tcase_add_test(tcase, the_change_says_what_could_be_better);
	tcase_add_test(tcase, random_sets_mean_the_same);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
