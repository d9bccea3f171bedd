/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/make_call.h"

#include <libaudit.h>

long make(enum way way, int number, long a, long b, long c, long d, long e)
{
	long result;

	if (way == WAY_64) {
		register long r10 __asm__("r10") = d;
		register long r8 __asm__("r8") = e;
		register long r9 __asm__("r9") = -1;

		__asm__ volatile("syscall"
				 : "=a"(result)
				 : "a"((long)number), "D"(a), "S"(b), "d"(c),
				   "r"(r10), "r"(r8), "r"(r9)
				 : "rcx", "r11", "memory");
		return result;
	}
	__asm__ volatile("int $0x80"
			 : "=a"(result)
			 : "a"((long)number), "b"(a), "c"(b), "d"(c), "S"(d),
			   "D"(e)
			 : "r8", "r9", "r10", "r11", "memory");
	return (int)result;
}

long call(enum way way, const char *what, long a, long b, long c, long d)
{
	int number = audit_name_to_syscall(what, way == WAY_64 ? MACH_86_64
							       : MACH_X86);

	return number < 0 ? -1 : make(way, number, a, b, c, d, 0);
}
