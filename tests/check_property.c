/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random rule sets, random events: what the kernel does under the optimised
 * set is what it did under the original. And the other way round: a set that
 * was changed wrongly on purpose is found out.
 *
 * AUDITOPT_PROPERTY_EVENTS and AUDITOPT_PROPERTY_SEED in the environment make
 * it run longer, or elsewhere.
 */
#include <check.h>
#include <libaudit.h>
#include <string.h>

#include "lib/compare.h"
#include "lib/effort.h"
#include "lib/random_rules.h"
#include "lib/suite.h"
#include "model/self_log.h"
#include "optimize/pipeline.h"
#include "optimize/terminators.h"

#define MOST_RULES 30
#define EVENTS_A_SET 180
#if SANITIZED
#define EVENTS 250000
#else
#define EVENTS 1100000
#endif

/* How the pipeline is run; the last ones are levels with something said. */
static const struct variant {
	const char *name;
	int level;
	bool verbatim, native_only;
	uint32_t unlogged;
} variants[] = {
	{"-O0", 0, false, false, 0},
	{"-O1", 1, false, false, 0},
	{"-O2", 2, false, false, 0},
	{"-O1 --verbatim", 1, true, false, 0},
	{"-O2 --verbatim", 2, true, false, 0},
	{"-O1 --lsm=none", 1, false, false, ASKS_ALL},
	{"-O1 --lsm=apparmor", 1, false, false, ASKS_TASK},
	{"-O0 --abi=native", 0, false, true, 0},
	{"-O1 --abi=native", 1, false, true, 0},
	{"-O2 --abi=native --verbatim", 2, true, true, 0},
};

#define VARIANTS (sizeof(variants) / sizeof(variants[0]))
/* The plain levels for each set, and of the others one after the other. */
#define PLAIN 3
#define RUN_EACH (PLAIN + 1)

static const struct variant *variant_of(size_t run, size_t set)
{
	return &variants[run < PLAIN ? run : PLAIN + set % (VARIANTS - PLAIN)];
}

static uint64_t base_seed(void)
{
	return effort_wanted("AUDITOPT_PROPERTY_SEED", 1);
}

static size_t events_wanted(void)
{
	return (size_t)effort_wanted("AUDITOPT_PROPERTY_EVENTS", EVENTS);
}

/* Mostly x86_64, where two ABIs and two sets of numbers are. */
static const struct target *some_target(struct random *random)
{
	static const char *const names[] = {"x86_64", "x86_64",	 "x86_64",
					    "x86_64", "x86_64",	 "x86_64",
					    "i386",   "aarch64", "s390x"};
	const struct target *target = target_by_name(RANDOM_OF(random, names));

	return target ? target : target_by_name("x86_64");
}

/* Set number INDEX of the run. */
static struct ruleset *set_number(struct arena *arena, struct random *random,
				  size_t index)
{
	struct rules_shape shape;
	const struct target *target;

	random->state = base_seed() * UINT64_C(1000003) + index;
	target = some_target(random);
	shape = rules_shape_default(target,
				    1 + random_below(random, MOST_RULES));
	return random_ruleset(arena, random, &shape);
}

static struct ruleset *optimised(struct arena *arena, const struct ruleset *set,
				 const struct variant *as,
				 struct change_log *log)
{
	struct ruleset *copy = ruleset_copy(arena, set);
	const struct pipeline_options how = {
		.level = as->level,
		.verbatim = as->verbatim,
		.unlogged = as->unlogged,
		.foreign =
			as->native_only ? set->target->abi[ABI_COMPAT].elf : 0,
	};

	if (as->native_only)
		copy->target = target_native_only(arena, set->target);
	*log = (struct change_log){0};
	pipeline_run_as(arena, copy, &how, log);
	copy->target = set->target;
	return copy;
}

/* SET as the original of such a run, for comparing. */
static struct settled original(struct arena *arena, const struct ruleset *set,
			       const struct variant *as)
{
	struct settled settled = settled_of(arena, set);

	settled.unlogged = as->unlogged;
	settled.native_only = as->native_only;
	return settled;
}

/* Leaves out every rule of SET without which the pipeline's result still
 * differs for EVENT. */
static struct ruleset *smallest(struct arena *arena, const struct ruleset *set,
				const struct variant *as,
				const struct event *event,
				const struct inner_walk *inner,
				struct difference *difference)
{
	struct ruleset *small = ruleset_copy(arena, set);

	for (size_t i = small->count; i-- > 0;) {
		struct ruleset *less = ruleset_copy(arena, small);
		struct settled before, after;
		struct change_log log;

		ruleset_remove(less, i);
		before = original(arena, less, as);
		after = settled_of(arena, optimised(arena, less, as, &log));
		if (event_tells_apart(&before, &after, as->level, event, inner,
				      difference))
			small = less;
	}
	return small;
}

static void report(struct arena *arena, const struct ruleset *set,
		   const struct variant *as, const struct event *event,
		   struct difference found, size_t index)
{
	const struct inner_walk *inner =
		found.inner.event ? &found.inner : NULL;
	struct difference difference = found;
	struct settled before, after;
	struct ruleset *small =
		smallest(arena, set, as, event, inner, &difference);
	struct change_log log;

	before = original(arena, small, as);
	after = settled_of(arena, optimised(arena, small, as, &log));
	event_tells_apart(&before, &after, as->level, event, inner,
			  &difference);
	fprintf(stderr,
		"seed %llu, set %zu, %s: ", (unsigned long long)base_seed(),
		index, as->name);
	dump_difference(stderr, &before, &after, as->level, event, &difference);
	for (size_t i = 0; i < log.count; i++)
		fprintf(stderr, "  %s: %s\n", log.item[i].pass,
			log.item[i].text);
}

static void compare_level(struct arena *arena, const struct ruleset *set,
			  const struct variant *as, struct random *random,
			  size_t index)
{
	struct change_log log;
	struct ruleset *better = optimised(arena, set, as, &log);
	struct settled before = original(arena, set, as);
	struct settled after = settled_of(arena, better);
	struct event_maker *maker = event_maker_new(arena, set);
	const struct event *event;
	struct difference difference;

	if (!sets_differ(&before, &after, as->level, maker, random,
			 EVENTS_A_SET / RUN_EACH, &event, &difference))
		return;
	report(arena, set, as, event, difference, index);
	ck_abort_msg("seed %llu, set %zu, %s: outcomes differ",
		     (unsigned long long)base_seed(), index, as->name);
}

START_TEST(same_outcomes)
{
	size_t sets = (events_wanted() + EVENTS_A_SET - 1) / EVENTS_A_SET;

	for (size_t i = 0; i < sets; i++) {
		struct arena *arena = arena_new();
		struct random random;
		struct ruleset *set = set_number(arena, &random, i);

		for (size_t v = 0; v < RUN_EACH; v++)
			compare_level(arena, set, variant_of(v, i), &random, i);
		arena_free(arena);
	}
	printf("compared %zu events of %zu rule sets\n", sets * EVENTS_A_SET,
	       sets);
}
END_TEST

static void fail_with_sets(const struct ruleset *a, const struct ruleset *b,
			   size_t index, const struct variant *as,
			   const char *why)
{
	fprintf(stderr, "once:\n");
	dump_ruleset(stderr, a);
	fprintf(stderr, "then:\n");
	dump_ruleset(stderr, b);
	ck_abort_msg("seed %llu, set %zu, %s: %s",
		     (unsigned long long)base_seed(), index, as->name, why);
}

/* Does each rule that is not new stand in SET as it is? */
static bool all_kept(const struct ruleset *set, const struct ruleset *after)
{
	for (size_t i = 0; i < after->count; i++) {
		const struct rule *rule = after->rule[i];
		size_t j = 0;

		while (j < set->count &&
		       (!rule_same_to_kernel(set->rule[j], rule) ||
			set->rule[j]->line != rule->line))
			j++;
		if (j == set->count && rule->origin.count)
			return false;
	}
	return true;
}

/* How many rules SET has but for the copies that terminators came with. */
static size_t without_copies(const struct ruleset *set)
{
	size_t count = 0;

	for (size_t i = 0; i < set->count; i++)
		count += set->rule[i]->copied.count == 0;
	return count;
}

static void check_shape(struct arena *arena, const struct ruleset *set,
			const struct variant *as, size_t index)
{
	struct change_log log;
	struct ruleset *once = optimised(arena, set, as, &log);
	struct ruleset *twice = optimised(arena, once, as, &log);

	if (without_copies(once) > set->count + TERMINATORS_AT_MOST)
		fail_with_sets(set, once, index, as, "more rules");
	if (as->level < 2 && ruleset_counted(set) && !ruleset_counted(once))
		fail_with_sets(set, once, index, as, "no counted rule left");
	if (as->verbatim && !all_kept(set, once))
		fail_with_sets(set, once, index, as, "a rule was changed");
	if (!sets_identical(once, twice))
		fail_with_sets(once, twice, index, as,
			       "a second run changes something");
	if (log.count)
		fail_with_sets(once, twice, index, as,
			       "a second run logs a change");
}

START_TEST(shape_of_the_result)
{
	size_t sets = events_wanted() / 300;

	for (size_t i = 0; i < sets; i++) {
		struct arena *arena = arena_new();
		struct random random;
		struct ruleset *set = set_number(arena, &random, i);

		for (size_t v = 0; v < RUN_EACH; v++)
			check_shape(arena, set, variant_of(v, i), i);
		arena_free(arena);
	}
}
END_TEST

/* The generator: all rules are ones that the kernel accepts, and the same
 * seed gives the same rules. */
START_TEST(generated_rules_are_accepted)
{
	for (size_t i = 0; i < 2000; i++) {
		struct arena *arena = arena_new();
		struct random random, again;
		struct ruleset *set = set_number(arena, &random, i);

		ck_assert(sets_identical(set, set_number(arena, &again, i)));
		for (size_t j = 0; j < set->count; j++) {
			struct refusal refusal;
			size_t size;
			struct audit_rule_data *wire =
				rule_to_wire(arena, set->rule[j], &size);
			struct rule *rule =
				rule_from_wire(arena, wire, size, &refusal);

			if (!rule)
				dump_rule(stderr, set->target, set->rule[j]);
			ck_assert_msg(rule, "set %zu, rule %zu: %s", i, j,
				      refusal.why);
			rule->unsettled = set->rule[j]->unsettled;
			ck_assert(rule_same_to_kernel(rule, set->rule[j]));
		}
		arena_free(arena);
	}
}
END_TEST

/* Wrong changes of an optimised set. Each returns false if the set has nothing
 * that it could be done to. */

static struct rule *some_exit_rule(struct ruleset *set, struct random *random,
				   size_t *at)
{
	if (!set->count)
		return NULL;
	*at = random_below(random, set->count);
	if (set->rule[*at]->filter != AUDIT_FILTER_EXIT)
		return NULL;
	set->rule[*at] = rule_copy(set->arena, set->rule[*at]);
	return set->rule[*at];
}

static bool drop_rule(struct ruleset *set, struct random *random)
{
	size_t at;

	if (!some_exit_rule(set, random, &at))
		return false;
	ruleset_remove(set, at);
	return true;
}

static bool drop_call(struct ruleset *set, struct random *random)
{
	size_t at;
	struct rule *rule = some_exit_rule(set, random, &at);

	/* one of 2032 is too rare for any test */
	if (!rule || syscall_mask_count(&rule->mask) > 100 ||
	    syscall_mask_empty(&rule->mask))
		return false;
	syscall_mask_remove(&rule->mask, syscall_mask_next(&rule->mask, 0));
	return true;
}

static bool swap_rules(struct ruleset *set, struct random *random)
{
	struct rule *rule;
	size_t at;

	if (!some_exit_rule(set, random, &at) || at + 1 >= set->count)
		return false;
	rule = set->rule[at];
	if (set->rule[at + 1]->filter != AUDIT_FILTER_EXIT ||
	    rule_same_outcome(rule, set->rule[at + 1]))
		return false;
	set->rule[at] = set->rule[at + 1];
	set->rule[at + 1] = rule;
	return true;
}

static struct field_test *some_test(struct ruleset *set, struct random *random)
{
	size_t at;
	struct rule *rule = some_exit_rule(set, random, &at);
	struct field_test *test;

	if (!rule || !rule->tests)
		return NULL;
	test = arena_copy(set->arena, rule->test, rule->tests * sizeof(*test));
	rule->test = test;
	return &test[random_below(random, rule->tests)];
}

static bool change_value(struct ruleset *set, struct random *random)
{
	struct field_test *test = some_test(set, random);

	if (!test || test->string || test->field->kind == FIELD_ARCH ||
	    test->field->kind == FIELD_COMPARE)
		return false;
	test->value ^= 1;
	return true;
}

static bool change_op(struct ruleset *set, struct random *random)
{
	struct field_test *test = some_test(set, random);

	if (!test || test->field->kind == FIELD_PATH ||
	    test->field->kind == FIELD_DIR)
		return false;
	test->op = test->op == OP_EQ ? OP_NE : OP_EQ;
	return true;
}

static bool change_key(struct ruleset *set, struct random *random)
{
	size_t at;
	struct rule *rule = some_exit_rule(set, random, &at);

	if (!rule || rule->action == AUDIT_NEVER)
		return false;
	rule->key = rule->key ? NULL : "one";
	return true;
}

static bool change_action(struct ruleset *set, struct random *random)
{
	size_t at;
	struct rule *rule = some_exit_rule(set, random, &at);

	if (!rule)
		return false;
	rule->action = rule->action == AUDIT_NEVER ? AUDIT_ALWAYS : AUDIT_NEVER;
	return true;
}

/* Whole passes that are wrong. */

static bool calls_covered(const struct target *target, const struct rule *rule,
			  const struct rule *by)
{
	struct syscall_set calls = rule_calls(target, rule);
	struct syscall_set others = rule_calls(target, by);

	return syscall_set_subset(&calls, &others);
}

static bool is_covered(const struct ruleset *set, size_t at)
{
	const struct rule *rule = set->rule[at];

	for (size_t i = 0; i < at; i++)
		if (set->rule[i]->filter == rule->filter &&
		    calls_covered(set->target, rule, set->rule[i]))
			return true;
	return false;
}

/* Shadowing by calls alone, as if no rule had a test. */
static bool shadow_without_predicates(struct ruleset *set,
				      struct random *random)
{
	size_t count = set->count;

	(void)random;
	for (size_t i = set->count; i-- > 1;)
		if (set->rule[i]->filter == AUDIT_FILTER_EXIT &&
		    is_covered(set, i))
			ruleset_remove(set, i);
	return set->count < count;
}

static bool same_tests(const struct rule *a, const struct rule *b)
{
	if (a->tests != b->tests)
		return false;
	for (unsigned int i = 0; i < a->tests; i++)
		if (a->test[i].field != b->test[i].field ||
		    a->test[i].op != b->test[i].op ||
		    a->test[i].value != b->test[i].value)
			return false; /* strings: by length, wrong too */
	return true;
}

/* Merging without a look at the rules in between, nor at strings. */
static bool merge_over_anything(struct ruleset *set, struct random *random)
{
	size_t count = set->count;

	(void)random;
	for (size_t i = 0; i < set->count; i++) {
		for (size_t j = set->count; j-- > i + 1;) {
			struct rule *a = set->rule[i], *b = set->rule[j];

			if (a->filter != AUDIT_FILTER_EXIT ||
			    b->filter != a->filter || a->unsettled ||
			    b->unsettled || !rule_same_outcome(a, b) ||
			    !same_tests(a, b))
				continue;
			a = set->rule[i] = rule_copy(set->arena, a);
			syscall_mask_unite(&a->mask, &b->mask);
			ruleset_remove(set, j);
		}
	}
	return set->count < count;
}

/* Taking every "never" for useless. */
static bool drop_nevers(struct ruleset *set, struct random *random)
{
	size_t count = set->count;

	(void)random;
	for (size_t i = set->count; i-- > 0;)
		if (set->rule[i]->filter == AUDIT_FILTER_EXIT &&
		    set->rule[i]->action == AUDIT_NEVER && set->count > 1)
			ruleset_remove(set, i);
	return set->count < count;
}

/* FLOOR: the least percentage that must be found out. Not all can be: a rule
 * may be one that nothing reaches, two that are swapped may have no call in
 * common. The floors are what was measured, less some. */
static const struct wrong {
	const char *name;
	bool (*change)(struct ruleset *set, struct random *random);
	unsigned int floor;
} wrongs[] = {
	{"drop a rule", drop_rule, 85},
	{"drop a call", drop_call, 70},
	{"swap two rules", swap_rules, 20},
	{"change a value", change_value, 70},
	{"change an operator", change_op, 85},
	{"change a key", change_key, 85},
	{"change an action", change_action, 85},
	{"shadow without predicates", shadow_without_predicates, 88},
	{"merge over anything", merge_over_anything, 25},
	{"drop every never", drop_nevers, 90},
};

#define WRONG_SETS 600
#define WRONG_EVENTS 400

static bool is_found_out(struct arena *arena, const struct ruleset *better,
			 const struct ruleset *broken, struct random *random)
{
	struct settled before = settled_of(arena, better);
	struct settled after = settled_of(arena, broken);
	struct event_maker *maker = event_maker_new(arena, better);
	const struct event *event;
	struct difference difference;

	return sets_differ(&before, &after, 1, maker, random, WRONG_EVENTS,
			   &event, &difference);
}

START_TEST(wrong_changes_are_found)
{
	const struct wrong *wrong = &wrongs[_i];
	unsigned int done = 0, found = 0;

	for (size_t i = 0; i < WRONG_SETS; i++) {
		struct arena *arena = arena_new();
		struct random random;
		struct change_log log;
		struct ruleset *set = set_number(arena, &random, i);
		struct ruleset *better =
			optimised(arena, set, &variants[1], &log);
		struct ruleset *broken = ruleset_copy(arena, better);

		if (wrong->change(broken, &random)) {
			done++;
			found += is_found_out(arena, better, broken, &random);
		}
		arena_free(arena);
	}
	printf("%s: %u of %u found, %u%%\n", wrong->name, found, done,
	       done ? found * 100 / done : 0);
	ck_assert_uint_gt(done, WRONG_SETS / 20);
	ck_assert_msg(found * 100 >= wrong->floor * done,
		      "%s: only %u of %u found", wrong->name, found, done);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("property");
	TCase *tcase = tcase_create("property");

	tcase_set_timeout(tcase, 0);
	tcase_add_test(tcase, generated_rules_are_accepted);
	tcase_add_test(tcase, same_outcomes);
	tcase_add_test(tcase, shape_of_the_result);
	tcase_add_loop_test(tcase, wrong_changes_are_found, 0,
			    (int)(sizeof(wrongs) / sizeof(wrongs[0])));
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
