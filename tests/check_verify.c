/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The proof: what the passes make of random sets is proved, for the most part;
 * and what the evaluator can tell apart never is, whatever was changed.
 *
 * AUDITOPT_VERIFY_SETS and AUDITOPT_PROPERTY_SEED in the environment make it
 * run longer, or elsewhere.
 */
#include <check.h>
#include <libaudit.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/build.h"
#include "lib/compare.h"
#include "lib/effort.h"
#include "lib/random_rules.h"
#include "model/self_log.h"
#include "optimize/pipeline.h"
#include "verify/equivalence.h"
#include "verify/tagged.h"

#define LEVELS 3
#define MOST_RULES 30
#define EVENTS 400

static size_t sets_wanted(void)
{
	return (size_t)effort_wanted("AUDITOPT_VERIFY_SETS", 120);
}

static struct ruleset *set_number(struct arena *arena, struct random *random,
				  size_t index)
{
	static const char *const names[] = {"x86_64", "x86_64",	 "x86_64",
					    "x86_64", "aarch64", "s390x"};
	uint64_t seed = effort_wanted("AUDITOPT_PROPERTY_SEED", 1);
	struct rules_shape shape;
	const struct target *target;

	random->state = seed * UINT64_C(1000003) + 77 + index;
	target = target_by_name(RANDOM_OF(random, names));
	if (!target)
		target = target_by_name("x86_64");
	shape = rules_shape_default(target,
				    1 + random_below(random, MOST_RULES));
	return random_ruleset(arena, random, &shape);
}

static struct verification verify(struct arena *arena,
				  const struct ruleset *before,
				  const struct ruleset *after, int level)
{
	struct verify_options options = {.level = level};

	return verify_equivalent(arena, before, after, &options);
}

static void fail_sets(const struct ruleset *before, const struct ruleset *after,
		      const char *why, size_t index, int level)
{
	fprintf(stderr, "before:\n");
	dump_ruleset(stderr, before);
	fprintf(stderr, "after:\n");
	dump_ruleset(stderr, after);
	ck_abort_msg("set %zu, level %d: %s", index, level, why);
}

/* A witness that the evaluator does not agree with is none. */
static void check_witnesses(struct arena *arena, const struct ruleset *before,
			    const struct ruleset *after,
			    const struct verification *v, size_t index)
{
	(void)arena;
	for (size_t i = 0; i < v->count; i++) {
		const struct class_proof *item = &v->item[i];

		if (item->proof != PROOF_DIFFERENT)
			continue;
		if (!item->witnesses)
			fail_sets(before, after, "no witness", index, v->level);
		for (size_t j = 0; j < item->witnesses; j++) {
			const struct witness *w = &item->witness[j];

			if (outcome_same(w->before, w->after,
					 v->level < 1 ? 1 : v->level, true))
				fail_sets(before, after, "witness is none",
					  index, v->level);
			if (!w->uring &&
			    !event_names_are_real(before->target, w->event))
				fail_sets(before, after, "witness is not real",
					  index, v->level);
		}
	}
}

static bool evaluator_tells(struct arena *arena, const struct ruleset *before,
			    const struct ruleset *after, int level,
			    struct random *random)
{
	struct settled b = settled_of(arena, before);
	struct settled a = settled_of(arena, after);
	const struct ruleset *sets[] = {before, after};
	const struct event *event;
	struct difference difference;

	for (int i = 0; i < 2; i++) {
		struct event_maker *maker = event_maker_new(arena, sets[i]);

		if (sets_differ(&b, &a, level, maker, random, EVENTS / 2,
				&event, &difference)) {
			if (getenv("AUDITOPT_SHOW"))
				dump_difference(stderr, &b, &a, level, event,
						&difference);
			return true;
		}
	}
	return false;
}

static void show_unproved(const struct ruleset *before,
			  const struct ruleset *after,
			  const struct verification *v, size_t index)
{
	for (size_t i = 0; i < v->count; i++) {
		const struct class_proof *item = &v->item[i];

		if (item->proof != PROOF_GOOD)
			fprintf(stderr,
				"set %zu, level %d: filter %u, native %d.. "
				"(%u), compat %d..: %s%s\n",
				index, v->level, item->filter,
				syscall_mask_next(&item->calls.abi[0], 0),
				syscall_set_count(&item->calls),
				syscall_mask_next(&item->calls.abi[1], 0),
				item->proof == PROOF_DIFFERENT ? "DIFFERENT "
							       : "",
				item->why ? item->why : "");
	}
	fprintf(stderr, "before:\n");
	dump_ruleset(stderr, before);
	fprintf(stderr, "after:\n");
	dump_ruleset(stderr, after);
}

START_TEST(passes_are_proved)
{
	size_t sets[LEVELS] = {0}, proved[LEVELS] = {0};
	size_t classes = 0, good = 0;

	for (size_t i = 0; i < sets_wanted(); i++) {
		for (int level = 0; level < LEVELS; level++) {
			struct arena *arena = arena_new();
			struct random random;
			struct ruleset *set = set_number(arena, &random, i);
			struct ruleset *copy = ruleset_copy(arena, set);
			struct change_log log = {0};
			struct verification v;

			pipeline_run(arena, copy, level, &log);
			v = verify(arena, set, copy, level);
			sets[level]++;
			proved[level] += v.proof == PROOF_GOOD;
			classes += v.count;
			good += v.proved;
			check_witnesses(arena, set, copy, &v, i);
			if (v.proof != PROOF_GOOD && getenv("AUDITOPT_SHOW"))
				show_unproved(set, copy, &v, i);
			if (v.proof == PROOF_DIFFERENT)
				fail_sets(set, copy, "passes are wrong", i,
					  level);
			if (v.proof == PROOF_GOOD &&
			    evaluator_tells(arena, set, copy, level, &random))
				fail_sets(set, copy, "proved and different", i,
					  level);
			arena_free(arena);
		}
	}
	for (int level = 0; level < LEVELS; level++)
		printf("-O%d: %zu of %zu sets proved\n", level, proved[level],
		       sets[level]);
	printf("%zu of %zu classes proved\n", good, classes);
	for (int level = 0; level < LEVELS; level++)
		ck_assert_uint_ge(proved[level] * 100, sets[level] * 90);
}
END_TEST

/* Changes of a set that nothing justifies. Each returns false if the set has
 * nothing that it could be done to. */

static struct rule *some_rule(struct ruleset *set, struct random *random,
			      size_t *at)
{
	*at = random_below(random, set->count);
	if (!set->count || (set->rule[*at]->filter != AUDIT_FILTER_EXIT &&
			    set->rule[*at]->filter != AUDIT_FILTER_URING_EXIT))
		return NULL;
	set->rule[*at] = rule_copy(set->arena, set->rule[*at]);
	return set->rule[*at];
}

static bool lose_rule(struct ruleset *set, struct random *random)
{
	size_t at;

	if (!some_rule(set, random, &at))
		return false;
	ruleset_remove(set, at);
	return true;
}

static bool drop_call(struct ruleset *set, struct random *random)
{
	size_t at;
	struct rule *rule = some_rule(set, random, &at);
	int call;

	if (!rule || syscall_mask_empty(&rule->mask))
		return false;
	call = syscall_mask_next(&rule->mask, (int)random_below(random, 300));
	if (call < 0)
		call = syscall_mask_next(&rule->mask, 0);
	syscall_mask_remove(&rule->mask, call);
	return true;
}

static bool swap_rules(struct ruleset *set, struct random *random)
{
	struct rule *rule;
	size_t a, b;

	if (set->count < 2 || !some_rule(set, random, &a))
		return false;
	b = random_chance(random, 50) ? a + 1
				      : random_below(random, set->count);
	if (b >= set->count || a == b)
		return false;
	rule = set->rule[a];
	set->rule[a] = set->rule[b];
	set->rule[b] = rule;
	return true;
}

static bool move_rule(struct ruleset *set, struct random *random)
{
	size_t at;
	struct rule *rule = some_rule(set, random, &at);

	if (!rule)
		return false;
	ruleset_remove(set, at);
	ruleset_insert(set, random_below(random, set->count + 1), rule);
	return true;
}

static bool near_copy(struct ruleset *set, struct random *random)
{
	size_t at;
	struct rule *rule = some_rule(set, random, &at), *changed;

	if (!rule)
		return false;
	changed = random_near_copy(set->arena, random, set->target, rule);
	changed->epoch = rule->epoch;
	set->rule[at] = changed;
	return true;
}

static struct field_test *some_test(struct ruleset *set, struct random *random)
{
	size_t at;
	struct rule *rule = some_rule(set, random, &at);
	struct field_test *test;

	if (!rule || !rule->tests)
		return NULL;
	test = arena_copy(set->arena, rule->test, rule->tests * sizeof(*test));
	rule->test = test;
	return &test[random_below(random, rule->tests)];
}

static bool change_value(struct ruleset *set, struct random *random)
{
	struct field_test *test = some_test(set, random);

	if (!test || test->string || test->field->kind == FIELD_ARCH ||
	    test->field->kind == FIELD_COMPARE)
		return false;
	test->value += random_chance(random, 50) ? 1 : UINT32_MAX;
	return true;
}

static bool change_op(struct ruleset *set, struct random *random)
{
	struct field_test *test = some_test(set, random);

	if (!test || test->field->kind == FIELD_PATH ||
	    test->field->kind == FIELD_DIR)
		return false;
	test->op = test->op == OP_EQ ? OP_NE : OP_EQ;
	return true;
}

static bool change_perm(struct ruleset *set, struct random *random)
{
	struct field_test *test = some_test(set, random);

	if (!test || test->field->kind != FIELD_PERM)
		return false;
	test->value ^= 1u << random_below(random, 4);
	return test->value != 0;
}

static bool change_path(struct ruleset *set, struct random *random)
{
	struct field_test *test = some_test(set, random);

	if (!test ||
	    (test->field->kind != FIELD_PATH && test->field->kind != FIELD_DIR))
		return false;
	test->string = "/another";
	test->value = 8;
	return true;
}

static bool change_key(struct ruleset *set, struct random *random)
{
	size_t at;
	struct rule *rule = some_rule(set, random, &at);

	if (!rule)
		return false;
	rule->key = rule->key && random_chance(random, 50) ? NULL : "another";
	return true;
}

static bool change_action(struct ruleset *set, struct random *random)
{
	size_t at;
	struct rule *rule = some_rule(set, random, &at);

	if (!rule)
		return false;
	rule->action = rule->action == AUDIT_NEVER ? AUDIT_ALWAYS : AUDIT_NEVER;
	return true;
}

static const struct mutation {
	const char *name;
	bool (*change)(struct ruleset *set, struct random *random);
} mutations[] = {
	{"a rule lost", lose_rule},
	{"a call dropped", drop_call},
	{"two rules swapped", swap_rules},
	{"a rule moved", move_rule},
	{"a rule changed somehow", near_copy},
	{"a value changed", change_value},
	{"an operator changed", change_op},
	{"a perm changed", change_perm},
	{"a path changed", change_path},
	{"a key changed", change_key},
	{"an action changed", change_action},
};

/* Of what the evaluator tells apart nothing may be proved. How much of it gets
 * a witness is told; most of it must. */
START_TEST(mutations_are_caught)
{
	const struct mutation *mutation = &mutations[_i];
	size_t done = 0, told = 0, witnessed = 0, proved = 0;

	for (size_t i = 0; i < sets_wanted(); i++) {
		struct arena *arena = arena_new();
		struct random random;
		struct ruleset *set = set_number(arena, &random, i);
		struct ruleset *broken;
		struct change_log log = {0};
		struct verification v;
		int level = 1 + (int)(i % 2);
		bool differ;

		random.state += (uint64_t)_i;
		if (i % 3)
			pipeline_run(arena, set, level, &log);
		broken = ruleset_copy(arena, set);
		if (!mutation->change(broken, &random)) {
			arena_free(arena);
			continue;
		}
		v = verify(arena, set, broken, level);
		differ = evaluator_tells(arena, set, broken, level, &random);
		done++;
		told += differ || v.proof == PROOF_DIFFERENT;
		witnessed += v.proof == PROOF_DIFFERENT;
		proved += v.proof == PROOF_GOOD;
		check_witnesses(arena, set, broken, &v, i);
		if (differ && v.proof == PROOF_GOOD)
			fail_sets(set, broken, "proved though different", i,
				  level);
		if (differ && v.proof == PROOF_NONE && getenv("AUDITOPT_SHOW"))
			show_unproved(set, broken, &v, i);
		arena_free(arena);
	}
	printf("%s: %zu done, %zu can be told apart, %zu have a witness, "
	       "%zu proved the same\n",
	       mutation->name, done, told, witnessed, proved);
	ck_assert(told < 30 || witnessed * 100 >= told * 85);
}
END_TEST

/* Pairs of sets that random ones seldom come to. */
static const struct pair {
	const char *before, *after;
	int level;
	bool same;
} pairs[] = {
	/* conditions on one value, in other words */
	{"calls=open auid>=1000 auid!=unset key=a",
	 "calls=open auid>999 auid<=4294967294 key=a", 1, true},
	{"calls=open exit=-EACCES key=a\ncalls=open exit=-EPERM key=a",
	 "calls=open exit>=-13 exit<=-1 exit!=-2 exit!=-3 exit!=-4 exit!=-5 "
	 "exit!=-6 exit!=-7 exit!=-8 exit!=-9 exit!=-10 exit!=-11 exit!=-12 "
	 "key=a",
	 1, true},
	/* a call that never returns has no result with any operator */
	{"calls=exit_group key=a",
	 "calls=exit_group success=0 key=a\n"
	 "calls=exit_group success=1 key=a",
	 1, false},
	/* gid also searches the supplementary groups */
	{"calls=open gid=5 gid=6 key=a", "calls=close key=b", 1, false},
	/* two names */
	{"calls=rename obj_uid=0 key=a\ncalls=rename obj_uid!=0 key=a",
	 "calls=rename key=a", 1, false},
	/* shadowed by two together */
	{"calls=open success=1 key=a\ncalls=open success=0 key=a\n"
	 "calls=open exit>=0 key=b",
	 "calls=open success=1 key=a\ncalls=open success=0 key=a", 1, true},
	/* a never rule is seen at level 1 where the kernel logs by itself */
	{"never arch=b64 calls=getpid\ncalls=open key=a", "calls=open key=a", 1,
	 true},
	{"never calls=read\ncalls=open key=a", "calls=open key=a", 1, false},
	{"never calls=read\ncalls=open key=a", "calls=open key=a", 2, true},
	/* and it stops inode rules behind it */
	{"calls=all path=/a perm=r key=a\nnever calls=openat a2=0",
	 "never calls=openat a2=0\ncalls=all path=/a perm=r key=a", 2, false},
	{"calls=all path=/a perm=w key=a\nnever calls=openat a2=0",
	 "never calls=openat a2=0\ncalls=all path=/a perm=w key=a", 2, true},
	/* an overridden match lends its key */
	{"calls=open path=/a\nnever calls=open key=lent",
	 "calls=open path=/a\nnever calls=open", 1, false},
	{"calls=open path=/a key=own\nnever calls=open key=lent",
	 "calls=open path=/a key=own\nnever calls=open", 1, true},
	/* ids may change between the walks of one call, auid does not */
	{"calls=unlink path=/a uid=0 key=a\nnever calls=unlink uid=5",
	 "never calls=unlink uid=5\ncalls=unlink path=/a uid=0 key=a", 1,
	 false},
	{"calls=unlink path=/a auid=0 key=a\nnever calls=unlink auid=5",
	 "never calls=unlink auid=5\ncalls=unlink path=/a auid=0 key=a", 1,
	 true},
	/* covered by the list, and yet it keeps another one from winning */
	{"calls=unlink path=/b uid=0 key=z\nnever calls=unlink key=n\n"
	 "calls=unlink path=/a key=x",
	 "calls=unlink path=/b uid=0 key=z\nnever calls=unlink key=n", 1,
	 false},
	{"never calls=unlink key=n\ncalls=unlink path=/a key=x",
	 "never calls=unlink key=n", 1, true},
	/* operations are walks with ids of their own */
	{"calls=open,execve uid=0 key=a\nnever calls=open,execve uid=5",
	 "never calls=open,execve uid=5\ncalls=open,execve uid=0 key=a", 1,
	 false},
	{"calls=open uid=0 key=a\nnever calls=open uid=5",
	 "never calls=open uid=5\ncalls=open uid=0 key=a", 1, true},
	/* not known whether path or directory */
	{"calls=all unsettled path=/a perm=w key=a\ncalls=open auid=0 key=b",
	 "calls=open auid=0 key=b\ncalls=all unsettled path=/a perm=w key=a", 1,
	 false},
	/* calls that collect no names, and rules that need one */
	{"arch=b64 calls=getppid,open dir=/x key=a",
	 "arch=b64 calls=open dir=/x key=a", 1, true},
	{"arch=b64 calls=getppid,open unsettled path=/x key=a",
	 "arch=b64 calls=open unsettled path=/x key=a", 1, true},
	{"arch=b64 calls=poll,open dir=/x key=a",
	 "arch=b64 calls=open dir=/x key=a", 1, false},
	{"never arch=b64 calls=getppid uid=5\nobj_uid!=5 key=a",
	 "obj_uid!=5 key=a\nnever arch=b64 calls=getppid uid=5", 1, true},
	/* the same, and not found out; no witness with a file shows it */
	{"arch=b64 calls=getppid filetype!=file key=a",
	 "arch=b64 calls=getppid filetype!=dir key=a", 1, false},
	/* the last rule that counts */
	{"calls=none key=a", "", 1, false},
	{"calls=none key=a", "", 2, true},
};

START_TEST(pairs_of_sets)
{
	const struct pair *pair = &pairs[_i];
	struct arena *arena = arena_new();
	const struct target *target = mk_target("x86_64");
	struct ruleset *before = mk_ruleset(arena, target, pair->before);
	struct ruleset *after = mk_ruleset(arena, target, pair->after);
	struct verification v = verify(arena, before, after, pair->level);

	check_witnesses(arena, before, after, &v, (size_t)_i);
	if ((v.proof == PROOF_GOOD) != pair->same) {
		show_unproved(before, after, &v, (size_t)_i);
		ck_abort_msg("pair %d: %s", _i,
			     pair->same ? "not proved" : "proved");
	}
	arena_free(arena);
}
END_TEST

/* Out of nodes: not proved, and no more than that. */
START_TEST(budget_runs_out)
{
	struct arena *arena = arena_new();
	const struct target *target = mk_target("x86_64");
	struct ruleset *before = mk_ruleset(arena, target,
					    "calls=open uid=0 gid=0 key=a\n"
					    "calls=open a1=1 a2=2 key=b\n");
	struct ruleset *after = mk_ruleset(arena, target,
					   "calls=open gid=0 uid=0 key=a\n"
					   "calls=open a2=2 a1=1 key=b\n");
	struct verify_options options = {.level = 1, .nodes_at_most = 8};
	struct verification v =
		verify_equivalent(arena, before, after, &options);

	ck_assert_int_eq(v.proof, PROOF_NONE);
	options.nodes_at_most = 0;
	v = verify_equivalent(arena, before, after, &options);
	ck_assert_int_eq(v.proof, PROOF_GOOD);
	arena_free(arena);
}
END_TEST

static enum proof proof_within(struct arena *arena, const char *before,
			       const char *after, size_t nodes_at_most)
{
	const struct target *target = mk_target("x86_64");
	struct verify_options options = {.level = 1,
					 .nodes_at_most = nodes_at_most};

	return verify_equivalent(arena, mk_ruleset(arena, target, before),
				 mk_ruleset(arena, target, after), &options)
		.proof;
}

/* What a class sees is the same: that is known without a single node. */
START_TEST(same_rules_cost_nothing)
{
	struct arena *arena = arena_new();
	const char *one = "calls=open,chmod uid=0 gid=0 key=a\n"
			  "calls=open exit=-EPERM key=b\n"
			  "calls=all path=/a perm=w key=c\n"
			  "calls=open uid=0 gid=0 key=a\n"
			  "calls=chmod dir=/b auid!=unset key=d\n";
	const char *cut = "calls=open uid=0 gid=0 key=a\n"
			  "calls=chmod uid=0 gid=0 key=a\n"
			  "calls=open exit=-EPERM key=b\n"
			  "calls=all path=/a perm=w key=c\n"
			  "calls=chmod dir=/b auid!=unset key=d\n";
	const char *swapped = "calls=open exit=-EPERM key=b\n"
			      "calls=open,chmod uid=0 gid=0 key=a\n"
			      "calls=all path=/a perm=w key=c\n"
			      "calls=chmod dir=/b auid!=unset key=d\n";
	const char *in_bucket = "calls=open,chmod uid=0 gid=0 key=a\n"
				"calls=all path=/a perm=w key=c\n"
				"calls=open exit=-EPERM key=b\n"
				"calls=chmod dir=/b auid!=unset key=d\n";

	ck_assert_int_eq(proof_within(arena, one, one, 1), PROOF_GOOD);
	ck_assert_int_eq(proof_within(arena, one, cut, 1), PROOF_GOOD);
	ck_assert_int_eq(proof_within(arena, one, swapped, 1), PROOF_NONE);
	ck_assert_int_eq(proof_within(arena, one, swapped, 0), PROOF_DIFFERENT);
	ck_assert_int_eq(proof_within(arena, one, in_bucket, 1), PROOF_NONE);
	ck_assert_int_eq(proof_within(arena, one, in_bucket, 0),
			 PROOF_DIFFERENT);
	arena_free(arena);
}
END_TEST

/* Long lists, in which one pair of rules is in another order: of 3,000 rules
 * that exclude each other, and a last one that some of them overlap. */
#define LONG 3000

static char *long_list(struct arena *arena, size_t from, size_t to, bool swap)
{
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);
	char *copy;

	for (size_t i = 0; i < LONG; i++) {
		size_t n = i == from ? to : i == to ? from : i;

		if (!swap)
			n = i;
		fprintf(stream,
			n % 3 ? "calls=open,chmod auid=%zu key=k%zu\n"
			      : "calls=open,chmod dir=/d/%zu key=k%zu\n",
			n, n % 7);
	}
	fclose(stream);
	copy = arena_strdup(arena, text);
	free(text);
	return copy;
}

START_TEST(long_lists_pair_up)
{
	static const struct {
		size_t from, to;
		enum proof proof;
	} swaps[] = {
		{10, 11, PROOF_GOOD},	  /* two users */
		{10, 2000, PROOF_NONE},	  /* over directories */
		{1001, 1002, PROOF_NONE}, /* a user and a directory */
		{1002, 1023, PROOF_NONE}, /* directories, over others */
		{1000, 1001, PROOF_GOOD},
	};

	for (size_t i = 0; i < sizeof(swaps) / sizeof(swaps[0]); i++) {
		struct arena *arena = arena_new();
		enum proof proof = proof_within(
			arena, long_list(arena, 0, 0, false),
			long_list(arena, swaps[i].from, swaps[i].to, true), 0);

		ck_assert_msg((proof == PROOF_GOOD) ==
				      (swaps[i].proof == PROOF_GOOD),
			      "swap %zu", i);
		arena_free(arena);
	}
}
END_TEST

/* A -q adds to the trees that are there: where one is made says to which. */
START_TEST(trees_stay_where_they_are_made)
{
	const struct target *target = mk_target("x86_64");
	static const struct {
		const char *before, *after;
		enum proof proof;
	} cases[] = {
		{"calls=chmod dir=/a key=k\ncalls=kill epoch=1 key=l",
		 "calls=chmod dir=/a key=k\ncalls=kill epoch=1 key=l",
		 PROOF_GOOD},
		{"calls=chmod dir=/a key=k\ncalls=kill epoch=1 key=l",
		 "calls=kill key=l\ncalls=chmod dir=/a epoch=1 key=k",
		 PROOF_NONE},
		{"calls=kill key=l\ncalls=chmod dir=/a epoch=1 key=k",
		 "calls=chmod dir=/a key=k\ncalls=kill epoch=1 key=l",
		 PROOF_NONE},
		{"calls=chmod path=/a unsettled key=k\ncalls=kill epoch=1 "
		 "key=l",
		 "calls=kill key=l\ncalls=chmod path=/a unsettled epoch=1 "
		 "key=k",
		 PROOF_NONE},
		{"calls=chmod path=/a key=k\ncalls=kill epoch=1 key=l",
		 "calls=kill key=l\ncalls=chmod path=/a epoch=1 key=k",
		 PROOF_GOOD},
		/* one tree, made by the first of two rules */
		{"calls=chmod dir=/a key=k\ncalls=chown dir=/a epoch=1 key=k",
		 "calls=chmod,chown dir=/a key=k", PROOF_GOOD},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arena *arena = arena_new();
		struct verify_options options = {.level = 1};
		const struct ruleset *before =
			mk_ruleset(arena, target, cases[i].before);
		const struct ruleset *after =
			mk_ruleset(arena, target, cases[i].after);

		ck_assert_msg(verify_equivalent(arena, before, after, &options)
					      .proof == cases[i].proof,
			      "case %zu", i);
		options.own_tags = true;
		ck_assert_msg(verify_equivalent(arena, before, after, &options)
					      .proof == PROOF_GOOD,
			      "case %zu, -q of their own", i);
		arena_free(arena);
	}
}
END_TEST

static size_t tag_differences(const struct ruleset *before, const char *text,
			      unsigned int epoch, const struct ruleset *after,
			      const char *text2, unsigned int epoch2)
{
	const struct tagging a = {&text, &epoch, text ? 1 : 0};
	const struct tagging b = {&text2, &epoch2, text2 ? 1 : 0};
	struct arena *arena = arena_new();
	size_t count;

	(void)tagging_compare(arena, before, &a, after, &b, &count);
	arena_free(arena);
	return count;
}

START_TEST(tags_of_trees)
{
	struct arena *arena = arena_new();
	const struct target *target = mk_target("x86_64");
	const struct ruleset *a =
		mk_ruleset(arena, target,
			   "calls=chmod dir=/a key=k\n"
			   "calls=chown dir=/a epoch=1 key=k\n"
			   "calls=kill dir=/b epoch=1 key=k\n");
	const struct ruleset *b = mk_ruleset(
		arena, target, "calls=chmod dir=/a key=k\ncalls=kill path=/b");

	ck_assert_uint_eq(tagged_tree_epoch(a, "/a"), 0);
	ck_assert_uint_eq(tagged_tree_epoch(a, "/b"), 1);
	ck_assert_uint_eq(tagged_tree_epoch(b, "/b"), ~0U);
	ck_assert_uint_eq(tag_differences(a, NULL, 0, a, NULL, 0), 0);
	ck_assert_uint_eq(tag_differences(a, "x,y", 1, a, "x,y", 1), 0);
	ck_assert_uint_eq(tag_differences(a, "x,y", 2, a, "x,y", 2), 0);
	ck_assert_uint_eq(tag_differences(a, "x,y", 1, a, "x,y", 2), 1);
	ck_assert_uint_eq(tag_differences(a, "x,y", 2, a, NULL, 0), 2);
	ck_assert_uint_eq(tag_differences(a, NULL, 0, a, "x,y", 2), 2);
	ck_assert_uint_eq(tag_differences(a, "x,y", 2, a, "x,z", 2), 4);
	ck_assert_uint_eq(tag_differences(a, "x,y", 1, b, "x,y", 1), 0);
	ck_assert_uint_eq(tag_differences(a, "x,y", 2, b, "x,y", 1), 0);
	ck_assert_uint_eq(tag_differences(b, "x,y", 1, a, NULL, 0), 1);
	ck_assert_uint_eq(tag_differences(b, "x,y", 0, a, NULL, 0), 0);
	arena_free(arena);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("verify");
	TCase *tcase = tcase_create("verify");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tcase, 0);
	tcase_add_test(tcase, passes_are_proved);
	tcase_add_loop_test(tcase, mutations_are_caught, 0,
			    (int)(sizeof(mutations) / sizeof(mutations[0])));
	tcase_add_loop_test(tcase, pairs_of_sets, 0,
			    (int)(sizeof(pairs) / sizeof(pairs[0])));
	tcase_add_test(tcase, budget_runs_out);
	tcase_add_test(tcase, same_rules_cost_nothing);
	tcase_add_test(tcase, long_lists_pair_up);
	tcase_add_test(tcase, trees_stay_where_they_are_made);
	tcase_add_test(tcase, tags_of_trees);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
