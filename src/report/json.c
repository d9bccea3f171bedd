/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report for programs; man/auditopt.report.5 documents it.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "report/report.h"

#include "report/changes.h"
#include "report/json_value.h"
#include "report/rows.h"

#define REPORT_FORMAT "auditopt-report"
#define REPORT_FORMAT_VERSION 3
/* Enough for every figure of the cost model, and no noise behind it. */
#define REAL_DIGITS 12

static const char *const identity_name[IDENTITY_COUNT] = {
	[IDENTITY_DAEMON] = "daemon",
	[IDENTITY_USER] = "user",
};

static json_t *cost_value(const struct report *report,
			  const struct call_cost *cost)
{
	json_t *value = json_pack("{s:I,s:I,s:I,s:f,s:f}", "rules_walked",
			 (json_int_t)cost->rules_walked, "masks_hit",
			 (json_int_t)cost->masks_hit, "fields_evaluated",
			 (json_int_t)cost->fields_evaluated, "instructions",
			 cost->instructions, "fixed", cost->fixed);

	if (report->calibration)
		json_object_set_new(value, "nanoseconds",
				    json_real(calibration_nanoseconds(
					    report->calibration,
					    report->prices, cost)));
	return value;
}

static json_t *costs_value(const struct report *report,
			   const struct call_cost cost[IDENTITY_COUNT])
{
	json_t *value = json_object();

	for (int i = 0; i < IDENTITY_COUNT; i++)
		json_object_set_new(value, identity_name[i],
				    cost_value(report, &cost[i]));
	return value;
}

static json_t *reals_value(const double real[IDENTITY_COUNT])
{
	json_t *value = json_object();

	for (int i = 0; i < IDENTITY_COUNT; i++)
		json_object_set_new(value, identity_name[i],
				    json_real(real[i]));
	return value;
}

static json_t *totals_value(const struct report *report,
			    const struct report_totals *t)
{
	json_t *places = json_object(), *value;

	json_object_set_new(places, "exit_list", size_value(t->exit_list));
	json_object_set_new(places, "inode_buckets",
			    size_value(t->inode_buckets));
	json_object_set_new(places, "unsettled_watches",
			    size_value(t->unsettled));
	json_object_set_new(places, "task", size_value(t->task));
	json_object_set_new(places, "user", size_value(t->user));
	json_object_set_new(places, "exclude", size_value(t->exclude));
	json_object_set_new(places, "filesystem", size_value(t->filesystem));
	json_object_set_new(places, "io_uring", size_value(t->io_uring));
	value = json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:f}", "rules",
			  size_value(t->rules), "counted",
			  size_value(t->counted), "places", places, "mask_bits",
			  size_value(t->mask_bits), "named_calls",
			  size_value(t->named_calls), "mean_instructions",
			  reals_value(t->mean), "weighted_instructions",
			  reals_value(t->weighted), "fixed_instructions",
			  t->fixed);
	if (!report->calibration)
		return value;
	json_object_set_new(value, "mean_nanoseconds", reals_value(t->mean_ns));
	json_object_set_new(value, "weighted_nanoseconds",
			    reals_value(t->weighted_ns));
	return value;
}

static json_t *both_totals(const struct report *report,
			   const struct report_figures *f)
{
	json_t *value;

	if (!report->before)
		return json_null();
	value = json_object();
	json_object_set_new(value, "before", totals_value(report, &f->before));
	json_object_set_new(value, "after",
			    report->after ? totals_value(report, &f->after)
					  : json_null());
	return value;
}

static json_t *rules_value(struct arena *arena, const struct report *report)
{
	struct rule_counts counts;

	if (!report->before || !report->after)
		return json_null();
	counts = report_rule_counts(arena, report->before, report->after);
	return json_pack(
		"{s:o,s:o,s:o,s:o,s:o}", "before", size_value(counts.before),
		"dropped", size_value(counts.dropped), "merged",
		size_value(counts.merged), "added", size_value(counts.added),
		"after", size_value(counts.after));
}

static json_t *left_value(const struct report *report)
{
	const struct left_counts counts =
		report_left_counts(report->left, report->lefts);

	if (!report->before)
		return json_null();
	return json_pack("{s:o,s:o}", "lines", size_value(counts.lines),
			 "calls", size_value(counts.calls));
}

static json_t *proof_value(struct arena *arena, const struct report *report)
{
	json_t *reached = json_null();

	if (!report->after)
		return json_null();
	if (!report->fallback)
		reached = json_integer(report->level);
	else if (report->level_reached >= 0)
		reached = json_integer(report->level_reached);
	return json_pack("{s:o,s:o,s:o}", "text",
			 text_value(arena, report->proof), "fallback",
			 text_value(arena, report->fallback), "level_reached",
			 reached);
}

static json_t *profile_value(struct arena *arena,
			     const struct report_figures *f)
{
	if (!f->profile)
		return json_null();
	return json_pack("{s:o,s:o}", "name",
			 text_value(arena, f->profile->name), "kind",
			 text_value(arena, f->profile->kind));
}

static json_t *calibration_value(struct arena *arena,
				 const struct calibration *c)
{
	if (!c)
		return json_null();
	return json_pack("{s:o,s:o,s:o,s:o}", "file",
			 text_value(arena, c->file), "kernel",
			 text_value(arena, c->kernel), "machine",
			 text_value(arena, c->machine), "date",
			 text_value(arena, c->date));
}

static json_t *passes_value(struct arena *arena, const struct report_figures *f)
{
	json_t *value = json_array();

	for (size_t i = 0; i < f->passes; i++) {
		const struct pass_totals *pass = &f->pass[i];

		json_array_append_new(
			value,
			json_pack("{s:o,s:o,s:o,s:o,s:o}", "name",
				  text_value(arena, pass->name), "changes",
				  size_value(pass->changes), "rules_dropped",
				  size_value(pass->rules_dropped),
				  "rules_added", size_value(pass->rules_added),
				  "calls_dropped",
				  size_value(pass->calls_dropped)));
	}
	return value;
}

static json_t *after_value(const struct report *report,
			   const struct report_row *row)
{
	return report->after ? costs_value(report, row->after) : json_null();
}

static json_t *classes_value(struct arena *arena, const struct report *report,
			     const struct report_figures *f)
{
	json_t *value = json_array();

	for (size_t i = 0; i < f->rows.count; i++) {
		const struct report_row *row = &f->rows.item[i];

		json_array_append_new(
			value,
			json_pack(
				"{s:o,s:o,s:o,s:o,s:o}", "abi",
				text_value(arena,
					   report->target->abi[row->abi].name),
				"names",
				names_value(arena, report->target, row->abi,
					    &row->calls),
				"numbers", ranges_value(&row->calls), "before",
				costs_value(report, row->before), "after",
				after_value(report, row)));
	}
	return value;
}

static json_t *dearest_value(struct arena *arena, const struct report *report,
			     const struct report_figures *f)
{
	json_t *value = json_array();

	for (size_t i = 0; f->before.counted && i < f->dear; i++) {
		const struct dear_call *call = &f->dearest[i];
		const struct report_row *row = call->row;

		json_array_append_new(
			value,
			json_pack(
				"{s:o,s:o,s:i,s:o,s:o}", "abi",
				text_value(arena,
					   report->target->abi[row->abi].name),
				"name", text_value(arena, call->name), "number",
				call->number, "before",
				costs_value(report, row->before), "after",
				after_value(report, row)));
	}
	return value;
}

static json_t *dearer_value(struct arena *arena, const struct report *report,
			    const struct report_figures *f)
{
	const struct dearer_calls *d = &f->dearer;

	if (!d->count)
		return json_null();
	return json_pack(
		"{s:o,s:f,s:o,s:o,s:i,s:s}", "calls", size_value(d->count),
		"most", d->most, "abi",
		text_value(arena,
			   report->target->abi[d->worst.row->abi].name),
		"name", text_value(arena, d->worst.name), "number",
		d->worst.number, "identity", identity_name[d->identity]);
}

static json_t *offers_value(struct arena *arena, const struct report *report)
{
	json_t *value = json_array();

	for (size_t i = 0; i < report->offers; i++) {
		const struct report_offer *o = &report->offer[i];

		json_array_append_new(
			value,
			json_pack("{s:s,s:f,s:o,s:o,s:i,s:s,s:f,s:f,s:s}",
				  "option", o->option, "percent", o->percent,
				  "abi",
				  text_value(arena,
					     report->target->abi[o->abi].name),
				  "name", text_value(arena, o->call), "number",
				  o->number, "identity",
				  identity_name[o->identity], "before", o->was,
				  "after", o->is, "price", o->price));
	}
	return value;
}

static json_t *position_value(struct arena *arena, const struct input *input,
			      struct position at)
{
	const struct source_line *line;

	if (at.line == DIAG_NO_LINE || at.line >= input->count)
		return json_null();
	line = &input->line[at.line];
	return json_pack("{s:o,s:I,s:I,s:I}", "file",
			 text_value(arena, line->file), "line",
			 (json_int_t)line->number, "column",
			 (json_int_t)line->column + at.column - 1, "length",
			 (json_int_t)at.length);
}

static json_t *diagnostic_value(struct arena *arena, const struct input *input,
				const struct diagnostic *d)
{
	/* the one place that tells it from an error: auditopt.report(5) */
	const char *severity = d->severity == DIAG_FATAL
				       ? "fatal"
				       : severity_name(d->severity);

	return json_pack(
		"{s:s,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:b}", "severity",
		severity, "id", text_value(arena, d->id),
		"at", position_value(arena, input, d->at), "what",
		text_value(arena, d->what), "auditctl",
		text_value(arena, d->auditctl), "advice",
		text_value(arena, d->advice), "other",
		position_value(arena, input, d->other), "other_what",
		text_value(arena, d->other_what), "stops", (int)d->stops);
}

static json_t *diagnostics_value(struct arena *arena,
				 const struct report *report)
{
	json_t *value = json_array();
	const struct diagnostic *d;

	for (size_t i = 0; report->diagnostics &&
			   (d = diagnostics_get(report->diagnostics, i));
	     i++)
		json_array_append_new(
			value, diagnostic_value(arena, report->input, d));
	return value;
}

static json_t *constants_value(void)
{
	json_t *value = json_array();
	const struct cost_constant *c;

	for (unsigned int i = 0; (c = cost_constant_row(i)); i++)
		json_array_append_new(value, json_pack("{s:s,s:f,s:s}", "name",
						       c->name, "instructions",
						       c->instructions,
						       "source", c->source));
	return value;
}

/* What patches of the kernel would make of it; the same for each of them. */
static json_t *patches_value(const struct report *report,
			     const struct report_figures *f)
{
	json_t *value = json_array();

	for (unsigned int i = 0; report->before && i < KERNEL_PATCHES; i++) {
		const struct kernel_patch *patch = kernel_patch(i);

		json_array_append_new(
			value,
			json_pack("{s:s,s:s,s:s,s:b,s:o,s:o}", "name",
				  patch->name, "what", patch->what, "published",
				  patch->published, "measured", 0, "before",
				  patch->estimated
					  ? reals_value(f->before.patched[i])
					  : json_null(),
				  "after",
				  patch->estimated && report->after
					  ? reals_value(f->after.patched[i])
					  : json_null()));
	}
	return value;
}

bool report_json(struct arena *arena, const struct report *report, FILE *stream)
{
	struct report_figures f = {0};
	json_t *value = json_object();
	bool good;

	if (report->before)
		f = report_figures_of(arena, report);
	json_object_set_new(value, "format", json_string(REPORT_FORMAT));
	json_object_set_new(value, "version",
			    json_integer(REPORT_FORMAT_VERSION));
	json_object_set_new(value, "auditopt", json_string(PACKAGE_VERSION));
	json_object_set_new(value, "target",
			    text_value(arena, report->target->name));
	json_object_set_new(value, "level",
			    report->after ? json_integer(report->level)
					  : json_null());
	json_object_set_new(
		value, "auditctl",
		text_value(arena,
			   auditctl_version_text(arena, report->auditctl_version)));
	json_object_set_new(value, "proof", proof_value(arena, report));
	json_object_set_new(value, "left_out", left_value(report));
	json_object_set_new(value, "rules", rules_value(arena, report));
	json_object_set_new(value, "totals", both_totals(report, &f));
	json_object_set_new(value, "profile", profile_value(arena, &f));
	json_object_set_new(value, "calibration",
			    calibration_value(arena, report->calibration));
	json_object_set_new(value, "offers", offers_value(arena, report));
	json_object_set_new(value, "passes", passes_value(arena, &f));
	json_object_set_new(value, "idle", idle_value(arena, report));
	json_object_set_new(value, "changes", changes_value(arena, report));
	json_object_set_new(value, "dearest", dearest_value(arena, report, &f));
	json_object_set_new(value, "dearer", dearer_value(arena, report, &f));
	json_object_set_new(value, "classes", classes_value(arena, report, &f));
	json_object_set_new(value, "diagnostics",
			    diagnostics_value(arena, report));
	json_object_set_new(value, "patches", patches_value(report, &f));
	json_object_set_new(value, "estimated_for",
			    json_string((report->prices ? report->prices
							: prices_of(NULL))
						->kernel));
	json_object_set_new(value, "constants", constants_value());
	good = json_dumpf(value, stream,
			  JSON_INDENT(2) | JSON_PRESERVE_ORDER |
				  JSON_ENSURE_ASCII |
				  JSON_REAL_PRECISION(REAL_DIGITS)) == 0 &&
	       fputc('\n', stream) != EOF && fflush(stream) == 0;
	json_decref(value);
	return good;
}
