/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which calls can make the kernel log a record by itself (LSM denials,
 * INTEGRITY, NETFILTER_CFG, BPF, ANOM_*, ...). For the others "no rule
 * matched" and "a never rule matched" cannot be told apart from the outside.
 */
#ifndef AUDITOPT_SELF_LOG_H
#define AUDITOPT_SELF_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/abi.h"
#include "model/syscall_set.h"

/* Kinds of questions that the kernel puts to its security modules; one that
 * says no may log it. */
enum {
	ASKS_CAPABLE = 1 << 0, /* capable() and its like */
	ASKS_TASK = 1 << 1,    /* of another task: its group, scheduler, ... */
	ASKS_SIGNAL = 1 << 2,
	ASKS_PTRACE = 1 << 3,
	ASKS_FILE = 1 << 4, /* of an open file */
	ASKS_SOCKET = 1 << 5,
	ASKS_IPC = 1 << 6, /* System V IPC */
	ASKS_ALL = (1 << 7) - 1,
};

/* The kinds of questions (ASKS_*) that no module of MODULES logs an answer to:
 * names with commas between, as in /sys/kernel/security/lsm, or "none". Sets
 * *UNKNOWN to the first that is none, and answers 0. */
uint32_t asks_unlogged(const char *modules, const char **unknown);

/* The names of all modules, for help and errors: I from 0; NULL past the end.
 */
const char *security_module_name(size_t i);

/* Can the call log by itself, if no module logs the answers to UNLOGGED
 * (ASKS_*; 0: of none that is certain)? True whenever that is not certain.
 * *WHY, if not NULL, is set to a static text with the reason when the answer
 * is no. */
bool call_can_self_log_with(const struct target *target, enum abi abi,
			    int number, uint32_t unlogged, const char **why);
/* The same with 0. */
bool call_can_self_log(const struct target *target, enum abi abi, int number,
		       const char **why);

/* All (ABI, number) pairs for which the answer is no. */
struct syscall_set calls_never_self_log_with(const struct target *target,
					     uint32_t unlogged);
struct syscall_set calls_never_self_log(const struct target *target);

#endif
