/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a pass makes of small rule sets: data for check_passes.c. For x86_64.
 */
#ifndef AUDITOPT_TESTS_PASSES_CASES_H
#define AUDITOPT_TESTS_PASSES_CASES_H

#include "optimize/pass.h"

struct passes_case {
	const struct pass *pass;
	int level;
	const char *name;   /* if nothing is to change: the trap */
	const char *before; /* mk_ruleset() */
	const char *after;  /* NULL: the pass must leave it alone */
};

/* I from 0; NULL past the end. */
const struct passes_case *passes_case(int i);

#endif
