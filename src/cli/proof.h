/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The optimizer with its proof: nothing is written that is not proved to mean
 * the same.
 */
#ifndef AUDITOPT_PROOF_H
#define AUDITOPT_PROOF_H

#include "optimize/pipeline.h"
#include "verify/equivalence.h"

struct proved {
	struct ruleset *after;
	struct change_log log;
	int level; /* of the passes that are in it; -1: none */
	struct verification verification; /* of AFTER, at the level asked for */
	struct verification first; /* of what the level asked for makes */
	bool refuted; /* the passes are wrong: VERIFICATION, of AFTER, has a
		       * witness */
};

/* BEFORE as the passes of HOW make it; if that is not proved, as those of a
 * lower level do; in the end as it came. */
struct proved optimize_proved(struct arena *arena, const struct ruleset *before,
			      const struct pipeline_options *how);

/* "Proved to mean the same: 104 classes of calls, 2310 nodes, level 1.", for
 * the head; in ARENA. */
const char *proof_text(struct arena *arena, const struct proved *proved);

/* Says what was not proved, or what was refuted and how. */
void proof_complain(struct arena *arena, const struct proved *proved,
		    const struct ruleset *before, int level);

#endif
