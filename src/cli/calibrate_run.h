/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calibrate's measuring, in processes of its own: whatever becomes of them, the
 * caller is there to put the kernel's rules back.
 *
 *   caller    waits, and hears of signals
 *   runner    adds and deletes the rules of each step
 *   measured  a child for each round, forked when the rules are loaded: a task
 *             gets its audit context at fork
 *
 * Each ends when the one above it has: the runner puts the rules back then.
 */
#ifndef AUDITOPT_CALIBRATE_RUN_H
#define AUDITOPT_CALIBRATE_RUN_H

#include <signal.h>
#include <stdbool.h>

#include "cli/calibrate_kernel.h"

#define CALIBRATE_STEPS_MOST 32

/* Nanoseconds of one call: the best, and how far the three best are apart. */
struct timed {
	double best, range;
	bool stable; /* they are near enough to each other */
};

struct calibrate_run {
	const char *scratch;		  /* an empty directory */
	const struct kernel_rules *saved; /* taken out first */
	const sigset_t *stop; /* signals that are to end it; all are blocked */
	void (*progress)(void *data, unsigned int step);
	void *data;

	/* The outcome: */
	struct timed base[CALIBRATE_STEPS_MOST]; /* without rules, and ... */
	struct timed with[CALIBRATE_STEPS_MOST]; /* with those of the step */
	int signal;    /* that ended it; 0: none did */
	char why[200]; /* it failed; "": it did not */
};

/* Runs all steps. Returns whether all were measured. The kernel's rules are to
 * be restored by the caller in any case. */
bool calibrate_run(struct calibrate_run *run);

/* Times CALIBRATE_CALL in children until the best three rounds agree, or often
 * enough, in *TIMED; for the runner. NULL, or why not: "" if a signal of STOP
 * came. */
const char *calibrate_time(const sigset_t *stop, struct timed *timed);

#endif
