/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What bound.c and bound_survey.c share; nobody else. bound.h says why.
 */
#ifndef AUDITOPT_BOUND_SURVEY_H
#define AUDITOPT_BOUND_SURVEY_H

#include "cost/bound.h"
#include "cost/imagined.h"
#include "model/kernel.h"

struct bound_survey {
	struct arena *arena;
	const struct ruleset *set;
	const struct prices *prices;
	int level;
	uint32_t unlogged;
	size_t rules;	   /* of the set that are looked at */
	const char **tree; /* of all rules with dir=, each once */
	size_t trees;
	size_t pairs;	  /* so many of them are tried with each other */
	bool odd;	  /* one of them is no plain path: what it is around is
		       * not known */
	const char **key; /* of what the list records, each once; NULL: none */
	size_t keys;
	bool *file; /* by rule: its path= makes a difference to some call */
	size_t files;
	bool watches; /* some path=, dir= or exe= must be in the rules */
};

/* What comes of CALL. */
struct outcome survey_walk(const struct bound_survey *s,
			   const struct imagined *call);
/* Can the kernel log such a call by itself? */
bool survey_self_logs(const struct bound_survey *s, const struct event *e);
/* Must any rules treat A and B differently? */
bool survey_differ(const struct bound_survey *s, const struct imagined *a,
		   const struct imagined *b);
/* Room for the trees that an imagined call lies in; in the survey's arena. */
const char **survey_room(const struct bound_survey *s);
/* Are they one path, but for slashes at the end? */
bool survey_same_path(const char *a, const char *b);
/* RULE's test of that kind with the operator =; NULL: it has none. */
const struct field_test *survey_test_of(const struct rule *rule,
					enum field_kind kind);
/* Is RULE one of the exit filter whose place and calls are certain? */
bool survey_is_counted(const struct rule *rule);
/* Puts the file of *CALL into the root, too, if it lies in any tree or has a
 * path. False where trees are not known (odd). */
bool survey_put_around(const struct bound_survey *s, struct imagined *call);
/* Does it make a difference to a file in no tree, or in one that the rules
 * name, whether it lies in the tree PATH? *COMES becomes what comes of it
 * there. ROOM_A, ROOM_B: survey_room(). */
bool survey_tree_matters(const struct bound_survey *s,
			 const struct imagined *base, const char *path,
			 const char **room_a, const char **room_b,
			 struct outcome *comes);
/* Whether it is PATH? */
bool survey_file_matters(const struct bound_survey *s,
			 const struct imagined *base, const char *path,
			 const char **room_a, const char **room_b);
/* Is KEY, which may be NULL for none, in the LIST? */
bool survey_has_key(const char *const *list, size_t count, const char *key);

#endif
