/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rule sets as the kernel would hold them, and what does not show in the walks.
 */
#ifndef AUDITOPT_LOADED_H
#define AUDITOPT_LOADED_H

#include "model/rule.h"

/* Equal for rules that may be the same to the kernel, once they are settled; but
 * for their masks, unless WITH_MASK. */
uint64_t loaded_hash(const struct rule *rule, bool with_mask);

/* SET without the rules that the kernel refuses because they are there already
 * (EEXIST). Shares the rules. */
const struct ruleset *loaded_of(struct arena *arena, const struct ruleset *set);

/* Might an unsettled watch, once it is a path or a directory, be refused
 * because of a settled rule, or the other way round? */
bool loaded_may_refuse(struct arena *arena, const struct ruleset *set);

/* -q applies to the trees that are there at that moment. For sets with the same
 * -q at the same places: is every tree that one of BEFORE's applies to there in
 * AFTER, and made in the same epoch? */
bool loaded_same_trees(const struct ruleset *before,
		       const struct ruleset *after);

/* SET with its unsettled watches made directories if they are among TREES, and
 * paths if they are not, and without what is then refused. */
const struct ruleset *loaded_settled(struct arena *arena,
				     const struct ruleset *set,
				     const char *const *tree, size_t trees);

#endif
