/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The calls below look a path up, or have a file, and change what the inode
 * holds or nothing; those that open may make a file as well. None of them tells
 * (fsnotify) that a file that its caller sees was deleted or moved away.
 *
 * What may go away below: overlayfs copies a file up when it is changed, or makes
 * one over a whiteout, in its work directory, and moves it to its place; ecryptfs
 * takes back what it could not make; so does the opening of a new terminal
 * (devpts). Such an entry was made by the same call, in the work directory with a
 * number behind a # for a name, and no rule was asked for another inode of it.
 */
#include "model/call_removal.h"

#include <stdbool.h>

static const char *const keeping[] = {
	/* open */
	"open", "openat", "openat2", "creat", "open_by_handle_at",
	/* change */
	"chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown",
	"fchownat", "chown32", "fchown32", "lchown32", "setxattr", "lsetxattr",
	"fsetxattr", "removexattr", "lremovexattr", "fremovexattr", "truncate",
	"ftruncate", "truncate64", "ftruncate64", "utime", "utimes",
	"utimensat", "futimesat",
	/* look */
	"stat", "lstat", "fstat", "stat64", "lstat64", "fstat64", "oldstat",
	"oldlstat", "oldfstat", "newfstatat", "fstatat64", "statx", "access",
	"faccessat", "faccessat2", "readlink", "readlinkat", "statfs",
	"statfs64", "fstatfs", "fstatfs64", "getxattr", "lgetxattr",
	"fgetxattr", "listxattr", "llistxattr", "flistxattr", "chdir",
	"fchdir"};

/* Worked out once for a target, as in perm.c. */
const struct syscall_set *calls_never_remove(const struct target *target)
{
	static struct {
		bool filled;
		struct syscall_set set;
	} memo[TARGET_COUNT];

	if (!memo[target->index].filled)
		for (size_t i = 0; i < sizeof(keeping) / sizeof(*keeping); i++)
			for (int abi = 0; abi < ABI_COUNT; abi++)
				syscall_mask_add(
					&memo[target->index].set.abi[abi],
					target_call_number(target,
							   (enum abi)abi,
							   keeping[i]));
	memo[target->index].filled = true;
	return &memo[target->index].set;
}
