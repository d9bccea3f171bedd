/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * setopt() and handle_request() of auditctl, for one line after the other.
 */
#include "frontend/compile.h"

#include <libaudit.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/builder.h"
#include "frontend/calls.h"
#include "frontend/field_pair.h"
#include "frontend/left_list.h"
#include "util/progress.h"

static bool is_part_of_rule(const struct option_word *word)
{
	return word->option == 'F' || word->option == 'C' ||
	       word->option == 'S';
}

/* After a fault the line is lost; what can be said of its other fields and
 * calls is said all the same. */
static bool worth_a_look(const struct builder *b,
			 const struct option_word *fault,
			 const struct option_word *word)
{
	return is_part_of_rule(fault) && is_part_of_rule(word) &&
	       builder_filter(b) != FILTER_UNSET;
}

/* auditctl never gets past a call that it does not know: what would be set or
 * done behind it is not. */
static bool reaches_control(const struct builder *b,
			    const struct option_word *word)
{
	return !b->unknown || word->option == OPT_INVALID;
}

/* The loop over the options. The first parameter, or NULL. */
static const struct option_word *
do_options(struct builder *b, const struct command *c, unsigned int *optind)
{
	const struct option_word *parameter = NULL, *fault = NULL;
	unsigned int parameters = 0;

	for (b->at = 0; b->at < c->options; b->at++) {
		const struct option_word *word = &c->option[b->at];

		if (word->option == OPT_PARAMETER) {
			parameters++;
			if (!parameter)
				parameter = word;
			continue;
		}
		if (fault && !worth_a_look(b, fault, word))
			continue;
		if (!rule_option(b, word) && reaches_control(b, word))
			control_option(b, word);
		if (b->failed && !fault)
			fault = word;
		if (b->finished)
			break;
		if (!b->failed && b->status < 0) {
			*optind = builder_optind(b, word);
			return parameter;
		}
	}
	*optind = c->words - parameters;
	return parameter;
}

static bool ends_in_cr(const struct option_word *word)
{
	return word->option == OPT_INVALID &&
	       strcmp(word->id, "carriage-return") == 0;
}

/* A parameter may be what is left of a value that an option before it took. */
static void explain_parameter(struct builder *b, const struct command *c,
			      const struct option_word *parameter)
{
	const struct option_word *before = NULL;
	size_t i;

	for (i = 0; i < c->options; i++) {
		const struct option_word *word = &c->option[i];

		if (word->option == OPT_PARAMETER ||
		    word->at.column > parameter->at.column)
			break;
		before = word;
	}
	if (!before || !before->id || before->option == OPT_INVALID)
		return;
	if (strcmp(before->id, "quote") == 0 && !b->unknown) {
		/* what is said of the parameter explains both */
		builder_remark_told(b, i - 1);
		return;
	}
	builder_tell_remark(b, i - 1, DIAG_ERROR);
	b->muted = true;
}

/* What getopt left over: words that are no options, or options behind one that
 * ends the line. */
static void check_rest(struct builder *b, const struct command *c,
		       unsigned int optind, const struct option_word *parameter)
{
	const struct option_word *rest = parameter;

	if (optind != 1 && optind >= b->argc)
		return;
	if (rest)
		explain_parameter(b, c, rest);
	else
		rest = &c->option[b->at + 1 < c->options ? b->at + 1 : b->at];
	if (rest->option == OPT_PARAMETER || ends_in_cr(rest))
		builder_fault(b, rest->id, rest->at, "%s", rest->why)->advice =
			rest->advice;
	else
		builder_fault(
			b, "option-count", rest->at,
			"the option before it ends the line for auditctl, "
			"and nothing may follow")
			->advice = "write each command on a line of its own";
}

static void add_key(struct builder *b)
{
	const char *pair;

	if (!b->key[0] || b->list_requested)
		return;
	pair = arena_printf(b->arena, "key=%s", b->key);
	field_pair_add(b, b->key_word, pair);
}

static bool has_calls(const struct audit_rule_data *rule)
{
	for (int i = 0; i < AUDIT_BITMASK_SIZE; i++)
		if (rule->mask[i])
			return true;
	return false;
}

/* handle_request() for a rule. */
static void send_rule(struct builder *b)
{
	bool adds = b->add != FILTER_UNSET;
	uint32_t flags = adds ? b->add : b->del;
	struct audit_rule_data *rule = b->rule;
	struct audit_action *action;

	if (adds) {
		calls_warn_no_arch(b);
		calls_warn_perm(b);
	}
	if ((flags & FILTER_MASK) != AUDIT_FILTER_TASK && !b->syscall_added)
		calls_add_all(rule);
	rule->flags = flags;
	rule->action = b->action;
	action = builder_act(b, adds ? DO_ADD_RULE : DO_DELETE_RULE,
			     b->list_word);
	action->wire_size = sizeof(*rule) + rule->buflen;
	action->wire = arena_copy(b->arena, rule, action->wire_size);
	action->watch_form = b->watch_form;
	action->by_number = calls_by_number(b);
	action->unsettled = b->unsettled;
	action->field_at = arena_copy(b->arena, b->field_at,
				      rule->field_count * sizeof(*b->field_at));
}

static void no_list(struct builder *b)
{
	builder_fault(b, "rule-needs-list",
		      b->call_word ? b->call_word->at
				   : b->command->option[0].at,
		      "the line has calls but no list")
		->advice = "begin the line with -a always,exit";
}

/* The kernel refuses the rule, if it is ever sent; by then -i may have been met
 * on the same line. */
static void end_bad_list(struct builder *b)
{
	if (!b->failed && b->status != LINE_RULE) {
		b->bad_list->severity = DIAG_WARNING;
		b->bad_list->stops = false;
		return;
	}
	b->failed = true;
	b->bad_list->stops = !b->ignoring;
}

static void end_line(struct builder *b, struct left_list *left)
{
	struct unknown_call *call;

	if (b->bad_list)
		end_bad_list(b);
	if (!b->failed && b->status == LINE_REPLY && b->syscall_added)
		no_list(b);
	if (!b->failed && b->unknown && !has_calls(b->rule))
		b->failed = true;
	if (b->failed) {
		left_add(b->arena, left, b->command->line, NULL,
			 b->why ? b->why : "auditctl refuses it");
		return;
	}
	for (call = b->unknown; call; call = call->next)
		left_add(b->arena, left, b->command->line, call->name,
			 call->why);
	if (b->status == LINE_RULE)
		send_rule(b);
}

/* Values that can hardly be meant, as far as auditctl looks at them. */
static void warn_remarks(struct builder *b, const struct command *c)
{
	for (size_t i = 0; i < c->options && i <= b->at; i++) {
		const struct option_word *word = &c->option[i];

		if (word->id && word->option != OPT_INVALID &&
		    word->option != OPT_PARAMETER)
			builder_tell_remark(b, i, DIAG_WARNING);
	}
}

/* A line end of CR and LF leaves the CR of a line that is blank otherwise. */
static bool is_blank(const struct command *c)
{
	return c->options == 1 && c->option[0].option == OPT_PARAMETER &&
	       strcmp(c->option[0].value, "\r") == 0;
}

static void tell_blank(struct builder *b, const struct command *c,
		       struct left_list *left)
{
	struct blank_lines *blank = &b->blank;
	size_t file = b->input->line[c->line].file_index;

	if (blank->told && blank->file == file) {
		blank->lines++;
		blank->told->what = arena_printf(
			b->arena, "%s: here and on %zu more line%s of the file",
			blank->what, blank->lines - 1,
			blank->lines == 2 ? "" : "s");
		return;
	}
	builder_begin(b, c);
	blank->told = builder_fault(b, c->option[0].id, c->option[0].at,
				    "a line of a carriage return (CR) alone is "
				    "not blank to auditctl");
	blank->told->advice = c->option[0].advice;
	blank->what = blank->told->what;
	blank->file = file;
	blank->lines = 1;
	left_add(b->arena, left, c->line, NULL, blank->what);
}

static void compile_line(struct builder *b, const struct command *c,
			 struct left_list *left)
{
	const struct option_word *parameter;
	unsigned int optind;

	if (is_blank(c)) {
		tell_blank(b, c, left);
		return;
	}
	builder_begin(b, c);
	parameter = do_options(b, c, &optind);
	if (!b->finished && !b->failed)
		check_rest(b, c, optind, parameter);
	if (!b->finished && !b->failed)
		add_key(b);
	warn_remarks(b, c);
	end_line(b, left);
}

static size_t longest_line(const struct input *input)
{
	size_t longest = 0;

	for (uint32_t i = 0; i < input->count; i++)
		if (input->line[i].length > longest)
			longest = input->line[i].length;
	return longest;
}

struct actions compile_commands(struct arena *arena,
				const struct commands *commands,
				const struct input *input,
				const struct compile_options *options,
				struct diagnostics *diag)
{
	struct actions actions = {.keep_going = options->keep_going};
	struct left_list left = {0};
	struct builder *b = arena_alloc(arena, sizeof(*b));

	b->arena = arena;
	b->options = options;
	b->input = input;
	b->diag = diag;
	b->actions = &actions;
	b->lookup = lookup_new(arena, options->root, options->target);
	/* Strings and the separators between keys fit in twice the line. */
	b->room = 2 * longest_line(input) + AUDIT_MAX_KEY_LEN;
	b->rule = arena_alloc(arena, sizeof(*b->rule) + b->room);
	for (size_t i = 0; i < commands->count; i++) {
		progress_step(input->progress, "compiling, line",
			      commands->item[i].line + 1, input->count);
		compile_line(b, &commands->item[i], &left);
	}
	lookup_free(b->lookup);
	actions.left = left.item;
	actions.lefts = left.count;
	return actions;
}
