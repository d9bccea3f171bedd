/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's and libaudit's names, with those that older headers lack; the
 * values are those of linux/audit.h of Linux 6.
 */
#ifndef AUDITOPT_AUDIT_NAMES_H
#define AUDITOPT_AUDIT_NAMES_H

#include <libaudit.h>
#include <linux/audit.h>

#ifndef AUDIT_FILTER_EXCLUDE
#define AUDIT_FILTER_EXCLUDE 0x05
#endif
#ifndef AUDIT_FILTER_FS
#define AUDIT_FILTER_FS 0x06
#endif
#ifndef AUDIT_FILTER_URING_EXIT
#define AUDIT_FILTER_URING_EXIT 0x07
#endif
#ifndef AUDIT_SADDR_FAM
#define AUDIT_SADDR_FAM 113
#endif

#endif
