/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What equivalence.c, entries.c and classes.c share; nobody else.
 */
#ifndef AUDITOPT_VERIFYING_H
#define AUDITOPT_VERIFYING_H

#include <uthash.h>

#include "verify/check.h"

#define PERM_BITS 4
#define NOT_MADE UINT32_MAX

/* Calls that some rules can match, and how a class lies in them. */
struct known_calls {
	struct syscall_mask mask; /* the key: what the rule's mask has, ... */
	struct syscall_set calls; /* ... and what is left of that */
	struct rule *as;	  /* a rule with these */
	UT_hash_handle hh;
	size_t asked; /* for which class, counted from 1 */
	enum { CLASS_IN, CLASS_OUT, CLASS_PARTLY } where;
};

#define KNOWN_CALLS_KEY \
	(sizeof(struct syscall_mask) + sizeof(struct syscall_set))

/* A rule of either set. */
struct entry {
	const struct rule *rule;
	enum side side;
	const struct result *result;
	bool in_list, in_bucket; /* unsettled: both */
	bool watch;
	uint32_t shape; /* the same for rules that are the same to the kernel
			 * but for their masks; below the number of entries */
	struct known_calls *calls; /* what its mask has; NULL: no call meets
				    * it, operations do */
	struct known_calls *all;   /* if it asks for classes: any may be */
	diagram when[2][16];	   /* list, bucket; by the perms that count */
};

struct known_result {
	const char *name;
	struct result result;
	UT_hash_handle hh;
};

/* In what the calls of a class may differ, though the rules are the same. */
struct nature {
	bool self_log, operations;
	uint32_t arch; /* if it runs operations, which ask for it */
	int flags_in;
	uint32_t perms;
};

struct verifying {
	struct check check;
	struct arena *arena, *scratch;
	struct entry *entry;
	size_t entries;
	struct known_calls *calls;
	struct known_result *results;
	bool identical, trees_same, settling_same;
	struct syscall_mask *kind; /* of operations: in the same rules */
	size_t kinds;
	struct class_proof *item;
	size_t count, capacity;
	struct seen_class *seen;
	size_t classes;		   /* looked at so far */
	struct step *steps[SIDES]; /* room */
	size_t *met[SIDES];	   /* by shape and in_mask: the last class that
				    * met it in its list */
	size_t nodes, tries_left;
	size_t nodes_at_most;
	size_t work_a_class, work_left; /* for one class, for all that follow */
	struct syscall_set perm[PERM_BITS];
	struct syscall_set running; /* calls_running_operations() */
	struct nature *nature[ABI_COUNT]; /* by number */
};

/* entries.c: the rules of both sets that walks meet, and the kinds of io_uring
 * operations; operations that no mask can have are one of them. */
void find_entries(struct verifying *v);
void find_kinds(struct verifying *v);
bool entry_is_io_uring(const struct entry *entry);
/* Makes the diagrams of SUBJECT's steps. */
void make_diagrams(struct verifying *v, struct subject *subject);
void forget_diagrams(struct verifying *v);

/* classes.c: calls judge_class() for every class of calls, and of operations.
 */
void find_natures(struct verifying *v);
void verify_calls(struct verifying *v);
void verify_operations(struct verifying *v);

/* equivalence.c */
struct class_proof *add_item(struct verifying *v, uint32_t filter);
void judge_class(struct verifying *v, struct subject *subject);

#endif
