/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/perm.h"

#include <linux/audit.h>
#include <linux/net.h>
#include <stddef.h>
#include <stdio.h>

/* The kernel's classes in the order of AUDIT_CLASS_*, each of which exists
 * twice: even numbers for the native ABI, odd ones (.._32) for the compat ABI.
 */
enum { DIR_WRITE, CHATTR, READ, WRITE, SIGNAL, CLASSES };

#define IN(class) (1u << (class))
/* No kernel that was looked at has it there, but audit 4.2 counts it there
 * (libaudit's permission table), so that a later kernel may. */
#define MAYBE(class) (IN(class) << CLASSES)

/* Numbers from 424 on are common to all ABIs that are targets here. */
#define FIRST_COMMON_CALL 424
/* The newest call known: rseq_slice_yield of Linux 7.0
 * (scripts/syscall.tbl). */
#define NEWEST_CALL 471
/* The release whose audit_*.h and call tables are the newest that the table
 * below was compared with. */
#define NEWEST_MAJOR 7
#define NEWEST_MINOR 0
/* Numbers behind the newest call that a kernel of a known release may still
 * have classes for, because its distributor took a call over from a later one.
 * All new calls get the next number behind the common ones, so this is six or
 * seven years' worth of them. */
#define MARGIN_CALLS 32

struct classed_call {
	const char *name;
	unsigned int classes;
	int common; /* the number where libaudit's table is older; 0: none */
};

/* include/asm-generic/audit_{dir_write,change_attr,read,write,signal}.h. Names
 * that an ABI lacks are #ifdef'd there and simply not found here. */
static const struct classed_call classed_calls[] = {
	{"rename", IN(DIR_WRITE) | IN(WRITE), 0},
	{"renameat", IN(DIR_WRITE) | IN(WRITE), 0},
	{"renameat2", IN(DIR_WRITE) | IN(WRITE), 0},
	{"mkdir", IN(DIR_WRITE) | IN(WRITE), 0},
	{"mkdirat", IN(DIR_WRITE) | IN(WRITE), 0},
	{"rmdir", IN(DIR_WRITE) | IN(WRITE), 0},
	{"creat", IN(DIR_WRITE) | IN(WRITE), 0},
	{"link", IN(DIR_WRITE) | IN(WRITE) | IN(CHATTR), 0},
	{"linkat", IN(DIR_WRITE) | IN(WRITE) | IN(CHATTR), 0},
	{"unlink", IN(DIR_WRITE) | IN(WRITE), 0},
	{"unlinkat", IN(DIR_WRITE) | IN(WRITE), 0},
	{"symlink", IN(DIR_WRITE) | IN(WRITE), 0},
	{"symlinkat", IN(DIR_WRITE) | IN(WRITE), 0},
	{"mknod", IN(DIR_WRITE) | IN(WRITE), 0},
	{"mknodat", IN(DIR_WRITE) | IN(WRITE), 0},

	{"acct", IN(WRITE), 0},
	{"swapon", IN(WRITE), 0},
	{"quotactl", IN(WRITE) | IN(READ), 0},
	{"quotactl_fd", MAYBE(WRITE) | MAYBE(READ), 443},
	{"truncate", IN(WRITE), 0},
	{"truncate64", IN(WRITE), 0},
	{"ftruncate", IN(WRITE), 0},
	{"ftruncate64", IN(WRITE), 0},
	{"bind", IN(WRITE), 0},
	{"fallocate", IN(WRITE), 0},

	{"chmod", IN(CHATTR), 0},
	{"fchmod", IN(CHATTR), 0},
	{"fchmodat", IN(CHATTR), 0},
	{"fchmodat2", IN(CHATTR), 452},
	{"chown", IN(CHATTR), 0},
	{"fchown", IN(CHATTR), 0},
	{"lchown", IN(CHATTR), 0},
	{"fchownat", IN(CHATTR), 0},
	{"chown32", IN(CHATTR), 0},
	{"fchown32", IN(CHATTR), 0},
	{"lchown32", IN(CHATTR), 0},
	{"setxattr", IN(CHATTR), 0},
	{"lsetxattr", IN(CHATTR), 0},
	{"fsetxattr", IN(CHATTR), 0},
	{"setxattrat", IN(CHATTR), 463},
	{"removexattr", IN(CHATTR), 0},
	{"lremovexattr", IN(CHATTR), 0},
	{"fremovexattr", IN(CHATTR), 0},
	{"removexattrat", IN(CHATTR), 466},
	{"file_setattr", MAYBE(CHATTR), 469},

	{"readlink", IN(READ), 0},
	{"readlinkat", IN(READ), 0},
	{"listxattr", IN(READ), 0},
	{"llistxattr", IN(READ), 0},
	{"flistxattr", IN(READ), 0},
	{"listxattrat", IN(READ), 465},
	{"getxattr", IN(READ), 0},
	{"lgetxattr", IN(READ), 0},
	{"fgetxattr", IN(READ), 0},
	{"getxattrat", IN(READ), 464},
	{"file_getattr", MAYBE(READ), 468},
	{"stat", MAYBE(READ), 0},
	{"lstat", MAYBE(READ), 0},
	{"fstat", MAYBE(READ), 0},
	{"stat64", MAYBE(READ), 0},
	{"lstat64", MAYBE(READ), 0},
	{"fstat64", MAYBE(READ), 0},
	{"fstatat64", MAYBE(READ), 0},
	{"newfstatat", MAYBE(READ), 0},
	{"statx", MAYBE(READ), 0},

	{"kill", IN(SIGNAL), 0},
	{"tkill", IN(SIGNAL), 0},
	{"tgkill", IN(SIGNAL), 0},
};

/* The class that each permission stands for; execution has none. */
static const struct {
	uint32_t perm;
	int class;
} class_of_perm[] = {
	{AUDIT_PERM_WRITE, WRITE},
	{AUDIT_PERM_READ, READ},
	{AUDIT_PERM_ATTR, CHATTR},
};

#define PERMS \
	(AUDIT_PERM_EXEC | AUDIT_PERM_WRITE | AUDIT_PERM_READ | AUDIT_PERM_ATTR)
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static int number_of(const struct target *target, enum abi abi,
		     const char *name, int common)
{
	int number = target_call_number(target, abi, name);

	if (number < 0 && common && target_has_abi(target, abi))
		return common;
	return number;
}

static bool has_call_table(const struct target *target, enum abi abi)
{
	return target_call_number(target, abi, "execve") >= 0;
}

/* The calls in one class of an ABI. WANTED: IN(class), and MAYBE(class) if what
 * a later kernel may do counts too. */
static struct syscall_mask calls_in(const struct target *target, enum abi abi,
				    unsigned int wanted)
{
	struct syscall_mask mask = {0};

	for (size_t i = 0; i < COUNT(classed_calls); i++)
		if (classed_calls[i].classes & wanted)
			syscall_mask_add(&mask,
					 number_of(target, abi,
						   classed_calls[i].name,
						   classed_calls[i].common));
	return mask;
}

/* What audit_classify_syscall tells apart. */
struct special_calls {
	int open, openat, openat2;
	int execve, execveat;
	int socketcall;
};

static struct special_calls special_calls_of(const struct target *target,
					     enum abi abi)
{
	return (struct special_calls){
		.open = number_of(target, abi, "open", 0),
		.openat = number_of(target, abi, "openat", 0),
		.openat2 = number_of(target, abi, "openat2", 437),
		.execve = number_of(target, abi, "execve", 0),
		.execveat = number_of(target, abi, "execveat", 0),
		.socketcall = number_of(target, abi, "socketcall", 0),
	};
}

/* arch/x86/kernel/audit_64.c, arch/x86/ia32/audit.c and lib/audit.c take
 * execveat for an execution; lib/compat_audit.c and the files of powerpc and
 * s390 do not. */
static bool kernel_knows_execveat(const struct target *target, enum abi abi)
{
	switch (target->abi[abi].elf) {
	case AUDIT_ARCH_X86_64:
	case AUDIT_ARCH_I386:
	case AUDIT_ARCH_AARCH64:
#ifdef AUDIT_ARCH_RISCV64
	case AUDIT_ARCH_RISCV64:
#endif
		return true;
	default:
		return false;
	}
}

/* libaudit's arm table still has the number, the kernel's EABI has no such
 * call (arch/arm64/include/asm/unistd32.h). */
static bool kernel_knows_socketcall(const struct target *target, enum abi abi)
{
	return target->abi[abi].elf != AUDIT_ARCH_ARM;
}

static void add_range(struct syscall_mask *mask, int from, int to)
{
	for (int n = from; n < to; n++)
		syscall_mask_add(mask, n);
}

/* Calls that a later kernel may have: above the newest one, and in the gap
 * before the common numbers, of which x86_64 made use in 6.11 (uretprobe). */
static void add_unknown_calls(const struct target *target, enum abi abi,
			      struct syscall_mask *mask)
{
	int n = FIRST_COMMON_CALL;

	add_range(mask, NEWEST_CALL + 1, SYSCALL_MASK_CALLS);
	while (n > 0 && !target_call_name(target, abi, n - 1))
		syscall_mask_add(mask, --n);
}

static unsigned int classes_of(uint32_t perm)
{
	unsigned int classes = 0;

	for (size_t i = 0; i < COUNT(class_of_perm); i++)
		if (perm & class_of_perm[i].perm)
			classes |= IN(class_of_perm[i].class);
	return classes;
}

/* Those that are told apart before any class is asked. */
static void add_special_calls(const struct target *target, enum abi abi,
			      uint32_t perm, struct syscall_mask *to)
{
	struct special_calls special = special_calls_of(target, abi);
	struct syscall_mask mask = *to;

	if (perm & (AUDIT_PERM_READ | AUDIT_PERM_WRITE)) {
		syscall_mask_add(&mask, special.open);
		syscall_mask_add(&mask, special.openat);
		syscall_mask_add(&mask, special.openat2);
	}
	if (perm & AUDIT_PERM_EXEC) {
		syscall_mask_add(&mask, special.execve);
		syscall_mask_add(&mask, special.execveat);
	}
	if (perm & AUDIT_PERM_WRITE)
		syscall_mask_add(&mask, special.socketcall);
	*to = mask;
}

static struct syscall_mask possible_in(const struct target *target,
				       enum abi abi, uint32_t perm)
{
	unsigned int classes = classes_of(perm);
	struct syscall_mask mask = {0};

	if (!target_has_abi(target, abi) || !(perm & PERMS))
		return mask;
	if (!has_call_table(target, abi))
		return syscall_mask_all();
	mask = calls_in(target, abi, classes | classes << CLASSES);
	add_special_calls(target, abi, perm, &mask);
	add_unknown_calls(target, abi, &mask);
	return mask;
}

/* A call may be in a class of a kernel older than the release that put it
 * there: fchmodat2 and the *xattrat calls got theirs years after they were new,
 * and the stable releases took it over. So those of audit's guesses that are as
 * young count here, too. The old ones, stat and its like, have been in no class
 * for as long as there are classes. */
static struct syscall_mask young_calls_in(const struct target *target,
					  enum abi abi, unsigned int maybe)
{
	struct syscall_mask young = {0};
	struct syscall_mask mask = calls_in(target, abi, maybe);

	add_range(&young, FIRST_COMMON_CALL, SYSCALL_MASK_CALLS);
	syscall_mask_intersect(&mask, &young);
	return mask;
}

/* The gap before the common numbers needs no margin: who fills it, as uretprobe
 * did, does so in a release, and those up to the newest known are known. */
static struct syscall_mask known_in(const struct target *target, enum abi abi,
				    uint32_t perm)
{
	unsigned int classes = classes_of(perm);
	struct syscall_mask mask = {0}, young;

	if (!target_has_abi(target, abi) || !(perm & PERMS))
		return mask;
	if (!has_call_table(target, abi))
		return syscall_mask_all();
	mask = calls_in(target, abi, classes);
	young = young_calls_in(target, abi, classes << CLASSES);
	syscall_mask_unite(&mask, &young);
	add_special_calls(target, abi, perm, &mask);
	add_range(&mask, NEWEST_CALL + 1, NEWEST_CALL + 1 + MARGIN_CALLS);
	return mask;
}

/* Everything above, worked out once for a target: rules are asked about by the
 * hundred thousand, and libaudit's tables never change while we run. */
struct perm_tables {
	bool filled;
	struct special_calls special[ABI_COUNT];
	struct syscall_mask class[ABI_COUNT][CLASSES];
	struct syscall_set possible[PERMS + 1];
	struct syscall_set known[PERMS + 1];
};

static void fill_tables(struct perm_tables *tables, const struct target *target)
{
	for (int abi = 0; abi < ABI_COUNT; abi++) {
		tables->special[abi] = special_calls_of(target, abi);
		if (!kernel_knows_execveat(target, abi))
			tables->special[abi].execveat = -1;
		if (!kernel_knows_socketcall(target, abi))
			tables->special[abi].socketcall = -1;
		for (int which = 0; which < CLASSES; which++)
			tables->class[abi][which] =
				calls_in(target, abi, IN(which));
		for (uint32_t perm = 0; perm <= PERMS; perm++) {
			tables->possible[perm].abi[abi] =
				possible_in(target, abi, perm);
			tables->known[perm].abi[abi] =
				known_in(target, abi, perm);
		}
	}
	tables->filled = true;
}

static const struct perm_tables *tables_of(const struct target *target)
{
	static struct perm_tables memo[TARGET_COUNT];
	struct perm_tables *tables = &memo[target->index];

	if (!tables->filled)
		fill_tables(tables, target);
	return tables;
}

struct syscall_set perm_calls_possible(const struct target *target,
				       uint32_t perm)
{
	return tables_of(target)->possible[perm & PERMS];
}

struct syscall_set perm_calls_known(const struct target *target, uint32_t perm)
{
	return tables_of(target)->known[perm & PERMS];
}

bool perm_kernel_known(const char *release)
{
	unsigned int major, minor;
	int length = 0;

	/* %u alone would take blanks and a sign */
	if (sscanf(release, "%*[0-9].%*[0-9]%n", &length) != 0 || !length ||
	    sscanf(release, "%3u.%3u", &major, &minor) != 2)
		return false;
	return major < NEWEST_MAJOR ||
	       (major == NEWEST_MAJOR && minor <= NEWEST_MINOR);
}

#define TEXT_OF(number) #number
#define RELEASE(major, minor) TEXT_OF(major) "." TEXT_OF(minor)

const char *perm_newest_kernel(void)
{
	return RELEASE(NEWEST_MAJOR, NEWEST_MINOR);
}

/* ACC_MODE of include/linux/fs.h, in AUDIT_PERM_* bits: O_RDONLY reads,
 * O_WRONLY writes, O_RDWR and the undefined 3 do both. */
static uint32_t perm_of_open(uint64_t flags)
{
	switch (flags & 3) {
	case 0:
		return AUDIT_PERM_READ;
	case 1:
		return AUDIT_PERM_WRITE;
	default:
		return AUDIT_PERM_READ | AUDIT_PERM_WRITE;
	}
}

/* audit_match_perm, turned round: all the permissions that would match. */
static uint32_t perm_of_call(const struct perm_tables *tables, enum abi abi,
			     int number, const uint64_t argv[4],
			     uint64_t open_flags)
{
	const struct special_calls *special = &tables->special[abi];
	uint32_t perm = 0;

	if (number == special->open)
		return perm_of_open(argv[1]);
	if (number == special->openat)
		return perm_of_open(argv[2]);
	if (number == special->openat2)
		return perm_of_open(open_flags);
	if (number == special->execve || number == special->execveat)
		return AUDIT_PERM_EXEC;
	if (number == special->socketcall)
		return argv[0] == SYS_BIND ? AUDIT_PERM_WRITE : 0;
	for (size_t i = 0; i < COUNT(class_of_perm); i++)
		if (syscall_mask_has(
			    &tables->class[abi][class_of_perm[i].class],
			    number))
			perm |= class_of_perm[i].perm;
	return perm;
}

bool perm_match(const struct target *target, enum abi abi, int number,
		const uint64_t argv[4], uint64_t open_flags, uint32_t perm)
{
	/* Below zero are the special calls that the ABI lacks. */
	if (number < 0)
		return false;
	return (perm & perm_of_call(tables_of(target), abi, number, argv,
				    open_flags)) != 0;
}

struct syscall_mask perm_class(const struct target *target,
			       unsigned int class_number)
{
	enum abi abi = class_number % 2 ? ABI_COMPAT : ABI_NATIVE;

	if (class_number / 2 >= CLASSES)
		return (struct syscall_mask){0};
	return tables_of(target)->class[abi][class_number / 2];
}
