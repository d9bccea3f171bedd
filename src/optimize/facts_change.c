/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "optimize/facts_tables.h"

static bool is_counted(const struct facts *facts, size_t i)
{
	return facts->item[i].role != ROLE_OTHER ||
	       facts->set->rule[i]->filter == AUDIT_FILTER_TASK;
}

static bool companions_count(const struct facts *facts)
{
	return facts->context->level < 2;
}

static bool companions_need(const struct facts *facts, size_t i)
{
	const struct fact_tables *t = facts->tables;

	if (!companions_count(facts))
		return false;
	return (is_counted(facts, i) && t->counted == 1) ||
	       (facts->item[i].signals && t->signals == 1);
}

static bool tree_needed(const struct facts *facts, size_t i)
{
	return facts->item[i].has_dir &&
	       facts->set->rule[i]->epoch < facts->tables->tree_epoch;
}

static void take_out(struct facts *facts, size_t i)
{
	facts->item[i].gone = true;
	facts->tables->counted -= is_counted(facts, i);
	facts->tables->signals -= facts->item[i].signals;
}

bool facts_drop(struct facts *facts, size_t i, size_t keeper,
		struct change change)
{
	if (companions_need(facts, i) || (keeper == i && tree_needed(facts, i)))
		return false;
	change.what = facts->set->rule[i]->origin;
	change.rules_dropped = 1;
	change_log_add(facts->context, change);
	take_out(facts, i);
	return true;
}

static void set_mask(struct facts *facts, size_t i,
		     const struct syscall_mask *mask)
{
	struct rule *rule = facts->set->rule[i];

	if (syscall_mask_equal(&rule->mask, mask))
		return;
	rule->mask = *mask;
	/* -w is a rule over all calls. */
	rule->watch_form = false;
	facts->tables->signals -= facts->item[i].signals;
	facts_refresh_mask(facts, i);
	facts->tables->signals += facts->item[i].signals;
}

/* Would the set be without a rule in audit_signals if rule I had that mask? */
static bool signals_need(const struct facts *facts, size_t i,
			 const struct syscall_mask *mask)
{
	const struct fact *fact = &facts->item[i];
	struct rule narrowed = *facts->set->rule[i];

	narrowed.mask = *mask;
	return companions_count(facts) && fact->signals &&
	       facts->tables->signals == 1 &&
	       !facts_counts_as_signal(facts, &narrowed, fact->signal_arch);
}

bool facts_narrow(struct facts *facts, size_t i,
		  const struct syscall_set *needed, struct change change)
{
	struct rule *rule = facts->set->rule[i];
	unsigned int before = syscall_mask_count(&rule->mask), after;
	struct syscall_mask mask = {0};

	for (int abi = 0; abi < ABI_COUNT; abi++)
		syscall_mask_unite(&mask, &needed->abi[abi]);
	syscall_mask_intersect(&mask, &rule->mask);
	after = syscall_mask_count(&mask);
	if (after == before || after > NARROW_TO_AT_MOST ||
	    signals_need(facts, i, &mask))
		return false;
	set_mask(facts, i, &mask);
	change.what = rule->origin;
	change.calls_dropped = before - after;
	change.text = arena_printf(
		facts->context->arena, "%u call%s taken out of its mask: %s",
		before - after, before - after > 1 ? "s" : "", change.text);
	change_log_add(facts->context, change);
	return true;
}

void facts_absorb(struct facts *facts, size_t i, size_t j, struct change change)
{
	struct rule *rule = facts->set->rule[i];
	const struct rule *gone = facts->set->rule[j];
	struct syscall_mask mask = rule->mask;

	change.what = gone->origin;
	change.because = rule->origin;
	change.rules_dropped = 1;
	change_log_add(facts->context, change);
	take_out(facts, j);
	syscall_mask_unite(&mask, &gone->mask);
	set_mask(facts, i, &mask);
	rule->origin =
		origin_unite(facts->set->arena, rule->origin, gone->origin);
}
