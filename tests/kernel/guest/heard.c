/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/heard.h"

#include <libaudit.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* That more records may come of: those that the kernel could not send at once it
 * sends again behind others, even behind the event's end. */
#define OPEN_EVENTS 1024
#define MOST_TYPES 24
#define MOST_CALLS 4 /* a ring's operations and the call that ran them */
#define MOST_CHANGED 512 /* a directory that goes may have many */

struct event {
	unsigned long serial; /* 0: not used */
	size_t types, calls;
	int type[MOST_TYPES], count[MOST_TYPES];
	char call[MOST_CALLS][512];
	bool keyed[MOST_CALLS];
	bool own;
	size_t changes;
	char changed[MOST_CHANGED][128]; /* paths whose rules were changed */
};

static struct event events[OPEN_EVENTS];
static pid_t daemon_process;
static int daemon_end = -1;

/* The value of FIELD ("auid=") in RECORD, up to the next space. */
static const char *value(const char *record, const char *field, char *to,
			 size_t room)
{
	const char *at = record;
	size_t length = strlen(field), n = 0;

	*to = 0;
	while ((at = strstr(at, field)) && at > record && at[-1] != ' ')
		at++;
	if (!at)
		return to;
	for (at += length; *at && *at != ' ' && n < room - 1; at++)
		to[n++] = *at;
	to[n] = 0;
	return to;
}

static unsigned long serial_of(const char *record)
{
	const char *colon = strchr(record, ':');

	return colon ? strtoul(colon + 1, NULL, 10) : 0;
}

/* What the audit system adds to a call's record; all other types the kernel
 * logs by itself. */
static bool goes_with_call(int type)
{
	return type == AUDIT_SYSCALL || type == AUDIT_PATH ||
	       type == AUDIT_IPC || type == AUDIT_SOCKETCALL ||
	       type == AUDIT_SOCKADDR || type == AUDIT_CWD ||
	       type == AUDIT_EXECVE || type == AUDIT_IPC_SET_PERM ||
	       type == AUDIT_MQ_OPEN || type == AUDIT_MQ_SENDRECV ||
	       type == AUDIT_MQ_NOTIFY || type == AUDIT_MQ_GETSETATTR ||
	       type == AUDIT_FD_PAIR || type == AUDIT_OBJ_PID ||
	       type == AUDIT_EOE || type == AUDIT_BPRM_FCAPS ||
	       type == AUDIT_CAPSET || type == AUDIT_MMAP ||
	       type == AUDIT_PROCTITLE || type == AUDIT_URINGOP ||
	       type == AUDIT_KERN_MODULE || type == AUDIT_TIME_INJOFFSET ||
	       type == AUDIT_TIME_ADJNTPVAL || type == AUDIT_OPENAT2;
}

static void print_types(struct event *event)
{
	/* few, and nearly in order */
	for (size_t i = 1; i < event->types; i++)
		for (size_t j = i; j && event->type[j - 1] > event->type[j];
		     j--) {
			int type = event->type[j], count = event->count[j];

			event->type[j] = event->type[j - 1];
			event->count[j] = event->count[j - 1];
			event->type[j - 1] = type;
			event->count[j - 1] = count;
		}
	for (size_t i = 0; i < event->types; i++)
		printf("%s%dx%d", i ? "," : " with ", event->type[i],
		       event->count[i]);
}

static void close_event(struct event *event)
{
	if (!event->serial)
		return;
	for (size_t i = 0; i < event->calls; i++) {
		fputs(event->call[i], stdout);
		print_types(event);
		puts(event->keyed[i]  ? ""
		     : event->own     ? " own"
		     : event->changes ? " change"
				      : "");
	}
	event->serial = 0;
}

static struct event *event_of(unsigned long serial)
{
	struct event *event = &events[serial % OPEN_EVENTS];

	if (event->serial != serial) {
		close_event(event);
		memset(event, 0, offsetof(struct event, changed));
		event->serial = serial;
	}
	return event;
}

static void count_type(struct event *event, int type)
{
	if (type == AUDIT_SYSCALL || type == AUDIT_URINGOP ||
	    type == AUDIT_EOE || type == AUDIT_CONFIG_CHANGE)
		return;
	for (size_t i = 0; i < event->types; i++)
		if (event->type[i] == type) {
			event->count[i]++;
			return;
		}
	if (event->types < MOST_TYPES) {
		event->type[event->types] = type;
		event->count[event->types++] = 1;
	}
}

static const char *result_of(const char *record, char *to, size_t room)
{
	char success[8];

	value(record, "success=", success, sizeof(success));
	value(record, "exit=", to, room);
	if (!*success)
		return "none";
	if (!strcmp(success, "yes") || strtol(to, NULL, 10) >= 0)
		return "yes";
	return audit_errno_to_name((int)-strtol(to, NULL, 10)) ?: to;
}

/* A 32-bit call of a 64-bit program has the arch of i386. */
static const char *call_name(const char *arch, const char *number)
{
	bool native = !strcmp(arch, "c000003e");
	const char *name = audit_syscall_to_name(
		atoi(number), native ? MACH_86_64 : MACH_X86);

	return name ? name : "-";
}

static void add_call(struct event *event, const char *record)
{
	char who[64], arch[16], call[16], result[24], auid[16], key[300];

	value(record, "comm=", who, sizeof(who));
	if ((!strchr(who, '/') && strcmp(who, "\"y\"")) ||
	    event->calls == MOST_CALLS)
		return; /* not one of ours: the shell, auditctl */
	value(record, "arch=", arch, sizeof(arch));
	value(record, "syscall=", call, sizeof(call));
	value(record, "auid=", auid, sizeof(auid));
	value(record, "key=", key, sizeof(key));
	event->keyed[event->calls] = strcmp(key, "(null)") != 0;
	snprintf(event->call[event->calls++], sizeof(event->call[0]),
		 "call %s %s %s=%s %s auid=%s key=%s", who,
		 !strcmp(arch, "c000003e") ? "b64" : "b32",
		 call_name(arch, call), call,
		 result_of(record, result, sizeof(result)), auid, key);
}

static void add_ring(struct event *event, const char *record)
{
	char uid[16], gid[16], operation[16], result[24], key[300];

	if (event->calls == MOST_CALLS)
		return;
	value(record, "uid=", uid, sizeof(uid));
	value(record, "gid=", gid, sizeof(gid));
	value(record, "uring_op=", operation, sizeof(operation));
	value(record, "key=", key, sizeof(key));
	event->keyed[event->calls] = strcmp(key, "(null)") != 0;
	snprintf(event->call[event->calls++], sizeof(event->call[0]),
		 "ring %s/%s operation=%s %s key=%s", uid, gid, operation,
		 result_of(record, result, sizeof(result)), key);
}

static void print_own(int type, const char *record)
{
	static const char *const told[] = {
		"apparmor=",  "operation=",	 "profile=",	"name=",
		"target=",    "capname=",	 "family=",	"signal=",
		"requested=", "requested_mask=", "denied_mask="};
	char who[64], what[128];

	if (!strchr(value(record, "comm=", who, sizeof(who)), '/'))
		return;
	printf("own %d %s", type, who);
	for (size_t i = 0; i < sizeof(told) / sizeof(*told); i++)
		if (*value(record, told[i], what, sizeof(what)))
			printf(" %s%s", told[i], what);
	putchar('\n');
}

/* There is one for each rule with that path, and how many rules that is may be
 * different: each path once. */
static void print_change(struct event *event, const char *record)
{
	char operation[32], path[128];

	value(record, "op=", operation, sizeof(operation));
	if (!*value(record, "path=", path, sizeof(path)))
		value(record, "dir=", path, sizeof(path));
	if (!*path)
		return;
	for (size_t i = 0; i < event->changes; i++)
		if (!strcmp(path, event->changed[i]))
			return;
	if (event->changes < MOST_CHANGED)
		strcpy(event->changed[event->changes++], path);
	printf("change %s %s\n", operation, path);
}

static void take_record(int type, const char *record)
{
	struct event *event = event_of(serial_of(record));

	count_type(event, type);
	if (type == AUDIT_SYSCALL) {
		add_call(event, record);
	} else if (type == AUDIT_URINGOP) {
		add_ring(event, record);
	} else if (type == AUDIT_CONFIG_CHANGE) {
		print_change(event, record);
	} else if (!goes_with_call(type)) {
		event->own = true;
		print_own(type, record);
	}
}

/* All that are there. */
static void take_records(int fd)
{
	struct audit_reply reply;

	while (audit_get_reply(fd, &reply, GET_REPLY_NONBLOCKING, 0) > 0) {
		reply.message = reply.msg.data;
		reply.msg.data[reply.len] = 0;
		if (reply.type == AUDIT_LOGIN ||
		    (reply.type >= AUDIT_FIRST_USER_MSG &&
		     reply.type != AUDIT_REPLACE))
			take_record(reply.type, reply.msg.data);
	}
}

/* Until the other end of DONE is closed and nothing more comes. */
static void be_the_daemon(int done)
{
	int fd = audit_open();
	bool ended = false;

	if (fd < 0 || audit_set_pid(fd, (uint32_t)getpid(), WAIT_YES) <= 0) {
		puts("bad events: not taken as the audit daemon");
		exit(1);
	}
	if (write(done, "", 1) != 1)
		exit(1);
	for (;;) {
		struct pollfd poll_of[] = {{fd, POLLIN, 0}, {done, POLLIN, 0}};
		int got = poll(poll_of, ended ? 1 : 2, ended ? 60 : -1);

		if (got == 0)
			break;
		if (poll_of[0].revents) {
			/* many at once: in an emulated guest the way from one
			 * process to another is long, and the kernel keeps them
			 * (init: rmem_default) */
			if (!ended)
				usleep(10000);
			take_records(fd);
		} else if (!ended && poll_of[1].revents) {
			ended = true;
		}
	}
	for (size_t i = 0; i < OPEN_EVENTS; i++)
		close_event(&events[i]);
	exit(fflush(stdout) != 0);
}

bool heard_begin(void)
{
	int ends[2];
	char byte;

	fflush(stdout);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return false;
	daemon_process = fork();
	if (!daemon_process) {
		close(ends[0]);
		prctl(PR_SET_NAME, "daemon");
		/* what the maker of the calls says comes between lines */
		setvbuf(stdout, NULL, _IOLBF, 0);
		be_the_daemon(ends[1]);
	}
	close(ends[1]);
	daemon_end = ends[0];
	return daemon_process > 0 && read(daemon_end, &byte, 1) == 1;
}

/* How many records are on their way yet; -1 if nobody says. */
static long status(unsigned int *lost)
{
	int fd = audit_open(), sequence = audit_request_status(fd);
	struct pollfd pollfd = {fd, POLLIN, 0};
	struct audit_reply reply;
	long backlog = -1;

	while (sequence > 0 && backlog < 0 && poll(&pollfd, 1, 10000) > 0)
		if (audit_get_reply(fd, &reply, GET_REPLY_NONBLOCKING, 0) > 0 &&
		    reply.type == AUDIT_GET) {
			backlog = reply.status->backlog;
			*lost = reply.status->lost;
		}
	close(fd);
	return backlog;
}

bool heard_end(void)
{
	unsigned int lost = 0;
	int fd, ended = 0;
	long backlog;

	for (int quiet = 0; quiet < 2; usleep(10000)) {
		backlog = status(&lost);
		if (backlog < 0)
			break;
		quiet = backlog ? 0 : quiet + 1;
	}
	close(daemon_end);
	waitpid(daemon_process, &ended, 0);
	if (backlog < 0)
		puts("bad no status");
	if (lost) {
		printf("bad %u records were lost\n", lost);
		fd = audit_open();
		audit_reset_lost(fd);
		close(fd);
	}
	return !ended && !lost && backlog == 0;
}
