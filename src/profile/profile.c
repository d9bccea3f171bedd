/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/profile.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

/* Flags of open and openat: those of opendir(). */
#define OPEN_FLAGS (O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_DIRECTORY)

static const struct profile_kind kinds[PROFILE_KINDS] = {
	{.has_auid = false, .failed = false},
	{.has_auid = true, .failed = false},
	{.has_auid = false, .failed = true},
	{.has_auid = true, .failed = true},
};

const struct profile_kind *profile_kind(unsigned int i)
{
	return i < PROFILE_KINDS ? &kinds[i] : NULL;
}

unsigned int profile_share(const struct profile *profile, enum abi abi,
			   int number, const struct profile_kind *kind)
{
	unsigned int failed = profile->failed[abi][number];
	unsigned int unset = profile->unset[abi][number];
	unsigned int both = failed * unset / PROFILE_WHOLE;

	if (kind->failed)
		return kind->has_auid ? failed - both : both;
	return kind->has_auid ? PROFILE_WHOLE - unset - (failed - both)
			      : unset - both;
}

/* A call that never returns has no result (audit_return_valid). */
static bool never_returns(const struct target *target, enum abi abi, int number)
{
	const char *name = target_call_name(target, abi, number);

	return name &&
	       (strcmp(name, "exit") == 0 || strcmp(name, "exit_group") == 0);
}

struct event profile_event(const struct target *target, enum abi abi,
			   int number, const struct profile_kind *kind)
{
	uint32_t id = kind->has_auid ? 1000 : 0;

	return (struct event){
		.abi = abi,
		.number = number,
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
