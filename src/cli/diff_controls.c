/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/diff_controls.h"

#include <string.h>

#include "util/printable.h"
#include "verify/tagged.h"

/* Differences in trees that are shown; there may be one for each of many. */
#define TREES_SHOWN 20

/* What was asked for, as auditctl takes it. */
static const char *action_text(struct arena *arena,
			       const struct audit_action *action, bool number)
{
	if (!action)
		return "not given";
	return number ? arena_printf(arena, "%u", action->number) : "given";
}

static bool action_same(const struct audit_action *a,
			const struct audit_action *b)
{
	return (!a && !b) || (a && b && a->number == b->number);
}

/* TEXT and a line about the option NAME, if OLD and NEW differ in it. */
static const char *add_option(struct arena *arena, const char *text,
			      const char *name, const struct audit_action *old,
			      const struct audit_action *new, bool number)
{
	if (action_same(old, new))
		return text;
	return arena_printf(arena, "%s  %s: old: %s, new: %s\n", text, name,
			    action_text(arena, old, number),
			    action_text(arena, new, number));
}

/* The moments of KIND, with their texts, in order. */
static const char *moments_text(struct arena *arena, const struct controls *c,
				enum action_kind kind)
{
	const char *text = "";
	size_t count = 0;

	for (size_t i = 0; i < c->moments; i++) {
		const struct audit_action *a = c->moment[i];

		if (a->kind != kind)
			continue;
		count++;
		if (a->text)
			text = arena_printf(arena, "%s%s%s", text,
					    *text ? " " : "",
					    printable_text(arena, a->text,
							   strlen(a->text)));
	}
	if (!count)
		return "not given";
	if (*text)
		return text;
	return count == 1 ? "given" : arena_printf(arena, "%zu times", count);
}

static const char *add_moments(struct arena *arena, const char *text,
			       const struct controls *old,
			       const struct controls *new)
{
	static const struct {
		enum action_kind kind;
		const char *name;
	} kinds[] = {
		{DO_EQUIVALENT, "-q"},
		{DO_TRIM, "-t"},
		{DO_MESSAGE, "-m"},
		{DO_SIGNAL, "--signal"},
		{DO_RESET_LOST, "--reset-lost"},
		{DO_RESET_BACKLOG_WAIT_TIME_ACTUAL,
		 "--reset_backlog_wait_time_actual"},
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const char *a = moments_text(arena, old, kinds[i].kind);
		const char *b = moments_text(arena, new, kinds[i].kind);

		if (strcmp(a, b) != 0)
			text = arena_printf(arena, "%s  %s: old: %s, new: %s\n",
					    text, kinds[i].name, a, b);
	}
	return text;
}

static bool is_off(const struct controls *c)
{
	return c->enable && c->enable->number == 0;
}

/* What the kernel has a value of in any case; a set that does not ask for one
 * leaves that as it is, and so does not differ from the kernel. */
static const char *add_values(struct arena *arena, const char *text,
			      const struct controls *a,
			      const struct controls *b, bool old_from_kernel)
{
	const struct {
		const char *name;
		const struct audit_action *old, *new;
		bool number;
	} values[] = {
		{"-e", a->enable, b->enable, true},
		{"-b", a->backlog, b->backlog, true},
		{"-f", a->failure, b->failure, true},
		{"-r", a->rate, b->rate, true},
		{"--backlog_wait_time", a->backlog_wait_time,
		 b->backlog_wait_time, true},
		{"--loginuid-immutable", a->loginuid_immutable,
		 b->loginuid_immutable, false},
	};
	size_t i = is_off(a) == is_off(b) ? 0 : 1; /* that is told by itself */

	for (; i < sizeof(values) / sizeof(values[0]); i++)
		if (!old_from_kernel || values[i].new)
			text = add_option(arena, text, values[i].name,
					  values[i].old, values[i].new,
					  values[i].number);
	return text;
}

static const char *unlogged_text(struct arena *arena, const struct controls *a,
				 const struct controls *b, bool old_from_kernel)
{
	const char *text = add_values(arena, "", a, b, old_from_kernel);

	if (old_from_kernel) /* how it was loaded is not known */
		return text;
	text = add_option(arena, text, "-D", a->delete_all, b->delete_all,
			  false);
	text = add_option(arena, text, "-i", a->ignore, b->ignore, false);
	text = add_option(arena, text, "-c", a->keep_going, b->keep_going,
			  false);
	return add_moments(arena, text, a, b);
}

static const char *enable_text(struct arena *arena, const struct controls *c)
{
	if (is_off(c))
		return "off (-e 0): no rule logs anything";
	if (!c->enable)
		return "as it was before (no -e)";
	return arena_printf(arena, "on (-e %u)", c->enable->number);
}

static const char *off_text(struct arena *arena, const struct controls *old,
			    const struct controls *new)
{
	return arena_printf(arena,
			    "auditing as a whole\n"
			    "  old: %s\n"
			    "  new: %s\n\n",
			    enable_text(arena, old), enable_text(arena, new));
}

static struct tagging tagging_of(struct arena *arena, const struct controls *c)
{
	const char **text = arena_array(arena, c->moments + 1, sizeof(*text));
	unsigned int *epoch =
		arena_array(arena, c->moments + 1, sizeof(*epoch));
	struct tagging tags = {.text = text, .epoch = epoch};

	for (size_t i = 0; i < c->moments; i++) {
		if (c->moment[i]->kind != DO_EQUIVALENT)
			continue;
		text[tags.count] = c->moment[i]->text;
		epoch[tags.count++] = c->moment_epoch[i];
	}
	return tags;
}

static const char *tree_text(struct arena *arena, const char *text,
			     const struct tag_difference *d)
{
	const char *yes = arena_printf(
		arena, "-q %s adds to it, if it holds the first of these paths",
		printable_text(arena, d->text, strlen(d->text)));

	return arena_printf(
		arena, "%sthe tree %s\n  old: %s\n  new: %s\n\n", text,
		printable_text(arena, d->tree, strlen(d->tree)),
		d->of_before ? yes : "no such -q after it was made",
		d->of_before ? "no such -q after it was made" : yes);
}

static const char *trees_text(struct arena *arena,
			      const struct tag_difference *d, size_t count)
{
	const char *text = "";

	for (size_t i = 0; i < count && i < TREES_SHOWN; i++)
		text = tree_text(arena, text, &d[i]);
	if (count > TREES_SHOWN)
		text = arena_printf(arena,
				    "%sand %zu more differences in what -q "
				    "adds to trees\n\n",
				    text, count - TREES_SHOWN);
	return text;
}

/* Are rules deleted one by one, or by key, when a -q has been there? What it
 * added to is then no longer seen in the rules that are left. */
static bool deletes_behind(const struct actions *actions)
{
	bool seen = false;

	for (size_t i = 0; i < actions->count; i++) {
		const struct audit_action *a = &actions->item[i];

		seen = seen || a->kind == DO_EQUIVALENT;
		if (seen && (a->kind == DO_DELETE_RULE ||
			     (a->kind == DO_DELETE_ALL && a->text)))
			return true;
	}
	return false;
}

/* What auditctl -l prints has none of these commands. */
static bool is_listing(const struct cli_input *old, const struct cli_input *new)
{
	return old->input.listings || new->input.listings;
}

static void compare_trees(struct arena *arena, const struct cli_input *old,
			  const struct cli_input *new, bool old_from_kernel,
			  struct controls_difference *found)
{
	const struct tagging old_tags =
		tagging_of(arena, &old->loaded.controls);
	const struct tagging new_tags =
		tagging_of(arena, &new->loaded.controls);
	const struct tag_difference *d;
	size_t count;

	d = tagging_compare(arena, old->loaded.set, &old_tags, new->loaded.set,
			    &new_tags, &count);
	if (deletes_behind(&old->actions) || deletes_behind(&new->actions)) {
		found->trees_unknown = true;
		found->logged = arena_printf(
			arena,
			"%snot proved: rules are deleted behind a -q, so that "
			"it is not known what it adds to\n\n",
			found->logged);
	} else if (count && (old_from_kernel || is_listing(old, new))) {
		found->trees_unknown = true;
		found->logged = arena_printf(
			arena,
			"%snot proved: %s does not tell what -q added to the "
			"kernel's trees\n\n",
			found->logged,
			old_from_kernel ? "the kernel" : "auditctl -l");
	} else if (count) {
		found->trees = true;
		found->logged = arena_printf(arena, "%s%s", found->logged,
					     trees_text(arena, d, count));
	}
}

struct controls_difference controls_compare(const struct cli_input *old,
					    const struct cli_input *new,
					    bool old_from_kernel)
{
	struct arena *arena = old->arena;
	const struct controls *a = &old->loaded.controls;
	const struct controls *b = &new->loaded.controls;
	struct controls_difference found = {
		.off = is_off(a) != is_off(b),
		.unlogged =
			is_listing(old, new)
				? ""
				: unlogged_text(arena, a, b, old_from_kernel),
		.logged = "",
	};

	if (found.off)
		found.logged = off_text(arena, a, b);
	compare_trees(arena, old, new, old_from_kernel, &found);
	return found;
}

bool controls_differ(const struct controls_difference *found)
{
	return found->off || found->trees || found->trees_unknown;
}

const char *controls_which(const struct controls_difference *found)
{
	const bool q = found->trees || found->trees_unknown;

	if (found->off)
		return q ? "-e and -q" : "-e";
	return q ? "-q" : "";
}
