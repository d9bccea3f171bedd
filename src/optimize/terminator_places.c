/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where terminators might stand, for what calls, and what calls weigh.
 */
#include "optimize/terminator_parts.h"

#include <stdlib.h>
#include <string.h>

/* Places that are tried. */
#define PLACES_AT_MOST 64
/* The share of a call that is hardly recorded: one of so many. */
#define SHARES 2048
/* Early terminators are for calls that are made often. */
#define EARLY_WEIGHT 10000

static int by_weight(const void *left, const void *right)
{
	const struct spot *a = left, *b = right;

	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

void choice_find_numbers(struct choice *choice)
{
	struct numbers *numbers = &choice->numbers;

	numbers->item = arena_array(choice->scratch, SYSCALL_MASK_CALLS,
				    sizeof(*numbers->item));
	for (int n = 0; n < SYSCALL_MASK_CALLS; n++)
		if (choice->profile->weight[ABI_NATIVE][n] ||
		    choice->profile->weight[ABI_COMPAT][n])
			numbers->item[numbers->count++] = n;
}

static void weigh_places(const struct choice *choice, unsigned int condition,
			 uint64_t *weight)
{
	for (int abi = 0; abi < ABI_COUNT; abi++)
		for (size_t i = 0; i < choice->numbers.count; i++) {
			int n = choice->numbers.item[i];
			uint32_t from =
				choice->permission->from[condition][abi][n];

			if (from != NOWHERE)
				weight[from] += choice->profile->weight[abi][n];
		}
}

static void weigh_early_place(uint32_t at, void *data)
{
	uint64_t *weight = data;

	weight[at] += EARLY_WEIGHT;
}

static void add_keeper(struct choice *choice, struct keeper keeper)
{
	size_t i = 0;

	while (i < choice->keepers &&
	       (choice->keeper[i].condition != keeper.condition ||
		memcmp(choice->keeper[i].rule, keeper.rule,
		       sizeof(keeper.rule)) != 0))
		i++;
	if (i == KEEPERS)
		return;
	if (i < choice->keepers)
		choice->keeper[i].weight += keeper.weight;
	else
		choice->keeper[choice->keepers++] = keeper;
}

static void weigh_sole_places(struct choice *choice, unsigned int condition,
			      uint64_t *weight)
{
	const struct sole *sole = choice->early->sole[condition];

	for (int abi = 0; abi <= ABI_NATIVE; abi++)
		for (size_t i = 0; i < choice->numbers.count; i++) {
			int n = choice->numbers.item[i];
			struct keeper keeper = {
				.condition = condition,
				.weight = choice->profile->weight[abi][n]};

			for (size_t k = 0; k < KEEPING_AT_MOST; k++)
				keeper.rule[k] = sole->rule[k][abi][n];
			if (keeper.rule[0] == NOWHERE || !keeper.weight)
				continue;
			weight[sole->from[abi][n]] += keeper.weight;
			add_keeper(choice, keeper);
		}
}

static int by_keeping(const void *left, const void *right)
{
	const struct keeper *a = left, *b = right;

	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return memcmp(a->rule, b->rule, sizeof(a->rule));
}

/* Leaves those that keep most. */
static void choose_keepers(struct choice *choice)
{
	if (choice->keepers)
		qsort(choice->keeper, choice->keepers, sizeof(*choice->keeper),
		      by_keeping);
	if (choice->keepers > KEEPERS_AT_MOST)
		choice->keepers = KEEPERS_AT_MOST;
}

void choice_find_places(struct choice *choice, size_t count)
{
	uint64_t *weight =
		arena_array(choice->scratch, count + 1, sizeof(*weight));
	struct spot *place =
		arena_array(choice->scratch, count + 1, sizeof(*place));
	size_t places = 0;

	for (unsigned int c = 0; c < CONDITIONS; c++) {
		weigh_places(choice, c, weight);
		for (int abi = 0; abi < ABI_COUNT; abi++)
			early_places(choice->early, c, abi, weigh_early_place,
				     weight);
	}
	for (unsigned int c = 0; c < SOLE_CONDITIONS; c++)
		weigh_sole_places(choice, c, weight);
	choose_keepers(choice);
	for (size_t at = 0; at < count; at++) {
		if (!weight[at])
			continue;
		place[places] = (struct spot){(uint32_t)at, at, weight[at]};
		for (size_t t = 0; t < choice->chosens; t++)
			place[places].inserted +=
				choice->chosen[t].at <= at
					? 1 + choice->chosen[t].copies
					: 0;
		places++;
	}
	if (places)
		qsort(place, places, sizeof(*place), by_weight);
	choice->bills.place = place;
	choice->bills.places =
		places < PLACES_AT_MOST ? places : PLACES_AT_MOST;
}

/* Each native call gets a share: of those that a record hardly has it says
 * little. */
int64_t terminator_weight(const struct profile *profile, int abi, int n)
{
	int64_t recorded = profile->weight[abi][n];
	int64_t least = (int64_t)profile->in_all / SHARES;

	if (!recorded || abi != ABI_NATIVE)
		return recorded;
	return recorded > least ? recorded : least;
}

/* No call is made by one kind of task alone, whatever a few hours' record
 * says. */
int64_t terminator_share(const struct profile *profile, int abi, int n,
			 const struct profile_kind *kind)
{
	int64_t recorded = profile_share(profile, (enum abi)abi, n, kind);
	int64_t usual = (kind->has_auid ? 25 : 75) * (kind->failed ? 10 : 90);

	return (recorded + usual * PROFILE_WHOLE / 10000) / 2;
}

int64_t terminator_bill(const struct ruleset *set,
			const struct profile *profile)
{
	struct arena *scratch = arena_new();
	struct bills bills = {.set = set, .profile = profile};
	const struct profile_kind *kind;
	int64_t paid = 0;

	bills_make(scratch, &bills);
	for (int abi = 0; abi < ABI_COUNT; abi++)
		for (int n = 0; n < SYSCALL_MASK_CALLS; n++) {
			int64_t weight =
				100 * terminator_weight(profile, abi, n);

			for (unsigned int k = 0;
			     weight && (kind = profile_kind(k)); k++)
				paid += weight *
					terminator_share(profile, abi, n,
							 kind) *
					bill_of(&bills, bills.class_of[abi][n],
						abi, k)
						->all;
		}
	arena_free(scratch);
	return paid;
}
