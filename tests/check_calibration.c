/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calibration files, and the rules that calibrate would load. No kernel is asked
 * anything here. */
#include <check.h>
#include <libaudit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/calibrate_kernel.h"
#include "cli/calibrate_steps.h"
#include "cost/calibration.h"
#include "lib/suite.h"
#include "model/field.h"

TEST_ARENA;

static char file[] = "check_calibration.XXXXXX";

static void make_file(void)
{
	int fd;

	strcpy(file + sizeof(file) - 7, "XXXXXX");
	fd = mkstemp(file);
	ck_assert_int_ge(fd, 0);
	close(fd);
	begin_arena();
}

static void remove_file(void)
{
	unlink(file);
	end_arena();
}

static void write_text(const char *text)
{
	FILE *stream = fopen(file, "w");

	ck_assert_ptr_nonnull(stream);
	fputs(text, stream);
	ck_assert_int_eq(fclose(stream), 0);
}

/* Half a nanosecond an instruction where rules are entered. */
static struct calibration *example(void)
{
	static const struct calibrated items[] = {
		{"context_in_use", 40, 0.5}, {"rule_passed", 3, 0.1},
		{"rule_matched", 40, 1},     {"field:uid", 59, 0.25},
		{"field_further", 100, 0},
	};
	struct calibration *c = arena_alloc(arena, sizeof(*c));

	*c = (struct calibration){
		.kernel = "6.1.0-1-amd64",
		.build = "#1 SMP \"x\"",
		.machine = "x86_64",
		.date = "2026-11-30T12:00:00Z",
		.call = 71.5,
		.item = arena_copy(arena, items, sizeof(items)),
		.count = sizeof(items) / sizeof(*items)};
	return c;
}

START_TEST(test_there_and_back)
{
	struct calibration *c = example();
	const struct calibration *d;
	const char *why, *text;
	size_t size;

	ck_assert_ptr_null(calibration_settle(arena, c));
	text = calibration_text(arena, c, &size);
	ck_assert_uint_eq(size, strlen(text));
	ck_assert_int_eq(text[size - 1], '\n');
	write_text(text);
	d = calibration_read(arena, file, &why);
	ck_assert_msg(d != NULL, "%s", why);
	ck_assert_ptr_null(why);
	ck_assert_str_eq(d->file, file);
	ck_assert_str_eq(d->kernel, c->kernel);
	ck_assert_str_eq(d->build, c->build);
	ck_assert_str_eq(d->machine, c->machine);
	ck_assert_str_eq(d->date, c->date);
	ck_assert_double_eq(d->call, c->call);
	ck_assert_uint_eq(d->count, c->count);
	for (size_t i = 0; i < d->count; i++) {
		ck_assert_str_eq(d->item[i].name, c->item[i].name);
		ck_assert_double_eq(d->item[i].nanoseconds,
				    c->item[i].nanoseconds);
		ck_assert_double_eq(d->item[i].spread, c->item[i].spread);
	}
	ck_assert_double_eq(d->context, c->context);
	ck_assert_double_eq(d->passed, c->passed);
	ck_assert_double_eq(d->entered, c->entered);
}
END_TEST

START_TEST(test_factors)
{
	struct calibration *c = example();
	double uid, matched;

	ck_assert(calibration_model(prices_of(NULL), "field:uid", &uid));
	ck_assert(calibration_model(prices_of(NULL), "rule_matched", &matched));
	ck_assert_ptr_null(calibration_settle(arena, c));
	ck_assert_double_eq(c->context, 40);
	ck_assert_double_eq(c->passed, 3);
	/* field_further is part of what the others are made of */
	ck_assert_double_eq_tol(c->entered, (40 + 59) / (uid + matched), 1e-9);
}
END_TEST

/* A file is read with the figures that the model has for its kernel. */
START_TEST(test_prices)
{
	struct calibration *c = example();
	double passed;

	ck_assert_ptr_null(calibration_settle(arena, c));
	ck_assert_ptr_eq(c->prices, prices_of("6.1"));
	c->kernel = "6.12.30-amd64";
	ck_assert_ptr_null(calibration_settle(arena, c));
	ck_assert_ptr_eq(c->prices, prices_of("6.12"));
	ck_assert(calibration_model(c->prices, "rule_passed", &passed));
	ck_assert_double_eq(passed, c->prices->rule_passed);
	ck_assert_double_ne(passed, prices_of("6.1")->rule_passed);
}
END_TEST

/* Zero without rules; else what the walk has been, part by part. */
START_TEST(test_nanoseconds)
{
	struct calibration *c = example();
	double context = cost_constant("context_in_use");
	double passed = cost_constant("rule_passed");
	struct call_cost cost = {0};

	ck_assert_ptr_null(calibration_settle(arena, c));
	ck_assert_double_eq(calibration_nanoseconds(c, NULL, &cost), 0);
	cost.instructions = context;
	ck_assert_double_eq(calibration_nanoseconds(c, NULL, &cost), 40);
	cost.rules_walked = 10;
	cost.instructions += 10 * passed;
	ck_assert_double_eq_tol(calibration_nanoseconds(c, NULL, &cost), 70,
				1e-9);
	cost.rules_walked++;
	cost.masks_hit++;
	cost.instructions += 100;
	ck_assert_double_eq_tol(calibration_nanoseconds(c, NULL, &cost),
				70 + 100 * c->entered, 1e-9);
}
END_TEST

START_TEST(test_settle_refuses)
{
	struct calibration *c = example();

	c->item[0].nanoseconds = 0;
	ck_assert_ptr_nonnull(
		strstr(calibration_settle(arena, c), "context_in_use"));
	c = example();
	c->item[1].nanoseconds = -1;
	ck_assert_ptr_nonnull(
		strstr(calibration_settle(arena, c), "rule_passed"));
	c = example();
	c->count = 2;
	ck_assert_ptr_nonnull(strstr(calibration_settle(arena, c), "entered"));
}
END_TEST

#define HEAD                                                              \
	"{\"format\": \"auditopt-calibration\", \"version\": 1, "         \
	"\"kernel\": \"6.1\", \"machine\": \"x86_64\", \"date\": \"d\", " \
	"\"call_nanoseconds\": 1, \"constants\": "
#define ITEM(name, ns) \
	"{\"name\": \"" name "\", \"nanoseconds\": " ns ", \"spread\": 0}"
#define GOOD_ITEMS                   \
	ITEM("context_in_use", "40") \
	", " ITEM("rule_passed", "3") ", " ITEM("field:uid", "50")

START_TEST(test_unknown_is_passed_over)
{
	const struct calibration *c;
	const char *why;

	write_text(HEAD "[" GOOD_ITEMS ", " ITEM("field:new", "1") ", " ITEM(
		"newer", "2") "], \"more\": {}}");
	c = calibration_read(arena, file, &why);
	ck_assert_msg(c != NULL, "%s", why);
	ck_assert_uint_eq(c->count, 3);
}
END_TEST

static const struct {
	const char *text, *why;
} broken[] = {
	{"", "line"},
	{"{", "line"},
	{"[]", "no file of auditopt calibrate"},
	{"3", "line"},
	{"{\"format\": \"auditopt-report\", \"version\": 1}",
	 "no file of auditopt calibrate"},
	{"{\"format\": \"auditopt-calibration\", \"version\": 2}",
	 "version of the format"},
	{"{\"format\": \"auditopt-calibration\", \"version\": \"1\"}",
	 "version of the format"},
	{"{\"format\": \"auditopt-calibration\", \"version\": 1}",
	 "no string 'kernel'"},
	{"{\"format\": \"auditopt-calibration\", \"version\": 1, \"kernel\": "
	 "\"6.1\", \"machine\": \"\"}",
	 "no string 'machine'"},
	{HEAD "3}", "no array 'constants'"},
	{HEAD "[]}", "no figure above zero for context_in_use"},
	{HEAD "[3]}", "no string 'name'"},
	{HEAD "[" ITEM("context_in_use", "-1") "]}", "'nanoseconds'"},
	{HEAD "[" ITEM("context_in_use", "\"40\"") "]}", "'nanoseconds'"},
	{HEAD "[" ITEM("context_in_use", "1e300") "]}", "'nanoseconds'"},
	{HEAD "[" ITEM("context_in_use", "40") "]}", "rule_passed"},
	{HEAD
	 "[" ITEM("context_in_use", "40") ", " ITEM("rule_passed", "3") "]}",
	 "any rule that is entered"},
	{HEAD "[" GOOD_ITEMS ", " ITEM("rule_passed", "4") "]}", "twice"},
	{HEAD "[" GOOD_ITEMS "], \"date\": \"e\"}", "line"},
	{HEAD "[" GOOD_ITEMS "]} more", "line"},
};

START_TEST(test_broken)
{
	const char *why;

	write_text(broken[_i].text);
	ck_assert_ptr_null(calibration_read(arena, file, &why));
	ck_assert_ptr_nonnull(why);
	ck_assert_msg(strstr(why, broken[_i].why), "%s: %s", broken[_i].text,
		      why);
}
END_TEST

START_TEST(test_no_file)
{
	const char *why;

	ck_assert_ptr_null(calibration_read(arena, "/no/such/file", &why));
	ck_assert_ptr_nonnull(strstr(why, "No such file"));
	ck_assert_ptr_null(calibration_read(arena, "/", &why));
	ck_assert_ptr_nonnull(why);
}
END_TEST

/* Every figure of a step is one of the model, and every constant of the model
 * but the derived one has a step. */
START_TEST(test_steps_are_figures)
{
	const struct calibrate_step *step;
	const struct cost_constant *row;
	unsigned int fields = 0;
	double model;

	ck_assert_int_eq(calibrate_step(0)->kind, STEP_CONTEXT);
	for (unsigned int i = 0; (step = calibrate_step(i)) != NULL; i++) {
		ck_assert_msg(
			calibration_model(prices_of(NULL), step->name, &model),
			"%s", step->name);
		fields += step->kind == STEP_FIELD;
		for (unsigned int j = 0; j < i; j++)
			ck_assert_str_ne(step->name, calibrate_step(j)->name);
	}
	ck_assert_uint_ge(fields, 15);
	for (unsigned int i = 0; (row = cost_constant_row(i)) != NULL; i++)
		if (!strcmp(row->name, "context_in_use") ||
		    !strcmp(row->name, "rule_passed") ||
		    !strcmp(row->name, "rule_matched") ||
		    !strcmp(row->name, "field_further")) {
			unsigned int at = 0;

			while (calibrate_step(at) &&
			       strcmp(calibrate_step(at)->name, row->name))
				at++;
			ck_assert_msg(calibrate_step(at) != NULL, "%s",
				      row->name);
		}
}
END_TEST

static bool has_guard(const struct audit_rule_data *rule)
{
	for (uint32_t i = 0; i < rule->field_count; i++)
		if (rule->fields[i] == AUDIT_PID && rule->values[i] > 4194304)
			return true;
	return false;
}

/* None can log; none can match, but the one that is for one call alone; all are
 * known again; no two of a step are the same. */
START_TEST(test_rules_are_harmless)
{
	const struct calibrate_step *step;

	for (unsigned int s = 0; (step = calibrate_step(s)) != NULL; s++) {
		struct audit_rule_data *before = NULL;

		for (unsigned int i = 0; i < step->rules; i++) {
			struct audit_rule_data *rule =
				calibrate_rule(step, i, "/tmp/x");
			unsigned int calls = 0;

			ck_assert_uint_eq(rule->action, AUDIT_NEVER);
			ck_assert(kernel_is_own(rule));
			for (int w = 0; w < AUDIT_BITMASK_SIZE; w++)
				calls += (unsigned int)__builtin_popcount(
					rule->mask[w]);
			ck_assert_uint_le(calls, 1);
			ck_assert(has_guard(rule) ||
				  (step->kind == STEP_MATCHED && i == 0));
			if (before)
				ck_assert_int_ne(memcmp(before->values,
							rule->values,
							sizeof(rule->values)),
						 0);
			free(before);
			before = rule;
		}
		free(before);
	}
}
END_TEST

/* The rules of an administrator are not taken for those of calibrate. */
START_TEST(test_own)
{
	static const char *const key[] = {"auditopt", "auditopt-calibrate2",
					  "x-auditopt-calibrate", ""};
	struct audit_rule_data *rule = calibrate_rule(calibrate_step(2), 0, "");

	ck_assert_int_eq(calibrate_step(2)->kind, STEP_MATCHED);
	ck_assert(kernel_is_own(rule));
	rule->mask[0] = 1;
	ck_assert(!kernel_is_own(rule));
	free(rule);
	for (size_t i = 0; i < sizeof(key) / sizeof(*key); i++) {
		rule = calloc(1, sizeof(*rule) + strlen(key[i]));
		rule->action = AUDIT_NEVER;
		rule->flags = AUDIT_FILTER_EXIT;
		rule->field_count = 1;
		rule->fields[0] = AUDIT_FILTERKEY;
		rule->values[0] = rule->buflen = (uint32_t)strlen(key[i]);
		memcpy(rule->buf, key[i], rule->buflen);
		ck_assert_msg(!kernel_is_own(rule), "%s", key[i]);
		free(rule);
	}
}
END_TEST

/* With what each figure of the model takes, the figures are the model's. */
START_TEST(test_figures)
{
	const struct calibrate_step *step;
	double above[32], model, a0, further;
	double context = cost_constant("context_in_use");

	ck_assert(calibration_model(prices_of(NULL), "field:a0", &a0));
	ck_assert(
		calibration_model(prices_of(NULL), "field_further", &further));
	for (unsigned int i = 0; (step = calibrate_step(i)) != NULL; i++) {
		ck_assert(
			calibration_model(prices_of(NULL), step->name, &model));
		above[i] = context + step->rules * model;
		if (step->kind == STEP_CONTEXT)
			above[i] = context;
		if (step->kind == STEP_FURTHER)
			above[i] = context + step->rules * (a0 + (step->fields -
								  1) * further);
	}
	for (unsigned int i = 0; (step = calibrate_step(i)) != NULL; i++) {
		ck_assert(
			calibration_model(prices_of(NULL), step->name, &model));
		ck_assert_double_eq_tol(calibrate_figure(i, above), model,
					1e-9);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("calibration");
	TCase *tc = tcase_create("calibration");

	tcase_add_checked_fixture(tc, make_file, remove_file);
	tcase_add_test(tc, test_there_and_back);
	tcase_add_test(tc, test_factors);
	tcase_add_test(tc, test_prices);
	tcase_add_test(tc, test_nanoseconds);
	tcase_add_test(tc, test_settle_refuses);
	tcase_add_test(tc, test_unknown_is_passed_over);
	tcase_add_loop_test(tc, test_broken, 0,
			    sizeof(broken) / sizeof(*broken));
	tcase_add_test(tc, test_no_file);
	tcase_add_test(tc, test_steps_are_figures);
	tcase_add_test(tc, test_rules_are_harmless);
	tcase_add_test(tc, test_own);
	tcase_add_test(tc, test_figures);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
