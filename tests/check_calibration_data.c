/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The figures of the cost model are what bench/calibration measured. */
#include <check.h>
#include <libaudit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/build.h"
#include "lib/suite.h"
#include "model/audit_names.h"
#include "model/field.h"
#include "model/price.h"

#define MOST_CELLS 4096

struct cell {
	char set[32], call[32];
	double instructions;
};

static struct cell cell[MOST_CELLS];
static size_t cells;
static const struct prices *prices;

/* What was measured on one kernel of the table. */
static void read_file(unsigned int kernel)
{
	const char *top = getenv("AUDITOPT_SRCDIR");
	char path[4096], line[256];
	FILE *file;

	prices = prices_row(kernel);
	snprintf(path, sizeof(path), "%s/bench/calibration/linux-%s.txt",
		 top ? top : ".", prices->kernel);
	file = fopen(path, "r");
	ck_assert_msg(file != NULL, "no %s", path);
	cells = 0;
	while (cells < MOST_CELLS && fgets(line, sizeof(line), file)) {
		struct cell *c = &cell[cells];

		cells += sscanf(line, "cell %31s %31s %lf", c->set, c->call,
				&c->instructions) == 3;
	}
	fclose(file);
	ck_assert_uint_gt(cells, 900);
}

/* Above the same call without rules. */
static double above(const char *set, const char *call)
{
	double with = -1, without = -1;

	for (size_t i = 0; i < cells; i++) {
		if (strcmp(cell[i].call, call) != 0)
			continue;
		if (strcmp(cell[i].set, set) == 0)
			with = cell[i].instructions;
		if (strcmp(cell[i].set, "zero") == 0)
			without = cell[i].instructions;
	}
	ck_assert_msg(with >= 0 && without >= 0, "%s %s was not measured", set,
		      call);
	return with - without;
}

/* One of twenty like rules that are entered. */
static double entered(const char *set, const char *call)
{
	return (above(set, call) - above("passed:1", call) +
		prices->rule_passed) /
	       20;
}

#define NEAR(figure, measured, most)                                  \
	ck_assert_msg((figure) > (measured) - (most) &&               \
			      (figure) < (measured) + (most),         \
		      "Linux %s: " #figure " is %g, measured was %g", \
		      prices->kernel, (double)(figure), (double)(measured))

START_TEST(test_walk)
{
	double context = above("bucket-passed:1", "getppid");
	double one = above("passed:1", "getppid");

	NEAR(prices->context_in_use, context, 1);
	NEAR(prices->rule_passed, (above("passed:20", "getppid") - one) / 19,
	     0.5);
	NEAR(prices->list_ended, one - context - prices->rule_passed, 1.5);
	NEAR(prices->rule_matched, above("matched:1", "getppid") - context,
	     1.5);
	NEAR(prices->rule_entered, entered("pers=7:20", "getppid") - 48, 1.5);
	NEAR(prices->field_further,
	     entered("further-a0:20", "fstat") -
		     entered("a0=77777:20", "fstat"),
	     3);
}
END_TEST

/* What the field table has for 6.1 holds for all, but for what the walk itself
 * costs. */
START_TEST(test_fields)
{
	static const struct {
		const char *set;
		uint32_t field;
	} fields[] = {
		{"pid=7:20", AUDIT_PID},
		{"uid=7:20", AUDIT_UID},
		{"gid=7:20", AUDIT_GID},
		{"auid=7:20", AUDIT_LOGINUID},
		{"pers=7:20", AUDIT_PERS},
		{"arch=b32:20", AUDIT_ARCH},
		{"subj_user=none:20", AUDIT_SUBJ_USER},
		{"ppid=7:20", AUDIT_PPID},
		{"sessionid=7:20", AUDIT_SESSIONID},
		{"filetype=block:20", AUDIT_FILETYPE},
		{"exit=-99:20", AUDIT_EXIT},
		{"success=0:20", AUDIT_SUCCESS},
		{"exe=_init:20", AUDIT_EXE},
		{"obj_uid=7:20", AUDIT_OBJ_UID},
		{"uid_c:20", AUDIT_FIELD_COMPARE},
		{"saddr_fam=2:20", AUDIT_SADDR_FAM},
		{"a0=77777:20", AUDIT_ARG0},
		{"perm=wa:20", AUDIT_PERM},
		{"dir:20", AUDIT_DIR},
	};

	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		const struct field_info *field =
			field_by_number(fields[i].field);
		double figure =
			field->cost_fail - PRICE_RULE_ENTERED +
			prices->rule_entered +
			(field->kind == FIELD_EXE ? prices->exe_more : 0);
		double measured = entered(fields[i].set, "getppid");

		ck_assert_msg(figure > measured - 5 && figure < measured + 5,
			      "Linux %s: %s is %g, measured was %g",
			      prices->kernel, field->name, figure, measured);
	}
}
END_TEST

START_TEST(test_perm)
{
	double other = entered("perm=x:20", "getppid");

	NEAR(prices->perm_call, other - prices->rule_entered, 2);
	NEAR(prices->perm_class, entered("perm=w:20", "getppid") - other, 2);
	NEAR(prices->perm_class,
	     (entered("perm=rwxa:20", "getppid") - other) / 3, 2);
	NEAR(prices->perm_open,
	     entered("perm=wa:20", "openat") - prices->rule_entered, 2);
	NEAR(prices->perm_open,
	     entered("perm=wa:20", "open") - prices->rule_entered, 9);
}
END_TEST

START_TEST(test_fields_of_names)
{
	NEAR(prices->name_owner,
	     (entered("obj_uid=7:20", "rename") -
	      entered("obj_uid=7:20", "getppid")) /
		     4,
	     1.5);
	NEAR(prices->name_owner,
	     entered("obj_uid=7:20", "stat") -
		     entered("obj_uid=7:20", "getppid"),
	     1.5);
	NEAR(prices->name_type,
	     entered("filetype=block:20", "stat") -
		     entered("filetype=block:20", "getppid"),
	     1.5);
	NEAR(prices->rule_entered + prices->name_alone,
	     (above("bucket-entered:20", "stat") -
	      above("bucket-passed:1", "stat") + prices->rule_passed) /
		     20,
	     2);
}
END_TEST

/* Each call that the table of namings has and that was measured; but setxattr,
 * of which each second one allocates more. */
START_TEST(test_namings)
{
	static const char *const calls[] = {
		"getppid", "fstat",    "read",	   "stat",   "newfstatat",
		"access",  "statfs",   "open",	   "openat", "creat",
		"socket",  "chmod",    "fchmod",   "chown",  "utimensat",
		"close",   "truncate", "readlink", "mkdir",  "mknod",
		"rmdir",   "unlink",   "rename",   "link",   "symlink",
		"chdir"};
	const struct target *x86 = mk_target("x86_64");
	double least = above("matched:1", "getppid");

	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		int n = target_call_number(x86, ABI_NATIVE, calls[i]);
		const struct naming_price *naming =
			&prices->naming[call_naming(x86, ABI_NATIVE, n)];
		double collected = above("matched:1", calls[i]) - least;
		double names = (above("bucket-passed:20", calls[i]) -
				above("bucket-passed:1", calls[i])) /
			       19 / prices->rule_passed;

		ck_assert_msg(naming->names > names - 0.05 &&
				      naming->names < names + 0.05,
			      "Linux %s: %s collects %g names, not %d",
			      prices->kernel, calls[i], names, naming->names);
		ck_assert_msg(
			naming->collected >= collected * 0.975 - 4 &&
				naming->collected <= collected * 1.025 + 4,
			"Linux %s: the names of %s cost %g, not %d",
			prices->kernel, calls[i], collected, naming->collected);
	}
}
END_TEST

/* What a file system with a watch costs: one event by itself, and those that
 * each call is said to make; half an event may be other things (the look at the
 * watch of the directory above). */
START_TEST(test_watched)
{
	static const char *const calls[] = {"stat",   "chmod",	"truncate",
					    "mkdir",  "rename", "link",
					    "unlink", "symlink"};
	const struct target *x86 = mk_target("x86_64");
	double before = above("passed:1", "pwrite64") - prices->rule_passed -
			prices->list_ended;
	double opened;

	NEAR(prices->watched_event, above("watch:1", "pwrite64") - before, 4);
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		int n = target_call_number(x86, ABI_NATIVE, calls[i]);
		int events =
			prices->naming[call_naming(x86, ABI_NATIVE, n)].events;
		double more = above("watch:1", calls[i]) -
			      above("bucket-passed:1", calls[i]);

		ck_assert_msg(events > more / prices->watched_event - 1 &&
				      events < more / prices->watched_event + 1,
			      "Linux %s: %s makes %g events, not %d",
			      prices->kernel, calls[i],
			      more / prices->watched_event, events);
	}
	opened = above("watch:1", "openat") -
		 above("bucket-passed:1", "openat") +
		 above("watch:1", "close") - above("bucket-passed:1", "close");
	NEAR(prices->naming[NAMING_READ].events,
	     (above("watch:1", "pread64") - above("watch:1", "getppid")) /
		     prices->watched_event,
	     0.1);
	NEAR(prices->naming[NAMING_WRITE].events,
	     (above("watch:1", "pwrite64") - above("watch:1", "getppid")) /
		     prices->watched_event,
	     0.1);
	NEAR(prices->naming[NAMING_OPEN].events, opened / prices->watched_event,
	     0.5);
}
END_TEST

static void read_first(void)
{
	read_file(0);
}

static void read_second(void)
{
	read_file(1);
}

/* All of the table are tested. */
START_TEST(test_kernels)
{
	ck_assert_ptr_nonnull(prices_row(1));
	ck_assert_ptr_null(prices_row(2));
}
END_TEST

static void add_kernel(Suite *suite, const char *name, SFun setup)
{
	TCase *tc = tcase_create(name);

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, test_walk);
	tcase_add_test(tc, test_fields);
	tcase_add_test(tc, test_perm);
	tcase_add_test(tc, test_fields_of_names);
	tcase_add_test(tc, test_namings);
	tcase_add_test(tc, test_watched);
	tcase_add_test(tc, test_kernels);
	suite_add_tcase(suite, tc);
}

int main(void)
{
	Suite *suite = suite_create("calibration data");

	add_kernel(suite, "6.1", read_first);
	add_kernel(suite, "6.12", read_second);
	return run_suite(suite);
}
