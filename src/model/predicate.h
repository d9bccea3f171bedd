/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Predicates: what a rule demands of a call beyond being in its mask and ABI.
 * Every answer is sound and may be incomplete: "false" means "no, or not
 * known", so that whoever acts on "true" is always right.
 */
#ifndef AUDITOPT_PREDICATE_H
#define AUDITOPT_PREDICATE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/rule.h"

struct predicate;

/* What RULE's tests demand, in canonical form: arch tests of exit rules left out
 * (rule_calls has them), tests of one plain field gathered into intervals,
 * the order forgotten. Lives in ARENA.
 * Some rules of the user, exclude and filesystem filters are no conjunction of
 * tests (a key there ends the walk, any one fstype is enough): nothing is known
 * of their predicates, which equal only themselves. */
const struct predicate *predicate_of(struct arena *arena,
				     const struct rule *rule);

/* Can no call satisfy it? */
bool predicate_unsatisfiable(const struct predicate *p);
/* Has it no demand at all? */
bool predicate_trivial(const struct predicate *p);
/* Does every call that satisfies A satisfy B? An unsatisfiable A implies
 * everything. Both looked at in the same way:
 * both in the list, or both for the same name of the same bucket; and, so that
 * a list rule may shadow a bucket rule, A for one name and B for the whole
 * call. */
bool predicate_implies(const struct predicate *a, const struct predicate *b);
/* Can no call satisfy both? For a list rule and a bucket rule this is asked
 * of whole calls with all their names. */
bool predicate_disjoint(const struct predicate *a, const struct predicate *b);
/* Are they the same demand? Exactly when each implies the other by the
 * canonical form; equal predicates have equal hashes. */
bool predicate_equal(const struct predicate *a, const struct predicate *b);
/* A hash of the canonical form, 64 bits, the same on every run. */
uint64_t predicate_hash(const struct predicate *p);

/* A demand that everything which implies P must make too, as a hash, for
 * finding the P that a predicate may imply without trying them all: 0 if P
 * has none that is worth indexing. */
uint64_t predicate_anchor(const struct predicate *p);
/* Calls VISIT with each anchor that a predicate implied by P could have;
 * 0 (no anchor) included. Not meant for a P that is unsatisfiable, which implies
 * them all. */
void predicate_anchors(const struct predicate *p,
		       void (*visit)(uint64_t anchor, void *data), void *data);

#endif
