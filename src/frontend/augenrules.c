/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What augenrules (init.d/augenrules.in) makes of a directory: the files one
 * behind the other, as cat does, then its awk program. Lines keep a CR at their
 * end, which augenrules strips since 3.1.1: parse_input() knows the version.
 */
#include "frontend/augenrules.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utarray.h>

static const struct position nowhere = {.line = DIAG_NO_LINE};

/* What the awk program does with a line. */
enum kind {
	KIND_COMMENT,
	KIND_DELETE_ALL, /* -D alone: the last one first */
	KIND_BACKLOG,	 /* -b: the last one second */
	KIND_FAILURE,	 /* -f: the last one third */
	KIND_RULE,	 /* in order */
	KIND_ENABLE,	 /* -e: the last one last */
	KINDS,
};

struct merged_line {
	struct source_line line;
	enum kind kind;
	bool by_awk; /* not every awk finds that kind */
	bool kept;
};

struct merge {
	struct arena *arena;
	struct input *input;
	struct diagnostics *diag;
	UT_array *lines; /* struct merged_line */
	bool open;	 /* the last line has no LF yet */
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The length of NAME without its trailing suffixes such as ".rules". */
static size_t stem_length(const char *name, size_t length)
{
	size_t stem = 0, i = 0;

	while (i < length) {
		stem = ++i;
		while (i + 1 < length && name[i] == '.' &&
		       (is_letter(name[i + 1]) || name[i + 1] == '~'))
			for (i += 2; i < length &&
				     (is_letter(name[i]) || is_digit(name[i]) ||
				      name[i] == '~');)
				i++;
	}
	return stem;
}

/* What a character outside of numbers weighs: ~ before the end, the end (and
 * a number) before letters, all else behind them. */
static int weight(const char *s, size_t length, size_t i)
{
	if (i == length)
		return -1;
	if (is_digit(s[i]))
		return 0;
	if (is_letter(s[i]))
		return (unsigned char)s[i];
	return s[i] == '~' ? -2 : (unsigned char)s[i] + 256;
}

/* Texts by weight, numbers by value, in turns. */
static int compare_parts(const char *a, size_t a_length, const char *b,
			 size_t b_length)
{
	size_t i = 0, j = 0;

	while (i < a_length || j < b_length) {
		int longer = 0;

		while ((i < a_length && !is_digit(a[i])) ||
		       (j < b_length && !is_digit(b[j]))) {
			int diff =
				weight(a, a_length, i) - weight(b, b_length, j);

			if (diff)
				return diff;
			i++;
			j++;
		}
		while (i < a_length && a[i] == '0')
			i++;
		while (j < b_length && b[j] == '0')
			j++;
		for (; i < a_length && j < b_length && is_digit(a[i]) &&
		       is_digit(b[j]);
		     i++, j++)
			if (!longer)
				longer = a[i] - b[j];
		if (i < a_length && is_digit(a[i]))
			return 1;
		if (j < b_length && is_digit(b[j]))
			return -1;
		if (longer)
			return longer;
	}
	return 0;
}

int version_compare(const char *a, const char *b)
{
	size_t a_length = strlen(a), b_length = strlen(b);
	int order = compare_parts(a, stem_length(a, a_length), b,
				  stem_length(b, b_length));

	if (!order)
		order = compare_parts(a, a_length, b, b_length);
	return order ? order : strcmp(a, b);
}

static int by_version(const void *a, const void *b)
{
	return version_compare(*(const char *const *)a,
			       *(const char *const *)b);
}

/* The shell's *.rules: nothing hidden. */
static bool is_rules_name(const char *name)
{
	size_t length = strlen(name), suffix = strlen(".rules");

	return name[0] != '.' && length > suffix &&
	       strcmp(name + length - suffix, ".rules") == 0;
}

/* Fills NAMES in order; closes the descriptor. */
static bool list_directory(struct merge *m, const char *path, int descriptor,
			   UT_array *names)
{
	DIR *dir = fdopendir(descriptor);
	struct dirent *entry;
	int error;

	if (!dir) {
		error = errno;
		close(descriptor);
		return source_unreadable(m->diag, path, error);
	}
	while (errno = 0, (entry = readdir(dir))) {
		if (is_rules_name(entry->d_name)) {
			char *name = arena_strdup(m->arena, entry->d_name);

			utarray_push_back(names, &name);
		}
	}
	error = errno;
	closedir(dir);
	if (error)
		return source_unreadable(m->diag, path, error);
	if (utarray_len(names))
		utarray_sort(names, by_version);
	return true;
}

/* awk's \s. */
static size_t skip_space(const struct source_line *line, size_t at)
{
	while (at < line->length && line->text[at] &&
	       strchr(" \t\n\v\f\r", line->text[at]))
		at++;
	return at;
}

static void classify(struct merged_line *m)
{
	const struct source_line *line = &m->line;
	size_t start = skip_space(line, 0), end = start;
	char first = start < line->length ? line->text[start] : 0;
	char letter = start + 1 < line->length ? line->text[start + 1] : 0;

	m->kind = KIND_RULE;
	m->by_awk = start != 0;
	if (first == '#') {
		m->kind = KIND_COMMENT;
		/* A comment behind spaces is one for auditctl too. */
		m->by_awk = strspn(line->text, " ") < start;
	} else if (first == '-' && letter == 'e') {
		m->kind = KIND_ENABLE;
	} else if (first == '-' && letter == 'f') {
		m->kind = KIND_FAILURE;
	} else if (first == '-' && letter == 'b') {
		m->kind = KIND_BACKLOG;
	} else if (first == '-' && letter == 'D') {
		end = skip_space(line, start + 2);
		if (end == line->length) {
			m->kind = KIND_DELETE_ALL;
			/* A CR is stripped by the newer augenrules. */
			end = start + 2;
			if (end < line->length &&
			    line->text[line->length - 1] == '\r')
				end++;
			m->by_awk = start != 0 || end != line->length;
		}
	}
}

static bool is_comment(const struct source_line *line)
{
	size_t start = skip_space(line, 0);

	return start < line->length && line->text[start] == '#';
}

/* cat puts nothing between two files: a last line without LF runs on. */
static void join(struct merge *m, struct merged_line *last,
		 const struct source_line *next)
{
	struct source_line *line = &last->line;
	size_t length = line->length + next->length;
	char *text = arena_alloc(m->arena, length + 1);
	bool harmless = !line->length || !next->length ||
			(is_comment(line) && is_comment(next));

	memcpy(text, line->text, line->length);
	memcpy(text + line->length, next->text, next->length);
	if (!harmless) {
		struct diagnostic *d = diag(
			m->diag, DIAG_WARNING, "joined-lines", nowhere,
			"%s does not end with a newline: augenrules makes one "
			"line of its line %u and line %u of %s",
			line->file, line->number, next->number, next->file);

		d->advice = "end every file with a newline";
	}
	if (!line->length)
		*line = *next;
	line->text = text;
	line->length = length;
}

static void add_lines(struct merge *m, struct source_text *text)
{
	struct merged_line new = {.kept = false};
	bool ended;

	while (source_next_line(text, &new.line, &ended)) {
		if (m->open)
			join(m, (struct merged_line *)utarray_back(m->lines),
			     &new.line);
		else
			utarray_push_back(m->lines, &new);
		m->open = !ended;
	}
}

/* cat says so on standard error and augenrules goes on without the file. */
static bool skip_file(struct merge *m, const char *name, const char *why)
{
	struct diagnostic *d = diag(m->diag, DIAG_WARNING, "skipped-file",
				    nowhere, "%s %s", name, why);

	d->auditctl = "augenrules goes on without it";
	return true;
}

static bool add_file(struct merge *m, const char *path, const char *name)
{
	const char *slash = path[strlen(path) - 1] == '/' ? "" : "/";
	const char *full = arena_printf(m->arena, "%s%s%s", path, slash, name);
	struct source_text text;
	struct stat st;
	int descriptor;

	if (stat(full, &st) < 0) {
		if (errno == ENOENT)
			return skip_file(m, full, "is a link to nothing");
		if (errno == ELOOP)
			return skip_file(m, full, "is a link in a loop");
		return source_unreadable(m->diag, full, errno);
	}
	if (S_ISDIR(st.st_mode))
		return skip_file(m, full, "is a directory");
	if (!S_ISREG(st.st_mode) && !S_ISCHR(st.st_mode)) {
		diag(m->diag, DIAG_FATAL, "unreadable", nowhere,
		     "%s is not a file: augenrules would hang or fail there",
		     full);
		return false;
	}
	if (st.st_mode & S_IWOTH && S_ISREG(st.st_mode))
		diag(m->diag, DIAG_WARNING, "world-writable", nowhere,
		     "everyone may write to %s", full)
			->advice = "chmod o-w takes that right away";
	if (strpbrk(name, " \t\n"))
		diag(m->diag, DIAG_WARNING, "blank-in-name", nowhere,
		     "the name %s has a blank", full)
			->auditctl = "augenrules before 4.2 cannot read such a "
				     "file and goes on without it";
	descriptor = open(full, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (descriptor < 0)
		return source_unreadable(m->diag, full, errno);
	if (!source_slurp(m->arena, m->input, &text, full, descriptor, m->diag))
		return false;
	text.merged = true;
	add_lines(m, &text);
	return true;
}

static struct merged_line *next_line(const struct merge *m,
				     const struct merged_line *line)
{
	return (struct merged_line *)utarray_next(m->lines, line);
}

/* Marks what is kept: all rules, and the last of each other kind. */
static void choose(struct merge *m, struct merged_line *last[KINDS])
{
	for (struct merged_line *l = NULL; (l = next_line(m, l));) {
		classify(l);
		if (!l->line.length)
			continue;
		l->kept = l->kind == KIND_RULE;
		last[l->kind] = l;
	}
	for (int kind = 0; kind < KINDS; kind++)
		if (last[kind] && kind != KIND_COMMENT && kind != KIND_RULE)
			last[kind]->kept = true;
}

static const char *place(struct merge *m, const struct source_line *line)
{
	return arena_printf(m->arena, "%s:%u", line->file, line->number);
}

/* Tells of lines that a later one of their kind replaces. */
static void tell_replaced(struct merge *m, const struct merged_line *kept,
			  uint32_t id)
{
	struct position at = {id, 1, (uint32_t)kept->line.length};
	const char *places = NULL;
	unsigned int n = 0;
	bool same = true;

	for (struct merged_line *l = NULL; (l = next_line(m, l));) {
		if (l->kind != kept->kind || l == kept || !l->line.length)
			continue;
		same = same && l->line.length == kept->line.length &&
		       !memcmp(l->line.text, kept->line.text, l->line.length);
		if (n < 4)
			places = arena_printf(m->arena, "%s%s%s",
					      n ? places : "", n ? ", " : "",
					      place(m, &l->line));
		n++;
	}
	if (!n)
		return;
	diag(m->diag, same ? DIAG_NOTE : DIAG_WARNING, "replaced-option", at,
	     "augenrules keeps the last of %u such lines alone", n + 1)
		->advice = arena_printf(m->arena, "dropped: %s%s", places,
					n > 4 ? ", ..." : "");
}

/* A \s in a dynamic expression is the letter s for mawk up to 1.3.4. */
static void tell_awk(struct merge *m, const struct merged_line *l, uint32_t id)
{
	struct position at = {id, 1, 1};
	struct diagnostic *d;

	if (!l->by_awk || l->kind == KIND_RULE)
		return;
	d = diag(m->diag, DIAG_WARNING, "awk-differs", at,
		 "blanks here keep some awks from seeing what this line is%s%s",
		 id == DIAG_NO_LINE ? ": " : "",
		 id == DIAG_NO_LINE ? place(m, &l->line) : "");
	if (l->kind == KIND_COMMENT)
		d->auditctl = "with mawk, Debian's awk, the comment stays, and "
			      "auditctl stops at its tab";
	else
		d->auditctl = "with mawk, Debian's awk, augenrules leaves the "
			      "line where it stands";
	d->advice = "begin the line without blanks, and end it without";
}

static void append(struct merge *m, struct merged_line *l)
{
	uint32_t id = input_append(m->input, &l->line, m->diag);

	tell_awk(m, l, id);
	if (l->kind != KIND_RULE)
		tell_replaced(m, l, id);
}

/* Comments may be meant for the reader of the input, too. */
static void keep_dropped(struct merge *m)
{
	struct input *input = m->input;
	struct source_line *all = arena_array(
		m->arena, input->drops + utarray_len(m->lines), sizeof(*all));

	if (input->drops)
		memcpy(all, input->dropped, input->drops * sizeof(*all));
	input->dropped = all;
	for (struct merged_line *l = NULL; (l = next_line(m, l));)
		if (!l->line.length || l->kind == KIND_COMMENT)
			all[input->drops++] = l->line;
}

static void write_lines(struct merge *m)
{
	struct merged_line *last[KINDS] = {NULL};
	size_t length = 0;

	choose(m, last);
	for (struct merged_line *l = NULL; (l = next_line(m, l));) {
		length += l->line.length;
		if (l->kind == KIND_COMMENT)
			tell_awk(m, l, DIAG_NO_LINE);
	}
	keep_dropped(m);
	input_reserve(m->arena, m->input, utarray_len(m->lines), length);
	for (int kind = KIND_DELETE_ALL; kind <= KIND_FAILURE; kind++)
		if (last[kind])
			append(m, last[kind]);
	for (struct merged_line *l = NULL; (l = next_line(m, l));)
		if (l->kept && l->kind == KIND_RULE)
			append(m, l);
	if (last[KIND_ENABLE])
		append(m, last[KIND_ENABLE]);
}

static const UT_icd line_icd = {sizeof(struct merged_line), NULL, NULL, NULL};

bool augenrules_read(struct arena *arena, struct input *input, const char *path,
		     int descriptor, struct diagnostics *diagnostics)
{
	struct merge m = {arena, input, diagnostics, NULL, false};
	UT_array *names;
	bool good;

	utarray_new(names, &ut_ptr_icd);
	utarray_new(m.lines, &line_icd);
	good = list_directory(&m, path, descriptor, names);
	if (good && !utarray_len(names)) {
		struct diagnostic *d =
			diag(m.diag, DIAG_WARNING, "no-rules", nowhere,
			     "%s has no *.rules file", path);

		d->auditctl = "augenrules makes an audit.rules without any "
			      "rule of it";
		d->advice = "check the name";
	}
	for (size_t i = 0; good && i < utarray_len(names); i++)
		good = add_file(
			&m, path,
			*(char **)utarray_eltptr(names, (unsigned int)i));
	if (good)
		write_lines(&m);
	utarray_free(m.lines);
	utarray_free(names);
	return good;
}
