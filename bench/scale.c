/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Time and memory of auditopt for rule sets of growing size, one row a size.
 *   scale AUDITOPT [FILE...]   the table; each FILE gets a row too
 *   scale --generate COUNT     prints the rule set that a row was made with
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define REPEATS 3

/* Something like a hardening guide's rule set, but long: watches, one demand
 * for both ABIs, refused accesses by errno, privileged programs by path. All
 * differ in path, user or key; about one in twenty is worth nothing. */
static void generate(FILE *stream, unsigned int count)
{
	static const char *const calls[] = {
		"chmod,fchmod,fchmodat",
		"chown,fchown,fchownat,lchown",
		"setxattr,lsetxattr,fsetxattr",
		"mount",
		"rename,renameat",
		"unlink,unlinkat,rmdir",
		"open,openat,creat,truncate",
		"setuid,setgid",
		"ptrace",
		"sethostname,setdomainname",
	};
	static const char *const errors[] = {"EACCES", "EPERM"};

	fputs("-D\n-b 8192\n", stream);
	for (unsigned int i = 0; i < count; i++) {
		const char *call = calls[i / 10 % 10];
		unsigned int group = i / 10;
		unsigned int uid = 1000 + i / 100;

		switch (i % 10) {
		case 0:
			fprintf(stream,
				"-w /srv/data/%u/app.conf -p wa -k file-%u\n",
				i, group % 50);
			break;
		case 1:
			fprintf(stream, "-w /srv/data/%u -p wa -k tree-%u\n", i,
				group % 50);
			break;
		case 2:
		case 3:
			fprintf(stream,
				"-a always,exit -F arch=b%s -S %s -F auid=%u "
				"-k who-%u\n",
				i % 2 ? "32" : "64", call, uid, group % 20);
			break;
		case 4:
		case 5:
			fprintf(stream,
				"-a always,exit -F arch=b64 -S %s -F exit=-%s "
				"-F auid>=%u -F auid!=unset -k refused-%u\n",
				call, errors[i % 2], uid, group % 20);
			break;
		case 6:
		case 7:
			fprintf(stream,
				"-a always,exit -F path=/usr/bin/tool-%u -F "
				"perm=x -F auid>=1000 -F auid!=unset -k "
				"tool-%u\n",
				i, group % 30);
			break;
		case 8:
			fprintf(stream,
				"-a always,exit -F arch=b64 -S %s -F "
				"dir=/srv/tree/%u -F success=%u -k tree-call\n",
				call, group, i / 20 % 2);
			break;
		default: /* one in two of these repeats the rule before it */
			fprintf(stream,
				"-a always,exit -F arch=b64 -S %s -F "
				"dir=/srv/tree/%u -F success=%u -F uid>=%u -k "
				"%s\n",
				call, group, group % 2 ? i / 20 % 2 : 1u, uid,
				group % 2 ? "tree-call" : "tree-user");
		}
	}
}

static double seconds(const struct timespec *t)
{
	return (double)t->tv_sec + (double)t->tv_nsec / 1e9;
}

/* Runs PROGRAM on FILE once. */
static int run(const char *program, const char *file, double *time, long *kib)
{
	struct timespec start, end;
	struct rusage usage;
	int status;
	pid_t child;

	clock_gettime(CLOCK_MONOTONIC, &start);
	child = fork();
	if (child == 0) {
		int null = open("/dev/null", O_RDWR);

		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
		execl(program, program, "--keep-going", file, (char *)NULL);
		_exit(127);
	}
	if (child < 0 || wait4(child, &status, 0, &usage) < 0)
		return -1;
	clock_gettime(CLOCK_MONOTONIC, &end);
	*time = seconds(&end) - seconds(&start);
	*kib = usage.ru_maxrss;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static unsigned int count_rules(const char *file)
{
	FILE *stream = fopen(file, "r");
	char *line = NULL;
	size_t size = 0;
	unsigned int rules = 0;

	while (stream && getline(&line, &size, stream) > 0)
		rules += strncmp(line, "-a", 2) == 0 ||
			 strncmp(line, "-A", 2) == 0 ||
			 strncmp(line, "-w", 2) == 0;
	free(line);
	if (stream)
		fclose(stream);
	return rules;
}

static int row(const char *program, const char *file, const char *name)
{
	unsigned int rules = count_rules(file);
	double best = 0;
	long most = 0;

	for (int i = 0; i < REPEATS; i++) {
		double time = 0;
		long kib = 0;
		int status = run(program, file, &time, &kib);

		if (status != 0) {
			fprintf(stderr, "scale: %s %s ended with status %d\n",
				program, file, status);
			return 1;
		}
		if (i == 0 || time < best)
			best = time;
		if (kib > most)
			most = kib;
	}
	printf("%-28s %8u %10.3f %12.2f %10.1f\n", name, rules, best,
	       rules ? best * 1e6 / rules : 0.0, (double)most / 1024);
	return fflush(stdout) != 0;
}

static int table(const char *program, int files, char **file)
{
	static const unsigned int sizes[] = {100, 1000, 10000, 100000};
	int failed = 0;

	printf("%-28s %8s %10s %12s %10s\n", "rule set", "rules", "seconds",
	       "us per rule", "peak MiB");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		char name[] = "/tmp/auditopt-scale.XXXXXX";
		int fd = mkstemp(name);
		FILE *stream = fd < 0 ? NULL : fdopen(fd, "w");

		if (!stream) {
			perror("scale: /tmp");
			return 1;
		}
		generate(stream, sizes[i]);
		failed |=
			fclose(stream) != 0 || row(program, name, "generated");
		unlink(name);
	}
	for (int i = 0; i < files; i++) {
		const char *slash = strrchr(file[i], '/');

		failed |= row(program, file[i], slash ? slash + 1 : file[i]);
	}
	return failed;
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "--generate") == 0) {
		generate(stdout, (unsigned int)strtoul(argv[2], NULL, 10));
		return fflush(stdout) != 0;
	}
	if (argc < 2 || argv[1][0] == '-') {
		fputs("usage: scale AUDITOPT [FILE...]\n"
		      "       scale --generate COUNT\n",
		      stderr);
		return 2;
	}
	return table(argv[1], argc - 2, argv + 2);
}
