/* SPDX-License-Identifier: GPL-2.0-or-later */
/* auditopt check FILE...: what is wrong with rules, or probably not meant. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/catalogue.h"
#include "check/check.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/output.h"

/* Findings go to standard output, if not to a file. */
static bool want_colour(const struct cli_common *common)
{
	bool to_file = common->output && strcmp(common->output, "-") != 0;

	return cli_want_colour(common, to_file ? -1 : STDOUT_FILENO);
}

static bool print(const struct cli_input *in, const struct cli_options *options,
		  const struct findings *findings, FILE *stream)
{
	switch (options->check.format) {
	case CLI_CHECK_JSON:
		return findings_json(in->arena, findings, &in->input, stream);
	case CLI_CHECK_SARIF:
		return findings_sarif(in->arena, findings, &in->input, stream);
	case CLI_CHECK_TEXT:
		break;
	}
	findings_text(in->arena, findings, &in->input, stream,
		      want_colour(&options->common));
	return true;
}

static enum exit_status write_findings(const struct cli_input *in,
				       const struct cli_options *options,
				       const struct findings *findings)
{
	struct cli_text text;
	bool good;

	cli_text_open(&text, options->common.compile.progress,
		      "writing the findings");
	good = text.stream && print(in, options, findings, text.stream);
	return cli_text_write(&text, good, options->common.output,
			      "the findings could not be written");
}

static void count(size_t n, const char *what, const char **between)
{
	if (n)
		fprintf(stderr, "%s%zu %s%s", *between, n, what,
			n == 1 ? "" : "s");
	if (n)
		*between = ", ";
}

static void print_summary(const struct findings *findings)
{
	const char *between = "auditopt: ";

	count(findings_count(findings, DIAG_ERROR), "error", &between);
	count(findings_count(findings, DIAG_WARNING), "warning", &between);
	count(findings_count(findings, DIAG_NOTE), "note", &between);
	fputs(findings->count ? "\n" : "auditopt: no findings\n", stderr);
}

/* Is PATH where the rules of this host are? */
static bool is_installed(const char *path)
{
	static const char home[] = "/etc/audit";
	char *real = realpath(path, NULL);
	bool is = real && strncmp(real, home, sizeof(home) - 1) == 0 &&
		  (real[sizeof(home) - 1] == '/' || !real[sizeof(home) - 1]);

	free(real);
	return is;
}

/* Is what is missing under the root missing where the rules are loaded? So it is
 * under one that was named for that, and for the rules of this host. */
static bool is_of_this_host(const struct cli_options *options)
{
	if (*options->common.compile.root)
		return true;
	for (int i = 0; i < options->operands; i++)
		if (!is_installed(options->operand[i]))
			return false;
	return true;
}

static struct findings find(struct cli_input *in,
			    const struct cli_options *options,
			    const struct profile *profile)
{
	const struct assumptions where = cli_assume(in->arena, options, false);
	const struct check_subject subject = {
		.arena = in->arena,
		.input = &in->input,
		.actions = &in->actions,
		.loaded = &in->loaded,
		.compile = &options->common.compile,
		.target = where.target,
		.foreign = where.foreign,
		.kernel_unknown = where.kernel_unknown,
		.of_this_host = is_of_this_host(options),
		.profile = profile,
		.progress = options->common.compile.progress,
	};
	const struct check_choice choice = {
		.disabled = options->check.disabled,
		.disables = (size_t)options->check.disables,
		.enabled = options->check.enabled,
		.enables = (size_t)options->check.enables,
		.least = options->check.least,
	};
	struct findings findings = check_rules(&subject, in->diagnostics);

	findings_suppress(in->arena, &findings, &in->input);
	findings_choose(in->arena, &findings, &in->input, &choice);
	progress_clear(subject.progress);
	return findings;
}

static bool fails(const struct findings *findings, int least)
{
	for (size_t i = 0; least >= 0 && i < findings->count; i++)
		if ((int)findings->item[i].d.severity >= least)
			return true;
	return false;
}

static enum exit_status check(struct cli_input *in,
			      const struct cli_options *options)
{
	const struct profile *profile =
		cli_profile(in->arena, options, options->common.compile.target);
	struct findings findings;
	enum exit_status status;

	if (!profile)
		return STATUS_INPUT;
	findings = find(in, options, profile);
	status = write_findings(in, options, &findings);
	if (status != STATUS_GOOD)
		return status;
	if (options->common.verbosity >= 0)
		print_summary(&findings);
	return fails(&findings, options->check.fail_on) ? STATUS_FINDINGS
							: STATUS_GOOD;
}

static int check_main(int argc, char **argv)
{
	struct cli_options options;
	struct cli_input in;
	int status = cli_parse(&options, CLI_CHECK, argc, argv);

	if (status >= 0)
		return status;
	cli_read(&in, &options.common, options.operand, options.operands);
	if (diagnostics_count(in.diagnostics, DIAG_FATAL)) {
		diagnostics_print(
			in.diagnostics, &in.input, DIAG_FATAL, stderr,
			cli_want_colour(&options.common, STDERR_FILENO));
		status = STATUS_INPUT;
	} else {
		status = (int)check(&in, &options);
	}
	arena_free(in.arena);
	return status;
}

int cli_explain_finding(const char *id)
{
	const struct catalogue_row *row = catalogue_find(id);
	const char *near;

	if (strcmp(id, "list") == 0) {
		catalogue_list(stdout);
		return cli_close_stdout();
	}
	if (row) {
		catalogue_explain(row, stdout);
		return cli_close_stdout();
	}
	near = catalogue_nearest(id);
	if (near)
		return cli_usage_error(CLI_CHECK,
				       "there is no finding '%s'; did you mean "
				       "'%s'?",
				       id, near);
	return cli_usage_error(
		CLI_CHECK, "there is no finding '%s'; --explain=list lists all",
		id);
}

static const char help[] =
#include "cli/help/check.inc"
	;

const struct cli_subcommand cli_check = {
	.bit = CLI_CHECK,
	.word = "check",
	.title = "auditopt check",
	.operands = "[OPTIONS] [FILE|DIR|-]...",
	.summary = "tell what is wrong, or probably not meant",
	.help = help,
	.run = check_main,
};
