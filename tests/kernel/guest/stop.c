/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stop SIGNAL MILLISECONDS WHOM COMMAND...: runs COMMAND in a process group of
 * its own, sends it SIGNAL (a number) after that time and prints how it ended:
 * "exit N" or "signal N". WHOM: command, child, grandchild, or group. Waits
 * until nothing of the group runs any more.
 */
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TRIES 10000

struct process {
	pid_t parent, group;
	char state;
};

static void pause_for(long milliseconds)
{
	const struct timespec time = {milliseconds / 1000,
				      milliseconds % 1000 * 1000000};

	nanosleep(&time, NULL);
}

static bool read_process(pid_t pid, struct process *process)
{
	char path[64];
	FILE *file;
	int got;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "r");
	if (!file)
		return false;
	got = fscanf(file, "%*d (%*[^)]) %c %d %d", &process->state,
		     &process->parent, &process->group);
	fclose(file);
	return got == 3 && process->state != 'Z';
}

/* A process that runs: a child of PARENT, or of the group GROUP; 0: none. */
static pid_t find(pid_t parent, pid_t group)
{
	DIR *all = opendir("/proc");
	struct dirent *entry;
	pid_t found = 0;

	while (all && !found && (entry = readdir(all))) {
		pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
		struct process process;

		if (pid > 0 && read_process(pid, &process) &&
		    (process.parent == parent || process.group == group))
			found = pid;
	}
	closedir(all);
	return found;
}

static void send_signal(pid_t command, const char *whom, int number)
{
	for (int i = 0; i < TRIES; i++, pause_for(1)) {
		pid_t to = command;

		if (!strcmp(whom, "group"))
			to = -command;
		if (!strcmp(whom, "child") || !strcmp(whom, "grandchild"))
			to = find(command, -1);
		if (to > 0 && !strcmp(whom, "grandchild"))
			to = find(to, -1);
		if (to && !kill(to, number))
			return;
	}
	puts("stop: there is no such process");
}

int main(int argc, char **argv)
{
	pid_t command;
	int status, tries = 0;

	if (argc < 5) {
		fputs("usage: stop SIGNAL MILLISECONDS WHOM COMMAND...\n",
		      stderr);
		return 2;
	}
	command = fork();
	if (!command) {
		setpgid(0, 0);
		/* the shell ignores it for what runs in the background */
		signal(SIGINT, SIG_DFL);
		execv(argv[4], argv + 4);
		_exit(127);
	}
	setpgid(command, command);
	pause_for(atol(argv[2]));
	send_signal(command, argv[3], atoi(argv[1]));
	waitpid(command, &status, 0);
	while (find(-1, command) && tries++ < TRIES)
		pause_for(1);
	if (WIFSIGNALED(status))
		printf("signal %d\n", WTERMSIG(status));
	else
		printf("exit %d\n", WEXITSTATUS(status));
	return 0;
}
