/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/rows.h"

#include <libaudit.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

/* Where in the two tables a call is. */
struct pair {
	int before, after;
};

struct row_of_pair {
	struct pair pair;
	size_t row;
	UT_hash_handle hh;
};

/* Index in TABLE of the class that each call of ABI is in. */
static int *class_index(struct arena *arena, const struct cost_table *table,
			enum abi abi)
{
	int *index = arena_array(arena, SYSCALL_MASK_BITS, sizeof(*index));

	for (int n = 0; n < SYSCALL_MASK_BITS; n++)
		index[n] = -1;
	for (size_t i = 0; i < table->count; i++) {
		const struct class_cost *class = &table->item[i];
		const struct syscall_mask *mask = &class->calls.abi[abi];

		if (class->abi != abi)
			continue;
		for (int n = syscall_mask_next(mask, 0); n >= 0;
		     n = syscall_mask_next(mask, n + 1))
			index[n] = (int)i;
	}
	return index;
}

static void start_row(struct report_row *row, enum abi abi, struct pair pair,
		      const struct cost_table *before,
		      const struct cost_table *after)
{
	row->abi = abi;
	row->typical_before = syscall_mask_next(
		&before->item[pair.before].calls.abi[abi], 0);
	if (pair.after >= 0)
		row->typical_after = syscall_mask_next(
			&after->item[pair.after].calls.abi[abi], 0);
	memcpy(row->before, before->item[pair.before].cost,
	       sizeof(row->before));
	if (pair.after >= 0)
		memcpy(row->after, after->item[pair.after].cost,
		       sizeof(row->after));
}

static void add_rows(struct arena *arena, struct report_rows *rows,
		     const struct cost_table *before,
		     const struct cost_table *after, enum abi abi)
{
	const int *was = class_index(arena, before, abi);
	const int *is = class_index(arena, after, abi);
	struct row_of_pair *known = NULL;

	for (int n = 0; n < SYSCALL_MASK_BITS; n++) {
		struct pair pair = {was[n], is[n]};
		struct row_of_pair *entry;

		if (pair.before < 0)
			continue;
		HASH_FIND(hh, known, &pair, sizeof(pair), entry);
		if (!entry) {
			entry = arena_alloc(arena, sizeof(*entry));
			entry->pair = pair;
			entry->row = rows->count++;
			start_row(&rows->item[entry->row], abi, pair, before,
				  after);
			HASH_ADD(hh, known, pair, sizeof(pair), entry);
		}
		syscall_mask_add(&rows->item[entry->row].calls, n);
	}
	HASH_CLEAR(hh, known);
}

/* The common refinement of the two sets' classes. */
static struct report_rows rows_of(struct arena *arena,
				  const struct cost_table *before,
				  const struct cost_table *after)
{
	struct report_rows rows = {0};
	size_t most = before->count * (after->count ? after->count : 1);

	if (most > ABI_COUNT * SYSCALL_MASK_BITS)
		most = ABI_COUNT * SYSCALL_MASK_BITS;
	rows.item = arena_array(arena, most, sizeof(*rows.item));
	for (int abi = 0; abi < ABI_COUNT; abi++)
		add_rows(arena, &rows, before, after, (enum abi)abi);
	return rows;
}

static size_t *count_of_filter(struct report_totals *totals,
			       const struct rule *rule)
{
	switch (rule->filter) {
	case AUDIT_FILTER_TASK:
		return &totals->task;
	case AUDIT_FILTER_USER:
		return &totals->user;
	case AUDIT_FILTER_EXCLUDE:
		return &totals->exclude;
	case AUDIT_FILTER_FS:
		return &totals->filesystem;
	case AUDIT_FILTER_URING_EXIT:
		return &totals->io_uring;
	default:
		break;
	}
	switch (rule_place(rule)) {
	case PLACE_INODE:
		return &totals->inode_buckets;
	case PLACE_UNSETTLED:
		return &totals->unsettled;
	default:
		return &totals->exit_list;
	}
}

static void count_rules(struct report_totals *totals, const struct ruleset *set)
{
	totals->rules = set->count;
	totals->counted = ruleset_counted(set);
	for (size_t i = 0; i < set->count; i++) {
		const struct rule *rule = set->rule[i];

		(*count_of_filter(totals, rule))++;
		if (rule->filter == AUDIT_FILTER_EXIT)
			totals->mask_bits += syscall_mask_count(&rule->mask);
	}
}

static size_t named_calls(const struct target *target,
			  const struct report_row *row)
{
	size_t named = 0;

	for (int n = syscall_mask_next(&row->calls, 0); n >= 0;
	     n = syscall_mask_next(&row->calls, n + 1))
		named += target_call_name(target, row->abi, n) != NULL;
	return named;
}

/* How often the calls of ROW are made. */
static double weight_of(const struct profile *profile,
			const struct report_row *row)
{
	double weight = 0;

	for (int n = syscall_mask_next(&row->calls, 0);
	     n >= 0 && n < SYSCALL_MASK_CALLS;
	     n = syscall_mask_next(&row->calls, n + 1))
		weight += profile->weight[row->abi][n];
	return weight;
}

/* Adds what CALLS calls cost that are made OFTEN. */
static void add_cost(struct report_totals *totals, enum identity id,
		     const struct call_cost *cost, const struct report *report,
		     double calls, double often)
{
	const struct calibration *calibration = report->calibration;
	double ns = calibration ? calibration_nanoseconds(calibration,
							report->prices, cost)
				: 0;

	totals->mean[id] += cost->instructions * calls;
	totals->weighted[id] += cost->instructions * often;
	totals->mean_ns[id] += ns * calls;
	totals->weighted_ns[id] += ns * often;
	if (id == IDENTITY_DAEMON)
		totals->fixed += cost->fixed * often;
	for (unsigned int i = 0; i < KERNEL_PATCHES; i++)
		totals->patched[i][id] +=
			kernel_patch_cost(i, report->prices, cost) * often;
}

/* Sums become means over so much. */
static void divide(struct report_totals *totals, double calls, double often)
{
	totals->fixed /= often;
	for (int id = 0; id < IDENTITY_COUNT; id++) {
		totals->mean[id] /= calls;
		totals->mean_ns[id] /= calls;
		totals->weighted[id] /= often;
		totals->weighted_ns[id] /= often;
		for (unsigned int i = 0; i < KERNEL_PATCHES; i++)
			totals->patched[i][id] /= often;
	}
}

/* Means depend on what each call costs, not on how calls are grouped. */
static void average(struct report_figures *f, const struct report *report)
{
	double weight = 0;
	size_t named = 0;

	for (size_t i = 0; i < f->rows.count; i++) {
		const struct report_row *row = &f->rows.item[i];
		size_t calls = named_calls(report->target, row);
		double often = weight_of(f->profile, row);

		named += calls;
		weight += often;
		for (int id = 0; id < IDENTITY_COUNT; id++) {
			add_cost(&f->before, (enum identity)id,
				 &row->before[id], report, (double)calls,
				 often);
			add_cost(&f->after, (enum identity)id, &row->after[id],
				 report, (double)calls, often);
		}
	}
	f->before.named_calls = f->after.named_calls = named;
	divide(&f->before, named ? (double)named : 1, weight > 0 ? weight : 1);
	divide(&f->after, named ? (double)named : 1, weight > 0 ? weight : 1);
}

/* Dearest before anything was done, by what is not due to any rule at all: that
 * no rules can change. Ties in the order of the calls. */
static int dearer(const struct report_row *a, const struct report_row *b)
{
	for (int id = IDENTITY_COUNT - 1; id >= 0; id--) {
		double left = a->before[id].instructions - a->before[id].fixed;
		double right =
			b->before[id].instructions - b->before[id].fixed;

		if (left > right)
			return -1;
		if (left < right)
			return 1;
	}
	return 0;
}

static int by_price(const void *left, const void *right)
{
	const struct dear_call *a = left, *b = right;
	int order = dearer(a->row, b->row);

	if (order)
		return order;
	if (a->row->abi != b->row->abi)
		return a->row->abi < b->row->abi ? -1 : 1;
	return a->number - b->number;
}

static int row_by_price(const void *left, const void *right)
{
	const struct report_row *a = *(const struct report_row *const *)left;
	const struct report_row *b = *(const struct report_row *const *)right;
	int order = dearer(a, b);

	return order ? order : (a > b) - (a < b);
}

const struct report_row **report_rows_by_price(struct arena *arena,
					       const struct report_figures *f,
					       const struct target *target,
					       size_t *count)
{
	const struct report_row **all = arena_array(
		arena, f->rows.count, sizeof(const struct report_row *));

	*count = 0;
	for (size_t i = 0; i < f->rows.count; i++)
		if (named_calls(target, &f->rows.item[i]))
			all[(*count)++] = &f->rows.item[i];
	qsort(all, *count, sizeof(const struct report_row *), row_by_price);
	return all;
}

double report_row_weight(const struct report_figures *f,
			 const struct report_row *row)
{
	return weight_of(f->profile, row);
}

static void find_dearest(struct arena *arena, struct report_figures *f,
			 const struct target *target)
{
	struct dear_call *all =
		arena_array(arena, f->before.named_calls, sizeof(*all));
	size_t count = 0;

	for (size_t i = 0; i < f->rows.count; i++) {
		const struct report_row *row = &f->rows.item[i];

		for (int n = syscall_mask_next(&row->calls, 0); n >= 0;
		     n = syscall_mask_next(&row->calls, n + 1)) {
			const char *name =
				target_call_name(target, row->abi, n);

			if (name)
				all[count++] = (struct dear_call){name, n, row};
		}
	}
	qsort(all, count, sizeof(*all), by_price);
	f->dear = count < DEAREST_CALLS ? count : DEAREST_CALLS;
	memcpy(f->dearest, all, f->dear * sizeof(*all));
}

/* Somebody pays more for the calls of ROW: how much, and who. */
static double most_more(const struct report_row *row, enum identity *who)
{
	double most = 0;

	for (int id = 0; id < IDENTITY_COUNT; id++) {
		double more =
			row->after[id].instructions - row->before[id].instructions;

		if (more > most) {
			most = more;
			*who = (enum identity)id;
		}
	}
	return most;
}

static void find_dearer(struct report_figures *f, const struct target *target)
{
	for (size_t i = 0; i < f->rows.count; i++) {
		const struct report_row *row = &f->rows.item[i];
		enum identity who = IDENTITY_DAEMON;
		double more = most_more(row, &who);

		for (int n = syscall_mask_next(&row->calls, 0);
		     more > 0 && n >= 0;
		     n = syscall_mask_next(&row->calls, n + 1)) {
			const char *name =
				target_call_name(target, row->abi, n);

			if (!name)
				continue;
			f->dearer.count++;
			if (more <= f->dearer.most)
				continue;
			f->dearer.most = more;
			f->dearer.identity = who;
			f->dearer.worst = (struct dear_call){name, n, row};
		}
	}
}

static struct pass_totals *pass_called(struct report_figures *f,
				       const char *name)
{
	for (size_t i = 0; i < f->passes; i++) {
		if (!strcmp(f->pass[i].name, name))
			return &f->pass[i];
	}
	f->pass[f->passes].name = name;
	return &f->pass[f->passes++];
}

/* In the order in which the passes first changed something. */
static void count_changes(struct arena *arena, struct report_figures *f,
			  const struct change_log *log)
{
	f->pass = arena_array(arena, log->count, sizeof(*f->pass));
	for (size_t i = 0; i < log->count; i++) {
		const struct change *change = &log->item[i];
		struct pass_totals *pass = pass_called(f, change->pass);

		pass->changes++;
		pass->rules_dropped += change->rules_dropped;
		pass->calls_dropped += change->calls_dropped;
		pass->rules_added += change->rules_added;
	}
}

struct report_figures report_figures_of(struct arena *arena,
					const struct report *report)
{
	struct report_figures f = {0};
	struct cost_table before = cost_on(arena, report->before,
					   report->prices);
	struct cost_table after = {0};

	count_rules(&f.before, report->before);
	if (report->after) {
		after = cost_on(arena, report->after, report->prices);
		count_rules(&f.after, report->after);
	}
	f.rows = rows_of(arena, &before, &after);
	f.profile = report->profile ? report->profile
				    : profile_default(arena, report->target);
	average(&f, report);
	find_dearest(arena, &f, report->target);
	if (report->after)
		find_dearer(&f, report->target);
	if (report->log)
		count_changes(arena, &f, report->log);
	return f;
}

const char *report_abi_name(const struct target *target, enum abi abi)
{
	const struct abi_info *info = &target->abi[abi];

	return info->bits ? info->bits : info->name;
}
