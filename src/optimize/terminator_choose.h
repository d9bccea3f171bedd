/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All terminators for a set, chosen one after the other. For terminators.c.
 */
#ifndef AUDITOPT_TERMINATOR_CHOOSE_H
#define AUDITOPT_TERMINATOR_CHOOSE_H

#include "optimize/terminator_choice.h"
#include "optimize/terminator_permit.h"
#include "optimize/terminators.h"

/* Those for the set of FACTS, which has none, with their rules and copies, in
 * the order in which they were chosen; returns how many. *EARLY: where early ones
 * may stand. All of it lives as long as FACTS, but for the rules, which are of
 * the set. */
size_t terminators_choose(struct facts *facts, const struct early **early,
			  struct terminator chosen[TERMINATORS_AT_MOST]);

#endif
