/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/read.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "profile/reader.h"

/* The largest profiles are traces with a table at their end. */
#define SIZE_AT_MOST ((size_t)16 << 20)
#define LINES_AT_MOST ((size_t)1 << 20)
/* Warnings that are told. */
#define WARNINGS_AT_MOST 10

static const struct position nowhere = {.line = DIAG_NO_LINE};

/* Words and numbers. */

struct word reader_part(const struct reader *reader, uint32_t line, size_t from,
			size_t length)
{
	const char *text = reader->input->line[line].text + from;

	return (struct word){.text = arena_strndup(reader->arena, text, length),
			     .at = {line, (uint32_t)from + 1,
				    length ? (uint32_t)length : 1}};
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

struct words reader_words(const struct reader *reader, uint32_t line,
			  bool comments)
{
	const struct source_line *l = &reader->input->line[line];
	struct words words = {.count = 0};

	for (size_t i = 0; i < l->length;) {
		size_t from = i;

		if (is_blank(l->text[i])) {
			i++;
			continue;
		}
		if (comments && l->text[i] == '#')
			break;
		while (i < l->length && !is_blank(l->text[i]))
			i++;
		if (words.count < WORDS_AT_MOST)
			words.item[words.count] =
				reader_part(reader, line, from, i - from);
		words.count++;
	}
	return words;
}

bool reader_number(const char *text, uint64_t *number)
{
	uint64_t n = 0;

	if (!*text)
		return false;
	for (; *text >= '0' && *text <= '9'; text++)
		n = n < COUNT_AT_MOST ? n * 10 + (uint64_t)(*text - '0') : n;
	*number = n < COUNT_AT_MOST ? n : COUNT_AT_MOST;
	return *text == '\0';
}

/* Warnings. */

struct diagnostic *reader_warn(struct reader *reader, const char *id,
			       struct position at, const char *format, ...)
{
	const char *text;
	va_list args;

	if (++reader->warnings > WARNINGS_AT_MOST)
		return NULL;
	va_start(args, format);
	text = arena_vprintf(reader->arena, format, args);
	va_end(args);
	return diag(reader->diagnostics, DIAG_WARNING, id, at, "%s", text);
}

/* Calls. */

static bool is_machine(const struct abi_info *info, const char *text,
		       size_t length)
{
	return (info->bits && strlen(info->bits) == length &&
		strncmp(info->bits, text, length) == 0) ||
	       (strlen(info->name) == length &&
		strncmp(info->name, text, length) == 0);
}

/* Calls of an ABI that rules are not made for. */
static bool is_left_out(const char *name)
{
	return strncmp(name, "b32:", 4) == 0 || strncmp(name, "b64:", 4) == 0;
}

/* Takes "b32:" or "i386:" off NAME; NULL if there is no such ABI. */
static const char *without_abi(const struct target *target, const char *name,
			       enum abi *abi)
{
	const char *colon = strchr(name, ':');

	if (!colon || name[0] == '[')
		return name;
	for (int a = 0; a < ABI_COUNT; a++)
		if (target_has_abi(target, (enum abi)a) &&
		    is_machine(&target->abi[a], name, (size_t)(colon - name))) {
			*abi = (enum abi)a;
			return colon + 1;
		}
	return NULL;
}

/* How tools write a number that they have no name for. */
static bool is_bare_number(const char *name, long *number)
{
	static const char *const before[] = {"", "syscall_", "[unknown: "};
	char *end;

	for (unsigned int i = 0; i < 3; i++) {
		size_t length = strlen(before[i]);

		if (strncmp(name, before[i], length) != 0 ||
		    name[length] < '0' || name[length] > '9')
			continue;
		*number = strtol(name + length, &end, 0);
		return strcmp(end, i == 2 ? "]" : "") == 0;
	}
	return false;
}

int reader_call(const struct reader *reader, const char *name, enum abi *abi)
{
	const char *call = without_abi(reader->target, name, abi);
	long number;

	if (!call)
		return is_left_out(name) ? -2 : -1;
	if (is_bare_number(call, &number))
		return number < SYSCALL_MASK_CALLS ? (int)number : -2;
	return counts_number(reader->target, *abi, call);
}

struct known_calls {
	const struct target *target;
	enum abi abi;
};

/* Called with 0, 1, ...: those without a name stand for themselves by one that
 * is near to nothing. */
static const char *candidate(size_t i, void *data)
{
	const struct known_calls *known = data;
	const char *name;

	if (i >= SYSCALL_MASK_CALLS)
		return NULL;
	name = target_call_name(known->target, known->abi, (int)i);
	return name ? name : "";
}

static void unknown_call(struct reader *reader, struct word name, enum abi abi)
{
	struct known_calls known = {reader->target, abi};
	const char *word = without_abi(reader->target, name.text, &known.abi);
	struct diagnostic *d;
	const char *near;

	if (!word) {
		d = reader_warn(reader, "unknown-abi", name.at,
				"'%s': %s has no ABI of that name", name.text,
				reader->target->name);
		if (d)
			d->advice = "the row is left out; prefixes are such as "
				    "b32: and b64:";
		return;
	}
	d = reader_warn(reader, "unknown-syscall", name.at,
			"%s has no system call '%s'",
			reader->target->abi[known.abi].name, word);
	if (!d)
		return;
	near = nearest_name(word, candidate, &known);
	d->advice = near ? arena_printf(reader->arena,
					"the row is left out; did you mean "
					"'%s'?",
					near)
			 : "the row is left out";
}

void reader_add(struct reader *reader, struct word name, enum abi abi,
		struct call_count row)
{
	int number = reader_call(reader, name.text, &abi);

	if (number >= 0)
		counts_add(reader->counts, abi, number, row);
	else if (number == -1)
		unknown_call(reader, name, abi);
}

/* The file. */

static struct diagnostic *unreadable(struct diagnostics *diagnostics,
				     const char *path, int error)
{
	struct diagnostic *d =
		diag(diagnostics, DIAG_FATAL, "unreadable-profile", nowhere,
		     "cannot read the profile %s: %s", path, strerror(error));

	if (error == ENOENT)
		d->advice = "check the name";
	if (error == EFBIG)
		d->advice =
			"a profile has at most 16 MiB and 1048576 lines; of "
			"a trace with a table, give the table";
	return d;
}

/* All of STREAM, *SIZE bytes and a NUL, from malloc(); NULL with errno set. */
static char *read_all(FILE *stream, size_t *size)
{
	size_t room = 64 * 1024;
	char *text = NULL, *larger;

	*size = 0;
	while ((larger = realloc(text, room))) {
		text = larger;
		*size += fread(text + *size, 1, room - 1 - *size, stream);
		text[*size] = '\0';
		if (*size < room - 1 && !ferror(stream))
			return text;
		if (ferror(stream))
			break;
		if (*size > SIZE_AT_MOST) {
			errno = EFBIG;
			break;
		}
		room *= 2;
	}
	free(text);
	return NULL;
}

static size_t count_lines(const char *text, size_t size)
{
	const char *end = text + size;
	size_t lines = 0;

	for (; text < end; lines++) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));

		text = newline ? newline + 1 : end;
	}
	return lines;
}

/* Makes lines of the SIZE bytes at TEXT, of which they are parts that end with
 * NUL. */
static void split(struct input *input, const char *path, char *text,
		  size_t size)
{
	char *end = text + size;

	while (text < end) {
		char *newline = memchr(text, '\n', (size_t)(end - text));
		char *stop = newline ? newline : end;

		*stop = '\0';
		input->line[input->count] =
			(struct source_line){.file = path,
					     .number = input->count + 1,
					     .column = 1,
					     .text = text,
					     .length = (size_t)(stop - text)};
		input->count++;
		text = newline ? newline + 1 : end;
	}
}

/* The lines of STREAM; false with errno set. */
static bool take_lines(struct arena *arena, struct input *input,
		       const char *path, FILE *stream)
{
	size_t size, lines;
	char *text = read_all(stream, &size);

	if (!text)
		return false;
	lines = count_lines(text, size);
	if (size > SIZE_AT_MOST || lines > LINES_AT_MOST) {
		free(text);
		errno = EFBIG;
		return false;
	}
	input->line = arena_array(arena, lines, sizeof(*input->line));
	split(input, path, arena_strndup(arena, text, size), size);
	free(text);
	return true;
}

static bool read_lines(struct arena *arena, struct input *input,
		       const char *path, struct diagnostics *diagnostics)
{
	FILE *stream = fopen(path, "re");
	struct stat st;
	bool good;
	int error;

	if (!stream) {
		unreadable(diagnostics, path, errno);
		return false;
	}
	if (fstat(fileno(stream), &st) == 0 && S_ISDIR(st.st_mode)) {
		fclose(stream);
		unreadable(diagnostics, path, EISDIR);
		return false;
	}
	good = take_lines(arena, input, path, stream);
	error = errno;
	fclose(stream);
	if (!good)
		unreadable(diagnostics, path, error);
	return good;
}

static const char *read_some_format(struct reader *reader)
{
	static const char *(*const formats[])(struct reader *) = {
		read_strace, read_perf, read_syscount, read_bpftrace,
		read_columns};
	const char *kind = NULL;

	for (unsigned int i = 0; !kind && i < 5; i++)
		kind = formats[i](reader);
	return kind;
}

static void nothing_of_use(const struct reader *reader, const char *path,
			   const char *kind)
{
	struct diagnostic *d = diag(
		reader->diagnostics, DIAG_FATAL, "no-profile", nowhere,
		"%s, read as %s, has no row that counts a system call of %s",
		path, kind, reader->target->name);

	d->advice = "a profile is what strace -c, perf trace -s, syscount or a "
		    "bpftrace map prints, or rows such as 'read 12345' "
		    "(auditopt.profile(5))";
}

struct profile *profile_read(struct arena *arena, const struct target *target,
			     const char *path, struct input *input,
			     struct diagnostics *diagnostics)
{
	struct reader reader = {.arena = arena,
				.target = target,
				.input = input,
				.diagnostics = diagnostics,
				.counts = counts_new(arena, target)};
	struct profile *profile;
	const char *kind;

	if (!read_lines(arena, input, path, diagnostics))
		return NULL;
	kind = read_some_format(&reader);
	if (reader.warnings > WARNINGS_AT_MOST)
		diag(diagnostics, DIAG_WARNING, "more-rows", nowhere,
		     "%zu more rows of %s are left out",
		     reader.warnings - WARNINGS_AT_MOST, path);
	if (!counts_any(reader.counts, ABI_NATIVE) &&
	    !counts_any(reader.counts, ABI_COMPAT)) {
		nothing_of_use(&reader, path, kind);
		return NULL;
	}
	profile = counts_profile(arena, reader.counts,
				 profile_default(arena, target));
	profile->name = path;
	profile->kind = kind;
	return profile;
}
