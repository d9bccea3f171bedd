/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of subcommands. */
#include <string.h>

#include "cli/commands.h"

static const struct cli_subcommand *const commands[] = {
	&cli_optimize, &cli_cost,    &cli_dump,
	&cli_diff,     &cli_explain, &cli_check, &cli_calibrate,
};

const struct cli_subcommand *cli_subcommand(size_t i)
{
	return i < sizeof(commands) / sizeof(commands[0]) ? commands[i] : NULL;
}

const struct cli_subcommand *cli_subcommand_named(const char *word)
{
	const struct cli_subcommand *command;

	for (size_t i = 0; (command = cli_subcommand(i)) != NULL; i++)
		if (command->word && strcmp(command->word, word) == 0)
			return command;
	return NULL;
}

const struct cli_subcommand *cli_subcommand_of(enum cli_command bit)
{
	const struct cli_subcommand *command;

	for (size_t i = 0; (command = cli_subcommand(i)) != NULL; i++)
		if (command->bit == bit)
			return command;
	return &cli_optimize;
}
