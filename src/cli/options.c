/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options: one table for getopt_long, for --help and for which subcommand
 * takes what.
 */
#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/option_values.h"
#include "util/printable.h"

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
	{'o', "output", "FILE", CLI_ALL | CLI_CALIBRATE,
	 "write to FILE, whole or not at all (default: standard output)"},
	{OPTION_IN_PLACE, "in-place", NULL, CLI_OPTIMIZE,
	 "replace the one input file by the result; its comments go"},
	{OPTION_BACKUP, "backup", "[SUFFIX]", CLI_OPTIMIZE,
	 "keep the file that is replaced, as FILE~ or FILE.SUFFIX"},
	{OPTION_KEEP_GOING, "keep-going", NULL, CLI_ALL & ~CLI_CHECK,
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
	 CLI_OPTIMIZE | CLI_COST,
	 "text (default), json, html (a page that needs no network)\n"
	 "or csv (a row for each call)"},
	{OPTION_FORMAT, "format", "FORMAT", CLI_CHECK,
	 "text (default), json or sarif"},
	{OPTION_FAIL_ON, "fail-on", "SEVERITY", CLI_CHECK,
	 "exit with 1 at a finding of that severity or above: error\n"
	 "(default), warning, note; or never"},
	{OPTION_SEVERITY, "severity", "SEVERITY", CLI_CHECK,
	 "tell only findings of that severity or above: error,\n"
	 "warning or note (default)"},
	{OPTION_DISABLE, "disable", "ID[,ID]", CLI_CHECK,
	 "do not tell these findings; may repeat"},
	{OPTION_ENABLE, "enable", "ID[,ID]", CLI_CHECK,
	 "tell these findings alone; may repeat"},
	{OPTION_EXPLAIN, "explain", "ID", CLI_CHECK,
	 "say what a finding means, with an example and what to do;\n"
	 "list names all"},
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
	{OPTION_KERNEL, "kernel", "VERSION", CLI_COST,
	 "estimate for that kernel, such as 6.12 (default: 6.1); 6.1 and\n"
	 "6.12 are known, others are taken for the one most like them"},
	{OPTION_LSM, "lsm", "NAMES", CLI_OPTIMIZE | CLI_DIFF | CLI_EXPLAIN,
	 "the security modules there: none, apparmor, selinux ..., with\n"
	 "commas between; -O1 may end more walks where they log nothing\n"
	 "(default: auto, as this machine has none that logs, or any)"},
	{OPTION_ABI, "abi", "WHICH",
	 CLI_OPTIMIZE | CLI_COST | CLI_DIFF | CLI_EXPLAIN | CLI_CHECK,
	 "all (default); native: no 32-bit program runs on a 64-bit\n"
	 "kernel there; auto: as on this machine"},
	{OPTION_PROFILE, "profile", "FILE",
	 CLI_OPTIMIZE | CLI_COST | CLI_EXPLAIN | CLI_CHECK,
	 "how often each call is made there, as strace -c, perf trace -s,\n"
	 "syscount or a bpftrace map tells, or rows such as 'read 123'\n"
	 "(default: a mix measured on servers)"},
	{OPTION_CALIBRATION, "calibration", "FILE", CLI_OPTIMIZE | CLI_COST,
	 "tell costs in nanoseconds too, as auditopt calibrate measured\n"
	 "them there"},
	{OPTION_FORCE, "force", NULL, CLI_CALIBRATE,
	 "also with rules loaded: take them out and put them back;\n"
	 "what happens in between is not logged"},
	{OPTION_FROM_KERNEL, "from-kernel", NULL, CLI_ALL & ~CLI_DIFF,
	 "read the rules of the running kernel (root) instead of files;\n"
	 "nothing is changed there"},
	{OPTION_FROM_KERNEL, "from-kernel", NULL, CLI_DIFF,
	 "the old rules are those of the running kernel (root); one\n"
	 "file is named, the new ones"},
	{OPTION_LISTING, "listing", NULL, CLI_ALL,
	 "what is read is what auditctl -l printed, where that is not\n"
	 "meant as in a rules file"},
	{OPTION_ROOT, "root", "DIR", CLI_ALL,
	 "look up users, groups and watched paths under DIR"},
	{OPTION_COLOUR, "color", "WHEN", CLI_ALL, "auto, always or never"},
	{'v', "verbose", NULL, CLI_OPTIMIZE,
	 "tell more: notes, and each change in the report"},
	{'v', "verbose", NULL, CLI_COST,
	 "tell more: notes on the rules, and what patches of the kernel\n"
	 "would do"},
	{'v', "verbose", NULL, CLI_DUMP, "tell more: notes on the rules, too"},
	{'v', "verbose", NULL, CLI_DIFF,
	 "tell more: notes on the rules, and all differences"},
	{'v', "verbose", NULL, CLI_EXPLAIN,
	 "tell more: notes on the rules, and each rule passed over"},
	{'q', "quiet", NULL, CLI_OPTIMIZE,
	 "tell errors only, and no report on standard error"},
	{'q', "quiet", NULL, CLI_COST | CLI_DUMP | CLI_EXPLAIN,
	 "no warnings: errors only, besides the result"},
	{'q', "quiet", NULL, CLI_DIFF, "no warnings, and the last lines only"},
	{'q', "quiet", NULL, CLI_CALIBRATE, "tell errors only"},
	{'q', "quiet", NULL, CLI_CHECK, "findings only, no count of them"},
	{'h', "help", NULL, CLI_CALIBRATE, "this text"},
	{'h', "help", "[ID]", CLI_CHECK,
	 "this text; with an identifier the same as --explain"},
	{'h', "help", "[TOPIC]", CLI_ALL & ~CLI_CHECK,
	 "this text; of passes, what the optimizer does; of calls, this "
	 "machine's system calls; of completion, what shells read"},
	{OPTION_VERSION, "version", NULL, CLI_ALL | CLI_CALIBRATE,
	 "version, libaudit's behaviour, licence"},
};

#define OPTION_COUNT (sizeof(option_table) / sizeof(*option_table))

static const char *command_name(enum cli_command command)
{
	return cli_subcommand_of(command)->title;
}

static int try_help(enum cli_command command)
{
	fprintf(stderr, "Try '%s --help'.\n", command_name(command));
	return STATUS_USAGE;
}

int cli_usage_error(enum cli_command command, const char *format, ...)
{
	struct arena *arena = arena_new();
	va_list args;
	char *text;
	int length;

	va_start(args, format);
	length = vasprintf(&text, format, args);
	va_end(args);
	fprintf(stderr, "%s: %s\n", command_name(command),
		length < 0 ? "wrong usage"
			   : printable_text(arena, text, (size_t)length));
	if (length >= 0)
		free(text);
	arena_free(arena);
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

static void list_option(const struct cli_option *o, const char *command)
{
	const char *value;

	printf("option\t%s\t", command);
	if (o->name)
		printf("--%s", o->name);
	printf("\t");
	if (o->code < 256)
		printf("-%c", o->code);
	printf("\t%s\t", o->argument ? o->argument : "");
	for (size_t i = 0; (value = option_known_value(o->code, i)); i++)
		printf("%s%s", i ? " " : "", value);
	putchar('\t');
	for (const char *c = o->help; *c; c++)
		putchar(*c == '\n' ? ' ' : *c);
	putchar('\n');
}

void cli_list_options(enum cli_command bit)
{
	const char *word = cli_subcommand_of(bit)->word;

	for (size_t i = 0; i < OPTION_COUNT; i++)
		if (option_table[i].commands & (unsigned int)bit)
			list_option(&option_table[i], word ? word : "");
}

static bool takes(enum cli_command command, const char *name)
{
	for (size_t i = 0; i < OPTION_COUNT; i++)
		if (option_table[i].name &&
		    option_table[i].commands & (unsigned int)command &&
		    strcmp(option_table[i].name, name) == 0)
			return true;
	return false;
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
			if (kind != no_argument)
				*letters++ = ':';
			if (kind == optional_argument)
				*letters++ = ':';
		}
		if (o->name)
			*longs++ =
				(struct option){o->name, kind, NULL, o->code};
	}
	/* Else --report would be taken for --report-format, cut short. */
	for (size_t i = 0; i < OPTION_COUNT; i++)
		if (option_table[i].name &&
		    !takes(command, option_table[i].name))
			*longs++ = (struct option){option_table[i].name,
						   optional_argument, NULL,
						   OPTION_OF_OTHERS};
	*letters = '\0';
	*longs = (struct option){NULL, 0, NULL, 0};
}

/* How many of LONGS begin with NAME? */
static unsigned int beginning_with(const struct option *longs, const char *name,
				   size_t length)
{
	unsigned int count = 0;

	for (; longs->name; longs++)
		count += strncmp(longs->name, name, length) == 0;
	return count;
}

/* What getopt_long would say of CODE, ':' or '?', with the bytes of the word
 * as they are. WORD is the last one that it has looked at to the end. */
static int bad_option(enum cli_command command, int code, const char *word,
		      const char *letters, const struct option *longs)
{
	bool is_long = strncmp(word, "--", 2) == 0;
	size_t length = is_long ? strcspn(word, "=") : 0;

	if (code == ':' && is_long)
		return cli_usage_error(
			command, "option '%s' requires an argument", word);
	if (code == ':')
		return cli_usage_error(
			command, "option '-%c' requires an argument", optopt);
	if (optopt == 0 && is_long &&
	    beginning_with(longs, word + 2, length - 2) > 1)
		return cli_usage_error(command, "option '%.*s' is ambiguous",
				       (int)length, word);
	if (optopt == 0)
		return cli_usage_error(command, "unrecognized option '%s'",
				       word);
	if (is_long && optopt != ':' &&
	    (optopt > UCHAR_MAX || strchr(letters, optopt)))
		return cli_usage_error(
			command, "option '%.*s' doesn't allow an argument",
			(int)length, word);
	return cli_usage_error(command, "invalid option -- '%c'", optopt);
}

static int short_usage(enum cli_command command)
{
	fprintf(stderr, "Usage: %s %s\n", command_name(command),
		cli_subcommand_of(command)->operands);
	return try_help(command);
}

/* Reading as the newest known version does is a guess for a newer one. */
static void tell_newest_auditctl(const struct cli_options *options,
				 enum cli_command command)
{
	unsigned int version = options->common.compile.auditctl_version;
	struct arena *arena;

	if (version <= AUDITCTL_NEWEST || options->common.verbosity < 0)
		return;
	arena = arena_new();
	fprintf(stderr,
		"%s: note: auditctl %s is not known here; the rules are read "
		"as %s, the newest that is known, reads them\n",
		command_name(command), auditctl_version_text(arena, version),
		auditctl_version_text(arena, AUDITCTL_NEWEST));
	arena_free(arena);
}

/* calibrate reads no rules. */
static int check_no_operand(const struct cli_options *options)
{
	const char *output = options->common.output;

	if (options->operands)
		return cli_usage_error(CLI_CALIBRATE,
				       "no file of rules is wanted, and '%s' "
				       "is given",
				       options->operand[0]);
	if (output && !*output)
		return cli_usage_error(CLI_CALIBRATE,
				       "a file to write to has an empty name");
	return -1;
}

int cli_parse(struct cli_options *options, enum cli_command command, int argc,
	      char **argv)
{
	static char standard_input[] = "-";
	static char *only_standard_input[] = {standard_input, NULL};
	char letters[2 * OPTION_COUNT + 2] = ":"; /* bad_option() complains */
	struct option longs[OPTION_COUNT + 1];
	int code, status, at = 0;

	*options = (struct cli_options){.level = 1,
					.check.fail_on = DIAG_ERROR,
					.check.least = DIAG_NOTE};
	options->common.writes_rules = command == CLI_OPTIMIZE;
	options->common.colour = -1;
	options->common.compile.root = "";
	options->common.compile.target = target_of_this_machine();
	options->common.compile.auditctl_version = auditctl_version_linked();
	getopt_tables(command, letters + 1, longs);
	while ((code = getopt_long(argc, argv, letters, longs, &at)) != -1) {
		if (code == OPTION_OF_OTHERS)
			status = cli_usage_error(command,
						 "--%s is an option of other "
						 "commands",
						 longs[at].name);
		else if (code == '?' || code == ':')
			status = bad_option(command, code, argv[optind - 1],
					    letters + 1, longs);
		else
			status = option_set(options, command, code, optarg);
		if (status >= 0)
			return status;
	}
	progress_begin(&options->common.progress, STDERR_FILENO,
		       options->common.verbosity >= 0);
	options->common.compile.progress = &options->common.progress;
	options->operand = argv + optind;
	options->operands = argc - optind;
	if (command == CLI_CALIBRATE)
		return check_no_operand(options);
	tell_newest_auditctl(options, command);
	if (options->operands == 0 && !options->from_kernel) {
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
