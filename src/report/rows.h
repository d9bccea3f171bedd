/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What both kinds of report are made of: totals, a row a class of calls with
 * its cost before and after, the dearest calls, what each pass removed.
 */
#ifndef AUDITOPT_ROWS_H
#define AUDITOPT_ROWS_H

#include "cost/cost.h"
#include "cost/patches.h"
#include "report/report.h"

#define DEAREST_CALLS 10

/* Calls that are in one class before and in one class after. */
struct report_row {
	enum abi abi;
	struct syscall_mask calls;
	/* The calls whose costs they are: the lowest of the class before and of
	 * that after. */
	int typical_before, typical_after;
	struct call_cost before[IDENTITY_COUNT];
	struct call_cost after[IDENTITY_COUNT]; /* zero without an after */
};

struct report_rows {
	struct report_row *item; /* ordered by ABI and lowest number */
	size_t count;
};

/* A rule set in figures. */
struct report_totals {
	size_t rules;
	size_t counted; /* in audit_n_rules */
	size_t exit_list, inode_buckets, unsettled;
	size_t task, user, exclude, filesystem, io_uring;
	size_t mask_bits; /* calls in the masks of all exit rules */
	size_t named_calls;
	double mean[IDENTITY_COUNT];	 /* instructions, a named call once */
	double weighted[IDENTITY_COUNT]; /* each as often as in the profile */
	double fixed; /* instructions of the latter, of anyone's calls, that are
		       * paid whatever the rules are */
	double patched[KERNEL_PATCHES][IDENTITY_COUNT]; /* the latter, with a
							 * kernel patch */
	double mean_ns[IDENTITY_COUNT];	 /* the same in nanoseconds, if there */
	double weighted_ns[IDENTITY_COUNT]; /* is a calibration */
};

/* What one pass did in all its runs. */
struct pass_totals {
	const char *name;
	size_t changes, rules_dropped, calls_dropped, rules_added;
};

struct dear_call {
	const char *name;
	int number;
	const struct report_row *row;
};

/* Calls that cost more after than before. */
struct dearer_calls {
	size_t count; /* those with a name */
	struct dear_call worst;
	enum identity identity; /* who pays most more, for the worst */
	double most;		/* instructions */
};

/* All of it; lives in the arena that it was made in. */
struct report_figures {
	struct report_rows rows;
	struct report_totals before, after;
	const struct profile *profile; /* that calls are weighted by */
	struct pass_totals *pass;
	size_t passes;
	struct dearer_calls dearer;
	struct dear_call dearest[DEAREST_CALLS];
	size_t dear;
};

struct report_figures report_figures_of(struct arena *arena,
					const struct report *report);

/* The rows that have a call with a name, dearest first, by what is not due to
 * any rule at all; as many as *COUNT becomes. Lives in ARENA. */
const struct report_row **report_rows_by_price(struct arena *arena,
					       const struct report_figures *f,
					       const struct target *target,
					       size_t *count);

/* How often the calls of ROW are made, in the profile of F. */
double report_row_weight(const struct report_figures *f,
			 const struct report_row *row);

/* "b64", or the ABI's name where auditctl has no such word for it. */
const char *report_abi_name(const struct target *target, enum abi abi);

#endif
