/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/explain_bound.h"

#include "cli/event_text.h"
#include "cost/cost.h"
#include "emit/emit.h"

/* Tests that are named where not all are wanted. */
#define NAMED_AT_MOST 3

/* What is being written. */
struct writing {
	const struct question *q;
	const struct cli_input *in;
	FILE *stream;
};

static const struct prices *prices_here(const struct question *q)
{
	return prices_for(q->options->kernel);
}

/* On the kernel that the options say. */
static struct call_cost cost_here(const struct question *q,
				  const struct ruleset *set)
{
	return cost_of_event_on(set, &q->event, prices_here(q));
}

static const char *test_text(const struct writing *w,
			     const struct bound_test *test)
{
	const char *text = emit_test(w->q->arena, w->in->loaded.set->target,
				     test->rule, test->test);

	return text ? text : test->test->field->name;
}

static const char *place_text(const struct writing *w, const struct rule *rule)
{
	return emit_origin(w->q->arena, &w->in->input, rule->origin);
}

/* The tests, COUNT of them, between commas; with -v a line for each. */
static void write_tests(const struct writing *w, const struct bound_test *test,
			size_t count)
{
	bool all = w->q->options->common.verbosity > 0;
	size_t named =
		all || count <= NAMED_AT_MOST + 1 ? count : NAMED_AT_MOST;

	for (size_t i = 0; i < named; i++) {
		if (all)
			fprintf(w->stream, "\n        %s (%s)",
				test_text(w, &test[i]),
				place_text(w, test[i].rule));
		else
			fprintf(w->stream, "%s%s", i ? ", " : " ",
				test_text(w, &test[i]));
	}
	if (named < count)
		fprintf(w->stream, " and %zu more", count - named);
	fputc('\n', w->stream);
}

static void write_trees(const struct writing *w, const struct bound *b)
{
	if (!b->trees)
		return;
	fprintf(w->stream,
		"%6.0f  for %zu rule%s of the list that must be entered and "
		"fail, for one\n        directory each that alone decides:",
		b->entering, b->trees, b->trees > 1 ? "s" : "");
	write_tests(w, b->tree, b->trees);
}

static void write_tests_made(const struct writing *w, const struct bound *b)
{
	if (b->telling <= 0)
		return;
	fprintf(w->stream, "%6.0f  for ", b->telling);
	if (b->others) {
		fprintf(w->stream, "tests of what else decides alone, as in:");
		write_tests(w, b->other, b->others);
	}
	if (b->others && !(b->near && b->near_besides))
		return;
	fprintf(w->stream,
		"%stelling it from calls with its number%s that\n"
		"        %s records\n",
		b->others ? "        and for one test more, " : "",
		b->near_abi ? " of the other ABI" : "", place_text(w, b->near));
}

static void write_rest(const struct writing *w, const struct bound *b)
{
	if (b->ending > 0)
		fprintf(w->stream, "%6.0f  for %s\n", b->ending,
			b->must_match ? "a rule that matches"
			: b->must_not ? "passing the rules to the list's end"
				      : "a rule that ends the walk, or the "
					"list's end");
	if (b->buckets > 0)
		fprintf(w->stream,
			"%6.0f  for rules of files, that other files share 32 "
			"places with: %zu whose\n        file decides this "
			"call, %zu for other calls\n",
			b->buckets, b->files, b->other_files);
}

static void write_bound(const struct writing *w, const struct bound *b,
			int level)
{
	fprintf(w->stream,
		"No rules that log the same (-O%d) can do it below %.0f:\n",
		level, b->instructions);
	fprintf(w->stream, "%6.0f  as soon as there is any rule\n", b->fixed);
	if (b->watching > 0)
		fprintf(w->stream,
			"%6.0f  as soon as there is any watch, and the same "
			"is not logged without\n",
			b->watching);
	write_trees(w, b);
	write_tests_made(w, b);
	write_rest(w, b);
	if (b->elsewhere)
		fputs("        (What depends on its files is not counted: "
		      "rules name them, or the trees\n        that they lie "
		      "in.)\n",
		      w->stream);
}

struct bound_survey *explain_survey(const struct question *q,
				    const struct ruleset *set)
{
	const struct cli_options *options = q->options;
	const struct assumptions where = cli_assume(q->arena, options, false);
	struct ruleset *there = arena_copy(q->arena, set, sizeof(*there));

	there->target = where.target;
	return bound_survey_of(q->arena, there, prices_here(q),
			       options->level > 1 ? 2 : 1, where.unlogged);
}

/* What can be saved of what is above the least that any rule costs in the list;
 * or above the bound, where rules of files alone would do. */
static void write_share(const struct writing *w, const struct bound *b,
			const struct call_cost *before, double after)
{
	double floor = b->floor;
	double bound = b->instructions;
	bool below = bound < floor || after < floor;
	double above = before->instructions - (below ? bound : floor);
	double saved = before->instructions - after;

	if (above <= 0 || after < 0)
		return;
	if (saved < 0)
		fputs("It costs more than before, for what other calls "
		      "gain.\n",
		      w->stream);
	else if (below)
		fprintf(w->stream,
			"Of what is above that, %.0f %% are saved.\n",
			100 * saved / above);
	else
		fprintf(w->stream,
			"Of what is above one rule that ends all walks (%.0f), "
			"%.0f %% can be saved at most,\nand %.0f %% are.\n",
			floor, 100 * (before->instructions - bound) / above,
			100 * saved / above);
}

void explain_bound(const struct question *q, const struct cli_input *in,
		   const struct bound_survey *survey,
		   const struct ruleset *after, FILE *stream)
{
	struct writing w = {q, in, stream};
	const struct target *there =
		cli_assume(q->arena, q->options, false).target;
	struct bound b = bound_of(survey, &q->event);
	struct call_cost before = cost_here(q, in->loaded.set);
	double then = after ? cost_here(q, after).instructions : -1;

	fprintf(stream,
		"\nIn estimated instructions, above the same call without "
		"rules: %.0f",
		before.instructions);
	if (after)
		fprintf(stream, " before, %.0f after", then);
	fputs(".\n", stream);
	if (b.instructions <= 0 || !target_has_abi(there, q->event.abi))
		return;
	if (!q->event.names && !q->event.dirs &&
	    (before.instructions < b.instructions ||
	     (after && then < b.instructions))) {
		fputs("(The least that it must cost is not told: rules ask "
		      "what file a call names, and this\none names none; say "
		      "one with -F path=FILE.)\n",
		      stream);
		return;
	}
	write_bound(&w, &b, q->options->level > 1 ? 2 : 1);
	write_share(&w, &b, &before, then);
}
