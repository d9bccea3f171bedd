/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "optimize/terminator_traffic.h"

/* The share of a call that is hardly recorded: one of so many. All of them
 * together, some 360, are about a fifth of what counts. */
#define SHARES 1536

/* Each native call gets a share: of those that a record hardly has it says
 * little. */
static int64_t weight_of(const struct profile *profile, int abi, int n)
{
	int64_t recorded = profile->weight[abi][n];
	int64_t least = (int64_t)profile->in_all / SHARES;

	if (!recorded || abi != ABI_NATIVE)
		return recorded;
	return recorded > least ? recorded : least;
}

/* No call is made by one kind of task alone, whatever a few hours' record
 * says. */
static int64_t share_of(const struct profile *profile, int abi, int n,
			const struct profile_kind *kind)
{
	int64_t recorded = profile_share(profile, (enum abi)abi, n, kind);
	int64_t usual = (kind->has_auid ? 25 : 75) * (kind->failed ? 10 : 90);

	return (recorded + usual * PROFILE_WHOLE / 10000) / 2;
}

const struct traffic *traffic_of(struct arena *arena,
				 const struct profile *profile)
{
	struct traffic *traffic = arena_alloc(arena, sizeof(*traffic));

	for (int abi = 0; abi < ABI_COUNT; abi++)
		for (int n = 0; n < SYSCALL_MASK_CALLS; n++) {
			int64_t weight = weight_of(profile, abi, n);
			int64_t *made = traffic->made[abi][n];

			for (unsigned int k = 0; weight && k < PROFILE_KINDS;
			     k++)
				made[k] = weight * share_of(profile, abi, n,
							    profile_kind(k));
		}
	traffic->whole = PROFILE_WHOLE * (int64_t)profile->in_all;
	return traffic;
}
