/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel_calls NAME: what system calls cost in the guest, in instructions, for
 * a daemon (auid unset, user 0) and a user (auid and user 1000). Lines
 *	cell NAME IDENTITY CALL MEAN TYPICAL LOGGED
 * MEAN: best of five loops, the loops' mean. TYPICAL: the median of single
 * calls; what is done in bulk now and then (freeing under RCU, the timer) is
 * not in it, so it is the same to the instruction each time. LOGGED: 1 when the
 * call made a record. The clock must count instructions (qemu -icount shift=0).
 * Behind the calls, what others measured: both loops of dd, the one of getpid,
 * close and umask, and 64 threads that each read one byte of a file of its own
 * (their mean; on one processor, where none runs beside another).
 */
#include <errno.h>
#include <fcntl.h>
#include <libaudit.h>
#include <poll.h>
#include <pthread.h>
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
#define READERS 64
#define REPEATS_OF_READER 40

static struct files {
	char path[64];
	int zero, null, own;
} files;

static _Thread_local int to_read; /* what read_own() reads */

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

static void copy_block(size_t size)
{
	char block[512];

	if (read(files.zero, block, size) != (ssize_t)size ||
	    write(files.null, block, size) != (ssize_t)size)
		exit(1);
}

static void dd_1(void)
{
	copy_block(1);
}

static void dd_512(void)
{
	copy_block(512);
}

static void getpid_close_umask(void)
{
	syscall(SYS_getpid);
	syscall(SYS_close, syscall(SYS_dup, files.own));
	syscall(SYS_umask, 022);
}

static void read_own(void)
{
	char byte;

	if (pread(to_read, &byte, 1, 0) != 1)
		exit(1);
}

static const struct measured {
	const char *name;
	void (*make)(void);
	int repeats;
	int threads; /* that make the call at the same time, if not 0 */
} calls[] = {
	{"null", null_call, REPEATS, 0},
	{"read", read_call, REPEATS, 0},
	{"write", write_call, REPEATS, 0},
	{"stat", stat_call, REPEATS, 0},
	{"fstat", fstat_call, REPEATS, 0},
	{"open+close", open_close, REPEATS_WITH_CLOSE, 0},
	{"chmod", chmod_call, REPEATS, 0},
	{"socket+close", socket_close, REPEATS_WITH_CLOSE, 0},
	{"dd-1", dd_1, REPEATS, 0},
	{"dd-512", dd_512, REPEATS, 0},
	{"getpid+close+umask", getpid_close_umask, REPEATS, 0},
	{"readers", read_own, REPEATS_OF_READER, READERS},
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

/* COUNT: at most REPEATS. */
static unsigned long median_of(void (*make)(void), int count)
{
	unsigned long spent[REPEATS];

	for (int i = 0; i < count; i++) {
		unsigned long start = now();

		if (make)
			make();
		spent[i] = now() - start;
	}
	qsort(spent, (size_t)count, sizeof(*spent), by_size);
	return spent[count / 2];
}

struct reader {
	pthread_t thread;
	pthread_barrier_t *start;
	const struct measured *call;
	int number;
	double mean;
	unsigned long typical;
};

static int open_byte(int number)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/bench/own-%d", number);
	fd = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0644);
	if (fd < 0 || unlink(path) || write(fd, "x", 1) != 1) {
		perror("kernel_calls: a file for each thread");
		exit(1);
	}
	return fd;
}

static void *be_reader(void *data)
{
	struct reader *reader = data;

	to_read = open_byte(reader->number);
	pthread_barrier_wait(reader->start);
	reader->mean = mean_of(reader->call);
	reader->typical = median_of(reader->call->make, REPEATS_OF_READER);
	close(to_read);
	return NULL;
}

/* The mean over the threads of what each found. */
static void by_threads(const struct measured *call, double *mean,
		       double *typical)
{
	static struct reader reader[READERS];
	pthread_barrier_t start;

	*mean = *typical = 0;
	pthread_barrier_init(&start, NULL, READERS);
	for (int i = 0; i < READERS; i++) {
		reader[i].start = &start;
		reader[i].call = call;
		reader[i].number = i;
		if (pthread_create(&reader[i].thread, NULL, be_reader,
				   &reader[i])) {
			fputs("kernel_calls: no thread\n", stderr);
			exit(1);
		}
	}
	for (int i = 0; i < READERS; i++) {
		pthread_join(reader[i].thread, NULL);
		*mean += reader[i].mean / READERS;
		*typical += (double)reader[i].typical / READERS;
	}
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
	if (chmod("/bench", 0777))
		perror("kernel_calls: /bench");
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
	double mean, typical, nothing;

	open_files(user);
	become(user);
	to_read = open_byte(READERS);
	heard_syscall(records);
	calls[n].make();
	logged = heard_syscall(records);
	close(records);
	calls[n].make();
	nothing = (double)median_of(NULL, REPEATS);
	if (calls[n].threads) {
		by_threads(&calls[n], &mean, &typical);
	} else {
		mean = mean_of(&calls[n]);
		typical = (double)median_of(calls[n].make, REPEATS);
	}
	printf("cell %s %s %s %.0f %.0f %d\n", set, identity, calls[n].name,
	       mean, typical - nothing, logged);
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
