/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The catalogue of findings: each example shows its finding, each better one
 * does not, and nothing is told that the catalogue does not have.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/findings.h"
#include "lib/suite.h"

#include "check/catalogue.h"

TEST_ARENA;

/* Some findings are of some versions and machines alone. */
static const struct read_as readings[] = {
	{NULL, AUDITCTL_VERSION(3, 0, 9), NULL, false},
	{NULL, AUDITCTL_VERSION(3, 1, 3), NULL, false},
	{NULL, AUDITCTL_VERSION(4, 0, 4), NULL, false},
	{NULL, AUDITCTL_VERSION(4, 2, 0), NULL, false},
	{"aarch64", AUDITCTL_VERSION(3, 1, 3), NULL, false},
};

#define READINGS (sizeof(readings) / sizeof(readings[0]))

/* Its example, unless it is of commands, which tests/cli_check.sh runs. */
static const char *example(const struct catalogue_row *row)
{
	return row->bad && row->bad[0] != '$' ? row->bad : NULL;
}

START_TEST(examples_show_their_finding)
{
	const struct catalogue_row *row;
	size_t shown = 0;

	for (size_t i = 0; (row = catalogue_row(i)); i++) {
		bool bad = false;

		for (size_t r = 0; example(row) && r < READINGS; r++) {
			struct found_in found =
				find_in(arena, row->bad, &readings[r]);

			bad = bad || find_id(&found, row->id);
			for (size_t f = 0; f < found.findings.count; f++)
				ck_assert_msg(
					catalogue_find(
						found.findings.item[f].d.id),
					"%s is not in the catalogue",
					found.findings.item[f].d.id);
		}
		ck_assert_msg(bad || !example(row),
			      "%s: its example does not show it", row->id);
		shown += bad;
	}
	ck_assert_uint_ge(shown, 70);
}
END_TEST

START_TEST(better_examples_do_not)
{
	const struct catalogue_row *row;

	for (size_t i = 0; (row = catalogue_row(i)); i++)
		for (size_t r = 0; row->good && r < READINGS; r++) {
			struct found_in found =
				find_in(arena, row->good, &readings[r]);

			ck_assert_msg(!find_id(&found, row->id),
				      "%s: the better example shows it, too "
				      "(reading %zu)",
				      row->id, r);
		}
}
END_TEST

START_TEST(rows_are_whole_and_in_order)
{
	const struct catalogue_row *row, *before = NULL;
	size_t i;

	for (i = 0; (row = catalogue_row(i)); i++) {
		ck_assert_msg(!before || strcmp(before->id, row->id) < 0,
			      "%s is twice or not in order", row->id);
		ck_assert_ptr_eq(catalogue_find(row->id), row);
		ck_assert_msg(row->title && *row->title, "%s", row->id);
		ck_assert_msg(row->why[strlen(row->why) - 1] == '.', "%s",
			      row->id);
		ck_assert_msg(row->advice[strlen(row->advice) - 1] == '.', "%s",
			      row->id);
		before = row;
	}
	ck_assert_ptr_null(catalogue_find("no-such-id"));
	ck_assert_str_eq(catalogue_nearest("late-nevre"), "late-never");
	ck_assert_ptr_null(catalogue_nearest("xyzzy"));
}
END_TEST

/* The severity of a row is what most cases have: that of its example must be
 * it in some reading. */
START_TEST(severities_are_those_of_the_examples)
{
	const struct catalogue_row *row;

	for (size_t i = 0; (row = catalogue_row(i)); i++) {
		bool same = !example(row);

		for (size_t r = 0; example(row) && r < READINGS; r++) {
			struct found_in found =
				find_in(arena, row->bad, &readings[r]);

			for (size_t f = 0; f < found.findings.count; f++) {
				const struct diagnostic *d =
					&found.findings.item[f].d;

				same = same || (d->severity == row->severity &&
						!strcmp(d->id, row->id));
			}
		}
		ck_assert_msg(same, "%s: its example has another severity",
			      row->id);
	}
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("catalogue");
	TCase *t = tcase_create("rows");

	tcase_add_checked_fixture(t, begin_arena, end_arena);
	tcase_set_timeout(t, 60);
	tcase_add_test(t, examples_show_their_finding);
	tcase_add_test(t, better_examples_do_not);
	tcase_add_test(t, rows_are_whole_and_in_order);
	tcase_add_test(t, severities_are_those_of_the_examples);
	suite_add_tcase(s, t);
	return s;
}

int main(void)
{
	return run_suite(suite());
}
