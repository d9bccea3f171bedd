/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "optimize/terminator_bill.h"

#include <libaudit.h>

#include "model/call_class.h"
#include "model/price.h"

struct making {
	struct arena *scratch;
	struct bills *bills;
	struct exit_list list;
	struct list_step *step; /* room */
};

static void fill_in(const struct making *m, const struct list_walk *walk,
		    struct bill *bill)
{
	bill->all = walk->price;
	bill->before =
		arena_array(m->scratch, m->bills->places + 1, sizeof(int64_t));
	for (size_t i = 0; i < m->bills->places; i++) {
		size_t at = m->bills->place[i].inserted, entered = 0;

		while (entered < walk->steps &&
		       walk->step[entered].position < at)
			entered++;
		bill->before[i] = entered < walk->steps
					  ? walk->step[entered].paid
					  : walk->paid;
		bill->before[i] += exit_list_passed(&m->list, at, entered);
		if (walk->matched && at >= walk->end)
			bill->before[i] = -1;
	}
}

static struct bill *find_bill(const struct bills *bills, size_t class, int abi,
			      unsigned int kind)
{
	return &bills->bill[(class * ABI_COUNT + (size_t)abi) * KINDS_AT_MOST +
			    kind];
}

const struct bill *bill_of(const struct bills *bills, size_t class, int abi,
			   unsigned int kind)
{
	return find_bill(bills, class, abi, kind);
}

static void walk_as(const struct making *m, size_t class, int abi, int number)
{
	const struct profile_kind *kind;

	for (unsigned int k = 0; (kind = profile_kind(k)); k++) {
		struct event event = profile_event(m->bills->set->target,
						   (enum abi)abi, number, kind);
		struct list_walk walk =
			exit_list_walk(&m->list, &event, m->step);

		fill_in(m, &walk, find_bill(m->bills, class, abi, k));
	}
}

/* The call of CLASS that is made most; -1: none is made. */
static int typical_call(const struct making *m, const struct call_class *class,
			int abi)
{
	const unsigned int *weight = m->bills->profile->weight[abi];
	const struct syscall_mask *mask = &class->calls.abi[abi];
	int typical = -1;

	for (int n = syscall_mask_next(mask, 0); n >= 0;
	     n = syscall_mask_next(mask, n + 1))
		if (weight[n] && (typical < 0 || weight[n] > weight[typical]))
			typical = n;
	return typical;
}

static void bill_class(struct making *m, const struct call_class *class,
		       size_t index)
{
	exit_list_enter(&m->list, class);
	for (int abi = 0; abi < ABI_COUNT; abi++) {
		const struct syscall_mask *mask = &class->calls.abi[abi];
		int number = typical_call(m, class, abi);

		for (int n = syscall_mask_next(mask, 0); n >= 0;
		     n = syscall_mask_next(mask, n + 1))
			m->bills->class_of[abi][n] = index;
		if (number >= 0)
			walk_as(m, index, abi, number);
	}
}

void bills_make(struct arena *scratch, struct bills *bills)
{
	const struct ruleset *set = bills->set;
	struct call_classes classes =
		call_classes_of(scratch, set, AUDIT_FILTER_EXIT);
	struct making m = {.scratch = scratch,
			   .bills = bills,
			   .list = exit_list_of(scratch, set)};

	m.step = arena_array(scratch, set->count + 1, sizeof(*m.step));
	for (int abi = 0; abi < ABI_COUNT; abi++)
		bills->class_of[abi] =
			arena_array(scratch, SYSCALL_MASK_BITS, sizeof(size_t));
	bills->classes = classes.count;
	bills->bill =
		arena_array(scratch, classes.count * ABI_COUNT * KINDS_AT_MOST,
			    sizeof(*bills->bill));
	for (size_t i = 0; i < classes.count; i++)
		bill_class(&m, &classes.item[i], i);
}
