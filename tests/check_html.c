/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The page of the report is well-formed, leads nowhere that is not there, and
 * shows what stands in rules as text; and the table for spreadsheets.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "emit/emit.h"
#include "frontend/command.h"
#include "lib/build.h"
#include "lib/random_rules.h"
#include "lib/suite.h"
#include "optimize/pipeline.h"
#include "report/report.h"
#include "report/walk.h"

TEST_ARENA;

#define DEPTH_AT_MOST 64
#define IDS_AT_MOST 20000

/* A page while it is looked at. */
struct page {
	const char *at;
	char open[DEPTH_AT_MOST][16];
	int depth;
	int heading; /* level of the last one */
	const char *id[IDS_AT_MOST];
	size_t ids;
	const char *link[IDS_AT_MOST];
	size_t links;
};

static bool is_void(const char *name)
{
	static const char *const all[] = {"meta", "link", "br", "input", NULL};

	for (int i = 0; all[i]; i++)
		if (strcmp(all[i], name) == 0)
			return true;
	return false;
}

/* The value of attribute NAME in TAG, or NULL; lives in the arena. */
static const char *attribute(const char *tag, const char *name)
{
	char *start = strstr(tag, arena_printf(arena, " %s=\"", name));

	if (!start)
		return NULL;
	start = strchr(start, '"') + 1;
	return arena_strndup(arena, start, strcspn(start, "\""));
}

/* The text of a tag without its brackets; a > may stand in no value of ours. */
static const char *take_tag(struct page *p)
{
	size_t length = strcspn(p->at, "<>");
	const char *tag = arena_strndup(arena, p->at, length);

	ck_assert_msg(p->at[length] == '>', "no end: <%.40s", p->at);
	for (const char *c = strchr(tag, '='); c; c = strchr(c, '=')) {
		ck_assert_msg(c[1] == '"', "unquoted: <%s>", tag);
		c = strchr(c + 2, '"');
		ck_assert_msg(c != NULL, "no end of a value: <%s>", tag);
	}
	p->at += length + 1;
	return tag;
}

static void close_tag(struct page *p, const char *name)
{
	ck_assert_msg(p->depth > 0, "</%s> and nothing is open", name);
	p->depth--;
	ck_assert_msg(strcmp(p->open[p->depth], name) == 0,
		      "</%s> where <%s> is open, before %.80s", name,
		      p->open[p->depth], p->at);
}

/* What a person who does not see the page needs. */
static void accessible(struct page *p, const char *name, const char *tag)
{
	if (strcmp(name, "svg") == 0)
		ck_assert_msg(attribute(tag, "aria-hidden") ||
				      (attribute(tag, "role") &&
				       attribute(tag, "aria-label")),
			      "<%s>", tag);
	if (strcmp(name, "th") == 0)
		ck_assert_msg(attribute(tag, "scope") != NULL, "<%s>", tag);
	if (name[0] == 'h' && isdigit((unsigned char)name[1]) && !name[2]) {
		ck_assert_msg(name[1] - '0' <= p->heading + 1, "<%s> after h%d",
			      tag, p->heading);
		p->heading = name[1] - '0';
	}
	if (strcmp(name, "html") == 0)
		ck_assert_str_eq(attribute(tag, "lang"), "en");
}

static void open_tag(struct page *p, const char *tag)
{
	size_t length = strcspn(tag, " /");
	const char *name = arena_strndup(arena, tag, length);
	const char *id = attribute(tag, "id");
	const char *link = attribute(tag, "href");

	ck_assert_uint_lt(length, sizeof(p->open[0]));
	accessible(p, name, tag);
	if (id) {
		ck_assert_uint_lt(p->ids, IDS_AT_MOST);
		p->id[p->ids++] = id;
	}
	if (link && *link == '#') {
		ck_assert_uint_lt(p->links, IDS_AT_MOST);
		p->link[p->links++] = link + 1;
	} else if (link) {
		ck_assert_str_eq(link, "data:,");
	}
	ck_assert_msg(!attribute(tag, "src"), "<%s>", tag);
	if (is_void(name) || tag[strlen(tag) - 1] == '/')
		return;
	ck_assert_int_lt(p->depth, DEPTH_AT_MOST);
	strcpy(p->open[p->depth++], name);
	if (strcmp(name, "style") == 0 || strcmp(name, "script") == 0)
		p->at = strstr(p->at, arena_printf(arena, "</%s>", name));
}

static int by_text(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static void links_lead_somewhere(struct page *p)
{
	qsort(p->id, p->ids, sizeof(*p->id), by_text);
	for (size_t i = 1; i < p->ids; i++)
		ck_assert_msg(strcmp(p->id[i - 1], p->id[i]) != 0, "twice: %s",
			      p->id[i]);
	for (size_t i = 0; i < p->links; i++)
		ck_assert_msg(bsearch(&p->link[i], p->id, p->ids,
				      sizeof(*p->id), by_text) != NULL,
			      "no #%s", p->link[i]);
}

static void well_formed(const char *text)
{
	struct page *p = arena_alloc(arena, sizeof(*p));
	static const char doctype[] = "<!DOCTYPE html>\n";

	ck_assert_int_eq(strncmp(text, doctype, strlen(doctype)), 0);
	p->at = text + strlen(doctype);
	while (*(p->at += strcspn(p->at, "<>&"))) {
		if (*p->at == '&') {
			size_t end = strcspn(p->at, ";<> ");

			ck_assert_msg(p->at[end] == ';', "%.20s", p->at);
			p->at++;
			continue;
		}
		ck_assert_msg(*p->at == '<', "a > alone: %.20s", p->at);
		p->at++;
		if (*p->at == '/') {
			const char *name = take_tag(p) + 1;

			close_tag(p, name);
			continue;
		}
		open_tag(p, take_tag(p));
	}
	ck_assert_int_eq(p->depth, 0);
	links_lead_somewhere(p);
	for (const char *c = text; *c; c++)
		ck_assert_msg((unsigned char)*c >= ' ' || *c == '\n' ||
				      *c == '\t',
			      "byte %d", *c);
}

static char *written(const struct report *report, enum report_format format)
{
	char *text = NULL, *copy;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	ck_assert(report_write(arena, report, format, false, stream));
	fclose(stream);
	ck_assert_uint_eq(strlen(text), size);
	copy = arena_strdup(arena, text);
	free(text);
	return copy;
}

/* A page is looked at each time, and is the same the second time. */
static const char *page_of(const struct report *report)
{
	const char *text = written(report, REPORT_HTML);

	well_formed(text);
	ck_assert_str_eq(text, written(report, REPORT_HTML));
	return text;
}

static void has(const char *text, const char *part)
{
	ck_assert_msg(strstr(text, part) != NULL, "no \"%s\"", part);
}

static void lacks(const char *text, const char *part)
{
	const char *found = strstr(text, part);

	ck_assert_msg(found == NULL, "\"%.60s\"", found);
}

/* COUNT lines of TEXT in a file called NAME. */
static struct input *input_of(uint32_t count, const char *name,
			      const char *text)
{
	struct input *input = arena_alloc(arena, sizeof(*input));
	const char **file = arena_alloc(arena, sizeof(*file));

	*file = name;
	input->file = file;
	input->files = 1;
	input->line = arena_array(arena, count, sizeof(*input->line));
	for (; input->count < count; input->count++)
		input->line[input->count] =
			(struct source_line){.file = name,
					     .number = input->count + 1,
					     .column = 1,
					     .text = text,
					     .length = strlen(text)};
	return input;
}

static struct report *report_with(struct ruleset *before, struct input *input)
{
	struct report *r = arena_alloc(arena, sizeof(*r));

	*r = (struct report){.input = input,
			     .diagnostics = diagnostics_new(arena),
			     .target = before->target,
			     .level = 1,
			     .before = before,
			     .auditctl_version = AUDITCTL_VERSION(3, 1, 3)};
	return r;
}

/* Optimised, written and all. */
static void optimise(struct report *report, int level)
{
	static const struct controls controls;
	struct emit_options how = {.comments = true};
	struct change_log *log = arena_alloc(arena, sizeof(*log));
	struct ruleset *after = ruleset_copy(arena, report->before);

	pipeline_run(arena, after, level, log);
	how.place = arena_array(arena, after->count, sizeof(*how.place));
	report->level = level;
	report->after = after;
	report->log = log;
	report->place = how.place;
	report->result = emit_ruleset(arena, after, &controls, report->input,
				      &how, &report->result_size);
	report->proof = "Proved to mean the same at level 1.";
}

static const struct target *x86(void)
{
	return mk_target("x86_64");
}

static const char some_rules[] = "arch=b64 calls=open,openat auid>=1000\n"
				 "calls=kill uid=0 key=k\n"
				 "never calls=kill uid=0\n"
				 "path=/x perm=w\n"
				 "never exclude msgtype=CWD\n";

START_TEST(test_page)
{
	struct report *r = report_with(mk_ruleset(arena, x86(), some_rules),
				       input_of(9, "t.rules", "-D"));
	const char *text;

	text = page_of(r);
	has(text, "What the audit rules cost");
	has(text, "<th scope=\"col\">now</th>");
	lacks(text, "id=\"result\"");
	optimise(r, 1);
	text = page_of(r);
	has(text, "Audit rules, optimised");
	has(text, "Proved to mean the same at level 1.");
	has(text, "id=\"o1\"");
	has(text, "id=\"i3\"");
	/* the third rule went, and why */
	has(text, "<b>dropped</b>: shadowed by");
	has(text, "id=\"pass-shadowed\"");
	has(text, "auid&gt;=1000");
}
END_TEST

START_TEST(test_nothing)
{
	struct report *r = report_with(ruleset_new(arena, x86()),
				       input_of(0, "t.rules", ""));
	struct position at = {DIAG_NO_LINE, 1, 1};

	has(page_of(r), "There is no rule");
	optimise(r, 2);
	has(page_of(r), "There is no rule");
	r->before = r->after = NULL;
	diag(r->diagnostics, DIAG_FATAL, "unreadable", at, "no such file <b>");
	has(page_of(r), "no such file &lt;b&gt;");
	ck_assert(report_tells_errors(REPORT_HTML));
	ck_assert(!report_tells_errors(REPORT_CSV));
}
END_TEST

/* A task rule that says never, and rules of other filters: no walk. */
START_TEST(test_no_walk)
{
	struct report *r = report_with(
		mk_ruleset(arena, x86(), "never task\ncalls=kill uid=0\n"),
		input_of(3, "t.rules", "-D"));

	optimise(r, 1);
	page_of(r);
	r = report_with(mk_ruleset(arena, x86(), "never exclude msgtype=CWD\n"),
			input_of(3, "t.rules", "-D"));
	optimise(r, 1);
	has(page_of(r), "No rule is walked");
}
END_TEST

#define HOSTILE \
	"<script>alert(1)</script>\" onload='x' &amp; \033[2J\x9b\xe2\x80\xae"

START_TEST(test_hostile)
{
	struct ruleset *set = mk_ruleset(arena, x86(),
					 "calls=kill uid=0\n"
					 "calls=open uid=0\n");
	struct report *r;
	struct position at = {0, 1, 1};
	struct left_out left = {1, HOSTILE, HOSTILE};
	const struct profile *old;
	struct profile *profile;
	const char *text;

	set->rule[0]->key = HOSTILE;
	set->rule[1]->key = HOSTILE;
	r = report_with(set, input_of(4, HOSTILE, "-k " HOSTILE));
	optimise(r, 2);
	old = profile_default(arena, x86());
	profile = arena_copy(arena, old, sizeof(*old));
	profile->name = profile->kind = HOSTILE;
	r->profile = profile;
	r->proof = r->fallback = r->assumed = HOSTILE;
	r->left = &left;
	r->lefts = 1;
	diag(r->diagnostics, DIAG_ERROR, "odd", at, "%s", HOSTILE)->advice =
		HOSTILE;
	text = page_of(r);
	lacks(text, "<script>alert");
	lacks(text, "onload='");
	lacks(text, "\xe2\x80\xae");
	has(text,
	    "&lt;script&gt;alert(1)&lt;/script&gt;&quot; onload=&#39;x&#39; "
	    "&amp;amp; ");
	has(text, "&lt;U+202E&gt;");
	text = written(r, REPORT_CSV);
	lacks(text, "\033");
}
END_TEST

START_TEST(test_random)
{
	struct random random = {(uint64_t)_i + 11};
	struct rules_shape shape = rules_shape_default(x86(), 60);
	struct report *r = report_with(random_ruleset(arena, &random, &shape),
				       input_of(200, "t.rules", "-D"));

	page_of(r);
	optimise(r, 1 + _i % 2);
	if (!r->result)
		r->place = NULL;
	page_of(r);
}
END_TEST

static bool has_buckets(const struct ruleset *set)
{
	for (size_t i = 0; i < set->count; i++)
		if (rule_in_bucket(set->rule[i]))
			return true;
	return false;
}

static void walk_adds_up(const struct report *r, const struct report_row *row,
			 bool after)
{
	const struct ruleset *set = after ? r->after : r->before;
	const struct call_cost *costs = after ? row->after : row->before;

	for (int id = 0; id < IDENTITY_COUNT; id++) {
		struct report_walk w =
			report_walk_of(arena, r, row, after, (enum identity)id);
		size_t walked = w.passed, matched = 0;
		double steps = 0;

		for (size_t i = 0; i < w.steps; i++) {
			walked += w.step[i].passed + 1;
			steps += w.step[i].price;
			matched += !w.step[i].failed;
		}
		ck_assert_uint_eq(walked, costs[id].rules_walked);
		ck_assert_uint_eq(w.steps, costs[id].masks_hit);
		ck_assert_double_eq_tol(steps, w.entering, 1e-6);
		ck_assert_uint_eq(matched, w.matched);
		ck_assert_double_eq_tol(w.fixed + w.passing + w.entering +
						w.list_end + w.buckets,
					costs[id].instructions, 1e-6);
		/* They are not what was forgotten elsewhere. */
		ck_assert_double_ge(w.buckets, -1e-6);
		if (!has_buckets(set))
			ck_assert_double_eq_tol(w.buckets, 0, 1e-6);
	}
}

START_TEST(test_walks)
{
	struct random random = {(uint64_t)_i + 23};
	struct rules_shape shape = rules_shape_default(x86(), 60);
	struct report *r;
	struct report_figures f;

	/* without rules for inodes the sum must be right to the last one */
	if (_i % 2)
		shape.weight[STYLE_WATCH] = shape.weight[STYLE_BUCKET] =
			shape.weight[STYLE_LENT_KEY] =
				shape.weight[STYLE_UNSETTLED] = 0;
	r = report_with(random_ruleset(arena, &random, &shape),
			input_of(200, "t.rules", "-D"));
	optimise(r, 2);
	f = report_figures_of(arena, r);
	for (size_t i = 0; i < f.rows.count; i++) {
		walk_adds_up(r, &f.rows.item[i], false);
		walk_adds_up(r, &f.rows.item[i], true);
	}
}
END_TEST

/* How many cells the record at *TEXT has; moves behind it. */
static size_t cells(const char **text)
{
	size_t count = 1;
	const char *at = *text;

	for (;;) {
		if (*at == '"') {
			for (at++; *at && (*at != '"' || at[1] == '"'); at++)
				at += *at == '"';
			ck_assert_int_eq(*at, '"');
			at++;
		} else {
			at += strcspn(at, ",\r\n\"");
		}
		if (*at != ',')
			break;
		count++;
		at++;
	}
	ck_assert_int_eq(strncmp(at, "\r\n", 2), 0);
	*text = at + 2;
	return count;
}

static size_t rows_of(const char *text, size_t wanted)
{
	size_t rows = 0;

	for (; *text; rows++)
		ck_assert_uint_eq(cells(&text), wanted);
	return rows;
}

START_TEST(test_csv)
{
	struct ruleset *set = mk_ruleset(
		arena, x86(), "calls=kill uid=1000\ncalls=open uid=0\n");
	struct report *r = report_with(
		set, input_of(4, "=cmd|' /C calc'!A0, \"x\"", "-D"));
	struct report_figures f;
	const char *text;

	text = written(r, REPORT_CSV);
	f = report_figures_of(arena, r);
	ck_assert_uint_eq(rows_of(text, 26), f.before.named_calls + 1);
	/* a user's kill ends at that file's first line */
	has(text, "\r\nx86_64,kill,62,");
	has(text, ",\"'=cmd|' /C calc'!A0, \"\"x\"\":");
	lacks(text, ",=");
	lacks(text, "\"=");
	for (int i = 0; i < 40; i++)
		ruleset_insert(
			set, set->count,
			mk_rule(arena, x86(),
				arena_printf(arena,
					     "calls=open,kill uid=%d key=k%d "
					     "line=1",
					     i + 5, i)));
	optimise(r, 2);
	text = written(r, REPORT_CSV);
	ck_assert_uint_eq(rows_of(text, 26), f.before.named_calls + 1);
	has(text, "a rule that auditopt added");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("html");
	TCase *tc = tcase_create("html");

	tcase_add_checked_fixture(tc, begin_arena, end_arena);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, test_page);
	tcase_add_test(tc, test_nothing);
	tcase_add_test(tc, test_no_walk);
	tcase_add_test(tc, test_hostile);
	tcase_add_loop_test(tc, test_random, 0, 12);
	tcase_add_loop_test(tc, test_walks, 0, 12);
	tcase_add_test(tc, test_csv);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
