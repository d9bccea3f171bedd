/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/diagnostic.h"
#include "frontend/source.h"
#include "lib/suite.h"

static struct arena *arena;
static struct diagnostics *all;
static struct input input;

static void setup(void)
{
	arena = arena_new();
	all = diagnostics_new(arena);
	input = (struct input){0};
}

static void teardown(void)
{
	arena_free(arena);
}

static void add_line(uint32_t number, const char *text, size_t length)
{
	struct source_line *line =
		arena_array(arena, input.count + 1, sizeof(*line));

	if (input.count)
		memcpy(line, input.line, input.count * sizeof(*line));
	line[input.count++] = (struct source_line){
		.file = "r.rules",
		.number = number,
		.column = 1,
		.text = text,
		.length = length,
	};
	input.line = line;
}

static void add_text(const char *text)
{
	add_line(input.count + 1, text, strlen(text));
}

static struct position at(uint32_t line, uint32_t column, uint32_t length)
{
	return (struct position){line, column, length};
}

static const char *printed(enum severity minimum, bool colour)
{
	char *text = NULL;
	const char *copy;
	size_t size = 0;
	FILE *stream = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(stream);
	diagnostics_print(all, &input, minimum, stream, colour);
	fclose(stream);
	copy = arena_strdup(arena, text);
	free(text);
	return copy;
}

START_TEST(test_whole)
{
	struct diagnostic *d;

	add_text("-w /etc/group -p wa -k identity");
	add_text("-a always,exit -F arch=b64 -S umount,umount2 -k mounts");
	add_text("# a comment");
	add_text("   ");
	add_text("-e 2");
	add_text("  -D");
	d = diag(all, DIAG_ERROR, "unknown-syscall", at(1, 31, 6),
		 "no system call \"%s\" on x86_64", "umount");
	d->stops = true;
	d->advice = "did you mean \"umount2\"?";
	d->other = at(0, 1, 2);
	d->other_what = "first added here";
	ck_assert_str_eq(printed(DIAG_NOTE, false),
			 "r.rules:2:31: error: no system call \"umount\" on "
			 "x86_64 [unknown-syscall]\n"
			 "    2 | -a always,exit -F arch=b64 -S umount,umount2 "
			 "-k mounts\n"
			 "      |                               ^~~~~~\n"
			 "      = auditctl stops here and never loads the 2 "
			 "lines after it\n"
			 "      = did you mean \"umount2\"?\n"
			 "r.rules:1:1: note: first added here\n"
			 "    1 | -w /etc/group -p wa -k identity\n"
			 "      | ^~\n");
}
END_TEST

START_TEST(test_stops)
{
	const char *text;

	add_text("one");
	add_text("two");
	add_text("three");
	diag(all, DIAG_ERROR, "c", at(2, 1, 1), "c")->stops = true;
	diag(all, DIAG_WARNING, "b", at(1, 1, 1), "b")->stops = true;
	diag(all, DIAG_ERROR, "d", at(2, 2, 1), "d")->stops = true;
	text = printed(DIAG_NOTE, false);
	ck_assert_ptr_nonnull(strstr(
		text,
		"= auditctl stops here and never loads the line after it\n"));
	ck_assert_ptr_nonnull(strstr(text, "stop here too"));
	/* Once a line. */
	ck_assert_ptr_null(
		strstr(strstr(text, "stop here too") + 1, "stop here too"));
	/* A warning that is not shown is still where auditctl stops. */
	ck_assert_ptr_nonnull(
		strstr(printed(DIAG_ERROR, false), "stop here too"));
}
END_TEST

START_TEST(test_order)
{
	static const char expected[] = "fzyabcd";
	char got[sizeof(expected)] = "";

	add_text("12345");
	add_text("12345");
	diag(all, DIAG_ERROR, "d", at(1, 2, 1), "d");
	diag(all, DIAG_NOTE, "a", at(0, 3, 1), "a");
	diag(all, DIAG_WARNING, "z", at(DIAG_NO_LINE, 0, 0), "z");
	diag(all, DIAG_ERROR, "b", at(0, 3, 1), "b");
	diag(all, DIAG_ERROR, "c", at(1, 1, 1), "c");
	diag(all, DIAG_WARNING, "y", at(DIAG_NO_LINE, 0, 0), "y");
	ck_assert_str_eq(diagnostics_get(all, 0)->id, "z");
	diag(all, DIAG_FATAL, "f", at(DIAG_NO_LINE, 0, 0), "f");
	for (size_t i = 0; diagnostics_get(all, i); i++)
		got[i] = diagnostics_get(all, i)->what[0];
	ck_assert_str_eq(got, expected);
	ck_assert_uint_eq(diagnostics_count(all, DIAG_ERROR), 3);
	ck_assert_uint_eq(diagnostics_count(all, DIAG_FATAL), 1);
	ck_assert_uint_eq(diagnostics_count(all, DIAG_NOTE), 1);
}
END_TEST

START_TEST(test_kept_pointer)
{
	struct diagnostic *first = diag(all, DIAG_NOTE, "x", at(0, 1, 1), "x");

	for (int i = 0; i < 1000; i++)
		diag(all, DIAG_NOTE, "y", at(1, 1, 1), "%d", i);
	first->advice = "late";
	ck_assert_str_eq(diagnostics_get(all, 0)->advice, "late");
}
END_TEST

/* Lines, a place in them, and what the reader sees. */
static const struct excerpt {
	const char *text;
	size_t length;
	uint32_t column, marks;
	const char *line, *mark;
} excerpts[] = {
	{"abc", 3, 2, 1, "abc", " ^"},
	{"abc", 3, 2, 9, "abc", " ^~"},
	{"abc", 3, 4, 1, "abc", "   ^"},
	{"abc", 3, 9, 5, "abc", "   ^"},
	{"", 0, 1, 1, "", "^"},
	{"\t", 1, 1, 1, "<TAB>", "^~~~~"},
	{"a\tb c", 5, 5, 1, "a<TAB>b c", "        ^"},
	{"a\tb c", 5, 2, 2, "a<TAB>b c", " ^~~~~~"},
	{"k\r", 2, 2, 1, "k\\x0d", " ^~~~"},
	{"a\0b", 3, 3, 1, "a\\x00b", "     ^"},
	{"\033[31m", 5, 1, 1, "\\x1b[31m", "^~~~"},
	/* one column a character */
	{"\xc3\xa9=\xc3\xbc!", 6, 4, 2, "\xc3\xa9=\xc3\xbc!", "  ^"},
	{"\xe2\x82\xac x", 5, 5, 1, "\xe2\x82\xac x", "  ^"},
	{"\xf0\x9f\x98\x80x", 5, 5, 1, "\xf0\x9f\x98\x80x", " ^"},
	/* from the middle of a character on */
	{"\xe2\x82\xacx", 4, 2, 1, "\xe2\x82\xacx", "^"},
	/* not UTF-8: overlong, surrogate, cut, lone */
	{"\xc0\x80", 2, 2, 1, "\\xc0\\x80", "    ^~~~"},
	{"\xed\xa0\x80", 3, 1, 1, "\\xed\\xa0\\x80", "^~~~"},
	{"\xe2\x82", 2, 1, 1, "\\xe2\\x82", "^~~~"},
	{"\xff!", 2, 2, 1, "\\xff!", "    ^"},
	/* UTF-8 that shows nothing or turns the line around */
	{"\xe2\x80\xae-S", 5, 4, 2, "<U+202E>-S", "        ^~"},
	{"\xc2\xa0x", 3, 1, 2, "<U+00A0>x", "^~~~~~~~"},
	{"\xc2\x9b!", 3, 3, 1, "<U+009B>!", "        ^"},
};

START_TEST(test_excerpt)
{
	const struct excerpt *e = &excerpts[_i];
	const char *expected;

	add_line(7, e->text, e->length);
	diag(all, DIAG_NOTE, "id", at(0, e->column, e->marks), "what");
	expected = arena_printf(
		arena,
		"r.rules:7:%u: note: what [id]\n    7 | %s\n      | %s\n",
		e->column, e->line, e->mark);
	ck_assert_str_eq(printed(DIAG_NOTE, false), expected);
}
END_TEST

/* The marks stand under what they mark, wherever it is in a long line. */
START_TEST(test_window)
{
	char text[6143];
	uint32_t column = (uint32_t)_i;
	const char *shown, *line, *mark, *newline;

	memset(text, '.', sizeof(text));
	memcpy(text + column - 1, "HERE", 4);
	add_line(1, text, sizeof(text));
	diag(all, DIAG_NOTE, "id", at(0, column, 4), "what");
	shown = printed(DIAG_NOTE, false);
	line = strchr(shown, '\n') + 1;
	newline = strchr(line, '\n');
	ck_assert_uint_lt((size_t)(newline - line), 120);
	mark = strchr(newline, '^');
	ck_assert_int_eq(strncmp(line + (mark - newline - 1), "HERE", 4), 0);
	ck_assert_str_eq(mark, "^~~~\n");
}
END_TEST

/* A mark longer than the screen ends with it. */
START_TEST(test_long_mark)
{
	char text[500];

	memset(text, 'x', sizeof(text));
	add_line(1, text, sizeof(text));
	diag(all, DIAG_NOTE, "id", at(0, 1, 500), "what");
	ck_assert_uint_lt(strlen(printed(DIAG_NOTE, false)), 300);
}
END_TEST

START_TEST(test_rest_of_line)
{
	add_text("-S open");
	input.line[0].column = 6144;
	diag(all, DIAG_NOTE, "id", at(0, 4, 4), "what");
	ck_assert_ptr_nonnull(
		strstr(printed(DIAG_NOTE, false), "r.rules:1:6147: "));
}
END_TEST

START_TEST(test_colour)
{
	add_text("-S open");
	diag(all, DIAG_ERROR, "id", at(0, 4, 4), "bad \033]0;title\007");
	ck_assert_ptr_null(strchr(printed(DIAG_NOTE, false), '\033'));
	ck_assert_ptr_nonnull(
		strstr(printed(DIAG_NOTE, true), "\033[1;31merror:\033[0m"));
	ck_assert_ptr_nonnull(
		strstr(printed(DIAG_NOTE, true), "\\x1b]0;title\\x07"));
}
END_TEST

START_TEST(test_minimum)
{
	add_text("x");
	diag(all, DIAG_NOTE, "n", at(0, 1, 1), "n");
	diag(all, DIAG_WARNING, "w", at(0, 1, 1), "w");
	diag(all, DIAG_FATAL, "f", at(DIAG_NO_LINE, 0, 0), "cannot read");
	ck_assert_ptr_null(strstr(printed(DIAG_WARNING, false), "note"));
	ck_assert_ptr_nonnull(strstr(printed(DIAG_WARNING, false), "warning"));
	ck_assert_str_eq(printed(DIAG_ERROR, false),
			 "auditopt: error: cannot read [f]\n");
}
END_TEST

static const char *const names[] = {
	"open",	  "openat", "umount2",	 "time",	"settimeofday", "mount",
	"fchmod", "fchown", "fchmodat2", "init_module", "auid",		NULL,
};

static const char *name_at(size_t i, void *data)
{
	return ((const char *const *)data)[i];
}

static const struct nearest {
	const char *word, *name;
} nearest[] = {
	{"umount", "umount2"},
	{"stime", NULL},
	{"opne", "open"},
	{"poen", "open"},
	{"opena", "open"}, /* as near as openat, and before it */
	{"fchwon", "fchown"},
	{"settimeofdya", "settimeofday"},
	{"init_modul", "init_module"},
	{"fchmodat", "fchmodat2"}, /* not fchmod */
	{"fown", NULL},		   /* fchown is 2 away */
	{"completely", NULL},
	{"op", NULL},
	{"x", NULL},
	{"", NULL},
	{"uaid", "auid"},
	{"open", "open"},
};

START_TEST(test_nearest)
{
	const struct nearest *n = &nearest[_i];
	const char *got = nearest_name(n->word, name_at, (void *)names);

	ck_assert_pstr_eq(got, n->name);
}
END_TEST

START_TEST(test_nearest_long)
{
	char word[100000];

	memset(word, 'o', sizeof(word) - 1);
	word[sizeof(word) - 1] = 0;
	ck_assert_ptr_null(nearest_name(word, name_at, (void *)names));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("diagnostic");
	TCase *tc = tcase_create("diagnostic");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, test_whole);
	tcase_add_test(tc, test_stops);
	tcase_add_test(tc, test_order);
	tcase_add_test(tc, test_kept_pointer);
	tcase_add_loop_test(tc, test_excerpt, 0,
			    sizeof(excerpts) / sizeof(*excerpts));
	tcase_add_loop_test(tc, test_window, 1, 120);
	tcase_add_loop_test(tc, test_window, 3000, 3010);
	tcase_add_loop_test(tc, test_window, 6030, 6141);
	tcase_add_test(tc, test_long_mark);
	tcase_add_test(tc, test_rest_of_line);
	tcase_add_test(tc, test_colour);
	tcase_add_test(tc, test_minimum);
	tcase_add_loop_test(tc, test_nearest, 0,
			    sizeof(nearest) / sizeof(*nearest));
	tcase_add_test(tc, test_nearest_long);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
