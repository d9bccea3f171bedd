/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * auditopt dump FILE...: what auditctl would send, as JSON; the schema is in
 * man/auditopt-dump.8. Written action by action: a rule's mask and bytes are large.
 */
#include <jansson.h>
#include <linux/audit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "util/json_text.h"

static const char *list_name(uint32_t filter)
{
	const char *name = rule_list_name(filter);

	return name ? name : "unknown";
}

static const char *action_name(uint32_t action)
{
	return action == AUDIT_ALWAYS  ? "always"
	       : action == AUDIT_NEVER ? "never"
				       : "possible";
}

/* Keys are joined by AUDIT_KEY_SEPARATOR, which is \001. */
static json_t *json_keys(struct arena *arena, const char *text, size_t length)
{
	json_t *keys = json_array();

	for (size_t at = 0; at <= length;) {
		const char *end = memchr(text + at, 1, length - at);
		size_t part = end ? (size_t)(end - text) - at : length - at;

		json_array_append_new(keys, json_text(arena, text + at, part));
		at += part + 1;
	}
	return keys;
}

static json_t *json_field(struct arena *arena,
			  const struct audit_rule_data *wire, uint32_t i,
			  const char *string)
{
	const struct field_info *info = field_by_number(wire->fields[i]);
	enum field_op op =
		field_op_from_audit(wire->fieldflags[i] & AUDIT_OPERATORS);
	json_t *field = json_object();

	json_object_set_new(field, "name",
			    json_string(info ? info->name : "unknown"));
	json_object_set_new(field, "number",
			    json_integer((json_int_t)wire->fields[i]));
	json_object_set_new(field, "operator",
			    json_string(op ? field_op_symbol(op) : "unknown"));
	json_object_set_new(field, "value",
			    json_integer((json_int_t)wire->values[i]));
	json_object_set_new(field, "string",
			    string ? json_text(arena, string, wire->values[i])
				   : json_null());
	return field;
}

/* The fields with their strings, which stand in buf one behind the other. */
static void set_fields(struct arena *arena, json_t *json,
		       const struct audit_rule_data *wire)
{
	json_t *fields = json_array(), *keys = NULL;
	size_t at = 0;

	for (uint32_t i = 0; i < wire->field_count && i < AUDIT_MAX_FIELDS;
	     i++) {
		const struct field_info *info =
			field_by_number(wire->fields[i]);
		const char *string = NULL;

		if (info && info->is_string &&
		    wire->values[i] <= wire->buflen - at) {
			string = wire->buf + at;
			at += wire->values[i];
		}
		if (string && info->kind == FIELD_KEY && !keys)
			keys = json_keys(arena, string, wire->values[i]);
		json_array_append_new(fields,
				      json_field(arena, wire, i, string));
	}
	json_object_set_new(json, "keys", keys ? keys : json_array());
	json_object_set_new(json, "fields", fields);
}

static json_t *json_mask(const struct audit_rule_data *wire)
{
	json_t *mask = json_array();
	char word[9];

	for (int i = 0; i < AUDIT_BITMASK_SIZE; i++) {
		snprintf(word, sizeof(word), "%08x", wire->mask[i]);
		json_array_append_new(mask, json_string(word));
	}
	return mask;
}

static json_t *json_wire(struct arena *arena, const void *bytes, size_t size)
{
	static const char digit[] = "0123456789abcdef";
	const unsigned char *byte = bytes;
	char *hex = arena_alloc(arena, 2 * size + 1);

	for (size_t i = 0; i < size; i++) {
		hex[2 * i] = digit[byte[i] >> 4];
		hex[2 * i + 1] = digit[byte[i] & 15];
	}
	return json_stringn(hex, 2 * size);
}

static void set_rule(struct arena *arena, json_t *json,
		     const struct audit_action *action)
{
	const struct audit_rule_data *wire = action->wire;

	json_object_set_new(json, "form",
			    json_string(action->watch_form ? "watch" : "rule"));
	json_object_set_new(
		json, "list",
		json_string(list_name(wire->flags &
				      ~(uint32_t)AUDIT_FILTER_PREPEND)));
	json_object_set_new(json, "action",
			    json_string(action_name(wire->action)));
	json_object_set_new(
		json, "prepend",
		json_boolean((wire->flags & AUDIT_FILTER_PREPEND) != 0));
	json_object_set_new(json, "unsettled", json_boolean(action->unsettled));
	set_fields(arena, json, wire);
	json_object_set_new(json, "mask", json_mask(wire));
	json_object_set_new(json, "wire",
			    json_wire(arena, wire, action->wire_size));
}

/* What an action is called, and what it carries. */
static const struct {
	const char *kind;
	enum {
		CARRIES_NOTHING,
		CARRIES_RULE,
		CARRIES_NUMBER,
		CARRIES_TEXT
	} carries;
} action_kinds[] = {
	[DO_ADD_RULE] = {"add", CARRIES_RULE},
	[DO_DELETE_RULE] = {"delete", CARRIES_RULE},
	[DO_DELETE_ALL] = {"delete-all", CARRIES_TEXT},
	[DO_ENABLE] = {"enable", CARRIES_NUMBER},
	[DO_FAILURE] = {"failure", CARRIES_NUMBER},
	[DO_RATE] = {"rate", CARRIES_NUMBER},
	[DO_BACKLOG] = {"backlog", CARRIES_NUMBER},
	[DO_BACKLOG_WAIT_TIME] = {"backlog-wait-time", CARRIES_NUMBER},
	[DO_LOGINUID_IMMUTABLE] = {"loginuid-immutable", CARRIES_NOTHING},
	[DO_RESET_LOST] = {"reset-lost", CARRIES_NOTHING},
	[DO_RESET_BACKLOG_WAIT_TIME_ACTUAL] = {"reset-backlog-wait-time-actual",
					       CARRIES_NOTHING},
	[DO_CONTINUE] = {"continue", CARRIES_NOTHING},
	[DO_IGNORE] = {"ignore", CARRIES_NOTHING},
	[DO_EQUIVALENT] = {"equivalent", CARRIES_TEXT},
	[DO_TRIM] = {"trim", CARRIES_NOTHING},
	[DO_MESSAGE] = {"message", CARRIES_TEXT},
	[DO_SIGNAL] = {"signal", CARRIES_TEXT},
	[DO_SHOW] = {"show", CARRIES_NOTHING},
};

static json_t *json_action(struct arena *arena, const struct input *input,
			   const struct audit_action *action)
{
	const struct source_line *line = &input->line[action->line];
	json_t *json = json_object();

	json_object_set_new(json, "kind",
			    json_string(action_kinds[action->kind].kind));
	json_object_set_new(json, "file",
			    json_text(arena, line->file, strlen(line->file)));
	json_object_set_new(json, "line",
			    json_integer((json_int_t)line->number));
	switch (action_kinds[action->kind].carries) {
	case CARRIES_RULE:
		set_rule(arena, json, action);
		break;
	case CARRIES_NUMBER:
		json_object_set_new(json, "number",
				    json_integer((json_int_t)action->number));
		break;
	case CARRIES_TEXT:
		json_object_set_new(json, "text",
				    action->text
					    ? json_text(arena, action->text,
							strlen(action->text))
					    : json_null());
		break;
	case CARRIES_NOTHING:
		break;
	}
	return json;
}

/* PROGRESS is told how far it is. */
static bool dump_actions(struct arena *arena, const struct cli_input *in,
			 const struct compile_options *compile,
			 struct progress *progress, FILE *stream)
{
	bool good = true;

	fprintf(stream,
		"{\"format\": \"auditopt-dump\", \"version\": 1, \"target\": "
		"\"%s\", \"auditctl\": \"%s\",\n"
		"\"actions\": [",
		compile->target->name,
		auditctl_version_text(arena, compile->auditctl_version));
	for (size_t i = 0; i < in->actions.count && good; i++) {
		struct arena *scratch = arena_new();
		json_t *json =
			json_action(scratch, &in->input, &in->actions.item[i]);

		progress_step(progress, "writing, command", i + 1,
			      in->actions.count);
		fputs(i ? ",\n" : "\n", stream);
		good = json_dumpf(json, stream, JSON_ENSURE_ASCII) == 0;
		json_decref(json);
		arena_free(scratch);
	}
	fputs("\n]}\n", stream);
	progress_clear(progress);
	return good;
}

static enum exit_status dump(struct cli_input *in,
			     const struct cli_options *options)
{
	const struct compile_options *compile = &options->common.compile;
	const char *output = options->common.output;
	struct cli_text text;
	bool good;

	if (!output || strcmp(output, "-") == 0) {
		(void)dump_actions(in->arena, in, compile,
				   isatty(STDOUT_FILENO) ? NULL
							 : compile->progress,
				   stdout);
		return cli_close_stdout();
	}
	cli_text_open(&text, NULL, NULL);
	good = text.stream && dump_actions(in->arena, in, compile,
					   compile->progress, text.stream);
	return cli_text_write(&text, good, output,
			      "the dump could not be made");
}

static int dump_main(int argc, char **argv)
{
	struct cli_options options;
	struct cli_input in;
	int status = cli_parse(&options, CLI_DUMP, argc, argv);

	if (status >= 0)
		return status;
	status = (int)cli_load(&in, &options.common, options.operand,
			       options.operands);
	if (status == STATUS_GOOD)
		status = (int)dump(&in, &options);
	arena_free(in.arena);
	return status;
}

static const char help[] =
#include "cli/help/dump.inc"
	;

const struct cli_subcommand cli_dump = {
	.bit = CLI_DUMP,
	.word = "dump",
	.title = "auditopt dump",
	.operands = "[OPTIONS] [FILE|DIR|-]...",
	.summary = "print the compiled rules as JSON",
	.help = help,
	.run = dump_main,
};
