/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A call is in the table if nothing on its way through the kernel, in any
 * branch, comes to audit_getname(), audit_inode(), audit_inode_child() or
 * audit_file(). Who calls these: getname() and getname_kernel(), so whatever
 * looks a path up or opens a file by name (kern_path, filp_open, the loader of
 * firmware); vfs_create(), vfs_unlink(), vfs_rename() and their like; what
 * pseudo file systems tell fsnotify of new entries; the calls that change an
 * open file's owner, mode or attributes; message queues with names. The trees
 * of dir= are noted in the same places (handle_path, handle_one). Security
 * modules come to them for mounts and for loading a policy only. The kernel's
 * source was read for each call (6.1: kernel/sys.c, signal.c, groups.c,
 * capability.c, time/, futex/, rseq.c, sched/, fs/d_path.c, file.c, pipe.c,
 * eventfd.c, signalfd.c, timerfd.c, eventpoll.c, block/ioprio.c; of later
 * kernels the code around a call, kernel/entry/syscall-common.c).
 *
 * Not in the table, though they name no file themselves:
 * - poll, select, epoll_ctl, epoll_wait ...: they ask the driver, and poll of a
 *   video device starts its stream (vb2_core_poll), for which some drivers load
 *   firmware, by name, in the caller's context (cx23885).
 * - read, write, ioctl, sendmsg ...: configfs, sysfs and drivers look paths up;
 *   sockets of the Unix domain do.
 * - close, dup2, munmap, mmap, brk ...: they run what a driver does with a
 *   mapping, or at the last close.
 * - fstat, lseek, fcntl ...: they run what a file system does with its file.
 * - recvmsg, setsockopt, prctl, bpf ...: too many branches to vouch for.
 * - clone, execve, exit, wait4: accounting, programs, /proc/PID.
 * - io_uring_enter, io_uring_register: they collect the names of operations.
 * - restart_syscall: it goes on with one of several calls, poll among them.
 * - semop, msgsnd ...: no names, but an object that obj_type and its like see.
 *
 * What else runs while a call does, and collects nothing for it:
 * - Delayed work of the task (the last fput of a file), signals, core dumps and
 *   stops for a tracer come after audit_syscall_exit() or before
 *   audit_syscall_entry() (kernel/entry/common.c), when the context takes no
 *   names (AUDIT_CTX_UNUSED). So do io_uring operations that are run there.
 * - Programs that the kernel starts for itself (modprobe, request-key) are
 *   other tasks.
 * - Interrupts cannot look paths up.
 * - A fault on the caller's memory reads from a file system, or asks a driver
 *   for a page; no fault method of either looks a path up. No more do clocks of
 *   drivers (clock_gettime of a PTP device).
 */
#include "model/call_names.h"

#include <string.h>

#include "model/audit_names.h"
#include "model/compare.h"

#define IDS "it reads or sets ids of tasks"
#define CLOCK "it reads a clock or a counter"
#define SLEEP "it waits for time or a signal"
#define TIMER "it makes, reads or sets a timer"
#define SIGNAL "it changes or reads the task's signal state"
#define SENDS "it sends a signal"
#define FUTEX "it works on a word of the caller's memory"
#define SCHED "it asks or tells the scheduler"
#define SYSTEM "it reads what every task may know"
#define OWN_STATE "it works on the task's own tables"
#define NEW_FILE "it makes a file that has no path"
#define SOCKET "it reads the address of a socket"

static const struct {
	const char *name;
	const char *why;
} nameless_calls[] = {
	{"getpid", IDS},
	{"gettid", IDS},
	{"getppid", IDS},
	{"getpgrp", IDS},
	{"getpgid", IDS},
	{"getsid", IDS},
	{"setpgid", IDS},
	{"getuid", IDS},
	{"geteuid", IDS},
	{"getgid", IDS},
	{"getegid", IDS},
	{"getresuid", IDS},
	{"getresgid", IDS},
	{"getgroups", IDS},
	{"getuid32", IDS},
	{"geteuid32", IDS},
	{"getgid32", IDS},
	{"getegid32", IDS},
	{"getresuid32", IDS},
	{"getresgid32", IDS},
	{"getgroups32", IDS},
	{"capget", IDS},

	{"clock_gettime", CLOCK},
	{"clock_gettime64", CLOCK},
	{"clock_getres", CLOCK},
	{"clock_getres_time64", CLOCK},
	{"gettimeofday", CLOCK},
	{"time", CLOCK},
	{"times", CLOCK},
	{"getrusage", CLOCK},

	{"nanosleep", SLEEP},
	{"clock_nanosleep", SLEEP},
	{"clock_nanosleep_time64", SLEEP},
	{"pause", SLEEP},
	{"rt_sigsuspend", SLEEP},
	{"sigsuspend", SLEEP},
	{"rt_sigtimedwait", SLEEP},
	{"rt_sigtimedwait_time64", SLEEP},

	{"alarm", TIMER},
	{"getitimer", TIMER},
	{"setitimer", TIMER},
	{"timer_create", TIMER},
	{"timer_gettime", TIMER},
	{"timer_gettime64", TIMER},
	{"timer_settime", TIMER},
	{"timer_settime64", TIMER},
	{"timer_getoverrun", TIMER},
	{"timer_delete", TIMER},
	{"timerfd_gettime", TIMER},
	{"timerfd_gettime64", TIMER},
	{"timerfd_settime", TIMER},
	{"timerfd_settime64", TIMER},

	{"rt_sigaction", SIGNAL},
	{"sigaction", SIGNAL},
	{"signal", SIGNAL},
	{"rt_sigprocmask", SIGNAL},
	{"sigprocmask", SIGNAL},
	{"sgetmask", SIGNAL},
	{"ssetmask", SIGNAL},
	{"rt_sigpending", SIGNAL},
	{"sigpending", SIGNAL},
	{"sigaltstack", SIGNAL},
	{"rt_sigreturn", SIGNAL},
	{"sigreturn", SIGNAL},

	{"kill", SENDS},
	{"tkill", SENDS},
	{"tgkill", SENDS},
	{"rt_sigqueueinfo", SENDS},
	{"rt_tgsigqueueinfo", SENDS},

	{"futex", FUTEX},
	{"futex_time64", FUTEX},
	{"futex_waitv", FUTEX},
	{"futex_wake", FUTEX},
	{"futex_wait", FUTEX},
	{"futex_requeue", FUTEX},
	{"set_robust_list", FUTEX},
	{"get_robust_list", FUTEX},
	{"set_tid_address", FUTEX},
	{"rseq", FUTEX},

	{"sched_yield", SCHED},
	{"sched_get_priority_max", SCHED},
	{"sched_get_priority_min", SCHED},
	{"sched_getscheduler", SCHED},
	{"sched_getparam", SCHED},
	{"sched_getattr", SCHED},
	{"sched_getaffinity", SCHED},
	{"sched_rr_get_interval", SCHED},
	{"sched_rr_get_interval_time64", SCHED},
	{"sched_setscheduler", SCHED},
	{"sched_setparam", SCHED},
	{"sched_setattr", SCHED},
	{"sched_setaffinity", SCHED},
	{"getpriority", SCHED},
	{"setpriority", SCHED},
	{"nice", SCHED},
	{"ioprio_get", SCHED},
	{"ioprio_set", SCHED},
	{"getcpu", SCHED},
	{"membarrier", SCHED},

	{"uname", SYSTEM},
	{"olduname", SYSTEM},
	{"oldolduname", SYSTEM},
	{"sysinfo", SYSTEM},
	{"getrandom", SYSTEM},

	{"umask", OWN_STATE},
	{"getrlimit", OWN_STATE},
	{"ugetrlimit", OWN_STATE},
	{"setrlimit", OWN_STATE},
	{"prlimit64", OWN_STATE},
	{"getcwd", OWN_STATE},
	{"dup", OWN_STATE},

	{"epoll_create", NEW_FILE},
	{"epoll_create1", NEW_FILE},
	{"eventfd", NEW_FILE},
	{"eventfd2", NEW_FILE},
	{"signalfd", NEW_FILE},
	{"signalfd4", NEW_FILE},
	{"timerfd_create", NEW_FILE},
	{"pipe", NEW_FILE},
	{"pipe2", NEW_FILE},

	{"getsockname", SOCKET},
	{"getpeername", SOCKET},
};

#define NAMELESS_CALLS (sizeof(nameless_calls) / sizeof(nameless_calls[0]))

/* Why the call collects no names; NULL: it may. */
static const char *why_nameless(const struct target *target, enum abi abi,
				int number)
{
	const char *name = target_call_name(target, abi, number);

	for (size_t i = 0; name && i < NAMELESS_CALLS; i++)
		if (strcmp(name, nameless_calls[i].name) == 0)
			return nameless_calls[i].why;
	return NULL;
}

static void add_call(const struct target *target, const char *name,
		     struct syscall_set *set)
{
	for (int abi = 0; abi < ABI_COUNT; abi++) {
		int n = target_call_number(target, (enum abi)abi, name);

		if (n >= 0 && n < SYSCALL_MASK_CALLS &&
		    why_nameless(target, (enum abi)abi, n))
			syscall_mask_add(&set->abi[abi], n);
	}
}

/* Worked out once for a target, as in perm.c. */
static const struct syscall_set *nameless_of(const struct target *target)
{
	static struct {
		bool filled;
		struct syscall_set set;
	} memo[TARGET_COUNT];

	if (!memo[target->index].filled)
		for (size_t i = 0; i < NAMELESS_CALLS; i++)
			add_call(target, nameless_calls[i].name,
				 &memo[target->index].set);
	memo[target->index].filled = true;
	return &memo[target->index].set;
}

bool call_can_collect_names(const struct target *target, enum abi abi,
			    int number, const char **why)
{
	if (!syscall_set_has(nameless_of(target), abi, number))
		return true;
	if (why)
		*why = why_nameless(target, abi, number);
	return false;
}

struct syscall_set calls_never_collect_names(const struct target *target)
{
	return *nameless_of(target);
}

bool test_needs_name(const struct field_test *test)
{
	switch (test->field->kind) {
	case FIELD_NAME:
		return true;
	case FIELD_FILETYPE:
	case FIELD_DIR:
	case FIELD_PATH:
		return test->op == OP_EQ;
	case FIELD_COMPARE:
		return comparison_needs_name(test->value);
	default:
		return false;
	}
}
