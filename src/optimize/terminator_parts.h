/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What terminator_choice.c and terminator_places.c share; nobody else.
 */
#ifndef AUDITOPT_TERMINATOR_PARTS_H
#define AUDITOPT_TERMINATOR_PARTS_H

#include "optimize/terminator_bill.h"

/* Sets of few rules that keep calls: found, and tried. */
#define KEEPERS 64
#define KEEPERS_AT_MOST 6

/* Numbers that some ABI makes calls of. */
struct numbers {
	int *item;
	size_t count;
};

/* A few rules of the list that keep calls, of a condition, and how many. */
struct keeper {
	uint32_t rule[KEEPING_AT_MOST]; /* as in struct sole */
	unsigned int condition;
	uint64_t weight;
};

struct choice {
	struct arena *scratch;
	const struct target *target;
	const struct permission *permission;
	const struct early *early;
	const struct profile *profile;
	const struct terminator *chosen;
	size_t chosens;
	struct numbers numbers;
	struct bills bills;
	struct keeper keeper[KEEPERS];
	size_t keepers;
	int64_t *gain[ABI_COUNT]; /* by class and kind, of the candidate at
				   * hand: of one such call, times a hundred */
};

/* The calls of the profile. */
void choice_find_numbers(struct choice *choice);
/* Where some call becomes free, the most frequent ones first, and the keepers
 * that keep most. COUNT: the rules of the set. */
void choice_find_places(struct choice *choice, size_t count);

#endif
