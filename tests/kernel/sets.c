/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sets DIRECTORY COUNT: writes COUNT random rule sets as text,
 * DIRECTORY/random-1.rules and so on; those of AUDITOPT_SEED, if it is set.
 */
#include <stdio.h>
#include <stdlib.h>

#include "emit/rule_text.h"
#include "emit/emit.h"
#include "lib/random_rules.h"

static int write_set(struct random *random, const char *path)
{
	const struct target *target = target_by_name("x86_64");
	struct arena *arena = arena_new();
	struct rules_shape shape =
		rules_shape_default(target, 2 + random_below(random, 14));
	struct ruleset *set = random_ruleset(arena, random, &shape);
	FILE *file = fopen(path, "we");

	if (!file) {
		perror(path);
		return 1;
	}
	for (size_t i = 0; i < set->count; i++) {
		const char *text = emit_rule(arena, target, set->rule[i]);

		/* not every rule that the kernel takes has one */
		if (text)
			fprintf(file, "%s\n", text);
	}
	arena_free(arena);
	return fclose(file) != 0;
}

int main(int argc, char **argv)
{
	const char *seed = getenv("AUDITOPT_SEED");
	struct random random = {seed ? strtoull(seed, NULL, 0) : 1};
	int failed = 0, count = argc == 3 ? atoi(argv[2]) : 0;

	if (!count) {
		fputs("usage: sets DIRECTORY COUNT\n", stderr);
		return 2;
	}
	for (int i = 1; i <= count; i++) {
		char path[4096];

		snprintf(path, sizeof(path), "%s/random-%d.rules", argv[1], i);
		failed |= write_set(&random, path);
	}
	return failed;
}
