/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What can be said of predicates. A predicate is a conjunction of domains and
 * atoms (predicate_parts.h).
 */
#include "model/predicate_parts.h"

#include <string.h>

static struct intervals atom_intervals(const struct atom *a)
{
	return (struct intervals){a->range, a->ranges};
}

static int order_of(uint32_t a, uint32_t b)
{
	return a < b ? -1 : a > b;
}

static int range_order(const struct atom *a, const struct atom *b)
{
	int order = order_of(a->ranges, b->ranges);

	for (unsigned int i = 0; !order && i < a->ranges; i++) {
		order = order_of(a->range[i].low, b->range[i].low);
		if (!order)
			order = order_of(a->range[i].high, b->range[i].high);
	}
	return order;
}

int atom_order(const struct atom *a, const struct atom *b)
{
	int order = order_of(a->kind, b->kind);

	if (!order)
		order = order_of(a->field, b->field);
	if (!order)
		order = order_of(a->op, b->op);
	if (!order)
		order = order_of(a->value, b->value);
	if (!order)
		order = strcmp(a->string ? a->string : "",
			       b->string ? b->string : "");
	return order ? order : range_order(a, b);
}

static bool is_single(const struct atom *a)
{
	return a->kind == ATOM_NAME && a->ranges == 1 &&
	       a->range[0].low == a->range[0].high;
}

/* The name that satisfies A satisfies B. */
static bool name_implies(const struct atom *a, const struct atom *b)
{
	if (b->op)
		return (a->op == b->op && a->value == b->value) ||
		       (is_single(a) &&
			field_compare(a->range[0].low, b->op, b->value));
	if (a->op)
		return intervals_size(atom_intervals(b)) == UINT64_C(1) << 32;
	return intervals_subset(atom_intervals(a), atom_intervals(b));
}

bool atom_implies(const struct atom *a, const struct atom *b)
{
	if (a->kind != b->kind || a->field != b->field)
		return false;
	switch (a->kind) {
	case ATOM_EXACT:
		return atom_order(a, b) == 0;
	case ATOM_NAME:
		return name_implies(a, b);
	case ATOM_PERM:
		/* One of fewer letters, none of more. */
		return a->op == b->op &&
		       (a->op == OP_EQ ? !(a->value & ~b->value)
				       : !(b->value & ~a->value));
	}
	return false;
}

bool atom_negates(const struct atom *a, const struct atom *b)
{
	struct atom other = *b;

	if (!a->has_negation || !b->has_negation || a->op == b->op)
		return false;
	other.op = a->op;
	return atom_order(a, &other) == 0;
}

bool domain_bits_let(const struct domain *d, uint32_t value)
{
	if ((value & d->all_bits) != d->all_bits)
		return false;
	for (unsigned int i = 0; i < d->any; i++)
		if (!(value & d->any_bits[i]))
			return false;
	return true;
}

uint64_t field_bit(uint32_t field)
{
	return UINT64_C(1) << (field * UINT32_C(0x9e3779b1) >> 26);
}

static const struct domain *domain_of(const struct predicate *p, uint32_t field)
{
	for (unsigned int i = 0; i < p->domains; i++)
		if (p->domain[i].field == field)
			return &p->domain[i];
	return NULL;
}

static bool any_bits_follow(const struct domain *a, uint32_t any)
{
	if (a->all_bits & any)
		return true;
	for (unsigned int i = 0; i < a->any; i++)
		if (!(a->any_bits[i] & ~any))
			return true;
	return false;
}

/* Do the bit tests of B hold for all of A, going by A's bit tests? */
static bool bits_follow(const struct domain *a, const struct domain *b)
{
	if (b->all_bits & ~a->all_bits)
		return false;
	for (unsigned int i = 0; i < b->any; i++)
		if (!any_bits_follow(a, b->any_bits[i]))
			return false;
	return true;
}

/* Do the bit tests of B let every value of A through? Asked one by one, so only
 * if there are few; else false. */
static bool all_let_through(const struct domain *a, const struct domain *b)
{
	if (intervals_size(a->values) > FEW_VALUES)
		return false;
	for (unsigned int i = 0; i < a->values.count; i++) {
		uint64_t v = a->values.at[i].low;

		for (; v <= a->values.at[i].high; v++)
			if (!domain_bits_let(b, (uint32_t)v))
				return false;
	}
	return true;
}

static bool domain_implies(const struct domain *a, const struct domain *b)
{
	return intervals_subset(a->values, b->values) &&
	       (bits_follow(a, b) || all_let_through(a, b));
}

static bool implied_by_some(const struct predicate *p, const struct atom *atom)
{
	for (unsigned int i = 0; i < p->atoms; i++)
		if (atom_implies(&p->atom[i], atom))
			return true;
	return false;
}

bool predicate_unsatisfiable(const struct predicate *p)
{
	return p->never;
}

bool predicate_trivial(const struct predicate *p)
{
	return !p->never && !p->opaque && !p->domains && !p->atoms;
}

bool predicate_implies(const struct predicate *a, const struct predicate *b)
{
	if (a == b)
		return true;
	if (a->opaque || b->opaque)
		return false;
	if (a->never || b->never)
		return a->never;
	if (b->fields & ~a->fields)
		return false;
	for (unsigned int i = 0; i < b->domains; i++) {
		const struct domain *d = domain_of(a, b->domain[i].field);

		if (!d || !domain_implies(d, &b->domain[i]))
			return false;
	}
	for (unsigned int i = 0; i < b->atoms; i++)
		if (!implied_by_some(a, &b->atom[i]))
			return false;
	return true;
}

/* Is some value that both domains have let through by both's bit tests? True
 * unless that is certain not to be. */
static bool domains_meet(const struct domain *a, const struct domain *b)
{
	const struct domain *few = a, *other = b;

	if (!intervals_meet(a->values, b->values))
		return false;
	if (intervals_size(a->values) > intervals_size(b->values)) {
		few = b;
		other = a;
	}
	if (intervals_size(few->values) > FEW_VALUES)
		return true;
	for (unsigned int i = 0; i < few->values.count; i++) {
		uint64_t v = few->values.at[i].low;

		for (; v <= few->values.at[i].high; v++)
			if (intervals_have(other->values, (uint32_t)v) &&
			    domain_bits_let(a, (uint32_t)v) &&
			    domain_bits_let(b, (uint32_t)v))
				return true;
	}
	return false;
}

static uint32_t letters_ruled_out(const struct predicate *p)
{
	for (unsigned int i = 0; i < p->atoms; i++)
		if (p->atom[i].kind == ATOM_PERM && p->atom[i].op == OP_NE)
			return p->atom[i].value;
	return 0;
}

/* Does B rule out every letter that some perm= of A asks for? */
static bool perm_ruled_out(const struct predicate *a, const struct predicate *b)
{
	uint32_t out = letters_ruled_out(a) | letters_ruled_out(b);

	for (unsigned int i = 0; i < a->atoms; i++)
		if (a->atom[i].kind == ATOM_PERM && a->atom[i].op == OP_EQ &&
		    !(a->atom[i].value & ~out))
			return true;
	return false;
}

static bool atoms_exclude(const struct predicate *a, const struct predicate *b)
{
	for (unsigned int i = 0; i < a->atoms; i++)
		for (unsigned int j = 0; j < b->atoms; j++)
			if (atom_negates(&a->atom[i], &b->atom[j]))
				return true;
	return perm_ruled_out(a, b) || perm_ruled_out(b, a);
}

bool predicate_disjoint(const struct predicate *a, const struct predicate *b)
{
	if (a->opaque || b->opaque)
		return false;
	if (a->never || b->never)
		return true;
	if (!(a->fields & b->fields))
		return false;
	for (unsigned int i = 0; i < a->domains; i++) {
		const struct domain *d = domain_of(b, a->domain[i].field);

		if (d && !domains_meet(&a->domain[i], d))
			return true;
	}
	return atoms_exclude(a, b);
}

static bool domain_equal(const struct domain *a, const struct domain *b)
{
	return a->field == b->field && a->all_bits == b->all_bits &&
	       a->any == b->any &&
	       !memcmp(a->any_bits, b->any_bits, a->any * sizeof(uint32_t)) &&
	       intervals_equal(a->values, b->values);
}

bool predicate_equal(const struct predicate *a, const struct predicate *b)
{
	if (a == b)
		return true;
	if (a->opaque || b->opaque || a->hash != b->hash ||
	    a->never != b->never || a->domains != b->domains ||
	    a->atoms != b->atoms)
		return false;
	for (unsigned int i = 0; i < a->domains; i++)
		if (!domain_equal(&a->domain[i], &b->domain[i]))
			return false;
	for (unsigned int i = 0; i < a->atoms; i++)
		if (atom_order(&a->atom[i], &b->atom[i]))
			return false;
	return true;
}

/* Multiply and fold: good enough to tell rules apart, and the same on every
 * machine. */
static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 32;
}

static uint64_t mix_string(uint64_t hash, const char *string)
{
	for (; string && *string; string++)
		hash = mix(hash, (unsigned char)*string);
	return mix(hash, 0x100);
}

static uint64_t hash_atom(uint64_t hash, const struct atom *a)
{
	hash = mix(hash, a->kind);
	hash = mix(hash, a->field);
	hash = mix(hash, a->op);
	hash = mix(hash, a->value);
	for (unsigned int i = 0; i < a->ranges; i++)
		hash = mix(mix(hash, a->range[i].low), a->range[i].high);
	return mix_string(hash, a->string);
}

static uint64_t hash_domain(uint64_t hash, const struct domain *d)
{
	hash = mix(hash, d->field);
	hash = mix(hash, d->all_bits);
	for (unsigned int i = 0; i < d->any; i++)
		hash = mix(hash, d->any_bits[i]);
	for (unsigned int i = 0; i < d->values.count; i++)
		hash = mix(mix(hash, d->values.at[i].low),
			   d->values.at[i].high);
	return mix(hash, d->values.count);
}

uint64_t predicate_hash_of(const struct predicate *p)
{
	uint64_t hash = mix(0x61756469746f7074, p->never + 2U * p->opaque);

	for (unsigned int i = 0; i < p->domains; i++)
		hash = hash_domain(hash, &p->domain[i]);
	for (unsigned int i = 0; i < p->atoms; i++)
		hash = hash_atom(hash, &p->atom[i]);
	return hash;
}

uint64_t predicate_hash(const struct predicate *p)
{
	return p->hash;
}

/* 0 is taken. */
static uint64_t as_anchor(uint64_t hash)
{
	return hash ? hash : 1;
}

/* An atom that only an equal atom implies. */
static bool atom_anchors(const struct atom *a)
{
	return a->kind == ATOM_EXACT || is_single(a);
}

/* A domain of one value: only the same domain with that value implies it. */
static bool domain_anchors(const struct domain *d)
{
	return intervals_size(d->values) == 1;
}

/* How well does the anchor tell rules apart? More is better. */
static int atom_worth(const struct atom *a)
{
	if (a->string)
		return a->op == OP_EQ ? 5 : 2;
	return is_single(a) ? 4 : 2;
}

static int domain_worth(const struct domain *d)
{
	return d->few_outcomes ? 1 : 3;
}

uint64_t predicate_anchor(const struct predicate *p)
{
	uint64_t anchor = 0;
	int worth = 0;

	for (unsigned int i = 0; i < p->atoms; i++)
		if (atom_anchors(&p->atom[i]) &&
		    atom_worth(&p->atom[i]) > worth) {
			worth = atom_worth(&p->atom[i]);
			anchor = as_anchor(hash_atom(1, &p->atom[i]));
		}
	for (unsigned int i = 0; i < p->domains; i++)
		if (domain_anchors(&p->domain[i]) &&
		    domain_worth(&p->domain[i]) > worth) {
			worth = domain_worth(&p->domain[i]);
			anchor = as_anchor(hash_domain(2, &p->domain[i]));
		}
	return anchor;
}

void predicate_anchors(const struct predicate *p,
		       void (*visit)(uint64_t anchor, void *data), void *data)
{
	visit(0, data);
	for (unsigned int i = 0; i < p->atoms; i++)
		if (atom_anchors(&p->atom[i]))
			visit(as_anchor(hash_atom(1, &p->atom[i])), data);
	for (unsigned int i = 0; i < p->domains; i++)
		if (domain_anchors(&p->domain[i]))
			visit(as_anchor(hash_domain(2, &p->domain[i])), data);
}
