/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What earlier rules decide, a later rule cannot: rules that are left with
 * nothing are dropped, others lose the calls that are decided before.
 *
 * Why that changes nothing. "I covers J on a call" means that I's calls have
 * it and J's predicate implies I's.
 * - List rule J, earlier list rule I: the walk ends at I or before. I has the
 *   greater prio: what shuts I out of a walk shuts J out.
 * - List rule J, earlier bucket rule I: never. J matches first and lends its
 *   key and its prio; and the first collected name decides whether I is asked.
 * - Bucket rule J, earlier list rule I: when the buckets are walked the list
 *   has found I or a rule before it, whose prio J cannot beat. But the buckets
 *   are also walked by themselves (facts.h):
 *   = by audit_update_watch() before the list. What J would do there is undone
 *     at the end, by I or a rule M before it, if I is sure still to match then
 *     (I asks only for what lasts); if M has a key, so that none is inherited
 *     from that walk; and if no bucket rule before I could win there instead of
 *     J. So calls that a bucket rule before I or a list rule without key, I
 *     included, has do not count as covered.
 *   = by io_uring operations outside of a system call, which never see the exit
 *     list: covered by no list rule (fact.uring).
 * - Bucket rule J, earlier bucket rule I: J's predicate implies I's path= or
 *   inode=, so it is the same bucket. audit_update_watch() turns the order of a
 *   replaced file's rules round: only with the same outcome, and with nothing
 *   between that tells them apart (facts_clear_between).
 * - J not settled: it goes if it would go as a list rule and as a bucket rule;
 *   list rules that cover the one cover the other. Never an I.
 * Each call is decided by one I; several may share the calls of one J. A number
 * stays in the mask as long as one ABI needs it.
 *
 * Earlier rules are kept by predicate, with the calls of all of them together,
 * and found by anchor (predicate.h). At most GROUPS_AT_MOST are asked for one
 * J, so that large sets are close to linear; what is not found stays.
 */
#include "optimize/facts.h"

#include <libaudit.h>
#include <stdlib.h>
#include <uthash.h>

#define GROUPS_AT_MOST 2048
#define BUCKET_RULES_AT_MOST 64
#define REASONS_AT_MOST 8

/* A rule of a group. */
struct member {
	size_t rule;
	struct member *next;
};

struct members {
	struct member *first, **end;
};

/* Earlier rules of one filter with one predicate. */
struct group {
	const struct predicate *predicate;
	struct syscall_set list; /* what its list rules cover in the list */
	struct syscall_set in_bucket; /* ... and in a bucket */
	struct members lists, buckets;
	uint64_t fold;	    /* of all its rules' calls */
	struct group *next; /* with the same anchor */
};

struct anchor {
	uint64_t key[2]; /* anchor, filter */
	struct group *group;
	struct group **end;
	UT_hash_handle hh;
};

struct shadows {
	struct facts *facts;
	struct anchor *anchors;
	struct group **group[2];    /* by predicate_id; exit, io_uring */
	struct syscall_set keyless; /* calls of list rules without key so far */
	struct syscall_set bucket;  /* calls of bucket rules so far, and
				     * of those that may be one */
	bool opaque;		    /* was there an opaque rule? */
};

/* The search for what covers one rule J. */
struct search {
	struct shadows *s;
	size_t j;
	struct syscall_set left;
	uint64_t fold; /* of the calls at the start */
	bool uring_left;
	struct origin because;
	unsigned int reasons, looked_at;
};

static int is_uring(const struct facts *facts, size_t i)
{
	return facts->set->rule[i]->filter == AUDIT_FILTER_URING_EXIT;
}

/* Sets that have a call in common have a bit in common: a quick no. */
static uint64_t fold(const struct syscall_set *calls)
{
	uint32_t bits[ABI_COUNT] = {0};

	for (int abi = 0; abi < ABI_COUNT; abi++)
		for (unsigned int i = 0; i < SYSCALL_MASK_WORDS; i++)
			bits[abi] |= calls->abi[abi].word[i];
	return (uint64_t)bits[ABI_COMPAT] << 32 | bits[ABI_NATIVE];
}

static void members_add(struct facts *facts, struct members *members, size_t i)
{
	struct member *member = arena_alloc(facts->scratch, sizeof(*member));

	if (!members->end)
		members->end = &members->first;
	member->rule = i;
	*members->end = member;
	members->end = &member->next;
}

static void blame(struct search *search, size_t i)
{
	struct facts *facts = search->s->facts;

	if (search->reasons++ < REASONS_AT_MOST)
		search->because =
			origin_unite(facts->set->arena, search->because,
				     facts->set->rule[i]->origin);
}

/* Finds the rules of the group that TAKEN, part of their union, is due to. */
static void blame_lists(struct search *search, const struct group *group,
			struct syscall_set taken)
{
	for (const struct member *m = group->lists.first;
	     m && !syscall_set_empty(&taken); m = m->next) {
		const struct syscall_set *calls =
			search->s->facts->item[m->rule].calls;

		if (!syscall_set_intersects(&taken, calls))
			continue;
		blame(search, m->rule);
		syscall_set_subtract(&taken, calls);
	}
}

/* What the list rules of GROUP may take from J at most. */
static struct syscall_set covered_by_lists(const struct search *search,
					   const struct group *group)
{
	const struct shadows *s = search->s;
	struct syscall_set covered;

	covered = s->facts->item[search->j].role == ROLE_LIST
			  ? group->list
			  : group->in_bucket;
	syscall_set_intersect(&covered, &search->left);
	return covered;
}

static void try_lists(struct search *search, const struct group *group)
{
	struct syscall_set covered = covered_by_lists(search, group);

	if (syscall_set_empty(&covered))
		return;
	blame_lists(search, group, covered);
	syscall_set_subtract(&search->left, &covered);
}

static bool bucket_covers(const struct facts *facts, size_t i, size_t j)
{
	return facts->item[i].outcome_id == facts->item[j].outcome_id &&
	       facts_clear_between(facts, i, j);
}

static void try_buckets(struct search *search, const struct group *group)
{
	const struct facts *facts = search->s->facts;
	unsigned int tried = 0;

	if (facts->item[search->j].role != ROLE_BUCKET)
		return;
	for (const struct member *m = group->buckets.first;
	     m && tried < BUCKET_RULES_AT_MOST; m = m->next, tried++) {
		const struct fact *fact = &facts->item[m->rule];

		if (!syscall_set_intersects(&search->left, fact->calls) &&
		    !(search->uring_left && fact->uring))
			continue;
		if (!bucket_covers(facts, m->rule, search->j))
			continue;
		blame(search, m->rule);
		syscall_set_subtract(&search->left, fact->calls);
		search->uring_left = search->uring_left && !fact->uring;
	}
}

static bool is_done(const struct search *search)
{
	return syscall_set_empty(&search->left) && !search->uring_left;
}

static bool may_cover(const struct search *search, const struct group *group)
{
	return (group->fold & search->fold || search->uring_left) &&
	       predicate_implies(search->s->facts->item[search->j].predicate,
				 group->predicate);
}

static void try_anchor(uint64_t hash, void *data)
{
	struct search *search = data;
	uint64_t key[2] = {hash,
			   (uint64_t)is_uring(search->s->facts, search->j)};
	struct anchor *anchor;

	HASH_FIND(hh, search->s->anchors, key, sizeof(key), anchor);
	if (!anchor)
		return;
	for (const struct group *group = anchor->group;
	     group && !is_done(search); group = group->next) {
		if (++search->looked_at > GROUPS_AT_MOST)
			return;
		if (!may_cover(search, group))
			continue;
		try_lists(search, group);
		try_buckets(search, group);
	}
}

/* Takes from J what is covered. Returns false if J is gone. */
static bool apply(struct search *search)
{
	struct facts *facts = search->s->facts;
	struct change change = {.pass = pass_shadowed.name,
				.because = search->because};

	if (syscall_set_equal(&search->left, facts->item[search->j].calls))
		return true;
	if (is_done(search)) {
		change.text = "dropped: every call it could match is decided "
			      "by earlier rules";
		return !facts_drop(facts, search->j, search->j, change);
	}
	/* Call 0 is also an io_uring operation's. */
	if (search->uring_left)
		syscall_mask_add(&search->left.abi[ABI_NATIVE], 0);
	change.text = "earlier rules decide";
	if (facts->item[search->j].role != ROLE_UNSETTLED)
		facts_narrow(facts, search->j, &search->left, change);
	return true;
}

/* Returns false if J was dropped. */
static bool look_for_shadow(struct shadows *s, size_t j)
{
	const struct fact *fact = &s->facts->item[j];
	struct search search = {.s = s,
				.j = j,
				.left = *fact->calls,
				.fold = fold(fact->calls),
				.uring_left = fact->uring};

	predicate_anchors(fact->predicate, try_anchor, &search);
	return apply(&search);
}

static struct group *group_of(struct shadows *s, size_t i)
{
	struct facts *facts = s->facts;
	const struct fact *fact = &facts->item[i];
	struct group **group =
		&s->group[is_uring(facts, i)][fact->predicate_id];
	uint64_t key[2] = {predicate_anchor(fact->predicate),
			   (uint64_t)is_uring(facts, i)};
	struct anchor *anchor;

	if (*group)
		return *group;
	*group = arena_alloc(facts->scratch, sizeof(**group));
	(*group)->predicate = fact->predicate;
	HASH_FIND(hh, s->anchors, key, sizeof(key), anchor);
	if (!anchor) {
		anchor = arena_alloc(facts->scratch, sizeof(*anchor));
		anchor->key[0] = key[0];
		anchor->key[1] = key[1];
		anchor->end = &anchor->group;
		HASH_ADD(hh, s->anchors, key, sizeof(anchor->key), anchor);
	}
	*anchor->end = *group;
	anchor->end = &(*group)->next;
	return *group;
}

static void remember_list(struct shadows *s, size_t i)
{
	struct facts *facts = s->facts;
	const struct fact *fact = &facts->item[i];
	struct group *group = group_of(s, i);
	struct syscall_set in_bucket = *fact->calls;

	syscall_set_unite(&group->list, fact->calls);
	group->fold |= fold(fact->calls);
	members_add(facts, &group->lists, i);
	if (!facts->set->rule[i]->key)
		syscall_set_unite(&s->keyless, fact->calls);
	if (!fact->lasting || s->opaque)
		return;
	syscall_set_subtract(&in_bucket, &s->bucket);
	syscall_set_subtract(&in_bucket, &s->keyless);
	syscall_set_unite(&group->in_bucket, &in_bucket);
}

static void remember(struct shadows *s, size_t i)
{
	const struct fact *fact = &s->facts->item[i];

	switch (fact->role) {
	case ROLE_OTHER:
		break;
	case ROLE_OPAQUE:
		s->opaque = true;
		break;
	case ROLE_LIST:
		remember_list(s, i);
		break;
	case ROLE_BUCKET:
		group_of(s, i)->fold |= fold(fact->calls);
		members_add(s->facts, &group_of(s, i)->buckets, i);
		syscall_set_unite(&s->bucket, fact->calls);
		break;
	case ROLE_UNSETTLED:
		syscall_set_unite(&s->bucket, fact->calls);
		break;
	}
}

static void run(struct ruleset *set, struct pass_context *context)
{
	struct shadows s = {.facts = facts_begin(set, context)};

	for (int i = 0; i < 2; i++)
		s.group[i] = arena_array(s.facts->scratch, s.facts->predicates,
					 sizeof(*s.group[i]));
	for (size_t j = 0; j < set->count; j++)
		if (!facts_may_touch(s.facts, j) || look_for_shadow(&s, j))
			remember(&s, j);
	HASH_CLEAR(hh, s.anchors);
	facts_end(s.facts);
}

const struct pass pass_shadowed = {
	.name = "shadowed",
	.purpose = "drops rules, and calls of rules, that earlier rules decide",
	.level = 1,
	.keeps_text = true,
	.run = run,
};
