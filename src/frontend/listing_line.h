/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One line of auditctl -l, for listing.c.
 */
#ifndef AUDITOPT_LISTING_LINE_H
#define AUDITOPT_LISTING_LINE_H

#include <stdbool.h>

#include "model/abi.h"
#include "util/arena.h"

/* From line to line of a listing: where the names of calls come from. */
struct listing_state {
	const struct target *target;
	int abi; /* enum abi of the last arch; -1: one without names */
};

struct listing_line {
	const char *text; /* the same as a line of a rules file */
	bool differs;	  /* the line itself means something else there, or
			    * nothing */
	bool adds_calls;  /* ... to an auditctl for which perm= adds calls */
	bool watch, exe;  /* it has -w; exe= */
};

/* What LINE (without NUL) stands for, in ARENA; STATE is carried on. False if
 * auditctl -l prints no such line. */
bool listing_line_read(struct arena *arena, struct listing_state *state,
		       const char *line, struct listing_line *read);

#endif
