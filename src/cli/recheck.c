/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The last look before anything is written: the text is read again, as the
 * oldest and the newest known auditctl that take it do, and must give the rule
 * set that it was made of. Only two things may differ: a long rule may have been split
 * into several with the same tests, and tests may stand in another order where
 * no kernel list cares.
 */
#include <libaudit.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/verbatim.h"
#include "emit/emit.h"
#include "frontend/behaviour.h"

/* TEXT as input, as if it were a file of that name. NULL with *WHY if a line is
 * one that auditctl would cut. */
static struct input *text_as_input(struct arena *arena, const char *text,
				   size_t size, const char **why)
{
	static const char *const name = "the result";
	struct input *input = arena_alloc(arena, sizeof(*input));
	const char *end = text + size;
	uint32_t lines = 0;

	for (const char *p = text; p < end; p++)
		lines += *p == '\n';
	input->line = arena_array(arena, lines + 1, sizeof(*input->line));
	input->file = &name;
	input->files = 1;
	while (text < end) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));
		struct source_line *line = &input->line[input->count];

		if (!stop || stop - text > SOURCE_LINE_MAX) {
			*why = arena_printf(arena, "its line %u is %s",
					    (unsigned int)input->count + 1,
					    stop ? "too long"
						 : "without an end");
			return NULL;
		}
		*line = (struct source_line){.file = name,
					     .number = ++input->count,
					     .column = 1,
					     .text = text,
					     .length = (size_t)(stop - text)};
		text = stop + 1;
	}
	return input;
}

/* The first complaint that stops auditctl or loses something. */
static const char *first_complaint(struct arena *arena,
				   struct diagnostics *diagnostics)
{
	const struct diagnostic *d;

	for (size_t i = 0; (d = diagnostics_get(diagnostics, i)) != NULL; i++)
		if (d->severity >= DIAG_ERROR || d->stops)
			return arena_printf(
				arena, "its line %u has an error: %s",
				(unsigned int)d->at.line + 1, d->what);
	return NULL;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_test(const struct field_test *a, const struct field_test *b)
{
	return a->field == b->field && a->op == b->op && a->value == b->value &&
	       same_text(a->string, b->string);
}

/* The same tests, whatever their order. */
static bool same_tests_shuffled(const struct rule *a, const struct rule *b)
{
	uint64_t taken = 0; /* AUDIT_MAX_FIELDS is 64 */

	if (a->tests != b->tests || a->tests > 64)
		return false;
	for (unsigned int i = 0; i < a->tests; i++) {
		unsigned int j = 0;

		while (j < b->tests && ((taken >> j & 1) ||
					!same_test(&a->test[i], &b->test[j])))
			j++;
		if (j == b->tests)
			return false;
		taken |= UINT64_C(1) << j;
	}
	return true;
}

/* In exit and io_uring rules the tests are a plain "and"; elsewhere a test that
 * the filter does not know ends the walk, and order counts (audit_filter). */
static bool same_tests(const struct rule *a, const struct rule *b)
{
	if (a->filter == AUDIT_FILTER_EXIT ||
	    a->filter == AUDIT_FILTER_URING_EXIT)
		return same_tests_shuffled(a, b);
	if (a->tests != b->tests)
		return false;
	for (unsigned int i = 0; i < a->tests; i++)
		if (!same_test(&a->test[i], &b->test[i]))
			return false;
	return true;
}

/* All but the mask. */
static bool same_but_mask(const struct rule *a, const struct rule *b)
{
	return a->filter == b->filter && a->action == b->action &&
	       a->epoch == b->epoch && a->unsettled == b->unsettled &&
	       a->mask_classes == b->mask_classes &&
	       same_text(a->key, b->key) && same_tests(a, b);
}

/* Does R enter the calls that are wanted of RULE, or some of them? On exclude
 * auditctl refuses -S, but since 3.1.3 sets bits for a perm behind arch, and
 * the kernel looks at none (audit_filter). */
static bool mask_fits(const struct rule *rule, const struct rule *r)
{
	return rule->filter == AUDIT_FILTER_EXCLUDE ||
	       syscall_mask_subset(&r->mask, &rule->mask);
}

/* The position behind the last rule of READ, from AT on, that together are the
 * wanted RULE; AT if they are not. */
static size_t match_rule(const struct ruleset *read, size_t at,
			 const struct rule *rule)
{
	struct syscall_mask mask = {{0}};
	size_t i = at;

	do {
		const struct rule *r;

		if (i == read->count)
			return at;
		r = read->rule[i];
		if (!same_but_mask(rule, r) || !mask_fits(rule, r) ||
		    (i > at && syscall_mask_empty(&r->mask)))
			return at;
		syscall_mask_unite(&mask, &r->mask);
		i++;
	} while (rule->filter != AUDIT_FILTER_EXCLUDE &&
		 !syscall_mask_equal(&mask, &rule->mask));
	return i;
}

static const char *compare_rules(struct arena *arena,
				 const struct ruleset *wanted,
				 const struct ruleset *read)
{
	size_t at = 0;

	for (size_t i = 0; i < wanted->count; i++) {
		const struct rule *rule = wanted->rule[i];
		size_t next = match_rule(read, at, rule);

		if (next == at)
			return arena_printf(
				arena,
				"it does not give back rule %zu of %zu: %s",
				i + 1, wanted->count,
				emit_rule(arena, wanted->target, rule));
		at = next;
	}
	if (at < read->count)
		return arena_printf(arena, "it gives %zu rules too many",
				    read->count - at);
	return NULL;
}

static bool same_action(const struct audit_action *a,
			const struct audit_action *b)
{
	if (!a || !b)
		return a == b;
	return a->kind == b->kind && a->number == b->number &&
	       same_text(a->text, b->text);
}

static bool same_moments(const struct controls *a, const struct controls *b)
{
	if (a->moments != b->moments)
		return false;
	for (size_t i = 0; i < a->moments; i++)
		if (a->moment_epoch[i] != b->moment_epoch[i] ||
		    !same_action(a->moment[i], b->moment[i]))
			return false;
	return true;
}

static const char *compare_controls(const struct controls *a,
				    const struct controls *b)
{
	if (!same_action(a->delete_all, b->delete_all))
		return "it does not give back -D";
	if (!same_action(a->enable, b->enable))
		return "it does not give back -e";
	if (!same_action(a->failure, b->failure))
		return "it does not give back -f";
	if (!same_action(a->rate, b->rate))
		return "it does not give back -r";
	if (!same_action(a->backlog, b->backlog))
		return "it does not give back -b";
	if (!same_action(a->backlog_wait_time, b->backlog_wait_time))
		return "it does not give back --backlog_wait_time";
	if (!same_action(a->loginuid_immutable, b->loginuid_immutable))
		return "it does not give back --loginuid-immutable";
	if (!same_action(a->ignore, b->ignore))
		return "it does not give back -i";
	if (!same_action(a->keep_going, b->keep_going))
		return "it does not give back -c";
	if (!same_moments(a, b))
		return "it does not give back -q, -t, -m and their like";
	return NULL;
}

static const char *recheck_under(struct arena *arena, const struct input *input,
				 const struct ruleset *set,
				 const struct controls *controls,
				 const struct compile_options *options)
{
	struct diagnostics *diagnostics = diagnostics_new(arena);
	struct commands commands = parse_input(
		arena, input, options->auditctl_version, diagnostics);
	struct actions actions =
		compile_commands(arena, &commands, input, options, diagnostics);
	struct loaded loaded =
		load_actions(arena, &actions, options, diagnostics);
	const char *why = first_complaint(arena, diagnostics);

	if (!why)
		why = compare_rules(arena, set, loaded.set);
	if (!why)
		why = compare_controls(controls, &loaded.controls);
	return why;
}

/* The oldest auditctl that has all that SET needs. The oldest known one has no
 * io_uring filter, and takes on the exclude filter only what the kernel can match
 * there. */
static unsigned int oldest_for(const struct ruleset *set)
{
	for (size_t i = 0; i < set->count; i++) {
		const struct rule *rule = set->rule[i];

		if (rule->filter == AUDIT_FILTER_URING_EXIT)
			return auditctl_behaves_since(BEHAVES_URING_LIST);
		if (rule->filter != AUDIT_FILTER_EXCLUDE)
			continue;
		for (unsigned int t = 0; t < rule->tests; t++)
			if (!(rule->test[t].field->filters &
			      1U << AUDIT_FILTER_EXCLUDE))
				return auditctl_behaves_since(
					BEHAVES_EXCLUDE_ANY);
	}
	return AUDITCTL_OLDEST;
}

/* The newest auditctl that takes what SET asks for: lately it refuses a key that
 * begins with the separator. */
static unsigned int newest_for(const struct ruleset *set)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->rule[i]->key &&
		    *set->rule[i]->key == AUDIT_KEY_SEPARATOR)
			return auditctl_newest_without(BEHAVES_KEY_CHECKED);
	return AUDITCTL_NEWEST;
}

const char *recheck_verbatim(struct arena *arena, const char *text, size_t size,
			     const struct ruleset *set,
			     const struct controls *controls,
			     const struct compile_options *options,
			     const struct verbatim *verbatim)
{
	const unsigned int version[] = {oldest_for(set), newest_for(set),
					options->auditctl_version};
	const char *why = NULL;
	struct input *input = text_as_input(arena, text, size, &why);

	if (!input)
		return arena_printf(arena, "the text is not fit to load: %s",
				    why);
	input->progress = options->progress;
	for (size_t i = 0; i < 3; i++) {
		struct compile_options as = *options;
		const struct ruleset *wanted = set;

		if (i == 2 &&
		    (version[2] == version[0] || version[2] == version[1]))
			break;
		as.keep_going = false;
		as.auditctl_version = version[i];
		if (verbatim && version[i] != version[2])
			wanted = verbatim_under(arena, verbatim, set,
						version[i], NULL);
		if (!wanted)
			continue;
		why = recheck_under(arena, input, wanted, controls, &as);
		if (why)
			return arena_printf(
				arena, "read as auditctl %s reads it, %s",
				auditctl_version_text(arena, version[i]), why);
	}
	return NULL;
}

const char *recheck(struct arena *arena, const char *text, size_t size,
		    const struct ruleset *set, const struct controls *controls,
		    const struct compile_options *options)
{
	return recheck_verbatim(arena, text, size, set, controls, options,
				NULL);
}
