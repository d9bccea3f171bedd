/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Classes of calls, and the rules that the calls of a class meet, in order.
 */
#include "verify/verifying.h"

#include <string.h>

#include "model/audit_names.h"
#include "model/call_class.h"
#include "model/operations.h"
#include "model/perm.h"
#include "model/self_log.h"
#include "util/progress.h"

/* Which argument holds the open flags (1 or 2), or points to them (4); -1. */
static int flags_in(const struct target *target, enum abi abi, int number)
{
	static const struct {
		const char *name;
		int flags_in;
	} openers[] = {{"open", 1}, {"openat", 2}, {"openat2", 4}};
	const char *name = target_call_name(target, abi, number);

	for (size_t i = 0; name && i < sizeof(openers) / sizeof(*openers); i++)
		if (strcmp(name, openers[i].name) == 0)
			return openers[i].flags_in;
	return -1;
}

/* What the kernel may count a call as, whatever kernel is allowed for. */
static void find_perms(struct verifying *v)
{
	const struct target *target = v->check.set[BEFORE]->target;

	for (unsigned int i = 0; i < PERM_BITS; i++)
		v->perm[i] = v->check.options->kernel_unknown
				     ? perm_calls_possible(target, 1u << i)
				     : perm_calls_known(target, 1u << i);
}

static uint32_t perms_of(const struct verifying *v, enum abi abi, int number)
{
	uint32_t perms = 0;

	for (unsigned int i = 0; i < PERM_BITS; i++)
		if (syscall_set_has(&v->perm[i], abi, number))
			perms |= 1u << i;
	return perms;
}

static struct nature nature_of(const struct verifying *v, enum abi abi,
			       int number)
{
	const struct target *target = v->check.set[BEFORE]->target;
	bool operations = syscall_set_has(&v->running, abi, number);

	return (struct nature){
		.self_log = call_can_self_log_with(
			target, abi, number, v->check.options->unlogged, NULL),
		.operations = operations,
		.arch = operations ? target->abi[abi].elf : 0,
		.flags_in = flags_in(target, abi, number),
		.perms = perms_of(v, abi, number)};
}

void find_natures(struct verifying *v)
{
	find_perms(v);
	v->running = calls_running_operations(v->check.set[BEFORE]->target);
	for (int abi = 0; abi < ABI_COUNT; abi++) {
		v->nature[abi] = arena_array(v->scratch, SYSCALL_MASK_BITS,
					     sizeof(*v->nature[abi]));
		for (int n = 0; n < SYSCALL_MASK_CALLS; n++)
			v->nature[abi][n] = nature_of(v, (enum abi)abi, n);
	}
}

static bool same_nature(const struct nature *a, const struct nature *b)
{
	return a->self_log == b->self_log && a->operations == b->operations &&
	       a->flags_in == b->flags_in && a->perms == b->perms &&
	       a->arch == b->arch;
}

/* Takes the first call of CALLS, and all that are of its nature, into SUBJECT.
 */
static void take_alike(const struct verifying *v, struct syscall_set *calls,
		       struct subject *subject)
{
	struct nature first = {0}, nature;
	bool has_first = false;

	subject->calls = (struct syscall_set){0};
	for (int abi = 0; abi < ABI_COUNT; abi++) {
		struct syscall_mask *mask = &calls->abi[abi];

		for (int n = syscall_mask_next(mask, 0); n >= 0;
		     n = syscall_mask_next(mask, n + 1)) {
			nature = v->nature[abi][n];
			if (!has_first)
				first = nature;
			has_first = true;
			if (same_nature(&first, &nature))
				syscall_mask_add(&subject->calls.abi[abi], n);
		}
	}
	syscall_set_subtract(calls, &subject->calls);
	subject->self_log = first.self_log;
	subject->operations = first.operations;
	subject->facts.has_arch = first.operations;
	subject->facts.arch = first.arch;
	subject->facts.flags_in = first.flags_in;
	subject->facts.perms = first.perms;
}

/* The first call of a set that is not empty. */
static void first_call(const struct syscall_set *calls, enum abi *abi,
		       int *number)
{
	*abi = ABI_NATIVE;
	*number = syscall_mask_next(&calls->abi[ABI_NATIVE], 0);
	if (*number >= 0)
		return;
	*abi = ABI_COMPAT;
	*number = syscall_mask_next(&calls->abi[ABI_COMPAT], 0);
}

/* A rule is all or nothing to a class; it must be. */
static void ask_calls(struct known_calls *calls, size_t class,
		      const struct syscall_set *of_class, enum abi abi,
		      int number)
{
	if (calls->asked == class)
		return;
	calls->asked = class;
	if (syscall_set_has(&calls->calls, abi, number))
		calls->where = syscall_set_subset(of_class, &calls->calls)
				       ? CLASS_IN
				       : CLASS_PARTLY;
	else
		calls->where = syscall_set_intersects(of_class, &calls->calls)
				       ? CLASS_PARTLY
				       : CLASS_OUT;
}

/* One subject at a time. */
static void room_for_steps(struct verifying *v, struct subject *subject)
{
	size_t most = 2 * v->entries;

	v->classes++;
	for (int side = BEFORE; side < SIDES; side++) {
		if (!v->steps[side])
			v->steps[side] = arena_array(v->scratch, most,
						     sizeof(struct step));
		subject->steps[side].item = v->steps[side];
	}
}

static void add_step(struct verifying *v, struct subject *subject, size_t i,
		     enum step_kind kind, bool in_mask)
{
	const struct entry *entry = &v->entry[i];
	struct steps *steps = &subject->steps[entry->side];

	steps->item[steps->count++] = (struct step){
		.kind = kind,
		.in_mask = in_mask,
		.watch = kind == STEP_BUCKET && entry->watch,
		.entry = (uint32_t)i,
		.rule = entry->rule,
		.result = entry->result,
	};
}

/* The steps of rule I for calls that its mask and arch let through. */
static void add_steps(struct verifying *v, struct subject *subject, size_t i,
		      bool in_mask)
{
	const struct entry *entry = &v->entry[i];

	if (entry->in_list && !entry_is_io_uring(entry))
		add_step(v, subject, i, STEP_LIST, in_mask);
	if (entry->in_bucket)
		add_step(v, subject, i, STEP_BUCKET, in_mask);
}

/* The rules for the calls of SUBJECT, in order; io_uring rules in between if
 * its calls run operations. Returns false if the class is none. */
static bool gather_steps(struct verifying *v, struct subject *subject)
{
	enum abi abi;
	int number;

	first_call(&subject->calls, &abi, &number);
	room_for_steps(v, subject);
	for (size_t i = 0; i < v->entries; i++) {
		struct entry *entry = &v->entry[i];
		struct known_calls *calls =
			entry->all ? entry->all : entry->calls;

		if (subject->operations && entry_is_io_uring(entry) &&
		    entry->in_list)
			add_step(v, subject, i, STEP_URING, true);
		if (!calls)
			continue;
		ask_calls(calls, v->classes, &subject->calls, abi, number);
		ask_calls(entry->calls, v->classes, &subject->calls, abi,
			  number);
		if (calls->where == CLASS_PARTLY ||
		    entry->calls->where == CLASS_PARTLY)
			return false;
		if (calls->where == CLASS_IN)
			add_steps(v, subject, i,
				  !entry->all ||
					  syscall_mask_has(&entry->rule->mask,
							   number));
	}
	return true;
}

/* One rule for all that have the same calls. */
static struct call_classes classes_of_calls(struct verifying *v)
{
	struct ruleset *set =
		ruleset_new(v->scratch, v->check.set[BEFORE]->target);
	struct known_calls *known, *next;

	HASH_ITER(hh, v->calls, known, next)
	ruleset_insert(set, set->count, known->as);
	return call_classes_of(v->scratch, set, AUDIT_FILTER_EXIT);
}

void verify_calls(struct verifying *v)
{
	struct call_classes classes = classes_of_calls(v);

	for (size_t i = 0; i < classes.count; i++) {
		struct syscall_set left = classes.item[i].calls;

		progress_step(v->check.options->progress, "proving, class",
			      i + 1, classes.count);
		while (!syscall_set_empty(&left)) {
			struct subject subject = {.filter = AUDIT_FILTER_EXIT};

			take_alike(v, &left, &subject);
			if (gather_steps(v, &subject))
				judge_class(v, &subject);
			else
				*add_item(v, AUDIT_FILTER_EXIT) =
					(struct class_proof){
						.filter = AUDIT_FILTER_EXIT,
						.calls = subject.calls,
						.proof = PROOF_NONE,
						.why = "its calls are not of "
						       "one kind"};
		}
	}
}

/* audit_filter_inodes in a context without a call: number and arch are 0. */
static bool reached_by_operation(const struct entry *entry)
{
	return entry->in_bucket && (entry->rule->mask_classes ||
				    syscall_mask_has(&entry->rule->mask, 0));
}

static void gather_operation_steps(struct verifying *v, struct subject *subject,
				   int operation)
{
	room_for_steps(v, subject);
	for (size_t i = 0; i < v->entries; i++) {
		const struct entry *entry = &v->entry[i];
		const struct rule *rule = entry->rule;
		bool has = syscall_mask_has(&rule->mask, operation);

		if (entry->in_list && entry_is_io_uring(entry) &&
		    (has || rule->mask_classes))
			add_step(v, subject, i, STEP_LIST, has);
		if (reached_by_operation(entry))
			add_step(v, subject, i, STEP_BUCKET,
				 syscall_mask_has(&rule->mask, 0));
	}
}

static struct call_classes classes_of_operations(struct verifying *v)
{
	struct ruleset *set =
		ruleset_new(v->scratch, v->check.set[BEFORE]->target);

	for (size_t i = 0; i < v->entries; i++) {
		const struct entry *entry = &v->entry[i];
		struct rule *rule;

		if (!entry_is_io_uring(entry) || !entry->in_list)
			continue;
		rule = rule_copy(v->scratch, entry->rule);
		rule->mask_classes = 0;
		ruleset_insert(set, set->count, rule);
	}
	return call_classes_of(v->scratch, set, AUDIT_FILTER_URING_EXIT);
}

void verify_operations(struct verifying *v)
{
	struct call_classes classes = classes_of_operations(v);

	for (size_t i = 0; i < classes.count; i++) {
		struct subject subject = {.filter = AUDIT_FILTER_URING_EXIT,
					  .self_log = true,
					  .calls = classes.item[i].calls};

		subject.facts.has_arch = true;
		subject.facts.flags_in = -1;
		subject.facts.perms =
			perms_of(v, ABI_NATIVE, 0) | perms_of(v, ABI_COMPAT, 0);
		gather_operation_steps(
			v, &subject,
			syscall_mask_next(&subject.calls.abi[ABI_NATIVE], 0));
		judge_class(v, &subject);
	}
}
