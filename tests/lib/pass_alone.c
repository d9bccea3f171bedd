/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/pass_alone.h"

#include <check.h>

#include "lib/build.h"
#include "lib/compare.h"
#include "lib/random_rules.h"

#define EVENTS 3000

static size_t run(struct arena *arena, const struct pass *pass, int level,
		  struct ruleset *set)
{
	struct change_log log = {0};
	struct pass_context context = {
		.arena = arena, .level = level, .log = &log};

	pass->run(set, &context);
	return log.count;
}

struct ruleset *pass_made(struct arena *arena, const struct pass *pass,
			  int level, const char *before)
{
	struct ruleset *set = mk_ruleset(arena, mk_target("x86_64"), before);

	run(arena, pass, level, set);
	return set;
}

static void expect(const char *name, const struct ruleset *got,
		   const struct ruleset *want)
{
	if (sets_identical(got, want))
		return;
	fprintf(stderr, "%s: got\n", name);
	dump_ruleset(stderr, got);
	fprintf(stderr, "instead of\n");
	dump_ruleset(stderr, want);
	ck_abort_msg("%s", name);
}

static void expect_same_meaning(struct arena *arena, const char *name,
				int level, const struct ruleset *before,
				const struct ruleset *after)
{
	struct event_maker *maker = event_maker_new(arena, before);
	struct settled was = settled_of(arena, before);
	struct settled is = settled_of(arena, after);
	struct random random = {1};
	struct difference difference;
	const struct event *event;

	if (!sets_differ(&was, &is, level, maker, &random, EVENTS, &event,
			 &difference))
		return;
	dump_difference(stderr, &was, &is, level, event, &difference);
	ck_abort_msg("%s: the meaning changes", name);
}

void pass_alone(const struct pass *pass, int level, const char *name,
		const char *before, const char *after)
{
	const struct target *target = mk_target("x86_64");
	struct arena *arena = arena_new();
	struct ruleset *was = mk_ruleset(arena, target, before);
	struct ruleset *set = mk_ruleset(arena, target, before);
	size_t changes = run(arena, pass, level, set);

	expect(name, set, after ? mk_ruleset(arena, target, after) : was);
	ck_assert_msg(!changes == !after, "%s: %zu changes logged", name,
		      changes);
	expect_same_meaning(arena, name, level, was, set);
	ck_assert_msg(!run(arena, pass, level, set),
		      "%s: a second run changes something", name);
	arena_free(arena);
}
