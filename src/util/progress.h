/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How far it is, on a terminal: one line that is redrawn, for what takes more
 * than a second.
 */
#ifndef AUDITOPT_PROGRESS_H
#define AUDITOPT_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "util/arena.h"

struct progress;

/* Of what begins now, to be told on descriptor FD; lives in ARENA. NULL if it is
 * not WANTED or FD is no terminal: then nothing is told. */
struct progress *progress_new(struct arena *arena, int fd, bool wanted);

/* PHASE (a few words) is at step AT of OF; OF 0: how many there are is not known.
 * Draws the line, at most ten times a second, once a second has passed. PROGRESS
 * may be NULL. */
void progress_step(struct progress *progress, const char *phase, size_t at,
		   size_t of);

/* Clears the line, before anything else is written there. PROGRESS may be
 * NULL. */
void progress_clear(struct progress *progress);

#endif
