/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/price.h"

#include <libaudit.h>
#include <string.h>

#include "model/call_names.h"
#include "model/kernel.h"
#include "model/kernel_match.h"
#include "model/perm.h"

#define INODE_BUCKETS 32 /* AUDIT_INODE_BUCKETS */

int price_of_test(const struct field_test *test)
{
	int figure = (int)test->field->cost_fail;

	return figure > PRICE_RULE_ENTERED ? figure - PRICE_RULE_ENTERED
					   : PRICE_FIELD_FURTHER;
}

struct priced_call priced_call_of(const struct prices *prices,
				  const struct target *target,
				  const struct event *event)
{
	enum naming naming = call_naming(target, event->abi, event->number);

	if (!prices)
		prices = prices_of(NULL);
	return (struct priced_call){.prices = prices,
				    .target = target,
				    .event = event,
				    .naming = &prices->naming[naming]};
}

/* audit_match_perm asks one class after the other, until one has the call. */
static int price_of_perm(const struct priced_call *call, uint32_t perm)
{
	static const uint32_t order[] = {AUDIT_PERM_WRITE, AUDIT_PERM_READ,
					 AUDIT_PERM_ATTR};
	const struct event *event = call->event;
	int price = call->prices->perm_call;

	switch (call_naming(call->target, event->abi, event->number)) {
	case NAMING_OPEN:
	case NAMING_EXECUTE:
		return call->prices->perm_open;
	default:
		break;
	}
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		if (!(perm & order[i]))
			continue;
		price += call->prices->perm_class;
		if (perm_match(call->target, event->abi, event->number,
			       event->argv, event->open_flags, order[i]))
			break;
	}
	return price;
}

/* What the test costs that call, in the list. */
static int price_of_test_in(const struct priced_call *call,
			    const struct field_test *test)
{
	int names = call->naming->names;

	switch (test->field->kind) {
	case FIELD_PERM:
		return price_of_perm(call, test->value);
	case FIELD_EXE:
		return price_of_test(test) + call->prices->exe_more;
	case FIELD_NAME:
		return price_of_test(test) + names * call->prices->name_owner;
	case FIELD_FILETYPE:
		return price_of_test(test) + names * call->prices->name_type;
	case FIELD_COMPARE:
		if (test_needs_name(test))
			return price_of_test(test) +
			       names * call->prices->name_owner;
		return price_of_test(test);
	default:
		return price_of_test(test);
	}
}

int price_of_rule(const struct priced_call *call, const struct rule *rule,
		  bool in_mask, bool matches, unsigned int fields)
{
	int price = matches ? call->prices->rule_matched
			    : call->prices->rule_entered;

	if (!in_mask)
		return call->prices->rule_passed;
	for (unsigned int i = 0; i < fields; i++)
		price += price_of_test_in(call, &rule->test[i]);
	return price;
}

int price_in_bucket(const struct priced_call *call, const struct rule *rule,
		    bool in_mask, bool overridden)
{
	static const struct event_name none = {.inode = UINT64_MAX};
	struct view view = {.target = call->target,
			    .event = call->event,
			    .context = true,
			    .arch = call->target->abi[call->event->abi].elf,
			    .abi = call->event->abi,
			    .number = call->event->number,
			    .name = &none};
	int price = call->prices->rule_entered;

	if (!in_mask)
		return call->prices->rule_passed;
	memcpy(view.argv, call->event->argv, sizeof(view.argv));
	for (unsigned int i = 0; i < rule->tests && !overridden; i++) {
		const struct field_test *test = &rule->test[i];
		enum field_kind kind = test->field->kind;

		price += kind == FIELD_PATH || kind == FIELD_NAME
				 ? call->prices->name_alone
				 : price_of_test_in(call, test);
		if (!view_test(&view, test))
			break;
	}
	return price;
}

bool rule_in_bucket(const struct rule *rule)
{
	if (rule->filter != AUDIT_FILTER_EXIT &&
	    rule->filter != AUDIT_FILTER_URING_EXIT)
		return false;
	for (unsigned int i = 0; i < rule->tests; i++) {
		const struct field_test *test = &rule->test[i];

		if (test->field->kind == FIELD_PATH ||
		    (test->field->number == AUDIT_INODE && test->op == OP_EQ))
			return true;
	}
	return false;
}

bool rule_in_exit_list(const struct rule *rule)
{
	return rule->filter == AUDIT_FILTER_EXIT && !rule_in_bucket(rule);
}

bool ruleset_watches(const struct ruleset *set)
{
	for (size_t i = 0; i < set->count; i++)
		for (unsigned int t = 0; t < set->rule[i]->tests; t++)
			switch (set->rule[i]->test[t].field->kind) {
			case FIELD_PATH:
			case FIELD_DIR:
			case FIELD_EXE:
				return true;
			default:
				break;
			}
	return false;
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
	list.bucket = arena_array(arena, room, sizeof(*list.bucket));
	for (size_t i = 0; i < set->count; i++) {
		list.listed[i + 1] =
			list.listed[i] + rule_in_exit_list(set->rule[i]);
		list.buckets += rule_in_bucket(set->rule[i]);
	}
	return list;
}

void exit_list_enter(struct exit_list *list, const struct call_class *class)
{
	list->entered.count = list->bucket_entered = 0;
	for (size_t i = 0; i < class->rules; i++) {
		struct rule *rule = list->set->rule[class->rule[i]];

		if (rule_in_bucket(rule)) {
			list->bucket[list->bucket_entered++] = class->rule[i];
			continue;
		}
		list->position[list->entered.count] = class->rule[i];
		list->entered.rule[list->entered.count++] = rule;
	}
}

/* A walk under way. */
struct walking {
	const struct exit_list *list;
	struct priced_call call;
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
	walk->paid += price_of_rule(&walking->call,
				    walking->list->entered.rule[position],
				    in_mask, matches, fields);
}

long exit_list_passed(const struct exit_list *list, size_t position,
		      size_t entered)
{
	const struct prices *prices =
		list->prices ? list->prices : prices_of(NULL);

	return prices->rule_passed * (long)(list->listed[position] - entered);
}

struct list_walk exit_list_walk(const struct exit_list *list,
				const struct event *event,
				struct list_step *step)
{
	struct walking walking = {
		.list = list,
		.call = priced_call_of(list->prices, list->set->target, event),
		.walk = {.step = step}};
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

double exit_list_buckets(const struct exit_list *list,
			 const struct event *event,
			 const struct list_walk *walk)
{
	struct priced_call call =
		priced_call_of(list->prices, list->set->target, event);
	double price = call.prices->rule_passed *
		       (double)(list->buckets - list->bucket_entered);

	if (!call.naming->names)
		return 0;
	for (size_t i = 0; i < list->bucket_entered; i++) {
		size_t at = list->bucket[i];

		price += price_in_bucket(&call, list->set->rule[at], true,
					 walk->matched && at >= walk->end);
	}
	return call.naming->names * price / INODE_BUCKETS;
}
