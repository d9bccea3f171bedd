/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the forms of output share. For the files of this directory alone. */
#ifndef AUDITOPT_CHECK_OUTPUT_H
#define AUDITOPT_CHECK_OUTPUT_H

#include <jansson.h>

#include "check/check.h"

/* Has AT a line of INPUT? */
bool output_has_line(const struct input *input, struct position at);

/* TEXT as a JSON string; bytes that are none of UTF-8 as printable_text() shows
 * them. */
json_t *output_string(struct arena *arena, const char *text);

/* Where AT begins and ends (behind its last) in the file's line, from 1, in
 * bytes or in characters of UTF-8. */
struct columns {
	uint32_t begin, end;
};
struct columns output_columns(const struct input *input, struct position at,
			      bool characters);

/* What finds a finding again after lines were added before it: hexadecimal,
 * from its id, the name of its file as given, and its line; a number behind it
 * tells those apart that are else alike. One a finding, in their order. */
const char *const *output_fingerprints(struct arena *arena,
				       const struct findings *findings,
				       const struct input *input);

/* Writes ROOT to STREAM, and frees it. */
bool output_write(json_t *root, FILE *stream);

#endif
