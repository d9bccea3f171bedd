/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What facts.c, facts_meet.c and facts_change.c share; nobody else.
 */
#ifndef AUDITOPT_FACTS_TABLES_H
#define AUDITOPT_FACTS_TABLES_H

#include <stdlib.h>
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
/* After rule I's mask has changed: all facts that follow from it. */
void facts_refresh_mask(struct facts *facts, size_t i);
/* Makes rule I's block know of its calls. */
void facts_block_add(struct facts *facts, size_t i);

#endif
