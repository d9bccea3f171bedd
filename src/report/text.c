/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report for people, 100 columns at most.
 */
#include "report/report.h"

#include <string.h>

#include "emit/emit.h"
#include "report/changes.h"
#include "report/printer.h"
#include "util/printable.h"

/* Without -v. */
#define IDLE_RULES_SHOWN 10
/* Names of calls that are told for one change. */
#define TAKEN_NAMES_SHOWN 6

/* TEXT on lines of its own, broken behind spaces and commas where it can be. */
static void print_wrapped(const struct printer *p, const char *text)
{
	static const char first[] = "  ", next[] = "      ";
	const char *indent = first;

	text = printable_text(p->arena, text, strlen(text));
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

static void print_head(const struct printer *p)
{
	const struct report *r = p->report;

	fprintf(p->to, "auditopt report: %s, ", r->target->name);
	if (p->both)
		fprintf(p->to, "level -O%d, ", r->level);
	fprintf(p->to, "read as auditctl %s reads it\n",
		auditctl_version_text(p->arena, r->auditctl_version));
	if (r->lefts)
		print_wrapped(p,
			      arena_printf(p->arena,
					   "%s; the figures%s are of the rest.",
					   report_left_text(p->arena, r->left,
							    r->lefts),
					   r->proof ? " and the proof" : ""));
	if (r->proof)
		print_wrapped(p, r->proof);
	if (r->fallback)
		print_wrapped(p,
			      arena_printf(p->arena, "Not all was proved: %s.",
					   r->fallback));
}

/* Were there no rules in the first place? */
static bool is_empty(const struct report *report)
{
	return report->before->count == 0 &&
	       (!report->after || report->after->count == 0);
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

/* DIGITS behind the point. */
static void print_mean(const struct printer *p, const char *what, double was,
		       double is, int digits)
{
	double percent = was > 0 ? (is - was) / was * 100 : 0;
	bool little = percent > -0.95 && percent < 0.95;

	fprintf(p->to, "  %-40s %10.*f", what, digits, was);
	if (p->both)
		fprintf(p->to, " -> %10.*f", digits, is);
	if (p->both && percent <= -0.05)
		fprintf(p->to, "  (%.*f %%)", little, percent);
	else if (p->both && percent >= 0.05)
		fprintf(p->to, "  (+%.*f %%)", little, percent);
	fputc('\n', p->to);
}

static void print_counts(const struct printer *p)
{
	const struct report *r = p->report;
	struct rule_counts counts;

	if (!p->both) {
		fprintf(p->to, "\nRules\n");
		return;
	}
	counts = report_rule_counts(p->arena, r->before, r->after);
	fprintf(p->to, "\nRules: %s\n",
		report_rule_counts_text(p->arena, &counts));
}

static void print_means(const struct printer *p, const double *mean_was,
			const double *mean_is, const double *weighted_was,
			const double *weighted_is, int digits)
{
	print_mean(p,
		   arena_printf(p->arena, "daemon, mean of %zu named calls",
				p->figures->before.named_calls),
		   mean_was[IDENTITY_DAEMON], mean_is[IDENTITY_DAEMON], digits);
	print_mean(p, "user, the same", mean_was[IDENTITY_USER],
		   mean_is[IDENTITY_USER], digits);
	print_mean(p, "daemon, by how often calls are made",
		   weighted_was[IDENTITY_DAEMON], weighted_is[IDENTITY_DAEMON],
		   digits);
	print_mean(p, "user, the same", weighted_was[IDENTITY_USER],
		   weighted_is[IDENTITY_USER], digits);
}

/* The same in nanoseconds, where a calibration says how long they take. */
static void print_nanoseconds(const struct printer *p)
{
	const struct report_totals *b = &p->figures->before;
	const struct report_totals *a = &p->figures->after;
	const struct calibration *c = p->report->calibration;

	if (!c)
		return;
	fprintf(p->to,
		"\nNanoseconds a call, above the same call without rules\n");
	print_means(p, b->mean_ns, a->mean_ns, b->weighted_ns, a->weighted_ns,
		    1);
	print_wrapped(p, arena_printf(p->arena,
				      "As %s has them, measured on Linux %s "
				      "(%s).",
				      c->file, c->kernel, c->date));
}

static const char *who_text(enum identity identity)
{
	return identity == IDENTITY_DAEMON ? "a daemon" : "a user";
}

/* What the others are paid with. */
static void print_dearer(const struct printer *p)
{
	const struct dearer_calls *d = &p->figures->dearer;

	if (!d->count)
		return;
	print_wrapped(
		p, arena_printf(p->arena,
				"%zu kind%s of call%s get%s dearer (by at most "
				"%.0f instructions), the worst: %s %s by %s.",
				d->count, d->count > 1 ? "s" : "",
				d->count > 1 ? "s" : "",
				d->count > 1 ? "" : "s", d->most,
				report_abi_name(p->report->target,
						d->worst.row->abi),
				d->worst.name, who_text(d->identity)));
}

static void print_totals(const struct printer *p)
{
	const struct report_totals *b = &p->figures->before;
	const struct report_totals *a = &p->figures->after;

	print_counts(p);
	print_size(p, "exit list, walked by every call", b->exit_list,
		   a->exit_list, true);
	print_size(p, "inode buckets, by files that are named",
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
	print_means(p, b->mean, a->mean, b->weighted, a->weighted, 0);
	print_mean(p, "  of these, due to any rule at all", b->fixed, a->fixed,
		   0);
	print_dearer(p);
	print_wrapped(
		p, arena_printf(
			   p->arena,
			   "Estimated from measurements of Linux %s on "
			   "x86_64, for calls that succeed, on files that "
			   "no rule names, which are opened with O_RDONLY "
			   "and no other flag; a call that fails may cost more "
			   "or less; "
			   "every record that is made costs more. A daemon "
			   "has no auid, a user has.",
			   (p->report->prices ? p->report->prices
					      : prices_of(NULL))
				   ->kernel));
	print_wrapped(p, arena_printf(p->arena,
				      "How often calls are made: profile %s "
				      "(%s).",
				      p->figures->profile->name,
				      p->figures->profile->kind));
	print_nanoseconds(p);
}

/* A line each, broken where it is too long. */
static void print_offers(const struct printer *p)
{
	const struct report *r = p->report;

	if (r->offers)
		fprintf(p->to, "\nWhat more could be saved (estimated)\n");
	for (size_t i = 0; i < r->offers; i++) {
		const struct report_offer *o = &r->offer[i];

		print_wrapped(
			p,
			arena_printf(
				p->arena,
				"%s: another %.0f %% over all calls, %.0f %% "
				"on %s %s by %s (%.0f -> %.0f "
				"instructions); price: %s",
				o->option, o->percent,
				(o->was - o->is) / o->was * 100,
				report_abi_name(r->target, o->abi),
				o->call ? o->call
					: arena_printf(p->arena, "%d",
						       o->number),
				who_text(o->identity), o->was, o->is,
				o->price));
	}
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
	for (int from = 0;
	     (run = printer_next_run(p, &c->taken, &from)) != NULL;)
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

void report_text(struct arena *arena, const struct report *report, bool verbose,
		 FILE *stream)
{
	struct report_figures figures;
	struct printer p = {.arena = arena,
			    .report = report,
			    .figures = &figures,
			    .to = stream,
			    .both = report->after != NULL};

	print_head(&p);
	if (is_empty(report)) {
		fprintf(stream, "\nThere is no rule: no call is delayed, and "
				"nothing is logged because of a rule.\n");
		return;
	}
	figures = report_figures_of(arena, report);
	print_totals(&p);
	print_offers(&p);
	print_idle_rules(&p, verbose);
	print_passes(&p);
	if (verbose)
		print_changes(&p);
	if (verbose)
		printer_patches(&p);
	printer_dearest(&p);
	printer_rows(&p);
}
