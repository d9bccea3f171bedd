/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The semantics are those of audit_filter_rules() (kernel/auditsc.c), as
 * model/kernel_match.c has them; nothing of model/predicate.c is used.
 */
#include "verify/question_parts.h"

#include <stdlib.h>
#include <string.h>

#include "model/audit_names.h"
#include "model/compare.h"

#define GROUP_RETURNED 1
#define GROUP_OPERATION 2
#define GROUP_FIELDS 3

static uint32_t string_id(struct questions *all, const char *string)
{
	struct known_string *s;

	if (!string)
		return 0;
	HASH_FIND_STR(all->strings, string, s);
	if (!s) {
		s = arena_alloc(all->arena, sizeof(*s));
		s->string = string;
		s->id = HASH_COUNT(all->strings) + 1;
		HASH_ADD_KEYPTR(hh, all->strings, s->string, strlen(s->string),
				s);
	}
	return s->id;
}

static struct question_key key_of(struct questions *all,
				  const struct question *q)
{
	return (struct question_key){
		.kind = q->kind,
		.field = q->field ? q->field->number : 0,
		.op = q->op,
		.value = q->value,
		.string = string_id(all, q->string),
		.flags = (q->of_name ? 1u : 0) | (q->unsettled ? 2u : 0),
	};
}

struct known_question *question_find(struct questions *all,
				     const struct question *q)
{
	struct question_key key = key_of(all, q);
	struct known_question *known;

	HASH_FIND(hh, all->known, &key, sizeof(key), known);
	return known;
}

static void add(struct questions *all, struct question q)
{
	struct known_question *known = question_find(all, &q);

	if (!known) {
		known = arena_alloc(all->arena, sizeof(*known));
		known->key = key_of(all, &q);
		known->question = q;
		known->order = HASH_COUNT(all->known);
		HASH_ADD(hh, all->known, key, sizeof(known->key), known);
	}
}

bool test_has_negation(const struct field_test *test)
{
	switch (test->field->kind) {
	case FIELD_GROUP:
	case FIELD_FILETYPE:
	case FIELD_DIR:
	case FIELD_EXE:
		return true;
	case FIELD_COMPARE:
		return comparison_has_negation(test->value);
	default:
		return false;
	}
}

/* The same question for tests that ask the same of some name; false if it is
 * never true. */
static bool canonical_name_test(struct question *q)
{
	if (q->op == OP_LT) {
		q->op = OP_LE;
		return q->value-- != 0;
	}
	if (q->op == OP_GT) {
		q->op = OP_GE;
		return q->value++ != UINT32_MAX;
	}
	if (q->op == OP_BIT_MASK && !q->value)
		return false;
	if ((q->op == OP_BIT_TEST && !q->value) ||
	    (q->op == OP_LE && q->value == UINT32_MAX)) {
		q->op = OP_GE;
		q->value = 0;
	}
	return true;
}

bool test_question(const struct rule *rule, const struct field_test *test,
		   bool as_bucket, struct question *q)
{
	enum field_kind kind = test->field->kind;

	*q = (struct question){.kind = ASK_TEST,
			       .field = test->field,
			       .op = test->op,
			       .value =
				       test->field->is_string ? 0 : test->value,
			       .string = test->string};
	if (test_has_negation(test) && q->op == OP_NE)
		q->op = OP_EQ;
	switch (kind) {
	case FIELD_FILETYPE:
		q->value &= 0xffff;
		return true;
	case FIELD_COMPARE:
		return comparison_by_code(q->value) != NULL;
	case FIELD_NAME:
		q->of_name = as_bucket;
		return canonical_name_test(q);
	case FIELD_LSM_OBJECT:
		q->of_name = as_bucket;
		return true;
	case FIELD_PATH:
	case FIELD_DIR:
		q->unsettled = rule->unsettled;
		if (rule->unsettled)
			q->field = field_by_number(as_bucket ? AUDIT_WATCH
							     : AUDIT_DIR);
		q->of_name = q->field->kind == FIELD_PATH;
		return true;
	default:
		return true;
	}
}

bool test_is_loginuid_set(const struct field_test *test)
{
	return test->field->kind == FIELD_LOGINUID_SET ||
	       (test->field->number == AUDIT_LOGINUID &&
		test->value == UINT32_MAX);
}

uint32_t test_loginuid_set_value(const struct field_test *test)
{
	return test->field->kind == FIELD_LOGINUID_SET ? test->value : 0;
}

bool test_is_value(const struct field_test *test)
{
	switch (test->field->kind) {
	case FIELD_NUMBER:
	case FIELD_UID:
	case FIELD_GID:
	case FIELD_OPTIONAL:
		return true;
	case FIELD_RESULT:
		return test->field->number != AUDIT_SUCCESS;
	case FIELD_GROUP:
		return !(test->op & (OP_EQ | OP_NE));
	case FIELD_LOGINUID_SET:
		return true;
	default:
		return false;
	}
}

bool test_is_id(const struct field_test *test)
{
	return test->field->kind == FIELD_UID ||
	       test->field->kind == FIELD_GID ||
	       test->field->kind == FIELD_GROUP;
}

const struct field_info *test_value_field(const struct field_test *test)
{
	return test_is_loginuid_set(test) ? field_by_number(AUDIT_LOGINUID)
					  : test->field;
}

static void add_cut(struct questions *all, const struct field_info *field,
		    uint64_t limit)
{
	if (limit == 0 || limit > UINT32_MAX)
		return;
	add(all, (struct question){.kind = ASK_BELOW,
				   .field = field,
				   .value = (uint32_t)limit});
}

static void add_value_test(struct questions *all, const struct field_test *test)
{
	const struct field_info *field = test_value_field(test);
	struct interval room[2];
	unsigned int count;

	all->field_uses[field->number % 512]++;
	if (field->kind == FIELD_OPTIONAL)
		add(all, (struct question){.kind = ASK_SOCKADDR});
	if (test_is_loginuid_set(test)) {
		add_cut(all, field, UINT32_MAX);
		return;
	}
	if (op_is_bits(test->op)) {
		if (!test_is_id(test))
			add(all, (struct question){.kind = ASK_TEST,
						   .field = field,
						   .op = test->op,
						   .value = test->value});
		return;
	}
	count = intervals_of_test(test->op, test->value, room);
	for (unsigned int i = 0; i < count; i++) {
		add_cut(all, field, room[i].low);
		add_cut(all, field, (uint64_t)room[i].high + 1);
	}
}

static void add_test(struct questions *all, const struct rule *rule,
		     const struct field_test *test)
{
	struct question q;

	if (test_is_value(test)) {
		add_value_test(all, test);
		return;
	}
	switch (test->field->kind) {
	case FIELD_RESULT:
	case FIELD_PERM:
	case FIELD_ARCH:
	case FIELD_MSGTYPE:
	case FIELD_FSTYPE:
	case FIELD_KEY:
		return;
	default:
		break;
	}
	if (test_question(rule, test, false, &q))
		add(all, q);
	if (test_question(rule, test, true, &q))
		add(all, q);
}

static void add_rule(struct questions *all, const struct rule *rule)
{
	if (rule->mask_classes)
		add(all, (struct question){.kind = ASK_CLASS_MASK,
					   .value = rule->mask_classes});
	for (unsigned int i = 0; i < rule->tests; i++)
		add_test(all, rule, &rule->test[i]);
}

static bool is_value_question(const struct question *q)
{
	return q->kind == ASK_BELOW;
}

/* What many rules ask comes first, and what one rule asks in the order of the
 * rules: then the diagram of a list is a chain and not a tree. */
static int by_place(const void *a, const void *b)
{
	const struct known_question *x = *(struct known_question *const *)a;
	const struct known_question *y = *(struct known_question *const *)b;
	bool value_x = x->question.kind != ASK_TEST &&
		       x->question.kind != ASK_CLASS_MASK;
	bool value_y = y->question.kind != ASK_TEST &&
		       y->question.kind != ASK_CLASS_MASK;

	if (value_x != value_y)
		return value_x ? -1 : 1;
	if (!value_x)
		return x->order < y->order ? -1 : x->order > y->order;
	if (x->uses != y->uses)
		return x->uses > y->uses ? -1 : 1;
	if (x->key.kind != y->key.kind)
		return x->key.kind < y->key.kind ? -1 : 1;
	if (x->key.field != y->key.field)
		return x->key.field < y->key.field ? -1 : 1;
	return x->key.value < y->key.value ? -1 : x->key.value > y->key.value;
}

/* May the answer differ between the walks of one call? The trees that a call
 * met only become more; results are known in the last walk alone, which
 * equivalence.c allows for; auid and session change through /proc only. */
static bool lasts(const struct question *q)
{
	switch (q->kind) {
	case ASK_RETURNED:
	case ASK_PERM:
	case ASK_CLASS_MASK:
		return true;
	case ASK_SOCKADDR:
	case ASK_OPERATION:
		return false;
	case ASK_BELOW:
	case ASK_TEST:
		break;
	}
	switch (q->field->kind) {
	case FIELD_NUMBER:
	case FIELD_RESULT:
	case FIELD_DIR:
		return true;
	case FIELD_UID:
		return q->field->number == AUDIT_LOGINUID;
	default:
		return false;
	}
}

static unsigned int group_of(const struct question *q)
{
	if (q->kind == ASK_RETURNED)
		return GROUP_RETURNED;
	if (q->kind == ASK_OPERATION)
		return GROUP_OPERATION;
	return is_value_question(q) ? q->field->number + GROUP_FIELDS : 0;
}

static void put_in_order(struct questions *all)
{
	struct known_question *known, *next;
	size_t i = 0;

	all->count = HASH_COUNT(all->known);
	all->item = arena_array(all->arena, all->count, sizeof(*all->item));
	all->group = arena_array(all->arena, all->count, sizeof(*all->group));
	all->lasts = arena_array(all->arena, all->count, sizeof(*all->lasts));
	HASH_ITER(hh, all->known, known, next)
	{
		if (is_value_question(&known->question))
			known->uses = all->field_uses[known->key.field % 512];
		else
			known->uses = UINT32_MAX;
		all->item[i++] = known;
	}
	qsort(all->item, all->count, sizeof(*all->item), by_place);
	for (i = 0; i < all->count; i++) {
		all->item[i]->level = (uint32_t)i;
		all->group[i] = group_of(&all->item[i]->question);
		all->lasts[i] = lasts(&all->item[i]->question);
	}
}

struct questions *questions_of(struct arena *arena, const struct ruleset *a,
			       const struct ruleset *b, size_t kinds)
{
	struct questions *all = arena_alloc(arena, sizeof(*all));

	all->arena = arena;
	all->kinds = kinds;
	for (size_t i = 1; i < kinds; i++)
		add(all, (struct question){.kind = ASK_OPERATION,
					   .value = (uint32_t)i});
	for (uint32_t i = 0; i < PERM_BITS; i++)
		add(all, (struct question){.kind = ASK_PERM,
					   .value = UINT32_C(1) << i});
	for (uint32_t i = 1; i <= 2; i++)
		add(all, (struct question){.kind = ASK_RETURNED, .value = i});
	for (size_t i = 0; i < a->count; i++)
		add_rule(all, a->rule[i]);
	for (size_t i = 0; i < b->count; i++)
		add_rule(all, b->rule[i]);
	put_in_order(all);
	return all;
}

void questions_free(struct questions *all)
{
	HASH_CLEAR(hh, all->strings);
	HASH_CLEAR(hh, all->known);
}

size_t questions_count(const struct questions *all)
{
	return all->count;
}

const struct question *question_at(const struct questions *all, size_t level)
{
	return &all->item[level]->question;
}

const unsigned int *questions_groups(const struct questions *all)
{
	return all->group;
}

const bool *questions_last(const struct questions *all)
{
	return all->lasts;
}

size_t questions_not_returned(const struct questions *all)
{
	struct question q = {.kind = ASK_RETURNED, .value = 1};

	return question_find((struct questions *)all, &q)->level;
}
