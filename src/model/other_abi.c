/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/other_abi.h"

#include <linux/audit.h>
#include <string.h>

static bool goes_by_number(const struct target *target, const struct rule *rule)
{
	if (rule->filter != AUDIT_FILTER_EXIT ||
	    !target_has_abi(target, ABI_COMPAT))
		return false;
	for (unsigned int i = 0; i < rule->tests; i++)
		if (rule->test[i].field->kind == FIELD_ARCH)
			return false;
	return true;
}

/* Sorts call N of the compat ABI in; NATIVE: the rule matches that number
 * natively, too. */
static void add_call(struct other_abi *other, const struct target *target,
		     int n, bool native)
{
	const char *there = target_call_name(target, ABI_COMPAT, n);
	const char *here = target_call_name(target, ABI_NATIVE, n);

	if (!there)
		return;
	if (!native || !here)
		syscall_mask_add(&other->alone, n);
	else if (strcmp(here, there) != 0)
		syscall_mask_add(&other->both, n);
}

struct other_abi other_abi_of(const struct target *target,
			      const struct rule *rule)
{
	struct other_abi other = {0};
	const struct syscall_mask *mask;
	struct syscall_set calls;

	if (!goes_by_number(target, rule))
		return other;
	calls = rule_calls(target, rule);
	mask = &calls.abi[ABI_COMPAT];
	for (int n = syscall_mask_next(mask, 0); n >= 0;
	     n = syscall_mask_next(mask, n + 1))
		add_call(&other, target, n,
			 syscall_mask_has(&calls.abi[ABI_NATIVE], n));
	return other;
}
