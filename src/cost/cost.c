/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cost model: the prices are model/price.h's, and context_in_use once, if
 * any rule counts in audit_n_rules. What records cost once they are made, and
 * what collecting file names costs, is the call's and not the rules' doing:
 * neither is in it.
 */
#include "cost/cost.h"

#include <libaudit.h>
#include <stdlib.h>

#include "model/kernel.h"
#include "model/price.h"
#include "optimize/pipeline.h"

/* One walk. */
struct tally {
	const struct ruleset *set;
	struct call_cost cost;
};

static void count_rule(void *data, size_t position, bool in_mask,
		       bool overridden, unsigned int fields,
		       const struct field_test *failed, int name)
{
	struct tally *tally = data;
	struct call_cost *cost = &tally->cost;

	(void)name;
	cost->rules_walked++;
	cost->masks_hit += in_mask;
	cost->fields_evaluated += in_mask ? fields : 0;
	cost->instructions += price_of_rule(tally->set->rule[position], in_mask,
					    !failed && !overridden, fields);
}

/* Born under a task rule "never", a task has no context whose rules could be
 * asked (audit_alloc). */
static bool free_of_charge(const struct ruleset *set, const struct event *event)
{
	return event->task_never || ruleset_counted(set) == 0;
}

struct call_cost cost_of_event(const struct ruleset *set,
			       const struct event *event)
{
	struct tally tally = {.set = set};
	struct walk_observer observer = {count_rule, &tally};

	kernel_syscall_exit(set, event, &observer);
	if (!free_of_charge(set, event))
		tally.cost.instructions += PRICE_CONTEXT_IN_USE;
	return tally.cost;
}

struct event cost_event(enum abi abi, int number, enum identity identity)
{
	struct event event = {.abi = abi,
			      .number = number,
			      .pid = 4242,
			      .ppid = 4241,
			      .session = 1,
			      .result = RESULT_SUCCESS};

	if (identity == IDENTITY_DAEMON) {
		event.auid = UINT32_MAX;
		event.session = UINT32_MAX;
		return event;
	}
	event.auid = 1000;
	event.uid = event.euid = event.suid = event.fsuid = 1000;
	event.gid = event.egid = event.sgid = event.fsgid = 1000;
	return event;
}

/* A call that never returns has no result (audit_return_valid). */
static bool never_returns(const struct target *target, enum abi abi, int number)
{
	return number == target_call_number(target, abi, "exit") ||
	       number == target_call_number(target, abi, "exit_group");
}

/* What does not differ from class to class, and room for what does. */
struct survey {
	bool free; /* no context, or only dummies */
	struct exit_list list;
};

static struct call_cost class_walk(const struct survey *s,
				   const struct event *event)
{
	struct list_walk walk;

	if (s->free)
		return (struct call_cost){0};
	walk = exit_list_walk(&s->list, event, NULL);
	return (struct call_cost){
		.rules_walked = (unsigned int)walk.walked,
		.masks_hit = (unsigned int)walk.masks,
		.fields_evaluated = (unsigned int)walk.fields,
		.instructions = (double)(walk.price + PRICE_CONTEXT_IN_USE),
	};
}

/* The row of one ABI of CLASS, by the lowest call of it. */
static struct class_cost class_row(const struct survey *s,
				   const struct call_class *class, enum abi abi)
{
	struct class_cost row = {.abi = abi};
	int number = syscall_mask_next(&class->calls.abi[abi], 0);

	row.calls.abi[abi] = class->calls.abi[abi];
	for (int i = 0; i < IDENTITY_COUNT; i++) {
		struct event event = cost_event(abi, number, (enum identity)i);

		if (never_returns(s->list.set->target, abi, number))
			event.result = RESULT_NONE;
		row.cost[i] = class_walk(s, &event);
	}
	return row;
}

static int by_lowest_call(const void *left, const void *right)
{
	const struct class_cost *a = left, *b = right;

	if (a->abi != b->abi)
		return a->abi < b->abi ? -1 : 1;
	return syscall_mask_next(&a->calls.abi[a->abi], 0) -
	       syscall_mask_next(&b->calls.abi[b->abi], 0);
}

struct cost_table cost_of(struct arena *arena, const struct ruleset *set)
{
	struct call_classes classes =
		call_classes_of(arena, set, AUDIT_FILTER_EXIT);
	struct survey survey = {.free = ruleset_task_never(set) ||
					ruleset_counted(set) == 0,
				.list = exit_list_of(arena, set)};
	struct cost_table table = {.rules = set->count};

	table.item = arena_array(arena, classes.count * ABI_COUNT,
				 sizeof(*table.item));
	for (size_t i = 0; i < classes.count; i++) {
		const struct call_class *class = &classes.item[i];

		exit_list_enter(&survey.list, class);
		for (int abi = 0; abi < ABI_COUNT; abi++) {
			if (!syscall_mask_empty(&class->calls.abi[abi]))
				table.item[table.count++] = class_row(
					&survey, class, (enum abi)abi);
		}
	}
	qsort(table.item, table.count, sizeof(*table.item), by_lowest_call);
	return table;
}
