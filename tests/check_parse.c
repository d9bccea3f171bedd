/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scanner and the grammar, by hand-written lines and against the C
 * library's own getopt_long() on generated ones.
 */
#include <check.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/suite.h"

#include "frontend/command.h"

#define V309 AUDITCTL_VERSION(3, 0, 9)
#define V421 AUDITCTL_VERSION(4, 2, 1)

static struct arena *arena;
static struct diagnostics *all;
static struct input input;

static void setup(void)
{
	arena = arena_new();
	all = diagnostics_new(arena);
	input = (struct input){0};
}

static void teardown(void)
{
	arena_free(arena);
}

/* Room for COUNT lines. */
static void room(size_t count)
{
	input.line = arena_array(arena, count, sizeof(*input.line));
}

static void add_bytes(const char *text, size_t length)
{
	input.line[input.count] = (struct source_line){
		.file = "r",
		.number = input.count + 1,
		.column = 1,
		.text = arena_copy(arena, text, length),
		.length = length,
	};
	input.count++;
}

static struct commands parse_text(const char *text, unsigned int version)
{
	room(1);
	add_bytes(text, strlen(text));
	return parse_input(arena, &input, version, all);
}

static const struct diagnostic *told(const char *id)
{
	const struct diagnostic *d;

	for (size_t i = 0; (d = diagnostics_get(all, i)); i++)
		if (!strcmp(d->id, id))
			return d;
	return NULL;
}

static const char *name_of(int option)
{
	static const char *const names[] = {
		[0] = "loginuid", [1] = "wait", [2] = "lost", [3] = "actual",
		[4] = "signal",	  [5] = "help", [6] = "bad",  [7] = "param",
	};

	if (option >= OPT_LOGINUID_IMMUTABLE)
		return names[option - OPT_LOGINUID_IMMUTABLE];
	return arena_printf(arena, "%c", option);
}

/* A command in short: NAME=VALUE@COLUMN+LENGTH,COLUMN+LENGTH/WORDS_AFTER, a
 * "*" where more letters follow. */
static const char *describe(const struct command *c)
{
	const char *text = arena_printf(arena, "%u", c->words);

	for (size_t i = 0; i < c->options; i++) {
		const struct option_word *w = &c->option[i];

		text = arena_printf(arena, "%s %s@%u+%u", text,
				    name_of(w->option), w->at.column,
				    w->at.length);
		if (w->value)
			text = arena_printf(arena, "%s=%s@%u+%u", text,
					    w->value, w->value_at.column,
					    w->value_at.length);
		text = arena_printf(arena, "%s/%u%s", text, w->words_after,
				    w->in_cluster ? "*" : "");
	}
	return text;
}

static const struct line {
	const char *text, *command; /* NULL: none */
} lines[] = {
	{"", NULL},
	{"    ", NULL},
	{"# -w /x", NULL},
	{"   #x", NULL},
	{"#", NULL},
	{"-D", "2 D@1+2/0"},
	{"  -D  ", "2 D@3+2/0"},
	{"-S open", "3 S@1+2=open@4+4/0"},
	{"-Sopen", "2 S@1+2=open@3+4/0"},
	{"-S   open", "3 S@1+2=open@6+4/0"},
	{"-F auid>=1000 -kx", "4 F@1+2=auid>=1000@4+10/1 k@15+2=x@17+1/0"},
	/* the value is the next word, whatever it looks like */
	{"-S -S", "3 S@1+2=-S@4+2/0"},
	{"-k --", "3 k@1+2=--@4+2/0"},
	{"-k #", "3 k@1+2=#@4+1/0"},
	{"--signal -D", "3 signal@1+8=-D@10+2/0"},
	/* clusters */
	{"-ic", "2 i@1+2/1* c@3+1/0"},
	{"-Dkfoo", "2 D@1+2/1* k@3+1=foo@4+3/0"},
	{"-Dk foo", "3 D@1+2/2* k@3+1=foo@5+3/0"},
	{"-si -i", "3 s@1+2/2* i@3+1/1 i@5+2/0"},
	{"-D -k key", "4 D@1+2/2 k@4+2=key@7+3/0"},
	/* what getopt refuses */
	{"-S", "2 bad@1+2/0"},
	{"-D -k", "3 D@1+2/1 bad@4+2/0"},
	{"-xD", "2 bad@1+2/1* D@3+1/0"},
	{"-:", "2 bad@1+2/0"},
	{"-i-", "2 i@1+2/1* bad@3+1/0"},
	{"-\t", "2 bad@1+2/0"},
	{"--bogus", "2 bad@1+7/0"},
	{"--bogus=1 -D", "3 bad@1+9/1 D@11+2/0"},
	{"--reset", "2 bad@1+7/0"},
	{"--=x", "2 bad@1+4/0"},
	{"--signal", "2 bad@1+8/0"},
	{"--reset-lost=1", "2 bad@1+14/0"},
	/* long options */
	{"--loginuid-immutable", "2 loginuid@1+20/0"},
	{"--reset-", "2 lost@1+8/0"},
	{"--reset_", "2 actual@1+8/0"},
	{"--b=5", "2 wait@1+3=5@5+1/0"},
	{"--b= 5", "3 wait@1+3=@4+1/1 param@6+1=5@6+1/0"},
	{"--backlog_wait_time 5 -D", "4 wait@1+19=5@21+1/1 D@23+2/0"},
	{"--sig=a=b", "2 signal@1+5=a=b@7+3/0"},
	{"--help", "2 help@1+6/0"},
	/* parameters come last */
	{"x", "2 param@1+1=x@1+1/0"},
	{"-", "2 param@1+1=-@1+1/0"},
	{"x -D y -i", "5 D@3+2/2 i@8+2/0 param@1+1=x@1+1/1 param@6+1=y@6+1/0"},
	{"-- -D", "3 param@4+2=-D@4+2/0"},
	{"--", "2"},
	{"-D --", "3 D@1+2/1"},
	{"-D -- --", "4 D@1+2/2 param@7+2=--@7+2/0"},
	{"-D # no comment", "5 D@1+2/3 param@4+1=#@4+1/2 param@6+2=no@6+2/1 "
			    "param@9+7=comment@9+7/0"},
	/* a tab is part of a word */
	{"\t", "2 param@1+1=\t@1+1/0"},
	{"-w\t/x", "2 w@1+2=\t/x@3+3/0"},
	{"-w /x\t-p wa", "4 w@1+2=/x\t-p@4+5/1 param@10+2=wa@10+2/0"},
	{" \t#", "2 param@2+2=\t#@2+2/0"},
	/* escapes, undone but for the first word */
	{"-w /a\\ b", "3 w@1+2=/a b@4+5/0"},
	{"-w /a\\\\b\\c", "3 w@1+2=/a\\b\\c@4+7/0"},
	{"-w \\ ", "3 w@1+2= @4+2/0"},
	{"-w \\", "3 w@1+2=\\@4+1/0"},
	{"-w \\\\ x", "4 w@1+2=\\@4+2/1 param@7+1=x@7+1/0"},
	{"-D -k\\ x", "3 D@1+2/1 k@4+2= x@6+3/0"},
	{"-k\\ x", "2 k@1+2=\a\ax@3+3/0"},
	{"-k\\\\x", "2 k@1+2=\004\004x@3+3/0"},
	{"-\\ -D", "2 bad@1+2/1* bad@3+1/1* bad@4+1/1* D@5+1/0"},
	{"-D -\\ D", "3 D@1+2/1 bad@4+3/1* D@7+1/0"},
	{"-k \"a b\"", "4 k@1+2=\"a@4+2/1 param@7+2=b\"@7+2/0"},
	/* raw escape bytes swallow the byte behind them */
	{"-k a\ax", "3 k@1+2=a @4+3/0"},
	{"-k \004-S", "3 k@1+2=\\S@4+3/0"},
	{"-ka\ax", "2 k@1+2=a\ax@3+3/0"},
	{"-D --sig\a=x", "3 D@1+2/1 bad@4+8/0"},
	/* ... and at a word's end there is none */
	{"-D -k a\a -i", "5 D@1+2/3 bad@7+2/0"},
	{"a\a", "2 param@1+2=a\a@1+2/0"},
	{"-k a\r", "3 k@1+2=a\r@4+2/0"},
	{"-D\r", "2 D@1+2/1* bad@3+1/0"},
};

START_TEST(test_line)
{
	const struct line *l = &lines[_i];
	struct commands c = parse_text(l->text, V421);

	ck_assert_uint_eq(c.count, l->command != NULL);
	if (l->command)
		ck_assert_str_eq(describe(&c.item[0]), l->command);
	ck_assert_uint_eq(diagnostics_count(all, DIAG_ERROR), 0);
	ck_assert_uint_eq(diagnostics_count(all, DIAG_FATAL), 0);
}
END_TEST

/* What is told where: a warning's id, or that of an option, and the place: of
 * the option itself if it is none or a bad one, else of its value. */
static const struct remark {
	const char *text;
	unsigned int version;
	const char *id;
	uint32_t column;
	bool warning;
} remarks[] = {
	{"\t", V421, "tab", 1, false},
	{"-D\t-i", V421, "unknown-option", 4, false},
	{"-i \t-w /x", V421, "tab", 4, false},
	{"-w /x -p wa -k\tx", V421, "tab", 15, false},
	{"-k a\r", V421, "carriage-return", 5, true},
	{"-D\r", V421, "carriage-return", 3, false},
	{"\r", V421, "carriage-return", 1, false},
	{"-S \"open\"", V421, "quote", 4, false},
	{"-F exe=\"/bin/ls\"", V421, "quote", 4, false},
	{"-k 'a b'", V421, "parameter", 7, false},
	{"-D # x", V421, "parameter", 6, false},
	{"-D #", V421, "comment-after-rule", 4, false},
	{"\xef\xbb\xbf-D", V421, "byte-order-mark", 1, false},
	{"-D\xc2\xa0-i", V421, "unknown-option", 3, false},
	{"-D \xc2\xa0-i", V421, "no-break-space", 4, false},
	{"\xe2\x80\x93w /x", V421, "parameter", 6, false},
	{"-D \xe2\x80\x93w", V421, "dash", 4, false},
	{"-k -F auid=0", V421, "option-as-value", 4, false},
	{"-k\\ x", V421, "escape-in-first-word", 1, true},
	{"-k a\ax", V421, "escape-byte", 4, true},
	{"-k a\a", V421, "escape-byte", 4, false},
	{"-S", V421, "missing-value", 1, false},
	{"--reset", V421, "ambiguous-option", 1, false},
	{"--reset-lost=x", V421, "unwanted-value", 1, false},
	{"--singal=x", V421, "unknown-option", 1, false},
	{"--help", V309, "unknown-option", 1, false},
	{"a b c", V309, "too-many-words", 5, true},
};

START_TEST(test_remark)
{
	const struct remark *r = &remarks[_i];
	struct commands c = parse_text(r->text, r->version);
	const struct command *command = &c.item[0];

	ck_assert_uint_eq(c.count, 1);
	if (r->warning) {
		ck_assert_msg(told(r->id), "no %s", r->id);
		ck_assert_int_eq(told(r->id)->severity, DIAG_WARNING);
		ck_assert_uint_eq(told(r->id)->at.column, r->column);
		return;
	}
	for (size_t i = 0; i < command->options; i++) {
		const struct option_word *w = &command->option[i];

		ck_assert(w->option < OPT_INVALID || w->id);
		ck_assert_int_eq(w->id != NULL, w->why != NULL);
	}
	for (size_t i = 0; i < command->options; i++)
		if (command->option[i].id &&
		    !strcmp(command->option[i].id, r->id) &&
		    command->option[i].value_at.column == r->column)
			return;
	ck_abort_msg("no %s at %u: %s", r->id, r->column, describe(command));
}
END_TEST

START_TEST(test_advice)
{
	struct commands c = parse_text("--singal=x", V421);

	ck_assert_str_eq(c.item[0].option[0].advice,
			 "did you mean \"--signal\"?");
	input.count = 0;
	c = parse_text("-K", V421);
	ck_assert_str_eq(c.item[0].option[0].advice, "did you mean -k?");
	input.count = 0;
	c = parse_text("-z --nonsense", V421);
	ck_assert_ptr_nonnull(c.item[0].option[0].advice);
	ck_assert_ptr_nonnull(c.item[0].option[1].advice);
}
END_TEST

START_TEST(test_nul)
{
	room(3);
	add_bytes("-D \0-i", 6);
	add_bytes("\0-i", 3);
	add_bytes("# x\0", 4);
	ck_assert_uint_eq(parse_input(arena, &input, V421, all).count, 1);
	ck_assert_uint_eq(diagnostics_count(all, DIAG_ERROR), 2);
	ck_assert_uint_eq(told("nul-byte")->at.column, 4);
	ck_assert_uint_eq(told("nul-byte")->at.line, 0);
}
END_TEST

/* One diagnostic a file, with the number of lines. */
START_TEST(test_cr)
{
	room(5);
	for (int i = 0; i < 5; i++) {
		add_bytes("-k a\r", 5);
		input.line[i].file_index = i >= 3;
	}
	parse_input(arena, &input, V421, all);
	ck_assert_uint_eq(diagnostics_count(all, DIAG_WARNING), 2);
	ck_assert_ptr_nonnull(
		strstr(told("carriage-return")->what, "2 more lines"));
	ck_assert_uint_eq(diagnostics_get(all, 1)->at.line, 3);
	ck_assert_ptr_nonnull(
		strstr(diagnostics_get(all, 1)->what, "1 more line "));
}
END_TEST

/* augenrules strips it since 3.1.1. */
START_TEST(test_merged_cr)
{
	struct commands c;

	room(5);
	add_bytes("-D\r", 3);
	add_bytes("\r", 1);
	add_bytes("-k a\r", 5);
	add_bytes("-k b\r\r", 6);
	add_bytes("-k c", 4);
	for (int i = 0; i < 5; i++)
		input.line[i].merged = true;
	/* The third is cut, its rest is the fourth. */
	input.line[3].column = 6;
	c = parse_input(arena, &input, V421, all);
	ck_assert_uint_eq(c.count, 4);
	ck_assert_str_eq(describe(&c.item[0]), "2 D@1+2/0");
	ck_assert_str_eq(c.item[1].option[0].value, "a\r");
	ck_assert_str_eq(c.item[2].option[0].value, "b\r");
	ck_assert_str_eq(c.item[3].option[0].value, "c");
	c = parse_input(arena, &input, AUDITCTL_VERSION(3, 1, 0), all);
	ck_assert_uint_eq(c.count, 5);
	ck_assert_str_eq(c.item[3].option[0].value, "b\r\r");
}
END_TEST

START_TEST(test_value_part)
{
	struct commands c =
		parse_text("-D -S a,bc -k x\\ y\\\\z -Sq,rst", V421);
	const struct option_word *w = c.item[0].option;
	struct position p = option_value_part(&input, &w[1], 2, 2);

	ck_assert_uint_eq(p.column, 9);
	ck_assert_uint_eq(p.length, 2);
	ck_assert_str_eq(w[2].value, "x y\\z");
	p = option_value_part(&input, &w[2], 1, 1);
	ck_assert_uint_eq(p.column, 16);
	ck_assert_uint_eq(p.length, 2);
	p = option_value_part(&input, &w[2], 2, 3);
	ck_assert_uint_eq(p.column, 18);
	ck_assert_uint_eq(p.length, 4);
	p = option_value_part(&input, &w[3], 2, 3);
	ck_assert_uint_eq(p.column, 27);
	p = option_value_part(&input, &w[2], 2, 4);
	ck_assert_uint_eq(p.column, 15);
	ck_assert_uint_eq(p.length, 7);
}
END_TEST

/* fileopt()'s way of cutting a line into words, as simple as it can be
 * written: its own text, so that the two cannot share a mistake. */
struct words {
	char *word[4096];
	char text[16384];
	int count;
	bool broken; /* undefined: a word ends in an escape byte */
	bool dropped;
};

static void mark_escapes(char *text)
{
	for (char *c = text; *c; c++) {
		if (*c != '\\')
			continue;
		if (c[1] == ' ')
			c[0] = c[1] = 7;
		else if (c[1] == '\\')
			c[0] = c[1] = 4;
		if (!*++c)
			break;
	}
}

static bool undo_escapes(char *word)
{
	char *to = word;

	for (char *from = word; *from; from++) {
		if (*from != 7 && *from != 4) {
			*to++ = *from;
			continue;
		}
		*to++ = *from == 7 ? ' ' : '\\';
		if (!*++from)
			return false;
	}
	*to = 0;
	return true;
}

static void split(struct words *w, const char *text, size_t length,
		  unsigned int version)
{
	static char name[] = "auditctl";
	char *save = NULL, *word;
	size_t limit;

	memcpy(w->text, text, length);
	w->text[length] = 0;
	limit = version >= AUDITCTL_VERSION(4, 2, 0) ? 4000
						     : strlen(w->text) / 3 + 2;
	w->count = 0;
	w->broken = w->dropped = false;
	w->word[w->count++] = name;
	mark_escapes(w->text);
	for (word = strtok_r(w->text, " ", &save); word;
	     word = strtok_r(NULL, " ", &save)) {
		if (w->count == 1 && word[0] == '#')
			break;
		if (w->count > 1 && (size_t)w->count >= limit) {
			w->dropped = true;
			break;
		}
		if (w->count > 1 && !undo_escapes(word))
			w->broken = true;
		w->word[w->count++] = word;
	}
	w->word[w->count] = NULL;
}

static const struct option long_options[] = {
	{"help", 0, NULL, OPT_HELP}, /* the first, to be left out */
	{"loginuid-immutable", 0, NULL, OPT_LOGINUID_IMMUTABLE},
	{"backlog_wait_time", 1, NULL, OPT_BACKLOG_WAIT_TIME},
	{"reset-lost", 0, NULL, OPT_RESET_LOST},
	{"reset_backlog_wait_time_actual", 0, NULL,
	 OPT_RESET_BACKLOG_WAIT_TIME_ACTUAL},
	{"signal", 1, NULL, OPT_SIGNAL},
	{NULL, 0, NULL, 0},
};

/* Runs getopt_long as auditctl does and compares every step. */
static void compare(const struct command *c, const struct words *w,
		    unsigned int version)
{
	char *argv[4096];
	bool help = version >= AUDITCTL_VERSION(4, 1, 1);
	int option, before, at = 1, parameters;
	size_t i = 0;

	memcpy(argv, w->word, sizeof(*argv) * ((size_t)w->count + 1));
	ck_assert_int_eq(c->words, w->count);
	for (int j = 0; j <= w->count; j++)
		ck_assert_pstr_eq(c->word[j], w->word[j]);
	optind = 0;
	opterr = 0;
	for (;; i++) {
		const struct option_word *o = &c->option[i];

		/* Which word is next: behind those that are no options. */
		before = at;
		while (before < w->count &&
		       (argv[before][0] != '-' || !argv[before][1]))
			before++;
		option = getopt_long(
			w->count, argv,
			"hicslDvtC:e:f:r:b:a:A:d:S:F:m:R:w:W:k:p:q:",
			long_options + !help, NULL);
		if (option == -1)
			break;
		at = optind;
		ck_assert_uint_lt(i, c->options);
		ck_assert_int_eq(o->option,
				 option == '?' ? OPT_INVALID : option);
		if (option != '?')
			ck_assert_pstr_eq(o->value, optarg);
		ck_assert_uint_eq(o->words_after, w->count - optind);
		ck_assert_int_eq(o->in_cluster, optind == before);
		ck_assert_pstr_eq(c->word[c->words - o->words_after],
				  argv[optind]);
	}
	parameters = w->count - optind;
	ck_assert_uint_eq(c->options, i + (size_t)parameters);
	for (int j = optind; j < w->count; j++, i++) {
		ck_assert_int_eq(c->option[i].option, OPT_PARAMETER);
		ck_assert_str_eq(c->option[i].value, argv[j]);
		ck_assert_uint_eq(c->option[i].words_after, w->count - j - 1);
	}
}

/* Every place lies in its line and, with escapes undone, is its text. */
static void check_places(const struct command *c)
{
	const struct source_line *line = &input.line[c->line];

	for (size_t i = 0; i < c->options; i++) {
		const struct option_word *o = &c->option[i];
		char text[16384];

		ck_assert_uint_ge(o->at.column, 1);
		ck_assert_uint_ge(o->at.length, 1);
		ck_assert_uint_le(o->at.column + o->at.length - 1,
				  line->length);
		ck_assert_uint_le(o->value_at.column + o->value_at.length - 1,
				  line->length);
		ck_assert_uint_eq(o->at.line, c->line);
		if (o->option < 256)
			ck_assert_int_eq(
				line->text[o->at.column + o->at.length - 2],
				o->option);
		if (!o->value || !o->value[0])
			continue;
		memcpy(text, line->text + o->value_at.column - 1,
		       o->value_at.length);
		text[o->value_at.length] = 0;
		mark_escapes(text);
		if (strcmp(text, o->value) != 0) /* not the first word */
			undo_escapes(text);
		ck_assert_str_eq(text, o->value);
	}
}

static void compare_all(unsigned int version)
{
	struct commands commands = parse_input(arena, &input, version, all);
	struct words *w = malloc(sizeof(*w));
	size_t next = 0;

	for (uint32_t i = 0; i < input.count; i++) {
		const struct command *c = &commands.item[next];

		split(w, input.line[i].text, input.line[i].length, version);
		if (w->count == 1)
			continue;
		ck_assert_uint_lt(next++, commands.count);
		ck_assert_uint_eq(c->line, i);
		if (w->broken) {
			size_t n = 0;

			for (size_t j = 0; j < c->options; j++)
				n += c->option[j].option == OPT_INVALID;
			ck_assert_uint_ge(n, 1);
			continue;
		}
		compare(c, w, version);
		check_places(c);
	}
	ck_assert_uint_eq(next, commands.count);
	ck_assert_uint_eq(diagnostics_count(all, DIAG_FATAL), 0);
	free(w);
}

static const char *const pieces[] = {
	"-a",
	"-S",
	"-F",
	"-k",
	"-D",
	"-i",
	"-c",
	"-s",
	"-l",
	"-ic",
	"-si",
	"-Dk",
	"-kx",
	"-Sopen",
	"-lS",
	"always",
	"open",
	"-",
	"--",
	"---",
	"--signal",
	"--sig",
	"--s=x",
	"--signal=",
	"--b",
	"--reset",
	"--reset-",
	"--res=",
	"--help",
	"--h",
	"--foo",
	"--foo=x",
	"--=",
	"#",
	"#x",
	"-xk",
	"-k\\ y",
	"a\\ b",
	"\\\\",
	"\\",
	"-\\ ",
	"\t",
	"-e",
	"2",
	"-q",
	"--loginuid-immutable",
	"--loginuid-immutable=1",
	"--backlog_wait_time",
	"auid>=1000",
	"-W;",
	"-:",
	"\a",
	"x\004y",
	"-D\aq",
	"--sig\004=k",
	"\"a",
	"-p",
	"\\x",
};

START_TEST(test_getopt_words)
{
	size_t n = sizeof(pieces) / sizeof(*pieces);
	int count = 8000;

	srand((unsigned int)_i + 1);
	room((size_t)count);
	for (int i = 0; i < count; i++) {
		const char *text = rand() % 8 ? "" : "  ";
		int words = rand() % 9;

		for (int j = 0; j < words; j++)
			text = arena_printf(arena, "%s%s%s", text,
					    pieces[(size_t)rand() % n],
					    rand() % 12	 ? " "
					    : rand() % 2 ? "   "
							 : "");
		add_bytes(text, strlen(text));
	}
	compare_all(_i % 2 ? V421 : V309);
}
END_TEST

START_TEST(test_getopt_bytes)
{
	static const char alphabet[] = "    "
				       "------hicslDvtCefrbaAdSFmRwWkpqqzz=#"
				       "\\\\\\\a\004\t\r\n0\xff\xc3\xa9\"-";
	int count = 8000;

	srand((unsigned int)_i + 100);
	room((size_t)count);
	for (int i = 0; i < count; i++) {
		char text[64];
		size_t length = (size_t)(rand() % 40);

		for (size_t j = 0; j < length; j++) {
			text[j] = alphabet[(size_t)rand() %
					   (sizeof(alphabet) - 1)];
			if (rand() % 300 == 0)
				text[j] = 0;
			if (text[j] == '\n')
				text[j] = 'n';
		}
		add_bytes(text, length);
	}
	compare_all(_i % 2 ? V309 : V421);
}
END_TEST

/* All bytes, as long as lines get. */
START_TEST(test_getopt_long_lines)
{
	room(200);
	srand((unsigned int)_i + 1000);
	for (int i = 0; i < 200; i++) {
		char text[SOURCE_LINE_MAX];
		size_t length = (size_t)rand() % sizeof(text);

		for (size_t j = 0; j < length; j++) {
			text[j] = (char)(rand() % 256);
			if (text[j] == '\n' || (!text[j] && rand() % 8))
				text[j] = ' ';
			if (rand() % 4 == 0)
				text[j] = " -kS"[rand() % 4];
		}
		add_bytes(text, length);
	}
	compare_all(V309);
}
END_TEST

/* Many of one sort: nothing may take more than linear time. */
START_TEST(test_large)
{
	static const char *const parts[] = {"-k x ", "x ", "-D\t", "\\", "-i",
					    "--=x",  "\a", "hi",   "# "};
	const char *part = parts[_i];
	size_t size = 6000 / strlen(part) * strlen(part), n = 400;
	char text[6143];

	for (size_t i = 0; i < size; i++)
		text[i] = part[i % strlen(part)];
	if (!strcmp(part, "hi"))
		text[0] = '-';
	room(n);
	for (size_t i = 0; i < n; i++)
		add_bytes(text, size);
	parse_input(arena, &input, V421, all);
	ck_assert_uint_eq(diagnostics_count(all, DIAG_FATAL), 0);
}
END_TEST

START_TEST(test_empty)
{
	struct commands c = parse_input(arena, &input, V421, all);

	ck_assert_uint_eq(c.count, 0);
	ck_assert_ptr_null(diagnostics_get(all, 0));
}
END_TEST

/* Lines go on behind one that is broken. */
START_TEST(test_recovery)
{
	struct commands c;

	room(4);
	add_bytes("-D", 2);
	add_bytes("-k x\a -i", 8);
	add_bytes("-S y \a\\\\ z", 10);
	add_bytes("-e 1", 4);
	c = parse_input(arena, &input, V421, all);
	ck_assert_uint_eq(c.count, 4);
	ck_assert_str_eq(describe(&c.item[1]), "4 bad@4+2/0");
	ck_assert_str_eq(describe(&c.item[2]), "5 S@1+2=y@4+1/2 bad@6+3/0");
	ck_assert_str_eq(describe(&c.item[3]), "3 e@1+2=1@4+1/0");
}
END_TEST

static void add_tests(TCase *tc)
{
	tcase_add_loop_test(tc, test_line, 0, sizeof(lines) / sizeof(*lines));
	tcase_add_loop_test(tc, test_remark, 0,
			    sizeof(remarks) / sizeof(*remarks));
	tcase_add_test(tc, test_advice);
	tcase_add_test(tc, test_nul);
	tcase_add_test(tc, test_cr);
	tcase_add_test(tc, test_merged_cr);
	tcase_add_test(tc, test_value_part);
	tcase_add_loop_test(tc, test_getopt_words, 0, 4);
	tcase_add_loop_test(tc, test_getopt_bytes, 0, 4);
	tcase_add_loop_test(tc, test_getopt_long_lines, 0, 2);
	tcase_add_loop_test(tc, test_large, 0, 9);
	tcase_add_test(tc, test_empty);
	tcase_add_test(tc, test_recovery);
}

int main(void)
{
	Suite *suite = suite_create("parse");
	TCase *tc = tcase_create("parse");

	/* Else getopt stops at the first word that is no option. */
	unsetenv("POSIXLY_CORRECT");
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	add_tests(tc);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
