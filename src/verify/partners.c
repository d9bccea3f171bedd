/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which rule of the one list is which of the other: the same, or one that was
 * made of several. Where to look is told by the input lines that a rule says it
 * stands for, and by values that both rules ask for; whether it is true, by
 * their diagrams.
 */
#include "verify/pairing.h"

#include <string.h>

/* How many rules are tried for one that has no equal. */
#define TRIED_AT_MOST 64

/* Rules under one value that they ask for, or under one input line. */
struct known_value {
	uint64_t value;
	size_t uses;
	struct member *first, **end;
	UT_hash_handle hh;
};

struct member {
	struct listed *listed;
	struct member *next;
};

struct list_index {
	struct known_value *values; /* each rule under its rarest value ... */
	struct known_value *lines;  /* ... and under all its lines */
	struct known_value none;    /* rules without a value */
};

static bool any_borrows(const struct subject *subject)
{
	for (int side = BEFORE; side < SIDES; side++)
		for (size_t i = 0; i < subject->steps[side].count; i++) {
			const struct step *step = &subject->steps[side].item[i];

			if (step->kind == STEP_BUCKET && !step->result->key &&
			    step->result->verdict == VERDICT_RECORD)
				return true;
		}
	return false;
}

/* What can be seen of it: the key of a never rule only if a bucket rule without
 * one could inherit it. */
static const struct result *
seen_result(const struct pairing *p, const struct result *result, bool borrowed)
{
	static const struct result never = {.verdict = VERDICT_NEVER};

	if (result->verdict != VERDICT_NEVER || (borrowed && result->key))
		return result;
	return subject_hides_never(p->check, p->subject) ? NULL : &never;
}

void pairing_list(struct pairing *p, enum side side)
{
	struct list *list = &p->list[side];
	struct steps steps = p->subject->steps[side];
	bool borrowed = any_borrows(p->subject);

	list->item = arena_array(p->check->scratch, steps.count,
				 sizeof(*list->item));
	for (size_t i = 0; i < steps.count; i++) {
		const struct step *step = &steps.item[i];
		struct listed *same, *listed = &list->item[list->count];

		if (step->kind == STEP_BUCKET || step->when == DIAGRAM_NO)
			continue;
		HASH_FIND(hh, list->by_when, &step->when, sizeof(step->when),
			  same);
		if (same)
			continue;
		*listed = (struct listed){
			.when = step->when,
			.result = seen_result(p, step->result, borrowed),
			.rule = step->rule,
			.place = i,
			.partner = NO_PARTNER,
			.behind = NO_PARTNER,
			.parts = DIAGRAM_NO};
		HASH_ADD(hh, list->by_when, when, sizeof(listed->when), listed);
		list->count++;
	}
}

static void free_values(struct known_value **table)
{
	HASH_CLEAR(hh, *table);
}

void pairing_free(struct pairing *p)
{
	for (int side = BEFORE; side < SIDES; side++) {
		struct list *list = &p->list[side];

		HASH_CLEAR(hh, list->by_when);
		if (!list->index)
			continue;
		free_values(&list->index->values);
		free_values(&list->index->lines);
	}
}

/* Does it demand one value, so that a rule that it follows from demands the
 * same one? */
static bool is_exact(const struct field_test *test)
{
	return test->op == OP_EQ && test->field->kind != FIELD_ARCH &&
	       test->field->kind != FIELD_PERM;
}

static uint64_t value_of(const struct field_test *test)
{
	uint64_t hash = test->field->number * UINT64_C(0x9e3779b97f4a7c15);

	if (!test->string)
		return (hash ^ test->value) * UINT64_C(0xbf58476d1ce4e5b9);
	for (const char *c = test->string; *c; c++)
		hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
	return hash;
}

static struct known_value *find_value(struct known_value *table, uint64_t value)
{
	struct known_value *known;

	HASH_FIND(hh, table, &value, sizeof(value), known);
	return known;
}

static struct known_value *
know_value(struct arena *arena, struct known_value **table, uint64_t value)
{
	struct known_value *known = find_value(*table, value);

	if (!known) {
		known = arena_alloc(arena, sizeof(*known));
		known->value = value;
		HASH_ADD(hh, *table, value, sizeof(known->value), known);
	}
	known->uses++;
	return known;
}

static void add_member(struct arena *arena, struct known_value *known,
		       struct listed *listed)
{
	struct member *member = arena_alloc(arena, sizeof(*member));

	member->listed = listed;
	if (!known->end)
		known->end = &known->first;
	*known->end = member;
	known->end = &member->next;
}

static struct known_value *rarest_value(struct list_index *index,
					const struct rule *rule)
{
	struct known_value *best = NULL;

	for (unsigned int i = 0; i < rule->tests; i++) {
		struct known_value *known;

		if (!is_exact(&rule->test[i]))
			continue;
		known = find_value(index->values, value_of(&rule->test[i]));
		if (!best || known->uses < best->uses)
			best = known;
	}
	return best ? best : &index->none;
}

static struct list_index *index_of(struct pairing *p, enum side side)
{
	struct list *list = &p->list[side];
	struct arena *arena = p->check->scratch;
	struct list_index *index = list->index;

	if (index)
		return index;
	list->index = index = arena_alloc(arena, sizeof(*index));
	for (size_t i = 0; i < list->count; i++) {
		const struct rule *rule = list->item[i].rule;

		for (unsigned int t = 0; t < rule->tests; t++)
			if (is_exact(&rule->test[t]))
				know_value(arena, &index->values,
					   value_of(&rule->test[t]));
		for (size_t l = 0; l < rule->origin.count; l++)
			add_member(arena,
				   know_value(arena, &index->lines,
					      rule->origin.line[l]),
				   &list->item[i]);
	}
	for (size_t i = 0; i < list->count; i++)
		add_member(arena, rarest_value(index, list->item[i].rule),
			   &list->item[i]);
	return index;
}

/* Does A hold only where B does? */
static bool implies(const struct pairing *p, diagram a, diagram b)
{
	struct diagrams *d = p->check->diagrams;

	return diagram_and(d, a, diagram_not(d, b)) == DIAGRAM_NO;
}

/* Calls VISIT with rules that LISTED could follow from, of a list, until it
 * returns true. */
static bool try_values(struct list_index *index, struct listed *listed,
		       bool (*visit)(struct pairing *p, struct listed *listed,
				     struct listed *other),
		       struct pairing *p)
{
	const struct rule *rule = listed->rule;
	size_t tried = 0;

	for (unsigned int i = 0; i <= rule->tests; i++) {
		const struct known_value *known = &index->none;

		if (i < rule->tests)
			known = is_exact(&rule->test[i])
					? find_value(index->values,
						     value_of(&rule->test[i]))
					: NULL;
		for (const struct member *m = known ? known->first : NULL; m;
		     m = m->next)
			if (++tried > TRIED_AT_MOST)
				return false;
			else if (visit(p, listed, m->listed))
				return true;
	}
	return false;
}

static bool covers(struct pairing *p, struct listed *listed,
		   struct listed *other)
{
	return other->place < listed->place &&
	       implies(p, listed->when, other->when);
}

bool pairing_covers(struct pairing *p, enum side side, size_t place,
		    const struct listed *a, const struct listed *b,
		    diagram both)
{
	struct list_index *index = index_of(p, side);
	struct listed of_a = {.when = both, .place = place, .rule = a->rule};
	struct listed of_b = {.when = both, .place = place, .rule = b->rule};

	return try_values(index, &of_a, covers, p) ||
	       try_values(index, &of_b, covers, p);
}

/* Of the other list: what its parts match does, and all of them come first. */
static bool parts_cover(struct pairing *p, struct listed *listed,
			struct listed *other)
{
	return other->parts != DIAGRAM_NO && other->last_part < listed->place &&
	       implies(p, listed->when, other->parts);
}

static void make_partner(struct pairing *p, struct listed *listed,
			 struct listed *other)
{
	listed->partner = other->place;
	other->parts =
		diagram_or(p->check->diagrams, other->parts, listed->when);
	if (listed->place > other->last_part)
		other->last_part = listed->place;
}

static bool may_be_part(struct pairing *p, struct listed *listed,
			struct listed *other)
{
	if (listed->result != other->result || !listed->result ||
	    !implies(p, listed->when, other->when))
		return false;
	make_partner(p, listed, other);
	return true;
}

/* Of the other list: a rule behind which LISTED would change nothing there. */
static bool is_copy(struct pairing *p, struct listed *listed,
		    struct listed *other)
{
	if (listed->result != other->result ||
	    !implies(p, listed->when, other->when))
		return false;
	listed->behind = other->place;
	return true;
}

/* A rule that says it stands for the lines of LISTED, or some other. */
static bool find_partner(struct pairing *p, struct listed *listed)
{
	struct list_index *index = index_of(p, AFTER);
	struct origin origin = listed->rule->origin;
	size_t tried = 0;

	for (size_t l = 0; l < origin.count; l++) {
		const struct known_value *known =
			find_value(index->lines, origin.line[l]);

		for (const struct member *m = known ? known->first : NULL; m;
		     m = m->next)
			if (++tried > TRIED_AT_MOST)
				return false;
			else if (may_be_part(p, listed, m->listed))
				return true;
	}
	return try_values(index, listed, may_be_part, p);
}

static void match_equals(struct pairing *p)
{
	struct list *list = &p->list[BEFORE];

	for (size_t i = 0; i < list->count; i++) {
		struct listed *listed = &list->item[i], *other;

		HASH_FIND(hh, p->list[AFTER].by_when, &listed->when,
			  sizeof(listed->when), other);
		if (other && other->result == listed->result)
			make_partner(p, listed, other);
	}
}

static bool is_covered(struct pairing *p, enum side side, struct listed *listed)
{
	return try_values(index_of(p, side), listed, covers, p);
}

/* What is left of the one list; NEXT_END: the end of the other one. */
static bool find_rest(struct pairing *p, size_t end)
{
	struct list *list = &p->list[BEFORE];

	for (size_t i = 0; i < list->count; i++) {
		struct listed *listed = &list->item[i];

		if (listed->partner != NO_PARTNER)
			continue;
		if (!listed->result)
			listed->partner = end + i;
		else if (!is_covered(p, BEFORE, listed))
			find_partner(p, listed);
		else
			listed->covered = true;
	}
	/* which parts there are is known only now */
	for (size_t i = 0; i < list->count; i++) {
		struct listed *listed = &list->item[i];

		if (listed->partner == NO_PARTNER && !listed->covered &&
		    !try_values(index_of(p, AFTER), listed, parts_cover, p))
			return false;
		listed->covered = listed->partner == NO_PARTNER;
	}
	return true;
}

bool pairing_find(struct pairing *p)
{
	struct list *after = &p->list[AFTER];

	match_equals(p);
	if (!find_rest(p, p->subject->steps[AFTER].count))
		return false;
	for (size_t i = 0; i < after->count; i++) {
		struct listed *listed = &after->item[i];

		if (listed->parts == listed->when)
			continue;
		if (listed->parts != DIAGRAM_NO)
			return false;
		if (!listed->result)
			listed->behind = p->subject->steps[BEFORE].count;
		else if (!is_covered(p, AFTER, listed) &&
			 !try_values(index_of(p, BEFORE), listed, is_copy, p))
			return false;
	}
	return true;
}
