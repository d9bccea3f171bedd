/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Commands: what the grammar makes of a line, before any name is looked up:
 * the options in the order in which getopt_long hands them to auditctl, each
 * with its exact place.
 */
#ifndef AUDITOPT_COMMAND_H
#define AUDITOPT_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "frontend/behaviour.h"
#include "frontend/diagnostic.h"
#include "frontend/source.h"
#include "util/arena.h"

/* Long options have codes above any character (auditctl's long_opts). */
enum long_option {
	OPT_LOGINUID_IMMUTABLE = 256,
	OPT_BACKLOG_WAIT_TIME,
	OPT_RESET_LOST,
	OPT_RESET_BACKLOG_WAIT_TIME_ACTUAL,
	OPT_SIGNAL,
	OPT_HELP,	/* --help, known since audit 4.1.1; auditctl does as for -h */
	OPT_INVALID,	/* what getopt answers with '?': unknown, ambiguous, no
			 * argument, argument not allowed; `why` says which */
	OPT_PARAMETER,	/* a word that is no option ("parameter passed without an
			 * option given"), getopt moves it behind the others */
};

struct option_word {
	int option;	   /* 'a', 'F', ... or enum long_option */
	const char *value; /* NUL-terminated, escapes undone as auditctl undoes
			    * them; NULL if the option takes none */
	struct position at;	  /* the option itself */
	struct position value_at; /* its value; same as at if it has none */
	/* For OPT_INVALID and OPT_PARAMETER: the diagnostic's id ("tab",
	 * "missing-value" ...), one sentence, and what to do (may be NULL).
	 * For other options: the same of a value that can hardly be meant so
	 * ("quote", "option-as-value"), else NULL: a warning, unless something
	 * is wrong that it explains. */
	const char *id, *why, *advice;
	unsigned int words_after; /* argv words behind this option and its value:
				   * count - optind when getopt returned it; with
				   * in_cluster its own word is one of them */
	bool in_cluster;	  /* more letters follow in the same word, so optind
				   * has not moved yet */
};

struct command {
	uint32_t line;	/* line id */
	struct option_word *option;
	size_t options;
	unsigned int words; /* argc as auditctl counts it, program name included */
	/* argv in the order of the line: word[0] is "auditctl", word[words] is
	 * NULL. vars[optind] in the handler of an option is
	 * word[words - words_after]: getopt only reorders words before it. At the
	 * end of the line optind is words less the number of parameters. */
	const char *const *word;
};

struct commands {
	struct command *item;
	size_t count;
};

/* Scans and parses all lines of INPUT (grammar/scanner.l, grammar/parser.y):
 * comments and blank lines give no command; "--" alone gives one without
 * options. DIAG is told what auditctl takes without a word and the admin can
 * hardly mean: words past the limit of auditctl's word table (audit below 4.2
 * drops words beyond a third of the line's length; 4.2 has room for all), cut
 * lines, NUL bytes, CR in values. What getopt or the grammar
 * refuses is OPT_INVALID or OPT_PARAMETER, for the compile stage to report when
 * auditctl would come to it. Results live in ARENA. */
struct commands parse_input(struct arena *arena, const struct input *input,
			    unsigned int auditctl_version,
			    struct diagnostics *diag);

/* The place of LENGTH bytes at OFFSET of W's value in the line that it came
 * from, escapes accounted for; the whole value if that is out of range. */
struct position option_value_part(const struct input *input,
				  const struct option_word *w, size_t offset,
				  size_t length);

#endif
