/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <libaudit.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/build.h"
#include "lib/random.h"
#include "lib/suite.h"
#include "model/call_class.h"

static struct arena *arena;
static const struct target *x86;

static void setup(void)
{
	arena = arena_new();
	x86 = mk_target("x86_64");
}

static void teardown(void)
{
	arena_free(arena);
}

/* Which class has the pair; checks that it is exactly one. */
static size_t class_of(const struct call_classes *classes, enum abi abi,
		       int number)
{
	size_t found = SIZE_MAX;

	for (size_t i = 0; i < classes->count; i++) {
		if (!syscall_set_has(&classes->item[i].calls, abi, number))
			continue;
		ck_assert_uint_eq(found, SIZE_MAX);
		found = i;
	}
	ck_assert_uint_ne(found, SIZE_MAX);
	return found;
}

static bool lists(const struct call_class *cls, size_t position)
{
	for (size_t i = 0; i < cls->rules; i++)
		if (cls->rule[i] == position)
			return true;
	return false;
}

/* Is pair (ABI, NUMBER) in the same rules as the first pair of its class? */
static void check_pair(const struct ruleset *set, uint32_t filter,
		       const struct call_class *cls, enum abi abi, int number,
		       const struct syscall_set *entered,
		       const struct syscall_set *matched)
{
	int first_abi = syscall_mask_empty(&cls->calls.abi[ABI_NATIVE]);
	int first = syscall_mask_next(&cls->calls.abi[first_abi], 0);
	size_t rules = 0;

	for (size_t r = 0; r < set->count; r++) {
		bool in = set->rule[r]->filter == filter &&
			  syscall_set_has(&entered[r], abi, number);

		if (set->rule[r]->filter != filter)
			continue;
		rules += in;
		ck_assert_int_eq(lists(cls, r), in);
		ck_assert_int_eq(syscall_set_has(&matched[r], abi, number),
				 syscall_set_has(&matched[r],
						 (enum abi)first_abi, first));
	}
	ck_assert_uint_eq(rules, cls->rules);
}

static bool same_vectors(const struct ruleset *set, uint32_t filter,
			 const struct syscall_set *sets,
			 const struct call_class *a, const struct call_class *b)
{
	for (size_t r = 0; r < set->count; r++)
		if (set->rule[r]->filter == filter &&
		    syscall_set_intersects(&sets[r], &a->calls) !=
			    syscall_set_intersects(&sets[r], &b->calls))
			return false;
	return true;
}

/* Everything that the header says, by brute force. */
static struct call_classes verify(const struct ruleset *set, uint32_t filter)
{
	struct call_classes classes = call_classes_of(arena, set, filter);
	struct syscall_set *entered =
		arena_array(arena, set->count, sizeof(*entered));
	struct syscall_set *matched =
		arena_array(arena, set->count, sizeof(*matched));
	int abis = filter == AUDIT_FILTER_URING_EXIT ||
				   !target_has_abi(set->target, ABI_COMPAT)
			   ? 1
			   : ABI_COUNT;
	size_t pairs = 0, next = 0;

	for (size_t r = 0; r < set->count; r++) {
		entered[r] = rule_entered(set->target, set->rule[r]);
		matched[r] = rule_calls(set->target, set->rule[r]);
	}
	for (int abi = 0; abi < abis; abi++)
		for (int n = 0; n < SYSCALL_MASK_CALLS; n++) {
			size_t c = class_of(&classes, (enum abi)abi, n);

			/* ordered by their lowest pair */
			ck_assert_uint_le(c, next);
			next += c == next;
			pairs++;
			check_pair(set, filter, &classes.item[c], (enum abi)abi,
				   n, entered, matched);
		}
	ck_assert_uint_eq(next, classes.count);
	for (size_t i = 0; i < classes.count; i++) {
		pairs -= syscall_set_count(&classes.item[i].calls);
		for (size_t k = 1; k < classes.item[i].rules; k++)
			ck_assert_uint_lt(classes.item[i].rule[k - 1],
					  classes.item[i].rule[k]);
		/* as few as can be */
		for (size_t j = 0; j < i; j++)
			ck_assert(!same_vectors(set, filter, entered,
						&classes.item[i],
						&classes.item[j]) ||
				  !same_vectors(set, filter, matched,
						&classes.item[i],
						&classes.item[j]));
	}
	ck_assert_uint_eq(pairs, 0);
	return classes;
}

START_TEST(test_no_rules)
{
	struct ruleset *set = mk_ruleset(arena, x86, "task never\n");
	struct call_classes classes = verify(set, AUDIT_FILTER_EXIT);

	ck_assert_uint_eq(classes.count, 1);
	ck_assert_uint_eq(classes.item[0].rules, 0);
}
END_TEST

START_TEST(test_small)
{
	struct ruleset *set = mk_ruleset(arena, x86,
					 "calls=2,5 uid=0\n"
					 "io_uring calls=2\n"
					 "calls=5,9\n"
					 "calls=all perm=x\n");
	struct call_classes classes = verify(set, AUDIT_FILTER_EXIT);
	size_t five = class_of(&classes, ABI_NATIVE, 5);

	ck_assert_uint_eq(classes.item[five].rules, 3);
	ck_assert_uint_eq(classes.item[five].rule[1], 2);
	/* Without arch both ABIs' 5 are in the same rules. */
	ck_assert_uint_eq(five, class_of(&classes, ABI_COMPAT, 5));
}
END_TEST

START_TEST(test_arch_splits)
{
	struct ruleset *set =
		mk_ruleset(arena, x86, "arch=b64 calls=2\narch=b32 calls=7\n");
	struct call_classes classes = verify(set, AUDIT_FILTER_EXIT);

	/* 2 native, 2 compat, 7 native, 7 compat, the rest */
	ck_assert_uint_eq(classes.count, 5);
	ck_assert_uint_ne(class_of(&classes, ABI_NATIVE, 2),
			  class_of(&classes, ABI_COMPAT, 2));
}
END_TEST

START_TEST(test_uring)
{
	struct ruleset *set =
		mk_ruleset(arena, x86, "io_uring calls=3,4\ncalls=4,5\n");
	struct call_classes classes = verify(set, AUDIT_FILTER_URING_EXIT);

	ck_assert_uint_eq(classes.count, 2);
	ck_assert(syscall_mask_empty(&classes.item[0].calls.abi[ABI_COMPAT]));
}
END_TEST

START_TEST(test_one_abi)
{
	const struct target *i386 = mk_target("i386");
	struct ruleset *set = mk_ruleset(arena, i386, "calls=3,4\ncalls=4\n");
	struct call_classes classes = verify(set, AUDIT_FILTER_EXIT);

	ck_assert_uint_eq(classes.count, 3);
	ck_assert(syscall_mask_empty(&classes.item[0].calls.abi[ABI_COMPAT]));
}
END_TEST

static struct ruleset *random_set(size_t rules, size_t kinds,
				  struct random *random)
{
	struct ruleset *set = ruleset_new(arena, x86);

	for (size_t i = 0; i < rules; i++) {
		static const char *const rest[] = {"", " arch=b64", " arch=b32",
						   " perm=wa",
						   " arch!=b64 perm=x"};
		size_t kind = random_below(random, kinds);

		ruleset_insert(
			set, i,
			mk_rule(arena, x86,
				arena_printf(arena, "calls=%zu,%zu,%zu%s",
					     kind % 400, kind / 7 % 500,
					     kind * 3 % 2032,
					     RANDOM_OF(random, rest))));
	}
	return set;
}

START_TEST(test_random)
{
	struct random random = {(uint64_t)_i};

	verify(random_set(3 + random_below(&random, 30), 5000, &random),
	       AUDIT_FILTER_EXIT);
}
END_TEST

/* Time must not grow with the square of the rules. */
START_TEST(test_many)
{
	struct random random = {1};
	struct ruleset *set = random_set(50000, 5000, &random);
	clock_t start = clock();
	struct call_classes classes =
		call_classes_of(arena, set, AUDIT_FILTER_EXIT);
	double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;

	ck_assert_uint_gt(classes.count, 100);
	ck_assert_msg(seconds < 20, "%g seconds", seconds);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("call_class");
	TCase *tc = tcase_create("call_class");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, test_no_rules);
	tcase_add_test(tc, test_small);
	tcase_add_test(tc, test_arch_splits);
	tcase_add_test(tc, test_uring);
	tcase_add_test(tc, test_one_abi);
	tcase_add_loop_test(tc, test_random, 0, 8);
	tcase_add_test(tc, test_many);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
