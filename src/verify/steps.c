/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a class's rules come down to. Each simplification says why no walk can
 * tell; "position" is prio turned round.
 *
 * In one call (kernel/auditsc.c) the list is walked once, and gives its first
 * match L; then the buckets of the collected names, in which only rules before
 * L count. A watch that ends walks the buckets before all that: only what
 * stands before the match found there counts from then on.
 */
#include "verify/check.h"

#include <string.h>

static struct steps steps_copy(struct check *check, struct steps steps)
{
	struct steps copy = {
		arena_array(check->scratch, steps.count, sizeof(*copy.item)),
		steps.count};

	if (steps.count)
		memcpy(copy.item, steps.item, steps.count * sizeof(*copy.item));
	return copy;
}

static bool has_kind(struct steps steps, enum step_kind kind)
{
	for (size_t i = 0; i < steps.count; i++)
		if (steps.item[i].kind == kind)
			return true;
	return false;
}

/* Rules that never hold, and list rules that are never the first to. */
static struct steps drop_unreached(struct check *check,
				   const struct subject *subject,
				   struct steps steps)
{
	struct steps left = steps_copy(check, steps);
	/* else a list rule's place makes no difference */
	bool places = has_kind(steps, STEP_BUCKET) || subject->operations;
	/* of the list, and of the io_uring list */
	diagram covered[] = {DIAGRAM_NO, DIAGRAM_NO};

	left.count = 0;
	for (size_t i = 0; i < steps.count; i++) {
		const struct step *step = &steps.item[i];

		if (step->when == DIAGRAM_NO)
			continue;
		if (step->kind != STEP_BUCKET && places) {
			diagram *list = &covered[step->kind == STEP_URING];
			diagram more =
				diagram_or(check->diagrams, *list, step->when);

			if (more == *list)
				continue;
			*list = more;
		}
		left.item[left.count++] = *step;
	}
	return left;
}

static bool implies(const struct check *check, diagram a, diagram b)
{
	return diagram_and(check->diagrams, a,
			   diagram_not(check->diagrams, b)) == DIAGRAM_NO;
}

static bool disjoint(const struct check *check, diagram a, diagram b)
{
	return diagram_and(check->diagrams, a, b) == DIAGRAM_NO;
}

/* D as far as it lasts, if there was no result when it held. */
static diagram without_result(const struct check *check, diagram d)
{
	size_t level = questions_not_returned(check->questions);

	d = diagram_given(check->diagrams, d, level, true);
	return diagram_forget(check->diagrams,
			      diagram_lasting(check->diagrams, d), level);
}

bool subject_ends_watches(const struct subject *subject)
{
	/* the end of a watch is logged (audit_watch_log_rule_change) */
	return subject->self_log && subject->filter != AUDIT_FILTER_URING_EXIT;
}

bool never_together(const struct check *check, const struct subject *subject,
		    diagram a, diagram b)
{
	struct diagrams *d = check->diagrams;
	size_t level = questions_not_returned(check->questions);

	if (!subject_ends_watches(subject))
		return disjoint(check, a, b);
	/* In an earlier walk there was no result yet. In the last one both
	 * see the same, and then not even what lasts goes together. */
	return disjoint(check, a, b) &&
	       disjoint(check, diagram_forget(d, diagram_lasting(d, a), level),
			without_result(check, b));
}

/* Bucket rule J, covered by the bucket rule I before it, with the same result:
 * where J counts, so does I, and it is asked first. Only after the watch was
 * replaced may the order be the other way round: then no rule between may win
 * over I and lose to J. That I's list neighbours see I's position and not J's
 * makes no difference: in such a call the list comes first. */
static bool bucket_covers(const struct check *check, struct steps steps,
			  size_t i, size_t j)
{
	const struct step *a = &steps.item[i], *b = &steps.item[j];

	if (a->kind != STEP_BUCKET || a->result != b->result ||
	    !implies(check, b->when, a->when))
		return false;
	for (size_t k = i + 1; k < j; k++) {
		const struct step *between = &steps.item[k];

		if (between->kind == STEP_BUCKET &&
		    between->result != b->result &&
		    !disjoint(check, between->when, b->when))
			return false;
	}
	return true;
}

/* Bucket rule J, which list rules before it cover: in the call's own walk, and
 * in that of an operation, one of them has matched, and J does not count. When
 * a watch ends J may match before the list is walked: that is undone if one of
 * them is sure to match at the end, and leaves nothing if each that may has a
 * key. No bucket rule stands before them, so that without J none could shut
 * them out. */
static bool lists_cover(const struct check *check,
			const struct subject *subject, struct steps steps,
			size_t j)
{
	struct diagrams *d = check->diagrams;
	diagram all = DIAGRAM_NO, lasting = DIAGRAM_NO;
	diagram when = steps.item[j].when;
	diagram before = without_result(check, when);
	bool watches = subject_ends_watches(subject);

	if (subject->filter == AUDIT_FILTER_URING_EXIT)
		return false;
	for (size_t i = 0; i < j; i++) {
		const struct step *step = &steps.item[i];

		if (step->kind == STEP_BUCKET && watches)
			return false;
		if (step->kind != STEP_LIST)
			continue;
		if (!step->result->key && watches)
			return false;
		all = diagram_or(d, all, step->when);
		if (diagram_lasting(d, step->when) == step->when)
			lasting = diagram_or(d, lasting, step->when);
		if (implies(check, when, all) &&
		    (!watches || implies(check, before, lasting)))
			return true;
	}
	return false;
}

/* Bucket rule J, whose match a bucket rule before it makes with the same result,
 * and which list rules before it cover. Asked in order, it is never reached.
 * Where a replaced watch turned the order round, in a call without a walk before
 * its own, one of the list rules has matched, and J does not count. */
static bool is_doubled(const struct check *check, const struct subject *subject,
		       struct steps steps, size_t j)
{
	diagram when = steps.item[j].when, lists = DIAGRAM_NO;
	bool doubled = false;

	if (subject->operations || subject->filter != AUDIT_FILTER_EXIT)
		return false;
	for (size_t i = 0; i < j; i++) {
		const struct step *step = &steps.item[i];

		if (step->kind == STEP_LIST)
			lists = diagram_or(check->diagrams, lists, step->when);
		else if (step->kind == STEP_BUCKET &&
			 step->result == steps.item[j].result)
			doubled = doubled || implies(check, when, step->when);
	}
	return doubled && implies(check, when, lists);
}

static bool is_covered(const struct check *check, const struct subject *subject,
		       struct steps steps, size_t j)
{
	for (size_t i = 0; i < j; i++)
		if (bucket_covers(check, steps, i, j))
			return true;
	if (is_doubled(check, subject, steps, j))
		return true;
	return lists_cover(check, subject, steps, j);
}

static struct steps drop_covered(struct check *check,
				 const struct subject *subject,
				 struct steps steps)
{
	for (size_t j = 0; j < steps.count;) {
		if (steps.item[j].kind != STEP_BUCKET ||
		    !is_covered(check, subject, steps, j)) {
			j++;
			continue;
		}
		memmove(&steps.item[j], &steps.item[j + 1],
			(steps.count - j - 1) * sizeof(*steps.item));
		steps.count--;
	}
	return steps;
}

/* May bucket rule J be asked where the list of rules united at AT ends? Not
 * over a list rule that could match in the same call. */
static bool may_join(const struct check *check, const struct subject *subject,
		     const struct steps *done, size_t at,
		     const struct step *step)
{
	const struct step *head = &done->item[at];

	if (head->result != step->result || head->watch != step->watch)
		return false;
	for (size_t i = at + 1; i < done->count; i++)
		if (done->item[i].kind != STEP_LIST ||
		    !never_together(check, subject, done->item[i].when,
				    step->when))
			return false;
	/* After a walk before the call's own that one of them won, another one
	 * may win again, which ends the search through the names; united they
	 * would let it go on, to rules before them. */
	for (size_t i = 0; i < at && subject_ends_watches(subject); i++)
		if (done->item[i].kind == STEP_BUCKET &&
		    done->item[i].result != step->result)
			return false;
	return true;
}

/* Neighbouring bucket rules with one result: which of them matches cannot be
 * seen, nor in which order they stand. */
static struct steps unite(struct check *check, const struct subject *subject,
			  struct steps steps)
{
	struct steps done = steps_copy(check, steps);
	size_t last = SIZE_MAX;

	if (subject->operations)
		return done;
	done.count = 0;
	for (size_t i = 0; i < steps.count; i++) {
		const struct step *step = &steps.item[i];

		if (step->kind == STEP_BUCKET && last != SIZE_MAX &&
		    may_join(check, subject, &done, last, step)) {
			done.item[last].when =
				diagram_or(check->diagrams,
					   done.item[last].when, step->when);
			continue;
		}
		if (step->kind == STEP_BUCKET)
			last = done.count;
		done.item[done.count++] = *step;
	}
	return done;
}

struct steps steps_simplify(struct check *check, const struct subject *subject,
			    struct steps steps, int harder)
{
	steps = drop_unreached(check, subject, steps);
	if (harder >= 1)
		steps = drop_covered(check, subject, steps);
	if (harder >= 2)
		steps = unite(check, subject, steps);
	return steps;
}

static const struct step *next_bucket(struct steps steps, size_t *at)
{
	while (*at < steps.count)
		if (steps.item[(*at)++].kind == STEP_BUCKET)
			return &steps.item[*at - 1];
	return NULL;
}

bool step_same_bucket(struct check *check, const struct subject *subject,
		      const struct step *a, const struct step *b)
{
	struct diagrams *d = check->diagrams;
	diagram differ;

	if (a->result != b->result || a->watch != b->watch)
		return false;
	if (a->when == b->when)
		return true;
	differ = diagram_choose(d, a->when, diagram_not(d, b->when), b->when);
	return questions_rule_out(check->questions, d, differ,
				  &subject->facts) == DIAGRAM_NO;
}

bool steps_same_buckets(struct check *check, const struct subject *subject,
			struct steps a, struct steps b)
{
	size_t i = 0, j = 0;

	for (;;) {
		const struct step *x = next_bucket(a, &i);
		const struct step *y = next_bucket(b, &j);

		if (!x || !y)
			return !x && !y;
		if (!step_same_bucket(check, subject, x, y))
			return false;
	}
}
