/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets of unsigned 32-bit values, as ascending intervals that neither overlap
 * nor touch.
 */
#ifndef AUDITOPT_INTERVAL_H
#define AUDITOPT_INTERVAL_H

#include <stdbool.h>
#include <stdint.h>

#include "model/field.h"
#include "util/arena.h"

struct interval {
	uint32_t low, high; /* both in it; low <= high */
};

struct intervals {
	const struct interval *at;
	unsigned int count; /* 0: the empty set */
};

/* The values for which `value OP right` is true, OP not being a bit operator.
 * At most two intervals, put into ROOM; returns how many. */
unsigned int intervals_of_test(enum field_op op, uint32_t right,
			       struct interval room[2]);

/* A and B; lives in ARENA. */
struct intervals intervals_intersect(struct arena *arena, struct intervals a,
				     struct intervals b);
/* A or B; lives in ARENA. */
struct intervals intervals_unite(struct arena *arena, struct intervals a,
				 struct intervals b);
/* Is some value in both? */
bool intervals_meet(struct intervals a, struct intervals b);
/* Is every value of A in B? */
bool intervals_subset(struct intervals a, struct intervals b);
bool intervals_equal(struct intervals a, struct intervals b);
bool intervals_have(struct intervals set, uint32_t value);
/* How many values. */
uint64_t intervals_size(struct intervals set);

#endif
