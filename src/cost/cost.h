/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cost: what a rule set costs each call, estimated in executed instructions.
 */
#ifndef AUDITOPT_COST_H
#define AUDITOPT_COST_H

#include <stddef.h>

#include "model/call_class.h"
#include "model/event.h"
#include "model/price.h"
#include "model/rule.h"

/* One constant of the model, with its name and where it was measured. The only
 * places that have figures of their own are model/price.h, price_table.c and the
 * field table, in which stands what entering a rule costs by its first failing
 * field. All of Linux 6.1. */
struct cost_constant {
	const char *name; /* "rule_passed" */
	double instructions;
	const char *source;
};

/* Who makes the calls that are estimated. */
enum identity { IDENTITY_DAEMON, IDENTITY_USER, IDENTITY_COUNT };

/* The constant called NAME; the program ends with status 4 if there is none. */
double cost_constant(const char *name);
/* All of them, I from 0; NULL past the end. */
const struct cost_constant *cost_constant_row(unsigned int i);

struct call_cost {
	unsigned int rules_walked;
	unsigned int masks_hit;
	unsigned int fields_evaluated;
	bool asked; /* some rule, in the list or a bucket, has the call */
	double instructions; /* above what the call costs with no rules loaded */
	double fixed; /* of them, what it pays whatever the rules are, as long
		       * as there is one that counts, and a watch where there
		       * is one */
};

struct class_cost {
	struct syscall_set calls;
	enum abi abi; /* one ABI a row */
	struct call_cost cost[IDENTITY_COUNT];
};

struct cost_table {
	struct class_cost *item;
	size_t count;
	size_t rules; /* loaded in all */
};

/* The typical call that stands for all calls of a class: succeeds, its files are
 * none that a rule names; DAEMON: auid unset, uid 0; USER: auid and uid 1000. */
struct event cost_event(enum abi abi, int number, enum identity identity);

/* The same, but a call that never returns (exit, exit_group) has no result: what
 * cost_of() walks with. */
struct event cost_event_on(const struct target *target, enum abi abi,
			   int number, enum identity identity);

/* The table for the exit filter of SET, classes split by ABI and by how their
 * calls name files (call_naming.h), ordered by ABI and lowest number; lives in
 * ARENA. */
struct cost_table cost_of(struct arena *arena, const struct ruleset *set);
/* The same on the kernel that has PRICES (prices_of); NULL: 6.1. */
struct cost_table cost_on(struct arena *arena, const struct ruleset *set,
			  const struct prices *prices);

/* Estimated cost of one event, whose names are none that a rule names. */
struct call_cost cost_of_event(const struct ruleset *set,
			       const struct event *event);
/* The same on the kernel that has PRICES; NULL: 6.1. */
struct call_cost cost_of_event_on(const struct ruleset *set,
				  const struct event *event,
				  const struct prices *prices);

#endif
