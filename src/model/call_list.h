/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists of calls by name, each with the reason why it stands there.
 */
#ifndef AUDITOPT_CALL_LIST_H
#define AUDITOPT_CALL_LIST_H

#include <stddef.h>
#include <stdint.h>

#include "model/abi.h"
#include "model/syscall_set.h"

struct listed_call {
	const char *name;
	const char *why;
	uint32_t asks; /* self_log.c: ASKS_* */
};

/* The row of the COUNT in LIST that has call NUMBER of ABI by its name, or NULL:
 * no row has it, or the call has no name. */
const struct listed_call *call_list_find(const struct listed_call *list,
					 size_t count,
					 const struct target *target,
					 enum abi abi, int number);

/* Adds to SET the calls of row ROW, in each ABI of TARGET that has one. */
void call_list_add(const struct listed_call *row, const struct target *target,
		   struct syscall_set *set);

#endif
