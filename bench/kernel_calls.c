/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel_calls NAME: what system calls cost in the guest, in instructions, for
 * a daemon (auid unset, user 0) and a user (auid and user 1000). Lines
 *	cell NAME IDENTITY CALL MEAN TYPICAL LOGGED
 * MEAN: best of five loops, the loops' mean. TYPICAL: the median of single
 * calls; what is done in bulk now and then (freeing under RCU, the timer) is
 * not in it, so it is the same to the instruction each time. LOGGED: 1 when the
 * call made a record. The clock must count instructions (qemu -icount shift=0).
 */
#include <errno.h>
#include <fcntl.h>
#include <libaudit.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOOPS 5
#define REPEATS 200
#define REPEATS_WITH_CLOSE 1000 /* what close() puts off is done in bulk */

static struct files {
	char path[64];
	int zero, null, own;
} files;

static void null_call(void)
{
	syscall(SYS_getppid);
}

static void read_call(void)
{
	char byte;

	if (read(files.zero, &byte, 1) != 1)
		exit(1);
}

static void write_call(void)
{
	if (write(files.null, "", 1) != 1)
		exit(1);
}

static void stat_call(void)
{
	struct stat st;

	syscall(SYS_stat, files.path, &st);
}

static void fstat_call(void)
{
	struct stat st;

	syscall(SYS_fstat, files.own, &st);
}

static void open_close(void)
{
	syscall(SYS_close, syscall(SYS_openat, AT_FDCWD, files.path, O_RDONLY));
}

static void chmod_call(void)
{
	syscall(SYS_chmod, files.path, 0644);
}

static void socket_close(void)
{
	syscall(SYS_close, syscall(SYS_socket, AF_UNIX, SOCK_STREAM, 0));
}

static const struct measured {
	const char *name;
	void (*make)(void);
	int repeats;
} calls[] = {
	{"null", null_call, REPEATS},
	{"read", read_call, REPEATS},
	{"write", write_call, REPEATS},
	{"stat", stat_call, REPEATS},
	{"fstat", fstat_call, REPEATS},
	{"open+close", open_close, REPEATS_WITH_CLOSE},
	{"chmod", chmod_call, REPEATS},
	{"socket+close", socket_close, REPEATS_WITH_CLOSE},
};

static unsigned long now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (unsigned long)time.tv_sec * 1000000000 +
	       (unsigned long)time.tv_nsec;
}

static int by_size(const void *left, const void *right)
{
	unsigned long a = *(const unsigned long *)left;
	unsigned long b = *(const unsigned long *)right;

	return (a > b) - (a < b);
}

static double mean_of(const struct measured *call)
{
	unsigned long best = 0;

	for (int loop = 0; loop < LOOPS; loop++) {
		unsigned long start = now(), spent;

		for (int i = 0; i < call->repeats; i++)
			call->make();
		spent = now() - start;
		if (!loop || spent < best)
			best = spent;
	}
	return (double)best / call->repeats;
}

static unsigned long median_of(void (*make)(void))
{
	static unsigned long spent[REPEATS];

	for (int i = 0; i < REPEATS; i++) {
		unsigned long start = now();

		if (make)
			make();
		spent[i] = now() - start;
	}
	qsort(spent, REPEATS, sizeof(*spent), by_size);
	return spent[REPEATS / 2];
}

/* Hears all records, as journald does. */
static int listen_to_records(void)
{
	struct sockaddr_nl address = {.nl_family = AF_NETLINK,
				      .nl_groups =
					      1 << (AUDIT_NLGRP_READLOG - 1)};
	int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_AUDIT);

	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address))) {
		perror("kernel_calls: audit multicast");
		exit(1);
	}
	return fd;
}

static int heard_syscall(int fd)
{
	struct pollfd pollfd = {fd, POLLIN, 0};
	char buffer[16384];
	int heard = 0;

	while (poll(&pollfd, 1, 100) > 0 &&
	       recv(fd, buffer, sizeof(buffer), 0) > 0)
		heard |= ((struct nlmsghdr *)buffer)->nlmsg_type ==
			 AUDIT_SYSCALL;
	return heard;
}

/* Asked before the identity is changed, used after. */
static void become(int user)
{
	int fd;

	if (!user)
		return;
	fd = open("/proc/self/loginuid", O_WRONLY);
	if (fd < 0 || dprintf(fd, "%d", user) < 0 || close(fd) ||
	    setresgid((gid_t)user, (gid_t)user, (gid_t)user) ||
	    setresuid((uid_t)user, (uid_t)user, (uid_t)user)) {
		perror("kernel_calls: identity");
		exit(1);
	}
}

static void open_files(int user)
{
	snprintf(files.path, sizeof(files.path), "/bench/%d", user);
	mkdir("/bench", 0755);
	files.own = open(files.path, O_CREAT | O_RDWR | O_CLOEXEC, 0644);
	files.zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	files.null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (files.own < 0 || files.zero < 0 || files.null < 0 ||
	    fchown(files.own, (uid_t)user, (gid_t)user)) {
		perror("kernel_calls: files");
		exit(1);
	}
}

static void measure(const char *set, const char *identity, int user, size_t n)
{
	int records = listen_to_records(), logged;
	unsigned long nothing, typical;
	double mean;

	open_files(user);
	become(user);
	heard_syscall(records);
	calls[n].make();
	logged = heard_syscall(records);
	close(records);
	calls[n].make();
	nothing = median_of(NULL);
	mean = mean_of(&calls[n]);
	typical = median_of(calls[n].make) - nothing;
	printf("cell %s %s %s %.0f %lu %d\n", set, identity, calls[n].name,
	       mean, typical, logged);
}

/* A task gets its audit context when it is forked, so one is, each time. */
static int in_child(const char *set, const char *identity, int user, size_t n)
{
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child) {
		measure(set, identity, user, n);
		exit(fflush(stdout) != 0);
	}
	return child < 0 || waitpid(child, &status, 0) < 0 || status;
}

int main(int argc, char **argv)
{
	int failed = 0;

	if (argc != 2) {
		fputs("usage: kernel_calls NAME\n", stderr);
		return 2;
	}
	for (size_t n = 0; n < sizeof(calls) / sizeof(*calls); n++) {
		failed |= in_child(argv[1], "daemon", 0, n);
		failed |= in_child(argv[1], "user", 1000, n);
	}
	return failed;
}
