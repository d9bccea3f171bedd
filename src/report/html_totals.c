/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The page's first parts: the result in a few figures, what is proved of it, all
 * totals, what another run could save.
 */
#include <string.h>

#include "report/changes.h"
#include "report/html.h"

static const char *const who_text[IDENTITY_COUNT] = {
	[IDENTITY_DAEMON] = "a daemon",
	[IDENTITY_USER] = "a user",
};

/* A figure that stands for itself; UNIT is said behind it. */
static void put_tile(const struct html *h, const char *title, double was,
		     double is, int digits, const char *unit)
{
	html_put(h,
		 "<li class=\"tile\"><span class=\"title\">%s</span> <span "
		 "class=\"big\">",
		 title);
	html_number(h, h->both ? is : was, digits);
	html_put(h, "</span> <span class=\"unit\">%s</span>", unit);
	if (h->both) {
		html_put(h, " <span class=\"from\">from ");
		html_number(h, was, digits);
		html_put(h, " ");
		html_change(h, was, is);
		html_put(h, "</span>");
	}
	html_put(h, "</li>\n");
}

static void put_dearer(const struct html *h)
{
	const struct dearer_calls *d = &h->figures->dearer;

	if (!d->count)
		return;
	html_put(h,
		 "<p>%zu call%s cost%s more than before, by at most %.0f "
		 "instructions (",
		 d->count, d->count > 1 ? "s" : "", d->count > 1 ? "" : "s",
		 d->most);
	html_text(h, report_abi_name(h->report->target, d->worst.row->abi));
	html_put(h, " ");
	html_text(h, d->worst.name);
	html_put(h, " by %s).</p>\n", who_text[d->identity]);
}

/* A tile of the calls of WHO, weighted. */
static void put_calls_tile(const struct html *h, enum identity who,
			   const char *title)
{
	const struct report_totals *b = &h->figures->before;
	const struct report_totals *a = &h->figures->after;

	put_tile(h, title, b->weighted[who], a->weighted[who], 0,
		 "instructions");
	if (h->report->calibration)
		put_tile(h, title, b->weighted_ns[who], a->weighted_ns[who], 1,
			 "ns");
}

void html_summary(const struct html *h)
{
	const struct report_totals *b = &h->figures->before;
	const struct report_totals *a = &h->figures->after;
	const struct profile *profile = h->figures->profile;

	html_put(h, "<ul class=\"tiles\">\n");
	put_tile(h, "Rules", (double)b->rules, (double)a->rules, 0, "in all");
	put_tile(h, "Walked by every call", (double)b->exit_list,
		 (double)a->exit_list, 0, "rules");
	put_calls_tile(h, IDENTITY_DAEMON, "A call by a daemon");
	put_calls_tile(h, IDENTITY_USER, "A call by a user");
	html_put(h, "</ul>\n<p>Calls are weighted by how often they are made: "
		    "profile ");
	html_text(h, profile->name);
	html_put(h, " (");
	html_text(h, profile->kind);
	html_put(h, ").</p>\n");
	put_dearer(h);
	if (h->report->calibration) {
		html_put(h, "<p>Nanoseconds as measured on ");
		html_text(h, h->report->calibration->machine);
		html_put(h, ", Linux ");
		html_text(h, h->report->calibration->kernel);
		html_put(h, ", by auditopt calibrate.</p>\n");
	}
}

/* What holds of what was written at LEVEL, -1 for as it came. */
static const char *guarantee(int level)
{
	switch (level) {
	case -1:
		return "The rules are written as they came, one for one.";
	case 2:
		return "Every event that the rules log is logged, with the "
		       "same key, and no other is. Records that the kernel "
		       "makes by itself, such as a refusal by SELinux, are "
		       "made as before, but may lose the SYSCALL and PATH "
		       "records that accompany them.";
	default:
		return "Every event that the rules log is logged, with the "
		       "same key, and no other is. Every record that the "
		       "kernel makes by itself, such as a refusal by SELinux, "
		       "keeps the records that accompany it.";
	}
}

/* TEXT of several lines, each of them an element. */
static void put_line_items(const struct html *h, const char *text)
{
	while (*text) {
		size_t length = strcspn(text, "\n");

		html_put(h, "<li>");
		html_bytes(h, text, length);
		html_put(h, "</li>\n");
		text += length + (text[length] == '\n');
	}
}

void html_proof(const struct html *h)
{
	const struct report *r = h->report;

	if (r->fallback) {
		html_put(h, "<p class=\"status warn\">Not all was proved: ");
		html_text(h, r->fallback);
		html_put(h, ".</p>\n");
	}
	if (r->proof) {
		html_put(h, "<p class=\"status %s\">",
			 r->fallback ? "plain" : "good");
		html_text(h, r->proof);
		html_put(h, "</p>\n");
	}
	html_put(h, "<p>%s</p>\n<ul>\n",
		 guarantee(r->fallback ? r->level_reached : r->level));
	if (r->lefts)
		html_put(h, "<li>What was <a href=\"#left-out\">left out</a> "
			    "because of errors is not part of it: figures and "
			    "proof are of the rest.</li>\n");
	if (r->assumed)
		put_line_items(h, r->assumed);
	html_put(h, "<li>Taken as all the rules there are: what other files or "
		    "the kernel have besides is not known.</li>\n</ul>\n");
}

static void put_row(const struct html *h, const char *title, double was,
		    double is, int digits)
{
	html_put(h, "<tr><th scope=\"row\">%s</th>\n<td>", title);
	html_number(h, was, digits);
	if (h->both) {
		html_put(h, "</td><td>");
		html_number(h, is, digits);
		html_put(h, "</td><td>");
		html_change(h, was, is);
	}
	html_put(h, "</td></tr>\n");
}

/* Nothing where there is none. */
static void put_list(const struct html *h, const char *title, size_t was,
		     size_t is)
{
	if (was || is)
		put_row(h, title, (double)was, (double)is, 0);
}

/* More of them may well be cheaper: no word on the change. */
static void put_masks(const struct html *h, size_t was, size_t is)
{
	html_put(h,
		 "<tr><th scope=\"row\">calls in the masks of exit "
		 "rules</th>\n<td>%s</td>",
		 html_figure(h->arena, (double)was, 0));
	if (h->both)
		html_put(h, "<td>%s</td><td></td>",
			 html_figure(h->arena, (double)is, 0));
	html_put(h, "</tr>\n");
}

static void put_columns(const struct html *h, const char *what)
{
	html_put(h, "<thead><tr><th scope=\"col\">%s</th>", what);
	if (h->both)
		html_put(h, "<th scope=\"col\">before</th>"
			    "<th scope=\"col\">after</th>"
			    "<th scope=\"col\">change</th>");
	else
		html_put(h, "<th scope=\"col\">now</th>");
	html_put(h, "</tr></thead>\n<tbody>\n");
}

static void put_rules(const struct html *h)
{
	const struct report_totals *b = &h->figures->before;
	const struct report_totals *a = &h->figures->after;

	html_table(h, "totals", "Rules by the list that they are in");
	put_columns(h, "Rules");
	put_list(h, "exit list, walked by every call", b->exit_list,
		 a->exit_list);
	put_list(h, "inode buckets, by files that are named", b->inode_buckets,
		 a->inode_buckets);
	put_list(h, "watches, list or bucket when they load", b->unsettled,
		 a->unsettled);
	put_list(h, "task list", b->task, a->task);
	put_list(h, "user list", b->user, a->user);
	put_list(h, "exclude list", b->exclude, a->exclude);
	put_list(h, "filesystem list", b->filesystem, a->filesystem);
	put_list(h, "io_uring list", b->io_uring, a->io_uring);
	put_row(h, "all", (double)b->rules, (double)a->rules, 0);
	put_masks(h, b->mask_bits, a->mask_bits);
	html_end_table(h);
}

static void put_means(const struct html *h, const double *was_mean,
		      const double *is_mean, const double *was,
		      const double *is, int digits)
{
	put_row(h, "by a daemon, as often as calls are made",
		was[IDENTITY_DAEMON], is[IDENTITY_DAEMON], digits);
	put_row(h, "by a user, the same", was[IDENTITY_USER], is[IDENTITY_USER],
		digits);
	put_row(h, "by a daemon, each call with a name once",
		was_mean[IDENTITY_DAEMON], is_mean[IDENTITY_DAEMON], digits);
	put_row(h, "by a user, the same", was_mean[IDENTITY_USER],
		is_mean[IDENTITY_USER], digits);
}

void html_totals(const struct html *h)
{
	const struct report_totals *b = &h->figures->before;
	const struct report_totals *a = &h->figures->after;

	if (h->both) {
		struct rule_counts counts = report_rule_counts(
			h->arena, h->report->before, h->report->after);

		html_put(h, "<p>Rules: ");
		html_text(h, report_rule_counts_text(h->arena, &counts));
		html_put(h, ".</p>\n");
	}
	html_put(h, "<div class=\"columns\">\n");
	put_rules(h);
	html_table(h, "totals", "Instructions a call, mean of all calls");
	put_columns(h, "Instructions a call");
	put_means(h, b->mean, a->mean, b->weighted, a->weighted, 0);
	put_row(h, "of the first two, due to any rule at all", b->fixed,
		a->fixed, 0);
	html_end_table(h);
	if (h->report->calibration) {
		html_table(h, "totals",
			   "Nanoseconds a call, mean of all calls");
		put_columns(h, "Nanoseconds a call");
		put_means(h, b->mean_ns, a->mean_ns, b->weighted_ns,
			  a->weighted_ns, 1);
		html_end_table(h);
	}
	html_put(h, "</div>\n");
}

void html_offers(const struct html *h)
{
	const struct report *r = h->report;

	html_put(h,
		 "<p>Estimated, and not proved.</p>\n<dl class=\"offers\">\n");
	for (size_t i = 0; i < r->offers; i++) {
		const struct report_offer *o = &r->offer[i];

		html_put(h, "<dt><code>");
		html_text(h, o->option);
		html_put(h,
			 "</code> saves another %.0f&nbsp;%% over all "
			 "calls</dt>\n"
			 "<dd>%.0f&nbsp;%% on ",
			 o->percent, (o->was - o->is) / o->was * 100);
		html_text(h, report_abi_name(r->target, o->abi));
		html_put(h, " ");
		html_text(h, o->call ? o->call
				     : arena_printf(h->arena, "%d", o->number));
		html_put(h, " by %s (from ", who_text[o->identity]);
		html_number(h, o->was, 0);
		html_put(h, " to ");
		html_number(h, o->is, 0);
		html_put(h, " instructions). Price: ");
		html_text(h, o->price);
		html_put(h, ".</dd>\n");
	}
	html_put(h, "</dl>\n");
}
