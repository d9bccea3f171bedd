/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is told of the rules as a whole, once all are loaded.
 */
#ifndef AUDITOPT_LOAD_WHOLE_H
#define AUDITOPT_LOAD_WHOLE_H

#include "frontend/load.h"

/* Warns in DIAG of rules that keep all others from effect, of auditing that is
 * off, and of what cannot be said without knowing what the kernel held before.
 * PREPENDED: the first -A, or NULL. */
void load_warn_whole(struct diagnostics *diag, const struct actions *actions,
		     const struct loaded *loaded,
		     const struct audit_action *prepended);

#endif
