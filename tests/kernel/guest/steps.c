/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/steps.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "guest/make_call.h"

#ifndef RENAME_EXCHANGE
#define RENAME_EXCHANGE 2
#endif

static char name[4][4200];
static char memory[65536];

static void around(const char *path)
{
	snprintf(name[0], sizeof(name[0]), "%s", path);
	snprintf(name[1], sizeof(name[1]), "%s.new", path);
	snprintf(name[2], sizeof(name[2]), "%s/below", path);
	snprintf(name[3], sizeof(name[3]), "/tmp/elsewhere");
}

static void steps_with_descriptor(enum way way, long fd, mode_t mode)
{
	if (fd < 0)
		return;
	call(way, "fchmod", fd, (long)mode, 0, 0);
	call(way, "fchown", fd, -1, -1, 0);
	call(way, "fstat", fd, PTR(memory), 0, 0);
	call(way, "read", fd, PTR(memory), 0, 0);
	call(way, "write", fd, PTR(memory), 0, 0);
	call(way, "ftruncate", fd, 0, 0, 0);
	call(way, "fsetxattr", fd, PTR("user.x"), PTR(memory), 1);
	call(way, "fremovexattr", fd, PTR("user.x"), 0, 0);
	call(way, "close", fd, 0, 0, 0);
}

static void open_in_all_ways(enum way way, mode_t mode)
{
	static struct open_how how;
	static const int flags[] = {O_RDONLY,
				    O_WRONLY,
				    O_RDWR,
				    O_RDONLY | O_CLOEXEC,
				    O_RDWR | O_APPEND,
				    3,
				    O_PATH,
				    O_RDONLY | O_CREAT | O_EXCL,
				    O_WRONLY | O_TRUNC | O_CLOEXEC,
				    O_RDWR | O_TMPFILE,
				    O_RDONLY | O_DIRECTORY};
	long path = PTR(name[0]);

	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++) {
		long fd = call(way, "open", path, flags[i], 0, 0);

		if (i == 0)
			steps_with_descriptor(way, fd, mode);
		else if (fd >= 0)
			call(way, "close", fd, 0, 0, 0);
		fd = call(way, "openat", AT_FDCWD, path, flags[i], 0);
		if (i == 2)
			steps_with_descriptor(way, fd, mode);
		else if (fd >= 0)
			call(way, "close", fd, 0, 0, 0);
		how.flags = (uint64_t)flags[i];
		fd = call(way, "openat2", AT_FDCWD, path, PTR(&how),
			  sizeof(how));
		if (fd >= 0)
			call(way, "close", fd, 0, 0, 0);
	}
}

static void change_attributes(enum way way, const struct stat *st)
{
	long path = PTR(name[0]), mode = (long)(st->st_mode & 07777);

	call(way, "chmod", path, mode, 0, 0);
	call(way, "fchmodat", AT_FDCWD, path, mode, 0);
	call(way, "fchmodat2", AT_FDCWD, path, mode, 0);
	call(way, "chown", path, -1, -1, 0);
	call(way, "lchown", path, st->st_uid, st->st_gid, 0);
	call(way, "fchownat", AT_FDCWD, path, -1, -1);
	call(way, "setxattr", path, PTR("user.x"), PTR(memory), 1);
	call(way, "lsetxattr", path, PTR("user.x"), PTR(memory), 1);
	call(way, "removexattr", path, PTR("user.x"), 0, 0);
	call(way, "getxattr", path, PTR("user.x"), PTR(memory), 1);
	call(way, "utimensat", AT_FDCWD, path, 0, 0);
	call(way, "truncate", path, 0, 0, 0);
	call(way, "stat", path, PTR(memory), 0, 0);
	call(way, "statx", AT_FDCWD, path, 0, 0);
	call(way, "access", path, R_OK | W_OK, 0, 0);
	call(way, "faccessat", AT_FDCWD, path, X_OK, 0);
	call(way, "readlink", path, PTR(memory), 64, 0);
}

static void open_and_close(enum way way, long path, int flags)
{
	long fd = call(way, "openat", AT_FDCWD, path, flags, 0);

	if (fd >= 0)
		call(way, "close", fd, 0, 0, 0);
}

static void exchange(enum way way, long path, long other)
{
	int number = way == WAY_64 ? 316 : 353; /* renameat2 */

	make(way, number, AT_FDCWD, path, AT_FDCWD, other, RENAME_EXCHANGE);
}

/* Two names in one call; an event for either, in both orders. */
static void change_names(enum way way, bool directory)
{
	long path = PTR(name[0]), other = PTR(name[1]), at = AT_FDCWD;

	call(way, "link", path, other, 0, 0);
	open_and_close(way, other, O_RDONLY);
	open_and_close(way, other, O_WRONLY);
	call(way, "chmod", other, directory ? 0755 : 0644, 0, 0);
	call(way, "chown", other, -1, -1, 0);
	call(way, "unlink", other, 0, 0, 0);
	call(way, "link", path, PTR(name[3]), 0, 0);
	open_and_close(way, PTR(name[3]), O_RDONLY);
	call(way, "unlink", PTR(name[3]), 0, 0, 0);
	call(way, "linkat", at, path, at, other);
	call(way, "unlinkat", at, other, 0, 0);
	call(way, "symlink", path, other, 0, 0);
	call(way, "chmod", other, directory ? 0755 : 0644, 0, 0);
	open_and_close(way, other, O_RDONLY);
	open_and_close(way, other, O_RDONLY | O_NOFOLLOW);
	call(way, "lchown", other, -1, -1, 0);
	call(way, "unlink", other, 0, 0, 0);
	call(way, "rename", path, other, 0, 0);
	call(way, "rename", other, path, 0, 0);
	call(way, "renameat", at, path, at, other);
	call(way, "renameat2", at, other, at, path);
	call(way, "rename", path, PTR(name[3]), 0, 0);
	call(way, "chmod", PTR(name[3]), directory ? 0755 : 0644, 0, 0);
	call(way, "rename", PTR(name[3]), path, 0, 0);
	call(way, "mknod", other, S_IFIFO | 0600, 0, 0);
	call(way, "chmod", other, 0600, 0, 0);
	call(way, "unlink", other, 0, 0, 0);
	if (!directory) {
		/* a new file in its place */
		long fd = call(way, "creat", other, 0644, 0, 0);

		if (fd >= 0) {
			call(way, "close", fd, 0, 0, 0);
			exchange(way, path, other);
			exchange(way, path, other);
			call(way, "rename", other, path, 0, 0);
		}
	}
}

static void change_below(enum way way)
{
	long below = PTR(name[2]);
	long fd = call(way, "open", below, O_CREAT | O_WRONLY, 0600, 0);

	if (fd >= 0)
		call(way, "close", fd, 0, 0, 0);
	call(way, "chmod", below, 0644, 0, 0);
	call(way, "chown", below, -1, -1, 0);
	call(way, "link", below, PTR(name[1]), 0, 0);
	call(way, "unlink", PTR(name[1]), 0, 0, 0);
	call(way, "rename", below, PTR(name[3]), 0, 0);
	call(way, "rename", PTR(name[3]), below, 0, 0);
	call(way, "unlink", below, 0, 0, 0);
	call(way, "mkdir", below, 0700, 0, 0);
	call(way, "rmdir", below, 0, 0, 0);
	call(way, "stat", below, PTR(memory), 0, 0);
}

void steps_with_path(const char *path)
{
	struct stat st = {0};
	bool there = stat(path, &st) == 0;
	bool directory = S_ISDIR(st.st_mode);
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	static struct sockaddr_un low;

	around(path);
	snprintf(address.sun_path, sizeof(address.sun_path), "%.100s", path);
	low = address;
	for (enum way way = WAY_64; way <= WAY_32; way++) {
		long fd;

		open_in_all_ways(way, st.st_mode & 07777);
		if (!there) {
			call(way, "chmod", PTR(name[0]), 0644, 0, 0);
			call(way, "unlink", PTR(name[0]), 0, 0, 0);
			call(way, "execve", PTR(name[0]), 0, 0, 0);
			continue;
		}
		change_attributes(way, &st);
		change_names(way, directory);
		change_below(way);
		if (st.st_size == 0 || directory)
			call(way, "execve", PTR(name[0]), 0, 0, 0);
		call(way, "mount", PTR("none"), PTR(name[0]), PTR("nosuch"), 0);
		call(way, "umount2", PTR(name[0]), 0, 0, 0);
		call(way, "chdir", PTR(name[0]), 0, 0, 0);
		call(way, "chdir", PTR("/"), 0, 0, 0);
		fd = call(way, "socket", AF_UNIX, SOCK_STREAM, 0, 0);
		call(way, "connect", fd, PTR(&low), sizeof(low), 0);
		call(way, "close", fd, 0, 0, 0);
	}
}

void steps_touching(const char *path)
{
	struct stat st = {0};
	bool there = stat(path, &st) == 0;
	long at = AT_FDCWD;

	around(path);
	for (enum way way = WAY_64; way <= WAY_32; way++) {
		open_and_close(way, PTR(name[0]), O_RDONLY);
		open_and_close(way, PTR(name[0]), O_WRONLY);
		call(way, "fchmodat", at, PTR(name[0]), st.st_mode & 07777, 0);
		call(way, "chown", PTR(name[0]), -1, -1, 0);
		call(way, "truncate", PTR(name[0]), st.st_size, 0, 0);
		call(way, "mkdir", PTR(name[2]), 0700, 0, 0);
		call(way, "unlinkat", at, PTR(name[2]), AT_REMOVEDIR, 0);
		if (!there)
			continue;
		call(way, "renameat", at, PTR(name[0]), at, PTR(name[1]));
		call(way, "renameat", at, PTR(name[1]), at, PTR(name[0]));
		if (st.st_size == 0)
			call(way, "execve", PTR(name[0]), 0, 0, 0);
	}
}

void steps_with_mount(const char *path)
{
	char directory[4200];
	char *base;

	snprintf(directory, sizeof(directory), "%s", path);
	base = strrchr(directory, '/');
	if (!base || mkdir("/tmp/mount", 0755) || unshare(CLONE_NEWNS) ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL)) {
		rmdir("/tmp/mount");
		return;
	}
	snprintf(name[0], sizeof(name[0]), "/tmp/mount/%s", base + 1);
	*base = 0;
	if (!mount(*directory ? directory : "/", "/tmp/mount", NULL, MS_BIND,
		   NULL)) {
		for (enum way way = WAY_64; way <= WAY_32; way++) {
			open_and_close(way, PTR(name[0]), O_RDONLY);
			open_and_close(way, PTR(name[0]), O_WRONLY);
			call(way, "chown", PTR(name[0]), -1, -1, 0);
		}
		umount2("/tmp/mount", MNT_DETACH);
	}
	rmdir("/tmp/mount");
}
