/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is asked of all rules before a terminator is put in front of them. For
 * terminators.c, terminator_early.c and order.c.
 */
#ifndef AUDITOPT_TERMINATOR_PERMIT_H
#define AUDITOPT_TERMINATOR_PERMIT_H

#include "optimize/facts.h"
#include "optimize/terminator_choice.h"

/* What stands in front of a never rule and looks at calls after it. */
struct in_front {
	struct syscall_set heirs;   /* would inherit its key */
	struct syscall_set buckets; /* could come next if it stopped none */
};

/* What is asked of all rules again and again. */
struct asking {
	struct facts *facts;
	struct in_front **in_front;
	/* By position, once they are known: terminator_met_by(),
	 * terminator_kept_by(). */
	struct syscall_set **met, **kept;
	struct syscall_set all;
	struct fact any;	   /* a terminator without a demand */
	struct fact fact[DEMANDS]; /* with one */
};

/* What is asked about FACTS; lives as long as they do. */
struct asking *terminator_asking(struct facts *facts);

/* The calls that a terminator may have at the level of CONTEXT at all. */
struct syscall_set terminator_allowed(const struct ruleset *set,
				      const struct pass_context *context);

/* Is rule K one that says never, in the list or in a bucket? */
bool terminator_is_never(const struct facts *facts, size_t k);

/* The calls that rule K could match, for a terminator without a demand. */
struct syscall_set terminator_met_by(const struct asking *asking, size_t k);

/* Those of them that a terminator without a demand, in front of K, may not
 * have. */
struct syscall_set terminator_kept_by(const struct asking *asking, size_t k);

/* Takes from KEPT what K cannot match if DEMAND is met. */
void terminator_let_go(const struct asking *asking, size_t k,
		       enum demand demand, struct syscall_set *kept);

/* From where on the terminators of each condition may have which calls; lives
 * as long as the facts. */
struct permission *terminator_permission(struct asking *asking);

#endif
