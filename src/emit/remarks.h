/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the comment above a rule says of it besides its lines, for emit.c.
 */
#ifndef AUDITOPT_EMIT_REMARKS_H
#define AUDITOPT_EMIT_REMARKS_H

#include "model/rule.h"

/* Why RULE, which stands for no line, was added; lives in ARENA. */
const char *remark_added(struct arena *arena, const struct rule *rule);

/* "exit is -EACCES or -EPERM", where several conditions of RULE on one field
 * leave it a few values, which nobody sees at once; "" if there is no such
 * field. Lives in ARENA. */
const char *remark_values(struct arena *arena, const struct target *target,
			  const struct rule *rule);

#endif
