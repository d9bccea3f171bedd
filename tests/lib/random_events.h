/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random events for a rule set: most of them made so that they satisfy one of
 * its rules, or nearly, with values at the edges of its tests.
 */
#ifndef AUDITOPT_TESTS_RANDOM_EVENTS_H
#define AUDITOPT_TESTS_RANDOM_EVENTS_H

#include <stdio.h>

#include "lib/random.h"
#include "model/event.h"
#include "model/kernel.h"
#include "model/rule.h"

struct event_maker;

/* Gathers what the rules of SET test. SET must stay as it is while the maker
 * is used. Lives in ARENA. */
struct event_maker *event_maker_new(struct arena *arena,
				    const struct ruleset *set);

/* Can the kernel make such an event of a call, as far as the names are
 * concerned that it collected? */
bool event_names_are_real(const struct target *target,
			  const struct event *event);

/* The next event; it is the maker's, and good until the next call. All
 * filters can be asked about it. Its names are real. */
const struct event *event_maker_next(struct event_maker *maker,
				     struct random *random);

/* A walk that can happen inside the maker's event (kernel_call_with): now and
 * then, and of a kind that its call can have. The event in it is the maker's.
 * Returns false if there is to be none. */
bool event_maker_inner(struct event_maker *maker, struct random *random,
		       struct inner_walk *inner);

/* Writes everything of EVENT that is worth knowing to FILE. */
void dump_event(FILE *file, const struct target *target,
		const struct event *event);

#endif
