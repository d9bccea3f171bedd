/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A call is in the first table below if nothing on its way through the kernel
 * asks a security hook, capable() or audit_log_start(), in any branch. The
 * kernel's source was read for each (6.1: kernel/sys.c, signal.c, time/, futex/,
 * rseq.c, sched/membarrier.c, fs/timerfd.c, d_path.c, file.c).
 *
 * The second table has calls on whose way the only things that can log are
 * security modules: they ask hooks or capable(), and no branch of theirs comes
 * to any other audit_log_start(). Who calls that, besides the modules (6.1, and
 * what later kernels added): kernel/audit*.c (CONFIG_CHANGE, LOGIN, ...: writes
 * to netlink and to /proc, and whatever deletes, moves or unmounts something
 * watched), fs/namei.c (ANOM_LINK, ANOM_CREAT: every path that is looked up to
 * its end), fanotify (opens, reads, directories; since 6.14 also faults on
 * mapped files), tty_audit.c (reading a terminal), kernel/bpf, net/
 * (promiscuous devices, tables of netfilter, netlabel, xfrm), drivers/md, IMA
 * and EVM (opens, maps, mprotect, changes of attributes; whatever modules are
 * listed) and IPE (the same places). So these are in neither table:
 *   read, write, getdents, ioctl, sendto, recvfrom ...
 *				see above
 *   stat, access, open, readlink ...
 *				look up paths
 *   brk, mmap, mremap, munmap, madvise
 *				unmap files, or IMA
 *   poll, select, epoll_wait, epoll_ctl ...
 *				ask the driver of a file; that of some video
 *				devices starts its stream then (vb2_core_poll)
 *				and opens its firmware by name (cx23885)
 *   close, dup2, exit		run whatever a driver does at the last close;
 *				exit also flushes what pam_tty_audit gathered
 *   wait4			throws what was mounted below /proc/PID away
 *   getsockopt, setsockopt, shutdown, prctl ...
 *				too many branches to vouch for
 * The last reference to a file that another thread closed meanwhile is given
 * back by delayed work (fput), which is the third item below.
 *
 * Which modules log the answers to which questions: SELinux and Smack to all.
 * AppArmor (security/apparmor/lsm.c) has no hooks for what one task asks of
 * another, but for signals and ptrace. Landlock logs since 6.15, and has no
 * hooks for capabilities and tasks either. The others answer without
 * audit_log_start(): capability, yama, lockdown, loadpin and safesetid use
 * printk, tomoyo a file of its own, bpf programs have no means to. IMA, EVM and
 * IPE are not asked by any call of the tables.
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
 *     tell of a call that had nothing to do with it.
 *   - A page fault on the caller's memory may ask capable() in a file system
 *     that is nearly full (ext4_has_free_clusters). The same fault by the
 *     program's own instruction has no context and no companions either.
 */
#include "model/self_log.h"

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
};

#define SILENT_CALLS (sizeof(silent_calls) / sizeof(silent_calls[0]))

#define WHY_TASK "asks security modules of another task, and none logs that"
#define WHY_CAPABLE "asks for a capability at most, and no module logs that"
#define WHY_SIGNAL "asks security modules of the signal, and none logs that"
#define WHY_PTRACE "asks security modules as ptrace does, and none logs that"
#define WHY_FILE "asks security modules of an open file, and none logs that"
#define WHY_SOCKET "asks security modules of the socket, and none logs that"
#define WHY_IPC "asks security modules of the queue, and none logs that"

static const struct {
	const char *name;
	uint32_t asks;
	const char *why;
} asking_calls[] = {
	{"getpgid", ASKS_TASK, WHY_TASK},
	{"getsid", ASKS_TASK, WHY_TASK},
	{"setpgid", ASKS_TASK, WHY_TASK},
	{"sched_getscheduler", ASKS_TASK, WHY_TASK},
	{"sched_getparam", ASKS_TASK, WHY_TASK},
	{"sched_getattr", ASKS_TASK, WHY_TASK},
	{"sched_getaffinity", ASKS_TASK, WHY_TASK},
	{"sched_rr_get_interval", ASKS_TASK, WHY_TASK},
	{"sched_rr_get_interval_time64", ASKS_TASK, WHY_TASK},
	{"ioprio_get", ASKS_TASK, WHY_TASK},
	{"capget", ASKS_TASK, WHY_TASK},
	{"sched_setscheduler", ASKS_TASK | ASKS_CAPABLE, WHY_TASK},
	{"sched_setparam", ASKS_TASK | ASKS_CAPABLE, WHY_TASK},
	{"sched_setattr", ASKS_TASK | ASKS_CAPABLE, WHY_TASK},
	{"sched_setaffinity", ASKS_TASK | ASKS_CAPABLE, WHY_TASK},
	{"setpriority", ASKS_TASK | ASKS_CAPABLE, WHY_TASK},
	{"nice", ASKS_TASK | ASKS_CAPABLE, WHY_TASK},
	{"ioprio_set", ASKS_TASK | ASKS_CAPABLE, WHY_TASK},

	{"clock_nanosleep", ASKS_CAPABLE, WHY_CAPABLE},
	{"clock_nanosleep_time64", ASKS_CAPABLE, WHY_CAPABLE},
	{"timer_create", ASKS_CAPABLE, WHY_CAPABLE},
	{"timerfd_create", ASKS_CAPABLE, WHY_CAPABLE},
	{"timerfd_settime", ASKS_CAPABLE, WHY_CAPABLE},
	{"timerfd_settime64", ASKS_CAPABLE, WHY_CAPABLE},
	{"epoll_create", ASKS_CAPABLE, WHY_CAPABLE},
	{"epoll_create1", ASKS_CAPABLE, WHY_CAPABLE},
	{"eventfd", ASKS_CAPABLE, WHY_CAPABLE},
	{"eventfd2", ASKS_CAPABLE, WHY_CAPABLE},
	{"signalfd", ASKS_CAPABLE, WHY_CAPABLE},
	{"signalfd4", ASKS_CAPABLE, WHY_CAPABLE},
	{"pipe", ASKS_CAPABLE, WHY_CAPABLE},
	{"pipe2", ASKS_CAPABLE, WHY_CAPABLE},

	{"kill", ASKS_SIGNAL | ASKS_CAPABLE, WHY_SIGNAL},
	{"tkill", ASKS_SIGNAL | ASKS_CAPABLE, WHY_SIGNAL},
	{"tgkill", ASKS_SIGNAL | ASKS_CAPABLE, WHY_SIGNAL},
	{"rt_sigqueueinfo", ASKS_SIGNAL | ASKS_CAPABLE, WHY_SIGNAL},
	{"rt_tgsigqueueinfo", ASKS_SIGNAL | ASKS_CAPABLE, WHY_SIGNAL},

	{"get_robust_list", ASKS_PTRACE | ASKS_CAPABLE, WHY_PTRACE},

	/* Files of /proc ask as ptrace does. */
	{"fstat", ASKS_FILE | ASKS_PTRACE | ASKS_CAPABLE, WHY_FILE},
	{"fstat64", ASKS_FILE | ASKS_PTRACE | ASKS_CAPABLE, WHY_FILE},
	{"fstatfs", ASKS_FILE | ASKS_PTRACE | ASKS_CAPABLE, WHY_FILE},
	{"fstatfs64", ASKS_FILE | ASKS_PTRACE | ASKS_CAPABLE, WHY_FILE},
	{"lseek", ASKS_FILE | ASKS_PTRACE | ASKS_CAPABLE, WHY_FILE},
	{"_llseek", ASKS_FILE | ASKS_PTRACE | ASKS_CAPABLE, WHY_FILE},
	{"fcntl", ASKS_FILE | ASKS_SIGNAL | ASKS_CAPABLE, WHY_FILE},
	{"fcntl64", ASKS_FILE | ASKS_SIGNAL | ASKS_CAPABLE, WHY_FILE},

	{"getsockname", ASKS_SOCKET, WHY_SOCKET},
	{"getpeername", ASKS_SOCKET, WHY_SOCKET},

	{"semop", ASKS_IPC | ASKS_CAPABLE, WHY_IPC},
	{"semtimedop", ASKS_IPC | ASKS_CAPABLE, WHY_IPC},
	{"semtimedop_time64", ASKS_IPC | ASKS_CAPABLE, WHY_IPC},
	{"msgsnd", ASKS_IPC | ASKS_CAPABLE, WHY_IPC},
	{"msgrcv", ASKS_IPC | ASKS_CAPABLE, WHY_IPC},
};

#define ASKING_CALLS (sizeof(asking_calls) / sizeof(asking_calls[0]))

static const struct {
	const char *name;
	uint32_t logs;
} modules[] = {
	{"none", 0},
	{"selinux", ASKS_ALL},
	{"smack", ASKS_ALL},
	{"apparmor", ASKS_ALL & ~ASKS_TASK},
	{"landlock", ASKS_ALL & ~ASKS_TASK & ~ASKS_CAPABLE},
	{"capability", 0},
	{"yama", 0},
	{"lockdown", 0},
	{"loadpin", 0},
	{"safesetid", 0},
	{"tomoyo", 0},
	{"bpf", 0},
	{"integrity", 0},
	{"ima", 0},
	{"evm", 0},
	{"ipe", 0},
};

#define MODULES (sizeof(modules) / sizeof(modules[0]))

const char *security_module_name(size_t i)
{
	return i < MODULES ? modules[i].name : NULL;
}

/* What the module whose name is the first LENGTH bytes of TEXT logs; -1: there
 * is no such one. */
static int64_t logged_by(const char *text, size_t length)
{
	for (size_t i = 0; i < MODULES; i++)
		if (strlen(modules[i].name) == length &&
		    strncmp(modules[i].name, text, length) == 0)
			return modules[i].logs;
	return -1;
}

uint32_t asks_unlogged(const char *list, const char **unknown)
{
	uint32_t unlogged = ASKS_ALL;

	*unknown = NULL;
	for (;;) {
		size_t length = strcspn(list, ",");
		int64_t logs = logged_by(list, length);

		if (logs < 0) {
			*unknown = list;
			return 0;
		}
		unlogged &= ~(uint32_t)logs;
		if (!list[length])
			return unlogged;
		list += length + 1;
	}
}

/* Why a call of that name is silent; NULL: it may not be. */
static const char *why_silent(const char *name, uint32_t unlogged)
{
	for (size_t i = 0; i < SILENT_CALLS; i++)
		if (strcmp(name, silent_calls[i].name) == 0)
			return silent_calls[i].why;
	for (size_t i = 0; unlogged && i < ASKING_CALLS; i++)
		if (strcmp(name, asking_calls[i].name) == 0)
			return asking_calls[i].asks & ~unlogged
				       ? NULL
				       : asking_calls[i].why;
	return NULL;
}

bool call_can_self_log_with(const struct target *target, enum abi abi,
			    int number, uint32_t unlogged, const char **why)
{
	const char *name = target_call_name(target, abi, number);
	const char *reason = name ? why_silent(name, unlogged) : NULL;

	if (reason && why)
		*why = reason;
	return !reason;
}

bool call_can_self_log(const struct target *target, enum abi abi, int number,
		       const char **why)
{
	return call_can_self_log_with(target, abi, number, 0, why);
}

static void add_call(const struct target *target, const char *name,
		     uint32_t unlogged, struct syscall_set *set)
{
	for (int abi = 0; abi < ABI_COUNT; abi++) {
		int n = target_call_number(target, (enum abi)abi, name);

		if (n >= 0 && n < SYSCALL_MASK_CALLS &&
		    !call_can_self_log_with(target, (enum abi)abi, n, unlogged,
					    NULL))
			syscall_mask_add(&set->abi[abi], n);
	}
}

struct syscall_set calls_never_self_log_with(const struct target *target,
					     uint32_t unlogged)
{
	struct syscall_set set = {0};

	for (size_t i = 0; i < SILENT_CALLS; i++)
		add_call(target, silent_calls[i].name, unlogged, &set);
	for (size_t i = 0; unlogged && i < ASKING_CALLS; i++)
		add_call(target, asking_calls[i].name, unlogged, &set);
	return set;
}

struct syscall_set calls_never_self_log(const struct target *target)
{
	return calls_never_self_log_with(target, 0);
}
