/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What becomes of the conditions of one rule: those that others imply go, the
 * rest is put in order. */
#include <check.h>
#include <libaudit.h>
#include <stdlib.h>

#include "cost/cost.h"
#include "lib/build.h"
#include "lib/pass_alone.h"
#include "lib/suite.h"
#include "optimize/facts.h"

#define NL "\n"
#define IMPLIED &pass_implied
#define ORDER &pass_field_order

static const struct {
	const struct pass *pass;
	const char *name, *before, *after;
} cases[] = {
	{IMPLIED, "the wider of two bounds",
	 "arch=b64 calls=open auid>=1000 auid>=500",
	 "arch=b64 calls=open auid>=1000"},
	{IMPLIED, "the wider of two bounds, before the other",
	 "arch=b64 calls=open auid>=500 auid>=1000",
	 "arch=b64 calls=open auid>=1000"},
	{IMPLIED, "unset, said twice", "auid!=unset auid!=-1 auid<=4294967294",
	 "auid!=unset"},
	{IMPLIED, "a value and what is not it", "exit=-13 exit!=0 success=0",
	 "exit=-13 success=0"},
	{IMPLIED, "both ends leave one value", "uid>=5 uid<=5 uid=5",
	 "uid>=5 uid<=5"},
	{IMPLIED, "one letter and two", "perm=wa perm=w uid=5", "perm=w uid=5"},
	{IMPLIED, "a flag and any of two", "a1&=64 a1&65 uid=5",
	 "a1&=64 uid=5"},
	{IMPLIED, "what is always true", "uid>=0 pid<=4294967295 gid=5",
	 "gid=5"},
	{IMPLIED, "all that a rule demands", "uid>=0", "always"},
	{IMPLIED, "the same group, said twice", "gid=5 gid=5 exe=/x exe=/x",
	 "gid=5 exe=/x"},
	{IMPLIED, "a file in a bucket, too",
	 "path=/x perm=x auid>=1000 auid>=500", "path=/x perm=x auid>=1000"},
	{IMPLIED, "behind -w, which stays one",
	 "watch path=/x perm=wa auid>=1000 auid>=500",
	 "watch path=/x perm=wa auid>=1000"},

	{IMPLIED, "auid>=1000 is true of unset", "auid>=1000 auid!=unset",
	 NULL},
	{IMPLIED, "a call that never returns has no exit", "exit>=0", NULL},
	{IMPLIED, "exit does not say success", "exit=-13 success=0", NULL},
	{IMPLIED, "success does not say exit", "success=1 exit!=-13", NULL},
	{IMPLIED, "uid is not euid", "uid=0 euid=0", NULL},
	{IMPLIED, "two groups can both be there", "gid=5 gid!=6", NULL},
	{IMPLIED, "nor does gid= imply the order", "gid=5 gid>=5", NULL},
	{IMPLIED, "two names may satisfy two tests", "obj_uid>=5 obj_uid!=7",
	 NULL},
	{IMPLIED, "perm!=w is not perm=r", "perm=r perm!=w", NULL},
	{IMPLIED, "arch has its own say", "arch=b64 arch!=b32 calls=open",
	 NULL},
	{IMPLIED, "arch once more", "arch=b64 arch=b64 calls=open", NULL},
	{IMPLIED, "a family may be absent", "saddr_fam>=0", NULL},
	{IMPLIED, "no call satisfies it", "uid=5 uid=6 pid=7", NULL},
	{IMPLIED, "a watch that is not settled",
	 "unsettled watch path=/x perm=wa auid>=1000 auid>=500", NULL},
	{IMPLIED, "other filters", "user uid>=5 uid>=0", NULL},
	{IMPLIED, "not what would make it the same as another bucket rule",
	 "path=/x perm=w auid>=1000 key=a" NL "path=/x perm=w key=b" NL
	 "path=/x perm=w auid>=1000 auid>=500 key=a",
	 NULL},

	{ORDER, "what few calls pass first",
	 "arch=b64 calls=open auid>=1000 auid!=unset exit=-13",
	 "calls=2 exit=-13 auid!=unset arch=b64 auid>=1000"},
	{ORDER, "32 bits are rare", "calls=5 uid=110 arch=b32",
	 "calls=5 arch=b32 uid=110"},
	{ORDER, "dir before perm", "calls=2 perm=wa dir=/x",
	 "calls=2 dir=/x perm=wa"},
	{ORDER, "perm last", "calls=2 perm=wa auid>=1000 auid!=unset",
	 "calls=2 auid!=unset perm=wa auid>=1000"},
	{ORDER, "a label before all", "auid!=unset exe=/x subj_type=x",
	 "subj_type=x auid!=unset exe=/x"},
	{ORDER, "a tree's rule", "auid!=unset dir=/x perm=x",
	 "dir=/x auid!=unset perm=x"},

	{ORDER, "a file's rule is for few calls", "perm=x path=/x auid!=unset",
	 NULL},
	{ORDER, "and one by number", "auid!=unset perm=x inode=5", NULL},
	{ORDER, "one condition", "auid!=unset", NULL},
	{ORDER, "in order already", "calls=2 exit=-13 auid!=unset arch=b64",
	 NULL},
	{ORDER, "alike keep their order", "a0=5 a1=6 a2=7", NULL},
	{ORDER, "alike keep their order, the other way round", "a2=7 a1=6 a0=5",
	 NULL},
	{ORDER, "the last arch says which signals count",
	 "calls=62 arch=b64 arch!=b32 exit=-13", NULL},
	{ORDER, "-w has its own order", "watch path=/x perm=wa subj_type=x",
	 NULL},
	{ORDER, "a watch that is not settled",
	 "unsettled path=/x perm=wa subj_type=x", NULL},
	{ORDER, "a path whose watch is not settled may become the same",
	 "watch unsettled dir=/x perm=wa key=a" NL "perm=wa path=/x key=a",
	 NULL},
	{ORDER, "beside a watch of another path",
	 "watch unsettled dir=/y perm=wa key=a" NL "perm=wa dir=/x key=a",
	 "watch unsettled dir=/y perm=wa key=a" NL "dir=/x perm=wa key=a"},
	{ORDER, "other filters", "exclude uid=0 msgtype=CWD", NULL},
	{ORDER, "operations", "io_uring uid=0 exit=-13", NULL},
	{ORDER, "not what would make it the same as another bucket rule",
	 "path=/x perm=w auid!=unset key=a" NL "path=/x perm=w key=b" NL
	 "path=/x auid!=unset perm=w key=a",
	 NULL},
};

START_TEST(as_expected)
{
	pass_alone(cases[_i].pass, 1, cases[_i].name, cases[_i].before,
		   cases[_i].after);
}
END_TEST

static const char *const daily[] = {
	"arch=b64 calls=open auid>=1000 auid!=unset exit=-13",
	"arch=b64 calls=open perm=wa auid>=1000 auid!=unset",
	"arch=b64 calls=open perm=wa dir=/etc",
	"calls=2 auid>=1000 auid!=unset arch=b32 success=0",
	"calls=2 perm=wa uid=0 dir=/etc auid!=unset",
	"arch=b64 calls=2 exe=/x subj_type=y success=0",
};

static double cost(const struct ruleset *set)
{
	double sum = 0;

	for (int who = 0; who < IDENTITY_COUNT; who++) {
		struct event open =
			cost_event(ABI_NATIVE, 2, (enum identity)who);

		sum += cost_of_event(set, &open).instructions;
	}
	return sum;
}

/* By the cost model, which knows nothing of the order's table. */
START_TEST(costs_less)
{
	struct arena *arena = arena_new();
	struct ruleset *before =
		mk_ruleset(arena, mk_target("x86_64"), daily[_i]);
	struct ruleset *after = pass_made(arena, ORDER, 1, daily[_i]);

	ck_assert_double_lt(cost(after), cost(before));
	arena_free(arena);
}
END_TEST

START_TEST(what_is_logged)
{
	struct arena *arena = arena_new();
	struct change_log log = {0};
	struct pass_context context = {.arena = arena, .level = 1, .log = &log};
	struct ruleset *set =
		mk_ruleset(arena, mk_target("x86_64"),
			   "auid>=1000 auid>=500 exe=/x exe=/x line=4");

	pass_implied.run(set, &context);
	ck_assert_uint_eq(log.count, 2);
	ck_assert_str_eq(log.item[0].text, "condition exe=/x dropped: the "
					   "rule's others imply it");
	ck_assert_str_eq(log.item[1].text, "condition auid>=500 dropped: the "
					   "rule's others imply it");
	ck_assert_uint_eq(log.item[0].what.line[0], 4);
	ck_assert_uint_eq(log.item[0].rules_dropped, 0);
	arena_free(arena);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("conditions");
	TCase *tcase = tcase_create("conditions");

	tcase_add_loop_test(tcase, as_expected, 0,
			    (int)(sizeof(cases) / sizeof(cases[0])));
	tcase_add_loop_test(tcase, costs_less, 0,
			    (int)(sizeof(daily) / sizeof(daily[0])));
	tcase_add_test(tcase, what_is_logged);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
