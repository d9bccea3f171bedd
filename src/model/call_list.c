/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/call_list.h"

#include <string.h>

const struct listed_call *call_list_find(const struct listed_call *list,
					 size_t count,
					 const struct target *target,
					 enum abi abi, int number)
{
	const char *name = target_call_name(target, abi, number);

	for (size_t i = 0; name && i < count; i++)
		if (strcmp(name, list[i].name) == 0)
			return &list[i];
	return NULL;
}

void call_list_add(const struct listed_call *row, const struct target *target,
		   struct syscall_set *set)
{
	for (int abi = 0; abi < ABI_COUNT; abi++) {
		int n = target_call_number(target, (enum abi)abi, row->name);

		/* Not under another name that the number has there. */
		if (call_list_find(row, 1, target, (enum abi)abi, n))
			syscall_mask_add(&set->abi[abi], n);
	}
}
