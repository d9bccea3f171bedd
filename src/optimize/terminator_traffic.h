/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How often typical calls are made, for choices: what a profile says, less
 * sure of itself. For terminator_choice.c and order.c.
 */
#ifndef AUDITOPT_TERMINATOR_TRAFFIC_H
#define AUDITOPT_TERMINATOR_TRAFFIC_H

#include "profile/profile.h"

/* By ABI, number and kind of maker (profile_kind()): the weight of the call
 * times the share of the kind, of PROFILE_WHOLE. A call that the profile hardly
 * has gets a little weight; one that is none has 0. */
struct traffic {
	int64_t made[ABI_COUNT][SYSCALL_MASK_CALLS][PROFILE_KINDS];
	int64_t whole; /* what one unit of what an average call pays is in bills
			* of all calls: their recorded weight, in units of MADE
			*/
};

/* That of PROFILE; lives in ARENA. */
const struct traffic *traffic_of(struct arena *arena,
				 const struct profile *profile);

#endif
