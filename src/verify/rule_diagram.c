/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tests of a rule as diagrams. The semantics are those of
 * audit_filter_rules() (kernel/auditsc.c), as model/kernel_match.c has them.
 */
#include "verify/question_parts.h"

#include "model/audit_names.h"

/* ctx->return_valid: 0 for a call that does not return */
#define RETURNED_SUCCESS 1
#define RETURNED_FAILURE 2

static diagram ask(const struct builder *b, struct question q)
{
	return diagram_ask(b->d, question_find(b->all, &q)->level);
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

diagram build_within(const struct builder *b, const struct field_info *field,
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
	diagram is_set = below(b, test_value_field(test), UINT32_MAX);
	uint32_t value = test_loginuid_set_value(test);

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

	if (op_is_bits(test->op)) {
		if (test_is_id(test) ||
		    (test->op == OP_BIT_MASK && !test->value))
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
		d = diagram_or(b->d, d, build_within(b, test->field, room[i]));
	return d;
}

static diagram value_diagram(const struct builder *b,
			     const struct field_test *test)
{
	diagram d;

	if (test_is_loginuid_set(test))
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

diagram build_perm_bit(const struct builder *b, uint32_t bit)
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
			d = diagram_or(b->d, d,
				       build_perm_bit(b, UINT32_C(1) << i));
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

	if (test_is_value(test))
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
	if (!test_question(rule, test, as_bucket, &q))
		return DIAGRAM_NO;
	d = ask(b, q);
	if (test->op == OP_NE && test_has_negation(test))
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
