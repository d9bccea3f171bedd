/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Passes: (ruleset, context) -> changes. Each in a file of its own, each
 * correct alone and in any order, each leaving alone what it cannot prove.
 */
#ifndef AUDITOPT_PASS_H
#define AUDITOPT_PASS_H

#include "model/rule.h"
#include "profile/profile.h"

/* One thing that a pass did, for -v and the report. */
struct change {
	const char *pass;
	struct origin what;    /* the lines whose rule was changed or dropped */
	struct origin because; /* the lines that make it right; may be empty;
				* of a rule that takes WHAT in the first */
	const char
		*text; /* "dropped: every call it matches is decided by ..." */
	unsigned int rules_dropped;
	unsigned int calls_dropped; /* bits taken out of masks */
	unsigned int rules_added;
	struct syscall_mask taken;  /* those bits */
	unsigned char taken_abis; /* a bit an ABI whose calls they are */
};

struct change_log {
	struct change *item;
	size_t count;
	size_t capacity;
};

struct facts;

struct pass_context {
	struct arena *arena; /* texts of changes, scratch */
	int level;	     /* 0, 1, 2: see design "Two levels of the same" */
	struct change_log *log;
	const struct profile *profile; /* of the set's target; NULL: default */
	bool kernel_unknown; /* the rules may be loaded into a kernel newer than
			      * the tables of model/perm.c */
	bool verbatim;	     /* no rule that stays may change: rules are only
			      * dropped whole, moved, and terminators added */
	bool cautious;	     /* fewer terminators, for whoever could not prove
			      * the result with more: none for readers alone
			      * (terminator_choose.c), and copies of rules in
			      * buckets for opens alone (terminator_sole.c) */
	uint32_t unlogged;   /* the security modules log no answer to these
			      * questions (ASKS_* of model/self_log.h) */
	uint32_t foreign;    /* AUDIT_ARCH_* of the ABI that the set's target
			      * was left without (target_native_only()); 0 */
	struct progress *progress; /* util/progress.h; NULL: not told */
	struct facts **known; /* what the last pass knew of the set (facts.h),
			       * owned by whoever runs the passes; NULL: each
			       * pass finds out by itself */
};

struct pass {
	const char *name;    /* "shadowed": one word, used in the report */
	const char *purpose; /* one sentence for --help=passes and the manual */
	int level;	     /* the lowest level that runs it */
	bool keeps_text;     /* it heeds verbatim; the others do not run then */
	void (*run)(struct ruleset *set, struct pass_context *context);
};

extern const struct pass pass_foreign_abi;
extern const struct pass pass_duplicates;
extern const struct pass pass_unsatisfiable;
extern const struct pass pass_shadowed;
extern const struct pass pass_useless_never;
extern const struct pass pass_narrow;
extern const struct pass pass_twins;
extern const struct pass pass_merge;
extern const struct pass pass_fuse;
extern const struct pass pass_implied;
extern const struct pass pass_field_order;
extern const struct pass pass_order;
extern const struct pass pass_terminators;

/* The first line of ORIGIN, which names a rule that others go into: the rest
 * may be as many as there are rules. */
struct origin origin_first(struct origin origin);

/* Adds a change; ORIGINs and TEXT are kept by reference. */
void change_log_add(struct pass_context *context, struct change change);

/* May passes touch this rule at all? Not if its mask asks for classes; other
 * filters than exit and io_uring are left as they came (but for duplicates that
 * the kernel refuses). What a pass may do to a rule: facts.h. */
bool pass_may_touch(const struct rule *rule);

#endif
