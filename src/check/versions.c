/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines that another auditctl takes for something else, or refuses. The input
 * is compiled once for each version in which something changed; the lines
 * about whose meaning the front end has spoken already are left out.
 */
#include <libaudit.h>
#include <string.h>

#include "check/checker.h"
#include "frontend/behaviour.h"

/* What a line comes to under one version. */
struct reading {
	const struct audit_action *first; /* of its actions; NULL: none */
	size_t count;
	const struct diagnostic *error; /* NULL: it is taken */
};

struct compared {
	struct checker *c;
	bool *told; /* by line: there is nothing to say, or it was said */
	struct reading *here, *there;
	/* By line: a bit for each auditctl_change() that refuses it, that reads
	 * it otherwise. */
	uint32_t *refused, *other;
	const struct diagnostic **why;
};

static struct reading *read_lines(struct arena *arena,
				  const struct input *input,
				  const struct actions *actions,
				  struct diagnostics *diagnostics)
{
	struct reading *line = arena_array(arena, input->count, sizeof(*line));
	const struct diagnostic *d;

	for (size_t i = 0; i < actions->count; i++) {
		struct reading *r = &line[actions->item[i].line];

		if (!r->count++)
			r->first = &actions->item[i];
	}
	for (size_t i = 0; (d = diagnostics_get(diagnostics, i)); i++)
		if (d->severity >= DIAG_ERROR && d->at.line != DIAG_NO_LINE &&
		    !line[d->at.line].error)
			line[d->at.line].error = d;
	return line;
}

/* Which calls perm brings is told by the front end. */
static bool has_perm(const struct audit_rule_data *wire)
{
	for (unsigned int i = 0; i < wire->field_count; i++)
		if (wire->fields[i] == AUDIT_PERM)
			return true;
	return false;
}

static bool same_wire(const struct audit_action *a,
		      const struct audit_action *b)
{
	const struct audit_rule_data *x = a->wire, *y = b->wire;

	if (!x != !y)
		return false;
	if (!x)
		return true;
	if (a->wire_size != b->wire_size)
		return false;
	return has_perm(x) ? x->flags == y->flags && x->action == y->action
			   : memcmp(x, y, a->wire_size) == 0;
}

static bool same_reading(const struct reading *a, const struct reading *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++) {
		const struct audit_action *x = a->first + i, *y = b->first + i;

		if (x->kind != y->kind || x->number != y->number ||
		    !x->text != !y->text ||
		    (x->text && strcmp(x->text, y->text) != 0) ||
		    !same_wire(x, y))
			return false;
	}
	return true;
}

/* Lives in ARENA, which may die before the rest. */
static struct reading *compile_as(const struct check_subject *s,
				  unsigned int version, struct arena *arena)
{
	struct compile_options options = *s->compile;
	struct diagnostics *diagnostics = diagnostics_new(arena);
	struct commands commands;
	struct actions actions;

	options.auditctl_version = version;
	commands = parse_input(arena, s->input, version, diagnostics);
	actions = compile_commands(arena, &commands, s->input, &options,
				   diagnostics);
	return read_lines(arena, s->input, &actions, diagnostics);
}

/* Why LINE is refused, kept for when it is told. */
static void keep_reason(struct compared *v, uint32_t line,
			const struct diagnostic *error)
{
	struct diagnostic *kept;

	if (v->why[line])
		return;
	kept = arena_copy(v->c->arena, error, sizeof(*error));
	kept->what = arena_strdup(v->c->arena, error->what);
	if (error->advice)
		kept->advice = arena_strdup(v->c->arena, error->advice);
	v->why[line] = kept;
}

static void compare(struct compared *v, uint32_t bit)
{
	for (uint32_t i = 0; i < v->c->subject->input->count; i++) {
		if (v->told[i])
			continue;
		if (v->there[i].error) {
			v->refused[i] |= bit;
			keep_reason(v, i, v->there[i].error);
		} else if (!same_reading(&v->here[i], &v->there[i])) {
			v->other[i] |= bit;
		}
	}
}

static const char *version_name(const struct checker *c, size_t i)
{
	return auditctl_version_text(c->arena, auditctl_change(i));
}

/* "before 3.1.0", "since 4.2.0", "from 4.0.4 up to (not with) 4.1.1" */
static const char *which(const struct checker *c, uint32_t bits)
{
	size_t first = 0, last;

	while (!(bits >> first & 1))
		first++;
	last = first;
	while (auditctl_change(last + 1) && bits >> (last + 1) & 1)
		last++;
	if (!auditctl_change(last + 1))
		return arena_printf(c->arena, "since %s",
				    version_name(c, first));
	if (first == 0)
		return arena_printf(c->arena, "before %s",
				    version_name(c, last + 1));
	return arena_printf(c->arena, "from %s to before %s",
			    version_name(c, first), version_name(c, last + 1));
}

static void tell(struct compared *v, uint32_t line)
{
	struct checker *c = v->c;
	const struct position at = v->here[line].count
					   ? v->here[line].first->at
					   : (struct position){line, 1, 1};
	struct finding *f;

	if (v->other[line]) {
		f = found(c, DIAG_WARNING, "version-dependent", at,
			  "auditctl %s takes the line for something else",
			  which(c, v->other[line]));
		f->d.advice = "write it so that all versions agree, or see to "
			      "it that all hosts have one version";
	}
	if (v->refused[line]) {
		f = found(c, DIAG_NOTE, "version-dependent", v->why[line]->at,
			  "auditctl %s refuses the line: %s",
			  which(c, v->refused[line]), v->why[line]->what);
		f->d.auditctl =
			"such an auditctl stops there and loads none of "
			"the lines after it";
		f->d.advice = v->why[line]->advice
				      ? v->why[line]->advice
				      : "keep the line from hosts with such a "
					"version";
		f->group = f->d.what;
	}
}

/* What the front end has told of for this version needs no telling. */
static void find_told(struct compared *v)
{
	const struct findings *all = v->c->findings;

	for (size_t i = 0; i < all->count; i++) {
		const struct diagnostic *d = &all->item[i].d;

		if (d->at.line == DIAG_NO_LINE)
			continue;
		if (d->severity >= DIAG_ERROR ||
		    strcmp(d->id, "prepend-deletes") == 0)
			v->told[d->at.line] = true;
	}
}

void check_versions(struct checker *c)
{
	const uint32_t lines = c->subject->input->count;
	struct compared v = {.c = c};
	unsigned int version;

	v.told = arena_array(c->arena, lines, sizeof(*v.told));
	v.refused = arena_array(c->arena, lines, sizeof(*v.refused));
	v.other = arena_array(c->arena, lines, sizeof(*v.other));
	v.why = arena_array(c->arena, lines, sizeof(*v.why));
	find_told(&v);
	v.here = read_lines(c->arena, c->subject->input, c->subject->actions,
			    diagnostics_new(c->arena));
	for (size_t i = 0; (version = auditctl_change(i)); i++) {
		struct arena *arena = arena_new();

		v.there = compile_as(c->subject, version, arena);
		compare(&v, UINT32_C(1) << i);
		arena_free(arena);
	}
	for (uint32_t line = 0; line < lines; line++)
		if (v.refused[line] || v.other[line])
			tell(&v, line);
}
