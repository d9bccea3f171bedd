/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fusing: rows of rules before and after. A row without a result must be left
 * alone, and its name says which trap it is about. Every row goes before the
 * evaluator, too.
 */
#include <check.h>
#include <stdlib.h>

#include "lib/build.h"
#include "lib/compare.h"
#include "lib/passes_cases.h"
#include "lib/random_rules.h"
#include "lib/suite.h"
#include "optimize/pipeline.h"

#define NL "\n"
#define FUSE &pass_fuse
#define EVENTS 4000
/* 2 to 12 but for ENOENT, EAGAIN and EINTR. */
#define OTHER_HOLES                                                \
	"exit!=-12 exit!=-10 exit!=-9 exit!=-8 exit!=-7 exit!=-6 " \
	"exit!=-5 exit!=-3"

static const struct passes_case cases[] = {
	{FUSE, 1, "two errors",
	 "arch=b64 calls=open exit=-EACCES auid>=1000 auid!=unset key=a" NL
	 "arch=b64 calls=open exit=-EPERM auid>=1000 auid!=unset key=a",
	 "arch=b64 calls=open exit>=-13 exit!=-2 exit!=-11 "
	 "exit!=-4 " OTHER_HOLES " auid>=1000 auid!=unset key=a"},
	{FUSE, 1, "three neighbours, one after the other",
	 "arch=b64 calls=ptrace a0=4 key=a" NL
	 "arch=b64 calls=ptrace a0=6 key=a" NL
	 "arch=b64 calls=ptrace a0=5 key=a",
	 "arch=b64 calls=ptrace a0>=4 a0<=6 key=a"},
	{FUSE, 1, "intervals that touch",
	 "arch=b64 calls=open uid<100 key=a" NL
	 "arch=b64 calls=open uid=100 key=a",
	 "arch=b64 calls=open uid<=100 key=a"},
	{FUSE, 1, "intervals that overlap",
	 "arch=b64 calls=open uid>=100 uid<=200 key=a" NL
	 "arch=b64 calls=open uid>150 uid<=300 key=a",
	 "arch=b64 calls=open uid>=100 uid<=300 key=a"},
	{FUSE, 1, "one is in the other, and keeps its form",
	 "arch=b64 calls=open uid=7 key=a" NL
	 "arch=b64 calls=open uid!=0 key=a",
	 "arch=b64 calls=open uid!=0 key=a"},
	{FUSE, 1, "all values that there are",
	 "arch=b64 calls=open uid<100 key=a" NL
	 "arch=b64 calls=open uid>=100 key=a",
	 "arch=b64 calls=open key=a"},
	{FUSE, 1, "all results, but a result",
	 "arch=b64 calls=open exit<100 key=a" NL
	 "arch=b64 calls=open exit>=100 key=a",
	 "arch=b64 calls=open exit>=0 key=a"},
	{FUSE, 1, "all families, but a family",
	 "arch=b64 calls=connect saddr_fam<10 key=a" NL
	 "arch=b64 calls=connect saddr_fam>=10 key=a",
	 "arch=b64 calls=connect saddr_fam>=0 key=a"},
	{FUSE, 1, "auid=unset is the greatest",
	 "arch=b64 calls=open auid>=1000 auid!=unset key=a" NL
	 "arch=b64 calls=open auid=unset key=a",
	 "arch=b64 calls=open auid>=1000 key=a"},
	{FUSE, 1, "auid!=unset stays what it is called",
	 "arch=b64 calls=open auid>=1000 auid!=unset key=a" NL
	 "arch=b64 calls=open auid>=500 auid<1000 key=a",
	 "arch=b64 calls=open auid>=500 auid!=unset key=a"},
	{FUSE, 1, "a hole in the middle, other tests in any order",
	 "arch=b64 calls=open auid=5 a1=4 dir=/x key=a" NL
	 "dir=/x arch=b64 calls=open a1=6 auid=5 key=a",
	 "arch=b64 calls=open auid=5 a1>=4 a1<=6 a1!=5 dir=/x key=a"},
	{FUSE, 1, "never rules, in another ABI",
	 "never arch=b32 calls=open pid=4" NL "never arch=b32 calls=open pid=5",
	 "never arch=b32 calls=open pid>=4 pid<=5"},
	{FUSE, 1, "letters",
	 "arch=b64 dir=/x perm=w key=a" NL "arch=b64 dir=/x perm=a key=a",
	 "arch=b64 dir=/x perm=wa key=a"},
	{FUSE, 1, "letters of a watch",
	 "watch path=/x perm=wa key=a" NL "watch path=/x perm=r key=a",
	 "watch path=/x perm=rwa key=a"},
	{FUSE, 1, "letters, masks that have what each needs",
	 "arch=b64 calls=open,chmod dir=/x perm=a key=a" NL
	 "arch=b64 calls=open,unlink dir=/x perm=w key=a",
	 "arch=b64 calls=open,unlink,chmod dir=/x perm=wa key=a"},
	{FUSE, 1, "in a bucket, over another path",
	 "arch=b64 calls=open path=/x uid=4 key=a" NL
	 "arch=b64 calls=chmod path=/y key=b" NL
	 "arch=b64 calls=open path=/x uid=5 key=a",
	 "arch=b64 calls=open path=/x uid>=4 uid<=5 key=a" NL
	 "arch=b64 calls=chmod path=/y key=b"},
	{FUSE, 1, "over a rule for other values",
	 "arch=b64 calls=open uid=4 key=a" NL
	 "never arch=b64 calls=open uid=4 auid=9" NL
	 "arch=b64 calls=open uid=5 key=a",
	 "arch=b64 calls=open uid>=4 uid<=5 key=a" NL
	 "never arch=b64 calls=open uid=4 auid=9"},
	{FUSE, 1, "in io_uring",
	 "io_uring calls=18 uid=4 key=a" NL "io_uring calls=18 uid=5 key=a",
	 "io_uring calls=18 uid>=4 uid<=5 key=a"},

	{FUSE, 1, "another key",
	 "arch=b64 calls=open uid=4 key=a" NL "arch=b64 calls=open uid=5 key=b",
	 NULL},
	{FUSE, 1, "a key and none",
	 "arch=b64 calls=open uid=4 key=a" NL "arch=b64 calls=open uid=5",
	 NULL},
	{FUSE, 1, "another action",
	 "arch=b64 calls=open uid=4" NL "never arch=b64 calls=open uid=5",
	 NULL},
	{FUSE, 1, "another call",
	 "arch=b64 calls=open uid=4 key=a" NL
	 "arch=b64 calls=creat uid=5 key=a",
	 NULL},
	{FUSE, 1, "another ABI",
	 "arch=b64 calls=5 uid=4 key=a" NL "arch=b32 calls=5 uid=5 key=a",
	 NULL},
	{FUSE, 1, "audit_match_signal looks at the last arch",
	 "arch!=b32 calls=62 uid=4 key=a" NL "arch=b64 calls=62 uid=5 key=a",
	 NULL},
	{FUSE, 1, "two fields that differ",
	 "arch=b64 calls=open uid=4 gid=4 key=a" NL
	 "arch=b64 calls=open uid=5 gid=5 key=a",
	 NULL},
	{FUSE, 1, "a condition more",
	 "arch=b64 calls=open uid=4 key=a" NL
	 "arch=b64 calls=open uid=5 success=0 key=a",
	 NULL},
	{FUSE, 1, "a rule of another outcome between",
	 "arch=b64 calls=open uid=4 key=a" NL
	 "never arch=b64 calls=open uid=5 success=0" NL
	 "arch=b64 calls=open uid=5 key=a",
	 NULL},
	{FUSE, 1, "a bucket rule between",
	 "arch=b64 calls=open uid=4 key=a" NL
	 "arch=b64 calls=open path=/x key=a" NL
	 "arch=b64 calls=open uid=5 key=a",
	 NULL},
	{FUSE, 1, "a list rule between bucket rules",
	 "arch=b64 calls=open path=/x uid=4 key=a" NL
	 "arch=b64 calls=open success=0 key=a" NL
	 "arch=b64 calls=open path=/x uid=5 key=a",
	 NULL},
	{FUSE, 1, "other values, but several walks",
	 "arch=b64 calls=execve uid=4 key=a" NL
	 "never arch=b64 calls=execve uid=6" NL
	 "arch=b64 calls=execve uid=5 key=a",
	 NULL},
	{FUSE, 1, "-q between",
	 "calls=open uid=4 key=a" NL "calls=open uid=5 epoch=1 key=a", NULL},
	{FUSE, 1, "too many holes",
	 "arch=b64 calls=open exit=-1 key=a" NL
	 "arch=b64 calls=open exit=-19 key=a",
	 NULL},
	{FUSE, 1, "holes that cost more than a rule",
	 "arch=b64 calls=open uid=0 key=a" NL
	 "arch=b64 calls=open uid=14 key=a",
	 NULL},
	{FUSE, 1, "a call that never returns has no success",
	 "arch=b64 calls=open success=0 key=a" NL
	 "arch=b64 calls=open success=1 key=a",
	 NULL},
	{FUSE, 1, "supplementary groups",
	 "arch=b64 calls=open gid=4 key=a" NL "arch=b64 calls=open gid=5 key=a",
	 NULL},
	{FUSE, 1, "owners of names",
	 "arch=b64 calls=open obj_uid<4 key=a" NL
	 "arch=b64 calls=open obj_uid>=4 key=a",
	 NULL},
	{FUSE, 1, "paths",
	 "arch=b64 calls=open path=/x key=a" NL
	 "arch=b64 calls=open path=/y key=a",
	 NULL},
	{FUSE, 1, "programs",
	 "arch=b64 calls=open exe=/x key=a" NL
	 "arch=b64 calls=open exe=/y key=a",
	 NULL},
	{FUSE, 1, "bits",
	 "arch=b64 calls=open a1&1 key=a" NL "arch=b64 calls=open a1&2 key=a",
	 NULL},
	{FUSE, 1, "letters, a mask that lacks calls of its own",
	 "arch=b64 calls=open dir=/x perm=a key=a" NL
	 "arch=b64 calls=chmod,unlink dir=/x perm=w key=a",
	 NULL},
	{FUSE, 1, "letters twice",
	 "arch=b64 dir=/x perm=wa perm=wr key=a" NL
	 "arch=b64 dir=/x perm=a perm=wr key=b" NL
	 "arch=b64 dir=/x perm=x perm=wr key=a",
	 NULL},
	{FUSE, 1, "letters ruled out",
	 "arch=b64 dir=/x perm!=w key=a" NL "arch=b64 dir=/x perm=a key=a",
	 NULL},
	{FUSE, 1, "unsettled watches",
	 "watch unsettled path=/x perm=w key=a" NL
	 "watch unsettled path=/x perm=a key=a",
	 NULL},
	{FUSE, 1, "classes of calls are not known",
	 "calls=none classes=1 uid=4 key=a" NL
	 "calls=none classes=1 uid=5 key=a",
	 NULL},
	{FUSE, 1, "other filters", "user uid=4" NL "user uid=5", NULL},
	{FUSE, 1, "the kernel has the like already",
	 "path=/x perm=wa key=a" NL "path=/x perm=w key=b" NL
	 "path=/x perm=w key=a" NL "path=/x perm=a key=a",
	 NULL},
	{FUSE, 1, "the kernel may have the like already",
	 "watch unsettled path=/x perm=wa key=a" NL "path=/x perm=w key=b" NL
	 "path=/x perm=w key=a" NL "path=/x perm=a key=a",
	 NULL},
	{FUSE, 1, "call 0 and io_uring's bucket rules",
	 "calls=0,open path=/x perm=a key=a" NL
	 "calls=open path=/x perm=w key=a",
	 NULL},
};

#define CASES ((int)(sizeof(cases) / sizeof(cases[0])))

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

static struct change_log fuse(struct ruleset *set)
{
	struct change_log log = {0};
	struct pass_context context = {.arena = arena, .level = 1, .log = &log};

	pass_fuse.run(set, &context);
	return log;
}

static void expect_same_events(const struct passes_case *row,
			       const struct ruleset *old,
			       const struct ruleset *new)
{
	struct event_maker *maker = event_maker_new(arena, old);
	struct settled was = settled_of(arena, old),
		       is = settled_of(arena, new);
	struct random random = {1};
	const struct event *event;
	struct difference difference;

	if (!sets_differ(&was, &is, row->level, maker, &random, EVENTS, &event,
			 &difference))
		return;
	dump_difference(stderr, &was, &is, row->level, event, &difference);
	ck_abort_msg("%s: another meaning", row->name);
}

START_TEST(rows)
{
	const struct passes_case *row = &cases[_i];
	const struct ruleset *old = mk_ruleset(arena, target, row->before);
	struct ruleset *want = mk_ruleset(
		arena, target, row->after ? row->after : row->before);
	struct ruleset *set = ruleset_copy(arena, old);
	struct change_log log = fuse(set);

	if (!sets_identical(set, want) || !log.count != !row->after) {
		dump_ruleset(stderr, set);
		ck_abort_msg("%s", row->name);
	}
	expect_same_events(row, old, set);
	ck_assert_uint_eq(fuse(set).count, 0);
}
END_TEST

START_TEST(what_the_log_says)
{
	struct ruleset *set =
		mk_ruleset(arena, target,
			   "calls=open uid=4 key=a" NL "calls=chmod key=b" NL
			   "calls=open uid=5 key=a");
	struct change_log log = fuse(set);

	ck_assert_uint_eq(log.count, 1);
	ck_assert_str_eq(log.item[0].pass, "fuse");
	ck_assert_uint_eq(log.item[0].rules_dropped, 1);
	ck_assert_uint_eq(log.item[0].what.count, 1);
	ck_assert_uint_eq(log.item[0].what.line[0], 3);
	ck_assert_uint_eq(log.item[0].because.line[0], 1);
	ck_assert_uint_eq(set->rule[0]->origin.count, 2);
	ck_assert_uint_eq(set->count, 2);
}
END_TEST

/* The original tests are shared with the input's rules. */
START_TEST(originals_stay)
{
	struct ruleset *old = mk_ruleset(arena, target,
					 "watch path=/x perm=w key=a" NL
					 "watch path=/x perm=a key=a");
	struct ruleset *set = ruleset_copy(arena, old);

	fuse(set);
	ck_assert_uint_eq(set->count, 1);
	ck_assert(set->rule[0]->watch_form);
	ck_assert(
		sets_identical(old, mk_ruleset(arena, target,
					       "watch path=/x perm=w key=a" NL
					       "watch path=/x perm=a key=a")));
}
END_TEST

/* As many fields as a rule can have. */
START_TEST(fields_are_limited)
{
	char *spec = arena_strdup(arena, "arch=b64 calls=open");
	struct ruleset *set;

	for (int i = 0; i < 60; i++)
		spec = arena_printf(arena, "%s ppid!=%d", spec, 3 * i);
	set = mk_ruleset(arena, target,
			 arena_printf(arena, "%s pid=4 key=a\n%s pid=8 key=a",
				      spec, spec));
	ck_assert_uint_eq(fuse(set).count, 0);
	set = mk_ruleset(arena, target,
			 arena_printf(arena, "%s pid=4 key=a\n%s pid=5 key=a",
				      spec, spec));
	ck_assert_uint_eq(fuse(set).count, 1);
	ck_assert_uint_eq(set->rule[0]->tests, 63);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("fuse");
	TCase *tcase = tcase_create("fuse");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, rows, 0, CASES);
	tcase_add_test(tcase, what_the_log_says);
	tcase_add_test(tcase, originals_stay);
	tcase_add_test(tcase, fields_are_limited);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
