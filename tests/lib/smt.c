/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/smt_parts.h"
#include "model/audit_names.h"
#include "model/self_log.h"

/* Z3's resource limit for a question. */
#define STEPS_AT_MOST 4000000
/* How a bucket's order may be after its watched files were replaced: as it
 * was, or with the watches in front in either order (audit_update_watch). */
#define ORDERS 3

enum { SEEN_NONE, SEEN_NEVER, SEEN_RECORD, SEEN_DUMMY };

Z3_ast smt_word(struct smt *s, const char *format, ...)
{
	va_list args;
	char *name;

	va_start(args, format);
	name = arena_vprintf(s->arena, format, args);
	va_end(args);
	return Z3_mk_const(s->z3, Z3_mk_string_symbol(s->z3, name),
			   Z3_mk_bv_sort(s->z3, 32));
}

Z3_ast smt_flag(struct smt *s, const char *format, ...)
{
	va_list args;
	char *name;

	va_start(args, format);
	name = arena_vprintf(s->arena, format, args);
	va_end(args);
	return Z3_mk_const(s->z3, Z3_mk_string_symbol(s->z3, name),
			   Z3_mk_bool_sort(s->z3));
}

Z3_ast smt_number(struct smt *s, uint32_t value)
{
	return Z3_mk_unsigned_int(s->z3, value, Z3_mk_bv_sort(s->z3, 32));
}

Z3_ast smt_constant(struct smt *s, bool value)
{
	return value ? Z3_mk_true(s->z3) : Z3_mk_false(s->z3);
}

static bool is(struct smt *s, Z3_ast a, bool value)
{
	return Z3_get_bool_value(s->z3, a) == (value ? Z3_L_TRUE : Z3_L_FALSE);
}

Z3_ast smt_and(struct smt *s, Z3_ast a, Z3_ast b)
{
	const Z3_ast both[] = {a, b};

	if (is(s, a, true) || is(s, b, false))
		return b;
	if (is(s, b, true) || is(s, a, false))
		return a;
	return Z3_mk_and(s->z3, 2, both);
}

Z3_ast smt_or(struct smt *s, Z3_ast a, Z3_ast b)
{
	const Z3_ast both[] = {a, b};

	if (is(s, a, false) || is(s, b, true))
		return b;
	if (is(s, b, false) || is(s, a, true))
		return a;
	return Z3_mk_or(s->z3, 2, both);
}

Z3_ast smt_not(struct smt *s, Z3_ast a)
{
	if (is(s, a, true) || is(s, a, false))
		return smt_constant(s, is(s, a, false));
	return Z3_mk_not(s->z3, a);
}

/* What a walk came to: SEEN_*, and the key's number. */
struct seen {
	Z3_ast verdict, key;
};

/* Keys as numbers: 0 for none, else one more than the place in both sets of the
 * first rule that has it. */
static uint32_t key_number(const struct smt *s, const char *key)
{
	uint32_t number = 1;

	for (int side = 0; key && side < 2; side++) {
		const struct ruleset *set = s->set[side];

		for (size_t i = 0; i < set->count; i++, number++)
			if (set->rule[i]->key &&
			    strcmp(set->rule[i]->key, key) == 0)
				return number;
	}
	return 0;
}

static struct seen choose(struct smt *s, Z3_ast condition, struct seen yes,
			  struct seen no)
{
	if (is(s, condition, false))
		return no;
	return (struct seen){
		Z3_mk_ite(s->z3, condition, yes.verdict, no.verdict),
		Z3_mk_ite(s->z3, condition, yes.key, no.key)};
}

/* What a match of RULE makes of a context with the key LEFT in it. */
static struct seen match_of(struct smt *s, const struct rule *rule, Z3_ast left)
{
	bool never = rule->action == AUDIT_NEVER;

	return (struct seen){smt_number(s, never ? SEEN_NEVER : SEEN_RECORD),
			     rule->key ? smt_number(s, key_number(s, rule->key))
				       : left};
}

/* Where audit_find_rule puts it. */
enum home { HOME_ELSEWHERE, HOME_LIST, HOME_WATCH, HOME_INODE };

static enum home home_of(const struct smt *s, const struct rule *rule)
{
	uint32_t list =
		s->call.uring ? AUDIT_FILTER_URING_EXIT : AUDIT_FILTER_EXIT;

	if (rule->filter != AUDIT_FILTER_EXIT &&
	    rule->filter != AUDIT_FILTER_URING_EXIT)
		return HOME_ELSEWHERE;
	for (unsigned int i = 0; i < rule->tests; i++) {
		if (rule->test[i].field->number == AUDIT_WATCH)
			return HOME_WATCH;
		if (rule->test[i].field->number == AUDIT_INODE &&
		    rule->test[i].op == OP_EQ)
			return HOME_INODE;
	}
	return rule->filter == list ? HOME_LIST : HOME_ELSEWHERE;
}

/* A rule that the call may meet. */
struct met {
	const struct rule *rule;
	enum home home;
	Z3_ast in_mask;
	Z3_ast reached; /* bucket: no rule of the list before it matches */
};

struct walk {
	struct met *met; /* in the set's order */
	size_t count;
	size_t buckets;	  /* of them in buckets */
	struct seen list; /* after the walk of the list */
};

static Z3_ast all_tests(struct smt *s, const struct met *met, int name)
{
	Z3_ast all = met->in_mask;

	for (unsigned int i = 0; i < met->rule->tests; i++)
		all = smt_and(s, all, smt_test(s, &met->rule->test[i], name));
	return all;
}

static void meet_rules(struct smt *s, const struct ruleset *set,
		       struct walk *walk)
{
	walk->met = arena_array(s->arena, set->count, sizeof(*walk->met));
	for (size_t i = 0; i < set->count; i++) {
		struct met met = {.rule = set->rule[i]};
		bool uring;

		met.home = home_of(s, met.rule);
		if (met.home == HOME_ELSEWHERE)
			continue;
		/* the buckets are asked for the call's number, which an
		 * operation outside of a call has none of: 0 */
		uring = met.home != HOME_LIST && s->call.uring;
		met.in_mask =
			smt_in_mask(s, met.rule, uring ? 0 : s->call.number);
		if (is(s, met.in_mask, false))
			continue;
		walk->buckets += met.home != HOME_LIST;
		walk->met[walk->count++] = met;
	}
}

/* audit_filter_syscall, audit_filter_uring. A match sets prio, and a rule
 * behind it no longer counts in any bucket. */
static void walk_list(struct smt *s, struct walk *walk)
{
	Z3_ast *holds = arena_array(s->arena, walk->count, sizeof(*holds));
	Z3_ast before = smt_constant(s, false);

	for (size_t i = 0; i < walk->count; i++) {
		struct met *met = &walk->met[i];

		met->reached = smt_not(s, before);
		if (met->home != HOME_LIST)
			continue;
		holds[i] = all_tests(s, met, IN_LIST);
		before = smt_or(s, before, holds[i]);
	}
	walk->list = (struct seen){smt_number(s, SEEN_NONE), smt_number(s, 0)};
	for (size_t i = walk->count; i-- > 0;)
		if (walk->met[i].home == HOME_LIST)
			walk->list = choose(s, holds[i],
					    match_of(s, walk->met[i].rule,
						     smt_number(s, 0)),
					    walk->list);
}

/* The bucket rules in ORDER; returns how many. */
static size_t bucket_order(const struct walk *walk, unsigned int order,
			   const struct met **to)
{
	size_t count = 0;

	if (order == 0) {
		for (size_t i = 0; i < walk->count; i++)
			if (walk->met[i].home != HOME_LIST)
				to[count++] = &walk->met[i];
		return count;
	}
	for (size_t i = 0; i < walk->count; i++) {
		size_t at = order == 1 ? i : walk->count - 1 - i;

		if (walk->met[at].home == HOME_WATCH)
			to[count++] = &walk->met[at];
	}
	for (size_t i = 0; i < walk->count; i++)
		if (walk->met[i].home == HOME_INODE)
			to[count++] = &walk->met[i];
	return count;
}

/* audit_filter_inodes: name after name, and the first match is the last. Rules
 * of another bucket are seen to by their own path and inode tests. */
static struct seen walk_names(struct smt *s, const struct walk *walk,
			      unsigned int order)
{
	const struct met **rule =
		arena_array(s->arena, walk->count, sizeof(*rule));
	size_t count = bucket_order(walk, order, rule);
	struct seen seen = walk->list;

	for (int name = SMT_NAMES - 1; name >= 0; name--) {
		for (size_t i = count; i-- > 0;) {
			Z3_ast matches =
				smt_and(s, rule[i]->reached,
					smt_and(s, smt_flag(s, FLAG_NAME, name),
						all_tests(s, rule[i], name)));

			seen = choose(
				s, matches,
				match_of(s, rule[i]->rule, walk->list.key),
				seen);
		}
	}
	return seen;
}

/* Which verdicts nobody can tell from none at the level. */
static Z3_ast visible(struct smt *s, Z3_ast verdict, bool self_log)
{
	Z3_ast none = smt_number(s, SEEN_NONE);

	if (s->level >= 2 || !self_log)
		verdict = Z3_mk_ite(
			s->z3,
			Z3_mk_eq(s->z3, verdict, smt_number(s, SEEN_NEVER)),
			none, verdict);
	if (s->level >= 2)
		verdict = Z3_mk_ite(
			s->z3,
			Z3_mk_eq(s->z3, verdict, smt_number(s, SEEN_DUMMY)),
			none, verdict);
	return verdict;
}

static Z3_ast outcomes_differ(struct smt *s, struct seen a, struct seen b)
{
	bool self_log =
		s->call.uring ||
		call_can_self_log(s->target, s->call.abi, s->call.number, NULL);
	Z3_ast of_a = visible(s, a.verdict, self_log);
	Z3_ast same = Z3_mk_eq(s->z3, of_a, visible(s, b.verdict, self_log));
	Z3_ast silent =
		smt_not(s, Z3_mk_eq(s->z3, of_a, smt_number(s, SEEN_RECORD)));

	return smt_not(
		s, smt_and(s, same,
			   smt_or(s, silent, Z3_mk_eq(s->z3, a.key, b.key))));
}

static bool counts_a_rule(const struct ruleset *set)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->rule[i]->filter == AUDIT_FILTER_EXIT ||
		    set->rule[i]->filter == AUDIT_FILTER_TASK ||
		    set->rule[i]->filter == AUDIT_FILTER_URING_EXIT)
			return true;
	return false;
}

static struct seen seen_of(struct smt *s, int side, const struct walk *walk,
			   unsigned int order)
{
	if (!counts_a_rule(s->set[side]))
		return (struct seen){smt_number(s, SEEN_DUMMY),
				     smt_number(s, 0)};
	return walk_names(s, walk, order);
}

/* Some event, in some order of the buckets, tells the sets apart. */
static Z3_ast question(struct smt *s)
{
	struct walk walk[2] = {0};
	Z3_ast any = smt_constant(s, false);
	unsigned int orders = 1;

	for (int side = 0; side < 2; side++) {
		meet_rules(s, s->set[side], &walk[side]);
		walk_list(s, &walk[side]);
		if (walk[side].buckets > 1)
			orders = ORDERS;
	}
	for (unsigned int i = 0; i < orders; i++) {
		struct seen a = seen_of(s, 0, &walk[0], i);
		struct seen b = seen_of(s, 1, &walk[1], i);

		any = smt_or(s, any,
			     smt_and(s,
				     Z3_mk_eq(s->z3, smt_word(s, WORD_REPLACED),
					      smt_number(s, i)),
				     outcomes_differ(s, a, b)));
	}
	return any;
}

static void complain(Z3_context z3, Z3_error_code code)
{
	fprintf(stderr, "Z3: %s\n", Z3_get_error_msg(z3, code));
	abort();
}

struct smt *smt_new(struct arena *arena, const struct ruleset *before,
		    const struct ruleset *after, int level)
{
	struct smt *s = arena_alloc(arena, sizeof(*s));
	Z3_config config = Z3_mk_config();

	s->arena = arena;
	s->target = before->target;
	s->set[0] = before;
	s->set[1] = after;
	s->level = level < 1 ? 1 : level;
	s->z3 = Z3_mk_context(config);
	Z3_del_config(config);
	Z3_set_error_handler(s->z3, complain);
	return s;
}

static void forget_question(struct smt *s)
{
	if (s->model)
		Z3_model_dec_ref(s->z3, s->model);
	if (s->solver)
		Z3_solver_dec_ref(s->z3, s->solver);
	s->model = NULL;
	s->solver = NULL;
}

void smt_free(struct smt *s)
{
	forget_question(s);
	Z3_del_context(s->z3);
}

static void start_solver(struct smt *s)
{
	Z3_params params;

	s->solver = Z3_mk_solver_for_logic(s->z3,
					   Z3_mk_string_symbol(s->z3, "QF_BV"));
	Z3_solver_inc_ref(s->z3, s->solver);
	params = Z3_mk_params(s->z3);
	Z3_params_inc_ref(s->z3, params);
	Z3_params_set_uint(s->z3, params, Z3_mk_string_symbol(s->z3, "rlimit"),
			   STEPS_AT_MOST);
	Z3_solver_set_params(s->z3, s->solver, params);
	Z3_params_dec_ref(s->z3, params);
}

enum smt_answer smt_ask(struct smt *s, const struct smt_call *call)
{
	forget_question(s);
	s->call = *call;
	start_solver(s);
	smt_assert_facts(s);
	Z3_solver_assert(s->z3, s->solver, question(s));
	switch (Z3_solver_check(s->z3, s->solver)) {
	case Z3_L_FALSE:
		return SMT_SAME;
	case Z3_L_TRUE:
		break;
	default:
		return SMT_UNKNOWN;
	}
	if (Z3_solver_check_assumptions(s->z3, s->solver, s->nows, s->now) ==
	    Z3_L_TRUE) {
		s->model = Z3_solver_get_model(s->z3, s->solver);
		Z3_model_inc_ref(s->z3, s->model);
	}
	return SMT_DIFFERENT;
}
