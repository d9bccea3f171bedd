/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Terminators: `never` rules that end the walk for calls that nothing behind
 * them could match. useless_never would drop them, and to other passes they are
 * in the way; so they are taken out before the passes run and put back
 * afterwards. For pipeline.c and terminators.c.
 */
#ifndef AUDITOPT_TERMINATORS_H
#define AUDITOPT_TERMINATORS_H

#include "optimize/facts.h"

/* No more are put in. */
#define TERMINATORS_AT_MOST 12

struct taken_rule {
	struct rule *rule;
	struct taken_rule *next;
};

/* Takes all terminators out of SET and adds them to TAKEN, which lives in the
 * context's arena. False if there were none. */
bool terminators_take_out(struct ruleset *set, struct pass_context *context,
			  struct taken_rule **taken);

/* Puts in those that pay, and logs what differs from TAKEN. */
void terminators_put_in(struct ruleset *set, struct pass_context *context,
			struct taken_rule *taken);

/* What an average call pays for its walk over the set of FACTS, in hundredths of
 * instructions, once those are put in that the profile is for; for order.c. */
int64_t terminators_cost(struct facts *facts);

#endif
