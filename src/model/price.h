/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel spends on rules, in executed instructions of Linux 6.1 on
 * x86_64, or of another kernel that was measured. cost/constants.c says where
 * each figure comes from. Passes that must choose use those of 6.1; what
 * entering a rule costs by its first failing field is in the field table.
 *
 *   mask lacks the call             RULE_PASSED
 *   entered, some field fails       RULE_ENTERED + what each field costs that
 *                                   was evaluated, the failing one included
 *   all fields hold                 RULE_MATCHED + what each field costs
 *
 * and CONTEXT_IN_USE once, if any rule counts in audit_n_rules. A call that
 * names files pays besides, whatever the rules are, for collecting the names,
 * and for each name walks the one of 32 buckets that its inode is in.
 */
#ifndef AUDITOPT_PRICE_H
#define AUDITOPT_PRICE_H

#include "model/call_class.h"
#include "model/call_naming.h"
#include "model/event.h"
#include "model/rule.h"

enum price {
	PRICE_CONTEXT_IN_USE = 338,
	PRICE_RULE_PASSED = 19,
	PRICE_RULE_MATCHED = 80,
	PRICE_RULE_ENTERED = 64,
	PRICE_FIELD_FURTHER = 48,
	PRICE_PERM_OPEN = 48,
	PRICE_PERM_CALL = 64,
	PRICE_PERM_CLASS = 21,
	PRICE_NAME_OWNER = 30,
	PRICE_NAME_TYPE = 10,
	PRICE_NAME_ALONE = 47,
	PRICE_WATCHED_EVENT = 77,
	PRICE_NAMES_FILE = 824,
	PRICE_NAMES_COLLECTED = 868,
	PRICE_NAMES_CREATE = 1639,
	PRICE_NAMES_MAKE = 2115,
	PRICE_NAMES_REMOVE = 1736,
	PRICE_NAMES_LINK = 2844,
	PRICE_NAMES_SYMLINK = 2495,
	PRICE_NAMES_RENAME = 3814,
};

/* What naming files costs a call that does it in one way (enum naming). */
struct naming_price {
	int names;     /* that are collected, each walks a bucket */
	int collected; /* instructions for all of them, if any rule counts */
	int events;    /* of the file system (fsnotify) that the call makes */
};

/* The figures of one kernel, in instructions. */
struct prices {
	const char *kernel; /* "6.1" */
	unsigned int since; /* the first release that is much like it: 602 */
	int context_in_use, rule_passed, rule_matched, rule_entered;
	int list_ended; /* a walk to the end of a list that is not empty */
	int field_further;
	/* perm, besides RULE_ENTERED: of a call that opens or executes
	 * (audit_classify_syscall), of all others, and for each class of calls
	 * that is looked at. */
	int perm_open, perm_call, perm_class;
	int exe_more; /* than on 6.1 */
	/* For each name that a field looks at: its owner or device, its type;
	 * a field that is asked of the one name of a bucket walk. */
	int name_owner, name_type, name_alone;
	/* An event of a file system that has a watch: a rule with path=, dir=
	 * or exe=. */
	int watched_event;
	struct naming_price naming[NAMING_COUNT];
};

/* Of KERNEL ("6.12"), 6.1 if it is NULL; NULL if that was not measured. */
const struct prices *prices_of(const char *kernel);
/* Of the measured kernel that RELEASE ("6.12.30-amd64") is most like; those of
 * 6.1 for what is no release. */
const struct prices *prices_for(const char *release);
/* All that were, I from 0; NULL past the end. */
const struct prices *prices_row(unsigned int i);

/* What evaluating the test costs: what its figure in the field table has above
 * RULE_ENTERED, so that a rule whose first field fails costs exactly the
 * measured figure. Of a call that names no file, on 6.1; other kernels differ
 * in RULE_ENTERED. */
int price_of_test(const struct field_test *test);

/* A call, as far as prices depend on it. */
struct priced_call {
	const struct prices *prices;
	const struct target *target;
	const struct event *event;
	const struct naming_price *naming;
};

/* PRICES: NULL for those of 6.1. */
struct priced_call priced_call_of(const struct prices *prices,
				  const struct target *target,
				  const struct event *event);

/* What reaching RULE costs that call in the list: its mask has the call or not,
 * it matches or not, and the first FIELDS of its tests are evaluated. */
int price_of_rule(const struct priced_call *call, const struct rule *rule,
		  bool in_mask, bool matches, unsigned int fields);

/* What the call pays for RULE, of a bucket, when it walks it for one of its
 * names, which is none that the rule names. OVERRIDDEN: a rule of the list that
 * stands before it has matched. */
int price_in_bucket(const struct priced_call *call, const struct rule *rule,
		    bool in_mask, bool overridden);

/* Is RULE in the exit list, in an inode bucket? An unsettled watch is taken as
 * what it is now. */
bool rule_in_exit_list(const struct rule *rule);
bool rule_in_bucket(const struct rule *rule);

/* Does any rule of SET make file systems tell of events (fsnotify marks of
 * path=, dir= and exe=)? */
bool ruleset_watches(const struct ruleset *set);

/* The exit list of a set, for walks of one class of calls after the other: the
 * rules that the class enters are walked, those that it passes are counted. A
 * watch that is not settled is taken as what it is now, as the evaluator does.
 */
struct exit_list {
	const struct ruleset *set;
	const struct prices *prices; /* NULL: those of 6.1 */
	size_t *listed; /* rules of the list in front of each position of SET */
	struct ruleset entered; /* the rules of the class at hand ... */
	size_t *position;	/* ... and where they stand in SET */
	size_t buckets;		/* rules in buckets, in all ... */
	size_t *bucket;		/* ... and where those stand that the class
				 * enters ... */
	size_t bucket_entered;	/* ... so many */
};

/* Lives in ARENA. */
struct exit_list exit_list_of(struct arena *arena, const struct ruleset *set);
/* From now on for CLASS, of the classes of the exit filter of the set. */
void exit_list_enter(struct exit_list *list, const struct call_class *class);

/* A rule that was entered, and what had been paid for entering others. */
struct list_step {
	size_t position;
	long paid;
};

/* What a walk came to. */
struct list_walk {
	size_t walked; /* rules, those that were passed included */
	size_t masks, fields;
	size_t end;   /* position behind the last rule that was walked past */
	bool matched; /* that one did */
	long paid;    /* for entering rules */
	long price;   /* in all, but for CONTEXT_IN_USE and for names */
	struct list_step *step; /* of each rule that was entered, or NULL */
	size_t steps;
};

/* EVENT, of the class at hand, walks the list. STEP: room for list->set->count
 * steps, or NULL. */
struct list_walk exit_list_walk(const struct exit_list *list,
				const struct event *event,
				struct list_step *step);

/* What passing the rules in front of POSITION costs, ENTERED of which are
 * entered and not passed. */
long exit_list_passed(const struct exit_list *list, size_t position,
		      size_t entered);

/* What the buckets cost EVENT, of the class at hand, whose walk over the list
 * was WALK: the mean over all inodes that its names may have. */
double exit_list_buckets(const struct exit_list *list,
			 const struct event *event,
			 const struct list_walk *walk);

#endif
