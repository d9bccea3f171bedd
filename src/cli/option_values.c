/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/option_values.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "check/catalogue.h"
#include "model/price.h"
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
			const char *text)
{
	struct arena *arena = arena_new();
	const char *oldest = cli_auditctl_name(arena, AUDITCTL_OLDEST);
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
		       const char *name)
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
		      const char *suffix)
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

/* The index of TEXT among WORDS, or -1. */
static int one_of(const char *text, const char *const *words)
{
	for (int i = 0; words[i]; i++)
		if (strcmp(text, words[i]) == 0)
			return i;
	return -1;
}

static const char *const whens[] = {"never", "always", "auto", NULL};
static const char *const formats[] = {"text", "json", "html", "csv",
				      NULL}; /* enum report_format */
static const char *const levels[] = {"0", "1", "2", NULL};
static const char *const abis[] = {"all", "native", "auto", NULL};

static const char *const check_formats[] = {"text", "json", "sarif", NULL};

#define NEVER "never" /* a severity that no finding has */

static const char *word_at(const char *const *words, size_t i)
{
	size_t count = 0;

	while (words[count])
		count++;
	return i < count ? words[i] : NULL;
}

/* Those that can be asked for; in check a fatal one counts as an error. */
static const char *severity_known(size_t i)
{
	return i <= DIAG_ERROR ? severity_name((enum severity)i) : NULL;
}

static const char *kernel_known(size_t i)
{
	const struct prices *row = i ? prices_row((unsigned int)i - 1) : NULL;

	if (!i)
		return "any";
	return row ? row->kernel : NULL;
}

const char *option_known_value(int code, size_t i)
{
	static const char *const topics[] = {"passes", "calls", NULL};

	switch (code) {
	case OPTION_COLOUR:
		return word_at(whens, i);
	case OPTION_REPORT_FORMAT:
		return word_at(formats, i);
	case OPTION_FORMAT:
		return word_at(check_formats, i);
	case OPTION_FAIL_ON:
		return i == DIAG_ERROR + 1 ? NEVER : severity_known(i);
	case OPTION_SEVERITY:
		return severity_known(i);
	case OPTION_LEVEL:
	case 'O':
		return word_at(levels, i);
	case OPTION_ABI:
		return word_at(abis, i);
	case OPTION_KERNEL:
		return kernel_known(i);
	case OPTION_MACHINE:
		return target_name((unsigned int)i);
	case OPTION_LSM:
		return i ? security_module_name(i - 1) : "auto";
	case 'h':
		return word_at(topics, i);
	default:
		return NULL;
	}
}

static int set_word(struct cli_options *options, enum cli_command command,
		    int code, const char *text)
{
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
				"--report-format=%s: text, json, html or csv "
				"is wanted",
				text);
		options->report_format = (enum report_format)i;
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

/* One of severity_known(), or NEVER, which is -1, if that MAY_BE. */
static int set_severity(enum cli_command command, const char *option,
			const char *text, bool may_be, int *severity)
{
	const char *name;
	size_t i = 0;

	while ((name = severity_known(i)) && strcmp(text, name) != 0)
		i++;
	if (!name && !(may_be && strcmp(text, NEVER) == 0))
		return cli_usage_error(
			command, "--%s=%s: error, warning%s is wanted", option,
			text, may_be ? ", note or never" : " or note");
	*severity = name ? (int)i : -1;
	return -1;
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

static int set_format(struct cli_options *options, enum cli_command command,
		      const char *text)
{
	int i = one_of(text, check_formats);

	if (i < 0)
		return cli_usage_error(
			command, "--format=%s: text, json or sarif is wanted",
			text);
	options->check.format = (enum cli_check_format)i;
	return -1;
}

/* Those that check alone takes. */
static int set_check(struct cli_options *options, enum cli_command command,
		     int code, char *value)
{
	struct cli_check_options *check = &options->check;
	int status, least = (int)check->least;

	switch (code) {
	case OPTION_FORMAT:
		return set_format(options, command, value);
	case OPTION_FAIL_ON:
		return set_severity(command, "fail-on", value, true,
				    &check->fail_on);
	case OPTION_SEVERITY:
		status =
			set_severity(command, "severity", value, false, &least);
		check->least = (enum severity)least;
		return status;
	case OPTION_DISABLE:
		return add_ids(command, "disable", value, check->disabled,
			       &check->disables);
	case OPTION_ENABLE:
		return add_ids(command, "enable", value, check->enabled,
			       &check->enables);
	default:
		return cli_explain_finding(value);
	}
}

int option_set(struct cli_options *options, enum cli_command command, int code,
	       char *value)
{
	struct cli_common *common = &options->common;

	switch (code) {
	case 'h':
		return cli_help(command, value);
	case OPTION_VERSION:
		return cli_version();
	case 'v':
		common->verbosity = 1;
		return -1;
	case 'q':
		common->verbosity = -1;
		return -1;
	case 'o':
		common->output = value;
		return -1;
	case OPTION_IN_PLACE:
		common->in_place = true;
		return -1;
	case OPTION_BACKUP:
		return set_backup(options, command, value);
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
		options->report = value;
		return -1;
	case OPTION_MACHINE:
		return set_machine(options, command, value);
	case OPTION_AUDITCTL:
		return set_auditctl(options, command, value);
	case OPTION_KERNEL:
		return set_kernel(options, command, value);
	case OPTION_LSM:
		return set_lsm(options, command, value);
	case OPTION_PROFILE:
		options->profile = value;
		return -1;
	case OPTION_CALIBRATION:
		options->calibration = value;
		return -1;
	case OPTION_FORCE:
		options->force = true;
		return -1;
	case OPTION_FROM_KERNEL:
		options->from_kernel = true;
		return -1;
	case OPTION_LISTING:
		common->listing = true;
		return -1;
	case OPTION_ROOT:
		return set_root(options, command, value);
	case 'S':
		if (options->calls == CLI_FACTS_AT_MOST)
			return cli_usage_error(command, "too many -S");
		options->call[options->calls++] = value;
		return -1;
	case 'F':
		if (options->facts == CLI_FACTS_AT_MOST)
			return cli_usage_error(command, "too many -F");
		options->fact[options->facts++] = value;
		return -1;
	case OPTION_COLOUR:
	case OPTION_REPORT_FORMAT:
	case OPTION_ABI:
	case OPTION_LEVEL:
	case 'O':
		return set_word(options, command, code, value);
	case OPTION_FORMAT:
	case OPTION_FAIL_ON:
	case OPTION_SEVERITY:
	case OPTION_DISABLE:
	case OPTION_ENABLE:
	case OPTION_EXPLAIN:
		return set_check(options, command, code, value);
	default: /* none that getopt_long returns */
		return STATUS_USAGE;
	}
}
