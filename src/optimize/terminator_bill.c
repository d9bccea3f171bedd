/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The evaluator walks over the rules that a class of calls enters; those that
 * it passes are counted. The figures are the cost model's.
 */
#include "optimize/terminator_bill.h"

#include <libaudit.h>

#include "model/call_class.h"
#include "model/kernel.h"
#include "model/price.h"

/* A rule that was entered, and what had been paid for entering others. */
struct step {
	size_t position;
	int64_t paid;
};

/* A walk over the rules that a class enters. */
struct walk {
	const struct ruleset *entered;
	const size_t *position; /* of them in the whole set */
	struct step *step;
	size_t steps;
	int64_t paid;
	bool matched; /* and so it ended at the last step */
};

struct making {
	struct arena *scratch;
	struct bills *bills;
	size_t *listed; /* rules of the exit list before each position */
	struct ruleset entered; /* the list rules of the class at hand ... */
	size_t *position;	/* ... where they stand in the set */
	struct step *step;	/* room */
};

/* Does every call walk past it? A watch that is not settled is taken as what it
 * is now, as the evaluator does. */
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

int64_t test_price(const struct field_test *test)
{
	int64_t figure = test->field->cost_fail;

	return figure > PRICE_RULE_ENTERED ? figure - PRICE_RULE_ENTERED
					   : PRICE_FIELD_FURTHER;
}

static void enter(void *data, size_t position, bool in_mask, bool overridden,
		  unsigned int fields, const struct field_test *failed,
		  int name)
{
	struct walk *walk = data;
	const struct rule *rule = walk->entered->rule[position];

	(void)overridden;
	(void)name;
	walk->step[walk->steps++] =
		(struct step){walk->position[position], walk->paid};
	walk->matched = in_mask && !failed;
	if (!in_mask) { /* a rule for classes of calls */
		walk->paid += PRICE_RULE_PASSED;
		return;
	}
	walk->paid += failed ? PRICE_RULE_ENTERED : PRICE_RULE_MATCHED;
	for (unsigned int i = 0; i < fields; i++)
		walk->paid += test_price(&rule->test[i]);
}

static int64_t passed(const struct making *m, size_t position, size_t entered)
{
	return PRICE_RULE_PASSED * (int64_t)(m->listed[position] - entered);
}

static void fill_in(const struct making *m, const struct walk *walk,
		    struct bill *bill)
{
	size_t end = walk->matched ? walk->step[walk->steps - 1].position + 1
				   : m->bills->set->count;

	bill->all = walk->paid + passed(m, end, walk->steps);
	bill->before =
		arena_array(m->scratch, m->bills->places + 1, sizeof(int64_t));
	for (size_t i = 0; i < m->bills->places; i++) {
		size_t at = m->bills->place[i].inserted, entered = 0;

		while (entered < walk->steps &&
		       walk->step[entered].position < at)
			entered++;
		bill->before[i] = entered < walk->steps
					  ? walk->step[entered].paid
					  : walk->paid;
		bill->before[i] += passed(m, at, entered);
		if (walk->matched && at >= end)
			bill->before[i] = -1;
	}
}

static struct bill *find_bill(const struct bills *bills, size_t class, int abi,
			      unsigned int kind)
{
	return &bills->bill[(class * ABI_COUNT + (size_t)abi) * KINDS_AT_MOST +
			    kind];
}

const struct bill *bill_of(const struct bills *bills, size_t class, int abi,
			   unsigned int kind)
{
	return find_bill(bills, class, abi, kind);
}

static void walk_as(const struct making *m, size_t class, int abi, int number)
{
	const struct profile_kind *kind;

	for (unsigned int k = 0; (kind = profile_kind(k)); k++) {
		struct event event = profile_event(m->bills->set->target,
						   (enum abi)abi, number, kind);
		struct walk walk = {.entered = &m->entered,
				    .position = m->position,
				    .step = m->step};
		struct walk_observer observer = {enter, &walk};

		if (m->entered.count)
			kernel_syscall_exit(&m->entered, &event, &observer);
		fill_in(m, &walk, find_bill(m->bills, class, abi, k));
	}
}

/* The call of CLASS that is made most; -1: none is made. */
static int typical_call(const struct making *m, const struct call_class *class,
			int abi)
{
	const unsigned int *weight = m->bills->profile->weight[abi];
	const struct syscall_mask *mask = &class->calls.abi[abi];
	int typical = -1;

	for (int n = syscall_mask_next(mask, 0); n >= 0;
	     n = syscall_mask_next(mask, n + 1))
		if (weight[n] && (typical < 0 || weight[n] > weight[typical]))
			typical = n;
	return typical;
}

static void enlist(struct making *m, const struct call_class *class)
{
	m->entered.count = 0;
	for (size_t i = 0; i < class->rules; i++) {
		struct rule *rule = m->bills->set->rule[class->rule[i]];

		if (!in_exit_list(rule))
			continue;
		m->position[m->entered.count] = class->rule[i];
		m->entered.rule[m->entered.count++] = rule;
	}
}

static void bill_class(struct making *m, const struct call_class *class,
		       size_t index)
{
	enlist(m, class);
	for (int abi = 0; abi < ABI_COUNT; abi++) {
		const struct syscall_mask *mask = &class->calls.abi[abi];
		int number = typical_call(m, class, abi);

		for (int n = syscall_mask_next(mask, 0); n >= 0;
		     n = syscall_mask_next(mask, n + 1))
			m->bills->class_of[abi][n] = index;
		if (number >= 0)
			walk_as(m, index, abi, number);
	}
}

void bills_make(struct arena *scratch, struct bills *bills)
{
	const struct ruleset *set = bills->set;
	struct call_classes classes =
		call_classes_of(scratch, set, AUDIT_FILTER_EXIT);
	size_t room = set->count + 1;
	struct making m = {.scratch = scratch,
			   .bills = bills,
			   .entered = {.arena = scratch,
				       .target = set->target,
				       .capacity = room}};

	m.entered.rule = arena_array(scratch, room, sizeof(*m.entered.rule));
	m.position = arena_array(scratch, room, sizeof(*m.position));
	m.step = arena_array(scratch, room, sizeof(*m.step));
	m.listed = arena_array(scratch, room, sizeof(*m.listed));
	for (size_t i = 0; i < set->count; i++)
		m.listed[i + 1] = m.listed[i] + in_exit_list(set->rule[i]);
	for (int abi = 0; abi < ABI_COUNT; abi++)
		bills->class_of[abi] =
			arena_array(scratch, SYSCALL_MASK_BITS, sizeof(size_t));
	bills->classes = classes.count;
	bills->bill =
		arena_array(scratch, classes.count * ABI_COUNT * KINDS_AT_MOST,
			    sizeof(*bills->bill));
	for (size_t i = 0; i < classes.count; i++)
		bill_class(&m, &classes.item[i], i);
}
