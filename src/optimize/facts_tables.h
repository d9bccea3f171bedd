/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What facts.c, facts_meet.c and facts_change.c share; nobody else.
 */
#ifndef AUDITOPT_FACTS_TABLES_H
#define AUDITOPT_FACTS_TABLES_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Most keys are sets of calls, which are long: eight bytes at a time. */
static inline unsigned int facts_hash(const void *key, size_t length)
{
	const unsigned char *byte = key;
	uint64_t hash = length, word;

	for (; length >= sizeof(word); length -= sizeof(word)) {
		memcpy(&word, byte, sizeof(word));
		hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 32;
		byte += sizeof(word);
	}
	for (; length; length--)
		hash = (hash ^ *byte++) * UINT64_C(0x9e3779b97f4a7c15);
	hash ^= hash >> 32;
	return (unsigned int)hash;
}

#define HASH_FUNCTION(key, length, hash) ((hash) = facts_hash(key, length))
#include <uthash.h>

#include "optimize/facts.h"

struct known_calls {
	struct syscall_set calls;
	UT_hash_handle hh;
};

struct known_predicate {
	uint64_t hash;
	const struct predicate *predicate;
	unsigned int id;
	struct known_predicate *same_hash;
	UT_hash_handle hh;
};

struct known_outcome {
	const char *name;
	unsigned int id;
	UT_hash_handle hh;
};

/* Bucket rules with one predicate and one outcome. */
struct alike {
	size_t rule;
	struct alike *next;
};

struct known_alike {
	unsigned int key[2]; /* predicate_id, outcome_id */
	struct alike *first;
	UT_hash_handle hh;
};

/* A path with a watch that is not settled. */
struct open_watch {
	const char *path;
	UT_hash_handle hh;
};

/* So many neighbouring rules are looked at together first. */
#define BLOCK_RULES 64

/* Never less than what its rules have. */
struct block {
	bool exit, uring; /* has rules of that filter */
	struct syscall_set calls;
};

struct fact_tables {
	struct known_calls *calls;
	struct known_predicate *predicate;
	struct known_outcome *outcome;
	struct known_alike *alike;
	struct open_watch *open;
	struct block *block;
	struct syscall_set uring_calls; /* see facts.h */
	struct syscall_mask signal_class, signal_class_32;
	size_t counted;		 /* rules in audit_n_rules */
	size_t signals;		 /* rules in audit_signals */
	unsigned int tree_epoch; /* the last epoch with a dir= */
};

/* The one pointer for sets equal to *CALLS. */
const struct syscall_set *facts_intern_calls(struct facts *facts,
					     const struct syscall_set *calls);
/* Would audit_match_signal() count RULE, whose last arch test says ARCH? */
bool facts_counts_as_signal(const struct facts *facts, const struct rule *rule,
			    uint32_t arch);
/* After rule I's tests have changed, those of arch excepted, and after its mask
 * has: all facts that follow from them. */
void facts_refresh_tests(struct facts *facts, size_t i);
void facts_refresh_mask(struct facts *facts, size_t i);
/* Would an io_uring operation outside of a system call reach RULE, if it stood
 * in a bucket? */
bool facts_uring_reaches(const struct target *target, const struct rule *rule);
/* Would bucket rule I with that MASK be what the kernel takes for another
 * bucket rule than J? It would refuse the later one (EEXIST), which may be the
 * one that decides once audit_update_watch() has turned their order round. List
 * rules need not ask: there the later one decides nothing. */
bool facts_collides(const struct facts *facts, size_t i, size_t j,
		    const struct syscall_mask *mask);
/* Makes rule I's block know of its calls. */
void facts_block_add(struct facts *facts, size_t i);

#endif
