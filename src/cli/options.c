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
#include "model/self_log.h"

enum {
	OPTION_MACHINE = 256,
	OPTION_AUDITCTL,
	OPTION_KERNEL,
	OPTION_LSM,
	OPTION_ABI,
	OPTION_VERBATIM,
	OPTION_PROFILE,
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
	 "what counts as the same: 1 (default): all records,\n"
	 "2: those that a rule asks for; 0 is like 1"},
	{'O', NULL, "LEVEL", CLI_DIFF, "the same as --level"},
	{'O', NULL, "LEVEL", CLI_EXPLAIN,
	 "the optimisation that the second walk shows: 0, 1\n"
	 "(default) or 2"},
	{'S', NULL, "CALL", CLI_EXPLAIN,
	 "the system call, by name or number; several, with\n"
	 "commas or -S again, are explained one by one"},
	{'F', NULL, "FIELD=VALUE", CLI_EXPLAIN,
	 "what else holds, as in a rule; may repeat: arch=b32,\n"
	 "auid=unset, exit=-EACCES, path=/etc/shadow,\n"
	 "exe=/usr/bin/su ...; flags=O_WRONLY for open, openat\n"
	 "and openat2 (default: a user's 64-bit call that\n"
	 "succeeds and opens for reading)"},
	{'o', "output", "FILE", CLI_ALL,
	 "write to FILE, whole or not at all (default: standard output)"},
	{OPTION_IN_PLACE, "in-place", NULL, CLI_OPTIMIZE,
	 "replace the one input file by the result"},
	{OPTION_KEEP_GOING, "keep-going", NULL, CLI_ALL,
	 "leave out what is faulty, keep the rest"},
	{OPTION_VERBATIM, "verbatim", NULL, CLI_OPTIMIZE | CLI_EXPLAIN,
	 "leave the text of every rule that stays as it is: only drop,\n"
	 "move and add rules"},
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
	{OPTION_KERNEL, "kernel", "VERSION",
	 CLI_OPTIMIZE | CLI_DIFF | CLI_EXPLAIN,
	 "the newest kernel that the rules are for, such as 6.12, or any\n"
	 "(default: this machine's, where the rules are for one like it)"},
	{OPTION_LSM, "lsm", "NAMES", CLI_OPTIMIZE | CLI_DIFF | CLI_EXPLAIN,
	 "the security modules there: none, apparmor, selinux ..., with\n"
	 "commas between; -O1 may end more walks where they log nothing\n"
	 "(default: auto, as this machine has none that logs, or any)"},
	{OPTION_ABI, "abi", "WHICH", CLI_OPTIMIZE | CLI_DIFF | CLI_EXPLAIN,
	 "all (default); native: no 32-bit program runs on a 64-bit\n"
	 "kernel there; auto: as on this machine"},
	{OPTION_PROFILE, "profile", "FILE",
	 CLI_OPTIMIZE | CLI_COST | CLI_EXPLAIN,
	 "how often each call is made there, as strace -c, perf trace -s,\n"
	 "syscount or a bpftrace map tells, or rows such as 'read 123'\n"
	 "(default: a mix measured on servers)"},
	{OPTION_ROOT, "root", "DIR", CLI_ALL,
	 "look up users, groups and watched paths under DIR"},
	{OPTION_COLOUR, "color", "WHEN", CLI_ALL, "auto, always or never"},
	{'v', "verbose", NULL, CLI_OPTIMIZE,
	 "tell more: notes, and each change in the report"},
	{'v', "verbose", NULL, CLI_COST | CLI_DUMP,
	 "tell more: notes on the rules, too"},
	{'v', "verbose", NULL, CLI_DIFF,
	 "tell more: notes on the rules, and all differences"},
	{'v', "verbose", NULL, CLI_EXPLAIN,
	 "tell more: notes on the rules, and each rule passed over"},
	{'q', "quiet", NULL, CLI_OPTIMIZE,
	 "tell errors only, and no report on standard error"},
	{'q', "quiet", NULL, CLI_COST | CLI_DUMP | CLI_EXPLAIN,
	 "no warnings: errors only, besides the result"},
	{'q', "quiet", NULL, CLI_DIFF, "no warnings, and the last line only"},
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

#define HELP_LEFT 28  /* columns of the option */
#define HELP_RIGHT 48 /* of what it does, so that 80 hold both */

/* LEFT, and beside it TEXT in lines of its own; its newlines are spaces. */
static void print_beside(const char *left, const char *text)
{
	size_t used = 0;

	printf("  %-*s", HELP_LEFT, left);
	while (*text) {
		size_t length = strcspn(text, " \n");

		if (used && used + 1 + length > HELP_RIGHT) {
			printf("\n  %-*s", HELP_LEFT, "");
			used = 0;
		}
		printf(" %.*s", (int)length, text);
		used += length + 1;
		text += length;
		text += *text != '\0';
	}
	putchar('\n');
}

void cli_print_options(enum cli_command command)
{
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		const struct cli_option *o = &option_table[i];
		char left[64] = "    ";
		size_t used = 4;
		if (!(o->commands & (unsigned int)command))
			continue;
		if (o->code < 256)
			snprintf(left, sizeof(left), "-%c%s%s", o->code,
				 o->name ? ", " : " ",
				 o->name ? "" : o->argument);
		used = o->name ? 4 : strlen(left);
		if (o->name && argument_kind(o) == optional_argument)
			snprintf(left + used, sizeof(left) - used, "--%s[=%.*s",
				 o->name, (int)strlen(o->argument + 1),
				 o->argument + 1);
		else if (o->name)
			snprintf(left + used, sizeof(left) - used, "--%s%s%s",
				 o->name, o->argument ? "=" : "",
				 o->argument ? o->argument : "");
		print_beside(left, o->help);
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

/* Names of security modules, or "auto". */
static int set_lsm(struct cli_options *options, enum cli_command command,
		   const char *text)
{
	const char *unknown, *name;

	options->lsm = text;
	if (strcmp(text, "auto") == 0)
		return -1;
	asks_unlogged(text, &unknown);
	if (!unknown)
		return -1;
	fprintf(stderr, "%s: --lsm=%s: '%.*s' is not known; known are auto",
		command_name(command), text, (int)strcspn(unknown, ","),
		unknown);
	for (size_t i = 0; (name = security_module_name(i)) != NULL; i++)
		fprintf(stderr, ", %s", name);
	fputc('\n', stderr);
	return try_help(command);
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
	static const char *const abis[] = {"all", "native", "auto", NULL};
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
	case OPTION_ABI:
		i = one_of(text, abis);
		if (i < 0)
			return cli_usage_error(
				command,
				"--abi=%s: all, native or auto is wanted",
				text);
		options->abi = (enum cli_abi)i;
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
	case OPTION_VERBATIM:
		options->verbatim = true;
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
	case OPTION_LSM:
		return set_lsm(options, command, optarg);
	case OPTION_PROFILE:
		options->profile = optarg;
		return -1;
	case OPTION_ROOT:
		return set_root(options, command, optarg);
	case 'S':
		if (options->calls == CLI_FACTS_AT_MOST)
			return cli_usage_error(command, "too many -S");
		options->call[options->calls++] = optarg;
		return -1;
	case 'F':
		if (options->facts == CLI_FACTS_AT_MOST)
			return cli_usage_error(command, "too many -F");
		options->fact[options->facts++] = optarg;
		return -1;
	case OPTION_COLOUR:
	case OPTION_REPORT_FORMAT:
	case OPTION_ABI:
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

static int short_usage(enum cli_command command)
{
	fprintf(stderr, "Usage: %s [OPTIONS] FILE|DIR|-...\n",
		command_name(command));
	return try_help(command);
}

/* Reading as the newest known version does is a guess for a newer one. */
static void tell_newest_auditctl(const struct cli_options *options,
				 enum cli_command command)
{
	unsigned int version = options->common.compile.auditctl_version;
	struct arena *arena;

	if (version <= CLI_NEWEST_AUDITCTL || options->common.verbosity < 0)
		return;
	arena = arena_new();
	fprintf(stderr,
		"%s: note: auditctl %s is not known here; the rules are read "
		"as %s, the newest that is known, reads them\n",
		command_name(command), cli_auditctl_name(arena, version),
		cli_auditctl_name(arena, CLI_NEWEST_AUDITCTL));
	arena_free(arena);
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
	tell_newest_auditctl(options, command);
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
	status = cli_check_operands(options, command);
	if (status < 0)
		status = cli_check_targets(options, command);
	return status;
}
