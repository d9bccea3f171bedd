/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts: what passes ask of every rule again and again (its predicate, its
 * calls, where the kernel looks at it), worked out once for a run of a pass,
 * and the changes that a pass may make, each with the conditions that hold
 * whatever the pass. For passes only.
 *
 * When can two rules see the same thing? One call is not always one walk
 * (kernel/auditsc.c, kernel/audit_watch.c), and prio stays from one walk to
 * the next, so that a rule that matched in an earlier walk shuts out the rules
 * that stand after it:
 *
 * - __audit_uring_exit walks all three lists for each io_uring operation that
 *   is run inside a system call (io_uring_enter; exec, exit and
 *   io_uring_register when they finish what is pending), with that operation's
 *   result and credentials, and the call's own walk follows.
 * - audit_update_watch walks the inode buckets in the middle of a call when a
 *   watched file is deleted or moved away: before the list, with no result
 *   yet, fewer names, and the credentials of the moment (overlayfs lends its
 *   own).
 * - An io_uring operation outside of a system call never sees the exit list,
 *   but it sees the inode buckets, as call number 0 with arch 0.
 *
 * So two predicates that exclude each other keep rules apart only if both are
 * asked in one walk, or ask for nothing that can change between walks.
 */
#ifndef AUDITOPT_FACTS_H
#define AUDITOPT_FACTS_H

#include "model/predicate.h"
#include "optimize/pass.h"

#include <libaudit.h>

#include "model/audit_names.h"

/* What a rule is to the passes. */
enum role {
	ROLE_OTHER,  /* another filter: has nothing to do with exit or io_uring
		      */
	ROLE_OPAQUE, /* may be anything: left alone, in everybody's way */
	ROLE_LIST,   /* walked by every call, or every io_uring operation */
	ROLE_BUCKET, /* in an inode bucket */
	ROLE_UNSETTLED, /* in the list or in a bucket, nobody knows */
};

struct fact {
	/* Shared: two rules have the same pointer if and only if they have
	 * equal predicates or calls, and the same number if they have the same
	 * outcome. */
	const struct predicate *predicate;
	const struct syscall_set *calls; /* rule_calls() */
	unsigned int predicate_id;	 /* 0, 1, ... */
	unsigned int outcome_id;

	enum role role;
	unsigned char arches; /* a bit an ABI that the arch tests let through;
			       * 1 << ABI_COUNT: they let 0 through (not for
			       * ROLE_LIST, where it makes no difference) */
	uint32_t signal_arch; /* the last arch test's value, 0: none; decides
			       * what audit_match_signal() counts */
	bool lasting; /* asks for nothing that can change between walks */
	bool uring;   /* bucket rule that an io_uring operation can match */
	bool signals; /* counts in audit_signals */
	bool has_dir; /* has dir=, or may have */
	bool gone;    /* dropped in this run */
};

struct facts {
	struct ruleset *set;
	size_t rules;	    /* so many, and ... */
	struct rule *about; /* ... as they were when this was worked out */
	struct pass_context *context;
	struct arena *scratch; /* dies with the facts */
	struct fact *item;     /* one a rule of the set */
	size_t predicates;     /* how many different ones there are */
	struct fact_tables *tables;
};

/* The facts of SET, for one run of a pass: those that the pass before left in
 * CONTEXT, if no rule has changed since. */
struct facts *facts_begin(struct ruleset *set, struct pass_context *context);
/* Takes the dropped rules out of the set and leaves the facts to the next pass,
 * or frees them. */
void facts_end(struct facts *facts);
/* Frees the facts and changes nothing; NULL: does nothing. */
void facts_free(struct facts *facts);

/* May passes change or drop rule I? */
bool facts_may_touch(const struct facts *facts, size_t i);

/* The calls of rule I during which rule K could match too, in whatever walk,
 * are left in *BOTH; false if there are none. What stands in another filter
 * never meets exit or io_uring; what is opaque always does. */
bool facts_meet(const struct facts *facts, size_t i, size_t k,
		struct syscall_set *both);

/* The same for a rule that is not in the set, of FILTER, with the calls, the
 * predicate, the role and what lasts of A. */
bool facts_meet_as(const struct facts *facts, const struct fact *a,
		   uint32_t filter, size_t k, struct syscall_set *both);

/* The calls by which a rule would be the first to count in audit_signals, and
 * make the kernel collect OBJ_PID records; none if some rule counts there. */
struct syscall_mask facts_new_signals(const struct facts *facts);

/* Takes rule I out, for a pass that may put it back. False if it must stay, as
 * in facts_drop(). */
bool facts_take_out(struct facts *facts, size_t i);

/* Leaves those of CALLS that may walk a list more than once. */
void facts_only_several_walks(const struct facts *facts,
			      struct syscall_set *calls);

/* Calls VISIT with each rule from FIRST on, below END, that could meet a rule
 * with these CALLS of FILTER (a superset; gone rules and other filters are
 * skipped) until it returns false. Quick where few do. Returns false if VISIT
 * did. */
bool facts_scan(const struct facts *facts, size_t first, size_t end,
		uint32_t filter, const struct syscall_set *calls,
		bool (*visit)(size_t k, void *data), void *data);

/* May rules J and K, whatever stands between them, change places as far as they
 * see each other? What stands on either side of a -q is not asked here. */
bool facts_may_swap(const struct facts *facts, size_t j, size_t k);

/* Could rule J as well act at the place of the earlier rule I, as far as the
 * rules between them are concerned? Looks at a limited number of rules; false
 * if that does not suffice. */
bool facts_clear_between(const struct facts *facts, size_t i, size_t j);

/* Drops rule I and logs CHANGE (pass, because and text filled in), unless
 * - the kernel would be left without a counted rule at a level below 2: every
 *   context would be a dummy, and kernel-made records lose their companions;
 * - or without a rule that counts in audit_signals: audit_signal_info_syscall()
 *   then collects no OBJ_PID records for anybody's events;
 * - or I's dir= tree must exist because of a -q that stands between I and
 *   another rule with dir= (audit_tag_tree() extends existing trees only, and
 *   rules with the same dir= share one, audit_add_tree_rule()). KEEPER, if not
 *   I itself, is an earlier rule with the same tests, which keeps the tree.
 * Then changes nothing and returns false. */
bool facts_drop(struct facts *facts, size_t i, size_t keeper,
		struct change change);

/* Takes all numbers out of rule I's mask that no ABI needs: those with no pair
 * in NEEDED. The last rule in audit_signals keeps one more, which keeps it
 * there. Leaves the mask alone, and returns false, where texts must stay, where
 * that would turn one over all calls into a long list, or the kernel would then
 * take the rule for another bucket rule. Logs CHANGE (pass, because, and the reason
 * as text). */
bool facts_narrow(struct facts *facts, size_t i,
		  const struct syscall_set *needed, struct change change);

/* Moves rule J's calls into the earlier rule I, which has the same tests, and
 * drops J; logs CHANGE. Leaves them alone, and returns false, where the kernel
 * would take the one for another bucket rule. */
bool facts_absorb(struct facts *facts, size_t i, size_t j,
		  struct change change);

/* The same, and rule I gets other tests: TESTS of them, kept by reference, with
 * the same arch and dir= as before. */
bool facts_fuse(struct facts *facts, size_t i, size_t j,
		const struct field_test *test, unsigned int tests,
		struct change change);

/* Takes those of CALLS out that a perm= of RULE lets none of through, in any
 * kernel that the rules may be for (perm_calls_known). Returns false, and
 * leaves them alone, if RULE has none or the kernel is not known. */
bool facts_known_to_perm(const struct facts *facts, const struct rule *rule,
			 struct syscall_set *calls);

/* Makes one rule without arch of rule I and the later J, which are for one ABI
 * each and have the same predicate, outcome, place and epoch, and drops J; logs
 * CHANGE. Leaves them alone, and returns false, where the one rule could match
 * a call that neither of the two could, or would be the first in audit_signals.
 */
bool facts_unite_abis(struct facts *facts, size_t i, size_t j,
		      struct change change);

/* Gives rule I other tests that demand the same, kept by reference: TESTS of
 * them, with the same arch and dir= as before. Logs CHANGE. Leaves it alone,
 * and returns false, where the kernel would then take it for another bucket
 * rule. */
bool facts_retest(struct facts *facts, size_t i, const struct field_test *test,
		  unsigned int tests, struct change change);

/* A mask over more numbers is narrowed to a list of no more than these: a
 * longer list is worse to read than it is good to have. */
#define NARROW_TO_AT_MOST 200

#endif
