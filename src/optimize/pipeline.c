/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "optimize/pipeline.h"

#include <libaudit.h>

/* Cheap ones first: what they drop, the others need not look at. */
static const struct pass *const passes[] = {
	&pass_duplicates,    &pass_unsatisfiable, &pass_shadowed,
	&pass_useless_never, &pass_merge,
};

const struct pass *pipeline_pass(unsigned int i)
{
	return i < sizeof(passes) / sizeof(passes[0]) ? passes[i] : NULL;
}

bool ruleset_task_never(const struct ruleset *set)
{
	for (size_t i = 0; i < set->count; i++) {
		const struct rule *rule = set->rule[i];

		if (rule->filter == AUDIT_FILTER_TASK && rule->tests == 0)
			return rule->action == AUDIT_NEVER;
	}
	return false;
}

static void run_round(struct ruleset *set, struct pass_context *context)
{
	const struct pass *pass;

	for (unsigned int i = 0; (pass = pipeline_pass(i)); i++)
		if (pass->level <= context->level)
			pass->run(set, context);
}

/* Ends by itself: every change makes the rules fewer, or their masks smaller
 * and the rules no more. */
void pipeline_run(struct arena *arena, struct ruleset *set, int level,
		  struct change_log *log)
{
	struct pass_context context = {arena, level, log};
	size_t before;

	if (ruleset_task_never(set))
		return;
	do {
		before = log->count;
		run_round(set, &context);
	} while (log->count != before);
}
