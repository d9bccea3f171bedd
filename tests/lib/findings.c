/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/findings.h"

#include <string.h>

static struct input input_of(struct arena *arena, const char *text)
{
	static const char *const file[] = {"test.rules"};
	size_t lines = 1, length = strlen(text);
	struct input input = {.file = file, .files = 1};

	for (const char *s = text; *s; s++)
		lines += *s == '\n' && s[1];
	input.line = arena_array(arena, lines, sizeof(*input.line));
	input.count = (uint32_t)lines;
	text = arena_strndup(arena, text, length);
	for (size_t i = 0; i < lines; i++) {
		struct source_line *line = &input.line[i];

		line->file = file[0];
		line->number = (uint32_t)i + 1;
		line->column = 1;
		line->text = text;
		line->length = strcspn(text, "\n");
		text += line->length + (text[line->length] == '\n');
	}
	return input;
}

struct found_in find_in(struct arena *arena, const char *text,
			const struct read_as *how)
{
	static const struct read_as usual = {0};
	const struct read_as *h = how ? how : &usual;
	const struct compile_options options = {
		.target = target_by_name(h->machine ? h->machine : "x86_64"),
		.auditctl_version =
			h->version ? h->version : AUDITCTL_VERSION(3, 0, 9),
		.root = h->root ? h->root : "",
	};
	const struct check_choice all = {.least = DIAG_NOTE};
	struct found_in found = {.input = input_of(arena, text)};
	struct diagnostics *diagnostics = diagnostics_new(arena);
	struct commands commands = parse_input(
		arena, &found.input, options.auditctl_version, diagnostics);
	struct actions actions = compile_commands(
		arena, &commands, &found.input, &options, diagnostics);
	struct check_subject subject = {.arena = arena,
					.input = &found.input,
					.actions = &actions,
					.compile = &options,
					.target = options.target};

	if (h->native_only) {
		subject.target = target_native_only(arena, options.target);
		subject.foreign = options.target->abi[ABI_COMPAT].elf;
	}
	found.loaded = load_actions(arena, &actions, &options, diagnostics);
	subject.loaded = &found.loaded;
	subject.profile = profile_default(arena, options.target);
	found.findings = check_rules(&subject, diagnostics);
	findings_suppress(arena, &found.findings, &found.input);
	findings_choose(arena, &found.findings, &found.input, &all);
	return found;
}

const struct diagnostic *find_id(const struct found_in *found, const char *id)
{
	for (size_t i = 0; i < found->findings.count; i++)
		if (strcmp(found->findings.item[i].d.id, id) == 0)
			return &found->findings.item[i].d;
	return NULL;
}

size_t count_id(const struct found_in *found, const char *id)
{
	size_t n = 0;

	for (size_t i = 0; i < found->findings.count; i++)
		n += strcmp(found->findings.item[i].d.id, id) == 0;
	return n;
}
