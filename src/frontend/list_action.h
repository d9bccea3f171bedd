/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The list and the action that -a, -A and -d are given.
 */
#ifndef AUDITOPT_LIST_ACTION_H
#define AUDITOPT_LIST_ACTION_H

#include "frontend/builder.h"

/* Takes the value of WORD as audit_rule_setup() does: the action into B, the
 * list into *FILTER, which is B's add or del. What is wrong is told, and the
 * line's status set. GOES_ON: after the action possible auditctl looks at the
 * words that follow. */
void list_and_action(struct builder *b, const struct option_word *word,
		     uint32_t *filter, bool goes_on);

#endif
