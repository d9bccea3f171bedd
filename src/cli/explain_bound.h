/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the call that auditopt explain is asked about costs, and what it must
 * cost under any rules that log the same.
 */
#ifndef AUDITOPT_EXPLAIN_BOUND_H
#define AUDITOPT_EXPLAIN_BOUND_H

#include <stdio.h>

#include "cli/explain_event.h"
#include "cost/bound.h"

/* Surveys SET, the rules as they are given, in Q->arena; what is the same, and
 * on which kernel, the options of Q say. */
struct bound_survey *explain_survey(const struct question *q,
				    const struct ruleset *set);

/* Writes it for Q's event: before, AFTER (NULL: there is none), and the bound
 * with what forces it. */
void explain_bound(const struct question *q, const struct cli_input *in,
		   const struct bound_survey *survey,
		   const struct ruleset *after, FILE *stream);

#endif
