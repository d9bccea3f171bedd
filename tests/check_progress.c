/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The line that tells how far it is, on a terminal of the test's own. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "lib/suite.h"
#include "util/progress.h"

TEST_ARENA;

static int ours, theirs;

static void open_terminal(void)
{
	struct termios raw;

	ours = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
	ck_assert_int_ge(ours, 0);
	ck_assert_int_eq(grantpt(ours), 0);
	ck_assert_int_eq(unlockpt(ours), 0);
	theirs = open(ptsname(ours), O_RDWR | O_NOCTTY);
	ck_assert_int_ge(theirs, 0);
	tcgetattr(theirs, &raw);
	cfmakeraw(&raw);
	tcsetattr(theirs, TCSANOW, &raw);
}

/* What came since the last time. */
static const char *seen(void)
{
	static char text[400];
	ssize_t got = read(ours, text, sizeof(text) - 1);

	text[got > 0 ? got : 0] = '\0';
	return text;
}

static void wait_milliseconds(long count)
{
	const struct timespec time = {count / 1000, count % 1000 * 1000000};

	nanosleep(&time, NULL);
}

START_TEST(test_line)
{
	struct progress *progress;

	open_terminal();
	progress = progress_new(arena, theirs, true);
	ck_assert_ptr_nonnull(progress);
	progress_step(progress, "proving, class", 1, 9);
	progress_clear(progress);
	ck_assert_str_eq(seen(), "");
	wait_milliseconds(1050);
	progress_step(progress, "proving, class", 3, 9);
	ck_assert_str_eq(seen(), "\r\033[Kauditopt: proving, class 3 of 9");
	progress_step(progress, "proving, class", 4, 9);
	ck_assert_str_eq(seen(), "");
	wait_milliseconds(150);
	progress_step(progress, "reading", 5, 0);
	ck_assert_str_eq(seen(), "\r\033[Kauditopt: reading 5");
	progress_clear(progress);
	ck_assert_str_eq(seen(), "\r\033[K");
	progress_clear(progress);
	ck_assert_str_eq(seen(), "");
}
END_TEST

START_TEST(test_nothing)
{
	int ends[2];

	open_terminal();
	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_ptr_null(progress_new(arena, ends[1], true));
	ck_assert_ptr_null(progress_new(arena, theirs, false));
	progress_step(NULL, "proving", 1, 2);
	progress_clear(NULL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("progress");
	TCase *tcase = tcase_create("all");
	int probe = posix_openpt(O_RDWR | O_NOCTTY);

	if (probe < 0) {
		puts("skipped: no terminal can be made here");
		return 77;
	}
	close(probe);
	tcase_add_checked_fixture(tcase, begin_arena, end_arena);
	tcase_add_test(tcase, test_line);
	tcase_add_test(tcase, test_nothing);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
