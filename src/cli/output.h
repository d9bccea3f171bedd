/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The way out: to standard output or to a file, whole or not at all.
 */
#ifndef AUDITOPT_CLI_OUTPUT_H
#define AUDITOPT_CLI_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/cli.h"

/* Writes SIZE bytes to PATH, whole or not at all; NULL or "-" is standard
 * output. Says what failed. Returns STATUS_GOOD or STATUS_REFUSED. */
enum exit_status cli_write(const char *path, const void *data, size_t size);
/* The same; the file that PATH was is kept, as struct cli_common says. */
enum exit_status cli_write_backup(const char *path, const char *backup,
				  const void *data, size_t size);
/* "~", or a dot and BACKUP: a new string from malloc; NULL without memory. */
char *cli_backup_suffix(const char *backup);
/* Flushes standard output and says so if anything written to it was lost. */
enum exit_status cli_close_stdout(void);

/* A text that is printed into memory before any of it is written. It must stay
 * where it is between the two calls. */
struct cli_text {
	FILE *stream; /* where to print it to; NULL without memory, which
		       * cli_text_write() tells */
	struct progress *progress;
	char *bytes;
	size_t size;
};

/* Begins with TEXT; PROGRESS, if not NULL, says that it is at PHASE, and is
 * cleared when the text is written or dropped. */
void cli_text_open(struct cli_text *text, struct progress *progress,
		   const char *phase);

/* Frees what was printed. */
void cli_text_drop(struct cli_text *text);

/* Writes what was printed as cli_write() does, if it is GOOD, or else says
 * FAILURE; frees it. Returns STATUS_GOOD or STATUS_REFUSED. */
enum exit_status cli_text_write(struct cli_text *text, bool good,
				const char *path, const char *failure);

#endif
