/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies of rules in front of an early terminator: which may be made, and what
 * they are. For terminator_early.c and terminator_sole.c.
 */
#ifndef AUDITOPT_TERMINATOR_COPY_H
#define AUDITOPT_TERMINATOR_COPY_H

#include "optimize/facts.h"
#include "optimize/terminator_demand.h"

/* Has RULE a test of FIELD? */
bool rule_asks_for(const struct rule *rule, const struct field_info *field);

/* May rule K of FACTS be copied for a terminator that demands FLAGS (DEMANDS: it
 * demands none)? Not if its line might become too long, nor if it asks for the
 * argument with the flags itself. */
bool terminator_may_copy(const struct facts *facts, size_t k,
			 enum demand flags);

/* What rule K of FACTS is in front of the terminator T: its tests and T's, for
 * T's calls alone; the mask is empty if none of them needs it. In the list its
 * tests have the order that pass_field_order would give them, which has run by
 * then. Lives in the set's arena. */
struct rule *terminator_copy_of(const struct facts *facts, size_t k,
				const struct rule *t);

#endif
