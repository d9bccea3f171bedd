/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What calls gain by a terminator: those that it matches, the rest of their
 * walk; the others lose what it costs. All sums are hundredths of instructions
 * times what is made (struct traffic).
 */
#include "optimize/terminator_parts.h"

#include <string.h>

#include "model/price.h"

/* What entering a terminator costs, and matching it, over passing it. */
#define ENTERED (PRICE_RULE_ENTERED - PRICE_RULE_PASSED)
#define MATCHED (PRICE_RULE_MATCHED - PRICE_RULE_PASSED)
/* What the first condition of a copy in the list costs. */
#define DIR_FAILS 40

static void prepare_calls(struct choice *choice, int abi, int n)
{
	const struct bills *bills = choice->bills;
	const int64_t *left = bills->item[bills->class_of[abi][n]].left[abi];
	const int64_t *made = choice->traffic->made[abi][n];
	int64_t *saved = choice->saved[abi][n];

	for (unsigned int k = 0; k < PROFILE_KINDS; k++) {
		saved[k] =
			left[k] > MATCHED ? (left[k] - MATCHED) * made[k] : 0;
		choice->saved_by_all[abi][k] += saved[k];
	}
}

int64_t gain_prepare(struct choice *choice, size_t place, int64_t *toll)
{
	uint32_t at = choice->place[place].at;
	int64_t most = 0;

	*toll = 100 * PRICE_RULE_PASSED * bills_come_to(choice->bills, place);
	memset(choice->saved_by_all, 0, sizeof(choice->saved_by_all));
	for (int abi = 0; abi < ABI_COUNT; abi++) {
		for (size_t i = 0; i < choice->numbers.count; i++)
			if (choice->earliest[choice->numbers.item[i]] <= at)
				prepare_calls(choice, abi,
					      choice->numbers.item[i]);
		for (unsigned int k = 0; k < PROFILE_KINDS; k++)
			most += choice->saved_by_all[abi][k];
	}
	return 100 * most;
}

static int64_t demands_price(unsigned int demands)
{
	int64_t price = 0;

	for (int d = 0; d < DEMANDS; d++)
		if (demands >> d & 1) {
			struct field_test test = demand_test((enum demand)d);

			price += price_of_test(&test);
		}
	return price;
}

static int64_t flags_price(unsigned int condition)
{
	enum demand flags = condition_flags(condition);

	return flags != DEMANDS ? demands_price(1U << flags) : 0;
}

/* What a call gains, by kind: so many hundredths of what is left to pay, and
 * hundredths of instructions. */
struct terms {
	int64_t left[PROFILE_KINDS];
	int64_t always[PROFILE_KINDS];
};

/* Do calls of the kind K meet what all chosen ones with those flags demand
 * besides? */
static bool meets_taken(const struct choice *choice, unsigned int flags,
			unsigned int k)
{
	for (unsigned int c = 0; c < CONDITIONS; c++)
		if (condition_demands(c) == choice->taken_demands[flags])
			return traffic_likelihood(choice->traffic, c, k) > 0;
	return true;
}

/* How many of a hundred calls of the kind K with the number N of open or openat
 * come to CAND: a guess. Chosen ones in front of it have those with other flags,
 * and with all, if it demands none. */
static unsigned int coming(const struct choice *choice,
			   const struct candidate *cand, int n, unsigned int k)
{
	const struct spot *spot = &choice->place[cand->place];
	unsigned int come = 100;

	for (unsigned int d = 0; d < FLAG_DEMANDS; d++) {
		uint32_t at = choice->taken_at[d];

		if (d != (unsigned int)condition_flags(cand->condition) &&
		    choice->meant.number[d][ABI_NATIVE] == n &&
		    syscall_mask_has(&choice->taken[d], n) &&
		    (at < spot->at || (at == spot->at && !spot->front)) &&
		    meets_taken(choice, d, k))
			come -= choice->traffic->likely[d][k];
	}
	return come;
}

/* The terms of calls that CAND is meant for, with number N. Of those that it
 * does not match some fail at the flags, which come first. */
static struct terms own_terms(const struct choice *choice,
			      const struct candidate *cand, int n)
{
	unsigned int condition = cand->condition;
	int64_t arch = cand->abi >= 0 ? PRICE_FIELD_FURTHER : 0;
	int64_t copies = (int64_t)cand->copies.lists * (ENTERED + DIR_FAILS);
	int64_t all = demands_price(condition_demands(condition));
	int64_t flags = flags_price(condition);
	struct terms terms;

	for (unsigned int k = 0; k < PROFILE_KINDS; k++) {
		int64_t come = coming(choice, cand, n, k);
		int64_t likely =
			traffic_likelihood(choice->traffic, condition, k);

		if (condition_flags(condition) == DEMANDS)
			likely = likely * come / 100;
		int64_t matched = MATCHED + arch + copies + all;
		int64_t entered =
			ENTERED + arch + copies + (likely ? flags : all);

		terms.left[k] = likely;
		terms.always[k] = -likely * matched - (come - likely) * entered;
	}
	return terms;
}

/* Those of calls of the other ABI, which fail at arch. */
static struct terms other_terms(void)
{
	struct terms terms = {{0}, {0}};

	for (unsigned int k = 0; k < PROFILE_KINDS; k++)
		terms.always[k] = -100 * (ENTERED + PRICE_FIELD_FURTHER);
	return terms;
}

/* Those of calls that the other ABI has by the number of open: they fail at the
 * flags. */
static struct terms unmeant_terms(const struct candidate *cand)
{
	int64_t flags = flags_price(cand->condition);
	int64_t arch = cand->abi >= 0 ? PRICE_FIELD_FURTHER : 0;
	struct terms terms = {{0}, {0}};

	for (unsigned int k = 0; k < PROFILE_KINDS; k++)
		terms.always[k] = -100 * (ENTERED + arch + flags);
	return terms;
}

/* What all calls of ABI with number N gain. */
static int64_t gain_on(const struct choice *choice, const struct terms *terms,
		       int abi, int n)
{
	const struct bills *bills = choice->bills;
	const int64_t *left = bills->item[bills->class_of[abi][n]].left[abi];
	const int64_t *made = choice->traffic->made[abi][n];
	int64_t gain = 0;

	for (unsigned int k = 0; k < PROFILE_KINDS; k++)
		if (left[k] >= 0)
			gain += (terms->left[k] * left[k] + terms->always[k]) *
				made[k];
	return gain;
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
		       const struct candidate *cand, uint32_t at, int n)
{
	const struct sole *sole =
		choice->early
			->sole[cand->keeper->with_buckets][cand->condition];

	if (cand->abi < 0 && target_has_abi(choice->target, ABI_COMPAT) &&
	    choice->permission->from[cand->condition][ABI_COMPAT][n] > at)
		return false;
	for (size_t i = 0; i < KEEPING_AT_MOST; i++) {
		uint32_t rule = sole->rule[i][ABI_NATIVE][n];

		if (rule != NOWHERE && rule >= at &&
		    !has_rule(cand->keeper, rule))
			return false;
	}
	return sole->from[ABI_NATIVE][n] <= at;
}

/* Are its copies those that its flags need? They are for one call. */
static bool has_copies_for_flags(const struct candidate *cand)
{
	return cand->early && !cand->keeper;
}

static bool is_meant(const struct choice *choice, const struct candidate *cand,
		     int n)
{
	enum abi meant = cand->abi < 0 ? ABI_NATIVE : (enum abi)cand->abi;

	return condition_means(&choice->meant, cand->condition, meant, n);
}

/* Typical calls have none of the flags that are demanded, so the bills do not
 * show what a chosen one with such a demand spares. A call gets one a demand.
 */
static bool is_taken(const struct choice *choice, const struct candidate *cand,
		     int n)
{
	enum demand flags = condition_flags(cand->condition);

	return flags != DEMANDS && syscall_mask_has(&choice->taken[flags], n);
}

/* Fills in NUMBER with those that CAND may have. */
static size_t may_have(const struct choice *choice,
		       const struct candidate *cand,
		       int number[SYSCALL_MASK_CALLS])
{
	const struct free_numbers *free =
		&choice->free[cand->condition][cand->abi + 1];
	uint32_t at = choice->place[cand->place].at;
	size_t count = 0;

	for (size_t i = 0; i < free->count; i++) {
		int n = free->item[i].number;

		if (has_copies_for_flags(cand)
			    ? is_meant(choice, cand, n)
			    : free->item[i].from <= at ||
				      (cand->early &&
				       is_kept_by(choice, cand, at, n)))
			number[count++] = n;
	}
	return count;
}

/* What calls of CAND's ABI save that it may match. */
static int64_t matched_of(const struct choice *choice,
			  const struct candidate *cand,
			  const int64_t saved[PROFILE_KINDS])
{
	int64_t matched = 0;

	for (unsigned int k = 0; k < PROFILE_KINDS; k++)
		if (traffic_likelihood(choice->traffic, cand->condition, k))
			matched += saved[k];
	return matched;
}

/* Can CAND gain more than LEAST, if each call that is meant and may match does,
 * and the tests cost nothing? NUMBER: those that it may have; NULL: all. */
static bool may_gain(const struct choice *choice, const struct candidate *cand,
		     const int *number, size_t count, int64_t least)
{
	int64_t saved[PROFILE_KINDS] = {0};

	for (int abi = 0; abi < ABI_COUNT; abi++) {
		if (cand->abi >= 0 && cand->abi != abi)
			continue;
		for (unsigned int k = 0; !number && k < PROFILE_KINDS; k++)
			saved[k] += choice->saved_by_all[abi][k];
		for (size_t i = 0; number && i < count; i++)
			for (unsigned int k = 0; k < PROFILE_KINDS; k++)
				saved[k] += choice->saved[abi][number[i]][k];
	}
	return 100 * matched_of(choice, cand, saved) > least;
}

/* What a call is to a candidate that has its number. */
enum relation { MEANT, UNMEANT, OF_OTHER_ABI };

static enum relation relation_of(const struct choice *choice,
				 const struct candidate *cand, enum abi abi,
				 int n)
{
	if (cand->abi >= 0 && cand->abi != (int)abi)
		return OF_OTHER_ABI;
	if (condition_flags(cand->condition) != DEMANDS &&
	    !condition_means(&choice->meant, cand->condition, abi, n))
		return UNMEANT;
	return MEANT;
}

/* By relation; the numbers of open and openat have terms of their own. */
struct all_terms {
	struct terms of[OF_OTHER_ABI + 1];
	struct terms opening[FLAG_DEMANDS];
};

static struct all_terms all_terms(const struct choice *choice,
				  const struct candidate *cand)
{
	struct all_terms terms = {.of = {
					  [MEANT] = own_terms(choice, cand, -1),
					  [UNMEANT] = unmeant_terms(cand),
					  [OF_OTHER_ABI] = other_terms(),
				  }};

	for (unsigned int d = 0; d < FLAG_DEMANDS; d++)
		terms.opening[d] = own_terms(
			choice, cand, choice->meant.number[d][ABI_NATIVE]);
	return terms;
}

static const struct terms *terms_for(const struct choice *choice,
				     const struct candidate *cand,
				     const struct all_terms *terms,
				     enum abi abi, int n)
{
	enum relation relation = relation_of(choice, cand, abi, n);

	for (unsigned int d = 0; d < FLAG_DEMANDS; d++)
		if (relation == MEANT && abi == ABI_NATIVE &&
		    choice->meant.number[d][abi] == n)
			return &terms->opening[d];
	return &terms->of[relation];
}

/* What all calls with number N gain if CAND has it. */
static int64_t gain_by(const struct choice *choice,
		       const struct candidate *cand,
		       const struct all_terms *terms, int n)
{
	int64_t gain = -copies_asked(choice, cand, n);

	for (int abi = 0; abi < ABI_COUNT; abi++)
		gain += gain_on(
			choice,
			terms_for(choice, cand, terms, (enum abi)abi, n), abi,
			n);
	return gain;
}

int64_t gain_of(const struct choice *choice, const struct candidate *cand,
		const struct syscall_mask *calls)
{
	struct all_terms terms = all_terms(choice, cand);
	int64_t gain = 0;

	for (int n = syscall_mask_next(calls, 0);
	     n >= 0 && n < SYSCALL_MASK_CALLS;
	     n = syscall_mask_next(calls, n + 1))
		gain += gain_by(choice, cand, &terms, n);
	return gain;
}

/* Fills in LIST with those of COUNT numbers that CAND gains by having. */
static int64_t list_gains(const struct choice *choice,
			  const struct candidate *cand, const int *number,
			  size_t count, struct number_gain *list,
			  size_t *listed)
{
	struct all_terms terms = all_terms(choice, cand);
	int64_t sum = 0;

	for (size_t i = 0; i < count; i++) {
		int n = number[i];
		int64_t gain = gain_by(choice, cand, &terms, n);

		if (gain <= 0 || is_taken(choice, cand, n))
			continue;
		list[(*listed)++] = (struct number_gain){n, gain};
		sum += gain;
	}
	return sum;
}

int64_t gain_list(const struct choice *choice, const struct candidate *cand,
		  int64_t least, struct number_gain list[SYSCALL_MASK_CALLS],
		  size_t *count)
{
	int number[SYSCALL_MASK_CALLS] = {0};
	size_t numbers;

	*count = 0;
	if (!may_gain(choice, cand, NULL, 0, least))
		return least;
	numbers = may_have(choice, cand, number);
	if (!may_gain(choice, cand, number, numbers, least))
		return least;
	return list_gains(choice, cand, number, numbers, list, count);
}
