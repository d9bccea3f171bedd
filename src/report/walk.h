/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The walk of a typical call over the rules, as the cost model prices it, step
 * by step.
 */
#ifndef AUDITOPT_WALK_H
#define AUDITOPT_WALK_H

#include "report/rows.h"

/* A rule of the exit list that was entered. */
struct walk_step {
	size_t rule;   /* its position in the set */
	size_t passed; /* rules that were passed over since the last step */
	const struct field_test *failed; /* NULL: all fields held, it matched */
	int price;			 /* instructions for entering it */
};

/* All in instructions; fixed + passing + entering + list_end + buckets is
 * total, the cost of the call in the report. */
struct report_walk {
	struct event event;
	struct walk_step *step;
	size_t steps;
	size_t passed;	   /* rules passed over behind the last step ... */
	size_t passed_all; /* ... and in all */
	bool matched;	   /* the last step's rule did, and the walk ended */
	double fixed, passing, entering, list_end, buckets, total;
};

/* The walk over REPORT's rules before, or AFTER, of the call that stands for ROW
 * there, made by WHO. Lives in ARENA. */
struct report_walk report_walk_of(struct arena *arena,
				  const struct report *report,
				  const struct report_row *row, bool after,
				  enum identity who);

/* Do both take the same steps at the same prices? They are walks over one set. */
bool report_walk_same(const struct report_walk *a, const struct report_walk *b);

#endif
