/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables at the end of the report for people.
 */
#include <string.h>

#include "report/printer.h"

/* What stands in a row behind its calls. */
enum row_column {
	COLUMN_WALKED,
	COLUMN_HIT,
	COLUMN_FIELDS,
	COLUMN_DAEMON,
	COLUMN_USER,
	COLUMN_DAEMON_NS,
	COLUMN_USER_NS,
	ROW_COLUMNS
};

static const char *const column_title[ROW_COLUMNS] = {
	"walked", "hit", "fields", "daemon", "user", "daemon ns", "user ns"};

/* The calls get what the figures leave them, within these bounds, or a line of
 * their own. */
#define CALLS_COLUMNS_MIN 18
#define CALLS_COLUMNS_MAX 44

/* How a row is laid out. */
struct layout {
	int width[ROW_COLUMNS];
	int columns;
	size_t calls_columns;
	bool calls_alone; /* on a line of their own */
};

const char *printer_next_run(const struct printer *p,
			     const struct syscall_mask *mask, int *from)
{
	int first = syscall_mask_next(mask, *from);
	int last = first;

	if (first < 0)
		return NULL;
	while (syscall_mask_has(mask, last + 1))
		last++;
	*from = last + 1;
	if (last == first)
		return arena_printf(p->arena, "%d", first);
	return arena_printf(p->arena, "%d-%d", first, last);
}

static const char *cost_text(const struct printer *p,
			     const struct report_row *row,
			     enum identity identity)
{
	double was = row->before[identity].instructions;
	double is = row->after[identity].instructions;

	if (!p->both || was == is)
		return arena_printf(p->arena, "%.0f", was);
	return arena_printf(p->arena, "%.0f -> %.0f", was, is);
}

/* Tenths where they are more than noise. */
static const char *nanoseconds_text(const struct printer *p,
				    const struct call_cost *cost)
{
	double ns = calibration_nanoseconds(p->report->calibration,
					    p->report->prices, cost);

	return arena_printf(p->arena, "%.*f", ns < 100, ns);
}

static const char *time_text(const struct printer *p,
			     const struct report_row *row,
			     enum identity identity)
{
	const char *was = nanoseconds_text(p, &row->before[identity]);

	if (!p->both || row->before[identity].instructions ==
				row->after[identity].instructions)
		return was;
	return arena_printf(p->arena, "%s -> %s", was,
			    nanoseconds_text(p, &row->after[identity]));
}

static const char *count_text(const struct printer *p, unsigned int was,
			      unsigned int is)
{
	if (!p->both || was == is)
		return arena_printf(p->arena, "%u", was);
	return arena_printf(p->arena, "%u -> %u", was, is);
}

void printer_dearest(const struct printer *p)
{
	const struct report_figures *f = p->figures;

	if (!f->before.counted)
		return;
	fprintf(p->to, "\n%-40s %18s %18s\n",
		p->report->calibration ? "The dearest calls, instructions and "
					 "ns"
		: p->both ? "The dearest calls (to a user, before)"
			  : "The dearest calls (to a user)",
		"daemon", "user");
	fputs("  by what is not due to any rule at all\n", p->to);
	for (size_t i = 0; i < f->dear; i++) {
		const struct dear_call *call = &f->dearest[i];

		fprintf(p->to, "  %-38s %18s %18s\n",
			arena_printf(p->arena, "%s %s",
				     report_abi_name(p->report->target,
						     call->row->abi),
				     call->name),
			cost_text(p, call->row, IDENTITY_DAEMON),
			cost_text(p, call->row, IDENTITY_USER));
		if (p->report->calibration)
			fprintf(p->to, "  %-38s %18s %18s\n", "",
				time_text(p, call->row, IDENTITY_DAEMON),
				time_text(p, call->row, IDENTITY_USER));
	}
}

static const char *unnamed_text(const struct printer *p,
				const struct report_row *row, size_t columns,
				const char *text)
{
	const char *separator = " ";
	const char *run;

	for (int from = 0;
	     (run = printer_next_run(p, &row->calls, &from)) != NULL;) {
		const char *longer =
			arena_printf(p->arena, "%s%s%s", text, separator, run);

		if (strlen(longer) + strlen(", ...") > columns)
			return arena_printf(p->arena, "%s, ...", text);
		text = longer;
		separator = ", ";
	}
	return text;
}

/* "b64 read, write, +299 more" in COLUMNS; numbers without a name only where
 * the row has no other. */
static const char *calls_text(const struct printer *p,
			      const struct report_row *row, size_t columns)
{
	const struct target *target = p->report->target;
	const char *text = report_abi_name(target, row->abi);
	const char *separator = " ";
	size_t more = 0;
	bool named = false;

	for (int n = syscall_mask_next(&row->calls, 0); n >= 0;
	     n = syscall_mask_next(&row->calls, n + 1)) {
		const char *name = target_call_name(target, row->abi, n);
		const char *longer;

		if (!name)
			continue;
		longer =
			arena_printf(p->arena, "%s%s%s", text, separator, name);
		if (more || (named && strlen(longer) + strlen(", +1234 more") >
					      columns)) {
			more++;
			continue;
		}
		named = true;
		text = longer;
		separator = ", ";
	}
	if (!named)
		return unnamed_text(p, row, columns, text);
	return more ? arena_printf(p->arena, "%s, +%zu more", text, more)
		    : text;
}

static const char *cell(const struct printer *p, const struct report_row *row,
			int column)
{
	const struct call_cost *was = &row->before[IDENTITY_USER];
	const struct call_cost *is = &row->after[IDENTITY_USER];

	switch (column) {
	case COLUMN_WALKED:
		return count_text(p, was->rules_walked, is->rules_walked);
	case COLUMN_HIT:
		return count_text(p, was->masks_hit, is->masks_hit);
	case COLUMN_FIELDS:
		return count_text(p, was->fields_evaluated,
				  is->fields_evaluated);
	case COLUMN_DAEMON:
		return cost_text(p, row, IDENTITY_DAEMON);
	case COLUMN_USER:
		return cost_text(p, row, IDENTITY_USER);
	case COLUMN_DAEMON_NS:
		return time_text(p, row, IDENTITY_DAEMON);
	default:
		return time_text(p, row, IDENTITY_USER);
	}
}

/* How wide each column must be; what is left of a line is for the calls. */
static struct layout fit_columns(const struct printer *p)
{
	struct layout layout = {.columns = p->report->calibration
						   ? ROW_COLUMNS
						   : COLUMN_DAEMON_NS};
	size_t left = REPORT_COLUMNS - 1;

	for (int column = 0; column < layout.columns; column++) {
		size_t widest = strlen(column_title[column]);

		for (size_t i = 0; i < p->figures->rows.count; i++) {
			const struct report_row *row =
				&p->figures->rows.item[i];
			size_t length = strlen(cell(p, row, column));

			if (length > widest)
				widest = length;
		}
		layout.width[column] = (int)widest + 2;
		left = left > widest + 2 ? left - widest - 2 : 0;
	}
	layout.calls_alone = left < CALLS_COLUMNS_MIN;
	if (layout.calls_alone || left > CALLS_COLUMNS_MAX)
		left = CALLS_COLUMNS_MAX;
	layout.calls_columns = left;
	return layout;
}

static void print_calls(const struct printer *p, const struct layout *layout,
			const char *calls)
{
	if (layout->calls_alone)
		fprintf(p->to, "%s\n", calls);
	else
		fprintf(p->to, "%-*.*s", (int)layout->calls_columns,
			(int)layout->calls_columns, calls);
}

void printer_rows(const struct printer *p)
{
	struct layout layout = fit_columns(p);

	fprintf(p->to,
		"\nCalls that are in the same rules: rules walked, masks that "
		"have the call, fields evaluated\n"
		"(for a user), instructions%s\n",
		p->report->calibration ? ", nanoseconds" : "");
	print_calls(p, &layout, "calls");
	for (int column = 0; column < layout.columns; column++)
		fprintf(p->to, "%*s", layout.width[column],
			column_title[column]);
	fputc('\n', p->to);
	for (size_t i = 0; i < p->figures->rows.count; i++) {
		const struct report_row *row = &p->figures->rows.item[i];

		print_calls(p, &layout,
			    calls_text(p, row, layout.calls_columns));
		for (int column = 0; column < layout.columns; column++)
			fprintf(p->to, "%*s", layout.width[column],
				cell(p, row, column));
		fputc('\n', p->to);
	}
}
