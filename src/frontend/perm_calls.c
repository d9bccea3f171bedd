/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "frontend/perm_calls.h"

#include <libaudit.h>

#include "frontend/behaviour.h"

#define V AUDITCTL_VERSION
#define R AUDIT_PERM_READ
#define W AUDIT_PERM_WRITE
#define X AUDIT_PERM_EXEC
#define A AUDIT_PERM_ATTR

/* What libaudit adds for a permission, from lib/permtab.h of every release: a
 * call, for which permissions, and since which version. NUMBER is that of calls
 * that the linked libaudit may be too old to know; they have the same on all
 * machines. */
static const struct perm_call {
	const char *name;
	uint32_t perm;
	unsigned int since;
	int number;
} perm_calls[] = {
	{"open", R | W, V(3, 1, 3), 0},
	{"openat", R | W, V(3, 1, 3), 0},
	{"openat2", R | W, V(3, 1, 3), 437},
	{"quotactl", R | W, V(3, 1, 3), 0},
	{"link", W | A, V(3, 1, 3), 0},
	{"linkat", W | A, V(3, 1, 3), 0},
	{"acct", W, V(3, 1, 3), 0},
	{"bind", W, V(3, 1, 3), 0},
	{"creat", W, V(3, 1, 3), 0},
	{"fallocate", W, V(3, 1, 3), 0},
	{"ftruncate", W, V(3, 1, 3), 0},
	{"mkdir", W, V(3, 1, 3), 0},
	{"mkdirat", W, V(3, 1, 3), 0},
	{"mknod", W, V(3, 1, 3), 0},
	{"mknodat", W, V(3, 1, 3), 0},
	{"rename", W, V(3, 1, 3), 0},
	{"renameat", W, V(3, 1, 3), 0},
	{"renameat2", W, V(3, 1, 3), 0},
	{"rmdir", W, V(3, 1, 3), 0},
	{"swapon", W, V(3, 1, 3), 0},
	{"symlink", W, V(3, 1, 3), 0},
	{"symlinkat", W, V(3, 1, 3), 0},
	{"truncate", W, V(3, 1, 3), 0},
	{"unlink", W, V(3, 1, 3), 0},
	{"unlinkat", W, V(3, 1, 3), 0},
	{"quotactl_fd", W, V(4, 1, 2), 443},
	{"fgetxattr", R, V(3, 1, 3), 0},
	{"flistxattr", R, V(3, 1, 3), 0},
	{"getxattr", R, V(3, 1, 3), 0},
	{"lgetxattr", R, V(3, 1, 3), 0},
	{"listxattr", R, V(3, 1, 3), 0},
	{"llistxattr", R, V(3, 1, 3), 0},
	{"readlink", R, V(3, 1, 3), 0},
	{"readlinkat", R, V(3, 1, 3), 0},
	{"getxattrat", R, V(4, 0, 4), 464},
	{"listxattrat", R, V(4, 0, 4), 465},
	{"file_getattr", R, V(4, 1, 2), 468},
	{"fstat", R, V(4, 2, 0), 0},
	{"lstat", R, V(4, 2, 0), 0},
	{"newfstatat", R, V(4, 2, 0), 0},
	{"quotactl_fd", R, V(4, 2, 0), 443},
	{"stat", R, V(4, 2, 0), 0},
	{"statx", R, V(4, 2, 0), 0},
	{"execve", X, V(3, 1, 3), 0},
	{"execveat", X, V(4, 2, 0), 0},
	{"chmod", A, V(3, 1, 3), 0},
	{"chown", A, V(3, 1, 3), 0},
	{"fchmod", A, V(3, 1, 3), 0},
	{"fchmodat", A, V(3, 1, 3), 0},
	{"fchown", A, V(3, 1, 3), 0},
	{"fchownat", A, V(3, 1, 3), 0},
	{"fremovexattr", A, V(3, 1, 3), 0},
	{"fsetxattr", A, V(3, 1, 3), 0},
	{"lchown", A, V(3, 1, 3), 0},
	{"lremovexattr", A, V(3, 1, 3), 0},
	{"lsetxattr", A, V(3, 1, 3), 0},
	{"removexattr", A, V(3, 1, 3), 0},
	{"setxattr", A, V(3, 1, 3), 0},
	{"removexattrat", A, V(4, 0, 4), 466},
	{"setxattrat", A, V(4, 0, 4), 463},
	{"fchmodat2", A, V(4, 1, 2), 452},
	{"file_setattr", A, V(4, 1, 2), 469},
};

#define COUNT (sizeof(perm_calls) / sizeof(perm_calls[0]))

static int number_of(const struct perm_call *call, int machine)
{
	int number = audit_name_to_syscall(call->name, machine);

	return number < 0 && call->number ? call->number : number;
}

unsigned int perm_calls_add(struct syscall_mask *mask, uint32_t perm,
			    int machine, unsigned int version,
			    const char **missing)
{
	unsigned int added = 0;

	*missing = NULL;
	for (size_t i = 0; i < COUNT; i++) {
		const struct perm_call *call = &perm_calls[i];
		int number;

		if (!(call->perm & perm) || call->since > version)
			continue;
		number = number_of(call, machine);
		if (number < 0) {
			*missing = call->name;
			continue;
		}
		syscall_mask_add(mask, number);
		added++;
	}
	return added;
}

const char *perm_call_name(int number)
{
	for (size_t i = 0; number > 0 && i < COUNT; i++)
		if (perm_calls[i].number == number)
			return perm_calls[i].name;
	return NULL;
}
