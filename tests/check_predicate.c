/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Predicates, field by field: each case in which a field is not the plain
 * number that it looks like has a test of its own.
 */
#include <check.h>
#include <stdlib.h>

#include "lib/build.h"
#include "lib/suite.h"
#include "model/predicate.h"

static struct arena *arena;
static const struct target *x86;

static void setup(void)
{
	arena = arena_new();
	x86 = mk_target("x86_64");
}

static void teardown(void)
{
	arena_free(arena);
}

static const struct predicate *of(const char *spec)
{
	return predicate_of(arena, mk_rule(arena, x86, spec));
}

static bool implies(const char *a, const char *b)
{
	return predicate_implies(of(a), of(b));
}

static bool disjoint(const char *a, const char *b)
{
	bool answer = predicate_disjoint(of(a), of(b));

	ck_assert(answer == predicate_disjoint(of(b), of(a)));
	return answer;
}

static bool equal(const char *a, const char *b)
{
	bool answer = predicate_equal(of(a), of(b));

	ck_assert(answer == predicate_equal(of(b), of(a)));
	ck_assert(!answer || predicate_hash(of(a)) == predicate_hash(of(b)));
	return answer;
}

static bool never(const char *spec)
{
	return predicate_unsatisfiable(of(spec));
}

static bool trivial(const char *spec)
{
	return predicate_trivial(of(spec));
}

START_TEST(test_plain_numbers)
{
	ck_assert(trivial(""));
	ck_assert(trivial("key=x"));
	ck_assert(trivial("pid>=0"));
	ck_assert(trivial("pid<=unset"));
	ck_assert(!trivial("pid>0"));
	ck_assert(implies("uid=5", "uid>=3 uid<=7 uid!=6"));
	ck_assert(!implies("uid>=3", "uid=5"));
	ck_assert(implies("uid>3", "uid>=4"));
	ck_assert(implies("uid=5 gid<4", "uid=5"));
	ck_assert(!implies("uid=5", "uid=5 gid<4"));
	ck_assert(!implies("uid=5", "euid=5"));
	ck_assert(implies("uid=5", ""));
	ck_assert(equal("uid>3", "uid>=4"));
	ck_assert(equal("uid>3 pid=2", "pid=2 uid>=4 uid!=3"));
	ck_assert(!equal("uid>3", "uid>4"));
	ck_assert(disjoint("uid<3", "uid>=3"));
	ck_assert(!disjoint("uid<=3", "uid>=3"));
	ck_assert(!disjoint("uid=3", "euid=4"));
	ck_assert(never("uid=1 uid=2"));
	ck_assert(never("ppid>=5 ppid<=3"));
	ck_assert(never("sessionid>unset"));
	ck_assert(implies("uid=1 uid=2", "exe=/x"));
	ck_assert(disjoint("uid=1 uid=2", ""));
	ck_assert(equal("uid=1 uid=2", "pid<0"));
}
END_TEST

/* audit_comparator compares unsigned 32 bits. */
START_TEST(test_unsigned)
{
	ck_assert(never("exit<0"));
	ck_assert(implies("exit=-13", "exit>=-13"));
	ck_assert(implies("exit=-1", "exit>=-13"));
	ck_assert(!implies("exit=0", "exit>=-13"));
	ck_assert(implies("exit=-13", "exit>5"));
}
END_TEST

START_TEST(test_bits)
{
	ck_assert(never("a0&0"));
	ck_assert(trivial("a0&=0"));
	ck_assert(equal("a0&4", "a0&=4"));
	ck_assert(equal("a0&=4 a0&=2", "a0&=6"));
	ck_assert(implies("a0&=6", "a0&2"));
	ck_assert(implies("a0&=6", "a0&3"));
	ck_assert(implies("a0&3", "a0&7"));
	ck_assert(!implies("a0&7", "a0&3"));
	ck_assert(implies("a0=5", "a0&4"));
	ck_assert(implies("a0=5", "a0&=5"));
	ck_assert(!implies("a0=5", "a0&=6"));
	ck_assert(implies("a0&3", "a0!=0"));
	ck_assert(implies("a0&=6", "a0>5"));
	ck_assert(disjoint("a0=8", "a0&7"));
	ck_assert(disjoint("a0<=3", "a0&=4"));
	ck_assert(never("a0<=3 a0&=4"));
	ck_assert(equal("a0<=7 a0&=4", "a0>=4 a0<=7"));
	ck_assert(!disjoint("a0&1", "a0&2"));
	ck_assert(!implies("a0&1", "a1&1"));
	ck_assert(implies("pers&=8", "pers&8"));
}
END_TEST

START_TEST(test_auid_unset)
{
	ck_assert(equal("auid=unset", "loginuid_set=0"));
	ck_assert(equal("auid=unset", "loginuid_set!=1"));
	ck_assert(equal("auid!=unset", "loginuid_set=1"));
	ck_assert(implies("auid=1000", "auid!=unset"));
	ck_assert(implies("auid=1000", "loginuid_set=1"));
	ck_assert(implies("auid=unset", "auid>=1000"));
	ck_assert(disjoint("auid=unset", "auid<1000"));
	ck_assert(!disjoint("auid=unset", "auid>=1000"));
	ck_assert(disjoint("auid=unset", "auid>=1000 auid!=unset"));
	ck_assert(never("loginuid_set=0 loginuid_set=1"));
	ck_assert(never("auid=5 loginuid_set=0"));
}
END_TEST

START_TEST(test_groups)
{
	ck_assert(!disjoint("gid=5", "gid=6"));
	ck_assert(!never("gid=5 gid=6"));
	ck_assert(disjoint("gid=5", "gid!=5"));
	ck_assert(never("gid=5 gid!=5"));
	ck_assert(!implies("gid=5", "gid!=6"));
	ck_assert(!implies("gid=5", "gid>=5"));
	ck_assert(!disjoint("gid=5", "gid>5"));
	ck_assert(!never("gid=5 gid>5"));
	ck_assert(disjoint("gid<5", "gid>5"));
	ck_assert(implies("gid<5", "gid<6"));
	/* Each looks at its own id first. */
	ck_assert(!implies("gid=5", "egid=5"));
	ck_assert(!disjoint("gid=5", "egid!=5"));
	/* These have no supplementary groups. */
	ck_assert(disjoint("sgid=5", "sgid=6"));
	ck_assert(implies("fsgid=5", "fsgid!=6"));
}
END_TEST

/* A field of a name: two tests may be satisfied by two names. */
static const char *const of_names[] = {"obj_uid", "obj_gid", "devmajor",
				       "devminor"};

START_TEST(test_some_name)
{
	const char *f = of_names[_i];
	const char *is5 = arena_printf(arena, "%s=5", f);
	const char *not5 = arena_printf(arena, "%s!=5", f);
	const char *both = arena_printf(arena, "%s=5 %s=6", f, f);
	const char *any = arena_printf(arena, "%s>=0", f);

	ck_assert(!disjoint(is5, not5));
	ck_assert(!never(both));
	ck_assert(!equal(arena_printf(arena, "%s>=5 %s<=5", f, f), is5));
	ck_assert(!implies(arena_printf(arena, "%s>=5 %s<=5", f, f), is5));
	ck_assert(implies(is5, arena_printf(arena, "%s<7", f)));
	ck_assert(implies(is5, arena_printf(arena, "%s!=6", f)));
	ck_assert(implies(both, is5));
	ck_assert(!implies(is5, both));
	ck_assert(equal(both, arena_printf(arena, "%s=6 %s=5 %s>1", f, f, f)));
	/* There must be a name. */
	ck_assert(!trivial(any));
	ck_assert(implies(not5, any));
	ck_assert(never(arena_printf(arena, "%s<0", f)));
}
END_TEST

START_TEST(test_name_bits)
{
	ck_assert(never("devminor&0"));
	ck_assert(equal("devminor&=0", "devminor>=0"));
	ck_assert(equal("devminor&4", "devminor&=4"));
	ck_assert(implies("devminor=5", "devminor&4"));
	ck_assert(
		!implies("devminor&=5", "devminor&=4 devminor&=1 devminor=5"));
	ck_assert(implies("devminor&6", "devminor>=0"));
	ck_assert(!never("devminor&=1 devminor=0"));
}
END_TEST

/* Nothing but the canonical form goes into the hash, and all of it. */
START_TEST(test_hash)
{
	static const char *const different[] = {
		"",	     "uid=1",	   "uid=2",	   "euid=1",
		"uid<=1",    "a0&3",	   "a0&5",	   "a0&=3",
		"gid=1",     "gid!=1",	   "gid=2",	   "obj_uid=1",
		"obj_uid=2", "devminor&6", "devminor&=6",  "perm=r",
		"perm!=r",   "perm=w",	   "dir=/a",	   "dir=/b",
		"exe=/a",    "exe!=/a",	   "uid=1 dir=/a", "uid=1 uid=2",
	};
	size_t count = sizeof(different) / sizeof(*different);

	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < i; j++)
			ck_assert_msg(predicate_hash(of(different[i])) !=
					      predicate_hash(of(different[j])),
				      "%s, %s", different[i], different[j]);
	ck_assert(predicate_hash(of("uid>0 dir=/a key=x arch=b64")) ==
		  predicate_hash(of("never dir=/a uid>=1")));
}
END_TEST

/* The best demand for an index, among those that its implier must have. */
START_TEST(test_anchor)
{
	ck_assert_uint_eq(predicate_anchor(of("")), 0);
	ck_assert_uint_eq(predicate_anchor(of("uid>5 perm=wa")), 0);
	ck_assert_uint_eq(predicate_anchor(of("uid=5 dir=/a exit=1")),
			  predicate_anchor(of("dir=/a success=0")));
	ck_assert_uint_ne(predicate_anchor(of("dir=/a")),
			  predicate_anchor(of("dir=/b")));
	ck_assert_uint_ne(predicate_anchor(of("dir=/a")),
			  predicate_anchor(of("exe=/a")));
	ck_assert_uint_ne(predicate_anchor(of("uid=5")),
			  predicate_anchor(of("uid=6")));
	ck_assert_uint_ne(predicate_anchor(of("inode=6")), 0);
}
END_TEST

START_TEST(test_inode)
{
	ck_assert(!disjoint("inode=5", "inode!=5"));
	ck_assert(!disjoint("inode=5", "inode=6"));
	ck_assert(implies("inode=5", "inode!=6"));
	ck_assert(!implies("inode!=6", "inode=5"));
}
END_TEST

START_TEST(test_filetype)
{
	ck_assert(!disjoint("filetype=file", "filetype=dir"));
	ck_assert(!never("filetype=file filetype=dir"));
	ck_assert(disjoint("filetype=file", "filetype!=file"));
	ck_assert(never("filetype=file filetype!=file"));
	ck_assert(!implies("filetype=file", "filetype!=dir"));
}
END_TEST

/* Absent is neither success nor failure, and no exit value. */
START_TEST(test_no_result)
{
	ck_assert(!trivial("exit>=0"));
	ck_assert(implies("exit=5", "exit>=0"));
	ck_assert(!implies("pid=1", "exit>=0"));
	ck_assert(equal("exit>=0", "exit<=-1"));
	ck_assert(disjoint("exit=5", "exit!=5"));
	ck_assert(!trivial("success>=1"));
	ck_assert(!trivial("saddr_fam>=0"));
	ck_assert(implies("saddr_fam=2", "saddr_fam!=10"));
	ck_assert(disjoint("saddr_fam=2", "saddr_fam=10"));
	ck_assert(never("saddr_fam=2 saddr_fam=10"));
}
END_TEST

/* success compares return_valid, 1 or 2, with 1 or 2. */
START_TEST(test_success)
{
	ck_assert(disjoint("success=1", "success=0"));
	ck_assert(equal("success!=1", "success=0"));
	ck_assert(equal("success!=0", "success=1"));
	ck_assert(equal("success=7", "success=1"));
	ck_assert(never("success=1 success=0"));
	ck_assert(never("success<1"));
	ck_assert(equal("success>1", "success=0"));
	ck_assert(equal("success<0", "success=1"));
	ck_assert(equal("success<=0", "success>=1"));
	ck_assert(implies("success=1", "success<=0"));
	/* Nothing follows for exit: some calls return negative successes. */
	ck_assert(!disjoint("success=1", "exit=-13"));
	ck_assert(!implies("exit=-13", "success=0"));
	ck_assert(!disjoint("success=0", "exit=0"));
}
END_TEST

START_TEST(test_perm)
{
	ck_assert(never("perm=0"));
	ck_assert(trivial("perm!=0"));
	ck_assert(implies("perm=w", "perm=wa"));
	ck_assert(!implies("perm=wa", "perm=w"));
	ck_assert(!disjoint("perm=r", "perm=w"));
	ck_assert(!never("perm=r perm=w"));
	ck_assert(equal("perm=w perm=wa", "perm=w"));
	ck_assert(!trivial("perm=rwxa"));
	ck_assert(disjoint("perm=w", "perm!=w"));
	ck_assert(disjoint("perm=w", "perm!=wa"));
	ck_assert(!disjoint("perm=wa", "perm!=w"));
	ck_assert(never("perm=w perm!=wa"));
	ck_assert(equal("perm=wa perm!=w", "perm=a perm!=w"));
	ck_assert(equal("perm!=w perm!=a", "perm!=wa"));
	ck_assert(implies("perm!=wa", "perm!=w"));
	ck_assert(!implies("perm!=w", "perm!=wa"));
}
END_TEST

/* Hard links, bind mounts, several names: other strings may hold as well. */
START_TEST(test_strings)
{
	ck_assert(!disjoint("path=/a", "path=/b"));
	ck_assert(!disjoint("dir=/a", "dir=/b"));
	ck_assert(!implies("dir=/a/b", "dir=/a"));
	ck_assert(!implies("path=/a/b", "dir=/a"));
	ck_assert(!implies("path=/a", "dir=/a"));
	ck_assert(implies("path=/a uid=0", "path=/a"));
	ck_assert(!disjoint("exe=/a", "exe=/b"));
	ck_assert(disjoint("exe=/a", "exe!=/a"));
	ck_assert(!implies("exe=/a", "exe!=/b"));
	ck_assert(equal("dir=/a perm=w", "perm=w dir=/a"));
	ck_assert(!equal("dir=/a", "dir=/b"));
}
END_TEST

START_TEST(test_unsettled)
{
	ck_assert(!implies("unsettled path=/a", "path=/a"));
	ck_assert(!implies("path=/a", "unsettled path=/a"));
	ck_assert(!implies("dir=/a", "unsettled dir=/a"));
	ck_assert(implies("unsettled path=/a uid=0", "unsettled path=/a"));
	ck_assert(equal("unsettled path=/a", "unsettled dir=/a"));
}
END_TEST

/* security_audit_rule_match: no label rule, both false; an error, both true. */
START_TEST(test_labels)
{
	ck_assert(implies("subj_type=a uid=1", "subj_type=a"));
	ck_assert(!disjoint("subj_type=a", "subj_type!=a"));
	ck_assert(!never("subj_type=a subj_type!=a"));
	ck_assert(!disjoint("subj_type=a", "subj_type=b"));
	ck_assert(!implies("subj_type=a", "subj_type!=b"));
	ck_assert(!implies("obj_lev_low=s0", "obj_lev_low>=s0"));
	ck_assert(!equal("subj_type=a", "obj_type=a"));
}
END_TEST

START_TEST(test_compare)
{
	ck_assert(disjoint("uid:euid=", "uid:euid!="));
	ck_assert(never("uid:euid= uid:euid!="));
	ck_assert(!disjoint("uid:obj_uid=", "uid:obj_uid!="));
	ck_assert(!disjoint("gid:obj_gid=", "gid:obj_gid!="));
	ck_assert(implies("uid:euid= uid=0", "uid:euid="));
	ck_assert(!implies("uid:euid=", "uid:suid="));
	/* What the kernel does not know compares nothing, with either operator.
	 */
	ck_assert(never("field_compare=0"));
	ck_assert(never("field_compare!=0"));
	ck_assert(never("field_compare=26"));
	ck_assert(never("field_compare!=4294967295"));
	ck_assert(!never("field_compare=25"));
}
END_TEST

/* On exit the ABI is in rule_calls; elsewhere it is a test like others. */
START_TEST(test_arch)
{
	ck_assert(trivial("arch=b64"));
	ck_assert(equal("arch=b64 uid=0", "uid=0 arch=b32"));
	ck_assert(!trivial("io_uring arch=b64"));
	ck_assert(!implies("io_uring uid=0", "io_uring arch=b64"));
	ck_assert(disjoint("io_uring arch=b64", "io_uring arch=b32"));
	ck_assert(never("task arch=b64"));
}
END_TEST

/* Filters that do not take a rule as the conjunction of its tests. */
START_TEST(test_filters)
{
	const struct predicate *key = of("exclude msgtype=CWD key=k");
	const struct predicate *alien = of("user uid=0 ppid=1");

	ck_assert(never("exclude"));
	ck_assert(never("user"));
	ck_assert(!trivial("user"));
	ck_assert(disjoint("exclude msgtype=CWD", "exclude msgtype=PATH"));
	ck_assert(implies("exclude msgtype=CWD uid=0", "exclude msgtype=CWD"));
	/* The walk ends at a field that audit_filter does not know. */
	ck_assert(!predicate_unsatisfiable(key) && !predicate_trivial(key));
	ck_assert(!predicate_implies(of("exclude msgtype=CWD"), key));
	ck_assert(!predicate_implies(key, of("exclude msgtype=CWD")));
	ck_assert(!predicate_disjoint(key, of("exclude msgtype=PATH")));
	ck_assert(!predicate_equal(key, of("exclude msgtype=CWD key=k")));
	ck_assert(predicate_equal(key, key));
	ck_assert(!predicate_disjoint(alien, of("user uid=1")));
	ck_assert(!predicate_unsatisfiable(alien));
	/* In the file system filter any one field is enough. */
	ck_assert(!never("filesystem never fstype=1 fstype=2"));
	ck_assert(!implies("filesystem never fstype=1",
			   "filesystem never fstype=1 fstype=2"));
	ck_assert(implies("filesystem never fstype=1",
			  "filesystem never fstype!=2"));
	/* ... and always does nothing. */
	ck_assert(never("filesystem always fstype=1"));
	/* No result at fork. */
	ck_assert(never("task success=1"));
	ck_assert(!never("task uid=1"));
}
END_TEST

static void add_tests(TCase *tc)
{
	tcase_add_test(tc, test_plain_numbers);
	tcase_add_test(tc, test_unsigned);
	tcase_add_test(tc, test_bits);
	tcase_add_test(tc, test_auid_unset);
	tcase_add_test(tc, test_groups);
	tcase_add_loop_test(tc, test_some_name, 0,
			    sizeof(of_names) / sizeof(*of_names));
	tcase_add_test(tc, test_name_bits);
	tcase_add_test(tc, test_hash);
	tcase_add_test(tc, test_anchor);
	tcase_add_test(tc, test_inode);
	tcase_add_test(tc, test_filetype);
	tcase_add_test(tc, test_no_result);
	tcase_add_test(tc, test_success);
	tcase_add_test(tc, test_perm);
	tcase_add_test(tc, test_strings);
	tcase_add_test(tc, test_unsettled);
	tcase_add_test(tc, test_labels);
	tcase_add_test(tc, test_compare);
	tcase_add_test(tc, test_arch);
	tcase_add_test(tc, test_filters);
}

int main(void)
{
	Suite *suite = suite_create("predicate");
	TCase *tc = tcase_create("predicate");

	tcase_add_checked_fixture(tc, setup, teardown);
	add_tests(tc);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
