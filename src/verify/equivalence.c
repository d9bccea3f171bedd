/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "verify/check.h"

#include <libaudit.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "model/call_class.h"
#include "model/perm.h"
#include "model/self_log.h"
#include "verify/loaded.h"

#define PERM_BITS 4
#define NODES_AT_MOST 600000
#define NODES_A_CLASS 300000
#define NOT_MADE UINT32_MAX
/* Attempts at witnesses, for all classes; only where something is wrong. */
#define TRIES_AT_MOST 1500

/* A rule of either set. */
struct entry {
	const struct rule *rule;
	enum side side;
	const struct result *result;
	bool in_list, in_bucket; /* unsettled: both */
	bool watch;
	diagram when[2][16]; /* list, bucket; by the perms that count */
};

struct result_table {
	struct known_result *known;
};

struct known_result {
	const char *name;
	struct result result;
	UT_hash_handle hh;
};

/* One line of the list that classes are made of: rules with the same calls. */
struct candidate_rule {
	size_t entry;
	bool any_call; /* its mask asks for classes: over all calls */
	struct syscall_set calls;
};

/* In what the calls of a class may differ, though the rules are the same. */
struct nature {
	bool self_log, operations;
	uint32_t arch; /* if it runs operations, which ask for it */
	int flags_in;
	uint32_t perms;
};

struct verifying {
	struct check check;
	struct arena *arena, *scratch;
	struct entry *entry;
	size_t entries;
	bool identical, trees_same, settling_same;
	struct syscall_mask *kind; /* of operations: in the same rules */
	size_t kinds;
	struct class_proof *item;
	size_t count, capacity;
	struct seen_class *seen;
	struct step *steps[SIDES]; /* room */
	size_t nodes, tries_left;
	struct syscall_set perm[PERM_BITS];
	struct nature *nature[ABI_COUNT]; /* by number */
};

/* What was found out about a list of rules stays true for other calls. */
struct seen_class {
	void *key;
	size_t size;
	size_t item;
	UT_hash_handle hh;
};

static const struct result *result_of(struct verifying *v,
				      const struct rule *rule)
{
	struct result_table *table = v->check.results;
	char *name =
		arena_printf(v->scratch, "%u%s%s", rule->action,
			     rule->key ? "=" : "", rule->key ? rule->key : "");
	struct known_result *known;

	HASH_FIND_STR(table->known, name, known);
	if (!known) {
		known = arena_alloc(v->scratch, sizeof(*known));
		known->name = name;
		known->result.id = HASH_COUNT(table->known);
		known->result.key = rule->key;
		known->result.verdict = rule->action == AUDIT_NEVER
						? VERDICT_NEVER
						: VERDICT_RECORD;
		HASH_ADD_KEYPTR(hh, table->known, known->name,
				strlen(known->name), known);
	}
	return &known->result;
}

/* The test that puts a rule into a bucket (audit_find_rule). */
static const struct field_test *bucket_test(const struct rule *rule)
{
	for (unsigned int i = 0; i < rule->tests; i++) {
		const struct field_test *test = &rule->test[i];

		if (test->field->number == AUDIT_WATCH ||
		    (test->field->number == AUDIT_INODE && test->op == OP_EQ))
			return test;
	}
	return NULL;
}

static bool is_counted_filter(const struct rule *rule)
{
	return rule->filter == AUDIT_FILTER_EXIT ||
	       rule->filter == AUDIT_FILTER_URING_EXIT;
}

static void add_entry(struct verifying *v, const struct rule *rule,
		      enum side side)
{
	struct entry *entry = &v->entry[v->entries++];
	const struct field_test *bucket = bucket_test(rule);

	entry->rule = rule;
	entry->side = side;
	entry->result = result_of(v, rule);
	entry->in_bucket = bucket || rule->unsettled;
	entry->in_list = !bucket || rule->unsettled;
	entry->watch = rule->unsettled ||
		       (bucket && bucket->field->number == AUDIT_WATCH);
	memset(entry->when, 0xff, sizeof(entry->when));
}

static void add_entries(struct verifying *v)
{
	size_t most = v->check.set[BEFORE]->count + v->check.set[AFTER]->count;

	v->entry = arena_array(v->scratch, most, sizeof(*v->entry));
	for (int side = BEFORE; side < SIDES; side++) {
		const struct ruleset *set = v->check.set[side];

		for (size_t i = 0; i < set->count; i++)
			if (is_counted_filter(set->rule[i]))
				add_entry(v, set->rule[i], (enum side)side);
	}
}

/* Cuts the kinds of operations that lie partly in MASK. */
static void cut_kinds(struct verifying *v, const struct syscall_mask *mask)
{
	size_t kinds = v->kinds;

	for (size_t i = 0; i < kinds; i++) {
		struct syscall_mask inside = v->kind[i];

		syscall_mask_intersect(&inside, mask);
		if (syscall_mask_empty(&inside) ||
		    syscall_mask_equal(&inside, &v->kind[i]))
			continue;
		syscall_mask_subtract(&v->kind[i], &inside);
		v->kind[v->kinds++] = inside;
	}
}

/* The kinds of io_uring operations; operations that no mask can have are one
 * of them. */
static void find_kinds(struct verifying *v)
{
	v->kind = arena_array(v->scratch, SYSCALL_MASK_BITS + 1,
			      sizeof(*v->kind));
	v->kind[0] = syscall_mask_all();
	v->kinds = 2;
	for (size_t i = 0; i < v->entries; i++)
		if (v->entry[i].rule->filter == AUDIT_FILTER_URING_EXIT)
			cut_kinds(v, &v->entry[i].rule->mask);
}

static void forget_diagrams(struct verifying *v)
{
	for (size_t i = 0; i < v->entries; i++)
		memset(v->entry[i].when, 0xff, sizeof(v->entry[i].when));
}

static diagram when_of(struct verifying *v, struct entry *entry, bool bucket,
		       bool in_mask, const struct subject *subject)
{
	diagram *known = &entry->when[bucket][subject->facts.perms & 15];
	diagram d;

	/* asked outside of calls, or by mask classes: seldom */
	if (!in_mask || subject->facts.has_arch)
		known = NULL;
	if (known && *known != NOT_MADE)
		return *known;
	d = rule_diagram(v->check.questions, v->check.diagrams, entry->rule,
			 bucket, in_mask, &subject->facts);
	if (known)
		*known = d;
	return d;
}

static void add_step(struct verifying *v, struct subject *subject,
		     struct entry *entry, enum step_kind kind, bool in_mask)
{
	struct steps *steps = &subject->steps[entry->side];
	struct step *step = &steps->item[steps->count++];

	*step = (struct step){
		.kind = kind, .rule = entry->rule, .result = entry->result};
	step->when = when_of(v, entry, kind == STEP_BUCKET, in_mask, subject);
	step->watch = kind == STEP_BUCKET && entry->watch;
}

/* Is the operation in the mask of ENTRY's rule? */
static diagram in_operations(struct verifying *v, const struct entry *entry)
{
	struct diagrams *d = v->check.diagrams;
	diagram in = DIAGRAM_NO;

	for (size_t i = 0; i < v->kinds; i++)
		if (syscall_mask_intersects(&entry->rule->mask, &v->kind[i]))
			in = diagram_or(
				d, in,
				operation_diagram(v->check.questions, d, i));
	return in;
}

/* An io_uring rule, of a call that may run any operation. */
static void add_uring_step(struct verifying *v, struct subject *subject,
			   struct entry *entry)
{
	struct steps *steps = &subject->steps[entry->side];
	struct diagrams *d = v->check.diagrams;
	diagram in = in_operations(v, entry), when;

	add_step(v, subject, entry, STEP_URING, true);
	when = steps->item[steps->count - 1].when;
	if (entry->rule->mask_classes)
		when = diagram_choose(d, in, when,
				      when_of(v, entry, false, false, subject));
	else
		when = diagram_and(d, in, when);
	steps->item[steps->count - 1].when = when;
}

static bool is_io_uring(const struct entry *entry)
{
	return entry->rule->filter == AUDIT_FILTER_URING_EXIT;
}

/* The steps of rule ENTRY for calls that its mask and arch let through. */
static void add_steps(struct verifying *v, struct subject *subject,
		      struct entry *entry, bool in_mask)
{
	if (entry->in_list && !is_io_uring(entry))
		add_step(v, subject, entry, STEP_LIST, in_mask);
	if (entry->in_bucket)
		add_step(v, subject, entry, STEP_BUCKET, in_mask);
}

/* One subject at a time. */
static void room_for_steps(struct verifying *v, struct subject *subject)
{
	size_t most = 2 * v->entries;

	for (int side = BEFORE; side < SIDES; side++) {
		if (!v->steps[side])
			v->steps[side] = arena_array(v->scratch, most,
						     sizeof(struct step));
		subject->steps[side].item = v->steps[side];
	}
}

/* Everything that the judgement depends on, as bytes. */
static void *subject_key(struct verifying *v, const struct subject *subject,
			 size_t *size)
{
	size_t a = subject->steps[BEFORE].count;
	size_t b = subject->steps[AFTER].count;
	uint64_t *key = arena_array(v->scratch, 8 + 3 * (a + b), sizeof(*key));
	size_t n = 0;

	key[n++] = subject->filter;
	key[n++] = subject->facts.perms;
	key[n++] = (uint64_t)subject->facts.has_arch << 2 |
		   (uint64_t)subject->self_log << 1 | subject->operations;
	key[n++] = (uint64_t)(subject->facts.flags_in + 1);
	key[n++] = subject->facts.arch;
	key[n++] = a;
	for (int side = BEFORE; side < SIDES; side++) {
		struct steps steps = subject->steps[side];

		for (size_t i = 0; i < steps.count; i++) {
			key[n++] = (uintptr_t)steps.item[i].rule;
			key[n++] = steps.item[i].kind;
			key[n++] = steps.item[i].when;
		}
	}
	*size = n * sizeof(*key);
	return key;
}

static struct class_proof *add_item(struct verifying *v, uint32_t filter)
{
	if (v->count == v->capacity) {
		struct class_proof *item;

		v->capacity = 2 * v->capacity + 64;
		item = arena_array(v->arena, v->capacity, sizeof(*item));
		if (v->count)
			memcpy(item, v->item, v->count * sizeof(*item));
		v->item = item;
	}
	v->item[v->count] = (struct class_proof){.filter = filter};
	return &v->item[v->count++];
}

static void find_witnesses(struct verifying *v, struct subject *subject,
			   struct class_proof *item)
{
	struct witness_search search = {
		.check = &v->check, .subject = subject, .left = &v->tries_left};
	struct candidates candidates = {witness_try, &search};

	item->proof =
		subject_compare(&v->check, subject, &candidates, &item->why);
	if (!search.count)
		return;
	item->proof = PROOF_DIFFERENT;
	item->why = NULL;
	item->witness = search.found;
	item->witnesses = search.count;
}

static bool identical(const struct ruleset *a, const struct ruleset *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (!rule_same_to_kernel(a->rule[i], b->rule[i]) ||
		    a->rule[i]->epoch != b->rule[i]->epoch)
			return false;
	return true;
}

static const char *general_doubt(const struct verifying *v)
{
	if (v->identical)
		return NULL;
	if (!v->settling_same)
		return "a watch that is not known to be a path or a directory "
		       "may turn out to be there already";
	if (!v->trees_same)
		return "a tree that -q applies to is not there any more";
	return NULL;
}

static void judge(struct verifying *v, struct subject *subject)
{
	struct class_proof *item;
	struct seen_class *seen;
	size_t size, mark = diagrams_mark(v->check.diagrams);
	void *key = subject_key(v, subject, &size);

	HASH_FIND(hh, v->seen, key, size, seen);
	if (seen) {
		syscall_set_unite(&v->item[seen->item].calls, &subject->calls);
		return;
	}
	item = add_item(v, subject->filter);
	item->calls = subject->calls;
	v->check.scratch = arena_new();
	find_witnesses(v, subject, item);
	arena_free(v->check.scratch);
	v->check.scratch = v->scratch;
	if (item->proof == PROOF_GOOD && general_doubt(v)) {
		item->proof = PROOF_NONE;
		item->why = general_doubt(v);
	}
	if (diagrams_overflow(v->check.diagrams) ||
	    diagrams_count(v->check.diagrams) - mark > NODES_A_CLASS / 2) {
		v->nodes += diagrams_count(v->check.diagrams) - mark;
		forget_diagrams(v);
		diagrams_return(v->check.diagrams, 2);
		HASH_CLEAR(hh, v->seen);
		return;
	}
	seen = arena_alloc(v->scratch, sizeof(*seen));
	seen->item = v->count - 1;
	HASH_ADD_KEYPTR(hh, v->seen, key, size, seen);
}

/* The rules that system calls can meet, as the classes need them: all of one
 * filter, their masks as they are, or over all calls if not known. */
static size_t rules_of_calls(struct verifying *v, uint32_t filter,
			     struct ruleset *set,
			     struct candidate_rule *candidate)
{
	size_t count = 0;

	for (size_t i = 0; i < v->entries; i++) {
		const struct entry *entry = &v->entry[i];

		bool classes = entry->rule->mask_classes != 0;

		if (filter == AUDIT_FILTER_EXIT
			    ? is_io_uring(entry) && !entry->in_bucket
			    : !is_io_uring(entry) || !entry->in_list)
			continue;
		for (int any = 0; any <= classes; any++) {
			struct rule *rule = rule_copy(v->scratch, entry->rule);

			rule->filter = filter;
			rule->mask_classes = 0;
			if (any)
				rule->mask = syscall_mask_all();
			candidate[count].entry = i;
			candidate[count].any_call = any;
			candidate[count].calls = rule_calls(set->target, rule);
			ruleset_insert(set, count++, rule);
		}
	}
	return count;
}

static bool is_named(const struct target *target, enum abi abi, int number,
		     const char *const *names, size_t count)
{
	const char *name = target_call_name(target, abi, number);

	for (size_t i = 0; name && i < count; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* Calls inside which io_uring operations are run and walk the lists: when they
 * are asked to, or when a program ends and its rings are closed. */
static bool runs_operations(const struct target *target, enum abi abi,
			    int number)
{
	static const char *const names[] = {
		"io_uring_enter", "io_uring_register", "execve", "execveat",
		"exit",		  "exit_group"};

	return is_named(target, abi, number, names,
			sizeof(names) / sizeof(names[0]));
}

static int flags_in(const struct target *target, enum abi abi, int number)
{
	static const char *const open[] = {"open"},
				 *const openat[] = {"openat"},
				 *const openat2[] = {"openat2"};

	if (is_named(target, abi, number, open, 1))
		return 1;
	if (is_named(target, abi, number, openat, 1))
		return 2;
	return is_named(target, abi, number, openat2, 1) ? 4 : -1;
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

	return (struct nature){
		.self_log = call_can_self_log(target, abi, number, NULL),
		.operations = runs_operations(target, abi, number),
		.arch = runs_operations(target, abi, number)
				? target->abi[abi].elf
				: 0,
		.flags_in = flags_in(target, abi, number),
		.perms = perms_of(v, abi, number)};
}

static void find_natures(struct verifying *v)
{
	find_perms(v);
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

/* Is a rule all or nothing to the class? It must be. */
static bool is_whole(const struct candidate_rule *candidate,
		     const struct syscall_set *calls, bool in)
{
	return in ? syscall_set_subset(calls, &candidate->calls)
		  : !syscall_set_intersects(calls, &candidate->calls);
}

/* The rules for the calls of SUBJECT, in order; io_uring rules in between if
 * its calls run operations. Returns false if the class is none. */
static bool gather_steps(struct verifying *v, struct subject *subject,
			 const struct candidate_rule *candidate, size_t count)
{
	enum abi abi;
	int number;
	size_t next = 0;

	first_call(&subject->calls, &abi, &number);
	room_for_steps(v, subject);
	for (size_t i = 0; i < v->entries; i++) {
		struct entry *entry = &v->entry[i];

		if (subject->operations && is_io_uring(entry) && entry->in_list)
			add_uring_step(v, subject, entry);
		for (; next < count && candidate[next].entry == i; next++) {
			const struct candidate_rule *c = &candidate[next];
			bool in = syscall_set_has(&c->calls, abi, number);

			if (!is_whole(c, &subject->calls, in))
				return false;
			if (!in ||
			    c->any_call != (entry->rule->mask_classes != 0))
				continue;
			add_steps(v, subject, entry,
				  !c->any_call ||
					  syscall_mask_has(&entry->rule->mask,
							   number));
		}
	}
	return true;
}

/* One class that is not proved is enough where nobody wants them all. */
static bool is_lost(const struct verifying *v)
{
	return !v->check.options->all_witnesses && v->count &&
	       v->item[v->count - 1].proof == PROOF_NONE;
}

static void verify_calls(struct verifying *v)
{
	const struct target *target = v->check.set[BEFORE]->target;
	struct ruleset *set = ruleset_new(v->scratch, target);
	struct candidate_rule *candidate =
		arena_array(v->scratch, 2 * v->entries, sizeof(*candidate));
	size_t count = rules_of_calls(v, AUDIT_FILTER_EXIT, set, candidate);
	struct call_classes classes =
		call_classes_of(v->scratch, set, AUDIT_FILTER_EXIT);

	for (size_t i = 0; i < classes.count; i++) {
		struct syscall_set left = classes.item[i].calls;

		while (!syscall_set_empty(&left) && !is_lost(v)) {
			struct subject subject = {.filter = AUDIT_FILTER_EXIT};

			take_alike(v, &left, &subject);
			if (gather_steps(v, &subject, candidate, count))
				judge(v, &subject);
			else
				*add_item(v, AUDIT_FILTER_EXIT) =
					(struct class_proof){
						AUDIT_FILTER_EXIT,
						subject.calls,
						PROOF_NONE,
						"its calls are not of one kind",
						NULL,
						0};
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
		struct entry *entry = &v->entry[i];
		const struct rule *rule = entry->rule;
		bool has = syscall_mask_has(&rule->mask, operation);

		if (entry->in_list && is_io_uring(entry) &&
		    (has || rule->mask_classes))
			add_step(v, subject, entry, STEP_LIST, has);
		if (reached_by_operation(entry))
			add_step(v, subject, entry, STEP_BUCKET,
				 syscall_mask_has(&rule->mask, 0));
	}
}

static void verify_operations(struct verifying *v)
{
	const struct target *target = v->check.set[BEFORE]->target;
	struct ruleset *set = ruleset_new(v->scratch, target);
	struct candidate_rule *candidate =
		arena_array(v->scratch, 2 * v->entries, sizeof(*candidate));
	struct call_classes classes;

	rules_of_calls(v, AUDIT_FILTER_URING_EXIT, set, candidate);
	classes = call_classes_of(v->scratch, set, AUDIT_FILTER_URING_EXIT);
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
		judge(v, &subject);
	}
}

/* The other filters: one rule after the other. */

static const struct rule *next_of(const struct ruleset *set, uint32_t filter,
				  size_t *at)
{
	while (*at < set->count)
		if (set->rule[(*at)++]->filter == filter)
			return set->rule[*at - 1];
	return NULL;
}

static void verify_other(struct verifying *v, uint32_t filter)
{
	struct class_proof *item;
	const struct rule *before, *after;
	size_t i = 0, j = 0;
	bool any = false, same = true;

	do {
		before = next_of(v->check.set[BEFORE], filter, &i);
		after = next_of(v->check.set[AFTER], filter, &j);
		any = any || before || after;
		if (before && after)
			same = same && rule_same_to_kernel(before, after);
		else
			same = same && !before && !after;
	} while (before && after);
	if (!any)
		return;
	item = add_item(v, filter);
	item->proof = same ? PROOF_GOOD : PROOF_NONE;
	if (!same)
		item->why = "the rules of this filter are not the same ones in "
			    "the same order";
}

/* A set without a counted rule: every context is a dummy, no record that the
 * kernel makes by itself has companions. */
static bool dummies_differ(const struct verifying *v)
{
	return (ruleset_counted(v->check.set[BEFORE]) == 0) !=
	       (ruleset_counted(v->check.set[AFTER]) == 0);
}

static void report_dummies(struct verifying *v)
{
	struct class_proof *item = add_item(v, AUDIT_FILTER_EXIT);
	struct event *event = arena_alloc(v->arena, sizeof(*event));
	struct witness *witness = arena_alloc(v->arena, sizeof(*witness));

	/* in no mask */
	event->number = SYSCALL_MASK_BITS;
	event->result = RESULT_SUCCESS;
	witness->event = event;
	witness->before =
		kernel_syscall_exit(v->check.set[BEFORE], event, NULL);
	witness->after = kernel_syscall_exit(v->check.set[AFTER], event, NULL);
	item->proof = PROOF_DIFFERENT;
	item->witness = witness;
	item->witnesses = 1;
	item->why = "one set leaves the kernel without any rule that counts";
}

static void verify_all(struct verifying *v)
{
	static const uint32_t other[] = {AUDIT_FILTER_TASK, AUDIT_FILTER_USER,
					 AUDIT_FILTER_EXCLUDE, AUDIT_FILTER_FS};

	if (dummies_differ(v) && v->check.options->level < 2)
		report_dummies(v);
	verify_calls(v);
	verify_operations(v);
	for (size_t i = 0; i < sizeof(other) / sizeof(other[0]); i++)
		verify_other(v, other[i]);
}

static struct verification summary(const struct verifying *v)
{
	struct verification result = {
		.proof = PROOF_GOOD,
		.item = v->item,
		.count = v->count,
		.nodes = v->nodes + diagrams_count(v->check.diagrams),
		.level = v->check.options->level,
	};

	for (size_t i = 0; i < v->count; i++) {
		if (v->item[i].proof > result.proof)
			result.proof = v->item[i].proof;
		result.proved += v->item[i].proof == PROOF_GOOD;
	}
	return result;
}

struct verification verify_equivalent(struct arena *arena,
				      const struct ruleset *before,
				      const struct ruleset *after,
				      const struct verify_options *options)
{
	struct verifying v = {.arena = arena,
			      .scratch = arena_new(),
			      .tries_left = TRIES_AT_MOST};
	struct check *check = &v.check;
	struct verification result;
	size_t most =
		options->nodes_at_most ? options->nodes_at_most : NODES_AT_MOST;

	check->arena = arena;
	check->scratch = v.scratch;
	check->options = options;
	check->set[BEFORE] = loaded_of(v.scratch, before);
	check->set[AFTER] = loaded_of(v.scratch, after);
	check->results = arena_alloc(v.scratch, sizeof(*check->results));
	v.identical = identical(check->set[BEFORE], check->set[AFTER]);
	v.settling_same = !loaded_may_refuse(v.scratch, check->set[BEFORE]) &&
			  !loaded_may_refuse(v.scratch, check->set[AFTER]);
	v.trees_same = loaded_same_trees(v.scratch, check->set[BEFORE],
					 check->set[AFTER]);
	add_entries(&v);
	find_kinds(&v);
	check->questions = questions_of(v.scratch, check->set[BEFORE],
					check->set[AFTER], v.kinds);
	check->diagrams = diagrams_new(questions_groups(check->questions),
				       questions_last(check->questions),
				       questions_count(check->questions), most);
	find_natures(&v);
	verify_all(&v);
	result = summary(&v);
	HASH_CLEAR(hh, v.seen);
	HASH_CLEAR(hh, check->results->known);
	questions_free(check->questions);
	diagrams_free(check->diagrams);
	arena_free(v.scratch);
	return result;
}
