/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Comments in a rules file that take findings back. */
#include <string.h>
#include <utarray.h>

#include "check/catalogue.h"
#include "check/checker.h"

#define MARK "auditopt-check:"

/* One identifier of one comment. */
struct suppression {
	const struct catalogue_row *row;
	const struct source_line *comment;
	uint32_t line; /* its line id */
	size_t column, length; /* of the identifier in it, from 1 */
	size_t file;
	uint32_t first, last; /* lines of that file */
	bool used;
};

/* All lines of the input by file and number, those that a merge drops too. */
struct known_line {
	const struct source_line *line;
	uint32_t id;
};

struct search {
	struct arena *arena;
	struct findings *findings;
	UT_array *places;	/* struct known_line, ordered */
	UT_array *suppressions; /* struct suppression */
};

static const UT_icd known_line_icd = {sizeof(struct known_line), NULL, NULL,
				      NULL};
static const UT_icd suppression_icd = {sizeof(struct suppression), NULL, NULL,
				       NULL};

static int by_file(const void *a, const void *b)
{
	const struct source_line *x = ((const struct known_line *)a)->line;
	const struct source_line *y = ((const struct known_line *)b)->line;

	if (x->file_index != y->file_index)
		return x->file_index < y->file_index ? -1 : 1;
	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return x->column < y->column ? -1 : x->column > y->column;
}

static UT_array *places_of(const struct input *input)
{
	UT_array *places;

	utarray_new(places, &known_line_icd);
	for (uint32_t i = 0; i < input->count; i++) {
		struct known_line p = {&input->line[i], i};

		utarray_push_back(places, &p);
	}
	for (size_t i = 0; i < input->drops; i++) {
		struct known_line p = {&input->dropped[i],
				       input->count + (uint32_t)i};

		utarray_push_back(places, &p);
	}
	if (utarray_len(places))
		utarray_sort(places, by_file);
	return places;
}

static const struct known_line *place_number(const struct search *s,
					     unsigned int i)
{
	return (const struct known_line *)utarray_eltptr(s->places, i);
}

enum kind { LINE_EMPTY, LINE_COMMENT, LINE_COMMAND };

static enum kind kind_of(const struct source_line *line)
{
	size_t at = 0;

	while (at < line->length &&
	       (line->text[at] == ' ' || line->text[at] == '\t' ||
		line->text[at] == '\r'))
		at++;
	if (at == line->length)
		return LINE_EMPTY;
	return line->text[at] == '#' ? LINE_COMMENT : LINE_COMMAND;
}

static bool same_file(const struct source_line *a, const struct source_line *b)
{
	return a->file_index == b->file_index;
}

enum reach { REACH_NEXT, REACH_BLOCK, REACH_FILE };

/* The lines of its file that the comment at place I reaches. */
static void reach(const struct search *s, unsigned int i, enum reach how,
		  struct suppression *made)
{
	const struct source_line *comment = made->comment;
	unsigned int count = utarray_len(s->places);

	made->file = comment->file_index;
	made->first = how == REACH_FILE ? 0 : comment->number;
	made->last = how == REACH_FILE ? UINT32_MAX : comment->number;
	if (how == REACH_FILE)
		return;
	for (i++; i < count; i++) {
		const struct source_line *line = place_number(s, i)->line;
		enum kind kind = kind_of(line);

		if (!same_file(line, comment) ||
		    (how == REACH_BLOCK && kind == LINE_EMPTY))
			return;
		made->last = line->number;
		if (how == REACH_NEXT && kind == LINE_COMMAND)
			return;
	}
}

static struct finding *tell(const struct search *s, enum severity severity,
			    const char *id, const struct suppression *about,
			    const char *what)
{
	struct diagnostic d = {
		.severity = severity,
		.id = id,
		.at = {about->line, (uint32_t)about->column,
		       (uint32_t)about->length},
		.what = what,
		.other = {.line = DIAG_NO_LINE},
	};

	return findings_add(s->arena, s->findings, &d);
}

static void add(const struct search *s, unsigned int i, enum reach how,
		const char *word, size_t length, size_t column)
{
	const struct known_line *place = place_number(s, i);
	const char *id = arena_strndup(s->arena, word, length);
	struct suppression made = {
		.row = catalogue_find(id),
		.comment = place->line,
		.line = place->id,
		.column = column,
		.length = length ? length : 1,
	};
	const char *near;
	struct finding *f;

	reach(s, i, how, &made);
	if (made.row) {
		utarray_push_back(s->suppressions, &made);
		return;
	}
	f = tell(s, DIAG_WARNING, "bad-suppression", &made,
		 arena_printf(s->arena, "\"%s\" is no identifier of a finding",
			      id));
	near = catalogue_nearest(id);
	f->d.advice =
		near ? arena_printf(s->arena, "did you mean \"%s\"?", near)
		     : "auditopt check --explain=list names all";
}

/* What follows the mark at AT of the comment at place I. */
static void read_comment(const struct search *s, unsigned int i, size_t at)
{
	static const struct {
		const char *word;
		enum reach reach;
	} words[] = {{"disable=", REACH_NEXT},
		     {"disable-block=", REACH_BLOCK},
		     {"disable-file=", REACH_FILE}};
	const struct known_line *place = place_number(s, i);
	const struct source_line *line = place->line;
	const char *text = arena_strndup(s->arena, line->text, line->length);
	size_t begin = at + strspn(text + at, " \t");
	struct suppression bad = {.comment = line,
				  .line = place->id,
				  .column = begin + 1,
				  .length = 1};

	for (size_t w = 0; w < sizeof(words) / sizeof(words[0]); w++) {
		size_t length = strlen(words[w].word);

		if (strncmp(text + begin, words[w].word, length) != 0)
			continue;
		for (at = begin + length;; at++) {
			length = strcspn(text + at, ", \t\r");
			add(s, i, words[w].reach, text + at, length, at + 1);
			at += length;
			if (text[at] != ',')
				return;
		}
	}
	bad.length = strcspn(text + begin, " \t\r");
	bad.length += !bad.length;
	tell(s, DIAG_WARNING, "bad-suppression", &bad,
	     "the comment is meant for auditopt check and says nothing that it "
	     "understands")
		->d.advice = "write disable=ID, disable-block=ID or "
			     "disable-file=ID behind " MARK;
}

static void find_suppressions(struct search *s)
{
	for (unsigned int i = 0; i < utarray_len(s->places); i++) {
		const struct source_line *line = place_number(s, i)->line;
		size_t at = 0;

		if (kind_of(line) != LINE_COMMENT)
			continue;
		while (at < line->length && strchr(" \t#", line->text[at]))
			at++;
		if (line->length - at >= strlen(MARK) &&
		    memcmp(line->text + at, MARK, strlen(MARK)) == 0)
			read_comment(s, i, at + strlen(MARK));
	}
}

static bool reaches(const struct suppression *s, const struct diagnostic *d,
		    const struct input *input)
{
	const struct source_line *line;

	if (strcmp(s->row->id, d->id) != 0)
		return false;
	/* Without a place it is of the whole input. */
	if (d->at.line == DIAG_NO_LINE || d->at.line >= input->count)
		return s->last == UINT32_MAX;
	line = &input->line[d->at.line];
	return line->file_index == s->file && line->number >= s->first &&
	       line->number <= s->last;
}

/* All comments that reach it are of use. */
static bool is_suppressed(const struct search *s, const struct diagnostic *d,
			  const struct input *input)
{
	bool found = false;

	for (struct suppression *x = NULL;
	     (x = (struct suppression *)utarray_next(s->suppressions, x));)
		if (reaches(x, d, input))
			found = x->used = true;
	return found;
}

static void tell_unused(const struct search *s)
{
	for (struct suppression *x = NULL;
	     (x = (struct suppression *)utarray_next(s->suppressions, x));)
		/* else the comment may be for another host */
		if (!x->used && !x->row->of_host)
			tell(s, DIAG_NOTE, "unused-suppression", x,
			     arena_printf(s->arena,
					  "there is no finding \"%s\" here to "
					  "disable",
					  x->row->id))
				->d.advice = "take it out of the comment";
}

void findings_suppress(struct arena *arena, struct findings *findings,
		       const struct input *input)
{
	struct search s = {.arena = arena, .findings = findings};
	size_t kept = 0;

	s.places = places_of(input);
	utarray_new(s.suppressions, &suppression_icd);
	find_suppressions(&s);
	for (size_t i = 0; i < findings->count; i++)
		if (!is_suppressed(&s, &findings->item[i].d, input))
			findings->item[kept++] = findings->item[i];
	findings->count = kept;
	tell_unused(&s);
	findings_sort(findings);
	utarray_free(s.suppressions);
	utarray_free(s.places);
}
