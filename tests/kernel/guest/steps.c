/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/steps.h"

#include <fcntl.h>
#include <libaudit.h>
#include <linux/io_uring.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum way { WAY_64, WAY_32 };

#define HIGHEST_CALL 470

/* Linked without PIE, static memory has addresses that fit both ABIs. */
static char name[4][4200];
static char memory[65536];

static long make(enum way way, int number, long a, long b, long c, long d,
		 long e)
{
	long result;

	if (way == WAY_64) {
		register long r10 __asm__("r10") = d;
		register long r8 __asm__("r8") = e;
		register long r9 __asm__("r9") = -1;

		__asm__ volatile("syscall"
				 : "=a"(result)
				 : "a"((long)number), "D"(a), "S"(b), "d"(c),
				   "r"(r10), "r"(r8), "r"(r9)
				 : "rcx", "r11", "memory");
		return result;
	}
	__asm__ volatile("int $0x80"
			 : "=a"(result)
			 : "a"((long)number), "b"(a), "c"(b), "d"(c), "S"(d),
			   "D"(e)
			 : "r8", "r9", "r10", "r11", "memory");
	return (int)result;
}

/* CALL by name; -1 where this ABI has none of that name. */
static long call(enum way way, const char *what, long a, long b, long c, long d)
{
	int number = audit_name_to_syscall(what, way == WAY_64 ? MACH_86_64
							       : MACH_X86);

	return number < 0 ? -1 : make(way, number, a, b, c, d, 0);
}

#define PTR(pointer) ((long)(uintptr_t)(pointer))

static void around(const char *path)
{
	snprintf(name[0], sizeof(name[0]), "%s", path);
	snprintf(name[1], sizeof(name[1]), "%s.new", path);
	snprintf(name[2], sizeof(name[2]), "%s/below", path);
}

static void steps_with_descriptor(enum way way, long fd, mode_t mode)
{
	if (fd < 0)
		return;
	call(way, "fchmod", fd, (long)mode, 0, 0);
	call(way, "fchown", fd, -1, -1, 0);
	call(way, "fstat", fd, PTR(memory), 0, 0);
	call(way, "read", fd, PTR(memory), 0, 0);
	call(way, "write", fd, PTR(memory), 0, 0);
	call(way, "ftruncate", fd, 0, 0, 0);
	call(way, "fsetxattr", fd, PTR("user.x"), PTR(memory), 1);
	call(way, "fremovexattr", fd, PTR("user.x"), 0, 0);
	call(way, "close", fd, 0, 0, 0);
}

static void open_in_all_ways(enum way way, mode_t mode)
{
	static struct open_how how = {.flags = O_WRONLY};
	static const int flags[] = {
		O_RDONLY,	   O_WRONLY, O_RDWR, O_RDONLY | O_CLOEXEC,
		O_RDWR | O_APPEND, 3};
	long path = PTR(name[0]);

	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++) {
		long fd = call(way, "open", path, flags[i], 0, 0);

		if (i == 0)
			steps_with_descriptor(way, fd, mode);
		else if (fd >= 0)
			call(way, "close", fd, 0, 0, 0);
		fd = call(way, "openat", AT_FDCWD, path, flags[i], 0);
		if (i == 2)
			steps_with_descriptor(way, fd, mode);
		else if (fd >= 0)
			call(way, "close", fd, 0, 0, 0);
	}
	call(way, "close",
	     call(way, "openat2", AT_FDCWD, path, PTR(&how), sizeof(how)), 0, 0,
	     0);
}

static void change_attributes(enum way way, const struct stat *st)
{
	long path = PTR(name[0]), mode = (long)(st->st_mode & 07777);

	call(way, "chmod", path, mode, 0, 0);
	call(way, "fchmodat", AT_FDCWD, path, mode, 0);
	call(way, "fchmodat2", AT_FDCWD, path, mode, 0);
	call(way, "chown", path, -1, -1, 0);
	call(way, "lchown", path, st->st_uid, st->st_gid, 0);
	call(way, "fchownat", AT_FDCWD, path, -1, -1);
	call(way, "setxattr", path, PTR("user.x"), PTR(memory), 1);
	call(way, "lsetxattr", path, PTR("user.x"), PTR(memory), 1);
	call(way, "removexattr", path, PTR("user.x"), 0, 0);
	call(way, "getxattr", path, PTR("user.x"), PTR(memory), 1);
	call(way, "utimensat", AT_FDCWD, path, 0, 0);
	call(way, "truncate", path, 0, 0, 0);
	call(way, "stat", path, PTR(memory), 0, 0);
	call(way, "statx", AT_FDCWD, path, 0, 0);
	call(way, "access", path, R_OK | W_OK, 0, 0);
	call(way, "faccessat", AT_FDCWD, path, X_OK, 0);
	call(way, "readlink", path, PTR(memory), 64, 0);
}

/* Two names in one call; an event for either, in both orders. */
static void change_names(enum way way, bool directory)
{
	long path = PTR(name[0]), other = PTR(name[1]), at = AT_FDCWD;

	call(way, "link", path, other, 0, 0);
	call(way, "unlink", other, 0, 0, 0);
	call(way, "linkat", at, path, at, other);
	call(way, "unlinkat", at, other, 0, 0);
	call(way, "symlink", path, other, 0, 0);
	call(way, "chmod", other, directory ? 0755 : 0644, 0, 0);
	call(way, "unlink", other, 0, 0, 0);
	call(way, "rename", path, other, 0, 0);
	call(way, "rename", other, path, 0, 0);
	call(way, "renameat", at, path, at, other);
	call(way, "renameat2", at, other, at, path);
	call(way, "mknod", other, S_IFIFO | 0600, 0, 0);
	call(way, "chmod", other, 0600, 0, 0);
	call(way, "unlink", other, 0, 0, 0);
	if (!directory) {
		/* a new file in its place */
		long fd = call(way, "creat", other, 0644, 0, 0);

		if (fd >= 0) {
			call(way, "close", fd, 0, 0, 0);
			call(way, "rename", other, path, 0, 0);
		}
	}
}

static void change_below(enum way way)
{
	long below = PTR(name[2]);
	long fd = call(way, "open", below, O_CREAT | O_WRONLY, 0600, 0);

	if (fd >= 0)
		call(way, "close", fd, 0, 0, 0);
	call(way, "chmod", below, 0644, 0, 0);
	call(way, "chown", below, -1, -1, 0);
	call(way, "unlink", below, 0, 0, 0);
	call(way, "mkdir", below, 0700, 0, 0);
	call(way, "rmdir", below, 0, 0, 0);
	call(way, "stat", below, PTR(memory), 0, 0);
}

void steps_with_path(const char *path)
{
	struct stat st = {0};
	bool there = stat(path, &st) == 0;
	bool directory = S_ISDIR(st.st_mode);
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	static struct sockaddr_un low;

	around(path);
	snprintf(address.sun_path, sizeof(address.sun_path), "%.100s", path);
	low = address;
	for (enum way way = WAY_64; way <= WAY_32; way++) {
		long fd;

		open_in_all_ways(way, st.st_mode & 07777);
		if (!there) {
			call(way, "chmod", PTR(name[0]), 0644, 0, 0);
			call(way, "unlink", PTR(name[0]), 0, 0, 0);
			call(way, "execve", PTR(name[0]), 0, 0, 0);
			continue;
		}
		change_attributes(way, &st);
		change_names(way, directory);
		change_below(way);
		if (st.st_size == 0 || directory)
			call(way, "execve", PTR(name[0]), 0, 0, 0);
		call(way, "mount", PTR("none"), PTR(name[0]), PTR("nosuch"), 0);
		call(way, "umount2", PTR(name[0]), 0, 0, 0);
		call(way, "chdir", PTR(name[0]), 0, 0, 0);
		call(way, "chdir", PTR("/"), 0, 0, 0);
		fd = call(way, "socket", AF_UNIX, SOCK_STREAM, 0, 0);
		call(way, "connect", fd, PTR(&low), sizeof(low), 0);
		call(way, "close", fd, 0, 0, 0);
	}
}

void steps_of_task(void)
{
	static struct sockaddr internet = {.sa_family = AF_INET};
	static struct sockaddr_un local = {AF_UNIX, ""};

	for (enum way way = WAY_64; way <= WAY_32; way++) {
		long fd = call(way, "socket", AF_INET, SOCK_DGRAM, 0, 0);

		call(way, "bind", fd, PTR(&internet), sizeof(internet), 0);
		call(way, "connect", fd, PTR(&internet), sizeof(internet), 0);
		call(way, "sendto", fd, PTR(memory), 0, 0);
		call(way, "close", fd, 0, 0, 0);
		fd = call(way, "socket", AF_UNIX, SOCK_DGRAM, 0, 0);
		call(way, "bind", fd, PTR(&local), 2, 0);
		call(way, "close", fd, 0, 0, 0);
		call(way, "getpid", 0, 0, 0, 0);
		call(way, "kill", getpid(), 0, 0, 0);
		call(way, "ptrace", 16, getpid(), 0, 0);
		call(way, "setuid", geteuid(), 0, 0, 0);
		call(way, "setreuid", -1, -1, 0, 0);
		call(way, "setresuid", -1, -1, -1, 0);
		call(way, "setregid", -1, -1, 0, 0);
		call(way, "setfsuid", geteuid(), 0, 0, 0);
		call(way, "settimeofday", 0, 0, 0, 0);
		call(way, "clock_settime", 0, 0, 0, 0);
		call(way, "adjtimex", 0, 0, 0, 0);
		call(way, "sethostname", PTR("guest"), 5, 0, 0);
		call(way, "setdomainname", PTR("guest"), 5, 0, 0);
		call(way, "personality", 0xffffffff, 0, 0, 0);
		call(way, "unshare", 0, 0, 0, 0);
		if (fork() == 0)
			call(way, "exit", 3, 0, 0, 0);
		wait(NULL);
		if (fork() == 0)
			call(way, "exit_group", 3, 0, 0, 0);
		wait(NULL);
	}
}

/* These end, stop, replace or wait for the process, or more than it. */
static const char *const never_made[] = {
	"exit",
	"exit_group",
	"fork",
	"vfork",
	"clone",
	"clone3",
	"pause",
	"rt_sigreturn",
	"sigreturn",
	"rt_sigsuspend",
	"sigsuspend",
	"vhangup",
	"reboot",
	"restart_syscall",
	"munmap",
	"mprotect",
	"mremap",
	"brk",
	"acct",
	"kill",
	"sync",
	"umask",
	"shutdown",
	"idle",
	"syncfs",
	"remap_file_pages",
	"pkey_mprotect",
	"tkill",
	"tgkill",
	"prctl",
	"arch_prctl",
	"mseal",
	"process_madvise",
	"madvise",
	"rt_sigprocmask",
	"alarm",
	"close_range",
	"ptrace",
};
/* These with arguments of 0, too. */
static const char *const never_made_with_0[] = {
	"select",
	"pselect6",
	"ppoll",
	"_newselect",
	"read",
	"readv",
	"pread64",
	"pread",
	"preadv",
	"preadv2",
	"close",
	"dup2",
	"dup3",
	"personality",
	"modify_ldt",
	"nice",
	"setsid",
	"vm86old",
	"vm86",
	"sched_yield",
	"pselect6_time64",
	"ppoll_time64",
	"old_select",
	"poll",
	"epoll_wait",
	"accept",
	"accept4",
	"flock",
	"ioctl",
	"setuid",
	"setgid",
	"setreuid",
	"setregid",
	"setresuid",
	"setresgid",
	"setgroups",
	"setuid32",
	"setgid32",
	"setreuid32",
	"setregid32",
	"setresuid32",
	"setresgid32",
	"setgroups32",
	"set_thread_area",
	"lseek",
	"mmap",
	"mmap2",
	"old_mmap",
	"set_tid_address",
	"signal",
	"sigaction",
	"rt_sigaction",
	"sigprocmask",
	"waitpid",
	"wait4",
	"waitid",
	"map_shadow_stack",
	"seccomp",
	"rseq",
	"setns",
	"fchmod",
	"fchown",
	"fchown32",
	"dup",
	"times",
	"time",
	"capset",
	"munlockall",
	"fchdir",
	"setpgid",
	"timer_create",
	"set_robust_list",
};

static bool listed(const char *const *list, size_t count, const char *what)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(list[i], what))
			return true;
	return false;
}

#define LISTED(list, what) listed(list, sizeof(list) / sizeof(*(list)), what)

void steps_with_every_call(void)
{
	for (enum way way = WAY_64; way <= WAY_32; way++)
		for (int n = 0; n < HIGHEST_CALL; n++) {
			const char *what = audit_syscall_to_name(
				n, way == WAY_64 ? MACH_86_64 : MACH_X86);

			/* one without a name may be new and do anything */
			if (!what || LISTED(never_made, what))
				continue;
			make(way, n, -1, -1, -1, -1, -1);
			if (!LISTED(never_made_with_0, what))
				make(way, n, 0, 0, 0, 0, 0);
		}
}

/* The ring's memory, as io_uring_setup() tells where it is. */
static void submit(int ring, const struct io_uring_params *p,
		   const struct io_uring_sqe *todo)
{
	size_t size = p->sq_off.array + p->sq_entries * sizeof(uint32_t);
	char *sq = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, ring,
			IORING_OFF_SQ_RING);
	struct io_uring_sqe *sqe =
		mmap(NULL, p->sq_entries * sizeof(*sqe), PROT_READ | PROT_WRITE,
		     MAP_SHARED, ring, IORING_OFF_SQES);

	if (sq == MAP_FAILED || sqe == MAP_FAILED)
		return;
	*sqe = *todo;
	((uint32_t *)(sq + p->sq_off.array))[0] = 0;
	__atomic_fetch_add((uint32_t *)(sq + p->sq_off.tail), 1,
			   __ATOMIC_RELEASE);
	syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, NULL,
		0);
}

static void ring_once(const struct io_uring_sqe *todo)
{
	struct io_uring_params params = {0};
	int ring = (int)syscall(SYS_io_uring_setup, 1, &params);

	if (ring < 0)
		return;
	submit(ring, &params, todo);
	close(ring);
}

void steps_with_ring(const char *path)
{
	struct io_uring_sqe todo = {.opcode = IORING_OP_OPENAT,
				    .fd = AT_FDCWD,
				    .open_flags = O_RDONLY};

	around(path);
	todo.addr = (uint64_t)PTR(name[0]);
	ring_once(&todo);
	todo.open_flags = O_WRONLY;
	ring_once(&todo);
	todo.opcode = IORING_OP_UNLINKAT;
	todo.open_flags = 0;
	todo.addr = (uint64_t)PTR(name[2]);
	ring_once(&todo);
}
