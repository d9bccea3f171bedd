/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rules for a path in a tree that an earlier rule has already. No proof can
 * say that such a rule is dead: a file system may be mounted between the two,
 * and a file may have a name elsewhere. But mostly it is, and its key is never
 * found.
 */
#include <libaudit.h>
#include <string.h>
#include <uthash.h>

#include "check/checker.h"

/* The rules with dir= of one tree, in the order of the set. */
struct tree {
	const char *path; /* without a slash at its end */
	const struct rule **rule;
	size_t rules, room;
	UT_hash_handle hh;
};

struct nested {
	struct checker *c;
	struct tree *trees;
};

/* The test that names a path or a tree; NULL: there is none. */
static const struct field_test *place_of(const struct rule *rule,
					 unsigned int *index)
{
	for (unsigned int i = 0; i < rule->tests; i++)
		if (rule->test[i].field->kind == FIELD_PATH ||
		    (rule->test[i].field->kind == FIELD_DIR &&
		     rule->test[i].op == OP_EQ)) {
			*index = i;
			return &rule->test[i];
		}
	return NULL;
}

static char *without_slash(struct arena *arena, const char *path)
{
	size_t length = strlen(path);

	while (length > 1 && path[length - 1] == '/')
		length--;
	return arena_strndup(arena, path, length);
}

static void remember(struct nested *n, const struct rule *rule)
{
	struct arena *arena = n->c->arena;
	const struct field_test *test;
	struct tree *tree;
	unsigned int i;
	char *path;

	test = place_of(rule, &i);
	if (!test || test->field->kind != FIELD_DIR || rule->unsettled)
		return;
	path = without_slash(arena, test->string);
	HASH_FIND_STR(n->trees, path, tree);
	if (!tree) {
		tree = arena_alloc(arena, sizeof(*tree));
		tree->path = path;
		HASH_ADD_KEYPTR(hh, n->trees, path, strlen(path), tree);
	}
	tree->rule = arena_grow(arena, tree->rule, tree->rules, &tree->room,
				sizeof(rule));
	tree->rule[tree->rules++] = rule;
}

/* Would RULE be covered by OUTER if its own path were OUTER's tree? */
static bool would_cover(const struct nested *n, const struct rule *outer,
			const struct rule *rule, unsigned int place)
{
	struct arena *arena = n->c->arena;
	const struct target *target = n->c->subject->target;
	struct field_test *test =
		arena_array(arena, rule->tests, sizeof(*test));
	struct syscall_set inner_calls, outer_calls;
	struct rule moved = *rule;
	unsigned int tree;

	memcpy(test, rule->test, rule->tests * sizeof(*test));
	test[place] = *place_of(outer, &tree);
	moved.test = test;
	inner_calls = rule_calls(target, rule);
	outer_calls = rule_calls(target, outer);
	return outer->epoch == rule->epoch &&
	       syscall_set_subset(&inner_calls, &outer_calls) &&
	       predicate_implies(predicate_of(arena, &moved),
				 predicate_of(arena, outer));
}

static void tell(const struct nested *n, const struct rule *outer,
		 const struct rule *rule, unsigned int place)
{
	struct checker *c = n->c;
	unsigned int i;
	const char *tree = place_of(outer, &i)->string;
	struct finding *f;

	f = found(c, DIAG_NOTE, "nested-path", test_at(c, rule->line, place),
		  "%s lies in %s, where %s decides first",
		  rule->test[place].string, tree, line_name(c, outer->line));
	if (rule->action == AUDIT_NEVER)
		f->d.auditctl = "what was to be excluded is logged";
	else if (outer->action == AUDIT_NEVER)
		f->d.auditctl = "what was to be logged is excluded";
	else if (rule->key)
		f->d.auditctl = arena_printf(
			c->arena, "its events get %s%s%s, not the key \"%.*s\"",
			outer->key ? "the key \"" : "no key",
			outer->key ? arena_strndup(c->arena, outer->key,
						   strcspn(outer->key, "\001"))
				   : "",
			outer->key ? "\"" : "", (int)strcspn(rule->key, "\001"),
			rule->key);
	f->d.advice = "put the rule for the inner path first, unless a file "
		      "system of its own is mounted there";
	f->d.other = rule_at(c, outer->line);
	f->d.other_what = "decides first";
}

/* The trees that RULE's path is in, from the innermost on. */
static void look_at(const struct nested *n, const struct rule *rule)
{
	unsigned int place;
	const struct field_test *test = place_of(rule, &place);
	char *path, *slash;

	if (!test)
		return;
	path = without_slash(n->c->arena, test->string);
	while ((slash = strrchr(path, '/')) && path[1]) {
		struct tree *tree;

		slash[slash == path] = '\0';
		HASH_FIND_STR(n->trees, path, tree);
		for (size_t i = 0; tree && i < tree->rules; i++)
			if (would_cover(n, tree->rule[i], rule, place)) {
				if (!rule_same_outcome(tree->rule[i], rule))
					tell(n, tree->rule[i], rule, place);
				return;
			}
	}
}

void check_nested(struct checker *c)
{
	struct nested n = {.c = c};

	for (size_t i = 0; i < c->set->count; i++) {
		const struct rule *rule = c->set->rule[i];

		checking(c, i);
		if (rule->filter != AUDIT_FILTER_EXIT || rule->mask_classes ||
		    c->dead[rule->line])
			continue;
		look_at(&n, rule);
		remember(&n, rule);
	}
	HASH_CLEAR(hh, n.trees);
}
