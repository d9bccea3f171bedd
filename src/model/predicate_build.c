/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The canonical form of a rule's tests. The semantics are those of
 * audit_filter_rules (kernel/auditsc.c), and of audit_filter
 * (kernel/auditfilter.c) for the user and exclude filters.
 */
#include "model/predicate_parts.h"

#include <libaudit.h>
#include <stdlib.h>
#include <string.h>

#include "model/compare.h"

/* What ctx->return_valid holds once a call has returned; success= compares
 * this and not its own value. */
#define RETURNED_SUCCESS 1
#define RETURNED_FAILURE 2

/* path= or dir=, not known which: a demand of its own. */
#define UNSETTLED_FIELD UINT32_MAX

struct building {
	struct arena *arena;
	const struct rule *rule;
	struct predicate *p;
	uint32_t no_perm; /* union of all perm!= */
};

static struct domain *domain_for(struct building *b, uint32_t field)
{
	static const struct interval full = {0, UINT32_MAX};
	struct domain *d;

	for (unsigned int i = 0; i < b->p->domains; i++)
		if (b->p->domain[i].field == field)
			return &b->p->domain[i];
	d = &b->p->domain[b->p->domains++];
	d->field = field;
	d->values = (struct intervals){&full, 1};
	d->any_bits =
		arena_array(b->arena, b->rule->tests, sizeof(*d->any_bits));
	return d;
}

static void restrict_to(struct building *b, struct domain *d,
			const struct interval *range, unsigned int ranges)
{
	d->values = intervals_intersect(b->arena, d->values,
					(struct intervals){range, ranges});
}

static bool is_power_of_two(uint32_t n)
{
	return n && !(n & (n - 1));
}

static void add_bits(struct domain *d, enum field_op op, uint32_t bits)
{
	/* One bit: any of them is all of them. */
	if (op == OP_BIT_TEST || is_power_of_two(bits))
		d->all_bits |= bits;
	else
		d->any_bits[d->any++] = bits;
}

static void add_plain(struct building *b, const struct field_test *test)
{
	struct domain *d = domain_for(b, test->field->number);
	enum field_kind kind = test->field->kind;
	struct interval room[2];

	d->can_be_absent = kind == FIELD_RESULT || kind == FIELD_OPTIONAL;
	if (!(test->op & (OP_BIT_MASK | OP_BIT_TEST))) {
		restrict_to(b, d, room,
			    intervals_of_test(test->op, test->value, room));
		return;
	}
	/* audit_uid_comparator and audit_gid_comparator never let them hold. */
	if (kind == FIELD_UID || kind == FIELD_GID || kind == FIELD_GROUP)
		b->p->never = true;
	else
		add_bits(d, test->op, test->value);
}

static void add_success(struct building *b, const struct field_test *test)
{
	static const struct interval returned = {RETURNED_SUCCESS,
						 RETURNED_FAILURE};
	struct field_test same = *test;

	same.value = test->value ? RETURNED_SUCCESS : RETURNED_FAILURE;
	add_plain(b, &same);
	domain_for(b, test->field->number)->few_outcomes = true;
	restrict_to(b, domain_for(b, test->field->number), &returned, 1);
}

/* audit_loginuid_set() is 0 or 1; in the domain of auid. */
static void add_loginuid_set(struct building *b, const struct field_test *test)
{
	static const struct interval is_set = {0, UINT32_MAX - 1};
	static const struct interval is_unset = {UINT32_MAX, UINT32_MAX};
	struct domain *d = domain_for(b, AUDIT_LOGINUID);

	if (!field_compare(1, test->op, test->value))
		restrict_to(b, d, &is_unset, 1);
	if (!field_compare(0, test->op, test->value))
		restrict_to(b, d, &is_set, 1);
}

static struct atom *add_exact(struct building *b, const struct field_test *test,
			      bool has_negation)
{
	struct atom *atom = &b->p->atom[b->p->atoms++];

	atom->kind = ATOM_EXACT;
	atom->has_negation = has_negation;
	atom->field = test->field->number;
	atom->op = test->op;
	atom->value = test->field->is_string ? 0 : test->value;
	atom->string = test->string;
	return atom;
}

static void add_name(struct building *b, const struct field_test *test)
{
	struct atom *atom = &b->p->atom[b->p->atoms++];
	enum field_op op = test->op;
	uint32_t value = test->value;

	atom->kind = ATOM_NAME;
	atom->field = test->field->number;
	if (op == OP_BIT_TEST && !value) {
		op = OP_GE; /* always true, if there is a name */
	} else if (op == OP_BIT_MASK && !value) {
		b->p->never = true;
	} else if (op == OP_BIT_MASK || op == OP_BIT_TEST) {
		atom->op = is_power_of_two(value) ? OP_BIT_TEST : op;
		atom->value = value;
		return;
	}
	atom->ranges = intervals_of_test(op, value, atom->range);
	if (!atom->ranges)
		b->p->never = true;
}

/* audit_match_perm is true for a set of letters if it is for one of them. */
static void add_perm(struct building *b, const struct field_test *test)
{
	struct atom *atom;

	if (test->op != OP_EQ) {
		b->no_perm |= test->value;
		return;
	}
	atom = &b->p->atom[b->p->atoms++];
	atom->kind = ATOM_PERM;
	atom->field = test->field->number;
	atom->op = OP_EQ;
	atom->value = test->value;
}

/* audit_field_compare answers 0 for a comparison that it does not know, be it with
 * = or with !=. */
static void add_comparison(struct building *b, const struct field_test *test)
{
	if (!comparison_by_code(test->value))
		b->p->never = true;
	add_exact(b, test, comparison_has_negation(test->value));
}

static void add_group(struct building *b, const struct field_test *test)
{
	/* = and != search the supplementary groups too, the others do not. */
	if (test->op & (OP_EQ | OP_NE))
		add_exact(b, test, true);
	else
		add_plain(b, test);
}

static void add_test(struct building *b, const struct field_test *test)
{
	switch (test->field->kind) {
	case FIELD_ARCH:
		/* On exit rule_calls() has it. */
		if (b->rule->filter != AUDIT_FILTER_EXIT)
			add_plain(b, test);
		break;
	case FIELD_RESULT:
		if (test->field->number == AUDIT_SUCCESS)
			add_success(b, test);
		else
			add_plain(b, test);
		break;
	case FIELD_NUMBER:
	case FIELD_UID:
	case FIELD_GID:
	case FIELD_OPTIONAL:
	case FIELD_MSGTYPE:
	case FIELD_FSTYPE:
		add_plain(b, test);
		break;
	case FIELD_LOGINUID_SET:
		add_loginuid_set(b, test);
		break;
	case FIELD_GROUP:
		add_group(b, test);
		break;
	case FIELD_NAME:
		add_name(b, test);
		break;
	case FIELD_PERM:
		add_perm(b, test);
		break;
	case FIELD_FILETYPE:
	case FIELD_EXE:
		add_exact(b, test, true);
		break;
	case FIELD_COMPARE:
		add_comparison(b, test);
		break;
	case FIELD_PATH:
	case FIELD_DIR:
		if (b->rule->unsettled)
			add_exact(b, test, false)->field = UNSETTLED_FIELD;
		else
			add_exact(b, test, false);
		break;
	case FIELD_LSM_SUBJECT:
	case FIELD_LSM_OBJECT:
		/* Without a label rule both = and != are false; on an error
		 * both are true. */
		add_exact(b, test, false);
		break;
	case FIELD_KEY:
		break;
	}
}

/* perm!= joined into one, and taken off each perm=. */
static void settle_perm(struct building *b)
{
	struct predicate *p = b->p;

	for (unsigned int i = 0; i < p->atoms; i++) {
		if (p->atom[i].kind != ATOM_PERM)
			continue;
		p->atom[i].value &= ~b->no_perm;
		if (!p->atom[i].value)
			p->never = true;
	}
	if (b->no_perm)
		p->atom[p->atoms++] = (struct atom){.kind = ATOM_PERM,
						    .field = AUDIT_PERM,
						    .op = OP_NE,
						    .value = b->no_perm};
}

static bool is_implied(const struct predicate *p, unsigned int i)
{
	for (unsigned int j = 0; j < p->atoms; j++)
		if (j != i && atom_implies(&p->atom[j], &p->atom[i]))
			return true;
	return false;
}

static bool is_negated(const struct predicate *p, unsigned int i)
{
	for (unsigned int j = 0; j < i; j++)
		if (atom_negates(&p->atom[j], &p->atom[i]))
			return true;
	return false;
}

static int by_atom_order(const void *a, const void *b)
{
	return atom_order(a, b);
}

/* Drops what follows from another atom (of equal ones all but one), sorts. */
static void settle_atoms(struct predicate *p)
{
	for (unsigned int i = 0; i < p->atoms;) {
		if (is_negated(p, i))
			p->never = true;
		if (is_implied(p, i))
			p->atom[i] = p->atom[--p->atoms];
		else
			i++;
	}
	qsort(p->atom, p->atoms, sizeof(*p->atom), by_atom_order);
}

static bool any_bits_implied(const struct domain *d, const uint32_t *any,
			     unsigned int i)
{
	if (any[i] & d->all_bits)
		return true;
	for (unsigned int j = 0; j < d->any; j++)
		if (j != i && !(any[j] & ~any[i]))
			return true;
	return false;
}

static int by_value(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static void settle_any_bits(struct domain *d)
{
	uint32_t *any = d->any_bits;

	for (unsigned int i = 0; i < d->any;) {
		if (any_bits_implied(d, any, i))
			any[i] = any[--d->any];
		else
			i++;
	}
	if (d->any)
		qsort(any, d->any, sizeof(*any), by_value);
}

/* A value with these bits is no less than their sum, or than the lowest. */
static void raise_lower_end(struct building *b, struct domain *d)
{
	struct interval least = {d->all_bits, UINT32_MAX};

	for (unsigned int i = 0; i < d->any; i++) {
		uint32_t lowest = d->any_bits[i] & -d->any_bits[i];

		if (lowest > least.low)
			least.low = lowest;
	}
	restrict_to(b, d, &least, 1);
}

/* Few values: the bit tests are worked out, and gone. */
static void work_out_bits(struct building *b, struct domain *d)
{
	struct interval *at = arena_array(b->arena, FEW_VALUES, sizeof(*at));
	unsigned int count = 0;

	for (unsigned int i = 0; i < d->values.count; i++) {
		uint64_t v = d->values.at[i].low;

		for (; v <= d->values.at[i].high; v++) {
			uint32_t value = (uint32_t)v;

			if (!domain_bits_let(d, value))
				continue;
			if (count && at[count - 1].high + 1 == value)
				at[count - 1].high = value;
			else
				at[count++] = (struct interval){value, value};
		}
	}
	d->values = (struct intervals){at, count};
	d->all_bits = 0;
	d->any = 0;
}

static void settle_domain(struct building *b, struct domain *d)
{
	for (unsigned int i = 0; i < d->any; i++)
		if (!d->any_bits[i])
			b->p->never = true; /* value & 0 */
	settle_any_bits(d);
	if (d->all_bits || d->any) {
		raise_lower_end(b, d);
		if (intervals_size(d->values) <= FEW_VALUES)
			work_out_bits(b, d);
	}
	if (!d->values.count)
		b->p->never = true;
}

static bool demands_nothing(const struct domain *d)
{
	return !d->can_be_absent && !d->all_bits && !d->any &&
	       intervals_size(d->values) == UINT64_C(1) << 32;
}

static int by_field(const void *a, const void *b)
{
	const struct domain *x = a, *y = b;

	return x->field < y->field ? -1 : x->field > y->field;
}

static void settle_domains(struct building *b)
{
	struct predicate *p = b->p;

	for (unsigned int i = 0; i < p->domains;) {
		settle_domain(b, &p->domain[i]);
		if (demands_nothing(&p->domain[i]))
			p->domain[i] = p->domain[--p->domains];
		else
			i++;
	}
	qsort(p->domain, p->domains, sizeof(*p->domain), by_field);
}

static bool filter_knows(const struct rule *rule, const struct field_test *test)
{
	return test->field->filters >> rule->filter & 1;
}

static bool knows_all_tests(const struct rule *rule)
{
	for (unsigned int i = 0; i < rule->tests; i++)
		if (!filter_knows(rule, &rule->test[i]))
			return false;
	return true;
}

/* The filters that do not take a rule as the conjunction of its tests. */
static void look_at_filter(struct building *b)
{
	const struct rule *rule = b->rule;
	struct predicate *p = b->p;

	switch (rule->filter) {
	case AUDIT_FILTER_USER:
	case AUDIT_FILTER_EXCLUDE:
		/* audit_filter: without a field nothing matches; at a field
		 * that it does not know, a key among them, the whole walk ends.
		 */
		if (rule->key || !knows_all_tests(rule))
			p->opaque = true;
		else if (!rule->tests)
			p->never = true;
		break;
	case AUDIT_FILTER_FS:
		/* __audit_inode: any one field that holds is enough, and always
		 * does nothing, not even end the walk. */
		if (rule->action != AUDIT_NEVER || !rule->tests)
			p->never = true;
		else if (rule->tests > 1)
			p->opaque = true;
		break;
	default:
		if (!knows_all_tests(rule))
			p->never = true;
		break;
	}
}

/* All that no call satisfies are the same. */
static void finish(struct predicate *p)
{
	if (p->opaque)
		p->never = false;
	if (p->never || p->opaque)
		p->domains = p->atoms = 0;
	for (unsigned int i = 0; i < p->domains; i++)
		p->fields |= field_bit(p->domain[i].field);
	for (unsigned int i = 0; i < p->atoms; i++)
		p->fields |= field_bit(p->atom[i].field);
	p->hash = predicate_hash_of(p);
}

const struct predicate *predicate_of(struct arena *arena,
				     const struct rule *rule)
{
	struct predicate *p = arena_alloc(arena, sizeof(*p));
	struct building b = {.arena = arena, .rule = rule, .p = p};

	p->domain = arena_array(arena, rule->tests, sizeof(*p->domain));
	p->atom = arena_array(arena, (size_t)rule->tests + 1, sizeof(*p->atom));
	for (unsigned int i = 0; i < rule->tests; i++)
		add_test(&b, &rule->test[i]);
	settle_perm(&b);
	settle_atoms(p);
	settle_domains(&b);
	look_at_filter(&b);
	finish(p);
	return p;
}
