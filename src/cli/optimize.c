/* SPDX-License-Identifier: GPL-2.0-or-later */
/* auditopt [OPTIONS] FILE...: optimise. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "emit/emit.h"
#include "optimize/pipeline.h"
#include "report/report.h"

/* A comment must not become long enough for auditctl to cut it and read its
 * rest as a rule, and no name may end the line. */
#define NAME_SHOWN_MAX 200
#define NAMES_SHOWN_MAX 8

static const char *printable_name(struct arena *arena, const char *name)
{
	char shown[NAME_SHOWN_MAX * 4 + 8];
	size_t used = 0;
	size_t i;

	for (i = 0; name[i] && i < NAME_SHOWN_MAX; i++) {
		unsigned char c = (unsigned char)name[i];

		if (c < ' ' || c == 0x7f)
			used += (size_t)snprintf(shown + used, 5, "\\x%02x", c);
		else
			shown[used++] = (char)c;
	}
	shown[used] = '\0';
	return arena_printf(arena, "%s%s", shown, name[i] ? "..." : "");
}

static const char *source_names(struct arena *arena,
				const struct cli_options *options)
{
	const char *names = "";

	for (int i = 0; i < options->operands; i++) {
		const char *name = options->operand[i];

		if (i == NAMES_SHOWN_MAX)
			return arena_printf(arena, "%s and %d more", names,
					    options->operands - i);
		name = strcmp(name, "-") == 0 ? "standard input"
					      : printable_name(arena, name);
		names = arena_printf(arena, "%s%s%s", names, i ? ", " : "",
				     name);
	}
	return names;
}

/* Nothing that differs from run to run or from host to host. */
static const char *heading(struct arena *arena,
			   const struct cli_options *options,
			   const struct cli_input *in,
			   const struct ruleset *after)
{
	const struct compile_options *compile = &options->common.compile;
	const char *version =
		cli_auditctl_name(arena, compile->auditctl_version);
	const char *head =
		options->common.in_place
			? arena_printf(arena,
				       "Rewritten in place by auditopt %s.",
				       PACKAGE_VERSION)
			: arena_printf(arena,
				       "Written by auditopt %s from %s.\nDo "
				       "not edit; edit the source and run "
				       "auditopt again.",
				       PACKAGE_VERSION,
				       source_names(arena, options));

	return arena_printf(arena,
			    "%s\nLevel -O%d, for %s, read as auditctl %s reads "
			    "it. Rules: %zu before, %zu after.",
			    head, options->level, compile->target->name,
			    version, in->loaded.set->count, after->count);
}

static const char *emit(const struct cli_options *options, struct cli_input *in,
			const struct ruleset *after, size_t *size)
{
	struct emit_options how = { .comments = !options->no_comments };

	if (!options->no_comments) {
		how.heading = heading(in->arena, options, in, after);
		how.left = in->actions.left;
		how.lefts = in->actions.lefts;
	}
	return emit_ruleset(in->arena, after, &in->loaded.controls, &in->input,
			    &how, size);
}

static bool print_report(struct arena *arena, const struct report *report,
			 const struct cli_options *options, FILE *stream)
{
	if (options->report_json)
		return report_json(arena, report, stream);
	report_text(arena, report, options->common.verbosity > 0, stream);
	return true;
}

/* --report=FILE: whole or not at all, and before the rules, so that a report
 * that fails leaves the rules as they were. */
static enum exit_status report_to_file(struct arena *arena,
				       const struct report *report,
				       const struct cli_options *options)
{
	char *text = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&text, &size);
	enum exit_status status = STATUS_REFUSED;
	bool good = memory && print_report(arena, report, options, memory);

	if (memory && fclose(memory) == 0 && good)
		status = cli_write(options->report, text, size);
	else
		fputs("auditopt: the report could not be made\n", stderr);
	free(text);
	return status;
}

static enum exit_status write_all(struct cli_input *in,
				  const struct cli_options *options,
				  const struct report *report, const char *text,
				  size_t size)
{
	const char *to = options->report;
	bool to_file = to && strcmp(to, "none") != 0;
	enum exit_status status = STATUS_GOOD;

	if (to_file)
		status = report_to_file(in->arena, report, options);
	if (status == STATUS_GOOD)
		status = cli_write(options->common.output, text, size);
	else
		fputs("auditopt: the rules were not written\n", stderr);
	if (status == STATUS_GOOD && !to && options->common.verbosity >= 0)
		(void)print_report(in->arena, report, options, stderr);
	return status;
}

static enum exit_status optimize(struct cli_input *in,
				 const struct cli_options *options)
{
	struct change_log log = {NULL, 0, 0};
	struct ruleset *after = ruleset_copy(in->arena, in->loaded.set);
	struct report report = {
		.input = &in->input,
		.diagnostics = in->diagnostics,
		.target = options->common.compile.target,
		.level = options->level,
		.before = in->loaded.set,
		.after = after,
		.log = &log,
		.auditctl_version = options->common.compile.auditctl_version,
	};
	const char *text, *difference;
	size_t size;

	pipeline_run(in->arena, after, options->level, &log);
	text = emit(options, in, after, &size);
	difference = recheck(in->arena, text, size, after, &in->loaded.controls,
			     &options->common.compile);
	if (difference) {
		fprintf(stderr,
			"auditopt: refused, nothing was written: %s.\n"
			"This is a fault in auditopt, please report it with "
			"the input.\n",
			difference);
		return STATUS_REFUSED;
	}
	return write_all(in, options, &report, text, size);
}

int cli_optimize(int argc, char **argv)
{
	struct cli_options options;
	struct cli_input in;
	int status = cli_parse(&options, CLI_OPTIMIZE, argc, argv);

	if (status >= 0)
		return status;
	status = (int)cli_load(&in, &options.common, options.operand,
			       options.operands);
	if (status == STATUS_GOOD)
		status = (int)optimize(&in, &options);
	arena_free(in.arena);
	return status;
}
