/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A terminator has each call that gained by it when it was chosen. One that was
 * chosen later may end some of them for less: without a condition, say, where the
 * first one asks for auid. Such a call had better walk past the first one, and so
 * had those of its number that the first one does not match.
 *
 * Why that changes nothing: a terminator may have any of the calls that it is
 * allowed, and none must have one.
 */
#include "optimize/terminator_parts.h"

static size_t position_of(const struct bills *bills, const struct rule *rule)
{
	size_t at = 0;

	while (bills->set->rule[at] != rule)
		at++;
	return at;
}

static int64_t trim(const struct choice *choice, struct terminator *t)
{
	size_t at = position_of(choice->bills, t->rule);
	const int64_t *saved = bills_saved_without(choice->bills, at);
	struct syscall_mask out = {{0}};
	int64_t sum = 0;

	for (int n = syscall_mask_next(&t->calls, 0);
	     n >= 0 && n < SYSCALL_MASK_CALLS;
	     n = syscall_mask_next(&t->calls, n + 1)) {
		if (saved[n] <= 0)
			continue;
		syscall_mask_add(&out, n);
		sum += saved[n];
	}
	if (sum > 0)
		bills_take_out(choice->bills, at, &out);
	t->calls = t->rule->mask;
	return 100 * sum;
}

/* The bills are of calls that have none of the flags that some ask for, and what
 * has copies has them for its calls. */
static bool may_trim(const struct terminator *t)
{
	return !t->early && condition_flags(t->condition) == DEMANDS;
}

int64_t choice_trim(struct choice *choice, struct terminator *chosen,
		    size_t count)
{
	int64_t saved = 0;

	for (size_t i = 0; i < count; i++)
		if (may_trim(&chosen[i]))
			saved += trim(choice, &chosen[i]);
	return saved;
}
