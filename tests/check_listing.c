/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What auditctl -l prints, read as rules. */
#include <libaudit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontend/listing.h"
#include "frontend/load.h"
#include "lib/suite.h"

TEST_ARENA;

static struct diagnostics *told;
static struct input input;

/* The rules of TEXT, a file; as auditctl VERSION reads them. */
static const struct ruleset *load(const char *text, unsigned int version,
				  bool asked)
{
	const struct compile_options how = {
		.target = target_by_name("x86_64"),
		.auditctl_version = version,
		.root = "/nosuchroot",
	};
	char path[] = "/tmp/auditopt-listing.XXXXXX";
	int fd = mkstemp(path);
	struct commands commands;
	struct actions actions;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	told = diagnostics_new(arena);
	input = (struct input){0};
	ck_assert(input_read(arena, &input, path, told));
	unlink(path);
	listing_apply(arena, &input, &how, asked, told);
	commands = parse_input(arena, &input, version, told);
	actions = compile_commands(arena, &commands, &input, &how, told);
	return load_actions(arena, &actions, &how, told).set;
}

static bool was_told(const char *id)
{
	const struct diagnostic *d;

	for (size_t i = 0; (d = diagnostics_get(told, i)) != NULL; i++)
		if (strcmp(d->id, id) == 0)
			return true;
	return false;
}

static const unsigned int versions[] = {AUDITCTL_VERSION(3, 0, 9),
					AUDITCTL_VERSION(3, 1, 3),
					AUDITCTL_VERSION(4, 2, 1)};

static const struct {
	const char *listing; /* several lines; the last one counts */
	const char *rule;    /* what it is, as 3.1.0 reads it in a rules file */
	bool differs;	     /* it is no such rule in a rules file */
	bool adds;	     /* there perm adds calls, since 3.1.3 */
} cases[] = {
	{"-a always,exit -F arch=b64 -S open,openat -F auid>=1000 -F auid!=-1 "
	 "-F key=x",
	 "-a always,exit -F arch=b64 -S open,openat -F auid>=1000 -F "
	 "auid!=unset -k x",
	 false, false},
	/* names are of the machine of the last arch */
	{"-a always,exit -F arch=b32 -S open -F key=x\n-a always,exit -S "
	 "open,chmod -F key=y",
	 "-a always,exit -S 5,15 -k y", true, false},
	{"-a always,exit -F arch=b32 -S open -F key=x\n-w /etc/x -p wa\n"
	 "-a always,exclude -F msgtype=USER_AVC\n-a always,exit -S open,700 -F "
	 "key=y",
	 "-a always,exit -S 5,700 -k y", true, false},
	{"-a always,exit -F arch=b32 -S open\n-a always,exit -F arch!=b64 -S "
	 "chmod\n"
	 "-a always,exit -S open -F key=y",
	 "-a always,exit -S open -k y", false, false},
	{"-a always,exit -F arch=b32 -S all -F key=x\n-a always,exit -S all -F "
	 "dir=/x -F key=y",
	 "-a always,exit -S all -F dir=/x -k y", false, false},
	{"-a always,exit -F arch=b32 -S open -F key=x\n-a always,exit -S 5 -F "
	 "key=y",
	 "-a always,exit -S 5 -k y", false, false},
	/* all calls are there */
	{"-a always,exit -F arch=b64 -S mount -F auid>=5 -F perm=wa -F key=x",
	 "-a always,exit -F arch=b64 -S mount -F auid>=5 -F perm=wa -k x",
	 false, true},
	{"-a always,exit -S mount -F perm=wa -F auid>=5",
	 "-a always,exit -S mount -F perm=wa -F auid>=5", false, true},
	{"-a always,exit -F arch=b64 -S mount -F perm=wa -F perm=x",
	 "-a always,exit -F perm=wa -F perm=x -F arch=b64 -S mount", false,
	 true},
	{"-a always,exit -F arch=b64 -S all -F path=/x -F perm=wa",
	 "-a always,exit -F arch=b64 -S all -F path=/x -F perm=wa", false,
	 false},
	/* numbers */
	{"-a always,exit -S getpid -F a1&0x3 -F a0&=0xFFFFFFFF -F exit=-EAGAIN "
	 "-F exit!=7 -F inode!=4000000000",
	 "-a always,exit -S getpid -F a1&3 -F a0&=4294967295 -F exit=-11 -F "
	 "exit!=7 -F inode!=4000000000",
	 false, false},
	{"-a always,exit -S getpid -F filetype=32768",
	 "-a always,exit -S getpid -F filetype=file", true, false},
	{"-a always,exit -S getpid -F gid!=-2",
	 "-a always,exit -S getpid -F gid!=4294967294", true, false},
	{"-a always,exit -S getpid -F uid!=-2 -F sessionid=-1",
	 "-a always,exit -S getpid -F uid!=4294967294 -F sessionid=unset", true,
	 false},
	{"-a always,exclude -F msgtype=1107 -F auid=-1",
	 "-a always,exclude -F msgtype=USER_AVC -F auid=unset", false, false},
	{"-a never,filesystem -F fstype=tracefs",
	 "-a never,filesystem -F fstype=0x74726163", false, false},
	{"-a never,task -F uid=7", "-a never,task -F uid=7", false, false},
	{"-a always,exit -S all -C auid!=obj_uid -F key=x",
	 "-a always,exit -S all -C auid!=obj_uid -k x", false, false},
	{"-a always,io_uring -S openat,connect -F uid=0 -F key=x",
	 "-a always,io_uring -S openat,connect -F uid=0 -k x", false, false},
	/* calls that this libaudit may not know yet */
	{"-a always,exit -F arch=b64 -S fchmodat2 -F auid=1",
	 "-a always,exit -F arch=b64 -S 452 -F auid=1", false, false},
	/* spaces and backslashes */
	{"-a always,exit -S all -F path=/a b/c -F perm=r -F key=two words -F "
	 "key=k",
	 "-a always,exit -S all -F path=/a\\ b/c -F perm=r -F key=two\\ words "
	 "-F key=k",
	 true, false},
	{"-a always,exit -S getpid -F exe=/a\\b -F subj_type=a  b -F key= x",
	 "-a always,exit -S getpid -F exe=/a\\\\b -F subj_type=a\\ \\ b -F "
	 "key=\\ x",
	 true, false},
	/* watches */
	{"-w /etc/a -p wa -k one -k two", "-w /etc/a -p wa -k one -k two",
	 false, false},
	{"-w /etc/a b -p wa -k a b", "-w /etc/a\\ b -p wa -k a\\ b", true,
	 false},
	{"-w /etc/a -k one -p wa", "-w /etc/a -p wa -k one", false, false},
	{" -p wa-w /etc/a", "-w /etc/a -p wa", true, false},
	{" -p rwxa-w /etc/a -k x y", "-w /etc/a -p rwxa -k x\\ y", true, false},
	{" -p x -k all", "-a always,exit -S all -F perm=x -F key=all", true,
	 false},
	{"-w /etc/ -p r -k x",
	 "-a always,exit -S all -F dir=/etc/ -F perm=r -F key=x", false, false},
};

static void same_rule(size_t i, unsigned int version)
{
	const struct ruleset *want =
		load(cases[i].rule, AUDITCTL_VERSION(3, 1, 0), false);
	const struct ruleset *got;

	ck_assert_msg(want->count == 1, "%s", cases[i].rule);
	if (strstr(cases[i].rule, "io_uring") && version < 30100)
		return; /* it has no such list */
	got = load(cases[i].listing, version, true);
	ck_assert_msg(diagnostics_count(told, DIAG_ERROR) == 0, "%s: %s",
		      cases[i].listing, diagnostics_get(told, 0)->what);
	ck_assert_msg(got->count >= 1 &&
			      rule_same_to_kernel(want->rule[0],
						  got->rule[got->count - 1]) &&
			      want->rule[0]->unsettled ==
				      got->rule[got->count - 1]->unsettled,
		      "%s\nis not\n%s", cases[i].listing, cases[i].rule);
}

START_TEST(test_rules)
{
	for (size_t v = 0; v < sizeof(versions) / sizeof(versions[0]); v++)
		for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
			same_rule(i, versions[v]);
}
END_TEST

/* Without being asked nothing changes, and what would is told. */
START_TEST(test_not_asked)
{
	for (size_t v = 0; v < sizeof(versions) / sizeof(versions[0]); v++)
		for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
			bool differs = cases[i].differs ||
				       (cases[i].adds && versions[v] >= 30103);

			(void)load(cases[i].listing, versions[v], false);
			ck_assert_msg(was_told("listing-form") == differs, "%s",
				      cases[i].listing);
		}
}
END_TEST

/* What no listing is, is left alone, and is an error in one. */
static const char *const others[] = {
	"-a always,exit -F arch=b64 -S open -k x",
	"-a always,exit -S open -F arch=b64",
	"-a always,exit -F arch=b64 -S open -S openat",
	"-a always,exit -F uid=0 -S open",
	"-a always,exit -F arch=b64",
	"-a exit,always -S open",
	"-a always,exit -S open,  openat",
	"-a always,exit -S open  -F uid=0",
	"-a always,exit -S open -F uid=0 f333=5",
	"-w /etc/x",
	"-w etc/x -p wa",
	"-w -k x -p wa",
	"-w  -p wa",
	"-a -S x",
	"-a always,exit -S",
	"-D",
	"# -a always,exit -S open",
	"-A always,exit -S open",
};

START_TEST(test_others)
{
	static const char first[] = "-a always,exit -F arch=b32 -S open";
	static const char doubtful[] =
		"-a always,exit -S getpid -F filetype=32768";

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		const char *text = arena_printf(arena, "%s\n%s\n%s\n", first,
						others[i], doubtful);
		bool empty = others[i][0] == '#';

		(void)load(text, versions[0], true);
		ck_assert_msg(was_told("not-listed"), "%s", others[i]);
		(void)load(text, versions[0], false);
		ck_assert_msg(!was_told("listing-form"), "%s", others[i]);
		/* as the first line it makes a rules file of the whole */
		text = arena_printf(arena, "%s\n%s\n", others[i], first);
		(void)load(text, versions[0], true);
		ck_assert_msg(was_told("no-listing"), "%s", others[i]);
		ck_assert(input.line[1].length == strlen(first) || empty);
	}
}
END_TEST

START_TEST(test_no_rules)
{
	ck_assert_uint_eq(load("No rules\n", versions[0], false)->count, 0);
	ck_assert_ptr_null(diagnostics_get(told, 0));
	ck_assert_uint_eq(load("No rules\n", versions[0], true)->count, 0);
	ck_assert_ptr_null(diagnostics_get(told, 0));
	(void)load("No rules\n-D\n", versions[0], false);
	ck_assert_uint_gt(diagnostics_count(told, DIAG_ERROR), 0);
	(void)load("", versions[0], true);
	ck_assert(was_told("no-listing"));
}
END_TEST

/* What cannot be told from a listing. */
START_TEST(test_doubts)
{
	static const char exe[] =
		"-a always,exit -S all -F exe=/bin/x -F key=x";

	(void)load("-w /etc/x -p wa\n-w /etc/y -p wa\n", versions[0], true);
	ck_assert(was_told("listing-watch"));
	(void)load(exe, AUDITCTL_VERSION(3, 1, 3), true);
	ck_assert(was_told("listing-exe"));
	(void)load(exe, AUDITCTL_VERSION(4, 0, 0), true);
	ck_assert(!was_told("listing-exe"));
}
END_TEST

/* A line longer than auditctl reads: a listing can have such. */
START_TEST(test_long)
{
	const char *names = "openat";
	const struct ruleset *set;

	for (int number = 1; number < 456; number++)
		names = arena_printf(arena, "%s,%s", names,
				     number % 2 ? "recvfrom"
						: "clock_nanosleep");
	ck_assert_uint_gt(strlen(names), 5000);
	names = arena_printf(arena,
			     "-a always,exit -F arch=b64 -S %s,%s,mount -F "
			     "auid!=-1 -F key=long\n"
			     "-a always,exit -F arch=b64 -S chmod\n",
			     names, names);
	set = load(names, versions[0], true);
	ck_assert_uint_eq(diagnostics_count(told, DIAG_ERROR), 0);
	ck_assert_uint_eq(diagnostics_count(told, DIAG_WARNING), 0);
	ck_assert_uint_eq(set->count, 2);
	ck_assert_str_eq(set->rule[0]->key, "long");
	ck_assert_int_eq(syscall_mask_count(&set->rule[0]->mask), 4);
	ck_assert_uint_eq(input.line[set->rule[1]->line].number, 2);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("listing");
	TCase *tcase = tcase_create("all");

	tcase_add_checked_fixture(tcase, begin_arena, end_arena);
	tcase_add_test(tcase, test_rules);
	tcase_add_test(tcase, test_not_asked);
	tcase_add_test(tcase, test_others);
	tcase_add_test(tcase, test_no_rules);
	tcase_add_test(tcase, test_doubts);
	tcase_add_test(tcase, test_long);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
