/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "table.h"

/* One rule set: what it costs in all its forms, a daemon first. */
static void print_row(const struct run *run, const char *set,
		      const struct column *column)
{
	printf("| %s |", strcmp(set, "zero") ? set : "no rules");
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

void print_tables(const struct run *run)
{
	const struct column *column;
	const char *set;

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
