/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two rule sets before the evaluator: is there an event that tells them apart?
 */
#ifndef AUDITOPT_TESTS_COMPARE_H
#define AUDITOPT_TESTS_COMPARE_H

#include <stdio.h>

#include "lib/random_events.h"
#include "model/kernel.h"

/* What unsettled watches turn out to be on the machine that loads them. */
enum settling { ALL_PATHS, ALL_DIRS, SOME_OF_EACH, SETTLINGS };

/* A rule set as the kernel would hold it: with its unsettled watches settled in
 * each way, and without what it refuses as there already. */
struct settled {
	const struct ruleset *set; /* as it is */
	const struct ruleset *as[SETTLINGS];
	unsigned int settlings; /* 1 if nothing was unsettled */
	unsigned int filters;	/* 1 << AUDIT_FILTER_* of all that it has */
	uint32_t unlogged;	/* as in struct pass_context; of BEFORE counts */
	bool native_only;	/* no event of the other ABI counts; the same */
};

struct difference {
	const char *where; /* "exit", "io_uring", "task", ... */
	enum settling settling;
	struct outcome before, after;
	struct inner_walk inner; /* event: NULL if there was none */
};

/* SET is kept by reference; copies live in ARENA. */
struct settled settled_of(struct arena *arena, const struct ruleset *set);

/* Can EVENT, with the walk INNER inside it if that is not NULL, tell BEFORE
 * from AFTER, which was made at LEVEL, in any filter and in any way of
 * settling? Level 0 is held to level 1's notion of the same. */
bool event_tells_apart(const struct settled *before,
		       const struct settled *after, int level,
		       const struct event *event,
		       const struct inner_walk *inner,
		       struct difference *difference);

/* The same for EVENTS random events; the first that can is left in MAKER's
 * event and *FOUND points to it. */
bool sets_differ(const struct settled *before, const struct settled *after,
		 int level, struct event_maker *maker, struct random *random,
		 size_t events, const struct event **found,
		 struct difference *difference);

/* Are the rules the same to the kernel and in the same order? */
bool sets_identical(const struct ruleset *a, const struct ruleset *b);

/* Everything about a difference, for people. */
void dump_difference(FILE *file, const struct settled *before,
		     const struct settled *after, int level,
		     const struct event *event,
		     const struct difference *difference);

#endif
