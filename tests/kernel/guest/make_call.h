/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls made directly, through either ABI of x86_64.
 */
#ifndef AUDITOPT_TESTS_KERNEL_MAKE_CALL_H
#define AUDITOPT_TESTS_KERNEL_MAKE_CALL_H

#include <stdint.h>

/* WAY_32 is int $0x80. What its arguments point to must lie below 4 GiB: linked
 * without PIE, static memory does. */
enum way { WAY_64, WAY_32 };

#define PTR(pointer) ((long)(uintptr_t)(pointer))

/* The result, or -errno. The sixth argument is -1, or what the register holds. */
long make(enum way way, int number, long a, long b, long c, long d, long e);

/* The call of that name; -1 where this ABI has none. */
long call(enum way way, const char *what, long a, long b, long c, long d);

#endif
