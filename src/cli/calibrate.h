/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of the command calibrate share.
 */
#ifndef AUDITOPT_CALIBRATE_H
#define AUDITOPT_CALIBRATE_H

#include <signal.h>

#include "cli/calibrate_run.h"
#include "cli/cli.h"

struct calibrating {
	struct arena *arena;
	const struct cli_options *options;
	struct kernel_link kernel;
	struct kernel_rules saved;
	char scratch[64];
	sigset_t stop, before;
	unsigned int steps; /* in all */
};

/* Is everything such that measuring may begin? Then C has the kernel's rules.
 * What is not is told; nothing was changed. The kernel is asked only when whoever
 * runs this may change its rules. */
bool calibrate_may_begin(struct calibrating *c);

/* Makes the scratch directory of C, to be removed by the caller; false, told, if
 * it cannot be made. */
bool calibrate_has_scratch(struct calibrating *c);

#endif
