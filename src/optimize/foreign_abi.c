/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rules that ask for an ABI that the kernel does not run are dropped, if the
 * user said so (--abi): the set's target is without that ABI then, and no call
 * of such a rule is left. unsatisfiable would drop them too; this pass says
 * why, and does so at every level. What other rules lose by it, that none of
 * their calls is of that ABI, the other passes see from the target.
 */
#include "optimize/facts.h"

static bool asks_for(const struct rule *rule, uint32_t arch)
{
	for (unsigned int i = 0; i < rule->tests; i++)
		if (rule->test[i].field->kind == FIELD_ARCH &&
		    rule->test[i].op == OP_EQ && rule->test[i].value == arch)
			return true;
	return false;
}

static void run(struct ruleset *set, struct pass_context *context)
{
	struct facts *facts;

	if (!context->foreign)
		return;
	facts = facts_begin(set, context);
	for (size_t i = 0; i < set->count; i++) {
		const struct change change = {
			.pass = pass_foreign_abi.name,
			.text = "dropped: it is for an ABI that the kernel "
				"does not run"};

		if (facts_may_touch(facts, i) &&
		    set->rule[i]->filter == AUDIT_FILTER_EXIT &&
		    asks_for(set->rule[i], context->foreign) &&
		    syscall_set_empty(facts->item[i].calls) &&
		    !facts->item[i].uring)
			facts_drop(facts, i, i, change);
	}
	facts_end(facts);
}

const struct pass pass_foreign_abi = {
	.name = "foreign_abi",
	.purpose = "drops rules for an ABI that the kernel does not run, if "
		   "--abi says so",
	.level = 0,
	.keeps_text = true,
	.run = run,
};
