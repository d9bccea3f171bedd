/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "frontend/augenrules.h"
#include "frontend/diagnostic.h"
#include "frontend/source.h"
#include "lib/suite.h"

static struct arena *arena;
static struct diagnostics *all;
static struct input input;
static char dir[64];

static void setup(void)
{
	arena = arena_new();
	all = diagnostics_new(arena);
	input = (struct input){0};
	strcpy(dir, "/tmp/check_source.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
}

static void teardown(void)
{
	char *command = NULL;

	ck_assert_int_gt(asprintf(&command, "rm -rf '%s'", dir), 0);
	ck_assert_int_eq(system(command), 0);
	free(command);
	arena_free(arena);
}

static const char *in_dir(const char *name)
{
	return arena_printf(arena, "%s/%s", dir, name);
}

static const char *write_bytes(const char *name, const char *text,
			       size_t length)
{
	const char *path = in_dir(name);
	FILE *f = fopen(path, "w");

	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(text, 1, length, f), length);
	ck_assert_int_eq(fclose(f), 0);
	return path;
}

static const char *write_file(const char *name, const char *text)
{
	return write_bytes(name, text, strlen(text));
}

static bool told(const char *id)
{
	const struct diagnostic *d;

	for (size_t i = 0; (d = diagnostics_get(all, i)); i++)
		if (!strcmp(d->id, id))
			return true;
	return false;
}

static const struct diagnostic *fatal(void)
{
	ck_assert_uint_eq(diagnostics_count(all, DIAG_FATAL), 1);
	return diagnostics_get(all, 0);
}

/* All lines as "NAME:NUMBER:TEXT\n". */
static const char *dump(void)
{
	const char *text = "";

	for (uint32_t i = 0; i < input.count; i++) {
		const struct source_line *l = &input.line[i];
		const char *name = strrchr(l->file, '/');

		ck_assert_uint_lt(l->file_index, input.files);
		ck_assert_str_eq(input.file[l->file_index], l->file);
		text = arena_printf(arena, "%s%s:%u:%.*s\n", text,
				    name ? name + 1 : l->file, l->number,
				    (int)l->length, l->text);
	}
	return text;
}

START_TEST(test_lines)
{
	const char *path = write_file("a", "one\n\n  two \nlast");

	ck_assert(input_read(arena, &input, path, all));
	ck_assert_str_eq(dump(), "a:1:one\na:2:\na:3:  two \na:4:last\n");
	ck_assert(input_read(arena, &input, write_file("b", "more\n"), all));
	ck_assert(input_read(arena, &input, write_file("c", ""), all));
	ck_assert_str_eq(dump(),
			 "a:1:one\na:2:\na:3:  two \na:4:last\nb:1:more\n");
	ck_assert_uint_eq(input.files, 3);
	ck_assert(!input.line[0].merged);
}
END_TEST

START_TEST(test_nul_and_cr)
{
	const char *path = write_bytes("a", "x\0y\r\nz", 6);

	ck_assert(input_read(arena, &input, path, all));
	ck_assert_uint_eq(input.count, 2);
	ck_assert_uint_eq(input.line[0].length, 4);
	ck_assert_int_eq(memcmp(input.line[0].text, "x\0y\r", 4), 0);
}
END_TEST

/* Lengths around fgets' limit, and into how many lines they are cut. */
static const struct cut {
	size_t length;
	uint32_t parts;
} cuts[] = {
	{6142, 1},  {6143, 1},	{6144, 2},
	{12286, 2}, {12287, 3}, {10 << 20, (10 << 20) / 6143 + 1},
};

START_TEST(test_cut)
{
	const struct cut *c = &cuts[_i];
	char *text = malloc(c->length + 3);
	const char *path;
	size_t sum = 0;

	memset(text, 'x', c->length);
	memcpy(text + c->length, "\ny\n", 3);
	path = write_bytes("long", text, c->length + 3);
	free(text);
	ck_assert(input_read(arena, &input, path, all));
	ck_assert_uint_eq(input.count, c->parts + 1);
	ck_assert_int_eq(told("line-too-long"), c->parts > 1);
	for (uint32_t i = 0; i < c->parts; i++) {
		ck_assert_uint_le(input.line[i].length, SOURCE_LINE_MAX);
		ck_assert_uint_eq(input.line[i].number, 1);
		ck_assert_uint_eq(input.line[i].column, sum + 1);
		sum += input.line[i].length;
	}
	ck_assert_uint_eq(sum, c->length);
	ck_assert_uint_eq(input.line[c->parts].number, 2);
	ck_assert_uint_eq(input.line[c->parts].column, 1);
}
END_TEST

START_TEST(test_missing)
{
	ck_assert(!input_read(arena, &input, in_dir("none"), all));
	ck_assert_str_eq(fatal()->id, "unreadable");
	ck_assert_ptr_nonnull(strstr(fatal()->what, "/none"));
	ck_assert_ptr_nonnull(strstr(fatal()->what, strerror(ENOENT)));
	ck_assert_ptr_nonnull(fatal()->advice);
	ck_assert_uint_eq(input.count, 0);
}
END_TEST

START_TEST(test_unreadable)
{
	const char *path = write_file("a", "-D\n");

	if (geteuid() == 0) {
		printf("check_source: unreadable files skipped: root reads "
		       "all\n");
		return;
	}
	ck_assert_int_eq(chmod(path, 0), 0);
	ck_assert(!input_read(arena, &input, path, all));
	ck_assert_ptr_nonnull(strstr(fatal()->what, strerror(EACCES)));
}
END_TEST

START_TEST(test_world_writable)
{
	const char *path = write_file("a.rules", "-D\n");

	ck_assert_int_eq(chmod(path, 0644), 0);
	ck_assert(input_read(arena, &input, path, all));
	ck_assert(!told("world-writable"));
	ck_assert_int_eq(told("not-root"), geteuid() != 0);
	ck_assert_int_eq(chmod(path, 0646), 0);
	ck_assert(input_read(arena, &input, path, all));
	ck_assert(told("world-writable"));
	ck_assert_uint_eq(diagnostics_count(all, DIAG_WARNING), 1);
	/* In rules.d, too, though augenrules does not look. */
	ck_assert(input_read(arena, &input, dir, all));
	ck_assert_uint_eq(diagnostics_count(all, DIAG_WARNING), 2);
}
END_TEST

START_TEST(test_pipe)
{
	int ends[2];
	char path[64];

	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(write(ends[1], "-D\n-e 1\n", 8), 8);
	close(ends[1]);
	snprintf(path, sizeof(path), "/dev/fd/%d", ends[0]);
	ck_assert(input_read(arena, &input, path, all));
	ck_assert_uint_eq(input.count, 2);
	ck_assert(told("not-regular"));
	ck_assert_uint_eq(diagnostics_count(all, DIAG_WARNING), 0);
	close(ends[0]);
}
END_TEST

START_TEST(test_stdin)
{
	const char *path = write_file("a", "-D\n-e 1");
	int descriptor = open(path, O_RDONLY);

	ck_assert_int_eq(dup2(descriptor, STDIN_FILENO), STDIN_FILENO);
	ck_assert(input_read(arena, &input, "-", all));
	ck_assert_str_eq(dump(), "-:1:-D\n-:2:-e 1\n");
	ck_assert_ptr_null(diagnostics_get(all, 0));
}
END_TEST

START_TEST(test_endless)
{
	ck_assert(!input_read(arena, &input, "/dev/zero", all));
	ck_assert(told("too-large"));
	ck_assert_uint_eq(diagnostics_count(all, DIAG_FATAL), 1);
}
END_TEST

START_TEST(test_merge)
{
	write_file("10-a.rules", "## comment\n"
				 "-D\n"
				 "-b 8192\n"
				 "\n"
				 "   \n"
				 "  # indented comment\n"
				 "-w /a -p wa\n"
				 "-e 1\n");
	write_file("9-b.rules", "-D -k key\n"
				"-f 1\n"
				"-e 0\n"
				"-w /b -p wa\n"
				"--backlog_wait_time 5\n");
	write_file("10-b.rules", "-f 2\n"
				 "-D\n"
				 "-w /c -e 2\n");
	write_file("not.rule", "-w /no\n");
	write_file(".hidden.rules", "-w /no\n");
	write_file("backup.rules~", "-w /no\n");
	ck_assert(input_read(arena, &input, dir, all));
	ck_assert_str_eq(dump(), "10-b.rules:2:-D\n"
				 "10-a.rules:3:-b 8192\n"
				 "10-b.rules:1:-f 2\n"
				 "9-b.rules:1:-D -k key\n"
				 "9-b.rules:4:-w /b -p wa\n"
				 "9-b.rules:5:--backlog_wait_time 5\n"
				 "10-a.rules:5:   \n"
				 "10-a.rules:7:-w /a -p wa\n"
				 "10-b.rules:3:-w /c -e 2\n"
				 "10-a.rules:8:-e 1\n");
	ck_assert(input.line[0].merged);
	ck_assert_uint_eq(input.files, 3);
	/* -D twice is a note; -f and -e differ from what they replace. */
	ck_assert_uint_eq(diagnostics_count(all, DIAG_NOTE), 1);
	ck_assert_uint_eq(diagnostics_count(all, DIAG_WARNING), 2);
}
END_TEST

/* One line of rules.d between two others, and where it goes: t(op), e(nd),
 * g(one), s(tays); and whether older mawk does otherwise. */
static const struct moved {
	const char *line;
	char where;
	bool awk;
} moved[] = {
	{"-D", 't', false},	 {"  -D", 't', true},
	{"\t-D", 't', true},	 {"-D  ", 't', true},
	{"-D\t", 't', true},	 {"-D\r", 't', false},
	{"-D -k x", 's', false}, {"-Dk", 's', false},
	{"--D", 's', false},	 {"-b 1", 't', false},
	{"-b", 't', false},	 {" -b1 -f 2", 't', true},
	{"-f 1", 't', false},	 {"-f", 't', false},
	{"-e 2", 'e', false},	 {"-exit", 'e', false},
	{"  -e 2", 'e', true},	 {"-i -e 2", 's', false},
	{"-", 's', false},	 {"e", 's', false},
	{"", 'g', false},	 {" ", 's', false},
	{"\t", 's', false},	 {"\r", 's', false},
	{"#", 'g', false},	 {"   # x", 'g', false},
	{"\t# x", 'g', true},	 {" \t # x", 'g', true},
	{"\\#", 's', false},	 {"-c", 's', false},
};

START_TEST(test_moved)
{
	const struct moved *m = &moved[_i];
	const char *text = arena_printf(arena, "-w /1\n%s\n-w /2\n", m->line);
	const char *order = m->where == 't'   ? "2 1 3 "
			    : m->where == 'e' ? "1 3 2 "
			    : m->where == 'g' ? "1 3 "
					      : "1 2 3 ";
	const char *got = "";

	write_file("a.rules", text);
	ck_assert(input_read(arena, &input, dir, all));
	for (uint32_t i = 0; i < input.count; i++)
		got = arena_printf(arena, "%s%u ", got, input.line[i].number);
	ck_assert_str_eq(got, order);
	ck_assert_int_eq(told("awk-differs"), m->awk);
	/* The text stays as it is. */
	if (m->where == 't')
		ck_assert_int_eq(
			memcmp(input.line[0].text, m->line, strlen(m->line)),
			0);
}
END_TEST

START_TEST(test_joined)
{
	write_file("1.rules", "-w /1 -k ");
	write_file("2.rules", "");
	write_file("3.rules", "-w /2\n# end");
	write_file("4.rules", "-w /3\n-w /4");
	write_file("5.rules", "\n-w /5\n# a");
	write_file("6.rules", "# b\n-e 1");
	ck_assert(input_read(arena, &input, dir, all));
	ck_assert_str_eq(dump(), "1.rules:1:-w /1 -k -w /2\n"
				 "4.rules:2:-w /4\n"
				 "5.rules:2:-w /5\n"
				 "6.rules:2:-e 1\n");
	/* Two comments, or an empty line, harm nobody. */
	ck_assert_uint_eq(diagnostics_count(all, DIAG_WARNING), 2);
	ck_assert(told("joined-lines"));
}
END_TEST

START_TEST(test_cut_merged)
{
	char *text = malloc(7001);

	memset(text, 'x', 7000);
	text[7000] = 0;
	memcpy(text, "-e ", 3);
	write_file("1.rules", text);
	write_file("2.rules", "\n-w /a\n");
	free(text);
	ck_assert(input_read(arena, &input, dir, all));
	ck_assert_uint_eq(input.count, 3);
	ck_assert_uint_eq(input.line[1].length, SOURCE_LINE_MAX);
	ck_assert_uint_eq(input.line[2].column, SOURCE_LINE_MAX + 1);
	ck_assert(told("line-too-long"));
}
END_TEST

START_TEST(test_no_rules)
{
	write_file("readme", "x\n");
	ck_assert(input_read(arena, &input, dir, all));
	ck_assert_uint_eq(input.count, 0);
	ck_assert(told("no-rules"));
}
END_TEST

START_TEST(test_odd_entries)
{
	ck_assert_int_eq(mkdir(in_dir("1.rules"), 0755), 0);
	ck_assert_int_eq(symlink("nowhere", in_dir("2.rules")), 0);
	ck_assert_int_eq(symlink("/dev/null", in_dir("3.rules")), 0);
	write_file("4 5.rules", "-w /a\n");
	ck_assert_int_eq(symlink("6.rules", in_dir("6.rules")), 0);
	ck_assert(input_read(arena, &input, dir, all));
	ck_assert_str_eq(dump(), "4 5.rules:1:-w /a\n");
	ck_assert_uint_eq(diagnostics_count(all, DIAG_WARNING), 4);
	ck_assert(told("skipped-file"));
	ck_assert(told("blank-in-name"));
}
END_TEST

START_TEST(test_fifo_entry)
{
	ck_assert_int_eq(mkfifo(in_dir("1.rules"), 0600), 0);
	ck_assert(!input_read(arena, &input, dir, all));
	ck_assert_str_eq(fatal()->id, "unreadable");
}
END_TEST

/* A file that augenrules would leave out with a message must not vanish. */
START_TEST(test_unreadable_entry)
{
	const char *path = write_file("1.rules", "-w /a\n");

	if (geteuid() == 0) {
		printf("check_source: unreadable entry skipped: root reads "
		       "all\n");
		return;
	}
	ck_assert_int_eq(chmod(path, 0), 0);
	ck_assert(!input_read(arena, &input, dir, all));
	ck_assert_str_eq(fatal()->id, "unreadable");
}
END_TEST

/* Ascending; equal in version where only the bytes differ. */
static const char *const ascending[] = {
	"0.rules",	 "1.rules",    "2.rules",    "9-a.rules",
	"10-a.b.rules",	 "10-a.rules", "10-b.rules", "20-x.rules",
	"99-last.rules", "100.rules",  "A.rules",    "a.rules",
	"a1.rules",	 "a10.rules",  "b.rules",    "zz.rules",
};

START_TEST(test_version_order)
{
	size_t n = sizeof(ascending) / sizeof(*ascending);

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			int order = version_compare(ascending[i], ascending[j]);

			ck_assert_msg((order < 0) == (i < j) &&
					      (order > 0) == (i > j),
				      "%s and %s", ascending[i], ascending[j]);
		}
}
END_TEST

static int by_version(const void *a, const void *b)
{
	return version_compare(*(char *const *)a, *(char *const *)b);
}

#define RANDOM_NAMES 4000

/* The same order as `sort -V`, the tool that augenrules calls. */
START_TEST(test_sort_v)
{
	static const char alphabet[] = "0001129aabzAZ.....~--_+ ,";
	char *name[RANDOM_NAMES], line[64];
	const char *path = in_dir("names");
	FILE *f = fopen(path, "w");
	size_t i;

	srand(7);
	for (i = 0; i < RANDOM_NAMES; i++) {
		size_t n = (size_t)(rand() % 8), j;

		/* never hidden */
		line[0] = "019aZ~-_"[rand() % 8];
		for (j = 1; j <= n; j++)
			line[j] = alphabet[(size_t)rand() %
					   (sizeof(alphabet) - 1)];
		strcpy(line + j, rand() % 4 ? ".rules" : "");
		name[i] = arena_strdup(arena, line);
		fprintf(f, "/etc/audit/rules.d/%s\n", line);
	}
	fclose(f);
	qsort(name, RANDOM_NAMES, sizeof(*name), by_version);
	f = popen(arena_printf(arena, "LC_ALL=C sort -V '%s'", path), "r");
	ck_assert_ptr_nonnull(f);
	for (i = 0; fgets(line, sizeof(line), f); i++) {
		line[strcspn(line, "\n")] = 0;
		ck_assert_uint_lt(i, RANDOM_NAMES);
		ck_assert_str_eq(strrchr(line, '/') + 1, name[i]);
	}
	pclose(f);
	if (!i)
		printf("check_source: this machine has no sort -V: skipped\n");
	else
		ck_assert_uint_eq(i, RANDOM_NAMES);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("source");
	TCase *tc = tcase_create("source");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, test_lines);
	tcase_add_test(tc, test_nul_and_cr);
	tcase_add_loop_test(tc, test_cut, 0, sizeof(cuts) / sizeof(*cuts));
	tcase_add_test(tc, test_missing);
	tcase_add_test(tc, test_unreadable);
	tcase_add_test(tc, test_world_writable);
	tcase_add_test(tc, test_pipe);
	tcase_add_test(tc, test_stdin);
	tcase_add_test(tc, test_endless);
	tcase_add_test(tc, test_merge);
	tcase_add_loop_test(tc, test_moved, 0, sizeof(moved) / sizeof(*moved));
	tcase_add_test(tc, test_joined);
	tcase_add_test(tc, test_cut_merged);
	tcase_add_test(tc, test_no_rules);
	tcase_add_test(tc, test_odd_entries);
	tcase_add_test(tc, test_fifo_entry);
	tcase_add_test(tc, test_unreadable_entry);
	tcase_add_test(tc, test_version_order);
	tcase_add_test(tc, test_sort_v);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
