/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The profile that is taken if nothing is known: a server whose daemons wait
 * for files, read, write, and open a file now and then. The figures are calls
 * in 10,000, in round numbers; only their order of magnitude is meant. Calls
 * that are not in the table weigh one. Few programs are 32-bit ones.
 */
#include "optimize/profile.h"

#include <errno.h>
#include <fcntl.h>

#define NATIVE_FACTOR 200
#define OPEN_FLAGS (O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_DIRECTORY)

static const struct {
	const char *name;
	unsigned int weight;
} frequent_calls[] = {
	{"read", 1500},
	{"write", 1000},
	{"futex", 1500},
	{"epoll_wait", 800},
	{"recvfrom", 500},
	{"sendto", 400},
	{"openat", 300},
	{"close", 500},
	{"fstat", 250},
	{"newfstatat", 250},
	{"stat", 100},
	{"lseek", 150},
	{"recvmsg", 200},
	{"sendmsg", 150},
	{"poll", 200},
	{"ppoll", 100},
	{"epoll_ctl", 100},
	{"epoll_pwait", 100},
	{"mmap", 150},
	{"munmap", 100},
	{"mprotect", 80},
	{"brk", 50},
	{"madvise", 60},
	{"rt_sigaction", 60},
	{"rt_sigprocmask", 80},
	{"fcntl", 100},
	{"ioctl", 80},
	{"pread64", 150},
	{"pwrite64", 80},
	{"writev", 100},
	{"readv", 30},
	{"getpid", 50},
	{"gettid", 30},
	{"getppid", 20},
	{"getuid", 10},
	{"clock_gettime", 100},
	{"gettimeofday", 20},
	{"nanosleep", 30},
	{"clock_nanosleep", 60},
	{"access", 60},
	{"faccessat", 20},
	{"faccessat2", 20},
	{"open", 40},
	{"lstat", 40},
	{"statx", 50},
	{"getdents64", 30},
	{"readlink", 40},
	{"readlinkat", 20},
	{"accept4", 40},
	{"accept", 10},
	{"socket", 40},
	{"connect", 30},
	{"getsockopt", 30},
	{"setsockopt", 40},
	{"getsockname", 20},
	{"shutdown", 20},
	{"select", 40},
	{"pselect6", 40},
	{"sched_yield", 60},
	{"wait4", 20},
	{"clone", 10},
	{"clone3", 5},
	{"execve", 5},
	{"exit_group", 5},
	{"dup2", 10},
	{"pipe2", 10},
	{"getrandom", 10},
	{"set_robust_list", 10},
	{"rseq", 10},
	{"timerfd_settime", 30},
	{"eventfd2", 10},
	{"fsync", 10},
	{"fdatasync", 20},
	{"ftruncate", 10},
	{"unlink", 10},
	{"unlinkat", 5},
	{"rename", 5},
	{"chmod", 5},
	{"fchmod", 5},
	{"chown", 3},
	{"kill", 5},
	{"tgkill", 10},
	{"io_uring_enter", 20},
	{"getrusage", 20},
	{"uname", 10},
	{"sysinfo", 5},
	{"prlimit64", 5},
	{"prctl", 10},
};

#define FREQUENT_CALLS (sizeof(frequent_calls) / sizeof(frequent_calls[0]))

static const struct profile_kind kinds[] = {
	{70, false, false},
	{20, true, false},
	{7, false, true},
	{3, true, true},
};

static void weigh(struct profile *profile, const struct target *target, int abi)
{
	unsigned int factor = abi == ABI_NATIVE ? NATIVE_FACTOR : 1;
	unsigned int *weight = profile->weight[abi];

	for (int n = 0; n < SYSCALL_MASK_CALLS; n++)
		if (target_call_name(target, (enum abi)abi, n))
			weight[n] = factor;
	for (size_t i = 0; i < FREQUENT_CALLS; i++) {
		int n = target_call_number(target, (enum abi)abi,
					   frequent_calls[i].name);

		if (n >= 0 && n < SYSCALL_MASK_CALLS)
			weight[n] = factor * frequent_calls[i].weight;
	}
	for (int n = 0; n < SYSCALL_MASK_CALLS; n++)
		profile->in_all += weight[n];
}

struct profile *profile_default(struct arena *arena,
				const struct target *target)
{
	struct profile *profile = arena_alloc(arena, sizeof(*profile));

	for (int abi = 0; abi < ABI_COUNT; abi++)
		if (target_has_abi(target, (enum abi)abi))
			weigh(profile, target, abi);
	return profile;
}

const struct profile_kind *profile_kind(unsigned int i)
{
	return i < sizeof(kinds) / sizeof(kinds[0]) ? &kinds[i] : NULL;
}

/* A call that never returns has no result (audit_return_valid). */
static bool never_returns(const struct target *target, enum abi abi, int number)
{
	return number == target_call_number(target, abi, "exit") ||
	       number == target_call_number(target, abi, "exit_group");
}

struct event profile_event(const struct target *target, enum abi abi,
			   int number, const struct profile_kind *kind)
{
	uint32_t id = kind->has_auid ? 1000 : 0;

	return (struct event){
		.abi = abi,
		.number = number,
		/* Flags of open and openat: those of opendir(). */
		.argv = {0, OPEN_FLAGS, OPEN_FLAGS, 0},
		.pid = 4242,
		.ppid = 4241,
		.session = kind->has_auid ? 1 : UINT32_MAX,
		.auid = kind->has_auid ? 1000 : UINT32_MAX,
		.uid = id,
		.euid = id,
		.suid = id,
		.fsuid = id,
		.gid = id,
		.egid = id,
		.sgid = id,
		.fsgid = id,
		.result = never_returns(target, abi, number) ? RESULT_NONE
			  : kind->failed		     ? RESULT_FAILURE
							     : RESULT_SUCCESS,
		.exit_code = kind->failed ? (uint32_t)-ENOENT : 0,
	};
}
