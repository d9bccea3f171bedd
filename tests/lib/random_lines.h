/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random lines for auditctl: nearly right ones, and some with a byte or two
 * changed. All options, lists, fields, operators and kinds of values occur.
 */
#ifndef AUDITOPT_TESTS_RANDOM_LINES_H
#define AUDITOPT_TESTS_RANDOM_LINES_H

#include <stddef.h>
#include <stdint.h>

/* What the seed was when nobody asks for another. */
#define RANDOM_LINES_SEED UINT64_C(0x2545f4914f6cdd1d)

struct random_line {
	char byte[8192];
	size_t length; /* no LF, no NUL at the end */
};

/* From here on the lines are those of SEED, which is not 0. One sequence at a
 * time. */
void random_lines_start(uint64_t seed);

/* The next line. */
void random_line_next(struct random_line *line);

/* Changes up to three bytes of LINE, one time in eight. */
void random_line_mutate(struct random_line *line);

#endif
