/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long a call takes. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/calibrate_run.h"

/* Short enough that most loops see no timer interrupt. */
#define LOOP_NANOSECONDS (1000 * 1000)
#define LOOPS 16
#define CALLS_MOST (1u << 20)
#define ROUNDS_LEAST 3
#define ROUNDS_MOST 24
#define RANGE_WANTED 0.01 /* of the best */
#define CHILD_MILLISECONDS (30 * 1000)

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* Nanoseconds that CALLS calls take. */
static uint64_t loop(unsigned int calls)
{
	uint64_t start = now();

	for (unsigned int i = 0; i < calls; i++)
		syscall(CALIBRATE_CALL, 0, 0, 0, 0);
	return now() - start;
}

/* The best of several loops, for one call. */
static double best_loop(void)
{
	unsigned int calls = 64;
	uint64_t best = UINT64_MAX;

	while (calls < CALLS_MOST && loop(calls) < LOOP_NANOSECONDS)
		calls *= 2;
	for (int i = 0; i < LOOPS; i++) {
		uint64_t spent = loop(calls);

		if (spent < best)
			best = spent;
	}
	return (double)best / calls;
}

/* Moving from one processor to another would cost more than some rules. */
static void stay_here(void)
{
	cpu_set_t here;
	int cpu = sched_getcpu();

	if (cpu < 0 || cpu >= CPU_SETSIZE)
		return;
	CPU_ZERO(&here);
	CPU_SET(cpu, &here);
	(void)sched_setaffinity(0, sizeof(here), &here);
}

static void be_measured(int to, pid_t runner)
{
	double best;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != runner)
		_exit(1);
	stay_here();
	best = best_loop();
	_exit(write(to, &best, sizeof(best)) == sizeof(best) ? 0 : 1);
}

/* What the child writes, in *BEST; false if it does not in time. */
static bool hear(int from, double *best)
{
	struct pollfd pollfd = {from, POLLIN, 0};
	int ready;

	do {
		ready = poll(&pollfd, 1, CHILD_MILLISECONDS);
	} while (ready < 0 && errno == EINTR);
	return ready > 0 && read(from, best, sizeof(*best)) == sizeof(*best);
}

/* One round in a child. Returns NULL, or why it failed. */
static const char *time_round(double *best)
{
	pid_t runner = getpid(), child;
	int ends[2];
	bool heard;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return "no pipe can be made";
	child = fork();
	if (child == 0)
		be_measured(ends[1], runner);
	close(ends[1]);
	heard = child > 0 && hear(ends[0], best);
	close(ends[0]);
	if (child < 0)
		return "no process can be made";
	if (!heard)
		kill(child, SIGKILL);
	while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	return heard ? NULL
		     : "the process whose calls were timed ended early, or "
		       "took "
		       "too long";
}

/* Puts VALUE in its place among COUNT that are sorted. */
static void insert(double *sorted, int count, double value)
{
	int i = count;

	for (; i > 0 && sorted[i - 1] > value; i--)
		sorted[i] = sorted[i - 1];
	sorted[i] = value;
}

const char *calibrate_time(const sigset_t *stop, struct timed *timed)
{
	const struct timespec at_once = {0, 0};
	double sorted[ROUNDS_MOST];

	for (int count = 0; count < ROUNDS_MOST && !timed->stable;) {
		double best;
		const char *why = time_round(&best);

		if (why)
			return why;
		if (sigtimedwait(stop, NULL, &at_once) > 0)
			return "";
		insert(sorted, count++, best);
		if (count < ROUNDS_LEAST)
			continue;
		timed->best = sorted[0];
		timed->range = sorted[ROUNDS_LEAST - 1] - sorted[0];
		timed->stable = timed->range <= RANGE_WANTED * timed->best;
	}
	return NULL;
}
