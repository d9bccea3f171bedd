/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A rule set with its control commands as the text of a rules file.
 */
#include "emit/emit.h"

#include <libaudit.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>
#include <utstring.h>

#include "emit/rule_text.h"

/* Comments are broken at this column where they can be. */
#define COMMENT_WIDTH 96
/* A line of the input is shown up to here, so that it can be found and copied
 * back; behind it stand a few bytes more, below EMIT_LINE_MAX. */
#define SHOWN_LINE_MAX 3900

/* A line that was written, so that none is written twice: the kernel refuses
 * the second (audit_add_rule) and auditctl stops there. Two rules of a set give
 * one line if they differ only in what text cannot keep apart. */
struct written {
	char *line;
	UT_hash_handle hh;
};

struct emitter {
	struct arena *arena;
	const struct ruleset *set;
	const struct controls *controls;
	const struct input *input;
	const struct emit_options *options;
	UT_string out;
	struct written *written;
	size_t next_left, next_moment;
};

/* A byte that ends a comment's line would make a command of the rest; such
 * bytes look as they do in complaints (diagnostics_print). */
static void put_comment_text(UT_string *out, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c == '\t')
			utstring_printf(out, "<TAB>");
		else if (c < ' ' || c == 0x7f)
			utstring_printf(out, "\\x%02x", c);
		else
			utstring_bincpy(out, text + i, 1);
	}
}

/* TEXT on a comment line of its own, cut where it would be too long. */
static void put_comment_line(UT_string *out, const char *text, size_t length)
{
	size_t end = utstring_len(out) + SHOWN_LINE_MAX;
	size_t i;

	utstring_printf(out, "# ");
	for (i = 0; i < length && utstring_len(out) < end; i++)
		put_comment_text(out, text + i, 1);
	utstring_printf(out, "%s\n", i < length ? "..." : "");
}

/* TEXT as comment lines, broken behind commas and spaces where there are any: a
 * line that is too long for auditctl's buffer would go on as a command. */
static void put_comment(UT_string *out, const char *text)
{
	size_t left = strlen(text);

	while (left > 0) {
		size_t take = left < COMMENT_WIDTH ? left : COMMENT_WIDTH;

		if (take < left) {
			size_t end = take;

			while (end > 0 && text[end - 1] != ' ' &&
			       text[end - 1] != ',')
				end--;
			if (end > 0)
				take = end;
		}
		utstring_printf(out, "# ");
		put_comment_text(out, text, take);
		while (utstring_body(out)[utstring_len(out) - 1] == ' ')
			utstring_body(out)[--utstring_len(out)] = '\0';
		utstring_printf(out, "\n");
		text += take;
		left -= take;
	}
}

static void put_heading(struct emitter *e)
{
	const char *line = e->options->heading;

	while (line && *line) {
		size_t length = strcspn(line, "\n");

		utstring_printf(&e->out, length ? "# " : "#");
		put_comment_text(&e->out, line, length);
		utstring_printf(&e->out, "\n");
		line += length + (line[length] == '\n');
	}
}

char *emit_origin(struct arena *arena, const struct input *input,
		  struct origin origin)
{
	const char *file = NULL;
	UT_string out;
	char *text;

	utstring_init(&out);
	for (size_t i = 0; i < origin.count;) {
		const struct source_line *first = &input->line[origin.line[i]];
		uint32_t last = first->number;
		size_t run = i + 1;

		if (!file || strcmp(file, first->file) != 0) {
			utstring_printf(&out, "%s", file ? ", " : "");
			put_comment_text(&out, first->file,
					 strlen(first->file));
			utstring_printf(&out, ":");
			file = first->file;
		} else {
			utstring_printf(&out, ",");
		}
		for (; run < origin.count; run++) {
			const struct source_line *next =
				&input->line[origin.line[run]];

			if (next->number != last + 1 ||
			    strcmp(next->file, file) != 0)
				break;
			last = next->number;
		}
		utstring_printf(&out, "%u", first->number);
		if (run - i > 1)
			utstring_printf(&out, "%c%u", run - i > 2 ? '-' : ',',
					last);
		i = run;
	}
	text = arena_strndup(arena, utstring_body(&out), utstring_len(&out));
	utstring_done(&out);
	return text;
}

static void put_number(struct emitter *e, const char *option,
		       const struct audit_action *action)
{
	if (action)
		utstring_printf(&e->out, "%s %u\n", option, action->number);
}

static void put_flag(struct emitter *e, const char *option,
		     const struct audit_action *action)
{
	if (action)
		utstring_printf(&e->out, "%s\n", option);
}

/* All controls but -e, which may lock everything behind it out. */
static void put_controls(struct emitter *e)
{
	const struct controls *c = e->controls;

	put_flag(e, "-i", c->ignore);
	put_flag(e, "-c", c->keep_going);
	put_flag(e, "-D", c->delete_all);
	put_number(e, "-b", c->backlog);
	put_number(e, "-f", c->failure);
	put_number(e, "-r", c->rate);
	put_number(e, "--backlog_wait_time", c->backlog_wait_time);
	put_flag(e, "--loginuid-immutable", c->loginuid_immutable);
}

/* An option with a text as one word, escaped as auditctl reads it. */
static void put_text(struct emitter *e, const char *option, const char *text)
{
	UT_string line;

	utstring_init(&line);
	utstring_printf(&line, "%s ", option);
	for (const char *c = text; *c; c++) {
		if (*c == ' ' || *c == '\\')
			utstring_bincpy(&line, "\\", 1);
		utstring_bincpy(&line, c, 1);
	}
	utstring_printf(&e->out, "%s\n",
			rule_text_pad(e->arena, utstring_body(&line)));
	utstring_done(&line);
}

static void put_moment(struct emitter *e, const struct audit_action *action)
{
	switch (action->kind) {
	case DO_EQUIVALENT:
		put_text(e, "-q", action->text);
		break;
	case DO_MESSAGE:
		put_text(e, "-m", action->text);
		break;
	case DO_SIGNAL:
		put_text(e, "--signal", action->text);
		break;
	case DO_TRIM:
		put_flag(e, "-t", action);
		break;
	case DO_RESET_LOST:
		put_flag(e, "--reset-lost", action);
		break;
	case DO_RESET_BACKLOG_WAIT_TIME_ACTUAL:
		put_flag(e, "--reset_backlog_wait_time_actual", action);
		break;
	default: /* the others are no moments: see put_controls() */
		break;
	}
}

/* Those that stood before the first rule of EPOCH. */
static void put_moments(struct emitter *e, unsigned int epoch)
{
	const struct controls *c = e->controls;

	while (e->next_moment < c->moments &&
	       c->moment_epoch[e->next_moment] <= epoch)
		put_moment(e, c->moment[e->next_moment++]);
}

/* What was left out at lines before LINE. */
static void put_left_out(struct emitter *e, uint32_t line)
{
	const struct emit_options *o = e->options;

	for (; e->next_left < o->lefts; e->next_left++) {
		const struct left_out *left = &o->left[e->next_left];
		const struct source_line *source = &e->input->line[left->line];
		struct origin origin = {&left->line, 1};
		const char *at;

		if (left->line >= line)
			return;
		at = emit_origin(e->arena, e->input, origin);
		put_comment(&e->out,
			    arena_printf(e->arena, "left out%s %s: %s",
					 left->text ? " of" : "", at,
					 left->why ? left->why : "fault"));
		if (left->text)
			put_comment_line(&e->out, left->text,
					 strlen(left->text));
		else
			put_comment_line(&e->out, source->text, source->length);
	}
}

static bool remember(struct emitter *e, char *line)
{
	struct written *entry;

	HASH_FIND_STR(e->written, line, entry);
	if (entry)
		return false;
	entry = arena_alloc(e->arena, sizeof(*entry));
	entry->line = line;
	HASH_ADD_KEYPTR(hh, e->written, entry->line, strlen(entry->line),
			entry);
	return true;
}

static void put_origin(struct emitter *e, struct origin origin)
{
	const char *text = emit_origin(e->arena, e->input, origin);

	put_comment(&e->out, arena_printf(e->arena, "line%s %s",
					  origin.count > 1 ? "s" : "", text));
}

static bool put_rule(struct emitter *e, const struct rule *rule)
{
	const struct origin *origin = &rule->origin;
	struct rule_lines lines;

	if (!rule_text(e->arena, e->set->target, rule, &lines))
		return false;
	put_left_out(e, origin->count ? origin->line[0] : 0);
	if (e->options->comments && origin->count)
		put_origin(e, *origin);
	else if (e->options->comments)
		put_comment(&e->out,
			    "added: no rule behind it could match these calls");
	for (size_t i = 0; i < lines.count; i++) {
		if (remember(e, lines.line[i]))
			utstring_printf(&e->out, "%s\n", lines.line[i]);
		else if (e->options->comments)
			utstring_printf(&e->out,
					"# the same as a rule above\n");
	}
	return true;
}

/* A rule in the order in which it is added. */
struct addition {
	size_t at; /* position in the set */
	unsigned int epoch;
};

static int by_time(const void *left, const void *right)
{
	const struct addition *a = left, *b = right;

	if (a->epoch != b->epoch)
		return a->epoch < b->epoch ? -1 : 1;
	return a->at < b->at ? -1 : 1;
}

/* Rules of an epoch are added before the -q that ends it. NULL if one of a
 * later epoch stands before one of an earlier: that order takes -A, which
 * deletes rules in some versions (4.0.4 to 4.1.0). */
static struct addition *additions_of(struct emitter *e)
{
	size_t count = e->set->count;
	struct addition *all = arena_array(e->arena, count, sizeof(*all));
	unsigned int latest[AUDIT_FILTER_MASK + 1] = {0};

	for (size_t i = 0; i < count; i++) {
		const struct rule *rule = e->set->rule[i];
		unsigned int *seen = &latest[rule->filter & AUDIT_FILTER_MASK];

		if (rule->epoch < *seen)
			return NULL;
		*seen = rule->epoch;
		all[i].at = i;
		all[i].epoch = rule->epoch;
	}
	qsort(all, count, sizeof(*all), by_time);
	return all;
}

static bool put_rules(struct emitter *e)
{
	struct addition *all = additions_of(e);

	for (size_t i = 0; all && i < e->set->count; i++) {
		put_moments(e, all[i].epoch);
		if (!put_rule(e, e->set->rule[all[i].at]))
			return false;
	}
	return all != NULL;
}

char *emit_ruleset(struct arena *arena, const struct ruleset *set,
		   const struct controls *controls, const struct input *input,
		   const struct emit_options *options, size_t *size)
{
	struct emitter e = {.arena = arena,
			    .set = set,
			    .controls = controls,
			    .input = input,
			    .options = options};
	char *text = NULL;
	bool good;

	utstring_init(&e.out);
	put_heading(&e);
	put_controls(&e);
	good = put_rules(&e);
	put_moments(&e, UINT32_MAX);
	put_left_out(&e, UINT32_MAX);
	put_number(&e, "-e", controls->enable);
	if (good) {
		*size = utstring_len(&e.out);
		text = arena_strndup(arena, utstring_body(&e.out), *size);
	}
	HASH_CLEAR(hh, e.written);
	utstring_done(&e.out);
	return text;
}

char *emit_rule(struct arena *arena, const struct target *target,
		const struct rule *rule)
{
	struct rule_lines lines;
	UT_string out;
	char *text;

	if (!rule_text(arena, target, rule, &lines))
		return NULL;
	utstring_init(&out);
	for (size_t i = 0; i < lines.count; i++)
		utstring_printf(&out, "%s%s", i ? "\n" : "", lines.line[i]);
	text = arena_strndup(arena, utstring_body(&out), utstring_len(&out));
	utstring_done(&out);
	return text;
}
