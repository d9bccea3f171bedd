/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rule sets with one thing made wrong in them, as a faulty pass would.
 */
#ifndef AUDITOPT_TESTS_MUTATE_H
#define AUDITOPT_TESTS_MUTATE_H

#include "lib/random_events.h"

enum mutation_kind {
	MUTATION_LOSE_RULE,
	MUTATION_DROP_CALL,
	MUTATION_ADD_CALL,
	MUTATION_SWAP,
	MUTATION_MOVE,
	MUTATION_OPERATOR,
	MUTATION_VALUE,
	MUTATION_KEY,
	MUTATION_ACTION,
	MUTATION_PERM,
	MUTATION_PATH, /* of path=, dir= or exe= */
	MUTATION_ARCH,
	MUTATION_LOSE_TEST,
	MUTATIONS
};

/* "a call dropped" */
const char *mutation_name(enum mutation_kind kind);

struct mutation {
	const struct ruleset *set; /* with the mutation */
	/* The rules that it is about: as they were and as they are; a second
	 * pair if two were swapped. NULL: none. */
	const struct rule *before[2], *after[2];
	int call; /* the call in question; -1: all of the rules' calls */
};

/* Puts a mutation of KIND at a random place of SET's exit and io_uring rules
 * into MADE. The kernel would take the result as well. Returns false if SET
 * has nothing that it could be done to. Lives in ARENA. */
bool mutate(struct arena *arena, const struct ruleset *set,
	    enum mutation_kind kind, struct random *random,
	    struct mutation *made);

/* An event that the rules of MADE are likely to decide, under SET or under the
 * set with the mutation: it satisfies one of them (swapped ones: both) and,
 * where that can be had, none that stands before it. MAKER is of SET. The event
 * is the maker's, and good until the next call. */
const struct event *mutation_event(struct event_maker *maker,
				   struct random *random,
				   const struct ruleset *set,
				   const struct mutation *made);

#endif
