/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How often typical calls are made, for choices: what a profile says, less
 * sure of itself. For terminator_choose.c and those that it asks, and order.c.
 */
#ifndef AUDITOPT_TERMINATOR_TRAFFIC_H
#define AUDITOPT_TERMINATOR_TRAFFIC_H

#include "optimize/terminator_demand.h"
#include "profile/profile.h"

/* By ABI, number and kind of maker (profile_kind()): the weight of the call
 * times the share of the kind, of PROFILE_WHOLE. A call that the profile hardly
 * has gets a little weight; one that is none has 0. */
struct traffic {
	int64_t made[ABI_COUNT][SYSCALL_MASK_CALLS][PROFILE_KINDS];
	int64_t whole; /* what one unit of what an average call pays is in bills
			* of all calls: their recorded weight, in units of MADE
			*/
	/* How many of a hundred open and openat of a kind meet a demand for
	 * flags. */
	unsigned int likely[FLAG_DEMANDS][PROFILE_KINDS];
};

/* That of PROFILE; lives in ARENA. */
const struct traffic *traffic_of(struct arena *arena,
				 const struct profile *profile);

/* The same where daemons open many files for reading, on TARGET. */
const struct traffic *traffic_of_readers(struct arena *arena,
					 const struct target *target,
					 const struct profile *profile);

/* How many of a hundred calls of the kind K (profile_kind()) meet CONDITION;
 * flags as if the call were the one that is meant. */
unsigned int traffic_likelihood(const struct traffic *traffic,
				unsigned int condition, unsigned int k);

#endif
