/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/price.h"

#include <libaudit.h>

#include "model/kernel.h"

int price_of_test(const struct field_test *test)
{
	int figure = (int)test->field->cost_fail;

	return figure > PRICE_RULE_ENTERED ? figure - PRICE_RULE_ENTERED
					   : PRICE_FIELD_FURTHER;
}

int price_of_rule(const struct rule *rule, bool in_mask, bool matches,
		  unsigned int fields)
{
	int price = matches ? PRICE_RULE_MATCHED : PRICE_RULE_ENTERED;

	if (!in_mask)
		return PRICE_RULE_PASSED;
	for (unsigned int i = 0; i < fields; i++)
		price += price_of_test(&rule->test[i]);
	return price;
}

/* Does every call walk past it? */
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

struct exit_list exit_list_of(struct arena *arena, const struct ruleset *set)
{
	size_t room = set->count + 1;
	struct exit_list list = {.set = set,
				 .entered = {.arena = arena,
					     .target = set->target,
					     .capacity = room}};

	list.entered.rule = arena_array(arena, room, sizeof(struct rule *));
	list.position = arena_array(arena, room, sizeof(*list.position));
	list.listed = arena_array(arena, room, sizeof(*list.listed));
	for (size_t i = 0; i < set->count; i++)
		list.listed[i + 1] =
			list.listed[i] + in_exit_list(set->rule[i]);
	return list;
}

void exit_list_enter(struct exit_list *list, const struct call_class *class)
{
	list->entered.count = 0;
	for (size_t i = 0; i < class->rules; i++) {
		struct rule *rule = list->set->rule[class->rule[i]];

		if (!in_exit_list(rule))
			continue;
		list->position[list->entered.count] = class->rule[i];
		list->entered.rule[list->entered.count++] = rule;
	}
}

/* A walk under way. */
struct walking {
	const struct exit_list *list;
	struct list_walk walk;
};

static void enter(void *data, size_t position, bool in_mask, bool overridden,
		  unsigned int fields, const struct field_test *failed,
		  int name)
{
	struct walking *walking = data;
	struct list_walk *walk = &walking->walk;
	size_t at = walking->list->position[position];
	bool matches = in_mask && !overridden && !failed;

	(void)name;
	if (walk->step)
		walk->step[walk->steps] = (struct list_step){at, walk->paid};
	walk->steps++;
	walk->matched = matches;
	walk->masks += in_mask;
	walk->fields += in_mask ? fields : 0;
	walk->end = at + 1;
	walk->paid += price_of_rule(walking->list->entered.rule[position],
				    in_mask, matches, fields);
}

long exit_list_passed(const struct exit_list *list, size_t position,
		      size_t entered)
{
	return PRICE_RULE_PASSED * (long)(list->listed[position] - entered);
}

struct list_walk exit_list_walk(const struct exit_list *list,
				const struct event *event,
				struct list_step *step)
{
	struct walking walking = {.list = list, .walk = {.step = step}};
	struct walk_observer observer = {enter, &walking};
	struct list_walk *walk = &walking.walk;

	if (list->entered.count)
		kernel_syscall_exit(&list->entered, event, &observer);
	if (!walk->matched)
		walk->end = list->set->count;
	walk->walked = list->listed[walk->end];
	walk->price =
		walk->paid + exit_list_passed(list, walk->end, walk->steps);
	return *walk;
}
