/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random numbers that are the same for the same seed on every machine
 * (splitmix64).
 */
#ifndef AUDITOPT_TESTS_RANDOM_H
#define AUDITOPT_TESTS_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct random {
	uint64_t state;
};

static inline uint64_t random_next(struct random *random)
{
	uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* 0 .. LIMIT-1; 0 for a LIMIT of 0. */
static inline size_t random_below(struct random *random, size_t limit)
{
	return limit ? (size_t)(random_next(random) % limit) : 0;
}

/* True in PERCENT of all cases. */
static inline bool random_chance(struct random *random, unsigned int percent)
{
	return random_below(random, 100) < percent;
}

#define RANDOM_OF(random, array) \
	((array)[random_below(random, sizeof(array) / sizeof((array)[0]))])

#endif
