/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is told of sets that are not the same: the calls that show it, and where
 * there are none, the reason.
 */
#include <check.h>
#include <string.h>

#include "lib/build.h"
#include "lib/suite.h"
#include "model/audit_names.h"
#include "verify/equivalence.h"

#define MOST_LINES 8

TEST_ARENA;

static struct verification differing(const char *before, const char *after)
{
	const struct target *target = mk_target("x86_64");
	const struct verify_options options = {.level = 1,
					       .all_witnesses = true};

	return verify_equivalent(arena, mk_ruleset(arena, target, before),
				 mk_ruleset(arena, target, after), &options);
}

/* What the class of the native CALL comes to. */
static const struct class_proof *class_of(const struct verification *v,
					  const char *call)
{
	int number = target_call_number(mk_target("x86_64"), ABI_NATIVE, call);

	for (size_t i = 0; i < v->count; i++)
		if (v->item[i].filter == AUDIT_FILTER_EXIT &&
		    syscall_set_has(&v->item[i].calls, ABI_NATIVE, number))
			return &v->item[i];
	ck_abort_msg("no class has %s", call);
}

static bool names_file(const struct event *event, const char *path)
{
	for (size_t i = 0; i < event->names; i++)
		for (size_t j = 0; j < event->name[i].paths; j++)
			if (strcmp(event->name[i].path[j], path) == 0)
				return true;
	return false;
}

/* The witness of ITEM that is recorded with key x before, and not at all after;
 * NULL: none. */
static const struct witness *lost(const struct class_proof *item)
{
	for (size_t i = 0; i < item->witnesses; i++) {
		const struct witness *w = &item->witness[i];

		if (w->before.verdict == VERDICT_RECORD &&
		    strcmp(w->before.key, "x") == 0 &&
		    w->after.verdict == VERDICT_NONE)
			return w;
	}
	return NULL;
}

/* Watches with one key, rules for a directory and for calls among them. */
static const struct watches {
	const char *line[MOST_LINES], *path[MOST_LINES]; /* NULL: not lost */
} watches[] = {
	{{"watch path=/etc/hosts perm=wa key=x", "watch path=/f1 perm=wa key=x",
	  "watch path=/f2 perm=wa key=x"},
	 {"/etc/hosts", "/f1", "/f2"}},
	/* two that may turn out to be directories */
	{{"watch path=/etc/hosts perm=wa key=x",
	  "watch unsettled path=/f1 perm=wa key=x",
	  "watch unsettled path=/f2 perm=wa key=x"},
	 {"/etc/hosts", NULL, NULL}},
	{{"watch path=/etc/group perm=wa key=x",
	  "watch path=/etc/passwd perm=wa key=x",
	  "calls=openat exit=-EACCES auid>=1000 auid!=unset key=y",
	  "watch path=/etc/shadow perm=wa key=x",
	  "watch dir=/etc/sysconfig perm=wa key=z",
	  "watch path=/etc/issue perm=wa key=x",
	  "calls=openat exit=-EPERM auid>=1000 auid!=unset key=y",
	  "watch path=/etc/gshadow perm=wa key=x"},
	 {"/etc/group", "/etc/passwd", NULL, "/etc/shadow", NULL, "/etc/issue",
	  NULL, "/etc/gshadow"}},
};

/* The lines of W; all but number LEFT_OUT. */
static const char *lines_of(const struct watches *w, size_t left_out)
{
	const char *text = "";

	for (size_t i = 0; i < MOST_LINES && w->line[i]; i++)
		if (i != left_out)
			text = arena_printf(arena, "%s%s\n", text, w->line[i]);
	return text;
}

START_TEST(each_lost_watch_is_shown)
{
	const struct watches *w = &watches[_i];
	static const char *const calls[] = {"openat", "chmod", "unlinkat"};

	for (size_t i = 0; i < MOST_LINES && w->line[i]; i++) {
		struct verification v =
			differing(lines_of(w, MOST_LINES), lines_of(w, i));

		ck_assert_msg(v.proof == PROOF_DIFFERENT, "%s", w->line[i]);
		for (size_t j = 0; w->path[i] && j < 3; j++) {
			const struct witness *found =
				lost(class_of(&v, calls[j]));

			ck_assert_msg(
				found && names_file(found->event, w->path[i]),
				"%s, %s: no witness", w->line[i], calls[j]);
		}
	}
}
END_TEST

/* A test that became narrower, of rules for one file; execve runs operations,
 * too, and that is no excuse. */
START_TEST(narrower_user_is_shown)
{
	static const char *const calls[] = {"chmod", "execve", "unlinkat"};
	const char *call = calls[_i];
	struct verification v = differing(
		arena_printf(arena, "calls=%s path=/bin/su auid!=unset key=x",
			     call),
		arena_printf(arena, "calls=%s path=/bin/su auid>=1000 key=x",
			     call));
	const struct class_proof *item = class_of(&v, call);
	const struct witness *w = lost(item);

	ck_assert_int_eq(item->proof, PROOF_DIFFERENT);
	ck_assert_ptr_null(item->why);
	ck_assert_ptr_nonnull(w);
	ck_assert_uint_lt(w->event->auid, 1000);
	ck_assert(names_file(w->event, "/bin/su"));
}
END_TEST

/* A rule of the list before a watch: a call that meets both says nothing of a
 * watch that is gone. */
START_TEST(lost_behind_the_list)
{
	struct verification v =
		differing("calls=openat auid>=1000 auid!=unset key=x\n"
			  "calls=all path=/a perm=wa key=x",
			  "calls=openat auid>=1000 auid!=unset key=x");
	const struct witness *w = lost(class_of(&v, "openat"));

	ck_assert_ptr_nonnull(w);
	ck_assert(names_file(w->event, "/a"));
	ck_assert(w->event->auid < 1000 || w->event->auid == UINT32_MAX);
}
END_TEST

/* Opened to be read and written: perm and the flags go together. */
START_TEST(flags_do_both)
{
	struct verification v = differing(
		"calls=open a1&3 path=/a perm=r key=x\ncalls=getpid key=y",
		"calls=getpid key=y");
	const struct witness *w = lost(class_of(&v, "open"));

	ck_assert_ptr_nonnull(w);
	ck_assert_uint_ge(w->event->argv[1] & 3, 2);
}
END_TEST

/* Operations are the reason only where all else is the same. */
START_TEST(operations_are_the_reason)
{
	static const struct {
		const char *before, *after;
		bool operations;
	} sets[] = {
		{"calls=execve uid=0 key=a\ncalls=execve uid=5 key=b",
		 "calls=execve uid=5 key=b\ncalls=execve uid=0 key=a", true},
		/* never holds, which is not known of a comparison */
		{"calls=execve uid:auid= uid=5 auid=6 key=a\n"
		 "calls=execve uid=5 key=b",
		 "calls=execve uid=5 key=b", false},
	};

	for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++) {
		struct verification v =
			differing(sets[i].before, sets[i].after);
		const struct class_proof *item = class_of(&v, "execve");

		ck_assert_msg(item->proof == PROOF_NONE, "set %zu: %d", i,
			      item->proof);
		ck_assert_msg(!!strstr(item->why, "io_uring operations") ==
				      sets[i].operations,
			      "set %zu: %s", i, item->why);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("witnesses");
	TCase *tcase = tcase_create("witnesses");

	tcase_set_timeout(tcase, 0);
	tcase_add_checked_fixture(tcase, begin_arena, end_arena);
	tcase_add_loop_test(tcase, each_lost_watch_is_shown, 0,
			    (int)(sizeof(watches) / sizeof(watches[0])));
	tcase_add_loop_test(tcase, narrower_user_is_shown, 0, 3);
	tcase_add_test(tcase, lost_behind_the_list);
	tcase_add_test(tcase, flags_do_both);
	tcase_add_test(tcase, operations_are_the_reason);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
