/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rules with the same outcome and the same conditions become one, over the
 * calls of both: the later rule's calls move up into the earlier one.
 *
 * Why that changes nothing: the later rule J now acts where the earlier rule I
 * stands, with I's prio. That can only be seen by a call that J and a rule K
 * between the two could match (facts_meet), and there
 * - a list rule K with the outcome of list rule J decides as J would;
 * - one with another outcome would have decided instead of J: no merge;
 * - a bucket rule K after list rule J: prio lets K override J's match where K
 *   stands before J, and no longer when J stands before K; with several names
 *   in a call, K's name being passed over lets a later name decide
 *   (audit_filter_inodes ends at the first name with a match), and a K
 *   without key inherits the key of what it overrides. So no bucket rule may
 *   stand between, whatever its outcome, and no list rule between two bucket
 *   rules;
 * - a bucket rule K with the outcome of bucket rule J: the first collected name
 *   that either matches decides, with the same outcome; with another outcome:
 *   no merge.
 * Rules before I and after J keep their order to both. Only upwards: a load
 * that stops half way then has no rule less than before.
 *
 * The arch tests must let the same ABIs through, must agree on arch 0 (io_uring
 * sees bucket rules with it), and must count alike in audit_match_signal(). No
 * merge over a -q, which changes what dir= means for the rules before it.
 *
 * Rules that are far apart are not looked at (facts_clear_between); if nothing
 * is found within that distance they stay as they are.
 */
#include "optimize/facts.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

/* What two rules must have in common. No padding: compared as bytes. */
struct kind {
	uint32_t filter;
	uint32_t role;
	uint32_t predicate_id;
	uint32_t outcome_id;
	uint32_t arches;
	uint32_t signal_arch;
	uint32_t epoch;
};

struct head {
	struct kind kind;
	size_t rule; /* the last of that kind */
	UT_hash_handle hh;
};

static struct kind kind_of(const struct facts *facts, size_t i)
{
	const struct fact *fact = &facts->item[i];
	const struct rule *rule = facts->set->rule[i];

	return (struct kind){
		.filter = rule->filter,
		.role = fact->role,
		.predicate_id = fact->predicate_id,
		.outcome_id = fact->outcome_id,
		.arches = fact->arches,
		.signal_arch = fact->signal_arch,
		.epoch = rule->epoch,
	};
}

static void look_at(struct facts *facts, struct head **heads, size_t j)
{
	struct kind kind = kind_of(facts, j);
	struct head *head;

	HASH_FIND(hh, *heads, &kind, sizeof(kind), head);
	if (!head) {
		head = arena_alloc(facts->scratch, sizeof(*head));
		head->kind = kind;
		HASH_ADD(hh, *heads, kind, sizeof(head->kind), head);
	} else if (facts_clear_between(facts, head->rule, j)) {
		struct change change = {
			.pass = pass_merge.name,
			.text = "merged into the earlier rule, which has the "
				"same conditions, action and key"};

		if (facts_absorb(facts, head->rule, j, change))
			return;
	}
	head->rule = j;
}

static void run(struct ruleset *set, struct pass_context *context)
{
	struct facts *facts = facts_begin(set, context);
	struct head *heads = NULL;

	for (size_t j = 0; j < set->count; j++)
		if (facts_may_touch(facts, j) &&
		    facts->item[j].role != ROLE_UNSETTLED)
			look_at(facts, &heads, j);
	HASH_CLEAR(hh, heads);
	facts_end(facts);
}

const struct pass pass_merge = {
	.name = "merge",
	.purpose = "makes rules with the same conditions, action and key one",
	.level = 1,
	.run = run,
};
