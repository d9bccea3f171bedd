/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the kernel's source (6.1: fs/namei.c, open.c, stat.c, attr.c, xattr.c,
 * exec.c, namespace.c, ...): every getname() is a path, audit_inode() and
 * audit_inode_child() make the names. That the kinds below cost what
 * price_table.c says was measured for the calls marked there.
 */
#include "model/call_naming.h"

#include <stdbool.h>

#include "model/syscall_set.h"

static const struct {
	const char *name;
	enum naming naming;
} naming_calls[] = {
	/* Only of files; read() and write() are mostly of what has no watch:
	 * sockets, pipes, terminals. */
	{"pread", NAMING_READ},
	{"pread64", NAMING_READ},
	{"preadv", NAMING_READ},
	{"preadv2", NAMING_READ},
	{"pwrite", NAMING_WRITE},
	{"pwrite64", NAMING_WRITE},
	{"pwritev", NAMING_WRITE},
	{"pwritev2", NAMING_WRITE},

	{"fchmod", NAMING_FILE},
	{"fchown", NAMING_FILE},
	{"fchown32", NAMING_FILE},
	{"fsetxattr", NAMING_FILE},
	{"fgetxattr", NAMING_FILE},
	{"flistxattr", NAMING_FILE},
	{"fremovexattr", NAMING_FILE},

	{"stat", NAMING_LOOKUP},
	{"lstat", NAMING_LOOKUP},
	{"stat64", NAMING_LOOKUP},
	{"lstat64", NAMING_LOOKUP},
	{"oldstat", NAMING_LOOKUP},
	{"oldlstat", NAMING_LOOKUP},
	{"newfstatat", NAMING_LOOKUP},
	{"fstatat64", NAMING_LOOKUP},
	{"statx", NAMING_LOOKUP},
	{"access", NAMING_LOOKUP},
	{"faccessat", NAMING_LOOKUP},
	{"faccessat2", NAMING_LOOKUP},
	{"readlink", NAMING_LOOKUP},
	{"readlinkat", NAMING_LOOKUP},
	{"statfs", NAMING_LOOKUP},
	{"statfs64", NAMING_LOOKUP},
	{"chdir", NAMING_LOOKUP},
	{"chroot", NAMING_LOOKUP},
	{"getxattr", NAMING_LOOKUP},
	{"lgetxattr", NAMING_LOOKUP},
	{"listxattr", NAMING_LOOKUP},
	{"llistxattr", NAMING_LOOKUP},
	{"name_to_handle_at", NAMING_LOOKUP},
	{"inotify_add_watch", NAMING_LOOKUP},
	{"fanotify_mark", NAMING_LOOKUP},
	{"open_tree", NAMING_LOOKUP},
	{"fspick", NAMING_LOOKUP},
	{"mount_setattr", NAMING_LOOKUP},
	{"umount", NAMING_LOOKUP},
	{"umount2", NAMING_LOOKUP},
	{"swapoff", NAMING_LOOKUP},
	{"quotactl", NAMING_LOOKUP},
	{"mq_unlink", NAMING_LOOKUP},

	{"chmod", NAMING_CHANGE},
	{"fchmodat", NAMING_CHANGE},
	{"fchmodat2", NAMING_CHANGE},
	{"chown", NAMING_CHANGE},
	{"lchown", NAMING_CHANGE},
	{"chown32", NAMING_CHANGE},
	{"lchown32", NAMING_CHANGE},
	{"fchownat", NAMING_CHANGE},
	{"utime", NAMING_CHANGE},
	{"utimes", NAMING_CHANGE},
	{"futimesat", NAMING_CHANGE},
	{"utimensat", NAMING_CHANGE},
	{"utimensat_time64", NAMING_CHANGE},
	{"truncate", NAMING_CHANGE},
	{"truncate64", NAMING_CHANGE},
	{"setxattr", NAMING_CHANGE},
	{"lsetxattr", NAMING_CHANGE},
	{"removexattr", NAMING_CHANGE},
	{"lremovexattr", NAMING_CHANGE},

	{"open", NAMING_OPEN},
	{"openat", NAMING_OPEN},
	{"openat2", NAMING_OPEN},
	{"mq_open", NAMING_OPEN},
	{"uselib", NAMING_OPEN},
	{"acct", NAMING_OPEN},
	{"swapon", NAMING_OPEN},
	{"creat", NAMING_CREATE},

	{"mkdir", NAMING_MAKE},
	{"mkdirat", NAMING_MAKE},
	{"mknod", NAMING_MAKE},
	{"mknodat", NAMING_MAKE},
	{"unlink", NAMING_REMOVE},
	{"unlinkat", NAMING_REMOVE},
	{"rmdir", NAMING_REMOVE},
	{"link", NAMING_LINK},
	{"linkat", NAMING_LINK},
	{"symlink", NAMING_SYMLINK},
	{"symlinkat", NAMING_SYMLINK},
	{"rename", NAMING_RENAME},
	{"renameat", NAMING_RENAME},
	{"renameat2", NAMING_RENAME},

	{"execve", NAMING_EXECUTE},
	{"execveat", NAMING_EXECUTE},

	{"mount", NAMING_TWO},
	{"pivot_root", NAMING_TWO},
	{"move_mount", NAMING_TWO},
};

#define NAMING_CALLS (sizeof(naming_calls) / sizeof(naming_calls[0]))

struct namings {
	bool filled;
	uint8_t of[ABI_COUNT][SYSCALL_MASK_BITS];
};

static void fill(struct namings *namings, const struct target *target)
{
	for (int abi = 0; abi < ABI_COUNT; abi++)
		for (size_t i = 0; i < NAMING_CALLS; i++) {
			int n = target_call_number(target, (enum abi)abi,
						   naming_calls[i].name);

			if (n >= 0 && n < SYSCALL_MASK_BITS)
				namings->of[abi][n] =
					(uint8_t)naming_calls[i].naming;
		}
	namings->filled = true;
}

/* Worked out once for a target, as in perm.c. */
enum naming call_naming(const struct target *target, enum abi abi, int number)
{
	static struct namings memo[TARGET_COUNT];
	struct namings *namings = &memo[target->index];

	if (!namings->filled)
		fill(namings, target);
	if (number < 0 || number >= SYSCALL_MASK_BITS)
		return NAMING_NONE;
	return (enum naming)namings->of[abi][number];
}
