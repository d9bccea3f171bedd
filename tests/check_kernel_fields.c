/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The evaluator's fields: what makes each hold or not, and when two outcomes
 * are the same.
 */
#include <check.h>
#include <libaudit.h>
#include <sys/stat.h>

#include "lib/calls.h"
#include "lib/suite.h"

/* Arch. */

START_TEST(numbers_mean_two_calls)
{
	struct event native = call("open");		   /* 2 */
	struct event compat = call_of(ABI_COMPAT, "fork"); /* 2 */

	ck_assert_int_eq(native.number, compat.number);
	ck_assert(records("always calls=open", &native));
	ck_assert(records("always calls=open", &compat));
	ck_assert(records("always arch=b64 calls=open", &native));
	ck_assert(!records("always arch=b64 calls=open", &compat));
	ck_assert(records("always arch!=b64 calls=2", &compat));
	ck_assert(!records("always arch!=b64 calls=2", &native));
	/* an arch of no machine at hand */
	ck_assert(!records("always arch=40000028", &native));
}
END_TEST

/* Fields. */

START_TEST(exit_is_unsigned)
{
	struct event e = failed("open", 13);

	ck_assert(!records("always exit<0", &e));
	ck_assert(records("always exit>=-13", &e));
	ck_assert(records("always exit<=-1", &e));
	ck_assert(!records("always exit>=-12", &e));
	e = call("read");
	e.exit_code = 10;
	ck_assert(!records("always exit>=-13", &e));
	ck_assert(records("always exit>5", &e));
	ck_assert(!records("always exit>-1", &e));
}
END_TEST

START_TEST(no_result_matches_no_operator)
{
	struct event e = call("exit_group");
	static const char *const rules[] = {
		"always exit=0",     "always exit!=0",	  "always exit>=0",
		"always exit<=-1",   "always success=0",  "always success=1",
		"always success!=0", "always success!=1",
	};

	e.result = RESULT_NONE;
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		ck_assert(!records(rules[i], &e));
	ck_assert(records("always calls=exit_group", &e));
}
END_TEST

START_TEST(success_compares_a_state)
{
	struct event good = call("open"), bad = failed("open", 2);

	ck_assert(records("always success=1", &good));
	ck_assert(records("always success=77", &good));
	ck_assert(!records("always success=0", &good));
	ck_assert(records("always success!=0", &good));
	ck_assert(records("always success=0", &bad));
	ck_assert(!records("always success!=0", &bad));
	/* AUDITSC_SUCCESS is 1 and AUDITSC_FAILURE is 2 */
	ck_assert(records("always success<0", &good));
	ck_assert(!records("always success<0", &bad));
	ck_assert(records("always success>1", &bad));
	ck_assert(!records("always success>1", &good));
}
END_TEST

START_TEST(arguments_have_32_bits)
{
	struct event e = call("kill");

	e.argv[1] = UINT64_C(0x100000009);
	ck_assert(records("always a1=9", &e));
	ck_assert(!records("always a1>9", &e));
	e.argv[1] = 6;
	ck_assert(records("always a1&12", &e));	  /* any bit */
	ck_assert(!records("always a1&=12", &e)); /* all bits */
	ck_assert(records("always a1&=6", &e));
	ck_assert(!records("always a1&8", &e));
	ck_assert(!records("always a1&0", &e));
	ck_assert(records("always a1&=0", &e));
}
END_TEST

START_TEST(unset_auid)
{
	struct event e = call("open");

	ck_assert(records("always auid!=unset", &e));
	ck_assert(!records("always auid=unset", &e));
	e.auid = UNSET;
	ck_assert(!records("always auid!=unset", &e));
	ck_assert(records("always auid=unset", &e));
	ck_assert(records("always auid>=1000", &e));
	ck_assert(records("always loginuid_set=0", &e));
	ck_assert(!records("always loginuid_set!=0", &e));
	e.auid = 0;
	ck_assert(records("always loginuid_set=1", &e));
}
END_TEST

START_TEST(supplementary_groups)
{
	struct event e = call("open");

	e.gid = 5;
	e.egid = 8;
	e.group = (const uint32_t[]){6, 7};
	e.groups = 2;
	ck_assert(records("always gid=5 gid=6", &e));
	ck_assert(!records("always gid!=6", &e));
	ck_assert(!records("always gid!=5", &e));
	ck_assert(records("always gid!=9", &e));
	ck_assert(records("always egid=7", &e));
	ck_assert(!records("always egid=5", &e));
	/* the ordered operators look at the group alone */
	ck_assert(!records("always gid>=6", &e));
	ck_assert(records("always gid<=5", &e));
	/* and so do the other two fields */
	ck_assert(!records("always sgid=6", &e));
	ck_assert(!records("always fsgid=6", &e));
}
END_TEST

START_TEST(some_name)
{
	struct event_name name[] = {{.inode = 1, .uid = 0, .dev_major = 8},
				    {.inode = 2, .uid = 7, .rdev_major = 9}};
	struct event e = with_names(name, 2);

	ck_assert(records("always obj_uid=0", &e));
	ck_assert(records("always obj_uid!=0", &e));
	ck_assert(records("always obj_uid=0 obj_uid=7", &e));
	ck_assert(records("always devmajor=9", &e));
	ck_assert(!records("always devmajor=7", &e));
	ck_assert(records("always uid:obj_uid=", &e));
	e.names = 0;
	ck_assert(!records("always obj_uid=0", &e));
	ck_assert(!records("always obj_uid!=0", &e));
	ck_assert(!records("always devmajor!=9", &e));
	ck_assert(!records("always uid:obj_uid!=", &e));
}
END_TEST

START_TEST(that_one_name_in_a_bucket)
{
	struct event_name name[] = {
		{.inode = 1, .path = STRINGS("/a"), .paths = 1, .uid = 0},
		{.inode = 2, .uid = 7, .mode = S_IFDIR},
	};
	struct event e = with_names(name, 2);

	name[0].mode = S_IFREG;
	ck_assert(records("always path=/a obj_uid=0", &e));
	ck_assert(!records("always path=/a obj_uid=7", &e));
	/* filetype and the comparisons look at all names all the same */
	ck_assert(records("always path=/a filetype=dir", &e));
	ck_assert(records("always path=/a uid:obj_uid=", &e));
	ck_assert(records("always path=/a uid:obj_uid!=", &e));
}
END_TEST

START_TEST(file_type)
{
	struct event_name name[] = {
		{.inode = 1, .mode = S_IFREG | 0644},
		{.inode = UINT64_MAX, .mode = S_IFDIR | 0755}};
	struct event e = with_names(name, 2);

	ck_assert(records("always filetype=file", &e));
	ck_assert(!records("always filetype!=file", &e));
	/* a name whose inode is not known has no type */
	ck_assert(!records("always filetype=dir", &e));
	ck_assert(records("always filetype!=dir", &e));
	e.names = 0;
	ck_assert(records("always filetype!=file", &e));
}
END_TEST

START_TEST(inode_is_compared_as_32_bits)
{
	struct event_name name = {.inode = (UINT64_C(1) << 32) + 5};
	struct event e = with_names(&name, 1);

	ck_assert(records("always inode=5", &e));
	ck_assert(!records("always inode!=5", &e));
}
END_TEST

START_TEST(perm_looks_at_the_call)
{
	struct event e = call("openat");

	e.argv[2] = 0; /* O_RDONLY */
	ck_assert(records("always perm=r", &e));
	ck_assert(!records("always perm=wax", &e));
	e.argv[2] = 1; /* O_WRONLY */
	ck_assert(records("always perm=w", &e));
	ck_assert(!records("always perm=rax", &e));
	e.argv[2] = 2; /* O_RDWR */
	ck_assert(records("always perm=r", &e));
	ck_assert(records("always perm=w", &e));
	e.argv[2] = 0x80000; /* O_CLOEXEC is not looked at */
	ck_assert(!records("always perm=w", &e));
	e = call("open");
	e.argv[1] = 1;
	ck_assert(records("always perm=w", &e));
	e = call("openat2");
	e.open_flags = 1;
	ck_assert(records("always perm=w", &e));
	e = call("execve");
	ck_assert(records("always perm=x", &e));
	ck_assert(!records("always perm=rwa", &e));
	e = call("chmod");
	ck_assert(records("always perm=a", &e));
	ck_assert(!records("always perm=wx", &e));
	e = call("getpid");
	ck_assert(!records("always perm=rwxa", &e));
	ck_assert(records("always perm!=rwxa", &e));
}
END_TEST

START_TEST(perm_of_socketcall)
{
	struct event e = call_of(ABI_COMPAT, "socketcall");

	e.argv[0] = 2; /* SYS_BIND */
	ck_assert(records("always perm=w", &e));
	e.argv[0] = 3;
	ck_assert(!records("always perm=w", &e));
}
END_TEST

START_TEST(dir_is_the_whole_call)
{
	struct event_name name[] = {{.inode = 1}, {.inode = 2}};
	struct event e = with_names(name, 2);

	ck_assert(!records("always dir=/etc", &e));
	e.dir = STRINGS("/home", "/etc");
	e.dirs = 2;
	ck_assert(records("always dir=/etc", &e));
	ck_assert(records("always dir=/home perm=w", &e));
	ck_assert(!records("always dir=/usr", &e));
}
END_TEST

START_TEST(executable)
{
	struct event e = call("open");

	e.exe = STRINGS("/bin/sh", "/bin/dash");
	e.exes = 2;
	ck_assert(records("always exe=/bin/dash", &e));
	ck_assert(!records("always exe!=/bin/sh", &e));
	ck_assert(records("always exe!=/bin/ls", &e));
}
END_TEST

START_TEST(socket_family)
{
	struct event e = call("connect");

	ck_assert(!records("always saddr_fam=2", &e));
	ck_assert(!records("always saddr_fam!=2", &e));
	e.has_sockaddr = true;
	e.sockaddr_family = 2;
	ck_assert(records("always saddr_fam=2", &e));
}
END_TEST

START_TEST(labels)
{
	const struct lsm_truth task = {AUDIT_SUBJ_TYPE, OP_EQ, "staff_t"};
	const struct lsm_truth file = {AUDIT_OBJ_TYPE, OP_EQ, "etc_t"};
	struct event_name name = {.inode = 1, .label = &file, .labels = 1};
	struct event e = with_names(&name, 1);

	e.label = &task;
	e.labels = 1;
	ck_assert(records("always subj_type=staff_t", &e));
	/* without an LSM neither holds: != is a truth of its own */
	ck_assert(!records("always subj_type!=staff_t", &e));
	ck_assert(!records("always subj_type!=user_t", &e));
	ck_assert(!records("always subj_role=staff_t", &e));
	ck_assert(records("always obj_type=etc_t", &e));
	e.names = 0;
	ck_assert(!records("always obj_type=etc_t", &e));
	e.ipc_label = &file;
	e.ipc_labels = 1;
	ck_assert(!records("always obj_type=etc_t", &e));
	e.has_ipc = true;
	ck_assert(records("always obj_type=etc_t", &e));
}
END_TEST

START_TEST(comparisons_of_ids)
{
	struct event e = call("open");

	e.uid = 5;
	e.euid = 5;
	e.suid = 6;
	ck_assert(records("always uid:euid=", &e));
	ck_assert(!records("always uid:euid!=", &e));
	ck_assert(records("always uid:suid!=", &e));
	ck_assert(records("always uid:auid!=", &e));
	ck_assert(records("always gid:egid=", &e));
}
END_TEST

START_TEST(plain_numbers)
{
	struct event e = call("open");

	e.personality = 8;
	ck_assert(records("always pid=100 ppid=99 sessionid=1 pers=8", &e));
	ck_assert(!records("always ppid>99", &e));
	ck_assert(records("always uid=0 euid=0 suid=0 fsuid=0 sgid=0 fsgid=0",
			  &e));
	ck_assert(!records("always fsuid>0", &e));
}
END_TEST

START_TEST(class_masks)
{
	struct event e = call("chmod");

	/* AUDIT_CLASS_CHATTR is 2 */
	ck_assert(records("always calls=none classes=4", &e));
	ck_assert(!records("always calls=none classes=16", &e));
}
END_TEST

/* The same outcome. */

static bool same(enum verdict a, enum verdict b, int level, bool self_log)
{
	struct outcome x = {a, "k"}, y = {b, "k"};

	return outcome_same(x, y, level, self_log);
}

START_TEST(same_outcomes)
{
	struct outcome k = {VERDICT_RECORD, "k"};
	struct outcome l = {VERDICT_RECORD, "l"};
	struct outcome none = {VERDICT_RECORD, NULL};

	ck_assert(same(VERDICT_RECORD, VERDICT_RECORD, 1, true));
	ck_assert(!same(VERDICT_RECORD, VERDICT_NONE, 2, false));
	ck_assert(!same(VERDICT_RECORD, VERDICT_NEVER, 2, false));
	ck_assert(!same(VERDICT_NEVER, VERDICT_NONE, 1, true));
	ck_assert(same(VERDICT_NEVER, VERDICT_NONE, 1, false));
	ck_assert(same(VERDICT_NEVER, VERDICT_NONE, 2, true));
	ck_assert(!same(VERDICT_DUMMY, VERDICT_NONE, 1, false));
	ck_assert(same(VERDICT_DUMMY, VERDICT_NONE, 2, true));
	ck_assert(!same(VERDICT_DUMMY, VERDICT_RECORD, 2, true));
	ck_assert(outcome_same(k, k, 1, true));
	ck_assert(!outcome_same(k, l, 2, false));
	ck_assert(!outcome_same(k, none, 2, false));
	/* the key of what is not recorded is never seen */
	k.verdict = l.verdict = VERDICT_NEVER;
	ck_assert(outcome_same(k, l, 1, true));
}
END_TEST

static void add_tests(TCase *tcase)
{
	tcase_add_test(tcase, numbers_mean_two_calls);
	tcase_add_test(tcase, exit_is_unsigned);
	tcase_add_test(tcase, no_result_matches_no_operator);
	tcase_add_test(tcase, success_compares_a_state);
	tcase_add_test(tcase, arguments_have_32_bits);
	tcase_add_test(tcase, unset_auid);
	tcase_add_test(tcase, supplementary_groups);
	tcase_add_test(tcase, some_name);
	tcase_add_test(tcase, that_one_name_in_a_bucket);
	tcase_add_test(tcase, file_type);
	tcase_add_test(tcase, inode_is_compared_as_32_bits);
	tcase_add_test(tcase, perm_looks_at_the_call);
	tcase_add_test(tcase, perm_of_socketcall);
	tcase_add_test(tcase, dir_is_the_whole_call);
	tcase_add_test(tcase, executable);
	tcase_add_test(tcase, socket_family);
	tcase_add_test(tcase, labels);
	tcase_add_test(tcase, comparisons_of_ids);
	tcase_add_test(tcase, plain_numbers);
	tcase_add_test(tcase, class_masks);
	tcase_add_test(tcase, same_outcomes);
}

int main(void)
{
	Suite *suite = suite_create("kernel_fields");
	TCase *tcase = tcase_create("fields");

	tcase_add_checked_fixture(tcase, calls_setup, calls_teardown);
	add_tests(tcase);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
