/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * auditopt: a compiler and optimizer for Linux audit rules. Here: which
 * subcommand is asked for.
 */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <string.h>

#include "cli/commands.h"

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
	const struct cli_subcommand *command = NULL;

	keep_standard_descriptors();
	keep_memory();
	if (argc == 0)
		return cli_usage_error(CLI_OPTIMIZE, "no arguments at all");
	if (argc > 1)
		command = cli_subcommand_named(argv[1]);
	if (command) {
		argc--;
		argv++;
	} else {
		command = cli_subcommand(0);
	}
	argv[0] = (char *)command->title; /* getopt only reads it */
	return command->run(argc, argv);
}
