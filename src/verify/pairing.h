/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What pairing.c and partners.c share; nobody else.
 */
#ifndef AUDITOPT_PAIRING_H
#define AUDITOPT_PAIRING_H

#include <uthash.h>

#include "verify/check.h"

/* A rule of the list. */
struct listed {
	diagram when;
	/* as far as it can be seen; NULL: like no match */
	const struct result *result;
	const struct rule *rule;
	size_t place;	/* among the steps */
	size_t partner; /* its place in the other list; NO_PARTNER */
	bool covered;	/* by an earlier one, and so left out */
	size_t behind;	/* of AFTER: thought of behind the rule with this place
			 * in  the other list, too; NO_PARTNER */
	diagram parts;	/* of AFTER: where those hold whose partner it is ... */
	size_t last_part;  /* ... and the place of the last of them */
	UT_hash_handle hh; /* by when */
};

#define NO_PARTNER SIZE_MAX

struct list {
	struct listed *item; /* but for those that never hold, and of those that
			      * hold at the same time all but the first */
	size_t count;
	struct listed *by_when;
	struct list_index *index; /* NULL: not made yet */
};

struct pairing {
	struct check *check;
	const struct subject *subject;
	struct list list[SIDES];
	size_t *bucket_after; /* by place in BEFORE: that of the same rule */
};

/* partners.c: makes P's list of SIDE. */
void pairing_list(struct pairing *p, enum side side);
/* Is there a rule of SIDE's list before PLACE that holds wherever both A and B
 * do? BOTH is where they do. */
bool pairing_covers(struct pairing *p, enum side side, size_t place,
		    const struct listed *a, const struct listed *b,
		    diagram both);
/* Finds the partners, and what is covered. False: some rule has no partner. */
bool pairing_find(struct pairing *p);
void pairing_free(struct pairing *p);

#endif
