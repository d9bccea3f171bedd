/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two rules, one for each ABI and else alike, become one without arch.
 *
 * Why that changes nothing: the one rule has the numbers of both for either
 * ABI. So it could match a call that neither of the two could: one whose number
 * only the other ABI's rule had. Only if there is none are they united
 * (facts_unite_abis): where both have the same numbers, as after -S all, or
 * where perm= lets none of those calls through. perm looks at the ABI itself
 * (audit_classify_syscall), and that 5 is open for one ABI makes no write of
 * the other's fstat. What a kernel newer than the tables lets through is not
 * known: there only the same numbers count (facts_known_to_perm).
 *
 * The later rule's calls move up to the place of the earlier, under the
 * conditions under which merge.c moves them (facts_clear_between).
 *
 * What arch did besides:
 * - it kept io_uring operations, which have arch 0 and call number 0, out of
 *   bucket rules: united only if mask or perm does so, too;
 * - it chose which signals count for audit_signals: the one rule counts if
 *   either of the two would have, and perhaps where neither did, by a number
 *   that is a signal of the other ABI. That must not be the only one.
 *
 * A call that has its number in the mask by virtue of the other ABI was entered
 * before as well, and failed at the arch.
 */
#include "optimize/facts.h"

#include <stdlib.h>
#include <uthash.h>

/* What two rules must have in common, and the ABI that they are for. No
 * padding: compared as bytes. */
struct kind {
	uint32_t filter;
	uint32_t role;
	uint32_t predicate_id;
	uint32_t outcome_id;
	uint32_t epoch;
	uint32_t arches;
};

struct head {
	struct kind kind;
	size_t rule; /* the last of that kind */
	UT_hash_handle hh;
};

#define BOTH_ABIS (1U << ABI_NATIVE | 1U << ABI_COMPAT)

static struct kind kind_of(const struct facts *facts, size_t i)
{
	const struct fact *fact = &facts->item[i];

	return (struct kind){
		.filter = facts->set->rule[i]->filter,
		.role = fact->role,
		.predicate_id = fact->predicate_id,
		.outcome_id = fact->outcome_id,
		.epoch = facts->set->rule[i]->epoch,
		.arches = fact->arches,
	};
}

/* For one ABI and nothing else? */
static bool is_candidate(const struct facts *facts, size_t i)
{
	const struct fact *fact = &facts->item[i];

	return facts_may_touch(facts, i) &&
	       facts->set->rule[i]->filter == AUDIT_FILTER_EXIT &&
	       (fact->role == ROLE_LIST || fact->role == ROLE_BUCKET) &&
	       (fact->arches == 1U << ABI_NATIVE ||
		fact->arches == 1U << ABI_COMPAT);
}

static struct head *find(struct head *heads, struct kind kind)
{
	struct head *head;

	HASH_FIND(hh, heads, &kind, sizeof(kind), head);
	return head;
}

static bool unite(struct facts *facts, size_t i, size_t j)
{
	struct change change = {
		.pass = pass_twins.name,
		.text = "made one with the earlier rule, which says the same "
			"for the other ABI"};

	return facts_clear_between(facts, i, j) &&
	       facts_unite_abis(facts, i, j, change);
}

static void remember(struct facts *facts, struct head **heads, size_t j)
{
	struct kind kind = kind_of(facts, j);
	struct head *head = find(*heads, kind);

	if (!head) {
		head = arena_alloc(facts->scratch, sizeof(*head));
		head->kind = kind;
		HASH_ADD(hh, *heads, kind, sizeof(head->kind), head);
	}
	head->rule = j;
}

static void look_at(struct facts *facts, struct head **heads, size_t j)
{
	struct kind other = kind_of(facts, j);
	struct head *head;

	other.arches ^= BOTH_ABIS;
	head = find(*heads, other);
	if (head && unite(facts, head->rule, j))
		HASH_DEL(*heads, head); /* it is for one ABI no longer */
	else
		remember(facts, heads, j);
}

static void run(struct ruleset *set, struct pass_context *context)
{
	struct facts *facts = facts_begin(set, context);
	struct head *heads = NULL;

	for (size_t j = 0; j < set->count; j++)
		if (is_candidate(facts, j))
			look_at(facts, &heads, j);
	HASH_CLEAR(hh, heads);
	facts_end(facts);
}

const struct pass pass_twins = {
	.name = "twins",
	.purpose = "makes one of two rules that are alike but for their ABI",
	.level = 1,
	.run = run,
};
