/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules that differ in their ABI alone: which become one, which must not. */
#include <check.h>
#include <libaudit.h>
#include <stdlib.h>

#include "lib/build.h"
#include "lib/pass_alone.h"
#include "lib/suite.h"
#include "model/perm.h"
#include "optimize/facts.h"

#define NL "\n"

static const struct {
	const char *name, *before, *after;
} cases[] = {
	{"all calls",
	 "arch=b64 path=/x perm=x auid>=1000 key=a" NL
	 "arch=b32 path=/x perm=x auid>=1000 key=a",
	 "path=/x perm=x auid>=1000 key=a"},
	{"all calls, in the list", "arch=b32 uid=5" NL "arch=b64 uid=5",
	 "uid=5"},
	{"nothing but arch", "arch=b32" NL "arch=b64", ""},
	{"arch wherever it stands, and with !=",
	 "uid=5 arch=b32 pid=6" NL "pid=6 arch!=b32 uid=5", "uid=5 pid=6"},
	{"numbers that both ABIs share",
	 "arch=b64 calls=437,439 uid=5" NL "arch=b32 calls=439,437 uid=5",
	 "calls=437,439 uid=5"},
	{"numbers of one that are no calls of perm for the other",
	 "arch=b64 calls=open,creat dir=/x perm=w" NL
	 "arch=b32 calls=open,creat dir=/x perm=w",
	 "calls=2,5,8,85 dir=/x perm=w"},
	{"what perm is known to let through of each",
	 "arch=b64 calls=execve,execveat exe=/x perm=x" NL
	 "arch=b32 calls=execve,execveat exe=/x perm=x",
	 "calls=11,59,322,358 exe=/x perm=x"},
	{"a few numbers that one lacks and perm does not let through",
	 "arch=b64 calls=2,3,4 dir=/x perm=w" NL
	 "arch=b32 calls=5 dir=/x perm=w",
	 "calls=2,3,4,5 dir=/x perm=w"},
	{"rules between that are never asked about the same call",
	 "arch=b64 dir=/x perm=x key=a" NL "never calls=getpid uid=1" NL
	 "never arch=b64 uid=1" NL "arch=b32 dir=/x perm=x key=a",
	 "dir=/x perm=x key=a" NL "never calls=getpid uid=1" NL
	 "never arch=b64 uid=1"},
	{"pairs in a row",
	 "arch=b64 dir=/x perm=x key=a" NL "arch=b32 dir=/x perm=x key=a" NL
	 "arch=b64 dir=/y perm=x key=a" NL "arch=b32 dir=/y perm=x key=a",
	 "dir=/x perm=x key=a" NL "dir=/y perm=x key=a"},
	{"three",
	 "arch=b64 calls=437 uid=5 perm=w key=a" NL
	 "arch=b64 calls=437,438 uid=5 perm=w key=a" NL
	 "arch=b32 calls=437 uid=5 perm=w key=a",
	 "arch=b64 calls=437 uid=5 perm=w key=a" NL
	 "calls=437,438 uid=5 perm=w key=a"},

	{"other numbers: 5 is open here and fstat there",
	 "arch=b64 calls=open uid=5" NL "arch=b32 calls=open uid=5", NULL},
	{"a number that perm lets through for the other ABI as well",
	 "arch=b64 calls=2,5,8,85,10 dir=/x perm=w" NL
	 "arch=b32 calls=5,8,76 dir=/x perm=w",
	 NULL},
	{"a number that the other rule has not: 437 is openat2 for both",
	 "arch=b64 calls=437 dir=/x perm=w" NL
	 "arch=b32 calls=open dir=/x perm=w",
	 NULL},
	{"a number that no kernel has, past the margin or not, is one of "
	 "perm's",
	 "arch=b64 calls=480 dir=/x perm=w" NL
	 "arch=b32 calls=open dir=/x perm=w",
	 NULL},
	{"perm!= lets everything else through",
	 "arch=b64 calls=open dir=/x perm!=w" NL
	 "arch=b32 calls=open dir=/x perm!=w",
	 NULL},
	{"another key", "arch=b64 uid=5 key=a" NL "arch=b32 uid=5 key=b", NULL},
	{"another action", "arch=b64 uid=5" NL "never arch=b32 uid=5", NULL},
	{"another condition",
	 "arch=b64 uid=5 perm=w" NL "arch=b32 uid=5 perm=wa", NULL},
	{"the same ABI twice",
	 "arch=b64 calls=1 uid=5" NL "arch=b64 calls=2 uid=5", NULL},
	{"no arch and one", "calls=1 uid=5" NL "arch=b32 calls=1,2 uid=5",
	 NULL},
	{"a rule between that decides otherwise",
	 "arch=b64 dir=/x perm=x key=a" NL "never calls=11 uid=1" NL
	 "arch=b32 dir=/x perm=x key=a",
	 NULL},
	{"a bucket rule between",
	 "arch=b64 uid=5 key=a" NL "path=/x perm=x key=a" NL
	 "arch=b32 uid=5 key=a",
	 NULL},
	{"io_uring sees bucket rules without arch, as call 0",
	 "arch=b64 path=/x key=a" NL "arch=b32 path=/x key=a", NULL},
	{"over -q",
	 "arch=b64 dir=/x perm=x" NL "epoch=1 arch=b32 dir=/x perm=x", NULL},
	{"the first to count in audit_signals",
	 "arch=b64 calls=37,2 dir=/x perm=w" NL
	 "arch=b32 calls=62,5 dir=/x perm=w",
	 NULL},
	{"one that counts in audit_signals beside others",
	 "arch=b64 calls=37,2 dir=/x perm=w" NL
	 "arch=b32 calls=62,5 dir=/x perm=w" NL "arch=b64 calls=kill",
	 "calls=2,5,37,62 dir=/x perm=w" NL "arch=b64 calls=kill"},
	{"classes of calls are not known",
	 "arch=b64 calls=none classes=1 uid=5" NL
	 "arch=b32 calls=none classes=1 uid=5",
	 NULL},
	{"unsettled watches",
	 "unsettled arch=b64 path=/x perm=w" NL
	 "unsettled arch=b32 path=/x perm=w",
	 NULL},
	{"operations", "io_uring arch=b64 uid=5" NL "io_uring arch=b32 uid=5",
	 NULL},
	{"other filters", "exclude arch=b64" NL "exclude arch=b32", NULL},
};

START_TEST(as_expected)
{
	const char *after = cases[_i].after;

	pass_alone(&pass_twins, 1, cases[_i].name, cases[_i].before,
		   after && !*after ? "always" : after);
}
END_TEST

/* On a kernel that may let more calls through perm than are known, only the
 * same numbers count. */
START_TEST(not_for_a_newer_kernel)
{
	static const char *const rules[] = {
		"arch=b64 calls=execveat exe=/x perm=x" NL
		"arch=b32 calls=execveat exe=/x perm=x",
		"arch=b64 calls=437,600 uid=5 perm=w" NL
		"arch=b32 calls=437,600 uid=5 perm=w"};
	struct arena *arena = arena_new();

	for (size_t i = 0; i < 2; i++)
		for (int unknown = 0; unknown < 2; unknown++) {
			struct change_log log = {0};
			struct pass_context context = {.arena = arena,
						       .level = 1,
						       .log = &log,
						       .kernel_unknown =
							       unknown};
			struct ruleset *set = mk_ruleset(
				arena, mk_target("x86_64"), rules[i]);

			pass_twins.run(set, &context);
			ck_assert_uint_eq(set->count,
					  i == 0 && unknown ? 2 : 1);
		}
	arena_free(arena);
}
END_TEST

/* Both lines are told, and that one rule fewer is left. */
START_TEST(what_is_logged)
{
	struct arena *arena = arena_new();
	struct change_log log = {0};
	struct pass_context context = {.arena = arena, .level = 1, .log = &log};
	struct ruleset *set =
		mk_ruleset(arena, mk_target("x86_64"),
			   "arch=b64 uid=5 line=3" NL "arch=b32 uid=5 line=7");

	pass_twins.run(set, &context);
	ck_assert_uint_eq(log.count, 1);
	ck_assert_uint_eq(log.item[0].rules_dropped, 1);
	ck_assert_uint_eq(log.item[0].what.line[0], 7);
	ck_assert_uint_eq(log.item[0].because.line[0], 3);
	ck_assert_uint_eq(set->rule[0]->origin.count, 2);
	arena_free(arena);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("twins");
	TCase *tcase = tcase_create("twins");

	tcase_add_loop_test(tcase, as_expected, 0,
			    (int)(sizeof(cases) / sizeof(cases[0])));
	tcase_add_test(tcase, not_for_a_newer_kernel);
	tcase_add_test(tcase, what_is_logged);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
