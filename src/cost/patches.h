/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What known patches of the kernel would make of a rule set: what each leaves
 * out, by the figures of the cost model. None of it was measured here.
 */
#ifndef AUDITOPT_PATCHES_H
#define AUDITOPT_PATCHES_H

#include "cost/cost.h"

#define KERNEL_PATCHES 4

struct kernel_patch {
	const char *name;      /* "call-lists" */
	const char *what;      /* a few words */
	const char *published; /* its author's figures, and what became of it */
	bool estimated; /* else what it leaves out is no instructions, or it is
			 * not known how many */
};

/* I from 0 to KERNEL_PATCHES - 1. */
const struct kernel_patch *kernel_patch(unsigned int i);

/* What a call costs with patch I that costs COST on the kernel that has PRICES
 * (NULL: 6.1), in instructions above no rules. */
double kernel_patch_cost(unsigned int i, const struct prices *prices,
			 const struct call_cost *cost);

#endif
