/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report for people while it is printed; for text.c and text_rows.c alone.
 */
#ifndef AUDITOPT_PRINTER_H
#define AUDITOPT_PRINTER_H

#include <stdio.h>

#include "report/report.h"
#include "report/rows.h"

#define REPORT_COLUMNS 100

struct printer {
	struct arena *arena;
	const struct report *report;
	const struct report_figures *figures;
	FILE *to;
	bool both; /* is there an after? */
};

/* The next run of numbers in MASK from *FROM on, as "452-2031"; NULL: no more.
 * Lives in the arena. */
const char *printer_next_run(const struct printer *p,
			     const struct syscall_mask *mask, int *from);

/* What patches of the kernel would make of the rules. */
void printer_patches(const struct printer *p);

/* The table of the dearest calls. */
void printer_dearest(const struct printer *p);

/* The table with a row for each class of calls. */
void printer_rows(const struct printer *p);

#endif
