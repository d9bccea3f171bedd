/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A `never` rule T is added where it ends the walk of calls that nothing behind
 * it could match: in front of all rules, or behind the last one that could; and
 * with a condition, where all that stand behind demand the contrary.
 *
 * Why that changes nothing: T's calls are such that no rule behind it, in the
 * list or in a bucket, could meet T (facts_meet_as) on them, `never` rules of
 * the list excepted. Let the walk of such a call come to T:
 * - Without T no other list rule behind matches, and of the buckets only rules
 *   in front of T can. With T the walk ends, prio becomes T's, and bucket rules
 *   in front of T have a greater one: the same ones match, for the same names.
 * - T has no key, so that a bucket rule without key which overrides T inherits
 *   none. It would inherit that of a never rule behind T: such a call T does
 * not have (heirs_of()).
 * - If nothing overrides T the call ends as AUDIT_STATE_DISABLED instead of
 *   AUDIT_STATE_BUILD, if it was not DISABLED before: records that the kernel
 * makes by itself then have no companions. So below level 2 only calls that
 * cannot log by themselves, and no conditions.
 * - Walks inside a call (facts.h): what T shuts out of the later ones stands
 *   behind T and could meet it, which facts_meet_as() asks of whole calls. An
 *   io_uring rule behind T could always; so T then has no call. T asks for
 *   nothing that can change between walks, but has no result before the last
 *   one, where the rules that ask for a result have none either.
 * - With kill in its mask T might be the first rule that counts in
 * audit_signals (facts_new_signals): then it has none of those.
 * - A context is a dummy if no rule counts at all: T is added to others only,
 *   since without one no walk can be made shorter.
 * A mask has numbers: without arch= a number is taken only if the call of
 * either ABI is allowed; numbers that are no call of any are left out, nobody
 * makes them. Terminators in front of each other are in nobody's way: where one
 * would have matched, nothing behind could but another terminator.
 *
 * perm= keeps all calls from a rule but those of its classes in kernels that
 * are known (perm_calls_known); if the kernel may be a newer one, it keeps
 * none. Of open and openat with the flags that T asks for it keeps those whose
 * access mode it does not mean (ACC_MODE in audit_match_perm), in whatever
 * walk: arguments do not change.
 *
 * A rule of this kind that is in the input is taken out by the same test, and
 * comes back if it pays (terminator_choice.c): so a second run finds what the
 * first one wrote, and an old one of no use goes.
 */
#include "optimize/terminators.h"

#include "model/perm.h"
#include "model/self_log.h"
#include "optimize/facts.h"
#include "optimize/terminator_choice.h"

static struct syscall_set allowed_calls(const struct ruleset *set, int level)
{
	struct syscall_set allowed = {{syscall_mask_all(), syscall_mask_all()}};

	return level < 2 ? calls_never_self_log(set->target) : allowed;
}

static bool is_own_test(const struct field_test *test)
{
	if (test->field->kind == FIELD_ARCH)
		return test->op == OP_EQ;
	return demand_of(test) != DEMANDS;
}

static bool has_own_form(const struct facts *facts, size_t i)
{
	const struct rule *rule = facts->set->rule[i];

	if (!facts_may_touch(facts, i) || facts->item[i].role != ROLE_LIST ||
	    rule->filter != AUDIT_FILTER_EXIT || rule->action != AUDIT_NEVER ||
	    rule->key)
		return false;
	for (unsigned int t = 0; t < rule->tests; t++)
		if (!is_own_test(&rule->test[t]))
			return false;
	return true;
}

static bool has_perm(const struct rule *rule)
{
	for (unsigned int i = 0; i < rule->tests; i++)
		if (rule->test[i].field->kind == FIELD_PERM)
			return true;
	return false;
}

/* The calls of RULE whatever perm may say of them. */
static struct syscall_set calls_without_perm(struct facts *facts,
					     const struct rule *rule)
{
	struct field_test *test =
		arena_array(facts->scratch, rule->tests, sizeof(*test));
	struct rule without = *rule;

	without.test = test;
	without.tests = 0;
	for (unsigned int i = 0; i < rule->tests; i++)
		if (rule->test[i].field->kind != FIELD_PERM)
			test[without.tests++] = rule->test[i];
	return rule_calls(facts->set->target, &without);
}

/* Does perm= of the rule K let none of these flags of open through? */
static bool perm_excludes(const struct facts *facts, size_t k, enum abi abi,
			  int number, uint64_t flags)
{
	const struct rule *rule = facts->set->rule[k];
	uint64_t argv[4] = {0, flags, flags, 0};

	for (unsigned int i = 0; i < rule->tests; i++)
		if (rule->test[i].field->kind == FIELD_PERM &&
		    rule->test[i].op == OP_EQ &&
		    !perm_match(facts->set->target, abi, number, argv, flags,
				rule->test[i].value))
			return true;
	return false;
}

/* Takes from CALLS those that K cannot match with the flags that are demanded.
 */
static void subtract_by_flags(const struct facts *facts, size_t k,
			      enum demand demand, struct syscall_set *calls)
{
	const char *name = demand_call(demand);
	uint64_t flags = demand_test(demand).value;

	for (int abi = 0; name && abi < ABI_COUNT; abi++) {
		int number = target_call_number(facts->set->target,
						(enum abi)abi, name);

		if (number >= 0 &&
		    perm_excludes(facts, k, (enum abi)abi, number, flags))
			syscall_mask_remove(&calls->abi[abi], number);
	}
}

/* Of CALLS those that the kernel may let through the perm= of rule K, and if it
 * may be a newer one than is known, all. */
static void judge_perm(struct facts *facts, size_t k, struct syscall_set *calls)
{
	const struct rule *rule = facts->set->rule[k];

	if (facts->context->kernel_unknown) {
		*calls = calls_without_perm(facts, rule);
		return;
	}
	for (unsigned int i = 0; i < rule->tests; i++) {
		struct syscall_set known;

		if (rule->test[i].field->kind != FIELD_PERM ||
		    rule->test[i].op != OP_EQ)
			continue;
		known = perm_calls_known(facts->set->target,
					 rule->test[i].value);
		syscall_set_intersect(calls, &known);
	}
}

/* The calls of rules that would inherit the key of a never rule: without a key
 * of their own, and looked at after the list, or in a later walk of it. */
static struct syscall_set heirs_of(const struct facts *facts)
{
	struct syscall_set heirs = {{syscall_mask_all(), syscall_mask_all()}};

	facts_only_several_walks(facts, &heirs);
	for (size_t i = 0; i < facts->set->count; i++) {
		const struct fact *fact = &facts->item[i];
		const struct rule *rule = facts->set->rule[i];

		if (fact->role == ROLE_OTHER || rule->key)
			continue;
		if (fact->role == ROLE_OPAQUE ||
		    rule->filter == AUDIT_FILTER_URING_EXIT)
			return (struct syscall_set){
				{syscall_mask_all(), syscall_mask_all()}};
		if (fact->role != ROLE_LIST)
			syscall_set_unite(&heirs, fact->calls);
	}
	return heirs;
}

static bool is_never_of_list(const struct facts *facts, size_t k)
{
	const struct rule *rule = facts->set->rule[k];

	return facts->item[k].role == ROLE_LIST &&
	       rule->filter == AUDIT_FILTER_EXIT && rule->action == AUDIT_NEVER;
}

/* What is asked of all rules again and again. */
struct asking {
	struct facts *facts;
	struct syscall_set heirs;
	struct syscall_set all;
	struct fact any;	   /* a terminator without a demand */
	struct fact fact[DEMANDS]; /* with one */
};

/* The facts of a terminator with TEST, or without one if that is NULL. */
static struct fact fact_of(struct asking *asking, const struct field_test *test)
{
	struct rule rule = {.filter = AUDIT_FILTER_EXIT,
			    .test = test,
			    .tests = test != NULL};

	return (struct fact){
		.predicate = predicate_of(asking->facts->scratch, &rule),
		.calls = &asking->all,
		.role = ROLE_LIST,
		.lasting = true};
}

static struct asking *asking_of(struct facts *facts)
{
	struct asking *asking = arena_alloc(facts->scratch, sizeof(*asking));

	asking->facts = facts;
	asking->heirs = heirs_of(facts);
	asking->all.abi[ABI_NATIVE] = syscall_mask_all();
	asking->all.abi[ABI_COMPAT] = syscall_mask_all();
	asking->any = fact_of(asking, NULL);
	for (int d = 0; d < DEMANDS; d++) {
		struct field_test test = demand_test((enum demand)d);

		asking->fact[d] = fact_of(asking, &test);
	}
	return asking;
}

/* The calls on which rule K could meet a terminator in front of it. */
static struct syscall_set met_by(const struct asking *asking,
				 const struct fact *t, size_t k)
{
	struct syscall_set both;

	if (!facts_meet_as(asking->facts, t, AUDIT_FILTER_EXIT, k, &both))
		both = (struct syscall_set){0};
	return both;
}

static bool asks_for_perm(const struct facts *facts, size_t k)
{
	const struct fact *fact = &facts->item[k];

	return fact->role != ROLE_OTHER && fact->role != ROLE_OPAQUE &&
	       facts->set->rule[k]->filter == AUDIT_FILTER_EXIT &&
	       has_perm(facts->set->rule[k]);
}

/* The calls that a terminator without a demand, in front of K, may not have. */
static struct syscall_set kept_by(const struct asking *asking, size_t k)
{
	struct facts *facts = asking->facts;
	struct syscall_set kept = met_by(asking, &asking->any, k);

	if (asks_for_perm(facts, k))
		judge_perm(facts, k, &kept);
	if (!is_never_of_list(facts, k))
		return kept;
	if (!facts->set->rule[k]->key)
		return (struct syscall_set){0};
	syscall_set_intersect(&kept, &asking->heirs);
	return kept;
}

/* Takes from KEPT what K cannot match if DEMAND is met. Of a kernel that is not
 * known only what the predicates say counts, not what perm does. */
static void let_go(const struct asking *asking, size_t k, enum demand demand,
		   struct syscall_set *kept)
{
	const struct facts *facts = asking->facts;
	const struct fact *t = &asking->fact[demand];
	struct syscall_set met = met_by(asking, t, k);

	if (!asks_for_perm(facts, k)) {
		syscall_set_intersect(kept, &met);
	} else if (!facts->context->kernel_unknown) {
		syscall_set_intersect(kept, &met);
		subtract_by_flags(facts, k, demand, kept);
	} else if (predicate_disjoint(t->predicate, facts->item[k].predicate)) {
		syscall_set_intersect(kept, &met);
	}
}

struct question {
	const struct asking *asking;
	size_t rule;
};

/* May rule K stand behind the terminator that is asked about? */
static bool may_follow(size_t k, void *data)
{
	const struct question *question = data;
	const struct facts *facts = question->asking->facts;
	const struct rule *rule = facts->set->rule[question->rule];
	struct syscall_set kept = kept_by(question->asking, k);

	syscall_set_intersect(&kept, facts->item[question->rule].calls);
	for (unsigned int i = 0; i < rule->tests; i++)
		if (demand_of(&rule->test[i]) != DEMANDS)
			let_go(question->asking, k, demand_of(&rule->test[i]),
			       &kept);
	return syscall_set_empty(&kept);
}

/* Could the rule at I be taken out without any effect? */
static bool is_terminator(const struct asking *asking, size_t i,
			  const struct syscall_set *allowed)
{
	const struct facts *facts = asking->facts;
	const struct syscall_set *calls = facts->item[i].calls;
	struct question question = {asking, i};

	return has_own_form(facts, i) && syscall_set_subset(calls, allowed) &&
	       facts_scan(facts, i + 1, facts->set->count, AUDIT_FILTER_EXIT,
			  calls, may_follow, &question);
}

/* From the last to the first, so that one is in no other's way. */
bool terminators_take_out(struct ruleset *set, struct pass_context *context,
			  struct taken_rule **taken)
{
	struct facts *facts = facts_begin(set, context);
	struct asking *asking = asking_of(facts);
	struct syscall_set allowed = allowed_calls(set, context->level);
	struct taken_rule *before = *taken;

	for (size_t i = set->count; i-- > 0;) {
		struct taken_rule *one;

		if (!is_terminator(asking, i, &allowed) ||
		    !facts_take_out(facts, i))
			continue;
		one = arena_alloc(context->arena, sizeof(*one));
		*one = (struct taken_rule){set->rule[i], *taken};
		*taken = one;
	}
	facts_end(facts);
	return *taken != before;
}

static void set_from(uint32_t from[ABI_COUNT][SYSCALL_MASK_CALLS],
		     const struct syscall_set *calls, uint32_t position)
{
	for (int abi = 0; abi < ABI_COUNT; abi++) {
		const struct syscall_mask *mask = &calls->abi[abi];

		for (int n = syscall_mask_next(mask, 0);
		     n >= 0 && n < SYSCALL_MASK_CALLS;
		     n = syscall_mask_next(mask, n + 1))
			from[abi][n] = position;
	}
}

/* All calls but the one that DEMAND is meant for. */
static struct syscall_set other_calls(const struct target *target,
				      enum demand demand)
{
	struct syscall_set others = {{syscall_mask_all(), syscall_mask_all()}};
	const char *name = demand_call(demand);

	if (!name)
		return (struct syscall_set){0};
	for (int abi = 0; abi < ABI_COUNT; abi++)
		syscall_mask_remove(
			&others.abi[abi],
			target_call_number(target, (enum abi)abi, name));
	return others;
}

/* What the terminators of each condition may not have, so far. */
struct permitting {
	const struct asking *asking;
	struct permission *permission;
	struct syscall_set kept[CONDITIONS];
};

static void forbid(struct permitting *p, unsigned int condition,
		   struct syscall_set calls, uint32_t until)
{
	struct syscall_set *kept = &p->kept[condition];

	if (syscall_set_subset(&calls, kept))
		return;
	syscall_set_subtract(&calls, kept);
	set_from(p->permission->from[condition], &calls, until);
	syscall_set_unite(kept, &calls);
}

static void forbid_by_demands(struct permitting *p, unsigned int condition)
{
	const struct target *target = p->asking->facts->set->target;

	for (int d = 0; d < DEMANDS; d++)
		if (condition_demands(condition) >> d & 1)
			forbid(p, condition,
			       other_calls(target, (enum demand)d), NOWHERE);
}

/* Rule K keeps from the terminators in front of it what it may match. */
static void forbid_by_rule(struct permitting *p, size_t k)
{
	struct syscall_set kept = kept_by(p->asking, k);
	struct syscall_set with[DEMANDS];

	if (syscall_set_empty(&kept))
		return;
	for (int d = 0; d < DEMANDS; d++) {
		with[d] = kept;
		let_go(p->asking, k, (enum demand)d, &with[d]);
	}
	for (unsigned int c = 0; c < CONDITIONS; c++) {
		struct syscall_set calls = kept;

		for (int d = 0; d < DEMANDS; d++)
			if (condition_demands(c) >> d & 1)
				syscall_set_intersect(&calls, &with[d]);
		forbid(p, c, calls, (uint32_t)k + 1);
	}
}

/* Calls that no terminator may have. */
static struct syscall_set forbidden_calls(const struct facts *facts)
{
	struct syscall_set forbidden = {
		{syscall_mask_all(), syscall_mask_all()}};
	struct syscall_set allowed =
		allowed_calls(facts->set, facts->context->level);
	struct syscall_mask signals = facts_new_signals(facts);

	syscall_set_subtract(&forbidden, &allowed);
	for (int abi = 0; abi < ABI_COUNT; abi++)
		syscall_mask_unite(&forbidden.abi[abi], &signals);
	return forbidden;
}

static struct permission *permission_of(struct facts *facts)
{
	struct permission *permission =
		arena_alloc(facts->scratch, sizeof(*permission));
	struct permitting *p = arena_alloc(facts->scratch, sizeof(*p));
	struct syscall_set forbidden = forbidden_calls(facts);
	struct syscall_set all = {{syscall_mask_all(), syscall_mask_all()}};

	p->asking = asking_of(facts);
	p->permission = permission;
	for (unsigned int c = 0; c < CONDITIONS; c++) {
		bool too_much =
			condition_demands(c) && facts->context->level < 2;

		forbid(p, c, too_much ? all : forbidden, NOWHERE);
		forbid_by_demands(p, c);
	}
	for (size_t k = facts->set->count; k-- > 0;)
		if (facts->item[k].role != ROLE_OTHER)
			forbid_by_rule(p, k);
	return permission;
}

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

static size_t choose_all(const struct facts *facts,
			 const struct permission *permission,
			 struct terminator chosen[TERMINATORS_AT_MOST])
{
	struct profile *profile =
		profile_default(facts->scratch, facts->set->target);
	size_t count = 0;

	while (count < TERMINATORS_AT_MOST &&
	       terminator_choose(facts->set, permission, profile, chosen, count,
				 &chosen[count])) {
		chosen[count].rule = make_rule(facts->set, &chosen[count]);
		count++;
	}
	return count;
}

static void log_added(struct pass_context *context,
		      const struct terminator *added)
{
	const char *of = condition_text(context->arena, added->condition);
	struct change change = {.pass = pass_terminators.name,
				.rules_added = 1};

	change.text =
		arena_printf(context->arena,
			     "added: ends the walk of %u call%s%s%s, which no "
			     "rule behind it "
			     "could match",
			     syscall_mask_count(&added->calls),
			     syscall_mask_count(&added->calls) > 1 ? "s" : "",
			     *of ? " " : "", of);
	change_log_add(context, change);
}

static void log_dropped(struct pass_context *context, const struct rule *rule)
{
	change_log_add(
		context,
		(struct change){.pass = pass_terminators.name,
				.what = rule->origin,
				.text = "dropped: no rule behind it could "
					"match what it excludes, and as an "
					"end of the walk it does not pay",
				.rules_dropped = 1});
}

/* Takes from TAKEN what is the same as RULE, whose origin it is then. */
static bool was_there(struct taken_rule *taken, struct rule *rule)
{
	for (; taken; taken = taken->next) {
		if (!taken->rule || taken->rule->epoch != rule->epoch ||
		    !rule_same_to_kernel(taken->rule, rule))
			continue;
		rule->origin = taken->rule->origin;
		taken->rule = NULL;
		return true;
	}
	return false;
}

static void log_differences(struct pass_context *context,
			    struct taken_rule *taken,
			    const struct terminator *chosen, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!was_there(taken, chosen[i].rule))
			log_added(context, &chosen[i]);
	for (; taken; taken = taken->next)
		if (taken->rule)
			log_dropped(context, taken->rule);
}

void terminators_put_in(struct ruleset *set, struct pass_context *context,
			struct taken_rule *taken)
{
	struct facts *facts = facts_begin(set, context);
	struct terminator chosen[TERMINATORS_AT_MOST];
	size_t count = choose_all(facts, permission_of(facts), chosen);

	facts_end(facts);
	log_differences(context, taken, chosen, count);
	*set = *terminators_inserted(set->arena, set, chosen, count);
}

static void run(struct ruleset *set, struct pass_context *context)
{
	struct taken_rule *taken = NULL;

	terminators_take_out(set, context, &taken);
	terminators_put_in(set, context, taken);
}

const struct pass pass_terminators = {
	.name = "terminators",
	.purpose = "adds never rules that end the walk for calls that no rule "
		   "behind them could match",
	.level = 1,
	.run = run,
};
