/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdio.h>

#include "table.h"

/* One rule set: what it costs in all its forms, a daemon first. */
static void print_row(const struct run *run, const char *set,
		      const struct column *column)
{
	printf("| %s |", set);
	for (int identity = 0; identity < IDENTITIES; identity++) {
		for (int form = 0; form < FORMS; form++) {
			const struct cell *cell = run_cell(
				run, set, form, identity, column->name);
			json_t *report = run_report(run, set, form);
			double off;

			if (!cell) {
				printf(" |");
				continue;
			}
			off = residual(run, cell, report, column, identity);
			if (isnan(off))
				printf(" %.0f%s |", cell->mean,
				       cell->logged ? "*" : "");
			else
				printf(" %.0f (%+.0f) |", cell->mean,
				       off + 0.0);
		}
	}
	printf("\n");
}

/* All calls, not the workloads that are made of them; docs/ quotes its rows. */
#define OVERVIEW 8

static void print_overview_row(const struct run *run, const char *set, int form)
{
	if (!run_cell(run, set, form, 0, column_at(0)->name))
		return;
	printf("| %s%s |", set, form_suffix(form));
	for (size_t c = 0; c < OVERVIEW; c++) {
		const struct cell *cell =
			run_cell(run, set, form, 0, column_at(c)->name);

		if (cell)
			printf(" %.0f%s |", cell->mean,
			       cell->logged ? "*" : "");
		else
			printf(" |");
	}
	printf("\n");
}

static void print_overview(const struct run *run)
{
	const char *set;

	printf("\n### All calls, for a daemon\n\n| rules |");
	for (size_t c = 0; c < OVERVIEW; c++)
		printf(" %s |", column_at(c)->name);
	printf("\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n");
	for (size_t n = 0; (set = run_set(run, n)); n++)
		for (int form = 0; form < FORMS; form++)
			print_overview_row(run, set, form);
}

void print_tables(const struct run *run)
{
	const struct column *column;
	const char *set;

	print_overview(run);
	for (size_t c = 0; (column = column_at(c)); c++) {
		printf("\n### %s\n\n"
		       "| rules | daemon: as they are | -O1 | -O2 | by hand | "
		       "user: as they are | -O1 | -O2 | by hand |\n"
		       "|---|---:|---:|---:|---:|---:|---:|---:|---:|\n",
		       column->title);
		for (size_t n = 0; (set = run_set(run, n)); n++)
			print_row(run, set, column);
	}
}
