/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports say what was counted, in 100 columns and in JSON. */
#include <check.h>
#include <jansson.h>
#include <libaudit.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/command.h"
#include "lib/build.h"
#include "lib/random_rules.h"
#include "report/report.h"
#include "report/rows.h"

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

static const char before_rules[] = "arch=b64 calls=open,openat auid>=1000\n"
				   "calls=kill uid=0 key=k\n"
				   "never calls=kill uid=0\n"
				   "path=/x perm=w\n"
				   "never exclude msgtype=CWD\n";
static const char after_rules[] = "arch=b64 calls=open,openat auid>=1000\n"
				  "calls=kill uid=0 key=k\n"
				  "path=/x perm=w\n"
				  "never exclude msgtype=CWD\n";

/* COUNT lines, the first with number FIRST. */
static struct input *input_of(uint32_t count, uint32_t first)
{
	struct input *input = arena_alloc(arena, sizeof(*input));

	input->line = arena_array(arena, count, sizeof(*input->line));
	for (; input->count < count; input->count++)
		input->line[input->count] =
			(struct source_line){.file = "t.rules",
					     .number = input->count + first,
					     .column = 1,
					     .text = "-D",
					     .length = 2};
	return input;
}

static const uint32_t line_numbers[] = {0, 1, 2, 3, 4};

static struct report *sample(bool both)
{
	struct report *r = arena_alloc(arena, sizeof(*r));
	struct change_log *log = arena_alloc(arena, sizeof(*log));
	struct pass_context context = {.arena = arena, .log = log};
	struct position at = {2, 1, 2};

	change_log_add(
		&context,
		(struct change){
			.pass = "shadowed",
			.what = {.line = line_numbers + 2, .count = 1},
			.because = {.line = line_numbers + 1, .count = 1},
			.text = "dropped: all of it is decided",
			.rules_dropped = 1,
			.calls_dropped = 1});
	*r = (struct report){.input = input_of(5, 1),
			     .diagnostics = diagnostics_new(arena),
			     .target = x86,
			     .level = 1,
			     .before = mk_ruleset(arena, x86, before_rules),
			     .auditctl_version = AUDITCTL_VERSION(3, 1, 3)};
	diag(r->diagnostics, DIAG_WARNING, "odd", at, "this is %s", "odd");
	if (both) {
		r->after = mk_ruleset(arena, x86, after_rules);
		r->log = log;
	}
	return r;
}

static char *text_of(const struct report *report, bool verbose)
{
	char *text = NULL, *copy;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	report_text(arena, report, verbose, stream);
	fclose(stream);
	copy = arena_strdup(arena, text);
	free(text);
	return copy;
}

static json_t *json_of(const struct report *report, char **copy)
{
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);
	json_error_t error;
	json_t *value;

	ck_assert(report_json(arena, report, stream));
	fclose(stream);
	ck_assert_int_eq(text[size - 1], '\n');
	value = json_loads(text, JSON_REJECT_DUPLICATES, &error);
	ck_assert_msg(value != NULL, "%s", error.text);
	if (copy)
		*copy = arena_strdup(arena, text);
	free(text);
	return value;
}

static void narrow(const char *text)
{
	while (*text) {
		size_t length = strcspn(text, "\n");

		ck_assert_msg(length <= 100, "%.*s", (int)length, text);
		ck_assert(length == 0 || text[length - 1] != ' ');
		text += length + (text[length] == '\n');
	}
}

static void has(const char *text, const char *part)
{
	ck_assert_msg(strstr(text, part) != NULL, "no \"%s\" in:\n%s", part,
		      text);
}

START_TEST(test_text)
{
	const char *text = text_of(sample(true), true);

	narrow(text);
	has(text, "x86_64, level -O1, read as auditctl 3.1.3");
	has(text, " 3 ->          2\n");
	has(text, " 5 ->          4\n");
	/* the mask of -w all: 2032; open, openat, 2 * kill */
	has(text, " 2036 ->       2035\n");
	has(text, "  shadowed                    1                1");
	has(text, "  shadowed: t.rules:3: dropped: all of it is decided "
		  "(because of t.rules:2)\n");
	has(text, "b64 kill ");
	/* kill, user: passes one, fails uid twice, then once: 118 less */
	has(text, "593 -> 475\n");
	has(text, "b64 open, openat ");
	has(text, "    of these, due to any rule at all ");
	has(text, "  call-lists: a list of rules for each call\n");
	ck_assert_ptr_null(strstr(text_of(sample(true), false), "call-lists"));
}
END_TEST

START_TEST(test_text_of_one_set)
{
	const char *text = text_of(sample(false), true);

	narrow(text);
	ck_assert_ptr_null(strstr(text, "->"));
	ck_assert_ptr_null(strstr(text, "-O1"));
	has(text, "b64 kill ");
	has(text, " 593\n");
}
END_TEST

static double number_at(json_t *value, const char *const *path)
{
	for (; *path; path++)
		value = json_is_array(value)
				? json_array_get(value, (size_t)atoi(*path))
				: json_object_get(value, *path);
	ck_assert(json_is_number(value));
	return json_number_value(value);
}

#define AT(value, ...) \
	number_at(value, (const char *const[]){__VA_ARGS__, NULL})

/* A report of rules that stand in lines 1, 2, ... and what is left of them. */
static struct report *made_of(const char *before, const char *after)
{
	struct report *r = sample(false);
	struct change_log *log = arena_alloc(arena, sizeof(*log));

	r->input = input_of(30, 0);
	r->before = mk_ruleset(arena, x86, before);
	r->after = mk_ruleset(arena, x86, after);
	r->log = log;
	return r;
}

static struct origin lines(uint32_t first, size_t count)
{
	uint32_t *line = arena_array(arena, count, sizeof(*line));

	for (size_t i = 0; i < count; i++)
		line[i] = first + (uint32_t)i;
	return (struct origin){.line = line, .count = count};
}

static void add(const struct report *r, struct change change)
{
	struct pass_context context = {.arena = arena,
				       .log = (struct change_log *)r->log};

	change_log_add(&context, change);
}

#define SHADOW(r, at, by)                                         \
	add(r, (struct change){.pass = "shadowed",                \
			       .what = lines(at, 1),              \
			       .because = lines(by, 1),           \
			       .text = "dropped: all is decided", \
			       .rules_dropped = 1})

/* The figures add up, in words and in JSON. */
START_TEST(test_rule_counts)
{
	struct report *r = made_of("calls=open key=a\ncalls=close key=a\n"
				   "calls=kill key=b\ncalls=read key=c\n",
				   "calls=open,close key=a\n"
				   "calls=read key=c\nnever calls=dup\n");
	struct ruleset *after = (struct ruleset *)r->after;
	json_t *value;

	after->rule[0]->origin = lines(1, 2);
	after->rule[1]->origin = lines(4, 1);
	after->rule[2]->origin.count = 0;
	for (size_t i = 0; i < r->before->count; i++)
		r->before->rule[i]->origin = lines((uint32_t)i + 1, 1);
	has(text_of(r, false),
	    "\nRules: 4 before, 1 dropped, 1 merged into others, 1 added, 3 "
	    "after\n");
	value = json_of(r, NULL);
	ck_assert_double_eq(AT(value, "rules", "before"), 4);
	ck_assert_double_eq(AT(value, "rules", "dropped"), 1);
	ck_assert_double_eq(AT(value, "rules", "merged"), 1);
	ck_assert_double_eq(AT(value, "rules", "added"), 1);
	ck_assert_double_eq(AT(value, "rules", "after"), 3);
	json_decref(value);
	/* what is zero is not told */
	r->after = r->before;
	has(text_of(r, false), "\nRules: 4 before, 4 after\n");
}
END_TEST

/* No page of zeros. */
START_TEST(test_no_rules)
{
	struct report *r = made_of("", "");
	const char *text = text_of(r, true);
	json_t *value;

	narrow(text);
	has(text, "\nThere is no rule: ");
	ck_assert_ptr_null(strstr(text, "Instructions"));
	r->after = NULL;
	r->log = NULL;
	has(text_of(r, false), "\nThere is no rule: ");
	/* one that was dropped is told */
	r = made_of("calls=open\n", "");
	text = text_of(r, false);
	has(text, "\nRules: 1 before, 1 dropped, 0 after\n");
	has(text, "Instructions");
	value = json_of(made_of("", ""), NULL);
	ck_assert_double_eq(AT(value, "rules", "after"), 0);
	json_decref(value);
}
END_TEST

/* The report says what was proved and what was not. */
START_TEST(test_proof)
{
	struct report *r = sample(true);
	json_t *value, *proof;
	const char *text;

	r->proof = "Proved to mean the same at level 0: 3 classes.";
	text = text_of(r, false);
	has(text, "\n  Proved to mean the same at level 0: 3 classes.\n");
	value = json_of(r, NULL);
	proof = json_object_get(value, "proof");
	ck_assert_double_eq(AT(proof, "level_reached"), 1);
	ck_assert(json_is_null(json_object_get(proof, "fallback")));
	json_decref(value);
	r->fallback = "too large";
	r->level_reached = 0;
	has(text_of(r, false), "\n  Not all was proved: too large.\n");
	value = json_of(r, NULL);
	proof = json_object_get(value, "proof");
	ck_assert_double_eq(AT(proof, "level_reached"), 0);
	ck_assert_str_eq(json_string_value(json_object_get(proof, "fallback")),
			 "too large");
	json_decref(value);
	r->level_reached = -1;
	value = json_of(r, NULL);
	proof = json_object_get(value, "proof");
	ck_assert(json_is_null(json_object_get(proof, "level_reached")));
	json_decref(value);
}
END_TEST

/* The means do not depend on how calls are grouped: a rule that splits a class
 * on one side leaves the other side's figures alone. */
START_TEST(test_means)
{
	struct report *r = made_of("calls=open\n", "calls=open\n");
	struct report_figures one = report_figures_of(arena, r), two;
	struct profile *profile = profile_default(arena, x86);

	r->after =
		mk_ruleset(arena, x86, "calls=open\ncalls=kill,read uid=5\n");
	two = report_figures_of(arena, r);
	ck_assert_uint_gt(two.rows.count, one.rows.count);
	for (int id = 0; id < IDENTITY_COUNT; id++) {
		ck_assert_double_eq_tol(one.before.mean[id],
					two.before.mean[id], 1e-6);
		ck_assert_double_eq_tol(one.before.weighted[id],
					two.before.weighted[id], 1e-6);
		ck_assert_double_gt(two.after.weighted[id],
				    one.after.weighted[id]);
	}
	/* where nothing but open is called, it is what open costs */
	memset(profile->weight, 0, sizeof(profile->weight));
	profile->weight[ABI_NATIVE][2] = 7;
	profile->name = "mine";
	profile->kind = "by hand";
	r->profile = profile;
	two = report_figures_of(arena, r);
	for (size_t i = 0; i < two.rows.count; i++)
		if (two.rows.item[i].abi == ABI_NATIVE &&
		    syscall_mask_has(&two.rows.item[i].calls, 2))
			ck_assert_double_eq_tol(
				two.rows.item[i].before[0].instructions,
				two.before.weighted[0], 1e-6);
	has(text_of(r, false),
	    "  How often calls are made: profile mine (by hand).\n");
}
END_TEST

/* Nothing of the input goes to a terminal raw. */
/* Calls that cost more after than before: each with a name once, the worst of
 * all, and for whom. */
START_TEST(test_dearer)
{
	struct report *r =
		made_of("arch=b64 calls=open uid=5",
			"arch=b64 calls=open uid=5\n"
			"arch=b64 calls=open,read auid!=unset uid=5");
	struct report_figures f = report_figures_of(arena, r);
	size_t named = 0;
	const char *text;

	for (int abi = 0; abi < ABI_COUNT; abi++)
		for (int n = 0; n < SYSCALL_MASK_CALLS; n++)
			named += target_call_name(r->target, (enum abi)abi,
						  n) != NULL;
	ck_assert_uint_eq(f.dearer.count, named);
	/* auid!=unset, and only then uid=5 */
	ck_assert_int_eq(f.dearer.identity, IDENTITY_USER);
	ck_assert_str_eq(f.dearer.worst.name, "read");
	ck_assert_double_eq(
		f.dearer.most,
		f.dearer.worst.row->after[IDENTITY_USER].instructions -
			f.dearer.worst.row->before[IDENTITY_USER].instructions);
	text = text_of(r, false);
	has(text, " kinds of calls get dearer (by at most ");
	has(text, "the worst: b64 read by a user.");
	r = made_of("arch=b64 calls=open uid=5\narch=b64 calls=read uid=5",
		    "arch=b64 calls=open uid=5");
	f = report_figures_of(arena, r);
	ck_assert_uint_eq(f.dearer.count, 0);
	ck_assert_ptr_null(strstr(text_of(r, false), "dearer"));
}
END_TEST

START_TEST(test_hostile_names)
{
	static const char key[] =
		"k\x1b[2J\xc2\x9b\xe2\x80\xae\x9b\x7f\xc3\xa4";
	struct report *r = made_of("calls=open key=a\ncalls=open key=b\n",
				   "calls=open key=a\n");
	const char *text;
	json_t *value, *idle;

	r->before->rule[1]->key = key;
	r->before->rule[1]->origin = lines(2, 1);
	for (uint32_t i = 0; i < r->input->count; i++)
		r->input->line[i].file = "f\xc2\x85\xe2\x80\xa8.rules";
	SHADOW(r, 2, 1);
	text = text_of(r, true);
	has(text, "f<U+0085><U+2028>.rules:2: ");
	has(text,
	    " k\\x1b[2J<U+009B><U+202E>\\x9b\\x7f\xc3\xa4 is never used\n");
	for (; *text; text++)
		ck_assert((unsigned char)*text >= ' ' || *text == '\n');
	/* in JSON it is what it is */
	((struct rule *)r->before->rule[1])->key = "a\001b\t";
	value = json_of(r, NULL);
	idle = json_array_get(json_object_get(value, "idle"), 0);
	ck_assert_str_eq(json_string_value(json_object_get(idle, "key")),
			 "a, b\t");
	json_decref(value);
}
END_TEST

/* Rules without effect are named without -v, with the keys that nobody gets. */
START_TEST(test_idle_rules)
{
	struct report *r = made_of("calls=open key=a\ncalls=open uid=0 key=b\n"
				   "calls=kill key=a\ncalls=kill uid=0 key=a\n"
				   "calls=read uid=0 key=c\ncalls=read key=d\n",
				   "calls=open key=a\ncalls=kill key=a\n"
				   "calls=read key=d\n");
	const char *text;
	json_t *value, *idle;

	SHADOW(r, 2, 1);
	SHADOW(r, 4, 3);
	add(r, (struct change){.pass = "merge",
			       .what = lines(6, 1),
			       .because = lines(1, 1),
			       .text = "merged",
			       .rules_dropped = 1});
	/* only since a rule behind it was moved up: it had an effect */
	SHADOW(r, 5, 6);
	text = text_of(r, false);
	narrow(text);
	has(text, "\nRules that could never take effect\n"
		  "  t.rules:2: all is decided (t.rules:1); its key b is never "
		  "used\n"
		  "  t.rules:4: all is decided (t.rules:3)\n\n");
	ck_assert_ptr_null(strstr(text, "t.rules:5"));
	value = json_of(r, NULL);
	idle = json_object_get(value, "idle");
	ck_assert_uint_eq(json_array_size(idle), 2);
	ck_assert_double_eq(AT(idle, "0", "lines", "0", "line"), 2);
	ck_assert_double_eq(AT(idle, "0", "because", "0", "line"), 1);
	idle = json_array_get(idle, 0);
	ck_assert(json_is_true(json_object_get(idle, "key_lost")));
	ck_assert_str_eq(json_string_value(json_object_get(idle, "key")), "b");
	ck_assert_str_eq(json_string_value(json_object_get(idle, "reason")),
			 "all is decided");
	json_decref(value);
}
END_TEST

START_TEST(test_many_idle_rules)
{
	struct report *r = made_of("calls=open key=a\n", "calls=open key=a\n");
	const char *text;

	for (uint32_t i = 2; i < 14; i++)
		SHADOW(r, i, 1);
	text = text_of(r, false);
	has(text, "  t.rules:11: all is decided (t.rules:1)\n"
		  "  2 more with -v\n");
	text = text_of(r, true);
	has(text, "  t.rules:13: all is decided (t.rules:1)\n");
	ck_assert_ptr_null(strstr(text, "more with -v"));
	/* and together in the list of changes */
	has(text, "\n  shadowed: t.rules:2-13: dropped: all is decided "
		  "(because of t.rules:1)\n");
}
END_TEST

/* Each change that took calls stands alone and names them. */
START_TEST(test_taken_calls)
{
	struct report *r = made_of("calls=open key=a\n", "calls=open key=a\n");
	struct change change = {.pass = "shadowed",
				.what = lines(3, 1),
				.because = lines(1, 1),
				.text = "calls taken",
				.calls_dropped = 2,
				.taken_abis = 1 << ABI_COMPAT};
	const char *text;
	json_t *value, *calls;

	syscall_mask_add(&change.taken, 5);
	syscall_mask_add(&change.taken, 6);
	add(r, change);
	change.taken_abis |= 1 << ABI_NATIVE;
	add(r, change);
	change.taken = syscall_mask_all();
	change.taken_abis = 1 << ABI_NATIVE;
	add(r, change);
	change.taken_abis = 0;
	add(r, change);
	text = text_of(r, true);
	narrow(text);
	has(text, "t.rules:3: calls taken: b32 open, close (because");
	has(text, "t.rules:3: calls taken: b64 fstat, lstat; b32 open, close ");
	has(text, " calls taken: b64 read, write, open, close, stat, fstat, "
		  "+2026 more (because\n");
	has(text, "t.rules:3: calls taken: 0-2031 (because");
	value = json_of(r, NULL);
	calls = json_object_get(value, "changes");
	ck_assert_double_eq(AT(calls, "0", "calls", "0", "numbers", "0", "1"),
			    6);
	ck_assert_double_eq(AT(calls, "3", "calls", "0", "numbers", "0", "1"),
			    2031);
	calls = json_object_get(json_array_get(calls, 1), "calls");
	ck_assert_uint_eq(json_array_size(calls), 2);
	calls = json_object_get(json_array_get(calls, 0), "names");
	ck_assert_str_eq(json_string_value(json_array_get(calls, 0)), "fstat");
	json_decref(value);
}
END_TEST

/* What did not change gets no percentage, and what hardly did a digit more. */
START_TEST(test_percentages)
{
	const char *text =
		text_of(made_of("calls=open\n", "calls=open\n"), false);

	ck_assert_ptr_null(strstr(text, "%"));
	text = text_of(made_of("calls=open uid=0\ncalls=open uid=1\n",
			       "calls=open uid=0 uid=0 uid=0 uid=0 uid=0 uid=0 "
			       "uid=0\ncalls=open uid=1\n"),
		       false);
	has(text, "(+0.");
}
END_TEST

/* The input has errors: nothing but the diagnostics. */
START_TEST(test_json_of_errors)
{
	struct report *r = sample(false);
	json_t *value, *diagnostics;

	r->before = NULL;
	value = json_of(r, NULL);
	ck_assert(json_is_null(json_object_get(value, "totals")));
	ck_assert(json_is_null(json_object_get(value, "level")));
	ck_assert_uint_eq(json_array_size(json_object_get(value, "classes")),
			  0);
	diagnostics = json_object_get(value, "diagnostics");
	ck_assert_uint_eq(json_array_size(diagnostics), 1);
	json_decref(value);
}
END_TEST

START_TEST(test_json)
{
	json_t *value = json_of(sample(true), NULL);
	json_t *diagnostic, *change;

	ck_assert_str_eq(json_string_value(json_object_get(value, "format")),
			 "auditopt-report");
	ck_assert_double_eq(AT(value, "version"), 3);
	ck_assert_double_eq(AT(value, "level"), 1);
	ck_assert_double_eq(AT(value, "totals", "before", "rules"), 5);
	ck_assert_double_eq(AT(value, "totals", "after", "rules"), 4);
	ck_assert_double_eq(
		AT(value, "totals", "before", "places", "exit_list"), 3);
	ck_assert_double_eq(AT(value, "totals", "before", "places", "exclude"),
			    1);
	ck_assert_double_eq(AT(value, "totals", "before", "mask_bits"), 2036);
	ck_assert_double_eq(AT(value, "passes", "0", "rules_dropped"), 1);
	ck_assert_double_eq(AT(value, "changes", "0", "lines", "0", "line"), 3);
	ck_assert_double_eq(AT(value, "changes", "0", "because", "0", "line"),
			    2);
	ck_assert_double_eq(
		AT(value, "dearest", "0", "before", "user", "instructions"),
		593);
	ck_assert_double_eq(
		AT(value, "dearest", "0", "after", "user", "instructions"),
		475);
	ck_assert_double_eq(
		AT(value, "dearest", "0", "before", "user", "fixed"), 338);
	ck_assert_double_eq(AT(value, "dearest", "0", "number"), 62);
	ck_assert_str_eq(
		json_string_value(json_object_get(
			json_array_get(json_object_get(value, "patches"), 0),
			"name")),
		"call-lists");
	ck_assert_double_gt(
		AT(value, "totals", "before", "weighted_instructions", "user"),
		AT(value, "patches", "0", "before", "user"));
	ck_assert_double_gt(AT(value, "patches", "1", "before", "user"),
			    AT(value, "patches", "1", "after", "user"));
	ck_assert_str_eq(
		json_string_value(json_object_get(value, "estimated_for")),
		"6.1");
	ck_assert_double_eq(
		AT(value, "classes", "0", "before", "daemon", "masks_hit"), 0);
	diagnostic = json_array_get(json_object_get(value, "diagnostics"), 0);
	ck_assert_str_eq(json_string_value(json_object_get(diagnostic, "what")),
			 "this is odd");
	ck_assert_double_eq(AT(diagnostic, "at", "line"), 3);
	ck_assert(json_is_null(json_object_get(diagnostic, "other")));
	change = json_array_get(json_object_get(value, "changes"), 0);
	ck_assert_str_eq(json_string_value(json_object_get(change, "pass")),
			 "shadowed");
	json_decref(value);
}
END_TEST

/* Every call of each ABI stands in one class, and none twice. */
static void classes_are_a_partition(json_t *value)
{
	json_t *classes = json_object_get(value, "classes");
	json_int_t calls = 0;

	for (size_t i = 0; i < json_array_size(classes); i++) {
		json_t *ranges =
			json_object_get(json_array_get(classes, i), "numbers");

		for (size_t j = 0; j < json_array_size(ranges); j++) {
			json_t *range = json_array_get(ranges, j);

			calls += json_integer_value(json_array_get(range, 1)) -
				 json_integer_value(json_array_get(range, 0)) +
				 1;
		}
	}
	ck_assert_int_eq(calls, ABI_COUNT * SYSCALL_MASK_CALLS);
}

START_TEST(test_json_of_one_set)
{
	json_t *value = json_of(sample(false), NULL);
	json_t *row = json_array_get(json_object_get(value, "classes"), 0);

	ck_assert(json_is_null(json_object_get(value, "level")));
	ck_assert(json_is_null(
		json_object_get(json_object_get(value, "totals"), "after")));
	ck_assert(json_is_null(json_object_get(row, "after")));
	classes_are_a_partition(value);
	json_decref(value);
}
END_TEST

/* File names and rules need not be UTF-8. */
START_TEST(test_bad_bytes)
{
	struct report *report = sample(true);
	json_t *value, *line;

	report->input->line[2].file = "\xff\xc3(x";
	value = json_of(report, NULL);
	line = json_object_get(
		json_array_get(json_object_get(value, "changes"), 0), "lines");
	ck_assert_str_eq(json_string_value(json_object_get(
				 json_array_get(line, 0), "file")),
			 "\xef\xbf\xbd\xef\xbf\xbd(x");
	json_decref(value);
}
END_TEST

START_TEST(test_full_disk)
{
	FILE *full = fopen("/dev/full", "w");

	if (!full) {
		printf("skipped: no /dev/full\n");
		return;
	}
	ck_assert(!report_json(arena, sample(true), full));
	fclose(full);
}
END_TEST

/* Is COST what TABLE says of call N? */
static void same_cost(const struct call_cost *cost,
		      const struct cost_table *table, enum abi abi, int n)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct class_cost *row = &table->item[i];

		if (!syscall_set_has(&row->calls, abi, n))
			continue;
		ck_assert_double_eq(row->cost[0].instructions,
				    cost->instructions);
		return;
	}
	ck_abort_msg("call %d is in no class", n);
}

/* Two partitions of the calls and their common refinement, and the same bytes
 * whenever asked. */
START_TEST(test_random)
{
	struct random random = {(uint64_t)_i + 7};
	struct rules_shape shape = rules_shape_default(x86, 80);
	struct report *report = sample(false);
	struct ruleset *before = random_ruleset(arena, &random, &shape);
	struct ruleset *after = ruleset_copy(arena, before);
	struct change_log log = {0};
	struct cost_table was, is;
	struct report_figures f;
	json_t *value;
	char *first, *second;

	for (int i = 0; i < 20; i++)
		ruleset_remove(after, random_below(&random, after->count));
	report->before = before;
	report->after = after;
	report->log = &log;
	f = report_figures_of(arena, report);
	was = cost_of(arena, before);
	is = cost_of(arena, after);
	for (size_t i = 0; i < f.rows.count; i++) {
		const struct report_row *row = &f.rows.item[i];
		const struct syscall_mask *calls = &row->calls;

		for (int n = syscall_mask_next(calls, 0); n >= 0;
		     n = syscall_mask_next(calls, n + 1)) {
			same_cost(&row->before[0], &was, row->abi, n);
			same_cost(&row->after[0], &is, row->abi, n);
		}
	}
	narrow(text_of(report, true));
	value = json_of(report, &first);
	classes_are_a_partition(value);
	json_decref(value);
	json_decref(json_of(report, &second));
	ck_assert_str_eq(first, second);
}
END_TEST

/* Ten thousand rules walked are figures wider than any of the sample's. */
START_TEST(test_wide_figures)
{
	struct report *report = sample(false);
	struct ruleset *many = ruleset_new(arena, x86);
	struct ruleset *few = ruleset_new(arena, x86);

	for (int i = 0; i < 12000; i++)
		ruleset_insert(many, many->count,
			       mk_rule(arena, x86, "calls=kill uid=0 gid=5"));
	for (int i = 0; i < 11000; i++)
		ruleset_insert(few, few->count, many->rule[i]);
	report->before = many;
	report->after = few;
	narrow(text_of(report, false));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("report");
	TCase *tc = tcase_create("report");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, test_text);
	tcase_add_test(tc, test_text_of_one_set);
	tcase_add_test(tc, test_rule_counts);
	tcase_add_test(tc, test_no_rules);
	tcase_add_test(tc, test_proof);
	tcase_add_test(tc, test_means);
	tcase_add_test(tc, test_dearer);
	tcase_add_test(tc, test_hostile_names);
	tcase_add_test(tc, test_idle_rules);
	tcase_add_test(tc, test_many_idle_rules);
	tcase_add_test(tc, test_taken_calls);
	tcase_add_test(tc, test_percentages);
	tcase_add_test(tc, test_json);
	tcase_add_test(tc, test_json_of_errors);
	tcase_add_test(tc, test_json_of_one_set);
	tcase_add_test(tc, test_bad_bytes);
	tcase_add_test(tc, test_full_disk);
	tcase_add_loop_test(tc, test_random, 0, 20);
	tcase_add_test(tc, test_wide_figures);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
