/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report for people, 100 columns at most.
 */
#include "report/report.h"

#include <string.h>

#include "emit/emit.h"
#include "report/changes.h"
#include "report/rows.h"

#define REPORT_COLUMNS 100
/* Without -v. */
#define IDLE_RULES_SHOWN 10
/* Names of calls that are told for one change. */
#define TAKEN_NAMES_SHOWN 6

/* What stands in a row behind its calls. */
enum row_column {
	COLUMN_WALKED,
	COLUMN_HIT,
	COLUMN_FIELDS,
	COLUMN_DAEMON,
	COLUMN_USER,
	ROW_COLUMNS
};

static const char *const column_title[ROW_COLUMNS] = {"walked", "hit", "fields",
						      "daemon", "user"};

/* The calls get what the figures leave them, within these bounds, or a line of
 * their own. */
#define CALLS_COLUMNS_MIN 18
#define CALLS_COLUMNS_MAX 44

struct printer {
	struct arena *arena;
	const struct report *report;
	const struct report_figures *figures;
	FILE *to;
	bool both; /* is there an after? */
	size_t calls_columns;
	bool calls_alone;
};

static void print_head(const struct printer *p)
{
	const struct report *r = p->report;

	fprintf(p->to, "auditopt report: %s, ", r->target->name);
	if (p->both)
		fprintf(p->to, "level -O%d, ", r->level);
	fprintf(p->to, "read as auditctl %s reads it\n",
		report_version(p->arena, r->auditctl_version));
}

static void print_size(const struct printer *p, const char *what, size_t was,
		       size_t is, bool always)
{
	if (!always && !was && !is)
		return;
	fprintf(p->to, "  %-40s %10zu", what, was);
	if (p->both)
		fprintf(p->to, " -> %10zu", is);
	fputc('\n', p->to);
}

static void print_mean(const struct printer *p, const char *what, double was,
		       double is)
{
	double percent = was > 0 ? (is - was) / was * 100 : 0;
	bool little = percent > -0.95 && percent < 0.95;

	fprintf(p->to, "  %-40s %10.0f", what, was);
	if (p->both)
		fprintf(p->to, " -> %10.0f", is);
	if (p->both && percent <= -0.05)
		fprintf(p->to, "  (%.*f %%)", little, percent);
	else if (p->both && percent >= 0.05)
		fprintf(p->to, "  (+%.*f %%)", little, percent);
	fputc('\n', p->to);
}

static void print_totals(const struct printer *p)
{
	const struct report_totals *b = &p->figures->before;
	const struct report_totals *a = &p->figures->after;

	fprintf(p->to, "\nRules\n");
	print_size(p, "exit list, walked by every call", b->exit_list,
		   a->exit_list, true);
	print_size(p, "inode buckets, by the files that are named",
		   b->inode_buckets, a->inode_buckets, false);
	print_size(p, "watches, list or bucket when they load", b->unsettled,
		   a->unsettled, false);
	print_size(p, "task list", b->task, a->task, false);
	print_size(p, "user list", b->user, a->user, false);
	print_size(p, "exclude list", b->exclude, a->exclude, false);
	print_size(p, "filesystem list", b->filesystem, a->filesystem, false);
	print_size(p, "io_uring list", b->io_uring, a->io_uring, false);
	print_size(p, "all", b->rules, a->rules, true);
	print_size(p, "calls in the masks of exit rules", b->mask_bits,
		   a->mask_bits, true);

	fprintf(p->to,
		"\nInstructions a call, above the same call without rules\n");
	print_mean(p,
		   arena_printf(p->arena, "daemon, mean of %zu named calls",
				b->named_calls),
		   b->mean[IDENTITY_DAEMON], a->mean[IDENTITY_DAEMON]);
	print_mean(p, "user, the same", b->mean[IDENTITY_USER],
		   a->mean[IDENTITY_USER]);
	print_mean(p, "daemon, sum over the classes below",
		   b->sum[IDENTITY_DAEMON], a->sum[IDENTITY_DAEMON]);
	print_mean(p, "user, the same", b->sum[IDENTITY_USER],
		   a->sum[IDENTITY_USER]);
	fprintf(p->to,
		"  Estimated from measurements of Linux 6.1 on x86_64; the "
		"rules' walk only. A call that\n"
		"  names files, and every record that is made, costs more. "
		"A daemon has no auid, a user has.\n");
}

static void print_passes(const struct printer *p)
{
	const struct report_figures *f = p->figures;
	size_t added = 0;

	if (!p->report->log)
		return;
	if (!f->passes) {
		fprintf(p->to, "\nNo pass found anything to change.\n");
		return;
	}
	for (size_t i = 0; i < f->passes; i++)
		added += f->pass[i].rules_added;
	fprintf(p->to, "\n%-20s %10s %16s %16s", "Pass", "changes",
		"rules dropped", "calls dropped");
	fprintf(p->to, added ? " %16s\n" : "\n", "rules added");
	for (size_t i = 0; i < f->passes; i++) {
		const struct pass_totals *pass = &f->pass[i];

		fprintf(p->to, "  %-18s %10zu %16zu %16zu", pass->name,
			pass->changes, pass->rules_dropped,
			pass->calls_dropped);
		if (added)
			fprintf(p->to, " %16zu", pass->rules_added);
		fputc('\n', p->to);
	}
}

/* TEXT on lines of its own, broken behind spaces and commas where it can be. */
static void print_wrapped(const struct printer *p, const char *text)
{
	static const char first[] = "  ", next[] = "      ";
	const char *indent = first;

	while (*text) {
		size_t room = REPORT_COLUMNS - strlen(indent);
		size_t take = strlen(text);
		size_t shown;

		if (take > room) {
			take = room;
			while (take > 0 && text[take - 1] != ' ' &&
			       text[take - 1] != ',')
				take--;
			if (take == 0)
				take = strcspn(text, " ,");
			take += text[take] == ',';
		}
		for (shown = take; shown && text[shown - 1] == ' '; shown--)
			;
		fprintf(p->to, "%s%.*s\n", indent, (int)shown, text);
		text += take;
		text += strspn(text, " ");
		indent = next;
	}
}

/* The next run of numbers in MASK from *FROM on, as "452-2031"; NULL: no more.
 */
static const char *next_run(const struct printer *p,
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

/* Without -v only the first few. */
static void print_idle_rules(const struct printer *p, bool verbose)
{
	const struct report *r = p->report;
	struct idle_rules all = report_idle_rules(p->arena, r);
	size_t shown = all.count;

	if (!all.count)
		return;
	if (!verbose && shown > IDLE_RULES_SHOWN)
		shown = IDLE_RULES_SHOWN;
	fprintf(p->to, "\nRules that could never take effect\n");
	for (size_t i = 0; i < shown; i++) {
		const struct idle_rule *idle = &all.item[i];
		const struct change *c = idle->change;
		const char *text = arena_printf(
			p->arena, "%s: %s",
			emit_origin(p->arena, r->input, c->what), idle->reason);

		if (c->because.count)
			text = arena_printf(
				p->arena, "%s (%s)", text,
				emit_origin(p->arena, r->input, c->because));
		if (idle->key_lost)
			text = arena_printf(p->arena,
					    "%s; its key %s is never used",
					    text, idle->key);
		print_wrapped(p, text);
	}
	if (shown < all.count)
		fprintf(p->to, "  %zu more with -v\n", all.count - shown);
}

/* "b64 chmod, fchmod, +3 more"; "" if none has a name. */
static const char *names_text(const struct printer *p, enum abi abi,
			      const struct syscall_mask *mask)
{
	const struct target *target = p->report->target;
	const char *text = report_abi_name(target, abi);
	size_t named = 0, more = 0;

	for (int n = syscall_mask_next(mask, 0); n >= 0;
	     n = syscall_mask_next(mask, n + 1)) {
		const char *name = target_call_name(target, abi, n);

		if (name && named < TAKEN_NAMES_SHOWN)
			text = arena_printf(p->arena, "%s%s %s", text,
					    named++ ? "," : "", name);
		else
			more++;
	}
	if (!named)
		return "";
	return more ? arena_printf(p->arena, "%s, +%zu more", text, more)
		    : text;
}

/* The calls that C took out of a mask, by name if one has any. */
static const char *taken_text(const struct printer *p, const struct change *c)
{
	const char *text = "", *run;

	for (int abi = 0; abi < ABI_COUNT; abi++) {
		const char *names = "";

		if (c->taken_abis & 1 << abi)
			names = names_text(p, (enum abi)abi, &c->taken);
		text = arena_printf(p->arena, "%s%s%s", text,
				    *text && *names ? "; " : "", names);
	}
	if (*text)
		return text;
	for (int from = 0; (run = next_run(p, &c->taken, &from)) != NULL;)
		text = arena_printf(p->arena, "%s%s%s", text, *text ? ", " : "",
				    run);
	return text;
}

static void print_change(const struct printer *p,
			 const struct change_group *group)
{
	const struct input *input = p->report->input;
	const struct change *c = group->first;
	const char *text = arena_printf(p->arena, "%s: ", c->pass);

	if (group->what.count)
		text = arena_printf(p->arena, "%s%s: ", text,
				    emit_origin(p->arena, input, group->what));
	text = arena_printf(p->arena, "%s%s", text, c->text);
	if (!syscall_mask_empty(&c->taken))
		text = arena_printf(p->arena, "%s: %s", text, taken_text(p, c));
	if (c->because.count)
		text = arena_printf(p->arena, "%s (because of %s)", text,
				    emit_origin(p->arena, input, c->because));
	print_wrapped(p, text);
}

static void print_changes(const struct printer *p)
{
	struct change_groups all;

	if (!p->report->log || !p->report->log->count)
		return;
	all = report_change_groups(p->arena, p->report->log);
	fprintf(p->to, "\nChanges\n");
	for (size_t i = 0; i < all.count; i++)
		print_change(p, &all.item[i]);
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

static const char *count_text(const struct printer *p, unsigned int was,
			      unsigned int is)
{
	if (!p->both || was == is)
		return arena_printf(p->arena, "%u", was);
	return arena_printf(p->arena, "%u -> %u", was, is);
}

static void print_dearest(const struct printer *p)
{
	const struct report_figures *f = p->figures;

	if (!f->before.counted)
		return;
	fprintf(p->to, "\n%-40s %18s %18s\n", "The dearest calls", "daemon",
		"user");
	for (size_t i = 0; i < f->dear; i++) {
		const struct dear_call *call = &f->dearest[i];

		fprintf(p->to, "  %-38s %18s %18s\n",
			arena_printf(p->arena, "%s %s",
				     report_abi_name(p->report->target,
						     call->row->abi),
				     call->name),
			cost_text(p, call->row, IDENTITY_DAEMON),
			cost_text(p, call->row, IDENTITY_USER));
	}
}

static const char *unnamed_text(const struct printer *p,
				const struct report_row *row, const char *text)
{
	const char *separator = " ";
	const char *run;

	for (int from = 0; (run = next_run(p, &row->calls, &from)) != NULL;) {
		const char *longer =
			arena_printf(p->arena, "%s%s%s", text, separator, run);

		if (strlen(longer) + strlen(", ...") > p->calls_columns)
			return arena_printf(p->arena, "%s, ...", text);
		text = longer;
		separator = ", ";
	}
	return text;
}

/* "b64 read, write, +299 more"; numbers without a name only where the row has
 * no other. */
static const char *calls_text(const struct printer *p,
			      const struct report_row *row)
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
					      p->calls_columns)) {
			more++;
			continue;
		}
		named = true;
		text = longer;
		separator = ", ";
	}
	if (!named)
		return unnamed_text(p, row, text);
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
	default:
		return cost_text(p, row, IDENTITY_USER);
	}
}

/* How wide each column must be; what is left of a line is for the calls. */
static void fit_columns(struct printer *p, int width[ROW_COLUMNS])
{
	size_t left = REPORT_COLUMNS - 1;

	for (int column = 0; column < ROW_COLUMNS; column++) {
		size_t widest = strlen(column_title[column]);

		for (size_t i = 0; i < p->figures->rows.count; i++) {
			const struct report_row *row =
				&p->figures->rows.item[i];
			size_t length = strlen(cell(p, row, column));

			if (length > widest)
				widest = length;
		}
		width[column] = (int)widest + 2;
		left = left > widest + 2 ? left - widest - 2 : 0;
	}
	p->calls_alone = left < CALLS_COLUMNS_MIN;
	if (p->calls_alone || left > CALLS_COLUMNS_MAX)
		left = CALLS_COLUMNS_MAX;
	p->calls_columns = left;
}

static void print_calls(const struct printer *p, const char *calls)
{
	if (p->calls_alone)
		fprintf(p->to, "%s\n", calls);
	else
		fprintf(p->to, "%-*.*s", (int)p->calls_columns,
			(int)p->calls_columns, calls);
}

static void print_rows(struct printer *p)
{
	int width[ROW_COLUMNS];

	fit_columns(p, width);
	fprintf(p->to,
		"\nCalls that are in the same rules: rules walked, masks that "
		"have the call, fields evaluated\n"
		"(for a user), instructions\n");
	print_calls(p, "calls");
	for (int column = 0; column < ROW_COLUMNS; column++)
		fprintf(p->to, "%*s", width[column], column_title[column]);
	fputc('\n', p->to);
	for (size_t i = 0; i < p->figures->rows.count; i++) {
		const struct report_row *row = &p->figures->rows.item[i];

		print_calls(p, calls_text(p, row));
		for (int column = 0; column < ROW_COLUMNS; column++)
			fprintf(p->to, "%*s", width[column],
				cell(p, row, column));
		fputc('\n', p->to);
	}
}

void report_text(struct arena *arena, const struct report *report, bool verbose,
		 FILE *stream)
{
	struct report_figures figures = report_figures_of(arena, report);
	struct printer p = {.arena = arena,
			    .report = report,
			    .figures = &figures,
			    .to = stream,
			    .both = report->after != NULL};

	print_head(&p);
	print_totals(&p);
	print_idle_rules(&p, verbose);
	print_passes(&p);
	if (verbose)
		print_changes(&p);
	print_dearest(&p);
	print_rows(&p);
}
