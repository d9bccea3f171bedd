/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/call_names.h"

#include <check.h>
#include <stdlib.h>

#include "frontend/perm_calls.h"
#include "lib/build.h"
#include "lib/calls.h"
#include "lib/random_events.h"
#include "lib/suite.h"
#include "model/perm.h"

static bool collects(enum abi abi, const char *name)
{
	int number = target_call_number(x86, abi, name);

	ck_assert_msg(number >= 0, "%s", name);
	return call_can_collect_names(x86, abi, number, NULL);
}

START_TEST(calls_that_collect_none)
{
	static const char *const names[] = {
		"getppid", "getpid",	      "futex",	      "clock_gettime",
		"times",   "nanosleep",	      "sched_yield",  "kill",
		"pipe2",   "getpriority",     "rt_sigaction", "gettimeofday",
		"umask",   "timerfd_settime",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		for (int abi = 0; abi < ABI_COUNT; abi++)
			ck_assert_msg(!collects(abi, names[i]), "%s", names[i]);
}
END_TEST

/* The system calls of Linux 6.1 whose own body, or first function called, looks
 * a path up or hands an open file to audit_file(): all that have a parameter of
 * the kind (SYSCALL_DEFINE in fs/, ipc/, mm/, kernel/), and their older and
 * wider forms. */
static const char *const name_files[] = {
	"access",
	"acct",
	"chdir",
	"chmod",
	"chown",
	"chroot",
	"creat",
	"delete_module",
	"execve",
	"execveat",
	"faccessat",
	"faccessat2",
	"fchmod",
	"fchmodat",
	"fchown",
	"fchownat",
	"fgetxattr",
	"flistxattr",
	"fremovexattr",
	"fsconfig",
	"fsetxattr",
	"fsopen",
	"fspick",
	"futimesat",
	"getxattr",
	"inotify_add_watch",
	"lchown",
	"lgetxattr",
	"link",
	"linkat",
	"listxattr",
	"llistxattr",
	"lremovexattr",
	"lsetxattr",
	"lstat",
	"memfd_create",
	"mkdir",
	"mkdirat",
	"mknod",
	"mknodat",
	"mount",
	"mount_setattr",
	"move_mount",
	"mq_open",
	"mq_timedreceive",
	"mq_timedsend",
	"mq_unlink",
	"name_to_handle_at",
	"open",
	"open_by_handle_at",
	"open_tree",
	"openat",
	"openat2",
	"pivot_root",
	"quotactl",
	"readlink",
	"readlinkat",
	"removexattr",
	"rename",
	"renameat",
	"renameat2",
	"rmdir",
	"setxattr",
	"stat",
	"statfs",
	"statx",
	"swapoff",
	"swapon",
	"symlink",
	"symlinkat",
	"truncate",
	"umount2",
	"unlink",
	"unlinkat",
	"uselib",
	"utime",
	"utimensat",
	"utimes",
	"fanotify_mark",
};

/* One of each kind that comes to a name by a detour, with the place. */
static const char *const name_others[] = {
	"poll",		     /* vb2_core_poll, request_firmware */
	"ppoll",	     /* the same */
	"select",	     /* the same */
	"pselect6",	     /* the same */
	"epoll_ctl",	     /* the same: ep_insert */
	"epoll_wait",	     /* the same: ep_send_events */
	"epoll_pwait",	     /* the same */
	"restart_syscall",   /* do_restart_poll */
	"read",		     /* methods of files */
	"write",	     /* configfs_symlink, firmware, kern_path */
	"ioctl",	     /* all kinds */
	"close",	     /* the last close */
	"dup2",		     /* the same */
	"dup3",		     /* the same */
	"mmap",		     /* f_op->mmap */
	"munmap",	     /* vm_ops->close */
	"brk",		     /* the same */
	"mremap",	     /* the same */
	"madvise",	     /* file systems */
	"fstat",	     /* getattr */
	"lseek",	     /* methods of files */
	"fcntl",	     /* the same */
	"getdents",	     /* the same */
	"ftruncate",	     /* the same */
	"bind",		     /* unix_bind */
	"connect",	     /* unix_find_other */
	"sendto",	     /* the same */
	"sendmsg",	     /* the same */
	"sendmmsg",	     /* the same */
	"socket",	     /* protocols */
	"setsockopt",	     /* too much */
	"recvmsg",	     /* protocols */
	"clone",	     /* too much */
	"fork",		     /* the same */
	"exit",		     /* acct, files */
	"exit_group",	     /* the same */
	"wait4",	     /* proc_flush_pid */
	"io_uring_enter",    /* any operation */
	"io_uring_register", /* the same */
	"perf_event_open",   /* uprobes: kern_path */
	"bpf",		     /* user_path_at */
	"init_module",	     /* firmware */
	"finit_module",	     /* the same */
	"prctl",	     /* too much */
	"ptrace",	     /* too much */
	"add_key",	     /* too much */
	"shmdt",	     /* unmaps */
	"seccomp",
};

START_TEST(calls_that_may)
{
	for (size_t i = 0; i < sizeof(name_files) / sizeof(name_files[0]); i++)
		for (int abi = 0; abi < ABI_COUNT; abi++)
			ck_assert_msg(collects(abi, name_files[i]), "%s",
				      name_files[i]);
	for (size_t i = 0; i < sizeof(name_others) / sizeof(name_others[0]);
	     i++)
		for (int abi = 0; abi < ABI_COUNT; abi++)
			ck_assert_msg(collects(abi, name_others[i]), "%s",
				      name_others[i]);
}
END_TEST

/* IPC objects have labels of their own, which rules can ask for. */
START_TEST(calls_with_objects_stay_out)
{
	static const char *const names[] = {"semop",  "semctl", "semget",
					    "msgsnd", "msgrcv", "msgctl",
					    "shmat",  "shmctl"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		ck_assert_msg(collects(ABI_NATIVE, names[i]), "%s", names[i]);
}
END_TEST

/* The kernel's own lists of calls that read, write, execute or change
 * attributes of files (include/asm-generic/audit_*.h). */
START_TEST(no_call_of_the_classes)
{
	const char *name;

	for (unsigned int i = 0; (name = target_name(i)); i++) {
		const struct target *t = target_by_name(name);
		struct syscall_set set = calls_never_collect_names(t);
		struct syscall_set classes = perm_calls_known(t, 15);

		ck_assert(!syscall_set_intersects(&set, &classes));
	}
}
END_TEST

START_TEST(unknown_numbers_may)
{
	static const int numbers[] = {-1,   400,  500,	     2031,
				      2047, 5000, 0x40000027};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		ck_assert(call_can_collect_names(x86, ABI_NATIVE, numbers[i],
						 NULL));
}
END_TEST

/* 39 is getpid for x86_64 and mkdir for i386. Number 0 is what operations of
 * io_uring ask bucket rules for, with the names that they collected. */
START_TEST(numbers_are_of_their_abi)
{
	ck_assert(!call_can_collect_names(x86, ABI_NATIVE, 39, NULL));
	ck_assert(call_can_collect_names(x86, ABI_COMPAT, 39, NULL));
	for (int abi = 0; abi < ABI_COUNT; abi++)
		ck_assert(call_can_collect_names(x86, abi, 0, NULL));
}
END_TEST

START_TEST(set_and_question_agree)
{
	const char *name;

	for (unsigned int i = 0; (name = target_name(i)); i++) {
		const struct target *t = target_by_name(name);
		const struct target *only = target_native_only(arena, t);
		struct syscall_set set = calls_never_collect_names(t);
		struct syscall_set own = calls_never_collect_names(only);

		ck_assert(!syscall_mask_empty(&set.abi[ABI_NATIVE]));
		ck_assert(syscall_mask_equal(&set.abi[ABI_NATIVE],
					     &own.abi[ABI_NATIVE]));
		ck_assert(syscall_mask_empty(&own.abi[ABI_COMPAT]));
		for (int abi = 0; abi < ABI_COUNT; abi++)
			for (int n = 0; n < SYSCALL_MASK_BITS; n++) {
				const char *why = NULL;
				bool can =
					call_can_collect_names(t, abi, n, &why);

				ck_assert(can != syscall_set_has(&set, abi, n));
				ck_assert(can == (why == NULL));
			}
	}
}
END_TEST

/* The evaluator must not find a match without names where a test is said to
 * need one. */
START_TEST(tests_that_need_a_name)
{
	static const struct {
		const char *test;
		bool needs;
	} tests[] = {
		{"obj_uid=5", true},	  {"obj_uid!=5", true},
		{"obj_gid<=5", true},	  {"obj_gid>=0", true},
		{"devmajor!=8", true},	  {"devminor&1", true},
		{"devminor&=0", true},	  {"inode!=7", true},
		{"inode=7", true},	  {"inode>=0", true},
		{"filetype=file", true},  {"filetype!=file", false},
		{"dir=/etc", true},	  {"path=/etc/passwd", true},
		{"uid:obj_uid=", true},	  {"uid:obj_uid!=", true},
		{"auid:obj_uid=", true},  {"gid:obj_gid!=", true},
		{"fsgid:obj_gid=", true}, {"uid:euid=", false},
		{"gid:fsgid=", false},	  {"obj_type=etc_t", false},
		{"uid=0", false},	  {"exe=/bin/sh", false},
		{"success=1", false},
	};
	const struct event event = call("getppid");

	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		const struct rule *rule = mk_rule(arena, x86, tests[i].test);
		const char *line = arena_printf(arena, "%s calls=all key=k",
						tests[i].test);

		ck_assert_msg(rule->tests == 1, "%s", tests[i].test);
		ck_assert_msg(test_needs_name(&rule->test[0]) == tests[i].needs,
			      "%s", tests[i].test);
		if (tests[i].needs)
			ck_assert_msg(!records(line, &event), "%s", line);
	}
	ck_assert(records("filetype!=file calls=all", &event));
	ck_assert(records("uid:euid= calls=all", &event));
}
END_TEST

/* Rules that ask for a name have no such call; their masks keep it. */
START_TEST(rules_lose_the_calls)
{
	int ppid = target_call_number(x86, ABI_NATIVE, "getppid");
	int open = target_call_number(x86, ABI_NATIVE, "open");
	const struct rule *rule = mk_rule(arena, x86, "dir=/etc calls=all");
	struct syscall_set calls = rule_calls(x86, rule);
	struct syscall_set entered = rule_entered(x86, rule);

	ck_assert(!syscall_set_has(&calls, ABI_NATIVE, ppid));
	ck_assert(syscall_set_has(&calls, ABI_COMPAT, ppid)); /* iopl */
	ck_assert(syscall_set_has(&calls, ABI_NATIVE, open));
	ck_assert(syscall_set_has(&entered, ABI_NATIVE, ppid));
	calls = rule_calls(x86, mk_rule(arena, x86, "uid=0 calls=all"));
	ck_assert(syscall_set_has(&calls, ABI_NATIVE, ppid));
}
END_TEST

/* Calls whose number is left to libaudit stand in the list with none. */
START_TEST(names_of_young_calls)
{
	ck_assert_ptr_null(perm_call_name(0));
	ck_assert_ptr_null(perm_call_name(-1));
	ck_assert_ptr_null(perm_call_name(1));
	ck_assert_str_eq(perm_call_name(437), "openat2");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("call_names");
	TCase *tcase = tcase_create("all");

	tcase_add_checked_fixture(tcase, calls_setup, calls_teardown);
	tcase_add_test(tcase, calls_that_collect_none);
	tcase_add_test(tcase, calls_that_may);
	tcase_add_test(tcase, calls_with_objects_stay_out);
	tcase_add_test(tcase, no_call_of_the_classes);
	tcase_add_test(tcase, unknown_numbers_may);
	tcase_add_test(tcase, numbers_are_of_their_abi);
	tcase_add_test(tcase, set_and_question_agree);
	tcase_add_test(tcase, tests_that_need_a_name);
	tcase_add_test(tcase, rules_lose_the_calls);
	tcase_add_test(tcase, names_of_young_calls);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
