/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "optimize/facts_tables.h"

#include "model/perm.h"

static bool is_counted(const struct facts *facts, size_t i)
{
	return facts->item[i].role != ROLE_OTHER ||
	       facts->set->rule[i]->filter == AUDIT_FILTER_TASK;
}

static bool companions_count(const struct facts *facts)
{
	return facts->context->level < 2;
}

static bool companions_need(const struct facts *facts, size_t i)
{
	const struct fact_tables *t = facts->tables;

	if (!companions_count(facts))
		return false;
	return (is_counted(facts, i) && t->counted == 1) ||
	       (facts->item[i].signals && t->signals == 1);
}

static bool tree_needed(const struct facts *facts, size_t i)
{
	return facts->item[i].has_dir &&
	       facts->set->rule[i]->epoch < facts->tables->tree_epoch;
}

static void take_out(struct facts *facts, size_t i)
{
	facts->item[i].gone = true;
	facts->tables->counted -= is_counted(facts, i);
	facts->tables->signals -= facts->item[i].signals;
}

bool facts_take_out(struct facts *facts, size_t i)
{
	if (companions_need(facts, i) || tree_needed(facts, i))
		return false;
	take_out(facts, i);
	return true;
}

struct syscall_mask facts_new_signals(const struct facts *facts)
{
	struct syscall_mask mask = facts->tables->signal_class;

	if (facts->tables->signals)
		return (struct syscall_mask){0};
	syscall_mask_unite(&mask, &facts->tables->signal_class_32);
	return mask;
}

bool facts_drop(struct facts *facts, size_t i, size_t keeper,
		struct change change)
{
	if (companions_need(facts, i) || (keeper == i && tree_needed(facts, i)))
		return false;
	change.what = facts->set->rule[i]->origin;
	change.rules_dropped = 1;
	change_log_add(facts->context, change);
	take_out(facts, i);
	return true;
}

static void set_mask(struct facts *facts, size_t i,
		     const struct syscall_mask *mask)
{
	struct rule *rule = facts->set->rule[i];

	if (syscall_mask_equal(&rule->mask, mask))
		return;
	rule->mask = *mask;
	/* -w is a rule over all calls. */
	rule->watch_form = false;
	facts->tables->signals -= facts->item[i].signals;
	facts_refresh_mask(facts, i);
	facts->tables->signals += facts->item[i].signals;
}

/* Would the set be without a rule in audit_signals if rule I had that mask? */
static bool signals_need(const struct facts *facts, size_t i,
			 const struct syscall_mask *mask)
{
	const struct fact *fact = &facts->item[i];
	struct rule narrowed = *facts->set->rule[i];

	narrowed.mask = *mask;
	return companions_count(facts) && fact->signals &&
	       facts->tables->signals == 1 &&
	       !facts_counts_as_signal(facts, &narrowed, fact->signal_arch);
}

/* A call that signals and that rule I has, for a mask that must keep one. tkill
 * first: it is the least used. -1: none. */
static int signal_call(const struct facts *facts, size_t i)
{
	static const char *const names[] = {"tkill", "tgkill", "kill"};
	const struct target *target = facts->set->target;

	for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++)
		for (int abi = 0; abi < ABI_COUNT; abi++) {
			int number = target_call_number(target, (enum abi)abi,
							names[n]);
			struct syscall_mask mask = {0};

			syscall_mask_add(&mask, number);
			if (syscall_mask_subset(&mask,
						&facts->set->rule[i]->mask) &&
			    !signals_need(facts, i, &mask))
				return number;
		}
	return -1;
}

bool facts_narrow(struct facts *facts, size_t i,
		  const struct syscall_set *needed, struct change change)
{
	struct rule *rule = facts->set->rule[i];
	unsigned int before = syscall_mask_count(&rule->mask), after;
	struct syscall_mask mask = {0};

	if (facts->context->verbatim)
		return false;
	change.taken = rule->mask;
	if (rule->filter == AUDIT_FILTER_EXIT)
		change.taken_abis =
			facts->item[i].arches & ((1 << ABI_COUNT) - 1);

	for (int abi = 0; abi < ABI_COUNT; abi++)
		syscall_mask_unite(&mask, &needed->abi[abi]);
	syscall_mask_intersect(&mask, &rule->mask);
	if (signals_need(facts, i, &mask))
		syscall_mask_add(&mask, signal_call(facts, i));
	after = syscall_mask_count(&mask);
	if (after == before || after > NARROW_TO_AT_MOST ||
	    signals_need(facts, i, &mask) || facts_collides(facts, i, i, &mask))
		return false;
	set_mask(facts, i, &mask);
	syscall_mask_subtract(&change.taken, &mask);
	change.what = rule->origin;
	change.calls_dropped = before - after;
	change.text = arena_printf(facts->context->arena,
				   "%u call%s taken out of its mask that %s",
				   before - after,
				   before - after > 1 ? "s" : "", change.text);
	change_log_add(facts->context, change);
	return true;
}

bool facts_absorb(struct facts *facts, size_t i, size_t j, struct change change)
{
	struct rule *rule = facts->set->rule[i];
	const struct rule *gone = facts->set->rule[j];
	struct syscall_mask mask = rule->mask;

	syscall_mask_unite(&mask, &gone->mask);
	if (facts_collides(facts, i, j, &mask))
		return false;
	change.what = gone->origin;
	change.because = origin_first(rule->origin);
	change.rules_dropped = 1;
	change_log_add(facts->context, change);
	take_out(facts, j);
	set_mask(facts, i, &mask);
	rule->origin =
		origin_unite(facts->set->arena, rule->origin, gone->origin);
	return true;
}

bool facts_fuse(struct facts *facts, size_t i, size_t j,
		const struct field_test *test, unsigned int tests,
		struct change change)
{
	struct rule *rule = facts->set->rule[i], old = *rule;

	rule->test = test;
	rule->tests = tests;
	facts_refresh_tests(facts, i);
	if (facts_absorb(facts, i, j, change))
		return true;
	rule->test = old.test;
	rule->tests = old.tests;
	facts_refresh_tests(facts, i);
	return false;
}

bool facts_known_to_perm(const struct facts *facts, const struct rule *rule,
			 struct syscall_set *calls)
{
	bool has_perm = false;

	if (facts->context->kernel_unknown)
		return false;
	for (unsigned int t = 0; t < rule->tests; t++) {
		const struct field_test *test = &rule->test[t];
		struct syscall_set known;

		if (test->field->kind != FIELD_PERM || test->op != OP_EQ)
			continue;
		known = perm_calls_known(facts->set->target, test->value);
		syscall_set_intersect(calls, &known);
		has_perm = true;
	}
	return has_perm;
}

/* What rules I and J would be as one: the tests of I but for arch, the calls of
 * both; the origin of I still. */
static struct rule united(const struct facts *facts, size_t i, size_t j)
{
	struct rule rule = *facts->set->rule[i];
	struct field_test *test =
		arena_array(facts->set->arena, rule.tests, sizeof(*test));
	unsigned int tests = 0;

	for (unsigned int t = 0; t < rule.tests; t++)
		if (rule.test[t].field->kind != FIELD_ARCH)
			test[tests++] = rule.test[t];
	rule.test = test;
	rule.tests = tests;
	rule.watch_form = false;
	syscall_mask_unite(&rule.mask, &facts->set->rule[j]->mask);
	return rule;
}

static bool would_match_more(const struct facts *facts, size_t i, size_t j,
			     const struct rule *both)
{
	struct syscall_set calls = rule_calls(facts->set->target, both);

	if (facts->item[i].role == ROLE_BUCKET &&
	    facts_uring_reaches(facts->set->target, both))
		return true;
	syscall_set_subtract(&calls, facts->item[i].calls);
	syscall_set_subtract(&calls, facts->item[j].calls);
	facts_known_to_perm(facts, both, &calls);
	return !syscall_set_empty(&calls);
}

/* Without arch a rule counts if it has a signal of either ABI. */
static bool would_signal_first(const struct facts *facts,
			       const struct rule *both)
{
	return facts->tables->signals == 0 &&
	       facts_counts_as_signal(facts, both, 0);
}

bool facts_unite_abis(struct facts *facts, size_t i, size_t j,
		      struct change change)
{
	struct rule *rule = facts->set->rule[i];
	struct fact *fact = &facts->item[i];
	struct rule both = united(facts, i, j);

	if (would_match_more(facts, i, j, &both) ||
	    would_signal_first(facts, &both) ||
	    facts_collides(facts, i, j, &both.mask))
		return false;
	change.what = facts->set->rule[j]->origin;
	change.because = origin_first(rule->origin);
	change.rules_dropped = 1;
	change_log_add(facts->context, change);
	take_out(facts, j);
	both.origin = origin_unite(facts->set->arena, both.origin,
				   facts->set->rule[j]->origin);
	*rule = both;
	fact->arches |= facts->item[j].arches;
	if (fact->role == ROLE_BUCKET)
		fact->arches |= 1 << ABI_COUNT;
	fact->signal_arch = 0;
	facts->tables->signals -= fact->signals;
	facts_refresh_mask(facts, i);
	facts->tables->signals += fact->signals;
	return true;
}

bool facts_retest(struct facts *facts, size_t i, const struct field_test *test,
		  unsigned int tests, struct change change)
{
	struct rule *rule = facts->set->rule[i];

	if (facts_collides(facts, i, i, &rule->mask))
		return false;
	rule->test = test;
	rule->tests = tests;
	facts_refresh_tests(facts, i);
	change.what = rule->origin;
	change_log_add(facts->context, change);
	return true;
}
