/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a predicate is made of. For predicate.c, which answers questions, and
 * predicate_build.c, which makes the canonical form; nobody else.
 */
#ifndef AUDITOPT_PREDICATE_PARTS_H
#define AUDITOPT_PREDICATE_PARTS_H

#include "model/interval.h"
#include "model/predicate.h"

/* Sets up to this size have their bit tests worked out value by value. */
#define FEW_VALUES 64

/* A plain field: one value, or none, of the call or the task, and what it may
 * be. auid and loginuid_set are one domain, gid's ordered tests are another. */
struct domain {
	uint32_t field;
	bool can_be_absent; /* then even the full set demands something */
	bool few_outcomes;  /* success: no good for telling rules apart */
	struct intervals values;
	uint32_t all_bits;  /* value &= all_bits */
	uint32_t *any_bits; /* and value & each of these */
	unsigned int any;
};

enum atom_kind {
	ATOM_EXACT, /* follows from itself alone */
	ATOM_NAME,  /* some collected name has a value like this */
	ATOM_PERM,
};

struct atom {
	enum atom_kind kind;
	bool has_negation; /* = and != with the same value are complementary */
	uint32_t field;
	enum field_op op; /* ATOM_NAME: a bit operator, or 0 for RANGE */
	uint32_t value;
	const char *string;
	struct interval range[2];
	unsigned int ranges;
};

struct predicate {
	bool never;	       /* no call satisfies it */
	bool opaque;	       /* equal to itself and nothing else is known */
	struct domain *domain; /* by field */
	unsigned int domains;
	struct atom *atom; /* by atom_order; none implies another */
	unsigned int atoms;
	uint64_t fields; /* a bit a field, for a quick no */
	uint64_t hash;
};

/* A total order; 0 if they are the same. */
int atom_order(const struct atom *a, const struct atom *b);
/* Does A demand all that B does? */
bool atom_implies(const struct atom *a, const struct atom *b);
/* Is exactly one of them true of any call? */
bool atom_negates(const struct atom *a, const struct atom *b);
/* Do the bit tests of D let VALUE through? */
bool domain_bits_let(const struct domain *d, uint32_t value);
/* The bit of struct predicate's fields. */
uint64_t field_bit(uint32_t field);
uint64_t predicate_hash_of(const struct predicate *p);

#endif
