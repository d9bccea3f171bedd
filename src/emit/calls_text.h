/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The calls of a rule as the values of -S, for rule_text.c and legend.c.
 */
#ifndef AUDITOPT_CALLS_TEXT_H
#define AUDITOPT_CALLS_TEXT_H

#include "model/other_abi.h"
#include "model/rule.h"

/* How the calls of a rule are written, and which of them need an explanation.
 */
struct calls_text {
	int abi; /* whose names are taken; -1: numbers only */
	/* Empty unless the rule is meant by number for both ABIs: */
	struct other_abi other;	     /* of a rule with perm */
	struct syscall_mask misread; /* names would be warned of */
};

/* For an exit or io_uring rule whose mask is not all. NATIVE_ONLY: the kernel
 * runs no other ABI, although TARGET has one. */
struct calls_text calls_text_of(const struct target *target,
				const struct rule *rule, bool native_only);

/* The name of call NUMBER by which every auditctl from 3.0.9 on finds it, or
 * NULL. ABI -1 has no names. Static storage. */
const char *calls_text_name(const struct target *target, int abi, int number);

/* " -S ..." as HOW says, as often as no more than ROOM bytes take it; lives in
 * ARENA, as do the texts. *COUNT becomes their number, which is at least one.
 */
char **calls_text_lists(struct arena *arena, const struct target *target,
			const struct rule *rule, const struct calls_text *how,
			size_t room, size_t *count);

#endif
