/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which calls cannot take a file away, by deleting or moving it. Only such an
 * event makes audit_update_watch() walk the inode buckets in the middle of the
 * call that causes it (audit_watch_handle_event(): FS_DELETE, FS_MOVED_FROM).
 */
#ifndef AUDITOPT_CALL_REMOVAL_H
#define AUDITOPT_CALL_REMOVAL_H

#include "model/abi.h"
#include "model/syscall_set.h"

/* All (ABI, number) pairs of TARGET that are known to take none away; others
 * may. Static. From fs/open.c, attr.c, xattr.c, stat.c, statfs.c, utimes.c and
 * fhandle.c of Linux 6.1, and fchmodat2 of 6.6. */
const struct syscall_set *calls_never_remove(const struct target *target);

#endif
