/* SPDX-License-Identifier: GPL-2.0-or-later */
/* auditopt calibrate: what rules cost on this machine. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "cli/calibrate.h"
#include "cli/calibrate_steps.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cost/calibration.h"

/* From here on no signal ends the program while the kernel has other rules than
 * it had; those that would have are heard of and obeyed later. */
static void hold_signals(struct calibrating *c)
{
	static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	static const int faults[] = {SIGSEGV, SIGBUS,  SIGFPE, SIGILL,
				     SIGABRT, SIGTRAP, SIGSYS, SIGCHLD};
	sigset_t held;

	sigfillset(&held);
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++)
		sigdelset(&held, faults[i]);
	sigemptyset(&c->stop);
	for (size_t i = 0; i < sizeof(ending) / sizeof(*ending); i++) {
		struct sigaction action;

		if (sigaction(ending[i], NULL, &action) == 0 &&
		    action.sa_handler == SIG_IGN)
			continue; /* as nohup has it */
		sigaddset(&c->stop, ending[i]);
	}
	sigprocmask(SIG_BLOCK, &held, &c->before);
}

static void show_progress(void *data, unsigned int step)
{
	const struct calibrating *c = data;
	const struct calibrate_step *next = calibrate_step(step);
	char phase[80];

	if (!next)
		return;
	snprintf(phase, sizeof(phase), "measuring %s,", next->name);
	progress_step(c->options->common.compile.progress, phase, step + 1,
		      c->steps);
}

static bool put_back(struct calibrating *c)
{
	size_t foreign;
	int error = kernel_restore(&c->kernel, &c->saved, &foreign);

	if (foreign)
		fprintf(stderr,
			"auditopt calibrate: warning: %zu rule%s loaded by "
			"someone else meanwhile, and left, behind those that "
			"were there before; nothing was written, for the "
			"figures would be wrong\n",
			foreign, foreign == 1 ? " was" : "s were");
	if (error)
		fprintf(stderr,
			"auditopt calibrate: error: the kernel's rules are not "
			"as they were: %s\n"
			"  what to do: auditctl -D, then augenrules --load (or "
			"what else loads the rules of this host)\n",
			strerror(error));
	return !error && !foreign;
}

/* Ends as the signal would have ended it, now that all is as it was. */
static void obey(const struct calibrating *c, int number)
{
	fprintf(stderr,
		"auditopt calibrate: interrupted (%s); nothing was written\n",
		strsignal(number));
	signal(number, SIG_DFL);
	raise(number);
	sigprocmask(SIG_SETMASK, &c->before, NULL);
}

static bool run_and_put_back(struct calibrating *c, struct calibrate_run *run)
{
	bool measured, back;

	show_progress(c, 0);
	measured = calibrate_run(run);
	progress_clear(c->options->common.compile.progress);
	back = put_back(c);
	rmdir(c->scratch);
	if (*run->why && !run->signal)
		fprintf(stderr,
			"auditopt calibrate: failed: %s; nothing was "
			"written%s\n",
			run->why, back ? ", the rules are as they were" : "");
	if (run->signal)
		obey(c, run->signal);
	return measured && back;
}

static bool measure(struct calibrating *c, struct calibrate_run *run)
{
	bool measured;

	hold_signals(c);
	measured = calibrate_has_scratch(c) && run_and_put_back(c, run);
	sigprocmask(SIG_SETMASK, &c->before, NULL);
	return measured;
}

static const char *utc_now(struct arena *arena)
{
	char text[32];
	time_t now = time(NULL);
	struct tm tm;

	if (!gmtime_r(&now, &tm) ||
	    !strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm))
		return "unknown";
	return arena_strdup(arena, text);
}

/* The figures of RUN. */
static struct calibration *calibration_of(const struct calibrating *c,
					  const struct calibrate_run *run)
{
	struct calibration *calibration =
		arena_alloc(c->arena, sizeof(*calibration));
	double above[CALIBRATE_STEPS_MOST];
	struct utsname name = {0};

	uname(&name);
	calibration->kernel = arena_strdup(c->arena, name.release);
	calibration->build = arena_strdup(c->arena, name.version);
	calibration->machine = arena_strdup(c->arena, name.machine);
	calibration->date = utc_now(c->arena);
	calibration->call = run->base[0].best;
	calibration->item =
		arena_array(c->arena, c->steps, sizeof(*calibration->item));
	for (unsigned int i = 0; i < c->steps; i++) {
		above[i] = run->with[i].best - run->base[i].best;
		if (run->base[i].best < calibration->call)
			calibration->call = run->base[i].best;
	}
	for (unsigned int i = 0; i < c->steps; i++) {
		const struct calibrate_step *step = calibrate_step(i);

		calibration->item[i] = (struct calibrated){
			step->name, calibrate_figure(i, above),
			(run->base[i].range + run->with[i].range) /
				step->rules};
	}
	calibration->count = c->steps;
	return calibration;
}

/* What was measured, for people. */
static void print_figures(const struct calibration *c)
{
	fprintf(stderr,
		"auditopt calibrate: Linux %s, %s; gettid without rules: %.1f "
		"ns\n"
		"  %-22s %12s %12s %8s %12s\n",
		c->kernel, c->machine, c->call, "", "instructions", "ns",
		"+- ns", "ns each");
	for (size_t i = 0; i < c->count; i++) {
		const struct calibrated *item = &c->item[i];
		double model = 1;

		(void)calibration_model(c->prices, item->name, &model);
		fprintf(stderr, "  %-22s %12.0f %12.2f %8.2f %12.4f\n",
			item->name, model, item->nanoseconds, item->spread,
			item->nanoseconds / model);
	}
	fprintf(stderr,
		"  A call costs %.1f ns more if any rule counts, %.2f ns for a "
		"rule that it is not in,\n"
		"  and %.4f ns for each instruction in those that it is in.\n",
		c->context, c->passed, c->entered);
}

static void warn_of_unrest(const struct calibrating *c,
			   const struct calibrate_run *run)
{
	double worst = 0, least = run->base[0].best, most = least;
	unsigned int unstable = 0;

	for (unsigned int i = 0; i < c->steps; i++) {
		const struct timed *base = &run->base[i];
		const struct timed *with = &run->with[i];

		unstable += !base->stable || !with->stable;
		if (base->range / base->best > worst)
			worst = base->range / base->best;
		if (with->range / with->best > worst)
			worst = with->range / with->best;
		least = base->best < least ? base->best : least;
		most = base->best > most ? base->best : most;
	}
	if (unstable)
		fprintf(stderr,
			"auditopt calibrate: warning: %u of %u figures did not "
			"settle: their best three rounds were up to %.1f %% "
			"apart\n",
			unstable, c->steps, 100 * worst);
	if (most > least * 1.05)
		fprintf(stderr,
			"auditopt calibrate: warning: the call without rules "
			"took from %.1f to %.1f ns\n",
			least, most);
	if (unstable || most > least * 1.05)
		fprintf(stderr, "  what to do: run it again when the host is "
				"idle and its clock does not change "
				"(cpupower frequency-set -g performance)\n");
}

static enum exit_status refuse_figures(const char *why)
{
	fprintf(stderr,
		"auditopt calibrate: nothing was written: %s; the noise of "
		"this "
		"host is larger than what is measured\n"
		"  what to do: run it again when the host is idle\n",
		why);
	return STATUS_REFUSED;
}

static enum exit_status write_figures(const struct calibrating *c,
				      const struct calibrate_run *run)
{
	struct calibration *calibration = calibration_of(c, run);
	const char *why = calibration_settle(c->arena, calibration);
	const char *text;
	size_t size;

	for (size_t i = 0; !why && i < calibration->count; i++)
		if (calibration->item[i].nanoseconds < 0)
			why = arena_printf(c->arena, "%s is below zero",
					   calibration->item[i].name);
	if (c->options->common.verbosity >= 0) {
		print_figures(calibration);
		warn_of_unrest(c, run);
	}
	if (why)
		return refuse_figures(why);
	text = calibration_text(c->arena, calibration, &size);
	return text ? cli_write(c->options->common.output, text, size)
		    : STATUS_REFUSED;
}

static enum exit_status calibrate(struct calibrating *c)
{
	struct calibrate_run run = {.scratch = c->scratch,
				    .saved = &c->saved,
				    .stop = &c->stop,
				    .progress = show_progress,
				    .data = c};
	enum exit_status status = STATUS_REFUSED;

	while (calibrate_step(c->steps))
		c->steps++;
	if (calibrate_may_begin(c) && measure(c, &run))
		status = write_figures(c, &run);
	kernel_rules_free(&c->saved);
	kernel_link_close(&c->kernel);
	return status;
}

static int calibrate_main(int argc, char **argv)
{
	struct cli_options options;
	struct calibrating c = {.options = &options, .kernel.fd = -1};
	int status = cli_parse(&options, CLI_CALIBRATE, argc, argv);

	if (status >= 0)
		return status;
	c.arena = arena_new();
	status = (int)calibrate(&c);
	arena_free(c.arena);
	return status;
}

static const char help[] =
#include "cli/help/calibrate.inc"
	;

const struct cli_subcommand cli_calibrate = {
	.bit = CLI_CALIBRATE,
	.word = "calibrate",
	.title = "auditopt calibrate",
	.operands = "[OPTIONS]",
	.summary = "measure what rules cost on this host (as root)",
	.help = help,
	.run = calibrate_main,
};
