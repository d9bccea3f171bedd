/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "check/check.h"

#include <linux/audit.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "check/checker.h"
#include "util/progress.h"

#define CALLS_SHOWN 8

struct finding *findings_add(struct arena *arena, struct findings *findings,
			     const struct diagnostic *d)
{
	struct finding *finding;

	findings->item = arena_grow(arena, findings->item, findings->count,
				    &findings->room, sizeof(*finding));
	finding = &findings->item[findings->count++];
	finding->d = *d;
	finding->group = NULL;
	return finding;
}

struct finding *found(struct checker *c, enum severity severity, const char *id,
		      struct position at, const char *format, ...)
{
	struct diagnostic d = {.severity = severity,
			       .id = id,
			       .at = at,
			       .other = {.line = DIAG_NO_LINE}};
	va_list args;

	va_start(args, format);
	d.what = arena_vprintf(c->arena, format, args);
	va_end(args);
	return findings_add(c->arena, c->findings, &d);
}

void checking(const struct checker *c, size_t i)
{
	progress_step(c->subject->progress, "checking, rule", i + 1,
		      c->set->count);
}

struct position rule_at(const struct checker *c, uint32_t line)
{
	if (line < c->subject->input->count && c->action[line])
		return c->action[line]->at;
	return (struct position){line, 1, 1};
}

/* The key is a field of the wire form and no test of the rule. */
struct position test_at(const struct checker *c, uint32_t line,
			unsigned int test)
{
	const struct audit_action *action = c->action[line];
	unsigned int tests = 0;

	if (!action)
		return rule_at(c, line);
	for (unsigned int i = 0; i < action->wire->field_count; i++) {
		if (action->wire->fields[i] == AUDIT_FILTERKEY)
			continue;
		if (tests++ == test)
			return action->field_at[i];
	}
	return action->at;
}

const char *line_name(const struct checker *c, uint32_t line)
{
	const struct source_line *l = &c->subject->input->line[line];

	return arena_printf(c->arena, "%s:%u", l->file, l->number);
}

const char *call_list(const struct checker *c, enum abi abi,
		      const struct syscall_mask *mask)
{
	const char *text = "";
	unsigned int shown = 0, more = 0;

	for (int n = syscall_mask_next(mask, 0); n >= 0;
	     n = syscall_mask_next(mask, n + 1)) {
		const char *name = target_call_name(c->subject->target, abi, n);

		if (!name)
			continue;
		if (shown == CALLS_SHOWN)
			more++;
		else
			text = arena_printf(c->arena, "%s%s%s", text,
					    shown++ ? ", " : "", name);
	}
	if (more)
		text = arena_printf(c->arena, "%s and %u more", text, more);
	return text;
}

static int rank(const struct diagnostic *d)
{
	return d->at.line == DIAG_NO_LINE ? 0 : 1;
}

#define COMPARE(a, b)                              \
	do {                                       \
		if ((a) != (b))                    \
			return (a) < (b) ? -1 : 1; \
	} while (0)

/* The array is sorted in place, so that addresses tell the order of adding only
 * to a stable sort; glibc's qsort() is one only while it has memory. So the id
 * and the text decide what is left. */
static int by_place(const void *a, const void *b)
{
	const struct diagnostic *x = &((const struct finding *)a)->d;
	const struct diagnostic *y = &((const struct finding *)b)->d;
	int order;

	COMPARE(rank(x), rank(y));
	if (rank(x)) {
		COMPARE(x->at.line, y->at.line);
		COMPARE(x->at.column, y->at.column);
	}
	COMPARE(y->severity, x->severity);
	order = strcmp(x->id, y->id);
	return order ? order : strcmp(x->what, y->what);
}

void findings_sort(struct findings *findings)
{
	if (findings->count)
		qsort(findings->item, findings->count, sizeof(*findings->item),
		      by_place);
}

size_t findings_count(const struct findings *findings, enum severity severity)
{
	size_t n = 0;

	for (size_t i = 0; i < findings->count; i++)
		n += findings->item[i].d.severity == severity;
	return n;
}

static void map_lines(struct checker *c)
{
	const struct check_subject *s = c->subject;

	c->action = arena_array(c->arena, s->input->count, sizeof(*c->action));
	c->rule = arena_array(c->arena, s->input->count, sizeof(*c->rule));
	c->dead = arena_array(c->arena, s->input->count, sizeof(*c->dead));
	for (size_t i = 0; i < s->actions->count; i++)
		if (s->actions->item[i].kind == DO_ADD_RULE)
			c->action[s->actions->item[i].line] =
				&s->actions->item[i];
	for (size_t i = 0; i < c->set->count; i++)
		c->rule[c->set->rule[i]->line] = c->set->rule[i];
}

/* Was -i or -c met before LINE, so that auditctl goes on behind an error? */
static bool goes_on(const struct check_subject *s, uint32_t line)
{
	for (size_t i = 0; i < s->actions->count; i++) {
		const struct audit_action *a = &s->actions->item[i];

		if ((a->kind == DO_IGNORE || a->kind == DO_CONTINUE) &&
		    a->line < line)
			return true;
	}
	return false;
}

/* A directory that a rule needs may be there when the rules are loaded: an error
 * it is only where it is known to be missing. */
static void judge_missing(const struct check_subject *s, struct diagnostic *d)
{
	if (strcmp(d->id, "path-missing") != 0 || !s->of_this_host ||
	    goes_on(s, d->at.line))
		return;
	d->stops = true;
	d->auditctl = NULL; /* it says what follows from stops */
}

/* What the front end told. What auditctl stops at is an error here: the rules
 * after it are not loaded. */
static void take_over(struct checker *c, struct diagnostics *diagnostics)
{
	const struct diagnostic *d;

	for (size_t i = 0; (d = diagnostics_get(diagnostics, i)); i++) {
		struct finding *finding =
			findings_add(c->arena, c->findings, d);

		judge_missing(c->subject, &finding->d);
		if (finding->d.stops && d->severity < DIAG_ERROR)
			finding->d.severity = DIAG_ERROR;
		if (d->at.line != DIAG_NO_LINE && d->other.line == DIAG_NO_LINE)
			finding->group = d->what;
	}
}

struct findings check_rules(const struct check_subject *subject,
			    struct diagnostics *diagnostics)
{
	struct findings findings = {0};
	struct checker c = {.subject = subject,
			    .arena = subject->arena,
			    .findings = &findings,
			    .set = subject->loaded->set};

	map_lines(&c);
	take_over(&c, diagnostics);
	check_dead(&c);
	check_nested(&c);
	check_twins(&c);
	check_fields(&c);
	check_whole(&c);
	check_versions(&c);
	findings_sort(&findings);
	return findings;
}
