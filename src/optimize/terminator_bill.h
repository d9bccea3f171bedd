/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bills: what typical calls pay for their walk over the exit list, up to some
 * places in it and in all. For terminator_choice.c.
 */
#ifndef AUDITOPT_TERMINATOR_BILL_H
#define AUDITOPT_TERMINATOR_BILL_H

#include "profile/profile.h"
#include "optimize/terminator_choice.h"

/* Kinds of makers of calls (profile_kind()). */
#define KINDS_AT_MOST 4

/* What a typical call of one class, ABI and kind pays. */
struct bill {
	int64_t all;
	int64_t *before; /* by place: what it has paid when it comes there; -1:
			  * it does not come there */
};

/* Where a terminator could stand. */
struct spot {
	uint32_t at;	 /* position in the set */
	size_t inserted; /* position in the set with the chosen ones */
	uint64_t weight; /* of the calls that become free here */
};

struct bills {
	const struct ruleset *set; /* with the chosen ones */
	const struct profile *profile;
	const struct spot *place;
	size_t places;
	size_t *class_of[ABI_COUNT]; /* by number */
	size_t classes;
	struct bill *bill; /* by class, ABI, kind; no BEFORE: nobody makes it */
};

/* Fills in the rest of BILLS, in SCRATCH. */
void bills_make(struct arena *scratch, struct bills *bills);

const struct bill *bill_of(const struct bills *bills, size_t class, int abi,
			   unsigned int kind);

#endif
