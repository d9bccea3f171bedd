/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values of the report that several of its members are made of, for the files
 * that write JSON. All are new references; ARENA is for what is in between.
 */
#ifndef AUDITOPT_JSON_VALUE_H
#define AUDITOPT_JSON_VALUE_H

#include <jansson.h>

#include "report/report.h"

/* TEXT by json_text(); null for NULL. */
json_t *text_value(struct arena *arena, const char *text);
/* SIZE as a number; as all of these, a new reference, which is the caller's. */
json_t *size_value(size_t size);

/* The lines of ORIGIN, each with its file. */
json_t *lines_value(struct arena *arena, const struct input *input,
		    struct origin origin);
/* The names of CALLS, as far as they have any. */
json_t *names_value(struct arena *arena, const struct target *target,
		    enum abi abi, const struct syscall_mask *calls);
/* The numbers in MASK: [[0, 2], [257, 257]]. */
json_t *ranges_value(const struct syscall_mask *mask);
/* json_changes.c: what the passes did, and the rules that went because they never mattered. */
json_t *changes_value(struct arena *arena, const struct report *report);
json_t *idle_value(struct arena *arena, const struct report *report);

#endif
