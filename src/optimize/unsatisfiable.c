/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rules that no call can match are dropped.
 *
 * Why that changes nothing: audit_filter_rules() touches neither prio, key nor
 * state before all of a rule's fields hold. A rule whose mask and arch let no
 * call through never gets there, with one exception: audit_filter_inode_name()
 * in an io_uring context asks for call 0 of arch 0 (fact.uring).
 *
 * A watch that is not settled may have other fields on the machine that loads
 * it; it goes only if it has no calls.
 */
#include "optimize/facts.h"

static const char *reason(const struct facts *facts, size_t i)
{
	const struct fact *fact = &facts->item[i];

	if (fact->role != ROLE_UNSETTLED &&
	    predicate_unsatisfiable(fact->predicate))
		return "dropped: no call can satisfy all of its conditions";
	if (syscall_set_empty(fact->calls) && !fact->uring)
		return "dropped: it has no call that its arch, its perm and "
		       "its file let through";
	return NULL;
}

static void run(struct ruleset *set, struct pass_context *context)
{
	struct facts *facts = facts_begin(set, context);

	for (size_t i = 0; i < set->count; i++) {
		struct change change = {.pass = pass_unsatisfiable.name};

		if (!facts_may_touch(facts, i))
			continue;
		change.text = reason(facts, i);
		if (change.text)
			facts_drop(facts, i, i, change);
	}
	facts_end(facts);
}

const struct pass pass_unsatisfiable = {
	.name = "unsatisfiable",
	.purpose = "drops rules that no call can match",
	.level = 1,
	.keeps_text = true,
	.run = run,
};
