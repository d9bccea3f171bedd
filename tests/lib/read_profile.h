/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Profiles from texts, for tests, and what is in them.
 */
#ifndef AUDITOPT_TESTS_READ_PROFILE_H
#define AUDITOPT_TESTS_READ_PROFILE_H

#include "frontend/diagnostic.h"
#include "profile/profile.h"

/* What the test at hand works with: new for each one. */
extern struct arena *profile_arena;
extern const struct target *profile_target;
extern struct diagnostics *profile_told; /* of the profile that was read last */

/* A fixture: an arena, and x86_64 as the target. */
void profile_setup(void);
void profile_teardown(void);

/* The profile in a file with SIZE bytes at TEXT; NULL: not usable. */
const struct profile *profile_of_bytes(const char *text, size_t size);
const struct profile *profile_of(const char *text);

/* The number of a call that there must be. */
int number_of(enum abi abi, const char *name);
/* Of the native call NAME. */
unsigned int weight_of(const struct profile *p, const char *name);
unsigned int share_failed(const struct profile *p, const char *name);
unsigned int share_unset(const struct profile *p, const char *name);

/* Fails unless NAME is made PERCENT times of a hundred that were counted. */
void expect_percent(const struct profile *p, const char *name,
		    unsigned int percent);
/* Fails if anything was told. */
void expect_quiet(void);
/* The I-th that was told, which must be an ID with WHAT in its text. */
const struct diagnostic *expect_told(size_t i, const char *id,
				     const char *what);

#endif
