/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Classes of calls: the (ABI, number) pairs that exactly the same rules of a
 * filter are entered for (rule_entered) and exactly the same can match
 * (rule_calls). There are tens of them where there are thousands of calls.
 */
#ifndef AUDITOPT_CALL_CLASS_H
#define AUDITOPT_CALL_CLASS_H

#include "model/rule.h"

struct call_class {
	struct syscall_set calls;
	const size_t *rule; /* positions in the rule set, ascending: the rules
			     * whose mask has the calls (rule_entered) */
	size_t rules;
};

struct call_classes {
	struct call_class *item; /* ordered by their lowest (ABI, number) */
	size_t count;
};

/* The classes of one FILTER (AUDIT_FILTER_EXIT or AUDIT_FILTER_URING_EXIT) of
 * the set, for every ABI that the target has. Every number below
 * SYSCALL_MASK_CALLS is in exactly one. Lives in ARENA; time grows with the
 * number of rules times the width of a mask. */
struct call_classes call_classes_of(struct arena *arena,
				    const struct ruleset *set, uint32_t filter);

#endif
