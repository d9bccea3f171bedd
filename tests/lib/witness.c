/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/witness.h"

#include <linux/audit.h>
#include <string.h>

#include "model/call_names.h"
#include "model/self_log.h"

static bool is_tree(const char *const *trees, size_t count, const char *path)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(trees[i], path) == 0)
			return true;
	return false;
}

static struct rule *settle(struct arena *arena, const struct rule *rule,
			   const char *const *trees, size_t count)
{
	struct rule *copy = rule_copy(arena, rule);
	struct field_test *test =
		arena_copy(arena, rule->test, rule->tests * sizeof(*test));

	for (unsigned int i = 0; i < rule->tests; i++)
		if (test[i].field->kind == FIELD_PATH ||
		    test[i].field->kind == FIELD_DIR)
			test[i].field = field_by_number(
				is_tree(trees, count, test[i].string)
					? AUDIT_DIR
					: AUDIT_WATCH);
	copy->test = test;
	copy->unsettled = false;
	return copy;
}

const struct ruleset *settled_as(struct arena *arena, const struct ruleset *set,
				 const char *const *trees, size_t count)
{
	struct ruleset *copy = ruleset_new(arena, set->target);

	for (size_t i = 0; i < set->count; i++) {
		struct rule *rule = set->rule[i];
		bool there = false;

		if (rule->unsettled)
			rule = settle(arena, rule, trees, count);
		for (size_t j = 0; j < copy->count && !there; j++)
			there = rule_same_to_kernel(copy->rule[j], rule);
		if (!there)
			ruleset_insert(copy, copy->count, rule);
	}
	return copy;
}

/* The outcomes of the walk in question; *OPERATION: of the one inside. */
static struct outcome outcome_of_witness(const struct ruleset *set,
					 const struct witness *witness,
					 struct outcome *operation)
{
	*operation = (struct outcome){0};
	if (witness->uring)
		return kernel_uring_exit(set, witness->event, NULL);
	if (witness->has_inner)
		return kernel_call_with(set, witness->event, &witness->inner, 1,
					operation);
	return kernel_syscall_exit(set, witness->event, NULL);
}

static bool equal(struct outcome a, struct outcome b)
{
	return a.verdict == b.verdict &&
	       (a.key == b.key || (a.key && b.key && !strcmp(a.key, b.key)));
}

static bool names_are_real(const struct target *target,
			   const struct witness *witness)
{
	const struct event *e = witness->event;
	bool any = e->names || e->dirs ||
		   (witness->has_inner && (witness->inner.event->names ||
					   witness->inner.event->dirs));

	return !any || call_can_collect_names(target, e->abi, e->number, NULL);
}

const char *witness_refuted(struct arena *arena, const struct ruleset *before,
			    const struct ruleset *after, int level,
			    const struct witness *witness)
{
	const struct event *event = witness->event;
	const struct ruleset *b =
		settled_as(arena, before, witness->trees, witness->tree_count);
	const struct ruleset *a =
		settled_as(arena, after, witness->trees, witness->tree_count);
	struct outcome b_inner, a_inner;
	struct outcome b_call = outcome_of_witness(b, witness, &b_inner);
	struct outcome a_call = outcome_of_witness(a, witness, &a_inner);
	bool self_log =
		witness->uring || witness->has_inner ||
		call_can_self_log(b->target, event->abi, event->number, NULL);
	bool of_call, of_operation;

	if (!witness->uring && !names_are_real(b->target, witness))
		return "the call collects no names, and has some";
	level = level < 1 ? 1 : level;
	of_call = !outcome_same(b_call, a_call, level, self_log);
	of_operation = witness->has_inner &&
		       witness->inner.kind == INNER_URING &&
		       !outcome_same(b_inner, a_inner, level, true);
	if (!of_call && !of_operation)
		return "the evaluator finds it the same";
	if (of_call && equal(b_call, witness->before) &&
	    equal(a_call, witness->after))
		return NULL;
	if (of_operation && equal(b_inner, witness->before) &&
	    equal(a_inner, witness->after))
		return NULL;
	return "the evaluator has other outcomes";
}
