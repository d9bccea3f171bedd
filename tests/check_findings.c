/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What check finds in rules that auditctl takes: each finding where it is due
 * and where it is not, the rules that it names, and that it is right: a set
 * without the rules that it calls dead is proved to log the same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/findings.h"
#include "lib/random.h"
#include "lib/suite.h"
#include "lib/text_sets.h"

#include "verify/equivalence.h"

TEST_ARENA;

#define B64 "-a always,exit -F arch=b64 "
#define B32 "-a always,exit -F arch=b32 "
#define NEVER64 "-a never,exit -F arch=b64 "

/* One text, one finding. LINE: where it is told, 0: nowhere. */
struct expected {
	const char *text;
	const char *id;
	uint32_t line;
	uint32_t other;	  /* 0: none is asked for */
	const char *says; /* a part of its text, NULL */
};

static const struct expected dead[] = {
	{B64 "-S open -k a\n" B64 "-S open -F uid=0 -k b", "shadowed-rule", 2,
	 1, "test.rules:1 decides all"},
	{B64 "-S open -F uid=0 -k b\n" B64 "-S open -k a", "shadowed-rule", 0,
	 0, NULL},
	/* by two rules together */
	{B64 "-S open -k a\n" B64 "-S creat -k b\n" B64 "-S open,creat -k c",
	 "shadowed-rule", 3, 1, "test.rules:1 and test.rules:2 decide all"},
	{B64 "-S open -F success=1 -k a\n" B64 "-S open -k c", "shadowed-rule",
	 0, 0, NULL},
	/* not across ABIs */
	{B32 "-S open -k a\n" B64 "-S open -k c", "shadowed-rule", 0, 0, NULL},
	/* an exclusion in front of it */
	{NEVER64 "-S open\n" B64 "-S open -F uid=0 -k c", "shadowed-rule", 2, 1,
	 NULL},
	{B64 "-S open -k a\n" B64 "-S open,creat -k b", "partly-shadowed", 2, 1,
	 "of open the rule sees nothing"},
	{B64 "-S open -k a\n" B64 "-S creat -k b", "partly-shadowed", 0, 0,
	 NULL},
	{B64 "-S open -k a\n" B64 "-S open,creat -k a", "partly-shadowed", 0, 0,
	 NULL},
	{B64 "-S open,creat -k a\n" B64 "-S open -F uid=0 -k a",
	 "redundant-rule", 2, 1, NULL},
	{B64 "-S open -F uid=0 -F gid=0 -k a\n" B64
	     "-S open -F gid=0 -F uid=0 -k a",
	 "redundant-rule", 2, 1, NULL},
	{B64 "-S open -F uid=0 -k a\n" B64 "-S open -F uid=1 -k a",
	 "redundant-rule", 0, 0, NULL},
	{B64 "-S open -k a\n" NEVER64 "-S open -F uid=0", "late-never", 2, 1,
	 "comes too late"},
	{NEVER64 "-S open -F uid=0\n" B64 "-S open -k a", "late-never", 0, 0,
	 NULL},
	{B64 "-S open -k a\n" NEVER64 "-S open,creat -F uid=0\n" B64
	     "-S creat -k c",
	 "late-never", 2, 1, "for open"},
	{B64 "-S open -k a\n" NEVER64 "-S creat", "useless-never", 2, 0, NULL},
	{NEVER64 "-S creat -F uid=0\n" B64 "-S creat -k a", "useless-never", 0,
	 0, NULL},
	/* what the exclusion takes from a rule, it is there for */
	{NEVER64 "-S open -F gid=5\n" B64 "-S open,openat -F gid=5",
	 "useless-never", 0, 0, NULL},
	/* a part of a set, by itself */
	{NEVER64 "-S creat", "useless-never", 0, 0, NULL},
	{B64 "-S open -F uid=0 -F uid=1", "unsatisfiable-rule", 1, 1,
	 "uid=0 and uid=1 exclude each other"},
	{B64 "-S open -F exit<0", "unsatisfiable-rule", 1, 0, NULL},
	{B64 "-S getpid -F perm=w", "unsatisfiable-rule", 1, 0, NULL},
	/* the kernel takes it, and knows no such comparison */
	{B64 "-S open -F field_compare=26", "unsatisfiable-rule", 1, 0,
	 "field_compare=26 is never true"},
	{B64 "-S open -F field_compare!=999", "unsatisfiable-rule", 1, 0, NULL},
	{B64 "-S open -F uid=0 -F euid=1", "unsatisfiable-rule", 0, 0, NULL},
	/* one may be in both groups */
	{B64 "-S open -F gid=5 -F gid=6", "unsatisfiable-rule", 0, 0, NULL},
};

static const struct expected twins[] = {
	{B64 "-S mount -k m", "missing-abi-twin", 1, 0, "arch=b32 (mount)"},
	{B32 "-S mount -k m", "missing-abi-twin", 1, 0, "arch=b64 (mount)"},
	{B64 "-S mount -k m\n" B32 "-S mount -k other", "missing-abi-twin", 0,
	 0, NULL},
	/* whatever catches all of the other ABI */
	{B32 "-S all -k 32\n" B64 "-S mount -k m", "missing-abi-twin", 0, 0,
	 NULL},
	{B32 "-S all -k 32", "missing-abi-twin", 0, 0, NULL},
	{"-a always,exit -S 40 -k m", "missing-abi-twin", 0, 0, NULL},
	/* b64 alone has it */
	{B64 "-S accept,newfstatat -k m", "missing-abi-twin", 0, 0, NULL},
	{B32 "-S stime,socketcall -k m", "missing-abi-twin", 0, 0, NULL},
	/* a program has one ABI */
	{B64 "-S mount -F exe=/bin/sh", "missing-abi-twin", 0, 0, NULL},
	{NEVER64 "-S mount -F uid=0\n" B64 "-S mount -k m\n" B32
		 "-S mount -F uid=5 -k m",
	 "missing-abi-twin", 0, 0, NULL},
	/* the like asks for less */
	{B64 "-S mount -F uid=0 -k m\n" B32 "-S mount -k m", "missing-abi-twin",
	 0, 0, NULL},
	{B64 "-S mount,umount2 -k m\n" B32 "-S mount -k m", "abi-twin-differs",
	 2, 1, "lacks calls that its like for arch=b64 has: umount2"},
	{B64 "-S mount -F auid>=1000 -F auid!=unset -k m\n" B32
	     "-S mount -F auid>=500 -F auid<600 -k m",
	 "abi-twin-differs", 2, 1, "other conditions"},
	{B64 "-S mount,umount2 -k m\n" B32 "-S mount,umount2,umount -k m",
	 "abi-twin-differs", 0, 0, NULL},
	{B64 "-S chown -k m\n" B32 "-S chown -k m", "abi-variant-missing", 2, 0,
	 "chown32"},
	{B64 "-S chown -k m\n" B32 "-S chown,chown32 -k m",
	 "abi-variant-missing", 0, 0, NULL},
	{B32 "-S chown -F dir=/bin -F perm=a -k m", "abi-variant-missing", 0, 0,
	 NULL},
	{B64 "-S chmod -k m\n" B32 "-S chmod -k m", "abi-variant-missing", 0, 0,
	 NULL},
};

static const struct expected nested[] = {
	{"-w /bin/ -p wa -k b\n-w /bin/sh -p wa -k s", "nested-path", 2, 1,
	 "/bin/sh lies in /bin"},
	{"-w /usr/ -p rwxa -k b\n-w /usr/bin/ -p wa -k s", "nested-path", 2, 1,
	 NULL},
	/* the inner one first; asks for more; not inside; the same key */
	{"-w /bin/sh -p wa -k s\n-w /bin/ -p wa -k b", "nested-path", 0, 0,
	 NULL},
	{"-w /bin/ -p wa -k b\n-w /bin/sh -p rwxa -k s", "nested-path", 0, 0,
	 NULL},
	{"-w /usr/bin/ -p wa -k b\n-w /usr/binary -p wa -k s", "nested-path", 0,
	 0, NULL},
	{"-w /bin/ -p wa -k b\n-w /bin/sh -p wa -k b", "nested-path", 0, 0,
	 NULL},
	{"-w /bin/sh -p wa -k b\n-w /bin/sh/x -p wa -k s", "nested-path", 0, 0,
	 NULL},
	{B64 "-S unlink -F dir=/usr -F uid=0 -k u\n" B64
	     "-S unlink -F path=/usr/bin/id -F uid=0 -F gid=0 -k i",
	 "nested-path", 2, 1, NULL},
	{B64 "-S unlink -F dir=/usr -F uid=0 -k u\n" B64
	     "-S unlink -F path=/usr/bin/id -k i",
	 "nested-path", 0, 0, NULL},
	{B64 "-S unlink -F dir=/usr -k u\n" B64
	     "-S unlink,rename -F path=/usr/bin/id -k i",
	 "nested-path", 0, 0, NULL},
	{"-w /usr/ -p wa -k u\n"
	 "-a never,exit -F dir=/usr/bin -F perm=wa\n" B64 "-S unlink -k z",
	 "nested-path", 2, 1, NULL},
};

static const struct expected excluding[] = {
	{"-a never,exit -F dir=/tmp\n-a always,exit -F dir=/tmp -F perm=wa -k "
	 "t",
	 "useless-never", 0, 0, NULL},
	{"-a never,exit -S all\n" B64 "-S mount -k x\n" B64 "-S execve -k y",
	 "useless-never", 0, 0, NULL},
	{NEVER64 "-S open\n" B64 "-S mount -k x", "useless-never", 1, 0,
	 "excludes nothing"},
};

static const struct expected single[] = {
	{B64 "-S open -F exit>=0", "exit-without-sign", 1, 0, "without sign"},
	{B64 "-S open -F exit>0", "exit-without-sign", 1, 0, "logs"},
	{NEVER64 "-S open -F exit<=-1", "exit-without-sign", 1, 0, "excludes"},
	{B64 "-S open -F exit<-13", "exit-without-sign", 1, 0, NULL},
	{B64 "-S open -F exit>=-13", "exit-without-sign", 0, 0, NULL},
	{B64 "-S open -F exit>=-13 -F exit<=-11", "exit-without-sign", 0, 0,
	 NULL},
	{B64 "-S open -F exit<-4095", "exit-without-sign", 0, 0, NULL},
	{B64 "-S open -F exit<=5", "exit-without-sign", 0, 0, NULL},
	{B64 "-S open -F exit>0 -F success=1", "exit-without-sign", 0, 0, NULL},
	{B64 "-S open -F exit!=-13", "exit-without-sign", 0, 0, NULL},
	{B64 "-S open -F exit<0", "unsatisfiable-rule", 1, 0, "never true"},
	{B64 "-S open -F auid>=1000", "missing-unset-test", 1, 0, "above 1000"},
	{B64 "-S open -F auid>999", "missing-unset-test", 1, 0, NULL},
	{NEVER64 "-S open -F auid>=1000", "missing-unset-test", 1, 0,
	 "also excludes"},
	{B64 "-S open -F auid>=1000 -F auid!=unset", "missing-unset-test", 0, 0,
	 NULL},
	{B64 "-S open -F auid>=1000 -F auid!=4294967295", "missing-unset-test",
	 0, 0, NULL},
	{B64 "-S open -F auid!=-1 -F auid>=1000", "missing-unset-test", 0, 0,
	 NULL},
	{B64 "-S open -F auid>=1000 -F auid<=60000", "missing-unset-test", 0, 0,
	 NULL},
	{B64 "-S open -F auid!=1000", "missing-unset-test", 0, 0, NULL},
	{B64 "-S open -F uid>=1000", "missing-unset-test", 0, 0, NULL},
	{B64 "-S open -F path=/root/.ssh/*", "path-pattern", 1, 0, "path="},
	{B64 "-S open -F dir=/etc", "path-pattern", 0, 0, NULL},
	{"-w /no-such-thing -p wa", "path-absent", 1, 0, "/no-such-thing"},
	{"-w /bin/sh -p wa", "path-absent", 0, 0, NULL},
	/* the front end's path-missing is enough */
	{"-w /no/such/thing -p wa", "path-absent", 0, 0, NULL},
	{"-w /bin/sh -p wa", "watch-form", 1, 0, NULL},
	{"-a always,exit -F path=/bin/sh -F perm=wa", "watch-form", 0, 0, NULL},
	{"-w /bin/ -p wa", "dir-on-hot-calls", 1, 0, NULL},
	{"-w /bin/sh -p wa", "dir-on-hot-calls", 0, 0, NULL},
	{"-a always,exit -F dir=/bin", "dir-on-hot-calls", 1, 0,
	 "of all system calls"},
	{B64 "-S rename -F dir=/bin", "dir-on-hot-calls", 0, 0, NULL},
	/* hot, and of use */
	{B64 "-S open,openat,stat,lstat,newfstatat,access,readlink,execve,"
	     "unlink,statx,faccessat,chmod -F dir=/bin",
	 "dir-on-hot-calls", 0, 0, NULL},
	{B64 "-S openat,recvfrom,lseek -F dir=/bin -F perm=r",
	 "dir-on-hot-calls", 1, 0, NULL},
	/* few calls are made by 32-bit programs */
	{B32 "-F dir=/bin -F perm=wa", "dir-on-hot-calls", 0, 0, NULL},
	{B64 "-F dir=/bin -F perm=wa", "dir-on-hot-calls", 1, 0, NULL},
	{"-D\n-b 64\n" B64 "-S open", "backlog-small", 2, 0, "64 records"},
	{"-D\n-b 8192\n" B64 "-S open", "backlog-small", 0, 0, NULL},
	{"-D\n" B64 "-S open", "backlog-small", 0, 0, NULL},
	{"-b 0\n" B64 "-S open", "backlog-small", 0, 0, NULL},
	{"-D\n-b 64", "backlog-small", 0, 0, NULL},
	{"-a always,io_uring -S openat -k u", "version-dependent", 0, 0, NULL},
	{"-a always,exclude -F perm=wa", "version-dependent", 0, 0, NULL},
	{"-D\n-d always,exit -S 1", "version-dependent", 0, 0, NULL},
	{"-A always,exit -F arch=b64 -S open", "version-dependent", 1, 0,
	 "from 4.0.4 to before 4.1.1"},
	{B64 "-S open -k a", "version-dependent", 0, 0, NULL},
};

static void check_row(const struct expected *e)
{
	struct found_in found = find_in(arena, e->text, NULL);
	const struct diagnostic *d = find_id(&found, e->id);

	ck_assert_msg(!d == !e->line, "%s %s in:\n%s", e->id,
		      d ? "is told" : "is not told", e->text);
	if (!d)
		return;
	ck_assert_msg(d->at.line + 1 == e->line, "%s at line %u in:\n%s", e->id,
		      d->at.line + 1, e->text);
	ck_assert_msg(!e->other || d->other.line + 1 == e->other,
		      "%s names line %u in:\n%s", e->id, d->other.line + 1,
		      e->text);
	ck_assert_msg(!e->says || strstr(d->what, e->says), "%s says: %s",
		      e->id, d->what);
}

START_TEST(dead_rules)
{
	check_row(&dead[_i]);
}
END_TEST

START_TEST(rules_for_one_abi)
{
	check_row(&twins[_i]);
}
END_TEST

START_TEST(nested_paths)
{
	check_row(&nested[_i]);
}
END_TEST

START_TEST(exclusions)
{
	check_row(&excluding[_i]);
}
END_TEST

START_TEST(single_rules)
{
	check_row(&single[_i]);
}
END_TEST

START_TEST(newer_lists_depend_on_the_version)
{
	const struct read_as new = {.version = AUDITCTL_VERSION(4, 2, 0)};
	struct found_in found =
		find_in(arena, "-a always,io_uring -S openat -k u", &new);
	const struct diagnostic *d = find_id(&found, "version-dependent");

	ck_assert_ptr_nonnull(d);
	ck_assert_int_eq(d->severity, DIAG_NOTE);
	ck_assert_ptr_nonnull(strstr(d->what, "before 3.1.0 refuses"));
	ck_assert_ptr_nonnull(strstr(d->advice, "io_uring since 3.1"));
}
END_TEST

START_TEST(native_only_needs_no_twins)
{
	const struct read_as native = {.native_only = true};
	struct found_in found = find_in(
		arena, B64 "-S mount -k m\n" B32 "-S open -k o", &native);

	ck_assert_ptr_null(find_id(&found, "missing-abi-twin"));
	ck_assert_ptr_null(find_id(&found, "unsatisfiable-rule"));
}
END_TEST

START_TEST(like_findings_are_one)
{
	struct found_in found = find_in(arena,
					"-w /bin/sh -p wa\n-w /bin/ls -p wa\n"
					"-w /bin/cp -p wa",
					NULL);
	const struct diagnostic *d = find_id(&found, "watch-form");

	ck_assert_uint_eq(count_id(&found, "watch-form"), 1);
	ck_assert_uint_eq(d->mores, 2);
	ck_assert_uint_eq(d->more[0].line, 1);
	ck_assert_uint_eq(d->more[1].line, 2);
	ck_assert_ptr_nonnull(strstr(d->what, "2 more lines"));
	found = find_in(arena,
			B32 "-S all -k 32\n" B32 "-S open -k a\n" B32
			    "-S creat -k a\n" B32 "-S mount -k b\n",
			NULL);
	ck_assert_uint_eq(count_id(&found, "shadowed-rule"), 2);
	d = find_id(&found, "shadowed-rule");
	ck_assert_uint_eq(d->mores, 1);
	ck_assert_uint_eq(d->more[0].line, 2);
	found = find_in(arena,
			B64 "-S open -F auid>=1000\n" B64
			    "-S creat -F auid>=1000\n" B64
			    "-S mount -F auid>=500\n",
			NULL);
	ck_assert_uint_eq(count_id(&found, "missing-unset-test"), 2);
}
END_TEST

/* What loses the lines after it is an error, whatever the front end calls it.
 */
START_TEST(what_stops_the_load_is_an_error)
{
	struct found_in found =
		find_in(arena, "-w /bin/sh -p wa\n-w /bin/sh -p wa\n", NULL);

	ck_assert_int_eq(find_id(&found, "duplicate-rule")->severity,
			 DIAG_ERROR);
	found = find_in(arena, "-i\n-w /bin/sh -p wa\n-w /bin/sh -p wa\n",
			NULL);
	ck_assert_int_eq(find_id(&found, "duplicate-rule")->severity,
			 DIAG_WARNING);
}
END_TEST

static bool says_dead(const struct diagnostic *d)
{
	static const char *const ids[] = {"shadowed-rule", "redundant-rule",
					  "late-never", "useless-never",
					  "unsatisfiable-rule"};

	if (strcmp(d->id, "late-never") == 0 && d->severity == DIAG_NOTE)
		return false;
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
		if (strcmp(d->id, ids[i]) == 0)
			return true;
	return false;
}

static void drop_line(struct ruleset *set, uint32_t line)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->rule[i]->line == line) {
			ruleset_remove(set, i);
			return;
		}
	ck_abort_msg("no rule of line %u", line + 1);
}

/* Drops all rules that are said to be dead; how many. */
static size_t drop_dead(const struct found_in *found, struct ruleset *set)
{
	size_t dropped = 0;

	for (size_t i = 0; i < found->findings.count; i++) {
		const struct diagnostic *d = &found->findings.item[i].d;

		if (!says_dead(d))
			continue;
		drop_line(set, d->at.line);
		dropped++;
		/* a group of redundant rules; else they are the deciders */
		for (size_t m = 0;
		     found->findings.item[i].group && m < d->mores;
		     m++, dropped++)
			drop_line(set, d->more[m].line);
	}
	return dropped;
}

static const char *slurp(const char *path)
{
	FILE *stream = fopen(path, "r");
	char *text = arena_alloc(arena, 1 << 20);
	size_t length;

	if (!stream)
		return NULL;
	length = fread(text, 1, (1 << 20) - 1, stream);
	text[length] = '\0';
	fclose(stream);
	return text;
}

START_TEST(dead_rules_of_real_sets_are_dead)
{
	static const char *const names[] = {
		"../shared/corpus/bfuzzy-attack.rules",
		"../shared/corpus/gnxsecurity.rules",
		"../shared/corpus/neo23x0.rules",
		"../shared/corpus/rhel7-stig-template.rules",
		"../shared/corpus/sekoia.rules",
		"../shared/corpus/userspace-30-ospp-v42.rules",
		"../shared/corpus/userspace-30-pci-dss-v31.rules",
		"../shared/corpus/userspace-42-injection.rules",
		"../shared/cases/05-abi-catch-all-first.rules",
		"../shared/cases/07-late-never.rules",
		"examples/first-look.rules",
		"examples/workstation.rules",
		"tests/rules/stig-like.rules",
	};
	const struct verify_options options = {.level = 2};
	const char *tree = getenv("AUDITOPT_SRCDIR");
	size_t dropped = 0, missing = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *text = slurp(arena_printf(
			arena, "%s/%s", tree ? tree : ".", names[i]));
		struct found_in found;
		struct ruleset *rest;
		struct verification v;

		if (!text) {
			missing++;
			continue;
		}
		found = find_in(arena, text, NULL);
		rest = ruleset_copy(arena, found.loaded.set);
		dropped += drop_dead(&found, rest);
		v = verify_equivalent(arena, found.loaded.set, rest, &options);
		ck_assert_msg(v.proof == PROOF_GOOD,
			      "%s: proof %d, not that the rules that are said "
			      "to be dead are",
			      names[i], (int)v.proof);
	}
	if (missing)
		printf("%zu sets are not beside the tree: not checked\n",
		       missing);
	else
		ck_assert_uint_ge(dropped, 25);
}
END_TEST

/* A rule of a few words, so that rules of a set often meet. */
static const char *random_rule(struct random *random)
{
	static const char *const lists[] = {"-a always,exit", "-a always,exit",
					    "-a never,exit"};
	static const char *const arches[] = {"", " -F arch=b64", " -F arch=b64",
					     " -F arch=b32"};
	static const char *const calls[] = {"open", "open,openat", "unlink",
					    "open,unlink,rename", "all"};
	static const char *const fields[] = {
		" -F uid=0",	   " -F uid!=0",       " -F auid>=1000",
		" -F auid!=unset", " -F success=0",    " -F exit=-EACCES",
		" -F gid=5",	   " -F path=/bin/sh", " -F dir=/usr",
		" -F perm=wa",	   " -F a0=1",	       " -F uid<100"};
	static const char *const keys[] = {"", " -k a", " -k b"};
	const char *text = arena_printf(
		arena, "%s%s -S %s", RANDOM_OF(random, lists),
		RANDOM_OF(random, arches), RANDOM_OF(random, calls));

	for (size_t n = random_below(random, 3); n; n--)
		text = arena_printf(arena, "%s%s", text,
				    RANDOM_OF(random, fields));
	return arena_printf(arena, "%s%s\n", text, RANDOM_OF(random, keys));
}

START_TEST(dead_rules_of_random_sets_are_dead)
{
	const struct verify_options options = {.level = 2};
	struct random random = {UINT64_C(20261130)};
	size_t dropped = 0;

	for (int set = 0; set < 60; set++) {
		const char *text = "-i\n";
		struct found_in found;
		struct ruleset *rest;
		struct verification v;

		for (int line = 0; line < 16; line++)
			text = arena_printf(arena, "%s%s", text,
					    random_rule(&random));
		found = find_in(arena, text, NULL);
		rest = ruleset_copy(arena, found.loaded.set);
		dropped += drop_dead(&found, rest);
		v = verify_equivalent(arena, found.loaded.set, rest, &options);
		ck_assert_msg(v.proof == PROOF_GOOD,
			      "proof %d, not that the rules that are said to "
			      "be dead are, in:\n%s",
			      (int)v.proof, text);
	}
	ck_assert_uint_ge(dropped, 100);
}
END_TEST

#define ROWS(table) ((int)(sizeof(table) / sizeof((table)[0])))

static Suite *suite(void)
{
	Suite *s = suite_create("findings");
	TCase *t = tcase_create("rules");

	tcase_add_checked_fixture(t, begin_arena, end_arena);
	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, dead_rules, 0, ROWS(dead));
	tcase_add_loop_test(t, rules_for_one_abi, 0, ROWS(twins));
	tcase_add_loop_test(t, nested_paths, 0, ROWS(nested));
	tcase_add_loop_test(t, exclusions, 0, ROWS(excluding));
	tcase_add_loop_test(t, single_rules, 0, ROWS(single));
	tcase_add_test(t, newer_lists_depend_on_the_version);
	tcase_add_test(t, native_only_needs_no_twins);
	tcase_add_test(t, like_findings_are_one);
	tcase_add_test(t, what_stops_the_load_is_an_error);
	tcase_add_test(t, dead_rules_of_real_sets_are_dead);
	tcase_add_test(t, dead_rules_of_random_sets_are_dead);
	suite_add_tcase(s, t);
	return s;
}

int main(void)
{
	return run_suite(suite());
}
