/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The page's lists of lines: what was read and what is written, each line with
 * links to those it became or stands for; what was left out; complaints.
 */
#include <ctype.h>
#include <string.h>

#include "emit/emit.h"
#include "report/changes.h"
#include "report/html.h"

/* A list of calls that is longer is folded. */
#define CALLS_SHOWN 60

/* What is to be said of each line of the input. */
struct notes {
	const struct dropped_rule **dropped;
	const struct left_out **left;
	size_t *message; /* the first complaint about it, from 1; 0: none */
};

static struct notes notes_of(const struct html *h)
{
	const struct report *r = h->report;
	size_t lines = r->input->count;
	struct notes notes = {
		arena_array(h->arena, lines, sizeof(struct dropped_rule *)),
		arena_array(h->arena, lines, sizeof(struct left_out *)),
		arena_array(h->arena, lines, sizeof(size_t))};
	struct dropped_rules *all = arena_alloc(h->arena, sizeof(*all));
	const struct diagnostic *d;

	if (r->after && r->log)
		*all = report_dropped(h->arena, r->before, r->after, r->log);
	for (size_t i = 0; i < all->count; i++)
		for (size_t l = 0; l < all->item[i].what.count; l++)
			notes.dropped[all->item[i].what.line[l]] =
				&all->item[i];
	for (size_t i = 0; i < r->lefts; i++)
		notes.left[r->left[i].line] = &r->left[i];
	for (size_t i = 0;
	     r->diagnostics && (d = diagnostics_get(r->diagnostics, i)) != NULL;
	     i++)
		if (d->at.line < lines && !notes.message[d->at.line])
			notes.message[d->at.line] = i + 1;
	return notes;
}

/* Where the value of the next -S with a long list of calls begins; NULL: there
 * is none. */
static const char *long_list(const char *text, const char *end)
{
	for (; end - text > CALLS_SHOWN + 4; text++)
		if (memcmp(text, " -S ", 4) == 0 &&
		    !memchr(text + 4, ' ', CALLS_SHOWN) &&
		    memchr(text + 4, ',', CALLS_SHOWN))
			return text + 4;
	return NULL;
}

/* A line of rules, its long lists of calls folded. */
static void put_code(const struct html *h, const char *text, size_t length)
{
	const char *end = text + length, *list;

	while ((list = long_list(text, end)) != NULL) {
		const char *behind = memchr(list, ' ', (size_t)(end - list));
		size_t shown = CALLS_SHOWN, commas = 0;

		behind = behind ? behind : end;
		while (list[shown - 1] != ',')
			shown--;
		for (const char *c = list + shown; c < behind; c++)
			commas += *c == ',';
		html_bytes(h, text, (size_t)(list - text) + shown);
		html_put(h,
			 "<details class=\"rest\"><summary>%zu "
			 "more</summary>",
			 commas + 1);
		html_bytes(h, list + shown, (size_t)(behind - list) - shown);
		html_put(h, "</details>");
		text = behind;
	}
	html_bytes(h, text, (size_t)(end - text));
}

static bool is_comment(const char *text, size_t length)
{
	while (length && isspace((unsigned char)*text)) {
		text++;
		length--;
	}
	return !length || *text == '#';
}

static void put_dropped(const struct html *h, const struct dropped_rule *d)
{
	html_put(h, "<b>dropped</b>: ");
	html_text(h, d->why);
	if (d->because.count) {
		html_put(h, " ");
		html_lines(h, d->because);
	}
}

static void put_left(const struct html *h, const struct left_out *left)
{
	html_put(h, "<b>left out</b>");
	if (left->text) {
		html_put(h, ": <code>");
		html_text(h, left->text);
		html_put(h, "</code>");
	}
	html_put(h, ": ");
	html_text(h, left->why ? left->why : "fault");
}

/* What became of line L of the input. */
static void put_fate(const struct html *h, const struct notes *notes, size_t l)
{
	const char *separator = "";

	if (h->stands && h->stands[l].count) {
		html_result_lines(h, h->stands[l].rule, h->stands[l].count);
		separator = "<br>";
	} else if (notes->dropped[l]) {
		put_dropped(h, notes->dropped[l]);
		separator = "<br>";
	}
	if (notes->left[l]) {
		html_put(h, "%s", separator);
		put_left(h, notes->left[l]);
		separator = "<br>";
	}
	if (notes->message[l])
		html_put(h, "%s<a href=\"#m%zu\">remark</a>", separator,
			 notes->message[l]);
}

static void put_number(const struct html *h, const struct source_line *line)
{
	html_put(h, "%u", line->number);
	if (line->column > 1)
		html_put(h, " (from column %u)", line->column);
}

static void put_input_line(const struct html *h, const struct notes *notes,
			   size_t l)
{
	const struct source_line *line = &h->report->input->line[l];
	const char *class = is_comment(line->text, line->length)  ? "quiet"
			    : notes->dropped[l] || notes->left[l] ? "gone"
								  : "";

	html_put(h, "<tr id=\"i%zu\" class=\"%s\"><th scope=\"row\">", l + 1,
		 class);
	put_number(h, line);
	html_put(h, "</th><td class=\"code\">");
	put_code(h, line->text, line->length);
	html_put(h, "</td><td>");
	put_fate(h, notes, l);
	html_put(h, "</td></tr>\n");
}

static void start_listing(const struct html *h, const char *caption,
			  const char *fate)
{
	html_table(h, "listing", caption);
	html_put(h,
		 "<thead><tr><th scope=\"col\">line</th>"
		 "<th scope=\"col\">text</th><th scope=\"col\">%s</th>"
		 "</tr></thead>\n<tbody>\n",
		 fate);
}

static void put_file(const struct html *h, const struct source_line *line)
{
	html_put(h, "<tr class=\"file\"><th scope=\"rowgroup\" colspan=\"3\">");
	html_text(h,
		  strcmp(line->file, "-") == 0 ? "standard input" : line->file);
	html_put(h, "</th></tr>\n");
}

void html_input(const struct html *h)
{
	const struct input *input = h->report->input;
	const struct notes notes = notes_of(h);

	if (!input->count) {
		html_put(h, "<p>No line was read.</p>\n");
		return;
	}
	if (h->both)
		html_put(h, "<p>Each with the lines of the result that stand "
			    "for it.</p>\n");
	start_listing(h, "The lines that were read",
		      h->both ? "in the result" : "remarks");
	for (size_t l = 0; l < input->count; l++) {
		if (l == 0 ||
		    strcmp(input->line[l].file, input->line[l - 1].file) != 0)
			put_file(h, &input->line[l]);
		put_input_line(h, &notes, l);
	}
	html_end_table(h);
}

/* Which rule each line of the result is of, from 1; 0: none. */
static size_t *rules_by_line(const struct html *h, size_t lines)
{
	const struct report *r = h->report;
	size_t *rule = arena_array(h->arena, lines + 1, sizeof(*rule));

	for (size_t i = 0; i < r->after->count; i++)
		for (size_t l = 0; l < r->place[i].lines; l++)
			if (r->place[i].line + l <= lines)
				rule[r->place[i].line + l] = i + 1;
	return rule;
}

static void put_result_line(const struct html *h, size_t number,
			    const char *text, size_t length, size_t rule)
{
	const struct ruleset *after = h->report->after;

	html_put(h,
		 "<tr id=\"o%zu\" class=\"%s\"><th scope=\"row\">%zu</th>"
		 "<td class=\"code\">",
		 number, is_comment(text, length) ? "quiet" : "", number);
	put_code(h, text, length);
	html_put(h, "</td><td>");
	if (rule && after->rule[rule - 1]->origin.count)
		html_lines(h, after->rule[rule - 1]->origin);
	else if (rule)
		html_put(h, "added by auditopt");
	if (rule && after->rule[rule - 1]->copied.count) {
		html_put(h, ", as ");
		html_lines(h, after->rule[rule - 1]->copied);
	}
	html_put(h, "</td></tr>\n");
}

void html_result(const struct html *h)
{
	const struct report *r = h->report;
	const char *text = r->result, *end = text + r->result_size;
	size_t lines = 0, number = 0, *rule;

	for (const char *c = text; c < end; c++)
		lines += *c == '\n';
	rule = rules_by_line(h, lines);
	html_put(h, "<p>Each with the lines of the input that it stands "
		    "for.</p>\n");
	start_listing(h, "The lines that are written", "stands for");
	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		size_t length = (size_t)((newline ? newline : end) - text);

		number++;
		put_result_line(h, number, text, length,
				number <= lines ? rule[number] : 0);
		text += length + 1;
	}
	html_end_table(h);
}

void html_left_out(const struct html *h)
{
	const struct report *r = h->report;

	html_put(h, "<p class=\"status warn\">");
	html_text(h, report_left_text(h->arena, r->left, r->lefts));
	html_put(h, ".</p>\n<ul class=\"changes\">\n");
	for (size_t i = 0; i < r->lefts; i++) {
		const struct left_out *left = &r->left[i];
		const struct source_line *line = &r->input->line[left->line];
		const struct origin origin = {.line = &left->line, .count = 1};

		html_put(h, "<li><div class=\"where\">%s",
			 left->text ? "of " : "");
		html_lines(h, origin);
		html_put(h, "</div><div>");
		html_text(h, left->why ? left->why : "fault");
		html_put(h, "</div><div class=\"code\">");
		if (left->text)
			html_text(h, left->text);
		else
			put_code(h, line->text, line->length);
		html_put(h, "</div></li>\n");
	}
	html_put(h, "</ul>\n");
}

/* TITLE and TEXT, if there is one. */
static void put_remark(const struct html *h, const char *title,
		       const char *text)
{
	if (!text)
		return;
	html_put(h, "<div class=\"aside\">%s", title);
	html_text(h, text);
	html_put(h, "</div>");
}

static void put_message(const struct html *h, size_t number,
			const struct diagnostic *d)
{
	const struct origin at = {.line = &d->at.line, .count = 1};
	const struct origin other = {.line = &d->other.line, .count = 1};

	html_put(h,
		 "<li id=\"m%zu\"><div class=\"where\"><b class=\"%s\">%s</b> ",
		 number, severity_name(d->severity),
		 severity_name(d->severity));
	if (d->at.line < h->report->input->count)
		html_lines(h, at);
	html_put(h, " <span class=\"id\">%s</span></div><div>", d->id);
	html_text(h, d->what);
	if (d->other.line < h->report->input->count) {
		html_put(h, " (");
		if (d->other_what) {
			html_text(h, d->other_what);
			html_put(h, ": ");
		}
		html_lines(h, other);
		html_put(h, ")");
	}
	html_put(h, "</div>");
	put_remark(h, "", d->auditctl);
	put_remark(h, "What to do: ", d->advice);
	html_put(h, "</li>\n");
}

void html_messages(const struct html *h)
{
	const struct diagnostic *d;

	html_put(h, "<ul class=\"changes\">\n");
	for (size_t i = 0;
	     (d = diagnostics_get(h->report->diagnostics, i)) != NULL; i++)
		put_message(h, i + 1, d);
	html_put(h, "</ul>\n");
}
