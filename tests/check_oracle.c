/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The front end against libaudit itself (oracle_driver.c): the same lines must
 * be accepted, and give the same bytes.
 */
#include <check.h>
#include <dirent.h>
#include <libaudit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/compile.h"
#include "lib/random_lines.h"
#include "lib/suite.h"
#include "oracle_driver.h"

#define GENERATED 40000

static void print_hex(FILE *out, const char *what,
		      const struct audit_action *action)
{
	const unsigned char *bytes = (const unsigned char *)action->wire;

	fprintf(out, "%s ", what);
	for (size_t i = 0; i < action->wire_size; i++)
		fprintf(out, "%02x", bytes[i]);
	fputc('\n', out);
}

/* In the words of the driver. */
static void print_action(FILE *out, const struct audit_action *action)
{
	const char *text = action->text ? action->text : "";

	switch (action->kind) {
	case DO_ADD_RULE:
		print_hex(out, "add", action);
		break;
	case DO_DELETE_RULE:
		print_hex(out, "delete", action);
		break;
	case DO_DELETE_ALL:
		fprintf(out, "delete all %s\n", text);
		break;
	case DO_ENABLE:
		fprintf(out, "enable %u\n", action->number);
		break;
	case DO_FAILURE:
		fprintf(out, "failure %u\n", action->number);
		break;
	case DO_RATE:
		fprintf(out, "rate %u\n", action->number);
		break;
	case DO_BACKLOG:
		fprintf(out, "backlog %u\n", action->number);
		break;
	case DO_BACKLOG_WAIT_TIME:
		fprintf(out, "wait %u\n", action->number);
		break;
	case DO_LOGINUID_IMMUTABLE:
		fputs("loginuid\n", out);
		break;
	case DO_RESET_LOST:
		fputs("reset lost\n", out);
		break;
	case DO_RESET_BACKLOG_WAIT_TIME_ACTUAL:
		fputs("reset wait\n", out);
		break;
	case DO_CONTINUE:
		fputs("continue\n", out);
		break;
	case DO_IGNORE:
		fputs("ignore\n", out);
		break;
	case DO_EQUIVALENT:
		fprintf(out, "equivalent %s\n", text);
		break;
	case DO_TRIM:
		fputs("trim\n", out);
		break;
	case DO_MESSAGE:
		fprintf(out, "message %s\n", text);
		break;
	case DO_SIGNAL:
		fprintf(out, "signal %s\n", text);
		break;
	case DO_SHOW:
		fputs("show\n", out);
		break;
	}
}

struct tally {
	unsigned int lines, refused, different;
	unsigned int version;
};

static struct oracle_result own_line(const char *text, size_t length,
				     unsigned int version)
{
	struct arena *arena = arena_new();
	struct diagnostics *diag = diagnostics_new(arena);
	struct source_line line = {"line", 1, 1, text, length, 0, false};
	const char *file = "line";
	struct input input = {
		.line = &line, .count = 1, .file = &file, .files = 1};
	struct compile_options options = {
		.target = target_of_this_machine(),
		.auditctl_version = version,
		.root = "",
	};
	struct commands commands = parse_input(arena, &input, version, diag);
	struct actions actions =
		compile_commands(arena, &commands, &input, &options, diag);
	struct oracle_result result = {0};
	size_t size;
	FILE *out = open_memstream(&result.effects, &size);

	result.refused = diagnostics_count(diag, DIAG_ERROR) > 0;
	for (size_t i = 0; i < actions.count; i++)
		/* not what --keep-going would save of a refused line */
		if (!result.refused || (actions.item[i].kind != DO_ADD_RULE &&
					actions.item[i].kind != DO_DELETE_RULE))
			print_action(out, &actions.item[i]);
	fclose(out);
	arena_free(arena);
	return result;
}

static void print_visible(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (text[i] >= 32 && text[i] < 127)
			fputc(text[i], stderr);
		else
			fprintf(stderr, "\\x%02x", (unsigned char)text[i]);
	fputc('\n', stderr);
}

static void compare(struct tally *tally, const char *text, size_t length)
{
	struct oracle_result theirs = oracle_line(text, length, tally->version);
	struct oracle_result ours = own_line(text, length, tally->version);

	tally->lines++;
	tally->refused += theirs.refused;
	if (theirs.refused != ours.refused ||
	    strcmp(theirs.effects, ours.effects) != 0) {
		if (++tally->different <= 10) {
			fputs("differs: ", stderr);
			print_visible(text, length);
			fprintf(stderr, "auditctl: %s\n%sauditopt: %s\n%s",
				theirs.refused ? "refused" : "accepted",
				theirs.effects,
				ours.refused ? "refused" : "accepted",
				ours.effects);
		}
	}
	free(theirs.effects);
	free(ours.effects);
}

/* A. The rules that people write */

static void compare_file(struct tally *tally, const char *path)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;
	ssize_t got;

	ck_assert_ptr_nonnull(file);
	while ((got = getline(&line, &room, file)) >= 0) {
		if (got && line[got - 1] == '\n')
			got--;
		compare(tally, line, (size_t)got);
	}
	free(line);
	fclose(file);
}

static void compare_directory(struct tally *tally, const char *name)
{
	const char *tree = getenv("AUDITOPT_SRCDIR");
	char path[4096];
	struct dirent *entry;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/%s", tree ? tree : ".", name);
	dir = opendir(path);
	if (!dir) {
		printf("skipped: no %s\n", path);
		return;
	}
	while ((entry = readdir(dir))) {
		char file[4096 + 256 + 1];

		if (!strstr(entry->d_name, ".rules"))
			continue;
		snprintf(file, sizeof(file), "%s/%s", path, entry->d_name);
		compare_file(tally, file);
	}
	closedir(dir);
}

START_TEST(test_public_rules)
{
	struct tally tally = {.version = auditctl_version_linked()};

	compare_directory(&tally, "../shared/corpus");
	compare_directory(&tally, "../shared/cases");
	compare_directory(&tally, "examples");
	printf("public rules: %u lines, %u refused, %u different\n",
	       tally.lines, tally.refused, tally.different);
	ck_assert_uint_eq(tally.different, 0);
}
END_TEST

/* B. Generated ones */

START_TEST(test_generated)
{
	const char *seed = getenv("AUDITOPT_SEED");
	struct tally tally = {.version = auditctl_version_linked()};
	static struct random_line line;

	random_lines_start(seed ? strtoull(seed, NULL, 0) : RANDOM_LINES_SEED);
	while (tally.lines < GENERATED) {
		random_line_next(&line);
		if (line.length <= SOURCE_LINE_MAX)
			compare(&tally, line.byte, line.length);
	}
	printf("generated: %u lines, %u refused, %u different\n", tally.lines,
	       tally.refused, tally.different);
	ck_assert_uint_eq(tally.different, 0);
	/* Neither side has it easy. */
	ck_assert_uint_gt(tally.refused, GENERATED / 5);
	ck_assert_uint_lt(tally.refused, GENERATED * 4 / 5);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("oracle");
	TCase *tests = tcase_create("oracle");

	tcase_set_timeout(tests, 300);
	tcase_add_test(tests, test_public_rules);
	tcase_add_test(tests, test_generated);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
