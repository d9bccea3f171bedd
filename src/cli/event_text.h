/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events, outcomes and witnesses in words, for people.
 */
#ifndef AUDITOPT_EVENT_TEXT_H
#define AUDITOPT_EVENT_TEXT_H

#include <stdio.h>

#include "frontend/source.h"
#include "verify/equivalence.h"

/* "recorded, key identity", "not recorded: no rule matches", ...; in ARENA. */
const char *outcome_text(struct arena *arena, struct outcome outcome);

/* A key as people know it: several, which the kernel joins by a control
 * character, with commas, and nothing that a terminal obeys. Good for other
 * strings of rules, too. In ARENA. */
const char *key_text(struct arena *arena, const char *key);

/* "openat, open (i386) and 3 more" for a set of calls; in ARENA. */
const char *calls_text(struct arena *arena, const struct target *target,
		       uint32_t filter, const struct syscall_set *calls);

/* "a.rules:7: -a always,exit ...", cut where it is very long; in ARENA. */
const char *rule_line(struct arena *arena, const struct input *input,
		      const struct target *target, const struct rule *rule);

/* The event, a fact a line, each line behind INDENT. Of what is seldom of
 * interest only that which a rule of A or B (NULL: none) asks for. */
void event_print(FILE *stream, const char *indent, const struct event *event,
		 bool uring, const struct ruleset *a, const struct ruleset *b);

/* A witness against "A and B are the same", and what becomes of it. */
void witness_print(FILE *stream, struct arena *arena, const char *indent,
		   const struct witness *witness, const struct ruleset *a,
		   const struct ruleset *b);

#endif
