/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The subcommands: each has a row in its own file, with its help; commands.c
 * lists the rows, and all that needs to know what commands there are asks here.
 */
#ifndef AUDITOPT_COMMANDS_H
#define AUDITOPT_COMMANDS_H

#include <stddef.h>

#include "cli/cli.h"

/* The line of a help text that the options stand in place of. */
#define HELP_OPTIONS "@options@\n"

struct cli_subcommand {
	enum cli_command bit;
	const char *word;  /* that names it; NULL: optimise, without a word */
	const char *title; /* "auditopt cost", as messages begin */
	const char *operands; /* what stands behind it on a command line */
	const char *summary;  /* a few words, for the list of commands */
	const char *help; /* lines, HELP_OPTIONS among them (help/NAME.txt) */
	/* Does it: ARGV[0] is the title, options and operands follow; returns
	 * the exit status (enum exit_status). */
	int (*run)(int argc, char **argv);
};

extern const struct cli_subcommand cli_optimize, cli_cost, cli_dump, cli_diff,
	cli_explain, cli_calibrate, cli_check;

/* Number I of the commands, from 0 (optimise) on, as help lists them; NULL
 * behind the last. */
const struct cli_subcommand *cli_subcommand(size_t i);
/* That which WORD names; NULL: none. */
const struct cli_subcommand *cli_subcommand_named(const char *word);
/* That of BIT, one bit of enum cli_command. Never NULL. */
const struct cli_subcommand *cli_subcommand_of(enum cli_command bit);

#endif
