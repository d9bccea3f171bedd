/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "frontend/load_whole.h"

#include <linux/audit.h>

static struct diagnostic *warn(struct diagnostics *diag, const char *id,
			       struct position at, const char *what)
{
	const struct diagnostic d = {.severity = DIAG_WARNING,
				     .id = id,
				     .at = at,
				     .what = what,
				     .other = {.line = DIAG_NO_LINE}};

	return diagnostics_add(diag, &d);
}

static struct position first_line_of(const struct actions *actions,
				     const struct rule *rule)
{
	for (size_t i = 0; i < actions->count; i++)
		if (actions->item[i].kind == DO_ADD_RULE &&
		    actions->item[i].line == rule->origin.line[0])
			return actions->item[i].at;
	return (struct position){rule->origin.line[0], 1, 1};
}

/* The first task rule without a test decides for every task. */
static void warn_task_never(struct diagnostics *diag,
			    const struct actions *actions,
			    const struct ruleset *set)
{
	bool others = false;

	for (size_t i = 0; i < set->count; i++) {
		const struct rule *rule = set->rule[i];

		if (rule->filter != AUDIT_FILTER_TASK)
			continue;
		others |= rule->action != AUDIT_NEVER;
		if (rule->tests)
			continue;
		if (rule->action == AUDIT_NEVER)
			warn(diag, "task-never", first_line_of(actions, rule),
			     others ? "no new process is audited, unless a "
				      "task rule before this one says so"
				    : "no new process is audited at all: with "
				      "this rule all exit rules are without "
				      "effect")
				->advice = "remove the rule, unless system "
					   "calls are not to be audited";
		return;
	}
}

static void warn_prepend(struct diagnostics *diag,
			 const struct controls *controls,
			 const struct audit_action *prepended)
{
	struct diagnostic *d;

	if (!prepended || controls->delete_all)
		return;
	d = warn(diag, "prepend-without-delete-all", prepended->at,
		 "-A puts the rule in front of rules that the kernel holds "
		 "already; the result, which lists the rules in their final "
		 "order with -a, does not");
	d->advice = "begin the file with -D";
}

/* Rules, and audit is off: audit-stop.rules says so, which augenrules does not
 * read, but who gives all of /etc/audit does. */
static void warn_disabled(struct diagnostics *diag, const struct loaded *loaded)
{
	const struct audit_action *enable = loaded->controls.enable;
	struct diagnostic *d;

	if (!enable || enable->number != 0 || !loaded->set->count)
		return;
	d = warn(diag, "audit-off", enable->at,
		 "-e 0 turns auditing off: once it is loaded no rule logs "
		 "anything");
	d->advice = "leave the line out, or give /etc/audit/rules.d and not a "
		    "directory that holds audit-stop.rules too";
}

void load_warn_whole(struct diagnostics *diag, const struct actions *actions,
		     const struct loaded *loaded,
		     const struct audit_action *prepended)
{
	warn_task_never(diag, actions, loaded->set);
	warn_prepend(diag, &loaded->controls, prepended);
	warn_disabled(diag, loaded);
}
