/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calls NAME: what one system call costs in the guest, in instructions, for each
 * of the calls below, with whatever rules are loaded. Lines
 *	cell NAME CALL INSTRUCTIONS
 * The median of single calls, less what reading the clock takes; what a call
 * leaves behind is undone outside of what is timed. The clock must count
 * instructions (qemu -icount shift=0).
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define REPEATS 120
#define FILE_NAME "/bench/file"
#define OTHER_NAME "/bench/other"

static int zero, null, own, opened;

static void make_file(void)
{
	close(open(FILE_NAME, O_CREAT | O_RDWR, 0644));
}

static void remove_other(void)
{
	unlink(OTHER_NAME);
	rmdir(OTHER_NAME);
}

static void make_other(void)
{
	close(open(OTHER_NAME, O_CREAT | O_RDWR, 0644));
}

static void make_directory(void)
{
	mkdir(OTHER_NAME, 0755);
}

static void close_opened(void)
{
	close(opened);
}

static void open_socket(void)
{
	opened = socket(AF_UNIX, SOCK_STREAM, 0);
}

static void open_file(void)
{
	opened = open(FILE_NAME, O_RDONLY);
}

static long nothing(void)
{
	return 0;
}

static long do_getppid(void)
{
	return syscall(SYS_getppid);
}

static long do_fstat(void)
{
	struct stat st;

	return syscall(SYS_fstat, own, &st);
}

static long do_read(void)
{
	char byte;

	return syscall(SYS_read, zero, &byte, 1);
}

static long do_read_file(void)
{
	char byte;

	return syscall(SYS_pread64, own, &byte, 1, 0);
}

static long do_write(void)
{
	return syscall(SYS_write, null, "", 1);
}

static long do_write_file(void)
{
	return syscall(SYS_pwrite64, own, "", 1, 0);
}

static long do_stat(void)
{
	struct stat st;

	return syscall(SYS_stat, FILE_NAME, &st);
}

static long do_newfstatat(void)
{
	struct stat st;

	return syscall(SYS_newfstatat, AT_FDCWD, FILE_NAME, &st, 0);
}

static long do_access(void)
{
	return syscall(SYS_access, FILE_NAME, R_OK);
}

static long do_statfs(void)
{
	struct statfs st;

	return syscall(SYS_statfs, FILE_NAME, &st);
}

static long do_openat(void)
{
	return opened = (int)syscall(SYS_openat, AT_FDCWD, FILE_NAME, O_RDONLY);
}

static long do_open(void)
{
	return opened = (int)syscall(SYS_open, FILE_NAME, O_RDONLY);
}

static long do_openat_creat(void)
{
	return opened = (int)syscall(SYS_openat, AT_FDCWD, FILE_NAME,
				     O_RDWR | O_CREAT, 0644);
}

static long do_creat(void)
{
	return opened = (int)syscall(SYS_creat, FILE_NAME, 0644);
}

static long do_close(void)
{
	return syscall(SYS_close, opened);
}

static long do_socket(void)
{
	return opened = (int)syscall(SYS_socket, AF_UNIX, SOCK_STREAM, 0);
}

static long do_chmod(void)
{
	return syscall(SYS_chmod, FILE_NAME, 0644);
}

static long do_fchmod(void)
{
	return syscall(SYS_fchmod, own, 0644);
}

static long do_chown(void)
{
	return syscall(SYS_chown, FILE_NAME, 0, 0);
}

static long do_utimensat(void)
{
	return syscall(SYS_utimensat, AT_FDCWD, FILE_NAME, NULL, 0);
}

static long do_truncate(void)
{
	return syscall(SYS_truncate, FILE_NAME, 0);
}

static long do_readlink(void)
{
	char text[16];

	return syscall(SYS_readlink, "/bench/link", text, sizeof(text));
}

static long do_setxattr(void)
{
	return syscall(SYS_setxattr, FILE_NAME, "trusted.a", "b", 1, 0);
}

static long do_chdir(void)
{
	return syscall(SYS_chdir, "/bench");
}

static long do_mkdir(void)
{
	return syscall(SYS_mkdir, OTHER_NAME, 0755);
}

static long do_rmdir(void)
{
	return syscall(SYS_rmdir, OTHER_NAME);
}

static long do_mknod(void)
{
	return syscall(SYS_mknod, OTHER_NAME, S_IFIFO | 0644, 0);
}

static long do_unlink(void)
{
	return syscall(SYS_unlink, OTHER_NAME);
}

static long do_rename(void)
{
	return syscall(SYS_rename, FILE_NAME, OTHER_NAME);
}

static long do_link(void)
{
	return syscall(SYS_link, FILE_NAME, OTHER_NAME);
}

static long do_symlink(void)
{
	return syscall(SYS_symlink, FILE_NAME, OTHER_NAME);
}

static const struct {
	const char *name;
	void (*before)(void);
	long (*call)(void);
	void (*after)(void);
} calls[] = {
	{"getppid", NULL, do_getppid, NULL},
	{"fstat", NULL, do_fstat, NULL},
	{"read", NULL, do_read, NULL},
	{"write", NULL, do_write, NULL},
	{"pread64", NULL, do_read_file, NULL},
	{"pwrite64", NULL, do_write_file, NULL},
	{"stat", NULL, do_stat, NULL},
	{"newfstatat", NULL, do_newfstatat, NULL},
	{"access", NULL, do_access, NULL},
	{"statfs", NULL, do_statfs, NULL},
	{"open", NULL, do_open, close_opened},
	{"openat", NULL, do_openat, close_opened},
	{"openat+O_CREAT", NULL, do_openat_creat, close_opened},
	{"creat", NULL, do_creat, close_opened},
	{"close", open_file, do_close, NULL},
	{"close+socket", open_socket, do_close, NULL},
	{"socket", NULL, do_socket, close_opened},
	{"chmod", NULL, do_chmod, NULL},
	{"fchmod", NULL, do_fchmod, NULL},
	{"chown", NULL, do_chown, NULL},
	{"utimensat", NULL, do_utimensat, NULL},
	{"truncate", NULL, do_truncate, NULL},
	{"readlink", NULL, do_readlink, NULL},
	{"setxattr", NULL, do_setxattr, NULL},
	{"chdir", NULL, do_chdir, NULL},
	{"mkdir", NULL, do_mkdir, remove_other},
	{"mknod", NULL, do_mknod, remove_other},
	{"rmdir", make_directory, do_rmdir, NULL},
	{"unlink", make_other, do_unlink, NULL},
	{"rename", make_file, do_rename, remove_other},
	{"link", make_file, do_link, remove_other},
	{"symlink", NULL, do_symlink, remove_other},
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

static unsigned long median(void (*before)(void), long (*call)(void),
			    void (*after)(void))
{
	static unsigned long spent[REPEATS];

	for (int i = 0; i < REPEATS; i++) {
		unsigned long start;

		if (before)
			before();
		start = now();
		if (call() < 0) {
			perror("calls");
			exit(1);
		}
		spent[i] = now() - start;
		if (after)
			after();
	}
	qsort(spent, REPEATS, sizeof(*spent), by_size);
	return spent[REPEATS / 2];
}

static void prepare(void)
{
	mkdir("/bench", 0755);
	make_file();
	remove_other();
	if (symlink(FILE_NAME, "/bench/link") < 0)
		unlink("/bench/none");
	own = open(FILE_NAME, O_RDWR);
	zero = open("/dev/zero", O_RDONLY);
	null = open("/dev/null", O_WRONLY);
	if (own < 0 || zero < 0 || null < 0 || write(own, "text", 4) != 4) {
		perror("calls: files");
		exit(1);
	}
}

/* A task gets its audit context when it is forked. */
int main(int argc, char **argv)
{
	int status;
	pid_t child;

	if (argc != 2) {
		fputs("usage: calls NAME\n", stderr);
		return 2;
	}
	child = fork();
	if (child)
		return child < 0 || waitpid(child, &status, 0) < 0 || status;
	prepare();
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		unsigned long clock = median(NULL, nothing, NULL);

		if (calls[i].call == do_read_file)
			if (pwrite(own, "text", 4, 0) != 4)
				return 1;
		printf("cell %s %s %lu\n", argv[1], calls[i].name,
		       median(calls[i].before, calls[i].call, calls[i].after) -
			       clock);
	}
	return fflush(stdout) != 0;
}
