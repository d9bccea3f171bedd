/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which calls only a few rules keep from ending early, of the list or, if so
 * wanted, in buckets: a terminator may have them in front of those rules, if
 * copies of them for its calls stand in front of it (terminator_early.c says
 * why).
 */
#include "optimize/terminator_sole.h"

#include <libaudit.h>
#include <string.h>

#include "model/call_removal.h"
#include "optimize/terminator_copy.h"

/* Looks for calls that few rules keep. */
struct search {
	const struct asking *asking;
	struct sole *sole;
	unsigned int demands;
	bool with_buckets; /* of those, copies are made, too */
	/* Calls by how many rules were found; those that nothing more is to be
	 * found for are in none. */
	struct syscall_set left[KEEPING_AT_MOST + 1];
	struct syscall_set all_left; /* in one of them */
	struct syscall_set unkept;   /* no rule was found for them yet */
};

static void note(uint32_t of[ABI_COUNT][SYSCALL_MASK_CALLS],
		 const struct syscall_set *calls, size_t position)
{
	for (int abi = 0; abi < ABI_COUNT; abi++)
		for (int n = syscall_mask_next(&calls->abi[abi], 0);
		     n >= 0 && n < SYSCALL_MASK_CALLS;
		     n = syscall_mask_next(&calls->abi[abi], n + 1))
			of[abi][n] = (uint32_t)position;
}

/* What rule K keeps of the calls for which rules are still looked for. A never
 * rule in front of one that is copied keeps what it could match. */
static struct syscall_set kept_with(const struct search *s, size_t k)
{
	struct syscall_set kept = terminator_kept_by(s->asking, k), met;

	if (terminator_is_never(s->asking->facts, k)) {
		met = terminator_met_by(s->asking, k);
		syscall_set_subtract(&met, &s->unkept);
		syscall_set_unite(&kept, &met);
	}
	syscall_set_intersect(&kept, &s->all_left);
	for (int d = 0; d < DEMANDS && !syscall_set_empty(&kept); d++)
		if (s->demands >> d & 1)
			terminator_let_go(s->asking, k, (enum demand)d, &kept);
	return kept;
}

/* Would a copy not be the rule itself? It has a demand more, or fewer calls. */
static bool is_worth_copying(const struct search *s, size_t k)
{
	const struct facts *facts = s->asking->facts;
	const struct rule *rule = facts->set->rule[k];

	if (!terminator_may_copy(facts, k, DEMANDS))
		return false;
	if (syscall_mask_count(&rule->mask) > SYSCALL_MASK_CALLS / 2)
		return true;
	return s->demands &&
	       !rule_asks_for(rule, field_by_number(AUDIT_LOGINUID));
}

/* Nothing more is to be found for CALLS: they are kept by rule K. */
static void stop_at(struct search *s, size_t k, const struct syscall_set *calls)
{
	note(s->sole->from, calls, k + 1);
	syscall_set_subtract(&s->all_left, calls);
	for (size_t i = 0; i <= KEEPING_AT_MOST; i++)
		syscall_set_subtract(&s->left[i], calls);
}

/* KEPT by rule K, of a bucket. */
static void search_bucket(struct search *s, size_t k,
			  const struct syscall_set *kept)
{
	struct sole *sole = s->sole;

	if (sole->buckets == BUCKETS_KEEPING_AT_MOST ||
	    !is_worth_copying(s, k)) {
		stop_at(s, k, kept);
		return;
	}
	for (int abi = 0; abi < ABI_COUNT; abi++) {
		const struct syscall_mask *mask = &kept->abi[abi];

		for (int n = syscall_mask_next(mask, 0);
		     n >= 0 && n < SYSCALL_MASK_CALLS;
		     n = syscall_mask_next(mask, n + 1))
			sole->kept_in[abi][n] |= UINT64_C(1) << sole->buckets;
	}
	sole->bucket[sole->buckets++] = (uint32_t)k;
	syscall_set_subtract(&s->unkept, kept);
}

uint64_t sole_behind(const struct sole *sole, uint64_t kept, uint32_t at)
{
	for (unsigned int i = 0; i < sole->buckets; i++)
		if (sole->bucket[i] < at)
			kept &= ~(UINT64_C(1) << i);
	return kept;
}

/* From the calls with most rules on, so that none is taken twice. */
static void search_rule(struct search *s, size_t k)
{
	struct syscall_set kept = kept_with(s, k);
	enum role role = s->asking->facts->item[k].role;
	bool copied;

	if (syscall_set_empty(&kept))
		return;
	if (s->with_buckets && role == ROLE_BUCKET) {
		search_bucket(s, k, &kept);
		return;
	}
	copied = role == ROLE_LIST && is_worth_copying(s, k);
	for (size_t i = KEEPING_AT_MOST + 1; i-- > 0;) {
		struct syscall_set more = kept;

		syscall_set_intersect(&more, &s->left[i]);
		if (syscall_set_empty(&more))
			continue;
		syscall_set_subtract(&s->left[i], &more);
		if (copied && i < KEEPING_AT_MOST) {
			note(s->sole->rule[i], &more, k);
			syscall_set_subtract(&s->unkept, &more);
			syscall_set_unite(&s->left[i + 1], &more);
		} else {
			note(s->sole->from, &more, k + 1);
			syscall_set_subtract(&s->all_left, &more);
		}
	}
}

/* The calls that a terminator may have in front of copies. Where a watch may end
 * in the middle of a call its bucket is walked before the list; if by then the
 * order of the watch's rules was turned round, an original is asked before its
 * copy, matches, and has less prio than the terminator (terminator_early.c). So
 * there are copies of rules in buckets only for calls that end no watch. */
static struct syscall_set possible_calls(const struct facts *facts,
					 bool with_buckets)
{
	struct syscall_set calls = {{syscall_mask_all(), syscall_mask_all()}};
	struct syscall_set several = calls;

	if (with_buckets)
		calls = *calls_never_remove(facts->set->target);
	facts_only_several_walks(facts, &several);
	syscall_set_subtract(&calls, &several);
	return calls;
}

const struct sole *sole_of(const struct asking *asking, unsigned int condition,
			   bool with_buckets)
{
	const struct facts *facts = asking->facts;
	struct search s = {.asking = asking,
			   .sole = arena_alloc(facts->scratch, sizeof(*s.sole)),
			   .demands = condition_demands(condition),
			   .with_buckets = with_buckets};
	bool verbatim = facts->context->verbatim;
	size_t k = facts->set->count;
	bool started = false;
	unsigned int epoch = 0;

	memset(s.sole->rule, 0xff, sizeof(s.sole->rule)); /* NOWHERE */
	memset(s.sole->from, 0xff, sizeof(s.sole->from));
	s.left[0] = possible_calls(facts, with_buckets);
	s.all_left = s.unkept = s.left[0];
	/* A copy has not the text of its rule. */
	while (k > 0 && !verbatim && !syscall_set_empty(&s.all_left)) {
		const struct fact *fact = &facts->item[k - 1];

		if (fact->role != ROLE_OTHER) {
			if (started && facts->set->rule[k - 1]->epoch != epoch)
				break;
			epoch = facts->set->rule[k - 1]->epoch;
			started = true;
			search_rule(&s, k - 1);
		}
		k--;
	}
	for (size_t i = 0; i <= KEEPING_AT_MOST; i++)
		note(s.sole->from, &s.left[i], k);
	return s.sole;
}
