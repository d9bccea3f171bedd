/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A terminator spares the calls that it matches the rest of their walk, and
 * costs all others that come by the look at its mask, or more. Every place
 * where some call becomes free is tried with every condition, for either ABI
 * and for both.
 *
 * It has those calls that gain by being in it, the ones that gain most first,
 * as many as one line can hold: two rules would be two looks at a mask.
 *
 * It may stand in front of others that were chosen for the same place: those of
 * their calls that demand less then end there. Calls whose numbers are free in
 * either ABI, in front of the rest, are not asked for arch=.
 */
#include "optimize/terminator_choice.h"

#include <stdlib.h>
#include <string.h>

#include "model/price.h"
#include "optimize/terminator_parts.h"

/* Hundredths of an instruction that it must spare a call on average. */
#define GAIN_AT_LEAST 25
/* Bytes of a line for calls: what emit allows, less what else is in it. */
#define TEXT_AT_MOST 3750
#define TEXT_IF_COPIED 3300

/* The kernel refuses a rule that is there already (EEXIST), and the first of the
 * two is the one that decides. */
static bool is_there(const struct ruleset *set, const struct rule *rule)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->rule[i]->filter == rule->filter &&
		    rule_same_to_kernel(set->rule[i], rule))
			return true;
	return false;
}

static void insert(struct ruleset *set, const struct terminator *t)
{
	for (size_t i = 0; i < t->copies; i++)
		if (!is_there(set, t->copy[i]))
			ruleset_insert(set, set->count, t->copy[i]);
	if (!is_there(set, t->rule))
		ruleset_insert(set, set->count, t->rule);
}

struct ruleset *terminators_inserted(struct arena *arena,
				     const struct ruleset *set,
				     const struct terminator *chosen,
				     size_t count)
{
	struct ruleset *with = ruleset_new(arena, set->target);
	size_t t = 0;

	for (size_t i = 0; i <= set->count; i++) {
		while (t < count && chosen[t].at == i)
			insert(with, &chosen[t++]);
		if (i < set->count)
			ruleset_insert(with, with->count, set->rule[i]);
	}
	return with;
}

static int by_gain(const void *left, const void *right)
{
	const struct number_gain *a = left, *b = right;

	if (a->gain != b->gain)
		return a->gain > b->gain ? -1 : 1;
	return a->number - b->number;
}

static size_t digits_of(int n)
{
	size_t digits = 1;

	while (n /= 10)
		digits++;
	return digits;
}

/* Never less than what emit writes for it. */
static size_t text_length(const struct target *target, int abi, int n)
{
	const char *name = NULL;
	size_t length = digits_of(n);

	if (abi >= 0 || !target_has_abi(target, ABI_COMPAT))
		name = target_call_name(
			target, abi >= 0 ? (enum abi)abi : ABI_NATIVE, n);
	if (name && strlen(name) > length)
		length = strlen(name);
	return length + 1;
}

/* Fills in MASK with those of LIST that there is room for; returns their gain.
 */
static int64_t take_best(const struct choice *choice, int abi, bool copied,
			 struct number_gain *list, size_t count,
			 struct syscall_mask *mask)
{
	size_t length = 0;
	int64_t gain = 0;

	qsort(list, count, sizeof(*list), by_gain);
	for (size_t i = 0; i < count; i++) {
		length += text_length(choice->target, abi, list[i].number);
		if (length > (copied ? TEXT_IF_COPIED : TEXT_AT_MOST))
			break;
		syscall_mask_add(mask, list[i].number);
		gain += list[i].gain;
	}
	return gain;
}

/* Rule I of the candidate's, if it must be copied. */
static uint32_t kept_at(const struct candidate *cand, uint32_t at, size_t i)
{
	if (!cand->keeper || cand->keeper->rule[i] < at)
		return NOWHERE;
	return cand->keeper->rule[i];
}

/* If CAND gains more than MOST it becomes the best. */
static int64_t try_candidate(const struct choice *choice,
			     const struct candidate *cand, int64_t cost,
			     int64_t most, struct terminator *best)
{
	struct number_gain list[SYSCALL_MASK_CALLS];
	struct syscall_mask mask = {0};
	int64_t gain;
	size_t count;

	if (gain_list(choice, cand, most + cost, list, &count) <= most + cost)
		return most;
	if (cand->keeper && cand->keeper->with_buckets)
		cost += copies_weigh_up(choice, cand, list, &count);
	gain = take_best(choice, cand->abi, cand->keeper != NULL, list, count,
			 &mask) -
	       cost;
	if (gain <= most)
		return most;
	*best = (struct terminator){.at = choice->place[cand->place].at,
				    .front = choice->place[cand->place].front,
				    .condition = cand->condition,
				    .abi = cand->abi,
				    .early = cand->early,
				    .calls = mask};
	for (size_t i = 0; i < KEEPING_AT_MOST; i++)
		best->sole[i] = kept_at(cand, best->at, i);
	best->with_buckets = cand->keeper && cand->keeper->with_buckets;
	return gain;
}

static int64_t look_at_early(const struct choice *choice, size_t place,
			     int64_t cost, int64_t most,
			     struct terminator *best)
{
	uint32_t at = choice->place[place].at;

	for (unsigned int c = 0; c < CONDITIONS; c++)
		for (int abi = -1; abi < ABI_COUNT; abi++) {
			struct candidate cand = {place, c,   abi,
						 true,	{0}, NULL};

			if (choice->early->from[c][abi + 1] > at)
				continue;
			cand.copies = early_count(choice->early, c, abi, at);
			if (cand.copies.lists + cand.copies.buckets)
				most = try_candidate(
					choice, &cand,
					cost + copies_price(choice, cand.copies,
							    cost),
					most, best);
		}
	return most;
}

/* With copies for native calls alone: others are too few. */
static int64_t look_at_keeper(const struct choice *choice, size_t place,
			      const struct keeper *keeper, int64_t cost,
			      int64_t most, struct terminator *best)
{
	bool has_compat = target_has_abi(choice->target, ABI_COMPAT);
	struct candidate cand = {.place = place,
				 .condition = keeper->condition,
				 .early = true,
				 .keeper = keeper};

	for (size_t i = 0; i < KEEPING_AT_MOST; i++)
		cand.copies.lists +=
			kept_at(&cand, choice->place[place].at, i) != NOWHERE;
	if (!cand.copies.lists && !keeper->with_buckets)
		return most;
	for (cand.abi = -1; cand.abi <= (has_compat ? ABI_NATIVE : -1);
	     cand.abi++)
		most = try_candidate(
			choice, &cand,
			cost + copies_price(choice, cand.copies, cost), most,
			best);
	return most;
}

static int64_t look_at_place(struct choice *choice, size_t place, int64_t most,
			     struct terminator *best)
{
	bool has_compat = target_has_abi(choice->target, ABI_COMPAT);
	int64_t cost;

	if (gain_prepare(choice, place, &cost) - cost <= most)
		return most;
	for (unsigned int c = 0; c < CONDITIONS; c++) {
		if (choice->pointless[place] >> c & 1)
			continue;
		for (int abi = -1; abi < (has_compat ? ABI_COUNT : 0); abi++) {
			struct candidate cand = {place, c,   abi,
						 false, {0}, NULL};

			most = try_candidate(choice, &cand, cost, most, best);
		}
	}
	/* What copies cost is a guess, good enough where nothing is yet. */
	if (choice->place[place].front)
		return most;
	for (size_t i = 0; i < choice->keepers; i++)
		most = look_at_keeper(choice, place, &choice->keeper[i], cost,
				      most, best);
	return look_at_early(choice, place, cost, most, best);
}

struct choice *choice_of(struct arena *arena, const struct ruleset *set,
			 const struct permission *permission,
			 const struct early *early,
			 const struct profile *profile,
			 const struct traffic *traffic)
{
	struct choice *choice = arena_alloc(arena, sizeof(*choice));

	choice->arena = arena;
	choice->set = set;
	choice->target = set->target;
	choice->permission = permission;
	choice->early = early;
	choice->profile = profile;
	choice->traffic = traffic;
	choice->meant = meant_numbers_of(set->target);
	choice_find_numbers(choice);
	choice_find_places(choice, set->count);
	choice->bills = bills_of(arena, set, profile, choice->traffic,
				 choice->place, choice->places);
	return choice;
}

int64_t choice_bill(const struct choice *choice)
{
	return bills_sum(choice->bills);
}

int64_t choice_whole(const struct choice *choice)
{
	return choice->traffic->whole;
}

/* In front of nothing is where behind nothing is. */
static bool is_same_as_behind(const struct spot *spot)
{
	return spot->front && !spot->used;
}

bool choice_look(struct choice *choice, struct terminator *best, int64_t *gain)
{
	int64_t least = GAIN_AT_LEAST * choice->traffic->whole;
	int64_t most = least;

	for (size_t place = 0; place < choice->places; place++)
		if (!is_same_as_behind(&choice->place[place]))
			most = look_at_place(choice, place, most, best);
	*gain = most;
	return most > least;
}

static size_t place_of(const struct choice *choice, const struct terminator *t)
{
	size_t place = 0;

	while (choice->place[place].at != t->at ||
	       choice->place[place].front != t->front)
		place++;
	return place;
}

int64_t choice_gain(struct choice *choice, const struct terminator *t)
{
	struct keeper keeper = {.condition = t->condition,
				.with_buckets = t->with_buckets};
	struct candidate cand = {.place = place_of(choice, t),
				 .condition = t->condition,
				 .abi = t->abi,
				 .early = t->early};
	int64_t toll;

	if (t->early && condition_flags(t->condition) == DEMANDS)
		cand.keeper = &keeper;
	for (size_t i = 0; i < t->copies; i++) {
		bool in_list = rule_in_exit_list(t->copy[i]);

		cand.copies.lists += in_list;
		cand.copies.buckets += !in_list;
	}
	gain_prepare(choice, cand.place, &toll);
	return gain_of(choice, &cand, &t->calls) - toll -
	       copies_price(choice, cand.copies, toll);
}

static void note_taken(struct choice *choice, enum demand flags,
		       const struct terminator *t)
{
	unsigned int demands = condition_demands(t->condition) & ~(1U << flags);

	if (syscall_mask_empty(&choice->taken[flags])) {
		choice->taken_at[flags] = t->at;
		choice->taken_demands[flags] = demands;
	}
	if (t->at < choice->taken_at[flags])
		choice->taken_at[flags] = t->at;
	choice->taken_demands[flags] &= demands;
	syscall_mask_unite(&choice->taken[flags], &t->calls);
}

void choice_take(struct choice *choice, const struct terminator *t)
{
	enum demand flags = condition_flags(t->condition);
	struct rule **rule = arena_array(choice->arena, t->copies + 1,
					 sizeof(struct rule *));

	if (flags != DEMANDS)
		note_taken(choice, flags, t);
	for (size_t i = 0; i < t->copies; i++)
		rule[i] = t->copy[i];
	rule[t->copies] = t->rule;
	bills_insert(choice->bills, place_of(choice, t), rule, t->copies + 1);
}
