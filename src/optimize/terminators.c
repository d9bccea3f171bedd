/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A `never` rule T is added where it ends the walk of calls that nothing behind
 * it could match: in front of all rules, or behind the last one that could; and
 * with a condition, where all that stand behind demand the contrary.
 *
 * Why that changes nothing: T's calls are such that no rule behind it, in the
 * list or in a bucket, could meet T (facts_meet_as) on them, but for `never`
 * rules: those of the list, and those of buckets in front of which no bucket
 * rule could match. Let the walk of such a call come to T:
 * - Without T no other list rule behind matches, and of the buckets only rules
 *   in front of T can. With T the walk ends, prio becomes T's, and bucket rules
 *   in front of T have a greater one: the same ones match, for the same names.
 * - T has no key, so that a bucket rule without key which overrides T inherits
 *   none. It would inherit that of a never rule behind T: such a call T does
 *   not have, if there is one without a key in front of the never rule
 *   (add_in_front()).
 * - A never rule of a bucket behind T ends the search through the names, which
 *   with T goes on: to no other bucket rule of such a call, as those behind it
 *   could not match and in front of it there is none.
 * - If nothing overrides T the call ends as AUDIT_STATE_DISABLED instead of
 *   AUDIT_STATE_BUILD, if it was not DISABLED before: records that the kernel
 * makes by itself then have no companions. So below level 2 only calls that
 * cannot log by themselves.
 * - Walks inside a call (facts.h): what T shuts out of the later ones stands
 *   behind T and could meet it, which facts_meet_as() asks of whole calls. An
 *   io_uring rule behind T could always; so T then has no call. T asks for
 *   nothing that can change between walks, but has no result before the last
 *   one, where the rules that ask for a result have none either.
 * - With kill in its mask T might be the first rule that counts in
 * audit_signals (facts_new_signals): then it has none of those.
 * - A context is a dummy if no rule counts at all: T is added to others only,
 *   since without one no walk can be made shorter.
 * A mask has numbers: without arch= one is taken only if the calls of both ABIs
 * by it are allowed; with flags, what is not the open or openat that is meant
 * must be allowed whatever its arguments are. Numbers that are no call of any ABI
 * are left out, nobody makes them. Terminators in front of each other are in
 * nobody's way: where one would have matched, nothing behind could but another
 * terminator.
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

#include <stdlib.h>

#include "optimize/facts.h"
#include "optimize/terminator_choose.h"
#include "optimize/terminator_early.h"

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
	struct syscall_set kept = terminator_kept_by(question->asking, k);

	syscall_set_intersect(&kept, facts->item[question->rule].calls);
	for (unsigned int i = 0; i < rule->tests; i++)
		if (demand_of(&rule->test[i]) != DEMANDS)
			terminator_let_go(question->asking, k,
					  demand_of(&rule->test[i]), &kept);
	return syscall_set_empty(&kept);
}

/* Could the rule at I be taken out without any effect? */
static bool is_terminator(const struct asking *asking, size_t i)
{
	const struct facts *facts = asking->facts;
	const struct syscall_set *calls = facts->item[i].calls;
	struct question question = {asking, i};

	return facts_scan(facts, i + 1, facts->set->count, AUDIT_FILTER_EXIT,
			  calls, may_follow, &question);
}

/* Takes out rule I and the COPIES in front of it. */
static bool take_out(struct facts *facts, size_t i, size_t copies,
		     struct taken_rule **taken)
{
	for (size_t k = i + 1; k-- > i - copies;) {
		struct taken_rule *one;

		if (!facts_take_out(facts, k))
			return false;
		one = arena_alloc(facts->context->arena, sizeof(*one));
		*one = (struct taken_rule){facts->set->rule[k], *taken};
		*taken = one;
	}
	return true;
}

/* From the last to the first, so that one is in no other's way. */
bool terminators_take_out(struct ruleset *set, struct pass_context *context,
			  struct taken_rule **taken)
{
	struct facts *facts = facts_begin(set, context);
	struct asking *asking = terminator_asking(facts);
	struct syscall_set allowed = terminator_allowed(set, context);
	struct taken_rule *before = *taken;

	for (size_t i = set->count; i-- > 0;) {
		size_t copies = 0;

		if (facts->item[i].gone || !has_own_form(facts, i) ||
		    !syscall_set_subset(facts->item[i].calls, &allowed))
			continue;
		if (!is_terminator(asking, i)) {
			copies = early_copies_at(asking, i);
			if (!copies)
				continue;
		}
		take_out(facts, i, copies, taken);
	}
	facts_end(facts);
	return *taken != before;
}

/* In the order in which they stand. */
static int by_place(const void *left, const void *right)
{
	const struct terminator *a = left, *b = right;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	if (a->front != b->front)
		return a->front ? -1 : 1;
	return (a->turn < b->turn) == a->front ? 1 : -1;
}

/* Does A, in front of B, end the walk of each of its calls that B would end? */
static bool is_hiding(const struct terminator *a, const struct terminator *b)
{
	return !(condition_demands(a->condition) &
		 ~condition_demands(b->condition)) &&
	       (a->abi < 0 || a->abi == b->abi);
}

/* Takes out of the masks of CHOSEN, which are in the order in which they stand,
 * and so of their copies', what others in front of them end. Returns how many are
 * left that end something. */
static size_t drop_hidden(const struct facts *facts, const struct early *early,
			  struct terminator *chosen, size_t count)
{
	size_t kept = 0;

	for (size_t b = 0; b < count; b++) {
		struct terminator *t = &chosen[b];

		for (size_t a = 0; a < kept; a++)
			if (is_hiding(&chosen[a], t))
				syscall_mask_subtract(&t->rule->mask,
						      &chosen[a].calls);
		if (syscall_mask_empty(&t->rule->mask))
			continue;
		if (t->early && !syscall_mask_equal(&t->calls, &t->rule->mask))
			t->copy = early_copies(facts, early, t, &t->copies);
		t->calls = t->rule->mask;
		chosen[kept++] = *t;
	}
	return kept;
}

static void log_added(struct pass_context *context,
		      const struct terminator *added)
{
	const char *of = condition_text(context->arena, added->condition);
	struct change change = {.pass = pass_terminators.name,
				.rules_added = 1};

	change.text =
		arena_printf(context->arena,
			     "added: ends the walk of %u call%s%s%s; what "
			     "could log them "
			     "stands in front",
			     syscall_mask_count(&added->calls),
			     syscall_mask_count(&added->calls) > 1 ? "s" : "",
			     *of ? " " : "", of);
	change_log_add(context, change);
}

static void log_copies(struct pass_context *context, const struct terminator *t,
		       unsigned int copies)
{
	change_log_add(context,
		       (struct change){
			       .pass = pass_terminators.name,
			       .because = t->copy[0]->origin,
			       .rules_added = copies,
			       .text = arena_printf(
				       context->arena,
				       "added: %u %s, as such calls would ask "
				       "them, in "
				       "front of the rule that ends their walk",
				       copies,
				       copies > 1 ? "copies of later rules"
						  : "copy of a later rule")});
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
		if (rule->origin.count)
			rule->copied = (struct origin){0};
		rule->line = taken->rule->line;
		taken->rule = NULL;
		return true;
	}
	return false;
}

static void log_differences(struct pass_context *context,
			    struct taken_rule *taken,
			    const struct terminator *chosen, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		unsigned int copies = 0;

		for (size_t k = 0; k < chosen[i].copies; k++)
			copies += !was_there(taken, chosen[i].copy[k]);
		if (!was_there(taken, chosen[i].rule))
			log_added(context, &chosen[i]);
		if (copies)
			log_copies(context, &chosen[i], copies);
	}
	for (; taken; taken = taken->next)
		if (taken->rule)
			log_dropped(context, taken->rule);
}

void terminators_put_in(struct ruleset *set, struct pass_context *context,
			struct taken_rule *taken)
{
	struct facts *facts = facts_begin(set, context);
	struct terminator chosen[TERMINATORS_AT_MOST];
	const struct early *early;
	size_t count = terminators_choose(facts, &early, chosen);

	if (count)
		qsort(chosen, count, sizeof(*chosen), by_place);
	count = drop_hidden(facts, early, chosen, count);
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
	.keeps_text = true,
	.run = run,
};
