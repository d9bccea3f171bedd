/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports: what was done and what it gains, for people and for programs.
 */
#ifndef AUDITOPT_REPORT_H
#define AUDITOPT_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "cost/calibration.h"
#include "cost/cost.h"
#include "frontend/compile.h"
#include "frontend/diagnostic.h"
#include "frontend/source.h"
#include "model/rule.h"
#include "optimize/pass.h"
#include "profile/profile.h"

/* What another run could save, estimated and not proved. */
struct report_offer {
	const char *option; /* "-O2", "--lsm=none" */
	double percent;	    /* of all calls' cost, as often as they are made */
	enum abi abi;	    /* the call that gains most in all: */
	int number;
	const char *call; /* its name, or NULL */
	enum identity identity;
	double was, is;	   /* its instructions: now, and with OPTION */
	const char *price; /* what it would cost, a phrase */
};

struct emit_place; /* emit/emit.h */

struct report {
	const struct input *input;
	struct diagnostics *diagnostics;
	const struct target *target;
	int level;
	const struct ruleset *before; /* NULL: the input has errors; only
				       * where report_tells_errors() */
	const struct ruleset *after;  /* NULL: only `before` is reported */
	const struct change_log *log; /* NULL if after is */
	unsigned int auditctl_version;
	const struct profile *profile; /* of TARGET; NULL: the default */
	const struct calibration *calibration; /* NULL: no nanoseconds */
	const struct prices *prices; /* of a kernel; NULL: of 6.1 */
	const char *proof;	       /* what was proved, a sentence; NULL */
	const char *fallback; /* what could not be proved and what was done
			       * instead, a phrase; NULL: nothing */
	const struct left_out *left; /* of the input, because of errors */
	size_t lefts;
	const struct report_offer *offer;
	size_t offers;
	int level_reached; /* of what was written; -1: as it came. Told only
			    * with FALLBACK */
	const char *assumed; /* what must hold where the rules will be: lines
			      * with a newline at the end of each; NULL */
	const char *result;  /* the text that is written, and where each rule of
			      * AFTER stands in it; NULL: not known. For
			      * report_html() only */
	size_t result_size;
	const struct emit_place *place;
};

enum report_format { REPORT_TEXT, REPORT_JSON, REPORT_HTML, REPORT_CSV };

/* One of those below. Returns false if the stream fails. */
bool report_write(struct arena *arena, const struct report *report,
		  enum report_format format, bool verbose, FILE *stream);

/* May FORMAT tell what was wrong with the input, if there is no `before`? */
bool report_tells_errors(enum report_format format);

/* For a person: totals, what each pass removed, the ten dearest calls, a row a
 * class of calls before and after. VERBOSE adds each change. Nothing of it is
 * raw: util/printable.h. */
void report_text(struct arena *arena, const struct report *report, bool verbose,
		 FILE *stream);

/* JSON as man/auditopt.report.5 describes it; ends with a newline. Returns
 * false if the stream fails. */
bool report_json(struct arena *arena, const struct report *report,
		 FILE *stream);

/* A page of HTML that needs nothing but itself; all that it shows of files and
 * rules is escaped and printable (util/printable.h). Returns false if the stream
 * fails. */
bool report_html(struct arena *arena, const struct report *report,
		 FILE *stream);

/* A table for spreadsheets, RFC 4180, a row for each call with a name;
 * man/auditopt.report.5 describes the columns. Returns false if the stream
 * fails. */
bool report_csv(struct arena *arena, const struct report *report, FILE *stream);

#endif
