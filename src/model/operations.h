/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * io_uring operations that are run inside a system call: they walk the lists
 * and the inode buckets with names of their own (__audit_uring_exit).
 */
#ifndef AUDITOPT_OPERATIONS_H
#define AUDITOPT_OPERATIONS_H

#include "model/abi.h"
#include "model/syscall_set.h"

/* The calls inside which that happens: io_uring_enter and io_uring_register,
 * which are asked to, and exec, exit and exit_group, which finish what is
 * pending when the rings are closed (io_uring_cancel_generic). */
struct syscall_set calls_running_operations(const struct target *target);

#endif
