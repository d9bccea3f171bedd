/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cost/patches.h"

/* In the order of the table. */
enum { CALL_LISTS, CALL_BITMAP, AUDITD_TEST, UNLIKELY_MASK };

static const struct kernel_patch patches[KERNEL_PATCHES] = {
	{"call-lists", "a list of rules for each call",
	 "2021, not taken; lmbench, 160 rules on other calls: null 5.50 to "
	 "1.92, open 155 to 71 ms",
	 true},
	{"call-bitmap", "a bitmap of the calls that any rule has, at entry",
	 "2023, not taken; dd of single bytes, one rule on uname: 6 to 11 % "
	 "faster",
	 true},
	{"auditd-test", "no test for the audit daemon before each walk",
	 "2022; no figure of its own is known", false},
	{"unlikely-mask", "that a mask has the call is taken to be rare",
	 "2022, in Linux 6.2; getpid under 42 rules 207.9 to 182.5 ns, by as "
	 "many instructions",
	 false},
};

const struct kernel_patch *kernel_patch(unsigned int i)
{
	return &patches[i];
}

double kernel_patch_cost(unsigned int i, const struct prices *prices,
			 const struct call_cost *cost)
{
	double passed = (double)cost->rules_walked - cost->masks_hit;

	if (!prices)
		prices = prices_of(NULL);
	switch (i) {
	case CALL_LISTS:
		return cost->instructions - passed * prices->rule_passed;
	case CALL_BITMAP:
		return cost->asked ? cost->instructions : 0;
	default:
		return cost->instructions;
	}
}
