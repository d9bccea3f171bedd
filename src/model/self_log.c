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

#include "model/call_list.h"

#define OWN_IDS "reads ids of the calling task; no hook"
#define CLOCK "reads a clock or a counter; no hook"
#define SLEEP "waits for time or a signal; no hook"
#define TIMER "reads or sets a timer that exists; no hook"
#define SIGNAL "changes or reads the task's own signal state; no hook"
#define FUTEX "works on a word of the caller's memory; no hook"
#define SCHED "asks or tells the scheduler of the calling task; no hook"
#define SYSTEM "reads what every task may know; no hook"
#define OWN_STATE "works on the task's own tables; no hook"

static const struct listed_call silent_calls[] = {
	{"getpid", OWN_IDS, 0},
	{"gettid", OWN_IDS, 0},
	{"getppid", OWN_IDS, 0},
	{"getpgrp", OWN_IDS, 0},
	{"getuid", OWN_IDS, 0},
	{"geteuid", OWN_IDS, 0},
	{"getgid", OWN_IDS, 0},
	{"getegid", OWN_IDS, 0},
	{"getresuid", OWN_IDS, 0},
	{"getresgid", OWN_IDS, 0},
	{"getgroups", OWN_IDS, 0},
	{"getuid32", OWN_IDS, 0},
	{"geteuid32", OWN_IDS, 0},
	{"getgid32", OWN_IDS, 0},
	{"getegid32", OWN_IDS, 0},
	{"getresuid32", OWN_IDS, 0},
	{"getresgid32", OWN_IDS, 0},
	{"getgroups32", OWN_IDS, 0},

	{"clock_gettime", CLOCK, 0},
	{"clock_gettime64", CLOCK, 0},
	{"clock_getres", CLOCK, 0},
	{"clock_getres_time64", CLOCK, 0},
	{"gettimeofday", CLOCK, 0},
	{"time", CLOCK, 0},
	{"times", CLOCK, 0},
	{"getrusage", CLOCK, 0},

	{"nanosleep", SLEEP, 0},
	{"pause", SLEEP, 0},
	{"rt_sigsuspend", SLEEP, 0},
	{"sigsuspend", SLEEP, 0},
	{"rt_sigtimedwait", SLEEP, 0},
	{"rt_sigtimedwait_time64", SLEEP, 0},

	{"alarm", TIMER, 0},
	{"getitimer", TIMER, 0},
	{"setitimer", TIMER, 0},
	{"timer_gettime", TIMER, 0},
	{"timer_gettime64", TIMER, 0},
	{"timer_settime", TIMER, 0},
	{"timer_settime64", TIMER, 0},
	{"timer_getoverrun", TIMER, 0},
	{"timer_delete", TIMER, 0},
	{"timerfd_gettime", TIMER, 0},
	{"timerfd_gettime64", TIMER, 0},

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

	{"futex", FUTEX, 0},
	{"futex_time64", FUTEX, 0},
	{"futex_waitv", FUTEX, 0},
	{"futex_wake", FUTEX, 0},
	{"futex_wait", FUTEX, 0},
	{"futex_requeue", FUTEX, 0},
	{"set_robust_list", FUTEX, 0},
	{"set_tid_address", FUTEX, 0},
	{"rseq", FUTEX, 0},

	{"sched_yield", SCHED, 0},
	{"sched_get_priority_max", SCHED, 0},
	{"sched_get_priority_min", SCHED, 0},
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
	{"getcwd", OWN_STATE, 0},
	{"dup", OWN_STATE, 0},
};

#define SILENT_CALLS (sizeof(silent_calls) / sizeof(silent_calls[0]))

#define WHY_TASK "asks security modules of another task, and none logs that"
#define WHY_CAPABLE "asks for a capability at most, and no module logs that"
#define WHY_SIGNAL "asks security modules of the signal, and none logs that"
#define WHY_PTRACE "asks security modules as ptrace does, and none logs that"
#define WHY_FILE "asks security modules of an open file, and none logs that"
#define WHY_SOCKET "asks security modules of the socket, and none logs that"
#define WHY_IPC "asks security modules of the queue, and none logs that"

static const struct listed_call asking_calls[] = {
	{"getpgid", WHY_TASK, ASKS_TASK},
	{"getsid", WHY_TASK, ASKS_TASK},
	{"setpgid", WHY_TASK, ASKS_TASK},
	{"sched_getscheduler", WHY_TASK, ASKS_TASK},
	{"sched_getparam", WHY_TASK, ASKS_TASK},
	{"sched_getattr", WHY_TASK, ASKS_TASK},
	{"sched_getaffinity", WHY_TASK, ASKS_TASK},
	{"sched_rr_get_interval", WHY_TASK, ASKS_TASK},
	{"sched_rr_get_interval_time64", WHY_TASK, ASKS_TASK},
	{"ioprio_get", WHY_TASK, ASKS_TASK},
	{"capget", WHY_TASK, ASKS_TASK},
	{"sched_setscheduler", WHY_TASK, ASKS_TASK | ASKS_CAPABLE},
	{"sched_setparam", WHY_TASK, ASKS_TASK | ASKS_CAPABLE},
	{"sched_setattr", WHY_TASK, ASKS_TASK | ASKS_CAPABLE},
	{"sched_setaffinity", WHY_TASK, ASKS_TASK | ASKS_CAPABLE},
	{"setpriority", WHY_TASK, ASKS_TASK | ASKS_CAPABLE},
	{"nice", WHY_TASK, ASKS_TASK | ASKS_CAPABLE},
	{"ioprio_set", WHY_TASK, ASKS_TASK | ASKS_CAPABLE},

	{"clock_nanosleep", WHY_CAPABLE, ASKS_CAPABLE},
	{"clock_nanosleep_time64", WHY_CAPABLE, ASKS_CAPABLE},
	{"timer_create", WHY_CAPABLE, ASKS_CAPABLE},
	{"timerfd_create", WHY_CAPABLE, ASKS_CAPABLE},
	{"timerfd_settime", WHY_CAPABLE, ASKS_CAPABLE},
	{"timerfd_settime64", WHY_CAPABLE, ASKS_CAPABLE},
	{"epoll_create", WHY_CAPABLE, ASKS_CAPABLE},
	{"epoll_create1", WHY_CAPABLE, ASKS_CAPABLE},
	{"eventfd", WHY_CAPABLE, ASKS_CAPABLE},
	{"eventfd2", WHY_CAPABLE, ASKS_CAPABLE},
	{"signalfd", WHY_CAPABLE, ASKS_CAPABLE},
	{"signalfd4", WHY_CAPABLE, ASKS_CAPABLE},
	{"pipe", WHY_CAPABLE, ASKS_CAPABLE},
	{"pipe2", WHY_CAPABLE, ASKS_CAPABLE},

	{"kill", WHY_SIGNAL, ASKS_SIGNAL | ASKS_CAPABLE},
	{"tkill", WHY_SIGNAL, ASKS_SIGNAL | ASKS_CAPABLE},
	{"tgkill", WHY_SIGNAL, ASKS_SIGNAL | ASKS_CAPABLE},
	{"rt_sigqueueinfo", WHY_SIGNAL, ASKS_SIGNAL | ASKS_CAPABLE},
	{"rt_tgsigqueueinfo", WHY_SIGNAL, ASKS_SIGNAL | ASKS_CAPABLE},

	{"get_robust_list", WHY_PTRACE, ASKS_PTRACE | ASKS_CAPABLE},

	/* Files of /proc ask as ptrace does. */
	{"fstat", WHY_FILE, ASKS_FILE | ASKS_PTRACE | ASKS_CAPABLE},
	{"fstat64", WHY_FILE, ASKS_FILE | ASKS_PTRACE | ASKS_CAPABLE},
	{"fstatfs", WHY_FILE, ASKS_FILE | ASKS_PTRACE | ASKS_CAPABLE},
	{"fstatfs64", WHY_FILE, ASKS_FILE | ASKS_PTRACE | ASKS_CAPABLE},
	{"lseek", WHY_FILE, ASKS_FILE | ASKS_PTRACE | ASKS_CAPABLE},
	{"_llseek", WHY_FILE, ASKS_FILE | ASKS_PTRACE | ASKS_CAPABLE},
	{"fcntl", WHY_FILE, ASKS_FILE | ASKS_SIGNAL | ASKS_CAPABLE},
	{"fcntl64", WHY_FILE, ASKS_FILE | ASKS_SIGNAL | ASKS_CAPABLE},

	{"getsockname", WHY_SOCKET, ASKS_SOCKET},
	{"getpeername", WHY_SOCKET, ASKS_SOCKET},

	{"semop", WHY_IPC, ASKS_IPC | ASKS_CAPABLE},
	{"semtimedop", WHY_IPC, ASKS_IPC | ASKS_CAPABLE},
	{"semtimedop_time64", WHY_IPC, ASKS_IPC | ASKS_CAPABLE},
	{"msgsnd", WHY_IPC, ASKS_IPC | ASKS_CAPABLE},
	{"msgrcv", WHY_IPC, ASKS_IPC | ASKS_CAPABLE},
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

/* Why the call is silent; NULL: it may not be. */
static const char *why_silent(const struct target *target, enum abi abi,
			      int number, uint32_t unlogged)
{
	const struct listed_call *row =
		call_list_find(silent_calls, SILENT_CALLS, target, abi, number);

	if (!row && unlogged)
		row = call_list_find(asking_calls, ASKING_CALLS, target, abi,
				     number);
	return row && !(row->asks & ~unlogged) ? row->why : NULL;
}

bool call_can_self_log_with(const struct target *target, enum abi abi,
			    int number, uint32_t unlogged, const char **why)
{
	const char *reason = why_silent(target, abi, number, unlogged);

	if (reason && why)
		*why = reason;
	return !reason;
}

bool call_can_self_log(const struct target *target, enum abi abi, int number,
		       const char **why)
{
	return call_can_self_log_with(target, abi, number, 0, why);
}

struct syscall_set calls_never_self_log_with(const struct target *target,
					     uint32_t unlogged)
{
	struct syscall_set set = {0};

	for (size_t i = 0; i < SILENT_CALLS; i++)
		call_list_add(&silent_calls[i], target, &set);
	for (size_t i = 0; unlogged && i < ASKING_CALLS; i++)
		if (!(asking_calls[i].asks & ~unlogged))
			call_list_add(&asking_calls[i], target, &set);
	return set;
}

struct syscall_set calls_never_self_log(const struct target *target)
{
	return calls_never_self_log_with(target, 0);
}
