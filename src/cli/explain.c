/* SPDX-License-Identifier: GPL-2.0-or-later */
/* auditopt explain -S CALL [-F FIELD=VALUE]... FILE: the kernel's walk. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/event_text.h"
#include "cli/explain_bound.h"
#include "cli/explain_event.h"
#include "cli/output.h"
#include "cli/proof.h"
#include "emit/emit.h"
#include "model/audit_names.h"
#include "model/self_log.h"
#include "report/failure_text.h"

/* One walk that is printed. */
struct telling {
	struct arena *arena;
	const struct cli_input *in;
	const struct ruleset *set;
	const struct event *event;
	FILE *stream;
	bool all;      /* rules that are passed over, too */
	size_t passed; /* since the last title */
	size_t walked, entered;
	int name; /* whose rules are walked; -1: the exit list */
	bool any;
	const struct rule *decided; /* the last that matched */
};

static void tell_passed(struct telling *t)
{
	if (t->passed && !t->all)
		fprintf(t->stream,
			"  %zu rule%s passed over: not for this call\n",
			t->passed, t->passed > 1 ? "s" : "");
	t->passed = 0;
}

static void tell_title(struct telling *t, int name)
{
	const struct event_name *n;

	if (t->any && name == t->name)
		return;
	tell_passed(t);
	t->any = true;
	t->name = name;
	if (name < 0) {
		fprintf(t->stream, "The exit list:\n");
		return;
	}
	n = &t->event->name[name];
	fprintf(t->stream, "The rules for %s:\n",
		n->paths ? key_text(t->arena, n->path[0])
			 : "a file that no rule names");
}

static bool is_bucket_rule(const struct rule *rule)
{
	return rule_place(rule) == PLACE_INODE;
}

/* How many rules of the list stand behind POSITION. */
static size_t rules_behind(const struct ruleset *set, size_t position)
{
	size_t count = 0;

	for (size_t i = position + 1; i < set->count; i++)
		count += set->rule[i]->filter == AUDIT_FILTER_EXIT &&
			 !is_bucket_rule(set->rule[i]);
	return count;
}

static void tell_match(struct telling *t, size_t position, int name)
{
	size_t behind = rules_behind(t->set, position);

	if (name >= 0)
		fputs("      MATCHES: no more of these rules are looked at\n",
		      t->stream);
	else if (behind)
		fprintf(t->stream,
			"      MATCHES: the walk of the list ends, %zu rule%s "
			"behind it %s not reached\n",
			behind, behind > 1 ? "s" : "",
			behind > 1 ? "are" : "is");
	else
		fputs("      MATCHES: the walk of the list ends\n", t->stream);
}

static void tell_rule(void *data, size_t position, bool in_mask,
		      bool overridden, unsigned int fields,
		      const struct field_test *failed, int name)
{
	struct telling *t = data;
	const struct rule *rule = t->set->rule[position];
	const char *text;

	(void)fields;
	tell_title(t, name);
	t->walked++;
	if (!in_mask)
		t->passed++;
	if (!in_mask && !t->all)
		return;
	tell_passed(t);
	fprintf(t->stream, "  %s\n",
		rule_line(t->arena, &t->in->input, t->set->target, rule));
	if (!in_mask) {
		fputs("      passed over: not for this call\n", t->stream);
		return;
	}
	t->entered++;
	if (overridden) {
		fputs("      cannot override the earlier rule that matched\n",
		      t->stream);
	} else if (failed) {
		text = emit_test(t->arena, t->set->target, rule, failed);
		fprintf(t->stream, "      fails at %s: %s\n",
			text ? text : failed->field->name,
			failure_text(t->arena, t->set->target, t->event,
				     failed));
	} else {
		t->decided = rule;
		tell_match(t, position, name);
	}
}

/* Why it ends as it does. */
static void tell_reason(const struct telling *t, struct outcome outcome)
{
	if (!t->decided)
		return;
	fprintf(t->stream, "Decided by %s.\n",
		t->decided->origin.count ? emit_origin(t->arena, &t->in->input,
						       t->decided->origin)
					 : "a rule that auditopt added");
	if (outcome.verdict == VERDICT_RECORD && outcome.key &&
	    !t->decided->key)
		fputs("That rule has no key: the record gets the key of the "
		      "rule that matched before and was overridden.\n",
		      t->stream);
}

/* A never rule, or none, shows in what the kernel logs by itself. */
static void tell_self_log(const struct question *q, const struct ruleset *set,
			  struct outcome outcome, FILE *stream)
{
	const char *why = NULL;

	if (outcome.verdict != VERDICT_RECORD &&
	    !call_can_self_log_with(
		    set->target, q->event.abi, q->event.number,
		    cli_assume(q->arena, q->options, false).unlogged, &why))
		fprintf(stream,
			"The kernel makes no record of this call by itself: "
			"%s.\n",
			why);
}

static struct outcome tell_walk(struct question *q, const struct cli_input *in,
				const struct ruleset *set, FILE *stream)
{
	struct telling t = {
		.arena = q->arena,
		.in = in,
		.set = set,
		.event = &q->event,
		.stream = stream,
		.all = q->options->common.verbosity > 0,
	};
	struct walk_observer watcher = {tell_rule, &t};
	struct outcome outcome = kernel_syscall_exit(set, &q->event, &watcher);

	tell_passed(&t);
	if (!t.any)
		fprintf(stream, "No rule is walked.\n");
	fprintf(stream, "So it is %s.\n", outcome_text(q->arena, outcome));
	tell_reason(&t, outcome);
	fprintf(stream, "%zu rule%s walked, %zu of them entered.\n", t.walked,
		t.walked == 1 ? "" : "s", t.entered);
	tell_self_log(q, set, outcome, stream);
	return outcome;
}

/* What the exit list and the rules for files are not all of. */
static void tell_other_rules(const struct cli_input *in, FILE *stream)
{
	const struct ruleset *set = in->loaded.set;
	const struct audit_action *enable = in->loaded.controls.enable;
	size_t other = 0, exclude = 0;

	for (size_t i = 0; i < set->count; i++) {
		other += set->rule[i]->filter != AUDIT_FILTER_EXIT;
		exclude += set->rule[i]->filter == AUDIT_FILTER_EXCLUDE;
	}
	if (other)
		fprintf(stream,
			"\nNot walked here: %zu rule%s of lists other than "
			"exit.%s\n",
			other, other > 1 ? "s" : "",
			exclude ? " Those of exclude may still drop records."
				: "");
	if (enable && enable->number == 0)
		fputs("\nBut -e 0 turns auditing off: once it is loaded "
		      "nothing of this is recorded.\n",
		      stream);
	if (ruleset_task_never(set))
		fputs("\nBut a task rule says never for every new process: "
		      "all this holds only for processes\nthat are older than "
		      "the rules.\n",
		      stream);
}

/* Can the call? As far as was said of the security modules. *WHY: not. */
static bool logs_by_itself(const struct question *q, const struct cli_input *in,
			   const char **why)
{
	return call_can_self_log_with(
		in->loaded.set->target, q->event.abi, q->event.number,
		cli_assume(q->arena, q->options, false).unlogged, why);
}

static void tell_optimised(struct question *q, const struct cli_input *in,
			   const struct proved *proved, struct outcome before,
			   FILE *stream)
{
	int level = q->options->level;
	struct outcome after;

	if (proved->refuted) {
		fprintf(stream,
			"\nWhat auditopt -O%d makes of the rules does not mean "
			"the same, and is not written.\n",
			level);
		return;
	}
	if (proved->level < 0)
		fprintf(stream,
			"\nAuditopt leaves these rules as they came: what it "
			"would make of them is not proved.\n");
	else if (proved->level < level)
		fprintf(stream,
			"\nAfter auditopt -O%d (-O%d is not proved here):\n",
			proved->level, level);
	else
		fprintf(stream, "\nAfter auditopt -O%d:\n", level);
	after = tell_walk(q, in, proved->after, stream);
	fprintf(stream, "%s\n",
		outcome_same(before, after, 1, logs_by_itself(q, in, NULL))
			? "The same comes of it before and after."
			: "What a rule records is the same before and after; "
			  "what the kernel logs by itself need not be.");
}

/* The calls that -S names, a word each. */
static const char *next_call(struct question *q, const char **at)
{
	size_t length = strcspn(*at, ",");
	const char *word = arena_strndup(q->arena, *at, length);

	*at += length + ((*at)[length] == ',');
	return word;
}

static bool explain_call(struct question *q, const struct cli_input *in,
			 const struct proved *proved,
			 const struct bound_survey *survey, const char *call,
			 FILE *stream)
{
	const struct event common = q->event;
	struct outcome before;

	if (!explain_set_call(q, call))
		return false;
	progress_step(q->options->common.compile.progress, "explaining", 0, 0);
	event_print(stream, "", &q->event, false, in->loaded.set, NULL);
	fputc('\n', stream);
	before = tell_walk(q, in, in->loaded.set, stream);
	tell_optimised(q, in, proved, before, stream);
	explain_bound(q, in, survey, proved->refuted ? NULL : proved->after,
		      stream);
	q->event = common;
	return true;
}

/* What auditopt makes of the rules with these options. */
static bool optimized(struct question *q, const struct cli_input *in,
		      struct proved *proved)
{
	const struct cli_options *options = q->options;
	const struct assumptions where = cli_assume(q->arena, options, false);
	const struct pipeline_options how = {
		.level = options->level,
		.profile = cli_profile(q->arena, options, where.target),
		.kernel_unknown = where.kernel_unknown,
		.verbatim = options->verbatim,
		.unlogged = where.unlogged,
		.foreign = where.foreign,
		.progress = options->common.compile.progress,
	};
	struct ruleset *before =
		arena_copy(q->arena, in->loaded.set, sizeof(*before));

	if (!how.profile)
		return false;
	before->target = where.target;
	*proved = optimize_proved(q->arena, before, &how);
	proved->after->target = in->loaded.set->target;
	return true;
}

static bool explain_calls(struct question *q, const struct cli_input *in,
			  const struct proved *proved, FILE *stream)
{
	const struct cli_options *options = q->options;
	struct progress *progress = options->common.compile.progress;
	const struct bound_survey *survey;
	bool first = true;

	progress_step(progress, "looking for the least", 0, 0);
	survey = explain_survey(q, in->loaded.set);
	for (int i = 0; i < options->calls; i++) {
		const char *at = options->call[i];

		do {
			if (!first)
				fputs("\n----\n\n", stream);
			first = false;
			/* a call that there is not is told at once */
			progress_clear(progress);
			if (!explain_call(q, in, proved, survey,
					  next_call(q, &at), stream))
				return false;
		} while (*at);
	}
	progress_clear(progress);
	tell_other_rules(in, stream);
	return true;
}

static enum exit_status explain(struct cli_input *in,
				const struct cli_options *options)
{
	struct question q = {.arena = in->arena, .options = options};
	struct cli_text text;
	struct proved proved;

	if (!explain_event(&q, in->loaded.set))
		return STATUS_USAGE;
	if (!optimized(&q, in, &proved))
		return STATUS_INPUT;
	cli_text_open(&text, NULL, NULL);
	if (text.stream && !explain_calls(&q, in, &proved, text.stream)) {
		cli_text_drop(&text);
		return STATUS_USAGE;
	}
	return cli_text_write(&text, text.stream != NULL,
			      options->common.output,
			      "the explanation could not be printed");
}

static int explain_main(int argc, char **argv)
{
	struct cli_options options;
	struct cli_input in;
	int status = cli_parse(&options, CLI_EXPLAIN, argc, argv);

	if (status >= 0)
		return status;
	if (!options.calls)
		return cli_usage_error(CLI_EXPLAIN,
				       "-S CALL is wanted: the system call to "
				       "explain");
	status = (int)cli_load(&in, &options.common, options.operand,
			       options.operands);
	if (status == STATUS_GOOD)
		status = (int)explain(&in, &options);
	arena_free(in.arena);
	return status;
}

static const char help[] =
#include "cli/help/explain.inc"
	;

const struct cli_subcommand cli_explain = {
	.bit = CLI_EXPLAIN,
	.word = "explain",
	.title = "auditopt explain",
	.operands = "[OPTIONS] -S CALL [-F FIELD=VALUE]... [FILE|DIR|-]...",
	.summary = "tell how the kernel walks the rules for a call",
	.help = help,
	.run = explain_main,
};
