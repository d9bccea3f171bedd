/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The comparison of a class: in every way there is, from the cheapest on, and
 * what is said if none of them ends in a proof.
 */
#include "verify/comparing.h"

bool step_borrows(const struct step *step)
{
	return step->result->verdict == VERDICT_RECORD && !step->result->key;
}

bool subject_hides_never(const struct check *check,
			 const struct subject *subject)
{
	return check->options->level >= 2 || !subject->self_log;
}

static void note_pair(uint32_t a, uint32_t b, void *data)
{
	struct comparison *c = data;

	if (a == b)
		return;
	c->pair = arena_grow(c->check->scratch, c->pair, c->pairs, &c->capacity,
			     sizeof(*c->pair));
	c->pair[c->pairs][BEFORE] = a;
	c->pair[c->pairs++][AFTER] = b;
}

bool comparison_pairs(struct comparison *c)
{
	c->pairs = 0;
	return diagram_pairs(c->check->diagrams, c->list[BEFORE],
			     c->list[AFTER], note_pair, c);
}

diagram comparison_where(const struct comparison *c, const uint32_t *pair)
{
	struct diagrams *d = c->check->diagrams;
	diagram both =
		diagram_and(d, diagram_where(d, c->list[BEFORE], pair[BEFORE]),
			    diagram_where(d, c->list[AFTER], pair[AFTER]));

	return questions_rule_out(c->check->questions, d, both,
				  &c->subject->facts);
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
		if (subject->operations ? compare_operations(&c, harder)
					: compare_lists(&c, harder, NULL))
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
	compare_lists(&c, 0, candidates);
	recover(check, count);
	compare_lists(&c, HARDER_AT_MOST, candidates);
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
