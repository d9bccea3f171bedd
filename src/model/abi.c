/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/abi.h"

#include <libaudit.h>
#include <linux/audit.h>
#include <elf.h>
#include <string.h>
#include <sys/utsname.h>

/* Newer than some libaudit headers; machine_t only ever grows at its end. */
#define MACHINE_RISCV32 12
#define MACHINE_RISCV64 13

#ifndef AUDIT_ARCH_RISCV64
#define AUDIT_ARCH_RISCV64 (EM_RISCV | __AUDIT_ARCH_64BIT | __AUDIT_ARCH_LE)
#endif
#ifndef AUDIT_ARCH_RISCV32
#define AUDIT_ARCH_RISCV32 (EM_RISCV | __AUDIT_ARCH_LE)
#endif

/* The compat row is left out where the kernel has no second ABI. */
static const struct target targets[TARGETS_NAMED] = {
	{
		.name = "x86_64",
		.index = 0,
		.machine = MACH_86_64,
		.abi = {{"x86_64", "b64", AUDIT_ARCH_X86_64, MACH_86_64},
			{"i386", "b32", AUDIT_ARCH_I386, MACH_X86}},
	},
	{
		.name = "i386",
		.index = 1,
		.machine = MACH_X86,
		.abi = {{"i386", "b32", AUDIT_ARCH_I386, MACH_X86},
			{.machine = -1}},
	},
	{
		.name = "aarch64",
		.index = 2,
		.machine = MACH_AARCH64,
		.abi = {{"aarch64", "b64", AUDIT_ARCH_AARCH64, MACH_AARCH64},
			{"arm", "b32", AUDIT_ARCH_ARM, MACH_ARM}},
	},
	/* syscall_get_arch() of arch/powerpc would answer PPC|LE for 32-bit
	 * programs. CONFIG_COMPAT is off by default on little endian, no
	 * distribution has such programs, and no rule can name that arch:
	 * audit_determine_machine refuses b32 here and audit_elf_to_machine
	 * does not know the value. What a rule without arch could match there
	 * is not lost: powerpc numbers its calls alike for both widths, and
	 * libaudit's one table has the names of both. */
	{
		.name = "ppc64le",
		.index = 3,
		.machine = MACH_PPC64LE,
		.abi = {{"ppc64le", "b64", AUDIT_ARCH_PPC64LE, MACH_PPC64LE},
			{.machine = -1}},
	},
	{
		.name = "ppc64",
		.index = 4,
		.machine = MACH_PPC64,
		.abi = {{"ppc64", "b64", AUDIT_ARCH_PPC64, MACH_PPC64},
			{"ppc", "b32", AUDIT_ARCH_PPC, MACH_PPC}},
	},
	{
		.name = "s390x",
		.index = 5,
		.machine = MACH_S390X,
		.abi = {{"s390x", "b64", AUDIT_ARCH_S390X, MACH_S390X},
			{"s390", "b32", AUDIT_ARCH_S390, MACH_S390}},
	},
	{
		.name = "riscv64",
		.index = 6,
		.machine = MACHINE_RISCV64,
		.abi = {{"riscv64", "b64", AUDIT_ARCH_RISCV64, MACHINE_RISCV64},
			{"riscv32", "b32", AUDIT_ARCH_RISCV32,
			 MACHINE_RISCV32}},
	},
};

/* libaudit's tables are a build option of libaudit (--with-arm, ...) and grow
 * with its version, so only the linked one can tell. */
static bool has_tables(const struct target *target)
{
	return audit_name_to_machine(target->name) == target->machine &&
	       audit_machine_to_elf(target->machine) ==
		       target->abi[ABI_NATIVE].elf &&
	       audit_name_to_syscall("execve", target->machine) >= 0;
}

/* i486, i586 and i686 are what uname -m says on an i386 kernel. */
static bool is_name_of(const struct target *target, const char *name)
{
	if (strcmp(target->name, name) == 0)
		return true;
	return target->machine == MACH_X86 && strlen(name) == 4 &&
	       name[0] == 'i' && name[1] >= '4' && name[1] <= '6' &&
	       strcmp(name + 2, "86") == 0;
}

const struct target *target_by_name(const char *name)
{
	for (size_t i = 0; i < TARGETS_NAMED; i++)
		if (is_name_of(&targets[i], name))
			return has_tables(&targets[i]) ? &targets[i] : NULL;
	return NULL;
}

const struct target *target_of_this_machine(void)
{
	struct utsname self;

	return uname(&self) == 0 ? target_by_name(self.machine) : NULL;
}

const char *target_name(unsigned int i)
{
	for (size_t at = 0; at < TARGETS_NAMED; at++)
		if (has_tables(&targets[at]) && i-- == 0)
			return targets[at].name;
	return NULL;
}

const struct target *target_native_only(struct arena *arena,
					const struct target *target)
{
	struct target *only;

	if (!target_has_abi(target, ABI_COMPAT))
		return target;
	only = arena_copy(arena, target, sizeof(*target));
	only->abi[ABI_COMPAT] = (struct abi_info){.machine = -1};
	only->index += TARGETS_NAMED;
	return only;
}

int target_abi_of_elf(const struct target *target, uint32_t elf)
{
	for (int abi = 0; abi < ABI_COUNT; abi++)
		if (target_has_abi(target, abi) && target->abi[abi].elf == elf)
			return abi;
	return -1;
}

bool target_has_abi(const struct target *target, enum abi abi)
{
	return target->abi[abi].elf != 0;
}

const char *target_call_name(const struct target *target, enum abi abi,
			     int number)
{
	int machine = target->abi[abi].machine;

	if (machine < 0 || number < 0)
		return NULL;
	return audit_syscall_to_name(number, machine);
}

int target_call_number(const struct target *target, enum abi abi,
		       const char *name)
{
	int machine = target->abi[abi].machine;

	return machine < 0 ? -1 : audit_name_to_syscall(name, machine);
}
