/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/self_log.h"

#include <check.h>
#include <stdlib.h>

#include "lib/suite.h"

static const struct target *target;

static void use_x86_64(void)
{
	target = target_by_name("x86_64");
	ck_assert_ptr_nonnull(target);
}

static bool silent(enum abi abi, const char *name)
{
	int number = target_call_number(target, abi, name);

	ck_assert_msg(number >= 0, "%s", name);
	return !call_can_self_log(target, abi, number, NULL);
}

START_TEST(calls_that_are_silent)
{
	static const char *const names[] = {
		"getpid", "gettid", "getppid",	 "getuid",	   "futex",
		"time",	  "umask",  "nanosleep", "clock_gettime",  "uname",
		"alarm",  "getcpu", "dup",	 "rt_sigprocmask",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		for (int abi = 0; abi < ABI_COUNT; abi++)
			ck_assert_msg(silent(abi, names[i]), "%s", names[i]);
}
END_TEST

/* One of each kind that must stay out, with the place that logs. */
START_TEST(calls_that_are_not)
{
	static const char *const names[] = {
		"read",		     /* security_file_permission */
		"write",	     /* the same, and tty_audit */
		"fstat",	     /* security_inode_getattr */
		"open",		     /* everything */
		"close",	     /* bpf_audit_prog, on the last close */
		"mmap",		     /* security_mmap_file */
		"brk",		     /* capable(CAP_IPC_LOCK) */
		"mprotect",	     /* security_file_mprotect */
		"munmap",	     /* vm_ops->close */
		"kill",		     /* security_task_kill */
		"tgkill",	     /* the same */
		"wait4",	     /* security_task_wait */
		"getpgid",	     /* security_task_getpgid */
		"getsid",	     /* security_task_getsid */
		"sched_getaffinity", /* security_task_getscheduler */
		"sched_setaffinity", /* the same */
		"setpriority",	     /* security_task_setnice */
		"prlimit64",	     /* security_task_prlimit */
		"setrlimit",	     /* security_task_setrlimit */
		"prctl",	     /* security_task_prctl */
		"capget",	     /* security_capget */
		"clock_settime",     /* audit_tk_injoffset */
		"adjtimex",	     /* audit_ntp_log */
		"clock_nanosleep",   /* capable(CAP_WAKE_ALARM) */
		"timer_create",	     /* the same */
		"timerfd_settime",   /* the same */
		"epoll_ctl",	     /* capable(CAP_BLOCK_SUSPEND) */
		"epoll_wait",	     /* vb2_core_poll: any driver's firmware */
		"poll",		     /* the same */
		"select",	     /* the same */
		"get_robust_list",   /* ptrace_may_access */
		"dup2",		     /* closes */
		"pipe2",	     /* capable(CAP_SYS_RESOURCE) */
		"lseek",	     /* show methods of /proc */
		"mincore",	     /* file_permission */
		"fcntl",	     /* security_file_fcntl */
		"ioctl",	     /* security_file_ioctl */
		"clone",	     /* capable, security_task_alloc */
		"execve",	     /* BPRM_FCAPS */
		"exit",		     /* tty_audit_exit */
		"exit_group",	     /* the same */
		"sendto",	     /* security_socket_sendmsg */
		"io_uring_enter",    /* any operation */
		"restart_syscall",   /* any restarted call */
		"seccomp",
		"setfsuid", /* ns_capable_setid */
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		for (int abi = 0; abi < ABI_COUNT; abi++)
			ck_assert_msg(!silent(abi, names[i]), "%s", names[i]);
}
END_TEST

static bool silent_with(enum abi abi, const char *name, const char *modules)
{
	const char *unknown;
	uint32_t unlogged = asks_unlogged(modules, &unknown);
	int number = target_call_number(target, abi, name);

	ck_assert_ptr_null(unknown);
	ck_assert_msg(number >= 0, "%s", name);
	return !call_can_self_log_with(target, abi, number, unlogged, NULL);
}

/* Calls that only security modules can log, by what they are asked. */
START_TEST(calls_that_ask_modules)
{
	static const struct {
		const char *name;
		bool apparmor, landlock; /* silent with it */
	} calls[] = {
		{"getpgid", true, true},
		{"sched_getaffinity", true, true},
		{"sched_setaffinity", false, true},
		{"setpriority", false, true},
		{"clock_nanosleep", false, true},
		{"eventfd2", false, true},
		{"pipe2", false, true},
		{"kill", false, false},
		{"fstat", false, false},
		{"fcntl", false, false},
		{"lseek", false, false},
		{"get_robust_list", false, false},
		{"getsockname", false, false},
	};

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		for (int abi = 0; abi < ABI_COUNT; abi++) {
			const char *name = calls[i].name;

			ck_assert_msg(!silent(abi, name), "%s", name);
			ck_assert_msg(silent_with(abi, name, "none"), "%s",
				      name);
			ck_assert_msg(silent_with(abi, name,
						  "capability,yama,bpf,ima"),
				      "%s", name);
			ck_assert_msg(!silent_with(abi, name, "yama,selinux"),
				      "%s", name);
			ck_assert_msg(!silent_with(abi, name, "smack"), "%s",
				      name);
			ck_assert_msg(silent_with(abi, name, "apparmor") ==
					      calls[i].apparmor,
				      "%s", name);
			ck_assert_msg(silent_with(abi, name, "landlock") ==
					      calls[i].landlock,
				      "%s", name);
			ck_assert_msg(
				silent_with(abi, name, "apparmor,landlock") ==
					(calls[i].apparmor &&
					 calls[i].landlock),
				"%s", name);
		}
}
END_TEST

/* One of each kind that logs without any module, with the place. */
START_TEST(calls_that_log_without_modules)
{
	static const char *const names[] = {
		"read",		  /* tty_audit, FANOTIFY */
		"write",	  /* CONFIG_CHANGE, LOGIN, NETFILTER_CFG */
		"sendto",	  /* the same */
		"open",		  /* INTEGRITY, ANOM_CREAT, FANOTIFY */
		"stat",		  /* ANOM_LINK */
		"access",	  /* the same */
		"lstat",	  /* what automounts and stale entries do */
		"getdents",	  /* FANOTIFY */
		"unlink",	  /* the end of a watch */
		"rename",	  /* the same */
		"umount2",	  /* trees */
		"close",	  /* bpf_audit_prog, AUDIT_EVENT_LISTENER */
		"dup2",		  /* the same */
		"munmap",	  /* vm_ops->close */
		"mmap",		  /* IMA */
		"mprotect",	  /* IMA, IPE */
		"execve",	  /* INTEGRITY */
		"exit_group",	  /* tty_audit_exit */
		"wait4",	  /* mounts below /proc/PID */
		"setsockopt",	  /* NETFILTER_CFG, ANOM_PROMISCUOUS */
		"getsockopt",	  /* tables are made when asked for */
		"ioctl",	  /* AUDIT_DM_CTRL */
		"clock_settime",  /* audit_tk_injoffset */
		"adjtimex",	  /* audit_ntp_log */
		"chmod",	  /* EVM */
		"setxattr",	  /* EVM */
		"bpf",		  /* AUDIT_BPF */
		"init_module",	  /* INTEGRITY */
		"io_uring_enter", /* any operation */
		"restart_syscall",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		for (int abi = 0; abi < ABI_COUNT; abi++)
			ck_assert_msg(!silent_with(abi, names[i], "none"), "%s",
				      names[i]);
}
END_TEST

START_TEST(modules_are_known)
{
	const char *unknown, *name;

	ck_assert_uint_eq(asks_unlogged("none", &unknown), ASKS_ALL);
	ck_assert_ptr_null(unknown);
	ck_assert_uint_eq(asks_unlogged("selinux,none", &unknown), 0);
	ck_assert_ptr_null(unknown);
	ck_assert_uint_eq(asks_unlogged("yama,se", &unknown), 0);
	ck_assert_str_eq(unknown, "se");
	ck_assert_uint_eq(asks_unlogged("", &unknown), 0);
	ck_assert_ptr_nonnull(unknown);
	ck_assert_uint_eq(asks_unlogged("yama,", &unknown), 0);
	ck_assert_ptr_nonnull(unknown);
	for (size_t i = 0; (name = security_module_name(i)); i++) {
		asks_unlogged(name, &unknown);
		ck_assert_ptr_null(unknown);
	}
}
END_TEST

START_TEST(unknown_numbers_can_log)
{
	static const int numbers[] = {-1,   400,  500,	     2031,
				      2047, 5000, 0x40000027};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		ck_assert(call_can_self_log(target, ABI_NATIVE, numbers[i],
					    NULL));
}
END_TEST

/* 39 is getpid for x86_64 and mkdir for i386. */
START_TEST(numbers_are_of_their_abi)
{
	ck_assert(!call_can_self_log(target, ABI_NATIVE, 39, NULL));
	ck_assert(call_can_self_log(target, ABI_COMPAT, 39, NULL));
	ck_assert(!call_can_self_log(target, ABI_COMPAT, 20, NULL));
	ck_assert(call_can_self_log(target, ABI_NATIVE, 20, NULL));
}
END_TEST

static const uint32_t unlogged[] = {0, ASKS_TASK, ASKS_ALL};

START_TEST(set_and_question_agree)
{
	const char *name;

	for (unsigned int i = 0; (name = target_name(i)); i++) {
		const struct target *t = target_by_name(name);
		struct syscall_set set =
			calls_never_self_log_with(t, unlogged[_i]);

		ck_assert(!syscall_mask_empty(&set.abi[ABI_NATIVE]));
		for (int abi = 0; abi < ABI_COUNT; abi++)
			for (int n = 0; n < SYSCALL_MASK_BITS; n++) {
				const char *why = NULL;
				bool can = call_can_self_log_with(
					t, abi, n, unlogged[_i], &why);

				ck_assert(can != syscall_set_has(&set, abi, n));
				ck_assert(can == (why == NULL));
			}
		if (!target_has_abi(t, ABI_COMPAT))
			ck_assert(syscall_mask_empty(&set.abi[ABI_COMPAT]));
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("self_log");
	TCase *tcase = tcase_create("all");

	tcase_add_unchecked_fixture(tcase, use_x86_64, NULL);
	tcase_add_test(tcase, calls_that_are_silent);
	tcase_add_test(tcase, calls_that_are_not);
	tcase_add_test(tcase, calls_that_ask_modules);
	tcase_add_test(tcase, calls_that_log_without_modules);
	tcase_add_test(tcase, modules_are_known);
	tcase_add_test(tcase, unknown_numbers_can_log);
	tcase_add_test(tcase, numbers_are_of_their_abi);
	tcase_add_loop_test(tcase, set_and_question_agree, 0,
			    sizeof(unlogged) / sizeof(unlogged[0]));
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
