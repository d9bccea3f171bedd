/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the two ways of comparing a class share (compare.c).
 */
#ifndef AUDITOPT_COMPARING_H
#define AUDITOPT_COMPARING_H

#include "verify/check.h"

#define LEAVES_FROM 2 /* 0 and 1 are no and yes */

struct leaves;

/* The diagrams of both lists, and pairs of leaves that the same call may give. */
struct comparison {
	struct check *check;
	struct subject *subject;
	const struct leaves *leaves;
	struct steps steps[SIDES];
	diagram list[SIDES];
	const struct candidates *candidates;
	uint32_t (*pair)[SIDES];
	size_t pairs, capacity;
	size_t proposed;
	bool enough; /* witnesses, or attempts at them */
};

/* Compares the lists of calls that run no operations, with the steps simplified
 * as HARDER says (steps_simplify()); CANDIDATES may be NULL. False: they are not
 * known to do the same. */
bool compare_lists(struct comparison *c, int harder,
		   const struct candidates *candidates);
/* The same for calls that run operations. */
bool compare_operations(struct comparison *c, int harder);

/* Could step inherit a key? */
bool step_borrows(const struct step *step);

/* Finds all pairs of different leaves that the lists give together; false
 * without the means to. */
bool comparison_pairs(struct comparison *c);
/* Where they give PAIR, as far as such calls exist. */
diagram comparison_where(const struct comparison *c, const uint32_t *pair);

#endif
