/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/printer.h"

static void print_row(const struct printer *p, const char *who, double was,
		      double is)
{
	fprintf(p->to, "    %-38s %10.0f", who, was);
	if (p->both)
		fprintf(p->to, " -> %10.0f", is);
	fputc('\n', p->to);
}

void printer_patches(const struct printer *p)
{
	const struct report_totals *b = &p->figures->before;
	const struct report_totals *a = &p->figures->after;

	if (!b->counted)
		return;
	fprintf(p->to,
		"\nWhat patches of the kernel would make of that, by how often "
		"calls are made\n"
		"(not measured: estimated by what each leaves out)\n");
	for (unsigned int i = 0; i < KERNEL_PATCHES; i++) {
		const struct kernel_patch *patch = kernel_patch(i);

		fprintf(p->to, "  %s: %s\n    (%s)\n", patch->name, patch->what,
			patch->published);
		if (!patch->estimated)
			continue;
		print_row(p, "daemon", b->patched[i][IDENTITY_DAEMON],
			  a->patched[i][IDENTITY_DAEMON]);
		print_row(p, "user", b->patched[i][IDENTITY_USER],
			  a->patched[i][IDENTITY_USER]);
	}
}
