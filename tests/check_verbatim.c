/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --verbatim: which texts are kept, and what is shown of them for others than
 * the auditctl that read them. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "cli/verbatim.h"
#include "emit/emit.h"
#include "lib/suite.h"
#include "optimize/pipeline.h"

#define OLD AUDITCTL_VERSION(3, 0, 9)
#define NEW AUDITCTL_VERSION(4, 2, 1)

static struct arena *arena;
static struct compile_options options;
static struct cli_input in;
static bool merged;

static void setup(void)
{
	arena = arena_new();
	options = (struct compile_options){
		.target = target_by_name("x86_64"),
		.auditctl_version = OLD,
		.root = "/nonexistent",
		.keep_going = true,
	};
	merged = false;
	ck_assert_ptr_nonnull(options.target);
}

static void teardown(void)
{
	arena_free(arena);
}

static void load(const char *text)
{
	struct input *input = &in.input;

	memset(&in, 0, sizeof(in));
	in.arena = arena;
	in.diagnostics = diagnostics_new(arena);
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
			.merged = merged,
		};
		input->count++;
		text += length + 1;
	}
	in.commands = parse_input(arena, input, options.auditctl_version,
				  in.diagnostics);
	in.actions = compile_commands(arena, &in.commands, input, &options,
				      in.diagnostics);
	in.loaded = load_actions(arena, &in.actions, &options, in.diagnostics);
}

static struct verbatim *texts_of(const char *text)
{
	load(text);
	return verbatim_of(arena, &in, &options, options.target);
}

/* What is written for the loaded rules after LEVEL's passes. */
static const char *result(const char *source, int level)
{
	struct verbatim *v = texts_of(source);
	struct pipeline_options how = {.level = level, .verbatim = true};
	struct change_log log = {0};
	struct ruleset *set = ruleset_copy(arena, in.loaded.set);
	struct emit_options emit = {.text = v->text, .why = v->why};
	const char *text, *why;
	size_t size;

	pipeline_run_as(arena, set, &how, &log);
	text = emit_ruleset(arena, set, &in.loaded.controls, &in.input, &emit,
			    &size);
	ck_assert_ptr_nonnull(text);
	options.keep_going = false;
	why = recheck_verbatim(arena, text, size, set, &in.loaded.controls,
			       &options, v);
	options.keep_going = true;
	ck_assert_msg(!why, "%s", why);
	return text;
}

/* Not as the optimizer would write it. */
#define WATCH "-w /etc/passwd -k identity -p aw\n"

START_TEST(texts_stay)
{
	for (int level = 0; level <= 2; level++) {
		const char *text = result(
			"-a always,exit -F arch=b64 -S chmod -F auid>=1000 "
			"-F auid!=4294967295 -F uid!=0 -k  one\n" WATCH,
			level);

		ck_assert_ptr_nonnull(strstr(
			text,
			"-a always,exit -F arch=b64 -S chmod -F auid>=1000 "
			"-F auid!=4294967295 -F uid!=0 -k  one\n"));
		ck_assert_ptr_nonnull(strstr(text, WATCH));
	}
}
END_TEST

/* What merge, narrow, twins, fuse, implied and field_order would change. */
START_TEST(nothing_is_rewritten)
{
	static const char source[] =
		"-a always,exit -F arch=b32 -S open -F perm=wa -F dir=/a -k x\n"
		"-a always,exit -F arch=b64 -S open -F perm=wa -F dir=/a -k x\n"
		"-a always,exit -F arch=b64 -S open -F exit=-EACCES -k a\n"
		"-a always,exit -F arch=b64 -S open -F exit=-EPERM -k a\n"
		"-a always,exit -F arch=b64 -S chown -k c\n"
		"-a always,exit -F arch=b64 -S chown,lchown -k d\n"
		"-a always,exit -F arch=b64 -S mount -F uid<10 -F uid<20 -k m\n"
		"-a always,exit -F arch=b64 -S umount2 -F uid<10 -k m\n"
		"-a always,exit -F arch=b64 -S mount,umount2 -F uid<5 -k m\n"
		"-a always,exit -S all -F perm=x -F dir=/b -k y\n";
	const char *text = result(source, 1);
	size_t kept = 0;

	load(source);
	for (uint32_t i = 0; i < in.input.count; i++)
		kept += strstr(text, arena_strndup(arena, in.input.line[i].text,
						   in.input.line[i].length)) !=
			NULL;
	/* but for the one before the last, which two others cover */
	ck_assert_uint_eq(kept, in.input.count - 1);
}
END_TEST

START_TEST(dead_rules_go)
{
	const char *text = result(
		"-a always,exit -F arch=b64 -S mount -k m\n"
		"-a always,exit -F arch=b64 -S mount -F uid=0 -k other\n"
		"-a always,exit -F arch=b64 -S chmod -F uid<5 -F uid>9 -k u\n",
		1);

	ck_assert_ptr_nonnull(strstr(text, "-S mount -k m\n"));
	ck_assert_ptr_null(strstr(text, "other"));
	ck_assert_ptr_null(strstr(text, "chmod"));
}
END_TEST

START_TEST(terminators_are_added_once)
{
	const char *once, *twice;
	char source[4096] = "";

	for (int i = 0; i < 20; i++)
		snprintf(source + strlen(source),
			 sizeof(source) - strlen(source),
			 "-a always,exit -F arch=b64 -S mount -F auid=%d -k "
			 "k%d\n",
			 1000 + i, i);
	once = result(source, 2);
	ck_assert_ptr_nonnull(strstr(once, "never"));
	ck_assert_ptr_nonnull(strstr(once, "-F auid=1000 -k k0\n"));
	twice = result(once, 2);
	ck_assert_str_eq(once, twice);
}
END_TEST

static const char *why_not(const char *source, uint32_t line)
{
	struct verbatim *v = texts_of(source);

	ck_assert_ptr_null(v->text[line]);
	return v->why[line] ? v->why[line] : "";
}

START_TEST(texts_that_cannot_stay)
{
	ck_assert_ptr_nonnull(strstr(
		why_not("-a always,exit -F arch=b64 -S chmod,stime -k t\n", 0),
		"left out"));
	ck_assert_ptr_nonnull(
		strstr(why_not("-A exit,always -F arch=b64 -S chmod -k t\n", 0),
		       "-A"));
	ck_assert_str_eq(why_not("-D\n", 0), "");
}
END_TEST

/* The text of such a rule is not written, but a rule is. */
START_TEST(others_are_written_as_ever)
{
	const char *text = result(
		"-a exit,always -F arch=b64 -S chmod,stime -k t\n" WATCH, 1);

	ck_assert_ptr_nonnull(
		strstr(text, "-a always,exit -F arch=b64 -S chmod -k t\n"));
	ck_assert_ptr_nonnull(strstr(text, WATCH));
}
END_TEST

START_TEST(returns_of_a_merged_file_go)
{
	struct verbatim *v;

	merged = true;
	options.auditctl_version = NEW;
	v = texts_of("-a always,exit -S mount -k m\r\n");
	ck_assert_str_eq(v->text[0], "-a always,exit -S mount -k m");
	ck_assert_ptr_null(verbatim_under(arena, v, in.loaded.set, OLD, NULL));
	ck_assert_ptr_nonnull(
		verbatim_under(arena, v, in.loaded.set, NEW, NULL));
}
END_TEST

/* Since 3.1.3 -F perm behind arch adds calls. */
START_TEST(other_auditctls_read_something_else)
{
	struct verbatim *v = texts_of(
		"-a always,exit -F arch=b64 -S mount -F perm=wa -k p\n"
		"-a always,exit -F arch=b64 -F perm=x -S mount -k p\n");
	struct ruleset *source,
		*under = verbatim_under(arena, v, in.loaded.set, NEW, &source);

	ck_assert_ptr_nonnull(under);
	ck_assert_uint_eq(under->count, 2);
	ck_assert(
		!rule_same_to_kernel(under->rule[1], in.loaded.set->rule[1]) ||
		!rule_same_to_kernel(under->rule[0], in.loaded.set->rule[0]));
	for (size_t i = 0; i < 2; i++)
		ck_assert(rule_same_to_kernel(under->rule[i], source->rule[i]));
}
END_TEST

/* A never rule that is of no use to one auditctl, and of use to another. */
START_TEST(what_another_auditctl_needs_is_missed)
{
	const struct verify_options how = {.level = 2};
	unsigned int version;
	struct verbatim *v = texts_of(
		"-a never,exit -F arch=b64 -S chmod -F uid=0\n"
		"-a always,exit -F arch=b64 -S mount -F perm=a -k p\n");
	struct ruleset *less = ruleset_copy(arena, in.loaded.set);

	ck_assert(verbatim_holds(arena, v, in.loaded.set, &how, &version));
	ruleset_remove(less, 0);
	ck_assert(verify_equivalent(arena, in.loaded.set, less, &how).proof ==
		  PROOF_GOOD);
	ck_assert(!verbatim_holds(arena, v, less, &how, &version));
	ck_assert_uint_ge(version, AUDITCTL_VERSION(3, 1, 3));
}
END_TEST

/* The same where those before it add no such call, and those behind it refuse
 * the key. */
START_TEST(what_one_between_needs_is_missed)
{
	const struct verify_options how = {.level = 2};
	unsigned int version;
	struct verbatim *v =
		texts_of("-a never,exit -F arch=b64 -S 463 -F uid=0\n"
			 "-a always,exit -F arch=b64 -S mount -F perm=a -F "
			 "key=a\001b\n");
	struct ruleset *less = ruleset_copy(arena, in.loaded.set);

	ck_assert_uint_eq(in.loaded.set->count, 2);
	ck_assert(verbatim_holds(arena, v, in.loaded.set, &how, &version));
	ruleset_remove(less, 0);
	ck_assert(!verbatim_holds(arena, v, less, &how, &version));
	ck_assert_uint_ge(version, AUDITCTL_VERSION(4, 0, 4));
	ck_assert_uint_lt(version, AUDITCTL_VERSION(4, 2, 0));
}
END_TEST

START_TEST(refusals_are_noted)
{
	const struct verify_options how = {.level = 1};
	unsigned int version;
	struct verbatim *v;

	options.auditctl_version = NEW;
	v = texts_of("-a always,io_uring -S openat -k u\n");
	ck_assert(verbatim_holds(arena, v, in.loaded.set, &how, &version));
	ck_assert_uint_eq(v->refuses, OLD);
	v = texts_of(WATCH);
	ck_assert(verbatim_holds(arena, v, in.loaded.set, &how, &version));
	ck_assert_uint_eq(v->refuses, 0);
}
END_TEST

/* What is written anew means the same to all, and what is left out nothing:
 * neither keeps a rule from going that is shadowed. */
START_TEST(only_kept_texts_are_compared)
{
	static const char *const odd[] = {
		"-a always,exclude -F arch=b32 -F uid<=10\n",
		"-A always,exit -F arch=b64 -S open -F perm=r -k x\n",
		"-a always,exit -F arch=b64 -S open,nosuch -F perm=r -k x\n"};
	const struct pipeline_options how = {.level = 1, .verbatim = true};

	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		struct verbatim *v = texts_of(arena_printf(
			arena,
			"-a always,exit -F arch=b64 -S getpid -k y\n"
			"-a always,exit -F arch=b64 -S getpid -F uid=0 -k y\n"
			"%s",
			odd[i]));
		struct proved proved =
			verbatim_optimize(arena, v, in.loaded.set, &how);

		ck_assert_ptr_null(v->text[2]);
		ck_assert_int_eq(proved.level, 1);
		ck_assert_uint_eq(proved.after->count,
				  in.loaded.set->count - 1);
	}
}
END_TEST

START_TEST(no_level_is_named_of_what_came)
{
	const struct pipeline_options how = {.level = -1};
	struct proved proved;

	load("-a always,exit -F arch=b64 -S getpid -k y\n");
	proved = optimize_proved(arena, in.loaded.set, &how);
	ck_assert_ptr_nonnull(
		strstr(proof_text(arena, &proved), "as they came"));
	ck_assert_ptr_null(strstr(proof_text(arena, &proved), "level"));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("verbatim");
	TCase *tcase = tcase_create("all");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, texts_stay);
	tcase_add_test(tcase, nothing_is_rewritten);
	tcase_add_test(tcase, dead_rules_go);
	tcase_add_test(tcase, terminators_are_added_once);
	tcase_add_test(tcase, texts_that_cannot_stay);
	tcase_add_test(tcase, others_are_written_as_ever);
	tcase_add_test(tcase, returns_of_a_merged_file_go);
	tcase_add_test(tcase, other_auditctls_read_something_else);
	tcase_add_test(tcase, what_another_auditctl_needs_is_missed);
	tcase_add_test(tcase, what_one_between_needs_is_missed);
	tcase_add_test(tcase, refusals_are_noted);
	tcase_add_test(tcase, only_kept_texts_are_compared);
	tcase_add_test(tcase, no_level_is_named_of_what_came);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
