/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <libaudit.h>
#include <linux/audit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "frontend/compile.h"
#include "lib/suite.h"
#include "model/syscall_set.h"

/* One text, compiled. */
static struct fixture {
	struct arena *arena;
	struct diagnostics *diag;
	struct input input;
	struct actions actions;
	const char *machine, *root;
	unsigned int version;
	bool keep_going;
} fx;

static void setup(void)
{
	memset(&fx, 0, sizeof(fx));
	fx.arena = arena_new();
	fx.machine = "x86_64";
	fx.root = "";
	fx.version = AUDITCTL_VERSION(3, 0, 9);
}

static void teardown(void)
{
	arena_free(fx.arena);
}

static void compile(const char *text)
{
	static const char *const file[] = {"test"};
	struct compile_options options = {
		.target = target_by_name(fx.machine),
		.auditctl_version = fx.version,
		.root = fx.root,
		.keep_going = fx.keep_going,
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
	commands = parse_input(fx.arena, &fx.input, fx.version, fx.diag);
	fx.actions = compile_commands(fx.arena, &commands, &fx.input, &options,
				      fx.diag);
}

static size_t errors(void)
{
	return diagnostics_count(fx.diag, DIAG_ERROR);
}

/* The only rule. */
static const struct audit_rule_data *rule(const char *text)
{
	compile(text);
	ck_assert_msg(!errors(), "%s: %s", text,
		      errors() ? diagnostics_get(fx.diag, 0)->what : "");
	ck_assert_uint_eq(fx.actions.count, 1);
	return fx.actions.item[0].wire;
}

static bool calls(const struct audit_rule_data *wire, int number)
{
	return wire->mask[number / 32] >> number % 32 & 1;
}

static const struct diagnostic *told(const char *id)
{
	const struct diagnostic *d;

	for (size_t i = 0; (d = diagnostics_get(fx.diag, i)); i++)
		if (strcmp(d->id, id) == 0)
			return d;
	return NULL;
}

/* TEXT has a fault ID exactly at the part MARKED. */
static const struct diagnostic *fault(const char *text, const char *id,
				      const char *marked)
{
	const struct diagnostic *d;
	const char *where = strstr(text, marked);

	compile(text);
	d = told(id);
	ck_assert_msg(d != NULL, "%s: no %s, but %s", text, id,
		      diagnostics_get(fx.diag, 0)
			      ? diagnostics_get(fx.diag, 0)->id
			      : "nothing");
	ck_assert_ptr_nonnull(where);
	ck_assert_msg(d->at.column == (uint32_t)(where - text) + 1 &&
			      d->at.length == strlen(marked),
		      "%s: column %u, %u bytes", text, d->at.column,
		      d->at.length);
	return d;
}

START_TEST(test_whole_struct)
{
	const struct audit_rule_data *wire =
		rule("-A exit,never -F arch=b64 -S open,close -F auid!=unset "
		     "-F path=/etc/passwd -C uid!=euid -k a -F key=b");
	struct audit_rule_data all;

	memset(&all, 0, sizeof(all));
	all.flags = AUDIT_FILTER_EXIT | AUDIT_FILTER_PREPEND;
	all.action = AUDIT_NEVER;
	all.mask[0] = 1 << 2 | 1 << 3;
	all.field_count = 5;
	all.fields[0] = AUDIT_ARCH;
	all.values[0] = AUDIT_ARCH_X86_64;
	all.fields[1] = AUDIT_LOGINUID;
	all.values[1] = 4294967295;
	all.fields[2] = AUDIT_WATCH;
	all.values[2] = 11;
	all.fields[3] = AUDIT_FIELD_COMPARE;
	all.values[3] = AUDIT_COMPARE_UID_TO_EUID;
	all.fields[4] = AUDIT_FILTERKEY;
	all.values[4] = 3;
	all.fieldflags[0] = all.fieldflags[2] = all.fieldflags[4] = AUDIT_EQUAL;
	all.fieldflags[1] = all.fieldflags[3] = AUDIT_NOT_EQUAL;
	all.buflen = 14;
	ck_assert_mem_eq(wire, &all, sizeof(all));
	ck_assert_mem_eq(wire->buf, "/etc/passwda\001b", 14);
	ck_assert_uint_eq(fx.actions.item[0].wire_size, sizeof(all) + 14);
}
END_TEST

START_TEST(test_default_calls)
{
	ck_assert(calls(rule("-a always,exit -F uid=0"), 2047));
	ck_assert(!calls(rule("-a always,task -F uid=0"), 0));
	ck_assert(!calls(rule("-a always,exit -S ,"), 0));
}
END_TEST

START_TEST(test_watch)
{
	const struct audit_rule_data *wire = rule("-w /dev/null -p wa -k x");

	ck_assert_uint_eq(wire->fields[0], AUDIT_WATCH);
	ck_assert_uint_eq(wire->fields[1], AUDIT_PERM);
	ck_assert_uint_eq(wire->values[1], AUDIT_PERM_WRITE | AUDIT_PERM_ATTR);
	ck_assert(fx.actions.item[0].watch_form);
	ck_assert(!fx.actions.item[0].unsettled);
	wire = rule("-w /dev/");
	ck_assert_uint_eq(wire->fields[0], AUDIT_DIR);
	ck_assert_uint_eq(wire->values[0], 4);
	ck_assert_uint_eq(wire->values[1], 15);
	wire = rule("-w /no/such/thing/");
	ck_assert_uint_eq(wire->fields[0], AUDIT_DIR);
	ck_assert(fx.actions.item[0].unsettled);
	wire = rule("-w /no/such/thing");
	ck_assert_uint_eq(wire->fields[0], AUDIT_WATCH);
	ck_assert(fx.actions.item[0].unsettled);
}
END_TEST

START_TEST(test_root)
{
	char root[] = "/tmp/check_compile.XXXXXX", path[64];
	FILE *passwd;

	ck_assert_ptr_nonnull(mkdtemp(root));
	snprintf(path, sizeof(path), "%s/etc", root);
	mkdir(path, 0755);
	snprintf(path, sizeof(path), "%s/up", root);
	ck_assert_int_eq(symlink("/etc", path), 0);
	snprintf(path, sizeof(path), "%s/etc/passwd", root);
	passwd = fopen(path, "w");
	fputs("chronyd:x:4711:1::/:/bin/false\n", passwd);
	fclose(passwd);
	fx.root = root;
	ck_assert_uint_eq(rule("-a always,exit -F uid=chronyd")->values[0],
			  4711);
	ck_assert_uint_eq(rule("-w /etc")->fields[0], AUDIT_DIR);
	ck_assert_uint_eq(rule("-w /up")->fields[0], AUDIT_DIR);
	ck_assert_uint_eq(rule("-w /etc/passwd")->fields[0], AUDIT_WATCH);
	ck_assert(!fx.actions.item[0].unsettled);
	rule("-w /dev/null");
	ck_assert(fx.actions.item[0].unsettled);
	fault("-a always,exit -F uid=chrony", "unknown-user", "chrony");
	ck_assert_str_eq(told("unknown-user")->advice, "did you mean chronyd?");
	fault("-a always,exit -F gid=adm", "unknown-group", "adm");
	unlink(path);
	snprintf(path, sizeof(path), "%s/up", root);
	unlink(path);
	snprintf(path, sizeof(path), "%s/etc", root);
	rmdir(path);
	rmdir(root);
}
END_TEST

START_TEST(test_machines)
{
	fx.machine = "aarch64";
	ck_assert_uint_eq(rule("-a always,exit -F arch=b64")->values[0],
			  AUDIT_ARCH_AARCH64);
	ck_assert_uint_eq(rule("-a always,exit -F arch=b32")->values[0],
			  AUDIT_ARCH_ARM);
	ck_assert(calls(rule("-a always,exit -S openat"), 56));
	fault("-a always,exit -S open", "unknown-syscall", "open");
	fx.machine = "ppc64le";
	fault("-a always,exit -F arch=b32", "unknown-arch", "b32");
	fx.machine = "i386";
	fault("-a always,exit -F arch=b64", "unknown-arch", "b64");
	ck_assert_uint_eq(rule("-a always,exit -F arch=x86_64")->values[0],
			  AUDIT_ARCH_X86_64);
	fx.machine = "s390x";
	ck_assert_uint_eq(rule("-a always,exit -F arch=b32")->values[0],
			  AUDIT_ARCH_S390);
}
END_TEST

/* A table of lines, where the fault is, and what it is called. */
static const struct {
	const char *text, *id, *marked;
} faults[] = {
	{"-a always,exit -F arch=b64 -S open,bogus -k x", "unknown-syscall",
	 "bogus"},
	{"-a always,exit -S 2048", "unknown-syscall", "2048"},
	{"-a always,exit -F uid=nosuchuser", "unknown-user", "nosuchuser"},
	{"-a always,exit -F gid=nosuchgroup", "unknown-group", "nosuchgroup"},
	{"-a always,exit -F auidd=0", "unknown-field", "auidd"},
	{"-a always,exit -F uid", "bad-operator", "uid"},
	{"-a always,exit -F exe>/bin/sh", "bad-operator", ">"},
	{"-a always,exit -F perm!=w", "bad-operator", "!="},
	{"-a always,exit -F pid=me", "bad-value", "me"},
	{"-a always,exit -F exit=EPREM", "bad-value", "EPREM"},
	{"-a always,exit -F perm=wq", "bad-value", "q"},
	{"-a always,exit -F success=yes", "bad-value", "yes"},
	{"-a always,exit -F a0=zz", "bad-value", "zz"},
	{"-a always,exit -F arch=b46 -S open", "unknown-arch", "b46"},
	{"-a always,exit -S open -F arch=b64", "arch-after-syscall", "arch"},
	{"-a always,user -F exit=0", "field-not-in-list", "exit"},
	{"-a always,exclude -F exit=0", "field-not-in-list", "exit"},
	{"-a always,exit -F dir=/etc -F fstype=tracefs", "field-not-in-list",
	 "fstype"},
	{"-a always,exit -C uid!=gid", "bad-comparison", "uid!=gid"},
	{"-a always,exit -C uid!=what", "unknown-field", "what"},
	{"-F uid=0", "rule-needs-list", "-F"},
	{"-S open", "rule-needs-list", "-S"},
	{"-a always,exit -k x -S open", "key-position", "-k"},
	{"-a always,task -S open", "calls-not-in-list", "-S"},
	{"-a always,exclude -S open", "calls-not-in-list", "-S"},
	{"-S open -a never,task", "calls-not-in-list", "never,task"},
	{"-a always,exti -S open", "bad-list", "exti"},
	{"-a entry,always -S open", "bad-list", "entry"},
	{"-a possible,exit", "bad-list", "possible,exit"},
	{"-a always,exit -w /etc", "watch-position", "-w"},
	{"-w etc", "bad-path", "etc"},
	{"-p wa", "perm-position", "-p"},
	{"-a always,exit -p wa", "perm-position", "-p"},
	{"-e 3", "bad-value", "3"},
	{"-b many", "bad-value", "many"},
	{"-b99999999999999999999", "bad-value", "99999999999999999999"},
	{"-D x", "option-count", "-D"},
	{"-e 1 -D", "option-count", "-D"},
	{"-v -b 8192", "option-count", "-b"},
	{"-R /etc/x", "nested-rules", "-R"},
	{"-h", "help", "-h"},
	{"-q /a", "bad-value", "/a"},
	{"--signal NOW", "bad-value", "NOW"},
	{"always,exit -S open", "parameter", "always,exit"},
};

START_TEST(test_fault)
{
	const struct diagnostic *d =
		fault(faults[_i].text, faults[_i].id, faults[_i].marked);

	ck_assert_int_eq(d->severity, DIAG_ERROR);
	ck_assert(d->stops);
	ck_assert_uint_ge(fx.actions.lefts, 1);
}
END_TEST

/* The name of a second -a is its own, not the first one's. */
START_TEST(test_second_place)
{
	compile("-a always,exit -S open -a never,exit");
	ck_assert_uint_eq(told("second-list")->at.column, 24);
	ck_assert_uint_eq(told("second-list")->other.column, 1);
}
END_TEST

START_TEST(test_suggestions)
{
	fault("-a always,exit -F arch=b64 -S umount", "unknown-syscall",
	      "umount");
	ck_assert(strstr(told("unknown-syscall")->advice, "umount2") != NULL);
	fault("-a always,exit -F arch=b64 -S stime", "unknown-syscall",
	      "stime");
	ck_assert(strstr(told("unknown-syscall")->advice, "mean") == NULL);
	ck_assert(strstr(told("unknown-syscall")->what, "i386") != NULL);
	fault("-a always,exit -F arch=b64 -S openta", "unknown-syscall",
	      "openta");
	ck_assert_str_eq(told("unknown-syscall")->advice,
			 "did you mean openat?");
}
END_TEST

/* The advice on the fault ID of TEXT at MARKED. */
static const char *advice(const char *text, const char *id, const char *marked)
{
	const char *what = fault(text, id, marked)->advice;

	ck_assert_msg(what != NULL, "%s: no advice", text);
	return what;
}

START_TEST(test_advice)
{
	/* no libaudit that this is built with may know it */
	if (audit_name_to_syscall("file_setattr", MACH_86_64) < 0)
		ck_assert_str_eq(advice("-a always,exit -S file_setattr",
					"unknown-syscall", "file_setattr"),
				 "it is call 469: write the number");
	ck_assert(!strstr(advice("-a always,exit -F arch=b64 -S umount,umount2",
				 "unknown-syscall", "umount"),
			  "umount2"));
	ck_assert(!strstr(advice("-a always,exit -F arch=b64 -S openta -S "
				 "openat",
				 "unknown-syscall", "openta"),
			  "openat?"));
	ck_assert(strstr(advice("-a always,exit -F arch=b64 -S openta,open",
				"unknown-syscall", "openta"),
			 "openat?"));
	compile("-a exit,exit");
	ck_assert_str_eq(told("bad-list")->advice,
			 "an action is missing: always or never");
	ck_assert_uint_eq(told("bad-list")->at.column, 9);
	compile("-a always,always");
	ck_assert(strstr(told("bad-list")->advice, "a list is missing"));
	ck_assert(strstr(advice("-a always", "bad-list", "always"),
			 "a list is missing"));
	ck_assert(strstr(advice("-a never,exti", "bad-list", "exti"),
			 "mean exit"));
	ck_assert_str_eq(advice("-a always,exit -F perm=w -S open -F arch=b64",
				"arch-after-syscall", "arch"),
			 "move -F arch= before -S; -F perm= may stay in front "
			 "of it");
	fx.version = AUDITCTL_VERSION(4, 2, 0);
	compile("-a always,exit -F arch=b64 -F perm=w -F arch=b32");
	ck_assert(strstr(told("arch-after-syscall")->advice, "second"));
	ck_assert(strstr(
		advice("-a always,exit -F user=root", "unknown-field", "user"),
		"auid="));
	ck_assert(strstr(advice("-a always,exit -F colour=red", "unknown-field",
				"colour"),
			 "auditctl(8)"));
}
END_TEST

START_TEST(test_list_place)
{
	const struct diagnostic *d =
		fault("-a user,always -F exit=0", "field-not-in-list", "exit");

	ck_assert_uint_eq(d->other.line, 0);
	ck_assert_uint_eq(d->other.column, 4);
	ck_assert_uint_eq(d->other.length, 4);
	ck_assert_str_eq(d->other_what, "the list is given here");
	compile("-a always,exclude -S open");
	ck_assert_uint_eq(told("calls-not-in-list")->other.column, 11);
	compile("-a always,user -C uid!=euid");
	ck_assert_uint_eq(told("field-not-in-list")->other.column, 11);
}
END_TEST

START_TEST(test_octal)
{
	static const struct {
		const char *text;
		bool warns;
	} lines[] = {
		{"-a always,exit -F auid=03 -S open", false},
		{"-a always,exit -F auid=00 -S open", false},
		{"-a always,exit -F auid=010 -S open", true},
		{"-a always,exit -F exit=-010 -S open", true},
		{"-a always,exit -F exit=-07 -S open", false},
		{"-b 07", false},
		{"-b 010", true},
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		compile(lines[i].text);
		ck_assert_msg(!told("octal-number") == !lines[i].warns, "%s",
			      lines[i].text);
	}
}
END_TEST

START_TEST(test_positive_errno)
{
	ck_assert_int_eq(fault("-a always,exit -S all -F exit!=EPERM",
			       "positive-errno", "EPERM")
				 ->severity,
			 DIAG_WARNING);
	ck_assert_str_eq(told("positive-errno")->advice, "write exit!=-EPERM");
	compile("-a always,exit -S all -F exit=-EPERM");
	ck_assert_ptr_null(told("positive-errno"));
}
END_TEST

/* One slip, one diagnostic, which says what it was. */
START_TEST(test_told_once)
{
	static const struct {
		const char *text, *id;
		enum severity severity;
		uint32_t column;
	} lines[] = {
		{"-a always,exit -F pid=1 -S all -k -F x=y", "option-as-value",
		 DIAG_ERROR, 35},
		{"-a always,exit -S all -k \"a b\"", "parameter", DIAG_ERROR,
		 29},
		{"-a always,exit -S all -k \"a\"", "quote", DIAG_WARNING, 26},
		{"-a always,exit -S \"all,bogus\" -k a", "quote", DIAG_ERROR,
		 19},
		{"-a always,exit -S \"all, bogus\" -k a", "quote", DIAG_ERROR,
		 19},
		{"-a always,exit -F \"auid>=0\" -S all", "quote", DIAG_ERROR,
		 19},
		{"-a always,exit -S -F auid=0", "option-as-value", DIAG_ERROR,
		 19},
		{"-a -S all", "option-as-value", DIAG_ERROR, 4},
		{"-a always,exit -S all -F auid=0\t-F uid=0", "tab", DIAG_ERROR,
		 26},
		{"-a always,exit -S all -F auid=0\t", "tab", DIAG_WARNING, 26},
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		const struct diagnostic *d;

		compile(lines[i].text);
		d = diagnostics_get(fx.diag, 0);
		ck_assert_msg(d && !diagnostics_get(fx.diag, 1), "%s",
			      lines[i].text);
		ck_assert_str_eq(d->id, lines[i].id);
		ck_assert_int_eq(d->severity, lines[i].severity);
		ck_assert_int_eq(d->stops, lines[i].severity == DIAG_ERROR);
		ck_assert_msg(d->at.column == lines[i].column, "%s: %u",
			      lines[i].text, d->at.column);
	}
	/* two slips */
	compile("-a always,exit -k \"a\"");
	ck_assert_ptr_nonnull(told("key-position"));
	ck_assert_ptr_nonnull(told("quote"));
}
END_TEST

START_TEST(test_blank_cr)
{
	const struct diagnostic *d;

	compile("\r\n-D\n  \r\n\r\n-e 1");
	d = told("carriage-return");
	ck_assert_uint_eq(errors(), 1);
	ck_assert_ptr_nonnull(strstr(d->what, "on 2 more lines"));
	ck_assert_uint_eq(d->at.line, 0);
	ck_assert(d->stops);
	ck_assert_uint_eq(fx.actions.count, 2);
	ck_assert_uint_eq(fx.actions.lefts, 1);
	compile("-D\r");
	ck_assert_ptr_nonnull(told("carriage-return"));
	ck_assert_uint_eq(errors(), 1);
}
END_TEST

START_TEST(test_field_places)
{
	const struct audit_action *a;

	compile("-a always,exit -S all -F path=/x -F uid=0 -C uid!=euid -k k");
	a = &fx.actions.item[0];
	ck_assert_uint_eq(a->wire->field_count, 4);
	ck_assert_uint_eq(a->field_at[0].column, 26);
	ck_assert_uint_eq(a->field_at[1].column, 37);
	ck_assert_uint_eq(a->field_at[2].column, 46);
	ck_assert_uint_eq(a->field_at[3].column, 59);
	compile("-w /x -p wa -k k");
	a = &fx.actions.item[0];
	ck_assert_uint_eq(a->field_at[0].column, 4);
	ck_assert_uint_eq(a->field_at[1].column, 10);
	ck_assert_uint_eq(a->field_at[2].column, 16);
}
END_TEST

/* One entry a line. */
START_TEST(test_left_out_once)
{
	compile("-a always,exit -F arch=b64 -S bogus,open,umount\n"
		"-a always,exit -F arch=b64 -S bogus,open -F auidd=0");
	ck_assert_uint_eq(fx.actions.lefts, 2);
	ck_assert_str_eq(fx.actions.left[0].text, "bogus, umount");
	ck_assert_ptr_null(fx.actions.left[1].text);
}
END_TEST

START_TEST(test_all_of_a_line)
{
	compile("-a always,exit -F arch=b64 -S bogus,open -F auidd=0 -F "
		"uid=me? "
		"-S bogus2");
	ck_assert_uint_eq(errors(), 4);
	ck_assert_uint_eq(fx.actions.count, 0);
	compile("-a always,exti -F exit=0 -S open -k x -e 2");
	ck_assert_uint_eq(errors(), 1);
	ck_assert_uint_eq(fx.actions.count, 0);
}
END_TEST

START_TEST(test_kept_without_call)
{
	const struct audit_rule_data *wire;

	compile("-a always,exit -F arch=b64 -S umount,umount2 -k m\n"
		"-a always,exit -F arch=b64 -S umount -k m\n"
		"-a always,exit -F arch=b64 -S umount -F perm=x -k m");
	ck_assert_uint_eq(errors(), 3);
	ck_assert_uint_eq(fx.actions.count, 1);
	wire = fx.actions.item[0].wire;
	ck_assert(calls(wire, 166));
	ck_assert(!calls(wire, 0));
	ck_assert_uint_eq(fx.actions.lefts, 3);
	ck_assert_ptr_nonnull(fx.actions.left[0].text);
	ck_assert_str_eq(fx.actions.left[0].text, "umount");
	ck_assert_ptr_null(fx.actions.left[1].text);
	ck_assert_ptr_null(fx.actions.left[2].text);
}
END_TEST

START_TEST(test_ignoring)
{
	compile("-a always,exit -S bogus\n-i\n-a always,exit -S bogus");
	ck_assert(fx.actions.keep_going);
	ck_assert(diagnostics_get(fx.diag, 0)->stops);
	ck_assert(!diagnostics_get(fx.diag, 1)->stops);
	/* -i holds although its line is wrong */
	compile("-i -S open\n-a always,exit -S bogus");
	ck_assert(fx.actions.keep_going);
	ck_assert(!diagnostics_get(fx.diag, 1)->stops);
}
END_TEST

START_TEST(test_early_ends)
{
	compile("-a exit,possible -S bogus");
	ck_assert_uint_eq(errors(), 0);
	ck_assert_uint_eq(fx.actions.count, 0);
	ck_assert_ptr_nonnull(told("deprecated-possible"));
	compile("-q /a,/b and more");
	ck_assert_uint_eq(errors(), 0);
	ck_assert_str_eq(fx.actions.item[0].text, "/a,/b");
	ck_assert_ptr_nonnull(told("rest-ignored"));
	/* what stands before the error is done */
	compile("-b 8192 -e 7");
	ck_assert_uint_eq(errors(), 1);
	ck_assert_uint_eq(fx.actions.count, 1);
	ck_assert_int_eq(fx.actions.item[0].kind, DO_BACKLOG);
}
END_TEST

/* A behaviour that changed, before and since. */
static bool accepts(unsigned int version, const char *text)
{
	fx.version = version;
	compile(text);
	return errors() == 0;
}

#define V AUDITCTL_VERSION

START_TEST(test_versions)
{
	ck_assert(!accepts(V(3, 0, 9), "-a always,io_uring -S openat"));
	ck_assert(accepts(V(3, 1, 0), "-a always,io_uring -S openat"));
	ck_assert(calls(fx.actions.item[0].wire, 18));
	ck_assert(!accepts(V(3, 1, 3), "-a always,io_uring -S bind"));
	ck_assert(accepts(V(4, 0, 4), "-a always,io_uring -S bind"));
	ck_assert(!accepts(V(3, 0, 9), "-a always,exclude -F a0=1"));
	ck_assert(accepts(V(3, 1, 0), "-a always,exclude -F a0=1"));
	ck_assert(!accepts(V(3, 1, 0), "--signal stop"));
	ck_assert(accepts(V(3, 1, 1), "--signal stop"));
	ck_assert(accepts(V(4, 0, 3), "--loginuid-immutable x"));
	ck_assert(!accepts(V(4, 0, 4), "--loginuid-immutable x"));
	ck_assert(!accepts(V(4, 0, 4), "-d always,exit -S open"));
	ck_assert(accepts(V(4, 0, 5), "-d always,exit -S open"));
	ck_assert(accepts(V(4, 1, 1), "-A always,exit -S open"));
	ck_assert_int_eq(fx.actions.item[0].kind, DO_ADD_RULE);
	ck_assert(accepts(V(4, 1, 0), "-A always,exit -S open"));
	ck_assert_int_eq(fx.actions.item[0].kind, DO_DELETE_RULE);
	ck_assert(accepts(V(4, 1, 0), "-A exit,possible -S open"));
	ck_assert(!accepts(V(4, 1, 1), "-A exit,possible -S open"));
	ck_assert(accepts(V(4, 1, 1), "-S open -w /etc"));
	ck_assert(!accepts(V(4, 1, 2), "-S open -w /etc"));
	ck_assert(!accepts(V(4, 1, 3), "-h"));
	ck_assert(accepts(V(4, 1, 4), "-h"));
	ck_assert(accepts(V(4, 1, 4), "-w /etc -k a\001b"));
	ck_assert(!accepts(V(4, 2, 0), "-w /etc -k a\001b"));
}
END_TEST

START_TEST(test_perm_adds_calls)
{
	static const char text[] = "-a always,exit -F arch=b64 -F perm=x";
	static const char with_call[] =
		"-a always,exit -F arch=b64 -S openat -F perm=wa -k x";

	fx.version = V(3, 1, 2);
	ck_assert(calls(rule(text), 2047));
	ck_assert_ptr_nonnull(told("perm-loses-calls"));
	fx.version = V(3, 1, 3);
	ck_assert(calls(rule(text), 59));
	ck_assert(!calls(rule(text), 322)); /* execveat */
	ck_assert(!calls(rule(text), 0));
	fx.version = V(4, 2, 0);
	ck_assert(calls(rule(text), 322));
	ck_assert_ptr_null(told("perm-loses-calls"));
	/* calls newer than this libaudit */
	ck_assert(calls(rule("-a always,exit -F arch=b64 -F perm=a"), 469));
	fx.version = V(3, 0, 9);
	ck_assert(!calls(rule(with_call), 90));
	ck_assert_ptr_nonnull(told("perm-adds-calls"));
	fx.version = V(4, 0, 2);
	ck_assert(calls(rule(with_call), 90));
	ck_assert_ptr_nonnull(told("perm-adds-calls"));
	rule("-a always,exit -F perm=wa -F arch=b64 -S openat -k x");
	ck_assert_ptr_null(told("perm-adds-calls"));
	ck_assert(!calls(fx.actions.item[0].wire, 90));
	/* the arch that -S takes for granted counts too */
	ck_assert(calls(rule("-a always,exit -S openat -F perm=a"), 90));
}
END_TEST

START_TEST(test_perm_on_aarch64)
{
	static const char text[] = "-a always,exit -F arch=b64 -F perm=wa";

	fx.machine = "aarch64";
	ck_assert(accepts(V(3, 1, 2), text));
	ck_assert(!accepts(V(3, 1, 3), text));
	ck_assert_ptr_nonnull(told("perm-calls-missing"));
	ck_assert(!accepts(V(4, 0, 3), text));
	ck_assert(accepts(V(4, 0, 4), text));
	ck_assert(accepts(V(4, 0, 3), "-a always,exit -F perm=wa -F arch=b64"));
}
END_TEST

START_TEST(test_no_arch)
{
	rule("-a always,exit -S openat,unlinkat");
	ck_assert_ptr_nonnull(
		strstr(told("missing-arch")->what, "remap_file_pages"));
	rule("-a always,exit -F arch=b64 -S openat");
	ck_assert_ptr_null(told("missing-arch"));
	rule("-a always,exit -S all");
	ck_assert_ptr_null(told("missing-arch"));
	rule("-a always,exit -S openat2"); /* the same number in both */
	ck_assert_ptr_null(told("missing-arch"));
	fx.machine = "i386";
	rule("-a always,exit -S open");
	ck_assert_ptr_null(told("missing-arch"));
}
END_TEST

START_TEST(test_delete_all)
{
	compile("-D\n-D -k some\\ key\n-e0 -D -k");
	ck_assert_uint_eq(errors(), 0);
	ck_assert_ptr_null(fx.actions.item[0].text);
	ck_assert_str_eq(fx.actions.item[1].text, "some key");
	ck_assert_str_eq(fx.actions.item[3].text, "-k");
}
END_TEST

START_TEST(test_positions_with_escapes)
{
	fault("-a always,exit -F dir=/a\\ b -F uid=no\\ user -S open",
	      "unknown-user", "no\\ user");
}
END_TEST

START_TEST(test_limits)
{
	char *text = arena_alloc(fx.arena, 4096), *end;

	/* 127 and 128 bytes, and one between them */
	sprintf(text, "-w /etc -k %0127d -k %0128d", 0, 0);
	ck_assert_uint_eq(rule(text)->values[2], 256);
	sprintf(text, "-w /etc -k %0128d -k %0128d", 0, 0);
	compile(text);
	ck_assert_ptr_nonnull(told("value-too-long"));
	end = text + sprintf(text, "-a always,exit");
	for (int i = 0; i < 63; i++)
		end += sprintf(end, " -F pid!=%d", i);
	ck_assert_uint_eq(rule(text)->field_count, 63);
	sprintf(end, " -S open -k x");
	compile(text);
	ck_assert_ptr_nonnull(told("too-many-fields"));
	end = text + sprintf(text, "-w /");
	memset(end, 'a', 255);
	strcpy(end + 255, "/");
	ck_assert_uint_eq(rule(text)->values[0], 256);
	strcpy(end + 255, "a");
	compile(text);
	ck_assert_ptr_nonnull(told("bad-path"));
}
END_TEST

START_TEST(test_linked_version)
{
	ck_assert_uint_ge(auditctl_version_linked(), V(3, 0, 9));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("compile");
	TCase *tests = tcase_create("compile");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_whole_struct);
	tcase_add_test(tests, test_default_calls);
	tcase_add_test(tests, test_watch);
	tcase_add_test(tests, test_root);
	tcase_add_test(tests, test_machines);
	tcase_add_loop_test(tests, test_fault, 0,
			    sizeof(faults) / sizeof(faults[0]));
	tcase_add_test(tests, test_second_place);
	tcase_add_test(tests, test_suggestions);
	tcase_add_test(tests, test_advice);
	tcase_add_test(tests, test_list_place);
	tcase_add_test(tests, test_octal);
	tcase_add_test(tests, test_positive_errno);
	tcase_add_test(tests, test_told_once);
	tcase_add_test(tests, test_blank_cr);
	tcase_add_test(tests, test_field_places);
	tcase_add_test(tests, test_left_out_once);
	tcase_add_test(tests, test_all_of_a_line);
	tcase_add_test(tests, test_kept_without_call);
	tcase_add_test(tests, test_ignoring);
	tcase_add_test(tests, test_early_ends);
	tcase_add_test(tests, test_versions);
	tcase_add_test(tests, test_perm_adds_calls);
	tcase_add_test(tests, test_perm_on_aarch64);
	tcase_add_test(tests, test_no_arch);
	tcase_add_test(tests, test_delete_all);
	tcase_add_test(tests, test_positions_with_escapes);
	tcase_add_test(tests, test_limits);
	tcase_add_test(tests, test_linked_version);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
