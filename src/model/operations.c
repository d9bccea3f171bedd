/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/operations.h"

struct syscall_set calls_running_operations(const struct target *target)
{
	static const char *const names[] = {
		"io_uring_enter", "io_uring_register", "execve", "execveat",
		"exit",		  "exit_group",
	};
	struct syscall_set set = {0};

	for (int abi = 0; abi < ABI_COUNT; abi++) {
		if (!target_has_abi(target, (enum abi)abi))
			continue;
		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			syscall_mask_add(&set.abi[abi],
					 target_call_number(target,
							    (enum abi)abi,
							    names[i]));
	}
	return set;
}
