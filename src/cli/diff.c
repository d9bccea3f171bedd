/* SPDX-License-Identifier: GPL-2.0-or-later */
/* auditopt diff OLD NEW: the difference in what is logged. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libaudit.h>

#include "cli/cli.h"
#include "cli/event_text.h"

#ifndef AUDIT_FILTER_EXCLUDE
#define AUDIT_FILTER_EXCLUDE 0x05
#endif
#ifndef AUDIT_FILTER_FS
#define AUDIT_FILTER_FS 0x06
#endif
#ifndef AUDIT_FILTER_URING_EXIT
#define AUDIT_FILTER_URING_EXIT 0x07
#endif

/* Classes with the same outcomes before and after. */
struct region {
	uint32_t filter;
	struct syscall_set calls;
	const struct witness *witness;
};

struct diff {
	struct arena *arena;
	const struct ruleset *old, *new;
	const struct verification *found;
	struct region *region;
	size_t regions;
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
	}
}

static const char *filter_name(uint32_t filter)
{
	switch (filter) {
	case AUDIT_FILTER_EXIT:
		return "system calls";
	case AUDIT_FILTER_URING_EXIT:
		return "io_uring operations";
	case AUDIT_FILTER_TASK:
		return "the task filter";
	case AUDIT_FILTER_USER:
		return "the user filter";
	case AUDIT_FILTER_EXCLUDE:
		return "the exclude filter";
	default:
		return "the filesystem filter";
	}
}

static bool has_calls(uint32_t filter)
{
	return filter == AUDIT_FILTER_EXIT || filter == AUDIT_FILTER_URING_EXIT;
}

static void print_region(const struct diff *d, const struct region *region)
{
	const struct witness *w = region->witness;

	fprintf(d->stream, "%s%s: %s\n", filter_name(region->filter),
		w->has_inner ? " during which a watched file goes away" : "",
		syscall_set_empty(&region->calls)
			? "all"
			: calls_text(d->arena, d->old->target, region->filter,
				     &region->calls));
	fprintf(d->stream, "  old: %s\n", outcome_text(d->arena, w->before));
	fprintf(d->stream, "  new: %s\n", outcome_text(d->arena, w->after));
	fprintf(d->stream, "  as in\n");
	event_print(d->stream, "    ", w->event, w->uring, d->old, d->new);
	if (w->has_inner) {
		fprintf(d->stream, "    when the file goes away:\n");
		event_print(d->stream, "      ", w->inner.event, false, d->old,
			    d->new);
	}
	for (size_t i = 0; i < w->tree_count; i++)
		fprintf(d->stream, "    where %s is a directory\n",
			w->trees[i]);
	fputc('\n', d->stream);
}

static void print_unproved(const struct diff *d)
{
	for (size_t i = 0; i < d->found->count; i++) {
		const struct class_proof *item = &d->found->item[i];

		if (item->proof != PROOF_NONE)
			continue;
		fprintf(d->stream, "not proved, %s%s%s: %s\n",
			filter_name(item->filter),
			has_calls(item->filter) ? ": " : "",
			has_calls(item->filter)
				? calls_text(d->arena, d->old->target,
					     item->filter, &item->calls)
				: "",
			item->why);
	}
}

static void print_summary(const struct diff *d)
{
	size_t different = 0, unproved = 0;

	for (size_t i = 0; i < d->found->count; i++) {
		different += d->found->item[i].proof == PROOF_DIFFERENT;
		unproved += d->found->item[i].proof == PROOF_NONE;
	}
	if (!different && !unproved) {
		fprintf(d->stream,
			"The same: proved for %zu classes of calls at level "
			"%d.\n",
			d->found->count, d->found->level);
		return;
	}
	fprintf(d->stream,
		"Of %zu classes of calls %zu differ, %zu are the "
		"same",
		d->found->count, different, d->found->proved);
	if (unproved)
		fprintf(d->stream, ", %zu could not be proved to be", unproved);
	fprintf(d->stream, " (level %d).\n", d->found->level);
}

static enum exit_status print_diff(struct diff *d,
				   const struct cli_options *options)
{
	char *text = NULL;
	size_t size = 0;
	enum exit_status status;

	d->stream = open_memstream(&text, &size);
	if (!d->stream) {
		fputs("auditopt: the difference could not be printed\n",
		      stderr);
		return STATUS_REFUSED;
	}
	find_regions(d);
	if (options->common.verbosity >= 0) {
		for (size_t i = 0; i < d->regions; i++)
			print_region(d, &d->region[i]);
		print_unproved(d);
	}
	print_summary(d);
	if (fclose(d->stream) != 0)
		return STATUS_REFUSED;
	status = cli_write(options->common.output, text, size);
	free(text);
	if (status == STATUS_GOOD && d->found->proof != PROOF_GOOD)
		return STATUS_FINDINGS;
	return status;
}

static enum exit_status compare(const struct cli_input *old,
				const struct cli_input *new,
				const struct cli_options *options)
{
	const struct verify_options how = {.level = options->level,
					   .all_witnesses = true};
	struct verification found = verify_equivalent(
		old->arena, old->loaded.set, new->loaded.set, &how);
	struct diff diff = {.arena = old->arena,
			    .old = old->loaded.set,
			    .new = new->loaded.set,
			    .found = &found};

	return print_diff(&diff, options);
}

int cli_diff(int argc, char **argv)
{
	struct cli_options options;
	struct cli_input old, new;
	int status = cli_parse(&options, CLI_DIFF, argc, argv);

	if (status >= 0)
		return status;
	if (options.operands != 2)
		return cli_usage_error(CLI_DIFF,
				       "two files or directories are wanted, "
				       "the old rules and the new");
	status = (int)cli_load(&old, &options.common, options.operand, 1);
	if (status == STATUS_GOOD) {
		status = (int)cli_load(&new, &options.common,
				       options.operand + 1, 1);
		if (status == STATUS_GOOD)
			status = (int)compare(&old, &new, &options);
		arena_free(new.arena);
	}
	arena_free(old.arena);
	return status;
}
