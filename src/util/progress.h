/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How far it is, on a terminal: one line that is redrawn, for what takes more
 * than a second. One struct progress serves a whole run. Whoever has work that
 * may be long calls progress_step() in its loop; whoever prints afterwards calls
 * progress_clear() first.
 */
#ifndef AUDITOPT_PROGRESS_H
#define AUDITOPT_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

/* Of progress.c alone. */
struct progress {
	int fd;	       /* -1: nothing is told */
	long long due; /* milliseconds; when it may be drawn next */
	bool drawn;
};

/* Begins to tell on descriptor FD, what began now. Nothing will be told if it is
 * not WANTED, if FD is no terminal, or one that cannot clear a line (TERM is
 * "dumb" or not set). */
void progress_begin(struct progress *progress, int fd, bool wanted);

/* PHASE (a few words) is at step AT of OF; OF 0: nobody counts its steps. Draws
 * the line, at most ten times a second, once a second has passed, and not while
 * the program is in the background; it is cut where the terminal ends. Where it
 * is not drawn, this costs a look at the clock at most. PROGRESS may be NULL. */
void progress_step(struct progress *progress, const char *phase, size_t at,
		   size_t of);

/* Clears the line, before anything else is written there. PROGRESS may be
 * NULL. */
void progress_clear(struct progress *progress);

#endif
