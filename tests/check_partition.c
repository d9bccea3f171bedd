/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the proof runs out of its budget: the calls that it did not get to keep
 * their original rules in their order, the others are optimised, and nothing
 * that the evaluator can see has changed.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "cli/proof.h"
#include "lib/build.h"
#include "lib/compare.h"
#include "lib/effort.h"
#include "lib/random_rules.h"
#include "model/audit_names.h"
#include "optimize/partition.h"

#define MOST_RULES 30
#define EVENTS 400

static size_t sets_wanted(void)
{
	return (size_t)effort_wanted("AUDITOPT_VERIFY_SETS", 120);
}

static struct ruleset *set_number(struct arena *arena, struct random *random,
				  size_t index)
{
	static const char *const names[] = {"x86_64", "x86_64", "x86_64",
					    "aarch64"};
	struct rules_shape shape;
	const struct target *target;

	random->state =
		effort_wanted("AUDITOPT_PROPERTY_SEED", 1) * UINT64_C(1000003) +
		991 + index;
	target = target_by_name(RANDOM_OF(random, names));
	shape = rules_shape_default(target,
				    2 + random_below(random, MOST_RULES));
	return random_ruleset(arena, random, &shape);
}

static bool same_for_call(const struct rule *a, const struct rule *b)
{
	struct rule like = *a;

	like.mask = b->mask;
	return rule_same_to_kernel(&like, b);
}

static bool is_met(const struct rule *rule, uint32_t filter, int number)
{
	return rule->filter == filter &&
	       (rule->mask_classes || syscall_mask_has(&rule->mask, number));
}

/* One like it for the same call stands before: in a list it is never reached,
 * and in a bucket the kernel would refuse it. */
static bool is_repeated(const struct ruleset *set, size_t at, uint32_t filter,
			int number)
{
	for (size_t i = 0; i < at; i++)
		if (is_met(set->rule[i], filter, number) &&
		    same_for_call(set->rule[i], set->rule[at]))
			return true;
	return false;
}

static const struct rule *next_met(const struct ruleset *set, size_t *at,
				   uint32_t filter, int number)
{
	while (*at < set->count) {
		size_t i = (*at)++;

		if (is_met(set->rule[i], filter, number) &&
		    !is_repeated(set, i, filter, number))
			return set->rule[i];
	}
	return NULL;
}

/* Has call NUMBER the same rules in the same order in both? */
static bool keeps_rules(const struct ruleset *before,
			const struct ruleset *after, uint32_t filter,
			int number)
{
	const struct rule *a, *b;
	size_t i = 0, j = 0;

	do {
		a = next_met(before, &i, filter, number);
		b = next_met(after, &j, filter, number);
		if (!a != !b || (a && !same_for_call(a, b)))
			return false;
	} while (a);
	return true;
}

static void fail_sets(const struct ruleset *before, const struct ruleset *after,
		      const char *why, size_t index, int level)
{
	fprintf(stderr, "before:\n");
	dump_ruleset(stderr, before);
	fprintf(stderr, "after:\n");
	dump_ruleset(stderr, after);
	ck_abort_msg("set %zu, level %d: %s", index, level, why);
}

static void check_kept(const struct ruleset *before,
		       const struct ruleset *after, uint32_t filter,
		       const struct syscall_mask *kept, size_t index, int level)
{
	for (int n = syscall_mask_next(kept, 0); n >= 0;
	     n = syscall_mask_next(kept, n + 1))
		if (!keeps_rules(before, after, filter, n))
			fail_sets(before, after, "other rules for a kept call",
				  index, level);
}

static void check_same(struct arena *arena, const struct ruleset *before,
		       const struct ruleset *after, struct random *random,
		       size_t index, int level)
{
	struct settled b = settled_of(arena, before);
	struct settled a = settled_of(arena, after);
	struct event_maker *maker = event_maker_new(arena, before);
	const struct event *event;
	struct difference difference;

	if (sets_differ(&b, &a, level, maker, random, EVENTS, &event,
			&difference)) {
		dump_difference(stderr, &b, &a, level, event, &difference);
		fail_sets(before, after, "outcomes differ", index, level);
	}
}

/* Some calls, and those that go with them. */
static struct kept_calls some_calls(const struct ruleset *set,
				    struct random *random)
{
	struct kept_calls kept = {0};
	size_t wanted = 1 + random_below(random, 6);

	for (size_t i = 0; i < wanted; i++)
		if (set->count && random_chance(random, 70)) {
			const struct rule *rule =
				set->rule[random_below(random, set->count)];
			int n = syscall_mask_next(
				&rule->mask, (int)random_below(random, 350));

			syscall_mask_add(&kept.calls, n);
		} else {
			syscall_mask_add(&kept.calls,
					 (int)random_below(random, 450));
		}
	kept_calls_close(set, &kept);
	return kept;
}

START_TEST(kept_calls_keep_their_rules)
{
	size_t changed = 0, sets = 0;

	for (size_t i = 0; i < sets_wanted(); i++) {
		int level = 1 + (int)(i % 2);
		struct arena *arena = arena_new();
		struct random random;
		struct ruleset *set = set_number(arena, &random, i);
		struct ruleset *after = ruleset_copy(arena, set);
		struct kept_calls kept = some_calls(set, &random);
		struct pipeline_options how = {.level = level};
		struct change_log log = {0};

		if (pipeline_run_keeping(arena, after, &kept, &how, &log)) {
			check_kept(set, after, AUDIT_FILTER_EXIT, &kept.calls,
				   i, level);
			check_kept(set, after, AUDIT_FILTER_URING_EXIT,
				   &kept.operations, i, level);
			check_same(arena, set, after, &random, i, level);
			sets++;
			changed += !sets_identical(set, after);
		}
		arena_free(arena);
	}
	printf("%zu sets, %zu of them optimised for other calls\n", sets,
	       changed);
	ck_assert_uint_ge(changed * 100, sets * 60);
}
END_TEST

static bool is_in(const struct verification *v, const struct class_proof *item)
{
	for (size_t i = 0; i < v->count; i++)
		if (v->item[i].filter == item->filter &&
		    syscall_set_intersects(&v->item[i].calls, &item->calls) &&
		    v->item[i].proof != PROOF_GOOD)
			return false;
	return true;
}

/* The budgets are such that some classes can be proved and some cannot. */
START_TEST(budget_runs_out)
{
	static const size_t budgets[] = {12, 25, 50, 100};
	size_t partly = 0, changed = 0;

	for (size_t i = 0; i < sets_wanted(); i++) {
		struct arena *arena = arena_new();
		struct random random;
		struct ruleset *set = set_number(arena, &random, i);
		struct pipeline_options how = {.level = 1 + (int)(i % 2)};
		struct proved proved = optimize_proved_within(
			arena, set, &how, RANDOM_OF(&random, budgets));

		if (proved.verification.proof != PROOF_GOOD)
			fail_sets(set, proved.after, "not proved", i,
				  how.level);
		check_same(arena, set, proved.after, &random, i, how.level);
		for (size_t c = 0; c < proved.first.count; c++)
			if (!is_in(&proved.verification, &proved.first.item[c]))
				fail_sets(set, proved.after, "lost a class", i,
					  how.level);
		if (proved.kept && proved.level == how.level) {
			partly++;
			changed += !sets_identical(set, proved.after);
			ck_assert_ptr_nonnull(
				proof_fallback(arena, &proved, how.level));
		}
		arena_free(arena);
	}
	printf("%zu sets proved in part, %zu of them optimised\n", partly,
	       changed);
	ck_assert_uint_ge(partly * 100, sets_wanted() * 10);
	ck_assert_uint_ge(changed * 100, partly * 60);
}
END_TEST

/* A set made so that the proof for one call needs more than it gets. */
START_TEST(one_call_keeps_its_rules)
{
	struct arena *arena = arena_new();
	struct ruleset *set =
		mk_ruleset(arena, mk_target("x86_64"),
			   "calls=open,chmod gid=0 uid=0 key=a\n"
			   "calls=open exit=-EPERM auid>=1000 key=b\n"
			   "calls=open exit=-EACCES auid>=1000 key=b\n"
			   "calls=chown uid=1 key=c\n"
			   "calls=fchown uid=1 key=c\n"
			   "calls=open exit=-EPERM auid>=1001 key=d\n");
	struct pipeline_options how = {.level = 1};
	struct kept_calls kept = {0};
	struct ruleset *after = ruleset_copy(arena, set);
	struct change_log log = {0};

	syscall_mask_add(&kept.calls, 2);
	ck_assert(pipeline_run_keeping(arena, after, &kept, &how, &log));
	ck_assert(keeps_rules(set, after, AUDIT_FILTER_EXIT, 2));
	/* chmod is not kept: its conditions are put in order */
	ck_assert(!keeps_rules(set, after, AUDIT_FILTER_EXIT, 90));
	/* and chown and fchown have become one rule */
	ck_assert(keeps_rules(set, after, AUDIT_FILTER_EXIT, 92));
	ck_assert(keeps_rules(set, after, AUDIT_FILTER_EXIT, 93));
	for (size_t i = 0; i < after->count; i++)
		ck_assert(syscall_mask_has(&after->rule[i]->mask, 92) ==
			  syscall_mask_has(&after->rule[i]->mask, 93));
	arena_free(arena);
}
END_TEST

/* Halves to which nothing happened are one rule again, with its text. */
START_TEST(halves_become_one)
{
	struct arena *arena = arena_new();
	struct ruleset *set =
		mk_ruleset(arena, mk_target("x86_64"),
			   "calls=open,chmod uid=0 key=a\n"
			   "calls=all unsettled path=/a perm=wa key=w\n"
			   "calls=all uid=7 key=all\n"
			   "never calls=chmod,chown uid=1 key=c\n"
			   "calls=open,chown,chmod key=d\n");
	struct pipeline_options how = {.level = 0};
	struct kept_calls kept = {0};
	struct ruleset *after = ruleset_copy(arena, set);
	struct change_log log = {0};

	syscall_mask_add(&kept.calls, 90);
	ck_assert(pipeline_run_keeping(arena, after, &kept, &how, &log));
	ck_assert(sets_identical(set, after));
	arena_free(arena);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("partition");
	TCase *tcase = tcase_create("partition");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tcase, 0);
	tcase_add_test(tcase, kept_calls_keep_their_rules);
	tcase_add_test(tcase, budget_runs_out);
	tcase_add_test(tcase, one_call_keeps_its_rules);
	tcase_add_test(tcase, halves_become_one);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
