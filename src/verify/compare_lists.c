/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The list becomes one diagram, whose leaves say what the walk gives: the
 * verdict, the key if anybody can see it or inherit it, and how many of the
 * bucket rules stand before the match: those may still override it. If the
 * bucket rules of both sets are the same, in the same order, and the diagrams
 * are the same, nothing can tell the sets apart. Two leaves that differ in the
 * last number only are the same where none of the bucket rules in between can
 * match.
 */
#include "verify/comparing.h"

/* Pairs of leaves and bucket rules that witnesses are looked for with. */
#define CANDIDATES_AT_MOST 200

struct leaf {
	size_t place;
	enum verdict verdict;
	const char *key;
};

/* The leaves of both lists. */
struct leaves {
	struct arena *arena;
	struct leaf *item;
	size_t count, capacity;
};

static diagram leaf_of(struct diagrams *diagrams, struct leaves *leaves,
		       struct leaf leaf)
{
	size_t i;

	for (i = 0; i < leaves->count; i++)
		if (leaves->item[i].place == leaf.place &&
		    leaves->item[i].verdict == leaf.verdict &&
		    key_same(leaves->item[i].key, leaf.key))
			break;
	if (i == leaves->count) {
		leaves->item =
			arena_grow(leaves->arena, leaves->item, leaves->count,
				   &leaves->capacity, sizeof(leaf));
		leaves->item[leaves->count++] = leaf;
	}
	return diagram_leaf(diagrams, LEAVES_FROM + (uint32_t)i);
}

/* What the match of list rule STEP comes to, PLACE bucket rules standing before
 * it, BORROWED: one of them without a key. */
static struct leaf leaf_of_step(const struct check *check,
				const struct subject *subject,
				const struct step *step, size_t place,
				bool borrowed)
{
	struct leaf leaf = {place, step->result->verdict, step->result->key};

	if (leaf.verdict == VERDICT_NEVER && !borrowed)
		leaf.key = NULL;
	if (leaf.verdict == VERDICT_NEVER &&
	    subject_hides_never(check, subject))
		leaf.verdict = VERDICT_NONE;
	return leaf;
}

/* The walk of the list: what the first match gives. */
static diagram list_diagram(struct check *check, const struct subject *subject,
			    struct leaves *leaves, struct steps steps)
{
	struct diagrams *d = check->diagrams;
	diagram *leaf = arena_array(check->scratch, steps.count, sizeof(*leaf));
	size_t place = 0;
	bool borrowed = false;
	diagram walk;

	for (size_t i = 0; i < steps.count; i++) {
		const struct step *step = &steps.item[i];

		if (step->kind == STEP_LIST) {
			leaf[i] = leaf_of(d, leaves,
					  leaf_of_step(check, subject, step,
						       place, borrowed));
			continue;
		}
		place++;
		borrowed = borrowed || step_borrows(step);
	}
	walk = leaf_of(d, leaves, (struct leaf){place, VERDICT_NONE, NULL});
	for (size_t i = steps.count; i-- > 0;)
		if (steps.item[i].kind == STEP_LIST)
			walk = diagram_choose(d, steps.item[i].when, leaf[i],
					      walk);
	return walk;
}

static void propose(struct comparison *c, diagram call, diagram name)
{
	if (!c->candidates || c->enough ||
	    diagrams_overflow(c->check->diagrams))
		return;
	c->enough = c->candidates->visit(c->candidates->data, call, name) ||
		    ++c->proposed >= CANDIDATES_AT_MOST;
}

/* Can a match of bucket rule STEP not be told from none? */
static bool hides(const struct comparison *c, const struct step *step)
{
	return step->result->verdict == VERDICT_NEVER &&
	       subject_hides_never(c->check, c->subject);
}

/* Can none of the bucket rules number FIRST to END - 1 be seen to match where
 * CALL holds? SILENT: what the list gives cannot be told from no match. Then
 * neither can a match of never rules there, unless it kept the search through
 * the names from a rule before FIRST. */
static bool none_between(struct comparison *c, diagram call, size_t first,
			 size_t end, bool silent)
{
	struct steps steps = c->steps[BEFORE];
	bool passed = false;
	size_t number = 0;

	for (size_t i = 0; i < steps.count && number < end; i++) {
		const struct step *step = &steps.item[i];

		if (step->kind != STEP_BUCKET || number++ < first ||
		    never_together(c->check, c->subject, call, step->when))
			continue;
		if (silent && hides(c, step)) {
			passed = true;
			continue;
		}
		propose(c, call, step->when);
		return false;
	}
	return !passed || none_between(c, call, 0, first, false);
}

static bool leaves_agree(struct comparison *c, diagram call,
			 const struct leaf *a, const struct leaf *b)
{
	bool in_order = a->place < b->place;

	if (a->verdict != b->verdict || !key_same(a->key, b->key)) {
		propose(c, call, DIAGRAM_YES);
		return false;
	}
	return none_between(c, call, in_order ? a->place : b->place,
			    in_order ? b->place : a->place,
			    a->verdict == VERDICT_NONE);
}

/* Are there no calls for which the lists differ? */
static bool lists_agree(struct comparison *c)
{
	struct diagrams *d = c->check->diagrams;
	bool agree = true;

	if (c->list[BEFORE] == c->list[AFTER])
		return true;
	if (!comparison_pairs(c))
		return false;
	for (size_t i = 0; i < c->pairs && !diagrams_overflow(d); i++) {
		const uint32_t *pair = c->pair[i];
		diagram call = comparison_where(c, pair);

		if (call != DIAGRAM_NO &&
		    !leaves_agree(c, call,
				  &c->leaves->item[pair[BEFORE] - LEAVES_FROM],
				  &c->leaves->item[pair[AFTER] - LEAVES_FROM]))
			agree = false;
		/* one is enough to know, some are to show */
		if (!agree && (!c->candidates || c->enough))
			break;
	}
	return agree;
}

/* Calls that meet a bucket rule of either set and, in the lists, anything. */
static void propose_buckets(struct comparison *c)
{
	struct diagrams *d = c->check->diagrams;

	if (!c->candidates)
		return;
	for (int side = BEFORE; side < SIDES; side++) {
		struct steps steps = c->steps[side];

		for (size_t i = 0; i < steps.count; i++) {
			const struct step *step = &steps.item[i];

			if (step->kind != STEP_BUCKET)
				continue;
			for (uint32_t leaf = 0; leaf < c->leaves->count;
			     leaf++) {
				diagram call = diagram_where(
					d, c->list[side], LEAVES_FROM + leaf);

				if (c->enough)
					return;
				if (call != DIAGRAM_NO)
					propose(c, call, step->when);
			}
		}
	}
}

bool compare_lists(struct comparison *c, int harder,
		   const struct candidates *candidates)
{
	struct leaves *leaves = arena_alloc(c->check->scratch, sizeof(*leaves));

	leaves->arena = c->check->scratch;
	c->leaves = leaves;
	c->proposed = 0;
	c->enough = false;
	c->candidates = candidates;
	for (int side = BEFORE; side < SIDES; side++) {
		c->steps[side] = steps_simplify(
			c->check, c->subject, c->subject->steps[side], harder);
		c->list[side] = list_diagram(c->check, c->subject, leaves,
					     c->steps[side]);
	}
	if (!steps_same_buckets(c->check, c->subject, c->steps[BEFORE],
				c->steps[AFTER])) {
		if (candidates) {
			lists_agree(c);
			propose_buckets(c);
		}
		return false;
	}
	return lists_agree(c);
}
