/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What -C compares: AUDIT_COMPARE_* and the two fields that each stands for.
 */
#ifndef AUDITOPT_COMPARE_H
#define AUDITOPT_COMPARE_H

#include <stdbool.h>
#include <stdint.h>

/* Of the two fields LEFT is an id of the task. RIGHT is another one, or
 * AUDIT_OBJ_UID or AUDIT_OBJ_GID: then some collected name's owner is meant. */
struct comparison {
	uint32_t code; /* AUDIT_COMPARE_* */
	uint32_t left, right;
};

/* The one with that CODE; NULL: the kernel knows none (audit_field_compare). */
const struct comparison *comparison_by_code(uint32_t code);
/* The one of two fields (AUDIT_UID ...), in either order; NULL: there is none
 * (audit_rule_interfield_comp_data). */
const struct comparison *comparison_between(uint32_t field, uint32_t other);
/* Does it look for a name with such an owner? False for unknown codes, which
 * match nothing. */
bool comparison_needs_name(uint32_t code);
/* Is there one value on either side, so that = and != are complementary? False
 * for unknown codes. */
bool comparison_has_negation(uint32_t code);

#endif
