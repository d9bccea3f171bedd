/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From lines to commands: the scanner's input and memory, and getopt's and
 * fileopt()'s bookkeeping.
 */
#include "frontend/parse.h"

#include <ctype.h>
#include <string.h>

#include "frontend/behaviour.h"
#include "parser.h"
#include "util/progress.h"

static const UT_icd option_icd = {sizeof(struct option_word), NULL, NULL, NULL};
static const UT_icd command_icd = {sizeof(struct command), NULL, NULL, NULL};

/* auditctl's long_opts. */
static const struct long_name {
	const char *name;
	int option;
	bool has_value;
} long_options[] = {
	{"help", OPT_HELP, false},
	{"loginuid-immutable", OPT_LOGINUID_IMMUTABLE, false},
	{"backlog_wait_time", OPT_BACKLOG_WAIT_TIME, true},
	{"reset-lost", OPT_RESET_LOST, false},
	{"reset_backlog_wait_time_actual", OPT_RESET_BACKLOG_WAIT_TIME_ACTUAL,
	 false},
	{"signal", OPT_SIGNAL, true},
};

#define LONG_OPTIONS (sizeof(long_options) / sizeof(long_options[0]))

/* What auditctl reads of line ID: augenrules strips a CR since 3.1.1, and a NUL
 * byte ends what C takes for the line. */
static size_t seen_length(const struct parse *p, uint32_t id)
{
	const struct source_line *line = &p->input->line[id];
	bool goes_on = id + 1 < p->input->count && line[1].column > 1;
	size_t length = line->length;
	const char *nul;

	if (line->merged && auditctl_behaves(p->version, BEHAVES_CR_TAKEN) &&
	    length && line->text[length - 1] == '\r' && !goes_on)
		length--;
	nul = length ? memchr(line->text, 0, length) : NULL;
	return nul ? (size_t)(nul - line->text) : length;
}

static bool begins_comment(const char *text, size_t length)
{
	size_t at = 0;

	while (at < length && text[at] == ' ')
		at++;
	return at < length && text[at] == '#';
}

static void begin_line(struct parse *p)
{
	const struct source_line *line = &p->input->line[p->feed_line];
	size_t length = seen_length(p, p->feed_line);

	p->feed_at = 0;
	p->feed_length = length;
	p->feed_escape = false;
	if (length < line->length && !line->text[length] &&
	    !begins_comment(line->text, length)) {
		struct position at = {p->feed_line, (uint32_t)length + 1, 1};
		struct diagnostic *d =
			diag(p->diag, DIAG_ERROR, "nul-byte", at,
			     "a NUL byte ends the line for auditctl");

		d->auditctl = "auditctl silently drops the rest of the line";
		d->advice = "remove the byte; perhaps the file is damaged";
	}
}

/* preprocess() in auditctl.c, byte by byte: the backslash of an escape is
 * already in the buffer when its second byte shows what it was. */
size_t parse_feed(struct parse *p, char *buffer, size_t room)
{
	size_t n = 0;

	while (n < room && p->feed_line < p->input->count) {
		const char *text = p->input->line[p->feed_line].text;
		char c, next;

		if (!p->feed_at)
			begin_line(p);
		if (p->feed_at >= p->feed_length) {
			buffer[n++] = '\n';
			p->feed_at = 0;
			p->feed_line++;
			continue;
		}
		c = text[p->feed_at++];
		next = p->feed_at < p->feed_length ? text[p->feed_at] : 0;
		if (p->feed_escape) {
			p->feed_escape = false;
			if (c == ' ')
				c = ESCAPED_SPACE;
			else if (c == '\\')
				c = ESCAPED_BACKSLASH;
		} else if (c == '\\') {
			p->feed_escape = true;
			if (next == ' ')
				c = ESCAPED_SPACE;
			else if (next == '\\')
				c = ESCAPED_BACKSLASH;
		}
		buffer[n++] = c;
	}
	return n;
}

static bool is_escape(char c)
{
	return c == ESCAPED_SPACE || c == ESCAPED_BACKSLASH;
}

bool parse_in_first_word(const struct parse *p)
{
	return utarray_len(p->words) == 2;
}

/* postprocess() in auditctl.c: an escape byte stands for its character and
 * swallows the byte behind it, whatever that is. */
static size_t decode(char *text, size_t length)
{
	size_t to = 0;

	for (size_t from = 0; from < length; from++, to++) {
		text[to] = text[from];
		if (is_escape(text[from])) {
			text[to] = text[from] == ESCAPED_SPACE ? ' ' : '\\';
			from++;
		}
	}
	text[to] = 0;
	return to;
}

const char *parse_decode(struct parse *p, const char *text, size_t length)
{
	char *copy = arena_strndup(p->arena, text, length);

	if (!parse_in_first_word(p))
		decode(copy, length);
	return copy;
}

/* If its last byte is an escape byte that has nothing to swallow. */
static bool is_broken(const char *text, size_t length)
{
	size_t at = 0;

	while (at < length)
		at += is_escape(text[at]) ? 2 : 1;
	return at > length;
}

/* The size of fileopt()'s table: program name and first word always fit; the
 * last entry is for NULL. Since 4.2 it has room for a word in every two
 * bytes, so for all. */
static unsigned int word_limit(const struct parse *p)
{
	size_t limit = seen_length(p, p->line) / 3 + 2;

	return auditctl_behaves(p->version, BEHAVES_ALL_WORDS)
		       ? UINT32_MAX
		       : (unsigned int)limit;
}

static void tell_dropped(struct parse *p, struct position at)
{
	struct diagnostic *d;

	at.length = (uint32_t)seen_length(p, p->line) - at.column + 1;
	d = diag(p->diag, DIAG_WARNING, "too-many-words", at,
		 "more words than auditctl before 4.2 takes from a line of "
		 "this length");
	d->auditctl = "auditctl drops them without a word";
	d->advice = "join values by commas (-S 2,5,8), or write fewer words";
}

enum word_state parse_word(struct parse *p, const char *text, size_t length,
			   struct position at)
{
	const char *decoded;

	if (!utarray_len(p->words)) {
		decoded = "auditctl";
		utarray_push_back(p->words, &decoded);
		p->word_limit = word_limit(p);
	}
	if (utarray_len(p->words) >= 2 &&
	    utarray_len(p->words) >= p->word_limit) {
		tell_dropped(p, at);
		return WORD_DROPPED;
	}
	/* Room for it, so that parse_decode() knows which word it is. */
	decoded = NULL;
	utarray_push_back(p->words, &decoded);
	decoded = parse_decode(p, text, length);
	*(const char **)utarray_back(p->words) = decoded;
	p->word = at;
	if (!parse_in_first_word(p) && is_broken(text, length))
		return WORD_BROKEN;
	remark_word(p, text, at);
	return WORD_TAKEN;
}

void parse_place(const struct parse *p, struct token *token, struct position at)
{
	token->in_cluster =
		at.column + at.length < p->word.column + p->word.length;
	token->next = utarray_len(p->words) - token->in_cluster;
}

static bool known(const struct parse *p, const struct long_name *o)
{
	return o->option != OPT_HELP ||
	       auditctl_behaves(p->version, BEHAVES_LONG_HELP);
}

static const char *long_candidate(size_t i, void *data)
{
	const struct parse *p = data;

	for (size_t j = 0; j < LONG_OPTIONS; j++)
		if (known(p, &long_options[j]) && i-- == 0)
			return long_options[j].name;
	return NULL;
}

static const char options_advice[] = "auditctl(8) lists the options";

static void unknown_long(struct parse *p, struct token *token, const char *name)
{
	const char *near = nearest_name(name, long_candidate, p);

	token->id = "unknown-option";
	token->why =
		arena_printf(p->arena, "auditctl has no option --%s", name);
	if (near)
		token->advice =
			arena_printf(p->arena, "did you mean \"--%s\"?", near);
	else if (!strcmp(name, "help"))
		token->advice = "auditctl knows --help since 4.1.1; -h before";
	else
		token->advice = options_advice;
}

enum long_kind parse_long_name(struct parse *p, struct token *token,
			       const char *name)
{
	size_t length = strlen(name);
	const struct long_name *found = NULL;

	for (size_t i = 0; i < LONG_OPTIONS; i++) {
		const struct long_name *o = &long_options[i];

		if (!known(p, o) || strncmp(o->name, name, length) != 0)
			continue;
		/* No name is the beginning of another. */
		if (found) {
			token->id = "ambiguous-option";
			token->why = arena_printf(p->arena,
						  "--%s may be --%s or --%s",
						  name, found->name, o->name);
			token->advice = "write the whole name";
			return LONG_UNKNOWN;
		}
		found = o;
	}
	if (!found) {
		unknown_long(p, token, name);
		return LONG_UNKNOWN;
	}
	token->option = found->option;
	return found->has_value ? LONG_OPTION : LONG_FLAG;
}

static const char *other_case(struct parse *p, int letter)
{
	static const char letters[] = "hicslDvtCefrbaAdSFmRwWkpq";
	int other = isupper(letter) ? tolower(letter) : toupper(letter);

	if (isalpha(letter) && strchr(letters, other))
		return arena_printf(p->arena, "did you mean -%c?", other);
	return options_advice;
}

void parse_unknown_letter(struct parse *p, struct token *token, int letter)
{
	unsigned char byte = (unsigned char)letter;

	token->id = "unknown-option";
	if (byte == '\r') {
		token->id = "carriage-return";
		token->why =
			"a carriage return (CR) ends the line and is no option";
		token->advice = "write the file with LF line ends alone";
	} else if (byte == '\t') {
		token->id = "tab";
		token->why = "a tab is part of the word and no option";
		token->advice = "write a space: auditctl separates words by "
				"spaces only";
	} else if (byte > ' ' && byte < 0x7f) {
		token->why = arena_printf(p->arena,
					  "auditctl has no option -%c", byte);
		token->advice = other_case(p, byte);
	} else {
		token->why = arena_printf(p->arena,
					  "the byte 0x%02x is no option", byte);
	}
}

const char *parse_option_name(struct parse *p, int option)
{
	for (size_t i = 0; i < LONG_OPTIONS; i++)
		if (long_options[i].option == option)
			return arena_printf(p->arena, "--%s",
					    long_options[i].name);
	return arena_printf(p->arena, "-%c", option);
}

static struct option_word *add_option(struct parse *p, int option,
				      struct position at, unsigned int next)
{
	struct option_word w = {
		.option = option,
		.at = at,
		.value_at = at,
		/* Until the number of words is known. */
		.words_after = next,
	};

	utarray_push_back(p->options, &w);
	return (struct option_word *)utarray_back(p->options);
}

static void add_invalid(struct parse *p, struct position at, unsigned int next,
			const char *id, const char *why, const char *advice)
{
	struct option_word *w = add_option(p, OPT_INVALID, at, next);

	w->id = id;
	w->why = why;
	w->advice = advice;
}

void parse_option(struct parse *p, const struct token *token,
		  struct position at, const struct token *value,
		  struct position value_at)
{
	struct option_word *w = add_option(p, token->option, at, value->next);

	w->value = value->text;
	w->value_at = value_at;
	remark_value(p, w, token->in_cluster);
}

void parse_flag(struct parse *p, const struct token *token, struct position at)
{
	struct option_word *w = add_option(p, token->option, at, token->next);

	w->in_cluster = token->in_cluster;
}

void parse_unknown(struct parse *p, const struct token *token,
		   struct position at)
{
	add_invalid(p, at, token->next, token->id, token->why, token->advice);
	((struct option_word *)utarray_back(p->options))->in_cluster =
		token->in_cluster;
}

void parse_missing_value(struct parse *p, const struct token *token,
			 struct position at)
{
	add_invalid(p, at, token->next, "missing-value",
		    arena_printf(p->arena, "%s needs a value",
				 parse_option_name(p, token->option)),
		    "write one behind it, or leave the option out");
}

void parse_unwanted_value(struct parse *p, const struct token *token,
			  struct position at, unsigned int next)
{
	add_invalid(p, at, next, "unwanted-value",
		    arena_printf(p->arena, "%s takes no value",
				 parse_option_name(p, token->option)),
		    "leave out the \"=\" and what follows it");
}

void parse_parameter(struct parse *p, const struct token *token,
		     struct position at)
{
	struct option_word w = {
		.option = OPT_PARAMETER,
		.value = token->text,
		.at = at,
		.value_at = at,
	};

	remark_parameter(p, &w);
	utarray_push_back(p->parameters, &w);
}

void parse_error_line(struct parse *p)
{
	add_invalid(p, p->error_at, utarray_len(p->words), "escape-byte",
		    p->error,
		    "remove the byte 0x07 or 0x04 at the end of the word: "
		    "auditctl reads on beyond it");
}

static const void *copy_array(struct arena *arena, const UT_array *a,
			      size_t size)
{
	return arena_copy(arena, utarray_len(a) ? utarray_front(a) : NULL,
			  utarray_len(a) * size);
}

/* Options in getopt's order: what is none comes last. */
static struct option_word *finish_options(struct parse *p, unsigned int words)
{
	unsigned int left = utarray_len(p->parameters);
	struct option_word *w = NULL;

	while ((w = (struct option_word *)utarray_next(p->options, w)))
		w->words_after = words - w->words_after;
	while ((w = (struct option_word *)utarray_next(p->parameters, w)))
		w->words_after = --left;
	utarray_concat(p->options, p->parameters);
	return arena_copy(p->arena, utarray_front(p->options),
			  utarray_len(p->options) * sizeof(*w));
}

void parse_end_line(struct parse *p)
{
	struct command c = {.line = p->word.line};
	const char *end = NULL;

	progress_step(p->input->progress, "reading, line", c.line + 1,
		      p->input->count);
	c.words = utarray_len(p->words);
	utarray_push_back(p->words, &end);
	c.word = copy_array(p->arena, p->words, sizeof(end));
	c.option = finish_options(p, c.words);
	c.options = utarray_len(p->options);
	utarray_push_back(p->commands, &c);
	utarray_clear(p->words);
	utarray_clear(p->options);
	utarray_clear(p->parameters);
}

static void tell_memory(const struct parse *p)
{
	diag(p->diag, DIAG_FATAL, "parser",
	     (struct position){.line = DIAG_NO_LINE},
	     "no memory left to parse the input");
}

struct commands parse_input(struct arena *arena, const struct input *input,
			    unsigned int auditctl_version,
			    struct diagnostics *diag)
{
	struct parse p = {
		.arena = arena,
		.input = input,
		.diag = diag,
		.version = auditctl_version,
		.column = 1,
	};
	struct commands commands = {0};
	void *scanner;

	if (yylex_init_extra(&p, &scanner)) {
		tell_memory(&p);
		return commands;
	}
	utarray_new(p.words, &ut_ptr_icd);
	utarray_new(p.options, &option_icd);
	utarray_new(p.parameters, &option_icd);
	utarray_new(p.commands, &command_icd);
	if (yyparse(scanner, &p) != 0)
		tell_memory(&p);
	yylex_destroy(scanner);
	remark_end(&p);
	commands.count = utarray_len(p.commands);
	commands.item = arena_copy(arena, utarray_front(p.commands),
				   commands.count * sizeof(*commands.item));
	utarray_free(p.words);
	utarray_free(p.options);
	utarray_free(p.parameters);
	utarray_free(p.commands);
	return commands;
}

struct position option_value_part(const struct input *input,
				  const struct option_word *w, size_t offset,
				  size_t length)
{
	const struct source_line *line = &input->line[w->value_at.line];
	const char *raw = line->text + w->value_at.column - 1;
	struct position part = w->value_at;
	size_t from = 0, to = 0, n = w->value ? strlen(w->value) : 0;

	if (offset + length > n || !length)
		return part;
	if (n == w->value_at.length) {
		part.column += (uint32_t)offset;
		part.length = (uint32_t)length;
		return part;
	}
	/* Each escaped character is two bytes of the line. */
	for (size_t at = 0, i = 0; at < w->value_at.length; i++) {
		bool two = is_escape(raw[at]) ||
			   (raw[at] == '\\' && at + 1 < w->value_at.length &&
			    (raw[at + 1] == ' ' || raw[at + 1] == '\\'));

		if (i == offset)
			from = at;
		at += two ? 2 : 1;
		if (i == offset + length - 1)
			to = at;
	}
	part.column += (uint32_t)from;
	part.length = (uint32_t)(to - from);
	return part;
}
