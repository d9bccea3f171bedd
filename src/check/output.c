/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "check/output.h"

#include <inttypes.h>
#include <string.h>
#include <uthash.h>

#include "util/printable.h"

bool output_has_line(const struct input *input, struct position at)
{
	return input_line(input, at.line) != NULL;
}

json_t *output_string(struct arena *arena, const char *text)
{
	return json_string(printable_text(arena, text, strlen(text)));
}

/* Characters in front of byte END of TEXT; a byte that is none of UTF-8 counts
 * as one. */
static uint32_t characters_before(const char *text, size_t length, size_t end)
{
	uint32_t n = 0;

	for (size_t i = 0; i < end && i < length; i++)
		n += ((unsigned char)text[i] & 0xc0) != 0x80;
	return n + (uint32_t)(end > length ? end - length : 0);
}

struct columns output_columns(const struct input *input, struct position at,
			      bool characters)
{
	const struct source_line *line = input_line(input, at.line);
	uint32_t begin = at.column ? at.column - 1 : 0;
	uint32_t end = begin + (at.length ? at.length : 1);

	if (characters) {
		begin = characters_before(line->text, line->length, begin);
		end = characters_before(line->text, line->length, end);
	}
	return (struct columns){line->column + begin, line->column + end};
}

static uint64_t mix(uint64_t hash, const char *data, size_t size)
{
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ (unsigned char)data[i]) *
		       UINT64_C(0x100000001b3);
	return (hash ^ 0x1f) * UINT64_C(0x100000001b3);
}

static uint64_t hash_of(const struct diagnostic *d, const struct input *input)
{
	uint64_t hash = mix(UINT64_C(0xcbf29ce484222325), d->id, strlen(d->id));
	const struct source_line *line;

	if (!output_has_line(input, d->at))
		return mix(hash, d->what, strlen(d->what));
	line = input_line(input, d->at.line);
	hash = mix(hash, line->file, strlen(line->file));
	return mix(hash, line->text, line->length);
}

/* How often a hash was seen. */
struct seen {
	uint64_t hash;
	unsigned int times;
	UT_hash_handle hh;
};

const char *const *output_fingerprints(struct arena *arena,
				       const struct findings *findings,
				       const struct input *input)
{
	const char **print =
		arena_array(arena, findings->count, sizeof(*print));
	struct seen *all = NULL, *seen;

	for (size_t i = 0; i < findings->count; i++) {
		uint64_t hash = hash_of(&findings->item[i].d, input);

		HASH_FIND(hh, all, &hash, sizeof(hash), seen);
		if (!seen) {
			seen = arena_alloc(arena, sizeof(*seen));
			seen->hash = hash;
			HASH_ADD(hh, all, hash, sizeof(seen->hash), seen);
		}
		print[i] = arena_printf(arena, "%016" PRIx64 ":%u", hash,
					++seen->times);
	}
	HASH_CLEAR(hh, all);
	return print;
}

bool output_write(json_t *root, FILE *stream)
{
	bool good = root && json_dumpf(root, stream,
				       JSON_INDENT(2) | JSON_ENSURE_ASCII) == 0;

	json_decref(root);
	return good && fputc('\n', stream) != EOF;
}

void findings_text(struct arena *arena, const struct findings *findings,
		   const struct input *input, FILE *stream, bool colour)
{
	struct diagnostics *all = diagnostics_new(arena);

	for (size_t i = 0; i < findings->count; i++)
		diagnostics_add(all, &findings->item[i].d);
	diagnostics_print(all, input, DIAG_NOTE, stream, colour);
}
