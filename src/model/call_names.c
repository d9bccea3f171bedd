/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which calls have a reason to collect none is in call_facts.c. What else runs
 * while a call does, and collects nothing for it:
 * - Delayed work of the task (the last fput of a file), signals, core dumps and
 *   stops for a tracer come after audit_syscall_exit() or before
 *   audit_syscall_entry() (kernel/entry/common.c), when the context takes no
 *   names (AUDIT_CTX_UNUSED). So do io_uring operations that are run there.
 * - Programs that the kernel starts for itself (modprobe, request-key) are
 *   other tasks.
 * - Interrupts cannot look paths up.
 * - A fault on the caller's memory reads from a file system, or asks a driver
 *   for a page; no fault method of either looks a path up. No more do clocks of
 *   drivers (clock_gettime of a PTP device).
 */
#include "model/call_names.h"

#include "model/audit_names.h"
#include "model/call_facts.h"
#include "model/compare.h"

/* Worked out once for a target, as in perm.c. */
static const struct syscall_set *nameless_of(const struct target *target)
{
	static struct {
		bool filled;
		struct syscall_set set;
	} memo[TARGET_COUNT];
	const struct call_fact *fact;

	if (!memo[target->index].filled)
		for (size_t i = 0; (fact = call_fact_at(i)); i++)
			if (fact->work->no_names)
				call_fact_add(fact, target,
					      &memo[target->index].set);
	memo[target->index].filled = true;
	return &memo[target->index].set;
}

bool call_can_collect_names(const struct target *target, enum abi abi,
			    int number, const char **why)
{
	if (!syscall_set_has(nameless_of(target), abi, number))
		return true;
	if (why)
		*why = call_fact_of(target, abi, number)->work->no_names;
	return false;
}

struct syscall_set calls_never_collect_names(const struct target *target)
{
	return *nameless_of(target);
}

bool test_needs_name(const struct field_test *test)
{
	switch (test->field->kind) {
	case FIELD_NAME:
		return true;
	case FIELD_FILETYPE:
	case FIELD_DIR:
	case FIELD_PATH:
		return test->op == OP_EQ;
	case FIELD_COMPARE:
		return comparison_needs_name(test->value);
	default:
		return false;
	}
}
