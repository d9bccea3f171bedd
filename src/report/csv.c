/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report for spreadsheets: RFC 4180, a row for each call with a name.
 */
#include "report/report.h"

#include <string.h>

#include "emit/emit.h"
#include "report/walk.h"
#include "util/printable.h"

/* Rows end so, RFC 4180 section 2. */
#define END_OF_ROW "\r\n"

static const char *const column[] = {
	"ABI",
	"call",
	"number",
	"class",
	"calls in class",
	"share of all calls (%)",
	"user before (instructions)",
	"user after (instructions)",
	"user change (%)",
	"daemon before (instructions)",
	"daemon after (instructions)",
	"daemon change (%)",
	"user before (ns)",
	"user after (ns)",
	"daemon before (ns)",
	"daemon after (ns)",
	"due to any rule before (instructions)",
	"due to any rule after (instructions)",
	"user before (rules walked)",
	"user after (rules walked)",
	"user before (rules entered)",
	"user after (rules entered)",
	"user before (fields evaluated)",
	"user after (fields evaluated)",
	"user's walk before ends at",
	"user's walk after ends at",
};

struct table {
	struct arena *arena;
	const struct report *report;
	const struct report_figures *figures;
	FILE *to;
	bool begun; /* the row has a cell */
};

static void start_cell(struct table *t)
{
	if (t->begun)
		fputc(',', t->to);
	t->begun = true;
}

static void end_row(struct table *t)
{
	fputs(END_OF_ROW, t->to);
	t->begun = false;
}

/* A spreadsheet takes what begins with one of these for a formula; a ' before
 * it says that it is text. */
static bool looks_like_formula(const char *text)
{
	return *text && strchr("=+-@", *text);
}

/* Quoted where it must be. */
static void text_cell(struct table *t, const char *text)
{
	text = printable_text(t->arena, text, strlen(text));
	if (looks_like_formula(text))
		text = arena_printf(t->arena, "'%s", text);
	start_cell(t);
	if (!strpbrk(text, "\",\r\n")) {
		fputs(text, t->to);
		return;
	}
	fputc('"', t->to);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', t->to);
		fputc(*text, t->to);
	}
	fputc('"', t->to);
}

static void number_cell(struct table *t, double value)
{
	start_cell(t);
	fprintf(t->to, "%.10g", value);
}

/* WAS, and IS where there is an after. */
static void two_cells(struct table *t, double was, double is)
{
	number_cell(t, was);
	if (t->report->after)
		number_cell(t, is);
	else
		start_cell(t);
}

static void change_cell(struct table *t, double was, double is)
{
	start_cell(t);
	if (t->report->after && was > 0)
		fprintf(t->to, "%.1f", (is - was) / was * 100);
}

static void instruction_cells(struct table *t, const struct report_row *row,
			      enum identity who)
{
	double was = row->before[who].instructions;
	double is = row->after[who].instructions;

	two_cells(t, was, is);
	change_cell(t, was, is);
}

static void nanosecond_cells(struct table *t, const struct report_row *row,
			     enum identity who)
{
	const struct report *r = t->report;

	if (!r->calibration) {
		start_cell(t);
		start_cell(t);
		return;
	}
	two_cells(t,
		  calibration_nanoseconds(r->calibration, r->prices,
					  &row->before[who]),
		  r->after ? calibration_nanoseconds(r->calibration, r->prices,
						     &row->after[who])
			   : 0);
}

/* Where a user's walk over the rules before, or AFTER, ends. */
static const char *end_text(const struct table *t, const struct report_row *row,
			    bool after)
{
	const struct report *r = t->report;
	const struct ruleset *set = after ? r->after : r->before;
	struct report_walk walk;
	const struct rule *rule;

	if (!set)
		return "";
	walk = report_walk_of(t->arena, r, row, after, IDENTITY_USER);
	if (!walk.steps && !walk.passed_all)
		return "no walk";
	if (!walk.matched)
		return "end of the list";
	rule = set->rule[walk.step[walk.steps - 1].rule];
	return rule->origin.count
		       ? emit_origin(t->arena, r->input, rule->origin)
		       : "a rule that auditopt added";
}

/* What all calls of a class have in common. */
struct class_texts {
	size_t number; /* from 1 */
	double calls;  /* with a name */
	const char *end_before, *end_after;
};

static void put_call(struct table *t, const struct report_row *row,
		     const struct class_texts *class, int number,
		     const char *name)
{
	const struct call_cost *was = &row->before[IDENTITY_USER];
	const struct call_cost *is = &row->after[IDENTITY_USER];
	const struct profile *profile = t->figures->profile;

	text_cell(t, t->report->target->abi[row->abi].name);
	text_cell(t, name);
	number_cell(t, number);
	number_cell(t, (double)class->number);
	number_cell(t, class->calls);
	number_cell(t, 100.0 * profile->weight[row->abi][number] /
			       (double)profile->in_all);
	instruction_cells(t, row, IDENTITY_USER);
	instruction_cells(t, row, IDENTITY_DAEMON);
	nanosecond_cells(t, row, IDENTITY_USER);
	nanosecond_cells(t, row, IDENTITY_DAEMON);
	two_cells(t, was->fixed, is->fixed);
	two_cells(t, was->rules_walked, is->rules_walked);
	two_cells(t, was->masks_hit, is->masks_hit);
	two_cells(t, was->fields_evaluated, is->fields_evaluated);
	text_cell(t, class->end_before);
	text_cell(t, class->end_after);
	end_row(t);
}

/* The calls of row I that have a name. */
static void put_class(struct table *t, size_t i)
{
	const struct report *r = t->report;
	const struct report_row *row = &t->figures->rows.item[i];
	struct class_texts class = {.number = i + 1};

	for (int n = syscall_mask_next(&row->calls, 0);
	     n >= 0 && n < SYSCALL_MASK_CALLS;
	     n = syscall_mask_next(&row->calls, n + 1))
		class.calls += target_call_name(r->target, row->abi, n) != NULL;
	if (class.calls == 0)
		return;
	class.end_before = end_text(t, row, false);
	class.end_after = end_text(t, row, true);
	for (int n = syscall_mask_next(&row->calls, 0);
	     n >= 0 && n < SYSCALL_MASK_CALLS;
	     n = syscall_mask_next(&row->calls, n + 1)) {
		const char *name = target_call_name(r->target, row->abi, n);

		if (name)
			put_call(t, row, &class, n, name);
	}
}

bool report_csv(struct arena *arena, const struct report *report, FILE *stream)
{
	struct report_figures figures;
	struct table t = {.arena = arena,
			  .report = report,
			  .figures = &figures,
			  .to = stream};

	for (size_t i = 0; i < sizeof(column) / sizeof(*column); i++)
		text_cell(&t, column[i]);
	end_row(&t);
	if (report->before) {
		figures = report_figures_of(arena, report);
		for (size_t i = 0; i < figures.rows.count; i++)
			put_class(&t, i);
	}
	return fflush(stream) == 0 && !ferror(stream);
}
