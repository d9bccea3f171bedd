/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What -q adds to the trees of two rule sets, where the two do not have the
 * same -q at the same places.
 */
#ifndef AUDITOPT_TAGGED_H
#define AUDITOPT_TAGGED_H

#include "model/rule.h"

/* The -q of a set, in order. */
struct tagging {
	const char *const *text; /* MOUNT,SUBTREE */
	const unsigned int
		*epoch; /* rule.epoch from which on rules come later */
	size_t count;
};

/* A tree of both sets that a -q adds to in one of them alone. */
struct tag_difference {
	const char *tree;
	const char *text;
	bool of_before; /* else of the other set */
};

/* The trees that -q may add to are those that are there at its moment and hold
 * the mount (audit_tag_tree); which ones do is not known from rules, so each is
 * taken to. Rules with the same path share one tree, made with the first of
 * them (audit_add_tree_rule), and the order of several -q is of no matter. Trees
 * of one set alone are left to the comparison of the rules.
 *
 * The differences, *COUNT of them, none twice; in ARENA. */
const struct tag_difference *
tagging_compare(struct arena *arena, const struct ruleset *before,
		const struct tagging *before_tags, const struct ruleset *after,
		const struct tagging *after_tags, size_t *count);

/* The first epoch in which SET has the tree; UINT_MAX: none. */
unsigned int tagged_tree_epoch(const struct ruleset *set, const char *tree);

/* Is that test the path of a tree, or of what may be one (rule.unsettled)? */
bool tagged_is_tree(const struct rule *rule, const struct field_test *test);

#endif
