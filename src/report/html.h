/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report as a page while it is written; for the files html*.c alone.
 * Elements are written as they are, everything else goes through html_text().
 */
#ifndef AUDITOPT_HTML_H
#define AUDITOPT_HTML_H

#include <stdio.h>

#include "report/rows.h"

/* Where an input line went: rules of the result, by their position. */
struct html_stands {
	const size_t *rule;
	size_t count;
};

struct html {
	struct arena *arena;
	const struct report *report;
	const struct report_figures *figures;
	FILE *to;
	bool both;		    /* is there an after? */
	struct html_stands *stands; /* by input line; NULL without an after */
};

/* printf. Strings among the arguments must be the program's own. */
void html_put(const struct html *h, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* LENGTH bytes of TEXT, made printable and then escaped: good between tags and
 * in quoted values of attributes. */
void html_bytes(const struct html *h, const char *text, size_t length);
void html_text(const struct html *h, const char *text);

/* A count, or a figure with DIGITS behind the point, its thousands marked; the
 * text lives in ARENA. */
const char *html_figure(struct arena *arena, double value, int digits);
void html_number(const struct html *h, double value, int digits);

/* IS in relation to WAS, in percent; nothing where they are the same. */
void html_change(const struct html *h, double was, double is);

/* What it was, and with an after what it is and by how much that is less. */
void html_pair(const struct html *h, double was, double is, int digits);
/* "line 3", "lines 3, 7-9", each a link to the list of the input, with names of
 * files where there are several; long lists can be opened. */
void html_lines(const struct html *h, struct origin origin);

/* The same for COUNT rules of the result, by their positions. */
void html_result_lines(const struct html *h, const size_t *rule, size_t count);

/* The same for a rule of the result, or for one of the input, at POSITION of
 * SET. */
void html_rule_link(const struct html *h, const struct ruleset *set,
		    size_t position);

/* "b64 read, write, +3 more", the rest to be opened. */
void html_calls(const struct html *h, enum abi abi,
		const struct syscall_mask *calls);
/* The first few of them as plain text; lives in ARENA. */
const char *html_calls_text(const struct html *h, enum abi abi,
			    const struct syscall_mask *calls);

/* A section that the list of contents can lead to; html_end_section() ends it. */
void html_section(const struct html *h, const char *id, const char *title);
void html_end_section(const struct html *h);
/* Tables scroll in a box of their own; CAPTION says what it is, for all. */
void html_table(const struct html *h, const char *class, const char *caption);
void html_end_table(const struct html *h);

/* The parts of the page, each one or more sections, or nothing. */
void html_summary(const struct html *h);
void html_proof(const struct html *h);
void html_totals(const struct html *h);
void html_offers(const struct html *h);
void html_dearest(const struct html *h);
void html_walks(const struct html *h);
void html_classes(const struct html *h);
void html_passes(const struct html *h);
void html_idle(const struct html *h);
void html_left_out(const struct html *h);
void html_messages(const struct html *h);
void html_input(const struct html *h);
void html_result(const struct html *h);

#endif
