/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What one rule says by itself: its fields, its paths, its form. */
#include <libaudit.h>
#include <string.h>

#include "check/checker.h"
#include "frontend/lookup.h"

#define UNSET UINT32_MAX
/* Results from there on are errors (MAX_ERRNO), without sign. */
#define FIRST_ERROR ((uint32_t)-4095)

/* Is TEST a lower bound of auid, which unset (the greatest number) is above? */
static bool is_auid_bound(const struct field_test *test)
{
	return test->field->number == AUDIT_LOGINUID &&
	       (test->op == OP_GE || test->op == OP_GT) && test->value != UNSET;
}

/* Could RULE match a call that meets MORE as well? Its predicate knows. */
static bool lets_through(const struct checker *c, const struct rule *rule,
			 struct field_test more)
{
	struct field_test *test =
		arena_array(c->arena, rule->tests + 1, sizeof(*test));
	struct rule asked = *rule;

	memcpy(test, rule->test, rule->tests * sizeof(*test));
	test[rule->tests] = more;
	asked.test = test;
	asked.tests++;
	return !predicate_unsatisfiable(predicate_of(c->arena, &asked));
}

/* Could RULE match a call of a task without auid? */
static bool lets_unset_through(const struct checker *c, const struct rule *rule)
{
	return lets_through(
		c, rule,
		(struct field_test){.field = field_by_number(AUDIT_LOGINUID),
				    .op = OP_EQ,
				    .value = UNSET});
}

/* Could it match one whose result compares so with VALUE, without sign
 * (audit_comparator)? */
static bool lets_result_through(const struct checker *c,
				const struct rule *rule, enum field_op op,
				uint32_t value)
{
	return lets_through(
		c, rule,
		(struct field_test){.field = field_by_number(AUDIT_EXIT),
				    .op = op,
				    .value = value});
}

static bool is_exit_bound(const struct field_test *test)
{
	return test->field->number == AUDIT_EXIT &&
	       (test->op == OP_GE || test->op == OP_GT || test->op == OP_LE ||
		test->op == OP_LT);
}

static bool asks_for_success(const struct rule *rule)
{
	for (unsigned int i = 0; i < rule->tests; i++)
		if (rule->test[i].field->number == AUDIT_SUCCESS)
			return true;
	return false;
}

/* An order of results is hardly meant to have errors and others on one side. */
static void look_at_exit(struct checker *c, const struct rule *rule)
{
	unsigned int i = 0;
	struct finding *f;

	while (i < rule->tests && !is_exit_bound(&rule->test[i]))
		i++;
	if (i == rule->tests || asks_for_success(rule) ||
	    !lets_result_through(c, rule, OP_LT, FIRST_ERROR) ||
	    !lets_result_through(c, rule, OP_GE, FIRST_ERROR))
		return;
	f = found(c, DIAG_WARNING, "exit-without-sign",
		  test_at(c, rule->line, i),
		  "the kernel compares exit without sign, and so has errors "
		  "above all other results: the rule %s calls that fail and "
		  "calls that do not",
		  rule->action == AUDIT_NEVER ? "excludes" : "logs");
	f->d.advice = "write success=0 or success=1; or exit= and exit!= with "
		      "single results";
	f->group = f->d.what;
}

static void look_at_auid(struct checker *c, const struct rule *rule)
{
	struct finding *f;

	for (unsigned int i = 0; i < rule->tests; i++) {
		if (!is_auid_bound(&rule->test[i]))
			continue;
		if (!lets_unset_through(c, rule))
			return;
		f = found(c, DIAG_WARNING, "missing-unset-test",
			  test_at(c, rule->line, i),
			  "auid is 4294967295 (unset) for daemons, and that is "
			  "above %u, too: the rule %s what they do",
			  rule->test[i].value,
			  rule->action == AUDIT_NEVER ? "also excludes"
						      : "also logs");
		f->d.advice = "add -F auid!=unset, unless daemons are meant";
		f->group = f->d.what;
		return;
	}
}

static bool is_path(const struct field_test *test)
{
	switch (test->field->kind) {
	case FIELD_PATH:
	case FIELD_DIR:
	case FIELD_EXE:
		return true;
	default:
		return false;
	}
}

static bool is_pattern(const char *path)
{
	return strpbrk(path, "*?") != NULL;
}

static bool is_watch(const struct checker *c, const struct rule *rule)
{
	return c->action[rule->line] && c->action[rule->line]->watch_form;
}

static void look_at_pattern(struct checker *c, const struct rule *rule,
			    unsigned int i)
{
	/* of a watch the front end tells */
	if (is_watch(c, rule) || !is_pattern(rule->test[i].string))
		return;
	found(c, DIAG_WARNING, "path-pattern", test_at(c, rule->line, i),
	      "* and ? stand for themselves in %s=: there are no wildcards",
	      rule->test[i].field->name)
		->d.advice = "name the directory with dir=, or each path in a "
			     "rule of its own";
}

/* Where the directory is missing, too, the kernel refuses the rule, and the
 * front end tells. */
static void look_at_absent(struct checker *c, struct lookup *lookup,
			   const struct rule *rule, unsigned int i)
{
	const char *path = rule->test[i].string, *last = strrchr(path, '/');
	bool exe = rule->test[i].field->kind == FIELD_EXE;
	struct finding *f;

	if (!last || is_pattern(path) ||
	    lookup_path(lookup, path) != PATH_MISSING)
		return;
	if (last != path &&
	    lookup_path(lookup,
			arena_strndup(c->arena, path, (size_t)(last - path))) !=
		    PATH_DIRECTORY)
		return;
	if (rule->test[i].field->kind == FIELD_DIR && !rule->unsettled)
		return;
	f = found(c, DIAG_NOTE, "path-absent", test_at(c, rule->line, i),
		  "%s does not exist%s%s", path,
		  *c->subject->compile->root ? " under " : " here",
		  c->subject->compile->root);
	f->group = exe ? "exe" : "path";
	f->d.auditctl = exe ? "the rule is taken and matches nothing until "
			      "that program is there"
			: is_watch(c, rule)
				? "the watch is taken as one of a file; if a "
				  "directory is made there later, what is in "
				  "it is not seen"
				: "the rule is taken, and sees the file as "
				  "soon as it is made";
	f->d.advice = "nothing, where it may come and go; else check the "
		      "spelling (--root=DIR looks under DIR)";
}

static void look_at_paths(struct checker *c, struct lookup *lookup,
			  const struct rule *rule)
{
	for (unsigned int i = 0; i < rule->tests; i++) {
		if (!is_path(&rule->test[i]))
			continue;
		look_at_pattern(c, rule, i);
		look_at_absent(c, lookup, rule, i);
	}
}

static void look_at_form(struct checker *c, const struct rule *rule)
{
	struct finding *f;

	if (!is_watch(c, rule))
		return;
	f = found(
		c, DIAG_NOTE, "watch-form", rule_at(c, rule->line),
		"-w is the old form of a watch, deprecated since audit 3.1.3");
	f->group = "watch";
	f->d.auditctl = "it is a rule over all system calls, which every call "
			"of the machine enters if the path is a directory";
	f->d.advice = "write -a always,exit -F path=FILE (or dir=DIRECTORY) -F "
		      "perm=wa -k KEY, or let auditopt narrow its calls";
}

void check_fields(struct checker *c)
{
	struct lookup *lookup = lookup_new(c->arena, c->subject->compile->root,
					   c->subject->target);

	for (size_t i = 0; i < c->set->count; i++) {
		const struct rule *rule = c->set->rule[i];

		checking(c, i);
		if (rule->filter == AUDIT_FILTER_EXIT) {
			look_at_auid(c, rule);
			look_at_exit(c, rule);
		}
		look_at_paths(c, lookup, rule);
		look_at_form(c, rule);
	}
	lookup_free(lookup);
}
