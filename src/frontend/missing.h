/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Paths of rules that do not exist under the root: the kernel looks them up
 * when it takes the rule. For load.c alone.
 */
#ifndef AUDITOPT_MISSING_H
#define AUDITOPT_MISSING_H

#include "frontend/compile.h"

struct missing;

struct missing *missing_new(struct arena *arena,
			    const struct compile_options *options);

/* Looks up what RULE, made of ACTION, needs. IGNORING: -i or -c was met. */
void missing_note(struct missing *missing, const struct audit_action *action,
		  const struct rule *rule, bool ignoring);

/* Tells of all in one warning, and ends MISSING. */
void missing_tell(struct missing *missing, struct diagnostics *diag);

#endif
