/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why a field of a rule does not hold for a call, in words.
 */
#ifndef AUDITOPT_FAILURE_TEXT_H
#define AUDITOPT_FAILURE_TEXT_H

#include "model/event.h"
#include "model/rule.h"

/* "it is 0", "no file of the call is in that tree"; in ARENA. */
const char *failure_text(struct arena *arena, const struct target *target,
			 const struct event *event,
			 const struct field_test *test);

/* "-EACCES" or "3" for the low 32 bits of what a call returns; in ARENA. */
const char *exit_text(struct arena *arena, uint32_t value);

#endif
