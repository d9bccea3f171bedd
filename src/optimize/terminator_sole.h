/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls that a few rules keep. For terminator_early.c.
 */
#ifndef AUDITOPT_TERMINATOR_SOLE_H
#define AUDITOPT_TERMINATOR_SOLE_H

#include "optimize/terminator_choice.h"
#include "optimize/terminator_permit.h"

/* For terminators with CONDITION, which demands no flags, with copies of rules
 * of the list alone or WITH_BUCKETS as well; lives as long as the facts of
 * ASKING. */
const struct sole *sole_of(const struct asking *asking, unsigned int condition,
			   bool with_buckets);

#endif
