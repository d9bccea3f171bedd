/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/text_sets.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/load.h"
#include "lib/compare.h"

/* Looked up by nobody before it is told missing. */
#define EMPTY_ROOT "/dev/null/empty"

static const struct ruleset *read_set(struct arena *arena, const char *path)
{
	const struct compile_options options = {
		.target = target_by_name("x86_64"),
		.auditctl_version = AUDITCTL_VERSION(3, 0, 9),
		.root = EMPTY_ROOT,
		.keep_going = true,
	};
	struct diagnostics *diagnostics = diagnostics_new(arena);
	struct input *input = arena_alloc(arena, sizeof(*input));
	struct commands commands;
	struct actions *actions = arena_alloc(arena, sizeof(*actions));
	struct loaded loaded;

	if (!input_read(arena, input, path, diagnostics))
		return NULL;
	commands = parse_input(arena, input, options.auditctl_version,
			       diagnostics);
	*actions = compile_commands(arena, &commands, input, &options,
				    diagnostics);
	loaded = load_actions(arena, actions, &options, diagnostics);
	return settled_of(arena, loaded.set).as[SOME_OF_EACH];
}

static void add_file(struct arena *arena, struct text_sets *sets,
		     const char *path)
{
	const char *slash = strrchr(path, '/');
	const struct ruleset *set = read_set(arena, path);
	struct text_set *item =
		arena_array(arena, sets->count + 1, sizeof(*item));

	if (!set || !set->count)
		return;
	if (sets->count)
		memcpy(item, sets->item, sets->count * sizeof(*item));
	item[sets->count++] = (struct text_set){
		arena_strdup(arena, slash ? slash + 1 : path), set};
	sets->item = item;
}

struct text_sets text_sets_read(struct arena *arena)
{
	static const char *const patterns[] = {
		"tests/rules/*.rules", "examples/*.rules", "examples/rules.d",
		"../shared/corpus/*.rules"};
	const char *top = getenv("AUDITOPT_SRCDIR");
	struct text_sets sets = {0};

	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		const char *pattern = arena_printf(
			arena, "%s/%s", top ? top : ".", patterns[i]);
		glob_t found;

		if (glob(pattern, 0, NULL, &found) != 0) {
			printf("skipped: %s is not here\n", patterns[i]);
			continue;
		}
		for (size_t j = 0; j < found.gl_pathc; j++)
			add_file(arena, &sets, found.gl_pathv[j]);
		globfree(&found);
	}
	return sets;
}
