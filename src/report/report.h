/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports: what was done and what it gains, for people and for programs.
 */
#ifndef AUDITOPT_REPORT_H
#define AUDITOPT_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "cost/cost.h"
#include "frontend/diagnostic.h"
#include "frontend/source.h"
#include "model/rule.h"
#include "optimize/pass.h"

struct report {
	const struct input *input;
	struct diagnostics *diagnostics;
	const struct target *target;
	int level;
	const struct ruleset *before; /* NULL: the input has errors; for
				       * report_json() only */
	const struct ruleset *after;  /* NULL: only `before` is reported */
	const struct change_log *log; /* NULL if after is */
	unsigned int auditctl_version;
};

/* For a person: totals, what each pass removed, the ten dearest calls, a row a
 * class of calls before and after. VERBOSE adds each change. */
void report_text(struct arena *arena, const struct report *report, bool verbose,
		 FILE *stream);

/* JSON as man/auditopt.report.5 describes it; ends with a newline. Returns
 * false if the stream fails. */
bool report_json(struct arena *arena, const struct report *report,
		 FILE *stream);

#endif
