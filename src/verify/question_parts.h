/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What question.c, rule_diagram.c and rule_out.c share; nobody else.
 */
#ifndef AUDITOPT_QUESTION_PARTS_H
#define AUDITOPT_QUESTION_PARTS_H

#include <uthash.h>

#include "model/interval.h"
#include "verify/question.h"

#define PERM_BITS 4

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

/* For building. */
struct builder {
	struct questions *all;
	struct diagrams *d;
	const struct call_facts *facts;
};

/* The question like Q; NULL: no rule asks it. */
struct known_question *question_find(struct questions *all,
				     const struct question *q);

/* The question of a test that is one by itself; false: never true. AS_BUCKET:
 * of the one name of a bucket walk. */
bool test_question(const struct rule *rule, const struct field_test *test,
		   bool as_bucket, struct question *q);

/* Is one of = and != the other's negation, so that one question will do? */
bool test_has_negation(const struct field_test *test);
bool test_is_loginuid_set(const struct field_test *test);
/* The value that audit_data_to_entry leaves in a test of loginuid_set. */
uint32_t test_loginuid_set_value(const struct field_test *test);
/* Is it decided by one value alone? By which? */
bool test_is_value(const struct field_test *test);
const struct field_info *test_value_field(const struct field_test *test);
/* audit_uid_comparator and audit_gid_comparator know no bit operators. */
bool test_is_id(const struct field_test *test);

static inline bool op_is_bits(enum field_op op)
{
	return op == OP_BIT_MASK || op == OP_BIT_TEST;
}

/* Is the value of FIELD in RANGE? */
diagram build_within(const struct builder *b, const struct field_info *field,
		     struct interval range);
/* Does the kernel count the call as BIT, an AUDIT_PERM_* bit? */
diagram build_perm_bit(const struct builder *b, uint32_t bit);

#endif
