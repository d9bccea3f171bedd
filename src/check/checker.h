/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the single checks share. For the files of this directory alone.
 */
#ifndef AUDITOPT_CHECKER_H
#define AUDITOPT_CHECKER_H

#include "check/check.h"
#include "model/predicate.h"
#include "model/rule.h"

struct checker {
	const struct check_subject *subject;
	struct arena *arena;
	struct findings *findings;
	const struct ruleset *set; /* what the kernel would hold */
	/* By line id: the rule that the line adds, and the one that is held;
	 * NULL where there is none. */
	const struct audit_action **action;
	const struct rule **rule;
	bool *dead; /* by line id: its rule decides nothing (check_dead) */
};

/* Adds one with a formatted text and nothing in the optional parts. The result
 * may be completed until the next one is added. */
struct finding *found(struct checker *c, enum severity severity, const char *id,
		      struct position at, const char *format, ...)
	__attribute__((format(printf, 5, 6)));
/* Adds a copy of D, which belongs to no group. */
struct finding *findings_add(struct arena *arena, struct findings *findings,
			     const struct diagnostic *d);
/* Puts them into the order of the input: line, column, the most severe first,
 * name, text. Those on lines that the merge of a directory dropped come last. */
void findings_sort(struct findings *findings);

/* How far a check is: at rule number I of the set, from 0. */
void checking(const struct checker *c, size_t i);

/* Where the rule of LINE begins. */
struct position rule_at(const struct checker *c, uint32_t line);
/* Where its test number TEST was asked for. */
struct position test_at(const struct checker *c, uint32_t line,
			unsigned int test);
/* "a.rules:12" */
const char *line_name(const struct checker *c, uint32_t line);

/* "chmod, fchmod and 3 more": the calls of ABI in MASK that have a name; "" if
 * none has. */
const char *call_list(const struct checker *c, enum abi abi,
		      const struct syscall_mask *mask);

/* The checks, a file each. */
void check_dead(struct checker *c);	/* rules that decide nothing */
void check_nested(struct checker *c);	/* paths in trees of other rules */
void check_twins(struct checker *c);	/* rules for one ABI alone */
void check_fields(struct checker *c);	/* one rule by itself */
void check_whole(struct checker *c);	/* the set as a whole */
void check_versions(struct checker *c); /* other versions of auditctl */

#endif
