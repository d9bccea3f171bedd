/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "util/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define FIRST_MILLISECONDS 1000
#define BETWEEN_MILLISECONDS 100
/* Back to the beginning of the line, and the rest of it cleared (ECMA-48). */
#define LINE_BEGIN "\r\033[K"

struct progress {
	int fd;
	long long due; /* milliseconds; when it may be drawn next */
	bool drawn;
};

static long long now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

struct progress *progress_new(struct arena *arena, int fd, bool wanted)
{
	struct progress *progress;

	if (!wanted || !isatty(fd))
		return NULL;
	progress = arena_alloc(arena, sizeof(*progress));
	progress->fd = fd;
	progress->due = now() + FIRST_MILLISECONDS;
	return progress;
}

/* All at once, and not through stdio: nothing else may come in between. */
static void put(const struct progress *progress, const char *text, int length)
{
	ssize_t written = write(progress->fd, text, (size_t)length);

	(void)written; /* nobody is there to see it, then */
}

void progress_step(struct progress *progress, const char *phase, size_t at,
		   size_t of)
{
	char line[120];
	int length;

	if (!progress || now() < progress->due)
		return;
	if (of)
		length = snprintf(line, sizeof(line),
				  LINE_BEGIN "auditopt: %.40s %zu of %zu",
				  phase, at, of);
	else
		length = snprintf(line, sizeof(line),
				  LINE_BEGIN "auditopt: %.40s %zu", phase, at);
	put(progress, line, length);
	progress->drawn = true;
	progress->due = now() + BETWEEN_MILLISECONDS;
}

void progress_clear(struct progress *progress)
{
	if (!progress || !progress->drawn)
		return;
	put(progress, LINE_BEGIN, sizeof(LINE_BEGIN) - 1);
	progress->drawn = false;
}
