/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <libaudit.h>
#include <stdbool.h>
#include <string.h>

#include "guest/make_call.h"
#include "guest/steps.h"

/* These end, stop or replace the process, wait for something, blind it to
 * signals, or do more than that. */
static const char *const never_made[] = {
	"alarm",
	"clone",
	"clone3",
	"exit",
	"exit_group",
	"fork",
	"idle",
	"kill",
	"pause",
	"reboot",
	"restart_syscall",
	"rt_sigreturn",
	"sigreturn",
	"sigsuspend",
	"ssetmask",
	"sync",
	"umask",
	"vfork",
	"vhangup",
};

/* These not with arguments of 0. */
static const char *const never_made_with_0[] = {
	"_newselect",
	"accept",
	"accept4",
	"acct",
	"arch_prctl",
	"brk",
	"capset",
	"close",
	"close_range",
	"dup",
	"dup2",
	"dup3",
	"epoll_wait",
	"fchdir",
	"fchmod",
	"fchown",
	"fchown32",
	"flock",
	"ioctl",
	"lseek",
	"madvise",
	"map_shadow_stack",
	"mmap",
	"mmap2",
	"modify_ldt",
	"mprotect",
	"mremap",
	"mseal",
	"msgget",
	"msgrcv",
	"munlockall",
	"munmap",
	"nice",
	"old_mmap",
	"old_select",
	"personality",
	"pkey_mprotect",
	"poll",
	"ppoll",
	"ppoll_time64",
	"prctl",
	"pread",
	"pread64",
	"preadv",
	"preadv2",
	"process_madvise",
	"pselect6",
	"pselect6_time64",
	"ptrace",
	"read",
	"readv",
	"remap_file_pages",
	"rseq",
	"rt_sigaction",
	"rt_sigprocmask",
	"rt_sigsuspend",
	"sched_yield",
	"seccomp",
	"select",
	"set_robust_list",
	"set_thread_area",
	"set_tid_address",
	"setgid",
	"setgid32",
	"setgroups",
	"setgroups32",
	"setitimer",
	"setns",
	"setpgid",
	"setregid",
	"setregid32",
	"setresgid",
	"setresgid32",
	"setresuid",
	"setresuid32",
	"setreuid",
	"setreuid32",
	"setsid",
	"setuid",
	"setuid32",
	"shutdown",
	"sigaction",
	"signal",
	"sigprocmask",
	"syncfs",
	"tgkill",
	"time",
	"timer_create",
	"times",
	"tkill",
	"vm86",
	"vm86old",
	"wait4",
	"waitid",
	"waitpid",
};

/* Of Linux 6.1 to 6.12, the same for both ABIs; libaudit may not know them. */
static const int newer[] = {449, 450, 451, 452, 453, 454, 455,
			    456, 457, 458, 459, 460, 461, 462};

/* uretprobe() and uprobe() of newer kernels, which libaudit does not know: from
 * elsewhere than their own place they are answered with SIGILL. */
static bool is_of_probes(enum way way, int number)
{
	return way == WAY_64 && (number == 335 || number == 336);
}

/* Numbers of no call: past all tables, at the end of a mask and past it; and
 * x32's open(). */
static const int no_call[] = {470,  511,  512,	520,	   1000,
			      2015, 2047, 2048, 0x40000002};

static bool listed(const char *const *list, size_t count, const char *what)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(list[i], what))
			return true;
	return false;
}

#define LENGTH(list) (sizeof(list) / sizeof(*(list)))
#define LISTED(list, what) listed(list, LENGTH(list), what)

static void try_call(enum way way, int number, bool with_0)
{
	make(way, number, -1, -1, -1, -1, -1);
	if (with_0)
		make(way, number, 0, 0, 0, 0, 0);
}

void steps_with_every_call(void)
{
	for (enum way way = WAY_64; way <= WAY_32; way++) {
		int machine = way == WAY_64 ? MACH_86_64 : MACH_X86;

		for (int n = 0; n < newer[0]; n++) {
			const char *what = audit_syscall_to_name(n, machine);

			if (is_of_probes(way, n))
				continue;
			if (!what || !LISTED(never_made, what))
				try_call(way, n,
					 what && !LISTED(never_made_with_0,
							 what));
		}
		for (size_t i = 0; i < LENGTH(newer); i++)
			try_call(way, newer[i], false);
		for (size_t i = 0; i < LENGTH(no_call); i++)
			try_call(way, no_call[i], true);
	}
}
