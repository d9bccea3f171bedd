/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rules that can decide nothing, or less than they say. The optimizer's passes
 * know: they are run over a copy, at the level that looks at rules alone, and
 * what they drop is what is told here.
 */
#include <libaudit.h>
#include <string.h>

#include "check/checker.h"
#include "optimize/pass.h"
#include "util/progress.h"

struct dead {
	struct checker *c;
	struct ruleset *set; /* the copy */
	struct pass_context context;
	struct change_log log;
	size_t seen;	/* of the log */
	bool *excluded; /* by line: dead for a never rule, of what it excludes */
};

static bool has_key(const struct rule *rule)
{
	return rule->key != NULL;
}

/* The first key of several, which a \001 joins. */
static const char *key_of(const struct checker *c, const struct rule *rule)
{
	return arena_strndup(c->arena, rule->key, strcspn(rule->key, "\001"));
}

/* "a.rules:4 and a.rules:9" */
static const char *lines_text(const struct checker *c, struct origin lines)
{
	const char *text = "";
	size_t shown = lines.count > 4 ? 3 : lines.count;

	for (size_t i = 0; i < shown; i++)
		text = arena_printf(c->arena, "%s%s%s", text,
				    i == 0		   ? ""
				    : i + 1 == lines.count ? " and "
							   : ", ",
				    line_name(c, lines.line[i]));
	if (shown < lines.count)
		text = arena_printf(c->arena, "%s and %zu more", text,
				    lines.count - shown);
	return text;
}

static void relate(const struct checker *c, struct finding *finding,
		   struct origin lines, const char *what)
{
	struct position *more;

	if (!lines.count)
		return;
	finding->d.other = rule_at(c, lines.line[0]);
	finding->d.other_what = what;
	more = arena_array(c->arena, lines.count, sizeof(*more));
	for (size_t i = 1; i < lines.count; i++)
		more[i - 1] = rule_at(c, lines.line[i]);
	finding->d.more = more;
	finding->d.mores = lines.count - 1;
}

/* Two tests that exclude each other, or one that no value satisfies. */
static bool contradiction(const struct checker *c, const struct rule *rule,
			  unsigned int *first, unsigned int *second)
{
	struct rule part = *rule;
	struct field_test test[2];

	part.test = test;
	for (unsigned int i = 0; i < rule->tests; i++) {
		test[0] = rule->test[i];
		part.tests = 1;
		*first = *second = i;
		if (predicate_unsatisfiable(predicate_of(c->arena, &part)))
			return true;
	}
	part.tests = 2;
	for (unsigned int i = 0; i < rule->tests; i++)
		for (unsigned int j = i + 1; j < rule->tests; j++) {
			test[0] = rule->test[i];
			test[1] = rule->test[j];
			*first = i;
			*second = j;
			if (predicate_unsatisfiable(
				    predicate_of(c->arena, &part)))
				return true;
		}
	return false;
}

static const char *test_text(const struct checker *c, uint32_t line,
			     unsigned int test)
{
	const struct position at = test_at(c, line, test);
	const struct source_line *l = &c->subject->input->line[line];

	if (at.column - 1 + at.length > l->length)
		return "the condition";
	return arena_strndup(c->arena, l->text + at.column - 1, at.length);
}

static bool is_order_of_exit(const struct field_test *test)
{
	return test->field->number == AUDIT_EXIT && test->op != OP_EQ &&
	       test->op != OP_NE;
}

static void tell_unsatisfiable(struct dead *dead, const struct change *change)
{
	struct checker *c = dead->c;
	uint32_t line = change->what.line[0];
	const struct rule *rule = c->rule[line];
	unsigned int first, second;
	struct finding *f;

	if (!contradiction(c, rule, &first, &second)) {
		f = found(c, DIAG_WARNING, "unsatisfiable-rule",
			  rule_at(c, line),
			  "no call can match the rule: none of its calls fits "
			  "its other conditions");
		f->d.advice = "look at arch, the calls and perm together, or "
			      "remove the rule";
		return;
	}
	f = found(
		c, DIAG_WARNING, "unsatisfiable-rule", test_at(c, line, second),
		first == second
			? "no call can match the rule: %s is never true"
			: "no call can match the rule: %s and %s exclude each "
			  "other",
		test_text(c, line, first), test_text(c, line, second));
	if (first != second) {
		f->d.other = test_at(c, line, first);
		f->d.other_what = "the other condition";
	}
	f->d.auditctl = "the kernel takes the rule and tries it in vain at "
			"each of its calls";
	if (first != second && !is_order_of_exit(&rule->test[first]) &&
	    !is_order_of_exit(&rule->test[second]))
		f->d.advice = "all conditions of one rule must hold together; "
			      "for \"or\" write two rules";
	else if (is_order_of_exit(&rule->test[first]) ||
		 is_order_of_exit(&rule->test[second]))
		f->d.advice = "the kernel compares exit without sign: write "
			      "success=0 for calls that fail, success=1 for "
			      "the others";
	else
		f->d.advice = "correct it, or remove the rule";
}

struct deciders {
	bool same;	 /* all with the outcome of the rule */
	bool always;	 /* one of them logs */
	bool never;	 /* one of them does not */
	const char *key; /* of the first that logs; NULL */
};

static struct deciders deciders_of(const struct checker *c,
				   const struct rule *rule,
				   struct origin because)
{
	struct deciders d = {.same = true};

	for (size_t i = 0; i < because.count; i++) {
		const struct rule *decider = c->rule[because.line[i]];

		if (!decider)
			continue;
		d.same = d.same && rule_same_outcome(rule, decider);
		if (decider->action == AUDIT_NEVER)
			d.never = true;
		else
			d.always = true;
		if (decider->action != AUDIT_NEVER && !d.key &&
		    has_key(decider))
			d.key = key_of(c, decider);
	}
	return d;
}

static void tell_redundant(struct dead *dead, const struct change *change)
{
	struct checker *c = dead->c;
	uint32_t line = change->what.line[0];
	struct finding *f =
		found(c, DIAG_NOTE, "redundant-rule", rule_at(c, line),
		      "%s already does all that the rule asks for",
		      lines_text(c, change->because));

	f->d.auditctl = "nothing is lost; every call of the rule pays for it";
	f->d.advice = "remove one of them";
	if (change->because.count == 1)
		f->group = f->d.what;
	relate(c, f, change->because, "this rule comes first");
}

static void tell_shadowed(struct dead *dead, const struct change *change)
{
	struct checker *c = dead->c;
	uint32_t line = change->what.line[0];
	const struct rule *rule = c->rule[line];
	struct deciders d = deciders_of(c, rule, change->because);
	const char *lines = lines_text(c, change->because);
	bool never = rule->action == AUDIT_NEVER;
	struct finding *f;

	dead->excluded[line] = d.never && !never;
	if (d.same) {
		tell_redundant(dead, change);
		return;
	}
	if (never)
		f = found(c, DIAG_WARNING, "late-never", rule_at(c, line),
			  "the exclusion comes too late: %s decide%s all calls "
			  "that it could exclude",
			  lines, change->because.count > 1 ? "" : "s");
	else
		f = found(c, DIAG_WARNING, "shadowed-rule", rule_at(c, line),
			  "the rule never decides anything: %s decide%s all "
			  "calls that it could match",
			  lines, change->because.count > 1 ? "" : "s");
	if (never)
		f->d.auditctl = "the first rule that matches decides, so what "
				"was to be excluded is logged";
	else if (d.always && has_key(rule))
		f->d.auditctl = arena_printf(
			c->arena,
			"what it was to log %s: a search for the key \"%s\" "
			"finds none of it",
			d.key ? arena_printf(c->arena,
					     "gets the key \"%s\" of the "
					     "earlier rule",
					     d.key)
			      : "gets no key",
			key_of(c, rule));
	else if (d.never && !d.always)
		f->d.auditctl = "what it was to log is excluded before";
	else
		f->d.auditctl = "the first rule that matches decides";
	f->d.advice = never ? "move it in front of what it is to exclude from"
			    : "put the narrower rule first, or remove this one";
	/* a rule over all calls in front of many: once for each key */
	if (change->because.count == 1)
		f->group =
			arena_printf(c->arena, "%u %s", change->because.line[0],
				     rule->key ? rule->key : "");
	relate(c, f, change->because, "decides first");
}

/* The calls with a name that RULE could match and that are taken from it. */
static const char *taken_calls(const struct checker *c, const struct rule *rule,
			       const struct change *change)
{
	struct syscall_set calls = rule_calls(c->subject->target, rule);
	const char *text[ABI_COUNT];

	for (int abi = 0; abi < ABI_COUNT; abi++) {
		syscall_mask_intersect(&calls.abi[abi], &change->taken);
		text[abi] = call_list(c, (enum abi)abi, &calls.abi[abi]);
	}
	if (!*text[ABI_COMPAT] || strcmp(text[0], text[1]) == 0)
		return text[ABI_NATIVE];
	if (!*text[ABI_NATIVE])
		return text[ABI_COMPAT];
	return arena_printf(c->arena, "%s and %s of %s", text[ABI_NATIVE],
			    text[ABI_COMPAT],
			    c->subject->target->abi[ABI_COMPAT].name);
}

static void tell_part(struct dead *dead, const struct change *change)
{
	struct checker *c = dead->c;
	uint32_t line = change->what.line[0];
	const struct rule *rule = c->rule[line];
	struct deciders d = deciders_of(c, rule, change->because);
	const char *calls = taken_calls(c, rule, change);
	bool never = rule->action == AUDIT_NEVER;
	struct finding *f;

	if (d.same || !*calls || !change->because.count)
		return;
	f = found(
		c, DIAG_NOTE, never ? "late-never" : "partly-shadowed",
		rule_at(c, line),
		never ? "for %s the exclusion comes too late: %s decide%s first"
		      : "of %s the rule sees nothing: %s decide%s first",
		calls, lines_text(c, change->because),
		change->because.count > 1 ? "" : "s");
	if (!never && d.always && d.key && has_key(rule))
		f->d.auditctl = arena_printf(
			c->arena, "they get the key \"%s\", not \"%s\"", d.key,
			key_of(c, rule));
	f->d.advice = never ? "move it in front of what it is to exclude from"
			    : "leave these calls out of one of the rules";
	relate(c, f, change->because, "decides first");
}

/* Is there a rule in the exit list that logs? Else the input is a part of a
 * rule set, exclusions by themselves. */
static bool logs_anything(const struct checker *c)
{
	for (size_t i = 0; i < c->set->count; i++)
		if (c->set->rule[i]->filter == AUDIT_FILTER_EXIT &&
		    c->set->rule[i]->action == AUDIT_ALWAYS)
			return true;
	return false;
}

static void tell_useless(struct dead *dead, const struct change *change)
{
	struct checker *c = dead->c;
	uint32_t line = change->what.line[0];
	struct finding *f;

	if (!logs_anything(c))
		return;
	f = found(c, DIAG_NOTE, "useless-never", rule_at(c, line),
		  "the exclusion excludes nothing: no rule after it could log "
		  "such a call");
	f->d.auditctl = "the walk ends earlier for these calls, and records "
			"that the kernel makes by itself (of SELinux, say) "
			"lose their companions";
	f->d.advice = "remove it, or move it in front of the rules that it is "
		      "to exclude from";
}

/* Runs PASS and tells what it did. */
static void run(struct dead *dead, const struct pass *pass,
		void (*dropped)(struct dead *, const struct change *),
		void (*narrowed)(struct dead *, const struct change *))
{
	progress_step(dead->context.progress, "checking, dead rules", 0, 0);
	pass->run(dead->set, &dead->context);
	for (; dead->seen < dead->log.count; dead->seen++) {
		const struct change *change = &dead->log.item[dead->seen];

		progress_step(dead->context.progress, "checking, dead rules",
			      dead->seen, dead->log.count);
		if (!change->what.count || !dead->c->rule[change->what.line[0]])
			continue;
		if (change->rules_dropped)
			dead->c->dead[change->what.line[0]] = true;
		if (change->rules_dropped && dropped)
			dropped(dead, change);
		else if (!change->rules_dropped && narrowed)
			narrowed(dead, change);
	}
}

/* A copy for the passes to change, without the rules that are known to decide
 * nothing, but with those that never rules keep from it. */
static struct ruleset *living_rules(const struct dead *dead)
{
	const struct checker *c = dead->c;
	struct ruleset *all = ruleset_copy(c->arena, c->set);
	struct ruleset *set = ruleset_new(c->arena, c->subject->target);

	for (size_t i = 0; i < all->count; i++)
		if (!c->dead[all->rule[i]->line] ||
		    dead->excluded[all->rule[i]->line])
			ruleset_insert(set, set->count, all->rule[i]);
	return set;
}

void check_dead(struct checker *c)
{
	const struct check_subject *s = c->subject;
	struct dead dead = {.c = c};

	dead.excluded = arena_array(c->arena, s->input->count + 1,
				    sizeof(*dead.excluded));
	dead.set = living_rules(&dead);
	dead.context =
		(struct pass_context){.arena = c->arena,
				      .level = 2,
				      .log = &dead.log,
				      .profile = s->profile,
				      .kernel_unknown = s->kernel_unknown,
				      .foreign = s->foreign,
				      .progress = s->progress};
	run(&dead, &pass_foreign_abi, NULL, NULL);
	run(&dead, &pass_duplicates, tell_redundant, NULL);
	run(&dead, &pass_unsatisfiable, tell_unsatisfiable, NULL);
	run(&dead, &pass_shadowed, tell_shadowed, tell_part);
	/* What never rules have taken from others, calls or all, those must have
	 * again: else it would be told that nothing needs the never rule. */
	dead.set = living_rules(&dead);
	run(&dead, &pass_useless_never, tell_useless, NULL);
}
