/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "util/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define COLUMNS_USUAL 80
#define COLUMNS_MOST 10000

bool terminal_is_dumb(void)
{
	const char *term = getenv("TERM");

	return !term || !*term || strcmp(term, "dumb") == 0;
}

/* 0: COLUMNS says nothing that can be meant. */
static unsigned int columns_asked(void)
{
	const char *text = getenv("COLUMNS");
	long columns = text ? strtol(text, NULL, 10) : 0;

	return columns > 0 && columns < COLUMNS_MOST ? (unsigned int)columns
						     : 0;
}

unsigned int terminal_columns(int fd)
{
	unsigned int asked = columns_asked();
	struct winsize size;

	if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
		return asked ? asked : COLUMNS_USUAL;
	return asked && asked < size.ws_col ? asked : size.ws_col;
}

bool terminal_is_ours(int fd)
{
	pid_t front = tcgetpgrp(fd);

	return front < 0 || front == getpgrp();
}
