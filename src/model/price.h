/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel spends on rules, in executed instructions of Linux 6.1 on
 * x86_64. cost/constants.c says where each figure comes from. Passes that must
 * choose use them; what entering a rule costs by its first failing field is in
 * the field table.
 */
#ifndef AUDITOPT_PRICE_H
#define AUDITOPT_PRICE_H

enum price {
	PRICE_CONTEXT_IN_USE = 338,
	PRICE_RULE_PASSED = 19,
	PRICE_RULE_MATCHED = 80,
	PRICE_RULE_ENTERED = 64,
	PRICE_FIELD_FURTHER = 48,
};

#endif
