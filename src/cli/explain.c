/* SPDX-License-Identifier: GPL-2.0-or-later */
/* auditopt explain -S CALL [-F FIELD=VALUE]... FILE: the kernel's walk. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libaudit.h>

#include "cli/cli.h"
#include "cli/event_text.h"
#include "cli/proof.h"
#include "emit/emit.h"
#include "model/self_log.h"

#define MOST_FACTS CLI_FACTS_AT_MOST

/* The event asked about. */
struct question {
	struct arena *arena;
	const struct cli_options *options;
	struct event event;
	struct event_name *name;
	const char **path, **dir, **exe;
	struct lsm_truth *label;
	uint32_t *group;
	bool has_exit;
};

/* One walk that is printed. */
struct telling {
	struct arena *arena;
	const struct cli_input *in;
	const struct ruleset *set;
	const struct event *event;
	FILE *stream;
	bool all;		/* rules that are passed over, too */
	size_t passed, entered; /* since the last title */
	int name;
	bool any;
};

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
	*input = (struct input){arena_copy(q->arena, &line, sizeof(line)), 1,
				file, 1};
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

static void set_number(struct event *e, const struct field_test *test)
{
	uint32_t value = test->value;

	switch (test->field->number) {
	case AUDIT_PID:
		e->pid = value;
		break;
	case AUDIT_PPID:
		e->ppid = value;
		break;
	case AUDIT_PERS:
		e->personality = value;
		break;
	case AUDIT_SESSIONID:
		e->session = value;
		break;
	case AUDIT_ARG0:
	case AUDIT_ARG1:
	case AUDIT_ARG2:
	case AUDIT_ARG3:
		e->argv[test->field->number - AUDIT_ARG0] = value;
		break;
	default:
		e->has_sockaddr = true;
		e->sockaddr_family = value;
	}
}

static void set_id(struct event *e, const struct field_test *test)
{
	switch (test->field->number) {
	case AUDIT_UID:
		e->uid = e->euid = e->suid = e->fsuid = test->value;
		break;
	case AUDIT_EUID:
		e->euid = e->fsuid = test->value;
		break;
	case AUDIT_SUID:
		e->suid = test->value;
		break;
	case AUDIT_FSUID:
		e->fsuid = test->value;
		break;
	case AUDIT_GID:
		e->gid = e->egid = e->sgid = e->fsgid = test->value;
		break;
	case AUDIT_EGID:
		e->egid = e->fsgid = test->value;
		break;
	case AUDIT_SGID:
		e->sgid = test->value;
		break;
	case AUDIT_FSGID:
		e->fsgid = test->value;
		break;
	default:
		e->auid = test->value;
	}
}

static void set_result(struct question *q, const struct field_test *test)
{
	struct event *e = &q->event;

	if (test->field->number == AUDIT_EXIT) {
		e->exit_code = test->value;
		q->has_exit = true;
		e->result = (int32_t)test->value < 0 ? RESULT_FAILURE
						     : RESULT_SUCCESS;
		return;
	}
	e->result = test->value ? RESULT_SUCCESS : RESULT_FAILURE;
	if (!test->value && !q->has_exit)
		e->exit_code = (uint32_t)-1;
}

static struct event_name *some_name(struct question *q)
{
	if (!q->event.names)
		q->name[q->event.names++] =
			(struct event_name){.inode = 1, .mode = 0100644};
	return &q->name[q->event.names - 1];
}

static void add_path(struct question *q, const char *path)
{
	q->path[q->event.names] = path;
	q->name[q->event.names] = (struct event_name){
		.inode = 1000 + q->event.names,
		.mode = 0100644,
		.path = &q->path[q->event.names],
		.paths = 1,
	};
	q->event.names++;
}

static void set_name(struct question *q, const struct field_test *test)
{
	struct event_name *name = some_name(q);

	switch (test->field->number) {
	case AUDIT_DEVMAJOR:
		name->dev_major = name->rdev_major = test->value;
		break;
	case AUDIT_DEVMINOR:
		name->dev_minor = name->rdev_minor = test->value;
		break;
	case AUDIT_INODE:
		name->inode = test->value;
		break;
	case AUDIT_OBJ_UID:
		name->uid = test->value;
		break;
	case AUDIT_OBJ_GID:
		name->gid = test->value;
		break;
	default:
		break;
	}
}

/* Makes the event one for which TEST holds; false if there is no way. */
static bool make_true(struct question *q, const struct field_test *test)
{
	struct event *e = &q->event;

	if (test->op != OP_EQ)
		return false;
	switch (test->field->kind) {
	case FIELD_NUMBER:
	case FIELD_OPTIONAL:
		set_number(e, test);
		return true;
	case FIELD_UID:
	case FIELD_GID:
	case FIELD_GROUP:
		set_id(e, test);
		return true;
	case FIELD_RESULT:
		set_result(q, test);
		return true;
	case FIELD_NAME:
		set_name(q, test);
		return true;
	case FIELD_FILETYPE:
		some_name(q)->mode = test->value;
		return true;
	case FIELD_PATH:
		add_path(q, test->string);
		return true;
	case FIELD_DIR:
		q->dir[e->dirs++] = test->string;
		return true;
	case FIELD_EXE:
		q->exe[e->exes++] = test->string;
		return true;
	case FIELD_LSM_SUBJECT:
		q->label[e->labels++] = (struct lsm_truth){
			test->field->number, test->op, test->string};
		return true;
	case FIELD_ARCH: {
		int abi = target_abi_of_elf(q->options->common.compile.target,
					    test->value);

		e->abi = (enum abi)abi;
		return abi >= 0;
	}
	default:
		return false;
	}
}

static bool add_fact(struct question *q, const char *text)
{
	const char *words = arena_printf(q->arena, "-F %s", text);
	const struct rule *rule = read_rule(q, words);

	if (!rule)
		return false;
	if (rule->tests == 1 && make_true(q, &rule->test[0]))
		return true;
	cli_usage_error(CLI_EXPLAIN,
			"-F %s does not say what such a call is: a field, = "
			"and a value are wanted",
			text);
	return false;
}

static bool set_call(struct question *q, const char *text)
{
	const struct target *target = q->options->common.compile.target;
	char *end;
	long number = strtol(text, &end, 10);

	if (*text && !*end && number >= 0 && number < 4096)
		q->event.number = (int)number;
	else
		q->event.number =
			target_call_number(target, q->event.abi, text);
	if (q->event.number >= 0)
		return true;
	cli_usage_error(CLI_EXPLAIN, "-S %s: %s has no such call", text,
			target->abi[q->event.abi].name);
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

static bool make_event(struct question *q, const struct ruleset *set)
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
	for (int i = 0; i < options->facts; i++)
		if (!add_fact(q, options->fact[i]))
			return false;
	find_trees(q, set);
	return set_call(q, options->call);
}

static const char *test_text(struct arena *arena, const struct field_test *test)
{
	if (test->field->kind == FIELD_COMPARE)
		return "the comparison of ids";
	if (test->string)
		return arena_printf(arena, "%s%s%s", test->field->name,
				    field_op_symbol(test->op), test->string);
	if (test->field->kind == FIELD_PERM)
		return arena_printf(arena, "perm%s%s%s%s%s",
				    field_op_symbol(test->op),
				    test->value & AUDIT_PERM_READ ? "r" : "",
				    test->value & AUDIT_PERM_WRITE ? "w" : "",
				    test->value & AUDIT_PERM_EXEC ? "x" : "",
				    test->value & AUDIT_PERM_ATTR ? "a" : "");
	if (test->value == UINT32_MAX)
		return arena_printf(arena, "%s%s-1", test->field->name,
				    field_op_symbol(test->op));
	return arena_printf(arena, "%s%s%u", test->field->name,
			    field_op_symbol(test->op), test->value);
}

/* Bytes of a rule with a long list of calls. */
#define RULE_SHOWN 200

static const char *rule_text(const struct telling *t, const struct rule *rule)
{
	const char *text = emit_rule(t->arena, t->set->target, rule);
	const char *where = emit_origin(t->arena, &t->in->input, rule->origin);

	if (!rule->origin.count)
		where = "(added by auditopt)";
	if (!text)
		text = "(a rule without a text)";
	if (strlen(text) > RULE_SHOWN)
		text = arena_printf(t->arena, "%.*s ...", RULE_SHOWN, text);
	return arena_printf(t->arena, "%s: %s", where, text);
}

static void tell_passed(struct telling *t)
{
	if (t->passed)
		fprintf(t->stream, "  %zu rule%s passed over: not this call\n",
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
		n->paths ? n->path[0] : "a file that no rule names");
}

static void tell_rule(void *data, size_t position, bool in_mask,
		      bool overridden, unsigned int fields,
		      const struct field_test *failed, int name)
{
	struct telling *t = data;
	const struct rule *rule = t->set->rule[position];

	(void)fields;
	tell_title(t, name);
	if (!in_mask) {
		t->passed++;
		if (t->all)
			fprintf(t->stream, "  not this call: %s\n",
				rule_text(t, rule));
		return;
	}
	t->entered++;
	if (!t->all)
		tell_passed(t);
	t->passed = 0;
	if (overridden)
		fprintf(t->stream,
			"  stands behind the rule that matched: %s\n",
			rule_text(t, rule));
	else if (failed)
		fprintf(t->stream, "  %s fails: %s\n",
			test_text(t->arena, failed), rule_text(t, rule));
	else
		fprintf(t->stream, "  MATCHES%s: %s\n",
			name < 0 ? ", and the walk of the list ends"
				 : ", and the search ends",
			rule_text(t, rule));
}

static void tell_walk(struct question *q, const struct cli_input *in,
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
	const char *why = NULL;

	if (!t.all)
		tell_passed(&t);
	if (!t.any)
		fprintf(stream, "Nothing is walked.\n");
	fprintf(stream, "So it is %s; %zu rule%s entered.\n",
		outcome_text(q->arena, outcome), t.entered,
		t.entered == 1 ? " was" : "s were");
	if (outcome.verdict != VERDICT_RECORD &&
	    !call_can_self_log(set->target, q->event.abi, q->event.number,
			       &why))
		fprintf(stream, "The kernel makes no record of this call by "
				"itself: %s.\n",
			why);
}

static void tell_optimised(struct question *q, const struct cli_input *in,
			   FILE *stream)
{
	const struct pipeline_options how = {.level = q->options->level};
	struct proved proved = optimize_proved(q->arena, in->loaded.set, &how);

	fprintf(stream, "\nAfter auditopt -O%d:\n", q->options->level);
	tell_walk(q, in, proved.after, stream);
}

static enum exit_status explain(struct cli_input *in,
				const struct cli_options *options)
{
	struct question q = {.arena = in->arena, .options = options};
	char *text = NULL;
	size_t size = 0;
	FILE *stream;
	enum exit_status status;

	if (!make_event(&q, in->loaded.set))
		return STATUS_USAGE;
	stream = open_memstream(&text, &size);
	if (!stream)
		return STATUS_REFUSED;
	event_print(stream, "", &q.event, false, in->loaded.set, NULL);
	fputc('\n', stream);
	tell_walk(&q, in, in->loaded.set, stream);
	if (options->level_given)
		tell_optimised(&q, in, stream);
	if (fclose(stream) != 0)
		return STATUS_REFUSED;
	status = cli_write(options->common.output, text, size);
	free(text);
	return status;
}

int cli_explain(int argc, char **argv)
{
	struct cli_options options;
	struct cli_input in;
	int status = cli_parse(&options, CLI_EXPLAIN, argc, argv);

	if (status >= 0)
		return status;
	if (!options.call)
		return cli_usage_error(CLI_EXPLAIN, "-S CALL is wanted");
	status = (int)cli_load(&in, &options.common, options.operand,
			       options.operands);
	if (status == STATUS_GOOD)
		status = (int)explain(&in, &options);
	arena_free(in.arena);
	return status;
}
