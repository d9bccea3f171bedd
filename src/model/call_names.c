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
#include "model/call_list.h"
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

static const struct listed_call nameless_calls[] = {
	{"getpid", IDS, 0},
	{"gettid", IDS, 0},
	{"getppid", IDS, 0},
	{"getpgrp", IDS, 0},
	{"getpgid", IDS, 0},
	{"getsid", IDS, 0},
	{"setpgid", IDS, 0},
	{"getuid", IDS, 0},
	{"geteuid", IDS, 0},
	{"getgid", IDS, 0},
	{"getegid", IDS, 0},
	{"getresuid", IDS, 0},
	{"getresgid", IDS, 0},
	{"getgroups", IDS, 0},
	{"getuid32", IDS, 0},
	{"geteuid32", IDS, 0},
	{"getgid32", IDS, 0},
	{"getegid32", IDS, 0},
	{"getresuid32", IDS, 0},
	{"getresgid32", IDS, 0},
	{"getgroups32", IDS, 0},
	{"capget", IDS, 0},

	{"clock_gettime", CLOCK, 0},
	{"clock_gettime64", CLOCK, 0},
	{"clock_getres", CLOCK, 0},
	{"clock_getres_time64", CLOCK, 0},
	{"gettimeofday", CLOCK, 0},
	{"time", CLOCK, 0},
	{"times", CLOCK, 0},
	{"getrusage", CLOCK, 0},

	{"nanosleep", SLEEP, 0},
	{"clock_nanosleep", SLEEP, 0},
	{"clock_nanosleep_time64", SLEEP, 0},
	{"pause", SLEEP, 0},
	{"rt_sigsuspend", SLEEP, 0},
	{"sigsuspend", SLEEP, 0},
	{"rt_sigtimedwait", SLEEP, 0},
	{"rt_sigtimedwait_time64", SLEEP, 0},

	{"alarm", TIMER, 0},
	{"getitimer", TIMER, 0},
	{"setitimer", TIMER, 0},
	{"timer_create", TIMER, 0},
	{"timer_gettime", TIMER, 0},
	{"timer_gettime64", TIMER, 0},
	{"timer_settime", TIMER, 0},
	{"timer_settime64", TIMER, 0},
	{"timer_getoverrun", TIMER, 0},
	{"timer_delete", TIMER, 0},
	{"timerfd_gettime", TIMER, 0},
	{"timerfd_gettime64", TIMER, 0},
	{"timerfd_settime", TIMER, 0},
	{"timerfd_settime64", TIMER, 0},

	{"rt_sigaction", SIGNAL, 0},
	{"sigaction", SIGNAL, 0},
	{"signal", SIGNAL, 0},
	{"rt_sigprocmask", SIGNAL, 0},
	{"sigprocmask", SIGNAL, 0},
	{"sgetmask", SIGNAL, 0},
	{"ssetmask", SIGNAL, 0},
	{"rt_sigpending", SIGNAL, 0},
	{"sigpending", SIGNAL, 0},
	{"sigaltstack", SIGNAL, 0},
	{"rt_sigreturn", SIGNAL, 0},
	{"sigreturn", SIGNAL, 0},

	{"kill", SENDS, 0},
	{"tkill", SENDS, 0},
	{"tgkill", SENDS, 0},
	{"rt_sigqueueinfo", SENDS, 0},
	{"rt_tgsigqueueinfo", SENDS, 0},

	{"futex", FUTEX, 0},
	{"futex_time64", FUTEX, 0},
	{"futex_waitv", FUTEX, 0},
	{"futex_wake", FUTEX, 0},
	{"futex_wait", FUTEX, 0},
	{"futex_requeue", FUTEX, 0},
	{"set_robust_list", FUTEX, 0},
	{"get_robust_list", FUTEX, 0},
	{"set_tid_address", FUTEX, 0},
	{"rseq", FUTEX, 0},

	{"sched_yield", SCHED, 0},
	{"sched_get_priority_max", SCHED, 0},
	{"sched_get_priority_min", SCHED, 0},
	{"sched_getscheduler", SCHED, 0},
	{"sched_getparam", SCHED, 0},
	{"sched_getattr", SCHED, 0},
	{"sched_getaffinity", SCHED, 0},
	{"sched_rr_get_interval", SCHED, 0},
	{"sched_rr_get_interval_time64", SCHED, 0},
	{"sched_setscheduler", SCHED, 0},
	{"sched_setparam", SCHED, 0},
	{"sched_setattr", SCHED, 0},
	{"sched_setaffinity", SCHED, 0},
	{"getpriority", SCHED, 0},
	{"setpriority", SCHED, 0},
	{"nice", SCHED, 0},
	{"ioprio_get", SCHED, 0},
	{"ioprio_set", SCHED, 0},
	{"getcpu", SCHED, 0},
	{"membarrier", SCHED, 0},

	{"uname", SYSTEM, 0},
	{"olduname", SYSTEM, 0},
	{"oldolduname", SYSTEM, 0},
	{"sysinfo", SYSTEM, 0},
	{"getrandom", SYSTEM, 0},

	{"umask", OWN_STATE, 0},
	{"getrlimit", OWN_STATE, 0},
	{"ugetrlimit", OWN_STATE, 0},
	{"setrlimit", OWN_STATE, 0},
	{"prlimit64", OWN_STATE, 0},
	{"getcwd", OWN_STATE, 0},
	{"dup", OWN_STATE, 0},

	{"epoll_create", NEW_FILE, 0},
	{"epoll_create1", NEW_FILE, 0},
	{"eventfd", NEW_FILE, 0},
	{"eventfd2", NEW_FILE, 0},
	{"signalfd", NEW_FILE, 0},
	{"signalfd4", NEW_FILE, 0},
	{"timerfd_create", NEW_FILE, 0},
	{"pipe", NEW_FILE, 0},
	{"pipe2", NEW_FILE, 0},

	{"getsockname", SOCKET, 0},
	{"getpeername", SOCKET, 0},
};

#define NAMELESS_CALLS (sizeof(nameless_calls) / sizeof(nameless_calls[0]))

/* Worked out once for a target, as in perm.c. */
static const struct syscall_set *nameless_of(const struct target *target)
{
	static struct {
		bool filled;
		struct syscall_set set;
	} memo[TARGET_COUNT];

	if (!memo[target->index].filled)
		for (size_t i = 0; i < NAMELESS_CALLS; i++)
			call_list_add(&nameless_calls[i], target,
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
		*why = call_list_find(nameless_calls, NAMELESS_CALLS, target,
				      abi, number)
			       ->why;
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
