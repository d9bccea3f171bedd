/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/field.h"

#include <check.h>
#include <libaudit.h>
#include <linux/audit.h>
#include <stdlib.h>
#include <string.h>

#include "lib/suite.h"
#include "model/compare.h"

#ifndef AUDIT_FILTER_URING_EXIT
#define AUDIT_FILTER_URING_EXIT 7
#endif

#define EQUALITY (OP_EQ | OP_NE)
#define ORDER (EQUALITY | OP_LT | OP_LE | OP_GT | OP_GE)
#define ALL_OPS 0xff

static bool in_list(const char *list, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = list; (at = strstr(at, name)); at += length)
		if ((at == list || at[-1] == ' ') &&
		    (at[length] == ' ' || at[length] == '\0'))
			return true;
	return false;
}

static const struct field_info *row_of(const char *name)
{
	const struct field_info *row;

	for (unsigned int i = 0; (row = field_row(i)); i++)
		if (strcmp(row->name, name) == 0)
			return row;
	ck_abort_msg("no field %s", name);
}

/* Every number that audit_field_valid knows, and no other. */
START_TEST(every_field_of_the_kernel)
{
	static const uint32_t numbers[] = {
		0,   1,	  2,   3,   4,	 5,   6,   7,	8,   9,	  10,  11,
		12,  13,  14,  15,  16,	 17,  18,  19,	20,  21,  22,  23,
		24,  25,  26,  100, 101, 102, 103, 104, 105, 106, 107, 108,
		109, 110, 111, 112, 113, 200, 201, 202, 203, 210,
	};
	size_t at = 0;

	for (uint32_t n = 0; n < 300; n++) {
		const struct field_info *row = field_by_number(n);
		bool known = at < sizeof(numbers) / sizeof(numbers[0]) &&
			     numbers[at] == n;

		ck_assert_msg((row != NULL) == known, "field %u", n);
		if (!known)
			continue;
		ck_assert_uint_eq(row->number, n);
		at++;
	}
	ck_assert_ptr_null(field_by_number(UINT32_MAX));
}
END_TEST

START_TEST(names_are_those_of_libaudit)
{
	const struct field_info *row;

	for (unsigned int i = 0; (row = field_row(i)); i++) {
		const char *name = audit_field_to_name((int)row->number);

		ck_assert_ptr_nonnull(row->name);
		/* -C and auid=unset have no field name to write. */
		if (row->kind == FIELD_COMPARE ||
		    row->kind == FIELD_LOGINUID_SET)
			continue;
		ck_assert_msg(name != NULL, "%s", row->name);
		ck_assert_int_eq(audit_name_to_field(row->name),
				 (int)row->number);
	}
}
END_TEST

START_TEST(operators_as_audit_field_valid)
{
	static const char all[] = "a0 a1 a2 a3 pers devminor";
	static const char order[] =
		"uid euid suid fsuid auid obj_uid gid egid sgid fsgid obj_gid "
		"pid msgtype ppid devmajor exit success inode sessionid "
		"subj_sen subj_clr obj_lev_low obj_lev_high saddr_fam";
	static const char equality[] =
		"subj_user subj_role subj_type obj_user obj_role obj_type path "
		"dir key loginuid_set arch fstype perm filetype field_compare "
		"exe";
	const struct field_info *row;

	for (unsigned int i = 0; (row = field_row(i)); i++) {
		unsigned int expected = in_list(all, row->name)	    ? ALL_OPS
					: in_list(order, row->name) ? ORDER
					: in_list(equality, row->name)
						? EQUALITY
						: 0;

		ck_assert_msg(expected != 0, "%s", row->name);
		ck_assert_msg(row->ops == expected, "%s: %#x", row->name,
			      row->ops);
	}
}
END_TEST

/* Where a field can be true: audit_filter_rules with and without a context,
 * audit_filter, and the walk in __audit_inode. */
START_TEST(filters)
{
	static const char task[] =
		"pid exe uid euid suid fsuid gid egid sgid fsgid sessionid "
		"pers auid loginuid_set subj_user subj_role subj_type subj_sen "
		"subj_clr perm filetype field_compare key";
	static const char record[] =
		"pid uid gid auid loginuid_set msgtype subj_user subj_role "
		"subj_type subj_sen subj_clr exe";
	static const char not_a_call[] = "msgtype fstype";
	const struct field_info *row;

	for (unsigned int i = 0; (row = field_row(i)); i++) {
		const char *name = row->name;
		bool call = !in_list(not_a_call, name);
		unsigned int expected = 0;

		if (call)
			expected |= 1 << AUDIT_FILTER_EXIT;
		if (call && strcmp(name, "perm") != 0)
			expected |= 1 << AUDIT_FILTER_URING_EXIT;
		if (in_list(task, name))
			expected |= 1 << AUDIT_FILTER_TASK;
		if (in_list(record, name))
			expected |= 1 << AUDIT_FILTER_USER |
				    1 << AUDIT_FILTER_EXCLUDE;
		if (in_list("fstype key", name))
			expected |= 1 << AUDIT_FILTER_FS;
		ck_assert_msg(row->filters == expected, "%s: %#x not %#x", name,
			      row->filters, expected);
	}
}
END_TEST

START_TEST(string_fields)
{
	static const char strings[] =
		"subj_user subj_role subj_type subj_sen subj_clr obj_user "
		"obj_role obj_type obj_lev_low obj_lev_high path dir exe key";
	const struct field_info *row;

	for (unsigned int i = 0; (row = field_row(i)); i++)
		ck_assert_msg(row->is_string == in_list(strings, row->name),
			      "%s", row->name);
}
END_TEST

START_TEST(kinds_that_are_easily_confused)
{
	ck_assert_int_eq(row_of("gid")->kind, FIELD_GROUP);
	ck_assert_int_eq(row_of("egid")->kind, FIELD_GROUP);
	ck_assert_int_eq(row_of("sgid")->kind, FIELD_GID);
	ck_assert_int_eq(row_of("fsgid")->kind, FIELD_GID);
	ck_assert_int_eq(row_of("obj_gid")->kind, FIELD_NAME);
	ck_assert_int_eq(row_of("exit")->kind, FIELD_RESULT);
	ck_assert_int_eq(row_of("success")->kind, FIELD_RESULT);
	ck_assert_int_eq(row_of("saddr_fam")->kind, FIELD_OPTIONAL);
	ck_assert_int_eq(row_of("filetype")->kind, FIELD_FILETYPE);
	ck_assert_int_eq(row_of("sessionid")->kind, FIELD_NUMBER);
	ck_assert_int_eq(row_of("auid")->kind, FIELD_UID);
	ck_assert_int_eq(row_of("a0")->kind, FIELD_NUMBER);
}
END_TEST

START_TEST(costs)
{
	const struct field_info *row;

	for (unsigned int i = 0; (row = field_row(i)); i++) {
		ck_assert_ptr_nonnull(row->cost_source);
		if (row->kind == FIELD_KEY)
			ck_assert_uint_eq(row->cost_fail, 0);
		else
			ck_assert_uint_ge(row->cost_fail, 88);
		ck_assert_uint_le(row->cost_fail, 170);
	}
	ck_assert_uint_eq(row_of("perm")->cost_fail, 170);
	ck_assert_uint_eq(row_of("exe")->cost_fail, 156);
	ck_assert_uint_eq(row_of("dir")->cost_fail, 104);
	ck_assert_uint_eq(row_of("subj_type")->cost_fail, 88);
}
END_TEST

START_TEST(operators)
{
	static const struct {
		uint32_t audit;
		enum field_op op;
		const char *symbol;
	} known[] = {
		{0x40000000, OP_EQ, "="},	{0x30000000, OP_NE, "!="},
		{0x10000000, OP_LT, "<"},	{0x50000000, OP_LE, "<="},
		{0x20000000, OP_GT, ">"},	{0x60000000, OP_GE, ">="},
		{0x08000000, OP_BIT_MASK, "&"}, {0x48000000, OP_BIT_TEST, "&="},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		ck_assert_int_eq(field_op_from_audit(known[i].audit),
				 known[i].op);
		ck_assert_uint_eq(field_op_to_audit(known[i].op),
				  known[i].audit);
		ck_assert_str_eq(field_op_symbol(known[i].op), known[i].symbol);
		ck_assert_str_eq(audit_operator_to_symbol((int)known[i].audit),
				 known[i].symbol);
	}
	ck_assert_int_eq(field_op_from_audit(0), 0);
	ck_assert_int_eq(field_op_from_audit(0x70000000), 0);
	ck_assert_int_eq(field_op_from_audit(AUDIT_NEGATE), 0);
}
END_TEST

/* What surprises: everything is unsigned. */
START_TEST(comparison)
{
	const uint32_t eacces = (uint32_t)-13, eperm = (uint32_t)-1;

	for (uint32_t v = 0; v < 5; v++)
		ck_assert(!field_compare(v, OP_LT, 0));
	ck_assert(!field_compare(eacces, OP_LT, 0));
	ck_assert(field_compare(eacces, OP_GE, eacces));
	ck_assert(field_compare(eperm, OP_GE, eacces));
	ck_assert(!field_compare((uint32_t)-14, OP_GE, eacces));
	ck_assert(!field_compare(0, OP_GE, eacces));
	ck_assert(field_compare(UINT32_MAX, OP_GE, 1000));
	ck_assert(field_compare(6, OP_BIT_MASK, 3));
	ck_assert(!field_compare(6, OP_BIT_TEST, 3));
	ck_assert(field_compare(7, OP_BIT_TEST, 3));
	ck_assert(!field_compare(6, OP_BIT_MASK, 0));
	ck_assert(field_compare(6, OP_BIT_TEST, 0));
	ck_assert(field_compare(5, OP_EQ, 5) && !field_compare(5, OP_EQ, 4));
	ck_assert(field_compare(5, OP_NE, 4) && !field_compare(5, OP_NE, 5));
	ck_assert(field_compare(5, OP_GT, 4) && !field_compare(5, OP_GT, 5));
	ck_assert(field_compare(5, OP_LE, 5) && !field_compare(5, OP_LE, 4));
	ck_assert(!field_compare(0, (enum field_op)0, 0));
}
END_TEST

/* audit_field_compare has a case for each number up to the greatest; those with
 * the owner of a name come first in linux/audit.h. */
START_TEST(what_is_compared)
{
	ck_assert_ptr_null(comparison_by_code(0));
	ck_assert_ptr_null(comparison_by_code(AUDIT_MAX_FIELD_COMPARE + 1));
	ck_assert(!comparison_needs_name(0) && !comparison_has_negation(0));
	for (uint32_t code = 1; code <= AUDIT_MAX_FIELD_COMPARE; code++) {
		const struct comparison *c = comparison_by_code(code);
		bool owner = code <= AUDIT_COMPARE_FSGID_TO_OBJ_GID;

		ck_assert_ptr_nonnull(c);
		ck_assert(comparison_needs_name(code) == owner);
		ck_assert(comparison_has_negation(code) == !owner);
		ck_assert_ptr_eq(comparison_between(c->left, c->right), c);
		ck_assert_ptr_eq(comparison_between(c->right, c->left), c);
	}
	ck_assert_ptr_null(comparison_between(AUDIT_UID, AUDIT_GID));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("field");
	TCase *tcase = tcase_create("all");

	tcase_add_test(tcase, every_field_of_the_kernel);
	tcase_add_test(tcase, names_are_those_of_libaudit);
	tcase_add_test(tcase, operators_as_audit_field_valid);
	tcase_add_test(tcase, filters);
	tcase_add_test(tcase, string_fields);
	tcase_add_test(tcase, kinds_that_are_easily_confused);
	tcase_add_test(tcase, costs);
	tcase_add_test(tcase, operators);
	tcase_add_test(tcase, comparison);
	tcase_add_test(tcase, what_is_compared);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
