/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel spends on rules, in executed instructions of Linux 6.1 on
 * x86_64. cost/constants.c says where each figure comes from. Passes that must
 * choose use them; what entering a rule costs by its first failing field is in
 * the field table.
 *
 *   mask lacks the call             RULE_PASSED
 *   entered, some field fails       RULE_ENTERED + what each field costs that
 *                                   was evaluated, the failing one included
 *   all fields hold                 RULE_MATCHED + what each field costs
 *
 * and CONTEXT_IN_USE once, if any rule counts in audit_n_rules.
 */
#ifndef AUDITOPT_PRICE_H
#define AUDITOPT_PRICE_H

#include "model/call_class.h"
#include "model/event.h"
#include "model/rule.h"

enum price {
	PRICE_CONTEXT_IN_USE = 338,
	PRICE_RULE_PASSED = 19,
	PRICE_RULE_MATCHED = 80,
	PRICE_RULE_ENTERED = 64,
	PRICE_FIELD_FURTHER = 48,
};

/* What evaluating the test costs: what its figure in the field table has above
 * RULE_ENTERED, so that a rule whose first field fails costs exactly the
 * measured figure. */
int price_of_test(const struct field_test *test);

/* What reaching RULE costs: its mask has the call or not, it matches or not,
 * and the first FIELDS of its tests are evaluated. */
int price_of_rule(const struct rule *rule, bool in_mask, bool matches,
		  unsigned int fields);

/* The exit list of a set, for walks of one class of calls after the other: the
 * rules that the class enters are walked, those that it passes are counted. A
 * watch that is not settled is taken as what it is now, as the evaluator does.
 */
struct exit_list {
	const struct ruleset *set;
	size_t *listed; /* rules of the list in front of each position of SET */
	struct ruleset entered; /* the rules of the class at hand ... */
	size_t *position;	/* ... and where they stand in SET */
};

/* Lives in ARENA. */
struct exit_list exit_list_of(struct arena *arena, const struct ruleset *set);
/* From now on for CLASS, of the classes of the exit filter of the set. */
void exit_list_enter(struct exit_list *list, const struct call_class *class);

/* A rule that was entered, and what had been paid for entering others. */
struct list_step {
	size_t position;
	long paid;
};

/* What a walk came to. */
struct list_walk {
	size_t walked; /* rules, those that were passed included */
	size_t masks, fields;
	size_t end;   /* position behind the last rule that was walked past */
	bool matched; /* that one did */
	long paid;    /* for entering rules */
	long price;   /* in all, but for CONTEXT_IN_USE */
	struct list_step *step; /* of each rule that was entered, or NULL */
	size_t steps;
};

/* EVENT, of the class at hand, walks the list. STEP: room for list->set->count
 * steps, or NULL. */
struct list_walk exit_list_walk(const struct exit_list *list,
				const struct event *event,
				struct list_step *step);

/* What passing the rules in front of POSITION costs, ENTERED of which are
 * entered and not passed. */
long exit_list_passed(const struct exit_list *list, size_t position,
		      size_t entered);

#endif
