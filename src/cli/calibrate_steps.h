/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What calibrate measures: for each figure of the cost model the rules that
 * show it, and how it follows from the time that a call then takes.
 *
 * No rule can log anything: all are `never`. No rule can match, either, but for
 * one that matches CALIBRATE_CALL alone: each ends with a process number past
 * the highest that there can be.
 */
#ifndef AUDITOPT_CALIBRATE_STEPS_H
#define AUDITOPT_CALIBRATE_STEPS_H

#include <libaudit.h>
#include <stdbool.h>

#define CALIBRATE_FIELDS_MOST 4

/* One condition. */
struct step_field {
	uint32_t field, op, value;
	bool is_path; /* the value is the scratch directory */
};

enum step_kind {
	STEP_CONTEXT, /* a rule that counts, and none in the exit list */
	STEP_PASSED,  /* rules whose masks lack the call */
	STEP_MATCHED, /* one rule that matches at once */
	STEP_FIELD,   /* rules whose first field fails */
	STEP_FURTHER, /* rules whose last field fails */
};

struct calibrate_step {
	const char *name; /* as in cost/calibration.h */
	enum step_kind kind;
	unsigned int rules;
	struct step_field field[CALIBRATE_FIELDS_MOST];
	unsigned int fields;
};

/* Step I from 0; NULL past the end. The first one is STEP_CONTEXT. */
const struct calibrate_step *calibrate_step(unsigned int i);

/* Rule number I of STEP, from malloc(); NULL without memory. SCRATCH is an
 * empty directory. */
struct audit_rule_data *calibrate_rule(const struct calibrate_step *step,
				       unsigned int i, const char *scratch);

/* The figure that step I stands for, in nanoseconds: ABOVE[N] is what a call
 * takes with the rules of step N above what it takes without rules. */
double calibrate_figure(unsigned int i, const double *above);

#endif
