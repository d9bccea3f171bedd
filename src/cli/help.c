/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Help: what --help and --version print. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "optimize/pipeline.h"

static const char optimize_head[] =
	"Usage: auditopt [OPTIONS] [FILE|DIR|-]...\n"
	"       auditopt cost [OPTIONS] [FILE|DIR|-]...\n"
	"       auditopt dump [OPTIONS] [FILE|DIR|-]...\n"
	"       auditopt diff [OPTIONS] OLD NEW\n"
	"       auditopt explain [OPTIONS] -S CALL [-F FIELD=VALUE]... "
	"[FILE|DIR|-]...\n"
	"       auditopt calibrate [OPTIONS]\n"
	"\n"
	"Reads Linux audit rules as auditctl reads them and writes rules that "
	"log the\n"
	"same events and cost system calls less on the whole. Loads no rules "
	"into the\n"
	"kernel. A DIR is merged as augenrules merges rules.d; - is standard "
	"input, which\n"
	"is also read when no file is named and it is no terminal. The rules "
	"go to\n"
	"standard output, complaints and the report to standard error. What is "
	"read is\n"
	"taken as all the rules there are.\n"
	"\n"
	"Commands:\n"
	"  (none)                       optimise\n"
	"  cost                         tell what the rules cost, change "
	"nothing\n"
	"  dump                         print the compiled rules as JSON\n"
	"  diff                         tell which calls two rule sets treat "
	"differently\n"
	"  explain                      tell how the kernel walks the rules "
	"for a call\n"
	"  calibrate                    measure what rules cost on this host "
	"(as root)\n"
	"A file with the name of a command is named as in ./cost.\n"
	"\n"
	"Options:\n";

static const char optimize_tail[] =
	"\n"
	"Examples:\n"
	"  auditopt /etc/audit/audit.rules              look at the result and "
	"the report\n"
	"  auditopt -o /root/a.rules /etc/audit/rules.d write what augenrules "
	"would load\n"
	"  auditctl -R /root/a.rules                    load it (as root) until "
	"next boot\n"
	"  auditopt -q --no-comments a.rules | diff - b.rules\n"
	"\n"
	"Exit status:\n"
	"  0  done; with --keep-going also when faulty parts were left out: "
	"they are\n"
	"     listed on standard error and in the result\n"
	"  2  wrong usage\n"
	"  3  errors in the input, or it cannot be read; nothing was written\n"
	"  4  refused or failed, as on a full disk; nothing was written\n"
	"diff has its own, see its --help.\n"
	"\n"
	"More: man auditopt, auditopt COMMAND --help\n";

static const char cost_head[] =
	"Usage: auditopt cost [OPTIONS] [FILE|DIR|-]...\n"
	"\n"
	"Tells what a rule set costs each class of system calls: rules walked, "
	"masks\n"
	"hit, fields evaluated and estimated instructions. Changes and loads "
	"nothing;\n"
	"the report goes to standard output.\n"
	"\n"
	"Options:\n";

static const char cost_tail[] =
	"\n"
	"Examples:\n"
	"  auditopt cost /etc/audit/audit.rules\n"
	"  auditopt cost --report-format=json a.rules | jq .\n"
	"\n"
	"The JSON is described in auditopt.report(5). Exit status as of "
	"auditopt.\n";

static const char dump_head[] =
	"Usage: auditopt dump [OPTIONS] [FILE|DIR|-]...\n"
	"\n"
	"Prints what auditctl would send to the kernel for each line, as JSON: "
	"rules\n"
	"with their fields, mask and the bytes of struct audit_rule_data, "
	"deletions and\n"
	"control commands. Optimises and loads nothing.\n"
	"\n"
	"Options:\n";

static const char dump_tail[] =
	"\n"
	"Examples:\n"
	"  auditopt dump a.rules | jq '.actions[] | {line, list, keys}'\n"
	"  auditopt dump --auditctl=4.0.2 a.rules\n"
	"\n"
	"The JSON is described in auditopt(8). Exit status as of auditopt.\n";

static const char diff_head[] =
	"Usage: auditopt diff [OPTIONS] OLD NEW\n"
	"\n"
	"Compares what two rule sets mean, not their text: for each kind of "
	"call that\n"
	"they treat differently, what each of them does with it, by which "
	"rule, and such\n"
	"a call. Proved, with decision diagrams; each call shown was tried.\n"
	"\n"
	"Options:\n";

static const char diff_tail[] =
	"\n"
	"Examples:\n"
	"  auditopt diff /etc/audit/audit.rules fast.rules\n"
	"  auditopt diff --level=2 old.rules new.rules\n"
	"\n"
	"Exit status: 0 the same, 1 different or not proved to be the same, "
	"2 wrong\n"
	"usage, 3 errors in the input, 4 failed.\n";

static const char explain_head[] =
	"Usage: auditopt explain [OPTIONS] -S CALL [-F FIELD=VALUE]... "
	"[FILE|DIR|-]...\n"
	"\n"
	"Tells how the kernel walks the rules at the end of such a call, before "
	"and after\n"
	"the optimisation: which rules it enters, the field at which each "
	"fails, where\n"
	"the walk ends and what comes of it.\n"
	"\n"
	"Options:\n";

static const char explain_tail[] =
	"\n"
	"Examples:\n"
	"  auditopt explain -S openat -F path=/etc/shadow -F exit=-EACCES "
	"a.rules\n"
	"  auditopt explain -S open,openat -F flags=O_WRONLY a.rules\n"
	"  auditopt explain -O2 -S read -F auid=unset a.rules\n"
	"\n"
	"Exit status as of auditopt.\n";

static const char calibrate_head[] =
	"Usage: auditopt calibrate [OPTIONS]\n"
	"\n"
	"Measures, as root, what audit rules cost on this host: loads rules of "
	"its own,\n"
	"which log nothing, times a system call, and takes them out again. "
	"Refuses where\n"
	"rules are loaded, or audit is disabled or locked. The figures go to "
	"standard\n"
	"output, as a file for --calibration; progress and a table to standard "
	"error.\n"
	"Takes some seconds; the host should be idle.\n"
	"\n"
	"Options:\n";

static const char calibrate_tail[] =
	"\n"
	"Examples:\n"
	"  auditopt calibrate -o host.calibration\n"
	"  auditopt cost --calibration=host.calibration "
	"/etc/audit/audit.rules\n"
	"\n"
	"Exit status: 0 done, 2 wrong usage, 4 refused or failed; the rules "
	"are then as\n"
	"they were, or an error says what to do. More: man "
	"auditopt-calibrate\n";

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

int cli_help(enum cli_command command, const char *topic)
{
	if (topic && strcmp(topic, "passes") == 0) {
		list_passes();
		return cli_close_stdout();
	}
	if (topic)
		return cli_usage_error(
			command, "--help=%s: the only topic is passes", topic);
	fputs(command == CLI_COST      ? cost_head
	      : command == CLI_DUMP    ? dump_head
	      : command == CLI_DIFF    ? diff_head
	      : command == CLI_EXPLAIN ? explain_head
	      : command == CLI_CALIBRATE
		      ? calibrate_head
		      : optimize_head,
	      stdout);
	cli_print_options(command);
	fputs(command == CLI_COST      ? cost_tail
	      : command == CLI_DUMP    ? dump_tail
	      : command == CLI_DIFF    ? diff_tail
	      : command == CLI_EXPLAIN ? explain_tail
	      : command == CLI_CALIBRATE
		      ? calibrate_tail
		      : optimize_tail,
	      stdout);
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
