/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the test programs share that use Check: main's work, and an arena for
 * each test.
 */
#ifndef AUDITOPT_TESTS_SUITE_H
#define AUDITOPT_TESTS_SUITE_H

#include <check.h>

#include "util/arena.h"

/* Runs SUITE as the CK_* variables say, and frees it. Returns what main() is to
 * return. */
int run_suite(Suite *suite);

/* Defines `arena`, new for each test of a case that has the fixture
 *	tcase_add_checked_fixture(tcase, begin_arena, end_arena); */
#define TEST_ARENA                    \
	static struct arena *arena;   \
                                      \
	static void begin_arena(void) \
	{                             \
		arena = arena_new();  \
	}                             \
                                      \
	static void end_arena(void)   \
	{                             \
		arena_free(arena);    \
	}                             \
	struct arena

#endif
