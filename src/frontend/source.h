/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where rules come from: files, standard input, a rules.d directory merged as
 * augenrules merges it. All input of a run is one sequence of lines with
 * numbers of its own (line ids, from 0); a line id leads back to file and line.
 */
#ifndef AUDITOPT_SOURCE_H
#define AUDITOPT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "frontend/diagnostic.h"
#include "util/arena.h"

/* auditctl reads lines with fgets into 6144 bytes. */
#define SOURCE_LINE_MAX 6143

struct source_line {
	const char *file;   /* as the user named it, "-" for standard input */
	uint32_t number;    /* line in that file as an editor counts, from 1 */
	uint32_t column;    /* where this line starts in it, from 1; more than 1 only
			     * for the rest of a line over SOURCE_LINE_MAX */
	const char *text;   /* not NUL-terminated, may hold NUL bytes; no LF */
	size_t length;
	size_t file_index;  /* which file of the run */
	bool merged;	    /* comes from a directory, by way of augenrules */
};

struct input {
	struct source_line *line; /* index is the line id */
	uint32_t count;
	const char *const *file; /* the names, in order */
	size_t files;
	/* The comments and empty lines that the merge of a directory drops, in
	 * its order: for auditctl they are not there. Their line ids follow
	 * those of the others, for input_line() alone. */
	struct source_line *dropped;
	size_t drops;
	bool mixed;	 /* --listing need not be meant for it: another input
			  * of the run may be a listing */
	size_t listings; /* files that were taken for one (listing_apply()) */
	struct progress *progress; /* of parsing and compiling it
				    * (util/progress.h); NULL: not told */
};

/* The line with that id, dropped ones included; NULL: there is none, as for
 * DIAG_NO_LINE. */
const struct source_line *input_line(const struct input *input, uint32_t id);

/* Reads PATH (a regular file, "-", or a directory) and appends its lines to
 * INPUT (zeroed for the first call); everything lives in ARENA.
 * A directory is read as augenrules (init.d/augenrules.in) reads rules.d: its
 * *.rules files in the order of `sort -V`, comment and empty lines dropped, the
 * last -D without option, -b and -f moved to the top, the last -e to the end.
 * Warns of a file that auditctl would refuse (world-writable, not a regular
 * file; not owned by root before 3.1.2 is told as a note). Returns false after
 * a diagnostic of severity DIAG_FATAL if it cannot be read. */
bool input_read(struct arena *arena, struct input *input, const char *path,
		struct diagnostics *diag);

#endif
