/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A class compared case by case. What lasts through a call (its arguments, auid
 * and the like) is the same in all its walks: so calls that meet the condition
 * of an added never rule and those that do not may be looked at one after the
 * other, with all rules restricted to them.
 */
#include "verify/check.h"

static void restrict_to(struct check *check, struct subject *subject,
			diagram condition)
{
	struct diagrams *d = check->diagrams;

	for (int side = BEFORE; side < SIDES; side++) {
		struct steps *steps = &subject->steps[side];
		struct step *item = arena_array(check->scratch, steps->count,
						sizeof(*item));

		for (size_t i = 0; i < steps->count; i++) {
			item[i] = steps->item[i];
			item[i].when = questions_rule_out(
				check->questions, d,
				diagram_and(d, item[i].when, condition),
				&subject->facts);
		}
		steps->item = item;
	}
}

/* The same in all walks, be it true or not. Trees that are met become more. */
static bool is_constant(const struct field_test *test)
{
	switch (test->field->number) {
	case AUDIT_ARCH:
	case AUDIT_ARG0:
	case AUDIT_ARG1:
	case AUDIT_ARG2:
	case AUDIT_ARG3:
	case AUDIT_LOGINUID:
	case AUDIT_LOGINUID_SET:
		return true;
	default:
		return false;
	}
}

static bool all_constant(const struct rule *rule)
{
	for (unsigned int i = 0; i < rule->tests; i++)
		if (!is_constant(&rule->test[i]))
			return false;
	return true;
}

static bool is_case(const struct step *step)
{
	return step->kind == STEP_LIST &&
	       step->result->verdict == VERDICT_NEVER &&
	       step->when != DIAGRAM_NO && step->when != DIAGRAM_YES &&
	       all_constant(step->rule);
}

bool subject_agrees_by_cases(struct check *check, const struct subject *subject,
			     bool (*agrees)(struct check *check,
					    struct subject *subject))
{
	struct subject rest = *subject;
	struct steps steps = subject->steps[AFTER];
	unsigned int cases = 0;

	for (size_t i = 0; i < steps.count && cases < CASES_AT_MOST; i++) {
		struct subject one = rest;
		diagram condition = steps.item[i].when;

		if (!is_case(&steps.item[i]))
			continue;
		cases++;
		restrict_to(check, &one, condition);
		if (!agrees(check, &one))
			return false;
		restrict_to(check, &rest,
			    diagram_not(check->diagrams, condition));
	}
	return cases && agrees(check, &rest);
}
