/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cost model: the prices are model/price.h's. What records cost once they
 * are made is the call's and not the rules' doing, and is not in it.
 */
#include "cost/cost.h"

#include <libaudit.h>
#include <stdlib.h>

#include "model/kernel.h"
#include "model/price.h"

/* One walk. */
struct tally {
	const struct ruleset *set;
	struct priced_call call;
	struct call_cost cost;
	size_t matched; /* where a rule of the list did; past all: none */
};

static void count_rule(void *data, size_t position, bool in_mask,
		       bool overridden, unsigned int fields,
		       const struct field_test *failed, int name)
{
	struct tally *tally = data;
	struct call_cost *cost = &tally->cost;
	bool matches = in_mask && !failed && !overridden;

	(void)name;
	cost->rules_walked++;
	cost->masks_hit += in_mask;
	cost->fields_evaluated += in_mask ? fields : 0;
	cost->instructions +=
		price_of_rule(&tally->call, tally->set->rule[position], in_mask,
			      matches, fields);
	if (matches)
		tally->matched = position;
}

/* Born under a task rule "never", a task has no context whose rules could be
 * asked (audit_alloc). */
static bool free_of_charge(const struct ruleset *set, const struct event *event)
{
	return event->task_never || ruleset_counted(set) == 0;
}

/* Whatever rules there are: a context is in use, names are collected, file
 * systems tell of events. */
static double fixed_cost(const struct priced_call *call, bool watches)
{
	const struct naming_price *naming = call->naming;
	const struct prices *prices = call->prices;

	return prices->context_in_use + naming->collected +
	       (watches ? naming->events * prices->watched_event : 0);
}

/* The mean over all buckets that each name of the call may be in. */
static double bucket_cost(const struct tally *tally)
{
	const struct ruleset *set = tally->set;
	double price = 0;

	for (size_t i = 0; i < set->count; i++) {
		const struct rule *rule = set->rule[i];
		struct syscall_set calls;
		const struct event *event = tally->call.event;

		if (!rule_in_bucket(rule))
			continue;
		calls = rule_entered(set->target, rule);
		price += price_in_bucket(
			&tally->call, rule,
			rule->filter == AUDIT_FILTER_EXIT &&
				syscall_mask_has(&calls.abi[event->abi],
						 event->number),
			i > tally->matched);
	}
	return tally->call.naming->names * price / 32;
}

struct call_cost cost_of_event_on(const struct ruleset *set,
				  const struct event *event,
				  const struct prices *prices)
{
	struct tally tally = {.set = set,
			      .call = priced_call_of(prices, set->target,
						     event),
			      .matched = SIZE_MAX};
	struct walk_observer observer = {count_rule, &tally};

	if (free_of_charge(set, event))
		return tally.cost;
	kernel_syscall_exit(set, event, &observer);
	if (tally.matched == SIZE_MAX && tally.cost.rules_walked)
		tally.cost.instructions += tally.call.prices->list_ended;
	tally.cost.fixed = fixed_cost(&tally.call, ruleset_watches(set));
	tally.cost.instructions += tally.cost.fixed + bucket_cost(&tally);
	return tally.cost;
}

struct call_cost cost_of_event(const struct ruleset *set,
			       const struct event *event)
{
	return cost_of_event_on(set, event, NULL);
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

struct event cost_event_on(const struct target *target, enum abi abi,
			   int number, enum identity identity)
{
	struct event event = cost_event(abi, number, identity);

	if (never_returns(target, abi, number))
		event.result = RESULT_NONE;
	return event;
}

/* What does not differ from class to class, and room for what does. */
struct survey {
	bool free; /* no context, or only dummies */
	bool watches;
	struct exit_list list;
};

static struct call_cost class_walk(const struct survey *s,
				   const struct event *event)
{
	struct priced_call call;
	struct call_cost cost = {0};
	struct list_walk walk;

	if (s->free)
		return cost;
	call = priced_call_of(s->list.prices, s->list.set->target, event);
	walk = exit_list_walk(&s->list, event, NULL);
	cost.rules_walked = (unsigned int)walk.walked;
	cost.masks_hit = (unsigned int)walk.masks;
	cost.fields_evaluated = (unsigned int)walk.fields;
	cost.asked = s->list.entered.count || s->list.bucket_entered;
	cost.fixed = fixed_cost(&call, s->watches);
	cost.instructions = cost.fixed + (double)walk.price +
			    exit_list_buckets(&s->list, event, &walk);
	if (walk.walked && !walk.matched)
		cost.instructions += call.prices->list_ended;
	return cost;
}

/* The row of CALLS of one ABI, by the lowest of them. */
static struct class_cost class_row(const struct survey *s,
				   const struct syscall_mask *calls,
				   enum abi abi)
{
	struct class_cost row = {.abi = abi};
	int number = syscall_mask_next(calls, 0);

	row.calls.abi[abi] = *calls;
	for (int i = 0; i < IDENTITY_COUNT; i++) {
		struct event event = cost_event_on(s->list.set->target, abi,
						   number, (enum identity)i);

		row.cost[i] = class_walk(s, &event);
	}
	return row;
}

/* The rows of one ABI of a class: one for each way in which its calls name
 * files. */
static void add_rows(const struct survey *s, const struct syscall_mask *calls,
		     enum abi abi, struct cost_table *table)
{
	struct syscall_mask part[NAMING_COUNT] = {{{0}}};

	for (int n = syscall_mask_next(calls, 0); n >= 0;
	     n = syscall_mask_next(calls, n + 1))
		syscall_mask_add(
			&part[s->free ? NAMING_NONE
				      : call_naming(s->list.set->target, abi,
						    n)],
			n);
	for (int naming = 0; naming < NAMING_COUNT; naming++) {
		if (syscall_mask_empty(&part[naming]))
			continue;
		table->item[table->count++] = class_row(s, &part[naming], abi);
	}
}

static int by_lowest_call(const void *left, const void *right)
{
	const struct class_cost *a = left, *b = right;

	if (a->abi != b->abi)
		return a->abi < b->abi ? -1 : 1;
	return syscall_mask_next(&a->calls.abi[a->abi], 0) -
	       syscall_mask_next(&b->calls.abi[b->abi], 0);
}

struct cost_table cost_on(struct arena *arena, const struct ruleset *set,
			  const struct prices *prices)
{
	struct call_classes classes =
		call_classes_of(arena, set, AUDIT_FILTER_EXIT);
	struct survey survey = {.free = ruleset_task_never(set) ||
					ruleset_counted(set) == 0,
				.watches = ruleset_watches(set),
				.list = exit_list_of(arena, set)};
	struct cost_table table = {.rules = set->count};

	survey.list.prices = prices;
	table.item =
		arena_array(arena, classes.count * ABI_COUNT * NAMING_COUNT,
			    sizeof(*table.item));
	for (size_t i = 0; i < classes.count; i++) {
		const struct call_class *class = &classes.item[i];

		exit_list_enter(&survey.list, class);
		for (int abi = 0; abi < ABI_COUNT; abi++)
			add_rows(&survey, &class->calls.abi[abi], (enum abi)abi,
				 &table);
	}
	qsort(table.item, table.count, sizeof(*table.item), by_lowest_call);
	return table;
}

struct cost_table cost_of(struct arena *arena, const struct ruleset *set)
{
	return cost_on(arena, set, NULL);
}
