/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report as a page of HTML: head, contents, the parts in their order.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "report/html.h"

#include <string.h>

/* Made by the build from html_style.css and html_script.js. */
static const char style[] =
#include "report/html_style.inc"
	;
static const char script[] =
#include "report/html_script.inc"
	;

/* What the list of contents leads to, and when it is there. */
struct part {
	const char *id, *title;
	void (*put)(const struct html *h);
	bool (*there)(const struct report *report);
};

static bool always(const struct report *report)
{
	(void)report;
	return true;
}

static bool has_rules(const struct report *report)
{
	return report->before && (report->before->count ||
				  (report->after && report->after->count));
}

static bool has_after(const struct report *report)
{
	return report->after != NULL;
}

static bool has_changes(const struct report *report)
{
	return report->after && report->log && has_rules(report);
}

static bool has_offers(const struct report *report)
{
	return report->offers > 0;
}

static bool has_lefts(const struct report *report)
{
	return report->lefts > 0;
}

static bool has_messages(const struct report *report)
{
	return report->diagnostics && diagnostics_get(report->diagnostics, 0);
}

static bool has_result(const struct report *report)
{
	return report->after && report->result && report->place;
}

static const struct part parts[] = {
	{"summary", "Summary", html_summary, has_rules},
	{"proof", "What is guaranteed", html_proof, has_after},
	{"left-out", "What was left out", html_left_out, has_lefts},
	{"totals", "Rules and costs", html_totals, has_rules},
	{"offers", "What more could be saved", html_offers, has_offers},
	{"dearest", "The dearest calls", html_dearest, has_rules},
	{"walks", "How the kernel walks the rules", html_walks, has_rules},
	{"classes", "All calls", html_classes, has_rules},
	{"passes", "What each pass did", html_passes, has_changes},
	{"idle", "Rules that could never take effect", html_idle, has_changes},
	{"messages", "Remarks on the input", html_messages, has_messages},
	{"input", "The input, line by line", html_input, always},
	{"result", "The result, line by line", html_result, has_result},
};

#define PARTS (sizeof(parts) / sizeof(*parts))

static const char *title_of(const struct report *report)
{
	if (!report->before)
		return "Audit rules with errors";
	return report->after ? "Audit rules, optimised"
			     : "What the audit rules cost";
}

static void put_files(const struct html *h)
{
	const struct input *input = h->report->input;
	const char *last = NULL;
	size_t shown = 0;

	for (size_t i = 0; i < input->files; i++) {
		const char *name = input->file[i];

		if (last && strcmp(last, name) == 0)
			continue;
		last = name;
		html_put(h, shown++ ? ", " : "");
		html_text(h, strcmp(name, "-") == 0 ? "standard input" : name);
	}
}

static void put_head(const struct html *h)
{
	html_put(h,
		 "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
		 "<meta charset=\"utf-8\">\n<title>%s: ",
		 title_of(h->report));
	put_files(h);
	html_put(h,
		 "</title>\n"
		 "<meta name=\"viewport\" content=\"width=device-width, "
		 "initial-scale=1\">\n"
		 "<meta name=\"color-scheme\" content=\"light dark\">\n"
		 "<meta name=\"generator\" content=\"auditopt %s\">\n"
		 "<meta http-equiv=\"Content-Security-Policy\" "
		 "content=\"default-src 'none'; img-src data:; style-src "
		 "'unsafe-inline'; script-src 'unsafe-inline'; base-uri "
		 "'none'; form-action 'none'\">\n"
		 "<link rel=\"icon\" href=\"data:,\">\n"
		 "<style>\n%s</style>\n</head>\n<body>\n",
		 PACKAGE_VERSION, style);
}

static void put_banner(const struct html *h)
{
	const struct report *r = h->report;

	html_put(h,
		 "<a class=\"skip\" href=\"#main\">Skip to the report</a>\n"
		 "<header>\n<p class=\"brand\">auditopt %s</p>\n<h1>%s</h1>\n"
		 "<p class=\"files\">",
		 PACKAGE_VERSION, title_of(r));
	put_files(h);
	html_put(h, "</p>\n<ul class=\"facts\">\n<li>for ");
	html_text(h, r->target->name);
	html_put(h, "</li>\n");
	if (r->after)
		html_put(h, "<li>level -O%d</li>\n", r->level);
	html_put(h, "<li>read as auditctl %s reads it</li>\n",
		 auditctl_version_text(h->arena, r->auditctl_version));
	if (r->before)
		html_put(h, "<li>costs as on Linux %s</li>\n",
			 (r->prices ? r->prices : prices_of(NULL))->kernel);
	html_put(h, "</ul>\n</header>\n");
}

static void put_contents(const struct html *h)
{
	html_put(h, "<nav aria-label=\"Contents\">\n<ul>\n");
	for (size_t i = 0; i < PARTS; i++)
		if (parts[i].there(h->report))
			html_put(h, "<li><a href=\"#%s\">%s</a></li>\n",
				 parts[i].id, parts[i].title);
	html_put(h, "</ul>\n</nav>\n");
}

static void put_empty(const struct html *h)
{
	if (!h->report->before)
		html_put(h, "<p class=\"status bad\">The input has errors: no "
			    "rules were written. The remarks below say what "
			    "is wrong and what to do.</p>\n");
	else if (!has_rules(h->report))
		html_put(h, "<p>There is no rule: no call is delayed, and "
			    "nothing is logged because of a rule.</p>\n");
}

static void put_parts(const struct html *h)
{
	html_put(h, "<main id=\"main\" tabindex=\"-1\">\n");
	put_empty(h);
	for (size_t i = 0; i < PARTS; i++) {
		if (!parts[i].there(h->report))
			continue;
		html_section(h, parts[i].id, parts[i].title);
		parts[i].put(h);
		html_end_section(h);
	}
	html_put(h, "</main>\n");
}

static void put_foot(const struct html *h)
{
	html_put(h, "<footer>\n");
	if (has_rules(h->report))
		html_put(
			h,
			"<p>Instructions are what the rules add to a call, "
			"above the same call of a system without rules. They "
			"are estimated from measurements of Linux %s on "
			"x86_64, for calls that succeed, on files that no rule "
			"names, which are opened with O_RDONLY and no other "
			"flag; every record that is made costs more. A daemon "
			"has no auid and is user 0, a user has an auid and is "
			"user 1000.</p>\n",
			(h->report->prices ? h->report->prices
					   : prices_of(NULL))
				->kernel);
	html_put(h,
		 "<p>Written by auditopt %s. This page loads nothing from "
		 "anywhere.</p>\n</footer>\n",
		 PACKAGE_VERSION);
}

/* Which rules of the result stand for each line of the input. */
static struct html_stands *stands_of(struct arena *arena,
				     const struct report *report)
{
	const struct ruleset *after = report->after;
	size_t lines = report->input->count;
	struct html_stands *stands = arena_array(arena, lines, sizeof(*stands));
	size_t **room = arena_array(arena, lines, sizeof(size_t *));

	for (size_t i = 0; i < after->count; i++)
		for (size_t l = 0; l < after->rule[i]->origin.count; l++)
			stands[after->rule[i]->origin.line[l]].count++;
	for (size_t l = 0; l < lines; l++) {
		room[l] = arena_array(arena, stands[l].count, sizeof(size_t));
		stands[l] = (struct html_stands){room[l], 0};
	}
	for (size_t i = 0; i < after->count; i++)
		for (size_t l = 0; l < after->rule[i]->origin.count; l++) {
			uint32_t line = after->rule[i]->origin.line[l];

			room[line][stands[line].count++] = i;
		}
	return stands;
}

bool report_html(struct arena *arena, const struct report *report, FILE *stream)
{
	struct report_figures figures = {0};
	struct html h = {.arena = arena,
			 .report = report,
			 .figures = &figures,
			 .to = stream,
			 .both = report->after != NULL};

	if (report->before)
		figures = report_figures_of(arena, report);
	if (report->after)
		h.stands = stands_of(arena, report);
	put_head(&h);
	put_banner(&h);
	html_put(&h, "<div class=\"page\">\n");
	put_contents(&h);
	put_parts(&h);
	html_put(&h, "</div>\n");
	put_foot(&h);
	html_put(&h, "<script>\n%s</script>\n</body>\n</html>\n", script);
	return fflush(stream) == 0 && !ferror(stream);
}
