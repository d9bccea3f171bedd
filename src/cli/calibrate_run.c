/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/calibrate_run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/calibrate_steps.h"

/* The runner is given up when nothing comes of it for so long; a step has twice
 * 24 rounds of some hundredths of a second, and a child may take half a minute
 * to be given up in turn. */
#define RUNNER_MILLISECONDS (120 * 1000)

/* What the runner tells: a step is measured, or why nothing more will come. */
struct message {
	int step; /* -1: see why */
	struct timed base, with;
	char why[200];
};

struct runner {
	const struct calibrate_run *run;
	int to; /* the caller */
	struct kernel_link kernel;
	sigset_t stop; /* with SIGTERM, by which the caller ends it */
	struct kernel_rules added;
};

static bool tell(const struct runner *r, const struct message *message)
{
	return write(r->to, message, sizeof(*message)) ==
	       (ssize_t)sizeof(*message);
}

static bool fail(const struct runner *r, const char *what, const char *why)
{
	struct message message = {.step = -1};

	snprintf(message.why, sizeof(message.why), "%s%s%s", what,
		 *what ? ": " : "", why);
	(void)tell(r, &message);
	return false;
}

static bool delete_added(struct runner *r)
{
	int error = kernel_delete_all(&r->kernel, &r->added);

	kernel_rules_free(&r->added);
	kernel_drain(&r->kernel);
	return !error ||
	       fail(r, "the kernel keeps a test rule", strerror(error));
}

static bool add_rules(struct runner *r, const struct calibrate_step *step)
{
	int error = 0;

	r->added.rule = calloc(step->rules, sizeof(*r->added.rule));
	if (!r->added.rule)
		return fail(r, step->name, strerror(ENOMEM));
	for (unsigned int i = 0; i < step->rules && !error; i++) {
		struct audit_rule_data *rule =
			calibrate_rule(step, i, r->run->scratch);

		error = rule ? kernel_add(&r->kernel, rule) : ENOMEM;
		if (error)
			free(rule);
		else
			r->added.rule[r->added.count++] = rule;
		if (i % 8 == 7)
			kernel_drain(&r->kernel);
	}
	kernel_drain(&r->kernel);
	return !error || fail(r, step->name, strerror(error));
}

static bool time_calls(const struct runner *r, const char *name,
		       struct timed *timed)
{
	const char *why = calibrate_time(&r->stop, timed);

	return !why || fail(r, name, *why ? why : "interrupted");
}

/* The time without rules is taken anew each time: the processor's clock may
 * change. */
static bool run_step(struct runner *r, unsigned int i)
{
	const struct calibrate_step *step = calibrate_step(i);
	struct message message = {.step = (int)i};
	bool good = time_calls(r, step->name, &message.base) &&
		    add_rules(r, step) &&
		    time_calls(r, step->name, &message.with);

	return delete_added(r) && good && tell(r, &message);
}

static bool run_steps(struct runner *r)
{
	int error = kernel_delete_all(&r->kernel, r->run->saved);

	if (error)
		return fail(r, "the loaded rules cannot be taken out",
			    strerror(error));
	kernel_drain(&r->kernel);
	for (unsigned int i = 0; calibrate_step(i); i++)
		if (!run_step(r, i))
			return false;
	return true;
}

/* All signals are blocked. */
static void be_runner(const struct calibrate_run *run, int to, pid_t caller)
{
	struct runner r = {.run = run, .to = to, .stop = *run->stop};
	size_t foreign;
	bool good;
	int error;

	sigaddset(&r.stop, SIGTERM);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != caller)
		_exit(1);
	error = kernel_link_open(&r.kernel);
	good = error ? fail(&r, "audit_open", strerror(error)) : run_steps(&r);
	if (!error && getppid() != caller) {
		(void)kernel_restore(&r.kernel, run->saved, &foreign);
		rmdir(run->scratch);
	}
	_exit(good ? 0 : 1);
}

/* Something is there to be read at FD, or its end. */
static bool is_ready(const struct pollfd *pollfd)
{
	return pollfd->revents != 0;
}

/* Has a signal come that is to end it all? */
static bool take_signal(struct calibrate_run *run, int signals)
{
	struct signalfd_siginfo info;

	if (read(signals, &info, sizeof(info)) != sizeof(info))
		return false;
	run->signal = (int)info.ssi_signo;
	return true;
}

/* Takes one message. False: no more will come. */
static bool take_message(struct calibrate_run *run, int from,
			 unsigned int *steps)
{
	struct message message;

	if (read(from, &message, sizeof(message)) != (ssize_t)sizeof(message))
		return false;
	if (message.step < 0 || message.step >= CALIBRATE_STEPS_MOST) {
		if (!*run->why)
			memcpy(run->why, message.why, sizeof(run->why));
		return true;
	}
	run->base[message.step] = message.base;
	run->with[message.step] = message.with;
	*steps = (unsigned int)message.step + 1;
	run->progress(run->data, *steps);
	return true;
}

/* Until the runner is done, or has not been heard of for too long. */
static unsigned int listen_to(struct calibrate_run *run, int from, int signals,
			      pid_t runner)
{
	struct pollfd pollfds[] = {{from, POLLIN, 0}, {signals, POLLIN, 0}};
	unsigned int steps = 0;

	for (;;) {
		int ready = poll(pollfds, 2, RUNNER_MILLISECONDS);

		if (ready < 0 && errno == EINTR)
			continue;
		if (ready <= 0) {
			kill(runner, SIGKILL);
			return steps;
		}
		if (is_ready(&pollfds[1]) && take_signal(run, signals))
			kill(runner, SIGTERM);
		if (is_ready(&pollfds[0]) && !take_message(run, from, &steps))
			return steps;
	}
}

static unsigned int steps_in_all(void)
{
	unsigned int i = 0;

	while (calibrate_step(i))
		i++;
	return i;
}

bool calibrate_run(struct calibrate_run *run)
{
	pid_t caller = getpid(), runner = -1;
	int ends[2] = {-1, -1}, status = 1;
	int signals = signalfd(-1, run->stop, SFD_CLOEXEC | SFD_NONBLOCK);
	unsigned int steps = 0;

	if (signals >= 0 && pipe2(ends, O_CLOEXEC) == 0)
		runner = fork();
	if (runner == 0) {
		close(ends[0]);
		be_runner(run, ends[1], caller);
	}
	if (runner > 0) {
		close(ends[1]);
		ends[1] = -1;
		steps = listen_to(run, ends[0], signals, runner);
		while (waitpid(runner, &status, 0) < 0 && errno == EINTR)
			;
		(void)take_signal(run, signals);
	}
	for (int i = 0; i < 2; i++)
		if (ends[i] >= 0)
			close(ends[i]);
	if (signals >= 0)
		close(signals);
	if (!*run->why && (status != 0 || steps != steps_in_all()))
		strcpy(run->why, "the process that does the work ended early");
	return !*run->why && !run->signal;
}
