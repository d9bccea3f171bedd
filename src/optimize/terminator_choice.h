/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which terminators pay most. For terminators.c, which knows what is allowed;
 * nothing here decides whether a rule is right.
 */
#ifndef AUDITOPT_TERMINATOR_CHOICE_H
#define AUDITOPT_TERMINATOR_CHOICE_H

#include "model/rule.h"
#include "optimize/terminator_demand.h"
#include "optimize/terminator_traffic.h"

#define NOWHERE UINT32_MAX

/* From which position of the set on a terminator may have the call, or NOWHERE.
 */
struct permission {
	uint32_t from[CONDITIONS][ABI_COUNT][SYSCALL_MASK_CALLS];
};

struct early_need; /* terminator_early.c */

/* The conditions from 0 on for which such rules are looked for: none, and
 * auid=unset. */
#define SOLE_CONDITIONS 2

/* From which position of the set on an early terminator may stand that ends the
 * call of the condition's flags, or NOWHERE, and the rules that it needs copies
 * of if they are behind it. */
struct early {
	/* By condition and, from -1 on, ABI; -1: of any. */
	uint32_t from[CONDITIONS][ABI_COUNT + 1];
	struct early_need *need[CONDITIONS][ABI_COUNT + 1];
	/* Without copies of rules in buckets, and with them. */
	const struct sole *sole[2][SOLE_CONDITIONS];
};

/* Calls that a few rules keep from ending their walk early: those of the list,
 * the last one first, then NOWHERE, and from where on a terminator may have the
 * call if copies of those that stand behind it stand in front of it. */
#define KEEPING_AT_MOST 3
/* Of those in buckets, which cost other calls less, so many: bits. */
#define BUCKETS_KEEPING_AT_MOST 64

struct sole {
	uint32_t rule[KEEPING_AT_MOST][ABI_COUNT][SYSCALL_MASK_CALLS];
	uint32_t from[ABI_COUNT][SYSCALL_MASK_CALLS];
	/* Those in buckets, the last one first; which of them keep the call. */
	uint32_t bucket[BUCKETS_KEEPING_AT_MOST];
	unsigned int buckets;
	uint64_t kept_in[ABI_COUNT][SYSCALL_MASK_CALLS];
};

/* The rules in buckets of SOLE that stand behind AT, of KEPT. */
uint64_t sole_behind(const struct sole *sole, uint64_t kept, uint32_t at);

/* Do early terminators have that condition? */
bool condition_is_early(unsigned int condition);
/* How many copies an early one AT a position needs: of rules in the list, of
 * rules in buckets. */
struct early_count {
	size_t lists, buckets;
};

struct early_count early_count(const struct early *early,
			       unsigned int condition, int abi, uint32_t at);
/* Calls VISIT with the positions where one might well stand. */
void early_places(const struct early *early, unsigned int condition, int abi,
		  void (*visit)(uint32_t at, void *data), void *data);

struct terminator {
	uint32_t at; /* stands before the rule at this position of the set, */
	bool front;  /* in front of those that were chosen for it before, or
		      * behind them */
	size_t turn; /* so many were chosen before it */
	unsigned int condition;
	int abi; /* -1: of any */
	bool early;
	/* If it has no flags these are copied, the last one first; with
	 * buckets, those rules in buckets, too, that keep one of its calls. */
	uint32_t sole[KEEPING_AT_MOST];
	bool with_buckets;
	struct syscall_mask calls;
	struct rule *rule;
	struct rule **copy; /* stand in front of it */
	size_t copies;
};

/* What one terminator after the other is chosen from. */
struct choice;

/* For SET, in which none is chosen yet, and TRAFFIC of PROFILE; lives in ARENA,
 * and what it is given must live as long. */
struct choice *choice_of(struct arena *arena, const struct ruleset *set,
			 const struct permission *permission,
			 const struct early *early,
			 const struct profile *profile,
			 const struct traffic *traffic);

/* What an average call of the profile pays for its walk over the set with what
 * was taken so far: in hundredths of instructions, times choice_whole(). */
int64_t choice_bill(const struct choice *choice);
int64_t choice_whole(const struct choice *choice);

/* Looks for the terminator that makes a call of the profile cheapest on average
 * if it is added to those that were taken. False if none pays. *GAIN becomes
 * what it takes from the bill. */
bool choice_look(struct choice *choice, struct terminator *best, int64_t *gain);

/* What T, chosen by another choice for the same set with the same ones taken,
 * would take from the bill; negative: add to it. */
int64_t choice_gain(struct choice *choice, const struct terminator *t);

/* Takes T, whose rule and copies are made. */
void choice_take(struct choice *choice, const struct terminator *t);

/* Takes out of the masks of the COUNT that were taken, which are all, the calls
 * that are better off without. Returns about what that takes from the bill. */
int64_t choice_trim(struct choice *choice, struct terminator *chosen,
		    size_t count);

/* SET with the CHOSEN ones, in the order in which they stand, and their copies in
 * it; lives in ARENA. */
struct ruleset *terminators_inserted(struct arena *arena,
				     const struct ruleset *set,
				     const struct terminator *chosen,
				     size_t count);

#endif
