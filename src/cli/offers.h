/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the next level, --lsm=none or --abi=native could save: the optimizer is
 * run again on a copy, and the result is priced and thrown away.
 */
#ifndef AUDITOPT_OFFERS_H
#define AUDITOPT_OFFERS_H

#include "optimize/pipeline.h"
#include "report/report.h"

/* Puts into REPORT what would be worth it in place of AFTER, which HOW made of
 * BEFORE; nothing for sets that are large. Nothing of it is proved. Lives in
 * ARENA. */
void offers_make(struct arena *arena, const struct ruleset *before,
		 const struct ruleset *after,
		 const struct pipeline_options *how, struct report *report);

#endif
