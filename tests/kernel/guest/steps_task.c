/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/steps.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest/make_call.h"

#define I386_SOCKETCALL 102

static char memory[4096];
static struct sockaddr_storage address;

static void make_sockets(enum way way)
{
	static const struct {
		int family, type;
		socklen_t size;
	} kinds[] = {
		{AF_INET, SOCK_DGRAM, 16},
		{AF_INET6, SOCK_DGRAM, 28},
		{AF_UNIX, SOCK_DGRAM, 2},
		{AF_NETLINK, SOCK_RAW, 12},
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		long fd = call(way, "socket", kinds[i].family, kinds[i].type, 0,
			       0);

		address.ss_family = (sa_family_t)kinds[i].family;
		call(way, "bind", fd, PTR(&address), kinds[i].size, 0);
		call(way, "connect", fd, PTR(&address), kinds[i].size, 0);
		call(way, "sendto", fd, PTR(memory), 0, 0);
		call(way, "close", fd, 0, 0, 0);
	}
}

/* socket(), bind(), connect() through the one number that i386 had for all. */
static void make_socketcalls(void)
{
	static uint32_t argument[6];
	long fd;

	argument[0] = AF_INET;
	argument[1] = SOCK_DGRAM;
	fd = make(WAY_32, I386_SOCKETCALL, 1, PTR(argument), 0, 0, 0);
	address.ss_family = AF_INET;
	argument[0] = (uint32_t)fd;
	argument[1] = (uint32_t)PTR(&address);
	argument[2] = 16;
	make(WAY_32, I386_SOCKETCALL, 2, PTR(argument), 0, 0, 0);
	make(WAY_32, I386_SOCKETCALL, 3, PTR(argument), 0, 0, 0);
	call(WAY_32, "close", fd, 0, 0, 0);
}

static void make_children(enum way way)
{
	static char path[] = "/bin/y", missing[] = "/bin/is-not-there";
	static char *arguments[] = {path, NULL};
	/* in memory that i386 reads as 32-bit pointers */
	static uint32_t arguments_32[2];

	arguments_32[0] = (uint32_t)PTR(path);
	for (int i = 0; i < 4; i++) {
		/* a child of the call itself, not of a library's */
		long child = call(way, "fork", 0, 0, 0, 0);

		if (child)
			wait(NULL);
		else if (i == 0)
			call(way, "exit", 3, 0, 0, 0);
		else if (i == 1)
			call(way, "exit_group", 3, 0, 0, 0);
		else if (i == 2)
			call(way, "execve", PTR(path),
			     way == WAY_64 ? PTR(arguments) : PTR(arguments_32),
			     0, 0);
		else
			call(way, "execve", PTR(missing), 0, 0, 0);
		if (!child)
			_exit(4);
	}
	if (fork() == 0) /* clone() */
		_exit(5);
	wait(NULL);
}

void steps_of_task(void)
{
	for (enum way way = WAY_64; way <= WAY_32; way++) {
		make_sockets(way);
		call(way, "getpid", 0, 0, 0, 0);
		call(way, "kill", getpid(), 0, 0, 0);
		call(way, "kill", getpid(), SIGWINCH, 0, 0); /* ignored */
		call(way, "tgkill", getpid(), getpid(), 0, 0);
		call(way, "kill", 32000, SIGTERM, 0, 0);
		call(way, "read", 0, PTR(memory), 0, 0);
		call(way, "read", -1, PTR(memory), 5, 0);
		call(way, "ptrace", 16, getpid(), 0, 0);
		call(way, "setuid", geteuid(), 0, 0, 0);
		call(way, "setreuid", -1, -1, 0, 0);
		call(way, "setresuid", -1, -1, -1, 0);
		call(way, "setregid", -1, -1, 0, 0);
		call(way, "setfsuid", geteuid(), 0, 0, 0);
		call(way, "settimeofday", 0, 0, 0, 0);
		call(way, "clock_settime", 0, 0, 0, 0);
		call(way, "adjtimex", 0, 0, 0, 0);
		call(way, "sethostname", PTR("guest"), 5, 0, 0);
		call(way, "setdomainname", PTR("guest"), 5, 0, 0);
		call(way, "personality", 0xffffffff, 0, 0, 0);
		call(way, "unshare", 0, 0, 0, 0);
		make_children(way);
	}
	make_socketcalls();
}
