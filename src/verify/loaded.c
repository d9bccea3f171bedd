/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "verify/loaded.h"

#include <libaudit.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "verify/tagged.h"

struct known_rule {
	uint64_t hash;
	const struct rule *rule;
	struct known_rule *same_hash;
	UT_hash_handle hh;
};

static uint64_t add_bytes(uint64_t hash, const void *data, size_t size)
{
	const unsigned char *byte = data;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
	return hash;
}

static bool is_place(const struct field_test *test)
{
	return test->field->kind == FIELD_PATH ||
	       test->field->kind == FIELD_DIR;
}

/* auid=-1 and its other form are compared as what the kernel makes of them. */
static bool is_auid_set(const struct field_test *test)
{
	return test->field->kind == FIELD_LOGINUID_SET ||
	       (test->field->number == AUDIT_LOGINUID &&
		test->value == UINT32_MAX);
}

static uint64_t add_value(uint64_t hash, const struct field_test *test)
{
	hash = add_bytes(hash, &test->field->number,
			 sizeof(test->field->number));
	hash = add_bytes(hash, &test->op, sizeof(test->op));
	return add_bytes(hash, &test->value, sizeof(test->value));
}

uint64_t loaded_hash(const struct rule *rule, bool with_mask)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	hash = add_bytes(hash, &rule->filter, sizeof(rule->filter));
	if (with_mask)
		hash = add_bytes(hash, &rule->mask, sizeof(rule->mask));
	hash = add_bytes(hash, &rule->tests, sizeof(rule->tests));
	if (rule->key)
		hash = add_bytes(hash, rule->key, strlen(rule->key));
	for (unsigned int i = 0; i < rule->tests; i++) {
		const struct field_test *test = &rule->test[i];

		if (test->string)
			hash = add_bytes(hash, test->string,
					 strlen(test->string));
		else if (!is_auid_set(test))
			hash = add_value(hash, test);
	}
	return hash;
}

/* The table's rules with the hash of RULE, which is added. */
static const struct known_rule *remember(struct arena *arena,
					 struct known_rule **table,
					 const struct rule *rule)
{
	struct known_rule *known = arena_alloc(arena, sizeof(*known)), *head;

	known->hash = loaded_hash(rule, true);
	known->rule = rule;
	HASH_FIND(hh, *table, &known->hash, sizeof(known->hash), head);
	if (!head) {
		HASH_ADD(hh, *table, hash, sizeof(known->hash), known);
		return NULL;
	}
	known->same_hash = head->same_hash;
	head->same_hash = known;
	return head;
}

const struct ruleset *loaded_of(struct arena *arena, const struct ruleset *set)
{
	struct ruleset *loaded = ruleset_new(arena, set->target);
	struct known_rule *table = NULL;

	for (size_t i = 0; i < set->count; i++) {
		struct rule *rule = set->rule[i];
		const struct known_rule *known = remember(arena, &table, rule);

		while (known && (known->rule == rule ||
				 !rule_same_to_kernel(known->rule, rule)))
			known = known->same_hash;
		if (!known)
			ruleset_insert(loaded, loaded->count, rule);
	}
	HASH_CLEAR(hh, table);
	return loaded;
}

/* May they be one to the kernel, whatever is said of the watch? */
static bool alike(struct arena *arena, const struct rule *a,
		  const struct rule *b)
{
	struct rule *settled = rule_copy(arena, b);
	struct field_test *test =
		arena_copy(arena, b->test, b->tests * sizeof(*test));

	if (a->tests != b->tests)
		return false;
	for (unsigned int i = 0; i < b->tests; i++)
		if (is_place(&test[i]) && is_place(&a->test[i]))
			test[i].field = a->test[i].field;
	settled->test = test;
	settled->unsettled = a->unsettled;
	return rule_same_to_kernel(a, settled);
}

bool loaded_may_refuse(struct arena *arena, const struct ruleset *set)
{
	struct known_rule *table = NULL;
	bool may = false;

	for (size_t i = 0; i < set->count && !may; i++) {
		const struct rule *rule = set->rule[i];
		const struct known_rule *known = remember(arena, &table, rule);

		for (; known && !may; known = known->same_hash)
			may = known->rule->unsettled != rule->unsettled &&
			      alike(arena, known->rule, rule);
	}
	HASH_CLEAR(hh, table);
	return may;
}

static unsigned int last_epoch(const struct ruleset *set)
{
	unsigned int last = 0;

	for (size_t i = 0; i < set->count; i++)
		if (set->rule[i]->epoch > last)
			last = set->rule[i]->epoch;
	return last;
}

/* Is TREE made at the same place? One that no -q of BEFORE's rules comes after
 * may be gone. */
static bool tree_is_same(const struct ruleset *before,
			 const struct ruleset *after, const char *tree,
			 unsigned int last)
{
	unsigned int then = tagged_tree_epoch(before, tree);
	unsigned int now = tagged_tree_epoch(after, tree);

	return now == then || (now == UINT_MAX && then >= last);
}

bool loaded_same_trees(const struct ruleset *before,
		       const struct ruleset *after)
{
	unsigned int last = last_epoch(before);

	for (size_t i = 0; (last || last_epoch(after)) && i < before->count;
	     i++) {
		const struct rule *rule = before->rule[i];

		for (unsigned int j = 0; j < rule->tests; j++)
			if (tagged_is_tree(rule, &rule->test[j]) &&
			    !tree_is_same(before, after, rule->test[j].string,
					  last))
				return false;
	}
	return true;
}

static bool is_among(const char *const *list, size_t count, const char *string)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i], string) == 0)
			return true;
	return false;
}

static struct rule *settle(struct arena *arena, struct rule *rule,
			   const char *const *tree, size_t trees)
{
	struct rule *settled = rule_copy(arena, rule);
	struct field_test *test =
		arena_copy(arena, rule->test, rule->tests * sizeof(*test));

	for (unsigned int i = 0; i < rule->tests; i++)
		if (is_place(&test[i]))
			test[i].field = field_by_number(
				is_among(tree, trees, test[i].string)
					? AUDIT_DIR
					: AUDIT_WATCH);
	settled->test = test;
	settled->unsettled = false;
	return settled;
}

const struct ruleset *loaded_settled(struct arena *arena,
				     const struct ruleset *set,
				     const char *const *tree, size_t trees)
{
	struct ruleset *settled = ruleset_new(arena, set->target);

	for (size_t i = 0; i < set->count; i++) {
		struct rule *rule = set->rule[i];

		if (rule->unsettled)
			rule = settle(arena, rule, tree, trees);
		ruleset_insert(settled, settled->count, rule);
	}
	return loaded_of(arena, settled);
}
