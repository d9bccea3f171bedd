/* SPDX-License-Identifier: GPL-2.0-or-later */
/* auditopt dump, as a program that reads its JSON sees it. */
#include <check.h>
#include <jansson.h>
#include <linux/audit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/suite.h"

/* What auditopt dump prints for TEXT on standard input. */
static json_t *dump_of(const char *text)
{
	const char *program = getenv("AUDITOPT");
	char name[] = "/tmp/auditopt-dump.XXXXXX";
	int fd = mkstemp(name);
	char command[600];
	json_error_t error;
	json_t *json;
	FILE *pipe;

	ck_assert_ptr_nonnull(program);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	snprintf(command, sizeof(command),
		 "'%s' dump -q --machine=x86_64 --auditctl=3.0.9 '%s'", program,
		 name);
	pipe = popen(command, "r");
	ck_assert_ptr_nonnull(pipe);
	json = json_loadf(pipe, 0, &error);
	ck_assert_int_eq(pclose(pipe), 0);
	unlink(name);
	ck_assert_msg(json != NULL, "no JSON: %s, line %d", error.text,
		      error.line);
	return json;
}

static json_t *action(json_t *dump, size_t i)
{
	json_t *all = json_object_get(dump, "actions");

	ck_assert(json_is_array(all));
	ck_assert_uint_lt(i, json_array_size(all));
	return json_array_get(all, i);
}

static const char *text(const json_t *object, const char *name)
{
	const char *value = json_string_value(json_object_get(object, name));

	return value ? value : "(none)";
}

static json_int_t number(const json_t *object, const char *name)
{
	const json_t *value = json_object_get(object, name);

	ck_assert_msg(json_is_integer(value), "no number %s", name);
	return json_integer_value(value);
}

START_TEST(shows_head)
{
	json_t *dump = dump_of("");

	ck_assert_str_eq(text(dump, "format"), "auditopt-dump");
	ck_assert_int_eq(number(dump, "version"), 1);
	ck_assert_str_eq(text(dump, "target"), "x86_64");
	ck_assert_str_eq(text(dump, "auditctl"), "3.0.9");
	ck_assert_uint_eq(json_array_size(json_object_get(dump, "actions")), 0);
	json_decref(dump);
}
END_TEST

START_TEST(shows_rule)
{
	json_t *dump = dump_of("# a comment\n"
			       "-A always,exit -F arch=b64 -S mount -F "
			       "auid>=1000 -F exe=/bin/x -k one -k two\n");
	json_t *rule = action(dump, 0);
	json_t *fields = json_object_get(rule, "fields");
	json_t *mask = json_object_get(rule, "mask");
	json_t *keys = json_object_get(rule, "keys");
	const json_t *field;

	ck_assert_str_eq(text(rule, "kind"), "add");
	ck_assert_str_eq(text(rule, "form"), "rule");
	ck_assert_int_eq(number(rule, "line"), 2);
	ck_assert_str_eq(text(rule, "list"), "exit");
	ck_assert_str_eq(text(rule, "action"), "always");
	ck_assert(json_is_true(json_object_get(rule, "prepend")));
	ck_assert_uint_eq(json_array_size(keys), 2);
	ck_assert_str_eq(json_string_value(json_array_get(keys, 0)), "one");
	ck_assert_str_eq(json_string_value(json_array_get(keys, 1)), "two");

	ck_assert_uint_eq(json_array_size(fields), 4);
	field = json_array_get(fields, 0);
	ck_assert_str_eq(text(field, "name"), "arch");
	ck_assert_str_eq(text(field, "operator"), "=");
	ck_assert_int_eq(number(field, "value"), 3221225534);
	ck_assert(json_is_null(json_object_get(field, "string")));
	field = json_array_get(fields, 1);
	ck_assert_str_eq(text(field, "name"), "auid");
	ck_assert_str_eq(text(field, "operator"), ">=");
	ck_assert_int_eq(number(field, "value"), 1000);
	field = json_array_get(fields, 2);
	ck_assert_str_eq(text(field, "name"), "exe");
	ck_assert_str_eq(text(field, "string"), "/bin/x");
	ck_assert_int_eq(number(field, "value"), 6);
	ck_assert_str_eq(text(json_array_get(fields, 3), "name"), "key");

	/* mount is 165: word 5, bit 5. */
	ck_assert_uint_eq(json_array_size(mask), AUDIT_BITMASK_SIZE);
	for (size_t i = 0; i < AUDIT_BITMASK_SIZE; i++)
		ck_assert_str_eq(json_string_value(json_array_get(mask, i)),
				 i == 5 ? "00000020" : "00000000");
	json_decref(dump);
}
END_TEST

static void from_hex(const char *hex, unsigned char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		unsigned int byte;

		ck_assert_int_eq(sscanf(hex + 2 * i, "%2x", &byte), 1);
		bytes[i] = (unsigned char)byte;
	}
}

START_TEST(shows_wire)
{
	json_t *dump = dump_of("-w /etc/passwd -p wa -k identity\n");
	json_t *rule = action(dump, 0);
	const char *hex = text(rule, "wire");
	struct audit_rule_data head;
	static const char strings[] = "/etc/passwdidentity";
	unsigned char bytes[sizeof(strings)];
	size_t size = strlen(hex) / 2;

	ck_assert_str_eq(text(rule, "form"), "watch");
	ck_assert_uint_ge(size, sizeof(head) + sizeof(strings) - 1);
	from_hex(hex, (unsigned char *)&head, sizeof(head));
	ck_assert_uint_eq(head.flags, AUDIT_FILTER_EXIT);
	ck_assert_uint_eq(head.action, AUDIT_ALWAYS);
	ck_assert_uint_eq(head.field_count, 3);
	ck_assert_uint_eq(head.fields[0], AUDIT_WATCH);
	ck_assert_uint_eq(head.fields[1], AUDIT_PERM);
	ck_assert_uint_eq(head.values[1], AUDIT_PERM_WRITE | AUDIT_PERM_ATTR);
	ck_assert_uint_eq(head.fields[2], AUDIT_FILTERKEY);
	ck_assert_uint_eq(head.buflen, sizeof(strings) - 1);
	from_hex(hex + 2 * sizeof(head), bytes, sizeof(strings) - 1);
	ck_assert_mem_eq(bytes, strings, sizeof(strings) - 1);
	json_decref(dump);
}
END_TEST

START_TEST(shows_kinds)
{
	static const struct {
		const char *line, *kind;
	} all[] = {
		{"-D", "delete-all"},
		{"-D -k gone", "delete-all"},
		{"-b 8192", "backlog"},
		{"-f 2", "failure"},
		{"-r 100", "rate"},
		{"--backlog_wait_time 5", "backlog-wait-time"},
		{"--loginuid-immutable", "loginuid-immutable"},
		{"-w /etc/passwd -p wa", "add"},
		{"-W /etc/passwd -p wa", "delete"},
		{"-i", "ignore"},
		{"-c", "continue"},
		{"-e 1", "enable"},
	};
	const size_t count = sizeof(all) / sizeof(*all);
	char lines[1000] = "";
	json_t *dump;

	for (size_t i = 0; i < count; i++) {
		strcat(lines, all[i].line);
		strcat(lines, "\n");
	}
	dump = dump_of(lines);
	ck_assert_uint_eq(json_array_size(json_object_get(dump, "actions")),
			  count);
	for (size_t i = 0; i < count; i++) {
		ck_assert_str_eq(text(action(dump, i), "kind"), all[i].kind);
		ck_assert_int_eq(number(action(dump, i), "line"),
				 (json_int_t)i + 1);
	}
	ck_assert(json_is_null(json_object_get(action(dump, 0), "text")));
	ck_assert_str_eq(text(action(dump, 1), "text"), "gone");
	ck_assert_int_eq(number(action(dump, 2), "number"), 8192);
	ck_assert_int_eq(number(action(dump, 11), "number"), 1);
	json_decref(dump);
}
END_TEST

START_TEST(bytes_that_are_no_text)
{
	json_t *dump = dump_of("-w /etc/\xff\x80 -p wa -k caf\xc3\xa9\n");
	json_t *rule = action(dump, 0);
	json_t *fields = json_object_get(rule, "fields");

	ck_assert_str_eq(text(json_array_get(fields, 0), "string"),
			 "/etc/\xef\xbf\xbd\xef\xbf\xbd");
	ck_assert_str_eq(json_string_value(json_array_get(
				 json_object_get(rule, "keys"), 0)),
			 "caf\xc3\xa9");
	ck_assert_ptr_nonnull(strstr(text(rule, "wire"), "ff80"));
	json_decref(dump);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("dump");
	TCase *tcase = tcase_create("dump");

	tcase_add_test(tcase, shows_head);
	tcase_add_test(tcase, shows_rule);
	tcase_add_test(tcase, shows_wire);
	tcase_add_test(tcase, shows_kinds);
	tcase_add_test(tcase, bytes_that_are_no_text);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
