/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Witnesses of verify/equivalence.h before the evaluator.
 */
#ifndef AUDITOPT_TESTS_WITNESS_H
#define AUDITOPT_TESTS_WITNESS_H

#include "verify/equivalence.h"

/* SET with its unsettled watches made directories if they are among the COUNT
 * TREES, else paths, and without what the kernel then refuses as there already.
 * Lives in ARENA. */
const struct ruleset *settled_as(struct arena *arena, const struct ruleset *set,
				 const char *const *trees, size_t count);

/* Does the evaluator do with BEFORE and AFTER what WITNESS says, and is that
 * something else at LEVEL? Returns NULL, or what is wrong, a static text. */
const char *witness_refuted(struct arena *arena, const struct ruleset *before,
			    const struct ruleset *after, int level,
			    const struct witness *witness);

#endif
