/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is asked of a set once for all bounds; what makes a difference at all. */
#include "cost/bound_survey.h"

#include <libaudit.h>
#include <string.h>
#include <uthash.h>

#include "model/self_log.h"

/* Rules that are looked at, in a set of COUNT: the rest could only make the
 * bound better. */
#define WALKS_AT_MOST 4000000
#define RULES_AT_LEAST 64

struct outcome survey_walk(const struct bound_survey *s,
			   const struct imagined *call)
{
	return kernel_syscall_exit(s->set, &call->event, NULL);
}

bool survey_self_logs(const struct bound_survey *s, const struct event *e)
{
	return call_can_self_log_with(s->set->target, e->abi, e->number,
				      s->unlogged, NULL);
}

/* Must any rules treat A and B differently? */
bool survey_differ(const struct bound_survey *s, const struct imagined *a,
		   const struct imagined *b)
{
	int level = a->event.abi == b->event.abi ? s->level : 2;

	return !outcome_same(survey_walk(s, a), survey_walk(s, b), level,
			     survey_self_logs(s, &a->event));
}

const char **survey_room(const struct bound_survey *s)
{
	return arena_array(s->arena, 3 * s->trees + 3, sizeof(const char *));
}

/* Neither "//" nor "." nor "..": then what it begins with is around it. */
static bool is_plain(const char *path)
{
	size_t length = strlen(path);

	if (path[0] != '/' || strstr(path, "//") || strstr(path, "/./") ||
	    strstr(path, "/../"))
		return false;
	return !(length >= 2 && strcmp(path + length - 2, "/.") == 0) &&
	       !(length >= 3 && strcmp(path + length - 3, "/..") == 0);
}

static size_t plain_length(const char *path)
{
	size_t length = strlen(path);

	while (length > 1 && path[length - 1] == '/')
		length--;
	return length;
}

bool survey_same_path(const char *a, const char *b)
{
	size_t length = plain_length(a);

	return length == plain_length(b) && strncmp(a, b, length) == 0;
}

static bool is_root(const char *path)
{
	return plain_length(path) == 1;
}

const struct field_test *survey_test_of(const struct rule *rule,
					enum field_kind kind)
{
	for (unsigned int i = 0; i < rule->tests; i++)
		if (rule->test[i].field->kind == kind &&
		    rule->test[i].op == OP_EQ)
			return &rule->test[i];
	return NULL;
}

bool survey_is_counted(const struct rule *rule)
{
	return rule->filter == AUDIT_FILTER_EXIT && !rule->unsettled &&
	       !rule->mask_classes;
}

struct known_tree {
	const char *name;
	UT_hash_handle hh;
};

static void find_trees(struct bound_survey *s)
{
	struct known_tree *known = NULL, *one;

	s->tree =
		arena_array(s->arena, s->set->count + 1, sizeof(const char *));
	for (size_t i = 0; i < s->set->count; i++) {
		const struct field_test *test =
			survey_test_of(s->set->rule[i], FIELD_DIR);

		if (!test)
			continue;
		HASH_FIND_STR(known, test->string, one);
		if (one)
			continue;
		one = arena_alloc(s->arena, sizeof(*one));
		one->name = test->string;
		HASH_ADD_KEYPTR(hh, known, one->name, strlen(one->name), one);
		s->tree[s->trees++] = test->string;
		s->odd |= !is_plain(test->string);
	}
	HASH_CLEAR(hh, known);
	s->pairs = WALKS_AT_MOST / (s->trees + 1) / (s->set->count + 1);
	if (s->pairs > s->trees)
		s->pairs = s->trees;
}

/* Puts the file of *CALL into the tree PATH, by whatever name rules have it. */
static void put_into(const struct bound_survey *s, struct imagined *call,
		     const char *path)
{
	for (size_t i = 0; i < s->trees; i++)
		if (survey_same_path(s->tree[i], path))
			imagined_add_tree(call, s->tree[i]);
}

bool survey_put_around(const struct bound_survey *s, struct imagined *call)
{
	size_t dirs = call->event.dirs;

	if (s->odd && dirs)
		return false;
	for (size_t i = 0; i < dirs; i++)
		if (is_root(call->dir[i]))
			return true;
	if (dirs || call->path)
		put_into(s, call, "/");
	return true;
}

/* Does it, for a file that lies in the tree WITH already, or in none if that is
 * NULL? */
static bool matters_with(const struct bound_survey *s,
			 const struct imagined *base, const char *path,
			 const char *with, const char **room_a,
			 const char **room_b, struct outcome *comes)
{
	struct imagined outside, inside;

	imagined_like(&outside, base, room_a);
	if (!is_root(path))
		put_into(s, &outside, "/");
	if (with)
		put_into(s, &outside, with);
	imagined_like(&inside, &outside, room_b);
	put_into(s, &inside, path);
	*comes = survey_walk(s, &inside);
	return survey_differ(s, &outside, &inside);
}

bool survey_tree_matters(const struct bound_survey *s,
			 const struct imagined *base, const char *path,
			 const char **room_a, const char **room_b,
			 struct outcome *comes)
{
	if (s->odd)
		return false;
	if (matters_with(s, base, path, NULL, room_a, room_b, comes))
		return true;
	for (size_t i = 0; i < s->pairs && !is_root(path); i++)
		if (!is_root(s->tree[i]) &&
		    !survey_same_path(s->tree[i], path) &&
		    matters_with(s, base, path, s->tree[i], room_a, room_b,
				 comes))
			return true;
	return false;
}

bool survey_file_matters(const struct bound_survey *s,
			 const struct imagined *base, const char *path,
			 const char **room_a, const char **room_b)
{
	struct imagined other, named;

	if (s->odd || !is_plain(path))
		return false;
	for (size_t i = 0; i < s->trees; i++)
		if (survey_same_path(s->tree[i], path))
			return false;
	imagined_like(&other, base, room_a);
	put_into(s, &other, "/");
	imagined_like(&named, &other, room_b);
	imagined_set_path(&named, path);
	return survey_differ(s, &other, &named);
}

/* Some call, on a file, that RULE matches. */
static bool some_call(const struct bound_survey *s, const struct rule *rule,
		      struct imagined *call, const char **dirs)
{
	struct syscall_set calls = rule_calls(s->set->target, rule);

	for (int abi = 0; abi < ABI_COUNT; abi++) {
		int n = syscall_mask_next(&calls.abi[abi], 0);
		struct event event = {.abi = (enum abi)abi,
				      .number = n,
				      .auid = 1000,
				      .result = RESULT_SUCCESS};

		if (n < 0)
			continue;
		imagined_of(call, s->set->target, &event, true, dirs);
		if (imagined_match(call, rule) && survey_put_around(s, call))
			return true;
	}
	return false;
}

bool survey_has_key(const char *const *list, size_t count, const char *key)
{
	for (size_t i = 0; i < count; i++)
		if (key_same(list[i], key))
			return true;
	return false;
}

/* What a call that rule I matches tells of the rules. */
static void survey_rule(struct bound_survey *s, size_t i, const char **rooms[3])
{
	const struct rule *rule = s->set->rule[i];
	const struct field_test *path = survey_test_of(rule, FIELD_PATH);
	const struct field_test *dir = survey_test_of(rule, FIELD_DIR);
	struct imagined call;
	struct outcome outcome;

	if (!survey_is_counted(rule) || !some_call(s, rule, &call, rooms[0]))
		return;
	if (rule_place(rule) == PLACE_LIST) {
		outcome = survey_walk(s, &call);
		if (outcome.verdict == VERDICT_RECORD &&
		    !survey_has_key(s->key, s->keys, outcome.key))
			s->key[s->keys++] = outcome.key;
		call.event.dirs = 0;
		if (dir)
			s->watches |= survey_tree_matters(s, &call, dir->string,
							  rooms[1], rooms[2],
							  &outcome);
		return;
	}
	call.event.dirs = 0;
	imagined_set_path(&call, NULL);
	if (!path ||
	    !survey_file_matters(s, &call, path->string, rooms[1], rooms[2]))
		return;
	for (size_t k = 0; k < i; k++) {
		const struct field_test *other =
			survey_test_of(s->set->rule[k], FIELD_PATH);

		if (s->file[k] && survey_same_path(other->string, path->string))
			return;
	}
	s->file[i] = s->watches = true;
	s->files++;
}

struct bound_survey *bound_survey_of(struct arena *arena,
				     const struct ruleset *set,
				     const struct prices *prices, int level,
				     uint32_t unlogged)
{
	struct bound_survey *s = arena_alloc(arena, sizeof(*s));
	const char **rooms[3];

	*s = (struct bound_survey){.arena = arena,
				   .set = set,
				   .prices = prices ? prices : prices_of(NULL),
				   .level = level,
				   .unlogged = unlogged,
				   .rules = set->count};
	if (s->rules > RULES_AT_LEAST && s->rules > WALKS_AT_MOST / set->count)
		s->rules = WALKS_AT_MOST / set->count + RULES_AT_LEAST;
	if (s->rules > set->count)
		s->rules = set->count;
	find_trees(s);
	s->key = arena_array(arena, set->count + 1, sizeof(const char *));
	s->file = arena_array(arena, set->count + 1, sizeof(bool));
	for (size_t i = 0; i < 3; i++)
		rooms[i] = survey_room(s);
	for (size_t i = 0; i < s->rules; i++)
		survey_rule(s, i, rooms);
	return s;
}
