/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/random_draft.h"

#include <string.h>

static void change_test(struct draft *d, struct field_test *test)
{
	struct random *random = d->random;

	if (test->field->is_string && random_chance(random, 60)) {
		test->string = draft_string(random, test->field->number);
		test->value = (uint32_t)strlen(test->string);
	} else if (random_chance(random, 50)) {
		test->op = draft_op(random, test->field);
	} else if (!test->field->is_string && test->field->kind != FIELD_ARCH) {
		test->value = draft_value(random, test->field->number);
	}
	if (test->field->number == AUDIT_LOGINUID && test->value == UNSET &&
	    test->op != OP_EQ)
		test->op = OP_NE;
}

static void change_mask(struct draft *d)
{
	struct syscall_mask *mask = &d->rule->mask;
	int call = syscall_mask_next(mask, (int)random_below(d->random, 200));

	if (random_chance(d->random, 50) && syscall_mask_count(mask) > 1)
		syscall_mask_remove(mask, call);
	else if (d->rule->filter == AUDIT_FILTER_EXIT)
		draft_add_some_call(d);
	else
		syscall_mask_add(mask, (int)random_below(d->random, 12));
}

static void change_tests(struct draft *d)
{
	struct random *random = d->random;
	size_t at = random_below(random, d->tests);

	switch (random_below(random, 4)) {
	case 0:
		draft_shuffle(d);
		break;
	case 1:
		if (d->tests > 1)
			d->test[at] = d->test[--d->tests];
		break;
	case 2:
		if (d->rule->filter == AUDIT_FILTER_EXIT)
			draft_add_some_of(d, draft_any_field, DRAFT_ANY_FIELDS,
					  1, 1);
		break;
	default:
		if (d->tests)
			change_test(d, &d->test[at]);
	}
}

/* The same rule for the other ABI, or for both. */
static void change_arch(struct draft *d)
{
	const struct target *target = d->target;

	for (unsigned int i = 0; i < d->tests; i++) {
		struct field_test *test = &d->test[i];

		if (test->field->kind != FIELD_ARCH)
			continue;
		if (random_chance(d->random, 30))
			*test = d->test[--d->tests];
		else if (target_has_abi(target, ABI_COMPAT))
			test->value ^= target->abi[ABI_NATIVE].elf ^
				       target->abi[ABI_COMPAT].elf;
		return;
	}
	if (d->rule->filter == AUDIT_FILTER_EXIT)
		draft_add_some_arch(d);
}

/* -w is written back as -w only in its own form. */
static void mind_the_form(struct draft *d)
{
	const struct field_test *t = d->test;
	struct syscall_mask all = syscall_mask_all();
	bool form = d->tests >= 2 &&
		    (t[0].field->kind == FIELD_PATH ||
		     t[0].field->kind == FIELD_DIR) &&
		    t[1].field->kind == FIELD_PERM &&
		    syscall_mask_equal(&d->rule->mask, &all);

	if (form)
		return;
	d->rule->watch_form = false;
	d->rule->unsettled = false;
}

struct rule *random_near_copy(struct arena *arena, struct random *random,
			      const struct target *target,
			      const struct rule *rule)
{
	struct draft d = draft_new(arena, random, target);

	*d.rule = *rule;
	memcpy(d.test, rule->test, rule->tests * sizeof(d.test[0]));
	d.tests = rule->tests;
	switch (random_below(random, 8)) {
	case 0:
		d.rule->key = draft_key(random);
		break;
	case 1:
		d.rule->action = d.rule->action == AUDIT_NEVER ? AUDIT_ALWAYS
							       : AUDIT_NEVER;
		break;
	case 2:
	case 3:
		change_mask(&d);
		break;
	case 4:
		change_arch(&d);
		break;
	default:
		change_tests(&d);
	}
	mind_the_form(&d);
	return draft_finish(&d);
}
