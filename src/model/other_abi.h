/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A rule without arch goes by number, and a number is a call of each ABI. The
 * names that auditctl takes there are those of the native ABI; this is about
 * the other one.
 */
#ifndef AUDITOPT_OTHER_ABI_H
#define AUDITOPT_OTHER_ABI_H

#include "model/rule.h"

/* What a rule matches of the compat ABI's calls, as far as they have names;
 * numbers. */
struct other_abi {
	struct syscall_mask alone; /* natively the number has no name, or perm
				    * keeps the rule from matching it */
	struct syscall_mask both;  /* a call of another name natively, which
				    * the rule matches as well */
};

/* Both empty if RULE has an arch test, is not for the exit filter, or the
 * target has one ABI. */
struct other_abi other_abi_of(const struct target *target,
			      const struct rule *rule);

#endif
