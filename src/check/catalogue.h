/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The catalogue: every identifier that check can print, what it means, an
 * example and what to do. The one place that has these texts: --explain, the
 * manual page and the rules of SARIF are made of it.
 */
#ifndef AUDITOPT_CATALOGUE_H
#define AUDITOPT_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "frontend/diagnostic.h"

struct catalogue_row {
	const char *id;
	enum severity severity; /* as a rule; some cases have another */
	bool of_host; /* one host has it and another does not, with the same
		       * rules; or one version of auditctl */
	const char *title;  /* a phrase: "tab between words" */
	const char *why;    /* what is wrong and why it matters: sentences */
	const char *advice; /* what to do: sentences */
	const char *bad;    /* lines of a rules file that show it, with
			     * newlines between, or commands behind "$ " where
			     * no line does; NULL: neither */
	const char *good;   /* the same as it should be; NULL */
};

/* I from 0, in alphabetical order; NULL past the end. */
const struct catalogue_row *catalogue_row(size_t i);
/* That of ID; NULL: there is none. */
const struct catalogue_row *catalogue_find(const char *id);
/* The identifier nearest to WORD, or NULL. */
const char *catalogue_nearest(const char *word);

/* What --explain prints. */
void catalogue_explain(const struct catalogue_row *row, FILE *stream);
/* A line an identifier: --explain=list. */
void catalogue_list(FILE *stream);

/* The texts, in two files (catalogue.c puts them together); a row without id
 * ends them. */
extern const struct catalogue_row catalogue_frontend[], catalogue_findings[];

#endif
