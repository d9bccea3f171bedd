/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A rule that says the same as an earlier one, with the same outcome, is
 * dropped.
 *
 * Why that changes nothing:
 * - A rule that audit_compare_rule() finds equal, in any filter: the kernel
 *   refuses it (EEXIST) unless it came with -A, and in every filter's walk the
 *   first of the two ends what the second could have ended.
 * - In the exit and io_uring lists the walk stops at the first match. Whatever
 *   the second of the two matches, the first does, and it has the greater prio:
 *   if it is shut out by an earlier walk, so is the second.
 * - In an inode bucket the order of the two is not for ever:
 *   audit_update_watch() puts the rules of a replaced file back one by one at
 *   the head of a bucket, which turns their order round. So the outcome must
 *   be the same, and no rule with another outcome may stand between them that
 *   could win against the one and lose to the other (facts_clear_between).
 *
 * "The same" is the same filter and place, the same mask, tests that demand
 * the same in whatever order, and the same ABIs let through (facts_drop sees to
 * what else an arch test is good for). A different key is a different outcome:
 * such a rule is a shadowed one.
 */
#include "optimize/facts.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#define BECAUSE "dropped: the earlier rule says the same"

/* A hash table of rules by what makes two of them candidates. */
struct seen {
	unsigned char key[32];
	size_t rule;
	struct seen *earlier; /* the same key */
	UT_hash_handle hh;
};

/* Rules with one key that are tried; the rest would be unusual. */
#define TRIED_AT_MOST 16

static uint64_t hash_bytes(uint64_t hash, const void *data, size_t size)
{
	const unsigned char *byte = data;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
	return hash;
}

static uint64_t hash_mask(const struct rule *rule)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (unsigned int i = 0; i < SYSCALL_MASK_WORDS; i++) {
		hash = (hash ^ rule->mask.word[i]) *
		       UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 29;
	}
	return hash;
}

/* Equal for rules that rule_same_to_kernel() finds equal. */
static uint64_t hash_rule(const struct rule *rule)
{
	uint64_t hash = hash_mask(rule);

	for (unsigned int i = 0; i < rule->tests; i++)
		if (rule->test[i].string)
			hash = hash_bytes(hash, rule->test[i].string,
					  strlen(rule->test[i].string));
	if (rule->key)
		hash = hash_bytes(hash, rule->key, strlen(rule->key));
	return hash_bytes(hash, &rule->tests, sizeof(rule->tests));
}

static void wire_key(const struct rule *rule, unsigned char *key)
{
	uint64_t part[4] = {hash_rule(rule), rule->filter, rule->action, 0};

	memcpy(key, part, sizeof(part));
}

static void meaning_key(const struct facts *facts, size_t i, unsigned char *key)
{
	const struct fact *fact = &facts->item[i];
	const struct rule *rule = facts->set->rule[i];
	uint64_t part[4] = {hash_mask(rule),
			    (uint64_t)rule->filter << 32 | fact->predicate_id,
			    fact->outcome_id,
			    UINT64_C(1) << 63 | (uint64_t)fact->role << 8 |
				    fact->arches};

	memcpy(key, part, sizeof(part));
}

static struct seen *find(struct seen *table, const unsigned char *key)
{
	struct seen *seen;

	HASH_FIND(hh, table, key, sizeof(seen->key), seen);
	return seen;
}

static void remember(struct facts *facts, struct seen **table,
		     const unsigned char *key, size_t i)
{
	struct seen *seen = arena_alloc(facts->scratch, sizeof(*seen));
	struct seen *head = find(*table, key);

	memcpy(seen->key, key, sizeof(seen->key));
	seen->rule = i;
	if (head) {
		seen->earlier = head->earlier;
		head->earlier = seen;
	} else {
		HASH_ADD(hh, *table, key, sizeof(seen->key), seen);
	}
}

static bool drop(struct facts *facts, size_t i, size_t j)
{
	struct rule *rule = facts->set->rule[i];
	struct change change = {.pass = pass_duplicates.name,
				.because = origin_first(rule->origin),
				.text = BECAUSE};

	if (!facts_drop(facts, j, i, change))
		return false;
	rule->origin = origin_unite(facts->set->arena, rule->origin,
				    facts->set->rule[j]->origin);
	return true;
}

/* Does I, found under the same key of meaning, make J superfluous? */
static bool same_meaning(const struct facts *facts, size_t i, size_t j)
{
	if (!syscall_mask_equal(&facts->set->rule[i]->mask,
				&facts->set->rule[j]->mask))
		return false;
	return facts->item[j].role == ROLE_LIST ||
	       facts_clear_between(facts, i, j);
}

static bool drop_like_earlier(struct facts *facts, struct seen *seen, size_t j,
			      bool wire)
{
	for (int tried = 0; seen && tried < TRIED_AT_MOST;
	     seen = seen->earlier, tried++) {
		size_t i = seen->rule;

		if (wire ? rule_same_to_kernel(facts->set->rule[i],
					       facts->set->rule[j])
			 : same_meaning(facts, i, j))
			return drop(facts, i, j);
	}
	return false;
}

static void look_at(struct facts *facts, struct seen **table, size_t j)
{
	enum role role = facts->item[j].role;
	unsigned char key[sizeof((*table)->key)];

	wire_key(facts->set->rule[j], key);
	if (drop_like_earlier(facts, find(*table, key), j, true))
		return;
	remember(facts, table, key, j);
	if ((role != ROLE_LIST && role != ROLE_BUCKET) ||
	    facts->set->rule[j]->kept)
		return;
	meaning_key(facts, j, key);
	if (drop_like_earlier(facts, find(*table, key), j, false))
		return;
	remember(facts, table, key, j);
}

static void run(struct ruleset *set, struct pass_context *context)
{
	struct facts *facts = facts_begin(set, context);
	struct seen *table = NULL;

	for (size_t j = 0; j < set->count; j++)
		look_at(facts, &table, j);
	HASH_CLEAR(hh, table);
	facts_end(facts);
}

const struct pass pass_duplicates = {
	.name = "duplicates",
	.purpose = "drops rules that say the same as an earlier one",
	.level = 0,
	.keeps_text = true,
	.run = run,
};
