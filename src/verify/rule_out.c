/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers that cannot go together, though the questions are free of each other
 * in the diagrams.
 */
#include "verify/question_parts.h"

#include <stdlib.h>
#include <string.h>

#include "model/audit_names.h"

/* Does what A asks follow for every value that does what Q asks? Both of some
 * name, or both of the same name. */
static bool name_test_implies(const struct question *a,
			      const struct question *q)
{
	struct interval first[2], second[2];

	if (op_is_bits(a->op) || op_is_bits(q->op))
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

/* The questions that occur in a diagram, by level. */
struct met {
	size_t *level;
	size_t count;
};

static diagram rule_out_implied(const struct builder *b, diagram d,
				const struct met *met)
{
	for (size_t i = 0; i < met->count; i++) {
		const struct question *q = question_at(b->all, met->level[i]);

		if (q->kind != ASK_TEST)
			continue;
		for (size_t j = 0; j < met->count; j++) {
			diagram bad;

			if (j == i ||
			    !implies(q, question_at(b->all, met->level[j])))
				continue;
			bad = diagram_and(
				b->d, diagram_ask(b->d, met->level[i]),
				diagram_not(b->d,
					    diagram_ask(b->d, met->level[j])));
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
	diagram is = build_within(b, field, (struct interval){value, value});
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
			d = rule_out_value(b, d, field, value,
					   build_perm_bit(b, bit),
					   perms_of_flags(value) & bit);
	}
	return d;
}

static diagram rule_out_bits(const struct builder *b, diagram d,
			     const struct field_info *field, uint32_t value,
			     const struct met *met)
{
	for (size_t i = 0; i < met->count; i++) {
		size_t level = met->level[i];
		const struct question *q = question_at(b->all, level);

		if (q->kind == ASK_TEST && q->field == field &&
		    op_is_bits(q->op))
			d = rule_out_value(
				b, d, field, value, diagram_ask(b->d, level),
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
	       (lower.value == 0 || question_find(b->all, &lower));
}

static bool is_flags(const struct builder *b, const struct question *q)
{
	return b->facts->flags_in >= 0 && b->facts->flags_in < 4 &&
	       q->field->number == AUDIT_ARG0 + (uint32_t)b->facts->flags_in;
}

static diagram rule_out_single(const struct builder *b, diagram d, size_t level,
			       const struct met *met)
{
	const struct question *q = question_at(b->all, level);

	if (q->kind != ASK_BELOW || q->field->kind != FIELD_NUMBER ||
	    !is_single_value(b, q))
		return d;
	d = rule_out_bits(b, d, q->field, q->value - 1, met);
	if (is_flags(b, q))
		d = rule_out_flags(b, d, q->field, q->value - 1);
	return d;
}

/* A single value is asked for by two neighbouring questions; one of them may be
 * all that is left. */
static diagram rule_out_values(const struct builder *b, diagram d,
			       const struct met *met)
{
	for (size_t i = 0; i < met->count; i++) {
		size_t level = met->level[i];
		bool next_met =
			i + 1 < met->count && met->level[i + 1] == level + 1;

		d = rule_out_single(b, d, level, met);
		if (!next_met && level + 1 < b->all->count)
			d = rule_out_single(b, d, level + 1, met);
	}
	return d;
}

/* To open a file is to read it, to write it, or both. Kernels before 5.16 have
 * openat2, whose flags are in a structure, and count it as nothing
 * (audit_classify_syscall). */
static diagram rule_out_no_perm(const struct builder *b, diagram d)
{
	if (b->facts->flags_in < 0 || b->facts->flags_in > 3)
		return d;
	return diagram_and(b->d, d,
			   diagram_or(b->d, build_perm_bit(b, AUDIT_PERM_READ),
				      build_perm_bit(b, AUDIT_PERM_WRITE)));
}

diagram questions_rule_out(const struct questions *all,
			   struct diagrams *diagrams, diagram d,
			   const struct call_facts *facts)
{
	struct builder b = {(struct questions *)all, diagrams, facts};
	struct met met;

	if (d == DIAGRAM_NO)
		return d;
	met.level = diagram_levels(diagrams, d, &met.count);
	d = rule_out_implied(&b, d, &met);
	d = rule_out_values(&b, rule_out_no_perm(&b, d), &met);
	free(met.level);
	return d;
}
