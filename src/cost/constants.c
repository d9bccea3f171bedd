/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The figures of the cost model. All are executed instructions of Linux 6.1 on
 * x86_64, counted under an emulator that counts them (getppid, one task, best
 * of 5), so they are the same on every machine. Those that passes need too stand
 * in model/price.h. What entering a rule costs by the first field that fails is
 * in the field table.
 */
#include "cost/cost.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/price.h"

static const struct cost_constant constants[] = {
	{"context_in_use", PRICE_CONTEXT_IN_USE,
	 "measured: an empty exit list with a counted rule elsewhere, less no "
	 "rules at all (audit_n_rules above zero: no context is a dummy)"},
	{"rule_passed", PRICE_RULE_PASSED,
	 "measured: 60 like rules whose masks lack the call (audit_in_mask)"},
	{"rule_matched", PRICE_RULE_MATCHED,
	 "measured: a lone rule without fields that matches, 917 - 499 less "
	 "context_in_use"},
	{"rule_entered", PRICE_RULE_ENTERED,
	 "derived: 112, a plain first field that fails, less field_further; "
	 "what audit_filter_rules costs beside its fields"},
	{"field_further", PRICE_FIELD_FURTHER,
	 "measured: each further plain field, 60 like rules"},
};

const struct cost_constant *cost_constant_row(unsigned int i)
{
	return i < sizeof(constants) / sizeof(constants[0]) ? &constants[i]
							    : NULL;
}

double cost_constant(const char *name)
{
	const struct cost_constant *row;

	for (unsigned int i = 0; (row = cost_constant_row(i)); i++) {
		if (!strcmp(row->name, name))
			return row->instructions;
	}
	fprintf(stderr, "auditopt: no cost constant is called %s\n", name);
	exit(4);
}
