/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The proof against Z3 (lib/smt.h), class of calls by class of calls: what is
 * proved the same has no event that tells it apart, and what has a witness has
 * one for Z3 too. Each event that Z3 finds is shown to the evaluator. Optimised
 * sets and mutated ones, random and as people write them.
 *
 * AUDITOPT_Z3_QUESTIONS and AUDITOPT_SEED in the environment make it run
 * longer, or elsewhere.
 */
#include <string.h>

#include "lib/call_groups.h"
#include "lib/compare.h"
#include "lib/effort.h"
#include "lib/mutate.h"
#include "lib/random_rules.h"
#include "lib/smt.h"
#include "lib/suite.h"
#include "lib/text_sets.h"
#include "lib/witness.h"
#include "model/audit_names.h"
#include "model/self_log.h"
#include "optimize/pipeline.h"
#include "verify/equivalence.h"

#define LEVELS 3
#define MOST_RULES 24
#define QUESTIONS_A_PAIR 8
#if SANITIZED
#define QUESTIONS 500
#else
#define QUESTIONS 4000
#endif

static struct arena *texts_arena;
static struct text_sets texts;

/* Two sets and what is said of them. */
struct pair {
	struct arena *arena;
	struct random random;
	size_t index;
	int level;
	const char *name; /* NULL: random */
	const struct ruleset *before, *after;
	struct verification verification;
};

struct tally {
	size_t questions;
	size_t agreed[3]; /* by enum proof */
	size_t weaker;	  /* not proved, and Z3 says the same */
	size_t kernels;	  /* different, with another kernel than the newest */
	size_t limit;	  /* Z3 gave up */
	size_t outside;	  /* witnesses that the formula leaves out */
};

static void fail_pair(const struct pair *p, const struct smt_call *call,
		      const struct event *event, const char *why)
{
	fprintf(stderr, "before:\n");
	dump_ruleset(stderr, p->before);
	fprintf(stderr, "after:\n");
	dump_ruleset(stderr, p->after);
	if (event)
		dump_event(stderr, p->before->target, event);
	ck_abort_msg("pair %zu, level %d, %s, %s %d of ABI %d: %s", p->index,
		     p->level, p->name ? p->name : "random",
		     call->uring ? "operation" : "call", call->number,
		     call->abi, why);
}

static const struct class_proof *class_of(const struct verification *v,
					  const struct smt_call *call)
{
	uint32_t filter =
		call->uring ? AUDIT_FILTER_URING_EXIT : AUDIT_FILTER_EXIT;

	for (size_t i = 0; i < v->count; i++)
		if (v->item[i].filter == filter &&
		    syscall_set_has(&v->item[i].calls, call->abi, call->number))
			return &v->item[i];
	return NULL;
}

/* Z3's event must be one to the evaluator, too. */
static void check_event(const struct pair *p, const struct ruleset *before,
			const struct ruleset *after,
			const struct smt_call *call, const struct event *event)
{
	struct outcome b, a;
	bool self_log = true;

	if (call->uring) {
		b = kernel_uring_exit(before, event, NULL);
		a = kernel_uring_exit(after, event, NULL);
	} else {
		b = kernel_syscall_exit(before, event, NULL);
		a = kernel_syscall_exit(after, event, NULL);
		self_log = call_can_self_log(before->target, call->abi,
					     call->number, NULL);
	}
	if (outcome_same(b, a, p->level < 1 ? 1 : p->level, self_log))
		fail_pair(p, call, event,
			  "Z3's event is none for the evaluator");
}

/* One set alone leaves the kernel without a counted rule: the proof tells of it
 * once, and not in each class. */
static bool dummies_differ(const struct pair *p)
{
	return (ruleset_counted(p->before) == 0) !=
	       (ruleset_counted(p->after) == 0);
}

/* Asks Z3 about a class of calls and judges what the proof says of it. */
static void judge_class(const struct pair *p, struct smt *smt,
			const struct ruleset *before,
			const struct ruleset *after,
			const struct smt_call *call, struct tally *tally)
{
	const struct class_proof *class = class_of(&p->verification, call);
	enum proof proof = class ? class->proof : PROOF_GOOD;
	enum smt_answer answer = smt_ask(smt, call);
	const struct event *event = NULL;

	tally->questions++;
	if (answer == SMT_DIFFERENT) {
		event = smt_event(smt);
		if (event)
			check_event(p, before, after, call, event);
		else
			tally->kernels++;
		if (p->verification.proof == PROOF_GOOD)
			fail_pair(p, call, event,
				  "proved the same, and Z3 tells them apart");
		if (class && proof == PROOF_GOOD && !dummies_differ(p))
			fail_pair(p, call, event,
				  "a class proved, and Z3 tells it apart");
		tally->agreed[class ? proof : PROOF_NONE]++;
	} else if (answer == SMT_UNKNOWN) {
		tally->limit++;
	} else if (proof == PROOF_GOOD) {
		tally->agreed[PROOF_GOOD]++;
	} else {
		/* a witness may be one that the formula leaves out */
		tally->weaker++;
	}
}

/* Is it in the formula? */
static bool is_inside(const struct witness *witness)
{
	return !witness->has_inner && witness->event->names <= SMT_NAMES &&
	       !witness->event->task_never && !witness->event->task_always;
}

/* A class with a witness: Z3 must find one, with the watches settled as they
 * are there. */
static void judge_witness(const struct pair *p, const struct class_proof *class,
			  struct tally *tally)
{
	for (size_t i = 0; i < class->witnesses; i++) {
		const struct witness *w = &class->witness[i];
		const struct smt_call call = {w->uring, w->event->abi,
					      w->event->number};
		struct smt *smt;
		enum smt_answer answer;

		if (!is_inside(w)) {
			tally->outside++;
			continue;
		}
		smt = smt_new(
			p->arena,
			settled_as(p->arena, p->before, w->trees,
				   w->tree_count),
			settled_as(p->arena, p->after, w->trees, w->tree_count),
			p->level);
		answer = smt_ask(smt, &call);
		smt_free(smt);
		tally->questions++;
		if (answer == SMT_SAME)
			fail_pair(p, &call, w->event,
				  "a witness, and Z3 finds the calls the same");
		if (answer == SMT_UNKNOWN)
			tally->limit++;
		else
			tally->agreed[PROOF_DIFFERENT]++;
		return;
	}
}

static void judge_pair(struct pair *p, struct tally *tally)
{
	const struct verify_options options = {.level = p->level,
					       .all_witnesses = true};
	struct settled before = settled_of(p->arena, p->before);
	struct settled after = settled_of(p->arena, p->after);
	size_t which = random_below(&p->random, before.settlings);
	const struct ruleset *b = before.as[which], *a = after.as[which];
	struct call_groups groups = call_groups_of(p->arena, &p->random, b, a);
	struct smt *smt = smt_new(p->arena, b, a, p->level);
	size_t asked = 0;

	p->verification =
		verify_equivalent(p->arena, p->before, p->after, &options);
	for (size_t i = groups.count; i-- > 0 && asked < QUESTIONS_A_PAIR;) {
		size_t at = random_below(&p->random, i + 1);
		struct call_group group = groups.item[at];

		groups.item[at] = groups.item[i];
		if (!group.differs)
			continue;
		judge_class(p, smt, b, a, &group.call, tally);
		asked++;
	}
	smt_free(smt);
	asked = 0;
	for (size_t i = 0; i < p->verification.count && asked < 2; i++) {
		if (p->verification.item[i].proof != PROOF_DIFFERENT)
			continue;
		judge_witness(p, &p->verification.item[i], tally);
		asked++;
	}
}

static const struct ruleset *optimised(struct arena *arena,
				       const struct ruleset *set, int level)
{
	struct ruleset *copy = ruleset_copy(arena, set);
	struct change_log log = {0};

	pipeline_run(arena, copy, level, &log);
	return copy;
}

/* Every fourth is one that people wrote. */
static void pick_pair(struct pair *p, uint64_t salt)
{
	static const char *const names[] = {"x86_64", "x86_64", "x86_64",
					    "i386", "s390x"};
	const struct target *target;
	struct rules_shape shape;

	p->random.state = effort_wanted("AUDITOPT_SEED", 1) * UINT64_C(1000003) +
			  salt * UINT64_C(7919) + p->index;
	p->level = (int)(p->index % LEVELS);
	if (p->index / LEVELS % 4 == 0 && texts.count) {
		size_t i = random_below(&p->random, texts.count);

		p->name = texts.item[i].name;
		p->before = texts.item[i].set;
	} else {
		target = target_by_name(RANDOM_OF(&p->random, names));
		if (!target)
			target = target_by_name("x86_64");
		shape = rules_shape_default(
			target, 2 + random_below(&p->random, MOST_RULES));
		p->before = random_ruleset(p->arena, &p->random, &shape);
	}
	p->after = optimised(p->arena, p->before, p->level);
}

/* The result, with something made wrong in it; compared with what it was before
 * that in half of the cases. */
static bool pick_mutated_pair(struct pair *p)
{
	enum mutation_kind kind = (enum mutation_kind)(p->index % MUTATIONS);
	struct mutation made;

	pick_pair(p, 2);
	if (random_chance(&p->random, 50))
		p->before = p->after;
	if (!mutate(p->arena, p->after, kind, &p->random, &made))
		return false;
	p->after = made.set;
	return true;
}

static void print_tally(const char *what, const struct tally *t)
{
	printf("%s: %zu questions; same for both: %zu; different for both: "
	       "%zu; not proved, and different: %zu; not proved or a witness "
	       "elsewhere, and the same: %zu; in another kernel: %zu; no "
	       "answer: %zu; witnesses outside of the formula: %zu\n",
	       what, t->questions, t->agreed[PROOF_GOOD],
	       t->agreed[PROOF_DIFFERENT], t->agreed[PROOF_NONE], t->weaker,
	       t->kernels, t->limit, t->outside);
	fflush(stdout);
}

static size_t wanted(void)
{
	return (size_t)effort_wanted("AUDITOPT_Z3_QUESTIONS", QUESTIONS);
}

START_TEST(optimised_sets)
{
	struct tally tally = {0};
	size_t least = wanted() / 3;

	for (size_t i = 0; tally.questions < least; i++) {
		struct pair pair = {.arena = arena_new(), .index = i};

		pick_pair(&pair, 1);
		judge_pair(&pair, &tally);
		arena_free(pair.arena);
	}
	print_tally("optimised", &tally);
	ck_assert_uint_ge(tally.agreed[PROOF_GOOD] * 100, least * 80);
	ck_assert_uint_le(tally.limit * 100, tally.questions * 2);
}
END_TEST

START_TEST(mutated_sets)
{
	struct tally tally = {0};
	size_t least = wanted() - wanted() / 3;

	for (size_t i = 0; tally.questions < least; i++) {
		struct pair pair = {.arena = arena_new(), .index = i};

		if (pick_mutated_pair(&pair))
			judge_pair(&pair, &tally);
		arena_free(pair.arena);
	}
	print_tally("mutated", &tally);
	ck_assert_uint_ge(tally.agreed[PROOF_GOOD] * 100, least * 20);
	ck_assert_uint_ge(tally.agreed[PROOF_DIFFERENT] * 100, least * 20);
	ck_assert_uint_le(tally.limit * 100, tally.questions * 2);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("z3");
	TCase *tcase = tcase_create("z3");
	int failed;

	texts_arena = arena_new();
	texts = text_sets_read(texts_arena);
	fflush(stdout);
	tcase_set_timeout(tcase, 0);
	tcase_add_test(tcase, optimised_sets);
	tcase_add_test(tcase, mutated_sets);
	suite_add_tcase(suite, tcase);
	failed = run_suite(suite);
	arena_free(texts_arena);
	return failed;
}
