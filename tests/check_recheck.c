/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The last look before anything is written catches what it is there for. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "lib/suite.h"

#include "cli/cli.h"

static struct arena *arena;
static struct compile_options options;

static void setup(void)
{
	arena = arena_new();
	options = (struct compile_options){
		.target = target_by_name("x86_64"),
		.auditctl_version = AUDITCTL_VERSION(3, 0, 9),
		.root = "",
	};
	ck_assert_ptr_nonnull(options.target);
}

static void teardown(void)
{
	arena_free(arena);
}

static struct loaded load(const char *text)
{
	struct input *input = arena_alloc(arena, sizeof(*input));
	struct diagnostics *diagnostics = diagnostics_new(arena);
	struct commands commands;
	struct actions *actions = arena_alloc(arena, sizeof(*actions));

	input->line =
		arena_array(arena, strlen(text) + 1, sizeof(*input->line));
	while (*text) {
		size_t length = strcspn(text, "\n");

		input->line[input->count] = (struct source_line){
			.file = "test",
			.number = input->count + 1,
			.column = 1,
			.text = text,
			.length = length,
		};
		input->count++;
		text += length + 1;
	}
	commands = parse_input(arena, input, options.auditctl_version,
			       diagnostics);
	*actions = compile_commands(arena, &commands, input, &options,
				    diagnostics);
	ck_assert_uint_eq(diagnostics_count(diagnostics, DIAG_ERROR), 0);
	return load_actions(arena, actions, &options, diagnostics);
}

/* What recheck says of TEXT as the result for SOURCE; "" if it is content. */
static const char *verdict(const char *source, const char *text)
{
	struct loaded wanted = load(source);
	const char *why = recheck(arena, text, strlen(text), wanted.set,
				  &wanted.controls, &options);

	return why ? why : "";
}

#define RULE "-a always,exit -F arch=b64 -S mount,umount2 -F auid>=1000 -k m\n"
#define NEVER "-a never,exit -F arch=b64 -S mount -F uid=0\n"
#define WATCH "-w /etc/passwd -p wa -k identity\n"
#define HEAD "-D\n-b 8192\n"
#define TAIL "-e 2\n"

/* Texts that are as good as the source. */
START_TEST(accepts)
{
	static const char source[] = HEAD NEVER RULE WATCH TAIL;

	ck_assert_str_eq(verdict(source, source), "");
	ck_assert_str_eq(
		verdict(source, "# comment\n\n" HEAD NEVER RULE WATCH TAIL),
		"");
	/* Split. */
	ck_assert_str_eq(verdict(source, HEAD NEVER
				 "-a always,exit -F arch=b64 -S mount -F "
				 "auid>=1000 -k m\n"
				 "-a always,exit -F arch=b64 -S umount2 -F "
				 "auid>=1000 -k m\n" WATCH TAIL),
			 "");
	/* Fields of an exit rule in another order. */
	ck_assert_str_eq(verdict("-a always,exit -F arch=b64 -S openat -F "
				 "uid=1 -F gid=2 -k x\n",
				 "-a always,exit -F arch=b64 -S openat -F "
				 "gid=2 -F uid=1 -k x\n"),
			 "");
	ck_assert_str_eq(verdict("", ""), "");
}
END_TEST

/* Each of these is the source with one thing wrong. */
static const char *const wrong[] = {
	"",
	HEAD NEVER RULE WATCH, /* -e lost */
	HEAD NEVER RULE TAIL,  /* the last rule lost */
	HEAD RULE WATCH TAIL,  /* the first lost */
	HEAD NEVER RULE WATCH WATCH "-w /etc/group -p wa\n" TAIL, /* one more */
	HEAD RULE NEVER WATCH TAIL,				  /* swapped */
	"-D\n-b 8191\n" NEVER RULE WATCH TAIL,
	"-b 8192\n" NEVER RULE WATCH TAIL,
	HEAD NEVER RULE WATCH "-e 1\n",
	HEAD NEVER RULE WATCH "-f 1\n" TAIL,
	HEAD NEVER RULE WATCH "-r 1\n" TAIL,
	HEAD NEVER RULE WATCH "-i\n" TAIL,
	HEAD NEVER RULE WATCH "--loginuid-immutable\n" TAIL,
	HEAD NEVER RULE WATCH "--backlog_wait_time 1\n" TAIL,
	/* a call, a value, an operator, a field, a key, an action, an ABI */
	HEAD NEVER
	"-a always,exit -F arch=b64 -S mount -F auid>=1000 -k m\n" WATCH TAIL,
	HEAD NEVER "-a always,exit -F arch=b64 -S mount,umount2,openat -F "
		   "auid>=1000 -k m\n" WATCH TAIL,
	HEAD NEVER
	"-a always,exit -F arch=b64 -S mount,umount2 -F auid>=1001 -k m\n" WATCH
		TAIL,
	HEAD NEVER
	"-a always,exit -F arch=b64 -S mount,umount2 -F auid>1000 -k m\n" WATCH
		TAIL,
	HEAD NEVER
	"-a always,exit -F arch=b64 -S mount,umount2 -F uid>=1000 -k m\n" WATCH
		TAIL,
	HEAD NEVER
	"-a always,exit -F arch=b64 -S mount,umount2 -F auid>=1000 -k n\n" WATCH
		TAIL,
	HEAD NEVER
	"-a always,exit -F arch=b64 -S mount,umount2 -F auid>=1000\n" WATCH
		TAIL,
	HEAD NEVER
	"-a never,exit -F arch=b64 -S mount,umount2 -F auid>=1000 -k m\n" WATCH
		TAIL,
	HEAD NEVER
	"-a always,exit -S mount,umount2 -F auid>=1000 -k m\n" WATCH TAIL,
	HEAD NEVER RULE "-w /etc/passwd -p w -k identity\n" TAIL,
	HEAD NEVER RULE "-w /etc/shadow -p wa -k identity\n" TAIL,
	HEAD NEVER RULE "-w /etc/passwd -p wa -k identity -F uid=0\n" TAIL,
	/* lines that auditctl does not take, or reads otherwise */
	HEAD NEVER RULE WATCH "-q\n" TAIL,
	HEAD NEVER "\t\n" RULE WATCH TAIL,
	HEAD NEVER RULE WATCH "-e 2",
	HEAD TAIL NEVER RULE WATCH,
};

START_TEST(refuses)
{
	static const char source[] = HEAD NEVER RULE WATCH TAIL;

	ck_assert_str_ne(verdict(source, wrong[_i]), "");
}
END_TEST

/* A text that only one of the two auditctls reads as it was meant: since 3.1.3
 * perm behind arch adds calls. */
START_TEST(refuses_two_meanings)
{
	static const char text[] = "-a always,exit -F arch=b64 -S openat -F "
				   "dir=/etc -F perm=wa -k etc\n";
	const char *why = verdict(text, text);

	ck_assert_ptr_nonnull(strstr(why, "4.2.1"));
	options.auditctl_version = AUDITCTL_VERSION(4, 0, 2);
	why = verdict(text, text);
	ck_assert_ptr_nonnull(strstr(why, "3.0.9"));
}
END_TEST

/* Order counts in the exclude filter, where an odd field ends the walk. */
START_TEST(keeps_order_elsewhere)
{
	ck_assert_str_ne(verdict("-a always,exclude -F msgtype=CWD -F uid=1\n",
				 "-a always,exclude -F uid=1 -F msgtype=CWD\n"),
			 "");
}
END_TEST

/* On exclude no calls are looked at. */
START_TEST(no_calls_on_exclude)
{
	static const char perm[] = "-a always,exclude -F arch=b64 -F perm=wa\n";

	options.auditctl_version = AUDITCTL_VERSION(4, 2, 1);
	ck_assert_str_eq(verdict(perm, "-a always,exclude -F arch=b64 -p wa\n"),
			 "");
	ck_assert_str_ne(verdict(perm, "-a always,exclude -F arch=b64 -p w\n"),
			 "");
	ck_assert_str_ne(verdict(perm, "-a always,exclude -F arch=b64 -p wa\n"
				       "-a always,exclude -F arch=b64 -p wa\n"),
			 "");
}
END_TEST

START_TEST(refuses_long_lines)
{
	char *line = arena_alloc(arena, 7000);

	memset(line, '#', SOURCE_LINE_MAX);
	line[SOURCE_LINE_MAX] = '\n';
	ck_assert_str_eq(verdict("", line), "");
	memset(line, '#', SOURCE_LINE_MAX + 1);
	line[SOURCE_LINE_MAX + 1] = '\n';
	ck_assert_str_ne(verdict("", line), "");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("recheck");
	TCase *tcase = tcase_create("recheck");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, accepts);
	tcase_add_loop_test(tcase, refuses, 0, sizeof(wrong) / sizeof(*wrong));
	tcase_add_test(tcase, refuses_two_meanings);
	tcase_add_test(tcase, keeps_order_elsewhere);
	tcase_add_test(tcase, no_calls_on_exclude);
	tcase_add_test(tcase, refuses_long_lines);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
