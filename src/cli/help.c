/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Help: what --help and --version print. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "optimize/pipeline.h"

static void list_passes(void)
{
	const struct pass *pass;

	printf("The optimizer's passes, in the order in which they run, with "
	       "the lowest level\n"
	       "that runs them. They run until none changes anything.\n\n");
	for (unsigned int i = 0; (pass = pipeline_pass(i)) != NULL; i++)
		printf("  -O%d %-14s %s\n", pass->level, pass->name,
		       pass->purpose);
}

/* Every command's way to be called, or COMMAND's only. */
static void print_usage(const struct cli_subcommand *command)
{
	const struct cli_subcommand *each = command;

	printf("Usage: %s %s\n", command->title, command->operands);
	for (size_t i = 1; !command->word && (each = cli_subcommand(i)); i++)
		printf("       %s %s\n", each->title, each->operands);
}

static void list_commands(void)
{
	const struct cli_subcommand *command;

	fputs("\nCommands:\n", stdout);
	for (size_t i = 0; (command = cli_subcommand(i)) != NULL; i++)
		printf("  %-28s %s\n", command->word ? command->word : "(none)",
		       command->summary);
	fputs("A file with the name of a command is named as in ./cost.\n",
	      stdout);
}

int cli_help(enum cli_command bit, const char *topic)
{
	const struct cli_subcommand *command = cli_subcommand_of(bit);

	if (topic && strcmp(topic, "passes") == 0) {
		list_passes();
		return cli_close_stdout();
	}
	if (topic && bit == CLI_CHECK)
		return cli_explain_finding(topic);
	if (topic)
		return cli_usage_error(
			bit, "--help=%s: the only topic is passes", topic);
	print_usage(command);
	printf("\n%s", command->about);
	if (!command->word)
		list_commands();
	fputs("\nOptions:\n", stdout);
	cli_print_options(bit);
	printf("\n%s", command->more);
	return cli_close_stdout();
}

const char *cli_auditctl_name(struct arena *arena, unsigned int version)
{
	return arena_printf(arena, "%u.%u.%u", version / 10000,
			    version / 100 % 100, version % 100);
}

int cli_version(void)
{
	struct arena *arena = arena_new();
	const struct target *target = target_of_this_machine();

	printf("auditopt " PACKAGE_VERSION "\n"
	       "reads rules as auditctl %s does (the linked libaudit), for %s\n"
	       "Licence: GPL-2.0-or-later. There is no warranty.\n",
	       cli_auditctl_name(arena, auditctl_version_linked()),
	       target ? target->name : "an unknown machine");
	arena_free(arena);
	return cli_close_stdout();
}
