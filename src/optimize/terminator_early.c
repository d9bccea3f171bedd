/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A terminator T that demands flags of open stands in front of rules that could
 * match such a call if a copy of each stands in front of T: with its tests,
 * those of T, and T's call alone. Mostly of bucket rules, which cost others
 * little, and of a few in the list.
 *
 * Why that changes nothing: T's demands, flags and perhaps auid=unset, are met
 * in all walks of a call or in none (facts.h).
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
 *   has matched in the list, so that the original has too little prio.
 * That T's calls end as DISABLED where nothing matches is as with any other
 * (terminators.c).
 *
 * No copy is the same to the kernel as a rule that is there: rules that ask for
 * T's flags themselves are in the way of T.
 */
#include "optimize/terminator_early.h"

#include "optimize/field_order.h"

#include <libaudit.h>
#include <string.h>

/* Tests of a rule that is copied, and bytes of its strings. */
#define TESTS_AT_MOST 20
#define TEXT_AT_MOST 200

/* Rules of the list that are copied for one terminator: every call walks past
 * them. */
#define LISTS_AT_MOST 6

/* Rule RULE must be copied. */
struct early_need {
	size_t rule;
	bool in_list;
	struct early_need *next; /* further behind */
};

static bool asks_for(const struct rule *rule, const struct field_info *field)
{
	for (unsigned int i = 0; i < rule->tests; i++)
		if (rule->test[i].field == field)
			return true;
	return false;
}

bool condition_is_early(unsigned int condition)
{
	unsigned int flags = condition_flags(condition);
	unsigned int others = condition_demands(condition) & ~flags;

	return flags && !(others & ~(1U << DEMAND_UNSET));
}

static enum demand flags_of(unsigned int condition)
{
	unsigned int d = 0;

	while (!(condition_flags(condition) >> d & 1))
		d++;
	return (enum demand)d;
}

static bool has_long_text(const struct rule *rule)
{
	size_t length = rule->key ? strlen(rule->key) : 0;

	for (unsigned int i = 0; i < rule->tests; i++)
		if (rule->test[i].string)
			length += strlen(rule->test[i].string);
	return length > TEXT_AT_MOST || rule->tests > TESTS_AT_MOST;
}

/* FLAGS: DEMANDS if there are none. */
static bool may_copy(const struct facts *facts, size_t k, enum demand flags)
{
	const struct fact *fact = &facts->item[k];
	const struct rule *rule = facts->set->rule[k];

	if (!facts_may_touch(facts, k) || rule->filter != AUDIT_FILTER_EXIT ||
	    has_long_text(rule) ||
	    (flags != DEMANDS && asks_for(rule, demand_test(flags).field)))
		return false;
	return fact->role == ROLE_LIST ||
	       (fact->role == ROLE_BUCKET && fact->lasting);
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
	unsigned int lists; /* of them in the list */
	uint32_t from;	    /* where it may stand; 0: anywhere, so far */
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

/* Must K be copied, or be in front? */
static bool is_needed(const struct kind *kind, size_t k)
{
	const struct facts *facts = kind->asking->facts;
	struct syscall_set calls = terminator_met_by(kind->asking, k);

	let_all_go(kind, k, &calls);
	if (syscall_set_empty(&calls))
		return false;
	if (kind->need && terminator_is_never(facts, k))
		return true;
	calls = terminator_kept_by(kind->asking, k);
	let_all_go(kind, k, &calls);
	return !syscall_set_empty(&calls);
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

	if (facts->item[k].gone || facts->item[k].role == ROLE_OTHER)
		return true;
	if (!kind->started)
		kind->epoch = facts->set->rule[k]->epoch;
	kind->started = true;
	if (facts->set->rule[k]->epoch != kind->epoch)
		return false;
	if (!is_concerned(kind, k) || !is_needed(kind, k))
		return true;
	if (!may_copy(facts, k, kind->flags) ||
	    (in_list && kind->lists++ == LISTS_AT_MOST))
		return false;
	need = arena_alloc(facts->scratch, sizeof(*need));
	*need = (struct early_need){k, in_list, kind->need};
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
			    .flags = flags_of(condition)};
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

/* Looks for calls that few rules keep. */
struct search {
	const struct asking *asking;
	struct sole *sole;
	unsigned int demands;
	/* Calls by how many rules were found; those that nothing more is to be
	 * found for are in none. */
	struct syscall_set left[KEEPING_AT_MOST + 1];
	struct syscall_set all_left; /* in one of them */
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

/* What rule K keeps of the calls for which rules are still looked for. */
static struct syscall_set kept_with(const struct search *s, size_t k)
{
	struct syscall_set kept = terminator_kept_by(s->asking, k), met;

	if (terminator_is_never(s->asking->facts, k)) {
		met = terminator_met_by(s->asking, k);
		syscall_set_subtract(&met, &s->left[0]);
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

	if (facts->item[k].role != ROLE_LIST || !may_copy(facts, k, DEMANDS))
		return false;
	if (syscall_mask_count(&rule->mask) > SYSCALL_MASK_CALLS / 2)
		return true;
	return s->demands && !asks_for(rule, field_by_number(AUDIT_LOGINUID));
}

/* From the calls with most rules on, so that none is taken twice. */
static void search_rule(struct search *s, size_t k)
{
	struct syscall_set kept = kept_with(s, k);
	bool copied;

	if (syscall_set_empty(&kept))
		return;
	copied = is_worth_copying(s, k);
	for (size_t i = KEEPING_AT_MOST + 1; i-- > 0;) {
		struct syscall_set more = kept;

		syscall_set_intersect(&more, &s->left[i]);
		if (syscall_set_empty(&more))
			continue;
		syscall_set_subtract(&s->left[i], &more);
		if (copied && i < KEEPING_AT_MOST) {
			note(s->sole->rule[i], &more, k);
			syscall_set_unite(&s->left[i + 1], &more);
		} else {
			note(s->sole->from, &more, k + 1);
			syscall_set_subtract(&s->all_left, &more);
		}
	}
}

static const struct sole *find_sole(const struct asking *asking,
				    unsigned int condition)
{
	const struct facts *facts = asking->facts;
	struct search s = {.asking = asking,
			   .sole = arena_alloc(facts->scratch, sizeof(*s.sole)),
			   .demands = condition_demands(condition)};
	struct syscall_set all = {{syscall_mask_all(), syscall_mask_all()}};
	bool verbatim = facts->context->verbatim;
	size_t k = facts->set->count;
	bool started = false;
	unsigned int epoch = 0;

	memset(s.sole->rule, 0xff, sizeof(s.sole->rule)); /* NOWHERE */
	s.left[0] = all;
	facts_only_several_walks(facts, &all);
	syscall_set_subtract(&s.left[0], &all);
	s.all_left = s.left[0];
	note(s.sole->from, &all, NOWHERE);
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
		early->sole[c] = find_sole(asking, c);
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

static bool has_test(const struct rule *rule, const struct field_test *test)
{
	for (unsigned int i = 0; i < rule->tests; i++)
		if (rule->test[i].field == test->field &&
		    rule->test[i].op == test->op &&
		    rule->test[i].value == test->value)
			return true;
	return false;
}

/* Leaves of the copy's mask what its tests may let through: the calls that
 * collect no names (call_names.h) are not worth entering it for. */
static void keep_possible(const struct target *target, struct rule *copy)
{
	struct syscall_set calls = rule_calls(target, copy);

	syscall_mask_unite(&calls.abi[ABI_NATIVE], &calls.abi[ABI_COMPAT]);
	syscall_mask_intersect(&copy->mask, &calls.abi[ABI_NATIVE]);
}

/* What rule K is in front of the terminator T; its mask is empty if none of
 * T's calls needs it. In the list its tests have the order that
 * pass_field_order would give them, which has run by then. */
static struct rule *copy_of(const struct facts *facts, size_t k,
			    const struct rule *t)
{
	struct arena *arena = facts->set->arena;
	const struct rule *rule = facts->set->rule[k];
	struct rule *copy = rule_copy(arena, rule);
	struct field_test *test =
		arena_array(arena, rule->tests + t->tests, sizeof(*test));

	copy->test = test;
	memcpy(test, rule->test, rule->tests * sizeof(*test));
	for (unsigned int i = 0; i < t->tests; i++)
		if (!has_test(rule, &t->test[i]))
			test[copy->tests++] = t->test[i];
	syscall_mask_intersect(&copy->mask, &t->mask);
	copy->watch_form = false;
	copy->origin = (struct origin){0};
	copy->line = 0;
	if (facts->item[k].role == ROLE_LIST) {
		keep_possible(facts->set->target, copy);
		copy->test = field_order_of(facts, copy);
	}
	return copy;
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
		copy[(*count)++] = copy_of(facts, need->rule, t->rule);
	return copy;
}

struct rule **early_copies(const struct facts *facts, const struct early *early,
			   const struct terminator *t, size_t *count)
{
	struct arena *arena = facts->set->arena;
	struct rule **copy;

	*count = 0;
	if (t->sole[0] == NOWHERE)
		return copies_for_flags(facts, early, t, count);
	copy = arena_array(arena, KEEPING_AT_MOST, sizeof(struct rule *));
	for (size_t i = KEEPING_AT_MOST; i-- > 0;) {
		if (t->sole[i] == NOWHERE)
			continue;
		copy[*count] = copy_of(facts, t->sole[i], t->rule);
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
			    copy_of(facts, need->rule, facts->set->rule[i])) ||
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
	walks = kind.call;
	facts_only_several_walks(facts, &walks);
	if (!syscall_set_empty(&walks))
		return 0;
	look_from(&kind, i + 1);
	if (kind.from ||
	    (kind.flags == DEMANDS && kind.lists > KEEPING_AT_MOST))
		return 0;
	for (need = kind.need; need; need = need->next)
		count += kind.flags != DEMANDS || need->in_list ? 1 : i + 1;
	if (count > i || facts->set->rule[i]->epoch != kind.epoch ||
	    !are_copies(facts, i - count, i, kind.need))
		return 0;
	return count;
}
