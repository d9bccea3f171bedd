/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A terminator T that demands flags of open, auid=unset, both or nothing stands
 * in front of rules that could match its calls if a copy of each stands in front
 * of T: with its tests, those of T, and T's calls alone. Mostly of bucket rules,
 * which cost others little, and of a few in the list.
 *
 * Why that changes nothing: T's demands are met in all walks of a call or in
 * none (facts.h).
 * - If they are not met, neither T nor a copy matches anything.
 * - If they are, a copy matches whenever its original does. What else could
 *   match such a call stands in front of the copies, or not at all: each rule
 *   behind them that could is copied, `never` rules in front of one of those
 *   included, and the copies have the originals' order. So
 *   instead of the originals the copies decide, with a prio that is less than
 *   that of the rules in front of all of them, as the originals' was, and
 *   greater than T's. A copy that matched while a watch ended
 *   (audit_update_watch) has more prio than T in the walk at the end, so that T
 *   does not match.
 * - Behind a list match in front of T neither copies nor originals count.
 * - The originals in buckets ask for nothing that can change between walks, so
 *   that a copy in a later walk finds what the original found; the list of such
 *   a call is walked once.
 * - Where audit_update_watch() turns the order of a watch's rules round, an
 *   original may be asked before its copy: T, or what stands in front of it,
 *   has matched in the list, so that the original has too little prio. Not so
 *   in a walk in the middle of the call, which comes before the list: calls in
 *   which there may be one have no copies of rules in buckets. None is made by
 *   an open with just the flags that T demands; terminator_sole.c has the others.
 * That T's calls end as DISABLED where nothing matches is as with any other
 * (terminators.c).
 *
 * No copy is the same to the kernel as a rule that is there: rules that ask for
 * T's flags themselves are in the way of T.
 */
#include "optimize/terminator_early.h"

#include <libaudit.h>
#include <stdlib.h>

#include "model/call_removal.h"
#include "optimize/terminator_copy.h"
#include "optimize/terminator_sole.h"

/* Rules of the list that are copied for one terminator: every call walks past
 * them. */
#define LISTS_AT_MOST 6

/* Rule RULE must be copied. */
struct early_need {
	size_t rule;
	bool in_list;
	struct early_need *next; /* further behind */
};

bool condition_is_early(unsigned int condition)
{
	enum demand flags = condition_flags(condition);

	return flags != DEMANDS && !(condition_demands(condition) &
				     ~(1U << flags | 1U << DEMAND_UNSET));
}

/* One kind of early terminators: of the call of one ABI, or of what both call by
 * its number. */
struct kind {
	const struct asking *asking;
	unsigned int demands;
	enum demand flags;
	struct syscall_set call;
	unsigned int epoch;
	bool started;
	struct early_need *need;
	struct syscall_set needing; /* calls that need one of them */
	unsigned int lists;	    /* of them in the list */
	uint32_t from; /* where it may stand; 0: anywhere, so far */
};

static void let_all_go(const struct kind *kind, size_t k,
		       struct syscall_set *calls)
{
	syscall_set_intersect(calls, &kind->call);
	for (int d = 0; d < DEMANDS && !syscall_set_empty(calls); d++)
		if (kind->demands >> d & 1)
			terminator_let_go(kind->asking, k, (enum demand)d,
					  calls);
}

/* The calls for which K must be copied, or be in front: those that it could
 * match, and if it says never, those of them that a rule behind it could. */
static struct syscall_set needed_for(const struct kind *kind, size_t k)
{
	const struct facts *facts = kind->asking->facts;
	struct syscall_set calls = terminator_met_by(kind->asking, k), kept;

	let_all_go(kind, k, &calls);
	if (syscall_set_empty(&calls) || !terminator_is_never(facts, k))
		return calls;
	kept = terminator_kept_by(kind->asking, k);
	let_all_go(kind, k, &kept);
	syscall_set_intersect(&calls, &kind->needing);
	syscall_set_unite(&calls, &kept);
	return calls;
}

/* May K be copied for CALLS? terminator_sole.c says why not in a bucket. One
 * that says never is no worse than the terminator where no other is copied. */
static bool may_copy(const struct kind *kind, size_t k,
		     struct syscall_set calls)
{
	const struct facts *facts = kind->asking->facts;

	if (!terminator_may_copy(facts, k, kind->flags))
		return false;
	if (facts->item[k].role == ROLE_LIST || kind->flags != DEMANDS)
		return true;
	if (terminator_is_never(facts, k))
		syscall_set_intersect(&calls, &kind->needing);
	return syscall_set_subset(&calls,
				  calls_never_remove(facts->set->target));
}

static bool is_concerned(const struct kind *kind, size_t k)
{
	const struct fact *fact = &kind->asking->facts->item[k];

	if (fact->gone || fact->role == ROLE_OTHER)
		return false;
	return fact->role == ROLE_OPAQUE ||
	       kind->asking->facts->set->rule[k]->filter != AUDIT_FILTER_EXIT ||
	       syscall_set_intersects(fact->calls, &kind->call);
}

/* False if nothing in front of K is possible. */
static bool look_at(struct kind *kind, size_t k)
{
	const struct facts *facts = kind->asking->facts;
	bool in_list = facts->item[k].role == ROLE_LIST;
	struct early_need *need;
	struct syscall_set calls;

	if (facts->item[k].gone || facts->item[k].role == ROLE_OTHER)
		return true;
	if (!kind->started)
		kind->epoch = facts->set->rule[k]->epoch;
	kind->started = true;
	if (facts->set->rule[k]->epoch != kind->epoch)
		return false;
	if (!is_concerned(kind, k))
		return true;
	calls = needed_for(kind, k);
	if (syscall_set_empty(&calls))
		return true;
	if (!may_copy(kind, k, calls) ||
	    (in_list && kind->lists++ == LISTS_AT_MOST))
		return false;
	need = arena_alloc(facts->scratch, sizeof(*need));
	*need = (struct early_need){k, in_list, kind->need};
	syscall_set_unite(&kind->needing, &calls);
	kind->need = need;
	return true;
}

static void look_from(struct kind *kind, size_t first)
{
	for (size_t k = kind->asking->facts->set->count; k-- > first;)
		if (!look_at(kind, k)) {
			kind->from = (uint32_t)k + 1;
			return;
		}
}

static struct early_need *early_needs_from(struct early_need *need, uint32_t at)
{
	while (need && need->rule < at)
		need = need->next;
	return need;
}

static void find_kind(struct early *early, const struct asking *asking,
		      const struct permission *permission,
		      unsigned int condition, int abi)
{
	struct kind kind = {.asking = asking,
			    .demands = condition_demands(condition),
			    .flags = condition_flags(condition)};
	const struct target *target = asking->facts->set->target;
	enum abi meant = abi < 0 ? ABI_NATIVE : (enum abi)abi;
	int number = target_call_number(target, meant, demand_call(kind.flags));
	unsigned int other = condition_without_flags(condition);

	if (number < 0 || number >= SYSCALL_MASK_CALLS ||
	    permission->from[condition][meant][number] == NOWHERE)
		return;
	syscall_mask_add(&kind.call.abi[meant], number);
	if (abi < 0) {
		if (!target_has_abi(target, ABI_COMPAT) ||
		    permission->from[other][ABI_COMPAT][number] == NOWHERE)
			return;
		syscall_mask_add(&kind.call.abi[ABI_COMPAT], number);
	}
	look_from(&kind, 0);
	early->need[condition][abi + 1] =
		early_needs_from(kind.need, kind.from);
	if (early->need[condition][abi + 1])
		early->from[condition][abi + 1] = kind.from;
}

const struct early *early_of(const struct asking *asking,
			     const struct permission *permission)
{
	const struct facts *facts = asking->facts;
	struct early *early = arena_alloc(facts->scratch, sizeof(*early));

	for (unsigned int c = 0; c < CONDITIONS; c++)
		for (int abi = -1; abi < ABI_COUNT; abi++) {
			early->from[c][abi + 1] = NOWHERE;
			if (condition_is_early(c) &&
			    !facts->context->verbatim &&
			    (abi < 0 ||
			     target_has_abi(facts->set->target, (enum abi)abi)))
				find_kind(early, asking, permission, c, abi);
		}
	for (unsigned int c = 0; c < SOLE_CONDITIONS; c++)
		for (int b = 0; b < 2; b++)
			early->sole[b][c] = sole_of(
				asking, c, b && !facts->context->cautious);
	return early;
}

struct early_count early_count(const struct early *early,
			       unsigned int condition, int abi, uint32_t at)
{
	const struct early_need *need =
		early_needs_from(early->need[condition][abi + 1], at);
	struct early_count count = {0};

	for (; need; need = need->next) {
		count.lists += need->in_list;
		count.buckets += !need->in_list;
	}
	return count;
}

void early_places(const struct early *early, unsigned int condition, int abi,
		  void (*visit)(uint32_t at, void *data), void *data)
{
	const struct early_need *need = early->need[condition][abi + 1];

	if (early->from[condition][abi + 1] == NOWHERE)
		return;
	visit(early->from[condition][abi + 1], data);
	for (; need; need = need->next)
		if (need->in_list)
			visit((uint32_t)need->rule + 1, data);
}

static struct rule **copies_for_flags(const struct facts *facts,
				      const struct early *early,
				      const struct terminator *t, size_t *count)
{
	struct arena *arena = facts->set->arena;
	struct early_count most =
		early_count(early, t->condition, t->abi, t->at);
	struct rule **copy = arena_array(arena, most.lists + most.buckets,
					 sizeof(struct rule *));
	const struct early_need *need =
		early_needs_from(early->need[t->condition][t->abi + 1], t->at);

	for (; need; need = need->next)
		copy[(*count)++] =
			terminator_copy_of(facts, need->rule, t->rule);
	return copy;
}

static int by_position(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return a < b ? -1 : a > b;
}

/* Fills in POSITION with the rules that keep calls of T, which demands no flags,
 * in their order. Returns how many. */
static size_t rules_kept_by(const struct early *early,
			    const struct terminator *t, uint32_t *position)
{
	const struct sole *sole = early->sole[t->with_buckets][t->condition];
	uint64_t kept = 0;
	size_t count = 0;

	for (size_t i = 0; i < KEEPING_AT_MOST; i++)
		if (t->sole[i] != NOWHERE)
			position[count++] = t->sole[i];
	for (int n = syscall_mask_next(&t->rule->mask, 0);
	     n >= 0 && n < SYSCALL_MASK_CALLS;
	     n = syscall_mask_next(&t->rule->mask, n + 1))
		kept |= sole->kept_in[ABI_NATIVE][n];
	kept = sole_behind(sole, kept, t->at);
	for (unsigned int i = 0; i < sole->buckets; i++)
		if (kept >> i & 1)
			position[count++] = sole->bucket[i];
	qsort(position, count, sizeof(*position), by_position);
	return count;
}

struct rule **early_copies(const struct facts *facts, const struct early *early,
			   const struct terminator *t, size_t *count)
{
	struct arena *arena = facts->set->arena;
	uint32_t position[KEEPING_AT_MOST + BUCKETS_KEEPING_AT_MOST];
	struct rule **copy;
	size_t kept;

	*count = 0;
	if (condition_flags(t->condition) != DEMANDS)
		return copies_for_flags(facts, early, t, count);
	kept = rules_kept_by(early, t, position);
	copy = arena_array(arena, kept, sizeof(struct rule *));
	for (size_t i = 0; i < kept; i++) {
		copy[*count] = terminator_copy_of(facts, position[i], t->rule);
		*count += !syscall_mask_empty(&copy[*count]->mask);
	}
	return copy;
}

/* Its demands, if it could be an early one. */
static bool demands_of(const struct rule *rule, unsigned int *all)
{
	unsigned int demands = 0;

	for (unsigned int i = 0; i < rule->tests; i++)
		if (demand_of(&rule->test[i]) != DEMANDS)
			demands |= 1U << demand_of(&rule->test[i]);
	for (unsigned int c = 0; c < CONDITIONS; c++)
		if (condition_demands(c) == demands &&
		    (c < SOLE_CONDITIONS || condition_is_early(c))) {
			*all = demands;
			return true;
		}
	return false;
}

static bool are_copies(const struct facts *facts, size_t first, size_t i,
		       const struct early_need *need)
{
	for (; need; need = need->next, first++)
		if (facts->item[first].gone ||
		    !rule_same_to_kernel(
			    facts->set->rule[first],
			    terminator_copy_of(facts, need->rule,
					       facts->set->rule[i])) ||
		    !rule_same_outcome(facts->set->rule[first],
				       facts->set->rule[need->rule]))
			return false;
	return true;
}

size_t early_copies_at(const struct asking *asking, size_t i)
{
	const struct facts *facts = asking->facts;
	const struct rule *rule = facts->set->rule[i];
	struct kind kind = {.asking = asking};
	struct syscall_set walks;
	struct early_need *need;
	size_t count = 0;

	if (!demands_of(rule, &kind.demands))
		return 0;
	kind.flags = DEMANDS;
	for (int d = 0; d < DEMANDS; d++)
		if (kind.demands >> d & 1 && demand_call((enum demand)d))
			kind.flags = (enum demand)d;
	kind.call = *facts->item[i].calls;
	look_from(&kind, i + 1);
	walks = kind.needing;
	facts_only_several_walks(facts, &walks);
	if (!syscall_set_empty(&walks))
		return 0;
	if (kind.from ||
	    (kind.flags == DEMANDS && kind.lists > KEEPING_AT_MOST))
		return 0;
	for (need = kind.need; need; need = need->next)
		count++;
	if (count > i || facts->set->rule[i]->epoch != kind.epoch ||
	    !are_copies(facts, i - count, i, kind.need))
		return 0;
	return count;
}
