/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Masks narrowed by perm: what they keep, what they lose, what stays whole. */
#include <check.h>
#include <libaudit.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "emit/emit.h"
#include "lib/build.h"
#include "lib/pass_alone.h"
#include "lib/suite.h"
#include "model/perm.h"
#include "optimize/pipeline.h"

#define NL "\n"
#define NEWEST_CALL 471
/* Another rule that counts in audit_signals, so that the one in front of it
 * need not. */
#define KILL NL "arch=b64 calls=kill uid=5 key=kill"

TEST_ARENA;

static struct rule *first_of(const char *rules, int level)
{
	return pass_made(arena, &pass_narrow, level, rules)->rule[0];
}

static bool is_whole(const struct rule *rule)
{
	struct syscall_mask all = syscall_mask_all();

	return syscall_mask_equal(&rule->mask, &all);
}

static const char *const kept_whole[] = {
	"dir=/etc perm!=wa" KILL,
	"dir=/etc" KILL,
	"unsettled watch path=/etc perm=wa" KILL,
	"watch path=/etc/passwd perm=wa" KILL,
	"io_uring perm=wa" KILL,
};

START_TEST(others_stay_whole)
{
	ck_assert(is_whole(first_of(kept_whole[_i], 2)));
}
END_TEST

static const struct {
	const char *name, *before, *after;
} cases[] = {
	{"a list loses what is not in the class",
	 "arch=b64 calls=open,read,openat,getpid,chmod dir=/etc perm=wa" KILL,
	 "arch=b64 calls=open,openat,chmod dir=/etc perm=wa" KILL},
	{"a list that is in the class",
	 "arch=b64 calls=open,openat,chmod dir=/etc perm=wa" KILL, NULL},
	{"each letter has its own calls",
	 "arch=b64 calls=open,execve,chmod,unlink,readlink,stat uid=5 perm=x" NL
	 "arch=b64 calls=open,execve,chmod,unlink,readlink,stat uid=5 perm=r" NL
	 "arch=b64 calls=open,execve,chmod,unlink,readlink,stat uid=5 perm=a" NL
	 "arch=b64 calls=open,execve,chmod,unlink,readlink,stat uid=5 "
	 "perm=w" KILL,
	 "arch=b64 calls=execve uid=5 perm=x" NL
	 "arch=b64 calls=open,readlink uid=5 perm=r" NL
	 "arch=b64 calls=chmod uid=5 perm=a" NL
	 "arch=b64 calls=open,unlink uid=5 perm=w" KILL},
	{"all perms of a rule count",
	 "arch=b64 calls=open,link,chmod,unlink uid=5 perm=w perm=a" KILL,
	 "arch=b64 calls=link uid=5 perm=w perm=a" KILL},
	{"without arch a number stays for either ABI",
	 "calls=2,5,9,10,15,76,38,202 uid=5 perm=w" KILL,
	 "calls=2,5,9,10,38,76 uid=5 perm=w" KILL},
	{"with arch it stays for that ABI only",
	 "arch=b32 calls=2,5,9,10,38,76,202 uid=5 perm=w" NL
	 "arch=b64 calls=2,5,9,10,38,76,202 uid=5 perm=w" KILL,
	 "arch=b32 calls=5,9,10,38 uid=5 perm=w" NL
	 "arch=b64 calls=2,76 uid=5 perm=w" KILL},
	{"young calls and a margin stay, old ones and the gap do not",
	 "arch=b64 calls=stat,334,400,423,443,452,463,464,465,466,468,469,471,"
	 "472,503,504,600,2031 uid=5 perm=ra" KILL,
	 "arch=b64 calls=443,452,463,464,465,466,468,469,472,503 uid=5 "
	 "perm=ra" KILL},
	{"what no known kernel lets through goes to others",
	 "arch=b64 calls=600 uid=5 perm=ra" KILL, NULL},
	{"calls that name no file stay, as no perm keeps them out",
	 "arch=b64 calls=open,getpid,futex dir=/etc" NL
	 "arch=b64 calls=open,getpid,futex obj_uid=5" KILL,
	 NULL},
	{"classes of calls are not known",
	 "calls=getpid classes=2 uid=5 perm=wa" KILL, NULL},
	{"never rules too", "never arch=b64 calls=open,read uid=5 perm=w" KILL,
	 "never arch=b64 calls=open uid=5 perm=w" KILL},
	{"the last rule in audit_signals stays there",
	 "arch=b64 calls=open,kill,tkill,tgkill uid=5 perm=w",
	 "arch=b64 calls=open,tkill uid=5 perm=w"},
	{"the last rule in audit_signals, with what it has",
	 "arch=b64 calls=open,kill,read uid=5 perm=w",
	 "arch=b64 calls=open,kill uid=5 perm=w"},
	{"the last rule in audit_signals, for 32 bits",
	 "arch=b32 calls=open,37,62,270 uid=5 perm=w",
	 "arch=b32 calls=open,270 uid=5 perm=w"},
};

START_TEST(as_expected)
{
	pass_alone(&pass_narrow, 1, cases[_i].name, cases[_i].before,
		   cases[_i].after);
}
END_TEST

START_TEST(no_signals_at_level_2)
{
	struct rule *rule =
		first_of("arch=b64 calls=open,kill uid=5 perm=w", 2);

	ck_assert_uint_eq(syscall_mask_count(&rule->mask), 1);
}
END_TEST

/* Every call that the newest kernel lets through stays, whatever its flags. */
START_TEST(no_call_is_lost)
{
	static const char *const targets[] = {"x86_64", "i386", "aarch64",
					      "s390x", "ppc64le"};
	const struct target *target = mk_target(targets[_i % 5]);
	uint32_t perm = (uint32_t)_i / 5 + 1;
	struct syscall_set known = perm_calls_known(target, perm);
	struct syscall_set possible = perm_calls_possible(target, perm);

	ck_assert(syscall_set_subset(&known, &possible));
	for (int abi = 0; abi < ABI_COUNT; abi++)
		for (int n = 0; n < SYSCALL_MASK_CALLS; n++)
			for (uint64_t flags = 0; flags < 4; flags++) {
				uint64_t argv[4] = {flags, flags, flags, 0};

				if (target_has_abi(target, (enum abi)abi) &&
				    perm_match(target, (enum abi)abi, n, argv,
					       flags, perm))
					ck_assert(syscall_set_has(
						&known, (enum abi)abi, n));
			}
	for (int abi = 0; abi < ABI_COUNT; abi++)
		if (target_has_abi(target, (enum abi)abi))
			ck_assert(syscall_set_has(&known, (enum abi)abi,
						  NEWEST_CALL + 1));
}
END_TEST

START_TEST(releases)
{
	static const char *const known[] = {"2.6.32", "6.1", "6.12.30-amd64",
					    "7.0", "7.0.9-1-default"};
	static const char *const unknown[] = {
		"7.1", "7.10.0", "8.0", "any", "", "6", "linux-6.1"};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		ck_assert_msg(perm_kernel_known(known[i]), "%s", known[i]);
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		ck_assert_msg(!perm_kernel_known(unknown[i]), "%s", unknown[i]);
	ck_assert_str_eq(perm_newest_kernel(), "7.0");
}
END_TEST

START_TEST(not_for_a_newer_kernel)
{
	struct ruleset *set =
		mk_ruleset(arena, mk_target("x86_64"), "dir=/etc perm=wa" KILL);
	struct pipeline_options options = {.level = 2, .kernel_unknown = true};
	struct change_log log = {0};

	pipeline_run_as(arena, set, &options, &log);
	ck_assert(is_whole(set->rule[0]));
	options.kernel_unknown = false;
	pipeline_run_as(arena, set, &options, &log);
	ck_assert(!is_whole(set->rule[0]));
}
END_TEST

/* A set of COUNT watches on files. */
static struct ruleset *file_watches(unsigned int count)
{
	const char *rules = KILL;

	for (unsigned int i = 0; i < count; i++)
		rules = arena_printf(arena, "watch path=/f%u perm=wa key=k\n%s",
				     i, rules);
	return pass_made(arena, &pass_narrow, 1, rules);
}

START_TEST(buckets_by_number)
{
	struct ruleset *few = file_watches(31), *many = file_watches(32);

	ck_assert(is_whole(few->rule[0]) && few->rule[0]->watch_form);
	ck_assert(!is_whole(many->rule[0]) && !many->rule[0]->watch_form);
	ck_assert(syscall_mask_has(&many->rule[0]->mask, 2));
	ck_assert(!syscall_mask_has(&many->rule[0]->mask, 0));
}
END_TEST

/* The list of what executes is short. */
START_TEST(few_in_buckets_that_stay_short)
{
	const char *rules = "path=/a perm=x auid>=1000 key=k\n"
			    "path=/b arch=b64 perm=r auid>=1000 key=k\n"
			    "watch path=/c perm=x key=k\n" KILL;
	const struct ruleset *set = pass_made(arena, &pass_narrow, 1, rules);

	ck_assert(is_whole(set->rule[0]));
	for (int i = 0; i < 5; i++)
		rules = arena_printf(arena, "%s\nwatch path=/d%d perm=wa key=k",
				     rules, i);
	set = pass_made(arena, &pass_narrow, 1, rules);
	ck_assert(syscall_mask_has(&set->rule[0]->mask, 59));
	ck_assert(!syscall_mask_has(&set->rule[0]->mask, 2));
	ck_assert(is_whole(set->rule[1]));
	ck_assert(is_whole(set->rule[2]) && set->rule[2]->watch_form);
}
END_TEST

static char *path_of(size_t length)
{
	char *path = arena_alloc(arena, length + 1);

	memset(path, '\\', length);
	path[0] = '/';
	return path;
}

/* One rule stays one line, and the line gives the rule back under the oldest
 * and the newest auditctl. */
START_TEST(one_line_each)
{
	static const char *const arches[] = {"", "arch=b64 ", "arch=b32 "};
	struct compile_options options = {.target = mk_target("x86_64"),
					  .auditctl_version =
						  AUDITCTL_VERSION(3, 1, 3),
					  .root = ""};
	struct controls controls = {0};
	struct ruleset *set = ruleset_new(arena, options.target);
	const char *text;

	for (unsigned int perm = 1; perm <= 15; perm++) {
		const char *rule =
			arena_printf(arena, "%sdir=%s perm=%u key=k" KILL,
				     arches[_i], path_of(590), perm);

		ruleset_insert(set, 0, first_of(rule, 1));
		ck_assert(!is_whole(set->rule[0]));
		text = emit_rule(arena, options.target, set->rule[0]);
		ck_assert_ptr_nonnull(text);
		ck_assert_uint_lt(strlen(text), EMIT_LINE_MAX);
		ck_assert_ptr_null(strchr(text, '\n'));
		text = arena_printf(arena, "%s\n", text);
		text = recheck(arena, text, strlen(text), set, &controls,
			       &options);
		ck_assert_msg(!text, "%s", text);
		ruleset_remove(set, 0);
	}
}
END_TEST

START_TEST(long_texts_stay)
{
	const char *rule =
		arena_printf(arena, "dir=%s perm=wa" KILL, path_of(601));

	ck_assert(is_whole(first_of(rule, 1)));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("narrow");
	TCase *tcase = tcase_create("narrow");

	tcase_add_checked_fixture(tcase, begin_arena, end_arena);
	tcase_add_loop_test(tcase, as_expected, 0,
			    (int)(sizeof(cases) / sizeof(cases[0])));
	tcase_add_loop_test(tcase, others_stay_whole, 0,
			    (int)(sizeof(kept_whole) / sizeof(kept_whole[0])));
	tcase_add_loop_test(tcase, no_call_is_lost, 0, 75);
	tcase_add_loop_test(tcase, one_line_each, 0, 3);
	tcase_add_test(tcase, no_signals_at_level_2);
	tcase_add_test(tcase, releases);
	tcase_add_test(tcase, not_for_a_newer_kernel);
	tcase_add_test(tcase, buckets_by_number);
	tcase_add_test(tcase, few_in_buckets_that_stay_short);
	tcase_add_test(tcase, long_texts_stay);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
