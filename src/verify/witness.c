/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events of answers. What is made here may miss what was wanted, as answers are
 * taken to be free of each other that are not: it is a witness only if the
 * evaluator says so.
 */
#include "verify/witness_making.h"

#include <stdlib.h>
#include <string.h>

#include "model/audit_names.h"
#include "model/call_names.h"
#include "verify/loaded.h"

#define TRIES_A_CANDIDATE 24
#define TRIES_AT_MOST 3000
/* Where all are wanted: so that the first classes leave something to the rest.
 */
#define TRIES_A_CLASS 120
#define TRIES_A_CLASS_AT_LEAST 40
#define WITNESSES_A_CLASS 12

static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	return z ^ (z >> 27);
}

/* A way through D to YES: the one with the fewest yes, the one with the most,
 * then any. */
static void answer_path(struct making *m, diagram d)
{
	struct diagrams *all = m->check->diagrams;

	while (!diagram_is_leaf(all, d)) {
		size_t level = diagram_level(all, d);
		diagram yes = diagram_if_yes(all, d);
		diagram no = diagram_if_no(all, d);
		bool take = m->attempt == 1;

		if (m->attempt > 1)
			take = next_random(&m->random) % 3 == 0;
		if (yes == DIAGRAM_NO || no == DIAGRAM_NO)
			take = no == DIAGRAM_NO;
		m->answer[level] = take ? ANSWER_YES : ANSWER_NO;
		d = take ? yes : no;
	}
}

/* Is there one for the same two outcomes? */
static bool is_known(const struct witness_search *search,
		     const struct witness *witness)
{
	for (size_t i = 0; i < search->count; i++) {
		const struct witness *w = &search->found[i];

		if (outcome_same(w->before, witness->before, 0, true) &&
		    outcome_same(w->after, witness->after, 0, true))
			return true;
	}
	return false;
}

static void keep(struct witness_search *search, struct arena *arena,
		 struct witness witness)
{
	if (is_known(search, &witness))
		return;
	search->found = arena_grow(arena, search->found, search->count,
				   &search->capacity, sizeof(witness));
	search->found[search->count++] = witness;
}

static bool has_unsettled(const struct ruleset *set)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->rule[i]->unsettled)
			return true;
	return false;
}

/* SET walked for the event of WITNESS. */
static struct outcome walk(const struct ruleset *set,
			   const struct witness *witness)
{
	struct outcome inner;

	if (witness->uring)
		return kernel_uring_exit(set, witness->event, NULL);
	if (witness->has_inner)
		return kernel_call_with(set, witness->event, &witness->inner, 1,
					&inner);
	return kernel_syscall_exit(set, witness->event, NULL);
}

/* The outcome of WITNESS's event under a set. */
static struct outcome outcome_under(const struct making *m, enum side side,
				    const struct witness *witness)
{
	const struct ruleset *set = m->check->set[side];
	struct arena *arena;
	struct outcome outcome;

	if (!has_unsettled(set))
		return walk(set, witness);
	arena = arena_new();
	set = loaded_settled(arena, set, witness->trees, witness->tree_count);
	outcome = walk(set, witness);
	arena_free(arena);
	return outcome;
}

/* Does no call have names that collects none? */
static bool names_are_real(const struct making *m,
			   const struct witness *witness)
{
	const struct event *e = m->event;

	if (witness->uring ||
	    call_can_collect_names(m->check->set[BEFORE]->target, e->abi,
				   e->number, NULL))
		return true;
	return !e->names && !e->dirs && !witness->has_inner;
}

static bool confirm(struct witness_search *search, const struct making *m,
		    struct witness witness)
{
	int level = search->check->options->level;
	bool self_log = search->subject->self_log || witness.has_inner;

	if (!names_are_real(m, &witness))
		return false;
	witness.event = m->event;
	witness.trees = m->tree;
	witness.tree_count = m->trees;
	witness.before = outcome_under(m, BEFORE, &witness);
	witness.after = outcome_under(m, AFTER, &witness);
	if (outcome_same(witness.before, witness.after, level < 1 ? 1 : level,
			 self_log))
		return false;
	keep(search, m->arena, witness);
	return true;
}

static bool is_among(const char *const *list, size_t count, const char *string)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i], string) == 0)
			return true;
	return false;
}

/* The event with a walk of the buckets in the middle, when what INNER says
 * held. What no moment changes is the call's, and trees and names only become
 * more. */
static bool confirm_inner(struct witness_search *search, struct making m,
			  const struct event *inner)
{
	struct event *moment = arena_copy(m.arena, inner, sizeof(*inner));
	struct event *end = arena_copy(m.arena, m.event, sizeof(*end));
	size_t names = inner->names + end->names;
	struct event_name *name = arena_array(m.arena, names, sizeof(*name));
	struct witness witness = {.has_inner = true};

	for (size_t i = 0; i < inner->dirs; i++)
		if (!is_among(end->dir, end->dirs, inner->dir[i]))
			return false;
	for (size_t i = 0; i < names; i++)
		name[i] = i < inner->names ? inner->name[i]
					   : end->name[i - inner->names];
	end->name = name;
	end->names = names;
	moment->result = RESULT_NONE;
	moment->exit_code = 0;
	moment->abi = end->abi;
	moment->number = end->number;
	memcpy(moment->argv, end->argv, sizeof(moment->argv));
	moment->open_flags = end->open_flags;
	moment->auid = end->auid;
	moment->session = end->session;
	moment->pid = end->pid;
	moment->ppid = end->ppid;
	moment->personality = end->personality;
	witness.inner.kind = INNER_WATCH;
	witness.inner.event = moment;
	m.event = end;
	return confirm(search, &m, witness);
}

static struct making new_making(const struct witness_search *search,
				struct arena *arena, unsigned int attempt)
{
	struct making m = {.check = search->check,
			   .subject = search->subject,
			   .arena = arena,
			   .attempt = attempt,
			   .random = attempt + 77};

	m.answer = arena_array(m.arena, levels(&m), 1);
	m.event = arena_alloc(m.arena, sizeof(*m.event));
	return m;
}

/* Everything about the attempt lives in ARENA. */
static bool try_in(struct witness_search *search, struct arena *arena,
		   diagram call, diagram name, unsigned int attempt)
{
	struct diagrams *d = search->check->diagrams;
	struct making m = new_making(search, arena, attempt);
	struct making of_name = new_making(search, arena, attempt);
	diagram both = diagram_and(d, call, name);
	bool uring = search->subject->filter == AUDIT_FILTER_URING_EXIT;

	answer_path(&m, both == DIAGRAM_NO ? call : both);
	making_event(&m);
	if (confirm(search, &m, (struct witness){.uring = uring}))
		return true;
	if (uring || !subject_ends_watches(search->subject) ||
	    name == DIAGRAM_YES)
		return false;
	answer_path(&of_name, name);
	making_event(&of_name);
	return confirm_inner(search, m, of_name.event) ||
	       confirm_inner(search, m, m.event);
}

/* What is needed of a witness, so that all else about the attempt can go. */
static struct witness witness_copy(struct arena *arena,
				   const struct witness *witness)
{
	struct witness copy = *witness;

	copy.event = event_copy(arena, witness->event);
	if (witness->has_inner)
		copy.inner.event = event_copy(arena, witness->inner.event);
	if (witness->tree_count)
		copy.trees = arena_copy(arena, witness->trees,
					witness->tree_count *
						sizeof(*witness->trees));
	return copy;
}

static bool try_once(struct witness_search *search, diagram call, diagram name,
		     unsigned int attempt)
{
	struct witness_search trial = *search;
	struct arena *arena = arena_new();
	bool good;

	trial.found = NULL;
	trial.count = trial.capacity = 0;
	good = try_in(&trial, arena, call, name, attempt);
	if (good && !is_known(search, &trial.found[0]))
		keep(search, search->check->arena,
		     witness_copy(search->check->arena, &trial.found[0]));
	arena_free(arena);
	return good;
}

bool witness_try(void *data, diagram call, diagram name)
{
	struct witness_search *search = data;
	bool all = search->check->options->all_witnesses;
	size_t tries = all ? TRIES_A_CLASS : TRIES_AT_MOST;

	for (unsigned int i = 0; i < TRIES_A_CANDIDATE; i++) {
		if (search->tried >= tries ||
		    search->count == WITNESSES_A_CLASS ||
		    (!*search->left &&
		     (!all || search->tried >= TRIES_A_CLASS_AT_LEAST))) {
			search->cut = true;
			return true;
		}
		search->tried++;
		*search->left -= *search->left > 0;
		if (try_once(search, call, name, i))
			break;
	}
	return search->count && !all;
}
