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
	const char *key;	     /* as it is; NULL: none */
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

/* What became of the rules: before - dropped - merged + added = after. */
struct rule_counts {
	size_t before;
	size_t dropped; /* no rule that is left stands for them */
	size_t merged;	/* their lines stand with those of another rule */
	size_t added;	/* stand for no line of the input */
	size_t after;
};

struct rule_counts report_rule_counts(struct arena *arena,
				      const struct ruleset *before,
				      const struct ruleset *after);

/* "50 before, 9 dropped, 5 merged into others, 1 added, 37 after"; what is zero
 * is left out but for the ends. Lives in ARENA. */
const char *report_rule_counts_text(struct arena *arena,
				    const struct rule_counts *counts);

/* What errors cost the input. */
struct left_counts {
	size_t lines; /* as a whole */
	size_t calls; /* and parts of others: system calls, operations */
};

struct left_counts report_left_counts(const struct left_out *left,
				      size_t lefts);

/* "1 line and 2 calls left out because of errors"; NULL if there are none.
 * Lives in ARENA. */
const char *report_left_text(struct arena *arena, const struct left_out *left,
			     size_t lefts);

/* A rule of the input that nothing which is left stands for, and why. */
struct dropped_rule {
	struct origin what, because;
	const char *why; /* a phrase that BECAUSE may follow */
};

struct dropped_rules {
	struct dropped_rule *item;
	size_t count;
};

/* In the order of the input, for the comments of the result. Lives in ARENA. */
struct dropped_rules report_dropped(struct arena *arena,
				    const struct ruleset *before,
				    const struct ruleset *after,
				    const struct change_log *log);

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
