/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "verify/tagged.h"

#include <limits.h>
#include <string.h>

bool tagged_is_tree(const struct rule *rule, const struct field_test *test)
{
	return test->field->kind == FIELD_DIR ||
	       (test->field->kind == FIELD_PATH && rule->unsettled);
}

unsigned int tagged_tree_epoch(const struct ruleset *set, const char *tree)
{
	unsigned int first = UINT_MAX;

	for (size_t i = 0; i < set->count; i++) {
		const struct rule *rule = set->rule[i];

		for (unsigned int j = 0; rule->epoch < first && j < rule->tests;
		     j++)
			if (tagged_is_tree(rule, &rule->test[j]) &&
			    strcmp(rule->test[j].string, tree) == 0)
				first = rule->epoch;
	}
	return first;
}

/* Does one of TAGS with TEXT come after a tree made in EPOCH? */
static bool is_tagged(const struct tagging *tags, const char *text,
		      unsigned int epoch)
{
	for (size_t i = 0; i < tags->count; i++)
		if (tags->epoch[i] > epoch && strcmp(tags->text[i], text) == 0)
			return true;
	return false;
}

struct comparing {
	struct arena *arena;
	struct tag_difference *found;
	size_t count, room;
};

static void add(struct comparing *c, const struct tag_difference *difference)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->found[i].of_before == difference->of_before &&
		    strcmp(c->found[i].tree, difference->tree) == 0 &&
		    strcmp(c->found[i].text, difference->text) == 0)
			return;
	c->found = arena_grow(c->arena, c->found, c->count, &c->room,
			      sizeof(*c->found));
	c->found[c->count++] = *difference;
}

/* What SET's -q add to TREE and those of OTHER do not. */
static void compare_tree(struct comparing *c, const char *tree,
			 const struct ruleset *set, const struct tagging *tags,
			 const struct ruleset *other,
			 const struct tagging *other_tags, bool of_before)
{
	const unsigned int here = tagged_tree_epoch(set, tree);
	const unsigned int there = tagged_tree_epoch(other, tree);

	if (there == UINT_MAX)
		return;
	for (size_t i = 0; i < tags->count; i++)
		if (tags->epoch[i] > here &&
		    !is_tagged(other_tags, tags->text[i], there))
			add(c, &(struct tag_difference){tree, tags->text[i],
							of_before});
}

static void compare_one_way(struct comparing *c, const struct ruleset *set,
			    const struct tagging *tags,
			    const struct ruleset *other,
			    const struct tagging *other_tags, bool of_before)
{
	if (!tags->count)
		return;
	for (size_t i = 0; i < set->count; i++) {
		const struct rule *rule = set->rule[i];

		for (unsigned int j = 0; j < rule->tests; j++)
			if (tagged_is_tree(rule, &rule->test[j]))
				compare_tree(c, rule->test[j].string, set, tags,
					     other, other_tags, of_before);
	}
}

const struct tag_difference *
tagging_compare(struct arena *arena, const struct ruleset *before,
		const struct tagging *before_tags, const struct ruleset *after,
		const struct tagging *after_tags, size_t *count)
{
	struct comparing c = {.arena = arena};

	compare_one_way(&c, before, before_tags, after, after_tags, true);
	compare_one_way(&c, after, after_tags, before, before_tags, false);
	*count = c.count;
	return c.found;
}
