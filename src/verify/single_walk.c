/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where to look for witnesses first: calls with one name, whose list and
 * buckets are walked once. A bucket rule counts if it stands before the list
 * rule that matched; so the first rule of either kind to hold decides, and one
 * diagram says what it gives. Where those of the two sets differ, a witness is
 * likely to be. Nothing is proved here: keys that are inherited, searches that
 * `never` lets go on, walks when a watch ends are all left out.
 */
#include "verify/check.h"

#include <string.h>

/* Pairs of leaves that witnesses are looked for with. */
#define PAIRS_AT_MOST 1000

/* Leaves: 0 and 1 are no and yes. */
enum { LEAF_NONE = 2, LEAF_NEVER, LEAF_RECORD };

/* Pairs of leaves that the same call may give. */
struct leaf_pairs {
	struct check *check;
	uint32_t (*item)[SIDES];
	size_t count, capacity;
};

static void note_pair(uint32_t a, uint32_t b, void *data)
{
	struct leaf_pairs *pairs = data;

	if (a == b)
		return;
	pairs->item = arena_grow(pairs->check->scratch, pairs->item,
				 pairs->count, &pairs->capacity,
				 sizeof(*pairs->item));
	pairs->item[pairs->count][BEFORE] = a;
	pairs->item[pairs->count++][AFTER] = b;
}

static uint32_t leaf_of(const struct check *check,
			const struct subject *subject, const struct step *step)
{
	if (step->result->verdict == VERDICT_RECORD)
		return LEAF_RECORD + step->result->id;
	return subject_hides_never(check, subject) ? LEAF_NONE : LEAF_NEVER;
}

/* What the first rule of SIDE to hold gives. */
static diagram walk_diagram(struct check *check, const struct subject *subject,
			    enum side side)
{
	struct diagrams *d = check->diagrams;
	struct steps steps = subject->steps[side];
	diagram walk = diagram_leaf(d, LEAF_NONE);

	for (size_t i = steps.count; i-- > 0;) {
		const struct step *step = &steps.item[i];

		if (diagrams_overflow(d))
			break;
		if (step->kind != STEP_URING)
			walk = diagram_choose(
				d, step->when,
				diagram_leaf(d, leaf_of(check, subject, step)),
				walk);
	}
	return walk;
}

/* The calls for which the first rule to hold gives PAIR. */
static diagram where_pair(struct check *check, const struct subject *subject,
			  const diagram *walk, const uint32_t *pair)
{
	struct diagrams *d = check->diagrams;
	diagram both =
		diagram_and(d, diagram_where(d, walk[BEFORE], pair[BEFORE]),
			    diagram_where(d, walk[AFTER], pair[AFTER]));

	return questions_rule_out(check->questions, d, both, &subject->facts);
}

static bool is_key_only(const uint32_t *pair)
{
	return pair[BEFORE] >= LEAF_RECORD && pair[AFTER] >= LEAF_RECORD;
}

/* What is lost or gained comes before what has another key. */
static void sort_pairs(struct leaf_pairs *pairs)
{
	uint32_t(*sorted)[SIDES] = arena_array(pairs->check->scratch,
					       pairs->count, sizeof(*sorted));
	size_t n = 0;

	for (int key_only = 0; key_only <= 1; key_only++)
		for (size_t i = 0; i < pairs->count; i++)
			if (is_key_only(pairs->item[i]) == key_only)
				memcpy(sorted[n++], pairs->item[i],
				       sizeof(*sorted));
	pairs->item = sorted;
}

void single_walk_propose(struct check *check, const struct subject *subject,
			 const struct candidates *candidates)
{
	struct diagrams *d = check->diagrams;
	struct leaf_pairs pairs = {.check = check};
	diagram walk[SIDES];

	for (int side = BEFORE; side < SIDES; side++)
		walk[side] = walk_diagram(check, subject, (enum side)side);
	if (diagrams_overflow(d) ||
	    !diagram_pairs(d, walk[BEFORE], walk[AFTER], note_pair, &pairs))
		return;
	sort_pairs(&pairs);
	for (size_t i = 0; i < pairs.count && i < PAIRS_AT_MOST; i++) {
		diagram call = where_pair(check, subject, walk, pairs.item[i]);

		if (diagrams_overflow(d) ||
		    (call != DIAGRAM_NO &&
		     candidates->visit(candidates->data, call, DIAGRAM_YES)))
			return;
	}
}
