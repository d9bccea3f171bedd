/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Targets and ABIs. A kernel runs calls of its native ABI and perhaps of one
 * compat ABI (i386 on x86_64, ...). The unit of reasoning everywhere is the
 * pair (ABI, call number); numbers and names come from libaudit's tables.
 */
#ifndef AUDITOPT_ABI_H
#define AUDITOPT_ABI_H

#include <stdbool.h>
#include <stdint.h>

#include "util/arena.h"

enum abi { ABI_NATIVE, ABI_COMPAT, ABI_COUNT };

struct abi_info {
	const char *name; /* as -F arch= knows it: "x86_64", "i386" */
	const char *bits; /* "b64" or "b32" if that name means this ABI here */
	uint32_t elf;	  /* AUDIT_ARCH_*: what ctx->arch holds; 0: no such ABI */
	int machine;	  /* libaudit's machine_t for the call tables; -1: none */
};

/* A machine that rules are meant for. */
struct target {
	const char *name; /* "x86_64": what --machine takes and uname -m says */
	int machine;	  /* libaudit's machine_t of the kernel */
	struct abi_info abi[ABI_COUNT];
	unsigned int index; /* below TARGET_COUNT, each its own */
};

/* Those with a name and, behind them, the same without a second ABI. */
#define TARGETS_NAMED 7
#define TARGET_COUNT (2 * TARGETS_NAMED)

/* The target called NAME: x86_64, i386 (i486 to i686), aarch64, ppc64le,
 * ppc64, s390x (and what else libaudit knows), case as uname -m writes it.
 * Static storage; NULL if there is none or this libaudit lacks its table. */
const struct target *target_by_name(const char *name);

/* The target for the machine that this program runs on (uname(2)); NULL if it
 * is not a known one. */
const struct target *target_of_this_machine(void);

/* The names of all targets, for help and errors: I from 0; NULL past the end. */
const char *target_name(unsigned int i);

/* TARGET as a kernel that runs nothing but its native ABI; lives in ARENA.
 * TARGET itself if it has no other. */
const struct target *target_native_only(struct arena *arena,
					const struct target *target);

/* The ABI slot whose ctx->arch is ELF, or -1: then no call of this target can
 * ever have that arch, and `arch=` with it never matches. */
int target_abi_of_elf(const struct target *target, uint32_t elf);

/* True if the target has that ABI at all (i386 has no compat ABI). */
bool target_has_abi(const struct target *target, enum abi abi);

/* The name of call NUMBER, or NULL if libaudit's table lacks one
 * (audit_syscall_to_name). Static storage. */
const char *target_call_name(const struct target *target, enum abi abi,
			     int number);

/* The number of the call NAME, or -1 (audit_name_to_syscall). Digits are not
 * names. */
int target_call_number(const struct target *target, enum abi abi,
		       const char *name);

#endif
