/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Words of a rule's line: one option with its value at a time. Shared by the
 * files of emit/.
 */
#ifndef AUDITOPT_WRITER_H
#define AUDITOPT_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <utstring.h>

#include "model/rule.h"

/* Everything about the rule that is being written. */
struct writer {
	const struct target *target;
	const struct rule *rule;
	bool native_only; /* see struct emit_options */
	UT_string *out;	  /* the words up to and behind -S in turn */
	UT_string *pair;  /* scratch: one field, operator and value */
};

/* Adds " OPTION VALUE", VALUE escaped. False if it has a byte that no word can
 * have. */
bool put_option(UT_string *out, const char *option, const char *value);

/* Will audit_rule_fieldpair_data() find OP in PAIR behind the first NAME bytes?
 * It takes the first operator of its own order that stands anywhere, so a value
 * may hide a second one. */
bool pair_reads_back(const char *pair, size_t name, const char *op);

/* Adds TEST, which is not of perm. False if there is no way to write it. */
bool put_test(struct writer *w, const struct field_test *test);

/* Adds TEST, which is of perm, by OPTION: -p or -F. */
bool put_perm(struct writer *w, const char *option,
	      const struct field_test *test);

#endif
