/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Operands: the files that are read, and the one that --in-place replaces. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/commands.h"

/* Looks like a word that was meant as a subcommand, and is no file. */
static bool is_mistaken_word(const char *operand)
{
	struct stat st;

	if (strspn(operand, "abcdefghijklmnopqrstuvwxyz-") != strlen(operand) ||
	    operand[0] == '-' || operand[0] == '\0')
		return false;
	return lstat(operand, &st) != 0 && errno == ENOENT;
}

static const char *subcommand_word(size_t i, void *data)
{
	const struct cli_subcommand *command = cli_subcommand(i + 1);

	(void)data;
	return command ? command->word : NULL;
}

static int check_operands(struct cli_options *options, enum cli_command command)
{
	bool standard_input = false;

	for (int i = 0; i < options->operands; i++) {
		const char *operand = options->operand[i];
		const char *near;

		if (strcmp(operand, "-") == 0) {
			if (standard_input)
				return cli_usage_error(command,
						       "standard input (-) can "
						       "be read only once");
			standard_input = true;
		}
		/* behind a command a word is a file */
		if (command != CLI_OPTIMIZE || !is_mistaken_word(operand))
			continue;
		near = nearest_name(operand, subcommand_word, NULL);
		if (near && strcmp(near, operand) == 0)
			return cli_usage_error(
				command,
				"'%s' is no file here, and as a command it "
				"comes first: auditopt %s ...",
				operand, operand);
		if (near)
			return cli_usage_error(command,
					       "'%s' is neither a command nor "
					       "a file; did you mean '%s'?",
					       operand, near);
		return cli_usage_error(command,
				       "'%s' is neither a file nor a command "
				       "(auditopt --help lists the commands)",
				       operand);
	}
	return -1;
}

static int check_in_place(struct cli_options *options, enum cli_command command)
{
	const char *file;
	struct stat st;

	if (options->common.output)
		return cli_usage_error(command,
				       "--in-place and -o exclude each other");
	if (options->from_kernel)
		return cli_usage_error(
			command,
			"--in-place replaces a file, and --from-kernel "
			"reads none");
	if (options->operands != 1)
		return cli_usage_error(command,
				       "--in-place takes exactly one file");
	file = options->operand[0];
	if (strcmp(file, "-") == 0)
		return cli_usage_error(
			command, "--in-place cannot replace standard input");
	if (stat(file, &st) == 0 && !S_ISREG(st.st_mode))
		return cli_usage_error(
			command,
			"--in-place replaces a regular file, and %s is none",
			file);
	options->common.output = file;
	return -1;
}

/* The kernel's rules have no text, and are of this machine. */
static int check_kernel(const struct cli_options *options,
			enum cli_command command)
{
	const struct target *target = options->common.compile.target;

	if (!options->from_kernel)
		return -1;
	if (options->operands != (command == CLI_DIFF ? 1 : 0))
		return cli_usage_error(
			command,
			command == CLI_DIFF
				? "with --from-kernel one file or directory is "
				  "wanted, the new rules"
				: "--from-kernel and files exclude each other: "
				  "'%s' is given",
			options->operand[0]);
	if (options->verbatim)
		return cli_usage_error(command,
				       "--from-kernel and --verbatim exclude "
				       "each other: the kernel has no texts");
	if (target != target_of_this_machine())
		return cli_usage_error(command,
				       "--from-kernel reads rules of this "
				       "machine, not of --machine=%s",
				       target->name);
	return -1;
}

int cli_check_operands(struct cli_options *options, enum cli_command command)
{
	int status = check_operands(options, command);

	if (status < 0)
		status = check_kernel(options, command);
	if (status < 0 && options->common.in_place)
		status = check_in_place(options, command);
	return status;
}
