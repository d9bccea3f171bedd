/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The comparison of a class without a diagram of its whole list, by looking at
 * pairs of its rules: quick where there are thousands of them.
 *
 * Let each list rule A of the one set have a partner F(A) in the other list,
 * with the same result, which holds wherever A does, and let each list rule of
 * the other set hold only where one of those does whose partner it is. If
 * - A and C, which have different results and can hold in one walk, stand in
 *   the order of F(A) and F(C), or do so only where a rule before them both
 *   decides, in one of the lists,
 * - the bucket rules of both sets are the same in the same order, and a bucket
 *   rule Q that can match in a call where A holds stands on the same side of
 *   A as of F(A),
 * then nothing tells the sets apart. For let A be the first list rule of the
 * one set to match in a walk, and B that of the other set. B is F(A') of an A'
 * that matches, too. Were their results different, then A would stand before
 * A', so F(A) before F(A') = B, or A or B would not be the first. Nor may a
 * bucket rule that can match stand behind A and before B, for B does not stand
 * behind F(A); nor before A and behind B, for A does not stand behind A'.
 *
 * Before that, list rules are left out that an earlier one of the same list
 * covers. And a rule of the other list may be thought of in the one list where
 * it changes nothing: behind a rule with the same result that covers it; or,
 * where `never` cannot be told from no match, at the end.
 */
#include "verify/pairing.h"

#include <stdlib.h>
#include <string.h>

/* Pairs that are looked at for one class. */
#define PAIRS_AT_MOST 1000000

struct walk_item {
	diagram when;
	diagram ruled; /* without answers that cannot be; list rules */
	bool has_ruled;
	const struct listed *listed; /* NULL: a bucket rule */
	size_t before, after; /* its place in the one list and in the other */
};

struct inversions {
	struct pairing *pairing;
	struct check *check;
	const struct subject *subject;
	struct walk_item **order; /* by place in the other list */
	size_t count;
	size_t pairs;
};

/* Can list rules A and B, the later one, hold in one walk, and none before them
 * that decides? In either list: A is the first in the one, B in the other. */
static bool may_conflict(const struct inversions *in, const struct walk_item *a,
			 const struct walk_item *b)
{
	struct check *check = in->check;
	diagram both = diagram_and(check->diagrams, a->when, b->when);

	if (both != DIAGRAM_NO)
		both = questions_rule_out(check->questions, check->diagrams,
					  both, &in->subject->facts);
	return both != DIAGRAM_NO &&
	       !pairing_covers(in->pairing, BEFORE, a->before, a->listed,
			       b->listed, both) &&
	       !pairing_covers(in->pairing, AFTER, b->after, a->listed,
			       b->listed, both);
}

static bool list_meets_bucket(const struct inversions *in,
			      struct walk_item *list,
			      const struct walk_item *bucket)
{
	struct check *check = in->check;

	if (never_together(check, in->subject, list->when, bucket->when))
		return false;
	if (!list->has_ruled)
		list->ruled =
			questions_rule_out(check->questions, check->diagrams,
					   list->when, &in->subject->facts);
	list->has_ruled = true;
	return !never_together(check, in->subject, list->ruled, bucket->when);
}

/* May A and B, which follows in the one list, change places? */
static bool may_swap(const struct inversions *in, struct walk_item *a,
		     struct walk_item *b)
{
	if (!a->listed && !b->listed)
		return false;
	if (!a->listed)
		return !list_meets_bucket(in, b, a);
	if (!b->listed)
		return !list_meets_bucket(in, a, b);
	return a->listed->result == b->listed->result ||
	       !may_conflict(in, a, b);
}

/* Those before whose place in the other list is not before that of ITEM. */
static size_t first_behind(const struct inversions *in,
			   const struct walk_item *item)
{
	size_t low = 0, high = in->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (in->order[middle]->after <= item->after)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool add_in_order(struct inversions *in, struct walk_item *item)
{
	size_t at = first_behind(in, item);

	for (size_t i = in->count; i-- > at;)
		if (++in->pairs > PAIRS_AT_MOST ||
		    diagrams_overflow(in->check->diagrams) ||
		    !may_swap(in, in->order[i], item))
			return false;
	memmove(&in->order[at + 1], &in->order[at],
		(in->count - at) * sizeof(*in->order));
	in->order[at] = item;
	in->count++;
	return true;
}

static int by_behind(const void *a, const void *b)
{
	const struct listed *x = *(const struct listed *const *)a;
	const struct listed *y = *(const struct listed *const *)b;

	if (x->behind != y->behind)
		return x->behind < y->behind ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

/* The rules of the other list that are thought of in this one, in order. */
static const struct listed **thought_of(struct pairing *p, size_t *count)
{
	struct list *list = &p->list[AFTER];
	const struct listed **item =
		arena_array(p->check->scratch, list->count, sizeof(*item));

	*count = 0;
	for (size_t i = 0; i < list->count; i++)
		if (list->item[i].behind != NO_PARTNER)
			item[(*count)++] = &list->item[i];
	if (*count)
		qsort(item, *count, sizeof(*item), by_behind);
	return item;
}

/* All that is asked in a walk over the one list, and what is thought of there;
 * in ITEM. */
static size_t collect_items(struct pairing *p, struct walk_item *item)
{
	const struct list *list = &p->list[BEFORE];
	struct steps steps = p->subject->steps[BEFORE];
	size_t count = 0, next = 0, thoughts, t = 0;
	const struct listed **thought = thought_of(p, &thoughts);

	for (size_t i = 0; i <= steps.count; i++) {
		const struct listed *listed = &list->item[next];

		if (next < list->count && listed->place == i) {
			next++;
			if (!listed->covered)
				item[count++] = (struct walk_item){
					.when = listed->when,
					.listed = listed,
					.before = i,
					.after = listed->partner};
		} else if (i < steps.count &&
			   steps.item[i].kind == STEP_BUCKET &&
			   steps.item[i].when != DIAGRAM_NO) {
			item[count++] =
				(struct walk_item){.when = steps.item[i].when,
						   .before = i,
						   .after = p->bucket_after[i]};
		}
		for (; t < thoughts && thought[t]->behind == i; t++)
			item[count++] =
				(struct walk_item){.when = thought[t]->when,
						   .listed = thought[t],
						   .before = i + 1,
						   .after = thought[t]->place};
	}
	return count;
}

static bool all_in_order(struct pairing *p)
{
	struct arena *arena = p->check->scratch;
	size_t most = p->subject->steps[BEFORE].count + p->list[AFTER].count;
	struct walk_item *item = arena_array(arena, most, sizeof(*item));
	size_t count = collect_items(p, item);
	struct inversions in = {
		.pairing = p, .check = p->check, .subject = p->subject};

	in.order = arena_array(arena, most, sizeof(struct walk_item *));
	for (size_t i = 0; i < count; i++)
		if (!add_in_order(&in, &item[i]))
			return false;
	return true;
}

/* The bucket rules of both sides, those left out that never hold. */
static bool same_buckets(struct pairing *p)
{
	struct steps a = p->subject->steps[BEFORE];
	struct steps b = p->subject->steps[AFTER];
	size_t j = 0;

	p->bucket_after =
		arena_array(p->check->scratch, a.count, sizeof(size_t));
	for (size_t i = 0; i < a.count; i++) {
		const struct step *step = &a.item[i];

		if (step->kind != STEP_BUCKET || step->when == DIAGRAM_NO)
			continue;
		while (j < b.count && (b.item[j].kind != STEP_BUCKET ||
				       b.item[j].when == DIAGRAM_NO))
			j++;
		if (j == b.count ||
		    !step_same_bucket(p->check, p->subject, step, &b.item[j]))
			return false;
		p->bucket_after[i] = j++;
	}
	for (; j < b.count; j++)
		if (b.item[j].kind == STEP_BUCKET &&
		    b.item[j].when != DIAGRAM_NO)
			return false;
	return true;
}

bool steps_pair_up(struct check *check, const struct subject *subject)
{
	struct pairing *p = arena_alloc(check->scratch, sizeof(*p));
	bool good;

	/* with several walks the order of all of them counts */
	if (subject->operations)
		return false;
	p->check = check;
	p->subject = subject;
	pairing_list(p, BEFORE);
	pairing_list(p, AFTER);
	good = same_buckets(p) && pairing_find(p) && all_in_order(p);
	pairing_free(p);
	return good && !diagrams_overflow(check->diagrams);
}
