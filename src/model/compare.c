/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The comparisons that the kernel knows (linux/audit.h, audit_field_compare). */
#include "model/compare.h"

#include <linux/audit.h>
#include <stddef.h>

static const struct comparison comparisons[] = {
	{AUDIT_COMPARE_UID_TO_OBJ_UID, AUDIT_UID, AUDIT_OBJ_UID},
	{AUDIT_COMPARE_GID_TO_OBJ_GID, AUDIT_GID, AUDIT_OBJ_GID},
	{AUDIT_COMPARE_EUID_TO_OBJ_UID, AUDIT_EUID, AUDIT_OBJ_UID},
	{AUDIT_COMPARE_EGID_TO_OBJ_GID, AUDIT_EGID, AUDIT_OBJ_GID},
	{AUDIT_COMPARE_AUID_TO_OBJ_UID, AUDIT_LOGINUID, AUDIT_OBJ_UID},
	{AUDIT_COMPARE_SUID_TO_OBJ_UID, AUDIT_SUID, AUDIT_OBJ_UID},
	{AUDIT_COMPARE_SGID_TO_OBJ_GID, AUDIT_SGID, AUDIT_OBJ_GID},
	{AUDIT_COMPARE_FSUID_TO_OBJ_UID, AUDIT_FSUID, AUDIT_OBJ_UID},
	{AUDIT_COMPARE_FSGID_TO_OBJ_GID, AUDIT_FSGID, AUDIT_OBJ_GID},
	{AUDIT_COMPARE_UID_TO_AUID, AUDIT_UID, AUDIT_LOGINUID},
	{AUDIT_COMPARE_UID_TO_EUID, AUDIT_UID, AUDIT_EUID},
	{AUDIT_COMPARE_UID_TO_FSUID, AUDIT_UID, AUDIT_FSUID},
	{AUDIT_COMPARE_UID_TO_SUID, AUDIT_UID, AUDIT_SUID},
	{AUDIT_COMPARE_AUID_TO_FSUID, AUDIT_LOGINUID, AUDIT_FSUID},
	{AUDIT_COMPARE_AUID_TO_SUID, AUDIT_LOGINUID, AUDIT_SUID},
	{AUDIT_COMPARE_AUID_TO_EUID, AUDIT_LOGINUID, AUDIT_EUID},
	{AUDIT_COMPARE_EUID_TO_SUID, AUDIT_EUID, AUDIT_SUID},
	{AUDIT_COMPARE_EUID_TO_FSUID, AUDIT_EUID, AUDIT_FSUID},
	{AUDIT_COMPARE_SUID_TO_FSUID, AUDIT_SUID, AUDIT_FSUID},
	{AUDIT_COMPARE_GID_TO_EGID, AUDIT_GID, AUDIT_EGID},
	{AUDIT_COMPARE_GID_TO_FSGID, AUDIT_GID, AUDIT_FSGID},
	{AUDIT_COMPARE_GID_TO_SGID, AUDIT_GID, AUDIT_SGID},
	{AUDIT_COMPARE_EGID_TO_FSGID, AUDIT_EGID, AUDIT_FSGID},
	{AUDIT_COMPARE_EGID_TO_SGID, AUDIT_EGID, AUDIT_SGID},
	{AUDIT_COMPARE_SGID_TO_FSGID, AUDIT_SGID, AUDIT_FSGID},
};

#define COMPARISONS (sizeof(comparisons) / sizeof(comparisons[0]))

const struct comparison *comparison_by_code(uint32_t code)
{
	for (size_t i = 0; i < COMPARISONS; i++)
		if (comparisons[i].code == code)
			return &comparisons[i];
	return NULL;
}

static bool is_of(const struct comparison *c, uint32_t left, uint32_t right)
{
	return c->left == left && c->right == right;
}

const struct comparison *comparison_between(uint32_t field, uint32_t other)
{
	for (size_t i = 0; i < COMPARISONS; i++)
		if (is_of(&comparisons[i], field, other) ||
		    is_of(&comparisons[i], other, field))
			return &comparisons[i];
	return NULL;
}

static bool of_owner(const struct comparison *c)
{
	return c->right == AUDIT_OBJ_UID || c->right == AUDIT_OBJ_GID;
}

bool comparison_needs_name(uint32_t code)
{
	const struct comparison *c = comparison_by_code(code);

	return c && of_owner(c);
}

bool comparison_has_negation(uint32_t code)
{
	const struct comparison *c = comparison_by_code(code);

	return c && !of_owner(c);
}
