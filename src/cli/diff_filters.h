/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Differences in the filters that are not about calls: task, user, exclude,
 * filesystem.
 */
#ifndef AUDITOPT_DIFF_FILTERS_H
#define AUDITOPT_DIFF_FILTERS_H

#include <stdio.h>

#include "model/rule.h"

/* Prints a fork, a record or a file system for which the two sets do something
 * else in FILTER, and what. Looks at one event for each rule, so false says
 * only that none of those was one. LEVEL as for outcome_same(). */
bool filter_difference_print(FILE *stream, uint32_t filter,
			     const struct ruleset *old,
			     const struct ruleset *new, int level);

/* "the user filter"; for those with calls "system calls", "io_uring
 * operations". */
const char *filter_text(uint32_t filter);

#endif
