/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What witness.c, witness_call.c and witness_names.c share; nobody else.
 */
#ifndef AUDITOPT_WITNESS_MAKING_H
#define AUDITOPT_WITNESS_MAKING_H

#include "verify/check.h"

/* A user and group that no rule asks for. */
#define PLAIN_ID 77771

enum answer { NO_ANSWER, ANSWER_NO, ANSWER_YES };

/* An event in the making. */
struct making {
	const struct check *check;
	const struct subject *subject;
	struct arena *arena;
	unsigned char *answer; /* enum answer, by level */
	uint64_t random;
	unsigned int attempt;
	struct event *event;
	struct event_name *name;
	const char **exe, **dir, **tree;
	size_t trees;
	struct lsm_truth *label;
	uint32_t *group;
};

static inline const struct question *question(const struct making *m,
					      size_t level)
{
	return question_at(m->check->questions, level);
}

static inline size_t levels(const struct making *m)
{
	return questions_count(m->check->questions);
}

/* witness_call.c: the limits that the answers set to the value of a field.
 * Returns false if nothing was asked. */
bool making_limits(const struct making *m, uint32_t field, uint32_t *low,
		   uint32_t *high);
/* Makes the call, its arguments, its result, and who makes it. */
void making_call(struct making *m);

/* witness_names.c: makes M's event, all of it. */
void making_event(struct making *m);

#endif
