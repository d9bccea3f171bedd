/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calibration: what the instructions of the cost model take on one host, in
 * nanoseconds, as `auditopt calibrate` measured it. man/auditopt-calibrate.8
 * describes the file.
 */
#ifndef AUDITOPT_CALIBRATION_H
#define AUDITOPT_CALIBRATION_H

#include <stdbool.h>
#include <stddef.h>

#include "cost/cost.h"
#include "model/price.h"

/* What entering a rule costs whose first field, by its name in the field table,
 * fails. */
#define CALIBRATION_FIELD "field:"

/* One figure of the cost model, measured. */
struct calibrated {
	const char *name; /* of a constant of cost.h, or "field:uid" */
	double nanoseconds;
	double spread; /* how far the measurements were apart, as a part of what
			* was timed; 0.01 is one percent */
};

struct calibration {
	const char *file;    /* it was read from; NULL if it was not */
	const char *kernel;  /* uname -r */
	const char *build;   /* uname -v; "" if not known */
	const char *machine; /* uname -m */
	const char *date;    /* of the measurement, UTC, 2026-11-30T12:00:00Z */
	double call; /* nanoseconds of the measured call without rules */
	struct calibrated *item;
	size_t count;

	/* Made of the rest by calibration_settle(), nanoseconds: */
	const struct prices *prices; /* that the cost model has for KERNEL */
	double context;		     /* once, if any rule counts */
	double passed;		     /* a rule whose mask lacks the call */
	double entered;		     /* an instruction of all the rest */
};

/* The instructions that the cost model has for NAME on the kernel of PRICES, in
 * *INSTRUCTIONS; false if it knows no such figure. */
bool calibration_model(const struct prices *prices, const char *name,
		       double *instructions);

/* Fills in context, passed, entered and prices. Returns NULL, or what is wrong with the
 * items: a phrase, in ARENA. ENTERED is the sum of all figures for rules that
 * are entered, in nanoseconds, by their sum in instructions. */
const char *calibration_settle(struct arena *arena,
			       struct calibration *calibration);

/* The nanoseconds that COST stands for on that host; COST was estimated by
 * PRICES, NULL for those of 6.1. */
double calibration_nanoseconds(const struct calibration *calibration,
			       const struct prices *prices,
			       const struct call_cost *cost);

/* The text of a file, in ARENA, its size in *SIZE; C is settled. NULL without
 * memory. */
const char *calibration_text(struct arena *arena, const struct calibration *c,
			     size_t *size);

/* Reads the file at PATH; settled, in ARENA. NULL if it cannot be used, then
 * *WHY (in ARENA) says why. */
const struct calibration *calibration_read(struct arena *arena,
					   const char *path, const char **why);

#endif
