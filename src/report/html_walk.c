/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The page's pictures: how a call of a class walks the rules, before and after,
 * as long as it costs.
 */
#include "report/html.h"

#include <stdlib.h>
#include <string.h>

#include "emit/emit.h"
#include "report/failure_text.h"
#include "report/walk.h"
#include "util/printable.h"

#define DEAREST_CLASSES 12
#define FREQUENT_CLASSES 6
/* The picture's own units. */
#define PICTURE_WIDTH 1000
#define PICTURE_HEIGHT 28
/* Columns of a test that is shown in a step. */
#define TEST_SHOWN 60

static const char *const who_title[IDENTITY_COUNT] = {
	[IDENTITY_DAEMON] = "By a daemon",
	[IDENTITY_USER] = "By a user",
};

/* What a picture is made of: each kind has a height of its own, so that no
 * colour is needed to tell them apart. */
enum piece {
	PIECE_FIXED,
	PIECE_PASSED,
	PIECE_ENTERED,
	PIECE_MATCHED,
	PIECE_END,
	PIECE_BUCKETS,
	PIECE_COUNT
};

static const struct {
	const char *class;
	int top, height;
} piece[PIECE_COUNT] = {
	[PIECE_FIXED] = {"fixed", 10, 10},
	[PIECE_PASSED] = {"passed", 20, 8},
	[PIECE_ENTERED] = {"entered", 2, 26},
	[PIECE_MATCHED] = {"match", 0, 28},
	[PIECE_END] = {"end", 16, 12},
	[PIECE_BUCKETS] = {"buckets", 8, 20},
};

/* A picture in the making. */
struct picture {
	const struct html *h;
	double unit; /* of the picture's, an instruction */
	double at;   /* instructions so far */
	char *path[PIECE_COUNT];
	size_t size[PIECE_COUNT];
	FILE *to[PIECE_COUNT];
};

static void draw(struct picture *p, enum piece kind, double instructions)
{
	FILE *to = p->to[kind];

	if (to && instructions > 0)
		fprintf(to, "M%.1f %dh%.1fv%dh-%.1fz", p->at * p->unit,
			piece[kind].top, instructions * p->unit,
			piece[kind].height, instructions * p->unit);
	p->at += instructions;
}

static void draw_walk(struct picture *p, const struct report_walk *walk)
{
	double passed =
		walk->passed_all ? walk->passing / (double)walk->passed_all : 0;

	draw(p, PIECE_FIXED, walk->fixed);
	for (size_t i = 0; i < walk->steps; i++) {
		const struct walk_step *step = &walk->step[i];

		draw(p, PIECE_PASSED, passed * (double)step->passed);
		draw(p, step->failed ? PIECE_ENTERED : PIECE_MATCHED,
		     step->price);
	}
	draw(p, PIECE_PASSED, passed * (double)walk->passed);
	draw(p, PIECE_END, walk->list_end);
	draw(p, PIECE_BUCKETS, walk->buckets);
}

static const char *end_of(const struct html *h, const struct report_walk *walk,
			  const struct ruleset *set)
{
	const struct rule *rule;

	if (!walk->matched)
		return "the walk goes to the end of the list";
	rule = set->rule[walk->step[walk->steps - 1].rule];
	return arena_printf(
		h->arena, "it ends at a rule that matches (%s)",
		rule->origin.count
			? emit_origin(h->arena, h->report->input, rule->origin)
			: "added by auditopt");
}

/* TEXT, and behind a comma an amount of instructions for WHAT, unless it is
 * none. */
static const char *with_part(const struct html *h, const char *text,
			     double instructions, const char *what)
{
	if (instructions <= 0)
		return text;
	return arena_printf(h->arena, "%s, %s for %s", text,
			    html_figure(h->arena, instructions, 0), what);
}

static const char *rules_text(const struct html *h, size_t count,
			      const char *what)
{
	return arena_printf(h->arena, "%zu rule%s %s", count,
			    count == 1 ? "" : "s", what);
}

/* The picture in words: for those who don't see it, and below it for all. */
static const char *walk_text(const struct html *h,
			     const struct report_walk *walk,
			     const struct ruleset *set)
{
	const char *text;

	if (walk->total <= 0)
		return "nothing: no rule costs the call anything";
	text = arena_printf(h->arena,
			    "%s instructions: %s due to any rule at all",
			    html_figure(h->arena, walk->total, 0),
			    html_figure(h->arena, walk->fixed, 0));
	text = with_part(h, text, walk->passing,
			 rules_text(h, walk->passed_all, "passed over"));
	text = with_part(h, text, walk->entering,
			 rules_text(h, walk->steps, "entered"));
	text = with_part(h, text, walk->list_end, "the end of the list");
	text = with_part(h, text, walk->buckets,
			 "rules for the files that it names");
	return arena_printf(h->arena, "%s; %s", text, end_of(h, walk, set));
}

static void put_picture(const struct html *h, const char *when,
			const struct report_walk *walk,
			const struct ruleset *set, double most)
{
	struct picture p = {.h = h,
			    .unit = most > 0 ? PICTURE_WIDTH / most : 0};

	for (int i = 0; i < PIECE_COUNT; i++)
		p.to[i] = open_memstream(&p.path[i], &p.size[i]);
	draw_walk(&p, walk);
	html_put(h,
		 "<svg class=\"walk\" viewBox=\"0 0 %d %d\" "
		 "preserveAspectRatio=\"none\" role=\"img\" aria-label=\"%s, ",
		 PICTURE_WIDTH, PICTURE_HEIGHT, when);
	html_text(h, walk_text(h, walk, set));
	html_put(h, "\">");
	for (int i = 0; i < PIECE_COUNT; i++) {
		if (p.to[i] && fclose(p.to[i]) == 0 && p.size[i])
			html_put(h, "<path class=\"%s\" d=\"%s\"/>",
				 piece[i].class, p.path[i]);
		free(p.path[i]);
	}
	html_put(h, "</svg>\n");
}

static void put_passed(const struct html *h, size_t passed)
{
	if (passed)
		html_put(h,
			 "<tr class=\"over\"><th scope=\"row\">&ndash;</th>"
			 "<td colspan=\"2\">%zu rule%s passed over: not for "
			 "this "
			 "call</td></tr>\n",
			 passed, passed > 1 ? "s" : "");
}

static void put_step(const struct html *h, const struct report_walk *walk,
		     const struct ruleset *set, const struct walk_step *step)
{
	const struct rule *rule = set->rule[step->rule];
	const char *test;

	html_put(h, "<tr><th scope=\"row\">");
	html_rule_link(h, set, step->rule);
	if (!step->failed) {
		html_put(h, "</th><td><b>matches</b>: the walk ends</td>");
	} else {
		test = emit_test(h->arena, set->target, rule, step->failed);
		if (!test)
			test = step->failed->field->name;
		html_put(h, "</th><td>fails at <code>");
		html_text(h, printable_cut(h->arena, test, strlen(test),
					   TEST_SHOWN));
		html_put(h, "</code>: ");
		html_text(h, failure_text(h->arena, set->target, &walk->event,
					  step->failed));
		html_put(h, "</td>");
	}
	html_put(h, "<td class=\"figure\">");
	html_number(h, step->price, 0);
	html_put(h, "</td></tr>\n");
}

static void put_steps(const struct html *h, const char *when,
		      const struct report_walk *walk, const struct ruleset *set)
{
	if (!walk->steps)
		return;
	html_put(h,
		 "<details class=\"steps\"><summary>%s, step by step: %zu "
		 "rule%s entered</summary>\n"
		 "<div class=\"box\" role=\"region\" tabindex=\"0\" "
		 "aria-label=\"Steps %s\">\n<table class=\"steps\">\n"
		 "<thead><tr><th scope=\"col\">%s line</th>"
		 "<th scope=\"col\">what happens</th>"
		 "<th scope=\"col\">instructions</th></tr></thead>\n<tbody>\n",
		 when, walk->steps, walk->steps > 1 ? "s" : "", when,
		 set == h->report->after ? "result" : "input");
	for (size_t i = 0; i < walk->steps; i++) {
		put_passed(h, walk->step[i].passed);
		put_step(h, walk, set, &walk->step[i]);
	}
	put_passed(h, walk->passed);
	html_end_table(h);
	html_put(h, "</details>\n");
}

/* The walks over one set, and what is the longest of those to compare. */
struct both_walks {
	struct report_walk before[IDENTITY_COUNT], after[IDENTITY_COUNT];
	double most;
};

static void put_who(const struct html *h, const struct both_walks *walks,
		    enum identity who, const char *title)
{
	const struct report *r = h->report;

	html_put(h, "<h4>%s</h4>\n<figure>\n", title);
	put_picture(h, h->both ? "before" : "now", &walks->before[who],
		    r->before, walks->most);
	html_put(h, "<figcaption><b>%s</b> ", h->both ? "Before" : "Now");
	html_text(h, walk_text(h, &walks->before[who], r->before));
	html_put(h, ".</figcaption>\n</figure>\n");
	if (h->both) {
		html_put(h, "<figure>\n");
		put_picture(h, "after", &walks->after[who], r->after,
			    walks->most);
		html_put(h, "<figcaption><b>After</b> ");
		html_text(h, walk_text(h, &walks->after[who], r->after));
		html_put(h, ".</figcaption>\n</figure>\n");
	}
	put_steps(h, h->both ? "Before" : "Now", &walks->before[who],
		  r->before);
	if (h->both)
		put_steps(h, "After", &walks->after[who], r->after);
}

static struct both_walks walks_of(const struct html *h,
				  const struct report_row *row)
{
	struct both_walks walks = {.most = 0};

	for (int id = 0; id < IDENTITY_COUNT; id++) {
		walks.before[id] = report_walk_of(h->arena, h->report, row,
						  false, (enum identity)id);
		if (walks.before[id].total > walks.most)
			walks.most = walks.before[id].total;
		if (!h->both)
			continue;
		walks.after[id] = report_walk_of(h->arena, h->report, row, true,
						 (enum identity)id);
		if (walks.after[id].total > walks.most)
			walks.most = walks.after[id].total;
	}
	return walks;
}

static bool both_alike(const struct html *h, const struct both_walks *w)
{
	return report_walk_same(&w->before[IDENTITY_USER],
				&w->before[IDENTITY_DAEMON]) &&
	       (!h->both || report_walk_same(&w->after[IDENTITY_USER],
					     &w->after[IDENTITY_DAEMON]));
}

static void put_class(const struct html *h, const struct report_row *row,
		      bool open)
{
	const struct both_walks walks = walks_of(h, row);

	html_put(h,
		 "<details class=\"class\" name=\"walk\"%s>\n<summary>"
		 "<span class=\"name\">",
		 open ? " open" : "");
	html_text(h, html_calls_text(h, row->abi, &row->calls));
	html_put(h, "</span> ");
	html_pair(h, row->before[IDENTITY_USER].instructions,
		  row->after[IDENTITY_USER].instructions, 0);
	html_put(h, "</summary>\n<div class=\"inside\">\n");
	if (both_alike(h, &walks)) {
		put_who(h, &walks, IDENTITY_USER,
			"By a user, and by a daemon alike");
	} else {
		put_who(h, &walks, IDENTITY_USER, who_title[IDENTITY_USER]);
		put_who(h, &walks, IDENTITY_DAEMON, who_title[IDENTITY_DAEMON]);
	}
	html_put(h, "</div>\n</details>\n");
}

/* What all calls of ROW cost in the profile, to a user. */
static double spent_on(const struct html *h, const struct report_row *row)
{
	return report_row_weight(h->figures, row) *
	       row->before[IDENTITY_USER].instructions;
}

/* Of the COUNT rows those FREQUENT_CLASSES that most is spent on and that are
 * not among the first SKIP, put before the others behind SKIP. */
static size_t pick_frequent(const struct html *h, const struct report_row **row,
			    size_t skip, size_t count)
{
	size_t picked = 0;

	for (; picked < FREQUENT_CLASSES && skip + picked < count; picked++) {
		size_t best = skip + picked;
		const struct report_row *found;

		for (size_t i = best; i < count; i++)
			if (spent_on(h, row[i]) > spent_on(h, row[best]))
				best = i;
		found = row[best];
		memmove(&row[skip + picked + 1], &row[skip + picked],
			(best - skip - picked) * sizeof(*row));
		row[skip + picked] = found;
	}
	return picked;
}

static void put_legend(const struct html *h)
{
	static const struct {
		enum piece kind;
		const char *text;
	} legend[] = {
		{PIECE_FIXED, "due to any rule at all"},
		{PIECE_PASSED, "a rule passed over: not for this call"},
		{PIECE_ENTERED, "a rule entered, a field of it fails"},
		{PIECE_MATCHED, "a rule that matches"},
		{PIECE_END, "end of the list"},
		{PIECE_BUCKETS, "rules for files, by the names of the call"},
	};

	html_put(h, "<ul class=\"legend\">\n");
	for (size_t i = 0; i < sizeof(legend) / sizeof(*legend); i++)
		html_put(h,
			 "<li><svg viewBox=\"0 0 14 28\" aria-hidden=\"true\">"
			 "<path class=\"%s\" d=\"M0 %dh14v%dh-14z\"/></svg> %s"
			 "</li>\n",
			 piece[legend[i].kind].class, piece[legend[i].kind].top,
			 piece[legend[i].kind].height, legend[i].text);
	html_put(h, "</ul>\n");
}

void html_walks(const struct html *h)
{
	size_t count, dear, frequent;
	const struct report_row **row = report_rows_by_price(
		h->arena, h->figures, h->report->target, &count);

	if (!h->figures->before.counted) {
		html_put(h, "<p>No rule is walked at the end of a call.</p>\n");
		return;
	}
	html_put(h, "<p>What a call spends on the rules when it ends, from "
		    "left to right, each step as long as it costs. Choose the "
		    "calls. Figures are instructions, to a user.</p>\n");
	put_legend(h);
	dear = count < DEAREST_CLASSES ? count : DEAREST_CLASSES;
	frequent = pick_frequent(h, row, dear, count);
	html_put(h, "<h3>The dearest calls</h3>\n");
	for (size_t i = 0; i < dear; i++)
		put_class(h, row[i], i == 0);
	if (frequent)
		html_put(h, "<h3>Calls on which most is spent in all, of the "
			    "others</h3>\n");
	for (size_t i = dear; i < dear + frequent; i++)
		put_class(h, row[i], false);
}
