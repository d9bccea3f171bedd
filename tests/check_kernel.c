/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The evaluator's walks: one test for each thing that the kernel does with a
 * rule set and that people get wrong. The fields are in
 * check_kernel_fields.c.
 */
#include <check.h>
#include <libaudit.h>
#include <sys/stat.h>

#include "lib/build.h"
#include "lib/calls.h"
#include "lib/suite.h"
#include "model/audit_names.h"

/* The lists. */

START_TEST(no_counted_rule_is_a_dummy)
{
	struct event e = call("read");

	expect("", &e, VERDICT_DUMMY, NULL);
	expect("exclude always msgtype=1300\nuser always uid=0\n"
	       "filesystem never fstype=0x9fa0",
	       &e, VERDICT_DUMMY, NULL);
	expect("never calls=open", &e, VERDICT_NONE, NULL);
	expect("task always uid=77", &e, VERDICT_NONE, NULL);
	expect("io_uring always calls=3", &e, VERDICT_NONE, NULL);
}
END_TEST

START_TEST(dir_rules_are_in_the_list)
{
	struct event e = call("unlink");

	/* a list rule that comes first ends the walk before it */
	e.dir = STRINGS("/etc");
	e.dirs = 1;
	expect("never calls=unlink\nalways dir=/etc key=d", &e, VERDICT_NEVER,
	       NULL);
	expect("always dir=/etc key=d\nnever calls=unlink", &e, VERDICT_RECORD,
	       "d");
}
END_TEST

START_TEST(bucket_rules_need_their_name)
{
	struct event e = call("unlink");
	struct event_name name = {
		.inode = 5, .path = STRINGS("/a"), .paths = 1};

	ck_assert(!records("always path=/a", &e));
	e.name = &name;
	e.names = 1;
	ck_assert(records("always path=/a", &e));
	ck_assert(!records("always path=/b", &e));
	ck_assert(records("always inode=5", &e));
	ck_assert(!records("always inode=37", &e));
	/* inode!= is in the list: some name has another inode */
	ck_assert(records("always inode!=6", &e));
	ck_assert(!records("always inode!=5", &e));
}
END_TEST

START_TEST(task_rules)
{
	struct event e = call("clone");
	const char *rules = "task never uid=5\ntask always uid=6 key=t\n"
			    "task never gid=7 key=n";
	struct ruleset *set = mk_ruleset(arena, x86, rules);

	ck_assert_int_eq(kernel_task(set, &e).verdict, VERDICT_NONE);
	e.uid = 5;
	ck_assert_int_eq(kernel_task(set, &e).verdict, VERDICT_NEVER);
	e.uid = 6;
	ck_assert_int_eq(kernel_task(set, &e).verdict, VERDICT_RECORD);
	ck_assert_str_eq(kernel_task(set, &e).key, "t");
	e.uid = 0;
	e.group = &(uint32_t){7};
	e.groups = 1;
	ck_assert_int_eq(kernel_task(set, &e).verdict, VERDICT_NEVER);
	ck_assert_ptr_null(kernel_task(set, &e).key);
}
END_TEST

/* There is no context at fork: what needs one is false, except that perm!=
 * and filetype!= find nothing, and hold. */
START_TEST(task_rules_have_no_context)
{
	struct event_name name = {.inode = 1, .uid = 0, .mode = S_IFDIR};
	struct event e = with_names(&name, 1);
	static const char *const no[] = {
		"task never ppid=99",	   "task never ppid!=1",
		"task never exit=0",	   "task never success=1",
		"task never a0=0",	   "task never arch=x86_64",
		"task never obj_uid!=99",  "task never perm=r",
		"task never filetype=dir", "task never uid:obj_uid="};

	for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++)
		ck_assert_int_eq(
			kernel_task(mk_ruleset(arena, x86, no[i]), &e).verdict,
			VERDICT_NONE);
	ck_assert_int_eq(
		kernel_task(mk_ruleset(arena, x86, "task never perm!=r"), &e)
			.verdict,
		VERDICT_NEVER);
	ck_assert_int_eq(
		kernel_task(mk_ruleset(arena, x86, "task never filetype!=dir"),
			    &e)
			.verdict,
		VERDICT_NEVER);
}
END_TEST

START_TEST(born_under_a_task_rule)
{
	struct event e = call("open");

	e.task_never = true;
	expect("always key=x", &e, VERDICT_DUMMY, NULL);
	e.task_never = false;
	e.task_always = true;
	expect("never\ntask always uid=0 key=t", &e, VERDICT_RECORD, "t");
	expect("always key=x", &e, VERDICT_RECORD, NULL);
}
END_TEST

static bool kept(const char *rules, uint32_t filter, const struct event *event)
{
	return kernel_record_kept(mk_ruleset(arena, x86, rules), filter, event);
}

START_TEST(exclude_ignores_the_action)
{
	struct event e = call("open");

	e.msgtype = 1307;
	ck_assert(
		!kept("exclude always msgtype=1307", AUDIT_FILTER_EXCLUDE, &e));
	ck_assert(
		!kept("exclude never msgtype=1307", AUDIT_FILTER_EXCLUDE, &e));
	ck_assert(
		kept("exclude always msgtype=1308", AUDIT_FILTER_EXCLUDE, &e));
	ck_assert(!kept("exclude always msgtype>1306 msgtype<1308",
			AUDIT_FILTER_EXCLUDE, &e));
}
END_TEST

START_TEST(record_filters_without_field_never_match)
{
	struct event e = call("open");

	ck_assert(kept("exclude always", AUDIT_FILTER_EXCLUDE, &e));
	ck_assert(kept("user never", AUDIT_FILTER_USER, &e));
	/* and the walk goes on */
	ck_assert(!kept("user never\nuser never uid=0", AUDIT_FILTER_USER, &e));
}
END_TEST

START_TEST(unknown_field_ends_the_record_walk)
{
	struct event e = call("open");

	ck_assert(!kept("user never uid=0", AUDIT_FILTER_USER, &e));
	ck_assert(kept("user never euid=0\nuser never uid=0", AUDIT_FILTER_USER,
		       &e));
	/* not asked if a field before it fails */
	ck_assert(!kept("user never uid=5 euid=0\nuser never uid=0",
			AUDIT_FILTER_USER, &e));
	/* the key is such a field */
	ck_assert(kept("user never uid=0 key=k\nuser never uid=0",
		       AUDIT_FILTER_USER, &e));
	ck_assert(kept("exclude always uid=0 key=k\nexclude always uid=0",
		       AUDIT_FILTER_EXCLUDE, &e));
	ck_assert(!kept("user never uid=5 key=k\nuser never uid=0",
			AUDIT_FILTER_USER, &e));
}
END_TEST

START_TEST(record_filters_first_match)
{
	struct event e = call("open");

	ck_assert(kept("user always uid=0\nuser never uid=0", AUDIT_FILTER_USER,
		       &e));
	ck_assert(!kept("user never uid=0\nuser always uid=0",
			AUDIT_FILTER_USER, &e));
	/* no supplementary groups here */
	e.group = &(uint32_t){7};
	e.groups = 1;
	ck_assert(kept("user never gid=7", AUDIT_FILTER_USER, &e));
	e.auid = UNSET;
	ck_assert(!kept("user never auid=unset", AUDIT_FILTER_USER, &e));
}
END_TEST

START_TEST(filesystem_filter)
{
	const char *rules = "filesystem never fstype=0x9fa0 key=k\n"
			    "filesystem always fstype=0xef53";
	struct ruleset *set = mk_ruleset(arena, x86, rules);

	ck_assert(!kernel_name_collected(set, 0x9fa0));
	ck_assert(kernel_name_collected(set, 0xef53));
	ck_assert(kernel_name_collected(set, 1));
	/* "always" does not protect from a later "never" */
	set = mk_ruleset(arena, x86,
			 "filesystem always fstype=1\n"
			 "filesystem never fstype!=2");
	ck_assert(!kernel_name_collected(set, 1));
	/* one of several tests is enough */
	set = mk_ruleset(arena, x86, "filesystem never fstype=1 fstype=2");
	ck_assert(!kernel_name_collected(set, 2));
}
END_TEST

START_TEST(uring_operations)
{
	struct event e = call("read");
	const char *rules = "always calls=18 key=exit\n"
			    "io_uring always calls=18 uid=0 key=ring";
	struct ruleset *set = mk_ruleset(arena, x86, rules);
	struct outcome outcome;

	e.number = 18;
	outcome = kernel_uring_exit(set, &e, NULL);
	ck_assert_int_eq(outcome.verdict, VERDICT_RECORD);
	ck_assert_str_eq(outcome.key, "ring");
	e.uid = 1;
	ck_assert_int_eq(kernel_uring_exit(set, &e, NULL).verdict,
			 VERDICT_NONE);
	/* a context of its own has no arch */
	e.uid = 0;
	set = mk_ruleset(arena, x86, "io_uring always arch=x86_64 calls=18");
	ck_assert_int_eq(kernel_uring_exit(set, &e, NULL).verdict,
			 VERDICT_NONE);
}
END_TEST

/* It walks the exit filter's buckets too, as call number 0 without arch. */
START_TEST(uring_operations_see_the_buckets)
{
	struct event e = call("read");
	struct event_name name = {
		.inode = 5, .path = STRINGS("/a"), .paths = 1};
	static const struct {
		const char *rule;
		enum verdict verdict;
	} item[] = {
		{"always path=/a", VERDICT_RECORD},
		{"always calls=0 path=/a", VERDICT_RECORD},
		{"always calls=18 path=/a", VERDICT_NONE},
		{"always arch=x86_64 path=/a", VERDICT_NONE},
		{"always arch=i386 path=/a", VERDICT_NONE},
		{"always path=/a perm=rwxa", VERDICT_NONE},
		{"always inode=5", VERDICT_RECORD},
		{"always calls=0", VERDICT_NONE},
	};

	e.number = 18;
	e.name = &name;
	e.names = 1;
	for (size_t i = 0; i < sizeof(item) / sizeof(item[0]); i++) {
		struct ruleset *set = mk_ruleset(arena, x86, item[i].rule);

		ck_assert_int_eq(kernel_uring_exit(set, &e, NULL).verdict,
				 item[i].verdict);
	}
}
END_TEST

/* And a call sees the bucket rules of the io_uring filter. */
START_TEST(calls_see_uring_bucket_rules)
{
	struct event e = call("open");
	struct event_name name = {.inode = 5};

	e.name = &name;
	e.names = 1;
	expect("io_uring always calls=open inode=5 key=u", &e, VERDICT_RECORD,
	       "u");
	expect("io_uring always calls=open uid=0 key=u", &e, VERDICT_NONE,
	       NULL);
}
END_TEST

/* The walk. */

START_TEST(first_match_wins)
{
	struct event e = call("open");

	expect("always calls=open key=one\nalways calls=open key=two", &e,
	       VERDICT_RECORD, "one");
	expect("never calls=open uid=5\nalways calls=open key=two", &e,
	       VERDICT_RECORD, "two");
	expect("never calls=open\nalways calls=open key=two", &e, VERDICT_NEVER,
	       NULL);
	expect("always calls=read", &e, VERDICT_NONE, NULL);
}
END_TEST

START_TEST(never_rules_set_the_key_too)
{
	struct event e = call("open");

	expect("never calls=open key=n", &e, VERDICT_NEVER, "n");
}
END_TEST

START_TEST(numbers_past_the_mask)
{
	struct event e = call("open");

	e.number = 0x40000000 + 2; /* x32 */
	ck_assert(!records("always", &e));
	e.number = 2048;
	ck_assert(!records("always", &e));
	e.number = 2031;
	ck_assert(records("always", &e));
	e.number = 2032; /* a class bit on the wire */
	ck_assert(!records("always", &e));
	e.number = -1;
	ck_assert(!records("always", &e));
}
END_TEST

START_TEST(earlier_bucket_rule_overrides)
{
	struct event_name name = {.path = STRINGS("/a"), .paths = 1};
	struct event e = with_names(&name, 1);

	expect("always path=/a key=p\nnever", &e, VERDICT_RECORD, "p");
	expect("never path=/a\nalways key=l", &e, VERDICT_NEVER, "l");
}
END_TEST

START_TEST(later_bucket_rule_cannot)
{
	struct event_name name = {.path = STRINGS("/a"), .paths = 1};
	struct event e = with_names(&name, 1);

	expect("never\nalways path=/a key=p", &e, VERDICT_NEVER, NULL);
	/* unless the list rule does not match */
	expect("never uid=5\nalways path=/a key=p", &e, VERDICT_RECORD, "p");
	expect("always key=l\nnever path=/a", &e, VERDICT_RECORD, "l");
}
END_TEST

START_TEST(first_name_with_a_match_decides)
{
	struct event_name name[] = {
		{.inode = 1, .path = STRINGS("/a"), .paths = 1},
		{.inode = 2, .path = STRINGS("/b"), .paths = 1},
	};
	struct event e = with_names(name, 2);
	const char *rules = "always path=/b key=b\nalways path=/a key=a";

	expect(rules, &e, VERDICT_RECORD, "a");
	e.name = &name[1];
	e.names = 1;
	expect(rules, &e, VERDICT_RECORD, "b");
	/* a first name without a match leaves it to the second */
	e = with_names(name, 2);
	expect("always path=/a uid=5 key=a\nnever path=/b", &e, VERDICT_NEVER,
	       NULL);
	/* and so does one whose only match is overridden */
	expect("always path=/b key=b\nnever calls=rename\nalways path=/a key=a",
	       &e, VERDICT_RECORD, "b");
}
END_TEST

START_TEST(lent_key)
{
	struct event_name name = {.path = STRINGS("/a"), .paths = 1};
	struct event e = with_names(&name, 1);

	expect("always path=/a\nalways calls=rename key=list", &e,
	       VERDICT_RECORD, "list");
	expect("always path=/a\nnever calls=rename key=list", &e,
	       VERDICT_RECORD, "list");
	expect("always path=/a\nalways calls=rename", &e, VERDICT_RECORD, NULL);
	/* a key of its own replaces it */
	expect("always path=/a key=own\nalways calls=rename key=list", &e,
	       VERDICT_RECORD, "own");
}
END_TEST

START_TEST(same_bucket_first_match)
{
	struct event_name name = {
		.inode = 5, .path = STRINGS("/a", "/link"), .paths = 2};
	struct event e = with_names(&name, 1);

	expect("never inode=37\nalways path=/link key=l\nalways path=/a key=a",
	       &e, VERDICT_RECORD, "l");
	expect("never inode=5\nalways path=/a key=a", &e, VERDICT_NEVER, NULL);
}
END_TEST

START_TEST(replaced_files_change_the_order)
{
	struct event_name name = {
		.inode = 5, .path = STRINGS("/a"), .paths = 1};
	struct event e = with_names(&name, 1);
	const char *rules = "never inode=5\nalways path=/a key=one\n"
			    "always path=/a key=two";

	expect(rules, &e, VERDICT_NEVER, NULL);
	e.replaced = 1;
	expect(rules, &e, VERDICT_RECORD, "one");
	e.replaced = 2;
	expect(rules, &e, VERDICT_RECORD, "two");
	e.replaced = 3;
	expect(rules, &e, VERDICT_RECORD, "one");
}
END_TEST

/* A walk inside a call (kernel_call_with). */
START_TEST(walks_inside_a_call)
{
	struct event_name name = {
		.inode = 5, .path = STRINGS("/a"), .paths = 1};
	struct event e = with_names(&name, 1), then = e;
	struct inner_walk inner = {INNER_WATCH, 0, &then};
	struct outcome after, outcome;

	/* the watch's walk comes first and nothing is known of the result */
	then.result = RESULT_NONE;
	outcome = kernel_call_with(mk_ruleset(arena, x86,
					      "always path=/a key=p\n"
					      "always path=/a success=1 key=q\n"
					      "never key=l"),
				   &e, &inner, 1, &after);
	ck_assert_int_eq(outcome.verdict, VERDICT_RECORD);
	ck_assert_str_eq(outcome.key, "p");
	/* its key is inherited, its match overridden */
	outcome = kernel_call_with(mk_ruleset(arena, x86,
					      "always calls=rename\n"
					      "never path=/a key=lent"),
				   &e, &inner, 1, &after);
	ck_assert_int_eq(after.verdict, VERDICT_NEVER);
	ck_assert_int_eq(outcome.verdict, VERDICT_RECORD);
	ck_assert_str_eq(outcome.key, "lent");
}
END_TEST

START_TEST(operations_inside_a_call)
{
	struct event e = call("io_uring_enter"), then = e;
	struct inner_walk inner = {INNER_URING, 18, &then};
	struct outcome after, outcome;
	struct ruleset *set = mk_ruleset(arena, x86,
					 "always calls=io_uring_enter uid=7 "
					 "key=call\n"
					 "io_uring always calls=18 key=ring");

	outcome = kernel_call_with(set, &e, &inner, 1, &after);
	ck_assert_int_eq(after.verdict, VERDICT_RECORD);
	ck_assert_str_eq(after.key, "ring");
	ck_assert_int_eq(outcome.verdict, VERDICT_RECORD);
	/* with the operation's credentials the exit list is asked first */
	then.uid = 7;
	outcome = kernel_call_with(set, &e, &inner, 1, &after);
	ck_assert_str_eq(after.key, "call");
	ck_assert_str_eq(outcome.key, "call");
	/* and the io_uring list not at all if that one records */
	set = mk_ruleset(arena, x86,
			 "io_uring always calls=18 key=ring\n"
			 "always calls=io_uring_enter key=call");
	kernel_call_with(set, &e, &inner, 1, &after);
	ck_assert_str_eq(after.key, "call");
}
END_TEST

struct step {
	size_t position;
	bool in_mask, overridden;
	unsigned int fields;
	const struct field_test *failed;
	int name;
};

struct steps {
	struct step item[16];
	size_t count;
};

static void take_step(void *data, size_t position, bool in_mask,
		      bool overridden, unsigned int fields,
		      const struct field_test *test, int name)
{
	struct steps *steps = data;

	ck_assert_uint_lt(steps->count, 16);
	steps->item[steps->count++] = (struct step){
		position, in_mask, overridden, fields, test, name};
}

static void expect_step(const struct step *step, size_t position, bool in_mask,
			bool overridden, unsigned int fields, bool fails,
			int name)
{
	ck_assert_uint_eq(step->position, position);
	ck_assert_int_eq(step->in_mask, in_mask);
	ck_assert_int_eq(step->overridden, overridden);
	ck_assert_uint_eq(step->fields, fields);
	ck_assert_int_eq(step->failed != NULL, fails);
	ck_assert_int_eq(step->name, name);
}

START_TEST(the_observer_sees_the_walk)
{
	struct event_name name[] = {
		{.inode = 5 + 32},
		{.inode = 6, .path = STRINGS("/a"), .paths = 1},
	};
	struct event e = with_names(name, 2);
	struct steps steps = {.count = 0};
	struct walk_observer watcher = {take_step, &steps};
	const char *rules = "always calls=read\n"	  /* 0 */
			    "always uid=0 gid=5 auid=1\n" /* 1 */
			    "always path=/b\n"		  /* 2 */
			    "never uid=0 gid=0\n"	  /* 3 */
			    "always key=unreached\n"	  /* 4 */
			    "always inode=5\n"		  /* 5 */
			    "always path=/a";		  /* 6 */

	kernel_syscall_exit(mk_ruleset(arena, x86, rules), &e, &watcher);
	ck_assert_uint_eq(steps.count, 5);
	expect_step(&steps.item[0], 0, false, false, 0, false, -1);
	expect_step(&steps.item[1], 1, true, false, 2, true, -1);
	expect_step(&steps.item[2], 3, true, false, 2, false, -1);
	expect_step(&steps.item[3], 5, true, true, 0, false, 0);
	expect_step(&steps.item[4], 6, true, true, 0, false, 1);
}
END_TEST

static void add_tests(TCase *tcase)
{
	tcase_add_test(tcase, no_counted_rule_is_a_dummy);
	tcase_add_test(tcase, dir_rules_are_in_the_list);
	tcase_add_test(tcase, bucket_rules_need_their_name);
	tcase_add_test(tcase, task_rules);
	tcase_add_test(tcase, task_rules_have_no_context);
	tcase_add_test(tcase, born_under_a_task_rule);
	tcase_add_test(tcase, exclude_ignores_the_action);
	tcase_add_test(tcase, record_filters_without_field_never_match);
	tcase_add_test(tcase, unknown_field_ends_the_record_walk);
	tcase_add_test(tcase, record_filters_first_match);
	tcase_add_test(tcase, filesystem_filter);
	tcase_add_test(tcase, uring_operations);
	tcase_add_test(tcase, uring_operations_see_the_buckets);
	tcase_add_test(tcase, calls_see_uring_bucket_rules);
	tcase_add_test(tcase, first_match_wins);
	tcase_add_test(tcase, never_rules_set_the_key_too);
	tcase_add_test(tcase, numbers_past_the_mask);
	tcase_add_test(tcase, earlier_bucket_rule_overrides);
	tcase_add_test(tcase, later_bucket_rule_cannot);
	tcase_add_test(tcase, first_name_with_a_match_decides);
	tcase_add_test(tcase, lent_key);
	tcase_add_test(tcase, same_bucket_first_match);
	tcase_add_test(tcase, replaced_files_change_the_order);
	tcase_add_test(tcase, walks_inside_a_call);
	tcase_add_test(tcase, operations_inside_a_call);
	tcase_add_test(tcase, the_observer_sees_the_walk);
}

int main(void)
{
	Suite *suite = suite_create("kernel");
	TCase *tcase = tcase_create("walks");

	tcase_add_checked_fixture(tcase, calls_setup, calls_teardown);
	add_tests(tcase);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
