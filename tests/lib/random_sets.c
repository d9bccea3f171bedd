/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <libaudit.h>

#include "lib/random_rules.h"

struct rules_shape rules_shape_default(const struct target *target, size_t size)
{
	return (struct rules_shape){
		.target = target,
		.size = size,
		.weight =
			{
				[STYLE_STIG] = 20,	 [STYLE_WATCH] = 10,
				[STYLE_BUCKET] = 10,	 [STYLE_UNSETTLED] = 3,
				[STYLE_EXCLUDING] = 8,	 [STYLE_EXE] = 4,
				[STYLE_COMPARE] = 3,	 [STYLE_ARGS] = 4,
				[STYLE_ALL_CALLS] = 3,	 [STYLE_RESULT] = 6,
				[STYLE_GROUP] = 4,	 [STYLE_SOCKET] = 2,
				[STYLE_NAMES] = 4,	 [STYLE_RANGE] = 6,
				[STYLE_LABEL] = 2,	 [STYLE_MIXED] = 5,
				[STYLE_NEAR_COPY] = 25,	 [STYLE_LENT_KEY] = 3,
				[STYLE_TWO_ACTIONS] = 4, [STYLE_CLASSES] = 1,
				[STYLE_URING] = 4,	 [STYLE_RECORD] = 2,
				[STYLE_TASK] = 1,	 [STYLE_FILESYSTEM] = 1,
			},
	};
}

static enum style some_style(struct random *random,
			     const struct rules_shape *shape)
{
	unsigned int sum = 0;
	size_t at;

	for (int i = 0; i < STYLE_COUNT; i++)
		sum += shape->weight[i];
	at = random_below(random, sum);
	for (int i = 0; i < STYLE_COUNT; i++) {
		if (at < shape->weight[i])
			return (enum style)i;
		at -= shape->weight[i];
	}
	return STYLE_STIG;
}

/* Mostly at the end, as a file grows; else anywhere. */
static void put(struct ruleset *set, struct random *random, struct rule *rule)
{
	size_t at = set->count;

	if (random_chance(random, 20))
		at = random_below(random, set->count + 1);
	ruleset_insert(set, at, rule);
}

/* A bucket rule without a key, and behind it a list rule with one that takes
 * many of the same calls. */
static void put_lent_key(struct ruleset *set, struct random *random,
			 const struct rules_shape *shape)
{
	struct rule *lender = random_rule(
		set->arena, random, shape->target,
		random_chance(random, 50) ? STYLE_ALL_CALLS : STYLE_STIG);
	struct rule *borrower =
		random_rule(set->arena, random, shape->target, STYLE_BUCKET);

	borrower->key = NULL;
	lender->key = "lent";
	ruleset_insert(set, set->count, borrower);
	put(set, random, lender);
}

static void put_two_actions(struct ruleset *set, struct random *random,
			    const struct rules_shape *shape)
{
	struct rule *first = random_rule(set->arena, random, shape->target,
					 some_style(random, shape));
	struct rule *second =
		random_near_copy(set->arena, random, shape->target, first);

	first->action = AUDIT_NEVER;
	second->action = AUDIT_ALWAYS;
	ruleset_insert(set, set->count, first);
	put(set, random, second);
}

static void put_near_copy(struct ruleset *set, struct random *random,
			  const struct rules_shape *shape)
{
	const struct rule *like;

	if (!set->count)
		return;
	like = set->rule[random_below(random, set->count)];
	put(set, random,
	    random_near_copy(set->arena, random, shape->target, like));
}

static void put_some(struct ruleset *set, struct random *random,
		     const struct rules_shape *shape)
{
	enum style style = some_style(random, shape);

	switch (style) {
	case STYLE_LENT_KEY:
		put_lent_key(set, random, shape);
		break;
	case STYLE_TWO_ACTIONS:
		put_two_actions(set, random, shape);
		break;
	case STYLE_NEAR_COPY:
		put_near_copy(set, random, shape);
		break;
	default:
		put(set, random,
		    random_rule(set->arena, random, shape->target, style));
	}
}

static void number_lines(struct ruleset *set)
{
	uint32_t *line = arena_array(set->arena, set->count, sizeof(*line));

	for (size_t i = 0; i < set->count; i++) {
		line[i] = (uint32_t)i + 1;
		set->rule[i]->origin =
			(struct origin){.line = &line[i], .count = 1};
	}
}

/* A -q in the middle, now and then. */
static void start_epoch(struct ruleset *set, struct random *random)
{
	size_t from = random_below(random, set->count + 1);

	for (size_t i = from; i < set->count; i++)
		set->rule[i]->epoch = 1;
}

struct ruleset *random_ruleset(struct arena *arena, struct random *random,
			       const struct rules_shape *shape)
{
	struct ruleset *set = ruleset_new(arena, shape->target);

	while (set->count < shape->size)
		put_some(set, random, shape);
	while (set->count > shape->size)
		ruleset_remove(set, set->count - 1);
	if (random_chance(random, 5))
		start_epoch(set, random);
	number_lines(set);
	return set;
}
