/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Terminators: which calls they have, and which they must not have. Every set
 * goes before the evaluator too, with events that aim at the rules before and
 * at those after.
 */
#include <check.h>
#include <libaudit.h>
#include <stdlib.h>
#include <string.h>

#include "emit/emit.h"
#include "lib/build.h"
#include "lib/compare.h"
#include "lib/random_rules.h"
#include "model/self_log.h"
#include "optimize/pipeline.h"
#include "optimize/terminators.h"

#define NL "\n"
#define MANY 40
#define EVENTS 3000
#define LENGTH(array) ((int)(sizeof(array) / sizeof((array)[0])))

static struct arena *arena;
static const struct target *target;
static struct change_log changes;

static void setup(void)
{
	arena = arena_new();
	target = mk_target("x86_64");
}

static void teardown(void)
{
	arena_free(arena);
}

static struct change_log run(struct ruleset *set, int level)
{
	struct pass_context context = {
		.arena = arena, .level = level, .log = &changes};

	changes = (struct change_log){0};
	pass_terminators.run(set, &context);
	return changes;
}

static void expect_no_difference(const struct ruleset *before,
				 const struct ruleset *after,
				 const struct ruleset *aim, int level)
{
	struct event_maker *maker = event_maker_new(arena, aim);
	struct settled was = settled_of(arena, before);
	struct settled is = settled_of(arena, after);
	struct random random = {7};
	const struct event *event;
	struct difference difference;

	if (!sets_differ(&was, &is, level, maker, &random, EVENTS, &event,
			 &difference))
		return;
	dump_difference(stderr, &was, &is, level, event, &difference);
	ck_abort_msg("another meaning");
}

/* MANY rules that are in nobody's way but in a walk's: each is SPEC, with its
 * number for the '%'. */
static char *many(const char *spec)
{
	const char *at = strchr(spec, '%');
	char *text = arena_strdup(arena, "");

	for (int i = 0; i < MANY; i++)
		text = arena_printf(arena, "%s%.*s%d%s" NL, text,
				    (int)(at - spec), spec, 3 * i + 1, at + 1);
	return text;
}

/* Rules that say never and have no key. */
static size_t ends(const struct ruleset *set)
{
	size_t count = 0;

	for (size_t i = 0; i < set->count; i++)
		count += set->rule[i]->action == AUDIT_NEVER &&
			 !set->rule[i]->key;
	return count;
}

/* The rules of TEXT with what is added to them. */
static struct ruleset *made(const char *text, int level)
{
	struct ruleset *before = mk_ruleset(arena, target, text);
	struct ruleset *after = ruleset_copy(arena, before);
	struct ruleset *again;

	run(after, level);
	ck_assert_uint_le(ends(after), ends(before) + TERMINATORS_AT_MOST);
	for (size_t i = 0; i < after->count; i++)
		for (size_t k = 0; k < i; k++)
			ck_assert(!rule_same_to_kernel(after->rule[i],
						       after->rule[k]));
	expect_no_difference(before, after, before, level);
	expect_no_difference(before, after, after, level);
	again = ruleset_copy(arena, after);
	ck_assert_uint_eq(run(again, level).count, 0);
	ck_assert(sets_identical(after, again));
	return after;
}

static bool is_added(const struct rule *rule)
{
	return rule->origin.count == 0;
}

static unsigned int added(const struct ruleset *set)
{
	unsigned int count = 0;

	for (size_t i = 0; i < set->count; i++)
		count += is_added(set->rule[i]);
	return count;
}

static bool asks(const struct rule *rule, const char *field)
{
	for (unsigned int i = 0; i < rule->tests; i++)
		if (!strcmp(rule->test[i].field->name, field))
			return true;
	return false;
}

/* The first added rule with CALL that asks for FIELD, NULL: for nothing but
 * arch. -1 if there is none. */
static int find(const struct ruleset *set, const char *call, const char *field)
{
	for (size_t i = 0; i < set->count; i++) {
		const struct rule *rule = set->rule[i];
		struct syscall_set calls = rule_calls(target, rule);

		if (is_added(rule) &&
		    syscall_set_has(
			    &calls, ABI_NATIVE,
			    target_call_number(target, ABI_NATIVE, call)) &&
		    (field ? asks(rule, field)
			   : rule->tests == asks(rule, "arch")))
			return (int)i;
	}
	return -1;
}

/* Is there an added rule with CALL at all? */
static bool has(const struct ruleset *set, const char *call)
{
	int number = target_call_number(target, ABI_NATIVE, call);

	for (size_t i = 0; i < set->count; i++) {
		struct syscall_set calls = rule_calls(target, set->rule[i]);

		if (is_added(set->rule[i]) &&
		    syscall_set_has(&calls, ABI_NATIVE, number))
			return true;
	}
	return false;
}

START_TEST(a_leading_one)
{
	struct ruleset *set = made(many("arch=b64 calls=chmod a1=% key=a"), 2);
	const struct rule *rule = set->rule[0];

	ck_assert_int_eq(find(set, "read", NULL), 0);
	ck_assert_uint_eq(rule->action, AUDIT_NEVER);
	ck_assert_ptr_null(rule->key);
	ck_assert(!has(set, "chmod"));
	ck_assert(has(set, "openat"));
	/* Numbers that are no calls are in nobody's way. */
	ck_assert(!syscall_mask_has(&rule->mask, 700));
	ck_assert_uint_eq(changes.count, 0);
	run(mk_ruleset(arena, target, many("arch=b64 calls=chmod a1=% key=a")),
	    2);
	ck_assert_uint_ge(changes.count, 1);
	ck_assert_str_eq(changes.item[0].pass, "terminators");
	ck_assert_uint_eq(changes.item[0].rules_added, 1);
	ck_assert_uint_eq(changes.item[0].what.count, 0);
}
END_TEST

START_TEST(level_1_spares_companions)
{
	struct ruleset *set = made(many("arch=b64 calls=chmod a1=% key=a"), 1);
	struct syscall_set silent = calls_never_self_log(target);

	ck_assert_uint_gt(added(set), 0);
	ck_assert(has(set, "getppid"));
	ck_assert(has(set, "futex"));
	ck_assert(!has(set, "read"));
	for (size_t i = 0; i < set->count; i++) {
		struct syscall_set calls = rule_calls(target, set->rule[i]);

		if (!is_added(set->rule[i]))
			continue;
		ck_assert(syscall_set_subset(&calls, &silent));
		ck_assert(set->rule[i]->tests == asks(set->rule[i], "arch"));
	}
}
END_TEST

START_TEST(few_rules_gain_nothing)
{
	static const char three[] =
		"arch=b64 calls=chmod key=a" NL "arch=b64 calls=chown key=b" NL
		"arch=b64 calls=mount key=c";

	for (int level = 1; level <= 2; level++)
		ck_assert_uint_eq(added(made(three, level)), 0);
	ck_assert_uint_eq(added(made("", 2)), 0);
	ck_assert_uint_eq(added(made("exclude msgtype=CWD", 2)), 0);
}
END_TEST

/* A rule LAST behind many others, and a call that none may have then. */
static const struct {
	const char *name, *last, *call;
	int level;
} in_the_way[] = {
	{"a list rule", "arch=b64 calls=read auid!=5 key=b", "read", 2},
	{"a list rule of both ABIs", "calls=0 auid!=5 key=b", "read", 2},
	{"an inode rule", "arch=b64 calls=read path=/x key=b", "read", 2},
	{"an inode rule that is never, and one in front of it",
	 "arch=b64 calls=read path=/y key=b" NL "never calls=read path=/x",
	 "read", 2},
	{"a watch that is not settled", "unsettled watch path=/x perm=wa key=b",
	 "rename", 2},
	{"classes of calls are not known", "calls=none classes=1 key=b", "read",
	 2},
	{"io_uring", "io_uring calls=18 key=b", "read", 2},
	{"a rule of io_uring in a bucket", "io_uring calls=18 path=/x key=b",
	 "read", 2},
	{"kill: nobody counts in audit_signals", "arch=b64 calls=chown key=b",
	 "kill", 2},
	{"tgkill: the same", "arch=b64 calls=chown key=b", "tgkill", 2},
	{"perm= that any call of its class may meet",
	 "arch=b64 calls=bind dir=/x perm=wa auid!=5 key=b", "bind", 2},
	{"never with a key that an inode rule inherits",
	 "arch=b64 calls=read path=/y" NL "never arch=b64 calls=read key=lent",
	 "read", 2},
	{"never with a key, and several walks",
	 "never arch=b64 calls=io_uring_enter uid=5 key=lent", "io_uring_enter",
	 2},
};

START_TEST(rules_behind_are_in_the_way)
{
	const char *text = arena_printf(arena, "%s%s",
					many("arch=b64 calls=chmod a1=% key=a"),
					in_the_way[_i].last);
	struct ruleset *set = made(text, in_the_way[_i].level);

	ck_assert_msg(!has(set, in_the_way[_i].call), "%s",
		      in_the_way[_i].name);
}
END_TEST

/* ... and calls that they may have all the same. */
static const struct {
	const char *name, *last, *call;
} not_in_the_way[] = {
	{"the other ABI", "arch=b32 calls=202 uid=5 key=b", "futex"},
	{"perm= that no call of the kind meets", "dir=/x perm=wa key=b",
	 "read"},
	{"a watch that is not settled, by its perm",
	 "unsettled watch path=/x perm=wa key=b", "read"},
	{"fstat, which no kernel counts as reading", "dir=/x perm=r key=b",
	 "fstat"},
	{"never in the list", "never arch=b64 calls=read uid=5", "read"},
	{"never in a bucket", "never calls=read path=/x", "read"},
	{"never in a bucket, and a rule for others in front of it",
	 "calls=chown path=/y key=b" NL "never calls=read path=/x key=c",
	 "read"},
	{"never with a key, and an heir behind it",
	 "never arch=b64 calls=read uid=5 key=lent" NL
	 "arch=b64 calls=chown path=/y",
	 "read"},
	{"never with a key that nobody inherits",
	 "never arch=b64 calls=read uid=5 key=lent", "read"},
	{"kill, which counts already", "arch=b64 calls=tkill key=b", "tgkill"},
	{"a tree, and a call that names no file", "arch=b64 dir=/x key=b",
	 "getpid"},
	{"an inode rule, and such a call", "arch=b64 path=/x key=b", "getpid"},
	{"a watch that is not settled, and such a call",
	 "unsettled arch=b64 path=/x key=b", "getpid"},
	{"owners, and such a call",
	 "arch=b64 obj_uid!=5 key=b" NL "arch=b64 uid:obj_uid= key=b" NL
	 "arch=b64 filetype=file key=b" NL "arch=b64 devmajor=8 key=b",
	 "getpid"},
	{"other filters", "user uid=5", "read"},
};

START_TEST(rules_behind_are_not_in_the_way)
{
	const char *text = arena_printf(arena, "%s%s",
					many("arch=b64 calls=chmod a1=% key=a"),
					not_in_the_way[_i].last);

	ck_assert_msg(has(made(text, 2), not_in_the_way[_i].call), "%s",
		      not_in_the_way[_i].name);
}
END_TEST

START_TEST(one_behind_the_last_rule_for_its_calls)
{
	const char *text = arena_printf(
		arena, "%s%s", many("arch=b64 calls=openat pid=% key=a"),
		many("arch=b64 calls=unlink a1=% key=b"));
	struct ruleset *set = made(text, 2);
	int leading = find(set, "read", NULL);
	int trailing = find(set, "openat", NULL);

	ck_assert_int_eq(leading, 0);
	ck_assert_int_eq(trailing, 1 + MANY);
	/* In front of an inode rule for them there is none. */
	text = arena_printf(arena, "%sarch=b64 calls=openat path=/x key=c",
			    text);
	ck_assert_int_eq(find(made(text, 2), "openat", NULL), -1);
}
END_TEST

/* Rules that all demand something, and what a terminator asks for then. */
static const struct {
	const char *name, *rules, *call, *field, *stranger;
} demanding[] = {
	{"a set auid",
	 "arch=b64 calls=openat a3=% auid>=1000 auid!=unset key=a", "openat",
	 "auid", "arch=b64 calls=openat path=/x uid=5 key=b"},
	{"failure", "arch=b64 calls=openat a3=% success=0 key=a", "openat",
	 "success", "arch=b64 calls=openat path=/x exit=-13 key=b"},
	{"an error", "arch=b64 calls=openat a3=% exit=-13 key=a", "openat",
	 "exit", "arch=b64 calls=openat exit=3 key=b"},
	{"writing", "arch=b64 calls=openat dir=/d/% perm=wa key=a", "openat",
	 "a2", "arch=b64 calls=openat path=/x a2!=3 key=b"},
	{"writing, by open", "arch=b64 calls=open dir=/d/% perm=w key=a",
	 "open", "a1", "arch=b64 calls=open dir=/x a1!=3 key=b"},
};

START_TEST(one_with_a_demand)
{
	char *text = many(demanding[_i].rules);
	struct ruleset *set = made(text, 2);

	ck_assert_msg(find(set, demanding[_i].call, demanding[_i].field) >= 0,
		      "%s", demanding[_i].name);
	ck_assert_msg(find(made(text, 1), demanding[_i].call,
			   demanding[_i].field) == -1,
		      "%s, at level 1", demanding[_i].name);
	text = arena_printf(arena, "%s%s", text, demanding[_i].stranger);
	ck_assert_msg(find(made(text, 2), demanding[_i].call,
			   demanding[_i].field) == -1,
		      "%s, and one that does not demand it",
		      demanding[_i].name);
}
END_TEST

/* Below level 2, too, if the call cannot log by itself. */
START_TEST(a_demand_at_level_1)
{
	struct ruleset *set =
		made(many("arch=b64 a3=% auid>=1000 auid!=unset key=a"), 1);

	ck_assert_int_eq(find(set, "getpid", "auid"), 0);
}
END_TEST

/* Where the rule stands that was added with PATH, as path= or dir=, and asks
 * for the flags of openat; -1: nowhere. */
static int copy_of(const struct ruleset *set, const char *path)
{
	for (size_t i = 0; i < set->count; i++) {
		const struct rule *rule = set->rule[i];

		for (unsigned int t = 0; is_added(rule) && t < rule->tests; t++)
			if (rule->test[t].string &&
			    !strcmp(rule->test[t].string, path) &&
			    asks(rule, "a2"))
				return (int)i;
	}
	return -1;
}

/* MANY rules for writing on directories, with a key each. */
static char *writing(void)
{
	char *text = arena_strdup(arena, "");

	for (int i = 0; i < MANY; i++)
		text = arena_printf(arena,
				    "%sarch=b64 dir=/d/%d perm=wa key=d%d" NL,
				    text, i, i);
	return text;
}

/* A rule LAST behind rules for writing, that reading may meet: a copy of it
 * stands in front of an end for reading, and of what else decides then. */
static const struct {
	const char *name, *last;
	const char *path[3]; /* copied, in that order */
	bool none;
} early[] = {
	{"in a bucket", "path=/x perm=r key=b", {"/x"}, false},
	{"two in buckets",
	 "path=/x perm=rwa key=b" NL "path=/y perm=wa key=c" NL
	 "path=/x perm=r key=d" NL "path=/z perm=r key=d",
	 {"/x", "/z"},
	 false},
	{"by inode", "inode=5 calls=openat uid=0 key=b", {NULL}, true},
	{"never in a bucket, in front",
	 "never path=/n key=b" NL "path=/x perm=r key=c",
	 {"/n", "/x"},
	 false},
	{"never in the list, in front",
	 "never dir=/n key=b" NL "path=/x perm=r key=c",
	 {"/n", "/x"},
	 false},
	{"never in the list, behind",
	 "path=/x perm=r key=c" NL "never dir=/n key=b",
	 {"/x"},
	 false},
	{"without a key, and never behind it lends one",
	 "path=/x perm=r" NL "never arch=b64 calls=openat dir=/n key=b",
	 {"/x", "/n"},
	 false},
	{"in the list", "arch=b64 calls=openat dir=/r key=b", {"/r"}, false},
	{"what asks for the flags is not copied",
	 "path=/x arch=b64 calls=openat a2!=3 key=b",
	 {NULL},
	 true},
	{"what does not last is not copied, in a bucket",
	 "path=/x uid=5 key=b",
	 {NULL},
	 true},
	{"nothing is copied over an equivalence",
	 "path=/x perm=r epoch=1 key=b" NL
	 "arch=b64 calls=openat a3=5 perm=r epoch=2 key=c",
	 {NULL},
	 true},
};

START_TEST(early_ones_have_copies_in_front)
{
	char *text = arena_printf(arena, "%s%s", writing(), early[_i].last);
	struct ruleset *set = made(text, 2);
	int end = find(set, "openat", "a2"), last = -1;

	if (early[_i].none) {
		ck_assert_msg(end == -1 || end > MANY, "%s", early[_i].name);
		return;
	}
	for (size_t i = 0; i < 3 && early[_i].path[i]; i++) {
		int copy = copy_of(set, early[_i].path[i]);

		ck_assert_msg(copy > last, "%s: %s", early[_i].name,
			      early[_i].path[i]);
		last = copy;
	}
	ck_assert_msg(last >= 0 && last < MANY, "%s: where", early[_i].name);
	ck_assert_msg(set->rule[last + 1]->action == AUDIT_NEVER, "%s: an end",
		      early[_i].name);
	/* At level 1 opening may log by itself. */
	ck_assert_msg(find(made(text, 1), "openat", "a2") == -1,
		      "%s, at level 1", early[_i].name);
}
END_TEST

/* Rules behind many others, of a call that daemons make. */
START_TEST(few_rules_are_copied_for_daemons)
{
	static const char last[] =
		"arch=b64 calls=socket a0=2 key=s2" NL
		"arch=b64 calls=socket a0=10 key=s10" NL
		"arch=b64 dir=/home auid>=1000 auid!=unset key=abuse";
	char *text =
		arena_printf(arena, "%s%s",
			     many("arch=b64 dir=/d perm=wa a0=% key=a"), last);
	struct ruleset *set = made(text, 2);
	int end = find(set, "socket", "auid");

	ck_assert_int_ge(end, 0);
	ck_assert_int_lt(end, MANY);
	ck_assert_str_eq(set->rule[end]->key, "s2");
	ck_assert_str_eq(set->rule[end + 1]->key, "s10");
	ck_assert_int_eq(set->rule[end + 2]->action, AUDIT_NEVER);
	ck_assert(asks(set->rule[end + 2], "auid"));
}
END_TEST

static const char *const removing[] = {"unlink",   "rename",	"rmdir",
				       "unlinkat", "renameat2", "execve"};

/* Rules over people's calls, and a watch behind them: what daemons do ends in
 * front of them, behind a copy of the watch. Not what may delete or move a file:
 * the watch's own walk in the middle of such a call may find the original first
 * (audit_update_watch). */
START_TEST(watches_are_copied_for_daemons)
{
	static const char last[] =
		"path=/x perm=wa key=x" NL
		"path=/y perm=wa auid!=unset key=y" NL "path=/p perm=x key=p";
	char *text = arena_printf(
		arena, "%s%s",
		many("arch=b64 auid>=1000 auid!=unset a3=% "
		     "calls=openat,chmod,chown,unlink,rename,execve key=a"),
		last);
	struct ruleset *set = made(text, 2);
	int at = find(set, "chmod", "auid"), number;
	const struct rule *copy, *end;

	ck_assert_int_ge(at, 0);
	ck_assert_int_lt(at, 5);
	copy = set->rule[at];
	end = set->rule[at + 1];
	ck_assert_msg(asks(copy, "path"), "a copy of the watch");
	ck_assert_str_eq(copy->key, "x");
	ck_assert_int_eq(copy->action, AUDIT_ALWAYS);
	ck_assert_int_eq(end->action, AUDIT_NEVER);
	ck_assert(asks(end, "auid"));
	if (at > 0 && is_added(set->rule[at - 1]))
		ck_assert_int_eq(set->rule[at - 1]->action, AUDIT_NEVER);
	for (int i = 0; i < LENGTH(removing); i++) {
		number = target_call_number(target, ABI_NATIVE, removing[i]);
		ck_assert_msg(!syscall_mask_has(&end->mask, number), "%s",
			      removing[i]);
	}
	number = target_call_number(target, ABI_NATIVE, "openat");
	ck_assert(syscall_mask_has(&end->mask, number));
	ck_assert(syscall_mask_has(&copy->mask, number));
}
END_TEST

static bool has_copy(const struct ruleset *set, const char *key)
{
	for (size_t i = 0; i < set->count; i++)
		if (is_added(set->rule[i]) && set->rule[i]->key &&
		    !strncmp(set->rule[i]->key, key, strlen(key)))
			return true;
	return false;
}

/* Calls that need many copies, and are made rarely, stay away. */
START_TEST(calls_that_need_many_copies)
{
	char *text = many("arch=b64 auid!=unset auid>=1000 a3=% "
			  "calls=openat,chmod key=a");
	struct ruleset *set;
	int at;

	for (int i = 0; i < 60; i++)
		text = arena_printf(arena, "%spath=/a/%d perm=a key=often%d" NL,
				    text, i, i);
	set = made(arena_printf(arena, "%spath=/w perm=w key=once", text), 2);
	ck_assert(has_copy(set, "once"));
	ck_assert(!has_copy(set, "often"));
	at = find(set, "chmod", NULL);
	ck_assert(at < 0 || at > MANY);
}
END_TEST

/* A copy and an end as they might be written for a call that may delete: it is
 * none of ours. */
START_TEST(an_end_for_what_removes_stays)
{
	static const char text[] =
		"path=/x perm=wa arch=b64 auid=unset calls=unlink key=x" NL
		"never arch=b64 calls=unlink auid=unset" NL
		"arch=b64 calls=unlink auid!=unset auid>=1000 key=u" NL
		"path=/x perm=wa key=x";
	struct ruleset *set = mk_ruleset(arena, target, text);

	run(set, 2);
	for (size_t i = 0; i < set->count; i++)
		if (set->rule[i]->action == AUDIT_NEVER &&
		    set->rule[i]->origin.count)
			return;
	ck_abort_msg("it was taken out");
}
END_TEST

/* SET as pass_terminators makes it for PROFILE. */
static struct ruleset *made_for(const char *text, const struct profile *profile)
{
	struct ruleset *set = mk_ruleset(arena, target, text);
	struct pass_context context = {.arena = arena,
				       .level = 2,
				       .log = &changes,
				       .profile = profile};

	pass_terminators.run(set, &context);
	return set;
}

/* A walk that is short for all: an end for daemons costs an average call of the
 * default profile a little, and one that reads less. A profile that was given
 * says how many do. */
START_TEST(readers_count_if_the_profile_is_a_guess)
{
	static const char text[] =
		"arch=b64 calls=openat exit=-13 auid!=unset auid>=1000 key=o" NL
		"arch=b64 calls=chmod auid!=unset auid>=1000 gid=1 key=1" NL
		"arch=b64 calls=chmod auid!=unset auid>=1000 gid=2 key=2" NL
		"arch=b64 calls=chmod auid!=unset auid>=1000 gid=3 key=3" NL
		"arch=b64 calls=chmod auid!=unset auid>=1000 gid=4 key=4" NL
		"path=/x perm=wa key=x";
	struct profile *guess = profile_default(arena, target), given = *guess;

	given.guessed = false;
	ck_assert(guess->guessed);
	ck_assert_int_ge(find(made_for(text, guess), "openat", "auid"), 0);
	ck_assert_int_ge(find(made_for(text, NULL), "openat", "auid"), 0);
	ck_assert_int_eq(find(made_for(text, &given), "openat", "auid"), -1);
}
END_TEST

/* What level 2 adds changes what level 1 counts, and is not taken out there. */
START_TEST(level_1_keeps_what_level_2_added)
{
	static const char *const last[] = {
		"arch=b64 dir=/home auid>=1000 auid!=unset key=abuse",
		"path=/x perm=rwa key=b",
		"arch=b64 calls=read auid!=5 key=b",
	};
	char *text = arena_printf(arena, "%s%s", writing(), last[_i]);
	struct ruleset *before = made(text, 2);
	struct ruleset *after = ruleset_copy(arena, before);

	run(after, 1);
	expect_no_difference(before, after, before, 1);
	pipeline_run(arena, after, 1, &changes);
	expect_no_difference(before, after, before, 1);
}
END_TEST

/* One rule over all calls behind all others. */
START_TEST(a_rule_over_all_calls_is_copied_alone)
{
	char *text = arena_printf(
		arena, "%s%s", many("arch=b64 calls=chmod a1=% key=a"),
		"dir=/home auid>=1000 auid!=unset uid=0 key=abuse");
	struct ruleset *set = made(text, 2);
	int copy = -1;

	for (size_t i = 0; i < set->count && copy < 0; i++)
		if (is_added(set->rule[i]) && set->rule[i]->key)
			copy = (int)i;
	ck_assert_int_ge(copy, 0);
	ck_assert_int_lt(copy, 3);
	ck_assert_uint_eq(set->rule[copy]->copied.count, 1);
	ck_assert_uint_eq(set->rule[copy]->copied.line[0], MANY + 1);
	ck_assert_int_eq(set->rule[copy + 1]->action, AUDIT_NEVER);
	ck_assert(syscall_mask_subset(&set->rule[copy]->mask,
				      &set->rule[copy + 1]->mask));
	ck_assert(!syscall_mask_has(&set->rule[copy]->mask, 90));
	ck_assert(syscall_mask_has(&set->rule[copy]->mask, 0));
	/* getppid names no file: the copy is not for it, its end is. */
	ck_assert(!syscall_mask_has(&set->rule[copy]->mask, 110));
	ck_assert(syscall_mask_has(&set->rule[copy + 1]->mask, 110));
}
END_TEST

/* A process that runs io_uring operations walks the list for each. */
START_TEST(no_demand_where_a_call_has_several_walks)
{
	struct ruleset *set =
		made(many("arch=b64 calls=io_uring_enter a3=% auid>=1000 "
			  "auid!=unset key=a"),
		     2);

	ck_assert(!has(set, "io_uring_enter"));
}
END_TEST

/* Numbers of RULE that are NAME's in no ABI that it may be asked about. */
static unsigned int calls_but(const struct rule *rule, const char *name)
{
	struct syscall_set calls = rule_calls(target, rule);
	struct syscall_mask mask = rule->mask;

	for (int abi = 0; abi < ABI_COUNT; abi++)
		if (!syscall_mask_empty(&calls.abi[abi]))
			syscall_mask_remove(
				&mask, target_call_number(target, (enum abi)abi,
							  name));
	return syscall_mask_count(&mask);
}

/* x86_64's openat is i386's remap_file_pages. */
START_TEST(flags_without_arch_where_the_other_abi_does_not_mind)
{
	struct ruleset *set = made(many("arch=b64 calls=openat dir=/d/% "
					"perm=wa key=a"),
				   2);
	int end = find(set, "openat", "a2");

	ck_assert_int_ge(end, 0);
	ck_assert(!asks(set->rule[end], "arch"));
	set = made(arena_printf(arena, "%s%s",
				many("arch=b64 calls=openat dir=/d/% perm=wa "
				     "key=a"),
				"arch=b32 calls=257 key=b" NL),
		   2);
	end = find(set, "openat", "a2");
	ck_assert_int_ge(end, 0);
	ck_assert(asks(set->rule[end], "arch"));
}
END_TEST

/* Calls whose numbers nobody minds in the other ABI need not be asked for
 * theirs: they end first. */
START_TEST(those_without_arch_in_front_of_those_with)
{
	struct ruleset *set =
		made(many("arch=b32 calls=open,mkdir,umask a3=% key=a"), 2);

	ck_assert(is_added(set->rule[0]) && is_added(set->rule[1]));
	ck_assert(!asks(set->rule[0], "arch"));
	ck_assert(asks(set->rule[1], "arch"));
	ck_assert(syscall_mask_has(&set->rule[0]->mask, 0));
	/* lseek and getpid are i386's umask and mkdir. */
	ck_assert(!syscall_mask_has(&set->rule[0]->mask, 39));
	ck_assert(syscall_mask_has(&set->rule[1]->mask, 39));
	/* What ends in the first is not in the second as well. */
	ck_assert(!syscall_mask_intersects(&set->rule[0]->mask,
					   &set->rule[1]->mask));
}
END_TEST

/* The first one ends most calls of daemons; getppid had better walk past it, to
 * one that asks for less and ends it for others, too. */
START_TEST(calls_walk_past_to_one_that_asks_less)
{
	char *text = arena_printf(arena, "%s%s",
				  many("dir=/d/% auid>=1000 auid!=unset key=a"),
				  "arch=b32 key=compat");
	struct ruleset *set = made(text, 2);
	int first = find(set, "read", "auid"), second;

	second = find(set, "getppid", NULL);
	ck_assert_int_ge(first, 0);
	ck_assert_int_gt(second, first);
	ck_assert_int_eq(find(set, "getppid", "auid"), -1);
}
END_TEST

START_TEST(flags_are_those_of_one_call)
{
	struct ruleset *set = made(
		many("arch=b64 calls=open,openat dir=/d/% perm=wa key=a"), 2);

	for (size_t i = 0; i < set->count; i++)
		if (is_added(set->rule[i]) && asks(set->rule[i], "a2"))
			ck_assert_uint_eq(calls_but(set->rule[i], "openat"), 0);
	ck_assert_int_ge(find(set, "openat", "a2"), 0);
	ck_assert_int_eq(find(set, "open", "a2"), -1);
	ck_assert_int_eq(find(set, "openat", "a1"), -1);
}
END_TEST

START_TEST(an_old_one_of_no_use_goes)
{
	struct ruleset *set = mk_ruleset(arena, target,
					 "never arch=b64 calls=read,write" NL
					 "arch=b64 calls=chmod key=a");
	struct ruleset *same = ruleset_copy(arena, set);

	ck_assert_uint_eq(run(set, 1).count, 0);
	ck_assert(sets_identical(set, same));
	ck_assert_uint_eq(run(set, 2).count, 1);
	ck_assert_uint_eq(set->count, 1);
	ck_assert_uint_eq(changes.item[0].rules_dropped, 1);
	ck_assert_uint_eq(changes.item[0].what.line[0], 1);
}
END_TEST

/* Not what only looks like one. */
START_TEST(others_stay)
{
	static const char *const sets[] = {
		"never arch=b64 calls=read key=x" NL
		"arch=b64 calls=chmod key=a",
		"never arch=b64 calls=read uid=5" NL
		"arch=b64 calls=chmod key=a",
		"never arch=b64 calls=chmod" NL "arch=b64 calls=chmod key=a",
		"never arch=b64 calls=chmod auid=unset" NL
		"arch=b64 calls=chmod uid=5 key=a",
		"never calls=read path=/x" NL "arch=b64 calls=chmod key=a",
		"never io_uring calls=18" NL "arch=b64 calls=chmod key=a",
		"never arch=b64 calls=read" NL "io_uring calls=18 key=a",
	};

	for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++)
		ck_assert_uint_eq(made(sets[i], 2)->count, 2);
	ck_assert_uint_eq(made("never arch=b64 calls=getpid", 1)->count, 1);
}
END_TEST

/* A rule set of many calls: one line each, and not too many. */
START_TEST(one_line_each)
{
	const char *text = arena_printf(
		arena, "%s%s", many("arch=b64 calls=openat pid=% key=a"),
		many("arch=b64 a3=% success=0 auid>=1000 auid!=unset key=b"));
	struct ruleset *set = made(text, 2);

	ck_assert_uint_gt(added(set), 0);
	for (size_t i = 0; i < set->count; i++) {
		char *line = emit_rule(arena, target, set->rule[i]);

		ck_assert_ptr_nonnull(line);
		ck_assert_ptr_null(strchr(line, '\n'));
		ck_assert_uint_lt(strlen(line), EMIT_LINE_MAX);
	}
}
END_TEST

/* Names are those of one ABI: a number stands in front of them. */
START_TEST(numbers_for_both_abis)
{
	struct rule *rule = mk_rule(arena, target, "never calls=0,202");

	ck_assert_str_eq(emit_rule(arena, target, rule),
			 "-a never,exit -S 0 -S read,futex");
	rule = mk_rule(arena, target, "never arch=b64 calls=0,202");
	ck_assert_str_eq(emit_rule(arena, target, rule),
			 "-a never,exit -F arch=b64 -S read,futex");
}
END_TEST

START_TEST(epochs_keep_their_order)
{
	const char *text = arena_printf(
		arena, "%s%s", many("arch=b64 calls=openat pid=% key=a"),
		many("arch=b64 calls=unlink a1=% epoch=2 key=b"));
	struct ruleset *set = made(text, 2);

	ck_assert_uint_gt(added(set), 1);
	for (size_t i = 1; i < set->count; i++)
		ck_assert_uint_ge(set->rule[i]->epoch, set->rule[i - 1]->epoch);
}
END_TEST

/* A kernel that is newer than the tables might count any call. */
START_TEST(unknown_kernels_may_let_anything_through_perm)
{
	struct ruleset *set =
		mk_ruleset(arena, target, many("dir=/d/% perm=wa key=a"));
	struct pipeline_options options = {.level = 2, .kernel_unknown = true};

	changes = (struct change_log){0};
	pipeline_run_as(arena, set, &options, &changes);
	ck_assert(!has(set, "read"));
	ck_assert(has(set, "getpid")); /* dir= needs a name */
	options.kernel_unknown = false;
	pipeline_run_as(arena, set, &options, &changes);
	ck_assert(has(set, "read"));
}
END_TEST

/* With them in the input everything comes out as without. */
START_TEST(the_pipeline_knows_them_again)
{
	for (int level = 1; level <= 2; level++) {
		struct ruleset *set = mk_ruleset(
			arena, target,
			many("never arch=b64 calls=mount exe=/x/% auid=7"));
		size_t first;

		ruleset_insert(set, set->count,
			       mk_rule(arena, target,
				       "arch=b64 calls=mount key=a line=90"));
		changes = (struct change_log){0};
		pipeline_run(arena, set, level, &changes);
		first = changes.count;
		ck_assert_uint_gt(added(set), 0);
		pipeline_run(arena, set, level, &changes);
		ck_assert_uint_eq(changes.count, first);
	}
}
END_TEST

/* Sets for which terminators with copies were chosen twice, one behind the other,
 * or not known again. */
static const char *const twice[] = {
	"dir=/etc perm=rwxa" NL "dir=/home" NL "arch=b32" NL "exe=/usr/bin/su",
	"dir=/etc perm=rwa key=e" NL
	"dir=/home uid=0 auid>=1000 auid!=unset key=p" NL
	"arch=b32 key=32bit-abi" NL "exe=/usr/bin/su key=su",
	"dir=/etc/cron.d perm=wa" NL "dir=/etc/cron.daily perm=wa" NL
	"dir=/etc/cron.hourly perm=wa" NL "never arch=b32 calls=openat" NL
	"dir=/etc/cron.monthly perm=wa" NL "dir=/etc/cron.weekly perm=wa" NL
	"path=/etc/crontab perm=wa" NL "dir=/var/spool/cron/crontabs perm=rwxa",
};

START_TEST(none_is_there_twice)
{
	struct ruleset *set = mk_ruleset(arena, target, twice[_i]);
	size_t first;

	changes = (struct change_log){0};
	pipeline_run(arena, set, 2, &changes);
	first = changes.count;
	ck_assert_uint_gt(added(set), 0);
	for (size_t i = 0; i < set->count; i++)
		for (size_t k = 0; k < i; k++)
			ck_assert(!rule_same_to_kernel(set->rule[i],
						       set->rule[k]));
	pipeline_run(arena, set, 2, &changes);
	ck_assert_uint_eq(changes.count, first);
}
END_TEST

/* What passes drop was in the way of taking one out. */
START_TEST(the_pipeline_looks_again)
{
	struct ruleset *set = mk_ruleset(arena, target,
					 "never arch=b64 calls=5" NL
					 "arch=b64 calls=5 uid=0 uid=1 key=a" NL
					 "never calls=5 auid=1000" NL
					 "arch=b32 calls=5 exit=-13 key=b");

	changes = (struct change_log){0};
	pipeline_run(arena, set, 2, &changes);
	ck_assert_uint_eq(set->count, 2);
	changes = (struct change_log){0};
	pipeline_run(arena, set, 2, &changes);
	ck_assert_uint_eq(changes.count, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("terminators");
	TCase *tcase = tcase_create("terminators");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, a_leading_one);
	tcase_add_test(tcase, level_1_spares_companions);
	tcase_add_test(tcase, few_rules_gain_nothing);
	tcase_add_loop_test(tcase, rules_behind_are_in_the_way, 0,
			    LENGTH(in_the_way));
	tcase_add_loop_test(tcase, rules_behind_are_not_in_the_way, 0,
			    LENGTH(not_in_the_way));
	tcase_add_test(tcase, one_behind_the_last_rule_for_its_calls);
	tcase_add_loop_test(tcase, one_with_a_demand, 0, LENGTH(demanding));
	tcase_add_test(tcase, a_demand_at_level_1);
	tcase_add_loop_test(tcase, early_ones_have_copies_in_front, 0,
			    LENGTH(early));
	tcase_add_test(tcase, few_rules_are_copied_for_daemons);
	tcase_add_test(tcase, watches_are_copied_for_daemons);
	tcase_add_test(tcase, calls_that_need_many_copies);
	tcase_add_test(tcase, an_end_for_what_removes_stays);
	tcase_add_test(tcase, readers_count_if_the_profile_is_a_guess);
	tcase_add_loop_test(tcase, level_1_keeps_what_level_2_added, 0, 3);
	tcase_add_test(tcase, a_rule_over_all_calls_is_copied_alone);
	tcase_add_test(tcase, no_demand_where_a_call_has_several_walks);
	tcase_add_test(tcase, calls_walk_past_to_one_that_asks_less);
	tcase_add_test(tcase, flags_are_those_of_one_call);
	tcase_add_test(tcase,
		       flags_without_arch_where_the_other_abi_does_not_mind);
	tcase_add_test(tcase, those_without_arch_in_front_of_those_with);
	tcase_add_test(tcase, an_old_one_of_no_use_goes);
	tcase_add_test(tcase, others_stay);
	tcase_add_test(tcase, one_line_each);
	tcase_add_test(tcase, numbers_for_both_abis);
	tcase_add_test(tcase, epochs_keep_their_order);
	tcase_add_test(tcase, unknown_kernels_may_let_anything_through_perm);
	tcase_add_test(tcase, the_pipeline_knows_them_again);
	tcase_add_test(tcase, the_pipeline_looks_again);
	tcase_add_loop_test(tcase, none_is_there_twice, 0,
			    sizeof(twice) / sizeof(twice[0]));
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
