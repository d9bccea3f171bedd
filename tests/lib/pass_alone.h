/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One pass on a small rule set: what it is to make of it.
 */
#ifndef AUDITOPT_TESTS_PASS_ALONE_H
#define AUDITOPT_TESTS_PASS_ALONE_H

#include "optimize/pass.h"

/* Runs PASS at LEVEL on the rules of BEFORE (mk_ruleset) for x86_64 and
 * compares with AFTER; NULL: they are to stay, and nothing may be logged. A
 * second run may change nothing, and random events must not tell the two sets
 * apart. Fails the running test, telling NAME. */
void pass_alone(const struct pass *pass, int level, const char *name,
		const char *before, const char *after);

/* The set that PASS makes of the rules of BEFORE; lives in ARENA. */
struct ruleset *pass_made(struct arena *arena, const struct pass *pass,
			  int level, const char *before);

#endif
