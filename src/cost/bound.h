/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A bound: what a call costs at least under any rules that log the same.
 *
 * What is used of the kernel (kernel/auditsc.c, auditfilter.c, audit_tree.c,
 * audit_watch.c): a walk depends on a call only by the tests that it evaluates
 * (audit_filter_rules); a rule is left at its first test that fails, and the
 * walk goes on; the first rule that matches ends it. A rule has at most one of
 * dir= and path=, with the operator = only (audit_make_tree, audit_to_watch).
 * A rule with path= is in one of 32 buckets, all others are in the list
 * (audit_find_rule).
 *
 * A file lies in a tree if one of the directories above it bears the tree's mark
 * (handle_path()), and a directory keeps its mark when it is moved. So a file
 * may lie in any of the trees that rules name at once, whatever their names
 * are, but for the root, which is above all others.
 *
 * Let E be a call on a file in no tree, and let it make a difference to a like
 * call on a file in the trees T (mostly none) if the file lies in the tree X as
 * well, X being moved in between: call that E'. What matches without X matches
 * with it, so the rule that decides E' is not matched without X and stands in
 * front of what is. As E, in fewer trees, passes no more tests, it comes to
 * that rule, too, enters it, and fails there at its dir= and nothing else. That
 * is dir=X: another directory D, between X and T, has files of its own, not in
 * X, which that rule would then decide as well, but which no rule set that does
 * not name D can tell from files in T alone. Hence:
 *
 * - Trees. Each X that makes a difference to such calls has a rule of its own
 *   that E must enter, and pay for dir=.
 * - Files. In the same way each file whose name makes a difference has a rule
 *   of its own, in its bucket. Of 32 files of other names one meets it there,
 *   and enters it if that call's number is in its mask, which it is if the
 *   file makes a difference to this call; else it is passed at least.
 * - Other facts. If E' differs from E in one fact of another kind, some test
 *   that looks at it is evaluated for E: here or there, perhaps in a rule
 *   counted already. Each program (exe=) has tests of its own; facts that one
 *   test can look at together are one.
 * - Calls that are not logged, and would be with several facts otherwise: one
 *   rule with their number is entered at least, and one test that can tell
 *   them apart is evaluated. It is none of those above if no field looks at one
 *   of these facts and one of those: it comes on top. Where it matters to the
 *   call in which tree its file lies, it may be a dir= that is counted already.
 * - The end. A rule that matches, or the end of the list; for which the rules
 *   of all keys must be passed, which are as many as there are keys. A call
 *   that must match none (-O1) has the end of the list only.
 *
 * Where trees and files are is not taken as known from anything else: not from
 * device numbers, not from links. Watches that are not settled are left out. What
 * may be worth less is taken as less, so that the bound is one, if not the best.
 */
#ifndef AUDITOPT_BOUND_H
#define AUDITOPT_BOUND_H

#include "model/event.h"
#include "model/price.h"
#include "model/rule.h"
#include "util/arena.h"

/* What is asked of a set once. */
struct bound_survey;

/* For the exit filter of SET, where the same is what LEVEL (1 or 2) calls the
 * same if no module logs the answers to UNLOGGED (self_log.h). PRICES: NULL for
 * 6.1. Lives in ARENA. */
struct bound_survey *bound_survey_of(struct arena *arena,
				     const struct ruleset *set,
				     const struct prices *prices, int level,
				     uint32_t unlogged);

/* A test that must be made for the call, and the rule that shows it. */
struct bound_test {
	const struct field_test *test;
	const struct rule *rule;
};

struct bound {
	double instructions; /* above the call without rules, as in call_cost */
	double floor; /* what it costs under the one rule -a never,exit -S all */
	double fixed;	 /* of INSTRUCTIONS: as soon as there is any rule that
		       * counts ... */
	double watching; /* ... and as soon as there is any watch */
	double entering; /* the rules of TREE */
	double telling;	 /* tests of OTHER, or NEAR from this call */
	double ending;	 /* the walk of the list */
	double buckets;	 /* the rules of files */
	struct bound_test *tree; /* each in a rule of its own that fails */
	size_t trees;
	struct bound_test *other; /* tests anywhere */
	size_t others;
	const struct rule *near; /* it logs a call with that number that differs
				  * in several facts, one of which must be
				  * looked at; NULL: that is not needed */
	bool near_abi;		 /* such a call of the other ABI */
	bool near_besides;	 /* by a test that is none of OTHER */
	size_t files; /* that must be told apart, each by a rule in a bucket */
	size_t other_files; /* that must be for other calls */
	bool must_match;    /* some rule must match it */
	bool must_not;	    /* none may */
	bool elsewhere; /* its files are named by rules or in their trees: only
			 * what does not depend on files was counted */
};

/* The bound for EVENT. A call that names files, where they are none that rules
 * name, is taken as one on a regular file of root's. Lives in the survey's
 * arena. */
struct bound bound_of(const struct bound_survey *survey,
		      const struct event *event);

#endif
