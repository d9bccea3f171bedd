/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * companions PROGRAM...: runs each PROGRAM, which is this one under the name of an
 * AppArmor profile, as root, as a service and as a user, and prints what the
 * kernel records meanwhile, as the audit daemon hears it (see guest/heard.h).
 *
 * Under such a name it makes the calls that its profile is meant to refuse, through
 * both ABIs, and a few that it allows. WHO is IDENTITY/CALL.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest/heard.h"
#include "guest/make_call.h"

static const struct {
	const char *name;
	int auid;
	uid_t id;
} identities[] = {{"root", 0, 0}, {"daemon", -1, 33}, {"user", 1000, 1000}};

#define IDENTITIES (sizeof(identities) / sizeof(*identities))

static const char *me;	 /* the identity's name */
static bool refused_all; /* the profile does not only complain */
static char memory[65536];
/* Below 4 GiB, for both ABIs. */
static char file[] = "/secret/file", other[] = "/secret/other",
	    allowed[] = "/open/file", allowed_too[] = "/open/other",
	    program[] = "/secret/program", directory[] = "/secret/directory",
	    attribute[] = "user.x", none[] = "none", root[] = "/";

/* The result of CALL, made by a process called IDENTITY/CALL. */
static long named(enum way way, const char *what, long a, long b, long c,
		  long d)
{
	char name[64];

	snprintf(name, sizeof(name), "%s/%s", me, what);
	prctl(PR_SET_NAME, name);
	return call(way, what, a, b, c, d);
}

static void closed(enum way way, long fd)
{
	if (fd >= 0)
		call(way, "close", fd, 0, 0, 0);
}

static void open_files(enum way way)
{
	long at = AT_FDCWD;

	closed(way, named(way, "open", PTR(file), O_RDONLY, 0, 0));
	closed(way, named(way, "open", PTR(file), O_WRONLY, 0, 0));
	closed(way, named(way, "open", PTR(allowed), O_RDONLY, 0, 0));
	closed(way, named(way, "openat", at, PTR(file), O_RDONLY, 0));
	closed(way, named(way, "openat", at, PTR(file), O_RDWR | O_CLOEXEC, 0));
	closed(way, named(way, "openat", at, PTR(allowed), O_RDONLY, 0));
	closed(way, named(way, "creat", PTR(other), 0644, 0, 0));
	named(way, "truncate", PTR(file), 0, 0, 0);
	named(way, "readlink", PTR(file), PTR(memory), 16, 0);
	named(way, "stat", PTR(file), PTR(memory), 0, 0);
	named(way, "statfs", PTR(file), PTR(memory), 0, 0);
	named(way, "access", PTR(file), R_OK, 0, 0);
	named(way, "getxattr", PTR(file), PTR(attribute), PTR(memory), 1);
}

static void change_files(enum way way)
{
	named(way, "chmod", PTR(file), 0644, 0, 0);
	named(way, "fchmodat", AT_FDCWD, PTR(file), 0644, 0);
	named(way, "chown", PTR(file), -1, -1, 0);
	named(way, "setxattr", PTR(file), PTR(attribute), PTR(memory), 1);
	named(way, "utimensat", AT_FDCWD, PTR(file), 0, 0);
	named(way, "unlink", PTR(file), 0, 0, 0);
	named(way, "rename", PTR(file), PTR(allowed_too), 0, 0);
	named(way, "rename", PTR(allowed), PTR(other), 0, 0);
	named(way, "link", PTR(file), PTR(allowed_too), 0, 0);
	named(way, "link", PTR(allowed), PTR(other), 0, 0);
	named(way, "symlink", PTR(allowed), PTR(other), 0, 0);
	named(way, "mkdir", PTR(directory), 0700, 0, 0);
	named(way, "rmdir", PTR(directory), 0, 0, 0);
	named(way, "mknod", PTR(other), S_IFIFO | 0600, 0, 0);
}

static void change_more(enum way way)
{
	static struct sockaddr_un local = {AF_UNIX, "/secret/socket"};
	static uint32_t pair[2];
	long fd;

	named(way, "execve", PTR(program), 0, 0, 0);
	named(way, "mount", PTR(none), PTR(root), PTR(none), MS_RDONLY);
	if (refused_all)
		named(way, "umount2", PTR(root), 0, 0, 0);
	named(way, "pivot_root", PTR(root), PTR(root), 0, 0);
	closed(way, named(way, "socket", AF_INET, SOCK_DGRAM, 0, 0));
	closed(way, named(way, "socket", AF_INET6, SOCK_STREAM, 0, 0));
	fd = named(way, "socket", AF_UNIX, SOCK_STREAM, 0, 0);
	named(way, "bind", fd, PTR(&local), sizeof(local), 0);
	named(way, "connect", fd, PTR(&local), sizeof(local), 0);
	closed(way, fd);
	named(way, "socketpair", AF_UNIX, SOCK_STREAM, 0, PTR(pair));
	/* the first process is not confined, and ignores it */
	named(way, "kill", 1, SIGWINCH, 0, 0);
	named(way, "tkill", 1, SIGWINCH, 0, 0);
	if (refused_all)
		named(way, "ptrace", 0x4206, 1, 0, 0); /* PTRACE_SEIZE */
	named(way, "sethostname", PTR(none), 4, 0, 0);
	named(way, "chroot", PTR(root), 0, 0, 0);
	named(way, "setuid", 12, 0, 0, 0);
	named(way, "nice", -5, 0, 0, 0);
	named(way, "unshare", CLONE_NEWNS, 0, 0, 0);
	named(way, "getpid", 0, 0, 0, 0);
	named(way, "sched_yield", 0, 0, 0, 0);
}

static int confined(void)
{
	me = getenv("WHO");
	refused_all = strcmp(program_invocation_name, "/bin/complaining") != 0;
	for (enum way way = WAY_64; me && way <= WAY_32; way++) {
		/* each in a process of its own: one that is let do something
		 * does not do the next thing otherwise */
		void (*const steps[])(enum way) = {open_files, change_files,
						   change_more};

		for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
			pid_t child = fork();

			if (!child) {
				steps[i](way);
				_exit(0);
			}
			waitpid(child, NULL, 0);
		}
	}
	return 0;
}

static void become(int auid, uid_t id)
{
	int fd = auid < 0 ? -1 : open("/proc/self/loginuid", O_WRONLY);

	if (fd >= 0) {
		dprintf(fd, "%d", auid);
		close(fd);
	}
	if (setgroups(0, NULL) || setresgid(id, id, id) ||
	    setresuid(id, id, id))
		perror("companions: identity");
}

static void run(const char *name, size_t as)
{
	char *arguments[] = {(char *)name, NULL};
	char who[64];
	int status = 0;
	pid_t child = fork();

	if (!child) {
		snprintf(who, sizeof(who), "WHO=%s", identities[as].name);
		putenv(who);
		become(identities[as].auid, identities[as].id);
		execv(name, arguments);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &status, 0) < 0 || status)
		printf("bad %s as %s: status %x\n", name, identities[as].name,
		       status);
}

int main(int argc, char **argv)
{
	if (getenv("WHO"))
		return confined();
	if (argc < 2)
		return 0; /* run by what a profile only complains of */
	if (!heard_begin())
		return 1;
	for (int i = 1; i < argc; i++)
		for (size_t as = 0; as < IDENTITIES; as++)
			run(argv[i], as);
	return !heard_end();
}
