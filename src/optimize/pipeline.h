/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pipeline: which passes run, in which order, how often.
 */
#ifndef AUDITOPT_PIPELINE_H
#define AUDITOPT_PIPELINE_H

#include "optimize/pass.h"

/* All passes in the order in which they run; I from 0; NULL past the end. */
const struct pass *pipeline_pass(unsigned int i);

/* Runs the passes of LEVEL (0..2) over SET, in place, until none changes
 * anything. Changes are appended to LOG. Does nothing to a set with a task rule
 * `never` without fields: no exit rule of it can ever decide anything, and what
 * to do about that is the admin's decision. Everything lives in ARENA. */
void pipeline_run(struct arena *arena, struct ruleset *set, int level,
		  struct change_log *log);

/* The same with what else the passes may know (pass.h). */
struct pipeline_options {
	int level;
	const struct profile *profile; /* of the set's target; NULL: default */
	bool kernel_unknown;
	bool verbatim;
	uint32_t unlogged, foreign;
	bool cautious; /* pass.h */
	bool estimate; /* nothing is written: what comes of one run will do */
	struct progress *progress; /* util/progress.h; NULL: not told */
};

void pipeline_run_as(struct arena *arena, struct ruleset *set,
		     const struct pipeline_options *options,
		     struct change_log *log);

#endif
