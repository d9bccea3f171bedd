/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The merge of a rules.d directory, and what it shares with source.c.
 */
#ifndef AUDITOPT_AUGENRULES_H
#define AUDITOPT_AUGENRULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "frontend/source.h"

/* Orders file names as `sort -V` and `ls -v` do (gnulib's filevercmp), equal
 * ones by their bytes. For names that do not begin with a dot. */
int version_compare(const char *a, const char *b);

/* Reads the directory PATH, which DESCRIPTOR is open on (and which is closed),
 * as augenrules does, and appends its lines to INPUT. False after a
 * diagnostic of severity DIAG_FATAL. */
bool augenrules_read(struct arena *arena, struct input *input, const char *path,
		     int descriptor, struct diagnostics *diag);

/* In source.c: */

/* A file's content, as a sequence of lines. */
struct source_text {
	const char *name;
	const char *text;
	size_t length;
	size_t file_index;
	bool merged;
	/* where source_next_line() is: */
	size_t at;
	uint32_t number;
};

/* Reads all that is left of DESCRIPTOR, called NAME, and adds NAME to INPUT's
 * files. Closes it. False after a DIAG_FATAL. */
bool source_slurp(struct arena *arena, struct input *input,
		  struct source_text *text, const char *name, int descriptor,
		  struct diagnostics *diag);

/* The next line of TEXT, uncut; false at its end. *ENDED says whether an LF
 * ends it. */
bool source_next_line(struct source_text *text, struct source_line *line,
		      bool *ended);

/* Makes room in INPUT for EXTRA lines as long as LENGTH together. */
void input_reserve(struct arena *arena, struct input *input, size_t extra,
		   size_t length);

/* Appends LINE, cut as fgets in auditctl cuts it; returns its first part's line
 * id. There must be room. */
uint32_t input_append(struct input *input, const struct source_line *line,
		      struct diagnostics *diag);

/* Says that NAME cannot be read (errno value ERROR), DIAG_FATAL; false. */
bool source_unreadable(struct diagnostics *diag, const char *name, int error);

#endif
