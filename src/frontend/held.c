/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "frontend/held.h"

#include <uthash.h>
#include <utlist.h>

struct held_bucket {
	uint64_t hash;
	struct held *head;
	UT_hash_handle hh;
};

static uint64_t mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
	return hash ^ hash >> 29;
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
	for (; text && *text; text++)
		hash = mix(hash, (unsigned char)*text);
	return hash;
}

static uint64_t hash_of(const struct rule *rule)
{
	uint64_t hash = mix(mix(rule->filter, rule->action), rule->tests);

	for (unsigned int i = 0; i < rule->tests; i++) {
		const struct field_test *test = &rule->test[i];

		hash = mix(hash, test->field->number);
		hash = mix(hash, (uint64_t)test->op << 32 | test->value);
		hash = mix_text(hash, test->string);
	}
	for (int i = 0; i < SYSCALL_MASK_WORDS; i++)
		hash = mix(hash, rule->mask.word[i]);
	return mix_text(hash, rule->key);
}

static struct held_bucket *bucket_of(const struct held_rules *h, uint64_t hash)
{
	struct held_bucket *bucket;

	HASH_FIND(hh, h->bucket, &hash, sizeof(hash), bucket);
	return bucket;
}

struct held *held_find(const struct held_rules *h, const struct rule *rule)
{
	struct held_bucket *bucket = bucket_of(h, hash_of(rule));
	struct held *held;

	for (held = bucket ? bucket->head : NULL; held; held = held->newer)
		if (rule_same_to_kernel(held->rule, rule))
			return held;
	return NULL;
}

/* A rule that is held already is only ever put in front, so what stands first
 * was added last. */
struct held *held_find_first(const struct held_rules *h,
			     const struct rule *rule)
{
	struct held_bucket *bucket = bucket_of(h, hash_of(rule));
	struct held *held = bucket ? bucket->head : NULL;

	while (held) {
		/* that of the oldest is the newest (utlist.h) */
		held = held->older;
		if (rule_same_to_kernel(held->rule, rule))
			return held;
		if (held == bucket->head)
			break;
	}
	return NULL;
}

void held_add(struct held_rules *h, struct rule *rule, struct position at,
	      bool prepended)
{
	struct held *held = arena_alloc(h->arena, sizeof(*held));
	uint64_t hash = hash_of(rule);
	struct held_bucket *bucket = bucket_of(h, hash);

	held->rule = rule;
	held->at = at;
	if (!bucket) {
		bucket = arena_alloc(h->arena, sizeof(*bucket));
		bucket->hash = hash;
		HASH_ADD(hh, h->bucket, hash, sizeof(bucket->hash), bucket);
	}
	held->bucket = bucket;
	DL_APPEND2(bucket->head, held, older, newer);
	if (prepended)
		DL_PREPEND(h->first, held);
	else
		DL_APPEND(h->first, held);
}

void held_remove(struct held_rules *h, struct held *held)
{
	DL_DELETE2(held->bucket->head, held, older, newer);
	DL_DELETE(h->first, held);
}

void held_done(struct held_rules *h)
{
	HASH_CLEAR(hh, h->bucket);
}
