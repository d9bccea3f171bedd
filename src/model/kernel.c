/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The walks over the kernel's lists. A rule's prio is its position in the rule
 * set: audit_add_rule hands prio out over the exit list, the io_uring list and
 * the inode buckets together, and it falls in the order of the first match.
 */
#include "model/kernel.h"

#include <linux/audit.h>
#include <string.h>

#include "model/audit_names.h"
#include "model/kernel_match.h"
#include "model/perm.h"

#define INODE_BUCKETS 32 /* AUDIT_INODE_BUCKETS */

/* struct audit_context, as far as the walks change it. */
struct walk {
	const struct ruleset *set;
	const struct walk_observer *watcher;
	struct view view;
	size_t prio; /* only rules before this position can still match */
	struct outcome outcome;
};

/* The test that puts a rule into an inode bucket, or NULL (audit_find_rule:
 * watch or inode_f; audit_data_to_entry takes inode_f back for inode!=). */
static const struct field_test *bucket_test(const struct rule *rule)
{
	if (rule->filter != AUDIT_FILTER_EXIT &&
	    rule->filter != AUDIT_FILTER_URING_EXIT)
		return NULL;
	for (unsigned int i = 0; i < rule->tests; i++) {
		const struct field_test *test = &rule->test[i];

		if (test->field->number == AUDIT_WATCH ||
		    (test->field->number == AUDIT_INODE && test->op == OP_EQ))
			return test;
	}
	return NULL;
}

/* Is a rule that is in a bucket by TEST in the bucket of NAME? The inode of a
 * watched path is not known, but NAME has it if the path is among its own. */
static bool in_bucket_of(const struct field_test *test,
			 const struct event_name *name)
{
	if (test->field->number == AUDIT_WATCH)
		return string_among(name->path, name->paths, test->string);
	return test->value % INODE_BUCKETS == name->inode % INODE_BUCKETS;
}

/* audit_in_mask, with the classes that audit_to_entry_common puts in. */
static bool in_mask(const struct target *target, const struct rule *rule,
		    int number)
{
	if (syscall_mask_has(&rule->mask, number))
		return true;
	for (unsigned int i = 0; rule->mask_classes >> i; i++) {
		struct syscall_mask calls;

		if (!(rule->mask_classes >> i & 1))
			continue;
		calls = perm_class(target, i);
		if (syscall_mask_has(&calls, number))
			return true;
	}
	return false;
}

/* How many tests were evaluated; *FAILED is the one that did not hold. */
static unsigned int run_tests(const struct view *view, const struct rule *rule,
			      const struct field_test **failed)
{
	*failed = NULL;
	for (unsigned int i = 0; i < rule->tests; i++) {
		if (view_test(view, &rule->test[i]))
			continue;
		*failed = &rule->test[i];
		return i + 1;
	}
	return rule->tests;
}

static enum verdict verdict_of(const struct rule *rule)
{
	return rule->action == AUDIT_NEVER ? VERDICT_NEVER : VERDICT_RECORD;
}

/* Does the rule at POSITION, reached in a walk, end it? (audit_in_mask and
 * audit_filter_rules) */
static bool walk_rule(struct walk *walk, size_t position, int number, int name)
{
	const struct rule *rule = walk->set->rule[position];
	const struct field_test *failed = NULL;
	unsigned int fields = 0;
	bool entered = in_mask(walk->set->target, rule, number);
	bool overridden = entered && position >= walk->prio;

	if (entered && !overridden)
		fields = run_tests(&walk->view, rule, &failed);
	if (walk->watcher)
		walk->watcher->rule(walk->watcher->data, position, entered,
				    overridden, fields, failed, name);
	if (!entered || overridden || failed)
		return false;
	walk->prio = position;
	walk->outcome.verdict = verdict_of(rule);
	if (rule->key)
		walk->outcome.key = rule->key;
	return true;
}

/* audit_filter_syscall, audit_filter_uring */
static void walk_list(struct walk *walk, uint32_t filter, int number)
{
	for (size_t i = 0; i < walk->set->count; i++) {
		const struct rule *rule = walk->set->rule[i];

		if (rule->filter != filter || bucket_test(rule))
			continue;
		if (walk_rule(walk, i, number, -1))
			return;
	}
}

/* The rule at POSITION, in the bucket walk for name INDEX, if it is a watch (or
 * if it is none, as WATCHES says). The buckets hold the rules of both filters,
 * and the number asked for is the call's in either case. */
static bool walk_bucket_rule(struct walk *walk, size_t position, size_t index,
			     bool watches)
{
	const struct field_test *test = bucket_test(walk->set->rule[position]);

	if (!test || (test->field->number == AUDIT_WATCH) != watches ||
	    !in_bucket_of(test, walk->view.name))
		return false;
	return walk_rule(walk, position, walk->view.number, (int)index);
}

/* The bucket after audit_update_watch moved the watches to its head. Their
 * order among themselves is reversed by each list_add to watch->rules and to
 * the bucket, so it is the old one at first, then the reverse, and so on. */
static bool walk_moved_bucket(struct walk *walk, size_t index)
{
	size_t count = walk->set->count;
	bool reverse = walk->view.event->replaced % 2 == 0;

	for (size_t i = 0; i < count; i++)
		if (walk_bucket_rule(walk, reverse ? count - 1 - i : i, index,
				     true))
			return true;
	for (size_t i = 0; i < count; i++)
		if (walk_bucket_rule(walk, i, index, false))
			return true;
	return false;
}

/* audit_filter_inode_name */
static bool walk_bucket(struct walk *walk, size_t index)
{
	walk->view.name = &walk->view.event->name[index];
	if (walk->view.event->replaced)
		return walk_moved_bucket(walk, index);
	for (size_t i = 0; i < walk->set->count; i++)
		if (walk_bucket_rule(walk, i, index, true) ||
		    walk_bucket_rule(walk, i, index, false))
			return true;
	return false;
}

/* audit_filter_inodes: the first name with a match is the last one asked. */
static void walk_names(struct walk *walk)
{
	for (size_t i = 0; i < walk->view.event->names; i++)
		if (walk_bucket(walk, i))
			return;
}

static struct view view_of_call(const struct ruleset *set,
				const struct event *event)
{
	struct view view = {
		.target = set->target,
		.event = event,
		.context = true,
		.arch = set->target->abi[event->abi].elf,
		.abi = event->abi,
		.number = event->number,
	};

	memcpy(view.argv, event->argv, sizeof(view.argv));
	return view;
}

/* A context of its own (AUDIT_CTX_URING) was reset before the operation, and
 * only uring_op is set: ctx->arch, ctx->major and ctx->argv are all zero. */
static struct view view_of_uring(const struct ruleset *set,
				 const struct event *event)
{
	return (struct view){
		.target = set->target,
		.event = event,
		.context = true,
		.abi = ABI_NATIVE,
	};
}

static bool is_dummy(const struct ruleset *set, const struct event *event)
{
	return event->task_never || ruleset_counted(set) == 0;
}

static struct walk walk_start(const struct ruleset *set,
			      const struct event *event,
			      const struct walk_observer *watcher,
			      struct view view)
{
	struct walk walk = {
		.set = set,
		.watcher = watcher,
		.view = view,
		.prio = set->count,
		.outcome = {.verdict = VERDICT_NONE},
	};

	if (event->task_always) {
		/* audit_alloc_context: prio is ~0, and the key is the task
		 * rule's, so far as the event still shows which it was */
		walk.prio = 0;
		walk.outcome.key = kernel_task(set, event).key;
		walk.outcome.verdict = VERDICT_RECORD;
	}
	return walk;
}

struct outcome kernel_syscall_exit(const struct ruleset *set,
				   const struct event *event,
				   const struct walk_observer *watcher)
{
	struct walk walk;

	if (is_dummy(set, event))
		return (struct outcome){.verdict = VERDICT_DUMMY};
	walk = walk_start(set, event, watcher, view_of_call(set, event));
	walk_list(&walk, AUDIT_FILTER_EXIT, event->number);
	walk_names(&walk);
	return walk.outcome;
}

/* The walk stays the call's; only what the fields see is another event's. */
static void walk_inner(struct walk *walk, const struct inner_walk *inner)
{
	int number = walk->view.number;

	walk->view.event = inner->event;
	walk->view.name = NULL;
	if (inner->kind == INNER_URING) {
		walk_list(walk, AUDIT_FILTER_EXIT, number);
		if (walk->outcome.verdict != VERDICT_RECORD)
			walk_list(walk, AUDIT_FILTER_URING_EXIT,
				  inner->operation);
	}
	walk_names(walk);
}

struct outcome kernel_call_with(const struct ruleset *set,
				const struct event *event,
				const struct inner_walk *inner, size_t inners,
				struct outcome *after)
{
	struct outcome dummy = {.verdict = VERDICT_DUMMY};
	struct walk walk;

	if (is_dummy(set, event)) {
		for (size_t i = 0; i < inners; i++)
			after[i] = dummy;
		return dummy;
	}
	walk = walk_start(set, event, NULL, view_of_call(set, event));
	for (size_t i = 0; i < inners; i++) {
		walk_inner(&walk, &inner[i]);
		after[i] = walk.outcome;
	}
	walk.view.event = event;
	walk.view.name = NULL;
	walk_list(&walk, AUDIT_FILTER_EXIT, event->number);
	walk_names(&walk);
	return walk.outcome;
}

struct outcome kernel_uring_exit(const struct ruleset *set,
				 const struct event *event,
				 const struct walk_observer *watcher)
{
	struct walk walk;

	if (is_dummy(set, event))
		return (struct outcome){.verdict = VERDICT_DUMMY};
	walk = walk_start(set, event, watcher, view_of_uring(set, event));
	walk_list(&walk, AUDIT_FILTER_URING_EXIT, event->number);
	walk_names(&walk);
	return walk.outcome;
}

struct outcome kernel_task(const struct ruleset *set, const struct event *event)
{
	struct view view = {.target = set->target, .event = event};

	for (size_t i = 0; i < set->count; i++) {
		const struct rule *rule = set->rule[i];
		const struct field_test *failed;

		if (rule->filter != AUDIT_FILTER_TASK)
			continue;
		run_tests(&view, rule, &failed);
		if (failed)
			continue;
		/* audit_filter_task copies the key for "always" alone */
		return (struct outcome){
			.verdict = verdict_of(rule),
			.key = rule->action == AUDIT_ALWAYS ? rule->key : NULL,
		};
	}
	return (struct outcome){.verdict = VERDICT_NONE};
}

enum record_match { RECORD_MISSED, RECORD_MATCHED, RECORD_WALK_ENDS };

/* The body of audit_filter's loop. */
static enum record_match match_record(const struct rule *rule,
				      const struct event *event)
{
	for (unsigned int i = 0; i < rule->tests; i++) {
		bool known;
		bool holds = record_test(event, &rule->test[i], &known);

		if (!known)
			return RECORD_WALK_ENDS;
		if (!holds)
			return RECORD_MISSED;
	}
	/* The key is a field like any other, and not one that audit_filter
	 * knows; rules have it last. */
	if (rule->key)
		return RECORD_WALK_ENDS;
	return rule->tests ? RECORD_MATCHED : RECORD_MISSED;
}

bool kernel_record_kept(const struct ruleset *set, uint32_t filter,
			const struct event *event)
{
	for (size_t i = 0; i < set->count; i++) {
		const struct rule *rule = set->rule[i];

		if (rule->filter != filter)
			continue;
		switch (match_record(rule, event)) {
		case RECORD_MISSED:
			continue;
		case RECORD_MATCHED:
			return filter != AUDIT_FILTER_EXCLUDE &&
			       rule->action != AUDIT_NEVER;
		case RECORD_WALK_ENDS:
			return true;
		}
	}
	return true;
}

bool kernel_name_collected(const struct ruleset *set, uint32_t fstype)
{
	for (size_t i = 0; i < set->count; i++) {
		const struct rule *rule = set->rule[i];

		if (rule->filter != AUDIT_FILTER_FS ||
		    rule->action != AUDIT_NEVER)
			continue;
		/* one fstype that holds is enough, not all */
		for (unsigned int j = 0; j < rule->tests; j++)
			if (rule->test[j].field->number == AUDIT_FSTYPE &&
			    field_compare(fstype, rule->test[j].op,
					  rule->test[j].value))
				return false;
	}
	return true;
}

/* What stands in for a verdict at LEVEL if nobody can tell it from V. */
static enum verdict visible(enum verdict v, int level, bool can_self_log)
{
	bool like_none = v == VERDICT_NEVER && (level >= 2 || !can_self_log);

	/* A dummy context drops the companions as "never" does, and more. */
	if (v == VERDICT_DUMMY && level >= 2)
		like_none = true;
	return like_none ? VERDICT_NONE : v;
}

bool outcome_same(struct outcome a, struct outcome b, int level,
		  bool can_self_log)
{
	enum verdict seen = visible(a.verdict, level, can_self_log);

	if (seen != visible(b.verdict, level, can_self_log))
		return false;
	return seen != VERDICT_RECORD || key_same(a.key, b.key);
}
