/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "optimize/terminator_copy.h"

#include <libaudit.h>
#include <string.h>

#include "optimize/field_order.h"

/* Tests of a rule that is copied, and bytes of its strings. */
#define TESTS_AT_MOST 20
#define TEXT_AT_MOST 200

bool rule_asks_for(const struct rule *rule, const struct field_info *field)
{
	for (unsigned int i = 0; i < rule->tests; i++)
		if (rule->test[i].field == field)
			return true;
	return false;
}

static bool has_long_text(const struct rule *rule)
{
	size_t length = rule->key ? strlen(rule->key) : 0;

	for (unsigned int i = 0; i < rule->tests; i++)
		if (rule->test[i].string)
			length += strlen(rule->test[i].string);
	return length > TEXT_AT_MOST || rule->tests > TESTS_AT_MOST;
}

bool terminator_may_copy(const struct facts *facts, size_t k, enum demand flags)
{
	const struct fact *fact = &facts->item[k];
	const struct rule *rule = facts->set->rule[k];

	if (!facts_may_touch(facts, k) || rule->filter != AUDIT_FILTER_EXIT ||
	    has_long_text(rule) ||
	    (flags != DEMANDS && rule_asks_for(rule, demand_test(flags).field)))
		return false;
	return fact->role == ROLE_LIST ||
	       (fact->role == ROLE_BUCKET && fact->lasting);
}

static bool has_test(const struct rule *rule, const struct field_test *test)
{
	for (unsigned int i = 0; i < rule->tests; i++)
		if (rule->test[i].field == test->field &&
		    rule->test[i].op == test->op &&
		    rule->test[i].value == test->value)
			return true;
	return false;
}

/* Leaves of the copy's mask what its tests may let through: the calls that
 * collect no names (call_names.h) are not worth entering it for. */
static void keep_possible(const struct target *target, struct rule *copy)
{
	struct syscall_set calls = rule_calls(target, copy);

	syscall_mask_unite(&calls.abi[ABI_NATIVE], &calls.abi[ABI_COMPAT]);
	syscall_mask_intersect(&copy->mask, &calls.abi[ABI_NATIVE]);
}

/* Has RULE no arch though it can match native calls only? auditctl would warn
 * that its names are of one ABI. */
static bool is_native(const struct target *target, const struct rule *rule)
{
	struct syscall_set calls = rule_calls(target, rule);

	return target_has_abi(target, ABI_COMPAT) &&
	       !rule_test_of(rule, FIELD_ARCH) &&
	       syscall_mask_empty(&calls.abi[ABI_COMPAT]) &&
	       !syscall_mask_empty(&calls.abi[ABI_NATIVE]);
}

static struct field_test native_arch(const struct target *target)
{
	return (struct field_test){.field = field_by_number(AUDIT_ARCH),
				   .op = OP_EQ,
				   .value = target->abi[ABI_NATIVE].elf};
}

struct rule *terminator_copy_of(const struct facts *facts, size_t k,
				const struct rule *t)
{
	struct arena *arena = facts->set->arena;
	const struct rule *rule = facts->set->rule[k];
	struct rule *copy = rule_copy(arena, rule);
	struct field_test *test =
		arena_array(arena, rule->tests + t->tests + 1, sizeof(*test));

	copy->test = test;
	memcpy(test, rule->test, rule->tests * sizeof(*test));
	for (unsigned int i = 0; i < t->tests; i++)
		if (!has_test(rule, &t->test[i]))
			test[copy->tests++] = t->test[i];
	syscall_mask_intersect(&copy->mask, &t->mask);
	if (is_native(facts->set->target, copy))
		test[copy->tests++] = native_arch(facts->set->target);
	copy->watch_form = false;
	copy->by_number = true;
	if (rule->origin.count)
		copy->copied = rule->origin;
	copy->origin = (struct origin){0};
	copy->line = 0;
	keep_possible(facts->set->target, copy);
	if (facts->item[k].role == ROLE_LIST)
		copy->test = field_order_of(facts, copy);
	return copy;
}
