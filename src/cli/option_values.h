/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options one by one: what getopt_long calls each, and what its value does.
 */
#ifndef AUDITOPT_OPTION_VALUES_H
#define AUDITOPT_OPTION_VALUES_H

#include "cli/cli.h"

/* Options without a letter, as struct option of getopt_long has them in val. */
enum option_code {
	OPTION_MACHINE = 256,
	OPTION_AUDITCTL,
	OPTION_KERNEL,
	OPTION_LSM,
	OPTION_ABI,
	OPTION_VERBATIM,
	OPTION_PROFILE,
	OPTION_CALIBRATION,
	OPTION_FORCE,
	OPTION_FROM_KERNEL,
	OPTION_LISTING,
	OPTION_ROOT,
	OPTION_KEEP_GOING,
	OPTION_NO_COMMENTS,
	OPTION_COLOUR,
	OPTION_IN_PLACE,
	OPTION_BACKUP,
	OPTION_LEVEL,
	OPTION_REPORT,
	OPTION_REPORT_FORMAT,
	OPTION_FORMAT,
	OPTION_FAIL_ON,
	OPTION_SEVERITY,
	OPTION_DISABLE,
	OPTION_ENABLE,
	OPTION_EXPLAIN,
	OPTION_VERSION,
	OPTION_OF_OTHERS, /* a long one that the command does not take */
};

/* Puts option CODE (a letter or one of those) with VALUE, NULL if it has none,
 * into OPTIONS, which keep VALUE by reference; a trailing slash of --root is cut
 * in it. Returns -1 to go on, else the exit status: help or the version was
 * printed, or VALUE is wrong and that was told. */
int option_set(struct cli_options *options, enum cli_command command, int code,
	       char *value);

/* option_words.c: values that option CODE is known to take, for completion: I
 * from 0; NULL past the end, or if it takes any text. */
const char *option_known_value(int code, size_t i);
/* Which of them TEXT is, or -1. */
int option_word(int code, const char *text);

#endif
