/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A rule that is put in changes the bills of the classes that enter it, and of
 * those that it cuts in two, which are made anew. The others walk past it, if
 * they come there at all.
 */
#include "optimize/terminator_bill.h"

#include <libaudit.h>
#include <string.h>

#include "model/call_class.h"
#include "model/price.h"

struct making {
	struct bills *bills;
	struct exit_list list;
	struct list_step *step; /* room */
};

static void fill_in(const struct making *m, const struct list_walk *walk,
		    struct bill *bill)
{
	const struct bills *bills = m->bills;
	size_t entered = 0;

	bill->all = walk->price;
	if (!bill->before)
		bill->before = arena_array(bills->arena, bills->places + 1,
					   sizeof(*bill->before));
	for (size_t i = 0; i < bills->places; i++) {
		size_t place = bills->in_order[i];
		size_t at = bills->place[place].inserted;
		int64_t *before = &bill->before[place];

		while (entered < walk->steps &&
		       walk->step[entered].position < at)
			entered++;
		*before = entered < walk->steps ? walk->step[entered].paid
						: walk->paid;
		*before += exit_list_passed(&m->list, at, entered);
		if (walk->matched && at >= walk->end)
			*before = -1;
	}
}

static struct list_walk walk_of(const struct making *m, int abi, int number,
				unsigned int k)
{
	struct event event = profile_event(m->bills->set->target, (enum abi)abi,
					   number, profile_kind(k));

	return exit_list_walk(&m->list, &event, m->step);
}

static void walk_as(const struct making *m, struct bill_class *class, int abi,
		    int number)
{
	for (unsigned int k = 0; k < PROFILE_KINDS; k++) {
		struct list_walk walk = walk_of(m, abi, number, k);

		fill_in(m, &walk, &class->bill[abi][k]);
	}
}

/* The call of CLASS that is made most; -1: none is made. */
static int typical_call(const struct bills *bills,
			const struct bill_class *class, int abi)
{
	const unsigned int *weight = bills->profile->weight[abi];
	const struct syscall_mask *mask = &class->calls.abi[abi];
	int typical = -1;

	for (int n = syscall_mask_next(mask, 0);
	     n >= 0 && n < SYSCALL_MASK_CALLS;
	     n = syscall_mask_next(mask, n + 1))
		if (weight[n] && (typical < 0 || weight[n] > weight[typical]))
			typical = n;
	return typical;
}

static void add_up_made(const struct bills *bills, struct bill_class *class,
			int abi)
{
	const struct syscall_mask *mask = &class->calls.abi[abi];
	int64_t *made = class->made[abi];

	memset(made, 0, sizeof(class->made[abi]));
	for (int n = syscall_mask_next(mask, 0);
	     n >= 0 && n < SYSCALL_MASK_CALLS;
	     n = syscall_mask_next(mask, n + 1))
		for (unsigned int k = 0; k < PROFILE_KINDS; k++)
			if (bills->profile->weight[abi][n])
				made[k] += bills->traffic->made[abi][n][k];
}

static void bill_class(struct making *m, struct bill_class *class)
{
	exit_list_enter(&m->list, &(struct call_class){.rule = class->rule,
						       .rules = class->rules});
	for (int abi = 0; abi < ABI_COUNT; abi++) {
		int number = typical_call(m->bills, class, abi);

		add_up_made(m->bills, class, abi);
		if (number >= 0)
			walk_as(m, class, abi, number);
		else
			memset(class->bill[abi], 0, sizeof(class->bill[abi]));
	}
	class->stale = false;
}

static struct making making_of(struct bills *bills)
{
	struct making m = {.bills = bills,
			   .list = exit_list_of(bills->arena, bills->set)};

	m.step = arena_array(bills->arena, bills->set->count + 1,
			     sizeof(*m.step));
	return m;
}

/* The class of all its calls is I from now on. */
static void rename_calls(struct bills *bills, size_t i)
{
	struct bill_class *class = &bills->item[i];

	for (int abi = 0; abi < ABI_COUNT; abi++) {
		const struct syscall_mask *mask = &class->calls.abi[abi];

		for (int n = syscall_mask_next(mask, 0);
		     n >= 0 && n < SYSCALL_MASK_CALLS;
		     n = syscall_mask_next(mask, n + 1)) {
			bills->class_of[abi][n] = (uint16_t)i;
			class->count++;
		}
	}
}

static void add_class(struct bills *bills, const struct syscall_set *calls,
		      const size_t *rule, size_t rules)
{
	struct bill_class *class;

	bills->item = arena_grow(bills->arena, bills->item, bills->classes,
				 &bills->room, sizeof(*bills->item));
	class = &bills->item[bills->classes];
	class->calls = *calls;
	class->rule = arena_copy(bills->arena, rule, rules * sizeof(*rule));
	class->rules = rules;
	class->stale = true;
	rename_calls(bills, bills->classes++);
}

/* Does what is put in at A stand in front of what is put in at B? */
static bool is_before(const struct spot *a, const struct spot *b)
{
	return a->at != b->at ? a->at < b->at : a->front && !b->front;
}

/* Does spot A move when a rule is put in at B? */
static bool is_moved(const struct spot *a, const struct spot *b)
{
	return a->at != b->at ? a->at > b->at : !a->front;
}

static void order_places(struct bills *bills)
{
	bills->in_order = arena_array(bills->arena, bills->places + 1,
				      sizeof(*bills->in_order));
	for (size_t i = 0; i < bills->places; i++) {
		size_t j = i;

		for (;
		     j > 0 && is_before(&bills->place[i],
					&bills->place[bills->in_order[j - 1]]);
		     j--)
			bills->in_order[j] = bills->in_order[j - 1];
		bills->in_order[j] = i;
	}
}

struct bills *bills_of(struct arena *arena, const struct ruleset *set,
		       const struct profile *profile,
		       const struct traffic *traffic, struct spot *place,
		       size_t count)
{
	struct bills *bills = arena_alloc(arena, sizeof(*bills));
	struct call_classes classes =
		call_classes_of(arena, set, AUDIT_FILTER_EXIT);
	struct making m;

	*bills = (struct bills){.arena = arena,
				.set = ruleset_new(arena, set->target),
				.profile = profile,
				.traffic = traffic,
				.place = place,
				.places = count};
	for (size_t i = 0; i < set->count; i++)
		ruleset_insert(bills->set, i, set->rule[i]);
	order_places(bills);
	m = making_of(bills);
	for (size_t i = 0; i < classes.count; i++) {
		const struct call_class *class = &classes.item[i];

		add_class(bills, &class->calls, class->rule, class->rules);
		bill_class(&m, &bills->item[i]);
	}
	return bills;
}

/* For each class, how many of its calls are in CALLS. */
static unsigned int *count_hits(const struct bills *bills,
				const struct syscall_set *calls)
{
	unsigned int *hits =
		arena_array(bills->arena, bills->classes, sizeof(*hits));

	for (int abi = 0; abi < ABI_COUNT; abi++) {
		const struct syscall_mask *mask = &calls->abi[abi];

		if (!target_has_abi(bills->set->target, (enum abi)abi))
			continue;
		for (int n = syscall_mask_next(mask, 0);
		     n >= 0 && n < SYSCALL_MASK_CALLS;
		     n = syscall_mask_next(mask, n + 1))
			hits[bills->class_of[abi][n]]++;
	}
	return hits;
}

/* Cuts the classes that lie partly in BY. */
static void split(struct bills *bills, const struct syscall_set *by)
{
	const unsigned int *hits = count_hits(bills, by);
	size_t before = bills->classes;

	for (size_t i = 0; i < before; i++) {
		struct bill_class *class = &bills->item[i];
		struct syscall_set in = class->calls;

		if (!hits[i] || hits[i] == class->count)
			continue;
		syscall_set_intersect(&in, by);
		syscall_set_subtract(&class->calls, &in);
		class->count -= hits[i];
		class->stale = true;
		add_class(bills, &in, class->rule, class->rules);
	}
}

/* COUNT rules stand at AT now; HITS: for each of them how many of the calls of
 * each class it has, none or all. */
static void enter(const struct bills *bills, size_t i, size_t at,
		  unsigned int *const *hits, size_t count)
{
	struct bill_class *class = &bills->item[i];
	size_t *rule =
		arena_array(bills->arena, class->rules + count, sizeof(*rule));
	size_t rules = 0, r = 0;

	while (r < class->rules && class->rule[r] < at)
		rule[rules++] = class->rule[r++];
	for (size_t k = 0; k < count; k++)
		if (hits[k][i]) {
			rule[rules++] = at + k;
			class->stale = true;
		}
	while (r < class->rules)
		rule[rules++] = class->rule[r++] + count;
	class->rule = rule;
	class->rules = rules;
}

/* The calls of CLASS that come to PLACE pay MORE there. */
static void pass_by(const struct bills *bills, struct bill_class *class,
		    size_t place, int64_t more)
{
	for (int abi = 0; abi < ABI_COUNT; abi++)
		for (unsigned int k = 0; k < PROFILE_KINDS; k++) {
			struct bill *bill = &class->bill[abi][k];

			if (!bill->before || bill->before[place] < 0)
				continue;
			bill->all += more;
			for (size_t i = 0; i < bills->places; i++)
				if (is_moved(&bills->place[i],
					     &bills->place[place]) &&
				    bill->before[i] >= 0)
					bill->before[i] += more;
		}
}

/* Cuts the classes so that each of COUNT rules has all calls of a class or
 * none. Returns which: as for enter(). */
static unsigned int **split_by(struct bills *bills, struct rule *const *rule,
			       size_t count)
{
	const struct target *target = bills->set->target;
	unsigned int **hits = arena_array(bills->arena, count, sizeof(*hits));

	for (size_t k = 0; k < count; k++) {
		struct syscall_set enters = rule_entered(target, rule[k]);
		struct syscall_set calls = rule_calls(target, rule[k]);

		split(bills, &enters);
		split(bills, &calls);
	}
	for (size_t k = 0; k < count; k++) {
		struct syscall_set enters = rule_entered(target, rule[k]);

		hits[k] = count_hits(bills, &enters);
	}
	return hits;
}

void bills_insert(struct bills *bills, size_t place, struct rule *const *rule,
		  size_t count)
{
	unsigned int **hits = split_by(bills, rule, count);
	size_t at = bills->place[place].inserted;
	struct making m;
	int64_t more;

	for (size_t k = 0; k < count; k++)
		ruleset_insert(bills->set, at + k, rule[k]);
	for (size_t i = 0; i < bills->places; i++) {
		struct spot *spot = &bills->place[i];

		spot->used |= spot->at == bills->place[place].at;
		if (is_moved(spot, &bills->place[place]))
			spot->inserted += count;
	}
	m = making_of(bills);
	more = exit_list_passed(&m.list, at + count, 0) -
	       exit_list_passed(&m.list, at, 0);
	for (size_t i = 0; i < bills->classes; i++) {
		enter(bills, i, at, hits, count);
		if (bills->item[i].stale)
			bill_class(&m, &bills->item[i]);
		else
			pass_by(bills, &bills->item[i], place, more);
	}
}

static int64_t come_to(struct bill_class *class, int abi, unsigned int k,
		       size_t place)
{
	const struct bill *bill = &class->bill[abi][k];

	class->left[abi][k] = -1;
	if (!bill->before || bill->before[place] < 0)
		return 0;
	class->left[abi][k] = bill->all - bill->before[place];
	return class->made[abi][k];
}

int64_t bills_come_to(struct bills *bills, size_t place)
{
	int64_t made = 0;

	for (size_t i = 0; i < bills->classes; i++) {
		struct bill_class *class = &bills->item[i];

		for (int abi = 0; abi < ABI_COUNT; abi++)
			for (unsigned int k = 0; k < PROFILE_KINDS; k++)
				made += come_to(class, abi, k, place);
	}
	return made;
}

int64_t bills_sum(const struct bills *bills)
{
	int64_t paid = 0;

	for (size_t i = 0; i < bills->classes; i++)
		for (int abi = 0; abi < ABI_COUNT; abi++)
			for (unsigned int k = 0; k < PROFILE_KINDS; k++)
				paid += bills->item[i].made[abi][k] *
					bills->item[i].bill[abi][k].all;
	return 100 * paid;
}

/* The rules that CLASS enters but the one at AT; NULL: it does not enter that. */
static size_t *rules_without(const struct bills *bills,
			     const struct bill_class *class, size_t at)
{
	size_t *rule = arena_array(bills->arena, class->rules, sizeof(*rule));
	size_t rules = 0;

	for (size_t r = 0; r < class->rules; r++)
		if (class->rule[r] != at)
			rule[rules++] = class->rule[r];
	return rules < class->rules ? rule : NULL;
}

/* Adds to SAVED what the calls of CLASS save that enter those at RULE alone. */
static void save_with(struct making *m, const struct bill_class *class,
		      const size_t *rule, int64_t *saved)
{
	exit_list_enter(
		&m->list,
		&(struct call_class){.rule = rule, .rules = class->rules - 1});
	for (int abi = 0; abi < ABI_COUNT; abi++) {
		const struct syscall_mask *mask = &class->calls.abi[abi];
		int typical = typical_call(m->bills, class, abi);

		for (unsigned int k = 0; typical >= 0 && k < PROFILE_KINDS;
		     k++) {
			int64_t each = class->bill[abi][k].all -
				       walk_of(m, abi, typical, k).price;

			for (int n = syscall_mask_next(mask, 0);
			     n >= 0 && n < SYSCALL_MASK_CALLS;
			     n = syscall_mask_next(mask, n + 1))
				saved[n] += each *
					    m->bills->traffic->made[abi][n][k];
		}
	}
}

int64_t *bills_saved_without(struct bills *bills, size_t at)
{
	int64_t *saved =
		arena_array(bills->arena, SYSCALL_MASK_CALLS, sizeof(*saved));
	struct making m = making_of(bills);

	for (size_t i = 0; i < bills->classes; i++) {
		const struct bill_class *class = &bills->item[i];
		const size_t *rule = rules_without(bills, class, at);

		if (rule)
			save_with(&m, class, rule, saved);
	}
	return saved;
}

/* CLASS enters the rule at AT no more. */
static void leave(const struct bills *bills, struct bill_class *class,
		  size_t at)
{
	size_t *rule = rules_without(bills, class, at);

	if (!rule)
		return;
	class->rule = rule;
	class->rules--;
	class->stale = true;
}

void bills_take_out(struct bills *bills, size_t at,
		    const struct syscall_mask *calls)
{
	struct syscall_set out = {{*calls, *calls}};
	struct making m;

	split(bills, &out);
	syscall_mask_subtract(&bills->set->rule[at]->mask, calls);
	m = making_of(bills);
	for (size_t i = 0; i < bills->classes; i++) {
		struct bill_class *class = &bills->item[i];

		if (syscall_set_intersects(&class->calls, &out))
			leave(bills, class, at);
		if (class->stale)
			bill_class(&m, class);
	}
}
