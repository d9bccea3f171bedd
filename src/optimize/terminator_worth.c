/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What copies of rules in front of a terminator cost, and which calls are worth
 * them. Calls differ in the rules of buckets that they need copies of: all that
 * need the same ones stay with the terminator or leave it together.
 */
#include "model/price.h"
#include "optimize/terminator_parts.h"

/* Hundredths of an instruction that each copy must spare a call on average. */
#define COPY_GAIN_AT_LEAST 5
/* One call in so many names a file (bucket walks). */
#define NAMED 4

int64_t copies_asked(const struct choice *choice, const struct candidate *cand,
		     int n)
{
	const int64_t *made = choice->traffic->made[ABI_NATIVE][n];
	int64_t each =
		100 *
		(PRICE_RULE_ENTERED + PRICE_NAME_ALONE - PRICE_RULE_PASSED) /
		INODE_BUCKETS;
	int64_t asked = 0;

	for (uint64_t left = copies_for(choice, cand, n); left;
	     left &= left - 1)
		for (unsigned int k = 0; k < PROFILE_KINDS; k++)
			asked += each * made[k];
	return asked;
}

int64_t copies_price(const struct choice *choice, struct early_count copies,
		     int64_t toll)
{
	int64_t walked = 100 * PRICE_RULE_PASSED / (NAMED * INODE_BUCKETS);
	int64_t all = choice->traffic->whole;

	return (int64_t)(copies.lists + copies.buckets) * COPY_GAIN_AT_LEAST *
		       all +
	       (int64_t)copies.buckets * walked * all +
	       (int64_t)copies.lists * toll;
}

/* Calls that need copies of the same rules in buckets. */
struct group {
	uint64_t kept_in; /* of struct sole */
	int64_t gain;
	bool out; /* not worth it */
};

struct groups {
	const struct choice *choice;
	struct group item[SYSCALL_MASK_CALLS];
	size_t count;
};

uint64_t copies_for(const struct choice *choice, const struct candidate *cand,
		    int n)
{
	const struct sole *sole;

	if (!cand->keeper || !cand->keeper->with_buckets)
		return 0;
	sole = choice->early->sole[1][cand->condition];
	return sole_behind(sole, sole->kept_in[ABI_NATIVE][n],
			   choice->place[cand->place].at);
}

static struct group *group_of(struct groups *groups, uint64_t kept)
{
	size_t i = 0;

	while (i < groups->count && groups->item[i].kept_in != kept)
		i++;
	if (i == groups->count)
		groups->item[groups->count++] = (struct group){.kept_in = kept};
	return &groups->item[i];
}

static int64_t price_of(const struct groups *groups)
{
	struct early_count copies = {0};
	uint64_t kept = 0;

	for (size_t i = 0; i < groups->count; i++)
		if (!groups->item[i].out)
			kept |= groups->item[i].kept_in;
	for (; kept; kept &= kept - 1)
		copies.buckets++;
	return copies_price(groups->choice, copies, 0);
}

/* Puts out the group that gains least for what it alone needs, if that is
 * dearer. False if none is. */
static bool put_one_out(struct groups *groups)
{
	int64_t price = price_of(groups), most = 0;
	struct group *worst = NULL;

	for (size_t i = 0; i < groups->count; i++) {
		struct group *group = &groups->item[i];
		int64_t spared;

		if (group->out)
			continue;
		group->out = true;
		spared = price - price_of(groups) - group->gain;
		group->out = false;
		if (spared > most) {
			most = spared;
			worst = group;
		}
	}
	if (worst)
		worst->out = true;
	return worst != NULL;
}

int64_t copies_weigh_up(const struct choice *choice,
			const struct candidate *cand, struct number_gain *list,
			size_t *count)
{
	struct groups groups = {.choice = choice};
	size_t left = 0;

	for (size_t i = 0; i < *count; i++)
		group_of(&groups, copies_for(choice, cand, list[i].number))
			->gain += list[i].gain;
	while (put_one_out(&groups))
		;
	for (size_t i = 0; i < *count; i++)
		if (!group_of(&groups, copies_for(choice, cand, list[i].number))
			     ->out)
			list[left++] = list[i];
	*count = left;
	return price_of(&groups);
}
