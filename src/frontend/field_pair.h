/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fields of a rule: -F as audit_rule_fieldpair_data() reads it, -C as
 * audit_rule_interfield_comp_data() does, -p as audit_update_watch_perms().
 */
#ifndef AUDITOPT_FIELD_PAIR_H
#define AUDITOPT_FIELD_PAIR_H

#include "frontend/builder.h"

/* Adds the field that PAIR ("auid>=1000") asks for to the rule. WORD is where
 * it stands. Tells what is wrong with it; false then. */
bool field_pair_add(struct builder *b, const struct option_word *word,
		    const char *pair);

/* The same for -C ("uid!=euid"). */
bool field_compare_add(struct builder *b, const struct option_word *word,
		       const char *pair);

/* Letters of rwxa to AUDIT_PERM_* bits; false after telling what is wrong.
 * OFFSET is where TEXT begins in the value of WORD. */
bool field_perm_letters(struct builder *b, const struct option_word *word,
			size_t offset, const char *text, uint32_t *perm);

/* -p: PERM becomes the value of every perm field, or a new last field. */
bool field_perm_update(struct builder *b, const struct option_word *word,
		       uint32_t perm);

#endif
