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
#include "optimize/terminator_parts.h"

/* Hundredths of an instruction that it must spare a call on average. */
#define GAIN_AT_LEAST 25
/* Hundredths of an instruction that each copy must spare a call on average. */
#define COPY_GAIN_AT_LEAST 5
/* One call in so many names a file (bucket walks); AUDIT_INODE_BUCKETS. */
#define NAMED 4
#define INODE_BUCKETS 32
/* What the first condition of a copy in the list costs. */
#define DIR_FAILS 40
/* Bytes of a line for calls: what emit allows, less what else is in it. */
#define TEXT_AT_MOST 3750
#define TEXT_IF_COPIED 3300

static void insert(struct ruleset *set, const struct terminator *t)
{
	for (size_t i = 0; i < t->copies; i++)
		ruleset_insert(set, set->count, t->copy[i]);
	ruleset_insert(set, set->count, t->rule);
}

struct ruleset *terminators_inserted(struct arena *arena,
				     const struct ruleset *set,
				     const struct terminator *chosen,
				     size_t count)
{
	struct ruleset *with = ruleset_new(arena, set->target);

	for (size_t i = 0; i <= set->count; i++) {
		for (size_t t = 0; t < count; t++)
			if (chosen[t].at == i)
				insert(with, &chosen[t]);
		if (i < set->count)
			ruleset_insert(with, with->count, set->rule[i]);
	}
	return with;
}

struct candidate {
	size_t place;
	unsigned int condition;
	int abi; /* -1: any */
	bool early;
	struct early_count copies;
	const struct keeper *keeper; /* NULL: what the flags need */
};

/* Gains. */

static int64_t demands_price(unsigned int demands)
{
	int64_t price = 0;

	for (int d = 0; d < DEMANDS; d++) {
		struct field_test test = demand_test((enum demand)d);

		if (demands >> d & 1)
			price += price_of_test(&test);
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
	int64_t copies = (int64_t)cand->copies.lists * (entered + DIR_FAILS);

	if (!bill->before || bill->before[cand->place] < 0)
		return 0;
	if (cand->abi >= 0 && cand->abi != abi)
		return -100 * (entered + arch);
	matched = bill->all - bill->before[cand->place] - matched - arch -
		  tests.all - copies;
	entered += arch + copies + (likely ? tests.flags : tests.all);
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
			int64_t *gain =
				&choice->gain[abi][class * KINDS_AT_MOST];

			for (unsigned int k = 0; (kind = profile_kind(k)); k++)
				gain[k] = gain_of_kind(
					cand, abi, kind,
					bill_of(bills, class, abi, k), tests);
		}
}

static bool has_rule(const struct keeper *keeper, uint32_t rule)
{
	for (size_t i = 0; i < KEEPING_AT_MOST; i++)
		if (keeper->rule[i] == rule)
			return true;
	return false;
}

/* Do copies of the candidate's rules suffice for the call? */
static bool is_kept_by(const struct choice *choice,
		       const struct candidate *cand, int abi, int n)
{
	const struct sole *sole = choice->early->sole[cand->condition];
	uint32_t at = choice->bills.place[cand->place].at;

	for (size_t i = 0; i < KEEPING_AT_MOST; i++) {
		uint32_t rule = sole->rule[i][abi][n];

		if (rule != NOWHERE && rule >= at &&
		    !has_rule(cand->keeper, rule))
			return false;
	}
	return sole->from[abi][n] <= at;
}

static bool is_free(const struct choice *choice, const struct candidate *cand,
		    int abi, int n)
{
	uint32_t at = choice->bills.place[cand->place].at;
	uint32_t from = choice->permission->from[cand->condition][abi][n];

	if (!cand->early || from == NOWHERE)
		return from <= at;
	if (!cand->keeper)
		return choice->early->from[cand->condition][abi] <= at;
	return from <= at || is_kept_by(choice, cand, abi, n);
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

static int64_t weight_of(const struct choice *choice, int abi, int n)
{
	return terminator_weight(choice->profile, abi, n);
}

static int64_t share_of(const struct choice *choice, int abi, int n,
			const struct profile_kind *kind)
{
	return terminator_share(choice->profile, abi, n, kind);
}

/* What the calls of one ABI with number N gain, whoever makes them. */
static int64_t gain_of_calls(const struct choice *choice, int abi, int n)
{
	const struct profile *profile = choice->profile;
	size_t class = choice->bills.class_of[abi][n];
	const int64_t *of_kind = &choice->gain[abi][class * KINDS_AT_MOST];
	const struct profile_kind *kind;
	int64_t gain = 0;

	if (!profile->weight[abi][n])
		return 0;
	for (unsigned int k = 0; (kind = profile_kind(k)); k++)
		gain += of_kind[k] * share_of(choice, abi, n, kind);
	return gain * weight_of(choice, abi, n);
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
		gain += gain_of_calls(choice, abi, n);
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
			int64_t weight = weight_of(choice, abi, n);

			for (unsigned int k = 0; (kind = profile_kind(k)); k++)
				if (weight &&
				    bill_of(bills, bills->class_of[abi][n], abi,
					    k)
						    ->before[place] >= 0)
					paid += weight *
						share_of(choice, abi, n, kind);
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
	gain = take_best(choice, cand->abi, cand->keeper != NULL, list, count,
			 &mask) -
	       cost;
	if (gain <= most)
		return most;
	*best = (struct terminator){.at = choice->bills.place[cand->place].at,
				    .condition = cand->condition,
				    .abi = cand->abi,
				    .early = cand->early,
				    .calls = mask};
	for (size_t i = 0; i < KEEPING_AT_MOST; i++)
		best->sole[i] = kept_at(cand, best->at, i);
	return gain;
}

/* Has condition B no more calls than A at that place? */
static bool frees_no_more(const struct choice *choice, size_t place,
			  unsigned int a, unsigned int b)
{
	const struct candidate with_a = {place, a, -1, false, {0}, NULL};
	const struct candidate with_b = {place, b, -1, false, {0}, NULL};

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

/* What copies cost all calls: each is a line more to read; of those in buckets
 * few are met by a name. TOLL: the look at one in the list. */
static int64_t copies_price(const struct choice *choice,
			    struct early_count copies, int64_t toll)
{
	int64_t walked = 100 * PRICE_RULE_PASSED / (NAMED * INODE_BUCKETS);
	int64_t all = PROFILE_WHOLE * (int64_t)choice->profile->in_all;

	return (int64_t)(copies.lists + copies.buckets) * COPY_GAIN_AT_LEAST *
		       all +
	       (int64_t)copies.buckets * walked * all +
	       (int64_t)copies.lists * toll;
}

static int64_t look_at_early(struct choice *choice, size_t place, int64_t cost,
			     int64_t most, struct terminator *best)
{
	uint32_t at = choice->bills.place[place].at;

	for (unsigned int c = 0; c < CONDITIONS; c++)
		for (int abi = 0; abi < ABI_COUNT; abi++) {
			struct candidate cand = {place, c,   abi,
						 true,	{0}, NULL};

			if (choice->early->from[c][abi] > at)
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

/* For native calls alone: others are too few to have copies for. */
static int64_t look_at_keeper(struct choice *choice, size_t place,
			      const struct keeper *keeper, int64_t cost,
			      int64_t most, struct terminator *best)
{
	bool has_compat = target_has_abi(choice->target, ABI_COMPAT);
	struct candidate cand = {.place = place,
				 .condition = keeper->condition,
				 .abi = has_compat ? ABI_NATIVE : -1,
				 .early = true,
				 .keeper = keeper};

	for (size_t i = 0; i < KEEPING_AT_MOST; i++)
		cand.copies.lists +=
			kept_at(&cand, choice->bills.place[place].at, i) !=
			NOWHERE;
	if (!cand.copies.lists)
		return most;
	return try_candidate(choice, &cand,
			     cost + copies_price(choice, cand.copies, cost),
			     most, best);
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
			struct candidate cand = {place, c,   abi,
						 false, {0}, NULL};

			most = try_candidate(choice, &cand, cost, most, best);
		}
	}
	for (size_t i = 0; i < choice->keepers; i++)
		most = look_at_keeper(choice, place, &choice->keeper[i], cost,
				      most, best);
	return look_at_early(choice, place, cost, most, best);
}

static int64_t look_everywhere(struct choice *choice, int64_t least,
			       struct terminator *best)
{
	int64_t most = least;

	bills_make(choice->scratch, &choice->bills);
	for (int abi = 0; abi < ABI_COUNT; abi++)
		choice->gain[abi] = arena_array(
			choice->scratch, choice->bills.classes * KINDS_AT_MOST,
			sizeof(*choice->gain[abi]));
	for (size_t place = 0; place < choice->bills.places; place++)
		most = look_at_place(choice, place, most, best);
	return most;
}

bool terminator_choose(const struct ruleset *set,
		       const struct permission *permission,
		       const struct early *early, const struct profile *profile,
		       const struct terminator *chosen, size_t count,
		       struct terminator *best, int64_t *gain)
{
	struct choice choice = {.scratch = arena_new(),
				.target = set->target,
				.permission = permission,
				.early = early,
				.profile = profile,
				.chosen = chosen,
				.chosens = count};
	int64_t least =
		GAIN_AT_LEAST * PROFILE_WHOLE * (int64_t)profile->in_all;
	int64_t most = least;

	choice.bills.profile = profile;
	choice.bills.set =
		terminators_inserted(choice.scratch, set, chosen, count);
	choice_find_numbers(&choice);
	choice_find_places(&choice, set->count);
	if (choice.bills.places)
		most = look_everywhere(&choice, least, best);
	arena_free(choice.scratch);
	*gain = most;
	return most > least;
}
