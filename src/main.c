/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * auditopt: a compiler and optimizer for Linux audit rules. Here: which
 * subcommand is asked for.
 */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <string.h>

#include "cli/cli.h"

/* A file opened while descriptor 0, 1 or 2 is closed would get its number, and
 * messages would end up in it. The wrong direction makes use of it an error. */
static void keep_standard_descriptors(void)
{
	static const int direction[] = {O_WRONLY, O_RDONLY, O_RDONLY};

	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			(void)open("/dev/null", direction[fd]);
}

/* Arenas come and go, and what one gave back the next one takes: to have the
 * kernel clear the pages each time would take a quarter of all time. */
static void keep_memory(void)
{
	mallopt(M_MMAP_THRESHOLD, 32 << 20);
	mallopt(M_TRIM_THRESHOLD, 64 << 20);
}

int main(int argc, char **argv)
{
	static char optimize[] = "auditopt", cost[] = "auditopt cost",
		    dump[] = "auditopt dump", diff[] = "auditopt diff",
		    explain[] = "auditopt explain",
		    calibrate[] = "auditopt calibrate";
	const char *word = argc > 1 ? argv[1] : "";

	keep_standard_descriptors();
	keep_memory();
	if (strcmp(word, "cost") == 0) {
		argv[1] = cost;
		return cli_cost(argc - 1, argv + 1);
	}
	if (strcmp(word, "dump") == 0) {
		argv[1] = dump;
		return cli_dump(argc - 1, argv + 1);
	}
	if (strcmp(word, "diff") == 0) {
		argv[1] = diff;
		return cli_diff(argc - 1, argv + 1);
	}
	if (strcmp(word, "explain") == 0) {
		argv[1] = explain;
		return cli_explain(argc - 1, argv + 1);
	}
	if (strcmp(word, "calibrate") == 0) {
		argv[1] = calibrate;
		return cli_calibrate(argc - 1, argv + 1);
	}
	if (argc == 0)
		return cli_usage_error(CLI_OPTIMIZE, "no arguments at all");
	argv[0] = optimize;
	return cli_optimize(argc, argv);
}
