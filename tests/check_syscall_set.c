/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/syscall_set.h"

#include <check.h>
#include <stdlib.h>

#include "lib/suite.h"

static struct syscall_mask mask_of(const int *number, size_t count)
{
	struct syscall_mask mask = {0};

	for (size_t i = 0; i < count; i++)
		syscall_mask_add(&mask, number[i]);
	return mask;
}

#define MASK(...)                           \
	mask_of((const int[]){__VA_ARGS__}, \
		sizeof((const int[]){__VA_ARGS__}) / sizeof(int))

START_TEST(membership)
{
	struct syscall_mask mask = {0};

	ck_assert(syscall_mask_empty(&mask));
	for (int n = 0; n < SYSCALL_MASK_BITS; n++) {
		ck_assert(!syscall_mask_has(&mask, n));
		syscall_mask_add(&mask, n);
		ck_assert(syscall_mask_has(&mask, n));
		ck_assert_uint_eq(syscall_mask_count(&mask), 1);
		syscall_mask_remove(&mask, n);
		ck_assert(syscall_mask_empty(&mask));
	}
}
END_TEST

/* AUDIT_WORD and AUDIT_BIT: the words are what goes over netlink. */
START_TEST(words_are_as_on_the_wire)
{
	struct syscall_mask mask = MASK(0, 33, 2047);

	ck_assert_uint_eq(mask.word[0], 1);
	ck_assert_uint_eq(mask.word[1], 2);
	ck_assert_uint_eq(mask.word[63], UINT32_C(1) << 31);
}
END_TEST

START_TEST(numbers_out_of_range)
{
	static const int bad[] = {-1, INT32_MIN, SYSCALL_MASK_BITS, 0x40000000,
				  INT32_MAX};
	struct syscall_mask mask = {0};
	struct syscall_mask all = syscall_mask_all();
	struct syscall_mask same = all;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		syscall_mask_add(&mask, bad[i]);
		ck_assert(syscall_mask_empty(&mask));
		ck_assert(!syscall_mask_has(&all, bad[i]));
		syscall_mask_remove(&all, bad[i]);
		ck_assert(syscall_mask_equal(&all, &same));
	}
}
END_TEST

START_TEST(all_leaves_the_class_bits_out)
{
	struct syscall_mask all = syscall_mask_all();

	ck_assert_uint_eq(syscall_mask_count(&all), SYSCALL_MASK_CALLS);
	ck_assert(syscall_mask_has(&all, 0));
	ck_assert(syscall_mask_has(&all, SYSCALL_MASK_CALLS - 1));
	ck_assert(!syscall_mask_has(&all, SYSCALL_MASK_CALLS));
}
END_TEST

START_TEST(iteration)
{
	static const int numbers[] = {0, 31, 32, 63, 64, 1000, 2031, 2047};
	struct syscall_mask mask = mask_of(numbers, 8);
	struct syscall_mask none = {0};
	size_t i = 0;

	for (int n = syscall_mask_next(&mask, 0); n >= 0;
	     n = syscall_mask_next(&mask, n + 1))
		ck_assert_int_eq(n, numbers[i++]);
	ck_assert_uint_eq(i, 8);
	ck_assert_int_eq(syscall_mask_next(&mask, -5), 0);
	ck_assert_int_eq(syscall_mask_next(&mask, 2047), 2047);
	ck_assert_int_eq(syscall_mask_next(&mask, 2048), -1);
	ck_assert_int_eq(syscall_mask_next(&none, 0), -1);
}
END_TEST

START_TEST(algebra)
{
	struct syscall_mask a = MASK(1, 2, 40), b = MASK(2, 40, 900);
	struct syscall_mask c, expected;

	c = a;
	syscall_mask_unite(&c, &b);
	expected = MASK(1, 2, 40, 900);
	ck_assert(syscall_mask_equal(&c, &expected));
	c = a;
	syscall_mask_intersect(&c, &b);
	expected = MASK(2, 40);
	ck_assert(syscall_mask_equal(&c, &expected));
	ck_assert(syscall_mask_subset(&c, &a));
	ck_assert(syscall_mask_subset(&c, &b));
	ck_assert(!syscall_mask_subset(&a, &b));
	ck_assert(syscall_mask_intersects(&a, &b));
	c = a;
	syscall_mask_subtract(&c, &b);
	expected = MASK(1);
	ck_assert(syscall_mask_equal(&c, &expected));
	ck_assert(!syscall_mask_intersects(&c, &b));
	ck_assert(!syscall_mask_equal(&a, &b));
}
END_TEST

/* Random sets against plain arrays of booleans. */
START_TEST(random_sets)
{
	srand(7);
	for (int round = 0; round < 200; round++) {
		static bool in[2][ABI_COUNT][SYSCALL_MASK_BITS];
		struct syscall_set set[2] = {0};
		struct syscall_set united, both, less;
		unsigned int count = 0;
		bool subset = true, meet = false;

		for (int s = 0; s < 2; s++)
			for (int abi = 0; abi < ABI_COUNT; abi++)
				for (int n = 0; n < SYSCALL_MASK_BITS; n++) {
					in[s][abi][n] =
						rand() % (s ? 4 : 60) == 0;
					if (in[s][abi][n])
						syscall_mask_add(
							&set[s].abi[abi], n);
				}
		united = both = less = set[0];
		syscall_set_unite(&united, &set[1]);
		syscall_set_intersect(&both, &set[1]);
		syscall_set_subtract(&less, &set[1]);
		for (int abi = 0; abi < ABI_COUNT; abi++)
			for (int n = 0; n < SYSCALL_MASK_BITS; n++) {
				bool a = in[0][abi][n], b = in[1][abi][n];

				count += a;
				subset &= !a || b;
				meet |= a && b;
				ck_assert(syscall_set_has(&set[0], abi, n) ==
					  a);
				ck_assert(syscall_set_has(&united, abi, n) ==
					  (a || b));
				ck_assert(syscall_set_has(&both, abi, n) ==
					  (a && b));
				ck_assert(syscall_set_has(&less, abi, n) ==
					  (a && !b));
			}
		ck_assert_uint_eq(syscall_set_count(&set[0]), count);
		ck_assert(syscall_set_subset(&set[0], &set[1]) == subset);
		ck_assert(syscall_set_intersects(&set[0], &set[1]) == meet);
		ck_assert(syscall_set_subset(&both, &set[1]));
		ck_assert(!syscall_set_intersects(&less, &set[1]));
	}
}
END_TEST

START_TEST(abis_are_apart)
{
	struct syscall_set a = {0}, b = {0};

	ck_assert(syscall_set_empty(&a));
	syscall_mask_add(&a.abi[ABI_NATIVE], 5);
	syscall_mask_add(&b.abi[ABI_COMPAT], 5);
	ck_assert(!syscall_set_empty(&b));
	ck_assert(!syscall_set_equal(&a, &b));
	ck_assert(!syscall_set_intersects(&a, &b));
	ck_assert(!syscall_set_subset(&a, &b));
	ck_assert(!syscall_set_has(&a, ABI_COMPAT, 5));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("syscall_set");
	TCase *tcase = tcase_create("all");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, membership);
	tcase_add_test(tcase, words_are_as_on_the_wire);
	tcase_add_test(tcase, numbers_out_of_range);
	tcase_add_test(tcase, all_leaves_the_class_bits_out);
	tcase_add_test(tcase, iteration);
	tcase_add_test(tcase, algebra);
	tcase_add_test(tcase, random_sets);
	tcase_add_test(tcase, abis_are_apart);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
