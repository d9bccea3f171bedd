/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/mutate.h"

#include <string.h>

#include "model/audit_names.h"

#define UNSET UINT32_MAX
#define PLACES_TRIED 40

/* A mutation in the making: a copy of the set, of whose rule at AT a copy was
 * made that may be changed. */
struct work {
	struct arena *arena;
	struct random *random;
	struct ruleset *set;
	size_t at;
	struct rule *rule;
	struct field_test *test; /* of the rule */
	struct mutation *made;
};

static bool is_call_rule(const struct rule *rule)
{
	return rule->filter == AUDIT_FILTER_EXIT ||
	       rule->filter == AUDIT_FILTER_URING_EXIT;
}

static bool lose_rule(struct work *w)
{
	ruleset_remove(w->set, w->at);
	w->made->after[0] = NULL;
	return true;
}

/* Any call of the mask, the common ones rather than those above. */
static int some_call(struct work *w)
{
	const struct syscall_mask *mask = &w->rule->mask;
	int call = syscall_mask_next(mask, (int)random_below(w->random, 330));

	return call < 0 ? syscall_mask_next(mask, 0) : call;
}

static bool drop_call(struct work *w)
{
	int call = some_call(w);

	if (call < 0)
		return false;
	syscall_mask_remove(&w->rule->mask, call);
	w->made->call = call;
	return true;
}

static bool add_call(struct work *w)
{
	int call = (int)random_below(w->random, 330);

	if (w->rule->filter == AUDIT_FILTER_URING_EXIT)
		call %= 40;
	if (syscall_mask_has(&w->rule->mask, call))
		return false;
	syscall_mask_add(&w->rule->mask, call);
	w->made->call = call;
	return true;
}

static bool calls_meet(const struct ruleset *set, const struct rule *a,
		       const struct rule *b)
{
	struct syscall_set of_a = rule_calls(set->target, a);
	struct syscall_set of_b = rule_calls(set->target, b);

	return a->filter == b->filter && syscall_set_intersects(&of_a, &of_b);
}

/* With the next rule, or with the next one that some call can see both of. */
static bool swap_rules(struct work *w)
{
	struct rule **rule = w->set->rule;
	size_t b = w->at + 1;

	if (random_chance(w->random, 80))
		while (b < w->set->count &&
		       !calls_meet(w->set, w->rule, rule[b]))
			b++;
	if (b >= w->set->count)
		return false;
	w->made->before[1] = w->made->after[1] = rule[b];
	rule[w->at] = rule[b];
	rule[b] = w->rule;
	return true;
}

static bool move_rule(struct work *w)
{
	size_t to = random_below(w->random, w->set->count);

	if (to == w->at)
		return false;
	ruleset_remove(w->set, w->at);
	ruleset_insert(w->set, to, w->rule);
	return true;
}

static bool takes_op(const struct field_test *test, enum field_op op)
{
	uint32_t field = test->field->number;

	if (field == AUDIT_WATCH || field == AUDIT_DIR)
		return op == OP_EQ;
	if (field == AUDIT_INODE ||
	    (field == AUDIT_LOGINUID && test->value == UNSET))
		return op == OP_EQ || op == OP_NE;
	return test->field->ops & op;
}

static bool change_operator(struct work *w)
{
	enum field_op op = (enum field_op)(1 << random_below(w->random, 8));

	if (!w->test || op == w->test->op || !takes_op(w->test, op))
		return false;
	w->test->op = op;
	return true;
}

/* Small steps, so that only the edge of what it takes is another, and a bit. */
static bool change_value(struct work *w)
{
	uint32_t value;

	if (!w->test || w->test->string || w->test->field->kind == FIELD_ARCH ||
	    w->test->field->kind == FIELD_PERM)
		return false;
	value = w->test->value;
	if (w->test->field->kind == FIELD_COMPARE)
		value = 1 + (uint32_t)random_below(w->random,
						   AUDIT_MAX_FIELD_COMPARE);
	else if (w->test->field->number == AUDIT_SUCCESS ||
		 w->test->field->kind == FIELD_LOGINUID_SET)
		value = !value;
	else if (w->test->field->kind == FIELD_FILETYPE)
		value ^= 0x4000;
	else if (random_chance(w->random, 70))
		value += random_chance(w->random, 50) ? 1 : UNSET;
	else
		value ^= 1u << random_below(w->random, 10);
	if (value == w->test->value)
		return false;
	/* audit_data_to_entry refuses an invalid id, and auid=-1 is another
	 * field */
	if (value == UNSET && (w->test->field->kind == FIELD_UID ||
			       w->test->field->kind == FIELD_GID ||
			       w->test->field->kind == FIELD_GROUP ||
			       w->test->field->number == AUDIT_OBJ_UID ||
			       w->test->field->number == AUDIT_OBJ_GID))
		return false;
	w->test->value = value;
	return true;
}

static bool change_key(struct work *w)
{
	if (!w->rule->key)
		w->rule->key = "given";
	else
		w->rule->key = random_chance(w->random, 50) ? NULL : "another";
	return true;
}

static bool change_action(struct work *w)
{
	w->rule->action =
		w->rule->action == AUDIT_NEVER ? AUDIT_ALWAYS : AUDIT_NEVER;
	return true;
}

static bool change_perm(struct work *w)
{
	if (!w->test || w->test->field->kind != FIELD_PERM)
		return false;
	w->test->value ^= 1u << random_below(w->random, 4);
	return w->test->value != 0;
}

static bool change_path(struct work *w)
{
	if (!w->test || (w->test->field->kind != FIELD_PATH &&
			 w->test->field->kind != FIELD_DIR &&
			 w->test->field->kind != FIELD_EXE))
		return false;
	w->test->string =
		arena_printf(w->arena, "%s%s", w->test->string, "-not");
	w->test->value = (uint32_t)strlen(w->test->string);
	return true;
}

static bool change_arch(struct work *w)
{
	const struct target *target = w->set->target;

	if (!w->test || w->test->field->kind != FIELD_ARCH ||
	    !target_has_abi(target, ABI_COMPAT))
		return false;
	w->test->value ^=
		target->abi[ABI_NATIVE].elf ^ target->abi[ABI_COMPAT].elf;
	return true;
}

static bool lose_test(struct work *w)
{
	const struct field_test *end = w->rule->test + w->rule->tests;

	if (!w->test || w->rule->unsettled)
		return false;
	memmove(w->test, w->test + 1,
		(size_t)(end - w->test - 1) * sizeof(*w->test));
	w->rule->tests--;
	w->rule->watch_form = false;
	return true;
}

static const struct {
	const char *name;
	bool (*change)(struct work *w);
} kinds[MUTATIONS] = {
	[MUTATION_LOSE_RULE] = {"a rule lost", lose_rule},
	[MUTATION_DROP_CALL] = {"a call dropped", drop_call},
	[MUTATION_ADD_CALL] = {"a call added", add_call},
	[MUTATION_SWAP] = {"two rules swapped", swap_rules},
	[MUTATION_MOVE] = {"a rule moved", move_rule},
	[MUTATION_OPERATOR] = {"an operator changed", change_operator},
	[MUTATION_VALUE] = {"a value changed", change_value},
	[MUTATION_KEY] = {"a key changed", change_key},
	[MUTATION_ACTION] = {"an action changed", change_action},
	[MUTATION_PERM] = {"a perm changed", change_perm},
	[MUTATION_PATH] = {"a path changed", change_path},
	[MUTATION_ARCH] = {"an arch changed", change_arch},
	[MUTATION_LOSE_TEST] = {"a test lost", lose_test},
};

const char *mutation_name(enum mutation_kind kind)
{
	return kinds[kind].name;
}

/* Makes the rule at w->at one that may be changed. */
static void open_rule(struct work *w)
{
	const struct rule *rule = w->set->rule[w->at];
	struct field_test *test = NULL;

	w->rule = rule_copy(w->arena, rule);
	w->test = NULL;
	if (rule->tests) {
		test = arena_copy(w->arena, rule->test,
				  rule->tests * sizeof(*test));
		w->rule->test = test;
		w->test = &test[random_below(w->random, rule->tests)];
	}
	w->set->rule[w->at] = w->rule;
	*w->made = (struct mutation){.set = w->set, .call = -1};
	w->made->before[0] = rule;
	w->made->after[0] = w->rule;
}

bool mutate(struct arena *arena, const struct ruleset *set,
	    enum mutation_kind kind, struct random *random,
	    struct mutation *made)
{
	struct work w = {.arena = arena, .random = random, .made = made};

	for (int i = 0; i < PLACES_TRIED && set->count; i++) {
		size_t at = random_below(random, set->count);

		if (!is_call_rule(set->rule[at]))
			continue;
		w.set = ruleset_copy(arena, set);
		w.at = at;
		open_rule(&w);
		if (kinds[kind].change(&w))
			return true;
	}
	return false;
}
