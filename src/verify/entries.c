/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rules of both sets as the classes need them: their results, where they
 * are looked at, which of them are the same, and when they hold.
 */
#include "verify/verifying.h"

#include <string.h>

#include "model/audit_names.h"
#include "verify/loaded.h"

static const struct result *result_of(struct verifying *v,
				      const struct rule *rule)
{
	char *name =
		arena_printf(v->scratch, "%u%s%s", rule->action,
			     rule->key ? "=" : "", rule->key ? rule->key : "");
	struct known_result *known;

	HASH_FIND_STR(v->results, name, known);
	if (!known) {
		known = arena_alloc(v->scratch, sizeof(*known));
		known->name = name;
		known->result.id = HASH_COUNT(v->results);
		known->result.key = rule->key;
		known->result.verdict = rule->action == AUDIT_NEVER
						? VERDICT_NEVER
						: VERDICT_RECORD;
		HASH_ADD_KEYPTR(hh, v->results, known->name,
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

bool entry_is_io_uring(const struct entry *entry)
{
	return entry->rule->filter == AUDIT_FILTER_URING_EXIT;
}

static struct known_calls *know_calls(struct verifying *v,
				      const struct rule *rule, bool any_call)
{
	struct known_calls key = {0}, *known;
	struct rule as = *rule;

	as.filter = AUDIT_FILTER_EXIT;
	as.mask_classes = 0;
	if (any_call)
		as.mask = syscall_mask_all();
	key.mask = as.mask;
	key.calls = rule_calls(v->check.set[BEFORE]->target, &as);
	HASH_FIND(hh, v->calls, &key.mask, KNOWN_CALLS_KEY, known);
	if (known)
		return known;
	known = arena_copy(v->scratch, &key, sizeof(key));
	known->as = rule_copy(v->scratch, &as);
	HASH_ADD(hh, v->calls, mask, KNOWN_CALLS_KEY, known);
	return known;
}

/* Which calls can meet the rule. In a bucket those of io_uring, too, are met by
 * calls. */
static void find_calls(struct verifying *v, struct entry *entry)
{
	if (entry_is_io_uring(entry) && !entry->in_bucket)
		return;
	entry->calls = know_calls(v, entry->rule, false);
	if (entry->rule->mask_classes)
		entry->all = know_calls(v, entry->rule, true);
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
	find_calls(v, entry);
}

static bool is_counted_filter(const struct rule *rule)
{
	return rule->filter == AUDIT_FILTER_EXIT ||
	       rule->filter == AUDIT_FILTER_URING_EXIT;
}

struct known_shape {
	uint64_t hash;
	const struct rule *rule;
	uint32_t shape;
	struct known_shape *same_hash;
	UT_hash_handle hh;
};

static bool same_shape(const struct rule *a, const struct rule *b)
{
	struct rule like = *a;

	like.mask = b->mask;
	return rule_same_to_kernel(&like, b);
}

/* The number of RULE's shape; NEXT if it is a new one. */
static uint32_t shape_of(struct arena *arena, struct known_shape **table,
			 const struct rule *rule, uint32_t next)
{
	struct known_shape *known = arena_alloc(arena, sizeof(*known));
	struct known_shape *head, *other;

	known->hash = loaded_hash(rule, false);
	known->rule = rule;
	known->shape = next;
	HASH_FIND(hh, *table, &known->hash, sizeof(known->hash), head);
	for (other = head; other; other = other->same_hash)
		if (same_shape(other->rule, rule))
			return other->shape;
	if (head) {
		known->same_hash = head->same_hash;
		head->same_hash = known;
	} else {
		HASH_ADD(hh, *table, hash, sizeof(known->hash), known);
	}
	return next;
}

static void find_shapes(struct verifying *v)
{
	struct arena *arena = arena_new();
	struct known_shape *table = NULL;
	uint32_t shapes = 0;

	for (size_t i = 0; i < v->entries; i++) {
		uint32_t shape =
			shape_of(arena, &table, v->entry[i].rule, shapes);

		v->entry[i].shape = shape;
		shapes += shape == shapes;
	}
	HASH_CLEAR(hh, table);
	arena_free(arena);
}

void find_entries(struct verifying *v)
{
	size_t most = v->check.set[BEFORE]->count + v->check.set[AFTER]->count;

	v->entry = arena_array(v->scratch, most, sizeof(*v->entry));
	for (int side = BEFORE; side < SIDES; side++) {
		const struct ruleset *set = v->check.set[side];

		for (size_t i = 0; i < set->count; i++)
			if (is_counted_filter(set->rule[i]))
				add_entry(v, set->rule[i], (enum side)side);
	}
	find_shapes(v);
	for (int side = BEFORE; side < SIDES; side++)
		v->met[side] = arena_array(v->scratch, 2 * v->entries,
					   sizeof(*v->met[side]));
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

void find_kinds(struct verifying *v)
{
	v->kind = arena_array(v->scratch, SYSCALL_MASK_BITS + 1,
			      sizeof(*v->kind));
	v->kind[0] = syscall_mask_all();
	v->kinds = 2;
	for (size_t i = 0; i < v->entries; i++)
		if (entry_is_io_uring(&v->entry[i]))
			cut_kinds(v, &v->entry[i].rule->mask);
}

void forget_diagrams(struct verifying *v)
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
static diagram uring_when(struct verifying *v, struct entry *entry,
			  const struct subject *subject)
{
	struct diagrams *d = v->check.diagrams;
	diagram when = when_of(v, entry, false, true, subject);
	diagram otherwise = DIAGRAM_NO;

	if (entry->rule->mask_classes)
		otherwise = when_of(v, entry, false, false, subject);
	return diagram_choose(d, in_operations(v, entry), when, otherwise);
}

void make_diagrams(struct verifying *v, struct subject *subject)
{
	for (int side = BEFORE; side < SIDES; side++)
		for (size_t i = 0; i < subject->steps[side].count; i++) {
			struct step *step = &subject->steps[side].item[i];
			struct entry *entry = &v->entry[step->entry];

			step->when =
				step->kind == STEP_URING
					? uring_when(v, entry, subject)
					: when_of(v, entry,
						  step->kind == STEP_BUCKET,
						  step->in_mask, subject);
		}
}
