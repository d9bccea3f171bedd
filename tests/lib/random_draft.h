/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rules in the making, for random_rules.c and random_copy.c.
 */
#ifndef AUDITOPT_TESTS_RANDOM_DRAFT_H
#define AUDITOPT_TESTS_RANDOM_DRAFT_H

#include <libaudit.h>

#include "lib/random_rules.h"
#include "model/audit_names.h"

#define MOST_TESTS 64 /* AUDIT_MAX_FIELDS */
#define UNSET UINT32_MAX
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

#define DRAFT_ANY_FIELDS 32

/* A rule in the making. */
struct draft {
	struct arena *arena;
	struct random *random;
	const struct target *target;
	enum abi abi; /* whose numbers the mask is made of */
	struct rule *rule;
	struct field_test test[MOST_TESTS];
	unsigned int tests;
};

/* Fields that any exit rule may have, path= excepted. */
extern const uint32_t draft_any_field[DRAFT_ANY_FIELDS];

/* Anything from the domains: a key or none; a string, a value, an operator for
 * a field. */
const char *draft_key(struct random *random);
const char *draft_string(struct random *random, uint32_t field);
uint32_t draft_value(struct random *random, uint32_t field);
enum field_op draft_op(struct random *random, const struct field_info *field);

/* An empty exit rule; what it points to is made by draft_finish(). */
struct draft draft_new(struct arena *arena, struct random *random,
		       const struct target *target);
struct rule *draft_finish(struct draft *draft);

/* Add a test, unless the kernel would refuse it beside those that are there. */
void draft_add(struct draft *draft, uint32_t number, enum field_op op,
	       uint32_t value);
void draft_add_string(struct draft *draft, uint32_t number, enum field_op op,
		      const char *string);
/* ... with any operator and value that the kernel takes. */
void draft_add_some(struct draft *draft, uint32_t number);
/* ... LEAST to MOST of them, for fields out of FIELD. */
void draft_add_some_of(struct draft *draft, const uint32_t *field,
		       size_t fields, size_t least, size_t most);
/* An arch in most rules, = in most of them. */
void draft_add_some_arch(struct draft *draft);

void draft_add_some_call(struct draft *draft);
/* One to MOST calls. */
void draft_some_mask(struct draft *draft, size_t most);
void draft_all_calls(struct draft *draft);

/* The tests in another order. */
void draft_shuffle(struct draft *draft);

#endif
