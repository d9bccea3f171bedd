/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The profile that is taken if nothing is known: a mix of what was measured of
 * real programs (examples/profiles/default.profile says what and how much).
 * default_rows.inc is made from that file by contrib/mix-profiles.sh.
 */
#include "profile/counts.h"

static const struct {
	const char *name;
	unsigned int calls;
	int failed, unset; /* of PROFILE_WHOLE */
} rows[] = {
#include "profile/default_rows.inc"
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

struct profile *profile_default(struct arena *arena,
				const struct target *target)
{
	struct counts *counts = counts_new(arena, target);
	struct profile *profile;

	for (size_t i = 0; i < ROWS; i++) {
		int number = counts_number(target, ABI_NATIVE, rows[i].name);
		struct call_count row = {rows[i].calls, rows[i].failed,
					 rows[i].unset};

		if (number >= 0)
			counts_add(counts, ABI_NATIVE, number, row);
	}
	profile = counts_profile(arena, counts, NULL);
	profile->name = "default";
	profile->kind = "measured mix";
	profile->guessed = true;
	return profile;
}
