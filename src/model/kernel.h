/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The evaluator: what the kernel does with an event under a rule set. It
 * follows kernel/auditsc.c and kernel/auditfilter.c walk by walk, with prio,
 * names and the lent key, and is the reference for every test. Slow and plain
 * on purpose: it shares no shortcut with the passes.
 */
#ifndef AUDITOPT_KERNEL_H
#define AUDITOPT_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

#include "model/event.h"
#include "model/rule.h"

enum verdict {
	VERDICT_DUMMY,	/* no counted rule: nothing collected, nothing walked */
	VERDICT_NONE,	/* no rule matched: AUDIT_STATE_BUILD */
	VERDICT_NEVER,	/* AUDIT_STATE_DISABLED */
	VERDICT_RECORD, /* AUDIT_STATE_RECORD */
};

struct outcome {
	enum verdict verdict;
	const char *key; /* the context's key at the end, NULL: none; lent keys
			  * included. Points into the rule set. */
};

/* What the walk did, for cost and explain. Called in the order of the walk. */
struct walk_observer {
	/* The rule at POSITION of the set was reached. IN_MASK: its mask has
	 * the call, so it was entered. OVERRIDDEN: entered, but its prio was
	 * not above the match so far. FIELDS: how many fields were evaluated,
	 * the deciding one included; FAILED: the one that failed, NULL if all
	 * held. NAME: index of the name in a bucket walk, -1 in the list walk.
	 */
	void (*rule)(void *data, size_t position, bool in_mask, bool overridden,
		     unsigned int fields, const struct field_test *failed,
		     int name);
	void *data;
};

/* __audit_syscall_exit: audit_filter_syscall, then audit_filter_inodes. In a
 * bucket only the rules whose path= or inode= can be in that name's bucket are
 * reached. WATCHER may be NULL. Unsettled watches are taken as what they are
 * now (path or dir). */
struct outcome kernel_syscall_exit(const struct ruleset *set,
				   const struct event *event,
				   const struct walk_observer *watcher);

/* A walk inside a call, before its own, in the same context: what matches there
 * stays, and its prio shuts out later rules from the call's own walk. */
enum inner_kind {
	INNER_URING, /* __audit_uring_exit: an io_uring operation that the call
		      * runs; all three lists are walked */
	INNER_WATCH, /* audit_update_watch: a watched file goes away; the
		      * buckets are walked */
};

struct inner_walk {
	enum inner_kind kind;
	int operation;		   /* INNER_URING */
	const struct event *event; /* what the fields see at that moment:
				    * result, ids, names so far. Its call,
				    * arguments and ABI do not count, but the
				    * call's do. */
};

/* kernel_syscall_exit for a call with INNER walks inside. AFTER[I] becomes
 * what holds after walk I; after an INNER_URING it decides whether an io_uring
 * record is made and with which key. */
struct outcome kernel_call_with(const struct ruleset *set,
				const struct event *event,
				const struct inner_walk *inner, size_t inners,
				struct outcome *after);

/* __audit_uring_exit for an operation outside of any call, event->number
 * being the operation: audit_filter_uring, then audit_filter_inodes as call
 * number 0 with arch 0. */
struct outcome kernel_uring_exit(const struct ruleset *set,
				 const struct event *event,
				 const struct walk_observer *watcher);

/* audit_filter_task, at fork: NONE is AUDIT_STATE_BUILD. */
struct outcome kernel_task(const struct ruleset *set,
			   const struct event *event);

/* audit_filter for AUDIT_FILTER_USER or AUDIT_FILTER_EXCLUDE: is the record
 * of type event->msgtype kept? */
bool kernel_record_kept(const struct ruleset *set, uint32_t filter,
			const struct event *event);

/* AUDIT_FILTER_FS in __audit_inode: is a name on a file system with magic
 * FSTYPE collected? */
bool kernel_name_collected(const struct ruleset *set, uint32_t fstype);

/* Are two outcomes the same at level 1 (VERDICT_NONE and VERDICT_NEVER differ
 * if CAN_SELF_LOG, kernel-made records then lose their companions) or at
 * level 2 (they never do)? The key counts only for VERDICT_RECORD. */
bool outcome_same(struct outcome a, struct outcome b, int level,
		  bool can_self_log);

#endif
