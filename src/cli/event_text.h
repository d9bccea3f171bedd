/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events, outcomes and witnesses in words, for people.
 */
#ifndef AUDITOPT_EVENT_TEXT_H
#define AUDITOPT_EVENT_TEXT_H

#include <stdio.h>

#include "verify/equivalence.h"

/* "recorded, key identity", "not recorded: no rule matches", ...; in ARENA. */
const char *outcome_text(struct arena *arena, struct outcome outcome);

/* "openat, open (b64); 3 more" for a set of calls; in ARENA. */
const char *calls_text(struct arena *arena, const struct target *target,
		       uint32_t filter, const struct syscall_set *calls);

/* The event, a fact a line, each line behind INDENT. Of what is seldom of
 * interest only that which a rule of A or B (NULL: none) asks for. */
void event_print(FILE *stream, const char *indent, const struct event *event,
		 bool uring, const struct ruleset *a, const struct ruleset *b);

/* A witness against "A and B are the same", and what becomes of it. */
void witness_print(FILE *stream, struct arena *arena, const char *indent,
		   const struct witness *witness, const struct ruleset *a,
		   const struct ruleset *b);

#endif
