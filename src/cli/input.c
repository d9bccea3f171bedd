/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From files to what the kernel would hold. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/from_kernel.h"
#include "frontend/listing.h"
#include "util/terminal.h"

bool cli_want_colour(const struct cli_common *common, int fd)
{
	const char *no_colour = getenv("NO_COLOR");

	if (common->colour >= 0)
		return common->colour > 0;
	return isatty(fd) && !terminal_is_dumb() && !(no_colour && *no_colour);
}

/* The first line from which on an -i or -c of the input holds. */
static uint32_t keep_going_from(const struct actions *actions)
{
	uint32_t from = DIAG_NO_LINE;

	for (size_t i = 0; i < actions->count; i++) {
		const struct audit_action *a = &actions->item[i];

		if ((a->kind == DO_IGNORE || a->kind == DO_CONTINUE) &&
		    a->line < from)
			from = a->line;
	}
	return from;
}

/* Are there errors that keep-going does not cover? Where the only source is
 * about to be replaced, an -i in it is no consent to lose its faulty lines. */
static bool must_stop(struct cli_input *in, const struct cli_common *common)
{
	uint32_t from =
		common->in_place ? DIAG_NO_LINE : keep_going_from(&in->actions);
	const struct diagnostic *d;

	if (diagnostics_count(in->diagnostics, DIAG_FATAL) > 0)
		return true;
	if (common->compile.keep_going)
		return false;
	for (size_t i = 0; (d = diagnostics_get(in->diagnostics, i)); i++)
		if (d->severity == DIAG_ERROR &&
		    (d->at.line == DIAG_NO_LINE || d->at.line <= from))
			return true;
	return false;
}

static void print_count(size_t count, const char *what, const char **between)
{
	if (count == 0)
		return;
	fprintf(stderr, "%s%zu %s%s", *between, count, what,
		count == 1 ? "" : "s");
	*between = ", ";
}

static void print_summary(struct cli_input *in, const struct cli_common *common,
			  bool stop)
{
	size_t fatal = diagnostics_count(in->diagnostics, DIAG_FATAL);
	size_t errors = diagnostics_count(in->diagnostics, DIAG_ERROR);
	size_t warnings = diagnostics_count(in->diagnostics, DIAG_WARNING);
	const char *between = "auditopt: ";

	if (errors + fatal == 0 && (warnings == 0 || common->verbosity < 0))
		return;
	print_count(errors + fatal, "error", &between);
	print_count(warnings, "warning", &between);
	if (stop && common->writes_rules)
		fputs("; nothing was written", stderr);
	if (stop && !fatal)
		fputs(" (--keep-going leaves out what is faulty)", stderr);
	else if (!stop && errors > 0)
		fputs("; what is faulty is left out", stderr);
	fputc('\n', stderr);
}

/* Reads all files, and goes on to the next stage only with a whole input. */
static void read_all(struct cli_input *in, const struct cli_common *common,
		     char *const *files, int count)
{
	bool whole = true;

	memset(in, 0, sizeof(*in));
	in->arena = arena_new();
	in->diagnostics = diagnostics_new(in->arena);
	in->input.progress = common->compile.progress;
	in->input.mixed = common->listing_mixed;
	if (count == 0) {
		if (from_kernel(in, &common->compile, common->writes_rules))
			in->loaded =
				load_actions(in->arena, &in->actions,
					     &common->compile, in->diagnostics);
		return;
	}
	for (int i = 0; i < count; i++)
		whole &= input_read(in->arena, &in->input, files[i],
				    in->diagnostics);
	if (!whole)
		return;
	listing_apply(in->arena, &in->input, &common->compile, common->listing,
		      in->diagnostics);
	in->commands =
		parse_input(in->arena, &in->input,
			    common->compile.auditctl_version, in->diagnostics);
	in->actions = compile_commands(in->arena, &in->commands, &in->input,
				       &common->compile, in->diagnostics);
	in->loaded = load_actions(in->arena, &in->actions, &common->compile,
				  in->diagnostics);
}

void cli_read(struct cli_input *in, const struct cli_common *common,
	      char *const *files, int count)
{
	read_all(in, common, files, count);
	progress_clear(common->compile.progress);
}

enum exit_status cli_load(struct cli_input *in, const struct cli_common *common,
			  char *const *files, int count)
{
	static const enum severity least[] = {DIAG_ERROR, DIAG_WARNING,
					      DIAG_NOTE};
	bool stop;

	cli_read(in, common, files, count);
	stop = must_stop(in, common);
	diagnostics_print(in->diagnostics, &in->input,
			  least[common->verbosity + 1], stderr,
			  cli_want_colour(common, STDERR_FILENO));
	print_summary(in, common, stop);
	return stop ? STATUS_INPUT : STATUS_GOOD;
}
