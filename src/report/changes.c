/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/changes.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "optimize/pass.h"

/* Where the rules of the input stand; NOWHERE for other lines. */
#define NOWHERE SIZE_MAX

struct places {
	size_t *of_line;
	uint32_t lines;
};

static struct places places_of(struct arena *arena, const struct ruleset *set)
{
	struct places places = {NULL, 0};

	for (size_t i = 0; i < set->count; i++) {
		const struct origin *origin = &set->rule[i]->origin;

		for (size_t l = 0; l < origin->count; l++)
			if (origin->line[l] >= places.lines)
				places.lines = origin->line[l] + 1;
	}
	places.of_line =
		arena_array(arena, places.lines, sizeof(*places.of_line));
	for (uint32_t l = 0; l < places.lines; l++)
		places.of_line[l] = NOWHERE;
	for (size_t i = set->count; i-- > 0;) {
		const struct origin *origin = &set->rule[i]->origin;

		for (size_t l = 0; l < origin->count; l++)
			places.of_line[origin->line[l]] = i;
	}
	return places;
}

static size_t place_of(const struct places *places, uint32_t line)
{
	return line < places->lines ? places->of_line[line] : NOWHERE;
}

/* The first and the last place of ORIGIN's rules. */
static size_t first_place(const struct places *places, struct origin origin)
{
	size_t first = NOWHERE;

	for (size_t i = 0; i < origin.count; i++) {
		size_t place = place_of(places, origin.line[i]);

		if (place < first)
			first = place;
	}
	return first;
}

static size_t last_place(const struct places *places, struct origin origin)
{
	size_t last = 0;

	for (size_t i = 0; i < origin.count; i++) {
		size_t place = place_of(places, origin.line[i]);

		if (place > last)
			last = place;
	}
	return last;
}

struct rule_counts report_rule_counts(struct arena *arena,
				      const struct ruleset *before,
				      const struct ruleset *after)
{
	struct places places = places_of(arena, after);
	struct rule_counts counts = {.before = before->count,
				     .after = after->count};
	size_t left;

	for (size_t i = 0; i < before->count; i++)
		counts.dropped +=
			first_place(&places, before->rule[i]->origin) ==
			NOWHERE;
	for (size_t i = 0; i < after->count; i++)
		counts.added += after->rule[i]->origin.count == 0;
	left = counts.before - counts.dropped + counts.added;
	/* Two that stand for the line of one; or one that stands in two. */
	if (left > counts.after)
		counts.merged = left - counts.after;
	else
		counts.added += counts.after - left;
	return counts;
}

const char *report_rule_counts_text(struct arena *arena,
				    const struct rule_counts *counts)
{
	const char *text = arena_printf(arena, "%zu before", counts->before);

	if (counts->dropped)
		text = arena_printf(arena, "%s, %zu dropped", text,
				    counts->dropped);
	if (counts->merged)
		text = arena_printf(arena, "%s, %zu merged into others", text,
				    counts->merged);
	if (counts->added)
		text = arena_printf(arena, "%s, %zu added", text,
				    counts->added);
	return arena_printf(arena, "%s, %zu after", text, counts->after);
}

struct left_counts report_left_counts(const struct left_out *left, size_t lefts)
{
	struct left_counts counts = {0, 0};

	for (size_t i = 0; i < lefts; i++) {
		if (!left[i].text) {
			counts.lines++;
			continue;
		}
		counts.calls++;
		for (const char *c = left[i].text; *c; c++)
			counts.calls += *c == ',';
	}
	return counts;
}

static const char *counted(struct arena *arena, size_t count, const char *what)
{
	return arena_printf(arena, "%zu %s%s", count, what,
			    count == 1 ? "" : "s");
}

const char *report_left_text(struct arena *arena, const struct left_out *left,
			     size_t lefts)
{
	struct left_counts counts = report_left_counts(left, lefts);

	if (!lefts)
		return NULL;
	return arena_printf(
		arena, "%s%s%s left out because of errors",
		counts.lines ? counted(arena, counts.lines, "line") : "",
		counts.lines && counts.calls ? " and " : "",
		counts.calls ? counted(arena, counts.calls, "call") : "");
}

/* By line of the input, below LINES: the change that dropped what had become
 * of its rule, the last one of all; NULL: none did. */
static const struct change **
drops_of(struct arena *arena, const struct change_log *log, uint32_t lines)
{
	const struct change **drop =
		arena_array(arena, lines, sizeof(const struct change *));

	for (size_t i = 0; i < log->count; i++) {
		const struct change *c = &log->item[i];

		for (size_t l = 0; c->rules_dropped && l < c->what.count; l++)
			if (c->what.line[l] < lines)
				drop[c->what.line[l]] = c;
	}
	return drop;
}

static const char *reason_of(const struct change *change)
{
	static const char dropped[] = "dropped: ";

	return strncmp(change->text, dropped, strlen(dropped)) == 0
		       ? change->text + strlen(dropped)
		       : change->text;
}

static struct dropped_rule dropped_rule_of(const struct rule *rule,
					   const struct change *change)
{
	struct dropped_rule dropped = {.what = rule->origin,
				       .why = "it does nothing"};

	if (!change)
		return dropped;
	dropped.because = change->because;
	if (strcmp(change->pass, pass_shadowed.name) == 0)
		dropped.why = change->because.count
				      ? "shadowed by"
				      : "shadowed by earlier rules";
	else
		dropped.why = reason_of(change);
	return dropped;
}

struct dropped_rules report_dropped(struct arena *arena,
				    const struct ruleset *before,
				    const struct ruleset *after,
				    const struct change_log *log)
{
	struct places places = places_of(arena, after);
	uint32_t lines = places_of(arena, before).lines;
	const struct change **drop = drops_of(arena, log, lines);
	struct dropped_rules all = {NULL, 0};

	all.item = arena_array(arena, before->count, sizeof(*all.item));
	for (size_t i = 0; i < before->count; i++) {
		const struct rule *rule = before->rule[i];

		if (!rule->origin.count ||
		    first_place(&places, rule->origin) != NOWHERE)
			continue;
		all.item[all.count++] =
			dropped_rule_of(rule, drop[rule->origin.line[0]]);
	}
	return all;
}

struct known_key {
	const char *key;
	UT_hash_handle hh;
};

/* The keys of SET, of several that a rule has each. */
static struct known_key *keys_of(struct arena *arena, const struct ruleset *set)
{
	struct known_key *keys = NULL, *known;

	for (size_t i = 0; i < set->count; i++) {
		const char *key = set->rule[i]->key;

		while (key && *key) {
			size_t length = strcspn(key, "\001");

			HASH_FIND(hh, keys, key, length, known);
			if (!known) {
				known = arena_alloc(arena, sizeof(*known));
				known->key = key;
				HASH_ADD_KEYPTR(hh, keys, known->key, length,
						known);
			}
			key += length + (key[length] != '\0');
		}
	}
	return keys;
}

static bool is_lost(struct known_key *keys, const char *key)
{
	while (*key) {
		size_t length = strcspn(key, "\001");
		struct known_key *known;

		HASH_FIND(hh, keys, key, length, known);
		if (known)
			return false;
		key += length + (key[length] != '\0');
	}
	return true;
}

/* "a, b" for two keys. */
static const char *joined_keys(struct arena *arena, const char *key)
{
	char *text = arena_alloc(arena, 2 * strlen(key) + 1), *to = text;

	for (; *key; key++) {
		if (*key == '\001')
			*to++ = ',';
		*to++ = *key == '\001' ? ' ' : *key;
	}
	*to = '\0';
	return text;
}

static bool is_of(const struct change *change, const struct pass *pass)
{
	return strcmp(change->pass, pass->name) == 0;
}

/* Up to this many rules are blamed, in some order: there may be more. */
#define BLAMED_AT_MOST 8

/* Was it so from the beginning? As long as nothing was united, rules are what
 * they were. Later the rules that decide may be partly from behind. */
static bool always_so(const struct places *places, const struct change *change,
		      bool united)
{
	if (!united)
		return true;
	return change->because.count < BLAMED_AT_MOST &&
	       (change->because.count == 0 ||
		last_place(places, change->because) <
			first_place(places, change->what));
}

static bool is_idle(const struct places *places, const struct change *change,
		    bool united)
{
	return change->rules_dropped > 0 &&
	       (is_of(change, &pass_shadowed) ||
		is_of(change, &pass_unsatisfiable)) &&
	       always_so(places, change, united);
}

static struct idle_rule idle_rule_of(struct arena *arena,
				     const struct report *report,
				     const struct places *places,
				     struct known_key *keys,
				     const struct change *change)
{
	static const char dropped[] = "dropped: ";
	struct idle_rule idle = {.change = change, .reason = change->text};
	size_t place = first_place(places, change->what);
	const char *key =
		place == NOWHERE ? NULL : report->before->rule[place]->key;

	if (strncmp(idle.reason, dropped, strlen(dropped)) == 0)
		idle.reason += strlen(dropped);
	if (key) {
		idle.key = joined_keys(arena, key);
		idle.key_lost = is_lost(keys, key);
	}
	return idle;
}

struct idle_rules report_idle_rules(struct arena *arena,
				    const struct report *report)
{
	struct idle_rules all = {NULL, 0};
	struct places places;
	struct known_key *keys;
	bool united = false;

	if (!report->log || !report->after)
		return all;
	places = places_of(arena, report->before);
	keys = keys_of(arena, report->after);
	all.item = arena_array(arena, report->log->count, sizeof(*all.item));
	for (size_t i = 0; i < report->log->count; i++) {
		const struct change *change = &report->log->item[i];

		if (is_idle(&places, change, united))
			all.item[all.count++] = idle_rule_of(
				arena, report, &places, keys, change);
		united = united || (!is_of(change, &pass_duplicates) &&
				    !is_of(change, &pass_shadowed) &&
				    !is_of(change, &pass_unsatisfiable));
	}
	HASH_CLEAR(hh, keys);
	return all;
}

/* What two changes must have in common. No padding: compared as bytes. */
struct likeness {
	uint64_t run;		/* changes of one pass behind each other */
	uint64_t text, because; /* folded */
};

struct known_group {
	struct likeness likeness;
	struct change_group *group;
	size_t lines;	/* of all its changes */
	uint32_t *line; /* those that have been written */
	size_t written;
	UT_hash_handle hh;
};

static uint64_t fold_origin(struct origin origin)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325) + origin.count;

	for (size_t i = 0; i < origin.count; i++)
		hash = (hash ^ origin.line[i]) * UINT64_C(0x100000001b3);
	return hash;
}

static uint64_t fold_text(const char *text)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return hash;
}

static bool alike(const struct change *a, const struct change *b)
{
	return a->because.count == b->because.count &&
	       (a->because.count == 0 ||
		memcmp(a->because.line, b->because.line,
		       a->because.count * sizeof(*a->because.line)) == 0) &&
	       strcmp(a->text, b->text) == 0;
}

static struct known_group *group_for(struct arena *arena,
				     struct change_groups *all,
				     struct known_group **table,
				     const struct change *change, size_t run)
{
	struct known_group *known = NULL;
	struct likeness likeness = {run, fold_text(change->text),
				    fold_origin(change->because)};
	bool alone = change->calls_dropped > 0 || change->rules_added > 0;

	if (!alone)
		HASH_FIND(hh, *table, &likeness, sizeof(likeness), known);
	if (known && alike(known->group->first, change))
		return known;
	alone = alone || known;
	known = arena_alloc(arena, sizeof(*known));
	known->likeness = likeness;
	known->group = &all->item[all->count++];
	known->group->first = change;
	if (!alone)
		HASH_ADD(hh, *table, likeness, sizeof(likeness), known);
	return known;
}

static int by_line(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return (a > b) - (a < b);
}

static void finish_group(struct known_group *known)
{
	size_t count = 0;

	qsort(known->line, known->written, sizeof(*known->line), by_line);
	for (size_t i = 0; i < known->written; i++)
		if (i == 0 || known->line[i] != known->line[i - 1])
			known->line[count++] = known->line[i];
	known->group->what =
		(struct origin){.line = known->line, .count = count};
}

struct change_groups report_change_groups(struct arena *arena,
					  const struct change_log *log)
{
	struct change_groups all = {
		arena_array(arena, log->count, sizeof(*all.item)), 0};
	struct known_group **of =
		arena_array(arena, log->count, sizeof(struct known_group *));
	struct known_group *table = NULL;
	size_t run = 0;

	for (size_t i = 0; i < log->count; i++) {
		if (i > 0 &&
		    strcmp(log->item[i].pass, log->item[i - 1].pass) != 0)
			run++;
		of[i] = group_for(arena, &all, &table, &log->item[i], run);
		of[i]->lines += log->item[i].what.count;
	}
	for (size_t i = 0; i < log->count; i++) {
		struct origin what = log->item[i].what;

		if (!of[i]->line)
			of[i]->line = arena_array(arena, of[i]->lines,
						  sizeof(*of[i]->line));
		for (size_t l = 0; l < what.count; l++)
			of[i]->line[of[i]->written++] = what.line[l];
		if (of[i]->written == of[i]->lines)
			finish_group(of[i]);
	}
	HASH_CLEAR(hh, table);
	return all;
}
