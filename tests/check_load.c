/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <linux/audit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/suite.h"

#include "frontend/load.h"

static struct fixture {
	struct arena *arena;
	struct diagnostics *diag;
	struct input input;
	struct actions actions;
	struct loaded loaded;
	const char *root;
} fx;

static void setup(void)
{
	memset(&fx, 0, sizeof(fx));
	fx.arena = arena_new();
	fx.root = "";
}

static void teardown(void)
{
	arena_free(fx.arena);
}

static void load(const char *text)
{
	static const char *const file[] = {"test"};
	struct compile_options options = {
		.target = target_by_name("x86_64"),
		.auditctl_version = AUDITCTL_VERSION(3, 0, 9),
		.root = fx.root,
	};
	struct commands commands;
	size_t lines = 1;

	for (const char *s = text; *s; s++)
		lines += *s == '\n';
	fx.diag = diagnostics_new(fx.arena);
	fx.input = (struct input){
		.count = (uint32_t)lines, .file = file, .files = 1};
	fx.input.line = arena_array(fx.arena, lines, sizeof(*fx.input.line));
	for (size_t i = 0; i < lines; i++) {
		size_t length = strcspn(text, "\n");

		fx.input.line[i].file = "test";
		fx.input.line[i].number = (uint32_t)i + 1;
		fx.input.line[i].column = 1;
		fx.input.line[i].text = text;
		fx.input.line[i].length = length;
		text += length + (text[length] == '\n');
	}
	commands = parse_input(fx.arena, &fx.input, options.auditctl_version,
			       fx.diag);
	fx.actions = compile_commands(fx.arena, &commands, &fx.input, &options,
				      fx.diag);
	fx.loaded = load_actions(fx.arena, &fx.actions, &options, fx.diag);
}

static size_t errors(void)
{
	return diagnostics_count(fx.diag, DIAG_ERROR);
}

static const struct diagnostic *told(const char *id)
{
	const struct diagnostic *d;

	for (size_t i = 0; (d = diagnostics_get(fx.diag, i)); i++)
		if (strcmp(d->id, id) == 0)
			return d;
	return NULL;
}

/* The keys of the rules that are held, in order. */
static const char *held(void)
{
	char *all = arena_strdup(fx.arena, "");

	for (size_t i = 0; i < fx.loaded.set->count; i++)
		all = arena_printf(fx.arena, "%s%s", all,
				   fx.loaded.set->rule[i]->key);
	return all;
}

START_TEST(test_order)
{
	load("-a always,exit -S open -k a\n"
	     "-a always,exit -S open -k b\n"
	     "-A always,exit -S open -k c\n"
	     "-A always,exit -S open -k d");
	ck_assert_str_eq(held(), "dcab");
	ck_assert_uint_eq(errors(), 0);
	ck_assert_uint_eq(fx.loaded.set->rule[0]->origin.line[0], 3);
	ck_assert_uint_eq(fx.loaded.set->rule[0]->filter, AUDIT_FILTER_EXIT);
}
END_TEST

START_TEST(test_duplicates)
{
	const struct diagnostic *d;

	load("-a always,exit -S openat2 -F uid=0 -F gid=0 -k a\n"
	     "-a always,exit -S openat2 -F gid=0 -F uid=0 -k a\n"
	     "-a always,exit -S openat2 -F uid=0 -F gid=0 -k b\n"
	     "-w /etc -p wa -k a\n"
	     "-a always,exit -S openat2 -F uid=0 -F gid=0 -k a\n"
	     "-w /etc/ -p aw -k a");
	ck_assert_str_eq(held(), "aaba");
	ck_assert_uint_eq(errors(), 0);
	d = told("duplicate-rule");
	ck_assert_int_eq(d->severity, DIAG_WARNING);
	ck_assert_uint_eq(d->at.line, 4);
	ck_assert_uint_eq(d->other.line, 0);
	ck_assert(d->stops);
	ck_assert_uint_eq(diagnostics_count(fx.diag, DIAG_WARNING), 2);
}
END_TEST

/* audit_compare_rule also compares the PREPEND flag, which no held rule has. */
START_TEST(test_prepended_twin)
{
	load("-a always,exit -F arch=b64 -S open -k a\n"
	     "-A always,exit -F arch=b64 -S open -k a\n"
	     "-A always,exit -F arch=b64 -S open -k a\n"
	     "-a always,exit -F arch=b64 -S open -k a");
	ck_assert_str_eq(held(), "aaa");
	ck_assert_uint_eq(told("duplicate-rule")->at.line, 3);
}
END_TEST

START_TEST(test_delete)
{
	load("-w /etc -p wa -k a\n"
	     "-a always,exit -F arch=b64 -S open -k b\n"
	     "-A always,exit -F arch=b64 -S close -k c\n"
	     "-W /etc/ -p wa -k a\n"
	     "-d exit,always -F arch=b64 -S close -k c");
	ck_assert_str_eq(held(), "b");
	ck_assert_uint_eq(errors(), 0);
	load("-a always,exit -F arch=b64 -S open -k b\n"
	     "-d always,exit -F arch=b64 -S open\n");
	ck_assert_str_eq(held(), "b");
	ck_assert_int_eq(told("no-such-rule")->severity, DIAG_ERROR);
	ck_assert(!told("no-such-rule")->stops);
	ck_assert_ptr_nonnull(strstr(told("no-such-rule")->auditctl,
				     "if the kernel holds it"));
	ck_assert_ptr_nonnull(strstr(told("no-such-rule")->advice, "-D"));
	load("-D\n-d always,exit -F arch=b64 -S open");
	ck_assert(told("no-such-rule")->stops);
	/* deleted and added again: no duplicate */
	load("-a always,exit -F arch=b64 -S open -k b\n"
	     "-d always,exit -F arch=b64 -S open -k b\n"
	     "-a always,exit -F arch=b64 -S open -k b\n");
	ck_assert_str_eq(held(), "b");
	ck_assert_ptr_null(told("duplicate-rule"));
}
END_TEST

START_TEST(test_delete_all)
{
	load("-D\n"
	     "-a always,exit -F arch=b64 -S open -k abc\n"
	     "-a always,exit -F arch=b64 -S open -k bcd\n"
	     "-a always,exit -F arch=b64 -S open -k x -k yab\n"
	     "-D -k ab\n");
	ck_assert_str_eq(held(), "bcd");
	ck_assert_ptr_nonnull(fx.loaded.controls.delete_all);
	ck_assert_uint_eq(fx.loaded.controls.delete_all->line, 0);
	load("-a always,exit -F arch=b64 -S open -k abc\n"
	     "-D\n"
	     "-a always,exit -F arch=b64 -S open -k abc");
	ck_assert_str_eq(held(), "abc");
	ck_assert_ptr_null(told("duplicate-rule"));
	/* Whatever the kernel held before is gone, wherever -D stood. */
	ck_assert_ptr_nonnull(fx.loaded.controls.delete_all);
}
END_TEST

/* What the kernel refuses is left out, in the order of the lines, with what
 * was left out before. */
START_TEST(test_left_out)
{
	load("-c\n"
	     "-a always,exit -F path=/etc/ -k a\n"
	     "-a always,exit -F arch=b64 -S open,nonsense -k b\n"
	     "-d always,exit -F arch=b64 -S open -k c\n"
	     "-e 2\n"
	     "-b 100\n");
	ck_assert_uint_eq(fx.loaded.lefts, 4);
	for (uint32_t i = 0; i < 4; i++)
		ck_assert_uint_eq(fx.loaded.left[i].line, i < 3 ? i + 1 : 5);
	ck_assert_str_eq(fx.loaded.left[1].text, "nonsense");
	ck_assert_ptr_null(fx.loaded.left[2].text);
}
END_TEST

START_TEST(test_refused_by_kernel)
{
	static const char *const lines[] = {
		"-a always,exit -F path=/etc/ -k a",
		"-a always,exit -F path=/a -F dir=/b -k a",
		"-a always,exit -F uid=-1 -S open -k a",
		"-a always,exit -F auid>unset -S open -k a",
		"-a always,filesystem -F uid=0",
		"-a always,exit -F dir!=/etc -k a",
		"--backlog_wait_time 600001",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		load(lines[i]);
		ck_assert_msg(told("refused-by-kernel") != NULL, "%s",
			      lines[i]);
		ck_assert(told("refused-by-kernel")->stops);
		ck_assert_uint_eq(fx.loaded.set->count, 0);
	}
}
END_TEST

START_TEST(test_lock)
{
	const struct diagnostic *d;

	load("-w /etc/passwd -k a\n"
	     "-e 2\n"
	     "-w /etc/group -k b\n"
	     "-b 99\n"
	     "-D\n"
	     "-W /etc/passwd -k a\n"
	     "--reset-lost\n"
	     "-e 1");
	ck_assert_str_eq(held(), "a");
	d = told("after-lock");
	ck_assert_uint_eq(errors(), 1);
	ck_assert_uint_eq(d->at.line, 2);
	ck_assert_uint_eq(d->other.line, 1);
	ck_assert_ptr_nonnull(strstr(d->what, "4 more"));
	ck_assert_uint_eq(fx.loaded.controls.enable->number, 2);
	ck_assert_ptr_null(fx.loaded.controls.backlog);
	/* there is nothing to delete, so nothing is refused */
	load("-e 2\n-D");
	ck_assert_uint_eq(errors(), 0);
}
END_TEST

START_TEST(test_stops_or_goes_on)
{
	load("-w /etc -k a\n-w /etc -k a\n-w /etc/group -k b");
	ck_assert(told("duplicate-rule")->stops);
	load("-w /etc -k a\n-i\n-w /etc -k a\n-w /etc/group -k b");
	ck_assert(!told("duplicate-rule")->stops);
	ck_assert_ptr_nonnull(fx.loaded.controls.ignore);
}
END_TEST

START_TEST(test_epochs)
{
	load("-w /etc -k a\n"
	     "-q /mnt,/etc\n"
	     "-w /usr -k b\n"
	     "-t\n"
	     "-q /mnt,/usr\n"
	     "-w /var -k c");
	ck_assert_uint_eq(errors(), 0);
	ck_assert_uint_eq(fx.loaded.set->rule[0]->epoch, 0);
	ck_assert_uint_eq(fx.loaded.set->rule[1]->epoch, 1);
	ck_assert_uint_eq(fx.loaded.set->rule[2]->epoch, 2);
	ck_assert_uint_eq(fx.loaded.controls.moments, 3);
	ck_assert_uint_eq(fx.loaded.controls.moment_epoch[0], 1);
	ck_assert_uint_eq(fx.loaded.controls.moment_epoch[1], 2);
	ck_assert_uint_eq(fx.loaded.controls.moment_epoch[2], 2);
	load("-w /etc -k a\n-q /mnt,/etc\n-A exit,always -S open -k b");
	ck_assert_ptr_nonnull(told("prepend-after-equivalent"));
	ck_assert_str_eq(held(), "a");
	load("-q /mnt,/etc\n-A exit,always -S open -k b");
	ck_assert_uint_eq(errors(), 0);
}
END_TEST

START_TEST(test_controls)
{
	load("-b 1\n-f 1\n-r 5\n-b 8192\n--backlog_wait_time 60000\n-c\n"
	     "--loginuid-immutable\n-e 1");
	ck_assert_uint_eq(fx.loaded.controls.backlog->number, 8192);
	ck_assert_uint_eq(fx.loaded.controls.failure->number, 1);
	ck_assert_uint_eq(fx.loaded.controls.rate->number, 5);
	ck_assert_uint_eq(fx.loaded.controls.backlog_wait_time->number, 60000);
	ck_assert_ptr_nonnull(fx.loaded.controls.keep_going);
	ck_assert_ptr_null(fx.loaded.controls.ignore);
	ck_assert_ptr_nonnull(fx.loaded.controls.loginuid_immutable);
	ck_assert_uint_eq(fx.loaded.controls.enable->number, 1);
}
END_TEST

START_TEST(test_task_never)
{
	load("-a never,task\n-w /etc -k a");
	ck_assert_uint_eq(told("task-never")->at.line, 0);
	load("-a never,task -F uid=0");
	ck_assert_ptr_null(told("task-never"));
	load("-a always,task\n-a never,task");
	ck_assert_ptr_null(told("task-never"));
}
END_TEST

START_TEST(test_missing_paths)
{
	char root[] = "/tmp/check_load.XXXXXX", path[64];

	ck_assert_ptr_nonnull(mkdtemp(root));
	snprintf(path, sizeof(path), "%s/etc", root);
	mkdir(path, 0755);
	fx.root = root;
	load("-a always,exit -S open -F dir=/etc -k a\n"
	     "-a always,exit -S open -F path=/etc/new -k a\n"
	     "-a always,exit -S open -F exe=/etc/new -k a\n"
	     "-w /new/ -k a\n"
	     "-w /etc/new -k a");
	ck_assert_ptr_null(told("path-missing"));
	load("-w /etc -k a\n"
	     "-a always,exit -S open -F dir=/etc/a -k a\n"
	     "-a always,exit -S open -F path=/b/c -k a\n"
	     "-a always,exit -S open -F exe=/d/e -k a\n"
	     "-w /f/g -k a\n-w /f/h -k a\n-w /f/i -k a");
	ck_assert_uint_eq(told("path-missing")->at.line, 1);
	ck_assert_uint_eq(told("path-missing")->at.column, 27);
	ck_assert(!told("path-missing")->stops);
	ck_assert_ptr_nonnull(
		strstr(told("path-missing")->auditctl, "stops at the rule"));
	ck_assert_ptr_nonnull(strstr(told("path-missing")->advice, "-c"));
	ck_assert_ptr_nonnull(strstr(told("path-missing")->what,
				     "/etc/a, /b/c, /d/e, /f/g, /f/h and 1"));
	load("-w /f/g -k a\n-c");
	ck_assert_ptr_nonnull(
		strstr(told("path-missing")->auditctl, "stops at the rule"));
	load("-c\n-w /f/g -k a");
	ck_assert_ptr_nonnull(
		strstr(told("path-missing")->auditctl, "skips the line"));
	/* the key is a field of the wire form, but no test */
	load("-a always,exit -F uid=0 -S open -F key!=k -F path=/f/g");
	ck_assert_uint_eq(told("path-missing")->at.column, 46);
	/* deleted later: auditctl stops there all the same */
	load("-w /f/g -k a\n-D");
	ck_assert_ptr_nonnull(told("path-missing"));
	rmdir(path);
	rmdir(root);
}
END_TEST

START_TEST(test_prepend_alone)
{
	load("-a always,exit -S all -k a\n-A always,exit -S all -k b");
	ck_assert_uint_eq(told("prepend-without-delete-all")->at.line, 1);
	load("-D\n-A always,exit -S all -k b");
	ck_assert_ptr_null(told("prepend-without-delete-all"));
	load("-D -k b\n-A always,exit -S all -k b");
	ck_assert_ptr_nonnull(told("prepend-without-delete-all"));
	load("-a always,exit -S all -k a");
	ck_assert_ptr_null(told("prepend-without-delete-all"));
}
END_TEST

/* The field at fault is marked. */
START_TEST(test_refused_field)
{
	load("-a always,exit -S all -F uid=0 -F path=/etc/ -k a");
	ck_assert_uint_eq(told("refused-by-kernel")->at.column, 35);
	ck_assert_ptr_nonnull(
		strstr(told("refused-by-kernel")->advice, "dir="));
	load("-a always,exit -S all -F uid=-1 -k a");
	ck_assert_uint_eq(told("refused-by-kernel")->at.column, 26);
	load("-a always,exit -S all -F auid>unset -k a");
	ck_assert_uint_eq(told("refused-by-kernel")->at.column, 26);
	load("-a always,exit -S all -F pid&1 -k a");
	ck_assert_ptr_nonnull(strstr(told("refused-by-kernel")->advice, "!="));
	/* one cause, one diagnostic */
	load("-a always,exit -S all -F path=\"/etc/x\" -k a");
	ck_assert_ptr_null(told("refused-by-kernel"));
	ck_assert_uint_eq(errors(), 1);
	ck_assert_int_eq(told("quote")->severity, DIAG_ERROR);
	ck_assert(told("quote")->stops);
}
END_TEST

/* One entry a line, whoever leaves it out. */
START_TEST(test_left_out_once)
{
	load("-a always,exit -S all -F auidd=0\n"
	     "-a always,exit -F arch=b64 -S umount,open -F path=/x/\n"
	     "-e 2\n"
	     "-r 5 -b 5 -f 1\n"
	     "-a always,exit -F arch=b64 -S umount,open");
	ck_assert_uint_eq(fx.loaded.lefts, 4);
	ck_assert_uint_eq(fx.loaded.left[1].line, 1);
	ck_assert_ptr_null(fx.loaded.left[1].text);
	ck_assert_uint_eq(fx.loaded.left[2].line, 3);
	ck_assert_uint_eq(fx.loaded.left[3].line, 4);
	ck_assert_ptr_null(fx.loaded.left[3].text);
}
END_TEST

/* audit_find_rule takes the first that is equal, which with -A is the last. */
START_TEST(test_delete_twin)
{
	load("-A always,exit -F arch=b64 -S open -k a\n"
	     "-A never,exit -F arch=b64 -S open -k b\n"
	     "-A always,exit -F arch=b64 -S open -k a\n"
	     "-d always,exit -F arch=b64 -S open -k a");
	ck_assert_str_eq(held(), "ba");
	load("-A always,exit -F arch=b64 -S open -k a\n"
	     "-A never,exit -F arch=b64 -S open -k b\n"
	     "-A always,exit -F arch=b64 -S open -k a\n"
	     "-d always,exit -F arch=b64 -S open -k a\n"
	     "-d always,exit -F arch=b64 -S open -k a\n"
	     "-d always,exit -F arch=b64 -S open -k a");
	ck_assert_str_eq(held(), "b");
	ck_assert_uint_eq(told("no-such-rule")->at.line, 5);
}
END_TEST

/* What it takes to load LINE so many times. */
static size_t bytes_for(const char *line, size_t times)
{
	size_t length = strlen(line), bytes;
	char *text = malloc(times * length + 1);

	ck_assert_ptr_nonnull(text);
	for (size_t i = 0; i < times; i++)
		memcpy(text + i * length, line, length + 1);
	teardown();
	setup();
	load(text);
	bytes = arena_bytes(fx.arena);
	free(text);
	return bytes;
}

START_TEST(test_many_alike)
{
	const char *line = "-a always,exit -F arch=b64 -S open -k a\n";
	size_t some = bytes_for(line, 2000), more = bytes_for(line, 4000);

	ck_assert_uint_eq(fx.loaded.set->count, 1);
	ck_assert_uint_eq(fx.loaded.set->rule[0]->origin.count, 4000);
	ck_assert_uint_lt(more, some * 5 / 2);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("load");
	TCase *tests = tcase_create("load");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_order);
	tcase_add_test(tests, test_duplicates);
	tcase_add_test(tests, test_prepended_twin);
	tcase_add_test(tests, test_delete);
	tcase_add_test(tests, test_delete_twin);
	tcase_add_test(tests, test_many_alike);
	tcase_add_test(tests, test_delete_all);
	tcase_add_test(tests, test_left_out);
	tcase_add_test(tests, test_refused_by_kernel);
	tcase_add_test(tests, test_lock);
	tcase_add_test(tests, test_stops_or_goes_on);
	tcase_add_test(tests, test_epochs);
	tcase_add_test(tests, test_controls);
	tcase_add_test(tests, test_task_never);
	tcase_add_test(tests, test_missing_paths);
	tcase_add_test(tests, test_prepend_alone);
	tcase_add_test(tests, test_refused_field);
	tcase_add_test(tests, test_left_out_once);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
