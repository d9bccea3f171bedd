/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/mutate.h"
#include "lib/random_maker.h"
#include "model/audit_names.h"

#define ROUNDS 6

/* The event of MAKER, made to satisfy RULE alone. */
static void aim_at(struct event_maker *maker, struct random *random,
		   struct rule *rule, unsigned int percent)
{
	const struct ruleset *set = maker->set;
	struct ruleset one = {.target = set->target, .rule = &rule, .count = 1};

	maker->set = &one;
	maker_aim(maker, random, percent);
	maker->set = set;
}

/* Which rule decided, as the walk tells it. */
struct decider {
	size_t position;
	bool any;
};

static void note_match(void *data, size_t position, bool in_mask,
		       bool overridden, unsigned int fields,
		       const struct field_test *failed, int name)
{
	struct decider *decider = data;

	(void)fields;
	(void)name;
	if (!in_mask || overridden || failed)
		return;
	decider->position = position;
	decider->any = true;
}

static struct decider who_decides(const struct ruleset *set,
				  const struct event *event, bool uring)
{
	struct decider decider = {0};
	const struct walk_observer watcher = {note_match, &decider};

	if (uring)
		kernel_uring_exit(set, event, &watcher);
	else
		kernel_syscall_exit(set, event, &watcher);
	return decider;
}

static enum field_op negated(enum field_op op)
{
	switch (op) {
	case OP_EQ:
		return OP_NE;
	case OP_NE:
		return OP_EQ;
	case OP_LT:
		return OP_GE;
	case OP_GE:
		return OP_LT;
	case OP_GT:
		return OP_LE;
	case OP_LE:
		return OP_GT;
	default: /* no bit of it */
		return OP_EQ;
	}
}

/* Makes one test of RULE fail, if chance will have it. */
static void aim_past(struct event_maker *maker, struct random *random,
		     const struct rule *rule)
{
	struct rule other = {.filter = rule->filter};
	struct field_test test;

	if (!rule->tests)
		return;
	test = rule->test[random_below(random, rule->tests)];
	if (test.field->kind == FIELD_ARCH || test.field->kind == FIELD_PERM)
		return;
	if (test.op == OP_BIT_MASK || test.op == OP_BIT_TEST)
		test.value = 0;
	test.op = negated(test.op);
	other.test = &test;
	other.tests = 1;
	syscall_mask_add(&other.mask, maker->event.number);
	aim_at(maker, random, &other, 100);
}

/* The first of RULE's places in SET; the end if it has none. */
static size_t place_of(const struct ruleset *set, const struct rule *rule)
{
	size_t i = 0;

	while (i < set->count && set->rule[i] != rule)
		i++;
	return i;
}

/* A call of the mutation, and values that both of RULES let through. */
static void aim_at_both(struct event_maker *maker, struct random *random,
			const struct rule *const rules[2], int call)
{
	for (int i = 0; i < 2; i++) {
		struct rule rule;

		if (!rules[i])
			continue;
		rule = *rules[i];
		if (call >= 0 && random_chance(random, 90)) {
			rule.mask = (struct syscall_mask){0};
			syscall_mask_add(&rule.mask, call);
		} else if (i == 1 &&
			   syscall_mask_has(&rule.mask, maker->event.number)) {
			rule.mask = (struct syscall_mask){0};
			syscall_mask_add(&rule.mask, maker->event.number);
		}
		aim_at(maker, random, &rule,
		       random_chance(random, 80) ? 100 : 90);
	}
}

const struct event *mutation_event(struct event_maker *maker,
				   struct random *random,
				   const struct ruleset *set,
				   const struct mutation *made)
{
	bool after = made->after[0] && random_chance(random, 50);
	const struct rule *const *rules = after ? made->after : made->before;
	const struct ruleset *in = after ? made->set : set;
	size_t place = place_of(in, rules[0]);
	bool uring = rules[0]->filter == AUDIT_FILTER_URING_EXIT;

	event_maker_next(maker, random);
	if (random_chance(random, 90)) { /* else nothing would match */
		maker->event.task_never = maker->event.task_always = false;
		maker->event.replaced = 0;
	}
	aim_at_both(maker, random, rules, made->call);
	maker_keep_real(maker, uring);
	for (int i = 0; i < ROUNDS; i++) {
		struct decider decider = who_decides(in, &maker->event, uring);

		if (!decider.any || decider.position >= place)
			break;
		aim_past(maker, random, in->rule[decider.position]);
		maker_keep_real(maker, uring);
	}
	return &maker->event;
}
