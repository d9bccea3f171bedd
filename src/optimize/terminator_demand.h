/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a terminator may ask of a call: demands, and the conditions that are
 * made of them. For terminators.c and terminator_choice.c.
 */
#ifndef AUDITOPT_TERMINATOR_DEMAND_H
#define AUDITOPT_TERMINATOR_DEMAND_H

#include "model/rule.h"
#include "profile/profile.h"

enum demand {
	/* Flags of open and openat: O_RDONLY, alone and with O_CLOEXEC. */
	DEMAND_OPEN_READ,
	DEMAND_OPEN_CLOEXEC,
	DEMAND_OPENAT_READ,
	DEMAND_OPENAT_CLOEXEC,
	FLAG_DEMANDS,		     /* so many are for flags */
	DEMAND_UNSET = FLAG_DEMANDS, /* auid=unset: a daemon */
	DEMAND_SUCCESS,		     /* success=1 */
	DEMAND_RESULT,		     /* exit<=2147483647: no error */
	DEMANDS
};

struct field_test demand_test(enum demand demand);
/* The demand whose test it is; DEMANDS: of none. */
enum demand demand_of(const struct field_test *test);
/* The only call that it is meant for, and whose open flags it asks for; NULL:
 * any call, no flags. */
const char *demand_call(enum demand demand);

/* Conditions, all of whose demands must be met: a bit a demand. */
#define CONDITIONS 22

unsigned int condition_demands(unsigned int condition);
/* The one of them that is about flags; DEMANDS: none is. */
enum demand condition_flags(unsigned int condition);
/* The condition that demands the same but for flags. */
unsigned int condition_without_flags(unsigned int condition);

/* By demand for flags and ABI: the number of demand_call(); -1: it has none. */
struct meant_numbers {
	int number[FLAG_DEMANDS][ABI_COUNT];
};

/* Those of TARGET. */
struct meant_numbers meant_numbers_of(const struct target *target);
/* Is the call NUMBER of ABI the one whose flags CONDITION is about? */
bool condition_means(const struct meant_numbers *meant, unsigned int condition,
		     enum abi abi, int number);
/* How many of a hundred open and openat meet DEMAND, one of flags. */
unsigned int demand_likelihood(enum demand demand);
/* "by tasks without auid, for reading"; "" if there is none. */
const char *condition_text(struct arena *arena, unsigned int condition);

#endif
