/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The semantics are those of audit_filter_rules() (kernel/auditsc.c), as
 * model/kernel_match.c has them; nothing of model/predicate.c is used.
 */
#include "verify/question.h"

#include <libaudit.h>
#include <linux/audit.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "model/interval.h"

#define PERM_BITS 4
/* ctx->return_valid: 0 for a call that does not return */
#define RETURNED_SUCCESS 1
#define RETURNED_FAILURE 2
#define GROUP_RETURNED 1
#define GROUP_OPERATION 2
#define GROUP_FIELDS 3

struct known_string {
	const char *string;
	uint32_t id;
	UT_hash_handle hh;
};

/* A question in bytes without padding. */
struct question_key {
	uint32_t kind, field, op, value, string, flags;
};

struct known_question {
	struct question_key key;
	struct question question;
	uint32_t order; /* of the first use */
	uint32_t uses;	/* of the field, if it is a value's question */
	uint32_t rank;	/* of that field, by uses */
	uint32_t level;
	UT_hash_handle hh;
};

struct questions {
	struct arena *arena;
	struct known_string *strings;
	struct known_question *known;
	struct known_question **item; /* by level */
	size_t count;
	size_t kinds;
	unsigned int *group;
	bool *lasts;
	unsigned int field_uses[512];
};

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

static struct known_question *find(struct questions *all,
				   const struct question *q)
{
	struct question_key key = key_of(all, q);
	struct known_question *known;

	HASH_FIND(hh, all->known, &key, sizeof(key), known);
	return known;
}

static void add(struct questions *all, struct question q)
{
	struct known_question *known = find(all, &q);

	if (!known) {
		known = arena_alloc(all->arena, sizeof(*known));
		known->key = key_of(all, &q);
		known->question = q;
		known->order = HASH_COUNT(all->known);
		HASH_ADD(hh, all->known, key, sizeof(known->key), known);
	}
}

static bool is_bits(enum field_op op)
{
	return op == OP_BIT_MASK || op == OP_BIT_TEST;
}

static bool compares_task_only(uint32_t code)
{
	return code >= AUDIT_COMPARE_UID_TO_AUID &&
	       code <= AUDIT_MAX_FIELD_COMPARE;
}

/* Is one of = and != the other's negation, so that one question will do? */
static bool has_negation(const struct field_test *test)
{
	switch (test->field->kind) {
	case FIELD_GROUP:
	case FIELD_FILETYPE:
	case FIELD_DIR:
	case FIELD_EXE:
		return true;
	case FIELD_COMPARE:
		return compares_task_only(test->value);
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

/* The question of a test that is one by itself; false: never true. */
static bool question_of_test(const struct rule *rule,
			     const struct field_test *test, bool as_bucket,
			     struct question *q)
{
	enum field_kind kind = test->field->kind;

	*q = (struct question){.kind = ASK_TEST,
			       .field = test->field,
			       .op = test->op,
			       .value =
				       test->field->is_string ? 0 : test->value,
			       .string = test->string};
	if (has_negation(test) && q->op == OP_NE)
		q->op = OP_EQ;
	switch (kind) {
	case FIELD_FILETYPE:
		q->value &= 0xffff;
		return true;
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

static bool is_loginuid_set(const struct field_test *test)
{
	return test->field->kind == FIELD_LOGINUID_SET ||
	       (test->field->number == AUDIT_LOGINUID &&
		test->value == UINT32_MAX);
}

/* The value that audit_data_to_entry leaves in a test of loginuid_set. */
static uint32_t loginuid_set_value(const struct field_test *test)
{
	return test->field->kind == FIELD_LOGINUID_SET ? test->value : 0;
}

/* Is it decided by one value alone? */
static bool is_value_test(const struct field_test *test)
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

/* audit_uid_comparator and audit_gid_comparator know no bit operators. */
static bool is_id(const struct field_test *test)
{
	return test->field->kind == FIELD_UID ||
	       test->field->kind == FIELD_GID ||
	       test->field->kind == FIELD_GROUP;
}

static const struct field_info *value_field(const struct field_test *test)
{
	return is_loginuid_set(test) ? field_by_number(AUDIT_LOGINUID)
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
	const struct field_info *field = value_field(test);
	struct interval room[2];
	unsigned int count;

	all->field_uses[field->number % 512]++;
	if (field->kind == FIELD_OPTIONAL)
		add(all, (struct question){.kind = ASK_SOCKADDR});
	if (is_loginuid_set(test)) {
		add_cut(all, field, UINT32_MAX);
		return;
	}
	if (is_bits(test->op)) {
		if (!is_id(test))
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

	if (is_value_test(test)) {
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
	if (question_of_test(rule, test, false, &q))
		add(all, q);
	if (question_of_test(rule, test, true, &q))
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

/* For building. */
struct builder {
	struct questions *all;
	struct diagrams *d;
	const struct call_facts *facts;
};

static diagram ask(const struct builder *b, struct question q)
{
	return diagram_ask(b->d, find(b->all, &q)->level);
}

size_t questions_not_returned(const struct questions *all)
{
	struct question q = {.kind = ASK_RETURNED, .value = 1};

	return find((struct questions *)all, &q)->level;
}

static diagram below(const struct builder *b, const struct field_info *field,
		     uint64_t limit)
{
	if (limit == 0)
		return DIAGRAM_NO;
	if (limit > UINT32_MAX)
		return DIAGRAM_YES;
	return ask(b, (struct question){.kind = ASK_BELOW,
					.field = field,
					.value = (uint32_t)limit});
}

static diagram within(const struct builder *b, const struct field_info *field,
		      struct interval range)
{
	return diagram_and(b->d, below(b, field, (uint64_t)range.high + 1),
			   diagram_not(b->d, below(b, field, range.low)));
}

static diagram returned_as(const struct builder *b, uint32_t valid)
{
	diagram none =
		ask(b, (struct question){.kind = ASK_RETURNED, .value = 1});
	diagram not_failed =
		ask(b, (struct question){.kind = ASK_RETURNED, .value = 2});

	if (valid == RETURNED_FAILURE)
		return diagram_not(b->d, not_failed);
	return diagram_and(b->d, not_failed, diagram_not(b->d, none));
}

/* success= compares return_valid, and not the value given. */
static diagram success_diagram(const struct builder *b,
			       const struct field_test *test)
{
	uint32_t wanted = test->value ? RETURNED_SUCCESS : RETURNED_FAILURE;
	diagram d = DIAGRAM_NO;

	for (uint32_t v = RETURNED_SUCCESS; v <= RETURNED_FAILURE; v++)
		if (field_compare(v, test->op, wanted))
			d = diagram_or(b->d, d, returned_as(b, v));
	return d;
}

static diagram loginuid_set_diagram(const struct builder *b,
				    const struct field_test *test)
{
	diagram is_set = below(b, value_field(test), UINT32_MAX);
	uint32_t value = loginuid_set_value(test);

	return diagram_choose(
		b->d, is_set,
		field_compare(1, test->op, value) ? DIAGRAM_YES : DIAGRAM_NO,
		field_compare(0, test->op, value) ? DIAGRAM_YES : DIAGRAM_NO);
}

static diagram range_diagram(const struct builder *b,
			     const struct field_test *test)
{
	struct interval room[2];
	unsigned int count;
	diagram d = DIAGRAM_NO;

	if (is_bits(test->op)) {
		if (is_id(test) || (test->op == OP_BIT_MASK && !test->value))
			return DIAGRAM_NO;
		if (!test->value)
			return DIAGRAM_YES;
		return ask(b, (struct question){.kind = ASK_TEST,
						.field = test->field,
						.op = test->op,
						.value = test->value});
	}
	count = intervals_of_test(test->op, test->value, room);
	for (unsigned int i = 0; i < count; i++)
		d = diagram_or(b->d, d, within(b, test->field, room[i]));
	return d;
}

static diagram value_diagram(const struct builder *b,
			     const struct field_test *test)
{
	diagram d;

	if (is_loginuid_set(test))
		return loginuid_set_diagram(b, test);
	d = range_diagram(b, test);
	if (test->field->kind == FIELD_RESULT)
		d = diagram_and(
			b->d, d,
			diagram_not(b->d, ask(b, (struct question){
							 .kind = ASK_RETURNED,
							 .value = 1})));
	if (test->field->kind == FIELD_OPTIONAL)
		d = diagram_and(
			b->d, d,
			ask(b, (struct question){.kind = ASK_SOCKADDR}));
	return d;
}

static diagram perm_bit(const struct builder *b, uint32_t bit)
{
	if (!(b->facts->perms & bit))
		return DIAGRAM_NO;
	return ask(b, (struct question){.kind = ASK_PERM, .value = bit});
}

/* audit_match_perm holds for several letters if it does for one of them. */
static diagram perm_diagram(const struct builder *b,
			    const struct field_test *test)
{
	diagram d = DIAGRAM_NO;

	for (uint32_t i = 0; i < PERM_BITS; i++)
		if (test->value >> i & 1)
			d = diagram_or(b->d, d, perm_bit(b, UINT32_C(1) << i));
	return test->op == OP_NE ? diagram_not(b->d, d) : d;
}

/* Where arch is not asked, the calls that it lets through are a class. */
static diagram arch_diagram(const struct builder *b,
			    const struct field_test *test)
{
	return !b->facts->has_arch || field_compare(b->facts->arch, test->op,
						    test->value)
		       ? DIAGRAM_YES
		       : DIAGRAM_NO;
}

static diagram test_diagram(const struct builder *b, const struct rule *rule,
			    const struct field_test *test, bool as_bucket)
{
	struct question q;
	diagram d;

	if (is_value_test(test))
		return value_diagram(b, test);
	switch (test->field->kind) {
	case FIELD_RESULT:
		return success_diagram(b, test);
	case FIELD_PERM:
		return perm_diagram(b, test);
	case FIELD_ARCH:
		return arch_diagram(b, test);
	case FIELD_KEY:
		return DIAGRAM_YES;
	case FIELD_MSGTYPE:
	case FIELD_FSTYPE:
		return DIAGRAM_NO;
	case FIELD_PATH:
		/* found in a bucket only, and path!= not even there */
		if (test->op != OP_EQ || (!as_bucket && !rule->unsettled))
			return DIAGRAM_NO;
		break;
	default:
		break;
	}
	/* obj_uid, obj_gid: ids, which have no bits */
	if (!question_of_test(rule, test, as_bucket, &q))
		return DIAGRAM_NO;
	d = ask(b, q);
	if (test->op == OP_NE && has_negation(test))
		d = diagram_not(b->d, d);
	return d;
}

diagram rule_diagram(const struct questions *all, struct diagrams *diagrams,
		     const struct rule *rule, bool as_bucket, bool in_mask,
		     const struct call_facts *facts)
{
	struct builder b = {(struct questions *)all, diagrams, facts};
	diagram d = DIAGRAM_YES;

	if (!in_mask)
		d = ask(&b, (struct question){.kind = ASK_CLASS_MASK,
					      .value = rule->mask_classes});
	for (unsigned int i = 0; i < rule->tests && d != DIAGRAM_NO; i++)
		d = diagram_and(
			diagrams, d,
			test_diagram(&b, rule, &rule->test[i], as_bucket));
	return d;
}

diagram operation_diagram(const struct questions *all,
			  struct diagrams *diagrams, size_t kind)
{
	struct builder b = {(struct questions *)all, diagrams, NULL};
	struct question q = {.kind = ASK_OPERATION, .value = (uint32_t)kind};
	diagram d = DIAGRAM_YES;

	if (kind > 0)
		d = diagram_not(diagrams, ask(&b, q));
	q.value++;
	if (kind + 1 < all->kinds)
		d = diagram_and(diagrams, d, ask(&b, q));
	return d;
}

/* Does what A asks follow for every value that does what Q asks? Both of some
 * name, or both of the same name. */
static bool name_test_implies(const struct question *a,
			      const struct question *q)
{
	struct interval first[2], second[2];

	if (is_bits(a->op) || is_bits(q->op))
		return a->op == q->op && a->op == OP_BIT_TEST &&
		       !(q->value & ~a->value);
	return intervals_subset(
		(struct intervals){first,
				   intervals_of_test(a->op, a->value, first)},
		(struct intervals){second,
				   intervals_of_test(q->op, q->value, second)});
}

/* If A is answered with yes, must Q be? */
static bool implies(const struct question *a, const struct question *q)
{
	if (a->kind != ASK_TEST || q->kind != ASK_TEST || a->field != q->field)
		return false;
	/* One name's answer is some name's; inode= of a bucket is a field of
	 * the name as any other. */
	if (a->field->kind == FIELD_NAME)
		return (a->of_name || !q->of_name) && name_test_implies(a, q);
	return a->field->kind == FIELD_LSM_OBJECT && a->of_name &&
	       !q->of_name && a->op == q->op &&
	       strcmp(a->string, q->string) == 0;
}

static diagram rule_out_implied(const struct builder *b, diagram d,
				const bool *met)
{
	for (size_t i = 0; i < b->all->count; i++) {
		const struct question *q = question_at(b->all, i);

		if (!met[i] || q->kind != ASK_TEST)
			continue;
		for (size_t j = 0; j < b->all->count; j++) {
			diagram bad;

			if (j == i || !met[j] ||
			    !implies(q, question_at(b->all, j)))
				continue;
			bad = diagram_and(
				b->d, diagram_ask(b->d, i),
				diagram_not(b->d, diagram_ask(b->d, j)));
			d = diagram_and(b->d, d, diagram_not(b->d, bad));
		}
	}
	return d;
}

/* If FIELD is exactly VALUE, then QUESTION has a known answer. */
static diagram rule_out_value(const struct builder *b, diagram d,
			      const struct field_info *field, uint32_t value,
			      diagram question, bool answer)
{
	diagram is = within(b, field, (struct interval){value, value});
	diagram bad = diagram_and(
		b->d, is, answer ? diagram_not(b->d, question) : question);

	return diagram_and(b->d, d, diagram_not(b->d, bad));
}

/* ACC_MODE: what open flags mean for perm. */
static uint32_t perms_of_flags(uint32_t flags)
{
	static const uint32_t perms[] = {AUDIT_PERM_READ, AUDIT_PERM_WRITE,
					 AUDIT_PERM_READ | AUDIT_PERM_WRITE,
					 AUDIT_PERM_READ | AUDIT_PERM_WRITE};

	return perms[flags & 3];
}

static diagram rule_out_flags(const struct builder *b, diagram d,
			      const struct field_info *field, uint32_t value)
{
	for (uint32_t i = 0; i < PERM_BITS; i++) {
		uint32_t bit = UINT32_C(1) << i;

		if (b->facts->perms & bit)
			d = rule_out_value(b, d, field, value, perm_bit(b, bit),
					   perms_of_flags(value) & bit);
	}
	return d;
}

static diagram rule_out_bits(const struct builder *b, diagram d,
			     const struct field_info *field, uint32_t value,
			     const bool *met)
{
	for (size_t i = 0; i < b->all->count; i++) {
		const struct question *q = question_at(b->all, i);

		if (met[i] && q->kind == ASK_TEST && q->field == field &&
		    is_bits(q->op))
			d = rule_out_value(
				b, d, field, value, diagram_ask(b->d, i),
				field_compare(value, q->op, q->value));
	}
	return d;
}

/* Is there a question for both ends of the single value below LIMIT? */
static bool is_single_value(const struct builder *b, const struct question *q)
{
	struct question lower = *q;

	lower.value--;
	return q->kind == ASK_BELOW &&
	       (lower.value == 0 || find(b->all, &lower));
}

static bool is_flags(const struct builder *b, const struct question *q)
{
	return b->facts->flags_in >= 0 && b->facts->flags_in < 4 &&
	       q->field->number == AUDIT_ARG0 + (uint32_t)b->facts->flags_in;
}

static diagram rule_out_values(const struct builder *b, diagram d,
			       const bool *met)
{
	for (size_t i = 0; i < b->all->count; i++) {
		const struct question *q = question_at(b->all, i);

		if (!met[i] && !(i > 0 && met[i - 1]))
			continue;
		if (q->kind != ASK_BELOW || q->field->kind != FIELD_NUMBER ||
		    !is_single_value(b, q))
			continue;
		d = rule_out_bits(b, d, q->field, q->value - 1, met);
		if (is_flags(b, q))
			d = rule_out_flags(b, d, q->field, q->value - 1);
	}
	return d;
}

/* To open a file is to read it, to write it, or both. */
static diagram rule_out_no_perm(const struct builder *b, diagram d)
{
	if (b->facts->flags_in < 0)
		return d;
	return diagram_and(b->d, d,
			   diagram_or(b->d, perm_bit(b, AUDIT_PERM_READ),
				      perm_bit(b, AUDIT_PERM_WRITE)));
}

diagram questions_rule_out(const struct questions *all,
			   struct diagrams *diagrams, diagram d,
			   const struct call_facts *facts)
{
	struct builder b = {(struct questions *)all, diagrams, facts};
	bool *met;

	if (d == DIAGRAM_NO)
		return d;
	met = calloc(all->count, sizeof(*met));
	if (!met)
		return d;
	diagram_levels(diagrams, d, met);
	d = rule_out_implied(&b, d, met);
	d = rule_out_values(&b, rule_out_no_perm(&b, d), met);
	free(met);
	return d;
}
