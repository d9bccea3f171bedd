/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options that make a rule: -a, -A, -d, -w, -W, -p, -F, -C, -S, -k. Each
 * does what its part of setopt() in auditctl.c does.
 */
#include "frontend/builder.h"

#include <libaudit.h>
#include <limits.h>
#include <string.h>

#include "frontend/calls.h"
#include "frontend/field_pair.h"
#include "frontend/list_action.h"

/* Lists and actions */

static bool calls_before_task(struct builder *b, const struct option_word *word)
{
	if (!b->syscall_added || !strstr(word->value, "task"))
		return false;
	builder_fault(b, "calls-not-in-list", word->value_at,
		      "the list task takes no system calls");
	return true;
}

static void opt_append(struct builder *b, const struct option_word *word)
{
	if (!calls_before_task(b, word))
		list_and_action(b, word, &b->add, false);
}

static void opt_prepend(struct builder *b, const struct option_word *word)
{
	if (builder_behaves(b, BEHAVES_PREPEND_DELETES)) {
		builder_warn(b, "prepend-deletes", word->at,
			     "in audit 4.0.4 to 4.1.0, -A deletes the rule")
			->advice = "use another version of audit";
		list_and_action(b, word, &b->del, false);
		return;
	}
	if (calls_before_task(b, word))
		return;
	list_and_action(b, word, &b->add,
			builder_behaves(b, BEHAVES_POSSIBLE_A));
	if (!b->failed && b->status == LINE_RULE)
		b->add |= AUDIT_FILTER_PREPEND;
}

static void opt_delete(struct builder *b, const struct option_word *word)
{
	if (builder_behaves(b, BEHAVES_LACKS_DELETE))
		builder_fault(b, "unknown-option", word->at,
			      "auditctl 4.0.4 has no option -d");
	else
		list_and_action(b, word, &b->del,
				builder_behaves(b, BEHAVES_POSSIBLE_D));
}

/* Watches */

static bool path_fits(struct builder *b, const struct option_word *word)
{
	const char *path = word->value, *base;
	size_t length = strlen(path);

	if (length >= PATH_MAX) {
		builder_fault(b, "bad-path", word->value_at,
			      "the path is longer than %d bytes", PATH_MAX - 1);
		return false;
	}
	if (path[0] != '/') {
		builder_fault(b, "bad-path", word->value_at,
			      "the path of a watch must begin with /");
		return false;
	}
	/* basename() does not count slashes at the end. */
	while (length > 1 && path[length - 1] == '/')
		length--;
	for (base = path + length; base > path && base[-1] != '/'; base--)
		;
	if ((size_t)(path + length - base) > NAME_MAX) {
		builder_fault(b, "bad-path", word->value_at,
			      "the last part of the path is longer than %d "
			      "bytes",
			      NAME_MAX);
		return false;
	}
	if (strstr(path, ".."))
		builder_warn(b, "path-pattern", word->value_at,
			     "\"..\" in a watch is not resolved");
	if (strpbrk(path, "*?"))
		builder_warn(b, "path-pattern", word->value_at,
			     "* and ? stand for themselves in a watch: there "
			     "are no wildcards");
	return true;
}

/* Since 4.1.2 the rule must be empty; before, fields are refused, calls are
 * forgotten (audit_add_watch_dir). */
static bool rule_is_empty(struct builder *b, const struct option_word *word)
{
	bool calls = false;

	for (int i = 0; i < AUDIT_BITMASK_SIZE; i++)
		calls |= b->rule->mask[i] != 0;
	if (!b->rule->field_count &&
	    (!calls || !builder_behaves(b, BEHAVES_WATCH_EMPTY)))
		return true;
	builder_fault(b, "watch-position", word->at,
		      "a watch cannot follow fields%s",
		      b->rule->field_count ? "" : " or calls")
		->advice = "write the watch first, the fields behind it";
	return false;
}

/* audit_setup_watch_name() */
static void setup_watch(struct builder *b, const struct option_word *word)
{
	struct audit_rule_data *rule = b->rule;
	size_t length = strlen(word->value);
	bool slash, dir;
	const char *path;

	if (!path_fits(b, word) || !rule_is_empty(b, word))
		return;
	slash = word->value[length - 1] == '/';
	if (length > 2)
		while (length > 1 && word->value[length - 1] == '/')
			length--;
	path = arena_strndup(b->arena, word->value, length);
	switch (lookup_path(b->lookup, path)) {
	case PATH_MISSING:
	case PATH_UNKNOWN:
		b->unsettled = true;
		dir = slash;
		break;
	case PATH_DIRECTORY:
		dir = true;
		break;
	default:
		dir = false;
	}
	memset(rule, 0, sizeof(*rule));
	memset(&b->called, 0, sizeof(b->called));
	calls_add_all(rule);
	rule->field_count = 2;
	rule->fields[0] = dir ? AUDIT_DIR : AUDIT_WATCH;
	rule->fieldflags[0] = AUDIT_EQUAL;
	rule->values[0] = (uint32_t)length;
	rule->buflen = (uint32_t)length;
	memcpy(rule->buf, path, length);
	rule->fields[1] = AUDIT_PERM;
	rule->fieldflags[1] = AUDIT_EQUAL;
	rule->values[1] = AUDIT_PERM_READ | AUDIT_PERM_WRITE | AUDIT_PERM_EXEC |
			  AUDIT_PERM_ATTR;
	b->field_at[0] = b->field_at[1] = word->value_at;
	b->perm_added = true;
	b->watch_form = true;
	b->status = LINE_RULE;
}

static void begin_watch(struct builder *b, const struct option_word *word,
			uint32_t *filter)
{
	*filter = AUDIT_FILTER_EXIT;
	b->action = AUDIT_ALWAYS;
	b->action_set = true;
	b->syscall_added = true;
	if (!b->list_word)
		b->list_word = word;
	setup_watch(b, word);
}

static void opt_watch(struct builder *b, const struct option_word *word)
{
	if (b->add != FILTER_UNSET || b->del != FILTER_UNSET) {
		struct diagnostic *d = builder_fault(
			b, "watch-position", word->at,
			"-w cannot follow -a, -A, -d or another watch");

		if (b->list_word) {
			d->other = b->list_word->at;
			d->other_what = "the rule begins here";
		}
		d->advice = "write -F path= or -F dir= instead";
		return;
	}
	begin_watch(b, word, &b->add);
}

static void opt_remove_watch(struct builder *b, const struct option_word *word)
{
	begin_watch(b, word, &b->del);
}

static void opt_perm(struct builder *b, const struct option_word *word)
{
	uint32_t perm;

	if (b->add == FILTER_UNSET && b->del == FILTER_UNSET)
		builder_fault(b, "perm-position", word->at,
			      "-p needs a watch before it");
	else if (field_perm_letters(b, word, 0, word->value, &perm) &&
		 field_perm_update(b, word, perm))
		b->status = LINE_RULE;
}

/* Keys */

static void take_key(struct builder *b, const struct option_word *word,
		     const char *text)
{
	size_t length = strlen(b->key);

	if (length + strlen(text) + !!length > AUDIT_MAX_KEY_LEN) {
		builder_fault(b, "value-too-long", word->value_at,
			      "all keys of a rule together are at most %d "
			      "bytes",
			      AUDIT_MAX_KEY_LEN);
		return;
	}
	if (strchr(text, AUDIT_KEY_SEPARATOR)) {
		if (builder_behaves(b, BEHAVES_KEY_CHECKED)) {
			builder_fault(b, "bad-value", word->value_at,
				      "a key cannot hold the byte 0x01");
			return;
		}
		builder_warn(b, "key-separator", word->value_at,
			     "the byte 0x01 makes two keys of one, and "
			     "auditctl refuses it since 4.2.0");
	}
	if (length)
		b->key[length++] = AUDIT_KEY_SEPARATOR;
	strcpy(b->key + length, text);
	if (!b->key_word)
		b->key_word = word;
}

static void opt_key(struct builder *b, const struct option_word *word)
{
	if ((b->syscall_added || b->perm_added || b->exe_added ||
	     b->fs_added) &&
	    (b->add != FILTER_UNSET || b->del != FILTER_UNSET)) {
		take_key(b, word, word->value);
		return;
	}
	builder_fault(
		b, "key-position", word->at,
		"-k needs a watch, or a list and a call, path, dir, perm, "
		"exe or fstype, before it")
		->advice = "write -k last in the line; without any calls, add "
			   "-S all before it";
}

/* Fields */

static void opt_field(struct builder *b, const struct option_word *word)
{
	const char *next = builder_next_word(b, word);

	if (b->add == FILTER_UNSET && b->del == FILTER_UNSET &&
	    (!next || strcmp(next, "-t") != 0 ||
	     !strstr(word->value, "arch="))) {
		builder_fault(b, "rule-needs-list", word->at,
			      "-F needs -a, -A, -d or -w before it")
			->advice = "begin the line with -a always,exit";
		return;
	}
	if (strncmp(word->value, "key=", 4) == 0)
		take_key(b, word, word->value + 4);
	else
		field_pair_add(b, word, word->value);
}

static void opt_compare(struct builder *b, const struct option_word *word)
{
	field_compare_add(b, word, word->value);
}

/* Calls */

static bool is_list(const struct builder *b, uint32_t filter)
{
	return (b->add & (FILTER_MASK | FILTER_UNSET)) == filter ||
	       (b->del & (FILTER_MASK | FILTER_UNSET)) == filter;
}

static bool list_takes_calls(struct builder *b, const struct option_word *word)
{
	static const uint32_t without[] = {AUDIT_FILTER_TASK, AUDIT_FILTER_USER,
					   AUDIT_FILTER_FS};
	const char *name = b->exclude ? "exclude" : NULL;
	struct diagnostic *d;

	for (size_t i = 0; i < sizeof(without) / sizeof(without[0]); i++)
		if (!name && is_list(b, without[i]))
			name = builder_filter_name(without[i]);
	if (!name)
		return true;
	d = builder_fault(b, "calls-not-in-list", word->at,
			  "the list %s takes no system calls", name);
	d->advice = "leave -S out";
	if (b->list_word) {
		d->other = builder_list_at(b);
		d->other_what = "the list is given here";
	}
	b->finished = true;
	return false;
}

static void opt_call(struct builder *b, const struct option_word *word)
{
	if (!b->call_word)
		b->call_word = word;
	if (builder_behaves(b, BEHAVES_URING_LIST) &&
	    is_list(b, AUDIT_FILTER_URING_EXIT)) {
		calls_add_operations(b, word);
		b->syscall_added = true;
		if (!b->failed)
			b->status = LINE_RULE;
		return;
	}
	if (!list_takes_calls(b, word))
		return;
	if (!b->elf) {
		b->elf = audit_machine_to_elf(b->options->target->machine);
		b->elf_assumed = true;
	}
	calls_add(b, word);
	b->syscall_added = true;
}

bool rule_option(struct builder *b, const struct option_word *word)
{
	static const struct {
		int option;
		void (*handler)(struct builder *b,
				const struct option_word *word);
	} handlers[] = {
		{'a', opt_append}, {'A', opt_prepend},	    {'d', opt_delete},
		{'w', opt_watch},  {'W', opt_remove_watch}, {'p', opt_perm},
		{'F', opt_field},  {'C', opt_compare},	    {'S', opt_call},
		{'k', opt_key},
	};

	for (size_t i = 0; i < sizeof(handlers) / sizeof(handlers[0]); i++)
		if (handlers[i].option == word->option) {
			handlers[i].handler(b, word);
			return true;
		}
	return false;
}
