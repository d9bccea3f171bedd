/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The calls that auditctl adds to a rule for a permission behind an arch, since
 * audit 3.1.3: libaudit's list of them.
 */
#ifndef AUDITOPT_PERM_CALLS_H
#define AUDITOPT_PERM_CALLS_H

#include <stdint.h>

#include "model/syscall_set.h"

/* Adds to MASK what auditctl VERSION adds for the permissions PERM
 * (AUDIT_PERM_READ ...) on MACHINE (MACH_X86 ...); a call that the machine lacks
 * is skipped, and named in *MISSING, NULL: none. How many were added. */
unsigned int perm_calls_add(struct syscall_mask *mask, uint32_t perm,
			    int machine, unsigned int version,
			    const char **missing);

/* The name of call NUMBER, if it is in the list and so young that a linked
 * libaudit may not know it; else NULL. */
const char *perm_call_name(int number);

#endif
