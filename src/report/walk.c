/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/walk.h"

#include "model/kernel.h"

/* A walk that is being watched. */
struct watching {
	const struct ruleset *set;
	struct priced_call call;
	struct report_walk *walk;
};

static void see_rule(void *data, size_t position, bool in_mask, bool overridden,
		     unsigned int fields, const struct field_test *failed,
		     int name)
{
	struct watching *w = data;
	struct report_walk *walk = w->walk;
	bool matches = in_mask && !failed && !overridden;
	int price = price_of_rule(&w->call, w->set->rule[position], in_mask,
				  matches, fields);

	if (name >= 0)
		return;
	if (!in_mask) {
		walk->passed++;
		walk->passed_all++;
		walk->passing += price;
		return;
	}
	walk->step[walk->steps++] =
		(struct walk_step){position, walk->passed, failed, price};
	walk->passed = 0;
	walk->entering += price;
	walk->matched = matches;
}

struct report_walk report_walk_of(struct arena *arena,
				  const struct report *report,
				  const struct report_row *row, bool after,
				  enum identity who)
{
	const struct ruleset *set = after ? report->after : report->before;
	const struct call_cost *cost =
		after ? &row->after[who] : &row->before[who];
	struct report_walk walk = {
		.event = cost_event_on(
			set->target, row->abi,
			after ? row->typical_after : row->typical_before, who),
		.fixed = cost->fixed,
		.total = cost->instructions};
	struct watching watching = {.set = set, .walk = &walk};
	const struct walk_observer observer = {see_rule, &watching};

	if (ruleset_counted(set) == 0 || ruleset_task_never(set))
		return walk;
	watching.call =
		priced_call_of(report->prices, set->target, &walk.event);
	walk.step = arena_array(arena, set->count, sizeof(*walk.step));
	kernel_syscall_exit(set, &walk.event, &observer);
	if (!walk.matched && walk.steps + walk.passed_all)
		walk.list_end = watching.call.prices->list_ended;
	walk.buckets = walk.total - walk.fixed - walk.passing - walk.entering -
		       walk.list_end;
	return walk;
}

bool report_walk_same(const struct report_walk *a, const struct report_walk *b)
{
	if (a->steps != b->steps || a->passed != b->passed ||
	    a->total != b->total)
		return false;
	for (size_t i = 0; i < a->steps; i++)
		if (a->step[i].rule != b->step[i].rule ||
		    a->step[i].failed != b->step[i].failed ||
		    a->step[i].passed != b->step[i].passed)
			return false;
	return true;
}
