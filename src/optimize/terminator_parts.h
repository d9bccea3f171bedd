/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What terminator_choice.c, terminator_gain.c, terminator_places.c,
 * terminator_trim.c and terminator_worth.c share; nobody else.
 */
#ifndef AUDITOPT_TERMINATOR_PARTS_H
#define AUDITOPT_TERMINATOR_PARTS_H

#include "optimize/terminator_bill.h"
#include "optimize/terminator_choice.h"

/* Sets of few rules that keep calls: found, and tried. */
#define KEEPERS 64
#define KEEPERS_AT_MOST 6

/* Numbers that some ABI makes calls of. */
struct numbers {
	int *item;
	size_t count;
};

/* Numbers that a terminator may have somewhere, and from where on. */
struct free_number {
	uint32_t from;
	int number;
};

struct free_numbers {
	struct free_number *item;
	size_t count;
};

/* A few rules that keep calls, of a condition, and what these calls weigh. */
struct keeper {
	uint32_t rule[KEEPING_AT_MOST]; /* as in struct sole */
	unsigned int condition;
	bool with_buckets; /* and what is in buckets */
	uint64_t weight;
};

struct choice {
	struct arena *arena;
	const struct ruleset *set;
	const struct target *target;
	const struct permission *permission;
	const struct early *early;
	const struct profile *profile;
	const struct traffic *traffic;
	struct meant_numbers meant;
	struct numbers numbers;
	/* By condition and, from -1 on, ABI: as an ordinary candidate's. */
	struct free_numbers free[CONDITIONS][ABI_COUNT + 1];
	/* By number: no candidate in front of this may have it. */
	uint32_t earliest[SYSCALL_MASK_CALLS];
	struct spot *place;
	size_t places;
	uint32_t *pointless; /* by place: a bit a condition */
	struct bills *bills;
	struct keeper keeper[KEEPERS];
	size_t keepers;
	/* By demand for flags: what chosen ones have, and where the first of
	 * them stands. */
	struct syscall_mask taken[FLAG_DEMANDS];
	uint32_t taken_at[FLAG_DEMANDS];
	unsigned int taken_demands[FLAG_DEMANDS]; /* all have; without flags */
	/* At the place at hand, for numbers that some candidate may have there:
	 * what calls save at most, in instructions. */
	int64_t saved[ABI_COUNT][SYSCALL_MASK_CALLS][PROFILE_KINDS];
	int64_t saved_by_all[ABI_COUNT][PROFILE_KINDS];
};

/* The calls of the profile, and where they may be had. */
void choice_find_numbers(struct choice *choice);
/* Where some call becomes free, the most frequent ones first, and the keepers
 * that keep most. COUNT: the rules of the set. */
void choice_find_places(struct choice *choice, size_t count);

struct candidate {
	size_t place;
	unsigned int condition;
	int abi; /* -1: any */
	bool early;
	struct early_count copies;
	const struct keeper *keeper; /* NULL: what the flags need */
};

struct number_gain {
	int number;
	int64_t gain;
};

/* Makes PLACE the one at hand, for what follows. *TOLL becomes what all calls
 * that come there pay for the look at a mask. No candidate there gains more
 * than what is returned. */
int64_t gain_prepare(struct choice *choice, size_t place, int64_t *toll);
/* The numbers that CAND gains by having, and what by each. Returns the sum; if
 * that is no more than LEAST, anything up to it, and the list may be empty. */
int64_t gain_list(const struct choice *choice, const struct candidate *cand,
		  int64_t least, struct number_gain list[SYSCALL_MASK_CALLS],
		  size_t *count);

/* What all CALLS gain, or lose, if CAND has them. */
int64_t gain_of(const struct choice *choice, const struct candidate *cand,
		const struct syscall_mask *calls);

/* AUDIT_INODE_BUCKETS */
#define INODE_BUCKETS 32

/* The rules in buckets, as in struct sole, that CAND must have copies of for
 * call N; none if its keeper is not with buckets. */
uint64_t copies_for(const struct choice *choice, const struct candidate *cand,
		    int n);
/* What all such calls pay for being asked them. */
int64_t copies_asked(const struct choice *choice, const struct candidate *cand,
		     int n);
/* What COPIES cost all calls: each is a line more to read; of those in buckets
 * few are met by a name. TOLL: the look at one in the list. */
int64_t copies_price(const struct choice *choice, struct early_count copies,
		     int64_t toll);
/* Takes from LIST the calls that do not gain what the copies of rules in buckets
 * cost that CAND, with such a keeper, needs for them alone. Returns what those
 * for the others cost. */
int64_t copies_weigh_up(const struct choice *choice,
			const struct candidate *cand, struct number_gain *list,
			size_t *count);

#endif
