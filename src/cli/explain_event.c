/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/explain_event.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/audit_names.h"
#include "model/call_names.h"

#define MOST_FACTS CLI_FACTS_AT_MOST

/* What auditctl makes of "-a always,exit" and the words. */
static const struct rule *read_rule(struct question *q, const char *words)
{
	struct source_line line = {
		.file = "the command line", .number = 1, .column = 1};
	struct input *input = arena_alloc(q->arena, sizeof(*input));
	const char **file = arena_alloc(q->arena, sizeof(*file));
	struct diagnostics *diagnostics = diagnostics_new(q->arena);
	struct compile_options compile = q->options->common.compile;
	struct commands commands;
	struct actions actions;
	struct loaded loaded;

	line.text = arena_printf(q->arena, "-a always,exit %s", words);
	line.length = strlen(line.text);
	*file = line.file;
	*input = (struct input){
		.line = arena_copy(q->arena, &line, sizeof(line)),
		.count = 1,
		.file = file,
		.files = 1,
	};
	compile.progress = NULL;
	commands = parse_input(q->arena, input, compile.auditctl_version,
			       diagnostics);
	actions = compile_commands(q->arena, &commands, input, &compile,
				   diagnostics);
	loaded = load_actions(q->arena, &actions, &compile, diagnostics);
	if (loaded.set->count == 1 &&
	    !diagnostics_count(diagnostics, DIAG_ERROR) &&
	    !diagnostics_count(diagnostics, DIAG_FATAL))
		return loaded.set->rule[0];
	diagnostics_print(diagnostics, input, DIAG_ERROR, stderr, false);
	return NULL;
}

/* What is no fact of a call, and what to say instead. */
static const char *no_fact(const char *name, size_t length)
{
	static const struct {
		const char *name, *advice;
	} known[] = {
		{"perm",
		 "perm follows from the call: name one with -S (chmod for a, "
		 "execve for x), and for open, openat and openat2 say -F "
		 "flags=O_RDONLY, O_WRONLY or O_RDWR"},
		{"key",
		 "a call has no key, the rule that matches has: leave it "
		 "out"},
		{"msgtype", "a call is explained, not a record: msgtype is for "
			    "the user and exclude lists"},
		{"fstype", "a call is explained: fstype is for the filesystem "
			   "list"},
		{"field_compare", "give both ids: -F uid=0 -F obj_uid=1000"},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strlen(known[i].name) == length &&
		    strncasecmp(known[i].name, name, length) == 0)
			return known[i].advice;
	return NULL;
}

/* -F flags=: for calls that open, whose argument they are. */
static bool read_flags(struct question *q, const char *text)
{
	static const char *const mode[] = {"O_RDONLY", "O_WRONLY", "O_RDWR"};
	unsigned int i = 0;
	uint64_t flags;
	char *end = NULL;

	while (i < 3 && strcmp(text, mode[i]) != 0)
		i++;
	errno = 0;
	flags = i < 3 ? i : strtoull(text, &end, 0);
	if (i == 3 && (!isdigit((unsigned char)*text) || *end || errno)) {
		cli_usage_error(CLI_EXPLAIN,
				"-F flags=%s: a number, O_RDONLY, O_WRONLY or "
				"O_RDWR is wanted",
				text);
		return false;
	}
	if (q->has_flags && q->flags != flags) {
		cli_usage_error(CLI_EXPLAIN,
				"-F flags=%s: other flags were said before, "
				"and a call has them once",
				text);
		return false;
	}
	q->flags = flags;
	q->has_flags = true;
	return true;
}

static bool refuse_fact(const struct question *q, const char *text,
			const struct rule *rule)
{
	const struct target *target = q->options->common.compile.target;
	const struct field_test *test = rule->tests ? rule->test : NULL;

	if (test && test->field->kind == FIELD_ARCH)
		cli_usage_error(
			CLI_EXPLAIN, "-F %s: calls on %s are of %s%s%s", text,
			target->name, target->abi[ABI_NATIVE].name,
			target_has_abi(target, ABI_COMPAT) ? " or " : "",
			target_has_abi(target, ABI_COMPAT)
				? target->abi[ABI_COMPAT].name
				: "");
	else if (test && test->op != OP_EQ)
		cli_usage_error(CLI_EXPLAIN,
				"-F %s: a call has one value: say -F %s= and "
				"that value",
				text, test->field->name);
	else
		cli_usage_error(CLI_EXPLAIN,
				"-F %s does not say what such a call is: a "
				"field, = and a value are wanted",
				text);
	return false;
}

/* The word as it stands in a line of rules. */
static const char *escaped(struct arena *arena, const char *text)
{
	char *word = arena_alloc(arena, 2 * strlen(text) + 1), *to = word;

	for (; *text; text++) {
		if (*text == ' ' || *text == '\\')
			*to++ = '\\';
		*to++ = *text;
	}
	return word;
}

/* exit=EACCES is 13, as in rules; seldom what is meant. */
static void doubt_exit(const struct question *q, const char *text,
		       const struct field_test *test)
{
	const char *value = strchr(text, '=');

	if (test->field->number != AUDIT_EXIT || !value || value[1] != 'E' ||
	    q->options->common.verbosity < 0)
		return;
	fprintf(stderr,
		"auditopt explain: note: -F %s is a call that returns %d and "
		"succeeds; one that fails has exit=-%s\n",
		text, (int)test->value, value + 1);
}

/* Has a call, or one name of it, but one value of such a field? A file may have
 * several paths and lie in several trees, and a call many names. */
static bool is_single(const struct field_info *field)
{
	switch (field->kind) {
	case FIELD_PATH:
	case FIELD_DIR:
	case FIELD_EXE:
	case FIELD_LSM_OBJECT:
		return false;
	default:
		return true;
	}
}

static bool same_value(const struct field_test *a, const struct field_test *b)
{
	if (a->string && b->string)
		return strcmp(a->string, b->string) == 0;
	return a->value == b->value;
}

/* Keeps the fact, if none before says otherwise. */
static bool keep_fact(struct question *q, const char *text,
		      const struct field_test *test)
{
	const struct fact fact = {text, test, q->event.names};
	bool of_name = test->field->kind == FIELD_NAME ||
		       test->field->kind == FIELD_FILETYPE;

	for (size_t i = 0; i < q->facts; i++) {
		const struct fact *other = &q->fact[i];

		if (other->test->field != test->field ||
		    !is_single(test->field) || same_value(other->test, test) ||
		    (of_name && other->name != fact.name))
			continue;
		cli_usage_error(CLI_EXPLAIN,
				"-F %s and -F %s contradict each other: a "
				"%s has one %s, so there is no such call",
				other->text, text, of_name ? "file" : "call",
				test->field->name);
		return false;
	}
	q->fact[q->facts++] = fact;
	return true;
}

static bool add_fact(struct question *q, const char *text)
{
	const char *words =
		arena_printf(q->arena, "-F %s", escaped(q->arena, text));
	size_t name = strcspn(text, "=!<>&");
	const char *advice = no_fact(text, name);
	size_t files = q->event.names + q->event.dirs;
	const struct rule *rule;

	if (advice) {
		cli_usage_error(CLI_EXPLAIN, "-F %s: %s", text, advice);
		return false;
	}
	if (strncmp(text, "flags=", 6) == 0)
		return read_flags(q, text + 6);
	rule = read_rule(q, words);
	if (!rule)
		return false;
	if (rule->tests == 1 && explain_make_true(q, &rule->test[0])) {
		if (!q->file_fact && q->event.names + q->event.dirs > files)
			q->file_fact = text;
		doubt_exit(q, text, &rule->test[0]);
		return keep_fact(q, text, &rule->test[0]);
	}
	return refuse_fact(q, text, rule);
}

static int call_number(const struct question *q, const char *text)
{
	const struct target *target = q->options->common.compile.target;
	char *end;
	long number = strtol(text, &end, 10);

	if (*text && !*end && number >= 0 && number < SYSCALL_MASK_BITS)
		return (int)number;
	return target_call_number(target, q->event.abi, text);
}

static bool is_call(const struct question *q, const char *name)
{
	const char *own = target_call_name(q->options->common.compile.target,
					   q->event.abi, q->event.number);

	return own && strcmp(own, name) == 0;
}

/* Puts the flags where the call has them. */
static bool place_flags(struct question *q, const char *call)
{
	if (!q->has_flags)
		return true;
	if (is_call(q, "open"))
		q->event.argv[1] = q->flags;
	else if (is_call(q, "openat"))
		q->event.argv[2] = q->flags;
	else if (is_call(q, "openat2"))
		q->event.open_flags = q->flags;
	else
		return cli_usage_error(CLI_EXPLAIN,
				       "-F flags= is for open, openat and "
				       "openat2, and -S %s is another call",
				       call) < 0;
	return true;
}

/* exit and exit_group: neither exit nor success is ever known. */
static bool place_result(struct question *q, const char *call)
{
	if (!is_call(q, "exit") && !is_call(q, "exit_group"))
		return true;
	if (q->has_exit || q->has_success)
		return cli_usage_error(CLI_EXPLAIN,
				       "-S %s never returns: leave -F %s= out",
				       call,
				       q->has_exit ? "exit" : "success") < 0;
	q->event.result = RESULT_NONE;
	return true;
}

/* No rule that asks for a file can match a call that names none. */
static bool place_names(const struct question *q, const char *call)
{
	const char *why;

	if (!q->file_fact ||
	    call_can_collect_names(q->options->common.compile.target,
				   q->event.abi, q->event.number, &why))
		return true;
	return cli_usage_error(CLI_EXPLAIN,
			       "-S %s collects no names of files, %s: leave -F "
			       "%s out",
			       call, why, q->file_fact) < 0;
}

bool explain_set_call(struct question *q, const char *text)
{
	const struct target *target = q->options->common.compile.target;

	q->event.number = call_number(q, text);
	if (q->event.number >= 0)
		return place_flags(q, text) && place_result(q, text) &&
		       place_names(q, text);
	if (strcmp(text, "all") == 0)
		cli_usage_error(CLI_EXPLAIN, "-S all: name the calls to be "
					     "explained, as in -S open,chmod");
	else
		cli_usage_error(CLI_EXPLAIN, "-S %s: %s has no such call%s",
				text, target->abi[q->event.abi].name,
				target_call_number(target, ABI_COMPAT, text) >=
						0
					? ", b32 has: say -F arch=b32"
					: "");
	return false;
}

static bool lies_below(const char *path, const char *tree)
{
	size_t length = strlen(tree);

	while (length > 1 && tree[length - 1] == '/')
		length--;
	return strncmp(path, tree, length) == 0 &&
	       (path[length] == '/' || path[length] == '\0' || length == 1);
}

static bool has_dir(const struct question *q, const char *dir)
{
	for (size_t i = 0; i < q->event.dirs; i++)
		if (strcmp(q->dir[i], dir) == 0)
			return true;
	return false;
}

/* The trees of SET that the named files lie in. */
static void find_trees(struct question *q, const struct ruleset *set)
{
	for (size_t i = 0; i < set->count; i++) {
		const struct rule *rule = set->rule[i];

		for (unsigned int t = 0; t < rule->tests; t++) {
			const char *tree = rule->test[t].string;

			if (rule->test[t].field->kind != FIELD_DIR ||
			    has_dir(q, tree))
				continue;
			for (size_t n = 0; n < q->event.names; n++)
				if (q->name[n].paths &&
				    lies_below(q->name[n].path[0], tree)) {
					q->dir[q->event.dirs++] = tree;
					break;
				}
		}
	}
}

static bool is_general(const char *fact)
{
	return strncmp(fact, "uid=", 4) == 0 || strncmp(fact, "gid=", 4) == 0;
}

bool explain_event(struct question *q, const struct ruleset *set)
{
	const struct cli_options *options = q->options;
	size_t most = set->count + MOST_FACTS;

	q->name = arena_array(q->arena, MOST_FACTS + 1, sizeof(*q->name));
	q->path = arena_array(q->arena, MOST_FACTS + 1, sizeof(*q->path));
	q->exe = arena_array(q->arena, MOST_FACTS + 1, sizeof(*q->exe));
	q->label = arena_array(q->arena, MOST_FACTS + 1, sizeof(*q->label));
	q->dir = arena_array(q->arena, most + 1, sizeof(*q->dir));
	q->event = (struct event){.result = RESULT_SUCCESS,
				  .pid = 4242,
				  .ppid = 4241,
				  .session = 1,
				  .auid = 1000,
				  .name = q->name,
				  .dir = q->dir,
				  .exe = q->exe,
				  .label = q->label};
	q->event.uid = q->event.euid = q->event.suid = q->event.fsuid = 1000;
	q->event.gid = q->event.egid = q->event.sgid = q->event.fsgid = 1000;
	q->fact = arena_array(q->arena, MOST_FACTS, sizeof(*q->fact));
	/* uid and gid are those of all kinds, but for what is said of one */
	for (int general = 1; general >= 0; general--)
		for (int i = 0; i < options->facts; i++)
			if (is_general(options->fact[i]) == general &&
			    !add_fact(q, options->fact[i]))
				return false;
	find_trees(q, set);
	return explain_results_agree(q);
}
