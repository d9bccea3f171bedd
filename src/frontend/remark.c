/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Words that auditctl takes or refuses for a reason that the eye does not see:
 * tabs, carriage returns, quotes, escapes where none are undone.
 */
#include "frontend/parse.h"

#include <string.h>

static const char tab_advice[] =
	"write spaces: auditctl separates words by spaces only";
static const char quote_advice[] =
	"leave the quotes out; a space in a value is written \"\\ \"";

static bool contains(const char *text, const char *part)
{
	return strstr(text, part) != NULL;
}

static bool starts_with(const char *text, const char *part)
{
	return strncmp(text, part, strlen(part)) == 0;
}

/* A quote where a value begins. */
static bool is_quoted(const char *value)
{
	const char *equals = strchr(value, '=');

	return strchr("\"'", value[0]) ||
	       (equals && equals[1] && strchr("\"'", equals[1]));
}

/* Does VALUE, a word of its own, look like an option that was to follow one
 * that lacks its value? */
static bool looks_like_option(const char *value)
{
	return value[0] == '-' && value[1] &&
	       strchr("aAdSFCwWkpDebfri", value[1]) && !value[2];
}

/* One diagnostic a file: a file from elsewhere has CR on every line. */
static void remark_cr(struct parse *p, const struct option_word *w)
{
	size_t file = p->input->line[w->at.line].file_index;
	struct position at = w->value_at;

	if (p->cr && p->cr_file == file) {
		p->cr_count++;
		return;
	}
	remark_end(p);
	at.column += at.length - 1;
	at.length = 1;
	p->cr = diag(p->diag, DIAG_WARNING, "carriage-return", at,
		     "the value ends in a carriage return (CR)");
	p->cr->auditctl = "auditctl takes it for a part of the value";
	p->cr->advice = "write the file with LF line ends alone";
	p->cr_file = file;
	p->cr_count = 1;
}

void remark_end(struct parse *p)
{
	if (p->cr && p->cr_count > 1)
		p->cr->what = arena_printf(
			p->arena,
			"the value ends in a carriage return (CR), here and on "
			"%zu more line%s of the file",
			p->cr_count - 1, p->cr_count == 2 ? "" : "s");
	p->cr = NULL;
}

void remark_value(struct parse *p, struct option_word *w, bool attached)
{
	const char *value = w->value;
	size_t length = strlen(value);

	if (length && value[length - 1] == '\r')
		remark_cr(p, w);
	if (!attached && looks_like_option(value)) {
		w->id = "option-as-value";
		w->why = arena_printf(
			p->arena, "%s is taken for the value of %s before it",
			value, parse_option_name(p, w->option));
		w->advice = arena_printf(p->arena,
					 "give %s its value, or leave it out",
					 parse_option_name(p, w->option));
	} else if (is_quoted(value)) {
		w->id = "quote";
		w->why = "the quote is part of the value";
		w->advice = quote_advice;
	} else if (contains(value, "\t")) {
		w->id = "tab";
		w->why = "a tab is part of the value";
		w->advice = tab_advice;
	}
}

/* Signs that look like others, and what to do. */
static const struct look_alike {
	const char *bytes;
	bool at_start;
	const char *id, *why, *advice;
} look_alikes[] = {
	{"\xef\xbb\xbf", true, "byte-order-mark",
	 "a byte order mark (U+FEFF) begins the word",
	 "save the file as UTF-8 without a byte order mark"},
	{"\xc2\xa0", false, "no-break-space",
	 "a no-break space (U+00A0) is part of the word",
	 "write a plain space"},
	{"\xe2\x80\x90", true, "dash", "the word begins with a hyphen (U+2010)",
	 "write the plain \"-\""},
	{"\xe2\x80\x93", true, "dash", "the word begins with a dash (U+2013)",
	 "write the plain \"-\""},
	{"\xe2\x80\x94", true, "dash", "the word begins with a dash (U+2014)",
	 "write the plain \"-\" or \"--\""},
	{"\xe2\x88\x92", true, "dash",
	 "the word begins with a minus sign (U+2212)", "write the plain \"-\""},
};

static bool remark_look_alike(struct option_word *w)
{
	for (size_t i = 0; i < sizeof(look_alikes) / sizeof(*look_alikes);
	     i++) {
		const struct look_alike *l = &look_alikes[i];

		if (l->at_start ? starts_with(w->value, l->bytes)
				: contains(w->value, l->bytes)) {
			w->id = l->id;
			w->why = l->why;
			w->advice = l->advice;
			return true;
		}
	}
	return false;
}

/* Did a quote open in a value before? Then a space was meant to be in it. */
static bool after_quote(const struct parse *p)
{
	const struct option_word *w =
		(const struct option_word *)utarray_back(p->options);

	return w && w->value && is_quoted(w->value);
}

static bool after_syscall(const struct parse *p)
{
	const struct option_word *w =
		(const struct option_word *)utarray_back(p->options);

	return w && w->option == 'S';
}

static void remark_odd_parameter(const struct parse *p, struct option_word *w)
{
	const char *text = w->value;

	w->id = "parameter";
	if (text[0] == '#') {
		w->id = "comment-after-rule";
		w->why = "a comment cannot follow on the same line";
		w->advice = "put the comment on a line of its own";
	} else if (!strcmp(text, "\r")) {
		w->id = "carriage-return";
		w->why = "a carriage return (CR) is a word of its own here";
		w->advice = "write the file with LF line ends alone";
	} else if (after_quote(p)) {
		w->why = "quotes do not keep words together";
		w->advice = quote_advice;
	} else if (after_syscall(p)) {
		w->why = "the word is neither an option nor the value of one";
		w->advice =
			"join several system calls by commas, without spaces";
	} else {
		w->why = "the word is neither an option nor the value of one";
		w->advice = "remove it, or write the option that it belongs to";
	}
}

static bool is_last_word(const struct parse *p, const struct option_word *w)
{
	const struct source_line *line = &p->input->line[w->at.line];

	for (size_t i = w->at.column - 1 + w->at.length; i < line->length; i++)
		if (line->text[i] != ' ')
			return false;
	return true;
}

/* WHAT was to begin the line, or to follow a space. */
static void remark_tab_before(struct parse *p, struct option_word *w,
			      const char *what)
{
	w->id = "tab";
	w->why =
		arena_printf(p->arena,
			     "a tab stands before %s: auditctl separates words "
			     "by spaces only, and takes both for one word that "
			     "is no option",
			     what);
	w->advice = utarray_len(p->words) == 2
			    ? arena_printf(p->arena,
					   "begin the line with %s, without "
					   "the tab",
					   what)
			    : "write a space instead of the tab";
}

void remark_parameter(struct parse *p, struct option_word *w)
{
	const char *behind = w->value + strspn(w->value, "\t");

	if (*behind == 0) {
		w->id = "tab";
		w->why = "a tab is a word of its own: auditctl separates words "
			 "by spaces only";
		w->advice = utarray_len(p->words) > 2 ? "write a space instead"
			    : is_last_word(p, w)
				    ? "empty the line, or remove it"
				    : "begin the line without the tab";
	} else if (behind > w->value && *behind == '-' &&
		   !contains(behind, "\t")) {
		remark_tab_before(p, w, behind);
	} else if (contains(w->value, "\t")) {
		w->id = "tab";
		w->why = "a tab is part of the word";
		w->advice = tab_advice;
	} else if (!remark_look_alike(w)) {
		remark_odd_parameter(p, w);
	}
}

void remark_word(struct parse *p, const char *text, struct position at)
{
	const struct source_line *line = &p->input->line[at.line];
	const char *raw = line->text + at.column - 1;
	bool control = false, escape = false;

	for (uint32_t i = 0; i < at.length; i++) {
		bool mark = text[i] == ESCAPED_SPACE ||
			    text[i] == ESCAPED_BACKSLASH;

		control = control || (mark && raw[i] == text[i]);
		escape = escape || (mark && raw[i] != text[i]);
	}
	if (parse_in_first_word(p) && escape) {
		struct diagnostic *d =
			diag(p->diag, DIAG_WARNING, "escape-in-first-word", at,
			     "an escape in the first word of a line is never "
			     "undone");

		d->auditctl =
			"auditctl takes it for two control bytes in the word";
		d->advice = "put a space between the option and its value";
	} else if (!parse_in_first_word(p) && control) {
		diag(p->diag, DIAG_WARNING, "escape-byte", at,
		     "a byte 0x07 or 0x04 is taken for an escaped space or "
		     "backslash")
			->auditctl = "auditctl loses the byte behind it, too";
	}
}
