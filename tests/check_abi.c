/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/abi.h"

#include <check.h>
#include <libaudit.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "lib/suite.h"

/* What uname -m says, what -F arch= knows, what <linux/audit.h> says. */
static const struct {
	const char *target;
	const char *name[ABI_COUNT];
	uint32_t elf[ABI_COUNT];
	int execve[ABI_COUNT], openat[ABI_COUNT];
} known[] = {
	{"x86_64",
	 {"x86_64", "i386"},
	 {0xc000003e, 0x40000003},
	 {59, 11},
	 {257, 295}},
	{"i386", {"i386", NULL}, {0x40000003, 0}, {11, -1}, {295, -1}},
	{"aarch64",
	 {"aarch64", "arm"},
	 {0xc00000b7, 0x40000028},
	 {221, 11},
	 {56, 322}},
	{"ppc64le", {"ppc64le", NULL}, {0xc0000015, 0}, {11, -1}, {286, -1}},
	{"ppc64", {"ppc64", "ppc"}, {0x80000015, 0x14}, {11, 11}, {286, 286}},
	{"s390x", {"s390x", "s390"}, {0x80000016, 0x16}, {11, 11}, {288, 288}},
	{"riscv64",
	 {"riscv64", "riscv32"},
	 {0xc00000f3, 0x400000f3},
	 {221, 221},
	 {56, 56}},
};

static void check_abi(const struct target *target, size_t row, enum abi abi)
{
	const struct abi_info *info = &target->abi[abi];

	ck_assert_uint_eq(info->elf, known[row].elf[abi]);
	ck_assert(target_has_abi(target, abi) == (info->elf != 0));
	ck_assert_int_eq(target_call_number(target, abi, "no_such_call"), -1);
	if (!info->elf) {
		ck_assert_int_eq(info->machine, -1);
		ck_assert_int_eq(target_call_number(target, abi, "execve"), -1);
		ck_assert_ptr_null(target_call_name(target, abi, 11));
		return;
	}
	ck_assert_str_eq(info->name, known[row].name[abi]);
	ck_assert_str_eq(info->bits, info->elf & 0x80000000 ? "b64" : "b32");
	ck_assert_int_eq(target_abi_of_elf(target, info->elf), abi);
	/* A libaudit built without arm knows neither name nor table. */
	if (audit_name_to_machine(info->name) < 0)
		return;
	ck_assert_int_eq(audit_name_to_machine(info->name), info->machine);
	ck_assert_uint_eq(audit_machine_to_elf(info->machine), info->elf);
	ck_assert_int_eq(target_call_number(target, abi, "execve"),
			 known[row].execve[abi]);
	ck_assert_int_eq(target_call_number(target, abi, "openat"),
			 known[row].openat[abi]);
	ck_assert_str_eq(target_call_name(target, abi, known[row].openat[abi]),
			 "openat");
}

START_TEST(every_target)
{
	const struct target *target = target_by_name(known[_i].target);

	if (!target) {
		/* Only what this libaudit lacks may be missing. */
		ck_assert_int_eq(audit_name_to_machine(known[_i].target), -1);
		return;
	}
	ck_assert_str_eq(target->name, known[_i].target);
	for (int abi = 0; abi < ABI_COUNT; abi++)
		check_abi(target, (size_t)_i, abi);
	ck_assert_int_eq(target_abi_of_elf(target, 0), -1);
	ck_assert_int_eq(target_abi_of_elf(target, 0x12345678), -1);
}
END_TEST

START_TEST(names_of_i386)
{
	const struct target *i386 = target_by_name("i386");

	ck_assert_ptr_nonnull(i386);
	ck_assert_ptr_eq(target_by_name("i486"), i386);
	ck_assert_ptr_eq(target_by_name("i586"), i386);
	ck_assert_ptr_eq(target_by_name("i686"), i386);
	ck_assert_ptr_null(target_by_name("i786"));
	ck_assert_ptr_null(target_by_name("i6860"));
	ck_assert_ptr_null(target_by_name("i685"));
}
END_TEST

START_TEST(unknown_targets)
{
	ck_assert_ptr_null(target_by_name(""));
	ck_assert_ptr_null(target_by_name("X86_64"));
	ck_assert_ptr_null(target_by_name("x86_64 "));
	ck_assert_ptr_null(target_by_name("vax"));
	ck_assert_ptr_null(target_by_name("ppc64l"));
}
END_TEST

START_TEST(listed_targets_exist_once)
{
	bool seen[TARGET_COUNT] = {0};
	unsigned int count = 0;

	for (const char *name; (name = target_name(count)); count++) {
		const struct target *target = target_by_name(name);

		ck_assert_ptr_nonnull(target);
		ck_assert_uint_lt(target->index, TARGET_COUNT);
		ck_assert(!seen[target->index]);
		seen[target->index] = true;
	}
	ck_assert_uint_ge(count, 2);
	ck_assert_ptr_null(target_name(count + 1));
}
END_TEST

START_TEST(native_only)
{
	struct arena *arena = arena_new();
	const char *name;

	for (unsigned int i = 0; (name = target_name(i)); i++) {
		const struct target *t = target_by_name(name);
		const struct target *only = target_native_only(arena, t);

		ck_assert(!target_has_abi(only, ABI_COMPAT));
		ck_assert_uint_eq(only->abi[ABI_NATIVE].elf,
				  t->abi[ABI_NATIVE].elf);
		ck_assert_ptr_null(target_call_name(only, ABI_COMPAT, 1));
		ck_assert_int_lt(
			target_call_number(only, ABI_COMPAT, "execve"), 0);
		ck_assert_uint_lt(only->index, TARGET_COUNT);
		ck_assert((only == t) == !target_has_abi(t, ABI_COMPAT));
		ck_assert(only == t || only->index != t->index);
		if (only != t)
			ck_assert_int_lt(
				target_abi_of_elf(only, t->abi[ABI_COMPAT].elf),
				0);
	}
	arena_free(arena);
}
END_TEST

START_TEST(this_machine)
{
	struct utsname self;

	ck_assert_int_eq(uname(&self), 0);
	ck_assert_ptr_eq(target_of_this_machine(),
			 target_by_name(self.machine));
}
END_TEST

START_TEST(odd_call_names_and_numbers)
{
	const struct target *target = target_by_name("x86_64");

	ck_assert_int_eq(target_call_number(target, ABI_NATIVE, "2"), -1);
	ck_assert_int_eq(target_call_number(target, ABI_NATIVE, ""), -1);
	ck_assert_int_eq(target_call_number(target, ABI_NATIVE, "socketcall"),
			 -1);
	ck_assert_int_eq(target_call_number(target, ABI_COMPAT, "socketcall"),
			 102);
	ck_assert_ptr_null(target_call_name(target, ABI_NATIVE, -1));
	ck_assert_ptr_null(target_call_name(target, ABI_NATIVE, 2000));
	ck_assert_ptr_null(target_call_name(target, ABI_NATIVE, 0x40000000));
	/* 2 is open for one and fork for the other. */
	ck_assert_str_eq(target_call_name(target, ABI_NATIVE, 2), "open");
	ck_assert_str_eq(target_call_name(target, ABI_COMPAT, 2), "fork");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("abi");
	TCase *tcase = tcase_create("all");

	tcase_add_loop_test(tcase, every_target, 0,
			    sizeof(known) / sizeof(known[0]));
	tcase_add_test(tcase, names_of_i386);
	tcase_add_test(tcase, unknown_targets);
	tcase_add_test(tcase, listed_targets_exist_once);
	tcase_add_test(tcase, native_only);
	tcase_add_test(tcase, this_machine);
	tcase_add_test(tcase, odd_call_names_and_numbers);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
