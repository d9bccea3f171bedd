/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "optimize/pipeline.h"

#include <libaudit.h>

#include "optimize/facts.h"
#include "optimize/terminators.h"
#include "util/progress.h"

/* Cheap ones first: what they drop, the others need not look at. */
static const struct pass *const passes[] = {
	&pass_foreign_abi, &pass_duplicates,	&pass_unsatisfiable,
	&pass_shadowed,	   &pass_useless_never, &pass_narrow,
	&pass_merge,	   &pass_twins,		&pass_implied,
	&pass_fuse,	   &pass_field_order,	&pass_order,
	&pass_terminators,
};

const struct pass *pipeline_pass(unsigned int i)
{
	return i < sizeof(passes) / sizeof(passes[0]) ? passes[i] : NULL;
}

/* Order comes last, when the others have nothing left to do: it is dear. */
static bool has_turn(const struct pass *pass,
		     const struct pass_context *context, bool changed)
{
	return pass->level <= context->level && pass != &pass_terminators &&
	       (pass->keeps_text || !context->verbatim) &&
	       (pass != &pass_order || !changed);
}

static void run_round(struct ruleset *set, struct pass_context *context)
{
	const struct pass *pass;
	size_t before = context->log->count;

	for (unsigned int i = 0; (pass = pipeline_pass(i)); i++) {
		progress_step(context->progress, "optimising, pass", i + 1,
			      sizeof(passes) / sizeof(passes[0]));
		if (has_turn(pass, context, context->log->count != before))
			pass->run(set, context);
	}
}

/* Ends by itself: every change makes the rules fewer, or the rules no more and
 * their masks smaller or their conditions fewer, or puts conditions into the one
 * order that they have; terminators are put in afterwards. */
static void run_once(struct ruleset *set, struct pass_context *context)
{
	struct taken_rule *taken = NULL;
	bool terminate = pass_terminators.level <= context->level;
	bool changed;

	if (terminate)
		terminators_take_out(set, context, &taken);
	do {
		size_t before = context->log->count;

		run_round(set, context);
		changed = context->log->count != before;
		if (terminate)
			changed |= terminators_take_out(set, context, &taken);
	} while (changed);
	if (terminate)
		terminators_put_in(set, context, taken);
}

static bool same_rules(const struct ruleset *a, const struct ruleset *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (a->rule[i]->epoch != b->rule[i]->epoch ||
		    !rule_same_to_kernel(a->rule[i], b->rule[i]))
			return false;
	return true;
}

/* A terminator and the copies that stand in front of it are not always taken out
 * again where they were put in: what was chosen after them may be in the way.
 * So what comes out is put in again, until nothing changes. Mostly it is the
 * same at once. */
#define RUNS_AT_MOST 6

static void run_until_same(struct arena *arena, struct ruleset *set,
			   struct pass_context *context, int at_most)
{
	for (int runs = 0; runs < at_most; runs++) {
		struct ruleset *before = ruleset_copy(arena, set);
		size_t logged = context->log->count;

		run_once(set, context);
		if (same_rules(before, set)) {
			context->log->count = logged; /* it was undone */
			return;
		}
	}
}

void pipeline_run_as(struct arena *arena, struct ruleset *set,
		     const struct pipeline_options *options,
		     struct change_log *log)
{
	struct facts *known = NULL;
	struct pass_context context = {.arena = arena,
				       .level = options->level,
				       .log = log,
				       .profile = options->profile,
				       .kernel_unknown =
					       options->kernel_unknown,
				       .verbatim = options->verbatim,
				       .cautious = options->cautious,
				       .unlogged = options->unlogged,
				       .foreign = options->foreign,
				       .progress = options->progress,
				       .known = &known};

	if (!ruleset_task_never(set))
		run_until_same(arena, set, &context,
			       options->estimate ? 1 : RUNS_AT_MOST);
	facts_free(known);
}

void pipeline_run(struct arena *arena, struct ruleset *set, int level,
		  struct change_log *log)
{
	pipeline_run_as(arena, set, &(struct pipeline_options){.level = level},
			log);
}
