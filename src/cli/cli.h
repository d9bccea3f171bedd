/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line: one file a subcommand, options shared by all in options.c.
 */
#ifndef AUDITOPT_CLI_H
#define AUDITOPT_CLI_H

#include <stdbool.h>
#include <stddef.h>

#include "frontend/compile.h"
#include "frontend/load.h"
#include "frontend/source.h"
#include "profile/profile.h"
#include "report/report.h"
#include "util/progress.h"

enum exit_status {
	STATUS_GOOD = 0,
	STATUS_FINDINGS = 1, /* findings or differences */
	STATUS_USAGE = 2,
	STATUS_INPUT = 3,   /* input errors; nothing written */
	STATUS_REFUSED = 4, /* internal refusal or failure; nothing written */
};

/* The subcommands (commands.h), as bits, so that an option can list those that
 * take it. */
enum cli_command {
	CLI_OPTIMIZE = 1 << 0,
	CLI_COST = 1 << 1,
	CLI_DUMP = 1 << 2,
	CLI_DIFF = 1 << 3,
	CLI_EXPLAIN = 1 << 4,
	CLI_CALIBRATE = 1 << 5, /* reads no rules, so not one of ... */
	CLI_CHECK = 1 << 6,
	CLI_ALL = CLI_OPTIMIZE | CLI_COST | CLI_DUMP | CLI_DIFF | CLI_EXPLAIN |
		  CLI_CHECK,
};

/* Options that every subcommand takes (--machine, --auditctl, --root,
 * --keep-going, --color, -q, -v, -o). */
struct cli_common {
	struct compile_options compile;
	struct progress progress; /* of the whole run; where compile.progress
				   * leads to */
	int verbosity;	    /* -1 quiet, 0, 1 verbose */
	int colour;	    /* -1: only on a terminal */
	const char *output; /* -o; NULL: standard output */
	bool writes_rules;  /* the command makes rules of the rules */
	bool listing;	    /* --listing: files are what auditctl -l printed */
	bool listing_mixed; /* of two inputs one may be no listing */
	bool in_place;	    /* the only source is about to be replaced */
	const char *backup; /* the file that is replaced is kept, its name
			     * with "~", or with a dot and this; NULL: it is
			     * not */
};

#define CLI_FACTS_AT_MOST 64

/* --abi */
enum cli_abi { CLI_ABI_ALL, CLI_ABI_NATIVE, CLI_ABI_AUTO };

/* check: --format */
enum cli_check_format { CLI_CHECK_TEXT, CLI_CHECK_JSON, CLI_CHECK_SARIF };

#define CLI_IDS_AT_MOST 256

/* What check is asked for besides. */
struct cli_check_options {
	enum cli_check_format format;
	int fail_on;	     /* enum severity, or -1: never */
	enum severity least; /* that is told */
	/* identifiers of --disable and --enable; those of the catalogue */
	const char *disabled[CLI_IDS_AT_MOST], *enabled[CLI_IDS_AT_MOST];
	int disables, enables;
};

/* What a command line asks for. */
struct cli_options {
	struct cli_common common;
	int level; /* -O */
	bool level_given;
	const char *kernel; /* --kernel; NULL: not given */
	const char *lsm;    /* --lsm; NULL: not given, like auto */
	const char *profile; /* --profile; NULL: the default one */
	const char *calibration; /* --calibration; NULL: none */
	bool force;		 /* calibrate: --force */
	bool from_kernel;	 /* --from-kernel; diff: as the old rules */
	enum cli_abi abi;
	bool verbatim;
	bool no_comments;
	enum report_format report_format;
	const char *report; /* NULL: standard error; "none", "-" or a file */
	const char *call[CLI_FACTS_AT_MOST]; /* explain: -S, as given */
	int calls;
	const char *fact[CLI_FACTS_AT_MOST]; /* explain: -F */
	int facts;
	struct cli_check_options check;
	char **operand;	    /* the files; at least one after cli_parse(),
			     * unless from_kernel */
	int operands;
};

/* Everything that reading the input gives. */
struct cli_input {
	struct arena *arena;
	struct input input;
	struct commands commands;
	struct actions actions;
	struct loaded loaded;
	struct diagnostics *diagnostics;
};

/* Reads the options of COMMAND. Returns -1 to go on, else the exit status:
 * help or the version was printed, or the usage was wrong and that was told. */
int cli_parse(struct cli_options *options, enum cli_command command, int argc,
	      char **argv);

/* One line saying what is wrong with the usage, and where help is. Returns
 * STATUS_USAGE. */
int cli_usage_error(enum cli_command command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* What the options, or this machine where the rules are for one like it, say
 * about where the rules will be (assume.c). */
struct assumptions {
	bool kernel_unknown;
	uint32_t unlogged;	     /* as in struct pass_context */
	const struct target *target; /* without an ABI that does not count */
	uint32_t foreign;	     /* that ABI; 0 */
	const char *text;	     /* what must hold, for the head: lines with
				      * a newline at the end of each; "" */
};

/* Says in notes what was found out and not asked for, if NOTES. Lives in
 * ARENA. */
struct assumptions cli_assume(struct arena *arena,
			      const struct cli_options *options, bool notes);

/* Are the operands of OPTIONS such as COMMAND can read, and --in-place replace?
 * Sets where --in-place writes. Returns -1 if so, else STATUS_USAGE, told. */
int cli_check_operands(struct cli_options *options, enum cli_command command);

/* May OPTIONS write where they want to? Not over an input (but for -o over the
 * only one), nor two things to one file. Returns -1 if so, else STATUS_USAGE,
 * told. */
int cli_check_targets(const struct cli_options *options,
		      enum cli_command command);

/* The options of COMMAND, a line or two each, and in the form that completion
 * reads (options.c); its whole help, the lists that are topics of it, the version
 * (help.c). All to standard output; the exit status. */
void cli_print_options(enum cli_command command);
void cli_list_options(enum cli_command command);
int cli_help(enum cli_command command, const char *topic);
int cli_version(void);
/* What the catalogue of check says of the finding ID, or "list"; the exit
 * status (check.c). */
int cli_explain_finding(const char *id);

/* Reads, parses, compiles and loads the COUNT FILES, or with none what the
 * running kernel holds, as COMMON asks; prints the diagnostics to standard
 * error. Returns STATUS_GOOD, or STATUS_INPUT if there are errors and keep-going
 * does not hold for them. */
enum exit_status cli_load(struct cli_input *in, const struct cli_common *common,
			  char *const *files, int count);

/* The same without a word: what is to be told is in IN->diagnostics, and IN is
 * complete if there is nothing of DIAG_FATAL among it. */
void cli_read(struct cli_input *in, const struct cli_common *common,
	      char *const *files, int count);

/* Shall what goes to descriptor FD be coloured? */
bool cli_want_colour(const struct cli_common *common, int fd);

/* The profile of OPTIONS for TARGET, in ARENA; what is wrong with it is told.
 * NULL: it cannot be used, and why was told (profile.c). */
const struct profile *cli_profile(struct arena *arena,
				  const struct cli_options *options,
				  const struct target *target);

/* The file of --calibration, in ARENA, or NULL in *CALIBRATION where there is
 * none; a warning if it is of another kernel than that at hand. False: it cannot
 * be used for TARGET, and why was told (calibration.c). */
struct calibration;
bool cli_calibration(struct arena *arena, const struct cli_options *options,
		     const struct target *target,
		     const struct calibration **calibration);

/* Reads TEXT, which is about to be written, as auditctl of the oldest and of
 * the newest known behaviour would, and compares what the kernel would then
 * hold with SET and CONTROLS, rule by rule (recheck.c). Returns NULL if all is
 * as it should be, else what is not; in ARENA. */
const char *recheck(struct arena *arena, const char *text, size_t size,
		    const struct ruleset *set, const struct controls *controls,
		    const struct compile_options *options);

/* The same for texts that were kept (verbatim.h): under another auditctl than
 * that of OPTIONS it must give what that one makes of the input, if that one
 * takes these texts at all. */
struct verbatim;
const char *recheck_verbatim(struct arena *arena, const char *text, size_t size,
			     const struct ruleset *set,
			     const struct controls *controls,
			     const struct compile_options *options,
			     const struct verbatim *verbatim);

#endif
