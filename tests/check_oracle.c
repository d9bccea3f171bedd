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
	struct input input = {&line, 1, &file, 1};
	struct compile_options options = {target_of_this_machine(), version, "",
					  false};
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

static uint64_t random_state;

static uint32_t roll(uint32_t sides)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (uint32_t)(random_state >> 16) % sides;
}

#define PICK(list) ((list)[roll(sizeof(list) / sizeof((list)[0]))])

static const char *const lists[] = {"always,exit",     "exit,always",
				    "never,exit",      "always,exit",
				    "always,exit",     "never,task",
				    "task,always",     "always,user",
				    "user,never",      "never,exclude",
				    "exclude,always",  "always,filesystem",
				    "exit,never",      "filesystem,never",
				    "always,io_uring", "exit,possible",
				    "possible,exit",   "always,entry",
				    "exit,exit",       "always,always",
				    "always",	       "exit,always,",
				    ",exit",	       "Always,exit",
				    "never,io_uring",  "always,exit ",
				    "task,never",      "always,"};
static const char *const fields[] = {"pid",
				     "uid",
				     "euid",
				     "suid",
				     "fsuid",
				     "gid",
				     "egid",
				     "sgid",
				     "fsgid",
				     "auid",
				     "loginuid",
				     "pers",
				     "arch",
				     "msgtype",
				     "subj_user",
				     "subj_role",
				     "subj_type",
				     "subj_sen",
				     "subj_clr",
				     "ppid",
				     "obj_user",
				     "obj_role",
				     "obj_type",
				     "obj_lev_low",
				     "obj_lev_high",
				     "sessionid",
				     "devmajor",
				     "devminor",
				     "inode",
				     "exit",
				     "success",
				     "path",
				     "perm",
				     "dir",
				     "filetype",
				     "fstype",
				     "obj_uid",
				     "obj_gid",
				     "field_compare",
				     "a0",
				     "a1",
				     "a2",
				     "a3",
				     "key",
				     "exe",
				     "saddr_fam",
				     "AUID",
				     "nonsense",
				     "",
				     "auid",
				     "arch",
				     "perm",
				     "exit",
				     "auid",
				     "key"};
static const char *const operators[] = {
	"=", "=", "=",	"=",  "!=", "!=", ">=", "<=", ">",
	"<", "&", "&=", "==", "",   "~",  "=>", "=!", "!"};
static const char *const values[] = {"0",
				     "1",
				     "1000",
				     "4294967295",
				     "4294967296",
				     "-1",
				     "-13",
				     "0x1f",
				     "010",
				     "09",
				     "unset",
				     "root",
				     "nobody",
				     "nosuchuser",
				     "adm",
				     "EACCES",
				     "-EPERM",
				     "EXIT",
				     "b64",
				     "b32",
				     "x86_64",
				     "i386",
				     "aarch64",
				     "c000003e",
				     "3221225534",
				     "ppc64le",
				     "s390x",
				     "B64",
				     "i686",
				     "r",
				     "wa",
				     "rwxa",
				     "WA",
				     "rwxar",
				     "z",
				     "x",
				     "file",
				     "dir",
				     "socket",
				     "pipe",
				     "tracefs",
				     "0x64626720",
				     "ext4",
				     "/etc",
				     "/etc/passwd",
				     "/etc/",
				     "/no/such",
				     "USER",
				     "AVC",
				     "CWD",
				     "UNKNOWN[1300]",
				     "1300",
				     "system_u",
				     "a b",
				     "a\\b",
				     "99999999999999999999",
				     "-",
				     "--",
				     "1x",
				     "",
				     "45",
				     "46",
				     "-0x5",
				     "2",
				     "a,b",
				     "x!=y",
				     "k>=1",
				     "1000",
				     "unset"};
static const char *const calls[] = {
	"open",	  "openat",  "execve",	   "all",	  "2",	    "257",
	"umount", "umount2", "stime",	   "nosuch",	  "2047",   "2048",
	"0x10",	  "OPEN",    "chown32",	   "99999999999", "chmod",  "unlink",
	"-1",	  "3x",	     "4294967298", "mount",	  "setuid", "rename"};
static const char *const paths[] = {"/etc",	   "/etc/",
				    "/etc/passwd", "/",
				    "//",	   "///",
				    "/no/such",	   "/no/such/",
				    "etc",	   "/etc//",
				    "/etc/*",	   "/etc/..",
				    "/tmp",	   "/etc/pass\\ wd",
				    "/dev/null/",  "/a",
				    "/proc/self"};
static const char *const controls[] = {"-D",
				       "-e 1",
				       "-e 2",
				       "-e 3",
				       "-e01",
				       "-f 1",
				       "-f 9",
				       "-b 8192",
				       "-b x",
				       "-b 0x10",
				       "-r 100",
				       "-r -1",
				       "-i",
				       "-c",
				       "-s",
				       "-s -i",
				       "-l",
				       "-l -i",
				       "-l -k x",
				       "-D -k x",
				       "-D -k",
				       "-v",
				       "-t",
				       "-h",
				       "--help",
				       "-q /a,/b",
				       "-q /a",
				       "-q /a,",
				       "-q ,/b",
				       "-q a,b,c",
				       "-m hi",
				       "-m hi there",
				       "-R x",
				       "--loginuid-immutable",
				       "--loginuid",
				       "--backlog_wait_time 60000",
				       "--backlog_wait_time=5x",
				       "--backlog=7",
				       "--backlog_wait_time=",
				       "--reset-lost",
				       "--reset",
				       "--reset_backlog_wait_time_actual",
				       "--signal HUP",
				       "--signal=stop",
				       "--signal",
				       "--sig bogus",
				       "--",
				       "-",
				       "-x",
				       "-b",
				       "-b99999999999999999999",
				       "-ic",
				       "-si",
				       "-De1",
				       "foo",
				       "-b010",
				       "-k x",
				       "-F arch=b64 -t",
				       "-F uid=0 -t",
				       "-p wa",
				       "-m\x80",
				       "-W /etc"};
static const char *const compares[] = {
	"uid",	"euid", "suid",	 "fsuid",   "auid", "obj_uid", "gid",
	"egid", "sgid", "fsgid", "obj_gid", "pid",  "bogus",   ""};

struct text {
	char byte[8192];
	size_t length;
};

static void put(struct text *t, const char *text)
{
	size_t n = strlen(text);

	if (t->length + n < sizeof(t->byte)) {
		memcpy(t->byte + t->length, text, n);
		t->length += n;
	}
}

static void put_escaped(struct text *t, const char *value)
{
	for (; *value; value++) {
		char one[2] = {*value, 0};

		if ((*value == ' ' || *value == '\\') && roll(4))
			put(t, "\\");
		put(t, one);
	}
}

static void put_space(struct text *t)
{
	put(t, roll(30) ? " " : roll(3) ? "  " : "\t");
}

/* -X VALUE or -XVALUE */
static void put_option(struct text *t, const char *option)
{
	put_space(t);
	put(t, option);
	if (roll(5))
		put_space(t);
}

/* Values that the field takes, most of the time. */
static const char *fitting_value(const char *field)
{
	static const char *const numbers[] = {"0",    "1",     "1000", "-1",
					      "0x20", "unset", "500",  "2"};
	static const char *const arches[] = {"b64", "b32", "x86_64", "b64"};
	static const char *const perms[] = {"wa", "r", "x", "rwxa", "w", "AW"};
	static const char *const exits[] = {"-EACCES", "EPERM", "-13", "0"};

	if (!roll(10))
		return PICK(values);
	if (!strcmp(field, "arch"))
		return PICK(arches);
	if (!strcmp(field, "perm"))
		return PICK(perms);
	if (!strcmp(field, "exit"))
		return PICK(exits);
	if (!strcmp(field, "path") || !strcmp(field, "dir") ||
	    !strcmp(field, "exe"))
		return PICK(paths);
	if (!strcmp(field, "filetype"))
		return "file";
	if (!strcmp(field, "fstype"))
		return "tracefs";
	if (!strcmp(field, "msgtype"))
		return "AVC";
	return PICK(numbers);
}

static void put_field(struct text *t)
{
	const char *field = PICK(fields);

	put_option(t, "-F");
	put(t, field);
	put(t, roll(12) ? operators[roll(8)] : PICK(operators));
	put_escaped(t, fitting_value(field));
}

static void put_calls(struct text *t)
{
	put_option(t, "-S");
	do {
		put(t, roll(12) ? calls[roll(6)] : PICK(calls));
		if (roll(3) == 0)
			put(t, ",");
	} while (t->byte[t->length - 1] == ',' && roll(8));
}

static void put_part(struct text *t)
{
	static const char *const keys[] = {
		"k",
		"identity",
		"a\\ b",
		"x=y",
		"x!=y",
		"a>=b",
		"k\001l",
		"\"q\"",
		"long-long-long-long-long-long-long-long-key"};

	switch (roll(12)) {
	case 0:
	case 1:
	case 2:
	case 3:
		put_field(t);
		break;
	case 4:
	case 5:
		put_calls(t);
		break;
	case 6:
	case 7:
		put_option(t, "-k");
		put(t, PICK(keys));
		break;
	case 8:
		put_option(t, "-C");
		put(t, PICK(compares));
		put(t, roll(2) ? "!=" : roll(8) ? "=" : ">=");
		put(t, PICK(compares));
		break;
	case 9:
		put_option(t, "-p");
		put(t, roll(3) ? "wa" : PICK(values));
		break;
	case 10:
		put_option(t, "-F");
		put(t, roll(2) ? "arch=b64" : "arch=b32");
		break;
	default:
		if (roll(4) == 0) {
			put_space(t);
			put(t, PICK(controls));
		} else {
			put_field(t);
		}
	}
}

static void generate(struct text *t)
{
	static const char *const rules[] = {"-a", "-a", "-a", "-A", "-d"};
	unsigned int parts = roll(5);

	t->length = 0;
	switch (roll(12)) {
	case 0:
		put(t, PICK(controls));
		parts = roll(6) ? 0 : parts;
		break;
	case 1:
	case 2:
		put(t, roll(5) ? "-w" : "-W");
		put_space(t);
		put(t, PICK(paths));
		break;
	case 3:
		break;
	case 4:
		parts = roll(8) ? 2 : roll(80); /* many fields, long keys */
						/* fall through */
	default:
		put(t, PICK(rules));
		put_space(t);
		put(t, roll(3) ? lists[roll(4)] : PICK(lists));
	}
	while (parts--)
		put_part(t);
	if (roll(40) == 0) {
		put_option(t, roll(2) ? "-w" : "-a");
		put(t, roll(2) ? PICK(paths) : PICK(lists));
	}
}

static void mutate(struct text *t)
{
	static const char bytes[] = "-=!<>&,ksSFawpCe \t\\/1029x#\001\r";
	size_t at;

	for (unsigned int n = roll(8) ? 0 : 1 + roll(3); n && t->length; n--) {
		at = roll((uint32_t)t->length);
		switch (roll(3)) {
		case 0:
			t->byte[at] = bytes[roll(sizeof(bytes) - 1)];
			break;
		case 1:
			memmove(t->byte + at, t->byte + at + 1,
				t->length - at - 1);
			t->length--;
			break;
		default:
			if (t->length + 1 >= sizeof(t->byte))
				break;
			memmove(t->byte + at + 1, t->byte + at, t->length - at);
			t->byte[at] = bytes[roll(sizeof(bytes) - 1)];
			t->length++;
		}
	}
}

START_TEST(test_generated)
{
	const char *seed = getenv("AUDITOPT_SEED");
	struct tally tally = {.version = auditctl_version_linked()};
	static struct text text;

	random_state = seed ? strtoull(seed, NULL, 0) : 0x2545f4914f6cdd1d;
	while (tally.lines < GENERATED) {
		generate(&text);
		mutate(&text);
		if (text.length <= SOURCE_LINE_MAX)
			compare(&tally, text.byte, text.length);
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
	SRunner *runner;
	int failed;

	tcase_set_timeout(tests, 300);
	tcase_add_test(tests, test_public_rules);
	tcase_add_test(tests, test_generated);
	suite_add_tcase(suite, tests);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
