/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which calls a terminator may have where: what the rules behind it could match
 * of them. terminators.c says why that is enough.
 */
#include "optimize/terminator_permit.h"

#include "model/perm.h"
#include "model/self_log.h"

struct syscall_set terminator_allowed(const struct ruleset *set,
				      const struct pass_context *context)
{
	struct syscall_set allowed = {{syscall_mask_all(), syscall_mask_all()}};

	return context->level < 2 ? calls_never_self_log_with(set->target,
							      context->unlogged)
				  : allowed;
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

/* RULE, as one in front of a never rule. Without a key of its own, and looked
 * at after the list, or in a later walk of it, it inherits the never rule's. */
static void add_in_front(const struct fact *fact, const struct rule *rule,
			 struct in_front *front)
{
	struct syscall_set calls = {{syscall_mask_all(), syscall_mask_all()}};

	if (fact->role == ROLE_OTHER)
		return;
	if (fact->role != ROLE_OPAQUE &&
	    rule->filter != AUDIT_FILTER_URING_EXIT) {
		if (fact->role == ROLE_LIST)
			return;
		calls = *fact->calls;
	}
	syscall_set_unite(&front->buckets, &calls);
	if (!rule->key)
		syscall_set_unite(&front->heirs, &calls);
}

bool terminator_is_never(const struct facts *facts, size_t k)
{
	const struct rule *rule = facts->set->rule[k];
	const struct fact *fact = &facts->item[k];

	return (fact->role == ROLE_LIST || fact->role == ROLE_BUCKET) &&
	       rule->filter == AUDIT_FILTER_EXIT && rule->action == AUDIT_NEVER;
}

/* By position, for never rules; NULL for others. */
static struct in_front **all_in_front(const struct facts *facts)
{
	struct in_front **each =
		arena_array(facts->scratch, facts->set->count + 1,
			    sizeof(struct in_front *));
	struct in_front front = {
		.heirs = {{syscall_mask_all(), syscall_mask_all()}}};

	facts_only_several_walks(facts, &front.heirs);
	for (size_t k = 0; k < facts->set->count; k++) {
		if (terminator_is_never(facts, k)) {
			each[k] = arena_alloc(facts->scratch, sizeof(front));
			*each[k] = front;
		}
		add_in_front(&facts->item[k], facts->set->rule[k], &front);
	}
	return each;
}

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

struct asking *terminator_asking(struct facts *facts)
{
	struct asking *asking = arena_alloc(facts->scratch, sizeof(*asking));

	asking->facts = facts;
	asking->in_front = all_in_front(facts);
	asking->met = arena_array(facts->scratch, facts->set->count + 1,
				  sizeof(struct syscall_set *));
	asking->kept = arena_array(facts->scratch, facts->set->count + 1,
				   sizeof(struct syscall_set *));
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
	       rule_test_of(facts->set->rule[k], FIELD_PERM) != NULL;
}

struct syscall_set terminator_met_by(const struct asking *asking, size_t k)
{
	struct syscall_set met;

	if (!asking->met[k]) {
		met = met_by(asking, &asking->any, k);
		if (asks_for_perm(asking->facts, k))
			judge_perm(asking->facts, k, &met);
		asking->met[k] =
			arena_copy(asking->facts->scratch, &met, sizeof(met));
	}
	return *asking->met[k];
}

static struct syscall_set kept_by(const struct asking *asking, size_t k)
{
	const struct facts *facts = asking->facts;
	struct syscall_set kept = terminator_met_by(asking, k);
	struct syscall_set seen = {0};

	if (!asking->in_front[k])
		return kept;
	if (facts->set->rule[k]->key)
		seen = asking->in_front[k]->heirs;
	if (facts->item[k].role == ROLE_BUCKET)
		syscall_set_unite(&seen, &asking->in_front[k]->buckets);
	syscall_set_intersect(&kept, &seen);
	return kept;
}

struct syscall_set terminator_kept_by(const struct asking *asking, size_t k)
{
	struct syscall_set kept;

	if (!asking->kept[k]) {
		kept = kept_by(asking, k);
		asking->kept[k] =
			arena_copy(asking->facts->scratch, &kept, sizeof(kept));
	}
	return *asking->kept[k];
}

/* Of a kernel that is not known only what the predicates say counts, not what
 * perm does. */
void terminator_let_go(const struct asking *asking, size_t k,
		       enum demand demand, struct syscall_set *kept)
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

/* What the terminators of each condition may still have. */
struct permitting {
	const struct asking *asking;
	struct permission *permission;
	struct syscall_set left[CONDITIONS];
	unsigned int open;	/* a bit a condition with which some may */
	unsigned int demands;	/* of those conditions */
	struct syscall_set any; /* what those of some condition may */
};

static void note_open(struct permitting *p)
{
	p->open = p->demands = 0;
	p->any = (struct syscall_set){0};
	for (unsigned int c = 0; c < CONDITIONS; c++)
		if (!syscall_set_empty(&p->left[c])) {
			p->open |= 1U << c;
			p->demands |= condition_demands(c);
			syscall_set_unite(&p->any, &p->left[c]);
		}
}

/* True if something was left of CALLS. */
static bool forbid(struct permitting *p, unsigned int condition,
		   struct syscall_set calls, uint32_t until)
{
	struct syscall_set *left = &p->left[condition];

	syscall_set_intersect(&calls, left);
	if (syscall_set_empty(&calls))
		return false;
	set_from(p->permission->from[condition], &calls, until);
	syscall_set_subtract(left, &calls);
	return true;
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
	struct syscall_set kept = terminator_kept_by(p->asking, k);
	struct syscall_set with[DEMANDS];
	bool changed = false;

	if (!syscall_set_intersects(&kept, &p->any))
		return;
	for (int d = 0; d < DEMANDS; d++) {
		if (!(p->demands >> d & 1))
			continue;
		with[d] = kept;
		terminator_let_go(p->asking, k, (enum demand)d, &with[d]);
	}
	for (unsigned int c = 0; c < CONDITIONS; c++) {
		struct syscall_set calls = kept;

		if (!(p->open >> c & 1))
			continue;
		for (int d = 0; d < DEMANDS; d++)
			if (condition_demands(c) >> d & 1)
				syscall_set_intersect(&calls, &with[d]);
		changed |= forbid(p, c, calls, (uint32_t)k + 1);
	}
	if (changed)
		note_open(p);
}

/* Calls that no terminator may have. */
static struct syscall_set forbidden_calls(const struct facts *facts)
{
	struct syscall_set forbidden = {
		{syscall_mask_all(), syscall_mask_all()}};
	struct syscall_set allowed =
		terminator_allowed(facts->set, facts->context);
	struct syscall_mask signals = facts_new_signals(facts);

	syscall_set_subtract(&forbidden, &allowed);
	for (int abi = 0; abi < ABI_COUNT; abi++)
		syscall_mask_unite(&forbidden.abi[abi], &signals);
	return forbidden;
}

struct permission *terminator_permission(struct asking *asking)
{
	const struct facts *facts = asking->facts;
	struct permission *permission =
		arena_alloc(facts->scratch, sizeof(*permission));
	struct permitting *p = arena_alloc(facts->scratch, sizeof(*p));
	struct syscall_set forbidden = forbidden_calls(facts);

	p->asking = asking;
	p->permission = permission;
	for (unsigned int c = 0; c < CONDITIONS; c++) {
		p->left[c] = asking->all;
		forbid(p, c, forbidden, NOWHERE);
		forbid_by_demands(p, c);
	}
	note_open(p);
	for (size_t k = facts->set->count; k-- > 0 && p->open;)
		if (facts->item[k].role != ROLE_OTHER)
			forbid_by_rule(p, k);
	return permission;
}
