/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A second opinion on two rule sets: what the kernel does with one call, as a
 * formula over bit vectors for Z3. It is written from the kernel's walks
 * (kernel/auditsc.c) and shares nothing with verify/ nor with the evaluator but
 * the rules, the tables of calls, perm.h and call_names.h.
 *
 * The formula has up to SMT_NAMES names, each with all of its own values, any
 * number of replacements of watched files, open flags as what decides perm, and
 * freedom for what kernels differ in: whether a call counts as reading,
 * writing ..., and which calls a mask's class has.
 *
 * It leaves out: more names than that; walks inside a call (io_uring operations
 * that a call runs, watches that end in it); tasks that were born under a task
 * rule; filters other than exit and io_uring. Unsettled watches must be settled
 * before.
 */
#ifndef AUDITOPT_TESTS_SMT_H
#define AUDITOPT_TESTS_SMT_H

#include "model/event.h"
#include "model/rule.h"

#define SMT_NAMES 2

struct smt;

/* A system call, or an operation outside of a call. */
struct smt_call {
	bool uring;
	enum abi abi; /* ABI_NATIVE for an operation */
	int number;
};

enum smt_answer {
	SMT_SAME,
	SMT_DIFFERENT,
	SMT_UNKNOWN, /* the limit was reached */
};

/* BEFORE and AFTER at LEVEL (0 as 1), settled and without what the kernel
 * refuses; they must stay as they are. Ended with smt_free(). What belongs to
 * it lives in ARENA. */
struct smt *smt_new(struct arena *arena, const struct ruleset *before,
		    const struct ruleset *after, int level);
void smt_free(struct smt *smt);

/* Are the outcomes of CALL the same whatever its fields? Takes no more than a
 * fixed number of Z3's own steps, so that the answer is the same everywhere. */
enum smt_answer smt_ask(struct smt *smt, const struct smt_call *call);

/* After SMT_DIFFERENT: an event that shows it, with the newest kernel that
 * perm.h knows; NULL if it takes another one. Good until the next question. */
const struct event *smt_event(struct smt *smt);

#endif
