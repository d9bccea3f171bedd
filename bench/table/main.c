/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel_table PART KERNEL CELLS REPORTS: a part of bench/RESULTS.md from what
 * kernel_calls printed (CELLS) and what `auditopt cost` estimates
 * (REPORTS/NAME.json). PART: summary, tables, targets or sources.
 */
#include <stdio.h>
#include <string.h>

#include "table.h"

int main(int argc, char **argv)
{
	struct run run;

	if (argc == 2 && !strcmp(argv[1], "sources")) {
		print_sources();
		return 0;
	}
	if (argc != 5) {
		fputs("usage: kernel_table PART KERNEL CELLS REPORTS\n",
		      stderr);
		return 2;
	}
	run = run_read(argv[2], argv[3], argv[4]);
	if (!strcmp(argv[1], "summary"))
		print_summary(&run);
	else if (!strcmp(argv[1], "targets"))
		print_targets(&run);
	else
		print_tables(&run);
	run_free(&run);
	return 0;
}
