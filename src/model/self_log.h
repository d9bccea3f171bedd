/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which calls can make the kernel log a record by itself (LSM denials,
 * INTEGRITY, NETFILTER_CFG, BPF, ANOM_*, ...). For the others "no rule
 * matched" and "a never rule matched" cannot be told apart from the outside.
 */
#ifndef AUDITOPT_SELF_LOG_H
#define AUDITOPT_SELF_LOG_H

#include <stdbool.h>

#include "model/abi.h"
#include "model/syscall_set.h"

/* Can the call log by itself? True whenever that is not certain. *WHY, if not
 * NULL, is set to a static text with the reason when the answer is no. */
bool call_can_self_log(const struct target *target, enum abi abi, int number,
		       const char **why);

/* All (ABI, number) pairs for which the answer is no. */
struct syscall_set calls_never_self_log(const struct target *target);

#endif
