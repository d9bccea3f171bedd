/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rules that the kernel holds while they are loaded, in its order, and
 * found by what audit_compare_rule() compares.
 */
#ifndef AUDITOPT_HELD_H
#define AUDITOPT_HELD_H

#include <stdbool.h>

#include "frontend/diagnostic.h"
#include "model/rule.h"

struct held {
	struct rule *rule;
	struct position at;
	struct held *prev, *next; /* of all, first match first */
	struct held_bucket *bucket;
	struct held *older, *newer; /* of its bucket */
};

/* All zero but for the arena: none is held. Ended with held_done(). */
struct held_rules {
	struct arena *arena;
	struct held *first;
	struct held_bucket *bucket;
};

/* The one like RULE (rule_same_to_kernel()) that was added first; NULL: none. */
struct held *held_find(const struct held_rules *h, const struct rule *rule);
/* That which stands first, as audit_del_rule() takes it. */
struct held *held_find_first(const struct held_rules *h,
			     const struct rule *rule);

/* Puts RULE, which was read AT, at the end of the list or, PREPENDED, at its
 * beginning. */
void held_add(struct held_rules *h, struct rule *rule, struct position at,
	      bool prepended);
/* Takes HELD off the list; its memory stays the arena's. */
void held_remove(struct held_rules *h, struct held *held);

/* Frees what is not the arena's: H is then of no use; the rules, which are not
 * its own, stay. */
void held_done(struct held_rules *h);

#endif
