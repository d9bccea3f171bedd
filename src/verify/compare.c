/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The comparison of a class. The list becomes one diagram, whose leaves say
 * what the walk gives: the verdict, the key if anybody can see it or inherit
 * it, and how many of the bucket rules stand before the match: those may still
 * override it. If the bucket rules of both sets are the same, in the same
 * order, and the diagrams are the same, nothing can tell the sets apart. Two
 * leaves that differ in the last number only are the same where none of the
 * bucket rules in between can match.
 *
 * A call that runs io_uring operations walks its list several times, and then
 * the order of the list rules among themselves counts, too. There the leaves
 * are places in one order of list rules, bucket rules and io_uring rules, in
 * which neighbouring list rules with the same result are one.
 */
#include "verify/check.h"

#include <stdlib.h>
#include <string.h>

/* Pairs of leaves and bucket rules that witnesses are looked for with. */
#define CANDIDATES_AT_MOST 200

#define LEAVES_FROM 2 /* 0 and 1 are no and yes */

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
		leaves->item = arena_grow(leaves->arena, leaves->item,
					  leaves->count, &leaves->capacity,
					  sizeof(leaf));
		leaves->item[leaves->count++] = leaf;
	}
	return diagram_leaf(diagrams, LEAVES_FROM + (uint32_t)i);
}

/* Could step inherit a key? */
static bool borrows(const struct step *step)
{
	return step->result->verdict == VERDICT_RECORD && !step->result->key;
}

bool subject_hides_never(const struct check *check,
			 const struct subject *subject)
{
	return check->options->level >= 2 || !subject->self_log;
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
		borrowed = borrowed || borrows(step);
	}
	walk = leaf_of(d, leaves, (struct leaf){place, VERDICT_NONE, NULL});
	for (size_t i = steps.count; i-- > 0;)
		if (steps.item[i].kind == STEP_LIST)
			walk = diagram_choose(d, steps.item[i].when, leaf[i],
					      walk);
	return walk;
}

/* Pairs of leaves that the same call may give. */
struct comparison {
	struct check *check;
	struct subject *subject;
	const struct leaves *leaves;
	struct steps steps[SIDES];
	diagram list[SIDES];
	const struct candidates *candidates;
	uint32_t (*pair)[SIDES];
	size_t pairs, capacity;
	size_t proposed;
	bool enough; /* witnesses, or attempts at them */
};

static void note_pair(uint32_t a, uint32_t b, void *data)
{
	struct comparison *c = data;

	if (a == b)
		return;
	c->pair = arena_grow(c->check->scratch, c->pair, c->pairs,
			     &c->capacity, sizeof(*c->pair));
	c->pair[c->pairs][BEFORE] = a;
	c->pair[c->pairs++][AFTER] = b;
}

static diagram where_pair(const struct comparison *c, const uint32_t *pair)
{
	struct diagrams *d = c->check->diagrams;
	diagram both =
		diagram_and(d, diagram_where(d, c->list[BEFORE], pair[BEFORE]),
			    diagram_where(d, c->list[AFTER], pair[AFTER]));

	return questions_rule_out(c->check->questions, d, both,
				  &c->subject->facts);
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
	if (!diagram_pairs(d, c->list[BEFORE], c->list[AFTER], note_pair, c))
		return false;
	for (size_t i = 0; i < c->pairs && !diagrams_overflow(d); i++) {
		const uint32_t *pair = c->pair[i];
		diagram call = where_pair(c, pair);

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

/* Compares with the steps simplified as HARDER says. */
static bool try_compare(struct comparison *c, int harder,
			const struct candidates *candidates)
{
	struct leaves *leaves = arena_alloc(c->check->scratch, sizeof(*leaves));

	leaves->arena = c->check->scratch;
	c->leaves = leaves;
	c->pairs = 0;
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

/* Calls with operations inside. */

static bool same_step(struct check *check, const struct subject *subject,
		      const struct step *a, const struct step *b)
{
	if (a->kind != b->kind || a->result != b->result)
		return false;
	return a->kind != STEP_BUCKET || step_same_bucket(check, subject, a, b);
}

static bool any_borrows(struct steps steps)
{
	for (size_t i = 0; i < steps.count; i++)
		if (borrows(&steps.item[i]))
			return true;
	return false;
}

/* Neighbouring list rules with one result made one, and at the end those left
 * out that only stop what does not come: number OF[i] is the place of step I,
 * SIZE_MAX: nowhere. */
static struct steps joined(struct check *check, const struct subject *subject,
			   struct steps steps, size_t *of)
{
	struct steps done = {
		arena_array(check->scratch, steps.count, sizeof(*done.item)),
		0};

	for (size_t i = 0; i < steps.count; i++) {
		const struct step *step = &steps.item[i];
		const struct step *last =
			done.count ? &done.item[done.count - 1] : NULL;

		if (!last || step->kind == STEP_BUCKET ||
		    last->kind != step->kind || last->result != step->result)
			done.item[done.count++] = *step;
		of[i] = done.count - 1;
	}
	while (done.count && subject_hides_never(check, subject)) {
		const struct step *last = &done.item[done.count - 1];

		if (last->kind == STEP_BUCKET ||
		    last->result->verdict != VERDICT_NEVER ||
		    (last->result->key && any_borrows(steps)))
			break;
		done.count--;
	}
	return done;
}

/* Which place the first match in the list of KIND has. */
static diagram places_diagram(struct check *check, struct steps steps,
			      enum step_kind kind, const size_t *of, size_t end)
{
	struct diagrams *d = check->diagrams;
	diagram walk = diagram_leaf(d, LEAVES_FROM + (uint32_t)end);

	for (size_t i = steps.count; i-- > 0;) {
		size_t place = of[i] < end ? of[i] : end;

		if (steps.item[i].kind == kind)
			walk = diagram_choose(
				d, steps.item[i].when,
				diagram_leaf(d, LEAVES_FROM + (uint32_t)place),
				walk);
	}
	return walk;
}

static bool places_agree(struct comparison *c)
{
	if (c->list[BEFORE] == c->list[AFTER])
		return true;
	c->pairs = 0;
	if (!diagram_pairs(c->check->diagrams, c->list[BEFORE], c->list[AFTER],
			   note_pair, c))
		return false;
	for (size_t i = 0; i < c->pairs; i++)
		if (where_pair(c, c->pair[i]) != DIAGRAM_NO)
			return false;
	return true;
}

static bool try_operations(struct comparison *c, int harder)
{
	static const enum step_kind kinds[] = {STEP_LIST, STEP_URING};
	struct check *check = c->check;
	struct steps order[SIDES], steps[SIDES];
	size_t *of[SIDES];

	for (int side = BEFORE; side < SIDES; side++) {
		steps[side] = steps_simplify(check, c->subject,
					     c->subject->steps[side], harder);
		of[side] = arena_array(check->scratch, steps[side].count,
				       sizeof(*of[side]));
		order[side] = joined(check, c->subject, steps[side], of[side]);
	}
	if (order[BEFORE].count != order[AFTER].count)
		return false;
	for (size_t i = 0; i < order[BEFORE].count; i++)
		if (!same_step(check, c->subject, &order[BEFORE].item[i],
			       &order[AFTER].item[i]))
			return false;
	for (int k = 0; k < 2; k++) {
		for (int side = BEFORE; side < SIDES; side++)
			c->list[side] =
				places_diagram(check, steps[side], kinds[k],
					       of[side], order[side].count);
		if (!places_agree(c))
			return false;
	}
	return true;
}

/* The same tests in the same order, in whatever words. */
static bool same_steps(const struct steps *a, const struct steps *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++) {
		const struct step *x = &a->item[i], *y = &b->item[i];

		if (x->kind != y->kind || x->result != y->result ||
		    x->when != y->when || x->watch != y->watch)
			return false;
	}
	return true;
}

static bool agrees(struct check *check, struct subject *subject)
{
	struct comparison c = {.check = check, .subject = subject};

	for (int harder = 0; harder <= HARDER_AT_MOST; harder++) {
		if (diagrams_overflow(check->diagrams))
			return false;
		if (subject->operations ? try_operations(&c, harder)
					: try_compare(&c, harder, NULL))
			return !diagrams_overflow(check->diagrams);
	}
	return false;
}

/* Leaves what the budget of diagrams has for what follows, if a try ended for
 * lack of it. COUNT of them are still needed. */
static void recover(struct check *check, size_t count)
{
	if (diagrams_overflow(check->diagrams))
		diagrams_return(check->diagrams, count);
}

/* Are the calls of SUBJECT the same, as long as they run no operations? */
static bool agrees_without_operations(struct check *check,
				      const struct subject *subject)
{
	struct subject plain = *subject;

	plain.operations = false;
	for (int side = BEFORE; side < SIDES; side++) {
		struct steps all = subject->steps[side];
		struct steps *steps = &plain.steps[side];

		*steps = (struct steps){arena_array(check->scratch, all.count,
						    sizeof(*steps->item)),
					0};
		for (size_t i = 0; i < all.count; i++)
			if (all.item[i].kind != STEP_URING)
				steps->item[steps->count++] = all.item[i];
	}
	return steps_pair_up(check, &plain) || agrees(check, &plain);
}

static void look_for_witnesses(struct check *check, struct subject *subject,
			       const struct candidates *candidates)
{
	struct comparison c = {.check = check, .subject = subject};
	size_t count = diagrams_count(check->diagrams);

	single_walk_propose(check, subject, candidates);
	recover(check, count);
	try_compare(&c, 0, candidates);
	recover(check, count);
	try_compare(&c, HARDER_AT_MOST, candidates);
	recover(check, count);
}

enum proof subject_compare(struct check *check, struct subject *subject,
			   const struct candidates *candidates,
			   const char **why)
{
	size_t count = diagrams_count(check->diagrams);
	bool same =
		!diagrams_overflow(check->diagrams) &&
		(same_steps(&subject->steps[BEFORE], &subject->steps[AFTER]) ||
		 steps_pair_up(check, subject) || agrees(check, subject));

	if (!same && !subject->operations)
		same = subject_agrees_by_cases(check, subject, agrees);
	if (diagrams_overflow(check->diagrams)) {
		*why = "the proof ran out of its budget";
		return PROOF_NONE;
	}
	if (same)
		return PROOF_GOOD;
	if (subject->operations && agrees_without_operations(check, subject)) {
		*why = "its calls run io_uring operations, each with a walk "
		       "of its own";
		return PROOF_NONE;
	}
	recover(check, count);
	*why = "what its rules come to could not be shown to be the same";
	if (candidates)
		look_for_witnesses(check, subject, candidates);
	return PROOF_NONE;
}
