/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options: one table for getopt_long, for --help and for which subcommand
 * takes what.
 */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

enum {
	OPTION_MACHINE = 256,
	OPTION_AUDITCTL,
	OPTION_KERNEL,
	OPTION_ROOT,
	OPTION_KEEP_GOING,
	OPTION_NO_COMMENTS,
	OPTION_COLOUR,
	OPTION_IN_PLACE,
	OPTION_LEVEL,
	OPTION_REPORT,
	OPTION_REPORT_FORMAT,
	OPTION_VERSION,
};

struct cli_option {
	int code;	  /* a letter, or OPTION_* for those without one */
	const char *name; /* long name; NULL: only a letter */
	const char
		*argument; /* what help calls it; "[X]": optional; NULL: none */
	unsigned int commands;
	const char *help; /* lines after the first are indented by help */
};

static const struct cli_option option_table[] = {
	{'O', NULL, "LEVEL", CLI_OPTIMIZE,
	 "how far to go, 0 to 2 (default 1):\n"
	 "-O0 drops exact duplicates, -O1 keeps every record,\n"
	 "-O2 keeps every record that a rule asks for"},
	{OPTION_LEVEL, "level", "LEVEL", CLI_DIFF,
	 "what counts as the same: 1 (default): all records, 2: those\n"
	 "that a rule asks for"},
	{'O', NULL, "LEVEL", CLI_EXPLAIN,
	 "show the walk after that optimisation, too (0 to 2)"},
	{'S', NULL, "CALL", CLI_EXPLAIN, "the system call, by name or number"},
	{'F', NULL, "FIELD=VALUE", CLI_EXPLAIN,
	 "what else holds, as in a rule; may repeat: arch=b32, auid=unset,\n"
	 "exit=-EACCES, path=/etc/shadow, exe=/usr/bin/su ...\n"
	 "(default: a user's 64-bit call that succeeds)"},
	{'o', "output", "FILE", CLI_ALL,
	 "write to FILE, whole or not at all (default: standard output)"},
	{OPTION_IN_PLACE, "in-place", NULL, CLI_OPTIMIZE,
	 "replace the one input file by the result"},
	{OPTION_KEEP_GOING, "keep-going", NULL, CLI_ALL,
	 "leave out what is faulty, keep the rest"},
	{OPTION_NO_COMMENTS, "no-comments", NULL, CLI_OPTIMIZE,
	 "write rules only, no heading, no comments"},
	{OPTION_REPORT, "report", "FILE", CLI_OPTIMIZE,
	 "write the report to FILE, - for standard output, none for\n"
	 "no report (default: standard error)"},
	{OPTION_REPORT_FORMAT, "report-format", "FORMAT",
	 CLI_OPTIMIZE | CLI_COST, "text (default) or json"},
	{OPTION_MACHINE, "machine", "NAME", CLI_ALL,
	 "the machine that the rules are for: x86_64, aarch64,\n"
	 "ppc64le, s390x ... (default: this one)"},
	{OPTION_AUDITCTL, "auditctl", "VERSION", CLI_ALL,
	 "read the rules as that auditctl does, such as 3.0.9 or\n"
	 "4.0.2 (default: the linked libaudit's)"},
	{OPTION_KERNEL, "kernel", "VERSION", CLI_OPTIMIZE,
	 "the newest kernel that the rules are for, such as 6.12, or any\n"
	 "(default: this machine's, where the rules are for one like it)"},
	{OPTION_ROOT, "root", "DIR", CLI_ALL,
	 "look up users, groups and watched paths under DIR"},
	{OPTION_COLOUR, "color", "WHEN", CLI_ALL, "auto, always or never"},
	{'v', "verbose", NULL, CLI_ALL,
	 "tell more: notes, and each change in the report"},
	{'q', "quiet", NULL, CLI_ALL,
	 "tell errors only, and no report on standard error"},
	{'h', "help", "[TOPIC]", CLI_ALL,
	 "this text; --help=passes lists what the optimizer does"},
	{OPTION_VERSION, "version", NULL, CLI_ALL,
	 "version, libaudit's behaviour, licence"},
};

#define OPTION_COUNT (sizeof(option_table) / sizeof(*option_table))

static const char *command_name(enum cli_command command)
{
	switch (command) {
	case CLI_COST:
		return "auditopt cost";
	case CLI_DUMP:
		return "auditopt dump";
	case CLI_DIFF:
		return "auditopt diff";
	case CLI_EXPLAIN:
		return "auditopt explain";
	default:
		return "auditopt";
	}
}

static int try_help(enum cli_command command)
{
	fprintf(stderr, "Try '%s --help'.\n", command_name(command));
	return STATUS_USAGE;
}

int cli_usage_error(enum cli_command command, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "%s: ", command_name(command));
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return try_help(command);
}

static int argument_kind(const struct cli_option *option)
{
	if (!option->argument)
		return no_argument;
	return option->argument[0] == '[' ? optional_argument
					  : required_argument;
}

void cli_print_options(enum cli_command command)
{
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		const struct cli_option *o = &option_table[i];
		char left[64] = "    ";
		size_t used = 4;
		const char *line = o->help;

		if (!(o->commands & (unsigned int)command))
			continue;
		if (o->code < 256)
			snprintf(left, sizeof(left), "-%c%s", o->code,
				 o->name ? ", " : o->argument);
		used = o->name ? 4 : strlen(left);
		if (o->name && argument_kind(o) == optional_argument)
			snprintf(left + used, sizeof(left) - used, "--%s[=%.*s",
				 o->name, (int)strlen(o->argument + 1),
				 o->argument + 1);
		else if (o->name)
			snprintf(left + used, sizeof(left) - used, "--%s%s%s",
				 o->name, o->argument ? "=" : "",
				 o->argument ? o->argument : "");
		while (*line) {
			int length = (int)strcspn(line, "\n");

			printf("  %-28s %.*s\n", line == o->help ? left : "",
			       length, line);
			line += length;
			line += *line == '\n';
		}
	}
}

/* "3", "3.1" or "3.1.3". */
static bool read_version(const char *text, unsigned int *version)
{
	unsigned long part[3] = {0, 0, 0};

	for (int i = 0; i < 3; i++) {
		char *end;

		if (!isdigit((unsigned char)*text))
			return false;
		part[i] = strtoul(text, &end, 10);
		if (part[i] > 99)
			return false;
		*version = AUDITCTL_VERSION(part[0], part[1], part[2]);
		if (*end == '\0')
			return true;
		if (*end != '.')
			return false;
		text = end + 1;
	}
	return false;
}

static int set_auditctl(struct cli_options *options, enum cli_command command,
			const char *text)
{
	unsigned int version;

	if (!read_version(text, &version))
		return cli_usage_error(
			command,
			"--auditctl=%s: a version such as 3.0.9 is wanted",
			text);
	if (version < AUDITCTL_VERSION(3, 0, 9))
		return cli_usage_error(command,
				       "--auditctl=%s: what auditctl did "
				       "before 3.0.9 is not known here",
				       text);
	options->common.compile.auditctl_version = version;
	return -1;
}

static int set_machine(struct cli_options *options, enum cli_command command,
		       const char *name)
{
	const struct target *target = target_by_name(name);
	const char *known;

	if (target) {
		options->common.compile.target = target;
		return -1;
	}
	fprintf(stderr, "%s: --machine=%s is not known; known are",
		command_name(command), name);
	for (unsigned int i = 0; (known = target_name(i)) != NULL; i++)
		fprintf(stderr, "%s %s", i ? "," : "", known);
	fputc('\n', stderr);
	return try_help(command);
}

/* "any", or a release as uname -r has it. */
static int set_kernel(struct cli_options *options, enum cli_command command,
		      const char *text)
{
	unsigned int major, minor;

	if (strcmp(text, "any") != 0 &&
	    (!isdigit((unsigned char)*text) ||
	     sscanf(text, "%3u.%3u", &major, &minor) != 2))
		return cli_usage_error(command,
				       "--kernel=%s: a release such as 6.12, "
				       "or any, is wanted",
				       text);
	options->kernel = text;
	return -1;
}

static int set_root(struct cli_options *options, enum cli_command command,
		    char *directory)
{
	struct stat st;
	size_t length = strlen(directory);

	if (stat(directory, &st) != 0)
		return cli_usage_error(command, "--root=%s: %s", directory,
				       strerror(errno));
	if (!S_ISDIR(st.st_mode))
		return cli_usage_error(command, "--root=%s is no directory",
				       directory);
	while (length > 0 && directory[length - 1] == '/')
		directory[--length] = '\0';
	options->common.compile.root = directory;
	return -1;
}

/* The index of TEXT among WORDS, or -1. */
static int one_of(const char *text, const char *const *words)
{
	for (int i = 0; words[i]; i++)
		if (strcmp(text, words[i]) == 0)
			return i;
	return -1;
}

static int set_word(struct cli_options *options, enum cli_command command,
		    int code, const char *text)
{
	static const char *const whens[] = {"never", "always", "auto", NULL};
	static const char *const formats[] = {"text", "json", NULL};
	static const char *const levels[] = {"0", "1", "2", NULL};
	int i;

	switch (code) {
	case OPTION_COLOUR:
		i = one_of(text, whens);
		if (i < 0)
			return cli_usage_error(
				command,
				"--color=%s: auto, always or never is wanted",
				text);
		options->common.colour = i == 2 ? -1 : i;
		return -1;
	case OPTION_REPORT_FORMAT:
		i = one_of(text, formats);
		if (i < 0)
			return cli_usage_error(
				command,
				"--report-format=%s: text or json is wanted",
				text);
		options->report_json = i == 1;
		return -1;
	default:
		i = one_of(text, levels);
		if (i < 0)
			return cli_usage_error(
				command, "level %s: 0, 1 or 2 is wanted", text);
		options->level = i;
		options->level_given = true;
		return -1;
	}
}

static int set_option(struct cli_options *options, enum cli_command command,
		      int code)
{
	struct cli_common *common = &options->common;

	switch (code) {
	case 'h':
		return cli_help(command, optarg);
	case OPTION_VERSION:
		return cli_version();
	case 'v':
		common->verbosity = 1;
		return -1;
	case 'q':
		common->verbosity = -1;
		return -1;
	case 'o':
		common->output = optarg;
		return -1;
	case OPTION_IN_PLACE:
		common->in_place = true;
		return -1;
	case OPTION_KEEP_GOING:
		common->compile.keep_going = true;
		return -1;
	case OPTION_NO_COMMENTS:
		options->no_comments = true;
		return -1;
	case OPTION_REPORT:
		options->report = optarg;
		return -1;
	case OPTION_MACHINE:
		return set_machine(options, command, optarg);
	case OPTION_AUDITCTL:
		return set_auditctl(options, command, optarg);
	case OPTION_KERNEL:
		return set_kernel(options, command, optarg);
	case OPTION_ROOT:
		return set_root(options, command, optarg);
	case 'S':
		options->call = optarg;
		return -1;
	case 'F':
		if (options->facts == CLI_FACTS_AT_MOST)
			return cli_usage_error(command, "too many -F");
		options->fact[options->facts++] = optarg;
		return -1;
	case OPTION_COLOUR:
	case OPTION_REPORT_FORMAT:
	case OPTION_LEVEL:
	case 'O':
		return set_word(options, command, code, optarg);
	default:
		/* getopt_long has said what is wrong. */
		return try_help(command);
	}
}

/* What getopt_long wants to know, for the options of COMMAND. */
static void getopt_tables(enum cli_command command, char *letters,
			  struct option *longs)
{
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		const struct cli_option *o = &option_table[i];
		int kind = argument_kind(o);

		if (!(o->commands & (unsigned int)command))
			continue;
		if (o->code < 256) {
			*letters++ = (char)o->code;
			if (kind == required_argument)
				*letters++ = ':';
		}
		if (o->name)
			*longs++ =
				(struct option){o->name, kind, NULL, o->code};
	}
	*letters = '\0';
	*longs = (struct option){NULL, 0, NULL, 0};
}

/* Looks like a word that was meant as a subcommand, and is no file. */
static bool is_mistaken_word(const char *operand)
{
	struct stat st;

	if (strspn(operand, "abcdefghijklmnopqrstuvwxyz-") != strlen(operand) ||
	    operand[0] == '-' || operand[0] == '\0')
		return false;
	return lstat(operand, &st) != 0 && errno == ENOENT;
}

static const char *subcommand(size_t i, void *data)
{
	static const char *const name[] = {"cost", "dump", "diff",
					   "explain"};

	(void)data;
	return i < sizeof(name) / sizeof(*name) ? name[i] : NULL;
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
		if (!is_mistaken_word(operand))
			continue;
		near = nearest_name(operand, subcommand, NULL);
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
				       "(the commands are cost, diff, dump and "
				       "explain)",
				       operand);
	}
	return -1;
}

static int check_in_place(struct cli_options *options, enum cli_command command)
{
	const char *file = options->operand[0];
	struct stat st;

	if (options->common.output)
		return cli_usage_error(command,
				       "--in-place and -o exclude each other");
	if (options->operands != 1)
		return cli_usage_error(command,
				       "--in-place takes exactly one file");
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

/* Two results must not end up in one place. */
static int short_usage(enum cli_command command)
{
	fprintf(stderr, "Usage: %s [OPTIONS] FILE|DIR|-...\n",
		command_name(command));
	return try_help(command);
}

int cli_parse(struct cli_options *options, enum cli_command command, int argc,
	      char **argv)
{
	static char standard_input[] = "-";
	static char *only_standard_input[] = {standard_input, NULL};
	char letters[2 * OPTION_COUNT + 1];
	struct option longs[OPTION_COUNT + 1];
	int code, status;

	*options = (struct cli_options){.level = 1};
	options->common.colour = -1;
	options->common.compile.root = "";
	options->common.compile.target = target_of_this_machine();
	options->common.compile.auditctl_version = auditctl_version_linked();
	getopt_tables(command, letters, longs);
	while ((code = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		status = set_option(options, command, code);
		if (status >= 0)
			return status;
	}
	options->operand = argv + optind;
	options->operands = argc - optind;
	if (options->operands == 0) {
		if (isatty(STDIN_FILENO))
			return short_usage(command);
		options->operand = only_standard_input;
		options->operands = 1;
	}
	if (!options->common.compile.target)
		return cli_usage_error(command,
				       "this machine's architecture is not "
				       "known; name one with --machine=NAME");
	status = check_operands(options, command);
	if (status < 0 && options->common.in_place)
		status = check_in_place(options, command);
	if (status < 0)
		status = cli_check_targets(options, command);
	return status;
}
