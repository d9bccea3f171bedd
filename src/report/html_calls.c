/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The page's tables of calls.
 */
#include "report/html.h"

/* Rows before the rest must be opened. */
#define CLASSES_SHOWN 25

static double cost_of_row(const struct report_row *row, bool after,
			  enum identity who)
{
	return after ? row->after[who].instructions
		     : row->before[who].instructions;
}

/* What fills the width of bars. */
static double dearest_of(const struct html *h)
{
	const struct report_rows *rows = &h->figures->rows;
	double most = 0;

	for (size_t i = 0; i < rows->count; i++)
		for (int id = 0; id < IDENTITY_COUNT; id++)
			for (int after = 0; after <= h->both; after++) {
				double cost =
					cost_of_row(&rows->item[i], after != 0,
						    (enum identity)id);

				most = cost > most ? cost : most;
			}
	return most;
}

/* What COST stands for on the calibrated host. */
static double nanoseconds(const struct html *h, const struct call_cost *cost)
{
	return calibration_nanoseconds(h->report->calibration,
				       h->report->prices, cost);
}

/* A cell: what it was, what it is, and two bars of which MOST fills the width. */
static void put_cost(const struct html *h, const struct report_row *row,
		     enum identity who, double most)
{
	double was = row->before[who].instructions;
	double is = row->after[who].instructions;

	html_put(h, "<td class=\"figure\">");
	html_pair(h, was, is, 0);
	if (most > 0) {
		html_put(h,
			 "<span class=\"bars\" aria-hidden=\"true\">"
			 "<i class=\"was\" style=\"width:%.1f%%\"></i>",
			 was / most * 100);
		if (h->both)
			html_put(h,
				 "<i class=\"is\" style=\"width:%.1f%%\"></i>",
				 is / most * 100);
		html_put(h, "</span>");
	}
	if (h->report->calibration) {
		double ns = nanoseconds(h, &row->before[who]);

		html_put(h, "<span class=\"ns\">");
		/* Tenths where they are more than noise. */
		html_pair(h, ns, nanoseconds(h, &row->after[who]), ns < 100);
		html_put(h, " ns</span>");
	}
	html_put(h, "</td>\n");
}

static void put_costs(const struct html *h, const struct report_row *row,
		      double most)
{
	put_cost(h, row, IDENTITY_USER, most);
	put_cost(h, row, IDENTITY_DAEMON, most);
}

static void put_cost_columns(const struct html *h)
{
	const char *ns = h->report->calibration ? " and ns" : "";

	html_put(h,
		 "<th scope=\"col\">a user, instructions%s</th>"
		 "<th scope=\"col\">a daemon, instructions%s</th>",
		 ns, ns);
}

/* What the two bars mean; figures say the same. */
static void put_key(const struct html *h)
{
	if (h->both)
		html_put(h, "<p class=\"key\" aria-hidden=\"true\"><i "
			    "class=\"was\"></i> before <i class=\"is\"></i> "
			    "after</p>\n");
}

void html_dearest(const struct html *h)
{
	const struct report_figures *f = h->figures;
	double most = dearest_of(h);

	if (!f->before.counted) {
		html_put(h, "<p>No rule costs a call anything.</p>\n");
		return;
	}
	html_put(h,
		 "<p>By what a user pays%s, without what is due to any rule "
		 "at all.</p>\n",
		 h->both ? " before" : "");
	put_key(h);
	html_table(h, "calls", "The ten dearest calls");
	html_put(h, "<thead><tr><th scope=\"col\">call</th>");
	put_cost_columns(h);
	html_put(h, "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < f->dear; i++) {
		const struct dear_call *call = &f->dearest[i];

		html_put(h, "<tr><th scope=\"row\"><span class=\"abi\">");
		html_text(h,
			  report_abi_name(h->report->target, call->row->abi));
		html_put(h, "</span> ");
		html_text(h, call->name);
		html_put(h, "</th>\n");
		put_costs(h, call->row, most);
		html_put(h, "</tr>\n");
	}
	html_end_table(h);
}

static void put_count(const struct html *h, unsigned int was, unsigned int is)
{
	html_put(h, "<td class=\"count\">");
	html_number(h, was, 0);
	if (h->both && was != is) {
		html_put(h, " <span class=\"to\">to</span> <b>");
		html_number(h, is, 0);
		html_put(h, "</b>");
	}
	html_put(h, "</td>\n");
}

static void put_class(const struct html *h, const struct report_row *row,
		      double most)
{
	const struct call_cost *was = &row->before[IDENTITY_USER];
	const struct call_cost *is = &row->after[IDENTITY_USER];

	html_put(h, "<tr><th scope=\"row\">");
	html_calls(h, row->abi, &row->calls);
	html_put(h, "</th>\n");
	put_costs(h, row, most);
	put_count(h, was->rules_walked, is->rules_walked);
	put_count(h, was->masks_hit, is->masks_hit);
	html_put(h, "</tr>\n");
}

static void put_class_rows(const struct html *h, const char *caption,
			   const struct report_row **row, size_t count)
{
	double most = dearest_of(h);

	html_table(h, "calls classes", caption);
	html_put(h, "<thead><tr><th scope=\"col\">calls</th>");
	put_cost_columns(h);
	html_put(h, "<th scope=\"col\">rules walked</th>"
		    "<th scope=\"col\">rules entered</th>"
		    "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < count; i++)
		put_class(h, row[i], most);
	html_end_table(h);
}

void html_classes(const struct html *h)
{
	size_t count, shown;
	const struct report_row **row = report_rows_by_price(
		h->arena, h->figures, h->report->target, &count);

	html_put(h,
		 "<p>%zu classes of calls with a name, dearest first. Calls of "
		 "a class are in the same rules and name files in the same "
		 "way, so they cost the same. Rules walked and entered are "
		 "those of a user.</p>\n",
		 count);
	html_put(h, "<p class=\"find\" hidden><label for=\"find\">Find a "
		    "call</label> <input id=\"find\" type=\"search\" "
		    "autocomplete=\"off\" spellcheck=\"false\"> <output "
		    "for=\"find\"></output></p>\n");
	put_key(h);
	shown = count > CLASSES_SHOWN + 5 ? CLASSES_SHOWN : count;
	put_class_rows(h, "Classes of calls and what they cost", row, shown);
	if (shown == count)
		return;
	html_put(h,
		 "<details class=\"more-rows\"><summary>%zu more "
		 "classes</summary>\n",
		 count - shown);
	put_class_rows(h, "The other classes of calls", row + shown,
		       count - shown);
	html_put(h, "</details>\n");
}
