/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rule sets as people write them, for tests: tests/rules, examples and, where
 * it is, the corpus of public sets beside the tree.
 */
#ifndef AUDITOPT_TESTS_TEXT_SETS_H
#define AUDITOPT_TESTS_TEXT_SETS_H

#include "model/rule.h"

struct text_set {
	const char *name; /* of the file or directory */
	const struct ruleset *set;
};

struct text_sets {
	struct text_set *item; /* in the same order everywhere */
	size_t count;
};

/* All of them that have a rule, as x86_64 holds them, read under a root in
 * which there is nothing: they are the same on every machine. What is faulty is
 * left out, and each watch is taken as a path or a directory by its name.
 * Prints a line for what is not there. The tree is AUDITOPT_SRCDIR. Lives in
 * ARENA. */
struct text_sets text_sets_read(struct arena *arena);

#endif
