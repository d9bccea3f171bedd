/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cost/bound.h"

#include <libaudit.h>
#include <string.h>

#include "cost/bound_survey.h"
#include "model/call_names.h"

#define INODE_BUCKETS 32 /* AUDIT_INODE_BUCKETS */
/* Kinds of file (S_IFMT) that filetype= can tell apart. */
#define FILE_TYPES 7

/* One bound in the making. */
struct bounding {
	const struct bound_survey *s;
	struct imagined base;
	struct priced_call call;
	const char **room_a, **room_b;
	struct bound bound;
	const char **entered_key; /* of rules of trees */
	size_t entered_keys;
	int others_price;  /* of the other tests */
	unsigned int told; /* aspects that these can look at */
	int near_match;	   /* what NEAR costs at least: a test that holds ... */
	int near_fail;	   /* ... and one that fails */
};

static double least(double a, double b)
{
	return a < b ? a : b;
}

static double most(double a, double b)
{
	return a > b ? a : b;
}

/* What the cheapest test costs that looks at one of ASPECTS. HOLDS: it must be
 * true for the call and false for another whose file is in more trees. */
static int least_price(const struct bounding *b, unsigned int aspects,
		       bool holds)
{
	const struct field_info *field;
	int cheapest = INT32_MAX;

	if (holds)
		aspects &= ~(unsigned int)ASPECT_TREE;
	for (unsigned int i = 0; (field = field_row(i)); i++) {
		struct field_test test = {.field = field, .op = OP_EQ};
		struct rule rule = {.test = &test, .tests = 1};
		int price;

		if (!(field->filters >> AUDIT_FILTER_EXIT & 1) ||
		    !(field_aspects(field) & aspects))
			continue;
		price = price_of_rule(&b->call, &rule, true, false, 1) -
			b->call.prices->rule_entered;
		if (price < cheapest)
			cheapest = price;
	}
	return cheapest;
}

static int dir_price(const struct bounding *b)
{
	return least_price(b, ASPECT_TREE, false);
}

/* Can RULE be asked about the call at all? */
static bool has_number(const struct bounding *b, const struct rule *rule)
{
	return survey_is_counted(rule) &&
	       syscall_mask_has(&rule->mask, b->base.event.number);
}

static bool is_listed(const struct bounding *b, const char *tree)
{
	for (size_t i = 0; i < b->bound.trees; i++)
		if (survey_same_path(b->bound.tree[i].test->string, tree))
			return true;
	return false;
}

/* The trees that each have a rule which the call must enter. */
static void bound_trees(struct bounding *b)
{
	const struct bound_survey *s = b->s;
	struct outcome outcome;

	b->bound.tree =
		arena_array(s->arena, s->rules + 1, sizeof(*b->bound.tree));
	b->entered_key =
		arena_array(s->arena, s->rules + 1, sizeof(const char *));
	for (size_t i = 0; i < s->rules; i++) {
		const struct rule *rule = s->set->rule[i];
		const struct field_test *dir = survey_test_of(rule, FIELD_DIR);

		if (!dir || !has_number(b, rule) || is_listed(b, dir->string) ||
		    !survey_tree_matters(s, &b->base, dir->string, b->room_a,
					 b->room_b, &outcome))
			continue;
		if (outcome.verdict == VERDICT_RECORD)
			b->entered_key[b->entered_keys++] = outcome.key;
		b->bound.tree[b->bound.trees++] =
			(struct bound_test){dir, rule};
	}
}

static void bound_files(struct bounding *b)
{
	const struct bound_survey *s = b->s;
	const char **seen =
		arena_array(s->arena, s->rules + 1, sizeof(const char *));
	size_t own = 0;

	for (size_t i = 0; i < s->rules; i++) {
		const struct rule *rule = s->set->rule[i];
		const struct field_test *path =
			survey_test_of(rule, FIELD_PATH);
		size_t k = 0;

		if (!path || !has_number(b, rule))
			continue;
		while (k < own && !survey_same_path(seen[k], path->string))
			k++;
		if (k == own && survey_file_matters(s, &b->base, path->string,
						    b->room_a, b->room_b))
			seen[own++] = path->string;
	}
	b->bound.files = own;
	b->bound.other_files = s->files > own ? s->files - own : 0;
}

/* Takes TEST, of RULE, as one that must be made. */
static void add_other(struct bounding *b, const struct rule *rule,
		      const struct field_test *test, int price)
{
	b->bound.other[b->bound.others++] = (struct bound_test){test, rule};
	b->others_price += price;
}

static bool has_program(const struct bounding *b, const char *exe)
{
	for (size_t i = 0; i < b->bound.others; i++)
		if (b->bound.other[i].test->field->kind == FIELD_EXE &&
		    survey_same_path(b->bound.other[i].test->string, exe))
			return true;
	return false;
}

/* What a field can look at that looks at ASPECTS: -C looks at owners and ids
 * together. */
static unsigned int looked_at_with(unsigned int aspects)
{
	const struct field_info *field;
	unsigned int with = aspects;

	for (unsigned int i = 0; (field = field_row(i)); i++)
		if (field_aspects(field) & aspects)
			with |= field_aspects(field);
	return with;
}

/* Does TEST, of RULE, alone make a difference to the call? DONE: aspects that
 * have a test already. */
static void look_at_test(struct bounding *b, const struct rule *rule,
			 const struct field_test *test, unsigned int *done)
{
	unsigned int aspects = field_aspects(test->field);
	bool program = test->field->kind == FIELD_EXE;
	struct imagined turned;

	if (aspects & ASPECT_TREE || test->field->kind == FIELD_PATH ||
	    test->field->kind == FIELD_LSM_OBJECT ||
	    (program ? has_program(b, test->string) || b->base.exe
		     : (aspects & *done) != 0))
		return;
	imagined_like(&turned, &b->base, b->room_a);
	if (!imagined_turn(&turned, test) ||
	    !survey_differ(b->s, &b->base, &turned))
		return;
	aspects = imagined_changes(&b->base, &turned);
	if (!aspects || aspects & *done || aspects & (aspects - 1))
		return;
	add_other(b, rule, test, least_price(b, aspects, false));
	b->told |= looked_at_with(aspects);
	if (!program)
		*done |= looked_at_with(aspects);
}

static void bound_others(struct bounding *b)
{
	const struct bound_survey *s = b->s;
	/* A name that a typical call has not is nothing to count on, and a
	 * label has operators of its own. */
	unsigned int done = ASPECT_LABEL;

	if (!b->call.naming->names)
		done |= ASPECT_FILE;
	b->bound.other = arena_array(s->arena, s->rules + ASPECTS + 1,
				     sizeof(*b->bound.other));
	for (size_t i = 0; i < s->rules; i++) {
		const struct rule *rule = s->set->rule[i];

		if (!has_number(b, rule) || rule_place(rule) != PLACE_LIST)
			continue;
		for (unsigned int t = 0; t < rule->tests; t++)
			look_at_test(b, rule, &rule->test[t], &done);
	}
}

/* Is OTHER, which has a file and CALL has none, recorded whatever kind of file
 * it is? Then filetype!= alone tells them apart only if it is asked of all. */
static bool any_type_recorded(const struct bounding *b, struct imagined *other)
{
	static const uint32_t type[FILE_TYPES] = {
		0100000, 0040000, 0020000, 0060000, 0010000, 0120000, 0140000};
	uint32_t mode = other->name.mode;
	bool all = true;

	for (size_t i = 0; i < FILE_TYPES && all; i++) {
		other->name.mode = type[i];
		all = survey_walk(b->s, other).verdict == VERDICT_RECORD;
	}
	other->name.mode = mode;
	return all;
}

/* OTHER, of the same number, is recorded, CHANGES being otherwise. What does
 * telling it apart cost? */
static void near_price(const struct bounding *b, struct imagined *other,
		       unsigned int changes, int *match, int *fail)
{
	bool appears = other->event.names && !b->base.event.names;

	*fail = least_price(b, changes, false);
	if (!appears) {
		*match = least_price(b, changes, true);
		return;
	}
	*match = least_price(b, changes & ~(unsigned int)ASPECT_FILE, true);
	changes = least_price(b, ASPECT_FILE, true);
	if (any_type_recorded(b, other))
		changes *= FILE_TYPES;
	if ((int)changes < *match)
		*match = (int)changes;
}

/* What the test that tells a call apart costs, if such a test that holds costs
 * MATCH and one that fails FAIL, and the walk ends with a match: a rule of its
 * own is entered to fail. */
static double near_cost(const struct bounding *b, int match, int fail)
{
	return least(match, b->call.prices->rule_entered + fail);
}

/* What all that tells calls apart costs then. */
static double telling_cost(const struct bounding *b, double near, bool apart)
{
	return apart ? b->others_price + near : most(b->others_price, near);
}

/* Does a call of ABI that RULE matches tell of more than is known so far? */
static void near_rule(struct bounding *b, const struct rule *rule, int abi)
{
	struct syscall_set calls = rule_calls(b->s->set->target, rule);
	struct event event = b->base.event;
	struct imagined other;
	unsigned int changes;
	int match, fail;
	bool apart;

	if (!syscall_set_has(&calls, (enum abi)abi, event.number))
		return;
	imagined_like(&other, &b->base, b->room_a);
	other.event.abi = (enum abi)abi;
	if (!imagined_match(&other, rule)) {
		if (b->base.event.names ||
		    !call_can_collect_names(b->s->set->target, (enum abi)abi,
					    event.number, NULL))
			return;
		imagined_like(&other, &b->base, b->room_a);
		other.event.abi = (enum abi)abi;
		imagined_add_file(&other);
		if (!imagined_match(&other, rule))
			return;
	}
	if (!survey_put_around(b->s, &other) ||
	    survey_walk(b->s, &other).verdict != VERDICT_RECORD)
		return;
	changes = imagined_changes(&b->base, &other);
	if (b->bound.trees && changes & ASPECT_TREE)
		return;
	near_price(b, &other, changes, &match, &fail);
	apart = !(changes & b->told);
	if (b->bound.near &&
	    telling_cost(b, near_cost(b, match, fail), apart) <=
		    telling_cost(b, near_cost(b, b->near_match, b->near_fail),
				 b->bound.near_besides))
		return;
	b->bound.near = rule;
	b->bound.near_abi = abi != (int)event.abi;
	b->near_match = match;
	b->near_fail = fail;
	b->bound.near_besides = apart;
}

/* A call with the same number that is recorded, where this one is not. */
static void bound_near(struct bounding *b)
{
	const struct bound_survey *s = b->s;

	if (b->bound.must_match)
		return;
	for (size_t i = 0; i < s->rules; i++) {
		const struct rule *rule = s->set->rule[i];

		if (!has_number(b, rule) || rule_place(rule) != PLACE_LIST)
			continue;
		for (int abi = 0; abi < ABI_COUNT; abi++)
			near_rule(b, rule, abi);
	}
}

/* Rules of the list that must be passed by a walk to its end: one for each key,
 * but for those that were entered. */
static double passed_to_end(const struct bounding *b, size_t entered)
{
	size_t keys = 0;

	for (size_t k = 0; k < b->s->keys; k++)
		keys += !survey_has_key(b->entered_key, b->entered_keys,
					b->s->key[k]);
	if (entered > b->bound.trees)
		keys -= keys ? 1 : 0;
	return (double)keys * b->call.prices->rule_passed +
	       (b->s->keys || entered ? b->call.prices->list_ended : 0);
}

/* What is paid for the list, but for entering the rules of trees. */
struct rest {
	double telling, ending;
};

/* A walk that a match ends. */
static struct rest ended_by_match(const struct bounding *b)
{
	const struct prices *p = b->call.prices;
	double near = 0;

	if (b->bound.near)
		near = near_cost(b, b->near_match, b->near_fail);
	return (struct rest){telling_cost(b, near, b->bound.near_besides),
			     p->rule_matched};
}

/* A walk to the end of the list. */
static struct rest ended_by_list(const struct bounding *b)
{
	double telling = b->others_price;

	if (b->bound.near)
		telling = telling_cost(b, least(b->near_match, b->near_fail),
				       b->bound.near_besides);
	if (b->bound.trees || !(b->bound.near || b->bound.others))
		return (struct rest){telling, passed_to_end(b, b->bound.trees)};
	telling += b->call.prices->rule_entered;
	return (struct rest){telling, passed_to_end(b, 1)};
}

static struct rest rest_of(const struct bounding *b)
{
	struct rest match = ended_by_match(b), list = ended_by_list(b);

	if (b->bound.must_match)
		return match;
	if (b->bound.must_not)
		return list;
	return match.telling + match.ending < list.telling + list.ending ? match
									 : list;
}

static double bucket_price(const struct bounding *b)
{
	const struct prices *p = b->call.prices;
	double all =
		(double)b->bound.files * (p->rule_entered + p->name_alone) +
		(double)b->bound.other_files * p->rule_passed;

	return b->call.naming->names * all / INODE_BUCKETS;
}

static void sum_up(struct bounding *b)
{
	const struct prices *p = b->call.prices;
	const struct naming_price *naming = b->call.naming;
	struct bound *bound = &b->bound;
	struct rest rest = rest_of(b);

	bound->fixed = p->context_in_use + naming->collected;
	bound->watching = b->s->watches ? naming->events * p->watched_event : 0;
	if (bound->trees)
		bound->entering =
			(double)bound->trees * (p->rule_entered + dir_price(b));
	bound->telling = rest.telling;
	bound->ending = rest.ending;
	bound->buckets = bound->elsewhere ? 0 : bucket_price(b);
	bound->instructions = bound->fixed + bound->watching + bound->entering +
			      bound->telling + bound->ending + bound->buckets;
}

/* What must become of it. */
static void bound_verdict(struct bounding *b)
{
	enum verdict verdict = survey_walk(b->s, &b->base).verdict;
	bool shows = b->s->level < 2 && survey_self_logs(b->s, &b->base.event);

	b->bound.must_match = verdict == VERDICT_RECORD ||
			      (verdict == VERDICT_NEVER && shows);
	b->bound.must_not = verdict == VERDICT_NONE && shows;
}

static bool is_elsewhere(const struct event *event)
{
	if (event->dirs || event->names > 1)
		return true;
	return event->names && event->name[0].paths;
}

struct bound bound_of(const struct bound_survey *s, const struct event *event)
{
	struct bounding b = {
		.s = s,
		.call = priced_call_of(s->prices, s->set->target, event),
		.room_a = survey_room(s),
		.room_b = survey_room(s)};

	b.bound.floor = s->prices->context_in_use + b.call.naming->collected +
			s->prices->rule_matched;
	if (event->task_never || ruleset_counted(s->set) == 0 ||
	    (s->level > 1 && !s->keys && !s->files))
		return b.bound;
	b.bound.elsewhere = is_elsewhere(event);
	imagined_of(&b.base, s->set->target, event, b.call.naming->names > 0,
		    survey_room(s));
	if (b.bound.elsewhere) {
		sum_up(&b);
		return b.bound;
	}
	bound_verdict(&b);
	if (b.call.naming->names) {
		bound_trees(&b);
		bound_files(&b);
	}
	bound_others(&b);
	bound_near(&b);
	sum_up(&b);
	return b.bound;
}
