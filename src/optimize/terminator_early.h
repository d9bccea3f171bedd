/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Early terminators: in front of bucket rules that could match what they end,
 * copies of which go in front of them. For terminators.c and
 * terminator_choice.c.
 */
#ifndef AUDITOPT_TERMINATOR_EARLY_H
#define AUDITOPT_TERMINATOR_EARLY_H

#include "optimize/terminator_permit.h"

/* Where early terminators may stand; lives as long as the facts of ASKING. */
const struct early *early_of(const struct asking *asking,
			     const struct permission *permission);

/* Copies for an early terminator T, whose rule is made, in the order in which
 * they stand in front of it. Lives in the set's arena. */
struct rule **early_copies(const struct facts *facts, const struct early *early,
			   const struct terminator *t, size_t *count);

/* How many rules directly in front of rule I are the copies that an early
 * terminator I needs; 0: it is none. */
size_t early_copies_at(const struct asking *asking, size_t i);

#endif
