/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where terminators might stand, and for what calls: all that stays the same
 * while they are chosen.
 */
#include "model/price.h"
#include "optimize/terminator_parts.h"

#include <stdlib.h>
#include <string.h>

/* Places that are tried. */
#define PLACES_AT_MOST 64
/* Of them, from the heaviest on, those that are tried in front as well. */
#define FRONTS_AT_MOST 8
/* Places that are tried for one call with copies of what is in buckets. */
#define BOUNDARIES_AT_MOST 4
/* Early terminators are for calls that are made often. */
#define EARLY_WEIGHT 10000

static int by_weight(const void *left, const void *right)
{
	const struct spot *a = left, *b = right;

	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

static void find_numbers(struct choice *choice)
{
	struct numbers *numbers = &choice->numbers;

	numbers->item = arena_array(choice->arena, SYSCALL_MASK_CALLS,
				    sizeof(*numbers->item));
	for (int n = 0; n < SYSCALL_MASK_CALLS; n++)
		if (choice->profile->weight[ABI_NATIVE][n] ||
		    choice->profile->weight[ABI_COMPAT][n])
			numbers->item[numbers->count++] = n;
}

/* From where on a terminator of that condition and of any ABI may have the
 * number. What the other ABI calls by the number of open must not be there
 * whatever its arguments are. */
static uint32_t free_from_any(const struct choice *choice,
			      unsigned int condition, int n)
{
	uint32_t latest = 0;
	bool meant = condition_flags(condition) == DEMANDS;

	for (int abi = 0; abi < ABI_COUNT; abi++) {
		unsigned int c = condition;

		if (!target_has_abi(choice->target, (enum abi)abi))
			continue;
		if (condition_means(&choice->meant, c, (enum abi)abi, n))
			meant = true;
		else
			c = condition_without_flags(c);
		if (choice->permission->from[c][abi][n] > latest)
			latest = choice->permission->from[c][abi][n];
	}
	return meant ? latest : NOWHERE;
}

/* Those of ABI alone; -1: of any. */
static uint32_t free_from(const struct choice *choice, unsigned int condition,
			  int abi, int n)
{
	if (abi < 0)
		return free_from_any(choice, condition, n);
	return choice->permission->from[condition][abi][n];
}

static void find_free(struct choice *choice, unsigned int condition, int abi)
{
	struct free_numbers *free = &choice->free[condition][abi + 1];
	struct free_number list[SYSCALL_MASK_CALLS];

	for (size_t i = 0; i < choice->numbers.count; i++) {
		int n = choice->numbers.item[i];
		uint32_t from = free_from(choice, condition, abi, n);

		if (from != NOWHERE)
			list[free->count++] = (struct free_number){from, n};
	}
	free->item = arena_copy(choice->arena, list,
				free->count * sizeof(*free->item));
}

static void find_earliest(struct choice *choice, unsigned int condition,
			  int abi)
{
	const struct early *early = choice->early;
	const struct free_numbers *free = &choice->free[condition][abi + 1];

	for (size_t i = 0; i < free->count; i++) {
		int n = free->item[i].number;
		uint32_t from = free->item[i].from;

		if (early->from[condition][abi + 1] < from)
			from = early->from[condition][abi + 1];
		for (int b = 0; b < 2 && condition < SOLE_CONDITIONS; b++)
			if (early->sole[b][condition]->from[ABI_NATIVE][n] <
			    from)
				from = early->sole[b][condition]
					       ->from[ABI_NATIVE][n];
		if (from < choice->earliest[n])
			choice->earliest[n] = from;
	}
}

void choice_find_numbers(struct choice *choice)
{
	find_numbers(choice);
	for (int n = 0; n < SYSCALL_MASK_CALLS; n++)
		choice->earliest[n] = NOWHERE;
	for (unsigned int c = 0; c < CONDITIONS; c++)
		for (int abi = -1; abi < ABI_COUNT; abi++) {
			find_free(choice, c, abi);
			find_earliest(choice, c, abi);
		}
}

static void weigh_places(const struct choice *choice, unsigned int condition,
			 uint64_t *weight)
{
	for (int abi = 0; abi < ABI_COUNT; abi++) {
		const struct free_numbers *free =
			&choice->free[condition][abi + 1];

		for (size_t i = 0; i < free->count; i++)
			weight[free->item[i].from] +=
				choice->profile
					->weight[abi][free->item[i].number];
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
		choice->keeper[i].with_buckets != keeper.with_buckets ||
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

/* Behind all that is in buckets in front of the next rule of the list: what
 * stands in front of a terminator needs no copy. */
static uint32_t behind_buckets(const struct choice *choice, uint32_t from)
{
	const struct ruleset *set = choice->set;

	while (from < set->count && !rule_in_exit_list(set->rule[from]))
		from++;
	return from;
}

/* Adds WEIGHT to that of places, which are in EACH by position, from which on the
 * calls of a keeper with buckets may be had for fewer copies. */
static void weigh_bucket_places(const struct choice *choice, uint32_t from,
				uint64_t weight, uint64_t *each)
{
	const struct ruleset *set = choice->set;
	uint32_t at = behind_buckets(choice, from);

	for (int i = 0; i < BOUNDARIES_AT_MOST && at < set->count; i++) {
		each[at] += weight;
		while (at < set->count && rule_in_exit_list(set->rule[at]))
			at++;
		at = behind_buckets(choice, at);
	}
}

static void weigh_sole_places(struct choice *choice, unsigned int condition,
			      bool with_buckets, uint64_t *weight)
{
	const struct sole *sole = choice->early->sole[with_buckets][condition];

	for (int abi = 0; abi <= ABI_NATIVE; abi++)
		for (size_t i = 0; i < choice->numbers.count; i++) {
			int n = choice->numbers.item[i];
			struct keeper keeper = {
				.condition = condition,
				.with_buckets = with_buckets,
				.weight = choice->profile->weight[abi][n]};

			for (size_t k = 0; k < KEEPING_AT_MOST; k++)
				keeper.rule[k] = sole->rule[k][abi][n];
			if (with_buckets ? !sole->kept_in[abi][n]
					 : keeper.rule[0] == NOWHERE)
				continue;
			if (!keeper.weight || sole->from[abi][n] == NOWHERE)
				continue;
			if (with_buckets)
				weigh_bucket_places(choice, sole->from[abi][n],
						    keeper.weight, weight);
			else
				weight[sole->from[abi][n]] += keeper.weight;
			add_keeper(choice, keeper);
		}
}

static int by_keeping(const void *left, const void *right)
{
	const struct keeper *a = left, *b = right;

	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	if (a->with_buckets != b->with_buckets)
		return a->with_buckets ? 1 : -1;
	if (a->condition != b->condition)
		return a->condition < b->condition ? -1 : 1;
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

static void find_places(struct choice *choice, size_t count)
{
	uint64_t *weight =
		arena_array(choice->arena, count + 1, sizeof(*weight));

	for (unsigned int c = 0; c < CONDITIONS; c++) {
		weigh_places(choice, c, weight);
		for (int abi = -1; abi < ABI_COUNT; abi++)
			early_places(choice->early, c, abi, weigh_early_place,
				     weight);
	}
	for (unsigned int c = 0; c < SOLE_CONDITIONS; c++)
		for (int b = 0; b < 2; b++)
			weigh_sole_places(choice, c, b != 0, weight);
	choice->place = arena_array(choice->arena, count + 1 + FRONTS_AT_MOST,
				    sizeof(*choice->place));
	for (size_t at = 0; at < count; at++)
		if (weight[at])
			choice->place[choice->places++] =
				(struct spot){.at = (uint32_t)at,
					      .inserted = at,
					      .weight = weight[at]};
	if (choice->places)
		qsort(choice->place, choice->places, sizeof(*choice->place),
		      by_weight);
	if (choice->places > PLACES_AT_MOST)
		choice->places = PLACES_AT_MOST;
	for (size_t i = 0, behind = choice->places;
	     i < behind && i < FRONTS_AT_MOST; i++) {
		choice->place[choice->places] = choice->place[i];
		choice->place[choice->places++].front = true;
	}
}

/* Has condition B no more calls than A at that position? */
static bool frees_no_more(const struct choice *choice, uint32_t at,
			  unsigned int a, unsigned int b)
{
	for (int abi = 0; abi < ABI_COUNT; abi++) {
		const struct free_numbers *free = &choice->free[b][abi + 1];
		const uint32_t *from = choice->permission->from[a][abi];

		for (size_t i = 0; i < free->count; i++)
			if (free->item[i].from <= at &&
			    from[free->item[i].number] > at)
				return false;
	}
	return true;
}

/* Is there a condition that demands less and frees the same? */
static bool is_pointless(const struct choice *choice, uint32_t at,
			 unsigned int condition)
{
	unsigned int demands = condition_demands(condition);

	for (unsigned int c = 0; c < CONDITIONS; c++)
		if (condition_demands(c) != demands &&
		    !(condition_demands(c) & ~demands) &&
		    frees_no_more(choice, at, c, condition))
			return true;
	return false;
}

void choice_find_places(struct choice *choice, size_t count)
{
	find_places(choice, count);
	choose_keepers(choice);
	choice->pointless = arena_array(choice->arena, choice->places + 1,
					sizeof(*choice->pointless));
	for (size_t place = 0; place < choice->places; place++)
		for (unsigned int c = 0; c < CONDITIONS; c++)
			if (is_pointless(choice, choice->place[place].at, c))
				choice->pointless[place] |= UINT32_C(1) << c;
}
