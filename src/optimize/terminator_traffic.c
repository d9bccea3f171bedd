/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "optimize/terminator_traffic.h"

/* The share of a call that is hardly recorded: one of so many. All of them
 * together, some 360, are about a fifth of what counts. */
#define SHARES 1536
/* What a hundred calls of the profile are joined by: so many that open. */
#define READERS 16

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

static struct traffic *new_traffic(struct arena *arena,
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
	for (unsigned int d = 0; d < FLAG_DEMANDS; d++)
		for (unsigned int k = 0; k < PROFILE_KINDS; k++)
			traffic->likely[d][k] =
				demand_likelihood((enum demand)d);
	return traffic;
}

const struct traffic *traffic_of(struct arena *arena,
				 const struct profile *profile)
{
	return new_traffic(arena, profile);
}

/* So many calls of KIND more open for reading, with no other flag. */
static void add_readers(struct traffic *traffic, int number, unsigned int kind,
			int64_t readers)
{
	int64_t *made = &traffic->made[ABI_NATIVE][number][kind];

	if (*made + readers == 0)
		return;
	for (unsigned int d = 0; d < FLAG_DEMANDS; d++) {
		int64_t all = d == DEMAND_OPENAT_READ ? 100 : 0;

		traffic->likely[d][kind] =
			(unsigned int)((traffic->likely[d][kind] * *made +
					all * readers) /
				       (*made + readers));
	}
	*made += readers;
}

const struct traffic *traffic_of_readers(struct arena *arena,
					 const struct target *target,
					 const struct profile *profile)
{
	struct traffic *traffic = new_traffic(arena, profile);
	int number = target_call_number(target, ABI_NATIVE,
					demand_call(DEMAND_OPENAT_READ));

	for (unsigned int k = 0; number >= 0 && k < PROFILE_KINDS; k++)
		if (!profile_kind(k)->has_auid && !profile_kind(k)->failed)
			add_readers(traffic, number, k,
				    traffic->whole / 100 * READERS);
	return traffic;
}

unsigned int traffic_likelihood(const struct traffic *traffic,
				unsigned int condition, unsigned int k)
{
	unsigned int asked = condition_demands(condition);
	enum demand flags = condition_flags(condition);

	if (asked & 1U << DEMAND_UNSET && profile_kind(k)->has_auid)
		return 0;
	if (asked & (1U << DEMAND_SUCCESS | 1U << DEMAND_RESULT) &&
	    profile_kind(k)->failed)
		return 0;
	return flags == DEMANDS ? 100 : traffic->likely[flags][k];
}
