/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events by hand, and what the evaluator makes of them; on x86_64.
 */
#ifndef AUDITOPT_TESTS_CALLS_H
#define AUDITOPT_TESTS_CALLS_H

#include "model/kernel.h"

#define UNSET UINT32_MAX
#define STRINGS(...) ((const char *const[]){__VA_ARGS__})

/* What a test's rules are made of. */
extern struct arena *arena;
extern const struct target *x86;

/* For tcase_add_checked_fixture(). */
void calls_setup(void);
void calls_teardown(void);

/* An ordinary, successful call of a person. */
struct event call_of(enum abi abi, const char *name);
struct event call(const char *name); /* 64 bit */
struct event failed(const char *name, int error);
/* A rename() that named these files. */
struct event with_names(const struct event_name *name, size_t names);

/* RULES as mk_ruleset() takes them. */
struct outcome outcome_of(const char *rules, const struct event *event);
bool records(const char *rules, const struct event *event);
/* Fails the test if the outcome is another. */
void expect(const char *rules, const struct event *event, enum verdict verdict,
	    const char *key);

#endif
