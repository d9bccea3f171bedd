/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Differences in what is no rule: -e, -q, -b and their like.
 */
#ifndef AUDITOPT_DIFF_CONTROLS_H
#define AUDITOPT_DIFF_CONTROLS_H

#include <stdio.h>

#include "cli/cli.h"

struct controls_difference {
	bool off;	      /* -e 0 is in force in one of them alone */
	bool trees;	      /* -q adds to a tree in one of them alone */
	bool trees_unknown;   /* what -q adds to is not known */
	const char *unlogged; /* what differs and changes nothing in what is
			       * logged, a line each; "": nothing */
	const char *logged;   /* the others, as print_region() tells */
};

/* Lives in the arena of OLD. OLD_FROM_KERNEL: it came from --from-kernel. */
struct controls_difference controls_compare(const struct cli_input *old,
					    const struct cli_input *new,
					    bool old_from_kernel);

/* May the two log something else? */
bool controls_differ(const struct controls_difference *found);

/* "-e and -q"; "": they may not. Static. */
const char *controls_which(const struct controls_difference *found);

#endif
