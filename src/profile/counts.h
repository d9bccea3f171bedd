/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts of calls, from which a profile is made.
 */
#ifndef AUDITOPT_COUNTS_H
#define AUDITOPT_COUNTS_H

#include "profile/profile.h"

/* More than this of one call is taken as this, so that sums of shares over all
 * calls cannot overflow. */
#define COUNT_AT_MOST (UINT64_C(1) << 38)

/* One row of any format. */
struct call_count {
	uint64_t calls;
	/* Shares of PROFILE_WHOLE; -1: not known. */
	int failed;
	int unset;
};

/* Sums of such rows. The *_of count the calls whose share is known, FAILED and
 * UNSET add up their shares. */
struct call_sum {
	uint64_t calls;
	uint64_t failed, failed_of;
	uint64_t unset, unset_of;
};

struct counts {
	const struct target *target;
	struct call_sum sum[ABI_COUNT][SYSCALL_MASK_CALLS];
};

/* Nothing counted yet; lives in ARENA. */
struct counts *counts_new(struct arena *arena, const struct target *target);

/* Adds ROW to what is known of a call of TARGET. */
void counts_add(struct counts *counts, enum abi abi, int number,
		struct call_count row);

/* Was any call of ABI counted? */
bool counts_any(const struct counts *counts, enum abi abi);

/* The number of the call NAME; if TARGET has none of that name, that of the
 * call which does the same there (a machine without open has openat, i386
 * calls newfstatat fstatat64). -1: there is none. */
int counts_number(const struct target *target, enum abi abi, const char *name);

/* The profile of COUNTS, in ARENA. Calls that were not counted get the least
 * weight there is. If no call of the compat ABI was, every call of that ABI is
 * taken to be made once where the native one is made 200 times. A share that is
 * not known is that of USUAL, or, if USUAL is NULL, of the calls whose share is
 * known. Only if something was counted. */
struct profile *counts_profile(struct arena *arena, const struct counts *counts,
			       const struct profile *usual);

#endif
