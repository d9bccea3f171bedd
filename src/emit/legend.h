/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a reader of the rules needs to know of calls that are written by number,
 * or by the name that their number has in another ABI: once for a whole file.
 */
#ifndef AUDITOPT_LEGEND_H
#define AUDITOPT_LEGEND_H

#include "emit/calls_text.h"

struct legend {
	struct other_abi other;	     /* of all rules */
	struct syscall_mask unnamed; /* natively, by auditctl 3.0.9 */
	bool native_only;	     /* see struct emit_options; set first */
	size_t both_abis; /* rules for calls of both ABIs, written by name */
	bool number_first; /* has a rule its first call by number alone? */
	bool number_logs;  /* and one that says always? */
	bool unborn;	   /* do rules with perm have numbers without a name? */
	const char *signal; /* a call that sends signals, in a rule with perm;
			     * NULL: none */
};

/* Adds what RULE has to be explained. */
void legend_note(struct legend *legend, const struct target *target,
		 const struct rule *rule);

/* Paragraphs for a comment, each ended by a newline; "" if nothing has to be
 * explained. Lives in ARENA. */
const char *legend_text(struct arena *arena, const struct target *target,
			const struct legend *legend);

#endif
