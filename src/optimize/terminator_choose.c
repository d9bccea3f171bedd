/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * First those that make an average call of the profile cheapest. The default
 * profile is a mix that was measured on a few servers, and the next host is
 * another one. What any of them may do often, and people measure first, is that
 * a daemon opens a file to read it. So then come those that pay if that is done
 * more often than the default profile says, as long as they cost its average call
 * little: the one that gains most then, and so on, until one costs more than is
 * left to be spent. What one of them saves the average call may be spent, too.
 */
#include "optimize/terminator_choose.h"

#include <libaudit.h>

#include "optimize/terminator_early.h"

/* So many hundredths of what an average call pays for its walk may be spent for
 * readers. */
#define SPENT_AT_MOST 3

struct choosing {
	struct facts *facts;
	const struct profile *profile;
	const struct permission *permission;
	const struct early *early;
	struct terminator *chosen;
	size_t count;
};

/* Rules of the exit filter come in the order of their epochs. */
static unsigned int epoch_at(const struct ruleset *set, size_t at)
{
	for (size_t i = at; i-- > 0;)
		if (set->rule[i]->filter == AUDIT_FILTER_EXIT)
			return set->rule[i]->epoch;
	for (size_t i = at; i < set->count; i++)
		if (set->rule[i]->filter == AUDIT_FILTER_EXIT)
			return set->rule[i]->epoch;
	return 0;
}

static struct rule *make_rule(const struct ruleset *set,
			      const struct terminator *t)
{
	struct rule *rule = arena_alloc(set->arena, sizeof(*rule));
	struct field_test *test =
		arena_array(set->arena, DEMANDS + 1, sizeof(*test));

	rule->filter = AUDIT_FILTER_EXIT;
	rule->action = AUDIT_NEVER;
	rule->mask = t->calls;
	rule->test = test;
	rule->epoch = epoch_at(set, t->at);
	if (t->abi >= 0)
		test[rule->tests++] = (struct field_test){
			.field = field_by_number(AUDIT_ARCH),
			.op = OP_EQ,
			.value = set->target->abi[t->abi].elf};
	for (int d = 0; d < DEMANDS; d++)
		if (condition_demands(t->condition) >> d & 1)
			test[rule->tests++] = demand_test((enum demand)d);
	return rule;
}

static const struct profile *profile_of(const struct facts *facts)
{
	if (facts->context->profile)
		return facts->context->profile;
	return profile_default(facts->scratch, facts->set->target);
}

static struct choosing choosing_for(struct facts *facts,
				    struct terminator *chosen)
{
	struct asking *asking = terminator_asking(facts);
	const struct permission *permission = terminator_permission(asking);

	return (struct choosing){
		.facts = facts,
		.profile = profile_of(facts),
		.permission = permission,
		.early = early_of(asking, permission),
		.chosen = chosen,
	};
}

static struct choice *choice_for(const struct choosing *all,
				 const struct traffic *traffic)
{
	return choice_of(all->facts->scratch, all->facts->set, all->permission,
			 all->early, all->profile, traffic);
}

/* Looks for one more, and makes its rules. */
static bool look(struct choosing *all, struct choice *choice, int64_t *gain)
{
	struct terminator *t = &all->chosen[all->count];

	if (all->count == TERMINATORS_AT_MOST || !choice_look(choice, t, gain))
		return false;
	t->turn = all->count;
	t->rule = make_rule(all->facts->set, t);
	if (t->early)
		t->copy = early_copies(all->facts, all->early, t, &t->copies);
	return true;
}

/* Those that pay under the profile. Returns what all of its calls pay then. */
static int64_t choose_for_profile(struct choosing *all, struct choice *choice)
{
	int64_t bill = choice_bill(choice), gain;

	while (look(all, choice, &gain)) {
		choice_take(choice, &all->chosen[all->count++]);
		bill -= gain;
	}
	return bill - choice_trim(choice, all->chosen, all->count);
}

/* Those that pay if daemons read more, as long as the calls of the profile, which
 * PROFILED is of, pay at most MORE for them. */
static void choose_for_readers(struct choosing *all, struct choice *profiled,
			       int64_t more)
{
	struct choice *choice = choice_for(
		all, traffic_of_readers(all->facts->scratch,
					all->facts->set->target, all->profile));
	int64_t gain;

	for (size_t i = 0; i < all->count; i++)
		choice_take(choice, &all->chosen[i]);
	while (look(all, choice, &gain)) {
		struct terminator *t = &all->chosen[all->count];

		more += choice_gain(profiled, t);
		if (more < 0)
			return;
		choice_take(profiled, t);
		choice_take(choice, t);
		all->count++;
	}
}

size_t terminators_choose(struct facts *facts, const struct early **early,
			  struct terminator chosen[TERMINATORS_AT_MOST])
{
	struct choosing all = choosing_for(facts, chosen);
	struct choice *choice =
		choice_for(&all, traffic_of(facts->scratch, all.profile));
	int64_t bill = choose_for_profile(&all, choice);

	if (all.profile->guessed && !facts->context->cautious)
		choose_for_readers(&all, choice, bill / 100 * SPENT_AT_MOST);
	*early = all.early;
	return all.count;
}

int64_t terminators_cost(struct facts *facts)
{
	struct terminator chosen[TERMINATORS_AT_MOST];
	struct choosing all = choosing_for(facts, chosen);
	struct choice *choice =
		choice_for(&all, traffic_of(facts->scratch, all.profile));

	return choose_for_profile(&all, choice) / choice_whole(choice);
}
