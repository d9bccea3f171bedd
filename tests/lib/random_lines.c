/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/random_lines.h"

#include <string.h>

static uint64_t random_state; /* one maker at a time */

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

static void put(struct random_line *t, const char *text)
{
	size_t n = strlen(text);

	if (t->length + n < sizeof(t->byte)) {
		memcpy(t->byte + t->length, text, n);
		t->length += n;
	}
}

static void put_escaped(struct random_line *t, const char *value)
{
	for (; *value; value++) {
		char one[2] = {*value, 0};

		if ((*value == ' ' || *value == '\\') && roll(4))
			put(t, "\\");
		put(t, one);
	}
}

static void put_space(struct random_line *t)
{
	put(t, roll(30) ? " " : roll(3) ? "  " : "\t");
}

/* -X VALUE or -XVALUE */
static void put_option(struct random_line *t, const char *option)
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

static void put_field(struct random_line *t)
{
	const char *field = PICK(fields);

	put_option(t, "-F");
	put(t, field);
	put(t, roll(12) ? operators[roll(8)] : PICK(operators));
	put_escaped(t, fitting_value(field));
}

static void put_calls(struct random_line *t)
{
	put_option(t, "-S");
	do {
		put(t, roll(12) ? calls[roll(6)] : PICK(calls));
		if (roll(3) == 0)
			put(t, ",");
	} while (t->byte[t->length - 1] == ',' && roll(8));
}

static void put_part(struct random_line *t)
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

static void generate(struct random_line *t)
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

static void mutate(struct random_line *t)
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

void random_lines_start(uint64_t seed)
{
	random_state = seed;
}

void random_line_next(struct random_line *line)
{
	generate(line);
	mutate(line);
}

void random_line_mutate(struct random_line *line)
{
	mutate(line);
}
