/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/proof.h"

#include <stdio.h>

#include "cli/event_text.h"

static bool try_level(struct arena *arena, const struct ruleset *before,
		      const struct pipeline_options *how, int level,
		      struct proved *proved)
{
	struct pipeline_options options = *how;
	struct verify_options verify = {
		.level = how->level,
		.kernel_unknown = how->kernel_unknown,
	};

	options.level = level;
	proved->level = level;
	proved->log = (struct change_log){NULL, 0, 0};
	proved->after = ruleset_copy(arena, before);
	if (level >= 0)
		pipeline_run_as(arena, proved->after, &options, &proved->log);
	proved->verification =
		verify_equivalent(arena, before, proved->after, &verify);
	proved->refuted = proved->verification.proof == PROOF_DIFFERENT;
	return proved->refuted || proved->verification.proof == PROOF_GOOD;
}

struct proved optimize_proved(struct arena *arena, const struct ruleset *before,
			      const struct pipeline_options *how)
{
	struct proved proved = {0};

	for (int level = how->level; level >= -1; level--) {
		bool good = try_level(arena, before, how, level, &proved);

		if (level == how->level)
			proved.first = proved.verification;
		if (good)
			break;
	}
	return proved;
}

const char *proof_text(struct arena *arena, const struct proved *proved)
{
	const struct verification *v = &proved->verification;

	if (v->proof != PROOF_GOOD)
		return "Left as it came.";
	return arena_printf(arena,
			    "Proved to mean the same at level %d: %zu classes "
			    "of calls, %zu nodes.",
			    v->level, v->count, v->nodes);
}

/* The first class that was not proved stands for them all. */
static void complain_of_classes(struct arena *arena,
				const struct target *target,
				const struct verification *v)
{
	for (size_t i = 0; i < v->count; i++) {
		const struct class_proof *item = &v->item[i];

		if (item->proof == PROOF_GOOD)
			continue;
		fprintf(stderr,
			"auditopt: warning: not proved for %zu of %zu classes "
			"of calls, among them %s: %s\n",
			v->count - v->proved, v->count,
			calls_text(arena, target, item->filter, &item->calls),
			item->why);
		return;
	}
}

void proof_complain(struct arena *arena, const struct proved *proved,
		    const struct ruleset *before, int level)
{
	const struct verification *v = &proved->verification;

	if (proved->refuted) {
		fprintf(stderr,
			"auditopt: refused, nothing was written: the result "
			"does not mean the same. Of a call like this\n");
		for (size_t i = 0; i < v->count; i++)
			if (v->item[i].proof == PROOF_DIFFERENT) {
				witness_print(stderr, arena, "  ",
					      v->item[i].witness, before,
					      proved->after);
				break;
			}
		fprintf(stderr, "This is a fault in auditopt, please report "
				"it with the input.\n");
		return;
	}
	if (proved->level == level)
		return;
	complain_of_classes(arena, before->target, &proved->first);
	if (proved->level < 0)
		fprintf(stderr,
			"auditopt: warning: what -O%d makes of the "
			"rules could not be proved to mean the same; "
			"they are written as they came\n",
			level);
	else
		fprintf(stderr,
			"auditopt: warning: what -O%d makes of the "
			"rules could not be proved to mean the same; "
			"they are written as -O%d makes them\n",
			level, proved->level);
}
