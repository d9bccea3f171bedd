/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/remarks.h"

#include <libaudit.h>
#include <string.h>

#include "emit/emit.h"
#include "model/interval.h"
#include "optimize/terminator_demand.h"

/* More are no help to a reader. */
#define VALUES_AT_MOST 8

/* What is left to say of a call that meets TEST of a terminator; NULL: none of
 * those that are made here. */
static const char *demand_words(const struct field_test *test)
{
	switch (demand_of(test)) {
	case DEMAND_OPEN_READ:
	case DEMAND_OPEN_CLOEXEC:
	case DEMAND_OPENAT_READ:
	case DEMAND_OPENAT_CLOEXEC:
		return "they open for reading, with these flags";
	case DEMAND_UNSET:
		return "the task has no auid";
	case DEMAND_SUCCESS:
		return "they succeed";
	case DEMAND_RESULT:
		return "they give no error";
	default:
		return NULL;
	}
}

const char *remark_added(struct arena *arena, const struct rule *rule)
{
	const char *text =
		"added: whatever could log these calls stands in front";
	const char *between = " when ";

	if (rule->action != AUDIT_NEVER || rule->key)
		return "added: a later rule, for calls whose walk ends before "
		       "it";
	for (unsigned int i = 0; i < rule->tests; i++) {
		const char *words;

		if (rule->test[i].field->kind == FIELD_ARCH)
			continue;
		words = demand_words(&rule->test[i]);
		if (!words)
			return arena_printf(arena, "%s%sits conditions hold",
					    text, between);
		text = arena_printf(arena, "%s%s%s", text, between, words);
		between = " and ";
	}
	return text;
}

/* Is the field one number, whose conditions are sets of values? */
static bool is_number(const struct field_test *test)
{
	switch (test->field->kind) {
	case FIELD_NUMBER:
	case FIELD_UID:
	case FIELD_GID:
	case FIELD_OPTIONAL:
		break;
	case FIELD_RESULT:
		if (test->field->number == AUDIT_SUCCESS)
			return false;
		break;
	default:
		return false;
	}
	return test->op != OP_BIT_MASK && test->op != OP_BIT_TEST &&
	       (test->field->number != AUDIT_LOGINUID ||
		test->value != UINT32_MAX);
}

/* The values that RULE leaves to the field of test FIRST, which is the first
 * one of that field. *TESTS becomes the number of its conditions, 0 if they are
 * not about values or one says it all. */
static struct intervals values_left(struct arena *arena,
				    const struct rule *rule, unsigned int first,
				    unsigned int *tests)
{
	static const struct interval every = {0, UINT32_MAX};
	struct intervals left = {&every, 1};
	bool plain = true;

	*tests = 0;
	for (unsigned int i = 0; i < rule->tests; i++) {
		const struct field_test *test = &rule->test[i];
		struct interval *room;

		if (test->field != rule->test[first].field)
			continue;
		plain = plain && i >= first && is_number(test) &&
			test->op != OP_EQ;
		if (!plain)
			break;
		room = arena_array(arena, 2, sizeof(*room));
		left = intervals_intersect(
			arena, left,
			(struct intervals){room, intervals_of_test(test->op,
								   test->value,
								   room)});
		++*tests;
	}
	if (!plain)
		*tests = 0;
	return left;
}

/* "exit is -EACCES or -EPERM" */
static const char *list_values(struct arena *arena, const struct target *target,
			       const struct rule *rule,
			       const struct field_info *field,
			       struct intervals values)
{
	const char *text = arena_printf(arena, "%s is", field->name);
	uint64_t left = intervals_size(values);

	for (unsigned int i = 0; i < values.count; i++)
		for (uint64_t v = values.at[i].low; v <= values.at[i].high;
		     v++) {
			const struct field_test test = {.field = field,
							.op = OP_EQ,
							.value = (uint32_t)v};
			const char *pair =
				emit_test(arena, target, rule, &test);

			if (!pair)
				return "";
			text = arena_printf(arena, "%s %s%s", text,
					    pair + strlen(field->name) + 1,
					    left > 2   ? ","
					    : left > 1 ? " or"
						       : "");
			left--;
		}
	if (field->number != AUDIT_EXIT)
		return text;
	return arena_printf(arena, "%s, as the kernel compares it without sign",
			    text);
}

/* exit is compared without sign. */
static bool is_no_error(const struct field_info *field, struct intervals values)
{
	return field->number == AUDIT_EXIT && values.count == 1 &&
	       values.at[0].low == 0 && values.at[0].high == INT32_MAX;
}

const char *remark_values(struct arena *arena, const struct target *target,
			  const struct rule *rule)
{
	const char *text = "";

	for (unsigned int i = 0; i < rule->tests; i++) {
		const struct field_info *field = rule->test[i].field;
		unsigned int tests;
		struct intervals values = values_left(arena, rule, i, &tests);
		const char *words = "";

		if (tests && is_no_error(field, values))
			words = "exit<=2147483647 is exit>=0, no error, as the "
				"kernel compares it without sign";
		else if (tests > 1 && intervals_size(values) <= VALUES_AT_MOST)
			words = list_values(arena, target, rule, field, values);
		if (*words)
			text = arena_printf(arena, "%s%s%s", text,
					    *text ? "; " : "", words);
	}
	return text;
}
