/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The classes are found by partition refinement: all pairs start in one class,
 * and each set of calls that a rule has cuts every class that lies partly in
 * it. Most rules of a large rule set share their sets with others, so each set
 * is used once.
 */
#include "model/call_class.h"

#include <libaudit.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#define PAIRS (ABI_COUNT * SYSCALL_MASK_CALLS)
#define NO_CLASS UINT16_MAX

/* A set of calls that some rule enters or can match. */
struct known_set {
	struct syscall_set set; /* the key */
	const uint16_t *cls;	/* the classes in it, once they are final */
	size_t classes;
	UT_hash_handle hh;
};

struct partition {
	uint16_t class_of[PAIRS]; /* NO_CLASS: the target has no such pair */
	unsigned int size[PAIRS]; /* of each class */
	unsigned int count;
	/* While one set is looked at, for each class: how much of it is in the
	 * set, and what the part in the set is called from now on. */
	unsigned int hits[PAIRS];
	uint16_t renamed[PAIRS];
};

static int pair_of(int abi, int number)
{
	return abi * SYSCALL_MASK_CALLS + number;
}

static bool filter_has_abi(const struct target *target, uint32_t filter,
			   int abi)
{
	return abi == ABI_NATIVE || (filter != AUDIT_FILTER_URING_EXIT &&
				     target_has_abi(target, (enum abi)abi));
}

static struct partition *whole(struct arena *arena, const struct target *target,
			       uint32_t filter)
{
	struct partition *p = arena_alloc(arena, sizeof(*p));

	p->count = 1;
	for (int abi = 0; abi < ABI_COUNT; abi++) {
		bool has = filter_has_abi(target, filter, abi);

		for (int n = 0; n < SYSCALL_MASK_CALLS; n++)
			p->class_of[pair_of(abi, n)] = has ? 0 : NO_CLASS;
		p->size[0] += has ? SYSCALL_MASK_CALLS : 0;
	}
	return p;
}

/* The pairs of SET, one after another: PAIR is -1 before the first. Returns -1
 * after the last. Numbers that are in no class are passed over. */
static int next_pair(const struct partition *p, const struct syscall_set *set,
		     int pair)
{
	int abi = ++pair / SYSCALL_MASK_CALLS;
	int number = pair % SYSCALL_MASK_CALLS;

	for (; abi < ABI_COUNT; abi++, number = 0) {
		number = syscall_mask_next(&set->abi[abi], number);
		if (number < 0 || number >= SYSCALL_MASK_CALLS ||
		    p->class_of[pair_of(abi, number)] == NO_CLASS)
			continue;
		return pair_of(abi, number);
	}
	return -1;
}

static void count_hits(struct partition *p, const struct syscall_set *set)
{
	memset(p->hits, 0, p->count * sizeof(p->hits[0]));
	for (int i = -1; (i = next_pair(p, set, i)) >= 0;)
		p->hits[p->class_of[i]]++;
}

/* Cuts the classes that lie partly in SET. */
static void refine(struct partition *p, const struct syscall_set *set)
{
	unsigned int before = p->count;

	count_hits(p, set);
	for (unsigned int c = 0; c < before; c++) {
		p->renamed[c] = (uint16_t)c;
		if (!p->hits[c] || p->hits[c] == p->size[c])
			continue;
		p->renamed[c] = (uint16_t)p->count;
		p->size[p->count++] = p->hits[c];
		p->size[c] -= p->hits[c];
	}
	if (p->count == before)
		return;
	for (int i = -1; (i = next_pair(p, set, i)) >= 0;)
		p->class_of[i] = p->renamed[p->class_of[i]];
}

/* Renumbers the classes by their lowest pair. */
static void number_in_order(struct partition *p)
{
	unsigned int next = 0;

	memset(p->renamed, 0xff, p->count * sizeof(p->renamed[0]));
	for (int i = 0; i < PAIRS; i++) {
		uint16_t c = p->class_of[i];

		if (c == NO_CLASS)
			continue;
		if (p->renamed[c] == NO_CLASS)
			p->renamed[c] = (uint16_t)next++;
		p->class_of[i] = p->renamed[c];
	}
}

static struct known_set *know(struct arena *arena, struct known_set **known,
			      const struct syscall_set *set, bool *is_new)
{
	struct known_set *k;

	HASH_FIND(hh, *known, set, sizeof(*set), k);
	*is_new = !k;
	if (k)
		return k;
	k = arena_alloc(arena, sizeof(*k));
	k->set = *set;
	HASH_ADD(hh, *known, set, sizeof(k->set), k);
	return k;
}

static void refine_by(struct arena *arena, struct partition *p,
		      struct known_set **known, const struct syscall_set *set,
		      struct known_set **where)
{
	bool is_new;

	*where = know(arena, known, set, &is_new);
	if (is_new)
		refine(p, set);
}

/* The classes that lie in K, each being wholly in it or not at all. */
static void list_classes(struct arena *arena, struct partition *p,
			 struct known_set *k)
{
	uint16_t *cls;

	count_hits(p, &k->set);
	for (unsigned int c = 0; c < p->count; c++)
		k->classes += p->hits[c] != 0;
	cls = arena_array(arena, k->classes, sizeof(*cls));
	k->cls = cls;
	for (unsigned int c = 0; c < p->count; c++)
		if (p->hits[c])
			*cls++ = (uint16_t)c;
}

static struct call_classes make_classes(struct arena *arena,
					const struct partition *p)
{
	struct call_classes classes = {.count = p->count};

	classes.item = arena_array(arena, p->count, sizeof(*classes.item));
	for (int i = 0; i < PAIRS; i++)
		if (p->class_of[i] != NO_CLASS)
			syscall_mask_add(
				&classes.item[p->class_of[i]]
					 .calls.abi[i / SYSCALL_MASK_CALLS],
				i % SYSCALL_MASK_CALLS);
	return classes;
}

/* ENTERED: for each rule of the set what it enters, NULL: another filter. */
static void list_rules(struct arena *arena, struct call_classes *classes,
		       struct known_set *const *entered, size_t rules)
{
	size_t **end = arena_array(arena, classes->count, sizeof(*end));

	for (size_t r = 0; r < rules; r++)
		for (size_t i = 0; entered[r] && i < entered[r]->classes; i++)
			classes->item[entered[r]->cls[i]].rules++;
	for (size_t c = 0; c < classes->count; c++) {
		end[c] = arena_array(arena, classes->item[c].rules,
				     sizeof(**end));
		classes->item[c].rule = end[c];
	}
	for (size_t r = 0; r < rules; r++)
		for (size_t i = 0; entered[r] && i < entered[r]->classes; i++)
			*end[entered[r]->cls[i]]++ = r;
}

struct call_classes call_classes_of(struct arena *arena,
				    const struct ruleset *set, uint32_t filter)
{
	struct arena *work = arena_new();
	struct partition *p = whole(work, set->target, filter);
	struct known_set **entered =
		arena_array(work, set->count, sizeof(struct known_set *));
	struct known_set *known = NULL, *k, *next;
	struct call_classes classes;

	for (size_t r = 0; r < set->count; r++) {
		struct syscall_set enters, matches;
		struct known_set *unused;

		if (set->rule[r]->filter != filter)
			continue;
		enters = rule_entered(set->target, set->rule[r]);
		matches = rule_calls(set->target, set->rule[r]);
		refine_by(work, p, &known, &enters, &entered[r]);
		refine_by(work, p, &known, &matches, &unused);
	}
	number_in_order(p);
	HASH_ITER(hh, known, k, next)
	list_classes(work, p, k);
	classes = make_classes(arena, p);
	list_rules(arena, &classes, entered, set->count);
	HASH_CLEAR(hh, known);
	arena_free(work);
	return classes;
}
