/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How often calls are made, and by whom with what result: for passes that must
 * choose what to make cheap at what price, and for reports. A profile never
 * decides whether a change is right.
 */
#ifndef AUDITOPT_PROFILE_H
#define AUDITOPT_PROFILE_H

#include "model/event.h"
#include "model/syscall_set.h"
#include "util/arena.h"

/* What shares are counted in: 10000 is all. */
#define PROFILE_WHOLE 10000

struct profile {
	/* How often each call is made in relation to the others; 0 for numbers
	 * that are no call. Every call has some weight. */
	unsigned int weight[ABI_COUNT][SYSCALL_MASK_CALLS];
	uint64_t in_all;
	/* Of PROFILE_WHOLE of these calls how many fail, and how many are made
	 * by tasks whose auid is unset. */
	uint16_t failed[ABI_COUNT][SYSCALL_MASK_CALLS];
	uint16_t unset[ABI_COUNT][SYSCALL_MASK_CALLS];
	bool guessed;	  /* the default: nobody says what this host does */
	const char *name; /* "default", or the file's */
	const char *kind; /* "strace -c"; of the default "measured mix" */
};

/* The profile that is taken if nothing is known; lives in ARENA. */
struct profile *profile_default(struct arena *arena,
				const struct target *target);

/* Typical makers of calls. */
struct profile_kind {
	bool has_auid;
	bool failed;
};

#define PROFILE_KINDS 4

/* I from 0; NULL from PROFILE_KINDS on. Every call is of exactly one kind. */
const struct profile_kind *profile_kind(unsigned int i);

/* Of PROFILE_WHOLE calls of that number how many are of KIND; those of all
 * kinds together are PROFILE_WHOLE. Result and auid are taken as independent
 * of each other. */
unsigned int profile_share(const struct profile *profile, enum abi abi,
			   int number, const struct profile_kind *kind);

/* A typical call of KIND: its files are none that a rule names. */
struct event profile_event(const struct target *target, enum abi abi,
			   int number, const struct profile_kind *kind);

#endif
