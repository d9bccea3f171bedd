/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each pass by itself, then all of them in every order. A row says what a pass
 * makes of a set; a row without a result must be left alone, and its name says
 * which trap it is about.
 */
#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/build.h"
#include "lib/compare.h"
#include "lib/passes_cases.h"
#include "lib/random_rules.h"
#include "optimize/facts.h"
#include "optimize/pipeline.h"

#define MOST_PASSES 16
#define ORDERS 120
#define EVENTS 40

static struct arena *arena;
static const struct target *target;

static void setup(void)
{
	arena = arena_new();
	target = mk_target("x86_64");
}

static void teardown(void)
{
	arena_free(arena);
}

static struct ruleset *rules(const char *text)
{
	return mk_ruleset(arena, target, text);
}

static struct change_log run_pass(const struct pass *pass, struct ruleset *set,
				  int level)
{
	struct change_log log = {0};
	struct pass_context context = {
		.arena = arena, .level = level, .log = &log};

	pass->run(set, &context);
	return log;
}

static void expect(const struct passes_case *row, const struct ruleset *set,
		   const struct change_log *log)
{
	struct ruleset *want = rules(row->after ? row->after : row->before);

	if (sets_identical(set, want) && !log->count == !row->after)
		return;
	fprintf(stderr, "%s, level %d: %s: got\n", row->pass->name, row->level,
		row->name);
	dump_ruleset(stderr, set);
	fprintf(stderr, "instead of\n");
	dump_ruleset(stderr, want);
	ck_abort_msg("%s: %s", row->pass->name, row->name);
}

START_TEST(each_pass_alone)
{
	const struct passes_case *row = passes_case(_i);
	struct ruleset *set = rules(row->before);
	struct change_log log = run_pass(row->pass, set, row->level);

	expect(row, set, &log);
	log = run_pass(row->pass, set, row->level);
	ck_assert_msg(!log.count, "%s: %s: changes again", row->pass->name,
		      row->name);
}
END_TEST

/* All but the last, terminators, which puts in what useless_never drops. */
static unsigned int passes(void)
{
	unsigned int count = 0;

	while (pipeline_pass(count))
		count++;
	ck_assert_ptr_eq(pipeline_pass(count - 1), &pass_terminators);
	ck_assert_uint_le(count, MOST_PASSES);
	return count - 1;
}

/* Some order of the passes, number N of them. */
static void nth_order(unsigned int n, const struct pass *order[MOST_PASSES])
{
	struct random random = {n};
	unsigned int count = passes();

	for (unsigned int i = 0; i < count; i++) {
		size_t at = random_below(&random, i + 1);

		order[i] = order[at];
		order[at] = pipeline_pass(i);
	}
}

static size_t run_order(const struct pass *order[MOST_PASSES],
			struct ruleset *set, int level)
{
	unsigned int count = passes();
	size_t changes = 0;

	for (unsigned int i = 0; i < count; i++)
		if (order[i]->level <= level)
			changes += run_pass(order[i], set, level).count;
	return changes;
}

static void check_order(const struct passes_case *row, unsigned int n)
{
	const struct ruleset *before = rules(row->before);
	struct ruleset *set = ruleset_copy(arena, before);
	struct event_maker *maker = event_maker_new(arena, before);
	struct settled was = settled_of(arena, before), is;
	struct random random = {n + 1};
	const struct event *event;
	struct difference difference;
	const struct pass *order[MOST_PASSES];
	unsigned int rounds = 0;

	nth_order(n, order);
	while (run_order(order, set, row->level))
		ck_assert_uint_lt(++rounds, 10);
	if (row->level >= pass_terminators.level)
		run_pass(&pass_terminators, set, row->level);
	is = settled_of(arena, set);
	if (!sets_differ(&was, &is, row->level, maker, &random, EVENTS, &event,
			 &difference))
		return;
	dump_difference(stderr, &was, &is, row->level, event, &difference);
	ck_abort_msg("%s: order %u changes the meaning", row->name, n);
}

START_TEST(all_passes_in_any_order)
{
	for (unsigned int n = 0; n < ORDERS; n++)
		check_order(passes_case(_i), n);
}
END_TEST

/* The others have tests of their own. */
START_TEST(a_row_for_each_pass)
{
	static const struct pass *const tested[] = {
		&pass_duplicates, &pass_unsatisfiable, &pass_shadowed,
		&pass_useless_never, &pass_merge};
	const struct passes_case *row;

	for (size_t p = 0; p < sizeof(tested) / sizeof(tested[0]); p++) {
		unsigned int changed = 0, alone = 0;

		for (int i = 0; (row = passes_case(i)); i++)
			if (row->pass == tested[p])
				row->after ? changed++ : alone++;
		ck_assert_uint_gt(changed, 1);
		ck_assert_uint_gt(alone, 1);
	}
}
END_TEST

static void expect_lines(struct origin origin, const char *want)
{
	char *got = arena_strdup(arena, "");

	for (size_t i = 0; i < origin.count; i++)
		got = arena_printf(arena, "%s%s%u", got, i ? "," : "",
				   origin.line[i]);
	ck_assert_str_eq(got, want);
}

START_TEST(log_of_a_duplicate)
{
	struct ruleset *set = rules("calls=open success=0 auid=5 key=a\n"
				    "calls=open auid=5 success=0 key=a");
	struct change_log log = run_pass(&pass_duplicates, set, 0);

	ck_assert_uint_eq(log.count, 1);
	ck_assert_str_eq(log.item[0].pass, "duplicates");
	expect_lines(log.item[0].what, "2");
	expect_lines(log.item[0].because, "1");
	ck_assert_uint_eq(log.item[0].rules_dropped, 1);
	ck_assert_uint_eq(log.item[0].calls_dropped, 0);
	expect_lines(set->rule[0]->origin, "1,2");
}
END_TEST

START_TEST(log_of_a_shadow)
{
	struct ruleset *set = rules("arch=b64 calls=open key=a\n"
				    "arch=b64 calls=creat key=b\n"
				    "arch=b64 calls=open,creat key=c\n"
				    "arch=b64 calls=open,chmod key=d");
	struct change_log log = run_pass(&pass_shadowed, set, 1);

	ck_assert_uint_eq(log.count, 2);
	expect_lines(log.item[0].what, "3");
	expect_lines(log.item[0].because, "1,2");
	ck_assert_uint_eq(log.item[0].rules_dropped, 1);
	expect_lines(log.item[1].what, "4");
	expect_lines(log.item[1].because, "1");
	ck_assert_uint_eq(log.item[1].rules_dropped, 0);
	ck_assert_uint_eq(log.item[1].calls_dropped, 1);
	ck_assert_ptr_nonnull(strstr(log.item[1].text, "1 call taken out"));
	expect_lines(set->rule[0]->origin, "1");
}
END_TEST

START_TEST(log_of_a_merge)
{
	struct ruleset *set = rules("arch=b64 calls=open key=a\n"
				    "arch=b64 calls=getpid key=b\n"
				    "arch=b64 calls=creat key=a");
	struct change_log log = run_pass(&pass_merge, set, 1);

	ck_assert_uint_eq(log.count, 1);
	expect_lines(log.item[0].what, "3");
	expect_lines(log.item[0].because, "1");
	expect_lines(set->rule[0]->origin, "1,3");
	expect_lines(set->rule[1]->origin, "2");
}
END_TEST

START_TEST(watch_form_goes_with_its_calls)
{
	struct ruleset *set = rules("key=a\nwatch dir=/etc perm=a key=b");

	/* A list rule over all calls but chmod. */
	syscall_mask_remove(&set->rule[0]->mask, 90);
	ck_assert(set->rule[1]->watch_form);
	ck_assert_uint_eq(run_pass(&pass_shadowed, set, 1).count, 1);
	ck_assert_uint_eq(set->count, 2);
	ck_assert_uint_eq(syscall_mask_count(&set->rule[1]->mask), 1);
	ck_assert(syscall_mask_has(&set->rule[1]->mask, 90));
	ck_assert(!set->rule[1]->watch_form);
}
END_TEST

/* SET's rule I over all calls but the first N. */
static void all_but(struct ruleset *set, size_t i, unsigned int n)
{
	set->rule[i]->mask = syscall_mask_all();
	for (unsigned int call = 0; call < n; call++)
		syscall_mask_remove(&set->rule[i]->mask, (int)call);
}

START_TEST(all_calls_become_a_short_list_or_stay)
{
	struct ruleset *set = rules("key=a\nauid=5 key=b");

	all_but(set, 0, NARROW_TO_AT_MOST + 1);
	ck_assert_uint_eq(run_pass(&pass_shadowed, set, 1).count, 0);
	all_but(set, 0, NARROW_TO_AT_MOST);
	ck_assert_uint_eq(run_pass(&pass_shadowed, set, 1).count, 1);
	ck_assert_uint_eq(syscall_mask_count(&set->rule[1]->mask),
			  NARROW_TO_AT_MOST);
	/* A list may become a shorter list. */
	set = rules("key=a\nauid=5 key=b");
	all_but(set, 0, 400);
	for (int call = 500; call < SYSCALL_MASK_CALLS; call++)
		syscall_mask_remove(&set->rule[1]->mask, call);
	ck_assert_uint_eq(run_pass(&pass_shadowed, set, 1).count, 0);
}
END_TEST

/* FIRST, SECOND and so on, up to NULL, with so many rules of no importance in
 * between that the facts have them in different blocks. */
static struct ruleset *far_apart(const char *first, ...)
{
	struct ruleset *set = ruleset_new(arena, target);
	va_list specs;

	va_start(specs, first);
	for (const char *spec = first; spec; spec = va_arg(specs, char *)) {
		ruleset_insert(set, set->count, mk_rule(arena, target, spec));
		for (unsigned int i = 0; i < 200; i++)
			ruleset_insert(set, set->count,
				       mk_rule(arena, target,
					       "exclude calls=none pid=1"));
	}
	va_end(specs);
	return set;
}

START_TEST(what_is_far_apart_counts)
{
	static const char open[] = "arch=b64 calls=open key=a";
	static const char creat[] = "arch=b64 calls=creat key=a";
	static const char never[] = "never arch=b64 calls=openat";
	static const char uring[] = "io_uring calls=18 key=b";

	/* Rules that are in the way of a merge, and one that is not. */
	static const struct {
		const char *between;
		size_t changes;
	} merges[] = {
		{"never arch=b64 calls=creat uid=5", 0},
		{"never arch=b64 calls=openat uid=5", 1},
		{"calls=none classes=1", 0},
		{"arch=b64 calls=creat path=/x", 0},
		{"io_uring calls=18 key=b", 0},
		{"io_uring calls=18 path=/x key=b", 0},
		{"user pid=5", 1},
	};

	for (size_t i = 0; i < sizeof(merges) / sizeof(merges[0]); i++) {
		struct ruleset *set =
			far_apart(open, merges[i].between, creat, NULL);

		ck_assert_uint_eq(run_pass(&pass_merge, set, 1).count,
				  merges[i].changes);
	}
	ck_assert_uint_eq(
		run_pass(&pass_useless_never, far_apart(never, open, NULL), 2)
			.count,
		1);
	ck_assert_uint_eq(
		run_pass(&pass_useless_never, far_apart(never, uring, NULL), 2)
			.count,
		0);
	ck_assert_uint_eq(
		run_pass(&pass_useless_never,
			 far_apart("never io_uring calls=18", open, NULL), 2)
			.count,
		0);
}
END_TEST

static struct change_log pipeline(struct ruleset *set, int level)
{
	struct change_log log = {0};

	pipeline_run(arena, set, level, &log);
	return log;
}

START_TEST(pipeline_takes_its_rounds)
{
	/* What goes first makes room for what goes next. */
	struct ruleset *set = rules("arch=b64 calls=open key=a\n"
				    "never arch=b64 calls=creat auid=1 auid=2\n"
				    "arch=b64 calls=creat key=a\n"
				    "arch=b64 calls=open,creat key=b\n"
				    "never arch=b64 calls=open");

	ck_assert_uint_eq(pipeline(set, 1).count, 4);
	ck_assert(
		sets_identical(set, rules("arch=b64 calls=open,creat key=a")));
}
END_TEST

START_TEST(level_0_drops_duplicates_only)
{
	struct ruleset *set = rules("arch=b64 calls=open key=a\n"
				    "arch=b64 calls=open key=a\n"
				    "arch=b64 calls=creat key=a\n"
				    "arch=b64 calls=open key=b\n"
				    "uid=0 uid=1\n"
				    "never arch=b64 calls=getpid auid=7");

	pipeline(set, 0);
	ck_assert_uint_eq(set->count, 5);
}
END_TEST

START_TEST(nothing_runs_under_task_never)
{
	static const char dead[] = "calls=open key=a\ncalls=open key=a";
	struct ruleset *set = rules("task never\ncalls=open key=a\n"
				    "calls=open key=a");

	ck_assert(ruleset_task_never(set));
	for (int level = 0; level <= 2; level++)
		ck_assert_uint_eq(pipeline(set, level).count, 0);
	ck_assert_uint_eq(set->count, 3);
	ck_assert(!ruleset_task_never(rules(dead)));
	ck_assert(!ruleset_task_never(rules("task never uid=5")));
	ck_assert(!ruleset_task_never(rules("task always")));
	ck_assert(!ruleset_task_never(rules("task always\ntask never")));
}
END_TEST

START_TEST(empty_sets)
{
	for (int level = 0; level <= 2; level++)
		ck_assert_uint_eq(pipeline(rules(""), level).count, 0);
}
END_TEST

/* A rule that is like those of large generated sets. */
static char *large_rule(unsigned int i)
{
	static const char *const calls[] = {"open,openat,creat", "chmod,fchmod",
					    "unlink,unlinkat,rename", "execve",
					    "mount,umount2"};
	const char *abi = i % 2 ? "b64" : "b32";

	switch (i % 5) {
	case 0:
		return arena_printf(arena,
				    "watch path=/srv/%u/conf perm=wa key=f%u",
				    i, i % 50);
	case 1:
		return arena_printf(arena, "never arch=%s calls=%s exe=/bin/%u",
				    abi, calls[i % 4], i % 3000);
	case 2:
		return arena_printf(
			arena, "arch=%s calls=%s auid=%u auid!=unset key=u%u",
			abi, calls[i / 7 % 5], 1000 + i % 7000, i % 20);
	case 3:
		return arena_printf(
			arena, "arch=%s calls=%s dir=/srv/%u perm=wa key=d%u",
			abi, calls[i / 3 % 5], i % 4000, i % 30);
	default:
		return arena_printf(
			arena, "arch=%s calls=%s a1&%u auid>=%u key=a%u", abi,
			calls[i / 11 % 5], 1 + i % 900, i % 5000, i % 40);
	}
}

START_TEST(large_sets)
{
	const char *env = getenv("AUDITOPT_LARGE");
	size_t count = env ? strtoul(env, NULL, 10) : 20000;
	struct ruleset *set = ruleset_new(arena, target);
	struct change_log log;
	clock_t start;

	for (unsigned int i = 0; i < count; i++)
		ruleset_insert(set, i, mk_rule(arena, target, large_rule(i)));
	start = clock();
	log = pipeline(set, 1);
	printf("%zu rules became %zu with %zu changes in %.2f s\n", count,
	       set->count, log.count,
	       (double)(clock() - start) / CLOCKS_PER_SEC);
	ck_assert_uint_lt(set->count, count);
	ck_assert_uint_eq(pipeline(set, 1).count, 0);
}
END_TEST

/* Bytes that the duplicates of COUNT rules cost, of which each one stands for
 * the line after, or, TURNED, before that of the one before it. */
static size_t duplicates_cost(unsigned int count, bool turned)
{
	struct ruleset *set = ruleset_new(arena, target);
	size_t before;

	for (unsigned int i = 0; i < count; i++)
		ruleset_insert(
			set, i,
			mk_rule(arena, target,
				arena_printf(arena,
					     "arch=b64 calls=open line=%u",
					     turned ? count - i : i)));
	before = arena_bytes(arena);
	ck_assert_uint_eq(pipeline(set, 0).count, count - 1);
	ck_assert_uint_eq(set->rule[0]->origin.count, count);
	return arena_bytes(arena) - before;
}

START_TEST(many_alike)
{
	for (int turned = 0; turned < 2; turned++) {
		size_t some = duplicates_cost(2000, turned);

		ck_assert_uint_lt(duplicates_cost(4000, turned), some * 5 / 2);
	}
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("passes");
	TCase *rows = tcase_create("rows"), *others = tcase_create("others");
	int count = 0;

	while (passes_case(count))
		count++;
	tcase_add_checked_fixture(rows, setup, teardown);
	tcase_add_checked_fixture(others, setup, teardown);
	tcase_set_timeout(others, 120);
	tcase_add_loop_test(rows, each_pass_alone, 0, count);
	tcase_add_loop_test(rows, all_passes_in_any_order, 0, count);
	tcase_add_test(others, a_row_for_each_pass);
	tcase_add_test(others, log_of_a_duplicate);
	tcase_add_test(others, log_of_a_shadow);
	tcase_add_test(others, log_of_a_merge);
	tcase_add_test(others, watch_form_goes_with_its_calls);
	tcase_add_test(others, all_calls_become_a_short_list_or_stay);
	tcase_add_test(others, what_is_far_apart_counts);
	tcase_add_test(others, pipeline_takes_its_rounds);
	tcase_add_test(others, level_0_drops_duplicates_only);
	tcase_add_test(others, nothing_runs_under_task_never);
	tcase_add_test(others, empty_sets);
	tcase_add_test(others, large_sets);
	tcase_add_test(others, many_alike);
	suite_add_tcase(s, rows);
	suite_add_tcase(s, others);
	return s;
}

int main(void)
{
	SRunner *runner = srunner_create(suite());
	int failed;

	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
