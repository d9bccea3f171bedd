/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --verbatim: every rule that stays keeps the text of its line. The same text
 * may mean something else to another auditctl, so what was shown for one is
 * shown for the others, too.
 */
#ifndef AUDITOPT_VERBATIM_H
#define AUDITOPT_VERBATIM_H

#include "cli/cli.h"
#include "cli/proof.h"
#include "verify/equivalence.h"

struct verbatim {
	const struct cli_input *in;
	const struct compile_options *compile;
	const struct target *target; /* of the sets that are compared */
	const char **text; /* by line; NULL: it cannot be kept, or is no rule */
	const char **why;  /* why not */
	bool returns;	   /* lines lost a CR at their end, as augenrules does
			    * since 3.1.1 */
	unsigned int refuses; /* an auditctl that verbatim_holds() found not to
			       * take all texts; 0: none */
	unsigned int differs; /* one to which some line whose text cannot be
			       * kept means something else than is written for
			       * it; 0: none */
};

/* The texts of the lines of IN that give one rule each; lives in ARENA. */
struct verbatim *verbatim_of(struct arena *arena, const struct cli_input *in,
			     const struct compile_options *compile,
			     const struct target *target);

/* What the rules of SET, made of the input by dropping, moving and adding
 * rules, are if auditctl VERSION reads their texts; *SOURCE, if not NULL,
 * becomes the rules of the input, those whose text can be kept as VERSION reads
 * it. NULL if it does not take each of those texts. Lives in ARENA. */
struct ruleset *verbatim_under(struct arena *arena, const struct verbatim *v,
			       const struct ruleset *set, unsigned int version,
			       struct ruleset **source);

/* Is SET, read by any auditctl that takes its texts, proved to mean what that
 * auditctl makes of the input? *VERSION becomes the first for which it is not.
 */
bool verbatim_holds(struct arena *arena, struct verbatim *v,
		    const struct ruleset *set, const struct verify_options *how,
		    unsigned int *version);

/* As optimize_proved(), and what comes of it is proved for every other auditctl
 * that takes its texts as well; else it is what a lower level makes of BEFORE,
 * which is told. */
struct proved verbatim_optimize(struct arena *arena, struct verbatim *v,
				const struct ruleset *before,
				const struct pipeline_options *how);

/* Lines for the head that say which auditctl does not take all texts, and which
 * reads something else in a line whose text was not kept; "" if there is none, or
 * V is NULL. Elsewhere every one takes what is written. */
const char *verbatim_limits(struct arena *arena, const struct verbatim *v);

#endif
