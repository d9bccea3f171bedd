/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <libaudit.h>
#include <stdlib.h>
#include <string.h>

#include "lib/build.h"
#include "lib/suite.h"
#include "model/perm.h"

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

static struct rule *mk(const char *spec)
{
	return mk_rule(arena, x86, spec);
}

/* What the kernel says to the wire form of SPEC: NULL, or the error. */
static const char *refusal(const char *spec)
{
	struct refusal why;
	size_t size;
	struct audit_rule_data *wire = rule_to_wire(arena, mk(spec), &size);

	ck_assert_ptr_nonnull(wire);
	rule_from_wire(arena, wire, size, &why);
	return why.why;
}

static void accepted(const char *spec)
{
	const char *error = refusal(spec);

	ck_assert_msg(!error, "\"%s\" refused: %s", spec, error);
}

static void refused(const char *spec, const char *why)
{
	const char *error = refusal(spec);

	ck_assert_msg(error != NULL, "\"%s\" accepted", spec);
	ck_assert_msg(strstr(error, why) != NULL, "\"%s\" refused: %s", spec,
		      error);
}

static const char *const round_trip[] = {
	"calls=none",
	"calls=all",
	"never task uid=5",
	"calls=open,openat arch=b64 auid>=1000 auid!=unset key=a key=b",
	"calls=open a0&3 a1&=4 a2<5 a3<=6 pers>7 devminor>=8",
	"dir=/etc perm=wa key=x",
	"path=/etc/passwd perm=wa success=0 exit=-EACCES",
	"inode=77",
	"inode!=77",
	"exe=/bin/su subj_user=root obj_type!=etc_t obj_lev_low>=s0",
	"exclude msgtype=CWD",
	"user never msgtype>=1100 uid=0",
	"filesystem never fstype=tracefs key=f",
	"io_uring calls=3,4 uid=0 key=u",
	"filetype=file saddr_fam=2 sessionid=unset uid:obj_uid!=",
	"perm!=r loginuid_set=1",
	"arch!=b32 calls=2031",
	"calls=2 classes=0x8001",
};

START_TEST(test_round_trip)
{
	const struct rule *rule = mk(round_trip[_i]);
	const struct rule *back;
	struct audit_rule_data *wire, *again;
	struct refusal error;
	size_t size, size_again;

	wire = rule_to_wire(arena, rule, &size);
	ck_assert_uint_eq(size, sizeof(*wire) + wire->buflen);
	back = rule_from_wire(arena, wire, size, &error);
	ck_assert_msg(back != NULL, "\"%s\": %s", round_trip[_i], error.why);
	ck_assert(rule_same_to_kernel(rule, back));
	ck_assert(rule_same_outcome(rule, back));
	again = rule_to_wire(arena, back, &size_again);
	ck_assert_uint_eq(size, size_again);
	ck_assert(memcmp(wire, again, size) == 0);
}
END_TEST

START_TEST(test_wire_all)
{
	const struct rule *rule = mk("calls=all");
	struct audit_rule_data *wire;
	struct refusal error;
	size_t size;

	wire = rule_to_wire(arena, rule, &size);
	for (int i = 0; i < AUDIT_BITMASK_SIZE; i++)
		ck_assert_uint_eq(wire->mask[i], UINT32_MAX);
	rule = rule_from_wire(arena, wire, size, &error);
	ck_assert_uint_eq(rule->mask_classes, 0);
	ck_assert_uint_eq(syscall_mask_count(&rule->mask), SYSCALL_MASK_CALLS);
}
END_TEST

/* The top bits are classes, from the end (audit_to_entry_common). */
START_TEST(test_wire_classes)
{
	struct audit_rule_data wire = {.flags = AUDIT_FILTER_EXIT,
				       .action = AUDIT_ALWAYS};
	const struct rule *rule;
	struct refusal error;
	struct syscall_set calls;

	wire.mask[AUDIT_WORD(2047)] |= AUDIT_BIT(2047);
	wire.mask[AUDIT_WORD(2032)] |= AUDIT_BIT(2032);
	wire.mask[0] = 1;
	rule = rule_from_wire(arena, &wire, sizeof(wire), &error);
	ck_assert_ptr_nonnull(rule);
	ck_assert_uint_eq(rule->mask_classes, 0x8001);
	ck_assert_uint_eq(syscall_mask_count(&rule->mask), 1);
	/* Whatever they are: everything. */
	calls = rule_calls(x86, rule);
	ck_assert_uint_eq(syscall_set_count(&calls), 2 * SYSCALL_MASK_CALLS);
}
END_TEST

START_TEST(test_wire_header)
{
	struct audit_rule_data wire = {.flags = AUDIT_FILTER_EXIT |
						AUDIT_FILTER_PREPEND,
				       .action = AUDIT_ALWAYS};
	const struct rule *rule;
	struct refusal error;

	rule = rule_from_wire(arena, &wire, sizeof(wire), &error);
	ck_assert_uint_eq(rule->filter, AUDIT_FILTER_EXIT);
	ck_assert_ptr_null(rule_from_wire(arena, &wire, 5, &error));
	ck_assert_ptr_nonnull(strstr(error.why, "too short"));
	wire.action = AUDIT_POSSIBLE;
	ck_assert_ptr_null(rule_from_wire(arena, &wire, sizeof(wire), &error));
	ck_assert_ptr_nonnull(strstr(error.why, "deprecated"));
	ck_assert_uint_eq(error.field, REFUSAL_NO_FIELD);
	wire.action = 7;
	ck_assert_ptr_null(rule_from_wire(arena, &wire, sizeof(wire), &error));
	wire.action = AUDIT_ALWAYS;
	wire.flags = AUDIT_FILTER_ENTRY;
	ck_assert_ptr_null(rule_from_wire(arena, &wire, sizeof(wire), &error));
	wire.flags = 9;
	ck_assert_ptr_null(rule_from_wire(arena, &wire, sizeof(wire), &error));
	wire.flags = AUDIT_FILTER_EXIT;
	wire.field_count = AUDIT_MAX_FIELDS + 1;
	ck_assert_ptr_null(rule_from_wire(arena, &wire, sizeof(wire), &error));
	wire.field_count = 1;
	wire.fields[0] = 99;
	wire.fieldflags[0] = AUDIT_EQUAL;
	ck_assert_ptr_null(rule_from_wire(arena, &wire, sizeof(wire), &error));
	ck_assert_ptr_nonnull(strstr(error.why, "no such field"));
	wire.fields[0] = AUDIT_UID;
	wire.fieldflags[0] = 0;
	ck_assert_ptr_null(rule_from_wire(arena, &wire, sizeof(wire), &error));
	ck_assert_ptr_nonnull(strstr(error.why, "no such operator"));
}
END_TEST

/* audit_unpack_string. */
START_TEST(test_wire_strings)
{
	size_t room = sizeof(struct audit_rule_data) + 5000;
	struct audit_rule_data *wire = arena_alloc(arena, room);
	const struct rule *rule;
	struct refusal error;

	wire->flags = AUDIT_FILTER_EXIT;
	wire->action = AUDIT_ALWAYS;
	wire->field_count = 1;
	wire->fields[0] = AUDIT_DIR;
	wire->fieldflags[0] = AUDIT_EQUAL;
	memset(wire->buf, '/', 5000);
	ck_assert_ptr_null(rule_from_wire(arena, wire, room, &error));
	ck_assert_ptr_nonnull(strstr(error.why, "empty"));
	wire->values[0] = 4096;
	ck_assert_ptr_nonnull(rule_from_wire(arena, wire, room, &error));
	wire->values[0] = 4097;
	ck_assert_ptr_null(rule_from_wire(arena, wire, room, &error));
	ck_assert_ptr_nonnull(strstr(error.why, "PATH_MAX"));
	wire->values[0] = 5;
	ck_assert_ptr_null(
		rule_from_wire(arena, wire, sizeof(*wire) + 4, &error));
	ck_assert_ptr_nonnull(strstr(error.why, "longer than the message"));
	/* A NUL ends it. */
	memcpy(wire->buf, "/a\0b", 4);
	rule = rule_from_wire(arena, wire, room, &error);
	ck_assert_str_eq(rule->test[0].string, "/a");
	ck_assert_uint_eq(rule->test[0].value, 2);
}
END_TEST

static const char *repeated(const char *before, char c, size_t times)
{
	char *text = arena_alloc(arena, strlen(before) + times + 1);

	strcpy(text, before);
	memset(text + strlen(before), c, times);
	return text;
}

START_TEST(test_refusals)
{
	accepted("auid=unset");
	accepted("auid!=unset");
	refused("auid<unset", "unset auid");
	refused("uid=unset", "no valid");
	refused("egid>=unset", "no valid");
	refused("sgid=unset", "no valid");
	refused("obj_uid!=unset", "no valid");
	refused("obj_gid=unset", "no valid");
	accepted("sessionid=unset");
	refused("uid&5", "operator");
	refused("exit&5", "operator");
	accepted("a0&5");
	refused("arch<5", "operator");
	refused("perm<r", "operator");
	refused("exe>/bin/su", "operator");
	refused("subj_user<x", "operator");
	accepted("subj_sen<x");
	refused("msgtype=CWD", "user and exclude");
	refused("fstype=tracefs", "filesystem");
	refused("filesystem uid=0", "fstype and a key");
	refused("io_uring perm=r", "io_uring");
	/* values that mean nothing, which the kernel means to refuse */
	accepted("perm=16");
	accepted("perm=0");
	accepted("filetype=1");
	accepted("saddr_fam=46");
	accepted("loginuid_set=2");
	accepted("field_compare=26");
	accepted("field_compare=0");
	refused("path=/a path=/b", "more than one");
	refused("path=/a dir=/b", "more than one");
	refused("inode=5 dir=/b", "more than one");
	refused("inode!=5 inode!=6", "more than one");
	refused("inode<5", "= and != only");
	refused("path!=/a", "= only");
	refused("dir!=/a", "= only");
	refused("path=a", "not absolute");
	refused("dir=a", "not absolute");
	refused("path=/a/", "slash");
	refused("path=/a/.", "last part");
	refused("path=/a/..", "last part");
	accepted("path=/../a");
	accepted("path=/a/...");
	accepted("dir=/a/..");
	refused("exe=/a/..", "last part");
	accepted("dir=/a/");
	accepted("io_uring path=/a");
	refused("task dir=/a", "exit and io_uring");
	refused("user inode=1", "exit and io_uring");
	accepted("exe!=/a");
	refused("exe=/a exe=/b", "more than one exe");
	refused("exe=a", "absolute");
	refused("exe=/a/", "absolute");
	accepted(repeated("key=", 'k', 256));
	refused(repeated("key=", 'k', 257), "256");
}
END_TEST

START_TEST(test_two_keys)
{
	struct audit_rule_data wire[2] = {{.flags = AUDIT_FILTER_EXIT,
					   .action = AUDIT_ALWAYS,
					   .field_count = 2}};
	struct refusal error;

	for (int i = 0; i < 2; i++) {
		wire->fields[i] = AUDIT_FILTERKEY;
		wire->fieldflags[i] = AUDIT_EQUAL;
		wire->values[i] = 1;
	}
	ck_assert_ptr_null(rule_from_wire(arena, wire, sizeof(wire), &error));
	ck_assert_ptr_nonnull(strstr(error.why, "more than one key"));
	ck_assert_uint_eq(error.field, 1);
	ck_assert_ptr_nonnull(error.advice);
}
END_TEST

START_TEST(test_too_many_fields)
{
	char spec[1024] = "key=k";
	size_t size;

	for (int i = 0; i < 63; i++)
		strcat(spec, " uid!=1");
	ck_assert_ptr_nonnull(rule_to_wire(arena, mk(spec), &size));
	strcat(spec, " uid!=1");
	ck_assert_ptr_null(rule_to_wire(arena, mk(spec), &size));
}
END_TEST

START_TEST(test_place)
{
	ck_assert_int_eq(rule_place(mk("dir=/etc")), PLACE_LIST);
	ck_assert_int_eq(rule_place(mk("uid=0 path=/etc/x")), PLACE_INODE);
	ck_assert_int_eq(rule_place(mk("inode=5")), PLACE_INODE);
	ck_assert_int_eq(rule_place(mk("inode!=5")), PLACE_LIST);
	ck_assert_int_eq(rule_place(mk("io_uring path=/etc/x")), PLACE_INODE);
	ck_assert_int_eq(rule_place(mk("unsettled path=/etc/x")),
			 PLACE_UNSETTLED);
}
END_TEST

static bool same(const char *a, const char *b)
{
	return rule_same_to_kernel(mk(a), mk(b));
}

START_TEST(test_same_to_kernel)
{
	ck_assert(same("calls=1 uid=0 key=a", "calls=1 uid=0 key=a"));
	ck_assert(!same("calls=1 uid=0", "calls=1 uid=0 key=a"));
	ck_assert(!same("calls=1 uid=0 key=b", "calls=1 uid=0 key=a"));
	ck_assert(!same("calls=1 uid=0 gid=0", "calls=1 gid=0 uid=0"));
	ck_assert(!same("calls=1 uid=0", "calls=1,2 uid=0"));
	ck_assert(!same("calls=1 uid=0", "never calls=1 uid=0"));
	ck_assert(!same("calls=1 uid=0", "io_uring calls=1 uid=0"));
	ck_assert(!same("dir=/a", "dir=/b"));
	ck_assert(!same("uid=1", "uid!=1"));
	/* Told apart by AUDIT_LOGINUID_LEGACY only. */
	ck_assert(!same("auid=unset", "loginuid_set=0"));
	ck_assert(
		same("auid=unset loginuid_set=0", "loginuid_set=0 auid=unset"));
	ck_assert(rule_same_outcome(mk("uid=0 key=a"), mk("key=a")));
	ck_assert(!rule_same_outcome(mk("key=a"), mk("uid=0")));
	ck_assert(!rule_same_outcome(mk("never key=a"), mk("key=a")));
}
END_TEST

static void calls_are(const char *spec, const char *native, const char *compat)
{
	struct syscall_set calls = rule_calls(x86, mk(spec));
	const struct rule *n = mk(native), *c = mk(compat);

	ck_assert_msg(syscall_mask_equal(&calls.abi[ABI_NATIVE], &n->mask),
		      "%s: native", spec);
	ck_assert_msg(syscall_mask_equal(&calls.abi[ABI_COMPAT], &c->mask),
		      "%s: compat", spec);
}

START_TEST(test_calls_arch)
{
	calls_are("calls=2,5", "calls=2,5", "calls=2,5");
	calls_are("arch=b64 calls=2", "calls=2", "calls=none");
	calls_are("arch=b32 calls=2", "calls=none", "calls=2");
	calls_are("arch!=b32 calls=2", "calls=2", "calls=none");
	calls_are("arch!=b32 arch!=b64 calls=2", "calls=none", "calls=none");
	calls_are("arch=b32 arch=b64 calls=2", "calls=none", "calls=none");
	/* aarch64 */
	calls_are("arch=0xC00000B7 calls=2", "calls=none", "calls=none");
	calls_are("arch!=0xC00000B7 calls=2", "calls=2", "calls=2");
	calls_are("calls=all", "calls=all", "calls=all");
}
END_TEST

START_TEST(test_calls_perm)
{
	struct syscall_set calls = rule_calls(x86, mk("perm=x"));
	int execve = target_call_number(x86, ABI_NATIVE, "execve");
	int getpid = target_call_number(x86, ABI_NATIVE, "getpid");
	int compat = target_call_number(x86, ABI_COMPAT, "execve");

	ck_assert(syscall_set_has(&calls, ABI_NATIVE, execve));
	ck_assert(syscall_set_has(&calls, ABI_COMPAT, compat));
	ck_assert(!syscall_set_has(&calls, ABI_NATIVE, getpid));
	/* All perm tests count, but != lets everything through. */
	calls = rule_calls(x86, mk("perm=x perm=r calls=getpid,execve,open"));
	ck_assert(!syscall_set_has(&calls, ABI_NATIVE, getpid));
	calls = rule_calls(x86, mk("perm!=x calls=getpid"));
	ck_assert(syscall_set_has(&calls, ABI_NATIVE, getpid));
	/* Entered all the same. */
	calls = rule_entered(x86, mk("perm=x calls=getpid arch=b32"));
	ck_assert(syscall_set_has(&calls, ABI_NATIVE, getpid));
	ck_assert(syscall_set_has(&calls, ABI_COMPAT, getpid));
}
END_TEST

START_TEST(test_calls_filters)
{
	const struct target *i386 = mk_target("i386");
	struct syscall_set calls;

	calls_are("io_uring calls=3", "calls=3", "calls=none");
	/* The mask is not looked at. */
	calls_are("task uid=0", "calls=all", "calls=none");
	calls_are("user calls=none", "calls=all", "calls=none");
	calls = rule_calls(i386, mk_rule(arena, i386, "calls=5"));
	ck_assert_uint_eq(syscall_set_count(&calls), 1);
}
END_TEST

static struct origin lines(const char *list)
{
	return mk(arena_printf(arena, "line=%s", list))->origin;
}

static void united(const char *a, const char *b, const char *expected)
{
	struct origin both = origin_unite(arena, lines(a), lines(b));
	struct origin want = lines(expected);

	ck_assert_uint_eq(both.count, want.count);
	for (size_t i = 0; i < want.count; i++)
		ck_assert_uint_eq(both.line[i], want.line[i]);
}

START_TEST(test_origin)
{
	struct origin none = {0};
	struct origin both = origin_unite(arena, none, none);

	ck_assert_uint_eq(both.count, 0);
	both = origin_unite(arena, none, lines("4"));
	ck_assert_uint_eq(both.count, 1);
	united("1,3,9", "2,3,10", "1,2,3,9,10");
	united("7", "7", "7");
	united("5,6", "1,2", "1,2,5,6");
}
END_TEST

static struct origin one_line(uint32_t line)
{
	return (struct origin){.line = arena_copy(arena, &line, sizeof(line)),
			       .count = 1};
}

static void run_of(struct origin origin, uint32_t first, size_t count)
{
	ck_assert_uint_eq(origin.count, count);
	for (size_t i = 0; i < count; i++)
		ck_assert_uint_eq(origin.line[i], first + i);
}

/* What two grow out of shows in neither what the other took in. */
START_TEST(test_origin_shared)
{
	struct origin base = origin_unite(arena, lines("10,11"), lines("12"));
	struct origin up = origin_unite(arena, base, lines("13"));
	struct origin other = origin_unite(arena, base, lines("14"));
	struct origin down = origin_unite(arena, base, lines("9"));
	struct origin more = origin_unite(arena, lines("8"), base);
	struct origin first = {.line = base.line, .count = 1, base.room};
	struct origin gap = origin_unite(arena, first, lines("20"));

	run_of(base, 10, 3);
	run_of(up, 10, 4);
	run_of(down, 9, 4);
	ck_assert_uint_eq(other.count, 4);
	ck_assert_uint_eq(other.line[3], 14);
	ck_assert_uint_eq(more.count, 4);
	ck_assert_uint_eq(more.line[0], 8);
	ck_assert_uint_eq(more.line[1], 10);
	ck_assert_uint_eq(gap.count, 2);
	ck_assert_uint_eq(gap.line[1], 20);
	run_of(origin_unite(arena, down, up), 9, 5);
	run_of(origin_unite(arena, up, one_line(14)), 10, 5);
}
END_TEST

/* From the middle to both sides: what an origin was before stays as it was, and
 * memory is taken in proportion. */
START_TEST(test_origin_grows)
{
	enum { SIDE = 2000 };
	struct origin was[SIDE];
	struct origin all = one_line(SIDE);
	size_t before = arena_bytes(arena);

	for (uint32_t i = 1; i < SIDE; i++) {
		was[i] = all;
		all = origin_unite(arena, all, one_line(SIDE + i));
		all = origin_unite(arena, one_line(SIDE - i), all);
	}
	run_of(all, 1, 2 * SIDE - 1);
	for (uint32_t i = 1; i < SIDE; i += 97)
		run_of(was[i], SIDE + 1 - i, 2 * i - 1);
	ck_assert_uint_lt(arena_bytes(arena) - before, 100 * 2 * SIDE);
}
END_TEST

START_TEST(test_ruleset)
{
	struct arena *other = arena_new();
	struct ruleset *set = mk_ruleset(
		arena, x86,
		"uid=0 key=a\n\ntask never\nuser uid=1\nio_uring calls=3\n");
	struct ruleset *copy;

	ck_assert_uint_eq(set->count, 4);
	ck_assert_uint_eq(set->rule[1]->origin.line[0], 3);
	ck_assert_uint_eq(ruleset_counted(set), 3);
	copy = ruleset_copy(other, set);
	copy->rule[0]->key = NULL;
	ck_assert_str_eq(set->rule[0]->key, "a");
	ruleset_remove(copy, 0);
	ruleset_insert(copy, 3, mk("uid=7"));
	ruleset_insert(copy, 0, mk("uid=8"));
	ck_assert_uint_eq(copy->count, 5);
	ck_assert_uint_eq(set->count, 4);
	ck_assert_uint_eq(copy->rule[0]->test[0].value, 8);
	ck_assert_uint_eq(copy->rule[1]->filter, AUDIT_FILTER_TASK);
	ck_assert_uint_eq(copy->rule[4]->test[0].value, 7);
	for (unsigned int i = 0; i < 200; i++)
		ruleset_insert(copy, i % 5, mk("uid=9"));
	ck_assert_uint_eq(copy->count, 205);
	ck_assert_uint_eq(copy->rule[204]->test[0].value, 7);
	while (copy->count)
		ruleset_remove(copy, copy->count / 2);
	arena_free(other);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("rule");
	TCase *tc = tcase_create("rule");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, test_round_trip, 0,
			    sizeof(round_trip) / sizeof(*round_trip));
	tcase_add_test(tc, test_wire_all);
	tcase_add_test(tc, test_wire_classes);
	tcase_add_test(tc, test_wire_header);
	tcase_add_test(tc, test_wire_strings);
	tcase_add_test(tc, test_refusals);
	tcase_add_test(tc, test_two_keys);
	tcase_add_test(tc, test_too_many_fields);
	tcase_add_test(tc, test_place);
	tcase_add_test(tc, test_same_to_kernel);
	tcase_add_test(tc, test_calls_arch);
	tcase_add_test(tc, test_calls_perm);
	tcase_add_test(tc, test_calls_filters);
	tcase_add_test(tc, test_origin);
	tcase_add_test(tc, test_origin_shared);
	tcase_add_test(tc, test_origin_grows);
	tcase_add_test(tc, test_ruleset);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
