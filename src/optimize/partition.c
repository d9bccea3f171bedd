/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why the cut changes nothing: the parts of a rule have no number in common,
 * stand one behind the other, and every walk asks masks for the number of one
 * call. No two of them are the same to the kernel, but where two rules differ
 * in their other calls only: of two equal parts in a list the second is never
 * reached and is left out. In a bucket, whose order may be turned round
 * (audit_update_watch), such rules are not cut.
 *
 * In audit_signals one of the parts counts if the whole rule did, since its
 * signal is in one of them (audit_match_signal), and passes see to the rest.
 */
#include "optimize/partition.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "model/operations.h"
#include "optimize/facts.h"

/* How far apart the parts of a rule may have come to become one again. */
#define APART_AT_MOST 8

/* Rules that are equal but for their masks, or in their masks, too. */
struct alike {
	uint64_t hash;
	const struct rule *rule;
	bool several;
	struct alike *same_hash;
	UT_hash_handle hh;
};

/* A rule that was cut. */
struct half {
	struct rule *kept;
	const struct rule *whole;
};

struct partition {
	struct arena *arena, *scratch;
	struct ruleset *set;
	const struct kept_calls *kept;
	const struct pipeline_options *options;
	struct alike *shapes; /* of bucket rules */
	struct alike *parts;  /* that are kept */
	struct half *half;
	size_t halves;
};

static uint64_t add_bytes(uint64_t hash, const void *data, size_t size)
{
	const unsigned char *byte = data;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
	return hash;
}

/* Equal for rules that are the same to the kernel, or would be with one mask;
 * a value may be written in two ways (auid=-1), and does not count. */
static uint64_t hash_of(const struct rule *rule, bool with_mask)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	hash = add_bytes(hash, &rule->filter, sizeof(rule->filter));
	hash = add_bytes(hash, &rule->tests, sizeof(rule->tests));
	if (with_mask)
		hash = add_bytes(hash, &rule->mask, sizeof(rule->mask));
	if (rule->key)
		hash = add_bytes(hash, rule->key, strlen(rule->key));
	for (unsigned int i = 0; i < rule->tests; i++) {
		const struct field_test *test = &rule->test[i];

		hash = add_bytes(hash, &test->op, sizeof(test->op));
		if (test->string)
			hash = add_bytes(hash, test->string,
					 strlen(test->string));
		else if (test->field->number != AUDIT_LOGINUID &&
			 test->field->number != AUDIT_LOGINUID_SET)
			hash = add_bytes(hash, &test->value,
					 sizeof(test->value));
	}
	return hash;
}

static bool same_but_mask(const struct rule *a, const struct rule *b)
{
	struct rule like = *a;

	like.mask = b->mask;
	return rule_same_to_kernel(&like, b);
}

/* What is known of RULE, after adding it if it is new (*IS_NEW). */
static struct alike *know(struct partition *p, struct alike **table,
			  const struct rule *rule, bool with_mask, bool *is_new)
{
	struct alike *known = arena_alloc(p->scratch, sizeof(*known)), *head;

	known->hash = hash_of(rule, with_mask);
	known->rule = rule;
	HASH_FIND(hh, *table, &known->hash, sizeof(known->hash), head);
	*is_new = false;
	for (struct alike *a = head; a; a = a->same_hash)
		if (with_mask ? rule_same_to_kernel(a->rule, rule)
			      : same_but_mask(a->rule, rule))
			return a;
	*is_new = true;
	if (head) {
		known->same_hash = head->same_hash;
		head->same_hash = known;
	} else {
		HASH_ADD(hh, *table, hash, sizeof(known->hash), known);
	}
	return known;
}

static bool in_list(const struct rule *rule)
{
	return rule_place(rule) == PLACE_LIST;
}

static void find_shapes(struct partition *p)
{
	for (size_t i = 0; i < p->set->count; i++) {
		struct alike *alike;
		bool is_new;

		if (!pass_may_touch(p->set->rule[i]) ||
		    in_list(p->set->rule[i]))
			continue;
		alike = know(p, &p->shapes, p->set->rule[i], false, &is_new);
		alike->several = alike->several || !is_new;
	}
}

static const struct syscall_mask *kept_of(const struct partition *p,
					  const struct rule *rule)
{
	return rule->filter == AUDIT_FILTER_URING_EXIT && in_list(rule)
		       ? &p->kept->operations
		       : &p->kept->calls;
}

/* Will what is left of RULE outside be few enough calls to be written? perm
 * narrows it (pass_narrow). */
static bool is_narrow(const struct partition *p, const struct rule *rule,
		      const struct syscall_mask *inside,
		      const struct syscall_mask *outside)
{
	return syscall_mask_count(inside) <= NARROW_TO_AT_MOST &&
	       (syscall_mask_count(outside) <= NARROW_TO_AT_MOST ||
		(rule_test_of(rule, FIELD_PERM) && p->options->level > 0 &&
		 !p->options->kernel_unknown));
}

static bool may_cut(struct partition *p, const struct rule *rule)
{
	bool is_new;

	if (p->options->verbatim || rule->unsettled)
		return false;
	return in_list(rule) ||
	       !know(p, &p->shapes, rule, false, &is_new)->several;
}

/* Adds the part INSIDE of RULE to TO, unless it is there already, and makes
 * RULE the part OUTSIDE. */
static void cut(struct partition *p, struct ruleset *to, struct rule *rule,
		const struct syscall_mask *inside,
		const struct syscall_mask *outside)
{
	struct rule *part = rule_copy(p->arena, rule);
	bool is_new;

	part->mask = *inside;
	part->watch_form = false;
	part->kept = true;
	know(p, &p->parts, part, true, &is_new);
	if (is_new) {
		p->half[p->halves++] =
			(struct half){part, rule_copy(p->scratch, rule)};
		ruleset_insert(to, to->count, part);
	}
	rule->mask = *outside;
	rule->watch_form = false;
}

static void split_rule(struct partition *p, struct ruleset *to,
		       struct rule *rule)
{
	const struct syscall_mask *kept = kept_of(p, rule);
	struct syscall_mask inside = rule->mask, outside = rule->mask;

	syscall_mask_intersect(&inside, kept);
	syscall_mask_subtract(&outside, kept);
	if (pass_may_touch(rule) && !syscall_mask_empty(&inside)) {
		if (!syscall_mask_empty(&outside) &&
		    is_narrow(p, rule, &inside, &outside) && may_cut(p, rule))
			cut(p, to, rule, &inside, &outside);
		else
			rule->kept = true;
	}
	ruleset_insert(to, to->count, rule);
}

static void split(struct partition *p)
{
	struct ruleset *to = ruleset_new(p->arena, p->set->target);

	p->half = arena_array(p->scratch, p->set->count, sizeof(*p->half));
	find_shapes(p);
	for (size_t i = 0; i < p->set->count; i++)
		split_rule(p, to, p->set->rule[i]);
	*p->set = *to;
}

/* Where the other part of the rule at AT is; 0: not near, or changed. */
static size_t other_part(const struct partition *p, size_t at)
{
	const struct rule *rule = p->set->rule[at];

	for (size_t i = at + 1; i < p->set->count && i <= at + APART_AT_MOST;
	     i++) {
		const struct rule *other = p->set->rule[i];

		if (other && !other->kept && other->epoch == rule->epoch &&
		    same_but_mask(rule, other))
			return i;
	}
	return 0;
}

/* May the rule at FROM stand at AT? Not in the way of others with its calls. */
static bool may_move(const struct partition *p, size_t at, size_t from)
{
	const struct rule *rule = p->set->rule[from];

	for (size_t i = at + 1; i < from; i++) {
		const struct rule *other = p->set->rule[i];

		if (!other)
			continue;
		if (!pass_may_touch(other) || other->epoch != rule->epoch ||
		    other->filter != AUDIT_FILTER_EXIT ||
		    rule->filter != AUDIT_FILTER_EXIT ||
		    syscall_mask_intersects(&other->mask, &rule->mask))
			return false;
	}
	return true;
}

static void join_parts(struct partition *p, size_t at, const struct rule *whole)
{
	size_t from = other_part(p, at);
	struct rule *rule = p->set->rule[at];

	if (!from || !may_move(p, at, from))
		return;
	syscall_mask_unite(&rule->mask, &p->set->rule[from]->mask);
	rule->origin = origin_unite(p->arena, rule->origin,
				    p->set->rule[from]->origin);
	rule->watch_form = whole->watch_form &&
			   syscall_mask_equal(&rule->mask, &whole->mask);
	p->set->rule[from] = NULL;
}

static void leave_out_joined(struct ruleset *set)
{
	size_t count = 0;

	for (size_t i = 0; i < set->count; i++)
		if (set->rule[i])
			set->rule[count++] = set->rule[i];
	set->count = count;
}

static void join(struct partition *p)
{
	size_t next = 0;

	for (size_t i = 0; i < p->set->count && next < p->halves; i++)
		if (p->set->rule[i] == p->half[next].kept)
			join_parts(p, i, p->half[next++].whole);
	leave_out_joined(p->set);
}

/* What passes have added is not for the calls that are kept. */
static void keep_out(struct partition *p)
{
	size_t count = 0;

	for (size_t i = 0; i < p->set->count; i++) {
		struct rule *rule = p->set->rule[i];
		const struct syscall_mask *kept = kept_of(p, rule);

		if (!rule->kept && pass_may_touch(rule) &&
		    syscall_mask_intersects(&rule->mask, kept)) {
			syscall_mask_subtract(&rule->mask, kept);
			if (syscall_mask_empty(&rule->mask))
				continue;
		}
		p->set->rule[count++] = rule;
	}
	p->set->count = count;
}

/* Is there a rule left with all calls but those that are kept? Written out it
 * would be many rules. */
static bool any_wide(const struct partition *p)
{
	struct syscall_mask all = syscall_mask_all();

	for (size_t i = 0; i < p->set->count; i++) {
		const struct rule *rule = p->set->rule[i];
		struct syscall_mask mask = rule->mask;

		if (rule->kept || !pass_may_touch(rule) ||
		    syscall_mask_equal(&mask, &all))
			continue;
		syscall_mask_unite(&mask, kept_of(p, rule));
		if (syscall_mask_equal(&mask, &all))
			return true;
	}
	return false;
}

static bool has_io_uring(const struct ruleset *set)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->rule[i]->filter == AUDIT_FILTER_URING_EXIT)
			return true;
	return false;
}

/* Calls in which operations are run, and number 0, under which operations
 * outside of calls look at buckets. */
static struct syscall_mask calls_with_operations(const struct target *target)
{
	struct syscall_set calls = calls_running_operations(target);
	struct syscall_mask mask = {0};

	syscall_mask_add(&mask, 0);
	for (int abi = 0; abi < ABI_COUNT; abi++)
		syscall_mask_unite(&mask, &calls.abi[abi]);
	return mask;
}

void kept_calls_close(const struct ruleset *set, struct kept_calls *kept)
{
	struct syscall_mask calls = calls_with_operations(set->target);

	if (!syscall_mask_empty(&kept->operations) ||
	    (has_io_uring(set) &&
	     syscall_mask_intersects(&kept->calls, &calls))) {
		kept->operations = syscall_mask_all();
		syscall_mask_unite(&kept->calls, &calls);
	}
}

bool pipeline_run_keeping(struct arena *arena, struct ruleset *set,
			  const struct kept_calls *kept,
			  const struct pipeline_options *options,
			  struct change_log *log)
{
	struct partition p = {.arena = arena,
			      .scratch = arena_new(),
			      .set = set,
			      .kept = kept,
			      .options = options};
	bool good;

	split(&p);
	pipeline_run_as(arena, set, options, log);
	keep_out(&p);
	join(&p);
	good = !any_wide(&p);
	for (size_t i = 0; i < set->count; i++)
		set->rule[i]->kept = false;
	HASH_CLEAR(hh, p.shapes);
	HASH_CLEAR(hh, p.parts);
	arena_free(p.scratch);
	return good;
}
