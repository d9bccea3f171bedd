/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Load: does to empty lists what the actions ask for, in their order, as the
 * kernel would, and says what it holds at the end.
 */
#ifndef AUDITOPT_LOAD_H
#define AUDITOPT_LOAD_H

#include "frontend/compile.h"
#include "model/rule.h"

/* Commands that are not rules, as the output needs them: what is in force at
 * the end, and the line that asked for it. */
struct controls {
	/* NULL: never asked for. For those that may stand at several lines the
	 * last one counts. */
	const struct audit_action *delete_all; /* the last -D without a key:
						* what was there before is gone */
	const struct audit_action *enable, *failure, *rate, *backlog,
		*backlog_wait_time, *loginuid_immutable, *ignore, *keep_going;
	/* Those that do something at the moment (-q, -t, -m, --signal,
	 * --reset-lost ...), in order, each with the number of rules added
	 * before it. */
	const struct audit_action **moment;
	unsigned int
		*moment_epoch; /* rule.epoch from which on rules come later */
	size_t moments;
};

struct loaded {
	struct ruleset *set;
	struct controls controls;
	/* What is not in the set although a line asked for it: what was left out
	 * of ACTIONS, and what the kernel refuses. Ascending lines. */
	const struct left_out *left;
	size_t lefts;
};

/* Loads ACTIONS. A rule that is already there (EEXIST) is a warning with both
 * places and is held once; a rule that the kernel refuses (EINVAL), a change
 * after -e 2 and a -d or -W without such a rule (ENOENT) are errors; lines that
 * auditctl would never reach because it stops at an error before them are told
 * once, with that place. Rules with paths whose parent directory (or tree) does
 * not exist under root are told in one warning (ENOENT at load). Results live
 * in ARENA. */
struct loaded load_actions(struct arena *arena, const struct actions *actions,
			   const struct compile_options *options,
			   struct diagnostics *diag);

#endif
