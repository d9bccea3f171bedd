/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One thing is made wrong in an optimised rule set, thousands of times: what
 * the proof says of it is held against the evaluator. Sets as people write them
 * and random ones.
 *
 * - "The same": no event may tell them apart, aimed at the place or not.
 * - "Different": the evaluator agrees with each witness.
 * - "Not proved" is caught as well, but must stay rare.
 *
 * AUDITOPT_MUTATIONS (how many of each kind) and AUDITOPT_SEED in the
 * environment make it run longer, or elsewhere.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/compare.h"
#include "lib/effort.h"
#include "lib/mutate.h"
#include "lib/random_rules.h"
#include "lib/suite.h"
#include "lib/text_sets.h"
#include "lib/witness.h"
#include "optimize/pipeline.h"
#include "verify/equivalence.h"

#define LEVELS 3
#define MOST_RULES 30
#define AIMED_EVENTS 60
#define OTHER_EVENTS 20
#if SANITIZED
#define MUTATIONS_A_KIND 60
#else
#define MUTATIONS_A_KIND 160
#endif

/* What chance may add or take, where a kind has few. */
#define FEW 3

static struct arena *texts_arena;
static struct text_sets texts;
/* What the passes make of them. */
static const struct ruleset **better_text[LEVELS];

static size_t wanted(void)
{
	return (size_t)effort_wanted("AUDITOPT_MUTATIONS", MUTATIONS_A_KIND);
}

static const struct ruleset *optimised(struct arena *arena,
				       const struct ruleset *set, int level)
{
	struct ruleset *copy = ruleset_copy(arena, set);
	struct change_log log = {0};

	pipeline_run(arena, copy, level, &log);
	return copy;
}

static void read_texts(void)
{
	texts_arena = arena_new();
	texts = text_sets_read(texts_arena);
	for (int level = 0; level < LEVELS; level++) {
		better_text[level] = arena_array(texts_arena, texts.count,
						 sizeof(*better_text[level]));
		for (size_t i = 0; i < texts.count; i++)
			better_text[level][i] = optimised(
				texts_arena, texts.item[i].set, level);
	}
}

/* One mutation and what is said of it. */
struct trial {
	struct arena *arena;
	struct random random;
	enum mutation_kind kind;
	size_t index;
	int level;
	const char *name;		/* of a text set; NULL: random */
	const struct ruleset *original; /* that the result is compared with */
	const struct ruleset *better;	/* that is mutated */
	struct mutation made;
	struct verification verification;
};

static void pick_random_set(struct trial *t)
{
	static const char *const names[] = {"x86_64", "x86_64", "x86_64",
					    "x86_64", "i386",	"aarch64"};
	const struct target *target =
		target_by_name(RANDOM_OF(&t->random, names));
	struct rules_shape shape;

	if (!target)
		target = target_by_name("x86_64");
	shape = rules_shape_default(target,
				    2 + random_below(&t->random, MOST_RULES));
	t->original = random_ruleset(t->arena, &t->random, &shape);
	t->better = optimised(t->arena, t->original, t->level);
}

/* Every third set is one that people wrote. Every second result is compared
 * with what it was before the mutation, not with the original. */
static void pick_set(struct trial *t)
{
	t->random.state = effort_wanted("AUDITOPT_SEED", 1) * UINT64_C(1000003) +
			  (uint64_t)t->kind * 7919 + t->index;
	t->level = (int)(t->index % LEVELS);
	if (t->index / LEVELS % 3 == 0 && texts.count) {
		size_t i = random_below(&t->random, texts.count);

		t->name = texts.item[i].name;
		t->original = texts.item[i].set;
		t->better = better_text[t->level][i];
	} else {
		pick_random_set(t);
	}
	if (t->index / LEVELS % 2)
		t->original = t->better;
}

static struct verification verify(struct trial *t, const struct ruleset *after,
				  bool all_witnesses)
{
	const struct verify_options options = {.level = t->level,
					       .all_witnesses = all_witnesses};

	return verify_equivalent(t->arena, t->original, after, &options);
}

static void fail_trial(const struct trial *t, const char *why)
{
	fprintf(stderr, "%s, number %zu, level %d, %s\n",
		mutation_name(t->kind), t->index, t->level,
		t->name ? t->name : "random set");
	fprintf(stderr, "changed:\n");
	for (int i = 0; i < 2; i++) {
		if (t->made.before[i])
			dump_rule(stderr, t->better->target, t->made.before[i]);
		if (t->made.after[i])
			dump_rule(stderr, t->better->target, t->made.after[i]);
	}
	if (t->original->count <= MOST_RULES + 2) {
		fprintf(stderr, "original:\n");
		dump_ruleset(stderr, t->original);
		fprintf(stderr, "mutated:\n");
		dump_ruleset(stderr, t->made.set);
	}
	ck_abort_msg("%s, number %zu, seed %llu: %s", mutation_name(t->kind),
		     t->index,
		     (unsigned long long)effort_wanted("AUDITOPT_SEED", 1), why);
}

static void check_witnesses(const struct trial *t)
{
	const struct verification *v = &t->verification;
	size_t checked = 0;

	for (size_t i = 0; i < v->count; i++) {
		for (size_t j = 0; j < v->item[i].witnesses; j++, checked++) {
			const char *why = witness_refuted(
				t->arena, t->original, t->made.set, t->level,
				&v->item[i].witness[j]);

			if (why)
				fail_trial(t, why);
		}
	}
	if (!checked)
		fail_trial(t, "different, and no witness");
}

/* Can the evaluator tell the original from the result? */
static bool evaluator_tells(struct trial *t)
{
	struct settled before = settled_of(t->arena, t->original);
	struct settled after = settled_of(t->arena, t->made.set);
	struct event_maker *maker = event_maker_new(t->arena, t->better);
	struct difference difference;
	const struct event *event;

	for (int i = 0; i < AIMED_EVENTS; i++) {
		struct inner_walk inner;
		bool has_inner;

		event = mutation_event(maker, &t->random, t->better, &t->made);
		has_inner = event_maker_inner(maker, &t->random, &inner);
		if (event_tells_apart(&before, &after, t->level, event,
				      has_inner ? &inner : NULL, &difference))
			goto told;
	}
	if (!sets_differ(&before, &after, t->level, maker, &t->random,
			 OTHER_EVENTS, &event, &difference))
		return false;
told:
	if (t->verification.proof == PROOF_GOOD || getenv("AUDITOPT_SHOW"))
		dump_difference(stderr, &before, &after, t->level, event,
				&difference);
	return true;
}

/* What became of the mutations of a kind. */
struct tally {
	size_t done;
	size_t different; /* with a witness */
	size_t told;	  /* not proved, and the evaluator tells them apart */
	size_t open;	  /* not proved, and it does not */
	size_t same;
	size_t unproved_before; /* not counted in DONE */
};

static void show_unproved(const struct trial *t)
{
	const struct verification *v = &t->verification;

	if (!getenv("AUDITOPT_SHOW"))
		return;
	for (size_t i = 0; i < v->count; i++)
		if (v->item[i].proof == PROOF_NONE)
			fprintf(stderr, "%s, number %zu: %s\n",
				mutation_name(t->kind), t->index,
				v->item[i].why);
}

static void judge_unproved(struct trial *t, struct tally *tally)
{
	/* Is it the mutation's doing? */
	if (t->original != t->better &&
	    verify(t, t->better, false).proof != PROOF_GOOD) {
		tally->unproved_before++;
		tally->done--;
		return;
	}
	if (!evaluator_tells(t)) {
		tally->open++;
		show_unproved(t);
		return;
	}
	/* It stops at the first class that is not proved, unless all are
	 * wanted. */
	t->verification = verify(t, t->made.set, true);
	if (t->verification.proof == PROOF_DIFFERENT) {
		tally->different++;
		check_witnesses(t);
		return;
	}
	tally->told++;
	show_unproved(t);
}

static void run_trial(struct trial *t, struct tally *tally)
{
	pick_set(t);
	if (!mutate(t->arena, t->better, t->kind, &t->random, &t->made))
		return;
	t->verification = verify(t, t->made.set, false);
	tally->done++;
	switch (t->verification.proof) {
	case PROOF_GOOD:
		tally->same++;
		if (evaluator_tells(t))
			fail_trial(t, "proved the same, and it is not");
		break;
	case PROOF_DIFFERENT:
		tally->different++;
		check_witnesses(t);
		break;
	case PROOF_NONE:
		judge_unproved(t, tally);
		break;
	}
}

/* In percent of what was done: what must be found different at least, and what
 * may be left undecided; what was measured, with room. The rest is not seen by
 * any call: a rule that another one covers, two that were swapped and have the
 * same result. A perm that was changed makes a difference on kernels that count
 * a later call so, and there is no event for it. */
static const struct {
	unsigned int different, open;
} limit[MUTATIONS] = {
	[MUTATION_LOSE_RULE] = {72, 10}, [MUTATION_DROP_CALL] = {58, 6},
	[MUTATION_ADD_CALL] = {65, 6},	 [MUTATION_SWAP] = {30, 30},
	[MUTATION_MOVE] = {30, 24},	 [MUTATION_OPERATOR] = {74, 8},
	[MUTATION_VALUE] = {74, 8},	 [MUTATION_KEY] = {54, 20},
	[MUTATION_ACTION] = {74, 8},	 [MUTATION_PERM] = {52, 28},
	[MUTATION_PATH] = {78, 10},	 [MUTATION_ARCH] = {80, 8},
	[MUTATION_LOSE_TEST] = {76, 8},
};

static size_t percent(size_t part, size_t whole)
{
	return whole ? part * 100 / whole : 0;
}

START_TEST(mutations_are_caught)
{
	enum mutation_kind kind = (enum mutation_kind)_i;
	struct tally tally = {0};
	size_t apart;

	for (size_t i = 0; i < wanted(); i++) {
		struct trial trial = {
			.arena = arena_new(), .kind = kind, .index = i};

		run_trial(&trial, &tally);
		arena_free(trial.arena);
	}
	apart = tally.different + tally.told;
	printf("%-20s %6zu %9zu %3zu%% %9zu %9zu %9zu\n", mutation_name(kind),
	       tally.done, tally.different,
	       percent(tally.different, tally.done), tally.told, tally.open,
	       tally.same);
	fflush(stdout); /* a failure leaves without it */
	ck_assert_uint_ge(tally.done * 2, wanted());
	ck_assert_msg((tally.different + FEW) * 100 >=
			      tally.done * limit[kind].different,
		      "%s: only %zu of %zu found different",
		      mutation_name(kind), tally.different, tally.done);
	ck_assert_msg(tally.told * 100 <= apart * 10 + FEW * 100,
		      "%s: %zu of %zu without a witness", mutation_name(kind),
		      tally.told, apart);
	ck_assert_msg(tally.open * 100 <=
			      tally.done * limit[kind].open + FEW * 100,
		      "%s: %zu of %zu not decided", mutation_name(kind),
		      tally.open, tally.done);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("mutations");
	TCase *tcase = tcase_create("mutations");
	int failed;

	read_texts();
	printf("%-20s %6s %14s %19s %9s\n%-20s %6s %14s %9s %9s %9s\n", "", "",
	       "different:", "not proved:", "same:", "", "done",
	       "with a witness", "evaluator", "evaluator", "nobody");
	printf("%-20s %6s %14s %9s %9s %9s\n", "", "", "", "tells", "does not",
	       "can tell");
	fflush(stdout);
	tcase_set_timeout(tcase, 0);
	tcase_add_loop_test(tcase, mutations_are_caught, 0, MUTATIONS);
	suite_add_tcase(suite, tcase);
	failed = run_suite(suite);
	arena_free(texts_arena);
	return failed;
}
