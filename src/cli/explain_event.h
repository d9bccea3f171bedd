/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The call that auditopt explain is asked about, made of its -S and -F.
 */
#ifndef AUDITOPT_EXPLAIN_EVENT_H
#define AUDITOPT_EXPLAIN_EVENT_H

#include "cli/cli.h"
#include "model/event.h"

/* A -F as it was given, what it means, and which of the names it is about, from
 * 1; 0: there was none. */
struct fact {
	const char *text;
	const struct field_test *test;
	size_t name;
};

/* The event asked about. */
struct question {
	struct arena *arena;
	const struct cli_options *options;
	struct event event;
	struct event_name *name;
	const char **path, **dir, **exe;
	struct lsm_truth *label;
	uint32_t *group;
	bool has_exit, has_success, has_flags;
	uint64_t flags;
	struct fact *fact;
	size_t facts;
	const char *file_fact; /* the first -F that says what file it names */
};

/* Makes the event of the options' -F, in Q->arena; trees of SET that a named
 * file lies in are met. False: told, a matter of usage. */
bool explain_event(struct question *q, const struct ruleset *set);

/* explain_fact.c: makes the event one for which TEST holds; false if there is no
 * way. */
bool explain_make_true(struct question *q, const struct field_test *test);
/* explain_fact.c: do exit and success, if both were said, agree? If not, that is
 * told. */
bool explain_results_agree(const struct question *q);

/* Makes it one of call TEXT, a name or a number. False as above. */
bool explain_set_call(struct question *q, const char *text);

#endif
