/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The findings as JSON; man/auditopt-check.8 describes it. */
#include "check/output.h"

#define FORMAT_VERSION 1

static json_t *place(struct arena *arena, const struct input *input,
		     struct position at, const char *message)
{
	const struct source_line *line = input_line(input, at.line);
	const struct columns columns = output_columns(input, at, false);
	json_t *object = json_object();

	json_object_set_new(object, "file", output_string(arena, line->file));
	json_object_set_new(object, "line", json_integer(line->number));
	json_object_set_new(object, "column", json_integer(columns.begin));
	json_object_set_new(object, "end_column", json_integer(columns.end));
	if (message)
		json_object_set_new(object, "message",
				    output_string(arena, message));
	return object;
}

static json_t *related(struct arena *arena, const struct input *input,
		       const struct diagnostic *d)
{
	json_t *array = json_array();

	if (output_has_line(input, d->other))
		json_array_append_new(array, place(arena, input, d->other,
						   d->other_what ? d->other_what
								 : "see here"));
	for (size_t i = 0; i < d->mores; i++)
		if (output_has_line(input, d->more[i]))
			json_array_append_new(
				array, place(arena, input, d->more[i], NULL));
	return array;
}

static json_t *finding(struct arena *arena, const struct input *input,
		       const struct diagnostic *d, const char *fingerprint)
{
	json_t *object = json_object();

	json_object_set_new(object, "id", json_string(d->id));
	json_object_set_new(object, "severity",
			    json_string(severity_name(d->severity)));
	json_object_set_new(object, "message", output_string(arena, d->what));
	if (output_has_line(input, d->at)) {
		json_t *at = place(arena, input, d->at, NULL);

		json_object_update(object, at);
		json_decref(at);
	}
	if (d->auditctl)
		json_object_set_new(object, "why",
				    output_string(arena, d->auditctl));
	if (d->advice)
		json_object_set_new(object, "advice",
				    output_string(arena, d->advice));
	json_object_set_new(object, "stops_load", json_boolean(d->stops));
	if (d->stops && output_has_line(input, d->at))
		json_object_set_new(
			object, "lines_not_loaded",
			json_integer((json_int_t)diagnostic_lines_after(
				input, d->at.line)));
	json_object_set_new(object, "related", related(arena, input, d));
	json_object_set_new(object, "fingerprint", json_string(fingerprint));
	return object;
}

static json_t *counts(const struct findings *findings)
{
	json_t *object = json_object();

	for (int severity = DIAG_NOTE; severity <= DIAG_ERROR; severity++)
		json_object_set_new(
			object, severity_name((enum severity)severity),
			json_integer((json_int_t)findings_count(
				findings, (enum severity)severity)));
	return object;
}

bool findings_json(struct arena *arena, const struct findings *findings,
		   const struct input *input, FILE *stream)
{
	const char *const *print = output_fingerprints(arena, findings, input);
	json_t *root = json_object(), *array = json_array();

	for (size_t i = 0; i < findings->count; i++)
		json_array_append_new(
			array,
			finding(arena, input, &findings->item[i].d, print[i]));
	json_object_set_new(root, "format", json_string("auditopt-check"));
	json_object_set_new(root, "version", json_integer(FORMAT_VERSION));
	json_object_set_new(root, "counts", counts(findings));
	json_object_set_new(root, "findings", array);
	return output_write(root, stream);
}
