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
	int level;   /* of the passes that are in it; -1: none */
	size_t kept; /* so many classes of calls have the rules that they came
		      * with, since those of LEVEL were not proved */
	struct verification verification; /* of AFTER, at the level asked for */
	struct verification first; /* of what the level asked for makes */
	bool refuted; /* the passes are wrong: VERIFICATION, of AFTER, has a
		       * witness */
};

/* BEFORE as the passes of HOW make it. Calls for which that is not proved keep
 * their original rules in their order (optimize/partition.h); if that is not
 * proved either, or is dearer, all are as a lower level makes them; in the end
 * as they came. */
struct proved optimize_proved(struct arena *arena, const struct ruleset *before,
			      const struct pipeline_options *how);
/* The same with another budget for the proof (verify_options). */
struct proved optimize_proved_within(struct arena *arena,
				     const struct ruleset *before,
				     const struct pipeline_options *how,
				     size_t nodes_at_most);

/* "Proved to mean the same: 104 classes of calls, 2310 nodes, level 1.", for
 * the head; in ARENA. */
const char *proof_text(struct arena *arena, const struct proved *proved);

/* What was done because something could not be proved at LEVEL, which was asked
 * for; for the report, in ARENA. NULL if all was. */
const char *proof_fallback(struct arena *arena, const struct proved *proved,
			   int level);

/* Says what was not proved, or what was refuted and how. */
void proof_complain(struct arena *arena, const struct proved *proved,
		    const struct ruleset *before, int level);

#endif
