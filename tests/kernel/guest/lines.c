/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines DIRECTORY FILE: gives each line of FILE (line.h) to the auditctl in
 * DIRECTORY, and compares what it says and what the kernel then lists with what
 * is expected. Prints each line that differs, and at the end how many did not.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest/line.h"
#include "guest/listed.h"

#define LINE_FILE "/tmp/line"
#define TOLD_FILE "/tmp/told"

static const char *const outcome_names[] = {"accepted", "refused",
					    "refused by the kernel"};

static bool write_line(const char *text, size_t length)
{
	int fd = open(LINE_FILE, O_WRONLY | O_CREAT | O_TRUNC, 0640);
	bool good = fd >= 0 && write(fd, text, length) == (ssize_t)length &&
		    write(fd, "\n", 1) == 1;

	return close(fd) == 0 && good;
}

static int run_auditctl(const char *directory)
{
	int status;
	pid_t child = fork();

	if (!child) {
		char loader[256], program[256];
		int told = open(TOLD_FILE, O_WRONLY | O_CREAT | O_TRUNC, 0600);

		snprintf(loader, sizeof(loader), "%s/ld-linux-x86-64.so.2",
			 directory);
		snprintf(program, sizeof(program), "%s/auditctl", directory);
		dup2(told, STDOUT_FILENO);
		dup2(told, STDERR_FILENO);
		execl(loader, loader, "--library-path", directory, program,
		      "-R", LINE_FILE, (char *)NULL);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &status, 0) < 0)
		return -1;
	return status;
}

/* The beginning of what auditctl said. */
static const char *told(void)
{
	static char text[2048];
	FILE *file = fopen(TOLD_FILE, "r");
	size_t got = file ? fread(text, 1, sizeof(text) - 1, file) : 0;

	text[got] = 0;
	if (file)
		fclose(file);
	return text;
}

static enum line_outcome outcome_of(int status)
{
	/* with -i in the line auditctl says 0 */
	if (!status && !strstr(told(), "There was an error"))
		return LINE_ACCEPTED;
	return strstr(told(), "Error sending add rule") ? LINE_REFUSED_BY_KERNEL
							: LINE_REFUSED;
}

/* What came before in the same boot must not count. */
static void clean_up(int fd)
{
	if (!listed_delete_all(fd)) {
		puts("bad rules cannot be deleted");
		exit(1);
	}
	audit_set_enabled(fd, 1);
}

static void print_bad(const char *text, const struct line_head *head,
		      enum line_outcome outcome, int status)
{
	printf("bad ");
	for (uint32_t i = 0; i < head->text; i++)
		printf(text[i] >= 32 && text[i] < 127 ? "%c" : "\\x%02x",
		       (unsigned char)text[i]);
	printf("\n  auditopt: %s, auditctl: %s (status %d): %.*s\n",
	       outcome_names[head->outcome], outcome_names[outcome], status,
	       (int)strcspn(told(), "\n"), told());
}

static bool try_line(int fd, const char *directory,
		     const struct line_head *head, const char *text,
		     const struct listed *want)
{
	static struct listed got;
	enum line_outcome outcome;
	int status;
	bool good;

	if (!write_line(text, head->text)) {
		perror(LINE_FILE);
		exit(1);
	}
	status = run_auditctl(directory);
	outcome = outcome_of(status);
	if (!listed_get(&got, fd))
		exit(1);
	/* who refuses is no matter */
	good = (outcome == LINE_ACCEPTED) == (head->outcome == LINE_ACCEPTED);
	if (!good)
		print_bad(text, head, outcome, status);
	else if (listed_compare(want, &got)) {
		good = false;
		print_bad(text, head, outcome, status);
	}
	if (got.count)
		clean_up(fd);
	listed_free(&got);
	return good;
}

static bool read_line(FILE *file, struct line_head *head, char *text,
		      size_t room, struct listed *want)
{
	static char rule[65536];

	if (fread(head, sizeof(*head), 1, file) != 1)
		return false;
	want->count = 0;
	if (head->text >= room || head->rule > sizeof(rule) ||
	    fread(text, 1, head->text, file) != head->text ||
	    (head->rule && fread(rule, head->rule, 1, file) != 1)) {
		puts("bad a damaged file of lines");
		exit(1);
	}
	if (head->rule) {
		want->count = 1;
		want->item[0].rule = (struct audit_rule_data *)rule;
		want->item[0].size = head->rule;
	}
	return true;
}

int main(int argc, char **argv)
{
	static struct listed want;
	static char text[8192];
	struct line_head head;
	unsigned int good = 0, tally[LINE_OUTCOMES] = {0};
	FILE *file = argc == 3 ? fopen(argv[2], "r") : NULL;
	int fd = audit_open();

	if (!file || fd < 0) {
		perror("lines");
		return 2;
	}
	while (read_line(file, &head, text, sizeof(text), &want)) {
		good += try_line(fd, argv[1], &head, text, &want);
		tally[head.outcome]++;
	}
	printf("good %s: %u lines alike; expected: %u accepted, %u refused by "
	       "auditctl, %u by the kernel\n",
	       argv[1], good, tally[0], tally[1], tally[2]);
	return 0;
}
