/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A call that runs io_uring operations walks its list several times, and then
 * the order of the list rules among themselves counts, too. Here the leaves are
 * places in one order of list rules, bucket rules and io_uring rules, in which
 * neighbouring list rules with the same result are one.
 */
#include "verify/comparing.h"

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
		if (step_borrows(&steps.item[i]))
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
	if (!comparison_pairs(c))
		return false;
	for (size_t i = 0; i < c->pairs; i++)
		if (comparison_where(c, c->pair[i]) != DIAGRAM_NO)
			return false;
	return true;
}

bool compare_operations(struct comparison *c, int harder)
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
