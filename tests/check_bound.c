/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bound on what a call costs: no rules that log the same are cheaper.
 *
 * - Small lists, all that can be made of some rules: those that treat every
 *   call of a small world alike are held against each other's bounds.
 * - Random sets and sets as people write them, before and after the passes.
 * - By hand: what must be found.
 */
#include <stdlib.h>
#include <string.h>

#include "cost/bound.h"
#include "cost/cost.h"
#include "lib/build.h"
#include "lib/compare.h"
#include "lib/effort.h"
#include "lib/random_rules.h"
#include "lib/suite.h"
#include "lib/text_sets.h"
#include "optimize/pipeline.h"

TEST_ARENA;

static const struct target *x86(void)
{
	return mk_target("x86_64");
}

static const struct event_name some_file = {.inode = 77, .mode = 0100644};

/* CALL by WHO; if it names files, on one that no rule names. */
static struct event typical(int number, enum identity who)
{
	struct event event = cost_event(ABI_NATIVE, number, who);
	struct priced_call priced = priced_call_of(NULL, x86(), &event);

	if (priced.naming->names) {
		event.name = &some_file;
		event.names = 1;
	}
	return event;
}

/*
 * The small world: rules that are one action and few tests, and calls of chmod
 * from one of a few places, by one of two users, of one of two programs.
 */

static const char *const actions[] = {"always key=a", "always key=b", "never"};
static const char *const tests[] = {
	"",
	"dir=/",
	"dir=/a",
	"dir=/a/b",
	"dir=/d",
	"auid=unset",
	"auid!=unset",
	"exe=/x",
	"exe!=/x",
	"dir=/a auid=unset",
	"dir=/d auid!=unset",
	"dir=/a/b exe!=/x",
};
static const char *const trees[] = {"/", "/a", "/a/b", "/d"};

/* Where a file may lie: in the trees of these bits. A directory may be moved
 * into any other, but not the root. */
static const unsigned int places[] = {0, 1, 3, 5, 7, 9, 11, 13, 15};

#define ACTIONS 3
#define TESTS (sizeof(tests) / sizeof(tests[0]))
#define RULES (ACTIONS * TESTS)
#define PLACES (sizeof(places) / sizeof(places[0]))
#define WHO 4 /* auid set or not, program /x or not */
#define LONGEST 3

struct world {
	struct arena *arena;
	struct rule *rule[RULES];
	struct event event[WHO][PLACES];
	const char *dir[PLACES][4];
	const char *exe[1];
};

static struct world *world_new(void)
{
	struct world *w = arena_alloc(arena, sizeof(*w));
	int chmod_number = target_call_number(x86(), ABI_NATIVE, "chmod");

	w->arena = arena;
	w->exe[0] = "/x";
	for (size_t i = 0; i < RULES; i++)
		w->rule[i] = mk_rule(arena, x86(),
				     arena_printf(arena, "calls=chmod %s %s",
						  actions[i % ACTIONS],
						  tests[i / ACTIONS]));
	for (size_t who = 0; who < WHO; who++)
		for (size_t p = 0; p < PLACES; p++) {
			struct event *e = &w->event[who][p];

			*e = typical(chmod_number, (enum identity)(who & 1));
			e->exe = w->exe;
			e->exes = who >> 1;
			e->dir = w->dir[p];
			for (size_t t = 0; t < 4; t++)
				if (places[p] >> t & 1)
					w->dir[p][e->dirs++] = trees[t];
		}
	return w;
}

/* What all calls come to at level 2, a digit each. */
static uint64_t behaviour(const struct world *w, const struct ruleset *set)
{
	uint64_t all = 0;

	for (size_t who = 0; who < WHO; who++)
		for (size_t p = 0; p < PLACES; p++) {
			struct outcome o = kernel_syscall_exit(
				set, &w->event[who][p], NULL);

			all *= 3;
			if (o.verdict == VERDICT_RECORD)
				all += o.key[0] == 'a' ? 1 : 2;
		}
	return all;
}

/* The least that calls of a file in no tree pay, for each behaviour. */
struct cheapest {
	uint64_t behaviour;
	double price[WHO];
};

#define MOST_BEHAVIOURS (1 << 16)

struct cheapest_table {
	struct cheapest item[MOST_BEHAVIOURS];
	size_t count;
};

static struct cheapest *find_behaviour(struct cheapest_table *table,
				       uint64_t behaviour)
{
	size_t at = behaviour * UINT64_C(0x9e3779b97f4a7c15) >> 48;

	while (table->item[at].price[0] != 0 &&
	       table->item[at].behaviour != behaviour)
		at = (at + 1) % MOST_BEHAVIOURS;
	return &table->item[at];
}

static void note_price(const struct world *w, const struct ruleset *set,
		       struct cheapest_table *table)
{
	struct cheapest *c = find_behaviour(table, behaviour(w, set));
	bool is_new = c->price[0] == 0;

	if (is_new) {
		c->behaviour = behaviour(w, set);
		table->count++;
	}
	for (size_t who = 0; who < WHO; who++) {
		double price =
			cost_of_event(set, &w->event[who][0]).instructions;

		if (is_new || price < c->price[who])
			c->price[who] = price;
	}
}

static size_t reached, compared;

static void hold_against(const struct world *w, const struct ruleset *set,
			 struct cheapest_table *table)
{
	const struct cheapest *c = find_behaviour(table, behaviour(w, set));
	struct arena *own = arena_new();
	struct bound_survey *survey = bound_survey_of(own, set, NULL, 2, 0);

	for (size_t who = 0; c->price[0] != 0 && who < WHO; who++) {
		struct bound b = bound_of(survey, &w->event[who][0]);

		if (b.instructions > c->price[who]) {
			dump_ruleset(stderr, set);
			ck_abort_msg("bound %f, but %f suffice", b.instructions,
				     c->price[who]);
		}
		reached += b.instructions == c->price[who];
		compared++;
	}
	arena_free(own);
}

/* Calls VISIT with all lists of up to LONGEST rules. */
static void all_lists(const struct world *w, struct cheapest_table *table,
		      void (*visit)(const struct world *w,
				    const struct ruleset *set,
				    struct cheapest_table *table))
{
	struct rule *rule[LONGEST];
	struct ruleset set = {.arena = w->arena, .target = x86(), .rule = rule};
	size_t many = RULES;

	for (size_t length = 1; length <= LONGEST; length++, many *= RULES)
		for (size_t i = 0; i < many; i++) {
			size_t rest = i;

			set.count = length;
			for (size_t k = 0; k < length; k++, rest /= RULES)
				rule[k] = w->rule[rest % RULES];
			visit(w, &set, table);
		}
}

START_TEST(test_small_world)
{
	struct world *w = world_new();
	struct cheapest_table *table = arena_alloc(arena, sizeof(*table));
	struct random random = {1};

	all_lists(w, table, note_price);
	ck_assert_uint_gt(table->count, 100);
	all_lists(w, table, hold_against);
	for (int i = 0; i < 20000; i++) {
		struct rule *rule[6];
		struct ruleset set = {.arena = arena,
				      .target = x86(),
				      .rule = rule,
				      .count = 4 + (size_t)i % 3};

		for (size_t k = 0; k < set.count; k++)
			rule[k] = w->rule[random_next(&random) % RULES];
		hold_against(w, &set, table);
	}
	printf("%zu behaviours, %zu bounds, %zu of them reached\n",
	       table->count, compared, reached);
	/* A bound that is never reached is of no use. */
	ck_assert_uint_gt(reached, compared / 4);
}
END_TEST

/* Sets before and after the passes. */

static const struct ruleset *optimised(const struct ruleset *set, int level)
{
	struct ruleset *copy = ruleset_copy(arena, set);
	struct change_log log = {0};

	pipeline_run(arena, copy, level, &log);
	return copy;
}

static void hold_call(const struct ruleset *set, const struct ruleset *better,
		      const struct bound_survey *survey[2],
		      const struct prices *prices, const struct event *event)
{
	double price[2] = {
		cost_of_event_on(set, event, prices).instructions,
		cost_of_event_on(better, event, prices).instructions};

	for (int i = 0; i < 2; i++) {
		struct bound b = bound_of(survey[i], event);

		if (b.instructions > price[0] + 1e-6 ||
		    b.instructions > price[1] + 1e-6) {
			dump_ruleset(stderr, set);
			fputs("--\n", stderr);
			dump_ruleset(stderr, better);
			ck_abort_msg("call %d of auid %u, bound of %s: %f, but "
				     "%f and %f suffice",
				     event->number, event->auid,
				     i ? "the result" : "the input",
				     b.instructions, price[0], price[1]);
		}
	}
}

static void hold_set(const struct ruleset *set, int level,
		     const struct prices *prices)
{
	static const char *const calls[] = {
		"getppid", "read",   "openat", "close",	 "chmod", "socket",
		"connect", "execve", "rename", "unlink", "mount", "exit"};
	const struct ruleset *better = optimised(set, level);
	const struct bound_survey *survey[2] = {
		bound_survey_of(arena, set, prices, level, 0),
		bound_survey_of(arena, better, prices, level, 0)};

	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		for (int who = 0; who < 2 * IDENTITY_COUNT; who++) {
			struct event e = typical(
				target_call_number(x86(), ABI_NATIVE, calls[i]),
				(enum identity)(who % IDENTITY_COUNT));

			if (strcmp(calls[i], "exit") == 0)
				e.result = RESULT_NONE;
			else if (who >= IDENTITY_COUNT) {
				e.result = RESULT_FAILURE;
				e.exit_code = (uint32_t)-13;
			}
			hold_call(set, better, survey, prices, &e);
		}
}

#if SANITIZED
#define RANDOM_SETS 100
#define TEXTS_STEP 4
#else
#define RANDOM_SETS 400
#define TEXTS_STEP 1
#endif

START_TEST(test_random)
{
	for (uint64_t i = 0; i < RANDOM_SETS; i++) {
		struct random random = {i + 1};
		struct rules_shape shape =
			rules_shape_default(x86(), 1 + i % 25);
		const struct ruleset *set =
			random_ruleset(arena, &random, &shape);

		if (i % 2)
			shape.weight[STYLE_WATCH] += 20;
		if (ruleset_task_never(set))
			continue;
		hold_set(set, 1 + (int)(i / 2 % 2), prices_row(i / 4 % 2));
	}
}
END_TEST

START_TEST(test_texts)
{
	struct text_sets texts = text_sets_read(arena);

	if (!texts.count)
		printf("skipped: there are no texts\n");
	for (size_t i = 0; i < texts.count; i += TEXTS_STEP)
		for (int level = 1; level <= 2; level++)
			if (!ruleset_task_never(texts.item[i].set))
				hold_set(texts.item[i].set, level,
					 prices_row(i % 2));
}
END_TEST

/* By hand. 6.1: passed 19, entered 64, matched 80, dir 40, exe 92. */
static const struct {
	const char *name, *rules, *call;
	int level;
	enum identity who;
	size_t trees, others, files;
	double list;
} cases[] = {
	{"nothing is logged", "never calls=chmod dir=/a", "chmod", 2,
	 IDENTITY_USER, 0, 0, 0, 0},
	{"two trees, two rules; one key, so the list may end there",
	 "dir=/a key=x\ndir=/b key=x", "chmod", 2, IDENTITY_USER, 2, 0, 0,
	 2 * 104},
	{"one in the other, or moved out of it", "dir=/a key=x\ndir=/a/b key=x",
	 "chmod", 2, IDENTITY_USER, 2, 0, 0, 2 * 104},
	{"one in the other, with another key", "dir=/a/b key=y\ndir=/a key=x",
	 "chmod", 2, IDENTITY_USER, 2, 0, 0, 2 * 104},
	{"the inner one stands too late, but may be moved out",
	 "dir=/a key=x\ndir=/a/b key=y", "chmod", 2, IDENTITY_USER, 2, 0, 0,
	 2 * 104},
	{"the same with and without a slash", "dir=/a/ key=x\ndir=/a key=x",
	 "chmod", 2, IDENTITY_USER, 1, 0, 0, 104},
	{"a name that begins like it", "dir=/a key=x\ndir=/ab key=x", "chmod",
	 2, IDENTITY_USER, 2, 0, 0, 2 * 104},
	{"no plain path", "dir=/a/../b key=x", "chmod", 2, IDENTITY_USER, 0, 0,
	 0, 0},
	{"not decided by the tree alone", "dir=/a auid!=unset key=x", "chmod",
	 2, IDENTITY_DAEMON, 0, 0, 0, 104},
	{"perm lets it not through", "dir=/a perm=x key=x", "chmod", 2,
	 IDENTITY_USER, 0, 0, 0, 19},
	{"perm does", "dir=/a perm=a key=x", "chmod", 2, IDENTITY_USER, 1, 0, 0,
	 104},
	{"files in buckets",
	 "path=/a key=x\npath=/b key=y\npath=/c perm=x key=z", "chmod", 2,
	 IDENTITY_USER, 0, 0, 2, 0},
	{"a file in a tree that is logged alike, which may be moved",
	 "path=/a/b key=x\ndir=/a key=x", "chmod", 2, IDENTITY_USER, 1, 0, 1,
	 104},
	{"a program; the tests of more may stand in one rule",
	 "exe=/x key=x\nexe=/y key=x", "getppid", 2, IDENTITY_USER, 0, 2, 0,
	 64 + 2 * 92},
	{"an unset auid ends it, or keeps it out",
	 "calls=read auid!=unset key=x", "read", 2, IDENTITY_DAEMON, 0, 1, 0,
	 64 + 54},
	{"logged anyhow", "calls=read key=x", "read", 2, IDENTITY_USER, 0, 0, 0,
	 80},
	{"the other ABI's call of that number", "arch=b32 calls=110 key=x",
	 "getppid", 2, IDENTITY_USER, 0, 1, 0, 64 + 48},
	{"several facts",
	 "arch=b32 calls=110 auid!=unset uid=5 key=x\n"
	 "calls=open key=y",
	 "getppid", 2, IDENTITY_DAEMON, 0, 0, 0, 80 + 48},
	{"keys that must be passed, or a match",
	 "calls=open key=a\ncalls=open,stat key=b", "getppid", 2, IDENTITY_USER,
	 0, 0, 0, 19},
	{"many keys: a match is cheaper",
	 "calls=1 key=a\ncalls=2 key=b\ncalls=3 key=c\ncalls=4 key=d\n"
	 "calls=5 key=e\ncalls=6 key=f",
	 "getppid", 2, IDENTITY_USER, 0, 0, 0, 80},
	{"-O1: no match is allowed",
	 "calls=1 key=a\ncalls=2 key=b\ncalls=3 key=c\ncalls=4 key=d\n"
	 "calls=5 key=e\ncalls=6 key=f",
	 "ptrace", 1, IDENTITY_USER, 0, 0, 0, 6 * 19},
	{"-O1: never shows in what the kernel logs",
	 "never dir=/a\ndir=/b key=x", "chmod", 1, IDENTITY_USER, 2, 0, 0,
	 2 * 104},
	{"-O2: it does only where the other tree is met, too",
	 "never dir=/a\ndir=/b key=x", "chmod", 2, IDENTITY_USER, 2, 0, 0,
	 2 * 104},
	{"one test may look at a user and at an owner",
	 "calls=chmod uid:obj_uid= key=x\ncalls=chmod uid=0 key=y", "chmod", 2,
	 IDENTITY_USER, 0, 1, 0, 64 + 54},
	{"-O2: nowhere", "dir=/b key=x\nnever dir=/a", "chmod", 2,
	 IDENTITY_USER, 1, 0, 0, 104},
	{"the root is around all others", "dir=/ key=x\ndir=/a key=x", "chmod",
	 2, IDENTITY_USER, 1, 0, 0, 104},
	{"a call without names: told by its trees, not by what it is",
	 "calls=read dir=/a key=x\ncalls=1 key=a\ncalls=2 key=b\n"
	 "calls=3 key=c\ncalls=4 key=d\ncalls=5 key=e\ncalls=6 key=f",
	 "read", 2, IDENTITY_USER, 0, 0, 0, 64 + 24 + 80},
	{"-O1: the key that is met in the tree, not that of its first rule",
	 "dir=/a auid=unset key=p\ndir=/a key=q", "chmod", 1, IDENTITY_USER, 1,
	 0, 0, 104 + 19},
	{"a watch that is not settled", "watch unsettled dir=/a perm=wa key=x",
	 "chmod", 2, IDENTITY_USER, 0, 0, 0, 0},
};

START_TEST(test_cases)
{
	struct ruleset *set = mk_ruleset(arena, x86(), cases[_i].rules);
	struct event event =
		typical(target_call_number(x86(), ABI_NATIVE, cases[_i].call),
			cases[_i].who);
	struct bound b = bound_of(
		bound_survey_of(arena, set, NULL, cases[_i].level, 0), &event);
	double list = b.entering + b.telling + b.ending;

	ck_assert_msg(
		b.trees == cases[_i].trees && b.others == cases[_i].others &&
			b.files == cases[_i].files && list == cases[_i].list,
		"%s: %zu trees, %zu others, %zu files, list %f", cases[_i].name,
		b.trees, b.others, b.files, list);
}
END_TEST

/* Where its files are named nothing is said about trees. */
START_TEST(test_elsewhere)
{
	struct ruleset *set =
		mk_ruleset(arena, x86(), "path=/p key=p\ndir=/a key=x");
	static const char *const paths[] = {"/p"};
	struct event_name name = {.inode = 5, .path = paths, .paths = 1};
	struct event event = typical(
		target_call_number(x86(), ABI_NATIVE, "chmod"), IDENTITY_USER);
	struct bound b;

	event.name = &name;
	b = bound_of(bound_survey_of(arena, set, NULL, 2, 0), &event);
	ck_assert(b.elsewhere);
	ck_assert_uint_eq(b.trees, 0);
	ck_assert_double_eq(b.buckets, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("bound");
	TCase *tcase = tcase_create("bound");

	tcase_add_checked_fixture(tcase, begin_arena, end_arena);
	tcase_set_timeout(tcase, 120);
	tcase_add_loop_test(tcase, test_cases, 0,
			    sizeof(cases) / sizeof(cases[0]));
	tcase_add_test(tcase, test_elsewhere);
	tcase_add_test(tcase, test_small_world);
	tcase_add_test(tcase, test_random);
	tcase_add_test(tcase, test_texts);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
