/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A call is in the table below if nothing on its way through the kernel asks a
 * security hook, capable() or audit_log_start(), in any branch. The kernel's
 * source was read for each (6.1: kernel/sys.c, signal.c, time/, futex/, rseq.c,
 * sched/membarrier.c, fs/select.c, eventpoll.c, timerfd.c, d_path.c, file.c).
 *
 * Not in it, though they look harmless:
 *   clock_nanosleep, timer_create, timerfd_create, timerfd_settime
 *			capable(CAP_WAKE_ALARM) for the alarm clocks
 *   getpgid, getsid, wait4, sched_getscheduler, sched_getparam,
 *   sched_getaffinity	hooks when they ask of another task
 *   brk, mmap, mremap	security_vm_enough_memory_mm, capable(CAP_IPC_LOCK)
 *   close, dup2, munmap, exit	run whatever a driver does at the last close;
 *			exit also flushes what pam_tty_audit gathered
 *   lseek		on files of /proc it runs their show methods
 *   pipe, eventfd2, epoll_create1 ...	capable() when files run out
 *   epoll_ctl		capable(CAP_BLOCK_SUSPEND)
 *
 * Three things can log while any call runs, and are none of its doing:
 *   - Death by a signal (ANOM_ABEND, audit_core_dumps) and delayed work of the
 *     task come after audit_syscall_exit: both syscall_exit_work in
 *     kernel/entry/common.c and the copies of arm64 and powerpc close the
 *     context before they look at signals. auditsc_get_stamp then finds no open
 *     context, so such a record has no companions, whatever the rules say.
 *     SECCOMP is logged before the context is opened, with the same result.
 *   - An interrupt borrows the task that it hits: a packet that SELinux denies
 *     in a softirq is logged with that task's context, and its companions then
 *     tell of a call that had nothing to do with it. With busy polling the wait
 *     for files takes in packets itself, to the same effect.
 *   - A page fault on the caller's memory may ask capable() in a file system
 *     that is nearly full (ext4_has_free_clusters). The same fault by the
 *     program's own instruction has no context and no companions either.
 */
#include "model/self_log.h"

#include <stddef.h>
#include <string.h>

#define OWN_IDS "reads ids of the calling task; no hook"
#define CLOCK "reads a clock or a counter; no hook"
#define SLEEP "waits for time or a signal; no hook"
#define TIMER "reads or sets a timer that exists; no hook"
#define SIGNAL "changes or reads the task's own signal state; no hook"
#define FUTEX "works on a word of the caller's memory; no hook"
#define SCHED "asks or tells the scheduler of the calling task; no hook"
#define SYSTEM "reads what every task may know; no hook"
#define OWN_STATE "works on the task's own tables; no hook"
#define WAIT_FILES "asks open files for readiness; no poll method has a hook"

static const struct {
	const char *name;
	const char *why;
} silent_calls[] = {
	{"getpid", OWN_IDS},
	{"gettid", OWN_IDS},
	{"getppid", OWN_IDS},
	{"getpgrp", OWN_IDS},
	{"getuid", OWN_IDS},
	{"geteuid", OWN_IDS},
	{"getgid", OWN_IDS},
	{"getegid", OWN_IDS},
	{"getresuid", OWN_IDS},
	{"getresgid", OWN_IDS},
	{"getgroups", OWN_IDS},
	{"getuid32", OWN_IDS},
	{"geteuid32", OWN_IDS},
	{"getgid32", OWN_IDS},
	{"getegid32", OWN_IDS},
	{"getresuid32", OWN_IDS},
	{"getresgid32", OWN_IDS},
	{"getgroups32", OWN_IDS},

	{"clock_gettime", CLOCK},
	{"clock_gettime64", CLOCK},
	{"clock_getres", CLOCK},
	{"clock_getres_time64", CLOCK},
	{"gettimeofday", CLOCK},
	{"time", CLOCK},
	{"times", CLOCK},
	{"getrusage", CLOCK},

	{"nanosleep", SLEEP},
	{"pause", SLEEP},
	{"rt_sigsuspend", SLEEP},
	{"sigsuspend", SLEEP},
	{"rt_sigtimedwait", SLEEP},
	{"rt_sigtimedwait_time64", SLEEP},

	{"alarm", TIMER},
	{"getitimer", TIMER},
	{"setitimer", TIMER},
	{"timer_gettime", TIMER},
	{"timer_gettime64", TIMER},
	{"timer_settime", TIMER},
	{"timer_settime64", TIMER},
	{"timer_getoverrun", TIMER},
	{"timer_delete", TIMER},
	{"timerfd_gettime", TIMER},
	{"timerfd_gettime64", TIMER},

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

	{"futex", FUTEX},
	{"futex_time64", FUTEX},
	{"futex_waitv", FUTEX},
	{"futex_wake", FUTEX},
	{"futex_wait", FUTEX},
	{"futex_requeue", FUTEX},
	{"set_robust_list", FUTEX},
	{"set_tid_address", FUTEX},
	{"rseq", FUTEX},

	{"sched_yield", SCHED},
	{"sched_get_priority_max", SCHED},
	{"sched_get_priority_min", SCHED},
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
	{"getcwd", OWN_STATE},
	{"dup", OWN_STATE},

	{"epoll_wait", WAIT_FILES},
	{"epoll_pwait", WAIT_FILES},
	{"epoll_pwait2", WAIT_FILES},
	{"poll", WAIT_FILES},
	{"ppoll", WAIT_FILES},
	{"ppoll_time64", WAIT_FILES},
	{"select", WAIT_FILES},
	{"_newselect", WAIT_FILES},
	{"pselect6", WAIT_FILES},
	{"pselect6_time64", WAIT_FILES},
};

#define SILENT_CALLS (sizeof(silent_calls) / sizeof(silent_calls[0]))

bool call_can_self_log(const struct target *target, enum abi abi, int number,
		       const char **why)
{
	const char *name = target_call_name(target, abi, number);

	for (size_t i = 0; name && i < SILENT_CALLS; i++) {
		if (strcmp(name, silent_calls[i].name) != 0)
			continue;
		if (why)
			*why = silent_calls[i].why;
		return false;
	}
	return true;
}

struct syscall_set calls_never_self_log(const struct target *target)
{
	struct syscall_set set = {0};

	for (int abi = 0; abi < ABI_COUNT; abi++)
		for (size_t i = 0; i < SILENT_CALLS; i++) {
			int n = target_call_number(target, (enum abi)abi,
						   silent_calls[i].name);

			if (n >= 0 && n < SYSCALL_MASK_CALLS &&
			    !call_can_self_log(target, (enum abi)abi, n, NULL))
				syscall_mask_add(&set.abi[abi], n);
		}
	return set;
}
