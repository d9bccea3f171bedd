/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines ROOT VERSION GENERATED FILE...: each line of the FILEs, changed copies
 * of some of them and GENERATED random ones, each with what auditopt says that
 * auditctl VERSION and the kernel do with it; written to standard output for
 * tests/kernel/guest/lines.c. Paths and users are looked up under ROOT. Each
 * line once; those are left out that would lock or stop the guest.
 *
 * A record: struct line_head (guest/line.h), the text, the rule if there is
 * one.
 */
#include <libaudit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "frontend/load.h"
#include "kernel/guest/line.h"
#include "lib/random_lines.h"

struct seen {
	char *text;
	UT_hash_handle hh;
};

static struct {
	struct compile_options options;
	struct seen *seen;
	unsigned int written, left_out;
	bool change; /* lines of files, too */
} job;

/* Would the guest be no use afterwards, or does the outcome hang on what else
 * runs there? */
static bool harmful(const struct audit_action *action)
{
	switch (action->kind) {
	case DO_ENABLE:
	case DO_FAILURE:
	case DO_RATE:
	case DO_BACKLOG:
	case DO_BACKLOG_WAIT_TIME:
	case DO_LOGINUID_IMMUTABLE:
	case DO_EQUIVALENT:
	case DO_SIGNAL:
	case DO_DELETE_RULE:
	case DO_IGNORE: /* auditctl does not say whether it failed */
	case DO_CONTINUE:
		return true;
	default:
		return false;
	}
}

static enum line_outcome outcome_of(struct diagnostics *compiled,
				    struct diagnostics *loaded)
{
	const struct diagnostic *d;

	if (diagnostics_count(compiled, DIAG_ERROR))
		return LINE_REFUSED;
	for (size_t i = 0; (d = diagnostics_get(loaded, i)); i++)
		if (d->severity == DIAG_ERROR || !strcmp(d->id, "path-missing"))
			return LINE_REFUSED_BY_KERNEL;
	return LINE_ACCEPTED;
}

/* Does what the kernel holds hang on what only the guest knows: what a path is
 * that could not be looked up, or whether AppArmor has a label of that name
 * (subj_role, aa_audit_rule_init: ENOENT)? */
static bool open_question(const struct audit_action *action)
{
	if (action->kind != DO_ADD_RULE)
		return false;
	for (uint32_t i = 0; i < action->wire->field_count; i++)
		if (action->wire->fields[i] == AUDIT_SUBJ_ROLE)
			return true;
	return action->unsettled;
}

/* The names of calls are the linked libaudit's; another auditctl may know more.
 */
static bool unknown_here(struct diagnostics *compiled)
{
	const struct diagnostic *d;

	if (job.options.auditctl_version == auditctl_version_linked())
		return false;
	for (size_t i = 0; (d = diagnostics_get(compiled, i)); i++)
		if (!strcmp(d->id, "unknown-syscall"))
			return true;
	return false;
}

static void write_record(struct line_head *head, const char *text,
			 const struct actions *actions)
{
	const void *rule = NULL;

	for (size_t i = 0; i < actions->count; i++)
		if (actions->item[i].kind == DO_ADD_RULE &&
		    head->outcome == LINE_ACCEPTED) {
			rule = actions->item[i].wire;
			head->rule = (uint32_t)actions->item[i].wire_size;
		}
	fwrite(head, sizeof(*head), 1, stdout);
	fwrite(text, head->text, 1, stdout);
	if (rule)
		fwrite(rule, head->rule, 1, stdout);
	job.written++;
}

static void judge(struct arena *arena, const char *text, size_t length)
{
	struct diagnostics *compiled = diagnostics_new(arena);
	struct diagnostics *loaded = diagnostics_new(arena);
	struct source_line line = {"line", 1, 1, text, length, 0, false};
	const char *file = "line";
	struct input input = {
		.line = &line, .count = 1, .file = &file, .files = 1};
	struct commands commands = parse_input(
		arena, &input, job.options.auditctl_version, compiled);
	struct actions actions = compile_commands(arena, &commands, &input,
						  &job.options, compiled);
	struct line_head head = {.text = (uint32_t)length};

	for (size_t i = 0; i < actions.count; i++)
		if (harmful(&actions.item[i]) ||
		    open_question(&actions.item[i])) {
			job.left_out++;
			return;
		}
	if (unknown_here(compiled)) {
		job.left_out++;
		return;
	}
	load_actions(arena, &actions, &job.options, loaded);
	head.outcome = outcome_of(compiled, loaded);
	write_record(&head, text, &actions);
}

static void take(const char *text, size_t length)
{
	struct arena *arena;
	struct seen *known;

	if (!length || memchr(text, 0, length) || length > 6000)
		return;
	HASH_FIND(hh, job.seen, text, length, known);
	if (known)
		return;
	known = calloc(1, sizeof(*known));
	known->text = strndup(text, length);
	HASH_ADD_KEYPTR(hh, job.seen, known->text, length, known);
	arena = arena_new();
	judge(arena, text, length);
	arena_free(arena);
}

static void take_file(const char *path)
{
	FILE *file = fopen(path, "re");
	static struct random_line changed;
	char *line = NULL;
	size_t room = 0;
	ssize_t got;

	if (!file) {
		perror(path);
		exit(1);
	}
	while ((got = getline(&line, &room, file)) >= 0) {
		if (got && line[got - 1] == '\n')
			got--;
		if (got && line[0] == '#')
			continue;
		take(line, (size_t)got);
		if ((size_t)got >= sizeof(changed.byte) || !job.change)
			continue;
		memcpy(changed.byte, line, (size_t)got);
		changed.length = (size_t)got;
		random_line_mutate(&changed);
		take(changed.byte, changed.length);
	}
	free(line);
	fclose(file);
}

int main(int argc, char **argv)
{
	const char *seed = getenv("AUDITOPT_SEED");
	static struct random_line line;
	unsigned int part[3];

	if (argc < 4 ||
	    sscanf(argv[2], "%u.%u.%u", &part[0], &part[1], &part[2]) != 3) {
		fputs("usage: lines ROOT VERSION GENERATED FILE...\n", stderr);
		return 2;
	}
	job.options = (struct compile_options){
		.target = target_by_name("x86_64"),
		.auditctl_version = AUDITCTL_VERSION(part[0], part[1], part[2]),
		.root = argv[1]};
	job.change = atoi(argv[3]) > 1000;
	random_lines_start(seed ? strtoull(seed, NULL, 0) : RANDOM_LINES_SEED);
	for (int i = 4; i < argc; i++)
		take_file(argv[i]);
	for (unsigned int n = job.written + (unsigned int)atoi(argv[3]);
	     job.written < n;) {
		random_line_next(&line);
		take(line.byte, line.length);
	}
	fprintf(stderr, "%u lines, %u left out\n", job.written, job.left_out);
	return fflush(stdout) != 0;
}
