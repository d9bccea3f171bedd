/* SPDX-License-Identifier: GPL-2.0-or-later */
/* auditopt cost FILE...: what the rules cost, nothing else. */
#include <stdio.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "report/report.h"

static enum exit_status report_cost(struct cli_input *in,
				    const struct cli_options *options)
{
	const struct assumptions where = cli_assume(in->arena, options, false);
	struct ruleset before = *in->loaded.set;
	struct report report = {
		.input = &in->input,
		.diagnostics = in->diagnostics,
		.target = where.target,
		.before = &before,
		.auditctl_version = options->common.compile.auditctl_version,
		.profile = cli_profile(in->arena, options, where.target),
		.left = in->loaded.left,
		.lefts = in->loaded.lefts,
		.prices = prices_for(options->kernel),
		.assumed = where.text,
	};
	struct cli_text text;
	bool good;

	before.target = where.target;
	if (!report.profile ||
	    !cli_calibration(in->arena, options, report.target,
			     &report.calibration))
		return STATUS_INPUT;
	cli_text_open(&text, options->common.compile.progress,
		      "making the report");
	good = text.stream &&
	       report_write(in->arena, &report, options->report_format,
			    options->common.verbosity > 0, text.stream);
	return cli_text_write(&text, good, options->common.output,
			      "the report could not be made");
}

static int cost_main(int argc, char **argv)
{
	struct cli_options options;
	struct cli_input in;
	int status = cli_parse(&options, CLI_COST, argc, argv);

	if (status >= 0)
		return status;
	status = (int)cli_load(&in, &options.common, options.operand,
			       options.operands);
	if (status == STATUS_GOOD)
		status = (int)report_cost(&in, &options);
	arena_free(in.arena);
	return status;
}

static const char help[] =
#include "cli/help/cost.inc"
	;

const struct cli_subcommand cli_cost = {
	.bit = CLI_COST,
	.word = "cost",
	.title = "auditopt cost",
	.operands = "[OPTIONS] [FILE|DIR|-]...",
	.summary = "tell what the rules cost, change nothing",
	.help = help,
	.run = cost_main,
};
