/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perm: which calls the kernel counts as reading, writing, executing or
 * changing attributes (include/asm-generic/audit_{read,write,dir_write,
 * change_attr}.h, lib/audit.c, arch/x86/kernel/audit_64.c,
 * arch/x86/ia32/audit.c).
 */
#ifndef AUDITOPT_PERM_H
#define AUDITOPT_PERM_H

#include <stdbool.h>
#include <stdint.h>

#include "model/abi.h"
#include "model/syscall_set.h"

/* The calls that some kernel, old or new, could let through perm=PERM
 * (AUDIT_PERM_* bits; the operator =, not !=): every call that any known kernel
 * puts in a class, those that audit's own newer tables put there, and every
 * number above the newest call that this program knows, which a later kernel
 * might. Never too small. Empty for PERM 0, which nothing matches. */
struct syscall_set perm_calls_possible(const struct target *target,
				       uint32_t perm);

/* The calls that a kernel that is known (perm_kernel_known) could let through
 * perm=PERM: every call that any known release puts in a class, per ABI, the
 * younger calls that audit's tables put there, and a margin of numbers behind
 * the newest call. A part of perm_calls_possible, short enough to be written
 * down. */
struct syscall_set perm_calls_known(const struct target *target, uint32_t perm);

/* Are the classes of the kernel RELEASE, as uname -r says it ("6.12.30-amd64"),
 * among those that are known? False for a newer one than the tables know and
 * for what is no release. */
bool perm_kernel_known(const char *release);
/* The newest release that is: "7.0". */
const char *perm_newest_kernel(void);

/* audit_match_perm as the newest known kernel does it, for one call with its
 * arguments A0..A3 as ctx->argv has them (openat2: OPEN_FLAGS is
 * ctx->openat2.flags). */
bool perm_match(const struct target *target, enum abi abi, int number,
		const uint64_t argv[4], uint64_t open_flags, uint32_t perm);

/* The calls of AUDIT_CLASS number CLASS (0..15) in the newest known kernel:
 * what a mask bit 2047-CLASS is replaced by (audit_to_entry_common). Empty for
 * classes that are not registered. Numbers only: the kernel puts them in the
 * rule's mask whatever the ABI. */
struct syscall_mask perm_class(const struct target *target,
			       unsigned int class_number);

#endif
