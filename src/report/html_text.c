/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text, figures and links of the page.
 */
#include "report/html.h"

#include <stdarg.h>
#include <string.h>

#include "emit/emit.h"
#include "util/printable.h"

/* Places and names that are shown before the rest must be opened. */
#define PLACES_SHOWN 12
#define NAMES_SHOWN 6
#define NAMES_IN_TITLE 4

void html_put(const struct html *h, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(h->to, format, args);
	va_end(args);
}

static const char *entity_of(char c)
{
	switch (c) {
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '&':
		return "&amp;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

void html_bytes(const struct html *h, const char *text, size_t length)
{
	for (text = printable_text(h->arena, text, length); *text; text++) {
		const char *entity = entity_of(*text);

		if (entity)
			fputs(entity, h->to);
		else
			fputc(*text, h->to);
	}
}

void html_text(const struct html *h, const char *text)
{
	html_bytes(h, text, strlen(text));
}

const char *html_figure(struct arena *arena, double value, int digits)
{
	const char *text = arena_printf(arena, "%.*f", digits, value);
	size_t length = strlen(text), whole = strcspn(text, ".");
	char *marked = arena_alloc(arena, 2 * length + 1), *to = marked;
	size_t from = text[0] == '-';

	for (size_t i = 0; i < length; i++) {
		if (i > from && i < whole && (whole - i) % 3 == 0)
			*to++ = ',';
		*to++ = text[i];
	}
	return marked;
}

void html_number(const struct html *h, double value, int digits)
{
	fputs(html_figure(h->arena, value, digits), h->to);
}

void html_change(const struct html *h, double was, double is)
{
	double percent = was > 0 ? (is - was) / was * 100 : 0;
	double size = percent < 0 ? -percent : percent;

	if (size < 0.05)
		return;
	html_put(h, "<span class=\"%s\">%s%.*f&nbsp;%%</span>",
		 percent < 0 ? "less" : "more", percent < 0 ? "&minus;" : "+",
		 size < 0.95, size);
}

void html_pair(const struct html *h, double was, double is, int digits)
{
	html_put(h, "<span class=\"pair\"><span>%s</span>",
		 html_figure(h->arena, was, digits));
	if (h->both) {
		html_put(h, " <span class=\"to\">to</span> <b>%s</b> ",
			 html_figure(h->arena, is, digits));
		html_change(h, was, is);
	}
	html_put(h, "</span>");
}

/* From FIRST of ORIGIN on, lines that stand behind each other in one file. */
static size_t run_of(const struct html *h, struct origin origin, size_t first)
{
	const struct source_line *line = h->report->input->line;
	size_t last = first;

	while (last + 1 < origin.count) {
		const struct source_line *a = &line[origin.line[last]];
		const struct source_line *b = &line[origin.line[last + 1]];

		if (origin.line[last + 1] != origin.line[last] + 1 ||
		    b->number != a->number + 1 || strcmp(a->file, b->file) != 0)
			break;
		last++;
	}
	return last;
}

static void put_place(const struct html *h, struct origin origin, size_t first,
		      size_t last)
{
	const struct input *input = h->report->input;
	const struct source_line *a = &input->line[origin.line[first]];
	const struct source_line *b = &input->line[origin.line[last]];

	html_put(h, "<a href=\"#i%u\">", origin.line[first] + 1);
	if (input->files > 1 || a->merged) {
		html_text(h, a->file);
		fputc(':', h->to);
	}
	html_put(h, "%u", a->number);
	if (last > first)
		html_put(h, "&ndash;%u", b->number);
	html_put(h, "</a>");
}

/* Before item SHOWN of a list, MORE of which are left: those behind ROOM are in
 * a part that is to be opened. */
static void put_separator(const struct html *h, size_t shown, size_t room,
			  size_t more)
{
	if (shown == room)
		html_put(h,
			 "<details class=\"rest\"><summary>and %zu "
			 "more</summary>",
			 more);
	if (shown)
		html_put(h, ", ");
}

void html_lines(const struct html *h, struct origin origin)
{
	size_t shown = 0;

	html_put(h, "line%s ", origin.count == 1 ? "" : "s");
	for (size_t i = 0; i < origin.count; i++) {
		size_t last = run_of(h, origin, i);

		put_separator(h, shown, PLACES_SHOWN, origin.count - i);
		put_place(h, origin, i, last);
		shown++;
		i = last;
	}
	if (shown > PLACES_SHOWN)
		html_put(h, "</details>");
}

void html_result_lines(const struct html *h, const size_t *rule, size_t count)
{
	html_put(h, "line%s ", count == 1 ? "" : "s");
	for (size_t i = 0; i < count; i++) {
		put_separator(h, i, PLACES_SHOWN, count - i);
		html_rule_link(h, h->report->after, rule[i]);
	}
	if (count > PLACES_SHOWN)
		html_put(h, "</details>");
}

/* The anchor of rule POSITION of the result: its line in the text that is
 * written, from 1; 0 if that is not known. */
static size_t result_line(const struct html *h, size_t position)
{
	return h->report->place ? h->report->place[position].line : 0;
}

void html_rule_link(const struct html *h, const struct ruleset *set,
		    size_t position)
{
	const struct rule *rule = set->rule[position];
	size_t line =
		set == h->report->after ? result_line(h, position) : 0;

	if (line)
		html_put(h, "<a href=\"#o%zu\">%zu</a>", line, line);
	else if (rule->origin.count)
		put_place(h, rule->origin, 0, 0);
	else
		html_put(h, "added");
}

/* The names in CALLS, from *FROM on; NULL: no more. */
static const char *next_name(const struct html *h, enum abi abi,
			     const struct syscall_mask *calls, int *from)
{
	for (int n = syscall_mask_next(calls, *from); n >= 0;
	     n = syscall_mask_next(calls, n + 1)) {
		const char *name = target_call_name(h->report->target, abi, n);

		*from = n + 1;
		if (name)
			return name;
	}
	return NULL;
}

static size_t count_names(const struct html *h, enum abi abi,
			  const struct syscall_mask *calls)
{
	size_t count = 0;

	for (int from = 0; next_name(h, abi, calls, &from);)
		count++;
	return count;
}

/* "452-2031, ..." of calls none of which has a name; in ARENA. */
static const char *numbers_text(const struct html *h,
				const struct syscall_mask *calls)
{
	const char *text = "numbers without a name:";
	size_t shown = 0;
	int last;

	for (int n = syscall_mask_next(calls, 0); n >= 0;
	     n = syscall_mask_next(calls, last + 1)) {
		for (last = n; syscall_mask_has(calls, last + 1);)
			last++;
		if (shown++ == NAMES_SHOWN)
			return arena_printf(h->arena, "%s, ...", text);
		text = arena_printf(h->arena,
				    last > n ? "%s%s %d-%d" : "%s%s %d", text,
				    shown > 1 ? "," : "", n, last);
	}
	return text;
}

void html_calls(const struct html *h, enum abi abi,
		const struct syscall_mask *calls)
{
	size_t count = count_names(h, abi, calls), shown = 0;
	size_t room = NAMES_SHOWN;
	const char *name;

	html_put(h, "<span class=\"abi\">");
	html_text(h, report_abi_name(h->report->target, abi));
	html_put(h, "</span> ");
	if (!count)
		html_text(h, numbers_text(h, calls));
	/* One more is no more room than to say so. */
	if (count <= NAMES_SHOWN + 1)
		room = count;
	for (int from = 0; (name = next_name(h, abi, calls, &from)) != NULL;
	     shown++) {
		put_separator(h, shown, room, count - shown);
		html_text(h, name);
	}
	if (shown > room)
		html_put(h, "</details>");
}

const char *html_calls_text(const struct html *h, enum abi abi,
			    const struct syscall_mask *calls)
{
	const char *text = report_abi_name(h->report->target, abi), *name;
	size_t count = count_names(h, abi, calls), shown = 0;

	if (!count)
		return arena_printf(h->arena, "%s %s", text,
				    numbers_text(h, calls));
	for (int from = 0; shown < NAMES_IN_TITLE &&
			   (name = next_name(h, abi, calls, &from)) != NULL;
	     shown++)
		text = arena_printf(h->arena, "%s%s %s", text, shown ? "," : "",
				    name);
	return count > shown ? arena_printf(h->arena, "%s and %zu more", text,
					    count - shown)
			     : text;
}

void html_section(const struct html *h, const char *id, const char *title)
{
	html_put(h, "<section id=\"%s\" aria-labelledby=\"%s-title\">\n", id,
		 id);
	html_put(h, "<h2 id=\"%s-title\">%s</h2>\n", id, title);
}

void html_end_section(const struct html *h)
{
	html_put(h, "</section>\n");
}

/* A box that scrolls must be reached with keys, and then have a name. */
void html_table(const struct html *h, const char *class, const char *caption)
{
	html_put(h,
		 "<div class=\"box\" role=\"region\" tabindex=\"0\" "
		 "aria-label=\"%s\">\n<table class=\"%s\">\n"
		 "<caption>%s</caption>\n",
		 caption, class, caption);
}

void html_end_table(const struct html *h)
{
	html_put(h, "</tbody>\n</table>\n</div>\n");
}
