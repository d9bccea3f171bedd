/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "frontend/source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "frontend/augenrules.h"

/* A guard against endless devices and wrong files; the largest rule sets known
 * are a hundred times smaller. */
#define SOURCE_SIZE_MAX ((size_t)64 << 20)

static const struct position nowhere = {.line = DIAG_NO_LINE};

bool source_unreadable(struct diagnostics *all, const char *name, int error)
{
	struct diagnostic *d =
		diag(all, DIAG_FATAL, "unreadable", nowhere,
		     "cannot read %s: %s", name, strerror(error));

	if (error == ENOENT || error == ENOTDIR)
		d->advice = "check the name";
	else if (error == EACCES || error == EPERM)
		d->advice = "run as a user who may read it; audit rules "
			    "usually are root's alone";
	else if (error == EIO)
		d->advice = "the device it lies on has a fault";
	return false;
}

static bool too_large(struct diagnostics *all, const char *name)
{
	struct diagnostic *d =
		diag(all, DIAG_FATAL, "too-large", nowhere,
		     "%s has more than %zu MiB", name, SOURCE_SIZE_MAX >> 20);

	d->advice = "this is hardly a rules file; check the name";
	return false;
}

static size_t add_file(struct arena *arena, struct input *input,
		       const char *name)
{
	const char **file = arena_array(arena, input->files + 1, sizeof(*file));

	if (input->files)
		memcpy(file, input->file, input->files * sizeof(*file));
	file[input->files] = name;
	input->file = file;
	return input->files++;
}

/* Reads to the end; false with errno set, EFBIG for more than the limit. */
static bool read_all(struct arena *arena, int descriptor, size_t expected,
		     struct source_text *text)
{
	size_t room = expected + 1, length = 0;
	char *data = arena_alloc(arena, room);
	ssize_t got;

	while ((got = read(descriptor, data + length, room - length)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return false;
		length += (size_t)got;
		if (length > SOURCE_SIZE_MAX) {
			errno = EFBIG;
			return false;
		}
		if (length == room) {
			char *larger = arena_alloc(arena, 2 * room);

			data = memcpy(larger, data, length);
			room *= 2;
		}
	}
	text->text = data;
	text->length = length;
	return true;
}

bool source_slurp(struct arena *arena, struct input *input,
		  struct source_text *text, const char *name, int descriptor,
		  struct diagnostics *diag)
{
	struct stat st;
	size_t expected = 64 * 1024;
	int error;
	bool good;

	*text = (struct source_text){.name = arena_strdup(arena, name)};
	if (fstat(descriptor, &st) == 0 && S_ISREG(st.st_mode)) {
		if (st.st_size > (off_t)SOURCE_SIZE_MAX) {
			close(descriptor);
			return too_large(diag, name);
		}
		expected = (size_t)st.st_size;
	}
	good = read_all(arena, descriptor, expected, text);
	error = errno;
	if (descriptor != STDIN_FILENO)
		close(descriptor);
	if (!good && error == EFBIG)
		return too_large(diag, name);
	if (!good)
		return source_unreadable(diag, name, error);
	text->file_index = add_file(arena, input, text->name);
	return true;
}

bool source_next_line(struct source_text *text, struct source_line *line,
		      bool *ended)
{
	const char *start = text->text + text->at, *end;

	if (text->at >= text->length)
		return false;
	end = memchr(start, '\n', text->length - text->at);
	*ended = end != NULL;
	if (!end)
		end = text->text + text->length;
	*line = (struct source_line){
		.file = text->name,
		.number = ++text->number,
		.column = 1,
		.text = start,
		.length = (size_t)(end - start),
		.file_index = text->file_index,
		.merged = text->merged,
	};
	text->at += line->length + *ended;
	return true;
}

void input_reserve(struct arena *arena, struct input *input, size_t extra,
		   size_t length)
{
	size_t room = input->count + extra + length / SOURCE_LINE_MAX;
	struct source_line *line = arena_array(arena, room, sizeof(*line));

	if (input->count)
		memcpy(line, input->line, input->count * sizeof(*line));
	input->line = line;
}

static void warn_cut(struct diagnostics *all, uint32_t id)
{
	struct position at = {id, SOURCE_LINE_MAX, 1};
	struct diagnostic *d =
		diag(all, DIAG_WARNING, "line-too-long", at,
		     "the line is longer than %d bytes", SOURCE_LINE_MAX);

	d->auditctl = "auditctl reads the rest as a line of its own";
	d->advice = "make several rules of it";
}

uint32_t input_append(struct input *input, const struct source_line *line,
		      struct diagnostics *diag)
{
	uint32_t first = input->count;
	size_t from = 0;

	do {
		struct source_line *part = &input->line[input->count++];

		*part = *line;
		part->text = line->text + from;
		part->column = line->column + (uint32_t)from;
		part->length = line->length - from;
		if (part->length > SOURCE_LINE_MAX)
			part->length = SOURCE_LINE_MAX;
		from += part->length;
	} while (from < line->length);
	if (input->count - first > 1)
		warn_cut(diag, first);
	return first;
}

/* fileopt() in auditctl.c looks at the file before it reads it. */
static void look_at_file(struct diagnostics *all, const char *name,
			 const struct stat *st)
{
	struct diagnostic *d;

	if (!S_ISREG(st->st_mode)) {
		d = diag(all, DIAG_NOTE, "not-regular", nowhere,
			 "%s is not a regular file", name);
		d->auditctl = "auditctl -R refuses to read it";
		return;
	}
	if (st->st_mode & S_IWOTH) {
		d = diag(all, DIAG_WARNING, "world-writable", nowhere,
			 "everyone may write to %s", name);
		d->auditctl = "auditctl -R refuses to read it, so that no rule "
			      "is loaded";
		d->advice = "chmod o-w takes that right away";
	}
	if (st->st_uid != 0) {
		d = diag(all, DIAG_NOTE, "not-root", nowhere,
			 "%s is not owned by root", name);
		d->auditctl = "auditctl -R before 3.1.2 refuses to read it";
	}
}

static void append_file(struct arena *arena, struct input *input,
			struct source_text *text, struct diagnostics *diag)
{
	struct source_line line;
	size_t lines = 1;
	bool ended;

	for (size_t i = 0; i < text->length; i++)
		lines += text->text[i] == '\n';
	input_reserve(arena, input, lines, text->length);
	while (source_next_line(text, &line, &ended))
		input_append(input, &line, diag);
}

const struct source_line *input_line(const struct input *input, uint32_t id)
{
	if (id < input->count)
		return &input->line[id];
	id -= input->count;
	return id < input->drops ? &input->dropped[id] : NULL;
}

bool input_read(struct arena *arena, struct input *input, const char *path,
		struct diagnostics *diag)
{
	struct source_text text;
	struct stat st;
	int descriptor = STDIN_FILENO;

	if (strcmp(path, "-") != 0) {
		descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
		if (descriptor < 0)
			return source_unreadable(diag, path, errno);
		if (fstat(descriptor, &st) < 0) {
			int error = errno;

			close(descriptor);
			return source_unreadable(diag, path, error);
		}
		if (S_ISDIR(st.st_mode))
			return augenrules_read(arena, input, path, descriptor,
					       diag);
		look_at_file(diag, path, &st);
	}
	if (!source_slurp(arena, input, &text, path, descriptor, diag))
		return false;
	append_file(arena, input, &text, diag);
	return true;
}
