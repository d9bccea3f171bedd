/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/counts.h"

#include <string.h>

/* What the weights of all counted calls of one ABI come to, about: small enough
 * that weight * share * instructions stay far from overflow when they are added
 * up over all calls. */
#define WEIGHT_IN_ALL 2000000
/* Of a call that was not counted. */
#define WEIGHT_LEAST_NATIVE 4
#define WEIGHT_LEAST_COMPAT 1
/* Few programs are of the compat ABI. */
#define NATIVE_TO_COMPAT 200

/* The same call under the names that it has in different ABIs, and in libaudit
 * and the kernel. */
static const char *const same_calls[][3] = {
	{"stat", "stat64"},
	{"lstat", "lstat64"},
	{"fstat", "fstat64", "newfstat"},
	{"newfstatat", "fstatat64", "fstatat"},
	{"getdents64", "getdents"},
	{"kexec_load", "sys_kexec_load"},
	{"pread64", "pread"},
	{"pwrite64", "pwrite"},
	{"sched_rr_get_interval_time64", "sched_rr_get_interval64"},
	{"statfs", "statfs64"},
	{"fstatfs", "fstatfs64"},
	{"lseek", "_llseek"},
	{"fcntl", "fcntl64"},
	{"mmap", "mmap2"},
	{"select", "_newselect"},
	{"sendfile", "sendfile64"},
	{"fadvise64", "fadvise64_64", "arm_fadvise64_64"},
	{"truncate", "truncate64"},
	{"ftruncate", "ftruncate64"},
	{"getrlimit", "ugetrlimit"},
	{"getuid", "getuid32"},
	{"geteuid", "geteuid32"},
	{"getgid", "getgid32"},
	{"getegid", "getegid32"},
	{"sync_file_range", "sync_file_range2"},
	{"exit", "_exit"},
};

#define SAME_CALLS (sizeof(same_calls) / sizeof(same_calls[0]))
#define SAME_NAMES (sizeof(same_calls[0]) / sizeof(same_calls[0][0]))

/* Old calls, and what does their work on machines that never had them. */
static const char *const successor[][2] = {
	{"accept", "accept4"},
	{"access", "faccessat"},
	{"chmod", "fchmodat"},
	{"chown", "fchownat"},
	{"creat", "openat"},
	{"dup2", "dup3"},
	{"epoll_create", "epoll_create1"},
	{"epoll_wait", "epoll_pwait"},
	{"eventfd", "eventfd2"},
	{"fork", "clone"},
	{"getrlimit", "prlimit64"},
	{"inotify_init", "inotify_init1"},
	{"lchown", "fchownat"},
	{"link", "linkat"},
	{"lstat", "newfstatat"},
	{"mkdir", "mkdirat"},
	{"mknod", "mknodat"},
	{"open", "openat"},
	{"pipe", "pipe2"},
	{"poll", "ppoll"},
	{"readlink", "readlinkat"},
	{"rename", "renameat"},
	{"renameat", "renameat2"},
	{"rmdir", "unlinkat"},
	{"select", "pselect6"},
	{"setrlimit", "prlimit64"},
	{"stat", "newfstatat"},
	{"symlink", "symlinkat"},
	{"unlink", "unlinkat"},
	{"vfork", "clone"},
};

#define SUCCESSORS (sizeof(successor) / sizeof(successor[0]))

static int find_call(const struct target *target, enum abi abi,
		     const char *name)
{
	int number = target_call_number(target, abi, name);

	return number < SYSCALL_MASK_CALLS ? number : -1;
}

static bool is_among(const char *const *names, const char *name)
{
	for (unsigned int i = 0; i < SAME_NAMES && names[i]; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static int find_same(const struct target *target, enum abi abi,
		     const char *name)
{
	int number = find_call(target, abi, name);

	for (unsigned int i = 0; number < 0 && i < SAME_CALLS; i++) {
		if (!is_among(same_calls[i], name))
			continue;
		for (unsigned int k = 0; number < 0 && k < SAME_NAMES; k++)
			if (same_calls[i][k])
				number = find_call(target, abi,
						   same_calls[i][k]);
	}
	return number;
}

/* The table is in the order of its chains. */
int counts_number(const struct target *target, enum abi abi, const char *name)
{
	int number = find_same(target, abi, name);

	for (unsigned int i = 0; number < 0 && i < SUCCESSORS; i++)
		if (strcmp(successor[i][0], name) == 0) {
			name = successor[i][1];
			number = find_same(target, abi, name);
		}
	return number;
}

struct counts *counts_new(struct arena *arena, const struct target *target)
{
	struct counts *counts = arena_alloc(arena, sizeof(*counts));

	counts->target = target;
	return counts;
}

void counts_add(struct counts *counts, enum abi abi, int number,
		struct call_count row)
{
	struct call_sum *sum = &counts->sum[abi][number];

	if (row.calls > COUNT_AT_MOST - sum->calls)
		row.calls = COUNT_AT_MOST - sum->calls;
	sum->calls += row.calls;
	if (row.failed >= 0) {
		sum->failed += row.calls * (uint64_t)row.failed;
		sum->failed_of += row.calls;
	}
	if (row.unset >= 0) {
		sum->unset += row.calls * (uint64_t)row.unset;
		sum->unset_of += row.calls;
	}
}

static uint64_t calls_in_all(const struct counts *counts, enum abi abi)
{
	uint64_t calls = 0;

	for (int n = 0; n < SYSCALL_MASK_CALLS; n++)
		calls += counts->sum[abi][n].calls;
	return calls;
}

bool counts_any(const struct counts *counts, enum abi abi)
{
	return calls_in_all(counts, abi) > 0;
}

/* PART of ALL in parts of WHOLE, rounded; ALL is not 0, and is below 2^60. */
static unsigned int scaled(uint64_t part, uint64_t all, unsigned int whole)
{
	while (all >> 32) {
		all >>= 1;
		part >>= 1;
	}
	return (unsigned int)((part * whole + all / 2) / all);
}

static unsigned int share_of(uint64_t shares, uint64_t calls)
{
	return (unsigned int)((shares + calls / 2) / calls);
}

/* Shares of what is known of all calls. */
struct usual {
	const struct profile *profile;
	unsigned int failed, unset;
};

static struct usual usual_of(const struct counts *counts,
			     const struct profile *profile)
{
	struct call_sum all = {0};

	for (int abi = 0; abi < ABI_COUNT; abi++)
		for (int n = 0; n < SYSCALL_MASK_CALLS; n++) {
			const struct call_sum *sum = &counts->sum[abi][n];

			all.failed += sum->failed;
			all.failed_of += sum->failed_of;
			all.unset += sum->unset;
			all.unset_of += sum->unset_of;
		}
	return (struct usual){
		.profile = profile,
		.failed =
			all.failed_of ? share_of(all.failed, all.failed_of) : 0,
		.unset = all.unset_of ? share_of(all.unset, all.unset_of)
				      : PROFILE_WHOLE,
	};
}

static void set_shares(struct profile *profile, const struct usual *usual,
		       const struct call_sum *sum, enum abi abi, int n)
{
	unsigned int failed =
		usual->profile ? usual->profile->failed[abi][n] : usual->failed;
	unsigned int unset =
		usual->profile ? usual->profile->unset[abi][n] : usual->unset;

	if (sum->failed_of)
		failed = share_of(sum->failed, sum->failed_of);
	if (sum->unset_of)
		unset = share_of(sum->unset, sum->unset_of);
	profile->failed[abi][n] = (uint16_t)failed;
	profile->unset[abi][n] = (uint16_t)unset;
}

/* Unnamed calls count only if somebody makes them. */
static bool is_call(const struct target *target, const struct call_sum *sum,
		    enum abi abi, int n)
{
	return target_has_abi(target, abi) &&
	       (sum->calls || target_call_name(target, abi, n));
}

/* What the native sums say of the compat ABI, if nothing else does. */
static void guess_compat(struct counts *counts)
{
	const struct target *target = counts->target;

	for (int n = 0; n < SYSCALL_MASK_CALLS; n++) {
		const struct call_sum *sum = &counts->sum[ABI_NATIVE][n];
		const char *name = target_call_name(target, ABI_NATIVE, n);
		int same = sum->calls && name
				   ? counts_number(target, ABI_COMPAT, name)
				   : -1;
		struct call_sum *to;

		if (same < 0)
			continue;
		to = &counts->sum[ABI_COMPAT][same];
		to->calls += sum->calls;
		to->failed += sum->failed;
		to->failed_of += sum->failed_of;
		to->unset += sum->unset;
		to->unset_of += sum->unset_of;
	}
}

/* The weights of one ABI: CALLS are those of all ABIs. */
static void weigh(struct profile *profile, const struct usual *usual,
		  const struct counts *counts, enum abi abi, uint64_t calls,
		  unsigned int in_all)
{
	unsigned int least =
		abi == ABI_NATIVE ? WEIGHT_LEAST_NATIVE : WEIGHT_LEAST_COMPAT;

	for (int n = 0; n < SYSCALL_MASK_CALLS; n++) {
		const struct call_sum *sum = &counts->sum[abi][n];
		unsigned int weight;

		if (!is_call(counts->target, sum, abi, n))
			continue;
		weight = scaled(sum->calls, calls, in_all);
		profile->weight[abi][n] = weight > least ? weight : least;
		profile->in_all += profile->weight[abi][n];
		set_shares(profile, usual, sum, abi, n);
	}
}

struct profile *counts_profile(struct arena *arena, const struct counts *counts,
			       const struct profile *usual_profile)
{
	struct profile *profile = arena_alloc(arena, sizeof(*profile));
	struct counts *all = arena_copy(arena, counts, sizeof(*counts));
	struct usual usual = usual_of(counts, usual_profile);
	uint64_t calls = calls_in_all(counts, ABI_NATIVE) +
			 calls_in_all(counts, ABI_COMPAT);
	unsigned int compat = WEIGHT_IN_ALL;

	if (!counts_any(counts, ABI_COMPAT) &&
	    target_has_abi(counts->target, ABI_COMPAT)) {
		guess_compat(all);
		compat /= NATIVE_TO_COMPAT;
	}
	weigh(profile, &usual, all, ABI_NATIVE, calls, WEIGHT_IN_ALL);
	weigh(profile, &usual, all, ABI_COMPAT, calls, compat);
	return profile;
}
