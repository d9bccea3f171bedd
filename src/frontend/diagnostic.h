/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Diagnostics: what is wrong, where, what auditctl would do there, and what to
 * do. Collected while the input is read, compiled and loaded; printed once, in
 * the order of the input.
 */
#ifndef AUDITOPT_DIAGNOSTIC_H
#define AUDITOPT_DIAGNOSTIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "util/arena.h"

struct input;

enum severity {
	DIAG_NOTE,
	DIAG_WARNING, /* loads, or is mended for certain; auditctl may stop there */
	DIAG_ERROR,   /* auditctl stops there, and no mending is certain */
	DIAG_FATAL,   /* the input cannot be read at all */
};

/* "note", "warning", "error"; DIAG_FATAL is an error to whoever reads it. */
const char *severity_name(enum severity severity);

#define DIAG_NO_LINE UINT32_MAX

struct position {
	uint32_t line;	 /* line id, or DIAG_NO_LINE */
	uint32_t column; /* byte, from 1, in that source line's text */
	uint32_t length; /* bytes to mark, at least 1 */
};

struct diagnostic {
	enum severity severity;
	const char *id;	      /* stable, e.g. "unknown-syscall" */
	struct position at;
	const char *what;     /* one sentence */
	const char *auditctl; /* what auditctl would do there; NULL if nothing special */
	const char *advice;   /* what to do; NULL */
	struct position other;/* a second place, or line DIAG_NO_LINE */
	const char *other_what; /* "first added here" */
	const struct position *more; /* further places, listed; NULL */
	size_t mores;
	bool stops;	      /* auditctl stops there: all later lines are lost
			       * (the printer says so, and how many) */
};

struct diagnostics;

/* An empty collection; lives in ARENA, which also keeps all texts. */
struct diagnostics *diagnostics_new(struct arena *arena);

/* Adds a copy of D (texts are kept by reference: take them from the arena or
 * static storage) and returns that copy, so that the caller may complete it. */
struct diagnostic *diagnostics_add(struct diagnostics *all,
				   const struct diagnostic *d);

/* Adds one with a formatted text and nothing in the optional parts. */
struct diagnostic *diag(struct diagnostics *all, enum severity severity,
			const char *id, struct position at, const char *format,
			...) __attribute__((format(printf, 5, 6)));

/* The first one of ID that begins at AT, so that it may be completed; NULL. */
struct diagnostic *diagnostics_find(struct diagnostics *all, const char *id,
				    struct position at);

/* How many of SEVERITY there are. */
size_t diagnostics_count(const struct diagnostics *all, enum severity severity);
/* The I-th in the order of the input (line, column, order of adding); NULL past
 * the end. */
const struct diagnostic *diagnostics_get(struct diagnostics *all, size_t i);

/* Prints all of them of at least MINIMUM severity to STREAM, each with
 * FILE:LINE:COLUMN, the line with the place marked, and its parts; bytes that
 * are not printable are shown as escapes, tabs as a visible mark; lines longer
 * than a screen are cut around the place. COLOUR only if asked for. */
void diagnostics_print(struct diagnostics *all, const struct input *input,
		       enum severity minimum, FILE *stream, bool colour);

/* How many lines behind line id AFTER auditctl would do something with: those
 * that are neither blank nor comments. */
size_t diagnostic_lines_after(const struct input *input, uint32_t after);

/* The known name nearest to WORD among N candidates (Damerau-Levenshtein, at
 * most a third of the word's length away, the same first letter but for a
 * swapped one), or NULL; of several equally near the first. CANDIDATE is called
 * with 0.. until it returns NULL; NULL-returning gaps are not allowed. */
const char *nearest_name(const char *word,
			 const char *(*candidate)(size_t i, void *data),
			 void *data);
/* The same among NAMES, with NULL behind the last. */
const char *nearest_in_list(const char *word, const char *const *names);

#endif
