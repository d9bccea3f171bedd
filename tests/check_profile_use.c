/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Profiles: what the optimizer may rely on, and what it makes of them.
 */
#include <check.h>
#include <libaudit.h>

#include "lib/build.h"
#include "lib/read_profile.h"
#include "lib/suite.h"
#include "optimize/pipeline.h"
#include "verify/equivalence.h"

#define NL "\n"

/* What others rely on. */

START_TEST(kinds_are_all_calls)
{
	const struct profile *p = profile_of(
		"read 5 0.3333 0.7777" NL "write 5 1 1" NL
		"close 5 0.0001 0.9999" NL "stat 5 0.9999 0.9999" NL);
	const struct profile_kind *kind;

	for (int abi = 0; abi < ABI_COUNT; abi++)
		for (int n = 0; n < SYSCALL_MASK_CALLS; n++) {
			unsigned int all = 0;

			for (unsigned int k = 0; (kind = profile_kind(k)); k++)
				all += profile_share(p, (enum abi)abi, n, kind);
			ck_assert_uint_eq(all, PROFILE_WHOLE);
		}
}
END_TEST

START_TEST(every_call_has_a_weight)
{
	const char *name;

	for (unsigned int i = 0; (name = target_name(i)); i++) {
		const struct target *t = target_by_name(name);
		const struct profile *p = profile_default(profile_arena, t);
		uint64_t all = 0;

		for (int abi = 0; abi < ABI_COUNT; abi++)
			for (int n = 0; n < SYSCALL_MASK_CALLS; n++) {
				bool is = target_has_abi(t, (enum abi)abi) &&
					  target_call_name(t, (enum abi)abi, n);

				ck_assert_int_eq(p->weight[abi][n] > 0, is);
				all += p->weight[abi][n];
			}
		ck_assert_uint_eq(all, p->in_all);
		/* Not only what nothing is known of. */
		ck_assert_uint_gt(all, 1500000);
	}
}
END_TEST

/* Names differ from machine to machine. */
START_TEST(names_of_other_machines)
{
	const struct target *arm = target_by_name("aarch64");
	const struct profile *p;
	unsigned int all;

	if (!arm)
		return;
	profile_target = arm;
	p = profile_of("open 30" NL "epoll_wait 20" NL "newfstatat 50" NL
		       "stat 100" NL);
	expect_quiet();
	all = weight_of(p, "openat") * 10;
	ck_assert_uint_eq(all, 300000 * 10);
	ck_assert_uint_eq(weight_of(p, "epoll_pwait"), 200000);
}
END_TEST

/* The optimizer. */

#define RULES 30

/* Rules for two calls, and rules for one that ask for a set auid and a failure:
 * what excludes either would end the walk in front of them. */
static struct ruleset *rules(void)
{
	const char *text = "";

	for (int i = 0; i < RULES; i++)
		text = arena_printf(profile_arena,
				    "%sarch=b64 calls=openat,getsockname "
				    "uid=%d key=k%d" NL,
				    text, 5000 + i, i);
	for (int i = 0; i < RULES; i++)
		text = arena_printf(
			profile_arena,
			"%sarch=b64 calls=openat uid=%d auid!=unset "
			"success=0 key=f%d" NL,
			text, 6000 + i, i);
	return mk_ruleset(profile_arena, profile_target, text);
}

static struct ruleset *optimised(const struct ruleset *before,
				 const struct profile *profile)
{
	const struct pipeline_options how = {.level = 2, .profile = profile};
	const struct verify_options verify = {.level = 2};
	struct ruleset *after = ruleset_copy(profile_arena, before);
	struct change_log log = {0};

	pipeline_run_as(profile_arena, after, &how, &log);
	ck_assert_int_eq(
		verify_equivalent(profile_arena, before, after, &verify).proof,
		PROOF_GOOD);
	return after;
}

static bool same(const struct ruleset *a, const struct ruleset *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (!rule_same_to_kernel(a->rule[i], b->rule[i]))
			return false;
	return true;
}

/* The first never rule that has the call NUMBER. */
static const struct rule *first_end(const struct ruleset *set, int number)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->rule[i]->action == AUDIT_NEVER &&
		    syscall_mask_has(&set->rule[i]->mask, number))
			return set->rule[i];
	ck_abort_msg("no walk is ended");
	return NULL;
}

static bool asks_for(const struct rule *rule, uint32_t field)
{
	for (unsigned int t = 0; t < rule->tests; t++)
		if (rule->test[t].field->number == field)
			return true;
	return false;
}

START_TEST(shares_decide_what_ends_walks)
{
	const struct ruleset *before = rules();
	const struct profile *daemons = profile_of("openat 100 1 1" NL);
	const struct profile *users = profile_of("openat 100 0 0" NL);
	int openat = number_of(ABI_NATIVE, "openat");
	const struct rule *first;

	first = first_end(optimised(before, daemons), openat);
	ck_assert(asks_for(first, AUDIT_LOGINUID));
	ck_assert(!asks_for(first, AUDIT_SUCCESS));
	first = first_end(optimised(before, users), openat);
	ck_assert(!asks_for(first, AUDIT_LOGINUID));
	ck_assert(asks_for(first, AUDIT_SUCCESS) ||
		  asks_for(first, AUDIT_EXIT));
}
END_TEST

START_TEST(weights_decide_what_ends_walks)
{
	const struct ruleset *before = rules();
	const struct profile *names =
		profile_of("getsockname 9990" NL "openat 10");
	const struct profile *opens =
		profile_of("openat 9990" NL "getsockname 10");
	const struct profile *reads = profile_of("read 9999999");
	struct ruleset *for_names = optimised(before, names);
	struct ruleset *for_opens = optimised(before, opens);

	ck_assert(!same(for_names, for_opens));
	/* Every read is spared the walk, whatever else is. */
	ck_assert(same(optimised(before, reads), optimised(before, reads)));
	ck_assert_int_eq(optimised(before, reads)->rule[0]->action,
			 AUDIT_NEVER);
}
END_TEST

START_TEST(again_is_the_same)
{
	static const char *const texts[] = {
		"openat 100 1 1", "openat 100 0 0", "getsockname 5",
		"read 9" NL "openat 9 0.5 0.5", "b32:open 7"};
	const struct ruleset *before = rules();

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		const struct profile *p = profile_of(texts[i]);
		struct ruleset *once = optimised(before, p);

		ck_assert(same(once, optimised(before, p)));
		ck_assert(same(once, optimised(once, p)));
		ck_assert(same(once, optimised(optimised(before, NULL), p)));
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("profile_use");
	TCase *tcase = tcase_create("profile_use");

	tcase_add_checked_fixture(tcase, profile_setup, profile_teardown);
	tcase_add_test(tcase, kinds_are_all_calls);
	tcase_add_test(tcase, every_call_has_a_weight);
	tcase_add_test(tcase, names_of_other_machines);
	tcase_add_test(tcase, shares_decide_what_ends_walks);
	tcase_add_test(tcase, weights_decide_what_ends_walks);
	tcase_add_test(tcase, again_is_the_same);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
