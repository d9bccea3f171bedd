/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Profiles: each format, and what is wrong in one. All samples are made up.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "lib/read_profile.h"
#include "lib/suite.h"
#include "profile/read.h"

#define NL "\n"

/* Formats. */

START_TEST(two_columns)
{
	const struct profile *p =
		profile_of("# mine" NL "read 60 # often" NL NL
			   "  write\t30 0.5\r" NL "openat 10 - 0.25" NL);

	ck_assert_ptr_nonnull(p);
	expect_quiet();
	ck_assert_str_eq(p->kind, "two columns");
	expect_percent(p, "read", 60);
	expect_percent(p, "write", 30);
	expect_percent(p, "openat", 10);
	ck_assert_uint_eq(share_failed(p, "write"), 5000);
	ck_assert_uint_eq(share_unset(p, "openat"), 2500);
}
END_TEST

START_TEST(shares_not_told_are_the_default_ones)
{
	const struct profile *p = profile_of("read 1 0.125" NL "close 1");
	const struct profile *usual =
		profile_default(profile_arena, profile_target);

	ck_assert_uint_eq(share_failed(p, "read"), 1250);
	ck_assert_uint_eq(share_unset(p, "read"), share_unset(usual, "read"));
	ck_assert_uint_eq(share_failed(p, "close"),
			  share_failed(usual, "close"));
}
END_TEST

START_TEST(rows_are_added_up)
{
	const struct profile *p =
		profile_of("read 30 0 1" NL "read 10 1 0" NL "write 40");

	expect_percent(p, "read", 50);
	ck_assert_uint_eq(share_failed(p, "read"), 2500);
	ck_assert_uint_eq(share_unset(p, "read"), 7500);
}
END_TEST

START_TEST(abi_prefixes)
{
	const struct profile *p =
		profile_of("b64:read 50" NL "b32:open 30" NL "i386:close 20");

	expect_quiet();
	expect_percent(p, "read", 50);
	ck_assert_uint_eq(p->weight[ABI_COMPAT][number_of(ABI_COMPAT, "open")],
			  600000);
	ck_assert_uint_eq(p->weight[ABI_COMPAT][number_of(ABI_COMPAT, "close")],
			  400000);
	ck_assert_uint_lt(p->weight[ABI_COMPAT][number_of(ABI_COMPAT, "read")],
			  10);
}
END_TEST

/* Nothing is said of 32-bit calls: a two hundredth. */
START_TEST(compat_calls_are_guessed)
{
	const struct profile *p = profile_of("read 50" NL "newfstatat 50");

	ck_assert_uint_eq(p->weight[ABI_COMPAT][number_of(ABI_COMPAT, "read")],
			  5000);
	ck_assert_uint_eq(
		p->weight[ABI_COMPAT][number_of(ABI_COMPAT, "fstatat64")],
		5000);
}
END_TEST

static const char strace_table[] =
	"% time     seconds  usecs/call     calls    errors syscall" NL
	"------ ----------- ----------- --------- --------- ----------------" NL
	" 61.00    0.000610           1        50           read" NL
	" 39.00    0.000390          13        30        15 openat" NL
	"  0.00    0.000000           0        20           pread64" NL
	"------ ----------- ----------- --------- --------- ----------------" NL
	"100.00    0.001000           2       100        15 total" NL;

START_TEST(strace_c)
{
	const struct profile *p = profile_of(strace_table);

	expect_quiet();
	ck_assert_str_eq(p->kind, "strace -c");
	expect_percent(p, "read", 50);
	expect_percent(p, "openat", 30);
	expect_percent(p, "pread", 20);
	ck_assert_uint_eq(share_failed(p, "openat"), 5000);
	ck_assert_uint_eq(share_failed(p, "read"), 0);
}
END_TEST

/* -C: the trace stands before it. */
START_TEST(strace_with_trace)
{
	const struct profile *p = profile_of(arena_printf(
		profile_arena,
		"strace: Process 77 attached" NL
		"[pid    77] read(3, \"calls errors syscall\"..., 9) = 9" NL
		"write(1, \"@[read]: 5\\n\", 11) = 11" NL
		"+++ exited with 0 +++" NL "%s",
		strace_table));

	expect_quiet();
	expect_percent(p, "read", 50);
	ck_assert_uint_lt(weight_of(p, "write"), 10);
}
END_TEST

/* -U chooses the columns and their order; a comma as decimal mark; 32-bit; and
 * then another run's output. */
START_TEST(strace_columns_and_modes)
{
	const struct profile *p = profile_of(
		"syscall           errors     calls % time  longest" NL
		"---------------- ------- --------- ------ --------" NL
		"read                            50  61,00 0,000010" NL
		"openat                20        40  39,00 0,000010" NL
		"---------------- ------- --------- ------ --------" NL
		"total                 20        90 100,00 0,000010" NL
		"System call usage summary for 32 bit mode:" NL
		"    calls syscall" NL "--------- --------" NL
		"       10 open" NL "--------- --------" NL "       10 total" NL
		"System call usage summary for x32 mode:" NL
		"    calls syscall" NL "--------- --------" NL
		"      999 read" NL "--------- --------" NL "      999 total" NL
		"    calls syscall" NL "      100 getpid" NL);

	expect_quiet();
	expect_percent(p, "read", 25);
	expect_percent(p, "getpid", 50);
	ck_assert_uint_eq(share_failed(p, "openat"), 5000);
	ck_assert_uint_eq(p->weight[ABI_COMPAT][number_of(ABI_COMPAT, "open")],
			  100000);
}
END_TEST

START_TEST(strace_without_names)
{
	const struct profile *p =
		profile_of("    calls syscall" NL "--------- --------" NL
			   "       10 syscall_0x1e0" NL "       30 read" NL);

	expect_quiet();
	ck_assert_uint_eq(p->weight[ABI_NATIVE][0x1e0], 500000);
}
END_TEST

/* As perf has printed since 5.5; several threads, reasons of errors between. */
START_TEST(perf_trace)
{
	const struct profile *p = profile_of(
		NL " Summary of events:" NL NL
		   " cat (4711), 84 events, 60.1%" NL NL
		   "   syscall            calls  errors  total       min"
		   "       avg       max       stddev" NL
		   "                                     (msec)    (msec)"
		   "    (msec)    (msec)        (%)" NL
		   "   --------------- --------  ------ -------- ---------"
		   " --------- ---------     ------" NL
		   "   openat                20      5     0.423     0.011"
		   "     0.012     0.016      1.74%" NL "\t\t\t\tENOENT: 5" NL
		   "   read                  50      0     0.088     0.010"
		   "     0.013     0.022     12.29%" NL NL NL
		   " sh (4712), 30 events, 39.9%" NL NL
		   "   syscall            calls  errors  total       min"
		   "       avg       max       stddev" NL
		   "   read                  30     16     0.088     0.010"
		   "     0.013     0.022     12.29%" NL NL);

	expect_quiet();
	ck_assert_str_eq(p->kind, "perf trace -s");
	expect_percent(p, "read", 80);
	expect_percent(p, "openat", 20);
	ck_assert_uint_eq(share_failed(p, "read"), 2000);
	ck_assert_uint_eq(share_failed(p, "openat"), 2500);
}
END_TEST

/* Before 5.5 there were no errors, before 4.7 no total. */
START_TEST(perf_trace_old)
{
	const struct profile *p = profile_of(
		"   syscall            calls      min       avg       max"
		"      stddev" NL
		"                               (msec)    (msec)    (msec)"
		"        (%)" NL
		"   --------------- -------- --------- --------- ---------"
		"     ------" NL
		"   read                  75     0.010     0.012     0.016"
		"      1.74%" NL
		"   close                 25     0.010     0.012     0.016"
		"      1.74%" NL);

	expect_quiet();
	expect_percent(p, "read", 75);
	ck_assert_uint_eq(
		share_failed(p, "read"),
		share_failed(profile_default(profile_arena, profile_target),
			     "read"));
}
END_TEST

START_TEST(bcc_syscount)
{
	const struct profile *p = profile_of(
		"Tracing syscalls, printing top 10... Ctrl+C to quit." NL
		"[12:00:01]" NL "SYSCALL                   COUNT" NL
		"read                         40" NL
		"[unknown: 470]               10" NL NL "[12:00:02]" NL
		"SYSCALL                   COUNT        TIME (us)" NL
		"read                         10           12.500" NL
		"write                        40           99.125" NL NL
		"Detaching..." NL);

	expect_quiet();
	ck_assert_str_eq(p->kind, "syscount");
	expect_percent(p, "read", 50);
	expect_percent(p, "write", 40);
	ck_assert_uint_eq(p->weight[ABI_NATIVE][470], 200000);
}
END_TEST

START_TEST(bcc_syscount_of_no_use)
{
	ck_assert_ptr_null(
		profile_of("Tracing failed syscalls, printing top 10... Ctrl+C "
			   "to quit." NL "[12:00:01]" NL
			   "SYSCALL                   COUNT" NL
			   "read                         40" NL));
	expect_told(1, "profile-kind", "failed");
	ck_assert_ptr_null(profile_of("PID    COMM               COUNT" NL
				      "12     read                  40" NL));
	expect_told(1, "profile-kind", "by process");
}
END_TEST

START_TEST(bpftrace_maps)
{
	const struct profile *p = profile_of(
		"Attaching 3 probes..." NL NL
		"@[tracepoint:syscalls:sys_enter_read]: 30" NL
		"@[tracepoint:syscalls:sys_enter_newstat]: 10" NL
		"@[kprobe:__x64_sys_write]: 20" NL
		"@[kprobe:__ia32_compat_sys_open]: 5" NL "@numbers[0]: 15" NL
		"@who[nginx, tracepoint:syscalls:sys_enter_close]: 5" NL
		"@stats[fstat]: count 15, average 7, total 105" NL
		"@total: 12" NL "@usecs[read]: " NL "[1, 2)  3 |@@@  |" NL);

	expect_quiet();
	ck_assert_str_eq(p->kind, "bpftrace map");
	expect_percent(p, "read", 45);
	expect_percent(p, "stat", 10);
	expect_percent(p, "write", 20);
	expect_percent(p, "close", 5);
	expect_percent(p, "fstat", 15);
	ck_assert_uint_eq(p->weight[ABI_COMPAT][number_of(ABI_COMPAT, "open")],
			  100000);
}
END_TEST

/* "kill" is a program there, too. */
START_TEST(bpftrace_other_maps)
{
	const struct profile *p =
		profile_of("@process[bash]: 500" NL "@process[kill]: 900" NL
			   "@process[my ]: [prog]: 3" NL "@calls[read]: 5" NL
			   "@calls[reed]: 5" NL "@calls[write]: 5" NL);

	expect_percent(p, "read", 50);
	ck_assert_uint_lt(weight_of(p, "kill"), 10);
	expect_told(0, "profile-map", "@process");
	expect_told(1, "unknown-syscall", "reed");
}
END_TEST

/* What is wrong. */

START_TEST(unknown_names)
{
	const struct profile *p =
		profile_of("raed 5" NL "read 5" NL "zzzzzz 7" NL "b99:read 5");
	const struct diagnostic *d;

	expect_percent(p, "read", 100);
	d = expect_told(0, "unknown-syscall", "raed");
	ck_assert_int_eq(d->severity, DIAG_WARNING);
	ck_assert_uint_eq(d->at.line, 0);
	ck_assert_ptr_nonnull(strstr(d->advice, "did you mean 'read'"));
	d = expect_told(1, "unknown-syscall", "zzzzzz");
	ck_assert_ptr_null(strstr(d->advice, "mean"));
	expect_told(2, "unknown-abi", "b99");
}
END_TEST

START_TEST(wrong_rows)
{
	static const struct {
		const char *row, *what;
		unsigned int column;
	} wrong[] = {
		{"read", "two to four", 1},
		{"read 1 0 0 x", "two to four", 12},
		{"read -5", "whole number", 6},
		{"read 1.5", "whole number", 6},
		{"read 1e6", "whole number", 6},
		{"read 5 1.5", "share that failed", 8},
		{"read 5 50%", "share that failed", 8},
		{"read 5 nan", "share that failed", 8},
		{"read 5 0 -0.1", "auid unset", 10},
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		const struct profile *p = profile_of(arena_printf(
			profile_arena, "%s" NL "write 1", wrong[i].row));
		const struct diagnostic *d;

		d = expect_told(0, "profile-row", wrong[i].what);
		ck_assert_uint_eq(d->at.column, wrong[i].column);
		expect_percent(p, "write", 100);
	}
}
END_TEST

START_TEST(wrong_rows_of_tables)
{
	const struct profile *p = profile_of(
		"    calls    errors syscall" NL "       10        11 read" NL
		"       xx           read" NL "       10         5 write" NL);

	expect_told(0, "profile-row", "strace -c");
	expect_told(1, "profile-row", "strace -c");
	expect_percent(p, "write", 100);
}
END_TEST

START_TEST(only_some_warnings)
{
	const char *text = "read 1" NL;
	size_t warnings;

	for (int i = 0; i < 30; i++)
		text = arena_printf(profile_arena, "%snope%d 5" NL, text, i);
	profile_of(text);
	warnings = diagnostics_count(profile_told, DIAG_WARNING);
	ck_assert_uint_eq(warnings, 11);
	expect_told(0, "more-rows", "20 more");
}
END_TEST

START_TEST(nothing_of_use)
{
	static const char *const texts[] = {
		"",
		"# nothing" NL,
		"read 0" NL,
		"The quick brown fox" NL,
		"-a always,exit -S read" NL,
		"    calls    errors syscall" NL,
		"@process[bash]: 5" NL,
		"@: 5" NL,
		"b32:nope 5" NL,
		"5000 7" NL,
	};
	struct input input = {0};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		ck_assert_msg(!profile_of(texts[i]), "%s", texts[i]);
		ck_assert_uint_eq(diagnostics_count(profile_told, DIAG_FATAL),
				  1);
	}
	ck_assert_ptr_null(profile_read(profile_arena, profile_target,
					"/nonexistent", &input, profile_told));
	ck_assert_ptr_null(profile_read(profile_arena, profile_target, "/tmp",
					&input, profile_told));
}
END_TEST

/* Whatever is in a file, it is read to its end and weights stay in bounds. */
/* SIZE bytes of TEXT, again and again. */
static const struct profile *profile_of_many(const char *text, size_t size)
{
	size_t length = strlen(text);
	char *all = malloc(size);
	const struct profile *profile;

	ck_assert_ptr_nonnull(all);
	for (size_t i = 0; i < size; i++)
		all[i] = text[i % length];
	profile = profile_of_bytes(all, size);
	free(all);
	return profile;
}

START_TEST(too_large)
{
	const size_t most = (size_t)16 << 20;

	/* one line, and many */
	ck_assert_ptr_null(profile_of_many("a", most + 1));
	expect_told(0, "unreadable-profile", "too large");
	ck_assert_ptr_nonnull(strstr(diagnostics_get(profile_told, 0)->advice,
				     "at most 16 MiB"));
	ck_assert_ptr_null(profile_of_many("openat 1\n", most + 1));
	expect_told(0, "unreadable-profile", "too large");
	ck_assert_ptr_null(profile_of_many("\n", ((size_t)1 << 20) + 1));
	expect_told(0, "unreadable-profile", "too large");
	ck_assert_uint_lt(arena_bytes(profile_arena), 1 << 20);
	/* as much as there may be */
	ck_assert_ptr_null(profile_of_many("a", most));
	expect_told(0, "no-profile", "no row");
	ck_assert_ptr_null(profile_of_many("\n", (size_t)1 << 20));
	expect_told(0, "no-profile", "no row");
}
END_TEST

START_TEST(long_line)
{
	size_t length = 1 << 20;
	char *text = malloc(length + 64);
	const struct profile *p;

	ck_assert_ptr_nonnull(text);
	strcpy(text, "read 3\n#");
	memset(text + 8, 'x', length);
	strcpy(text + 8 + length, "\nwrite 1");
	p = profile_of(text);
	ck_assert_ptr_nonnull(p);
	expect_percent(p, "read", 75);
	expect_percent(p, "write", 25);
	expect_quiet();
	free(text);
}
END_TEST

START_TEST(odd_bytes)
{
	const struct profile *p;

	p = profile_of_bytes("read 5\0 7\nwrite 5\n", 18);
	ck_assert_ptr_nonnull(p);
	ck_assert_uint_gt(weight_of(p, "write"), 0);
	p = profile_of("read 99999999999999999999999999999999999999" NL
		       "write 274877906944" NL "close 1" NL);
	expect_percent(p, "read", 50);
	expect_percent(p, "write", 50);
	ck_assert_uint_gt(weight_of(p, "close"), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("profile");
	TCase *tcase = tcase_create("profile");

	tcase_add_checked_fixture(tcase, profile_setup, profile_teardown);
	tcase_add_test(tcase, two_columns);
	tcase_add_test(tcase, shares_not_told_are_the_default_ones);
	tcase_add_test(tcase, rows_are_added_up);
	tcase_add_test(tcase, abi_prefixes);
	tcase_add_test(tcase, compat_calls_are_guessed);
	tcase_add_test(tcase, strace_c);
	tcase_add_test(tcase, strace_with_trace);
	tcase_add_test(tcase, strace_columns_and_modes);
	tcase_add_test(tcase, strace_without_names);
	tcase_add_test(tcase, perf_trace);
	tcase_add_test(tcase, perf_trace_old);
	tcase_add_test(tcase, bcc_syscount);
	tcase_add_test(tcase, bcc_syscount_of_no_use);
	tcase_add_test(tcase, bpftrace_maps);
	tcase_add_test(tcase, bpftrace_other_maps);
	tcase_add_test(tcase, unknown_names);
	tcase_add_test(tcase, wrong_rows);
	tcase_add_test(tcase, wrong_rows_of_tables);
	tcase_add_test(tcase, only_some_warnings);
	tcase_add_test(tcase, nothing_of_use);
	tcase_add_test(tcase, too_large);
	tcase_add_test(tcase, long_line);
	tcase_add_test(tcase, odd_bytes);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
