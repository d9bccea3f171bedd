/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/perm.h"

#include <check.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <stdlib.h>
#include <string.h>

#include "lib/suite.h"

#define X AUDIT_PERM_EXEC
#define W AUDIT_PERM_WRITE
#define R AUDIT_PERM_READ
#define A AUDIT_PERM_ATTR

static const struct target *need(const char *name)
{
	const struct target *target = target_by_name(name);

	ck_assert_msg(target != NULL, "no target %s", name);
	return target;
}

/* The permissions that a call matches, asked one by one and all together. */
static uint32_t perms(const struct target *target, enum abi abi, int number,
		      uint64_t a0, uint64_t a1, uint64_t a2, uint64_t flags)
{
	const uint64_t argv[4] = {a0, a1, a2, 0};
	uint32_t found = 0;

	for (uint32_t bit = 1; bit <= A; bit <<= 1)
		if (perm_match(target, abi, number, argv, flags, bit))
			found |= bit;
	for (uint32_t perm = 0; perm <= 15; perm++)
		ck_assert(perm_match(target, abi, number, argv, flags, perm) ==
			  ((perm & found) != 0));
	return found;
}

/* Read off the kernel's headers by hand, numbers from its own tables. */
static const struct {
	int number;
	const char *name;
	uint32_t perm;
} x86_64_calls[] = {
	{0, "read", 0},
	{1, "write", 0},
	{3, "close", 0},
	{4, "stat", 0},
	{9, "mmap", 0},
	{21, "access", 0},
	{49, "bind", W},
	{42, "connect", 0},
	{59, "execve", X},
	{62, "kill", 0},
	{76, "truncate", W},
	{77, "ftruncate", W},
	{80, "chdir", 0},
	{82, "rename", W},
	{83, "mkdir", W},
	{84, "rmdir", W},
	{85, "creat", W},
	{86, "link", W | A},
	{87, "unlink", W},
	{88, "symlink", W},
	{89, "readlink", R},
	{90, "chmod", A},
	{91, "fchmod", A},
	{92, "chown", A},
	{93, "fchown", A},
	{94, "lchown", A},
	{133, "mknod", W},
	{132, "utime", 0},
	{163, "acct", W},
	{165, "mount", 0},
	{167, "swapon", W},
	{168, "swapoff", 0},
	{179, "quotactl", W | R},
	{188, "setxattr", A},
	{189, "lsetxattr", A},
	{190, "fsetxattr", A},
	{191, "getxattr", R},
	{192, "lgetxattr", R},
	{193, "fgetxattr", R},
	{194, "listxattr", R},
	{195, "llistxattr", R},
	{196, "flistxattr", R},
	{197, "removexattr", A},
	{198, "lremovexattr", A},
	{199, "fremovexattr", A},
	{258, "mkdirat", W},
	{259, "mknodat", W},
	{260, "fchownat", A},
	{263, "unlinkat", W},
	{264, "renameat", W},
	{265, "linkat", W | A},
	{266, "symlinkat", W},
	{267, "readlinkat", R},
	{268, "fchmodat", A},
	{280, "utimensat", 0},
	{285, "fallocate", W},
	{304, "open_by_handle_at", 0},
	{316, "renameat2", W},
	{322, "execveat", X},
	{452, "fchmodat2", A},
	{463, "setxattrat", A},
	{464, "getxattrat", R},
	{465, "listxattrat", R},
	{466, "removexattrat", A},
	{467, "open_tree_attr", 0},
	{2000, "unknown", 0},
};

START_TEST(x86_64_by_hand)
{
	const struct target *target = need("x86_64");
	int number = x86_64_calls[_i].number;
	uint32_t found = perms(target, ABI_NATIVE, number, 2, 2, 2, 2);

	ck_assert_msg(found == x86_64_calls[_i].perm, "%s: %u",
		      x86_64_calls[_i].name, found);
	for (uint32_t perm = 0; perm <= 15; perm++) {
		struct syscall_set set = perm_calls_possible(target, perm);

		if (perm & found)
			ck_assert(syscall_set_has(&set, ABI_NATIVE, number));
	}
}
END_TEST

START_TEST(open_by_flags)
{
	static const struct {
		const char *target;
		enum abi abi;
		int open, openat;
	} abis[] = {
		{"x86_64", ABI_NATIVE, 2, 257},
		{"x86_64", ABI_COMPAT, 5, 295},
		{"i386", ABI_NATIVE, 5, 295},
		{"aarch64", ABI_NATIVE, -1, 56},
		{"aarch64", ABI_COMPAT, 5, 322},
		{"s390x", ABI_NATIVE, 5, 288},
		{"ppc64le", ABI_NATIVE, 5, 286},
	};
	static const struct {
		uint64_t flags;
		uint32_t perm;
	} modes[] = {
		{O_RDONLY, R},
		{O_WRONLY, W},
		{O_RDWR, R | W},
		{3, R | W},
		{O_RDONLY | O_CREAT | O_TRUNC, R},
		{O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, W},
		{UINT64_C(0xffffffff00000000), R},
	};

	for (size_t i = 0; i < sizeof(abis) / sizeof(abis[0]); i++) {
		const struct target *target = need(abis[i].target);
		enum abi abi = abis[i].abi;

		for (size_t j = 0; j < sizeof(modes) / sizeof(modes[0]); j++) {
			uint64_t f = modes[j].flags;
			/* The wrong mode where no one should look. */
			uint64_t no = f ^ 1;

			if (abis[i].open >= 0)
				ck_assert_uint_eq(perms(target, abi,
							abis[i].open, no, f, no,
							no),
						  modes[j].perm);
			ck_assert_uint_eq(perms(target, abi, abis[i].openat, no,
						no, f, no),
					  modes[j].perm);
			ck_assert_uint_eq(
				perms(target, abi, 437, no, no, no, f),
				modes[j].perm);
		}
	}
}
END_TEST

START_TEST(open_never_executes_or_changes)
{
	struct syscall_set set = perm_calls_possible(need("x86_64"), X | A);

	ck_assert(!syscall_set_has(&set, ABI_NATIVE, 2));
	ck_assert(!syscall_set_has(&set, ABI_NATIVE, 257));
	ck_assert(!syscall_set_has(&set, ABI_NATIVE, 437));
	set = perm_calls_possible(need("x86_64"), R);
	ck_assert(syscall_set_has(&set, ABI_NATIVE, 2));
	ck_assert(syscall_set_has(&set, ABI_NATIVE, 437));
	ck_assert(syscall_set_has(&set, ABI_COMPAT, 5));
}
END_TEST

START_TEST(i386_calls)
{
	const struct target *both[] = {need("x86_64"), need("i386")};

	for (int i = 0; i < 2; i++) {
		const struct target *target = both[i];
		enum abi abi = i == 0 ? ABI_COMPAT : ABI_NATIVE;
		struct syscall_set w = perm_calls_possible(target, W);

		/* socketcall: bind alone */
		ck_assert_uint_eq(perms(target, abi, 102, 2, 0, 0, 0), W);
		ck_assert_uint_eq(perms(target, abi, 102, 3, 0, 0, 0), 0);
		ck_assert_uint_eq(
			perms(target, abi, 102, UINT64_C(0x100000002), 0, 0, 0),
			0);
		ck_assert(syscall_set_has(&w, abi, 102));
		ck_assert_uint_eq(perms(target, abi, 361, 0, 0, 0, 0), W);
		ck_assert_uint_eq(perms(target, abi, 11, 0, 0, 0, 0), X);
		ck_assert_uint_eq(perms(target, abi, 358, 0, 0, 0, 0), X);
		ck_assert_uint_eq(perms(target, abi, 38, 0, 0, 0, 0), W);
		ck_assert_uint_eq(perms(target, abi, 193, 0, 0, 0, 0), W);
		ck_assert_uint_eq(perms(target, abi, 194, 0, 0, 0, 0), W);
		ck_assert_uint_eq(perms(target, abi, 212, 0, 0, 0, 0), A);
		ck_assert_uint_eq(perms(target, abi, 182, 0, 0, 0, 0), A);
		/* numbers that mean rename and chmod for x86_64 */
		ck_assert_uint_eq(perms(target, abi, 82, 0, 0, 0, 0), 0);
		ck_assert_uint_eq(perms(target, abi, 90, 0, 0, 0, 0), 0);
	}
}
END_TEST

/* aarch64 has the ..at calls alone; its numbers for open, rename, chmod ... do
 * not exist. */
START_TEST(aarch64_has_no_old_calls)
{
	const struct target *target = need("aarch64");
	static const struct {
		int number;
		uint32_t perm;
	} calls[] = {
		{34, W},     /* mkdirat */
		{35, W},     /* unlinkat */
		{36, W},     /* symlinkat */
		{37, W | A}, /* linkat */
		{38, W},     /* renameat */
		{276, W},    /* renameat2 */
		{45, W},     /* truncate */
		{46, W},     /* ftruncate */
		{47, W},     /* fallocate */
		{52, A},     /* fchmod */
		{53, A},     /* fchmodat */
		{54, A},     /* fchownat */
		{55, A},     /* fchown */
		{5, A},	     /* setxattr */
		{8, R},	     /* getxattr */
		{78, R},     /* readlinkat */
		{221, X},    /* execve */
		{281, X},    /* execveat */
		{200, W},    /* bind */
		{57, 0},     /* close */
		{63, 0},     /* read */
		{2, 0},	     /* io_submit */
		{82, 0},     /* fsync */
	};
	struct syscall_set all = perm_calls_possible(target, 15);

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		ck_assert_msg(perms(target, ABI_NATIVE, calls[i].number, 1, 1,
				    0, 0) == calls[i].perm,
			      "call %d", calls[i].number);
	ck_assert(!syscall_set_has(&all, ABI_NATIVE, 2));
	ck_assert(!syscall_set_has(&all, ABI_NATIVE, 82));
	ck_assert(!syscall_set_has(&all, ABI_NATIVE, 87));
	ck_assert(!syscall_set_has(&all, ABI_NATIVE, 90));
	/* The 32-bit side has them. */
	ck_assert_uint_eq(perms(target, ABI_COMPAT, 38, 0, 0, 0, 0), W);
	ck_assert_uint_eq(perms(target, ABI_COMPAT, 15, 0, 0, 0, 0), A);
	ck_assert_uint_eq(perms(target, ABI_COMPAT, 102, 2, 0, 0, 0), 0);
}
END_TEST

/* Some kernel files forget execveat; a later one may not. */
START_TEST(execveat_where_the_kernel_forgets_it)
{
	static const struct {
		const char *target;
		enum abi abi;
		int number;
	} calls[] = {
		{"s390x", ABI_NATIVE, 354},   {"s390x", ABI_COMPAT, 354},
		{"ppc64le", ABI_NATIVE, 362}, {"ppc64", ABI_NATIVE, 362},
		{"ppc64", ABI_COMPAT, 362},   {"aarch64", ABI_COMPAT, 387},
	};

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		const struct target *target = need(calls[i].target);
		struct syscall_set set = perm_calls_possible(target, X);

		ck_assert_uint_eq(perms(target, calls[i].abi, calls[i].number,
					0, 0, 0, 0),
				  0);
		ck_assert(syscall_set_has(&set, calls[i].abi, calls[i].number));
	}
}
END_TEST

START_TEST(possible_calls_of_the_future)
{
	const char *name;

	for (unsigned int i = 0; (name = target_name(i)); i++) {
		const struct target *target = need(name);

		for (uint32_t perm = 1; perm <= 15; perm++) {
			struct syscall_set set =
				perm_calls_possible(target, perm);

			for (int abi = 0; abi < ABI_COUNT; abi++) {
				bool has = target_has_abi(target, abi);

				for (int n = 472; n < SYSCALL_MASK_CALLS; n++)
					ck_assert(syscall_set_has(&set, abi,
								  n) == has);
				for (int n = SYSCALL_MASK_CALLS;
				     n < SYSCALL_MASK_BITS; n++)
					ck_assert(
						!syscall_set_has(&set, abi, n));
			}
		}
	}
}
END_TEST

START_TEST(possible_is_narrow_and_monotone)
{
	const struct target *target = need("x86_64");
	struct syscall_set none = perm_calls_possible(target, 0);
	struct syscall_set wa = perm_calls_possible(target, W | A);
	static const int hot[] = {0,  1,  3,  7,  8,   9,   10,	 12, 35,
				  39, 44, 45, 61, 202, 228, 230, 232};

	ck_assert(syscall_set_empty(&none));
	for (size_t i = 0; i < sizeof(hot) / sizeof(hot[0]); i++)
		ck_assert(!syscall_set_has(&wa, ABI_NATIVE, hot[i]));
	/* stat: not writing, but audit 4.2 counts it as reading. */
	ck_assert(!syscall_set_has(&wa, ABI_NATIVE, 4));
	for (uint32_t a = 0; a <= 15; a++)
		for (uint32_t b = 0; b <= 15; b++) {
			struct syscall_set of_a =
				perm_calls_possible(target, a);
			struct syscall_set of_b =
				perm_calls_possible(target, b);
			struct syscall_set of_ab =
				perm_calls_possible(target, a | b);

			syscall_set_unite(&of_a, &of_b);
			ck_assert(syscall_set_equal(&of_a, &of_ab));
		}
}
END_TEST

/* Never too small: whatever matches is possible. */
START_TEST(match_is_within_possible)
{
	const char *name;

	for (unsigned int i = 0; (name = target_name(i)); i++) {
		const struct target *target = need(name);
		struct syscall_set set[16];

		for (uint32_t perm = 0; perm <= 15; perm++)
			set[perm] = perm_calls_possible(target, perm);
		for (int abi = 0; abi < ABI_COUNT; abi++)
			for (int n = -1; n < SYSCALL_MASK_BITS; n++)
				for (uint64_t f = 0; f < 4; f++) {
					uint64_t argv[4] = {f, f, f, f};

					for (uint32_t p = 0; p <= 15; p++)
						ck_assert(
							!perm_match(target, abi,
								    n, argv, f,
								    p) ||
							syscall_set_has(&set[p],
									abi,
									n));
				}
	}
}
END_TEST

START_TEST(numbers_that_are_none)
{
	const struct target *target = need("aarch64");
	const uint64_t argv[4] = {2, 2, 2, 2};

	/* -1 is how a missing open or socketcall is held. */
	ck_assert(!perm_match(target, ABI_NATIVE, -1, argv, 2, 15));
	ck_assert(!perm_match(target, ABI_NATIVE, 0x40000000, argv, 2, 15));
	ck_assert(!perm_match(need("i386"), ABI_COMPAT, 5, argv, 2, 15));
	ck_assert(!perm_match(need("i386"), ABI_COMPAT, 437, argv, 2, 15));
}
END_TEST

/* AUDIT_CLASS_*: even numbers native, odd ones compat. */
START_TEST(classes)
{
	const struct target *x86_64 = need("x86_64");
	const struct target *i386 = need("i386");
	struct syscall_mask dir = perm_class(x86_64, 0);
	struct syscall_mask dir32 = perm_class(x86_64, 1);
	struct syscall_mask chattr = perm_class(x86_64, 2);
	struct syscall_mask read = perm_class(x86_64, 4);
	struct syscall_mask write = perm_class(x86_64, 6);
	struct syscall_mask signal = perm_class(x86_64, 8);
	struct syscall_mask native;

	/* rename mkdir rmdir creat link unlink symlink mknod mkdirat mknodat
	 * unlinkat renameat linkat symlinkat renameat2 */
	ck_assert_uint_eq(syscall_mask_count(&dir), 15);
	ck_assert_uint_eq(syscall_mask_count(&dir32), 15);
	ck_assert(syscall_mask_subset(&dir, &write));
	/* + acct swapon quotactl truncate ftruncate bind fallocate */
	ck_assert_uint_eq(syscall_mask_count(&write), 22);
	ck_assert_uint_eq(syscall_mask_count(&read), 11);
	ck_assert_uint_eq(syscall_mask_count(&chattr), 18);
	ck_assert_uint_eq(syscall_mask_count(&signal), 3);
	ck_assert(syscall_mask_has(&signal, 62));
	ck_assert(syscall_mask_has(&signal, 200));
	ck_assert(syscall_mask_has(&signal, 234));
	ck_assert(!syscall_mask_has(&write, 2));
	ck_assert(!syscall_mask_has(&read, 257));
	for (unsigned int class = 0; class < 10; class += 2) {
		struct syscall_mask compat = perm_class(x86_64, class + 1);

		native = perm_class(i386, class);
		ck_assert(syscall_mask_equal(&compat, &native));
		compat = perm_class(i386, class + 1);
		ck_assert(syscall_mask_empty(&compat));
	}
	for (unsigned int class = 10; class < 20; class ++) {
		native = perm_class(x86_64, class);
		ck_assert(syscall_mask_empty(&native));
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("perm");
	TCase *tcase = tcase_create("all");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, x86_64_by_hand, 0,
			    sizeof(x86_64_calls) / sizeof(x86_64_calls[0]));
	tcase_add_test(tcase, open_by_flags);
	tcase_add_test(tcase, open_never_executes_or_changes);
	tcase_add_test(tcase, i386_calls);
	tcase_add_test(tcase, aarch64_has_no_old_calls);
	tcase_add_test(tcase, execveat_where_the_kernel_forgets_it);
	tcase_add_test(tcase, possible_calls_of_the_future);
	tcase_add_test(tcase, possible_is_narrow_and_monotone);
	tcase_add_test(tcase, match_is_within_possible);
	tcase_add_test(tcase, numbers_that_are_none);
	tcase_add_test(tcase, classes);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
