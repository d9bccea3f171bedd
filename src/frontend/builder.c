/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "frontend/builder.h"

#include <libaudit.h>
#include <string.h>

void builder_begin(struct builder *b, const struct command *command)
{
	b->command = command;
	b->at = 0;
	b->status = LINE_REPLY;
	b->finished = b->failed = false;
	b->why = NULL;
	b->told_remark = NULL;
	b->muted = false;
	b->bad_list = NULL;
	b->remark = NULL;
	b->argc = command->words;
	b->list_requested = false;
	b->lists_given = 0;
	b->add = b->del = FILTER_UNSET;
	b->action = 0;
	b->action_set = b->exclude = false;
	b->watch_form = b->unsettled = false;
	memset(b->rule, 0, sizeof(*b->rule));
	b->elf = 0;
	b->syscall_added = b->perm_added = b->exe_added = b->fs_added = false;
	b->key[0] = 0;
	b->key_word = b->list_word = b->call_word = b->perm_word = NULL;
	b->elf_assumed = false;
	memset(&b->called, 0, sizeof(b->called));
	b->unknown = NULL;
	b->unknown_end = &b->unknown;
	b->perm_adding = 0;
}

static void refuse(struct builder *b, struct diagnostic *d)
{
	if (!b->why)
		b->why = d->what;
	d->stops = !b->ignoring;
	if (b->ignoring)
		d->auditctl = "auditctl tells it, skips the line and goes on, "
			      "because of -i or -c before it";
}

bool builder_remark_told(struct builder *b, size_t i)
{
	bool told;

	if (!b->told_remark)
		b->told_remark = arena_array(b->arena, b->command->options,
					     sizeof(*b->told_remark));
	told = b->told_remark[i];
	b->told_remark[i] = true;
	return told;
}

void builder_tell_remark(struct builder *b, size_t i, enum severity severity)
{
	const struct option_word *word = &b->command->option[i];
	struct diagnostic *d;

	if (b->bad_list || builder_remark_told(b, i))
		return;
	d = diag(b->diag, severity, word->id, word->value_at, "%s", word->why);
	d->advice = word->advice;
	if (severity == DIAG_ERROR)
		refuse(b, d);
	b->remark = d;
}

/* Is what is wrong at AT explained by the remark on the value that it is part
 * of? */
static bool is_explained(const struct builder *b, struct position at)
{
	const struct option_word *word;
	const char *text, *signs;

	if (b->at >= b->command->options)
		return false;
	word = &b->command->option[b->at];
	if (!word->id || !word->value || at.column < word->value_at.column ||
	    at.column >= word->value_at.column + word->value_at.length)
		return false;
	if (strcmp(word->id, "option-as-value") == 0)
		return true;
	signs = strcmp(word->id, "tab") == 0 ? "\t" : "\"'";
	text = b->input->line[at.line].text + at.column - 1;
	for (uint32_t i = 0; i < at.length; i++)
		if (strchr(signs, text[i]) && text[i])
			return true;
	return false;
}

/* The word with a tab that was to be the option which makes a rule, where the
 * line has none; -1: there is no such word. */
static int lost_list(const struct builder *b, struct position at)
{
	const struct command *c = b->command;

	if (b->add != FILTER_UNSET || b->del != FILTER_UNSET)
		return -1;
	for (size_t i = 0; i < c->options; i++) {
		const struct option_word *word = &c->option[i];
		const char *option;

		if (word->option != OPT_PARAMETER ||
		    word->at.column > at.column || strcmp(word->id, "tab") != 0)
			continue;
		option = word->value + strspn(word->value, "\t");
		if (option[0] == '-' && option[1] && strchr("aAdwW", option[1]))
			return (int)i;
	}
	return -1;
}

/* Not to be told, as it only follows from what has been. */
static bool is_consequence(struct builder *b, enum severity severity,
			   const char *id, struct position at)
{
	int lost;

	if (severity != DIAG_ERROR)
		return strcmp(id, "number-cut") == 0 && is_explained(b, at);
	if (b->bad_list || b->muted)
		return true;
	lost = lost_list(b, at);
	if (lost >= 0 && strcmp(id, "tab") != 0) {
		builder_tell_remark(b, (size_t)lost, DIAG_ERROR);
		return true;
	}
	if (!is_explained(b, at))
		return false;
	builder_tell_remark(b, b->at, DIAG_ERROR);
	return true;
}

static struct diagnostic *add_diagnostic(struct builder *b,
					 enum severity severity, const char *id,
					 struct position at, const char *format,
					 va_list args)
{
	struct diagnostic d = {.severity = severity,
			       .id = id,
			       .at = at,
			       .what = arena_vprintf(b->arena, format, args),
			       .other = {.line = DIAG_NO_LINE}};

	if (is_consequence(b, severity, id, at))
		return arena_copy(b->arena, &d, sizeof(d));
	return diagnostics_add(b->diag, &d);
}

struct diagnostic *builder_fault(struct builder *b, const char *id,
				 struct position at, const char *format, ...)
{
	struct diagnostic *d;
	va_list args;

	va_start(args, format);
	d = add_diagnostic(b, DIAG_ERROR, id, at, format, args);
	va_end(args);
	refuse(b, d);
	b->failed = true;
	b->status = LINE_ERROR;
	return d;
}

struct diagnostic *builder_fault_part(struct builder *b, const char *id,
				      struct position at, const char *format,
				      ...)
{
	struct diagnostic *d;
	va_list args;

	va_start(args, format);
	d = add_diagnostic(b, DIAG_ERROR, id, at, format, args);
	va_end(args);
	refuse(b, d);
	return d;
}

struct diagnostic *builder_warn(struct builder *b, const char *id,
				struct position at, const char *format, ...)
{
	struct diagnostic *d;
	va_list args;

	va_start(args, format);
	d = add_diagnostic(b, DIAG_WARNING, id, at, format, args);
	va_end(args);
	return d;
}

const char *builder_next_word(const struct builder *b,
			      const struct option_word *word)
{
	return b->command->word[builder_optind(b, word)];
}

unsigned int builder_optind(const struct builder *b,
			    const struct option_word *word)
{
	return b->command->words - word->words_after;
}

uint32_t builder_filter(const struct builder *b)
{
	if (b->add != FILTER_UNSET)
		return b->add & FILTER_MASK;
	if (b->del != FILTER_UNSET)
		return b->del & FILTER_MASK;
	return FILTER_UNSET;
}

const char *builder_filter_name(uint32_t filter)
{
	const char *name = rule_list_name(filter);

	if (filter == AUDIT_FILTER_ENTRY)
		return "entry";
	if (filter == AUDIT_FILTER_WATCH)
		return "watch";
	return name ? name : "(no list)";
}

struct position builder_list_at(const struct builder *b)
{
	const struct option_word *word = b->list_word;
	const char *name = builder_filter_name(builder_filter(b)), *found;
	const char *comma = word->value ? strchr(word->value, ',') : NULL;

	/* A watch names no list. */
	if (!comma || word->option == 'w' || word->option == 'W')
		return word->at;
	found = strncmp(word->value, name, (size_t)(comma - word->value)) == 0
			? word->value
			: comma + 1;
	return option_value_part(b->input, word, (size_t)(found - word->value),
				 strlen(name));
}

struct audit_action *builder_act(struct builder *b, enum action_kind kind,
				 const struct option_word *word)
{
	struct actions *all = b->actions;
	struct audit_action *action;

	all->item = arena_grow(b->arena, all->item, all->count,
			       &b->actions_room, sizeof(*all->item));
	action = &all->item[all->count++];
	action->kind = kind;
	action->line = b->command->line;
	action->at = word->at;
	return action;
}

bool builder_behaves(const struct builder *b, enum behaviour behaviour)
{
	return auditctl_behaves(b->options->auditctl_version, behaviour);
}

const char *builder_suggest(struct builder *b, const char *name)
{
	return name ? arena_printf(b->arena, "did you mean %s?", name) : NULL;
}
