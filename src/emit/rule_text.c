/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One rule as the words that make auditctl send exactly it, whatever its version
 * if it takes them. What auditctl does with each word is in setopt() and
 * audit_rule_fieldpair_data(); the comments below say which trap of theirs a
 * line steps around.
 */
#include "emit/rule_text.h"

#include <libaudit.h>
#include <stdlib.h>
#include <string.h>
#include <utstring.h>

#include "emit/calls_text.h"
#include "emit/emit.h"
#include "emit/writer.h"
#include "frontend/source.h"

/* -k wants a watch, calls or one of a few fields before it (setopt). */
static bool key_is_taken(const struct rule *rule)
{
	if (rule->filter == AUDIT_FILTER_EXIT ||
	    rule->filter == AUDIT_FILTER_URING_EXIT)
		return true;
	for (unsigned int i = 0; i < rule->tests; i++) {
		enum field_kind kind = rule->test[i].field->kind;

		if (kind == FIELD_PERM || kind == FIELD_EXE ||
		    kind == FIELD_FSTYPE)
			return true;
	}
	return false;
}

/* One -k a part; an empty part can only stand behind another one, where
 * `-F key=` makes it. In front it needs the separator itself in the word, which
 * auditctl refuses since 4.2.0 (process_key_option), as it would the line that
 * the rule came of. */
static bool put_key(struct writer *w, struct arena *arena)
{
	const char *key = w->rule->key;
	const char *part = key;

	if (!key)
		return true;
	if (!key_is_taken(w->rule))
		return false;
	utstring_clear(w->pair);
	utstring_printf(w->pair, "key=%s", key);
	if (!pair_reads_back(utstring_body(w->pair), 3, "="))
		return false;
	if (*key == AUDIT_KEY_SEPARATOR)
		return put_option(w->out, "-k", key);
	for (;;) {
		size_t length = strcspn(part, "\001");

		if (length == 0 && part == key)
			return false;
		if (length == 0)
			put_option(w->out, "-F", "key=");
		else if (!put_option(w->out, "-k",
				     arena_strndup(arena, part, length)))
			return false;
		if (part[length] != AUDIT_KEY_SEPARATOR)
			return true;
		part += length + 1;
	}
}

/* The tests in the order in which they are written. */
struct order {
	const struct field_test **test;
	unsigned int count;
	unsigned int head; /* how many stand before -S */
	bool short_perm;   /* perm is written as -p */
};

static bool may_write_field_perm(const struct rule *rule)
{
	return rule->filter == AUDIT_FILTER_EXIT ||
	       rule->filter == AUDIT_FILTER_EXCLUDE;
}

static void order_copy(struct order *order, const struct rule *rule, int perms)
{
	for (unsigned int i = 0; i < rule->tests; i++) {
		bool perm = rule->test[i].field->kind == FIELD_PERM;

		if (perms < 0 || perm == (perms == 1))
			order->test[order->count++] = &rule->test[i];
	}
}

/* arch and `-F perm` must stand before -S. arch is refused behind it. `-F perm`
 * adds the permission's calls since 3.1.3 (audit_add_perm_syscalls) as soon as
 * an architecture is known, and both arch and -S make one known. -p never
 * does, but it sets every perm of the rule and needs a test before it
 * (audit_update_watch_perms). So a single perm behind another test is -p, and
 * all others are `-F perm` before any arch. Moving them there changes nothing
 * but the order of evaluation; on exclude, where that counts, they stay: no
 * mask is looked at there. */
static bool order_tests(struct arena *arena, const struct rule *rule,
			struct order *order)
{
	unsigned int perms = 0, first_perm = 0;
	bool arch = false, arch_before_perm = false;

	for (unsigned int i = 0; i < rule->tests; i++) {
		enum field_kind kind = rule->test[i].field->kind;

		if (kind == FIELD_PERM) {
			if (perms++ == 0)
				first_perm = i;
			arch_before_perm |= arch;
		}
		arch |= kind == FIELD_ARCH;
	}
	order->test = arena_array(arena, rule->tests, sizeof(*order->test));
	order->count = 0;
	order->short_perm = perms == 1 && first_perm > 0;
	if (perms == 0 || order->short_perm) {
		order_copy(order, rule, -1);
	} else if (may_write_field_perm(rule) &&
		   (!arch_before_perm ||
		    rule->filter == AUDIT_FILTER_EXCLUDE)) {
		order_copy(order, rule, -1);
	} else if (may_write_field_perm(rule)) {
		order_copy(order, rule, 1);
		order_copy(order, rule, 0);
	} else {
		/* Other lists take perm through -p alone. */
		order->short_perm = true;
		order_copy(order, rule, 0);
		order_copy(order, rule, 1);
		if (perms > 1 || rule->tests == 1)
			return false;
	}
	order->head = 0;
	for (unsigned int i = 0; i < order->count; i++) {
		enum field_kind kind = order->test[i]->field->kind;

		if (kind == FIELD_ARCH ||
		    (kind == FIELD_PERM && !order->short_perm))
			order->head = i + 1;
	}
	return true;
}

static bool put_tests(struct writer *w, const struct order *order,
		      unsigned int from, unsigned int to)
{
	for (unsigned int i = from; i < to; i++) {
		const struct field_test *test = order->test[i];
		bool perm = test->field->kind == FIELD_PERM;

		if (perm ? !put_perm(w, order->short_perm ? "-p" : "-F", test)
			 : !put_test(w, test))
			return false;
	}
	return true;
}

static bool mask_is_all(const struct rule *rule)
{
	struct syscall_mask all = syscall_mask_all();

	return syscall_mask_subset(&all, &rule->mask);
}

static void add_line(struct arena *arena, struct rule_lines *lines,
		     const char *line)
{
	char **grown = arena_array(arena, lines->count + 1, sizeof(*grown));

	if (lines->count)
		memcpy(grown, lines->line, lines->count * sizeof(*grown));
	grown[lines->count++] = rule_text_pad(arena, line);
	lines->line = grown;
}

/* HEAD, then the calls, then TAIL, as many lines as the calls need. */
static void put_lines_of_calls(struct arena *arena, const struct writer *w,
			       const char *head, const char *tail,
			       struct rule_lines *lines)
{
	size_t fixed = strlen(head) + strlen(tail);
	size_t room = fixed < EMIT_LINE_MAX ? EMIT_LINE_MAX - fixed - 1 : 0;
	size_t count;
	struct calls_text how =
		calls_text_of(w->target, w->rule, w->native_only);
	char **list =
		calls_text_lists(arena, w->target, w->rule, &how, room, &count);

	for (size_t i = 0; i < count; i++)
		add_line(arena, lines,
			 arena_printf(arena, "%s%s%s", head, list[i], tail));
}

/* How the calls are written. */
enum calls_form { CALLS_NONE, CALLS_ALL, CALLS_LIST };

/* -S is refused outside exit and io_uring, where no mask is looked at. `-S all`
 * is written although it is the default: -k wants something before it, and
 * `-F perm` behind arch in the same line would leave less than all. On io_uring
 * `-S all` means only what the library has names for, and no -S means all. */
static enum calls_form calls_form(const struct rule *rule)
{
	if (rule->filter == AUDIT_FILTER_EXIT)
		return mask_is_all(rule) ? CALLS_ALL : CALLS_LIST;
	if (rule->filter != AUDIT_FILTER_URING_EXIT)
		return CALLS_NONE;
	if (!mask_is_all(rule))
		return CALLS_LIST;
	for (unsigned int i = 0; i < rule->tests; i++) {
		if (rule->test[i].field->kind == FIELD_EXE)
			return CALLS_NONE;
	}
	return rule->key ? CALLS_LIST : CALLS_NONE;
}

static bool put_filter(struct writer *w)
{
	const char *filter = rule_list_name(w->rule->filter);

	if (!filter ||
	    (w->rule->action != AUDIT_ALWAYS && w->rule->action != AUDIT_NEVER))
		return false;
	utstring_printf(w->out, " -a %s,%s",
			w->rule->action == AUDIT_ALWAYS ? "always" : "never",
			filter);
	return true;
}

static char *take_text(struct arena *arena, UT_string *out)
{
	char *text =
		arena_strndup(arena, utstring_body(out), utstring_len(out));

	utstring_clear(out);
	return text;
}

/* -a list,action with its words. */
static bool syscall_form(struct arena *arena, struct writer *w,
			 struct rule_lines *lines)
{
	enum calls_form form = calls_form(w->rule);
	struct order order;
	char *head;

	if (!put_filter(w) || !order_tests(arena, w->rule, &order) ||
	    !put_tests(w, &order, 0, order.head))
		return false;
	if (form == CALLS_ALL)
		put_option(w->out, "-S", "all");
	head = take_text(arena, w->out) +
	       1; /* no space before the first word */
	if (!put_tests(w, &order, order.head, order.count) ||
	    !put_key(w, arena))
		return false;
	if (form == CALLS_LIST && w->rule->filter == AUDIT_FILTER_URING_EXIT &&
	    syscall_mask_empty(&w->rule->mask))
		return false;
	if (form == CALLS_LIST) {
		put_lines_of_calls(arena, w, head, utstring_body(w->out),
				   lines);
		return true;
	}
	add_line(arena, lines,
		 arena_printf(arena, "%s%s", head, utstring_body(w->out)));
	return true;
}

/* Can RULE be what `-w` makes of its first two tests
 * (audit_setup_watch_name)? */
static bool has_watch_form(const struct rule *rule)
{
	const char *path;
	size_t length;

	if (!rule->watch_form || rule->filter != AUDIT_FILTER_EXIT ||
	    rule->action != AUDIT_ALWAYS || !mask_is_all(rule) ||
	    rule->tests < 2 || rule->test[0].op != OP_EQ ||
	    (rule->test[0].field->kind != FIELD_PATH &&
	     rule->test[0].field->kind != FIELD_DIR) ||
	    rule->test[1].field->kind != FIELD_PERM)
		return false;
	for (unsigned int i = 2; i < rule->tests; i++) {
		if (rule->test[i].field->kind == FIELD_ARCH)
			return false;
	}
	path = rule->test[0].string;
	length = strlen(path);
	return path[0] == '/' && !(length > 2 && path[length - 1] == '/');
}

/* auditctl drops a slash at the end. It says to whoever reads the text without
 * the file system that a directory was meant, as it did in the source. */
static const char *watch_path(struct arena *arena, const struct rule *rule)
{
	const char *path = rule->test[0].string;
	size_t length = strlen(path);

	if (!rule->unsettled || rule->test[0].field->kind != FIELD_DIR ||
	    length < 2 || path[length - 1] == '/')
		return path;
	return arena_printf(arena, "%s/", path);
}

static bool watch_form(struct arena *arena, struct writer *w,
		       struct rule_lines *lines)
{
	const struct rule *rule = w->rule;

	if (!put_option(w->out, "-w", watch_path(arena, rule)) ||
	    !put_perm(w, "-p", &rule->test[1]))
		return false;
	for (unsigned int i = 2; i < rule->tests; i++) {
		bool perm = rule->test[i].field->kind == FIELD_PERM;

		if (perm ? !put_perm(w, "-F", &rule->test[i])
			 : !put_test(w, &rule->test[i]))
			return false;
	}
	if (!put_key(w, arena))
		return false;
	add_line(arena, lines, utstring_body(w->out) + 1);
	return true;
}

/* fgets in auditctl cuts what is longer. */
static bool lines_fit(const struct rule_lines *lines)
{
	for (size_t i = 0; i < lines->count; i++) {
		if (strlen(lines->line[i]) >= SOURCE_LINE_MAX)
			return false;
	}
	return true;
}

bool rule_text(struct arena *arena, const struct target *target,
	       const struct rule *rule, bool native_only,
	       struct rule_lines *lines)
{
	struct writer w = {
		.target = target, .rule = rule, .native_only = native_only};
	bool watch = has_watch_form(rule);
	bool good;

	lines->line = NULL;
	lines->count = 0;
	/* What an unsettled watch is, -w alone finds out, when it is loaded. */
	if (rule->unsettled && !watch)
		return false;
	utstring_new(w.out);
	utstring_new(w.pair);
	good = watch ? watch_form(arena, &w, lines)
		     : syscall_form(arena, &w, lines);
	utstring_free(w.out);
	utstring_free(w.pair);
	return good && lines_fit(lines);
}

size_t rule_text_words_kept(size_t length)
{
	return length / 3 + 2;
}

char *rule_text_pad(struct arena *arena, const char *line)
{
	size_t length = strlen(line);
	size_t words = 1; /* "auditctl" */
	size_t padded;
	char *text;

	/* Escaped spaces are counted too: with their backslash and what follows
	 * they are three bytes, so that they never need padding. */
	for (const char *c = line; *c; c++) {
		if (*c != ' ' && (c == line || c[-1] == ' '))
			words++;
	}
	for (padded = length; rule_text_words_kept(padded) < words; padded++)
		;
	text = arena_strndup(arena, line, length);
	if (padded == length)
		return text;
	return arena_printf(arena, "%-*s", (int)padded, line);
}
