/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Help: what --help and --version print. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "model/syscall_set.h"
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

/* For completion: a line each, the parts separated by tabs. */
static void list_all(void)
{
	const struct cli_subcommand *command;

	for (size_t i = 1; (command = cli_subcommand(i)) != NULL; i++)
		printf("command\t%s\t%s\n", command->word, command->summary);
	for (size_t i = 0; (command = cli_subcommand(i)) != NULL; i++)
		cli_list_options(command->bit);
}

/* The calls of this machine, each name once. */
static void list_calls(void)
{
	const struct target *target = target_of_this_machine();

	for (int abi = 0; target && abi < ABI_COUNT; abi++)
		for (int i = 0; target_has_abi(target, (enum abi)abi) &&
				i < SYSCALL_MASK_CALLS;
		     i++) {
			const char *name =
				target_call_name(target, (enum abi)abi, i);

			if (name &&
			    (abi == ABI_NATIVE ||
			     target_call_number(target, ABI_NATIVE, name) < 0))
				puts(name);
		}
}

static const struct {
	const char *name;
	void (*list)(void);
} topics[] = {
	{"passes", list_passes},
	{"calls", list_calls},
	{"completion", list_all},
};

static int help_of_topic(enum cli_command bit, const char *topic)
{
	for (size_t i = 0; i < sizeof(topics) / sizeof(topics[0]); i++)
		if (strcmp(topic, topics[i].name) == 0) {
			topics[i].list();
			return cli_close_stdout();
		}
	if (bit == CLI_CHECK)
		return cli_explain_finding(topic);
	return cli_usage_error(bit,
			       "--help=%s: the topics are passes, calls and "
			       "completion",
			       topic);
}

int cli_help(enum cli_command bit, const char *topic)
{
	const struct cli_subcommand *command = cli_subcommand_of(bit);
	const char *options = strstr(command->help, HELP_OPTIONS);

	if (topic) /* -h=passes has the sign in it, too */
		return help_of_topic(bit, topic + (*topic == '='));
	print_usage(command);
	printf("\n%.*s", (int)(options - command->help), command->help);
	if (!command->word)
		list_commands();
	fputs("\nOptions:\n", stdout);
	cli_print_options(bit);
	printf("\n%s", options + strlen(HELP_OPTIONS));
	return cli_close_stdout();
}

int cli_version(void)
{
	struct arena *arena = arena_new();
	const struct target *target = target_of_this_machine();

	printf("auditopt " PACKAGE_VERSION "\n"
	       "reads rules as auditctl %s does (the linked libaudit), for %s\n"
	       "Licence: GPL-2.0-or-later. There is no warranty.\n",
	       auditctl_version_text(arena, auditctl_version_linked()),
	       target ? target->name : "an unknown machine");
	arena_free(arena);
	return cli_close_stdout();
}
