/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/verbatim.h"

#include <libaudit.h>
#include <stdio.h>
#include <string.h>

#include "frontend/behaviour.h"
#include "util/progress.h"

/* Is LINE one that auditctl cuts, or the rest of such a one? */
static bool is_cut(const struct input *input, uint32_t line)
{
	return input->line[line].column > 1 ||
	       (line + 1 < input->count && input->line[line + 1].column > 1) ||
	       input->line[line].length > SOURCE_LINE_MAX;
}

static const char *text_of(struct arena *arena, struct verbatim *v,
			   uint32_t line)
{
	const struct source_line *source = &v->in->input.line[line];
	size_t length = source->length;

	if (source->merged && length && source->text[length - 1] == '\r' &&
	    auditctl_behaves(v->compile->auditctl_version, BEHAVES_CR_TAKEN)) {
		v->returns = true;
		length--;
	}
	return arena_strndup(arena, source->text, length);
}

/* ACTION adds a rule; MORE: other actions stand on its line. */
static const char *why_not(const struct verbatim *v,
			   const struct audit_action *action, bool more)
{
	const struct source_line *line = &v->in->input.line[action->line];

	if (more)
		return "its line says something else besides";
	if (action->wire->flags & AUDIT_FILTER_PREPEND)
		return "-A would put it in front of what stands before it";
	if (is_cut(&v->in->input, action->line))
		return "auditctl cuts its line";
	if (memchr(line->text, '\0', line->length))
		return "there is a NUL byte in its line";
	return NULL;
}

static void add_action(struct arena *arena, struct verbatim *v, size_t i)
{
	const struct actions *actions = &v->in->actions;
	const struct audit_action *action = &actions->item[i];
	bool more = (i > 0 && actions->item[i - 1].line == action->line) ||
		    (i + 1 < actions->count &&
		     actions->item[i + 1].line == action->line);

	if (action->kind != DO_ADD_RULE)
		return;
	v->why[action->line] = why_not(v, action, more);
	if (!v->why[action->line])
		v->text[action->line] = text_of(arena, v, action->line);
}

struct verbatim *verbatim_of(struct arena *arena, const struct cli_input *in,
			     const struct compile_options *compile,
			     const struct target *target)
{
	struct verbatim *v = arena_alloc(arena, sizeof(*v));

	v->in = in;
	v->compile = compile;
	v->target = target;
	v->text = arena_array(arena, in->input.count, sizeof(*v->text));
	v->why = arena_array(arena, in->input.count, sizeof(*v->why));
	for (size_t i = 0; i < in->actions.count; i++)
		add_action(arena, v, i);
	for (size_t i = 0; i < in->loaded.lefts; i++) {
		uint32_t line = in->loaded.left[i].line;

		v->text[line] = NULL;
		v->why[line] = "a part of it was left out";
	}
	return v;
}

/* The input under another auditctl: its rules by line, NULL where it makes
 * none of a line or stops there. */
struct reading {
	struct ruleset *set;
	struct rule **rule;
};

static struct reading read_as(struct arena *arena, const struct verbatim *v,
			      unsigned int version)
{
	struct compile_options as = *v->compile;
	struct diagnostics *diagnostics = diagnostics_new(arena);
	struct commands commands;
	struct actions actions;
	struct reading reading;
	const struct diagnostic *d;

	as.auditctl_version = version;
	as.keep_going = true;
	commands = parse_input(arena, &v->in->input, version, diagnostics);
	actions = compile_commands(arena, &commands, &v->in->input, &as,
				   diagnostics);
	reading.set = load_actions(arena, &actions, &as, diagnostics).set;
	reading.set->target = v->target;
	reading.rule =
		arena_array(arena, v->in->input.count, sizeof(*reading.rule));
	for (size_t i = 0; i < reading.set->count; i++)
		reading.rule[reading.set->rule[i]->line] = reading.set->rule[i];
	for (size_t i = 0; (d = diagnostics_get(diagnostics, i)) != NULL; i++)
		if ((d->severity >= DIAG_ERROR || d->stops) &&
		    d->at.line < v->in->input.count)
			reading.rule[d->at.line] = NULL;
	return reading;
}

/* Does one of the lines whose text cannot be kept give another rule in READING
 * than it is written as for every auditctl? */
static bool reads_otherwise(const struct verbatim *v,
			    const struct reading *reading)
{
	const struct ruleset *before = v->in->loaded.set;

	for (size_t i = 0; i < before->count; i++) {
		const struct rule *rule = before->rule[i];
		const struct rule *other = reading->rule[rule->line];

		if (!v->text[rule->line] && other &&
		    !rule_same_to_kernel(rule, other))
			return true;
	}
	return false;
}

/* The loaded rules with what READING makes of the texts that can be kept. The
 * others are written so that every auditctl reads them alike. */
static struct ruleset *source_under(struct arena *arena,
				    const struct verbatim *v,
				    const struct reading *reading)
{
	const struct ruleset *before = v->in->loaded.set;
	struct ruleset *source = ruleset_new(arena, v->target);

	for (size_t i = 0; i < before->count; i++) {
		struct rule *rule = before->rule[i];

		if (v->text[rule->line])
			rule = reading->rule[rule->line];
		if (rule)
			ruleset_insert(source, source->count, rule);
	}
	return source;
}

static bool is_kept(const struct verbatim *v, const struct rule *rule)
{
	return rule->origin.count && v->text[rule->line];
}

static struct ruleset *set_under(struct arena *arena, const struct verbatim *v,
				 const struct ruleset *set,
				 const struct reading *reading)
{
	struct ruleset *under = ruleset_new(arena, v->target);

	for (size_t i = 0; i < set->count; i++) {
		struct rule *rule = set->rule[i];

		if (is_kept(v, rule)) {
			rule = reading->rule[rule->line];
			if (!rule)
				return NULL;
		}
		ruleset_insert(under, under->count, rule);
	}
	return under;
}

/* Has every line the end that VERSION needs? */
static bool has_ends(const struct verbatim *v, unsigned int version)
{
	return !v->returns || auditctl_behaves(version, BEHAVES_CR_TAKEN);
}

struct ruleset *verbatim_under(struct arena *arena, const struct verbatim *v,
			       const struct ruleset *set, unsigned int version,
			       struct ruleset **source)
{
	struct reading reading;
	struct ruleset *under;

	if (!has_ends(v, version))
		return NULL;
	reading = read_as(arena, v, version);
	under = set_under(arena, v, set, &reading);
	if (under && source)
		*source = source_under(arena, v, &reading);
	return under;
}

static bool same_rules(const struct ruleset *a, const struct ruleset *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (!rule_same_to_kernel(a->rule[i], b->rule[i]) ||
		    a->rule[i]->unsettled != b->rule[i]->unsettled)
			return false;
	return true;
}

static bool holds_under(struct arena *arena, struct verbatim *v,
			const struct ruleset *set,
			const struct verify_options *how, unsigned int version)
{
	struct ruleset *source, *under = NULL;

	if (has_ends(v, version)) {
		const struct reading reading = read_as(arena, v, version);

		source = source_under(arena, v, &reading);
		under = set_under(arena, v, set, &reading);
		if (under && reads_otherwise(v, &reading))
			v->differs = version;
	}
	if (!under)
		v->refuses = version;
	if (!under ||
	    (same_rules(source, v->in->loaded.set) && same_rules(under, set)))
		return true;
	return verify_equivalent(arena, source, under, how).proof == PROOF_GOOD;
}

bool verbatim_holds(struct arena *arena, struct verbatim *v,
		    const struct ruleset *set, const struct verify_options *how,
		    unsigned int *version)
{
	for (size_t i = 0; (*version = auditctl_meaning(i)); i++)
		if (!holds_under(arena, v, set, how, *version))
			return false;
	return true;
}

static void tell_differing(struct arena *arena, const struct verbatim *v)
{
	fprintf(stderr,
		"auditopt: warning: a line whose text cannot be kept means "
		"something else to auditctl %s; it is taken as auditctl %s "
		"reads it (--auditctl)\n",
		auditctl_version_text(arena, v->differs),
		auditctl_version_text(arena, v->compile->auditctl_version));
}

struct proved verbatim_optimize(struct arena *arena, struct verbatim *v,
				const struct ruleset *before,
				const struct pipeline_options *how)
{
	struct pipeline_options options = *how;
	const struct verify_options verify = {
		.level = how->level,
		.kernel_unknown = how->kernel_unknown,
		.unlogged = how->unlogged,
	};
	struct proved proved;
	unsigned int version;

	for (;;) {
		proved = optimize_proved(arena, before, &options);
		if (proved.refuted || proved.level < 0 ||
		    verbatim_holds(arena, v, proved.after, &verify, &version))
			break;
		options.level = proved.level - 1;
		progress_clear(options.progress);
		fprintf(stderr,
			"auditopt: warning: what -O%d makes of the rules could "
			"not be proved to mean the same to auditctl %s, to "
			"which some of their texts mean something else\n",
			proved.level, auditctl_version_text(arena, version));
	}
	progress_clear(options.progress);
	if (v->differs)
		tell_differing(arena, v);
	return proved;
}

const char *verbatim_limits(struct arena *arena, const struct verbatim *v)
{
	const char *text = "";

	if (v && v->refuses)
		text = arena_printf(
			arena,
			"Not every text is one that auditctl %s takes.\n",
			auditctl_version_text(arena, v->refuses));
	if (v && v->differs)
		text = arena_printf(
			arena,
			"%sThe rules whose text was not kept, or which are no "
			"more, were read as\nauditctl %s reads them; to "
			"auditctl "
			"%s some mean something else.\n",
			text,
			auditctl_version_text(arena,
					      v->compile->auditctl_version),
			auditctl_version_text(arena, v->differs));
	return text;
}
