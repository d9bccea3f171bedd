/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events PATHS [all]: makes system calls under several identities, with each
 * path that the file PATHS has a line of, and prints what the kernel records of
 * them, as the audit daemon hears it:
 *
 *	WHO ARCH CALL RESULT AUID KEY [own]
 *
 * Only calls of this program are in it. WHO is the identity and what it does.
 * RESULT is yes, the errno, or none (a call that does not return). "own": the
 * kernel logged something by itself in that call, and the record goes with it.
 * With `all` every call number is tried. Nothing is compared here: two rule sets
 * log the same when this prints the same.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <libaudit.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest/steps.h"

#define NO_AUID (-1)
#define MOST_PATHS 256
#define OWN_EVENTS 64

static const struct identity {
	const char *name;
	int auid;
	uid_t uid;
	gid_t gid;
	gid_t group[2];
	size_t groups;
} identities[] = {
	{"daemon", NO_AUID, 0, 0, {0}, 0},
	{"www", NO_AUID, 33, 33, {33}, 1},
	{"root", 0, 0, 0, {0, 4}, 2},
	{"service", 500, 1000, 33, {27, 1000}, 2},
	{"user", 1000, 1000, 1000, {27, 1000}, 2},
	{"su", 1000, 0, 0, {1000}, 1},
};

static char *paths[MOST_PATHS];
static size_t path_count;

static void read_paths(const char *file)
{
	FILE *stream = fopen(file, "r");
	char *line = NULL;
	size_t room = 0;

	if (!stream) {
		perror(file);
		exit(2);
	}
	while (path_count < MOST_PATHS && getline(&line, &room, stream) > 0) {
		line[strcspn(line, "\n")] = 0;
		paths[path_count++] = strdup(line);
	}
	free(line);
	fclose(stream);
}

static void mark(const struct identity *who, const char *what)
{
	char text[16];

	snprintf(text, sizeof(text), "%s/%s", who->name, what);
	prctl(PR_SET_NAME, text);
}

static void become(const struct identity *who)
{
	int fd;

	if (who->auid != NO_AUID) {
		fd = open("/proc/self/loginuid", O_WRONLY);
		if (fd < 0 || dprintf(fd, "%d", who->auid) < 0 || close(fd))
			perror("events: loginuid");
	}
	if (setgroups(who->groups, who->group) ||
	    setresgid(who->gid, who->gid, who->gid) ||
	    setresuid(who->uid, who->uid, who->uid))
		perror("events: identity");
}

/* A child for each part: what one part does to its process ends with it. */
static void part(const struct identity *who, const char *what,
		 void (*steps)(const char *), const char *path)
{
	int status;
	pid_t child = fork();

	if (!child) {
		alarm(60);
		mark(who, "start");
		become(who);
		mark(who, what);
		steps(path);
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) < 0 ||
	    (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM))
		printf("bad %s/%s did not come to its end\n", who->name, what);
}

static void task_steps(const char *path)
{
	(void)path;
	steps_of_task();
}

static void every_call(const char *path)
{
	(void)path;
	steps_with_every_call();
}

static void make_events(bool all)
{
	for (size_t i = 0; i < sizeof(identities) / sizeof(*identities); i++) {
		const struct identity *who = &identities[i];

		for (size_t p = 0; p < path_count; p++) {
			char what[16];

			snprintf(what, sizeof(what), "%zu", p);
			part(who, what, steps_with_path, paths[p]);
		}
		if (path_count)
			part(who, "ring", steps_with_ring, paths[0]);
		part(who, "task", task_steps, NULL);
		if (all)
			part(who, "all", every_call, NULL);
	}
}

/* Reading the records */

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

static unsigned long own[OWN_EVENTS]; /* serial numbers, the last ones */

static unsigned long serial_of(const char *record)
{
	const char *colon = strchr(record, ':');

	return colon ? strtoul(colon + 1, NULL, 10) : 0;
}

static bool is_own(unsigned long serial)
{
	for (size_t i = 0; i < OWN_EVENTS; i++)
		if (own[i] == serial)
			return true;
	return false;
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

static void print_call(int type, const char *record)
{
	char who[64], arch[16], call[16], success[8], result[24], auid[16];
	char key[300];
	long code;

	value(record, "comm=", who, sizeof(who));
	if (!strchr(who, '/'))
		return; /* not one of ours: the shell, auditctl */
	value(record, "arch=", arch, sizeof(arch));
	value(record, type == AUDIT_URINGOP ? "uring_op=" : "syscall=", call,
	      sizeof(call));
	value(record, "success=", success, sizeof(success));
	value(record, "exit=", result, sizeof(result));
	value(record, "auid=", auid, sizeof(auid));
	value(record, "key=", key, sizeof(key));
	code = strtol(result, NULL, 10);
	if (!*success)
		strcpy(result, "none");
	else if (!strcmp(success, "yes") || code >= 0)
		strcpy(result, "yes");
	printf("%s %s %s%s %s %s %s%s\n", who, arch,
	       type == AUDIT_URINGOP ? "ring-" : "", call, result, auid, key,
	       is_own(serial_of(record)) ? " own" : "");
}

static void take_record(int type, const char *record)
{
	static size_t next;

	if (type == AUDIT_SYSCALL || type == AUDIT_URINGOP)
		print_call(type, record);
	else if (!goes_with_call(type))
		own[next++ % OWN_EVENTS] = serial_of(record);
}

/* Until the other end of DONE is closed and nothing more comes. */
static void be_the_daemon(int done)
{
	int fd = audit_open();
	struct audit_reply reply;
	bool ended = false;

	if (fd < 0 || audit_set_pid(fd, (uint32_t)getpid(), WAIT_YES) <= 0) {
		puts("bad events: not taken as the audit daemon");
		exit(1);
	}
	if (write(done, "", 1) != 1)
		exit(1);
	for (;;) {
		struct pollfd poll_of[] = {{fd, POLLIN, 0}, {done, POLLIN, 0}};
		int got = poll(poll_of, ended ? 1 : 2, ended ? 300 : -1);

		if (got == 0)
			break;
		if (poll_of[0].revents &&
		    audit_get_reply(fd, &reply, GET_REPLY_NONBLOCKING, 0) > 0) {
			reply.message = reply.msg.data;
			reply.msg.data[reply.len] = 0;
			if (reply.type == AUDIT_LOGIN ||
			    (reply.type >= AUDIT_FIRST_USER_MSG &&
			     reply.type != AUDIT_REPLACE))
				take_record(reply.type, reply.msg.data);
		} else if (!ended && poll_of[1].revents) {
			ended = true;
		}
	}
	exit(fflush(stdout) != 0);
}

static void print_lost(void)
{
	int fd = audit_open(), sequence = audit_request_status(fd);
	struct pollfd pollfd = {fd, POLLIN, 0};
	struct audit_reply reply;

	while (sequence > 0 && poll(&pollfd, 1, 1000) > 0)
		if (audit_get_reply(fd, &reply, GET_REPLY_NONBLOCKING, 0) > 0 &&
		    reply.type == AUDIT_GET) {
			if (reply.status->lost)
				printf("bad %u records were lost\n",
				       reply.status->lost);
			audit_reset_lost(fd);
			return;
		}
	puts("bad no status");
}

int main(int argc, char **argv)
{
	int ends[2], status;
	pid_t daemon;
	char byte;

	if (argc < 2) {
		fputs("usage: events PATHS [all]\n", stderr);
		return 2;
	}
	read_paths(argv[1]);
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		return 1;
	daemon = fork();
	if (!daemon) {
		close(ends[0]);
		be_the_daemon(ends[1]);
	}
	close(ends[1]);
	if (read(ends[0], &byte, 1) != 1)
		return 1;
	make_events(argc > 2);
	close(ends[0]);
	waitpid(daemon, &status, 0);
	print_lost();
	return status != 0;
}
