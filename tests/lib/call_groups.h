/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Classes of calls, found in another way than model/call_class.h and verify/
 * do: calls that meet the same rules of two sets and are alike to the kernel
 * are of one group.
 */
#ifndef AUDITOPT_TESTS_CALL_GROUPS_H
#define AUDITOPT_TESTS_CALL_GROUPS_H

#include "lib/random.h"
#include "lib/smt.h"

struct call_group {
	uint64_t hash;	      /* of what it is a group by */
	struct smt_call call; /* any of them */
	size_t calls;
	bool differs; /* it does not meet the same rules in the same order in
		       * both sets, masks aside */
};

struct call_groups {
	struct call_group *item;
	size_t count;
};

/* The groups of BEFORE and AFTER, which are settled, for all ABIs and for
 * operations outside of a call; each has a random one of its calls. Lives in
 * ARENA. */
struct call_groups call_groups_of(struct arena *arena, struct random *random,
				  const struct ruleset *before,
				  const struct ruleset *after);

#endif
