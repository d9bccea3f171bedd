/* SPDX-License-Identifier: GPL-2.0-or-later */
/* auditopt [OPTIONS] FILE...: optimise. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include <libaudit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "cli/cli.h"
#include "cli/proof.h"
#include "emit/emit.h"
#include "model/perm.h"
#include "optimize/pipeline.h"
#include "report/changes.h"
#include "report/report.h"

#ifndef AUDIT_FILTER_URING_EXIT
#define AUDIT_FILTER_URING_EXIT 0x07
#endif

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

/* What happened to the number of rules. */
static const char *rule_counts(struct arena *arena,
			       const struct ruleset *before,
			       const struct ruleset *after)
{
	size_t gone = report_rules_gone(arena, before, after);
	const char *text = arena_printf(arena, "Rules: %zu before, %zu after",
					before->count, after->count);

	return gone ? arena_printf(arena,
				   "%s; %zu dropped (-v tells which and why)",
				   text, gone)
		    : text;
}

static bool has_io_uring(const struct ruleset *set)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->rule[i]->filter == AUDIT_FILTER_URING_EXIT)
			return true;
	return false;
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
			    "%s\nTaken as all the rules there are: what other "
			    "files or the kernel have besides is not known."
			    "\nLevel -O%d, for %s, read as auditctl %s reads "
			    "it.%s\n%s.",
			    head, options->level, compile->target->name,
			    version,
			    has_io_uring(after)
				    ? " Needs audit 3.1 or later (io_uring)."
				    : "",
			    rule_counts(arena, in->loaded.set, after));
}

static const char *emit(const struct cli_options *options, struct cli_input *in,
			const struct ruleset *after, const char *proof,
			size_t *size)
{
	struct emit_options how = {.comments = !options->no_comments};

	if (!options->no_comments) {
		how.heading = arena_printf(
			in->arena, "%s\n%s",
			heading(in->arena, options, in, after), proof);
		how.left = in->loaded.left;
		how.lefts = in->loaded.lefts;
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

/* May the kernel be newer than what is known of kernels? Rules for a machine of
 * another kind are for what is known, if nothing else is said. */
static bool kernel_unknown(const struct cli_options *options)
{
	struct utsname name;

	if (options->kernel)
		return !perm_kernel_known(options->kernel);
	if (options->common.compile.target != target_of_this_machine())
		return false;
	if (uname(&name) == 0 && perm_kernel_known(name.release))
		return false;
	if (options->level > 0 && options->common.verbosity >= 0)
		fprintf(stderr,
			"auditopt: note: this kernel is newer than %s, the "
			"newest that is known; --kernel=%s lets perm narrow "
			"masks all the same\n",
			perm_newest_kernel(), perm_newest_kernel());
	return true;
}

/* No text means the same rule under every auditctl. */
static enum exit_status refuse_unwritable(struct arena *arena,
					  const struct ruleset *after)
{
	for (size_t i = 0; i < after->count; i++)
		if (!emit_rule(arena, after->target, after->rule[i]))
			fprintf(stderr,
				"auditopt: refused, nothing was written: rule "
				"%zu of the result cannot be written so that "
				"every auditctl reads it alike (a path or key "
				"with an operator in it, such as != or >=)\n",
				i + 1);
	return STATUS_REFUSED;
}

/* -O2 may find that nothing can ever be logged. */
static void warn_of_nothing_left(const struct cli_options *options,
				 const struct ruleset *before,
				 const struct ruleset *after)
{
	if (before->count == 0 || after->count > 0 ||
	    options->common.verbosity < 0)
		return;
	fprintf(stderr,
		"auditopt: warning: the result has no rule, for no rule of "
		"the input could log an event\n");
}

static enum exit_status optimize(struct cli_input *in,
				 const struct cli_options *options)
{
	const struct pipeline_options how = {
		.level = options->level,
		.kernel_unknown = kernel_unknown(options),
	};
	struct proved proved =
		optimize_proved(in->arena, in->loaded.set, &how);
	struct ruleset *after = proved.after;
	struct report report = {
		.input = &in->input,
		.diagnostics = in->diagnostics,
		.target = options->common.compile.target,
		.level = options->level,
		.before = in->loaded.set,
		.after = after,
		.log = &proved.log,
		.auditctl_version = options->common.compile.auditctl_version,
	};
	const char *text, *difference;
	size_t size;

	proof_complain(in->arena, &proved, in->loaded.set, options->level);
	if (proved.refuted)
		return STATUS_REFUSED;
	text = emit(options, in, after, proof_text(in->arena, &proved), &size);
	if (!text)
		return refuse_unwritable(in->arena, after);
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
	warn_of_nothing_left(options, in->loaded.set, after);
	return write_all(in, options, &report, text, size);
}

/* The input has errors, and the rules are not written; a program that was to
 * get the report gets to know why. */
static void report_errors(struct cli_input *in,
			  const struct cli_options *options)
{
	const struct report report = {
		.input = &in->input,
		.diagnostics = in->diagnostics,
		.target = options->common.compile.target,
		.auditctl_version = options->common.compile.auditctl_version,
	};

	if (options->report_json && options->report &&
	    strcmp(options->report, "none") != 0)
		(void)report_to_file(in->arena, &report, options);
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
	else
		report_errors(&in, &options);
	arena_free(in.arena);
	return status;
}
