/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compile: what auditctl (setopt, handle_request) and libaudit
 * (audit_rule_fieldpair_data, ...) make of a command: the exact struct
 * audit_rule_data that would be sent, or a control command. Names become
 * numbers through libaudit's public tables.
 */
#ifndef AUDITOPT_COMPILE_H
#define AUDITOPT_COMPILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "frontend/command.h"
#include "model/abi.h"
#include "model/rule.h"

struct audit_rule_data;

struct compile_options {
	const struct target *target;
	unsigned int auditctl_version; /* AUDITCTL_VERSION() */
	const char *root; /* where users, groups and watched paths are looked
			   * up: "" for this system */
	bool keep_going;  /* from the first line on (--keep-going) */
	struct progress *progress; /* of loading (util/progress.h); NULL: not
				    * told */
};

enum action_kind {
	DO_ADD_RULE,	/* -a, -A, -w */
	DO_DELETE_RULE, /* -d, -W */
	DO_DELETE_ALL, /* -D, with key: only rules with it (delete_all_rules) */
	DO_ENABLE,     /* -e: number */
	DO_FAILURE,    /* -f */
	DO_RATE,       /* -r */
	DO_BACKLOG,    /* -b */
	DO_BACKLOG_WAIT_TIME,
	DO_LOGINUID_IMMUTABLE,
	DO_RESET_LOST,
	DO_RESET_BACKLOG_WAIT_TIME_ACTUAL,
	DO_CONTINUE,   /* -c */
	DO_IGNORE,     /* -i */
	DO_EQUIVALENT, /* -q mount,subtree */
	DO_TRIM,       /* -t */
	DO_MESSAGE,    /* -m */
	DO_SIGNAL,     /* --signal */
	DO_SHOW,       /* -s, -l, -v, -h: prints, changes nothing */
};

struct audit_action {
	enum action_kind kind;
	uint32_t line;	    /* line id */
	struct position at; /* the option that asks for it */
	struct audit_rule_data
		*wire;	  /* DO_ADD_RULE, DO_DELETE_RULE; flags hold the
			   * filter, with AUDIT_FILTER_PREPEND for -A */
	size_t wire_size; /* bytes, strings included */
	const struct position
		*field_at; /* where each field of wire was asked for */
	bool watch_form;  /* -w or -W */
	bool by_number;	  /* the first -S has numbers alone */
	bool held;	  /* the kernel lists it: it took it, be it there twice */
	bool unsettled;	  /* a watch that could not be looked up under root */
	uint32_t number;  /* of DO_ENABLE ... */
	const char *text; /* of DO_EQUIVALENT ... ; the key of DO_DELETE_ALL */
};

struct actions {
	struct audit_action
		*item; /* in the order in which auditctl does them */
	size_t count;
	bool keep_going;       /* -i or -c was met, or asked for */
	struct left_out *left; /* faulty lines or parts of them, ascending */
	size_t lefts;
};

/* What --keep-going left out, so that the output can say so: one entry a line,
 * and one for all blank lines of a file that end in CR. */
struct left_out {
	uint32_t line;
	const char
		*text; /* NULL: the whole line; or the parts: "umount, stime" */
	const char *why; /* one phrase */
};

/* Compiles all commands. Every fault is told in DIAG with its place; where
 * keep-going holds (options, or -i/-c on an earlier line) it is still told, as
 * an error, but the good part of a rule whose only fault is unknown calls is
 * kept, and `left` says what is not. Without keep-going the same is compiled:
 * the caller stops because DIAG has errors. Results live in ARENA. */
struct actions compile_commands(struct arena *arena,
				const struct commands *commands,
				const struct input *input,
				const struct compile_options *options,
				struct diagnostics *diag);

#endif
