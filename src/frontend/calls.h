/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The calls of a rule: -S lists, io_uring operations, and those that -F perm=
 * adds since audit 3.1.3.
 */
#ifndef AUDITOPT_CALLS_H
#define AUDITOPT_CALLS_H

#include "frontend/builder.h"

/* All bits: audit_rule_syscallbyname_data(rule, "all"). */
void calls_add_all(struct audit_rule_data *rule);

/* Adds the calls of one -S; b->elf must be set. Unknown ones are told one by
 * one and noted in b->unknown, the others are added. */
void calls_add(struct builder *b, const struct option_word *word);

/* The same for operations of io_uring. */
void calls_add_operations(struct builder *b, const struct option_word *word);

/* Adds the calls of the one permission PERM (AUDIT_PERM_READ ...) for b->elf:
 * audit_add_perm_syscalls(). NULL, or the name of a call for which libaudit
 * would refuse the field. */
const char *calls_add_perm(struct builder *b, uint32_t perm);

/* calls_warn.c: warns of what a rule without arch catches in the other ABI, and
 * misses. */
void calls_warn_no_arch(struct builder *b);

/* calls_warn.c: does the first -S of the rule have numbers alone? */
bool calls_by_number(const struct builder *b);

/* calls_warn.c: warns if the rule's perm field means other calls under another
 * auditctl. */
void calls_warn_perm(struct builder *b);

#endif
