/* SPDX-License-Identifier: GPL-2.0-or-later */
/* auditopt [OPTIONS] FILE...: optimise. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include <libaudit.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/offers.h"
#include "cli/output.h"
#include "cli/proof.h"
#include "cli/verbatim.h"
#include "emit/emit.h"
#include "model/audit_names.h"
#include "optimize/pipeline.h"
#include "report/changes.h"
#include "report/report.h"
#include "util/atomic_file.h"
#include "util/printable.h"
#include "util/progress.h"

/* A comment must not become long enough for auditctl to cut it and read its
 * rest as a rule, and no name may end the line. */
#define NAME_SHOWN_MAX 200
#define NAMES_SHOWN_MAX 8

static const char *source_names(struct arena *arena,
				const struct cli_options *options)
{
	const char *names = "";

	if (options->from_kernel)
		return "the rules of the running kernel";
	for (int i = 0; i < options->operands; i++) {
		const char *name = options->operand[i];

		if (i == NAMES_SHOWN_MAX)
			return arena_printf(arena, "%s and %d more", names,
					    options->operands - i);
		name = strcmp(name, "-") == 0
			       ? "standard input"
			       : printable_cut(arena, name, strlen(name),
					       NAME_SHOWN_MAX);
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
	struct rule_counts counts = report_rule_counts(arena, before, after);
	const char *text = report_rule_counts_text(arena, &counts);

	return arena_printf(arena, "Rules: %s%s", text,
			    counts.dropped || counts.merged || counts.added
				    ? " (-v tells which and why)"
				    : "");
}

/* What errors cost the input, and so the figures and the proof. */
static const char *left_out(struct arena *arena, const struct loaded *loaded)
{
	const char *text = report_left_text(arena, loaded->left, loaded->lefts);

	return text ? arena_printf(arena,
				   "\n%s (see the comments); the figures and "
				   "the proof are of the rest.",
				   text)
		    : "";
}

/* Will the result take the place of the only input? */
static bool replaces_input(const struct cli_options *options)
{
	const struct cli_common *common = &options->common;

	return common->in_place ||
	       (common->output && strcmp(common->output, "-") != 0 &&
		options->operands == 1 &&
		strcmp(options->operand[0], "-") != 0 &&
		same_target(common->output, options->operand[0]));
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
		auditctl_version_text(arena, compile->auditctl_version);
	const char *head =
		replaces_input(options)
			? arena_printf(arena,
				       "Rewritten in place by auditopt %s.",
				       PACKAGE_VERSION)
			: arena_printf(arena,
				       "Written by auditopt %s from %s.\nDo "
				       "not edit; edit the source and run "
				       "auditopt again.",
				       PACKAGE_VERSION,
				       source_names(arena, options));

	return arena_printf(
		arena,
		"%s\nTaken as all the rules there are: what other "
		"files or the kernel have besides is not known."
		"\nLevel -O%d%s, for %s, read as auditctl %s reads "
		"it.%s\n%s.%s",
		head, options->level, options->verbatim ? " --verbatim" : "",
		compile->target->name, version,
		has_io_uring(after) ? " Needs audit 3.1 or later (io_uring)."
				    : "",
		rule_counts(arena, in->loaded.set, after),
		left_out(arena, &in->loaded));
}

static const char *not_proved(struct arena *arena, const char *fallback)
{
	return fallback ? arena_printf(arena, "\nNot all was proved: %s.",
				       fallback)
			: "";
}

static void tell_dropped(struct emit_options *how, struct cli_input *in,
			 const struct ruleset *after,
			 const struct change_log *log)
{
	const struct dropped_rules all =
		report_dropped(in->arena, in->loaded.set, after, log);
	struct emit_dropped *told =
		arena_array(in->arena, all.count, sizeof(*told));

	for (size_t i = 0; i < all.count; i++)
		told[i] = (struct emit_dropped){
			all.item[i].what, all.item[i].because, all.item[i].why};
	how->dropped = told;
	how->drops = all.count;
}

/* TEXTS, if not NULL, are those of --verbatim; NATIVE_ONLY: --abi says so. REPORT
 * gets to know what is written. */
static const char *emit(const struct cli_options *options, struct cli_input *in,
			const struct proved *proved, const char *proof,
			const struct verbatim *texts, bool native_only,
			struct report *report)
{
	const struct ruleset *after = proved->after;
	struct emit_options how = {.comments = !options->no_comments,
				   .native_only = native_only,
				   .place = arena_array(in->arena, after->count,
							sizeof(*how.place)),
				   .replaces = replaces_input(options)};

	if (texts) {
		how.text = texts->text;
		how.why = texts->why;
	}

	if (!options->no_comments) {
		how.heading = arena_printf(
			in->arena, "%s\n%s",
			heading(in->arena, options, in, after), proof);
		how.left = in->loaded.left;
		how.lefts = in->loaded.lefts;
		tell_dropped(&how, in, after, &proved->log);
	}
	report->place = how.place;
	report->result = emit_ruleset(in->arena, after, &in->loaded.controls,
				      &in->input, &how, &report->result_size);
	return report->result;
}

static bool print_report(struct arena *arena, const struct report *report,
			 const struct cli_options *options, FILE *stream)
{
	return report_write(arena, report, options->report_format,
			    options->common.verbosity > 0, stream);
}

/* --report=FILE: whole or not at all, and before the rules, so that a report
 * that fails leaves the rules as they were. */
static enum exit_status report_to_file(struct arena *arena,
				       const struct report *report,
				       const struct cli_options *options)
{
	struct cli_text text;
	bool good;

	cli_text_open(&text, options->common.compile.progress,
		      "making the report");
	good = text.stream && print_report(arena, report, options, text.stream);
	return cli_text_write(&text, good, options->report,
			      "the report could not be made");
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
		status = cli_write_backup(options->common.output,
					  options->common.backup, text, size);
	else
		fputs("auditopt: the rules were not written\n", stderr);
	if (status == STATUS_GOOD && !to && options->common.verbosity >= 0)
		(void)print_report(in->arena, report, options, stderr);
	return status;
}

/* No text means the same rule under every auditctl. */
static enum exit_status refuse_unwritable(const struct cli_input *in,
					  const struct ruleset *after)
{
	for (size_t i = 0; i < after->count; i++) {
		const struct rule *rule = after->rule[i];

		if (emit_rule(in->arena, after->target, rule))
			continue;
		fprintf(stderr,
			"auditopt: refused, nothing was written: what %s asks "
			"for cannot be written so that every auditctl reads "
			"it alike (a path or key with an operator in it, such "
			"as != or >=); rename it, or remove the rule\n",
			rule->origin.count ? emit_origin(in->arena, &in->input,
							 rule->origin)
					   : "a rule that was added");
	}
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

/* A never rule that was added ends walks for rules that are loaded later, too,
 * and is itself behind those that are there already. */
static void tell_of_other_rules(const struct cli_options *options,
				const struct cli_input *in,
				const struct ruleset *after)
{
	size_t added = 0;

	for (size_t i = 0; i < after->count; i++)
		added += !after->rule[i]->origin.count &&
			 after->rule[i]->action == AUDIT_NEVER;
	if (!added || in->loaded.controls.delete_all ||
	    options->common.verbosity < 0)
		return;
	fprintf(stderr,
		"auditopt: note: the result does not begin with -D, as the "
		"input does not, and has %zu never rule%s that auditopt added: "
		"rules loaded after %s would not be reached, and rules that "
		"the kernel holds already stay in front; give all rules "
		"together, with -D first\n",
		added, added > 1 ? "s" : "", added > 1 ? "them" : "it");
}

static bool wants_report(const struct cli_options *options)
{
	return options->report ? strcmp(options->report, "none") != 0
			       : options->common.verbosity >= 0;
}

static struct pipeline_options how_of(const struct cli_options *options,
				      const struct assumptions *where,
				      const struct profile *profile,
				      struct progress *progress)
{
	return (struct pipeline_options){
		.level = options->level,
		.profile = profile,
		.kernel_unknown = where->kernel_unknown,
		.verbatim = options->verbatim,
		.unlogged = where->unlogged,
		.foreign = where->foreign,
		.progress = progress,
	};
}

/* What can be said before anything was done. */
static struct report report_of(const struct cli_input *in,
			       const struct cli_options *options,
			       const struct profile *profile)
{
	return (struct report){
		.input = &in->input,
		.diagnostics = in->diagnostics,
		.target = options->common.compile.target,
		.level = options->level,
		.before = in->loaded.set,
		.auditctl_version = options->common.compile.auditctl_version,
		.profile = profile,
		.left = in->loaded.left,
		.lefts = in->loaded.lefts,
	};
}

static enum exit_status refuse_difference(const char *difference)
{
	fprintf(stderr,
		"auditopt: refused, nothing was written: %s.\n"
		"This is a fault in auditopt, please report it with "
		"the input.\n",
		difference);
	return STATUS_REFUSED;
}

static enum exit_status optimize(struct cli_input *in,
				 const struct cli_options *options)
{
	struct arena *arena = in->arena;
	const struct assumptions where =
		cli_assume(arena, options, options->common.verbosity >= 0);
	const struct profile *profile =
		cli_profile(arena, options, where.target);
	struct progress *progress = options->common.compile.progress;
	const struct pipeline_options how =
		how_of(options, &where, profile, progress);
	struct report report = report_of(in, options, profile);
	struct verbatim *texts =
		options->verbatim
			? verbatim_of(arena, in, &options->common.compile,
				      where.target)
			: NULL;
	struct ruleset before = *in->loaded.set;
	struct proved proved;
	struct ruleset *after, priced;
	const char *text, *difference;

	if (!profile ||
	    !cli_calibration(arena, options, where.target, &report.calibration))
		return STATUS_INPUT;
	before.target = where.target;
	proved = texts ? verbatim_optimize(arena, texts, &before, &how)
		       : optimize_proved(arena, &before, &how);
	progress_clear(progress);
	after = proved.after;
	priced = *after;
	priced.target = where.target;
	after->target = in->loaded.set->target;
	report.target = where.target;
	report.assumed = where.text;
	report.before = &before;
	report.after = &priced;
	report.log = &proved.log;
	proof_complain(in->arena, &proved, in->loaded.set, options->level);
	if (proved.refuted)
		return STATUS_REFUSED;
	report.proof = proof_text(arena, &proved);
	report.fallback = proof_fallback(arena, &proved, options->level);
	report.level_reached = proved.level;
	progress_step(progress, "writing the rules", 0, 0);
	text = emit(options, in, &proved,
		    arena_printf(arena, "%s%s%s%s", where.text,
				 verbatim_limits(arena, texts), report.proof,
				 not_proved(arena, report.fallback)),
		    texts, where.foreign != 0, &report);
	if (!text) {
		progress_clear(progress);
		return refuse_unwritable(in, after);
	}
	difference = recheck_verbatim(arena, text, report.result_size, after,
				      &in->loaded.controls,
				      &options->common.compile, texts);
	progress_clear(progress);
	if (difference)
		return refuse_difference(difference);
	warn_of_nothing_left(options, in->loaded.set, after);
	tell_of_other_rules(options, in, after);
	if (wants_report(options) && proved.level == options->level)
		offers_make(arena, &before, after, &how, &report);
	progress_clear(progress);
	return write_all(in, options, &report, text, report.result_size);
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

	if (report_tells_errors(options->report_format) && options->report &&
	    strcmp(options->report, "none") != 0)
		(void)report_to_file(in->arena, &report, options);
}

static int optimize_main(int argc, char **argv)
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

static const char help[] =
#include "cli/help/optimize.inc"
	;

const struct cli_subcommand cli_optimize = {
	.bit = CLI_OPTIMIZE,
	.title = "auditopt",
	.operands = "[OPTIONS] [FILE|DIR|-]...",
	.summary = "optimise",
	.help = help,
	.run = optimize_main,
};
