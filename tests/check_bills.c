/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bills that are kept up while rules are put in are those that are made of the
 * set with them; and when a rule loses calls they are what was foretold.
 */
#include <check.h>
#include <libaudit.h>
#include <stdlib.h>

#include "lib/build.h"
#include "lib/random_rules.h"
#include "optimize/terminator_bill.h"

#define SETS 20
#define RULES 25
#define PLACES 5
#define ROUNDS 4

static struct arena *arena;
static const struct target *target;
static const struct profile *profile;
static const struct traffic *traffic;

static void setup(void)
{
	arena = arena_new();
	target = mk_target("x86_64");
	profile = profile_default(arena, target);
	traffic = traffic_of(arena, profile);
}

static void teardown(void)
{
	arena_free(arena);
}

static struct ruleset *random_set(struct random *random, size_t size)
{
	struct rules_shape shape = {.target = target, .size = size};

	for (int style = 0; style < STYLE_COUNT; style++)
		shape.weight[style] = 1;
	return random_ruleset(arena, random, &shape);
}

/* COUNT places, in no order; two for a position: behind and in front. */
static struct spot *random_places(struct random *random, size_t count,
				  size_t rules)
{
	struct spot *place = arena_array(arena, count, sizeof(*place));

	for (size_t i = 0; i < count; i++) {
		uint32_t at = (uint32_t)(i / 2 * 2 * rules / count);

		place[i] =
			(struct spot){.at = at, .front = i % 2, .inserted = at};
	}
	for (size_t i = count; i-- > 1;) {
		size_t k = random_below(random, (unsigned int)i + 1);
		struct spot other = place[k];

		place[k] = place[i];
		place[i] = other;
	}
	return place;
}

static const struct bill *bill_of(const struct bills *bills, int abi, int n,
				  unsigned int k)
{
	return &bills->item[bills->class_of[abi][n]].bill[abi][k];
}

static void expect_same_bill(const struct bill *kept, const struct bill *made)
{
	ck_assert(!kept->before == !made->before);
	if (!kept->before)
		return;
	ck_assert_int_eq(kept->all, made->all);
	for (size_t i = 0; i < PLACES; i++)
		ck_assert_int_eq(kept->before[i], made->before[i]);
}

static void expect_same(struct bills *kept)
{
	struct spot *place = arena_array(arena, PLACES, sizeof(*place));
	struct bills *made;

	for (size_t i = 0; i < PLACES; i++)
		place[i] =
			(struct spot){.at = (uint32_t)kept->place[i].inserted,
				      .front = kept->place[i].front,
				      .inserted = kept->place[i].inserted};
	made = bills_of(arena, kept->set, profile, traffic, place, PLACES);
	ck_assert_uint_eq(kept->classes, made->classes);
	ck_assert_int_eq(bills_sum(kept), bills_sum(made));
	for (size_t i = 0; i < PLACES; i++)
		ck_assert_int_eq(bills_come_to(kept, i),
				 bills_come_to(made, i));
	for (int abi = 0; abi < ABI_COUNT; abi++)
		for (int n = 0; n < SYSCALL_MASK_CALLS; n++)
			for (unsigned int k = 0;
			     profile->weight[abi][n] && k < PROFILE_KINDS; k++)
				expect_same_bill(bill_of(kept, abi, n, k),
						 bill_of(made, abi, n, k));
}

/* The first few exit rules of RULES. */
static size_t some(struct random *random, const struct ruleset *rules,
		   struct rule *taken[3])
{
	size_t count = 0, wanted = 1 + random_below(random, 3);

	for (size_t i = 0; i < rules->count && count < wanted; i++)
		if (rules->rule[i]->filter == AUDIT_FILTER_EXIT)
			taken[count++] = rules->rule[i];
	return count;
}

static void put_in(struct bills *bills, size_t place, struct rule *const *rule,
		   size_t count)
{
	const struct spot *spot = &bills->place[place];
	size_t was = spot->inserted;

	bills_insert(bills, place, rule, count);
	for (size_t i = 0; i < count; i++)
		ck_assert_ptr_eq(bills->set->rule[was + i], rule[i]);
	ck_assert_uint_eq(spot->inserted, spot->front ? was : was + count);
}

static void try_set(struct random *random)
{
	struct ruleset *set = random_set(random, RULES);
	struct spot *place = random_places(random, PLACES, set->count);
	struct bills *bills =
		bills_of(arena, set, profile, traffic, place, PLACES);

	expect_same(bills);
	for (int round = 0; round < ROUNDS; round++) {
		struct ruleset *more = random_set(random, 6);
		struct rule *taken[3];
		size_t count = some(random, more, taken);

		if (!count)
			continue;
		put_in(bills, random_below(random, PLACES), taken, count);
		expect_same(bills);
	}
}

START_TEST(kept_up_as_made_anew)
{
	struct random random = {11 + (uint64_t)_i};

	try_set(&random);
}
END_TEST

/* Of the classes that enter the rule AT one, or none: bills->classes. */
static size_t class_in(struct random *random, const struct bills *bills,
		       size_t at)
{
	size_t first = random_below(random, (unsigned int)bills->classes);

	for (size_t i = 0; i < bills->classes; i++) {
		size_t one = (first + i) % bills->classes;

		for (size_t r = 0; r < bills->item[one].rules; r++)
			if (bills->item[one].rule[r] == at)
				return one;
	}
	return bills->classes;
}

/* Each class has the rules that have its calls in their masks. */
static void expect_entered(const struct bills *bills)
{
	for (size_t i = 0; i < bills->classes; i++) {
		const struct bill_class *class = &bills->item[i];
		size_t r = 0;

		for (size_t k = 0; k < bills->set->count; k++) {
			struct syscall_set in =
				rule_entered(target, bills->set->rule[k]);

			if (bills->set->rule[k]->filter != AUDIT_FILTER_EXIT ||
			    !syscall_set_intersects(&in, &class->calls))
				continue;
			ck_assert_uint_lt(r, class->rules);
			ck_assert_uint_eq(class->rule[r++], k);
		}
		ck_assert_uint_eq(r, class->rules);
	}
}

static int64_t foretold(struct bills *bills, size_t at,
			const struct syscall_mask *calls)
{
	const int64_t *saved = bills_saved_without(bills, at);
	int64_t sum = 0;

	for (int n = syscall_mask_next(calls, 0);
	     n >= 0 && n < SYSCALL_MASK_CALLS;
	     n = syscall_mask_next(calls, n + 1))
		sum += saved[n];
	return 100 * sum;
}

/* False if no class enters the rule, or all do by classes in its mask. */
static bool try_taking(struct random *random, struct bills *bills, size_t at)
{
	size_t one = class_in(random, bills, at);
	struct syscall_mask calls;
	int64_t sum, saved;

	if (one == bills->classes || bills->set->rule[at]->mask_classes)
		return false;
	calls = bills->item[one].calls.abi[ABI_NATIVE];
	sum = bills_sum(bills);
	saved = foretold(bills, at, &calls);
	bills_take_out(bills, at, &calls);
	ck_assert(
		!syscall_mask_intersects(&bills->set->rule[at]->mask, &calls));
	expect_entered(bills);
	ck_assert_int_eq(bills_sum(bills), sum - saved);
	return true;
}

/* For one ABI: the calls of a class are no part of another's. */
START_TEST(without_calls_as_foretold)
{
	struct random random = {71 + (uint64_t)_i};
	struct ruleset *set;
	struct bills *bills;
	bool tried = false;

	target = mk_target("ppc64le");
	ck_assert(!target_has_abi(target, ABI_COMPAT));
	profile = profile_default(arena, target);
	traffic = traffic_of(arena, profile);
	set = random_set(&random, RULES);
	bills = bills_of(arena, set, profile, traffic,
			 random_places(&random, PLACES, set->count), PLACES);
	expect_entered(bills);
	for (size_t at = 0; at < set->count; at++)
		tried |= try_taking(&random, bills, at);
	ck_assert(tried);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("bills");
	TCase *tcase = tcase_create("bills");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 120);
	tcase_add_loop_test(tcase, kept_up_as_made_anew, 0, SETS);
	tcase_add_loop_test(tcase, without_calls_as_foretold, 0, SETS);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
