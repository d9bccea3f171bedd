/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one run of bench/kernel found: the cells that kernel_calls printed in the
 * guest, and the reports of `auditopt cost` on the same rule sets.
 */
#ifndef BENCH_CELLS_H
#define BENCH_CELLS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define SET_NAME 96
#define FORMS 4	     /* of a rule set: as it is, -O1, -O2, by hand */
#define IDENTITIES 2 /* daemon, user */
#define MOST_PARTS 4

struct cell {
	char set[SET_NAME]; /* NAME and what form_suffix() has */
	char identity[16], call[32];
	double mean, typical; /* instructions */
	int logged;	      /* what its record costs is in it */
};

/* What rules that log the same must cost at least, by estimate. */
struct limit {
	char set[SET_NAME];
	int form; /* -O1, -O2 */
	char call[32];
	/* Instructions above no rules: of the set as it is, at least, and of
	 * the one rule that ends all walks. */
	double before, least, floor;
};

/* A call or workload that is measured. */
struct column {
	const char *name;  /* in a cell */
	const char *title; /* for people */
	/* The system calls that it is made of, for the estimate. */
	const char *part[MOST_PARTS];
	/* The measured file is one in /dev. Where the rules watch something
	 * there, part I also makes the events (fsnotify) that call LIKE[I] makes
	 * of files that are on any file system with a watch. */
	const char *like[MOST_PARTS];
};

struct run {
	const char *kernel;  /* 6.1 */
	const char *reports; /* directory of NAME.json */
	json_t *loaded;	     /* of them, by name; null: there is none */
	json_t *in_dev;	     /* the sets, as in cells, that watch in /dev */
	struct cell *cell;
	size_t cells;
	struct limit *limit;
	size_t limits;
};

/* Column I, from 0; NULL past the end. */
const struct column *column_at(size_t i);
/* "", ":-O1", ":-O2" and ":by-hand". */
const char *form_suffix(int form);
/* "daemon" and "user". */
const char *identity_name(int identity);

/* Reads what kernel_calls printed from the file at PATH, lines "cell ...", lines
 * "dev SET" for the sets that name something in /dev, and lines "bound ..." with
 * what is in struct limit. The program ends
 * with status 1 if nothing was measured. */
struct run run_read(const char *kernel, const char *path, const char *reports);
void run_free(struct run *run);

/* The name of the Nth rule set, without its other forms; NULL past the end. The
 * first are zero and floor. */
const char *run_set(const struct run *run, size_t n);

/* NULL if that was not measured. */
const struct cell *run_cell(const struct run *run, const char *set, int form,
			    int identity, const char *call);

/* NULL if it is not known. */
const struct limit *run_limit(const struct run *run, const char *set, int form,
			      const char *call);

/* The report on SET in FORM, RUN's; NULL if there is none. */
json_t *run_report(const struct run *run, const char *set, int form);

/* How far the estimate of REPORT is off for CELL, in percent of what was
 * measured above no rules; 0 if by fewer than 10 instructions; NAN if it cannot
 * be told: the call makes a record, or nothing was estimated. */
double residual(const struct run *run, const struct cell *cell, json_t *report,
		const struct column *column, int identity);

#endif
