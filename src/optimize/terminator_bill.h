/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bills: what typical calls pay for their walk over the exit list, up to some
 * places in it and in all. They are made once for a set, and kept up while
 * rules are put in. For the choice of terminators
 * (terminator_parts.h).
 */
#ifndef AUDITOPT_TERMINATOR_BILL_H
#define AUDITOPT_TERMINATOR_BILL_H

#include "model/rule.h"
#include "optimize/terminator_traffic.h"

/* What a typical call of one class, ABI and kind pays. */
struct bill {
	int64_t all;
	int64_t *before; /* by place: what it has paid when it comes there; -1:
			  * it does not come there. NULL: nobody makes it */
};

/* Where a terminator could stand. */
struct spot {
	uint32_t at;	 /* position in the set */
	bool front;	 /* in front of all that are put in there, not behind */
	bool used;	 /* something was put in AT */
	size_t inserted; /* position in the set with the chosen ones */
	uint64_t weight; /* of the calls that become free here */
};

/* A call class (model/call_class.h) of the set with the chosen ones. */
struct bill_class {
	struct syscall_set calls;
	unsigned int count; /* of them */
	size_t *rule; /* positions of the rules that are entered, ascending */
	size_t rules;
	int64_t made[ABI_COUNT][PROFILE_KINDS]; /* as in struct traffic */
	struct bill bill[ABI_COUNT][PROFILE_KINDS];
	/* At the place at hand: what is still to be paid; -1: it does not come
	 * there, or nobody makes it. */
	int64_t left[ABI_COUNT][PROFILE_KINDS];
	bool stale; /* its bills are to be made */
};

struct bills {
	struct arena *arena;
	struct ruleset *set; /* with the chosen ones */
	const struct profile *profile;
	const struct traffic *traffic;
	struct spot *place;
	size_t places;
	size_t *in_order; /* places by their position */
	uint16_t class_of[ABI_COUNT][SYSCALL_MASK_CALLS];
	struct bill_class *item;
	size_t classes, room;
};

/* The bills of SET, a copy of which becomes theirs, for COUNT places, whose
 * INSERTED is kept up. Lives in ARENA. */
struct bills *bills_of(struct arena *arena, const struct ruleset *set,
		       const struct profile *profile,
		       const struct traffic *traffic, struct spot *place,
		       size_t count);

/* COUNT more RULEs are put in at a PLACE: behind all that were put in there, or
 * in front of them. */
void bills_insert(struct bills *bills, size_t place, struct rule *const *rule,
		  size_t count);

/* Makes PLACE the one at hand. Returns what is made of all calls that come
 * there. */
int64_t bills_come_to(struct bills *bills, size_t place);

/* By number: what all calls with it would save if they did not enter the rule at
 * position AT of the set but passed it, in instructions times what is made.
 * Negative where that rule is good for them, 0 where they do not enter it or
 * nobody makes them. SYSCALL_MASK_CALLS of them, in the arena of BILLS. */
int64_t *bills_saved_without(struct bills *bills, size_t at);

/* The rule at position AT, whose mask is all that lets calls in (no
 * mask_classes), loses CALLS, by whatever ABI. */
void bills_take_out(struct bills *bills, size_t at,
		    const struct syscall_mask *calls);

/* What all calls pay for their walks over the set: hundredths of instructions
 * times what is made. */
int64_t bills_sum(const struct bills *bills);

#endif
