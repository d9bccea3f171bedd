/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's source was read for each call (6.1: kernel/sys.c, signal.c,
 * groups.c, capability.c, time/, futex/, rseq.c, sched/, fs/d_path.c, file.c,
 * pipe.c, eventfd.c, signalfd.c, timerfd.c, eventpoll.c, block/ioprio.c; of
 * later kernels the code around a call, kernel/entry/syscall-common.c).
 *
 * Names. A call collects none (no_names) if nothing on its way through the
 * kernel, in any branch, comes to audit_getname(), audit_inode(),
 * audit_inode_child() or audit_file(). Who calls these: getname() and
 * getname_kernel(), so whatever looks a path up or opens a file by name
 * (kern_path, filp_open, the loader of firmware); vfs_create(), vfs_unlink(),
 * vfs_rename() and their like; what pseudo file systems tell fsnotify of new
 * entries; the calls that change an open file's owner, mode or attributes;
 * message queues with names. The trees of dir= are noted in the same places
 * (handle_path, handle_one). Security modules come to them for mounts and for
 * loading a policy only. These have no such reason, though they name no file
 * themselves:
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
 * Logging. A call asks nothing (0) if nothing on its way asks a security hook,
 * capable() or audit_log_start(), in any branch. It asks questions (ASKS_*) if
 * the only things on its way that can log are security modules: it comes to
 * hooks or capable(), and no branch of it to any other audit_log_start(). Who
 * calls that, besides the modules (6.1, and what later kernels added):
 * kernel/audit*.c (CONFIG_CHANGE, LOGIN, ...: writes to netlink and to /proc,
 * and whatever deletes, moves or unmounts something watched), fs/namei.c
 * (ANOM_LINK, ANOM_CREAT: every path that is looked up to its end), fanotify
 * (opens, reads, directories; since 6.14 also faults on mapped files),
 * tty_audit.c (reading a terminal), kernel/bpf, net/ (promiscuous devices,
 * tables of netfilter, netlabel, xfrm), drivers/md, IMA and EVM (opens, maps,
 * mprotect, changes of attributes; whatever modules are listed) and IPE (the
 * same places). So these are neither:
 *   read, write, getdents, ioctl, sendto, recvfrom ...
 *				see above
 *   stat, access, open, readlink ...
 *				look up paths
 *   brk, mmap, mremap, munmap, madvise
 *				unmap files, or IMA
 *   poll, select, epoll_wait, epoll_ctl ...
 *				ask the driver of a file, which may open its
 *				firmware by name, as above
 *   close, dup2, exit		run whatever a driver does at the last close;
 *				exit also flushes what pam_tty_audit gathered
 *   wait4			throws what was mounted below /proc/PID away
 *   getsockopt, setsockopt, shutdown, prctl ...
 *				too many branches to vouch for
 * The last reference to a file that another thread closed meanwhile is given
 * back by delayed work (fput), which comes after the call (self_log.c).
 */
#include "model/call_facts.h"

#include <string.h>

#include "model/self_log.h"

/* It may log, whatever modules there are: nobody vouches for the contrary. */
#define MAY_LOG (ASKS_ALL + 1)

static const struct call_work ids = {
	"it reads or sets ids of tasks",
	"reads ids of the calling task; no hook",
};
static const struct call_work clocks = {
	"it reads a clock or a counter",
	"reads a clock or a counter; no hook",
};
static const struct call_work sleeping = {
	"it waits for time or a signal",
	"waits for time or a signal; no hook",
};
static const struct call_work timers = {
	"it makes, reads or sets a timer",
	"reads or sets a timer that exists; no hook",
};
static const struct call_work signals = {
	"it changes or reads the task's signal state",
	"changes or reads the task's own signal state; no hook",
};
static const struct call_work futexes = {
	"it works on a word of the caller's memory",
	"works on a word of the caller's memory; no hook",
};
static const struct call_work scheduling = {
	"it asks or tells the scheduler",
	"asks or tells the scheduler of the calling task; no hook",
};
static const struct call_work common = {
	"it reads what every task may know",
	"reads what every task may know; no hook",
};
static const struct call_work own_tables = {
	"it works on the task's own tables",
	"works on the task's own tables; no hook",
};
/* All of these ask. */
static const struct call_work sending = {"it sends a signal", NULL};
static const struct call_work new_files = {"it makes a file that has no path",
					   NULL};
static const struct call_work sockets = {"it reads the address of a socket",
					 NULL};
static const struct call_work objects = {NULL, NULL};

static const struct call_fact facts[] = {
	{"getpid", &ids, 0},
	{"gettid", &ids, 0},
	{"getppid", &ids, 0},
	{"getpgrp", &ids, 0},
	{"getpgid", &ids, ASKS_TASK},
	{"getsid", &ids, ASKS_TASK},
	{"setpgid", &ids, ASKS_TASK},
	{"getuid", &ids, 0},
	{"geteuid", &ids, 0},
	{"getgid", &ids, 0},
	{"getegid", &ids, 0},
	{"getresuid", &ids, 0},
	{"getresgid", &ids, 0},
	{"getgroups", &ids, 0},
	{"getuid32", &ids, 0},
	{"geteuid32", &ids, 0},
	{"getgid32", &ids, 0},
	{"getegid32", &ids, 0},
	{"getresuid32", &ids, 0},
	{"getresgid32", &ids, 0},
	{"getgroups32", &ids, 0},
	{"capget", &ids, ASKS_TASK},

	{"clock_gettime", &clocks, 0},
	{"clock_gettime64", &clocks, 0},
	{"clock_getres", &clocks, 0},
	{"clock_getres_time64", &clocks, 0},
	{"gettimeofday", &clocks, 0},
	{"time", &clocks, 0},
	{"times", &clocks, 0},
	{"getrusage", &clocks, 0},

	{"nanosleep", &sleeping, 0},
	{"clock_nanosleep", &sleeping, ASKS_CAPABLE},
	{"clock_nanosleep_time64", &sleeping, ASKS_CAPABLE},
	{"pause", &sleeping, 0},
	{"rt_sigsuspend", &sleeping, 0},
	{"sigsuspend", &sleeping, 0},
	{"rt_sigtimedwait", &sleeping, 0},
	{"rt_sigtimedwait_time64", &sleeping, 0},

	{"alarm", &timers, 0},
	{"getitimer", &timers, 0},
	{"setitimer", &timers, 0},
	{"timer_create", &timers, ASKS_CAPABLE},
	{"timer_gettime", &timers, 0},
	{"timer_gettime64", &timers, 0},
	{"timer_settime", &timers, 0},
	{"timer_settime64", &timers, 0},
	{"timer_getoverrun", &timers, 0},
	{"timer_delete", &timers, 0},
	{"timerfd_gettime", &timers, 0},
	{"timerfd_gettime64", &timers, 0},
	{"timerfd_settime", &timers, ASKS_CAPABLE},
	{"timerfd_settime64", &timers, ASKS_CAPABLE},

	{"rt_sigaction", &signals, 0},
	{"sigaction", &signals, 0},
	{"signal", &signals, 0},
	{"rt_sigprocmask", &signals, 0},
	{"sigprocmask", &signals, 0},
	{"sgetmask", &signals, 0},
	{"ssetmask", &signals, 0},
	{"rt_sigpending", &signals, 0},
	{"sigpending", &signals, 0},
	{"sigaltstack", &signals, 0},
	{"rt_sigreturn", &signals, 0},
	{"sigreturn", &signals, 0},

	{"kill", &sending, ASKS_SIGNAL | ASKS_CAPABLE},
	{"tkill", &sending, ASKS_SIGNAL | ASKS_CAPABLE},
	{"tgkill", &sending, ASKS_SIGNAL | ASKS_CAPABLE},
	{"rt_sigqueueinfo", &sending, ASKS_SIGNAL | ASKS_CAPABLE},
	{"rt_tgsigqueueinfo", &sending, ASKS_SIGNAL | ASKS_CAPABLE},

	{"futex", &futexes, 0},
	{"futex_time64", &futexes, 0},
	{"futex_waitv", &futexes, 0},
	{"futex_wake", &futexes, 0},
	{"futex_wait", &futexes, 0},
	{"futex_requeue", &futexes, 0},
	{"set_robust_list", &futexes, 0},
	{"get_robust_list", &futexes, ASKS_PTRACE | ASKS_CAPABLE},
	{"set_tid_address", &futexes, 0},
	{"rseq", &futexes, 0},

	{"sched_yield", &scheduling, 0},
	{"sched_get_priority_max", &scheduling, 0},
	{"sched_get_priority_min", &scheduling, 0},
	{"sched_getscheduler", &scheduling, ASKS_TASK},
	{"sched_getparam", &scheduling, ASKS_TASK},
	{"sched_getattr", &scheduling, ASKS_TASK},
	{"sched_getaffinity", &scheduling, ASKS_TASK},
	{"sched_rr_get_interval", &scheduling, ASKS_TASK},
	{"sched_rr_get_interval_time64", &scheduling, ASKS_TASK},
	{"sched_setscheduler", &scheduling, ASKS_TASK | ASKS_CAPABLE},
	{"sched_setparam", &scheduling, ASKS_TASK | ASKS_CAPABLE},
	{"sched_setattr", &scheduling, ASKS_TASK | ASKS_CAPABLE},
	{"sched_setaffinity", &scheduling, ASKS_TASK | ASKS_CAPABLE},
	{"getpriority", &scheduling, MAY_LOG},
	{"setpriority", &scheduling, ASKS_TASK | ASKS_CAPABLE},
	{"nice", &scheduling, ASKS_TASK | ASKS_CAPABLE},
	{"ioprio_get", &scheduling, ASKS_TASK},
	{"ioprio_set", &scheduling, ASKS_TASK | ASKS_CAPABLE},
	{"getcpu", &scheduling, 0},
	{"membarrier", &scheduling, 0},

	{"uname", &common, 0},
	{"olduname", &common, 0},
	{"oldolduname", &common, 0},
	{"sysinfo", &common, 0},
	{"getrandom", &common, 0},

	{"umask", &own_tables, 0},
	{"getrlimit", &own_tables, 0},
	{"ugetrlimit", &own_tables, 0},
	{"setrlimit", &own_tables, MAY_LOG},
	{"prlimit64", &own_tables, MAY_LOG},
	{"getcwd", &own_tables, 0},
	{"dup", &own_tables, 0},

	{"epoll_create", &new_files, ASKS_CAPABLE},
	{"epoll_create1", &new_files, ASKS_CAPABLE},
	{"eventfd", &new_files, ASKS_CAPABLE},
	{"eventfd2", &new_files, ASKS_CAPABLE},
	{"signalfd", &new_files, ASKS_CAPABLE},
	{"signalfd4", &new_files, ASKS_CAPABLE},
	{"timerfd_create", &new_files, ASKS_CAPABLE},
	{"pipe", &new_files, ASKS_CAPABLE},
	{"pipe2", &new_files, ASKS_CAPABLE},

	{"getsockname", &sockets, ASKS_SOCKET},
	{"getpeername", &sockets, ASKS_SOCKET},

	/* Files of /proc ask as ptrace does. */
	{"fstat", &objects, ASKS_FILE | ASKS_PTRACE | ASKS_CAPABLE},
	{"fstat64", &objects, ASKS_FILE | ASKS_PTRACE | ASKS_CAPABLE},
	{"fstatfs", &objects, ASKS_FILE | ASKS_PTRACE | ASKS_CAPABLE},
	{"fstatfs64", &objects, ASKS_FILE | ASKS_PTRACE | ASKS_CAPABLE},
	{"lseek", &objects, ASKS_FILE | ASKS_PTRACE | ASKS_CAPABLE},
	{"_llseek", &objects, ASKS_FILE | ASKS_PTRACE | ASKS_CAPABLE},
	{"fcntl", &objects, ASKS_FILE | ASKS_SIGNAL | ASKS_CAPABLE},
	{"fcntl64", &objects, ASKS_FILE | ASKS_SIGNAL | ASKS_CAPABLE},

	{"semop", &objects, ASKS_IPC | ASKS_CAPABLE},
	{"semtimedop", &objects, ASKS_IPC | ASKS_CAPABLE},
	{"semtimedop_time64", &objects, ASKS_IPC | ASKS_CAPABLE},
	{"msgsnd", &objects, ASKS_IPC | ASKS_CAPABLE},
	{"msgrcv", &objects, ASKS_IPC | ASKS_CAPABLE},
};

#define FACTS (sizeof(facts) / sizeof(facts[0]))

const struct call_fact *call_fact_at(size_t i)
{
	return i < FACTS ? &facts[i] : NULL;
}

const struct call_fact *call_fact_of(const struct target *target, enum abi abi,
				     int number)
{
	const char *name = target_call_name(target, abi, number);

	for (size_t i = 0; name && i < FACTS; i++)
		if (strcmp(name, facts[i].name) == 0)
			return &facts[i];
	return NULL;
}

void call_fact_add(const struct call_fact *fact, const struct target *target,
		   struct syscall_set *set)
{
	for (int abi = 0; abi < ABI_COUNT; abi++) {
		int n = target_call_number(target, (enum abi)abi, fact->name);

		const char *name = target_call_name(target, (enum abi)abi, n);

		/* Not under another name that the number has there. */
		if (name && strcmp(name, fact->name) == 0)
			syscall_mask_add(&set->abi[abi], n);
	}
}
