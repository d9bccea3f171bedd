/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A `never` rule behind which no rule stands that could match the same call
 * stops nothing: it is dropped, or loses the calls for which that is so.
 *
 * Why that changes nothing: without the never rule N such a call ends with no
 * match (AUDIT_STATE_BUILD) instead of AUDIT_STATE_DISABLED, and ctx->prio
 * stays lower. What can be seen of that:
 * - A rule behind N, in the list or in a bucket, matches now: not if none can
 *   meet N (facts_meet) on that call. Rules in front of N override N's match or
 *   come before it, with N and without.
 * - Records that the kernel makes by itself now have companions. So below level
 *   2 only calls that cannot log by themselves are taken out.
 * - N's key, if it has one, would be inherited by a rule without a key that
 *   stands in front of N and overrides N's match: a bucket rule, or, in calls
 *   that run io_uring operations, any rule. Then the call stays.
 * A number is taken out only if that is right for both ABIs.
 *
 * In the io_uring list N and whatever else stands in the set always meet
 * (facts_meet), and which operations can log by themselves is not known: only
 * at level 2, and only if nothing stands behind N.
 *
 * From the last rule to the first, so that what goes is not in the way of what
 * stands before it.
 */
#include "optimize/facts.h"
#include "model/self_log.h"

/* Rules that are looked at for one never rule. */
#define RULES_AT_MOST 1024

struct need {
	const struct facts *facts;
	size_t never;
	struct syscall_set calls; /* those that N must keep */
	unsigned int looked_at;
};

static bool is_complete(const struct need *need)
{
	return syscall_set_subset(need->facts->item[need->never].calls,
				  &need->calls);
}

/* Is K, in front of N, looked at after N in one and the same walk, so that it
 * can override N's match? */
static bool comes_after(const struct facts *facts, size_t k, size_t never)
{
	return facts->item[k].role != ROLE_LIST ||
	       facts->set->rule[k]->filter != facts->set->rule[never]->filter;
}

static bool add_need(struct need *need, const struct syscall_set *calls)
{
	syscall_set_unite(&need->calls, calls);
	if (++need->looked_at > RULES_AT_MOST)
		need->calls = *need->facts->item[need->never].calls;
	return !is_complete(need);
}

static bool behind(size_t k, void *data)
{
	struct need *need = data;
	struct syscall_set both;

	if (!facts_meet(need->facts, need->never, k, &both))
		both = (struct syscall_set){0};
	return add_need(need, &both);
}

static bool in_front(size_t k, void *data)
{
	struct need *need = data;
	const struct facts *facts = need->facts;
	struct syscall_set both = {0};

	if (facts->set->rule[k]->key)
		return true;
	if (!facts_meet(facts, need->never, k, &both))
		both = (struct syscall_set){0};
	else if (!comes_after(facts, k, need->never))
		facts_only_several_walks(facts, &both);
	return add_need(need, &both);
}

/* The calls for which N makes a difference to rules. */
static void find_need(struct need *need)
{
	const struct facts *facts = need->facts;
	const struct rule *rule = facts->set->rule[need->never];
	const struct syscall_set *calls = facts->item[need->never].calls;

	if (facts_scan(facts, need->never + 1, facts->set->count, rule->filter,
		       calls, behind, need) &&
	    rule->key)
		facts_scan(facts, 0, need->never, rule->filter, calls, in_front,
			   need);
}

/* Tries to get rid of NEVER, or of those of its calls that are in ALLOWED. */
static void look_at(struct facts *facts, size_t never,
		    const struct syscall_set *allowed)
{
	struct need need = {.facts = facts,
			    .never = never,
			    .calls = *facts->item[never].calls};
	struct change change = {.pass = pass_useless_never.name};

	syscall_set_subtract(&need.calls, allowed);
	if (is_complete(&need))
		return;
	find_need(&need);
	if (is_complete(&need))
		return;
	change.text =
		"dropped: no rule that is left behind it could match what it "
		"excludes";
	if (syscall_set_empty(&need.calls) &&
	    facts_drop(facts, never, never, change))
		return;
	change.text = "no rule behind it could match";
	if (!syscall_set_empty(&need.calls))
		facts_narrow(facts, never, &need.calls, change);
}

static bool is_candidate(const struct facts *facts, size_t i)
{
	const struct rule *rule = facts->set->rule[i];

	if (!facts_may_touch(facts, i) || rule->action != AUDIT_NEVER ||
	    facts->item[i].role != ROLE_LIST)
		return false;
	return rule->filter == AUDIT_FILTER_EXIT || facts->context->level >= 2;
}

static void run(struct ruleset *set, struct pass_context *context)
{
	struct facts *facts = facts_begin(set, context);
	struct syscall_set allowed = {{syscall_mask_all(), syscall_mask_all()}};

	if (context->level < 2)
		allowed = calls_never_self_log_with(set->target,
						    context->unlogged);
	for (size_t i = set->count; i-- > 0;)
		if (is_candidate(facts, i))
			look_at(facts, i, &allowed);
	facts_end(facts);
}

const struct pass pass_useless_never = {
	.name = "useless_never",
	.purpose = "drops never rules, and calls of them, that stop no rule "
		   "behind them",
	.level = 1,
	.keeps_text = true,
	.run = run,
};
