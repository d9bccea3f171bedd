/* SPDX-License-Identifier: GPL-2.0-or-later */
/* print_rule() of auditctl-listing.c, read backwards. */
#include "frontend/listing_line.h"

#include <libaudit.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/lookup.h"
#include "model/field.h"

/* A rule has no more than AUDIT_MAX_FIELDS fields, one of them the key, which may
 * be many. */
#define PARTS_AT_MOST (2 * AUDIT_MAX_FIELDS + AUDIT_MAX_KEY_LEN)

/* " -F auid>=1000" and the like. */
struct part {
	char option;
	const char *value;
	/* of -F */
	int field;	/* AUDIT_*; -1: unknown */
	const char *op; /* in VALUE */
};

struct scanning {
	struct arena *arena;
	struct listing_state *state;
	struct listing_line *read;
	const char *head; /* "-a always,exit" */
	struct part part[PARTS_AT_MOST];
	int parts;
};

/* The next " -X " in TEXT, X one of LETTERS; else TEXT's end. */
static const char *next_option(const char *text, const char *letters)
{
	for (; *text; text++)
		if (text[0] == ' ' && text[1] == '-' && text[2] &&
		    strchr(letters, text[2]) && text[3] == ' ')
			break;
	return text;
}

/* A part from " -X VALUE" at TEXT; where it ends. NULL: there is none. */
static const char *take_part(struct scanning *s, const char *text,
			     const char *letters)
{
	const char *end;
	struct part *part = &s->part[s->parts];

	if (next_option(text, letters) != text || s->parts == PARTS_AT_MOST)
		return NULL;
	end = next_option(text + 4, letters);
	*part = (struct part){
		.option = text[2],
		.value = arena_strndup(s->arena, text + 4,
				       (size_t)(end - text - 4)),
		.field = -1,
	};
	s->parts++;
	return *part->value ? end : NULL;
}

/* Text as one word of a rules file (preprocess() in auditctl). */
static const char *escaped(struct arena *arena, const char *text)
{
	char *word = arena_alloc(arena, 2 * strlen(text) + 1), *to = word;

	for (; *text; text++) {
		if (*text == ' ' || *text == '\\')
			*to++ = '\\';
		*to++ = *text;
	}
	*to = '\0';
	return word;
}

static bool has_string(int field)
{
	const struct field_info *info =
		field < 0 ? NULL : field_by_number((uint32_t)field);

	return info && info->is_string;
}

/* A part of -F: NAME OP VALUE. A number has no space in it, and a string nothing
 * that looks like another option. */
static bool split_field(struct scanning *s, struct part *part)
{
	size_t name = strcspn(part->value, "=!<>&");

	part->op = part->value + name;
	part->field =
		audit_name_to_field(arena_strndup(s->arena, part->value, name));
	if (!name || !*part->op || part->field < 0)
		return false;
	if (!strchr(part->value, ' '))
		return true;
	return has_string(part->field) &&
	       !*next_option(part->value, "acCdDefFhiklmpqrRsStvwW");
}

static const char *value_of(const struct part *part)
{
	return part->op + strspn(part->op, "=!<>&");
}

/* The machine's calls that names stand for from here on (print_arch). */
static void note_arch(struct scanning *s, const char *name)
{
	const struct target *target = s->state->target;

	s->state->abi = -1;
	for (int abi = 0; abi < ABI_COUNT; abi++) {
		const struct abi_info *info = &target->abi[abi];

		if (!target_has_abi(target, (enum abi)abi))
			continue;
		if ((info->bits && !strcmp(name, info->bits)) ||
		    !strcmp(name, info->name))
			s->state->abi = abi;
	}
}

/* The number of the call that is written NAME; -1: NAME is read as it is.
 * FOREIGN: names are of another machine than the rule would be read with. */
static int number_of(const struct scanning *s, const char *name, bool foreign)
{
	int abi = s->state->abi;
	int number = abi < 0 ? -1
			     : target_call_number(s->state->target,
						  (enum abi)abi, name);

	if (number < 0) /* a newer auditctl has printed it */
		return lookup_young_call(name);
	return foreign ? number : -1;
}

static const char *calls_text(struct scanning *s, const char *calls,
			      bool foreign)
{
	const char *text = "";

	while (*calls) {
		size_t length = strcspn(calls, ",");
		const char *name = arena_strndup(s->arena, calls, length);
		int number = number_of(s, name, foreign);

		text = number < 0 ? arena_printf(s->arena, "%s%s%s", text,
						 *text ? "," : "", name)
				  : arena_printf(s->arena, "%s%s%d", text,
						 *text ? "," : "", number);
		calls += length + (calls[length] == ',');
	}
	return text;
}

static bool is_number(const char *text)
{
	text += *text == '-';
	return *text && strspn(text, "0123456789") == strlen(text);
}

/* The value as auditctl reads it, where that is not what it prints. */
static const char *field_text(struct scanning *s, const struct part *part)
{
	const char *value = value_of(part), *name = NULL;
	int op_end = (int)(value - part->value);

	if (has_string(part->field)) {
		s->read->differs |= strchr(value, ' ') != NULL;
		return escaped(s->arena, part->value);
	}
	if (!is_number(value))
		return part->value;
	switch (part->field) {
	case AUDIT_FILETYPE:
		name = audit_ftype_to_name(atoi(value));
		break;
	case AUDIT_EXIT:
	case AUDIT_LOGINUID:
	case AUDIT_SESSIONID:
		break;
	default:
		if (*value == '-')
			name = arena_printf(s->arena, "%u",
					    (uint32_t)strtol(value, NULL, 10));
		break;
	}
	if (!name)
		return part->value;
	s->read->differs = true;
	return arena_printf(s->arena, "%.*s%s", op_end, part->value, name);
}

/* Do they stand as print_rule() puts them: arch, -S, the others? */
static bool in_order(struct scanning *s, bool wants_calls)
{
	int calls = 0, others = 0;

	for (int i = 0; i < s->parts; i++) {
		struct part *part = &s->part[i];

		if (part->option == 'S') {
			if (calls++ || others || strchr(part->value, ' '))
				return false;
			continue;
		}
		if (part->option == 'C') {
			others++;
			if (strchr(part->value, ' '))
				return false;
			continue;
		}
		if (!split_field(s, part))
			return false;
		if (part->field != AUDIT_ARCH)
			others++;
		else if (calls || others)
			return false;
	}
	return calls == wants_calls;
}

static int count_field(const struct scanning *s, int field)
{
	int count = 0;

	for (int i = 0; i < s->parts; i++)
		count += s->part[i].option == 'F' && s->part[i].field == field;
	return count;
}

static const char *append(struct scanning *s, const char *text, char option,
			  const char *value)
{
	return arena_printf(s->arena, "%s -%c %s", text, option, value);
}

/* -p adds no calls, but wants a field before it and stands for all perms; in
 * front of arch and calls -F perm= adds none either. */
static bool is_short_perm(const struct scanning *s, int i)
{
	if (count_field(s, AUDIT_PERM) > 1)
		return false;
	while (--i >= 0)
		if (s->part[i].option != 'S')
			return true;
	return false;
}

static const char *perms_in_front(struct scanning *s, const char *text)
{
	for (int i = 0; i < s->parts; i++)
		if (s->part[i].field == AUDIT_PERM && !is_short_perm(s, i))
			text = append(s, text, 'F', s->part[i].value);
	return text;
}

static const char *part_text(struct scanning *s, const char *text, int i,
			     bool exits, bool foreign)
{
	const struct part *part = &s->part[i];

	if (part->option == 'S')
		return append(s, text, 'S',
			      exits ? calls_text(s, part->value, foreign)
				    : part->value);
	if (part->option == 'C')
		return append(s, text, 'C', part->value);
	if (part->field == AUDIT_PERM)
		return is_short_perm(s, i)
			       ? append(s, text, 'p', value_of(part))
			       : text;
	return append(s, text, 'F', field_text(s, part));
}

/* Some auditctl keep no more than a third of a line's length in words. */
static const char *padded(struct arena *arena, const char *text)
{
	size_t words = 2, length = strlen(text);

	for (const char *c = text; *c; c++)
		words += *c == ' ';
	return words * 3 > length ? arena_printf(arena, "%s%*s", text,
						 (int)(words * 3 - length), "")
				  : text;
}

static const char *calls_of(const struct scanning *s)
{
	for (int i = 0; i < s->parts; i++)
		if (s->part[i].option == 'S')
			return s->part[i].value;
	return "";
}

static void write_rule(struct scanning *s, bool exits)
{
	const char *text = s->head, *calls = calls_of(s);
	bool all = strcmp(calls, "all") == 0, foreign;

	for (int i = 0; i < s->parts; i++)
		if (s->part[i].field == AUDIT_ARCH)
			note_arch(s, value_of(&s->part[i]));
	foreign = exits && !all && !count_field(s, AUDIT_ARCH) &&
		  s->state->abi != ABI_NATIVE &&
		  strspn(calls, "0123456789,") != strlen(calls);
	s->read->differs |= foreign;
	s->read->exe = count_field(s, AUDIT_EXE) > 0;
	s->read->adds_calls = exits && !all && count_field(s, AUDIT_PERM) > 0;
	if (exits)
		text = perms_in_front(s, text);
	for (int i = 0; i < s->parts; i++)
		text = exits || s->part[i].field != AUDIT_PERM
			       ? part_text(s, text, i, exits, foreign)
			       : append(s, text, 'F', s->part[i].value);
	s->read->text = padded(s->arena, text);
}

/* "-a always,exit" and its parts. */
static bool read_rule(struct scanning *s, const char *line)
{
	const char *end = next_option(line, "FSC");
	const char *comma = strchr(line, ','), *list;
	bool exits;

	s->head = arena_strndup(s->arena, line, (size_t)(end - line));
	if ((strncmp(line, "-a always,", 10) &&
	     strncmp(line, "-a never,", 9)) ||
	    strchr(s->head + 3, ' '))
		return false;
	list = s->head + (comma - line) + 1;
	exits = !strcmp(list, "exit");
	while (*end) {
		end = take_part(s, end, "FSC");
		if (!end)
			return false;
	}
	if (!in_order(s, exits || !strcmp(list, "io_uring")))
		return false;
	write_rule(s, exits);
	return true;
}

static const char *keys_text(struct scanning *s, const char *text, char option)
{
	for (int i = 0; i < s->parts; i++)
		if (s->part[i].option == 'k') {
			const char *key = escaped(s->arena, s->part[i].value);

			s->read->differs |=
				strchr(s->part[i].value, ' ') != NULL;
			text = append(
				s, text, option,
				option == 'F'
					? arena_printf(s->arena, "key=%s", key)
					: key);
		}
	return text;
}

/* A path that ends with a slash can only be that of a tree; without a path it is
 * a rule that is a watch of everything. */
static void write_watch(struct scanning *s, const char *path, const char *perm)
{
	size_t length = path ? strlen(path) : 0;
	const char *text;

	s->read->watch = true;
	if (length && path[length - 1] != '/') {
		s->read->differs |= strchr(path, ' ') != NULL;
		text = arena_printf(s->arena, "-w %s -p %s",
				    escaped(s->arena, path), perm);
		s->read->text = padded(s->arena, keys_text(s, text, 'k'));
		return;
	}
	text = path ? arena_printf(s->arena,
				   "-a always,exit -S all -F dir=%s -p %s",
				   escaped(s->arena, path), perm)
		    : arena_printf(s->arena, "-a always,exit -F perm=%s -S all",
				   perm);
	s->read->text = padded(s->arena, keys_text(s, text, 'F'));
}

/* "-w /x -p wa -k key", in the order of the rule's fields; one -p, one path at
 * most. Between " -p wa" and "-w" there is no space. */
static bool read_watch(struct scanning *s, const char *line)
{
	const char *path = NULL, *perm = NULL, *end = line;

	if (!strncmp(line, "-w ", 3)) {
		end = next_option(line + 3, "pk");
		path = arena_strndup(s->arena, line + 3,
				     (size_t)(end - line - 3));
	}
	while (*end) {
		struct part *part = &s->part[s->parts];
		size_t letters;

		end = take_part(s, end, "pk");
		if (!end)
			return false;
		if (part->option == 'k')
			continue;
		letters = strspn(part->value, "rwxa");
		if (perm || !letters)
			return false;
		perm = arena_strndup(s->arena, part->value, letters);
		if (part->value[letters] == '\0')
			continue;
		if (path || strncmp(part->value + letters, "-w /", 4) != 0)
			return false;
		path = part->value + letters + 3;
	}
	if (!perm || (path && *path != '/'))
		return false;
	s->read->differs = *line == ' ';
	write_watch(s, path, perm);
	return true;
}

bool listing_line_read(struct arena *arena, struct listing_state *state,
		       const char *line, struct listing_line *read)
{
	struct scanning s;

	*read = (struct listing_line){.text = line};
	s.arena = arena;
	s.state = state;
	s.read = read;
	s.parts = 0;
	if (strcmp(line, "No rules") == 0) {
		read->text = "";
		read->differs = true;
		return true;
	}
	if (strncmp(line, "-a ", 3) == 0)
		return read_rule(&s, line);
	return (strncmp(line, "-w ", 3) == 0 ||
		strncmp(line, " -p ", 4) == 0) &&
	       read_watch(&s, line);
}
