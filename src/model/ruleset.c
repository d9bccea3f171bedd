/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/rule.h"

#include <libaudit.h>
#include <string.h>

struct ruleset *ruleset_new(struct arena *arena, const struct target *target)
{
	struct ruleset *set = arena_alloc(arena, sizeof(*set));

	set->arena = arena;
	set->target = target;
	return set;
}

struct ruleset *ruleset_copy(struct arena *arena, const struct ruleset *set)
{
	struct ruleset *copy = ruleset_new(arena, set->target);

	copy->rule = arena_array(arena, set->count, sizeof(struct rule *));
	copy->count = copy->capacity = set->count;
	for (size_t i = 0; i < set->count; i++)
		copy->rule[i] = rule_copy(arena, set->rule[i]);
	return copy;
}

void ruleset_insert(struct ruleset *set, size_t at, struct rule *rule)
{
	set->rule = arena_grow(set->arena, set->rule, set->count,
			       &set->capacity, sizeof(struct rule *));
	memmove(&set->rule[at + 1], &set->rule[at],
		(set->count - at) * sizeof(struct rule *));
	set->rule[at] = rule;
	set->count++;
}

void ruleset_remove(struct ruleset *set, size_t at)
{
	set->count--;
	memmove(&set->rule[at], &set->rule[at + 1],
		(set->count - at) * sizeof(struct rule *));
}

size_t ruleset_counted(const struct ruleset *set)
{
	size_t counted = 0;

	for (size_t i = 0; i < set->count; i++) {
		uint32_t filter = set->rule[i]->filter;

		counted += filter == AUDIT_FILTER_EXIT ||
			   filter == AUDIT_FILTER_TASK ||
			   filter == AUDIT_FILTER_URING_EXIT;
	}
	return counted;
}

bool ruleset_task_never(const struct ruleset *set)
{
	for (size_t i = 0; i < set->count; i++) {
		const struct rule *rule = set->rule[i];

		if (rule->filter == AUDIT_FILTER_TASK && rule->tests == 0)
			return rule->action == AUDIT_NEVER;
	}
	return false;
}
