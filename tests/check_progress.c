/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The line that tells how far it is, on a terminal of the test's own. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "lib/suite.h"
#include "util/progress.h"

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

static void set_columns(unsigned short columns)
{
	const struct winsize size = {.ws_row = 24, .ws_col = columns};

	ck_assert_int_eq(ioctl(theirs, TIOCSWINSZ, &size), 0);
}

/* As it would be a second after it began. */
static void begin_late(struct progress *progress)
{
	progress_begin(progress, theirs, true);
	ck_assert_int_ge(progress->fd, 0);
	progress->due -= 1000;
}

START_TEST(test_line)
{
	struct progress progress;

	open_terminal();
	progress_begin(&progress, theirs, true);
	progress_step(&progress, "proving, class", 1, 9);
	progress_clear(&progress);
	ck_assert_str_eq(seen(), "");
	wait_milliseconds(1050);
	progress_step(&progress, "proving, class", 3, 9);
	ck_assert_str_eq(seen(), "\r\033[Kauditopt: proving, class 3 of 9");
	progress_step(&progress, "proving, class", 4, 9);
	ck_assert_str_eq(seen(), "");
	wait_milliseconds(150);
	progress_step(&progress, "reading", 5, 0);
	ck_assert_str_eq(seen(), "\r\033[Kauditopt: reading");
	progress_clear(&progress);
	ck_assert_str_eq(seen(), "\r\033[K");
	progress_clear(&progress);
	ck_assert_str_eq(seen(), "");
}
END_TEST

START_TEST(test_width)
{
	/* what the terminal says, COLUMNS, what is shown */
	static const struct {
		unsigned short terminal;
		const char *asked;
		const char *shown;
	} row[] = {
		{0, NULL, "auditopt: proving, class 3 of 9"},
		{200, NULL, "auditopt: proving, class 3 of 9"},
		{32, NULL, "auditopt: proving, class 3 of 9"},
		{31, NULL, "auditopt: proving, class 3 of "},
		{12, "200", "auditopt: p"},
		{200, "12", "auditopt: p"},
		{0, "12", "auditopt: p"},
		{12, "-3", "auditopt: p"},
		{12, "wide", "auditopt: p"},
		{1, NULL, ""},
	};
	struct progress progress;

	open_terminal();
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		char wanted[80];

		unsetenv("COLUMNS");
		if (row[i].asked)
			setenv("COLUMNS", row[i].asked, 1);
		set_columns(row[i].terminal);
		begin_late(&progress);
		progress_step(&progress, "proving, class", 3, 9);
		snprintf(wanted, sizeof(wanted), "\r\033[K%s", row[i].shown);
		ck_assert_str_eq(seen(), wanted);
	}
}
END_TEST

/* Where TERM says that it can clear no line, nothing is written. */
START_TEST(test_dumb)
{
	static const char *const term[] = {"dumb", "", NULL};
	struct progress progress;

	open_terminal();
	for (size_t i = 0; i < 3; i++) {
		unsetenv("TERM");
		if (term[i])
			setenv("TERM", term[i], 1);
		progress_begin(&progress, theirs, true);
		progress.due -= 1000;
		progress_step(&progress, "proving", 1, 2);
		progress_clear(&progress);
		ck_assert_str_eq(seen(), "");
	}
}
END_TEST

/* The terminal's foreground is a group of its own, and this one is not it. */
START_TEST(test_background)
{
	struct progress progress;
	int status;
	pid_t child;

	open_terminal();
	child = fork();
	if (child == 0) {
		pid_t front;

		setsid();
		ioctl(theirs, TIOCSCTTY, 0);
		front = fork();
		if (front == 0) {
			pause();
			_exit(0);
		}
		setpgid(front, front);
		signal(SIGTTOU, SIG_IGN);
		begin_late(&progress);
		progress_step(&progress, "before", 1, 2);
		if (tcsetpgrp(theirs, front) != 0)
			_exit(2);
		begin_late(&progress);
		progress_step(&progress, "proving", 1, 2);
		kill(front, SIGKILL);
		_exit(progress.drawn);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	ck_assert_str_eq(seen(), "\r\033[Kauditopt: before 1 of 2");
}
END_TEST

START_TEST(test_nothing)
{
	struct progress progress;
	int ends[2];

	open_terminal();
	ck_assert_int_eq(pipe(ends), 0);
	progress_begin(&progress, ends[1], true);
	ck_assert_int_lt(progress.fd, 0);
	progress_begin(&progress, theirs, false);
	ck_assert_int_lt(progress.fd, 0);
	progress.due -= 1000;
	progress_step(&progress, "proving", 1, 2);
	progress_step(NULL, "proving", 1, 2);
	progress_clear(&progress);
	progress_clear(NULL);
	ck_assert_str_eq(seen(), "");
}
END_TEST

static void begin(void)
{
	setenv("TERM", "xterm", 1);
	unsetenv("COLUMNS");
}

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
	tcase_add_checked_fixture(tcase, begin, NULL);
	tcase_add_test(tcase, test_line);
	tcase_add_test(tcase, test_width);
	tcase_add_test(tcase, test_dumb);
	tcase_add_test(tcase, test_background);
	tcase_add_test(tcase, test_nothing);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
