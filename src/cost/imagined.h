/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Imagined calls: what a call would be if one thing about it, or a few, were
 * otherwise. For bound.c.
 */
#ifndef AUDITOPT_IMAGINED_H
#define AUDITOPT_IMAGINED_H

#include "model/event.h"
#include "model/rule.h"

/* What can be otherwise, a bit each. A test looks at one of them, but for
 * perm=, which looks at the call alone, and -C with the owner of a file, which
 * looks at ids, too. */
enum aspect {
	ASPECT_CALL = 1 << 0, /* its ABI and arguments */
	ASPECT_USERS = 1 << 1,
	ASPECT_GROUPS = 1 << 2,
	ASPECT_SESSION = 1 << 3,
	ASPECT_PROCESS = 1 << 4, /* pid, ppid, personality */
	ASPECT_RESULT = 1 << 5,
	ASPECT_SOCKET = 1 << 6,
	ASPECT_PROGRAM = 1 << 7,
	ASPECT_LABEL = 1 << 8, /* of the task */
	ASPECT_FILE = 1 << 9,  /* its owner, type, device, label */
	ASPECT_TREE = 1 << 10, /* where it lies */
	ASPECTS = 11
};

/* What FIELD can look at: ASPECT_* bits; 0 for what is no field of the exit
 * list. */
unsigned int field_aspects(const struct field_info *field);

#define IMAGINED_LABELS 4

/* An event that owns what it points to, but for strings and groups. */
struct imagined {
	const struct target *target;
	struct event event;
	struct event_name name; /* the only one, if there is one */
	const char *path;	/* of it; NULL: of no rule */
	const char *exe;
	struct lsm_truth label[IMAGINED_LABELS];
	const char **dir; /* room for all trees of the set, and one more */
};

/* EVENT, whose files are none that rules name; NAMED: it has one such file, a
 * regular one of root's, if it has none. DIR: room, as above. Not to be copied
 * but by imagined_like(). */
void imagined_of(struct imagined *call, const struct target *target,
		 const struct event *event, bool named, const char **dir);
/* A copy of OTHER in *CALL, with DIR as its room. */
void imagined_like(struct imagined *call, const struct imagined *other,
		   const char **dir);

/* Gives it such a file, if it has none. */
void imagined_add_file(struct imagined *call);
/* Puts the file into TREE, or gives it PATH, as well. */
void imagined_add_tree(struct imagined *call, const char *tree);
void imagined_set_path(struct imagined *call, const char *path);

/* Changes it so that all of RULE's tests hold; its ABI and number stay. False if
 * that is not done: it may have changed. */
bool imagined_match(struct imagined *call, const struct rule *rule);
/* Changes what TEST looks at, and nothing else, so that it holds if it did not
 * and the other way round. False as above. Not for path= and dir=. */
bool imagined_turn(struct imagined *call, const struct field_test *test);

/* What is otherwise in B than in A: ASPECT_* bits. */
unsigned int imagined_changes(const struct imagined *a,
			      const struct imagined *b);

#endif
