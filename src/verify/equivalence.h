/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Do two rule sets mean the same? Proved by decision diagrams, class of calls
 * by class of calls, or not proved, or refuted by a call for which the
 * evaluator (model/kernel.h) agrees that they do not. Shares the model with the
 * passes and nothing else.
 *
 * "Proved" says that for every event and every state of the unsettled watches
 * the kernel's outcomes are outcome_same() at the level. It covers
 * - kernel_syscall_exit(), with the watched files replaced any number of times,
 *   and kernel_uring_exit();
 * - kernel_call_with() for a call that ends one watch (audit_update_watch) or
 *   runs io_uring operations, where what lasts between the walks of a call is:
 *   the call, its arguments, pid, ppid, personality, auid, session; a result
 *   is known in the last walk alone, or in that of an operation; the trees that
 *   were met (dir=) only become more. Not both at once, a bucket whose order
 * was changed and a walk inside the call: that can tell one rule from two of
 * the same;
 * - the other filters, where it demands the same rules in the same order, but
 *   for those that the kernel refuses as there already;
 * - that every tree that a -q applies to is still there, and made before the
 *   same ones. It takes the -q of both sets to be the same; with own_tags they
 *   are left to the caller (tagged.h).
 * It takes from the model which calls a rule can match (rule_calls, perm.h) and
 * which calls can log by themselves (self_log.h). It does not look at which
 * rules make the kernel collect OBJ_PID records (audit_signals), nor at tasks
 * that were born under other task rules than the set's.
 *
 * A class that is not proved may still be the same: what cannot be known from
 * the rules (an exe, a label, a tree, another name's owner) is taken to be
 * free.
 */
#ifndef AUDITOPT_EQUIVALENCE_H
#define AUDITOPT_EQUIVALENCE_H

#include "model/kernel.h"
#include "model/rule.h"

enum proof {
	PROOF_GOOD,	 /* the same */
	PROOF_NONE,	 /* not proved */
	PROOF_DIFFERENT, /* a witness shows it */
};

/* An event for which two sets do something else. */
struct witness {
	const struct event *event;
	bool uring;	/* an operation outside of a call */
	bool has_inner; /* INNER runs inside the call */
	struct inner_walk inner;
	struct outcome before, after;
	const char *const *trees; /* unsettled watches that are directories
				   * here; the others are files */
	size_t tree_count;
};

/* Calls (operations, for FILTER AUDIT_FILTER_URING_EXIT; nothing for the
 * filters without calls) that the sets treat alike. */
struct class_proof {
	uint32_t filter;
	struct syscall_set calls;
	enum proof proof;
	const char *why;	       /* PROOF_NONE: what stood in the way */
	const struct witness *witness; /* PROOF_DIFFERENT: no two with the same
					* outcomes */
	size_t witnesses;
	bool cut; /* the search for more witnesses was ended early */
};

struct verify_options {
	int level;	      /* 0 is held to 1's notion of the same */
	uint32_t unlogged;    /* the security modules log no answer to these
			       * questions (ASKS_* of self_log.h) */
	size_t nodes_at_most; /* 0: a default. Of all diagrams together. */
	bool kernel_unknown;  /* perm may mean more than the newest known kernel
			       * makes of it (perm_kernel_known) */
	struct progress *progress; /* util/progress.h; NULL: not told */
	bool own_tags;	      /* each set has -q of its own, which are not looked
			       * at */
	bool all_witnesses;   /* several a class, within limits; else one a
			       * class, and no look at what needs one once one
			       * was found */
};

struct verification {
	enum proof proof; /* the worst of all classes */
	const struct class_proof *item;
	size_t count;
	size_t proved;
	size_t nodes; /* of the diagrams */
	int level;
};

/* Are BEFORE and AFTER the same at OPTIONS's level? Results live in ARENA and
 * point into the sets. */
struct verification verify_equivalent(struct arena *arena,
				      const struct ruleset *before,
				      const struct ruleset *after,
				      const struct verify_options *options);

#endif
