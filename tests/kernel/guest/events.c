/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events PATHS TOUCHED [all]: makes system calls under several identities and
 * prints what the kernel records of them, as the audit daemon hears it (see
 * guest/heard.h). All identities work on each path that the file PATHS has a line
 * of, if these are few; on those in TOUCHED two of them do, and less. With `all` every call number
 * is tried. WHO is IDENTITY/WHAT, where WHAT is the number of the line in PATHS,
 * t and the number of the line in TOUCHED, or mount, ring, task, all.
 *
 * Nothing is compared here: two rule sets log the same when this prints the same
 * lines, sorted. So that they can, each run has the same process numbers, and
 * session numbers that end in the same four bits.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest/heard.h"
#include "guest/steps.h"

#define NO_AUID (-1)
#define MOST_PATHS 512
#define FEW_PATHS 3 /* of more, each is left to two of the identities */
#define SECONDS_A_PART 300
#define FIRST_PROCESS 2000
#define PROCESSES_A_PART 128 /* a ring's workers are many */

struct paths {
	char *path[MOST_PATHS];
	size_t count;
};

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

#define IDENTITIES (sizeof(identities) / sizeof(*identities))

static struct paths paths, touched;
static const struct identity *who;
static pid_t child, next_process = FIRST_PROCESS;

static void read_paths(struct paths *to, const char *file)
{
	FILE *stream = fopen(file, "r");
	char *line = NULL;
	size_t room = 0;

	if (!stream) {
		perror(file);
		exit(2);
	}
	while (to->count < MOST_PATHS && getline(&line, &room, stream) > 0) {
		line[strcspn(line, "\n")] = 0;
		to->path[to->count++] = strdup(line);
	}
	free(line);
	fclose(stream);
}

static void write_number(const char *file, int number)
{
	int fd = open(file, O_WRONLY);

	if (fd < 0 || dprintf(fd, "%d", number) < 0 || close(fd))
		perror(file);
}

/* fork(), and the child has the process number that was chosen, or one with the
 * same last four bits: a worker of the kernel may have the first. */
static pid_t fork_as(pid_t wanted)
{
	for (int tries = 0; tries < 64; tries++, wanted += 16) {
		pid_t got;

		write_number("/proc/sys/kernel/ns_last_pid", wanted - 1);
		got = fork();
		if (!got && getpid() == wanted)
			return 0;
		if (!got)
			_exit(0);
		if (got == wanted || got < 0)
			return got;
		waitpid(got, NULL, 0);
	}
	return -1;
}

static void mark(const char *what)
{
	char text[64]; /* 15 bytes of it are kept */

	snprintf(text, sizeof(text), "%s/%s", who->name, what);
	prctl(PR_SET_NAME, text);
}

static void become(void)
{
	if (who->auid != NO_AUID)
		write_number("/proc/self/loginuid", who->auid);
	if (setgroups(who->groups, who->group) ||
	    setresgid(who->gid, who->gid, who->gid) ||
	    setresuid(who->uid, who->uid, who->uid))
		perror("events: identity");
}

static void too_long(int number)
{
	(void)number;
	kill(child, SIGKILL);
}

/* A child for each part: what one part does to its process ends with it. */
static void part(const char *what, void (*steps)(const char *),
		 const char *path)
{
	int status = 0;

	child = fork_as(next_process);
	next_process += PROCESSES_A_PART;
	if (!child) {
		signal(SIGALRM, SIG_DFL);
		mark("start");
		become();
		mark(what);
		steps(path);
		_exit(0);
	}
	alarm(SECONDS_A_PART);
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	alarm(0);
	if (child < 0 || WIFSIGNALED(status))
		printf("bad %s/%s did not come to its end, status %x\n",
		       who->name, what, status);
}

static void touch_all(const char *path)
{
	size_t me = (size_t)(who - identities);

	(void)path;
	for (size_t i = 0; i < touched.count; i++) {
		char what[24];

		if (i % IDENTITIES != me && (i + i / 5 + 3) % IDENTITIES != me)
			continue;
		snprintf(what, sizeof(what), "t%zu", i + 1);
		mark(what);
		steps_touching(touched.path[i]);
	}
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
	size_t some = all ? 3 : 1;

	for (who = identities; who < identities + IDENTITIES; who++) {
		for (size_t p = 0; p < paths.count; p++) {
			char what[24];

			if (paths.count > FEW_PATHS &&
			    (p + (size_t)(who - identities)) % 3 != 0)
				continue;
			snprintf(what, sizeof(what), "%zu", p + 1);
			part(what, steps_with_path, paths.path[p]);
		}
		for (size_t p = 0; p < paths.count && p < some; p++) {
			part("mount", steps_with_mount, paths.path[p]);
			part("ring", steps_with_ring, paths.path[p]);
		}
		if (touched.count)
			part("touch", touch_all, NULL);
		part("task", task_steps, NULL);
		if (all)
			part("all", every_call, NULL);
	}
}

static unsigned int session(void)
{
	FILE *file = fopen("/proc/self/sessionid", "r");
	unsigned int number = 0;

	if (!file || fscanf(file, "%u", &number) != 1)
		perror("events: session");
	if (file)
		fclose(file);
	return number;
}

/* Every session number that is given is one more. */
static void even_out_sessions(void)
{
	int status;

	do {
		pid_t one = fork();

		if (!one) {
			write_number("/proc/self/loginuid", 0);
			_exit(session() % 16 == 15 ? 0 : 1);
		}
		if (one < 0 || waitpid(one, &status, 0) < 0)
			return;
	} while (status);
}

/* What /bin/y does, a copy of this program that some steps run. */
static int other_program(void)
{
	int fd = open("/etc/passwd", O_RDONLY | O_CLOEXEC);

	if (fd >= 0)
		close(fd);
	fd = open("/etc/is-not-there", O_RDWR | O_CLOEXEC);
	return chmod("/b", 0644) && getppid() == fd;
}

int main(int argc, char **argv)
{
	const struct sigaction action = {.sa_handler = too_long};
	pid_t maker;
	int status;

	if (!strcmp(argv[0], "/bin/y"))
		return other_program();
	if (argc < 3) {
		fputs("usage: events PATHS TOUCHED [all]\n", stderr);
		return 2;
	}
	read_paths(&paths, argv[1]);
	read_paths(&touched, argv[2]);
	even_out_sessions();
	if (!heard_begin())
		return 1;
	maker = fork_as(FIRST_PROCESS - 1);
	if (!maker) {
		sigaction(SIGALRM, &action, NULL);
		make_events(argc > 3);
		exit(fflush(stdout) != 0);
	}
	if (maker < 0 || waitpid(maker, &status, 0) < 0 || status)
		puts("bad events: not all were made");
	return !heard_end();
}
