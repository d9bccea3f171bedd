/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cost model, rule by rule:
 *
 *   mask lacks the call             rule_passed
 *   entered, some field fails       rule_entered + what each field costs that
 *                                   was evaluated, the failing one included
 *   all fields hold                 rule_matched + what each field costs
 *
 * and context_in_use once, if any rule counts in audit_n_rules. A field costs
 * what its figure in the field table has above rule_entered, so that a rule
 * whose first field fails costs exactly the measured figure, and a further
 * plain field about field_further. What records cost once they are made, and
 * what collecting file names costs, is the call's and not the rules' doing:
 * neither is in it.
 */
#include "cost/cost.h"

#include <libaudit.h>
#include <stdlib.h>

#include "model/kernel.h"
#include "optimize/pipeline.h"

struct prices {
	double context, passed, entered, matched, further;
};

/* One walk. */
struct tally {
	const struct ruleset *set;
	struct prices price;
	struct call_cost cost;
	size_t last;  /* position of the rule that was reached last, plus 1 */
	bool matched; /* and it matched, so that the walk ended there */
};

static struct prices prices(void)
{
	return (struct prices){
		.context = cost_constant("context_in_use"),
		.passed = cost_constant("rule_passed"),
		.entered = cost_constant("rule_entered"),
		.matched = cost_constant("rule_matched"),
		.further = cost_constant("field_further"),
	};
}

static double field_price(const struct prices *price,
			  const struct field_test *test)
{
	double figure = test->field->cost_fail;

	return figure > price->entered ? figure - price->entered
				       : price->further;
}

static void count_rule(void *data, size_t position, bool in_mask,
		       bool overridden, unsigned int fields,
		       const struct field_test *failed, int name)
{
	struct tally *tally = data;
	const struct rule *rule = tally->set->rule[position];
	const struct prices *price = &tally->price;
	struct call_cost *cost = &tally->cost;

	(void)name;
	cost->rules_walked++;
	tally->last = position + 1;
	tally->matched = in_mask && !overridden && !failed;
	if (!in_mask) {
		cost->instructions += price->passed;
		return;
	}
	cost->masks_hit++;
	cost->fields_evaluated += fields;
	cost->instructions +=
		failed || overridden ? price->entered : price->matched;
	for (unsigned int i = 0; i < fields; i++)
		cost->instructions += field_price(price, &rule->test[i]);
}

static struct tally walk(const struct ruleset *set, const struct event *event)
{
	struct tally tally = {.set = set, .price = prices()};
	struct walk_observer observer = {count_rule, &tally};

	kernel_syscall_exit(set, event, &observer);
	return tally;
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
	struct tally tally = walk(set, event);

	if (!free_of_charge(set, event))
		tally.cost.instructions += tally.price.context;
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

/* Does every call walk past it? A watch that is not settled is taken as what it
 * is now. */
static bool in_exit_list(const struct rule *rule)
{
	if (rule->filter != AUDIT_FILTER_EXIT)
		return false;
	for (unsigned int i = 0; i < rule->tests; i++) {
		const struct field_test *test = &rule->test[i];

		if (test->field->kind == FIELD_PATH ||
		    (test->field->number == AUDIT_INODE && test->op == OP_EQ))
			return false;
	}
	return true;
}

/* What does not differ from class to class, and room for what does. */
struct survey {
	const struct ruleset *set;
	bool free;	/* no context, or only dummies */
	size_t *listed; /* how many list rules stand before position I */
	struct ruleset entered; /* the list rules of the class at hand ... */
	size_t *position;	/* ... and where they stand in the set */
};

static struct survey survey_of(struct arena *arena, const struct ruleset *set)
{
	size_t room = set->count + 1;
	struct survey s = {.set = set,
			   .free = ruleset_task_never(set) ||
				   ruleset_counted(set) == 0,
			   .entered = {.arena = arena,
				       .target = set->target,
				       .capacity = room}};

	s.entered.rule = arena_array(arena, room, sizeof(*s.entered.rule));
	s.position = arena_array(arena, room, sizeof(*s.position));
	s.listed = arena_array(arena, room, sizeof(*s.listed));
	for (size_t i = 0; i < set->count; i++)
		s.listed[i + 1] = s.listed[i] + in_exit_list(set->rule[i]);
	return s;
}

static void survey_class(struct survey *s, const struct call_class *class)
{
	s->entered.count = 0;
	for (size_t i = 0; i < class->rules; i++) {
		size_t position = class->rule[i];

		if (!in_exit_list(s->set->rule[position]))
			continue;
		s->position[s->entered.count] = position;
		s->entered.rule[s->entered.count++] = s->set->rule[position];
	}
}

/* The cost of EVENT: the rules that its class enters are walked, those that it
 * passes are counted. */
static struct call_cost class_walk(const struct survey *s,
				   const struct event *event)
{
	size_t walked = s->listed[s->set->count];
	struct tally tally;

	if (s->free)
		return (struct call_cost){0};
	tally = walk(&s->entered, event);
	if (tally.matched)
		walked = s->listed[s->position[tally.last - 1] + 1];
	tally.cost.instructions +=
		tally.price.context +
		tally.price.passed * (double)(walked - tally.cost.rules_walked);
	tally.cost.rules_walked = (unsigned int)walked;
	return tally.cost;
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

		if (never_returns(s->set->target, abi, number))
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
	struct survey survey = survey_of(arena, set);
	struct cost_table table = {.rules = set->count};

	table.item = arena_array(arena, classes.count * ABI_COUNT,
				 sizeof(*table.item));
	for (size_t i = 0; i < classes.count; i++) {
		const struct call_class *class = &classes.item[i];

		survey_class(&survey, class);
		for (int abi = 0; abi < ABI_COUNT; abi++) {
			if (!syscall_mask_empty(&class->calls.abi[abi]))
				table.item[table.count++] = class_row(
					&survey, class, (enum abi)abi);
		}
	}
	qsort(table.item, table.count, sizeof(*table.item), by_lowest_call);
	return table;
}
