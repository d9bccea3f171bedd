/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Emit: a rule set as text that auditctl loads, meaning the same under every
 * auditctl from 3.0.9 to 4.x that knows all that the rules ask for.
 */
#ifndef AUDITOPT_EMIT_H
#define AUDITOPT_EMIT_H

#include <stdbool.h>
#include <stddef.h>

#include "frontend/load.h"
#include "frontend/source.h"
#include "model/rule.h"

/* No line is longer, newline included, unless its strings alone are. */
#define EMIT_LINE_MAX 4000

/* A rule of the input that nothing in the result stands for. */
struct emit_dropped {
	struct origin what, because; /* the latter may be empty */
	const char *why;	     /* a phrase that BECAUSE can follow */
};

/* Where a rule stands in the text: its first line, from 1, and how many they
 * are. */
struct emit_place {
	size_t line, lines;
};

struct emit_options {
	bool comments;	     /* say above each rule which lines it stands for */
	bool native_only;    /* the kernel runs no ABI but the native one: what
			      * rules mean for another is not told */
	const char *heading; /* comment lines without "# "; NULL: none */
	const struct left_out *left; /* what keep-going left out: told as
				      * comments where it stood */
	size_t lefts;
	const struct emit_dropped *dropped; /* told as comments at the end */
	size_t drops;
	bool replaces; /* the text takes the place of the only input, whose
			* lines are told as those of the old file */
	const char *const *text; /* by line of the input: what to write for the
				  * rule that was made of it; where NULL, or
				  * if there is no such array, EMIT's own */
	const char *const *why;	 /* where it is NULL: why, for a comment */
	struct emit_place *place; /* room for one for each rule, to be told
				   * where it went; NULL */
};

/* The text of SET with CONTROLS, NUL-terminated; lives in ARENA. Order: -i/-c,
 * -D, -b, -f, -r, ..., rules in the kernel's order (with -q and its like
 * between the epochs), -e last. Fields keep the rule's order, but perm is
 * written in the form that adds no calls under any version: -p behind another
 * field. A rule whose line would pass EMIT_LINE_MAX is split into several with
 * the same tests, its calls divided. NULL if some rule has no text that gives
 * it back under every version: nothing may be written then. */
char *emit_ruleset(struct arena *arena, const struct ruleset *set,
		   const struct controls *controls, const struct input *input,
		   const struct emit_options *options, size_t *size);

/* One rule as one line without newline (or several, split, joined by newline);
 * lives in ARENA. For reports and messages too. NULL if there is no such text
 * (perm!=, an unsettled watch whose mask is not all any more, ...). */
char *emit_rule(struct arena *arena, const struct target *target,
		const struct rule *rule);

/* TEST of RULE as behind -F or -C: "exit=-EACCES"; lives in ARENA. NULL if it
 * has no text. */
char *emit_test(struct arena *arena, const struct target *target,
		const struct rule *rule, const struct field_test *test);

/* "FILE:3,7-9" for an origin; lives in ARENA. */
char *emit_origin(struct arena *arena, const struct input *input,
		  struct origin origin);

#endif
