/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What auditctl -l prints, as rules that mean the same. Its lines look like those
 * of a rules file and mostly are; where not (print_rule in auditctl-listing.c):
 *  - a rule without arch has the names of its calls from the architecture that
 *    the last rule with one had (_audit_elf is not set back from rule to rule);
 *  - the calls are all there, so that -F perm= adds none to them, as it does in
 *    a rules file since 3.1.3;
 *  - spaces and backslashes in paths and keys are not escaped;
 *  - file types and negative ids are numbers that auditctl does not take;
 *  - a watch whose perm stands in front, or that has no path, is " -p wa-w /x",
 *    " -p wa";
 *  - "No rules".
 * Two things cannot be told from it: -w is also printed for a rule that says
 * never, and before 4.0 exe!= is printed as exe=.
 */
#ifndef AUDITOPT_LISTING_H
#define AUDITOPT_LISTING_H

#include "frontend/compile.h"
#include "frontend/source.h"

/* Brings the lines of INPUT that auditctl -l printed into the form of a rules
 * file. ASKED (--listing): each file whose first line is such a line is taken for
 * such output, and what is none in it is an error; it is a warning if there is no
 * such file. Else all stays as it is, but for a lone "No rules", and where a file
 * has no other lines than such output could have, and some of them would mean
 * something else as that, a warning says so. */
void listing_apply(struct arena *arena, struct input *input,
		   const struct compile_options *options, bool asked,
		   struct diagnostics *diag);

#endif
