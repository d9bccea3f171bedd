/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which terminator pays most. For terminators.c, which knows what is allowed;
 * nothing here decides whether a rule is right.
 */
#ifndef AUDITOPT_TERMINATOR_CHOICE_H
#define AUDITOPT_TERMINATOR_CHOICE_H

#include "model/rule.h"
#include "optimize/terminator_demand.h"

#define NOWHERE UINT32_MAX

/* From which position of the set on a terminator may have the call, or NOWHERE.
 */
struct permission {
	uint32_t from[CONDITIONS][ABI_COUNT][SYSCALL_MASK_CALLS];
};

struct terminator {
	uint32_t at; /* stands before the rule at this position of the set */
	unsigned int condition;
	int abi; /* -1: of any */
	struct syscall_mask calls;
	struct rule *rule;
};

/* Looks for the terminator that makes a call of PROFILE cheapest on average if
 * it is added to SET, in which COUNT others are CHOSEN already. False if none
 * pays. */
bool terminator_choose(const struct ruleset *set,
		       const struct permission *permission,
		       const struct profile *profile,
		       const struct terminator *chosen, size_t count,
		       struct terminator *best);

/* SET with the CHOSEN ones in it, each behind those that were chosen before it
 * for the same place; lives in ARENA. */
struct ruleset *terminators_inserted(struct arena *arena,
				     const struct ruleset *set,
				     const struct terminator *chosen,
				     size_t count);

#endif
