/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "util/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "util/terminal.h"

#define FIRST_MILLISECONDS 1000
#define BETWEEN_MILLISECONDS 100
/* Back to the beginning of the line, and the rest of it cleared (ECMA-48). */
#define LINE_BEGIN "\r\033[K"
#define TEXT_MAX 120

/* Some milliseconds more or less do not matter, and this clock is the cheapest. */
static long long now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
	return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

void progress_begin(struct progress *progress, int fd, bool wanted)
{
	*progress = (struct progress){.fd = -1};
	if (!wanted || !isatty(fd) || terminal_is_dumb())
		return;
	progress->fd = fd;
	progress->due = now() + FIRST_MILLISECONDS;
}

/* All at once, and not through stdio: nothing else may come in between. */
static void put(const struct progress *progress, const char *text,
		size_t length)
{
	ssize_t written = write(progress->fd, text, length);

	(void)written; /* nobody is there to see it, then */
}

/* The cursor stays in the line: behind its last column some terminals wrap at
 * once. */
static void draw(const struct progress *progress, const char *text,
		 size_t length)
{
	unsigned int columns = terminal_columns(progress->fd);
	char line[sizeof(LINE_BEGIN) + TEXT_MAX];
	int size;

	if (length >= columns)
		length = columns - 1;
	size = snprintf(line, sizeof(line), LINE_BEGIN "%.*s", (int)length,
			text);
	put(progress, line, (size_t)size);
}

void progress_step(struct progress *progress, const char *phase, size_t at,
		   size_t of)
{
	char text[TEXT_MAX];
	int length;

	if (!progress || progress->fd < 0 || now() < progress->due)
		return;
	progress->due = now() + BETWEEN_MILLISECONDS;
	if (!terminal_is_ours(progress->fd))
		return;
	if (of)
		length = snprintf(text, sizeof(text),
				  "auditopt: %.60s %zu of %zu", phase, at, of);
	else
		length = snprintf(text, sizeof(text), "auditopt: %.60s", phase);
	draw(progress, text, (size_t)length);
	progress->drawn = true;
}

void progress_clear(struct progress *progress)
{
	if (!progress || !progress->drawn)
		return;
	put(progress, LINE_BEGIN, sizeof(LINE_BEGIN) - 1);
	progress->drawn = false;
}
