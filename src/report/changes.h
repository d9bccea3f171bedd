/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the report says of the changes: which rules of the input never had an
 * effect, and changes that are alike together.
 */
#ifndef AUDITOPT_CHANGES_H
#define AUDITOPT_CHANGES_H

#include "report/report.h"

/* A rule that could never act in the input as it stands. */
struct idle_rule {
	const struct change *change; /* that dropped it */
	const char *reason;	     /* without "dropped: " */
	const char *key;	     /* printable; NULL: none */
	bool key_lost;		     /* no rule that is left has it */
};

struct idle_rules {
	struct idle_rule *item;
	size_t count;
};

/* Rules that a pass dropped because earlier rules decide, or because no call
 * can satisfy them; not those that have become idle only by what other passes
 * made of rules behind them. */
struct idle_rules report_idle_rules(struct arena *arena,
				    const struct report *report);

/* How many rules of BEFORE no rule of AFTER stands for. */
size_t report_rules_gone(struct arena *arena, const struct ruleset *before,
			 const struct ruleset *after);

/* Rules to which one pass did one thing for one reason. */
struct change_group {
	const struct change *first;
	struct origin what; /* of all of them */
};

struct change_groups {
	struct change_group *item;
	size_t count;
};

/* The changes in the order of the log, those together that one run of a pass
 * made because of the same lines; but each that took calls alone. */
struct change_groups report_change_groups(struct arena *arena,
					  const struct change_log *log);

#endif
