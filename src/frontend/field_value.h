/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values of -F: what audit_rule_fieldpair_data() makes of them, field by field.
 * For field_pair.c alone.
 */
#ifndef AUDITOPT_FIELD_VALUE_H
#define AUDITOPT_FIELD_VALUE_H

#include "frontend/builder.h"

/* One -F, taken apart. */
struct pair {
	const struct option_word *word;
	bool in_word; /* the pair is the word's value, so that offsets hold */
	const char *name, *symbol, *value;
	size_t symbol_offset, value_offset;
	int field;
	uint32_t op; /* AUDIT_EQUAL ... */
};

/* Filters as bits; FILTER_UNSET has one too. */
#define FILTER_BIT(filter) ((filter) == FILTER_UNSET ? 1U << 8 : 1U << (filter))
#define ANYWHERE 0x1ffU
#define ON_EXIT (1U << AUDIT_FILTER_EXIT)
#define ON_USER (1U << AUDIT_FILTER_USER)
#define ON_EXCLUDE (1U << AUDIT_FILTER_EXCLUDE)
#define ON_FS (1U << AUDIT_FILTER_FS)

enum pair_ops { OPS_ANY, OPS_EQUALITY, OPS_EQUAL };

struct pair_row {
	int field;
	unsigned int filters;
	enum pair_ops ops;
	bool is_string;
	/* Reads the value; false after telling what is wrong. NULL for strings.
	 */
	bool (*value)(struct builder *b, const struct pair *p,
		      uint32_t *number);
};

/* The row of FIELD. */
const struct pair_row *pair_row_of(int field);

/* Where the parts of a pair stand. */
struct position pair_name_at(const struct builder *b, const struct pair *p);
struct position pair_operator_at(const struct builder *b, const struct pair *p);
struct position pair_value_at(const struct builder *b, const struct pair *p);

#endif
