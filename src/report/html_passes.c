/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The page's part about what was done: each pass, with what it did to which
 * lines, and rules of the input that never had an effect.
 */
#include <string.h>
#include <stdlib.h>
#include <uthash.h>

#include "optimize/pipeline.h"
#include "report/changes.h"
#include "report/html.h"

/* Changes of one pass that differ in the lines they are about alone. */
struct alike {
	const struct change *first;
	uint32_t *line;
	size_t lines, room;
	UT_hash_handle hh;
};

struct alikes {
	struct alike *item;
	size_t count;
	struct alike *table;
};

/* What two changes must have in common, as bytes. */
static void *key_of(struct arena *arena, const struct change *c, size_t *size)
{
	size_t pass = strlen(c->pass) + 1, text = strlen(c->text) + 1;
	size_t because = c->because.count * sizeof(*c->because.line);
	char *key, *to;

	*size = pass + text + because + sizeof(c->taken) + 1;
	key = to = arena_alloc(arena, *size);
	memcpy(to, c->pass, pass);
	memcpy(to += pass, c->text, text);
	to += text;
	if (because)
		memcpy(to, c->because.line, because);
	memcpy(to += because, &c->taken, sizeof(c->taken));
	to[sizeof(c->taken)] = (char)c->taken_abis;
	return key;
}

static struct alike *alike_for(struct arena *arena, struct alikes *all,
			       const struct change *change)
{
	size_t size;
	void *key = key_of(arena, change, &size);
	struct alike *found;

	HASH_FIND(hh, all->table, key, size, found);
	if (found)
		return found;
	found = &all->item[all->count++];
	found->first = change;
	HASH_ADD_KEYPTR(hh, all->table, key, size, found);
	return found;
}

static int by_line(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return (a > b) - (a < b);
}

static struct origin origin_of(struct alike *alike)
{
	size_t count = 0;

	qsort(alike->line, alike->lines, sizeof(*alike->line), by_line);
	for (size_t i = 0; i < alike->lines; i++)
		if (i == 0 || alike->line[i] != alike->line[i - 1])
			alike->line[count++] = alike->line[i];
	alike->lines = count;
	return (struct origin){.line = alike->line, .count = count};
}

/* In the order in which each was first made. */
static struct alikes alikes_of(struct arena *arena,
			       const struct change_log *log)
{
	struct alikes all = {
		.item = arena_array(arena, log->count, sizeof(*all.item))};

	for (size_t i = 0; i < log->count; i++)
		alike_for(arena, &all, &log->item[i])->room +=
			log->item[i].what.count;
	for (size_t i = 0; i < log->count; i++) {
		const struct origin what = log->item[i].what;
		struct alike *alike = alike_for(arena, &all, &log->item[i]);

		if (!alike->line)
			alike->line = arena_array(arena, alike->room,
						  sizeof(*alike->line));
		for (size_t l = 0; l < what.count; l++)
			alike->line[alike->lines++] = what.line[l];
	}
	HASH_CLEAR(hh, all.table);
	return all;
}

/* Of io_uring there are no names. */
static void put_taken(const struct html *h, const struct change *c)
{
	bool any = false;

	if (syscall_mask_empty(&c->taken) || !c->taken_abis)
		return;
	html_put(h, "<div class=\"taken\">");
	for (int abi = 0; abi < ABI_COUNT; abi++) {
		if (!(c->taken_abis & 1 << abi))
			continue;
		html_put(h, any ? "<br>" : "");
		html_calls(h, (enum abi)abi, &c->taken);
		any = true;
	}
	html_put(h, "</div>");
}

static int by_position(const void *left, const void *right)
{
	size_t a = *(const size_t *)left, b = *(const size_t *)right;

	return (a > b) - (a < b);
}

/* The rules of the result that stand for lines of WHAT. */
static void put_results(const struct html *h, struct origin what)
{
	size_t room = 0, count = 0, kept = 0, *rule;

	for (size_t i = 0; i < what.count; i++)
		room += h->stands[what.line[i]].count;
	if (!room)
		return;
	rule = arena_array(h->arena, room, sizeof(*rule));
	for (size_t i = 0; i < what.count; i++)
		for (size_t j = 0; j < h->stands[what.line[i]].count; j++)
			rule[count++] = h->stands[what.line[i]].rule[j];
	qsort(rule, count, sizeof(*rule), by_position);
	for (size_t i = 0; i < count; i++)
		if (i == 0 || rule[i] != rule[i - 1])
			rule[kept++] = rule[i];
	html_put(h, " <span class=\"id\">now</span> ");
	html_result_lines(h, rule, kept);
	html_put(h, " <span class=\"id\">of the result</span>");
}

/* The rules of the result that stand for no line of the input. */
static void put_added(const struct html *h)
{
	const struct ruleset *after = h->report->after;
	size_t *rule = arena_array(h->arena, after->count, sizeof(*rule));
	size_t count = 0;

	for (size_t i = 0; i < after->count; i++)
		if (!after->rule[i]->origin.count)
			rule[count++] = i;
	if (!count)
		return;
	html_put(h, "<li><div class=\"where\">Rules that were added: ");
	html_result_lines(h, rule, count);
	html_put(h, " <span class=\"id\">of the result</span></div></li>\n");
}

static void put_alike(const struct html *h, struct alike *alike)
{
	const struct change *c = alike->first;
	const struct origin what = origin_of(alike);

	html_put(h, "<li>");
	if (what.count) {
		html_put(h, "<div class=\"where\">");
		html_lines(h, what);
		put_results(h, what);
		html_put(h, "</div>");
	}
	html_put(h, "<div>");
	html_text(h, c->text);
	if (c->because.count) {
		html_put(h, " (because of ");
		html_lines(h, c->because);
		html_put(h, ")");
	}
	html_put(h, "</div>");
	put_taken(h, c);
	html_put(h, "</li>\n");
}

static const char *purpose_of(const char *name)
{
	const struct pass *pass;

	for (unsigned int i = 0; (pass = pipeline_pass(i)) != NULL; i++)
		if (strcmp(pass->name, name) == 0)
			return pass->purpose;
	return "";
}

static void put_totals(const struct html *h)
{
	html_table(h, "totals", "What each pass changed, in figures");
	html_put(h, "<thead><tr><th scope=\"col\">pass</th>"
		    "<th scope=\"col\">changes</th>"
		    "<th scope=\"col\">rules dropped</th>"
		    "<th scope=\"col\">rules added</th>"
		    "<th scope=\"col\">calls dropped</th>"
		    "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < h->figures->passes; i++) {
		const struct pass_totals *pass = &h->figures->pass[i];
		const size_t figure[] = {pass->changes, pass->rules_dropped,
					 pass->rules_added,
					 pass->calls_dropped};

		html_put(h,
			 "<tr><th scope=\"row\"><a href=\"#pass-%s\">%s</a>"
			 "</th>",
			 pass->name, pass->name);
		for (size_t j = 0; j < sizeof(figure) / sizeof(*figure); j++) {
			html_put(h, "<td>");
			html_number(h, (double)figure[j], 0);
			html_put(h, "</td>");
		}
		html_put(h, "</tr>\n");
	}
	html_end_table(h);
}

static void put_pass(const struct html *h, const struct pass_totals *pass,
		     const struct alikes *all)
{
	html_put(h,
		 "<details class=\"pass\" id=\"pass-%s\">\n<summary><span "
		 "class=\"name\">%s</span> <span class=\"purpose\">",
		 pass->name, pass->name);
	html_text(h, purpose_of(pass->name));
	html_put(h, "</span></summary>\n<ul class=\"changes\">\n");
	for (size_t i = 0; i < all->count; i++)
		if (strcmp(all->item[i].first->pass, pass->name) == 0)
			put_alike(h, &all->item[i]);
	if (pass->rules_added)
		put_added(h);
	html_put(h, "</ul>\n</details>\n");
}

void html_passes(const struct html *h)
{
	struct alikes all;

	if (!h->figures->passes) {
		html_put(h, "<p>No pass found anything to change.</p>\n");
		return;
	}
	all = alikes_of(h->arena, h->report->log);
	put_totals(h);
	for (size_t i = 0; i < h->figures->passes; i++)
		put_pass(h, &h->figures->pass[i], &all);
}

void html_idle(const struct html *h)
{
	struct idle_rules all = report_idle_rules(h->arena, h->report);

	if (!all.count) {
		html_put(h, "<p>None was found.</p>\n");
		return;
	}
	html_put(h, "<p>Rules of the input that earlier rules leave nothing, "
		    "and rules that no call can satisfy.</p>\n"
		    "<ul class=\"changes\">\n");
	for (size_t i = 0; i < all.count; i++) {
		const struct idle_rule *idle = &all.item[i];

		html_put(h, "<li><div class=\"where\">");
		html_lines(h, idle->change->what);
		html_put(h, "</div><div>");
		html_text(h, idle->reason);
		if (idle->change->because.count) {
			html_put(h, " (");
			html_lines(h, idle->change->because);
			html_put(h, ")");
		}
		if (idle->key_lost) {
			html_put(h, "; its key <code>");
			html_text(h, idle->key);
			html_put(h, "</code> is never used");
		}
		html_put(h, "</div></li>\n");
	}
	html_put(h, "</ul>\n");
}
