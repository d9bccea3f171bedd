/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/option_values.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "check/catalogue.h"
#include "model/self_log.h"

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
			char *text)
{
	struct arena *arena = arena_new();
	const char *oldest = auditctl_version_text(arena, AUDITCTL_OLDEST);
	unsigned int version;
	int status = -1;

	if (!read_version(text, &version))
		status = cli_usage_error(
			command,
			"--auditctl=%s: a version such as %s is wanted", text,
			oldest);
	else if (version < AUDITCTL_OLDEST)
		status = cli_usage_error(command,
					 "--auditctl=%s: what auditctl did "
					 "before %s is not known here",
					 text, oldest);
	else
		options->common.compile.auditctl_version = version;
	arena_free(arena);
	return status;
}

static int set_machine(struct cli_options *options, enum cli_command command,
		       char *name)
{
	const struct target *target = target_by_name(name);
	struct arena *arena;
	const char *known, *all = "";
	int status;

	if (target) {
		options->common.compile.target = target;
		return -1;
	}
	arena = arena_new();
	for (unsigned int i = 0; (known = target_name(i)) != NULL; i++)
		all = arena_printf(arena, "%s%s %s", all, i ? "," : "", known);
	status = cli_usage_error(
		command, "--machine=%s is not known; known are%s", name, all);
	arena_free(arena);
	return status;
}

/* "any", or a release as uname -r has it. */
static int set_kernel(struct cli_options *options, enum cli_command command,
		      char *text)
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
		   char *text)
{
	const char *unknown, *name, *all = "auto";
	struct arena *arena;
	int status;

	options->lsm = text;
	if (strcmp(text, "auto") == 0)
		return -1;
	asks_unlogged(text, &unknown);
	if (!unknown)
		return -1;
	arena = arena_new();
	for (size_t i = 0; (name = security_module_name(i)) != NULL; i++)
		all = arena_printf(arena, "%s, %s", all, name);
	status = cli_usage_error(
		command, "--lsm=%s: '%.*s' is not known; known are %s", text,
		(int)strcspn(unknown, ","), unknown, all);
	arena_free(arena);
	return status;
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

/* What ends in .rules augenrules would read. */
static int set_backup(struct cli_options *options, enum cli_command command,
		      char *suffix)
{
	const char *end;

	options->common.backup = "~";
	if (!suffix)
		return -1;
	options->common.backup = suffix;
	if (!*suffix || strchr(suffix, '/') || strcmp(suffix, "~") == 0)
		return cli_usage_error(command,
				       "--backup=%s: the last part of a file's "
				       "name is wanted, such as orig",
				       suffix);
	end = strrchr(suffix, '.');
	if (strcmp(end ? end + 1 : suffix, "rules") == 0)
		return cli_usage_error(command,
				       "--backup=%s: augenrules would read the "
				       "old file too",
				       suffix);
	return -1;
}

/* "a, b or c": what option CODE takes; in ARENA. */
static const char *words_of(struct arena *arena, int code)
{
	const char *text = option_known_value(code, 0), *word;

	for (size_t i = 1; (word = option_known_value(code, i)); i++)
		text = arena_printf(
			arena, "%s%s%s", text,
			option_known_value(code, i + 1) ? ", " : " or ", word);
	return text;
}

/* Sets *INDEX to that of TEXT, said of OPTION, among the words of option CODE. */
static int choose(enum cli_command command, int code, const char *option,
		  const char *text, int *index)
{
	int i = option_word(code, text), status = -1;

	if (i < 0) {
		struct arena *arena = arena_new();

		status = cli_usage_error(command, "%s%s: %s is wanted", option,
					 text, words_of(arena, code));
		arena_free(arena);
	} else {
		*index = i;
	}
	return status;
}

#define COLOUR_AUTO 2 /* of the words; -1 in the options */

static int set_colour(struct cli_options *options, enum cli_command command,
		      char *text)
{
	int *colour = &options->common.colour;
	int status = choose(command, OPTION_COLOUR, "--color=", text, colour);

	if (*colour == COLOUR_AUTO)
		*colour = -1;
	return status;
}

static int set_report_format(struct cli_options *options,
			     enum cli_command command, char *text)
{
	int format = (int)options->report_format;
	int status = choose(command, OPTION_REPORT_FORMAT,
			    "--report-format=", text, &format);

	options->report_format = (enum report_format)format;
	return status;
}

static int set_abi(struct cli_options *options, enum cli_command command,
		   char *text)
{
	int abi = (int)options->abi;
	int status = choose(command, OPTION_ABI, "--abi=", text, &abi);

	options->abi = (enum cli_abi)abi;
	return status;
}

static int set_level(struct cli_options *options, enum cli_command command,
		     char *text)
{
	options->level_given = true;
	return choose(command, OPTION_LEVEL, "level ", text, &options->level);
}

static int set_format(struct cli_options *options, enum cli_command command,
		      char *text)
{
	int format = (int)options->check.format;
	int status = choose(command, OPTION_FORMAT, "--format=", text, &format);

	options->check.format = (enum cli_check_format)format;
	return status;
}

/* Identifiers with commas between; puts them behind the COUNT of LIST. */
static int add_ids(enum cli_command command, const char *option, char *text,
		   const char **list, int *count)
{
	char *rest = NULL;

	for (char *id = strtok_r(text, ",", &rest); id;
	     id = strtok_r(NULL, ",", &rest)) {
		const struct catalogue_row *row = catalogue_find(id);
		const char *near = row ? NULL : catalogue_nearest(id);

		if (!row && near)
			return cli_usage_error(command,
					       "--%s=%s: there is no such "
					       "finding; did you mean '%s'?",
					       option, id, near);
		if (!row)
			return cli_usage_error(command,
					       "--%s=%s: there is no such "
					       "finding; --explain=list lists "
					       "all",
					       option, id);
		if (*count == CLI_IDS_AT_MOST)
			return cli_usage_error(command, "too many --%s",
					       option);
		list[(*count)++] = row->id;
	}
	return -1;
}

static int set_fail_on(struct cli_options *options, enum cli_command command,
		       char *text)
{
	int *severity = &options->check.fail_on;
	int status =
		choose(command, OPTION_FAIL_ON, "--fail-on=", text, severity);

	if (*severity > DIAG_ERROR) /* never */
		*severity = -1;
	return status;
}

static int set_least(struct cli_options *options, enum cli_command command,
		     char *text)
{
	int least = (int)options->check.least;
	int status =
		choose(command, OPTION_SEVERITY, "--severity=", text, &least);

	options->check.least = (enum severity)least;
	return status;
}

static int add_disabled(struct cli_options *options, enum cli_command command,
			char *text)
{
	return add_ids(command, "disable", text, options->check.disabled,
		       &options->check.disables);
}

static int add_enabled(struct cli_options *options, enum cli_command command,
		       char *text)
{
	return add_ids(command, "enable", text, options->check.enabled,
		       &options->check.enables);
}

/* Puts WORD behind the COUNT of LIST. */
static int add_word(enum cli_command command, char letter, const char *word,
		    const char **list, int *count)
{
	if (*count == CLI_FACTS_AT_MOST)
		return cli_usage_error(command, "too many -%c", letter);
	list[(*count)++] = word;
	return -1;
}

static int add_call(struct cli_options *options, enum cli_command command,
		    char *text)
{
	return add_word(command, 'S', text, options->call, &options->calls);
}

static int add_fact(struct cli_options *options, enum cli_command command,
		    char *text)
{
	return add_word(command, 'F', text, options->fact, &options->facts);
}

static int be_verbose(struct cli_options *options, enum cli_command command,
		      char *none)
{
	(void)command;
	(void)none;
	options->common.verbosity = 1;
	return -1;
}

static int be_quiet(struct cli_options *options, enum cli_command command,
		    char *none)
{
	(void)command;
	(void)none;
	options->common.verbosity = -1;
	return -1;
}

static int tell_help(struct cli_options *options, enum cli_command command,
		     char *topic)
{
	(void)options;
	return cli_help(command, topic);
}

static int tell_version(struct cli_options *options, enum cli_command command,
			char *none)
{
	(void)options;
	(void)command;
	(void)none;
	return cli_version();
}

static int tell_finding(struct cli_options *options, enum cli_command command,
			char *id)
{
	(void)options;
	(void)command;
	return cli_explain_finding(id);
}

/* Where in struct cli_options a text is kept, or what was switched on; does not
 * compile if MEMBER is of another TYPE. */
#define AT(type, member)                                    \
	_Generic(((struct cli_options *)NULL)->member, type \
		 : offsetof(struct cli_options, member))
#define TEXT(member) AT(const char *, member)
#define SWITCH(member) AT(bool, member)

static const struct {
	int code;
	size_t at;
} texts[] =
	{
		{'o', TEXT(common.output)},
		{OPTION_REPORT, TEXT(report)},
		{OPTION_PROFILE, TEXT(profile)},
		{OPTION_CALIBRATION, TEXT(calibration)},
},
  switches[] = {
	  {OPTION_IN_PLACE, SWITCH(common.in_place)},
	  {OPTION_KEEP_GOING, SWITCH(common.compile.keep_going)},
	  {OPTION_LISTING, SWITCH(common.listing)},
	  {OPTION_NO_COMMENTS, SWITCH(no_comments)},
	  {OPTION_VERBATIM, SWITCH(verbatim)},
	  {OPTION_FORCE, SWITCH(force)},
	  {OPTION_FROM_KERNEL, SWITCH(from_kernel)},
};

/* What takes more than that. */
static const struct {
	int code;
	int (*set)(struct cli_options *options, enum cli_command command,
		   char *value);
} setters[] = {
	{'h', tell_help},
	{'v', be_verbose},
	{'q', be_quiet},
	{'S', add_call},
	{'F', add_fact},
	{'O', set_level},
	{OPTION_LEVEL, set_level},
	{OPTION_VERSION, tell_version},
	{OPTION_BACKUP, set_backup},
	{OPTION_MACHINE, set_machine},
	{OPTION_AUDITCTL, set_auditctl},
	{OPTION_KERNEL, set_kernel},
	{OPTION_LSM, set_lsm},
	{OPTION_ROOT, set_root},
	{OPTION_COLOUR, set_colour},
	{OPTION_REPORT_FORMAT, set_report_format},
	{OPTION_ABI, set_abi},
	{OPTION_FORMAT, set_format},
	{OPTION_FAIL_ON, set_fail_on},
	{OPTION_SEVERITY, set_least},
	{OPTION_DISABLE, add_disabled},
	{OPTION_ENABLE, add_enabled},
	{OPTION_EXPLAIN, tell_finding},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

int option_set(struct cli_options *options, enum cli_command command, int code,
	       char *value)
{
	for (size_t i = 0; i < COUNT(texts); i++)
		if (texts[i].code == code) {
			*(const char **)((char *)options + texts[i].at) = value;
			return -1;
		}
	for (size_t i = 0; i < COUNT(switches); i++)
		if (switches[i].code == code) {
			*(bool *)((char *)options + switches[i].at) = true;
			return -1;
		}
	for (size_t i = 0; i < COUNT(setters); i++)
		if (setters[i].code == code)
			return setters[i].set(options, command, value);
	return STATUS_USAGE; /* none that getopt_long returns */
}
