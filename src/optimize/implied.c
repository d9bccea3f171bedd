/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A condition that follows from the others of its rule is dropped.
 *
 * Why that changes nothing: audit_filter_rules() asks for all fields in one go,
 * of the same call at the same moment; that the rule without the condition
 * implies the whole rule (predicate_implies) means that the condition holds
 * whenever the others do. The tests are looked at from the last to the first,
 * so that of two alike the first stays.
 *
 * Never dropped: arch, which says what numbers mean and which signals count,
 * and what decides where the rule lives (path=, dir=, inode=). Rules that no
 * call satisfies are left to the pass for those; rules in the form of -w keep
 * their first two, and watches that are not settled stay as they are.
 */
#include "optimize/facts.h"

#include <string.h>

/* What would stay if test T went. */
static struct rule without(const struct facts *facts, const struct rule *rule,
			   unsigned int t)
{
	struct rule less = *rule;
	struct field_test *test =
		arena_array(facts->set->arena, rule->tests, sizeof(*test));

	memcpy(test, rule->test, t * sizeof(*test));
	memcpy(test + t, rule->test + t + 1,
	       (rule->tests - t - 1) * sizeof(*test));
	less.test = test;
	less.tests = rule->tests - 1;
	return less;
}

static bool must_stay(const struct rule *rule, unsigned int t)
{
	switch (rule->test[t].field->kind) {
	case FIELD_ARCH:
	case FIELD_PATH:
	case FIELD_DIR:
		return true;
	case FIELD_NAME:
		return rule->test[t].field->number == AUDIT_INODE;
	default:
		return rule->watch_form && t < 2;
	}
}

static bool is_implied(const struct facts *facts, size_t i,
		       const struct rule *less)
{
	return predicate_implies(predicate_of(facts->scratch, less),
				 facts->item[i].predicate);
}

static const char *description(struct facts *facts,
			       const struct field_test *test)
{
	struct arena *arena = facts->context->arena;
	const char *op = field_op_symbol(test->op);

	if (test->string)
		return arena_printf(arena,
				    "condition %s%s%s dropped: the rule's "
				    "others imply it",
				    test->field->name, op, test->string);
	return arena_printf(arena,
			    "condition %s%s%u dropped: the rule's others "
			    "imply it",
			    test->field->name, op, test->value);
}

static void look_at(struct facts *facts, size_t i)
{
	const struct rule *rule = facts->set->rule[i];

	for (unsigned int t = rule->tests; t-- > 0;) {
		struct change change = {.pass = pass_implied.name};
		struct rule less;

		if (must_stay(rule, t))
			continue;
		less = without(facts, rule, t);
		if (!is_implied(facts, i, &less))
			continue;
		change.text = description(facts, &rule->test[t]);
		facts_retest(facts, i, less.test, less.tests, change);
	}
}

static bool is_candidate(const struct facts *facts, size_t i)
{
	const struct fact *fact = &facts->item[i];

	return facts_may_touch(facts, i) &&
	       facts->set->rule[i]->filter == AUDIT_FILTER_EXIT &&
	       fact->role != ROLE_UNSETTLED &&
	       !predicate_unsatisfiable(fact->predicate);
}

static void run(struct ruleset *set, struct pass_context *context)
{
	struct facts *facts = facts_begin(set, context);

	for (size_t i = 0; i < set->count; i++)
		if (is_candidate(facts, i))
			look_at(facts, i);
	facts_end(facts);
}

const struct pass pass_implied = {
	.name = "implied",
	.purpose = "drops conditions that follow from others of their rule",
	.level = 1,
	.run = run,
};
