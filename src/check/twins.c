/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rules for the calls of one ABI whose like for the other ABI is missing or
 * says something else. A call of one ABI is covered in the other if its
 * namesake there is in a rule that asks for no more; whether that rule stands
 * first, logs or excludes does not matter: the admin has thought of it.
 */
#include <libaudit.h>
#include <string.h>
#include <uthash.h>

#include "check/checker.h"

/* Rules of one predicate, with the calls of all of them together. */
struct group {
	const struct predicate *predicate;
	struct syscall_set calls;
	struct group *next; /* with the same anchor */
};

struct anchor {
	uint64_t value;
	struct group *group;
	UT_hash_handle hh;
};

struct twins {
	struct checker *c;
	const struct target *target;
	struct anchor *anchors;
	/* The number of the namesake in the other ABI; -1: none. */
	int16_t namesake[ABI_COUNT][SYSCALL_MASK_CALLS];
	struct syscall_set *calls; /* by position in the set */
	const struct predicate **predicate;
	size_t *partner; /* the rule that was told of beside it; SIZE_MAX */
};

static enum abi other_abi(enum abi abi)
{
	return abi == ABI_NATIVE ? ABI_COMPAT : ABI_NATIVE;
}

static const char *bits_of(const struct twins *t, enum abi abi)
{
	const char *bits = t->target->abi[abi].bits;

	return bits ? bits : t->target->abi[abi].name;
}

static void find_namesakes(struct twins *t)
{
	for (int abi = 0; abi < ABI_COUNT; abi++)
		for (int n = 0; n < SYSCALL_MASK_CALLS; n++) {
			const char *name =
				target_call_name(t->target, (enum abi)abi, n);

			t->namesake[abi][n] =
				(int16_t)(name ? target_call_number(
							 t->target,
							 other_abi(
								 (enum abi)abi),
							 name)
					       : -1);
		}
}

static struct anchor *anchor_of(struct twins *t, uint64_t value)
{
	struct anchor *anchor;

	HASH_FIND(hh, t->anchors, &value, sizeof(value), anchor);
	return anchor;
}

static void remember(struct twins *t, size_t i)
{
	const struct predicate *p = t->predicate[i];
	struct anchor *anchor = anchor_of(t, predicate_anchor(p));
	struct group *group;

	if (!anchor) {
		anchor = arena_alloc(t->c->arena, sizeof(*anchor));
		anchor->value = predicate_anchor(p);
		HASH_ADD(hh, t->anchors, value, sizeof(anchor->value), anchor);
	}
	for (group = anchor->group; group; group = group->next)
		if (predicate_equal(group->predicate, p))
			break;
	if (!group) {
		group = arena_alloc(t->c->arena, sizeof(*group));
		group->predicate = p;
		group->next = anchor->group;
		anchor->group = group;
	}
	syscall_set_unite(&group->calls, &t->calls[i]);
}

/* The search for what covers one rule in the other ABI. */
struct cover {
	struct twins *t;
	const struct predicate *predicate;
	enum abi abi; /* the other one */
	struct syscall_mask left;
};

static void try_anchor(uint64_t value, void *data)
{
	struct cover *cover = data;
	const struct anchor *anchor = anchor_of(cover->t, value);

	for (const struct group *g = anchor ? anchor->group : NULL; g;
	     g = g->next)
		if (syscall_mask_intersects(&cover->left,
					    &g->calls.abi[cover->abi]) &&
		    predicate_implies(cover->predicate, g->predicate))
			syscall_mask_subtract(&cover->left,
					      &g->calls.abi[cover->abi]);
}

/* What is left of WANTED, calls of ABI, once all rules that ask for no more
 * than P have had theirs. */
static struct syscall_mask uncovered(struct twins *t, const struct predicate *p,
				     enum abi abi, struct syscall_mask wanted)
{
	struct cover cover = {t, p, abi, wanted};

	predicate_anchors(p, try_anchor, &cover);
	return cover.left;
}

/* A program has one ABI, and so has what a rule says of one program. A rule
 * over all calls of one ABI means that ABI. */
static bool is_candidate(const struct twins *t, size_t i, enum abi *abi)
{
	const struct rule *rule = t->c->set->rule[i];
	bool arch = false, narrow = false;

	if (t->c->dead[rule->line] || rule->filter != AUDIT_FILTER_EXIT ||
	    rule->mask_classes || rule->action != AUDIT_ALWAYS)
		return false;
	for (unsigned int n = 0; n < rule->tests; n++) {
		enum field_kind kind = rule->test[n].field->kind;

		if (kind == FIELD_EXE)
			return false;
		arch = arch || kind == FIELD_ARCH;
		narrow = narrow || kind == FIELD_PERM || kind == FIELD_PATH ||
			 kind == FIELD_DIR;
	}
	if (!arch)
		return false;
	for (int n = 0; n < ABI_COUNT; n++)
		if (syscall_mask_empty(&t->calls[i].abi[n]))
			*abi = other_abi((enum abi)n);
	if (syscall_mask_empty(&t->calls[i].abi[*abi]) ||
	    !syscall_mask_empty(&t->calls[i].abi[other_abi(*abi)]))
		return false;
	return narrow || *abi == ABI_NATIVE ||
	       syscall_mask_count(&rule->mask) < SYSCALL_MASK_CALLS;
}

/* The namesakes of the rule's calls in the other ABI. */
static struct syscall_mask namesakes(const struct twins *t, size_t i,
				     enum abi abi)
{
	const struct syscall_mask *calls = &t->calls[i].abi[abi];
	struct syscall_mask mask = {{0}};

	for (int n = syscall_mask_next(calls, 0);
	     n >= 0 && n < SYSCALL_MASK_CALLS;
	     n = syscall_mask_next(calls, n + 1))
		if (t->namesake[abi][n] >= 0)
			syscall_mask_add(&mask, t->namesake[abi][n]);
	return mask;
}

/* How far from rule I its partner is looked for, on either side. */
#define PARTNER_NEAR 64

/* The nearest rule for ABI alone with the same key and some of WANTED, which
 * is probably meant to be the like of I; SIZE_MAX: none. */
static size_t find_partner(const struct twins *t, size_t i, enum abi abi,
			   const struct syscall_mask *wanted)
{
	const struct ruleset *set = t->c->set;

	for (size_t away = 1; away <= PARTNER_NEAR; away++)
		for (int side = 0; side < 2; side++) {
			size_t k = side ? i - away : i + away;
			enum abi of;

			if ((side && away > i) || k >= set->count ||
			    !key_same(set->rule[i]->key, set->rule[k]->key) ||
			    !syscall_mask_intersects(wanted,
						     &t->calls[k].abi[abi]))
				continue;
			if (is_candidate(t, k, &of) && of == abi)
				return k;
		}
	return SIZE_MAX;
}

static void tell_missing(struct twins *t, size_t i, enum abi abi,
			 const struct syscall_mask *left)
{
	struct checker *c = t->c;
	const char *bits = bits_of(t, abi), *other = bits_of(t, other_abi(abi));
	struct finding *f = found(
		c, DIAG_WARNING, "missing-abi-twin",
		rule_at(c, c->set->rule[i]->line),
		"the rule is for arch=%s alone, and no rule has the same calls "
		"of arch=%s (%s)",
		bits, other, call_list(c, other_abi(abi), left));

	f->group = other;
	f->d.auditctl = arena_printf(
		c->arena, "a program that makes them as %s calls is not seen",
		t->target->abi[other_abi(abi)].name);
	f->d.advice = arena_printf(
		c->arena, "add the same rule with arch=%s%s", other,
		other_abi(abi) == ABI_COMPAT
			? ", or one rule that logs all its calls (-F arch=b32 "
			  "-S all); --abi=native says that no such program "
			  "runs there"
			: "");
}

static void tell_differs(struct twins *t, size_t i, size_t k, enum abi abi,
			 const struct syscall_mask *left)
{
	struct checker *c = t->c;
	const char *bits = bits_of(t, abi), *other = bits_of(t, other_abi(abi));
	bool calls = predicate_implies(t->predicate[i], t->predicate[k]);
	struct finding *f;

	if (calls)
		f = found(c, DIAG_WARNING, "abi-twin-differs",
			  rule_at(c, c->set->rule[k]->line),
			  "the rule for arch=%s lacks calls that its like for "
			  "arch=%s has: %s",
			  other, bits, call_list(c, other_abi(abi), left));
	else
		f = found(c, DIAG_WARNING, "abi-twin-differs",
			  rule_at(c, c->set->rule[k]->line),
			  "the rule for arch=%s asks for other conditions than "
			  "its like for arch=%s",
			  other, bits);
	f->d.advice = "let both rules ask for the same, but for arch";
	f->d.other = rule_at(c, c->set->rule[i]->line);
	f->d.other_what = arena_printf(c->arena, "the one for arch=%s", bits);
}

static void look_at(struct twins *t, size_t i)
{
	struct syscall_mask wanted, left;
	enum abi abi = ABI_NATIVE;
	size_t partner;

	if (!is_candidate(t, i, &abi))
		return;
	wanted = namesakes(t, i, abi);
	left = uncovered(t, t->predicate[i], other_abi(abi), wanted);
	if (syscall_mask_empty(&left))
		return;
	partner = find_partner(t, i, other_abi(abi), &wanted);
	if (partner == SIZE_MAX) {
		tell_missing(t, i, abi, &left);
		return;
	}
	if (t->partner[partner] == i)
		return;
	t->partner[i] = partner;
	tell_differs(t, i, partner, abi, &left);
}

/* What i386 programs call instead of the oldest calls: newer calls for wider
 * ids, sizes and times, which have names of their own there. */
static int variant_of(const struct twins *t, int number, unsigned int i)
{
	static const char *const ends[] = {"32", "64", "_time64"};
	const char *name = target_call_name(t->target, ABI_COMPAT, number);
	int variant;

	if (!name || i >= sizeof(ends) / sizeof(ends[0]))
		return -1;
	variant = target_call_number(
		t->target, ABI_COMPAT,
		arena_printf(t->c->arena, "%s%s", name, ends[i]));
	/* With a name that the native ABI has, too, it is another call. */
	return variant >= 0 && t->namesake[ABI_COMPAT][variant] < 0 ? variant
								    : -1;
}

static void find_variants(const struct twins *t, int *variants)
{
	for (int n = 0; n < SYSCALL_MASK_CALLS; n++)
		for (unsigned int i = 0; i < 3; i++)
			variants[3 * n + (int)i] = variant_of(t, n, i);
}

static void look_at_variants(struct twins *t, size_t i, const int *variants)
{
	const struct rule *rule = t->c->set->rule[i];
	const struct syscall_mask *calls = &t->calls[i].abi[ABI_COMPAT];
	struct syscall_mask wanted = {{0}}, left;
	struct finding *f;
	enum abi abi = ABI_NATIVE;

	/* which calls a permission brings is told by the front end */
	if (rule_test_of(rule, FIELD_PERM) || !is_candidate(t, i, &abi) ||
	    abi != ABI_COMPAT)
		return;
	for (int n = syscall_mask_next(calls, 0);
	     n >= 0 && n < SYSCALL_MASK_CALLS;
	     n = syscall_mask_next(calls, n + 1))
		for (int v = 0; v < 3; v++)
			syscall_mask_add(&wanted, variants[3 * n + v]);
	left = uncovered(t, t->predicate[i], ABI_COMPAT, wanted);
	if (syscall_mask_empty(&left))
		return;
	f = found(t->c, DIAG_NOTE, "abi-variant-missing",
		  rule_at(t->c, rule->line),
		  "32-bit programs make these calls by other names, too, which "
		  "no rule has: %s",
		  call_list(t->c, ABI_COMPAT, &left));
	f->group = "variants";
	f->d.auditctl = "the C library of i386 calls these, not the old ones "
			"with 16-bit ids or 32-bit sizes";
	f->d.advice = "add them to the calls of the rule for arch=b32";
}

void check_twins(struct checker *c)
{
	const struct ruleset *set = c->set;
	struct twins *t = arena_alloc(c->arena, sizeof(*t));
	int *variants;

	t->c = c;
	t->target = c->subject->target;
	if (!target_has_abi(t->target, ABI_COMPAT))
		return;
	find_namesakes(t);
	t->calls = arena_array(c->arena, set->count, sizeof(*t->calls));
	t->predicate = arena_array(c->arena, set->count, sizeof(*t->predicate));
	t->partner = arena_array(c->arena, set->count, sizeof(*t->partner));
	for (size_t i = 0; i < set->count; i++) {
		checking(c, i);
		t->calls[i] = rule_calls(t->target, set->rule[i]);
		t->predicate[i] = predicate_of(c->arena, set->rule[i]);
		t->partner[i] = SIZE_MAX;
		if (set->rule[i]->filter == AUDIT_FILTER_EXIT)
			remember(t, i);
	}
	for (size_t i = 0; i < set->count; i++) {
		checking(c, i);
		look_at(t, i);
	}
	if (t->target->abi[ABI_COMPAT].machine == MACH_X86) {
		variants = arena_array(c->arena, 3 * SYSCALL_MASK_CALLS,
				       sizeof(*variants));
		find_variants(t, variants);
		for (size_t i = 0; i < set->count; i++) {
			checking(c, i);
			look_at_variants(t, i, variants);
		}
	}
	HASH_CLEAR(hh, t->anchors);
}
