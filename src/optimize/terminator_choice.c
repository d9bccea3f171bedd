/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A terminator spares the calls that it matches the rest of their walk, and
 * costs all others that come by the look at its mask, or more. Every place
 * where some call becomes free is tried with every condition, for either ABI
 * and for both.
 *
 * It has those calls that gain by being in it, the ones that gain most first,
 * as many as one line can hold: two rules would be two looks at a mask.
 */
#include "optimize/terminator_choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/price.h"
#include "optimize/terminator_bill.h"

/* Instructions that it must spare a call on average. */
#define GAIN_AT_LEAST 1
/* Places that are tried. */
#define PLACES_AT_MOST 64
/* Bytes of a line for calls: what emit allows, less what else is in it. */
#define TEXT_AT_MOST 3750

struct ruleset *terminators_inserted(struct arena *arena,
				     const struct ruleset *set,
				     const struct terminator *chosen,
				     size_t count)
{
	struct ruleset *with = ruleset_new(arena, set->target);

	for (size_t i = 0; i <= set->count; i++) {
		for (size_t t = 0; t < count; t++)
			if (chosen[t].at == i)
				ruleset_insert(with, with->count,
					       chosen[t].rule);
		if (i < set->count)
			ruleset_insert(with, with->count, set->rule[i]);
	}
	return with;
}

/* Numbers that some ABI makes calls of. */
struct numbers {
	int *item;
	size_t count;
};

struct choice {
	struct arena *scratch;
	const struct target *target;
	const struct permission *permission;
	const struct profile *profile;
	const struct terminator *chosen;
	size_t chosens;
	struct numbers numbers;
	struct bills bills;
	int64_t *gain[ABI_COUNT]; /* by class, of the candidate at hand: of one
				   * call of weight one, times ten thousand */
};

struct candidate {
	size_t place;
	unsigned int condition;
	int abi; /* -1: any */
};

/* Places. */

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

/* Where some call becomes free, the most frequent ones first. COUNT: the rules
 * of the set. */
static void find_places(struct choice *choice, size_t count)
{
	uint64_t *weight =
		arena_array(choice->scratch, count + 1, sizeof(*weight));
	struct spot *place =
		arena_array(choice->scratch, count + 1, sizeof(*place));
	size_t places = 0;

	for (unsigned int c = 0; c < CONDITIONS; c++)
		weigh_places(choice, c, weight);
	for (size_t at = 0; at < count; at++) {
		if (!weight[at])
			continue;
		place[places] = (struct spot){(uint32_t)at, at, weight[at]};
		for (size_t t = 0; t < choice->chosens; t++)
			place[places].inserted += choice->chosen[t].at <= at;
		places++;
	}
	if (places)
		qsort(place, places, sizeof(*place), by_weight);
	choice->bills.place = place;
	choice->bills.places =
		places < PLACES_AT_MOST ? places : PLACES_AT_MOST;
}

/* Gains. */

static int64_t demands_price(unsigned int demands)
{
	int64_t price = 0;

	for (int d = 0; d < DEMANDS; d++) {
		struct field_test test = demand_test((enum demand)d);

		if (demands >> d & 1)
			price += test_price(&test);
	}
	return price;
}

/* What tests cost, in all and if they fail at the flags, which come first. */
struct tests {
	int64_t all, flags;
};

/* What a call of KIND gains by being in the mask, times a hundred. */
static int64_t gain_of_kind(const struct candidate *cand, int abi,
			    const struct profile_kind *kind,
			    const struct bill *bill, struct tests tests)
{
	int64_t likely = condition_likelihood(cand->condition, kind);
	int64_t entered = PRICE_RULE_ENTERED - PRICE_RULE_PASSED;
	int64_t matched = PRICE_RULE_MATCHED - PRICE_RULE_PASSED;
	int64_t arch = cand->abi >= 0 ? PRICE_FIELD_FURTHER : 0;

	if (!bill->before || bill->before[cand->place] < 0)
		return 0;
	if (cand->abi >= 0 && cand->abi != abi)
		return -100 * (entered + arch);
	matched = bill->all - bill->before[cand->place] - matched - arch -
		  tests.all;
	entered += arch + (likely ? tests.flags : tests.all);
	return likely * matched - (100 - likely) * entered;
}

static void work_out_gains(struct choice *choice, const struct candidate *cand)
{
	struct tests tests = {demands_price(condition_demands(cand->condition)),
			      demands_price(condition_flags(cand->condition))};
	const struct bills *bills = &choice->bills;
	const struct profile_kind *kind;

	for (int abi = 0; abi < ABI_COUNT; abi++)
		for (size_t class = 0; class < bills->classes; class ++) {
			int64_t *gain = &choice->gain[abi][class];

			*gain = 0;
			for (unsigned int k = 0; (kind = profile_kind(k)); k++)
				*gain += kind->percent *
					 gain_of_kind(
						 cand, abi, kind,
						 bill_of(bills, class, abi, k),
						 tests);
		}
}

static bool is_free(const struct choice *choice, const struct candidate *cand,
		    int abi, int n)
{
	return choice->permission->from[cand->condition][abi][n] <=
	       choice->bills.place[cand->place].at;
}

/* Typical calls have none of the flags that are demanded, so the bills do not
 * show what a chosen one with such a demand spares. A call gets one a demand.
 */
static bool is_taken(const struct choice *choice, const struct candidate *cand,
		     int n)
{
	unsigned int flags = condition_flags(cand->condition);

	for (size_t i = 0; flags && i < choice->chosens; i++)
		if (condition_flags(choice->chosen[i].condition) == flags &&
		    syscall_mask_has(&choice->chosen[i].calls, n))
			return true;
	return false;
}

/* What all calls together gain if it has number N; 0 if it may not. */
static int64_t gain_of_number(const struct choice *choice,
			      const struct candidate *cand, int n)
{
	int64_t gain = 0;

	if (is_taken(choice, cand, n))
		return 0;
	for (int abi = 0; abi < ABI_COUNT; abi++) {
		if (!target_has_abi(choice->target, (enum abi)abi))
			continue;
		if ((cand->abi < 0 || cand->abi == abi) &&
		    !is_free(choice, cand, abi, n))
			return 0;
		gain += choice->gain[abi][choice->bills.class_of[abi][n]] *
			choice->profile->weight[abi][n];
	}
	return gain;
}

/* What all calls that come there pay for the look at the mask. */
static int64_t toll(const struct choice *choice, size_t place)
{
	const struct bills *bills = &choice->bills;
	const struct profile_kind *kind;
	int64_t paid = 0;

	for (int abi = 0; abi < ABI_COUNT; abi++)
		for (size_t i = 0; i < choice->numbers.count; i++) {
			int n = choice->numbers.item[i];
			int64_t weight = choice->profile->weight[abi][n];

			for (unsigned int k = 0; (kind = profile_kind(k)); k++)
				if (weight &&
				    bill_of(bills, bills->class_of[abi][n], abi,
					    k)
						    ->before[place] >= 0)
					paid += weight * kind->percent;
		}
	return paid * 100 * PRICE_RULE_PASSED;
}

/* Calls. */

struct number_gain {
	int number;
	int64_t gain;
};

static int by_gain(const void *left, const void *right)
{
	const struct number_gain *a = left, *b = right;

	if (a->gain != b->gain)
		return a->gain > b->gain ? -1 : 1;
	return a->number - b->number;
}

/* Never less than what emit writes for it. */
static size_t text_length(const struct target *target, int abi, int n)
{
	const char *name = NULL;
	char digits[16];
	size_t length = (size_t)snprintf(digits, sizeof(digits), "%d", n);

	if (abi >= 0 || !target_has_abi(target, ABI_COMPAT))
		name = target_call_name(
			target, abi >= 0 ? (enum abi)abi : ABI_NATIVE, n);
	if (name && strlen(name) > length)
		length = strlen(name);
	return length + 1;
}

/* Fills in MASK with those of LIST that there is room for; returns their gain.
 */
static int64_t take_best(const struct choice *choice, int abi,
			 struct number_gain *list, size_t count,
			 struct syscall_mask *mask)
{
	size_t length = 0;
	int64_t gain = 0;

	qsort(list, count, sizeof(*list), by_gain);
	for (size_t i = 0; i < count; i++) {
		length += text_length(choice->target, abi, list[i].number);
		if (length > TEXT_AT_MOST)
			break;
		syscall_mask_add(mask, list[i].number);
		gain += list[i].gain;
	}
	return gain;
}

/* If CAND gains more than MOST it becomes the best. */
static int64_t try_candidate(struct choice *choice,
			     const struct candidate *cand, int64_t cost,
			     int64_t most, struct terminator *best)
{
	struct number_gain list[SYSCALL_MASK_CALLS];
	struct syscall_mask mask = {0};
	int64_t gain = -cost;
	size_t count = 0;

	work_out_gains(choice, cand);
	for (size_t i = 0; i < choice->numbers.count; i++) {
		int n = choice->numbers.item[i];

		list[count] = (struct number_gain){
			n, gain_of_number(choice, cand, n)};
		if (list[count].gain > 0)
			gain += list[count++].gain;
	}
	if (gain <= most)
		return most;
	gain = take_best(choice, cand->abi, list, count, &mask) - cost;
	if (gain <= most)
		return most;
	*best = (struct terminator){.at = choice->bills.place[cand->place].at,
				    .condition = cand->condition,
				    .abi = cand->abi,
				    .calls = mask};
	return gain;
}

/* Has condition B no more calls than A at that place? */
static bool frees_no_more(const struct choice *choice, size_t place,
			  unsigned int a, unsigned int b)
{
	const struct candidate with_a = {place, a, -1}, with_b = {place, b, -1};

	for (int abi = 0; abi < ABI_COUNT; abi++)
		for (size_t i = 0; i < choice->numbers.count; i++) {
			int n = choice->numbers.item[i];

			if (is_free(choice, &with_b, abi, n) &&
			    !is_free(choice, &with_a, abi, n))
				return false;
		}
	return true;
}

/* Is there a condition that demands less and frees the same? */
static bool is_pointless(const struct choice *choice, size_t place,
			 unsigned int condition)
{
	unsigned int demands = condition_demands(condition);

	for (unsigned int c = 0; c < CONDITIONS; c++)
		if (condition_demands(c) != demands &&
		    !(condition_demands(c) & ~demands) &&
		    frees_no_more(choice, place, c, condition))
			return true;
	return false;
}

static int64_t look_at_place(struct choice *choice, size_t place, int64_t most,
			     struct terminator *best)
{
	bool has_compat = target_has_abi(choice->target, ABI_COMPAT);
	int64_t cost = toll(choice, place);

	for (unsigned int c = 0; c < CONDITIONS; c++) {
		if (is_pointless(choice, place, c))
			continue;
		for (int abi = -1; abi < (has_compat ? ABI_COUNT : 0); abi++) {
			struct candidate cand = {place, c, abi};

			most = try_candidate(choice, &cand, cost, most, best);
		}
	}
	return most;
}

static int64_t look_everywhere(struct choice *choice, int64_t least,
			       struct terminator *best)
{
	int64_t most = least;

	bills_make(choice->scratch, &choice->bills);
	for (int abi = 0; abi < ABI_COUNT; abi++)
		choice->gain[abi] =
			arena_array(choice->scratch, choice->bills.classes,
				    sizeof(*choice->gain[abi]));
	for (size_t place = 0; place < choice->bills.places; place++)
		most = look_at_place(choice, place, most, best);
	return most;
}

bool terminator_choose(const struct ruleset *set,
		       const struct permission *permission,
		       const struct profile *profile,
		       const struct terminator *chosen, size_t count,
		       struct terminator *best)
{
	struct choice choice = {.scratch = arena_new(),
				.target = set->target,
				.permission = permission,
				.profile = profile,
				.chosen = chosen,
				.chosens = count};
	int64_t least = GAIN_AT_LEAST * 10000 * (int64_t)profile->in_all;
	int64_t most = least;

	choice.bills.profile = profile;
	choice.bills.set =
		terminators_inserted(choice.scratch, set, chosen, count);
	find_numbers(&choice);
	find_places(&choice, set->count);
	if (choice.bills.places)
		most = look_everywhere(&choice, least, best);
	arena_free(choice.scratch);
	return most > least;
}
