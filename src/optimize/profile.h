/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How often calls are made, for passes that must choose what to make cheap at
 * what price.
 */
#ifndef AUDITOPT_PROFILE_H
#define AUDITOPT_PROFILE_H

#include "model/event.h"
#include "model/syscall_set.h"
#include "util/arena.h"

/* The weight of each call in relation to the others'; 0 for numbers that are no
 * call. */
struct profile {
	unsigned int weight[ABI_COUNT][SYSCALL_MASK_CALLS];
	uint64_t in_all;
};

/* The profile that is taken if nothing is known; lives in ARENA. */
struct profile *profile_default(struct arena *arena,
				const struct target *target);

/* Typical makers of calls. */
struct profile_kind {
	unsigned int percent;
	bool has_auid;
	bool failed;
};

/* I from 0; NULL past the end. */
const struct profile_kind *profile_kind(unsigned int i);

/* A typical call of KIND: its files are none that a rule names. */
struct event profile_event(const struct target *target, enum abi abi,
			   int number, const struct profile_kind *kind);

#endif
