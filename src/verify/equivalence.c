/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "verify/verifying.h"

#include <string.h>

#include "model/audit_names.h"
#include "model/perm.h"
#include "verify/loaded.h"

/* Of all diagrams that are kept at a time. */
#define NODES_AT_MOST 600000
/* What diagrams may cost (diagrams_allow), for one class and for all. */
#define WORK_A_CLASS 3000000
#define WORK_AT_MOST 12000000
/* Attempts at witnesses, for all classes; only where something is wrong. Each
 * looks at all questions; so does this number. */
#define TRIES_AT_MOST 1500
#define TRIES_AT_LEAST 100
#define LOOKS_AT_MOST 20000000

/* What was found out about a list of rules stays true for other calls. */
struct seen_class {
	void *key;
	size_t size;
	size_t item;
	UT_hash_handle hh;
};

/* Everything that the judgement depends on, as bytes. */
static void *subject_key(struct verifying *v, const struct subject *subject,
			 size_t *size)
{
	size_t a = subject->steps[BEFORE].count;
	size_t b = subject->steps[AFTER].count;
	uint32_t *key = arena_array(v->scratch, 6 + a + b, sizeof(*key));
	size_t n = 0;

	key[n++] = subject->filter;
	key[n++] = subject->facts.perms;
	key[n++] = (uint32_t)subject->facts.has_arch << 2 |
		   (uint32_t)subject->self_log << 1 | subject->operations;
	key[n++] = (uint32_t)(subject->facts.flags_in + 1);
	key[n++] = subject->facts.arch;
	key[n++] = (uint32_t)a;
	for (int side = BEFORE; side < SIDES; side++) {
		struct steps steps = subject->steps[side];

		for (size_t i = 0; i < steps.count; i++)
			key[n++] = steps.item[i].entry << 3 |
				   (uint32_t)steps.item[i].kind << 1 |
				   steps.item[i].in_mask;
	}
	*size = n * sizeof(*key);
	return key;
}

struct class_proof *add_item(struct verifying *v, uint32_t filter)
{
	v->item = arena_grow(v->arena, v->item, v->count, &v->capacity,
			     sizeof(*v->item));
	v->item[v->count] = (struct class_proof){.filter = filter};
	return &v->item[v->count++];
}

/* Is there a perm that some kernel may count the call under, and another that
 * does not? That is taken of calls under several perms, and seen where the
 * newest known kernel, which the evaluator is, does not. */
static bool perm_varies(const struct verifying *v,
			const struct subject *subject, enum abi abi, int number)
{
	static const uint64_t plain[4] = {0}, bind[4] = {2};
	const struct target *target = v->check.set[BEFORE]->target;

	if (subject->facts.perms & (subject->facts.perms - 1))
		return true;
	for (uint32_t bit = 1; bit < 1u << PERM_BITS; bit <<= 1)
		if (subject->facts.perms & bit &&
		    !perm_match(target, abi, number, plain, 0, bit) &&
		    !perm_match(target, abi, number, bind, 0, bit))
			return true;
	return false;
}

/* Then what is left to differ may do so under other kernels only. */
static bool all_perms_vary(const struct verifying *v,
			   const struct subject *subject)
{
	if (subject->filter != AUDIT_FILTER_EXIT ||
	    subject->facts.flags_in >= 0)
		return false;
	for (int abi = 0; abi < ABI_COUNT; abi++) {
		const struct syscall_mask *mask = &subject->calls.abi[abi];

		for (int n = syscall_mask_next(mask, 0); n >= 0;
		     n = syscall_mask_next(mask, n + 1))
			if (!perm_varies(v, subject, (enum abi)abi, n))
				return false;
	}
	return true;
}

static void find_witnesses(struct verifying *v, struct subject *subject,
			   struct class_proof *item)
{
	struct witness_search search = {
		.check = &v->check, .subject = subject, .left = &v->tries_left};
	struct candidates candidates = {witness_try, &search};

	item->proof =
		subject_compare(&v->check, subject, &candidates, &item->why);
	item->cut = search.cut;
	if (item->proof == PROOF_NONE &&
	    !diagrams_overflow(v->check.diagrams) && all_perms_vary(v, subject))
		item->why = "which perm they count under depends on the kernel";
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
		return "a tree that -q may add to is gone or made elsewhere";
	return NULL;
}

/* May the step be the same rule, or must its mask be asked? */
static bool same_rule(const struct verifying *v, const struct step *a,
		      const struct step *b)
{
	const struct entry *x = &v->entry[a->entry], *y = &v->entry[b->entry];

	return a->kind == b->kind && a->in_mask == b->in_mask &&
	       x->shape == y->shape &&
	       (a->kind != STEP_URING ||
		syscall_mask_equal(&x->rule->mask, &y->rule->mask));
}

/* The next rule of SIDE, but for what is never reached because the same rule
 * stands before it in the list. NULL: none. */
static const struct step *next_rule(struct verifying *v,
				    const struct subject *subject,
				    enum side side, size_t *at)
{
	const struct steps *steps = &subject->steps[side];

	while (*at < steps->count) {
		const struct step *step = &steps->item[(*at)++];
		size_t *met = &v->met[side][2 * v->entry[step->entry].shape +
					    step->in_mask];

		if (step->kind != STEP_LIST)
			return step;
		if (*met == v->classes)
			continue;
		*met = v->classes;
		return step;
	}
	return NULL;
}

/* The same rules in the same order, as the calls of the class see them: no
 * diagram is needed. */
static bool same_rules(struct verifying *v, const struct subject *subject)
{
	const struct step *a, *b;
	size_t i = 0, j = 0;

	do {
		a = next_rule(v, subject, BEFORE, &i);
		b = next_rule(v, subject, AFTER, &j);
		if (!a != !b || (a && !same_rule(v, a, b)))
			return false;
	} while (a);
	return true;
}

/* What it finds out is kept, but for what takes too much room. */
static void make_room(struct verifying *v)
{
	struct diagrams *d = v->check.diagrams;

	if (!diagrams_overflow(d) && diagrams_count(d) < v->nodes_at_most / 2)
		return;
	v->nodes += diagrams_count(d);
	forget_diagrams(v);
	diagrams_return(d, 2);
}

static void judge_by_diagrams(struct verifying *v, struct subject *subject,
			      struct class_proof *item)
{
	struct diagrams *d = v->check.diagrams;
	size_t work = diagrams_work(d);

	make_room(v);
	diagrams_allow(d, v->work_left < v->work_a_class ? v->work_left
							 : v->work_a_class);
	v->check.scratch = arena_new();
	make_diagrams(v, subject);
	find_witnesses(v, subject, item);
	arena_free(v->check.scratch);
	v->check.scratch = v->scratch;
	work = diagrams_work(d) - work;
	v->work_left -= work < v->work_left ? work : v->work_left;
}

void judge_class(struct verifying *v, struct subject *subject)
{
	struct class_proof *item;
	struct seen_class *seen;
	size_t size;
	void *key = subject_key(v, subject, &size);

	HASH_FIND(hh, v->seen, key, size, seen);
	if (seen) {
		syscall_set_unite(&v->item[seen->item].calls, &subject->calls);
		return;
	}
	item = add_item(v, subject->filter);
	item->calls = subject->calls;
	item->proof = PROOF_GOOD;
	if (!same_rules(v, subject))
		judge_by_diagrams(v, subject, item);
	if (item->proof == PROOF_GOOD && general_doubt(v)) {
		item->proof = PROOF_NONE;
		item->why = general_doubt(v);
	}
	seen = arena_alloc(v->scratch, sizeof(*seen));
	seen->item = v->count - 1;
	HASH_ADD_KEYPTR(hh, v->seen, key, size, seen);
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

/* Limits are numbers of steps and not of seconds: a result does not depend on
 * the machine. */
static void set_limits(struct verifying *v,
		       const struct verify_options *options)
{
	size_t nodes = options->nodes_at_most;

	v->nodes_at_most = nodes ? nodes : NODES_AT_MOST;
	v->work_a_class = nodes ? 16 * nodes : WORK_A_CLASS;
	v->work_left = nodes ? 64 * nodes : WORK_AT_MOST;
}

static size_t tries_allowed(const struct questions *questions)
{
	size_t tries = LOOKS_AT_MOST / (questions_count(questions) + 1);

	if (tries < TRIES_AT_LEAST)
		return TRIES_AT_LEAST;
	return tries < TRIES_AT_MOST ? tries : TRIES_AT_MOST;
}

struct verification verify_equivalent(struct arena *arena,
				      const struct ruleset *before,
				      const struct ruleset *after,
				      const struct verify_options *options)
{
	struct verifying v = {.arena = arena, .scratch = arena_new()};
	struct check *check = &v.check;
	struct verification result;

	set_limits(&v, options);
	check->arena = arena;
	check->scratch = v.scratch;
	check->options = options;
	check->set[BEFORE] = loaded_of(v.scratch, before);
	check->set[AFTER] = loaded_of(v.scratch, after);
	v.identical = identical(check->set[BEFORE], check->set[AFTER]);
	v.settling_same = !loaded_may_refuse(v.scratch, check->set[BEFORE]) &&
			  !loaded_may_refuse(v.scratch, check->set[AFTER]);
	v.trees_same =
		options->own_tags ||
		loaded_same_trees(check->set[BEFORE], check->set[AFTER]);
	find_entries(&v);
	find_kinds(&v);
	check->questions = questions_of(v.scratch, check->set[BEFORE],
					check->set[AFTER], v.kinds);
	v.tries_left = tries_allowed(check->questions);
	check->diagrams = diagrams_new(questions_groups(check->questions),
				       questions_last(check->questions),
				       questions_count(check->questions),
				       v.nodes_at_most);
	find_natures(&v);
	verify_all(&v);
	result = summary(&v);
	HASH_CLEAR(hh, v.seen);
	HASH_CLEAR(hh, v.results);
	HASH_CLEAR(hh, v.calls);
	questions_free(check->questions);
	diagrams_free(check->diagrams);
	arena_free(v.scratch);
	return result;
}
