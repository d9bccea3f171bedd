/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is written must not take the place of what is read, nor of something
 * else that is written. Checked before anything is read.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/output.h"
#include "util/atomic_file.h"

static bool is_stream(const char *path)
{
	return !path || strcmp(path, "-") == 0;
}

/* Is PATH the file that standard input reads? */
static bool is_standard_input(const char *path)
{
	struct stat file, input;

	return stat(path, &file) == 0 && fstat(STDIN_FILENO, &input) == 0 &&
	       S_ISREG(file.st_mode) && file.st_dev == input.st_dev &&
	       file.st_ino == input.st_ino;
}

/* Is PATH one of the files that a rules.d directory is read from, or would it
 * be the next time? */
static bool is_in_directory(const char *path, const char *directory)
{
	const char *slash = strrchr(path, '/');
	size_t length = strlen(path);
	char parent[4096] = ".";
	struct stat a, b;

	if (length < 6 || strcmp(path + length - 6, ".rules") != 0)
		return false;
	if (slash && (size_t)(slash - path) + 2 > sizeof(parent))
		return false;
	if (slash) {
		memcpy(parent, path, (size_t)(slash - path) + 1);
		parent[slash - path + 1] = '\0';
	}
	return stat(directory, &a) == 0 && stat(parent, &b) == 0 &&
	       S_ISDIR(a.st_mode) && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

static bool is_input(const char *path, const char *operand)
{
	if (strcmp(operand, "-") == 0)
		return is_standard_input(path);
	return same_target(path, operand) || is_in_directory(path, operand);
}

/* The input that writing PATH would destroy; NULL if there is none. */
static const char *input_lost(const struct cli_options *options,
			      const char *path)
{
	for (int i = 0; i < options->operands; i++)
		if (is_input(path, options->operand[i]))
			return options->operand[i];
	return NULL;
}

static int check_output(const struct cli_options *options,
			enum cli_command command)
{
	const char *output = options->common.output;
	const char *input;

	if (is_stream(output) || options->common.in_place)
		return -1;
	input = input_lost(options, output);
	if (!input)
		return -1;
	if (command != CLI_OPTIMIZE)
		return cli_usage_error(
			command, "-o would overwrite the input %s", output);
	if (options->operands == 1 && same_target(output, input))
		return -1;
	return cli_usage_error(command,
			       "-o would overwrite %s, one of several inputs, "
			       "by the result of all of them",
			       output);
}

static int check_report(const struct cli_options *options,
			enum cli_command command)
{
	const char *report = options->report;
	const char *output = options->common.output;

	if (!report || strcmp(report, "none") == 0)
		return -1;
	if (is_stream(report))
		return is_stream(output)
			       ? cli_usage_error(command,
						 "--report=- needs -o FILE or "
						 "--in-place: the rules go to "
						 "standard output")
			       : -1;
	if (!is_stream(output) && same_target(report, output))
		return cli_usage_error(
			command,
			"the report and the rules cannot both go to %s",
			report);
	if (input_lost(options, report))
		return cli_usage_error(
			command, "the report would overwrite the input %s",
			report);
	return -1;
}

/* FILE is what was read as WHAT; NULL: nothing was. */
static int check_read(const struct cli_options *options,
		      enum cli_command command, const char *what,
		      const char *file)
{
	const char *const written[] = {options->common.output, options->report};

	for (int i = 0; file && i < 2; i++)
		if (!is_stream(written[i]) && strcmp(written[i], "none") != 0 &&
		    same_target(written[i], file))
			return cli_usage_error(
				command, "%s would overwrite the %s %s",
				i ? "the report" : "-o", what, file);
	return -1;
}

static int check_names(const struct cli_options *options,
		       enum cli_command command)
{
	const char *output = options->common.output;

	for (int i = 0; i < options->operands; i++)
		if (!*options->operand[i])
			return cli_usage_error(command,
					       "an input has an empty name");
	if ((output && !*output) || (options->report && !*options->report))
		return cli_usage_error(command,
				       "a file to write to has an empty name");
	return -1;
}

/* What --backup would put another file in the place of; NULL: nothing that is
 * read or written. */
static const char *lost_by_backup(const struct cli_options *options,
				  const char *backup)
{
	const char *const used[] = {options->report, options->profile,
				    options->calibration};
	const char *lost = input_lost(options, backup);

	for (size_t i = 0; !lost && i < sizeof(used) / sizeof(used[0]); i++)
		if (!is_stream(used[i]) && same_target(backup, used[i]))
			lost = used[i];
	return lost;
}

static int check_backup(const struct cli_options *options,
			enum cli_command command)
{
	const char *output = options->common.output, *lost = NULL;
	char *suffix, *name = NULL;

	if (!options->common.backup)
		return -1;
	if (is_stream(output))
		return cli_usage_error(command,
				       "--backup needs -o FILE or --in-place");
	suffix = cli_backup_suffix(options->common.backup);
	if (suffix)
		name = backup_name(output, suffix);
	/* It may be a link to the file itself, of a run that was stopped. */
	if (name && !same_target(name, output))
		lost = lost_by_backup(options, name);
	free(suffix);
	free(name);
	if (!lost)
		return -1;
	return cli_usage_error(command, "the backup would overwrite %s", lost);
}

int cli_check_targets(const struct cli_options *options,
		      enum cli_command command)
{
	int status = check_names(options, command);

	if (status < 0)
		status = check_output(options, command);
	if (status < 0)
		status = check_report(options, command);
	if (status < 0)
		status = check_read(options, command, "profile",
				    options->profile);
	if (status < 0)
		status = check_read(options, command, "calibration",
				    options->calibration);
	if (status < 0)
		status = check_backup(options, command);
	return status;
}
