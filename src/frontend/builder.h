/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of auditctl while it works through the options of one line, and
 * the rule that it has built so far. Shared by the files that compile is made
 * of; nobody else needs it.
 */
#ifndef AUDITOPT_BUILDER_H
#define AUDITOPT_BUILDER_H

#include <linux/audit.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "frontend/behaviour.h"
#include "frontend/compile.h"
#include "frontend/diagnostic.h"
#include "frontend/lookup.h"
#include "model/syscall_set.h"

/* What setopt() has to say about a line (its retval). */
enum line_status {
	LINE_DEPRECATED = -3, /* skipped without an error */
	LINE_DONE = -2,	      /* good, nothing more to send */
	LINE_ERROR = -1,
	LINE_REPLY = 0, /* no rule was asked for */
	LINE_RULE = 1,	/* the rule is to be sent */
};

/* No list given: libaudit's AUDIT_FILTER_UNSET. */
#define FILTER_UNSET 0x80U
#define FILTER_MASK 7U
/* What audit_name_to_flag() says of an unknown list. */
#define FILTER_UNKNOWN UINT32_MAX

/* One call of -S that no table knows. */
struct unknown_call {
	const char *name, *why;
	struct unknown_call *next;
};

struct builder {
	/* Of the whole run. */
	struct arena *arena;
	const struct compile_options *options;
	const struct input *input;
	struct diagnostics *diag;
	struct lookup *lookup;
	struct actions *actions;
	size_t actions_room;
	bool ignoring; /* -i or -c was met: auditctl goes on after errors */
	/* What the newest kernel lets through perm=N, made when first needed.
	 */
	struct syscall_mask *perm_calls[ABI_COUNT][16];
	/* The one diagnostic for the blank lines of a CRLF file. */
	struct blank_lines {
		struct diagnostic *told;
		const char *what;
		size_t file, lines;
	} blank;
	/* The one diagnostic for what perm behind arch loses, and how often. */
	struct lost_calls {
		struct diagnostic *told;
		const char *what;
		unsigned int rules;
	} lost[ABI_COUNT][16];

	/* Of the line. */
	const struct command *command;
	size_t at; /* index of the option at work */
	enum line_status status;
	bool finished; /* setopt() returns at once */
	bool failed; /* something was told that auditctl refuses the line for */
	const char *why; /* what was told first */
	/* Which options' own remarks (option_word.id) have been told, and
	 * whether what follows from them is not to be told. */
	bool *told_remark;
	bool muted;
	/* An unknown list that only the kernel refuses, when the rule is sent:
	 * it is told at once, what follows from it not. */
	struct diagnostic *bad_list;
	struct diagnostic *remark; /* the last one told of a value */
	unsigned int argc; /* setopt()'s count, which -D, -l and -s lower */
	bool list_requested;
	unsigned int lists_given; /* -a, -A, -d so far */

	/* Of the rule. The filters hold AUDIT_FILTER_PREPEND for -A. */
	uint32_t add, del;
	uint32_t action;
	bool action_set;
	bool exclude;
	bool watch_form;
	bool unsettled;
	struct audit_rule_data
		*rule; /* with room for the strings of any line */
	struct position field_at[AUDIT_MAX_FIELDS]; /* of rule's fields */
	size_t room;   /* bytes in rule->buf */
	uint32_t elf;  /* of -F arch=, or assumed by -S without one; 0: none */
	bool syscall_added, perm_added, exe_added, fs_added;
	char key[AUDIT_MAX_KEY_LEN + 1];
	const struct option_word *key_word; /* the first that gave a key */
	const struct option_word *list_word;
	const struct option_word *call_word; /* the first -S */
	bool elf_assumed;		     /* by -S: no arch was given */
	struct unknown_call *unknown, **unknown_end;

	/* For the warning about perm's calls: what -S alone asked for, and the
	 * permissions that were given behind an arch. */
	struct syscall_mask called;
	const struct option_word *perm_word;
	uint32_t perm_adding;
};

/* Begins a line. */
void builder_begin(struct builder *b, const struct command *command);

/* Tells an error for which auditctl refuses the line. The returned diagnostic
 * can be completed. */
struct diagnostic *builder_fault(struct builder *b, const char *id,
				 struct position at, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* The same, but the rule can go on without what is wrong. */
struct diagnostic *builder_fault_part(struct builder *b, const char *id,
				      struct position at, const char *format,
				      ...)
	__attribute__((format(printf, 4, 5)));
/* Tells the remark on the value of option I, as what auditctl refuses the line
 * for or as a warning, unless that has been done. */
void builder_tell_remark(struct builder *b, size_t i, enum severity severity);
/* Has the remark on option I been told? From now on it counts as told. */
bool builder_remark_told(struct builder *b, size_t i);
/* Tells something that auditctl accepts. */
struct diagnostic *builder_warn(struct builder *b, const char *id,
				struct position at, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* vars[optind] as setopt() has it when it handles WORD: the word that stands
 * behind it; NULL at the end of the line. */
const char *builder_next_word(const struct builder *b,
			      const struct option_word *word);

/* optind as it is after WORD. */
unsigned int builder_optind(const struct builder *b,
			    const struct option_word *word);

/* The filter that fields are checked against (setopt()'s flags). */
uint32_t builder_filter(const struct builder *b);
/* The name of that list: "exit". */
const char *builder_filter_name(uint32_t filter);

/* Where the list of the rule is named. */
struct position builder_list_at(const struct builder *b);

/* Appends an action of the option WORD. */
struct audit_action *builder_act(struct builder *b, enum action_kind kind,
				 const struct option_word *word);

bool builder_behaves(const struct builder *b, enum behaviour behaviour);

/* "did you mean X?", or NULL for NULL. */
const char *builder_suggest(struct builder *b, const char *name);

/* Options that make a rule, and all others: false if OPTION is none of theirs.
 */
bool rule_option(struct builder *b, const struct option_word *word);
bool control_option(struct builder *b, const struct option_word *word);

#endif
