/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/call_removal.h"

#include <check.h>
#include <stdlib.h>

#include "lib/build.h"
#include "lib/calls.h"
#include "lib/suite.h"

static bool never_removes(enum abi abi, const char *name)
{
	int number = target_call_number(x86, abi, name);

	ck_assert_msg(number >= 0, "%s", name);
	return syscall_set_has(calls_never_remove(x86), abi, number);
}

START_TEST(calls_that_open_or_change)
{
	static const char *const names[] = {
		"open",	     "openat",		 "creat",      "chmod",
		"fchmodat",  "fchownat",	 "lsetxattr",  "removexattr",
		"truncate",  "ftruncate",	 "readlinkat", "utimensat",
		"faccessat", "open_by_handle_at"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		for (int abi = 0; abi < ABI_COUNT; abi++)
			ck_assert_msg(never_removes(abi, names[i]), "%s",
				      names[i]);
}
END_TEST

/* Those that delete or move what they name, those that may run anything, and
 * numbers that are no call yet. */
START_TEST(what_may_take_a_file_away)
{
	static const char *const names[] = {
		"unlink",   "unlinkat",	      "rmdir", "rename",
		"renameat", "renameat2",      "mount", "umount2",
		"execve",   "io_uring_enter", "ioctl", "exit_group",
		"write",    "mkdir"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		for (int abi = 0; abi < ABI_COUNT; abi++)
			ck_assert_msg(!never_removes(abi, names[i]), "%s",
				      names[i]);
	for (int abi = 0; abi < ABI_COUNT; abi++)
		for (int n = 500; n < SYSCALL_MASK_CALLS; n++)
			ck_assert(!syscall_set_has(calls_never_remove(x86), abi,
						   n));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("call_removal");
	TCase *tcase = tcase_create("all");

	tcase_add_checked_fixture(tcase, calls_setup, calls_teardown);
	tcase_add_test(tcase, calls_that_open_or_change);
	tcase_add_test(tcase, what_may_take_a_file_away);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
