/* SPDX-License-Identifier: GPL-2.0-or-later */
/* auditopt diff OLD NEW: the difference in what is logged. */
#include <stdio.h>
#include <string.h>

#include <libaudit.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/diff_controls.h"
#include "cli/diff_filters.h"
#include "cli/event_text.h"
#include "cli/output.h"
#include "emit/emit.h"
#include "model/audit_names.h"
#include "util/progress.h"
#include "verify/loaded.h"

/* Regions that are printed unless -v asks for all. */
#define REGIONS_SHOWN 20

/* Classes with the same outcomes before and after. */
struct region {
	uint32_t filter;
	struct syscall_set calls;
	const struct witness *witness;
};

/* One of the two rule sets. */
struct edition {
	const struct cli_input *in;
	const struct ruleset *set;
	const struct ruleset *loaded; /* as the kernel holds it */
};

struct diff {
	struct arena *arena;
	struct edition old, new;
	struct verify_options how;
	const struct verification *found;
	struct controls_difference controls;
	const char *assumed; /* lines about where the rules will be */
	struct region *region;
	size_t regions;
	size_t different, unproved, cut; /* classes */
	bool all;			 /* -v */
	FILE *stream;
};

static bool same_outcomes(const struct witness *a, const struct witness *b)
{
	return a->uring == b->uring && a->has_inner == b->has_inner &&
	       outcome_same(a->before, b->before, 0, true) &&
	       outcome_same(a->after, b->after, 0, true);
}

static void add_witness(struct diff *d, const struct class_proof *item,
			const struct witness *witness)
{
	struct region *region;

	for (size_t i = 0; i < d->regions; i++)
		if (d->region[i].filter == item->filter &&
		    same_outcomes(d->region[i].witness, witness)) {
			syscall_set_unite(&d->region[i].calls, &item->calls);
			return;
		}
	region = &d->region[d->regions++];
	*region = (struct region){item->filter, item->calls, witness};
}

static void find_regions(struct diff *d)
{
	size_t most = 0;

	for (size_t i = 0; i < d->found->count; i++)
		most += d->found->item[i].witnesses;
	d->region = arena_array(d->arena, most, sizeof(*d->region));
	for (size_t i = 0; i < d->found->count; i++) {
		const struct class_proof *item = &d->found->item[i];

		for (size_t j = 0; j < item->witnesses; j++)
			add_witness(d, item, &item->witness[j]);
		d->different += item->proof == PROOF_DIFFERENT;
		d->unproved += item->proof == PROOF_NONE;
		d->cut += item->cut;
	}
}

/* Does a rule of either side record? */
static bool is_of_rules(const struct region *region)
{
	return region->witness->before.verdict == VERDICT_RECORD ||
	       region->witness->after.verdict == VERDICT_RECORD;
}

/* What a rule records comes before what the kernel logs by itself. */
static void sort_regions(struct diff *d)
{
	struct region *sorted =
		arena_array(d->arena, d->regions, sizeof(*sorted));
	size_t n = 0;

	for (int of_rules = 1; of_rules >= 0; of_rules--)
		for (size_t i = 0; i < d->regions; i++)
			if (is_of_rules(&d->region[i]) == of_rules)
				sorted[n++] = d->region[i];
	d->region = sorted;
}

static bool has_calls(uint32_t filter)
{
	return filter == AUDIT_FILTER_EXIT || filter == AUDIT_FILTER_URING_EXIT;
}

/* The last rule that matched: later walks of a call override earlier ones. */
struct decision {
	size_t position;
	bool any;
};

static void note_match(void *data, size_t position, bool in_mask,
		       bool overridden, unsigned int fields,
		       const struct field_test *failed, int name)
{
	struct decision *decision = data;

	(void)fields;
	(void)name;
	if (!in_mask || overridden || failed)
		return;
	decision->position = position;
	decision->any = true;
}

/* The rule of EDITION that decides about the event of W, on a line of its own,
 * or nothing if there is none. */
static void print_decider(const struct diff *d, const struct edition *edition,
			  const struct witness *w)
{
	struct decision decision = {0};
	const struct walk_observer watcher = {note_match, &decision};
	struct arena *arena = arena_new();
	const struct ruleset *set =
		loaded_settled(arena, edition->loaded, w->trees, w->tree_count);

	if (w->uring)
		kernel_uring_exit(set, w->event, &watcher);
	else if (!w->has_inner)
		kernel_syscall_exit(set, w->event, &watcher);
	if (decision.any)
		fprintf(d->stream, "       decided by %s\n",
			rule_line(arena, &edition->in->input, set->target,
				  set->rule[decision.position]));
	arena_free(arena);
}

static void print_side(const struct diff *d, const char *name,
		       const struct edition *edition, const struct witness *w,
		       struct outcome outcome)
{
	fprintf(d->stream, "  %s: %s\n", name, outcome_text(d->arena, outcome));
	print_decider(d, edition, w);
}

static void print_region(const struct diff *d, const struct region *region)
{
	const struct witness *w = region->witness;

	fprintf(d->stream, "%s%s: %s\n", filter_text(region->filter),
		w->has_inner ? " during which a watched file goes away" : "",
		syscall_set_empty(&region->calls)
			? "all"
			: calls_text(d->arena, d->old.set->target,
				     region->filter, &region->calls));
	print_side(d, "old", &d->old, w, w->before);
	print_side(d, "new", &d->new, w, w->after);
	fprintf(d->stream, "  as in\n");
	event_print(d->stream, "    ", w->event, w->uring, d->old.set,
		    d->new.set);
	if (w->has_inner) {
		fprintf(d->stream, "    when the file goes away:\n");
		event_print(d->stream, "      ", w->inner.event, false,
			    d->old.set, d->new.set);
	}
	for (size_t i = 0; i < w->tree_count; i++)
		fprintf(d->stream, "    where %s is a directory\n",
			key_text(d->arena, w->trees[i]));
	fputc('\n', d->stream);
}

static void print_regions(const struct diff *d)
{
	size_t shown = d->regions;

	if (!d->all && shown > REGIONS_SHOWN)
		shown = REGIONS_SHOWN;
	for (size_t i = 0; i < shown; i++)
		print_region(d, &d->region[i]);
	if (shown < d->regions)
		fprintf(d->stream,
			"and %zu more differences (-v shows them all)\n\n",
			d->regions - shown);
}

/* What is not proved for one reason, once. Returns whether that is ITEM's turn.
 */
static bool unite_unproved(const struct diff *d, size_t at,
			   struct syscall_set *calls)
{
	const struct class_proof *item = &d->found->item[at];

	*calls = item->calls;
	for (size_t i = 0; i < d->found->count; i++) {
		const struct class_proof *other = &d->found->item[i];

		if (other->proof != PROOF_NONE ||
		    other->filter != item->filter ||
		    strcmp(other->why, item->why) != 0)
			continue;
		if (i < at)
			return false;
		syscall_set_unite(calls, &other->calls);
	}
	return true;
}

static void print_unproved(const struct diff *d)
{
	for (size_t i = 0; i < d->found->count; i++) {
		const struct class_proof *item = &d->found->item[i];
		struct syscall_set calls;

		if (item->proof != PROOF_NONE || !has_calls(item->filter) ||
		    !unite_unproved(d, i, &calls))
			continue;
		fprintf(d->stream, "not proved, %s: %s: %s\n",
			filter_text(item->filter),
			calls_text(d->arena, d->old.set->target, item->filter,
				   &calls),
			item->why);
	}
}

/* Those have no calls, and the proof looks at their rules one by one. */
static void print_filters(struct diff *d)
{
	for (size_t i = 0; i < d->found->count; i++) {
		const struct class_proof *item = &d->found->item[i];

		if (item->proof != PROOF_NONE || has_calls(item->filter))
			continue;
		if (filter_difference_print(d->stream, item->filter,
					    d->old.loaded, d->new.loaded,
					    d->found->level)) {
			d->unproved--;
			d->different++;
			fputc('\n', d->stream);
			continue;
		}
		fprintf(d->stream, "not proved, %s: %s\n",
			filter_text(item->filter), item->why);
	}
}

/* Is all that differs what -O2 may change? */
static bool same_at_level_2(const struct diff *d)
{
	struct verify_options how = d->how;

	if (d->found->level >= 2 || d->unproved || !d->different)
		return false;
	for (size_t i = 0; i < d->regions; i++)
		if (is_of_rules(&d->region[i]))
			return false;
	how.level = 2;
	how.all_witnesses = false;
	return verify_equivalent(d->arena, d->old.set, d->new.set, &how)
		       .proof == PROOF_GOOD;
}

/* The classes of calls, where not all are the same. */
static void print_counts(const struct diff *d)
{
	if (same_at_level_2(d))
		fprintf(d->stream,
			"At level 2 they are the same (--level=2): they differ "
			"only in what goes with records that\nthe kernel makes "
			"by itself.\n");
	else if (d->cut && d->different)
		fprintf(d->stream,
			"The search ended early for %zu class%s of calls, "
			"which may differ in more ways.\n",
			d->cut, d->cut > 1 ? "es" : "");
	if (controls_differ(&d->controls))
		fprintf(d->stream, "They %s differ in %s.\n",
			d->controls.trees_unknown ? "may" : "also",
			controls_which(&d->controls));
	fprintf(d->stream, "Of %zu classes of calls %zu %s, %zu %s the same",
		d->found->count, d->different,
		d->different == 1 ? "differs" : "differ", d->found->proved,
		d->found->proved == 1 ? "is" : "are");
	if (d->unproved)
		fprintf(d->stream, ", %zu could not be proved to be",
			d->unproved);
	fprintf(d->stream, " (level %d).\n", d->found->level);
}

static void print_summary(const struct diff *d)
{
	const struct controls_difference *controls = &d->controls;

	fputs(d->assumed, d->stream);
	if (*controls->unlogged)
		fprintf(d->stream,
			"They also differ in these commands, which change "
			"nothing in what the rules log as long\nas auditing is "
			"on, no rules were loaded before, all lines load and "
			"no record is dropped:\n%s",
			controls->unlogged);
	if (d->different || d->unproved)
		print_counts(d);
	else if (controls_differ(controls))
		fprintf(d->stream,
			"Not %sthe same: %s. The rules are: proved for %zu "
			"classes of calls at level %d.\n",
			controls->off || controls->trees ? "" : "proved to be ",
			controls_which(controls), d->found->count,
			d->found->level);
	else
		fprintf(d->stream,
			"The same: proved for %zu classes of calls at level "
			"%d.\n",
			d->found->count, d->found->level);
}

/* All that is told, in one text: -o replaces a file by it. */
static void print_all(struct diff *d, bool quiet)
{
	FILE *stream = d->stream;

	find_regions(d);
	sort_regions(d);
	if (quiet) /* the filters are tried in any case: the summary counts */
		d->stream = fopen("/dev/null", "we");
	if (d->stream) {
		fputs(d->controls.logged, d->stream);
		print_regions(d);
		print_filters(d);
		print_unproved(d);
	}
	if (quiet && d->stream)
		fclose(d->stream);
	d->stream = stream;
	print_summary(d);
}

static enum exit_status print_diff(struct diff *d,
				   const struct cli_options *options)
{
	struct cli_text text;
	enum exit_status status;

	d->all = options->common.verbosity > 0;
	cli_text_open(&text, NULL, NULL);
	d->stream = text.stream;
	if (d->stream)
		print_all(d, options->common.verbosity < 0);
	status =
		cli_text_write(&text, d->stream != NULL, options->common.output,
			       "the difference could not be printed");
	if (status == STATUS_GOOD &&
	    (d->found->proof != PROOF_GOOD || controls_differ(&d->controls)))
		return STATUS_FINDINGS;
	return status;
}

static struct edition edition_of(struct arena *arena,
				 const struct cli_input *in,
				 const struct target *target)
{
	struct ruleset *set = arena_copy(arena, in->loaded.set, sizeof(*set));

	set->target = target;
	return (struct edition){in, set, loaded_of(arena, set)};
}

static enum exit_status compare(const struct cli_input *old,
				const struct cli_input *new,
				const struct cli_options *options)
{
	struct arena *arena = old->arena;
	const struct assumptions where =
		cli_assume(arena, options, options->common.verbosity >= 0);
	struct progress *progress = options->common.compile.progress;
	const struct verify_options how = {
		.level = options->level,
		.unlogged = where.unlogged,
		.kernel_unknown = where.kernel_unknown,
		.all_witnesses = true,
		.own_tags = true,
		.progress = progress,
	};
	struct diff diff = {
		.arena = arena,
		.old = edition_of(arena, old, where.target),
		.new = edition_of(arena, new, where.target),
		.how = how,
		.controls = controls_compare(old, new, options->from_kernel),
		.assumed = where.text,
	};
	struct verification found =
		verify_equivalent(arena, diff.old.set, diff.new.set, &how);

	progress_clear(progress);
	diff.how.progress = NULL;
	diff.found = &found;
	return print_diff(&diff, options);
}

/* Of a mix the one that is no listing is what it is meant to be. */
static void warn_no_listing(const struct cli_input *old,
			    const struct cli_input *new,
			    const struct cli_common *common)
{
	if (common->listing && common->verbosity >= 0 && !old->input.listings &&
	    !new->input.listings)
		fputs("auditopt: warning: --listing: neither of the two is "
		      "what auditctl -l printed [no-listing]\n",
		      stderr);
}

/* Reads both, so that the faults of both are told. */
static enum exit_status load_both(struct cli_input *old, struct cli_input *new,
				  struct cli_options *options)
{
	int olds = options->from_kernel ? 0 : 1;
	enum exit_status first, second;

	options->common.listing_mixed = true;
	first = cli_load(old, &options->common, options->operand, olds);
	second = cli_load(new, &options->common, options->operand + olds, 1);
	warn_no_listing(old, new, &options->common);
	return first != STATUS_GOOD ? first : second;
}

static int diff_main(int argc, char **argv)
{
	struct cli_options options;
	struct cli_input old, new;
	int status = cli_parse(&options, CLI_DIFF, argc, argv);

	if (status >= 0)
		return status;
	if (!options.from_kernel && options.operands != 2)
		return cli_usage_error(CLI_DIFF,
				       "two files or directories are wanted, "
				       "the old rules and the new");
	status = (int)load_both(&old, &new, &options);
	if (status == STATUS_GOOD)
		status = (int)compare(&old, &new, &options);
	arena_free(new.arena);
	arena_free(old.arena);
	return status;
}

static const char help[] =
#include "cli/help/diff.inc"
	;

const struct cli_subcommand cli_diff = {
	.bit = CLI_DIFF,
	.word = "diff",
	.title = "auditopt diff",
	.operands = "[OPTIONS] OLD NEW",
	.summary = "tell which calls two rule sets treat differently",
	.help = help,
	.run = diff_main,
};
