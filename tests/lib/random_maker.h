/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What random_events.c and random_aim.c share.
 */
#ifndef AUDITOPT_TESTS_RANDOM_MAKER_H
#define AUDITOPT_TESTS_RANDOM_MAKER_H

#include "lib/random_events.h"

#define MOST_NAMES 3
#define MOST_STRINGS 4
#define MOST_LABELS 4
#define MOST_GROUPS 3
#define UNSET UINT32_MAX

/* What the rules say, by what it is a value of. */
enum pool {
	POOL_UID,
	POOL_GID,
	POOL_EXIT,
	POOL_ARG,
	POOL_FAMILY,
	POOL_TYPE,
	POOL_INODE,
	POOL_DEVICE,
	POOL_RECORD,
	POOL_OTHER,
	POOLS
};

struct values {
	uint32_t *item;
	size_t count;
};

struct strings {
	const char **item;
	size_t count;
};

struct event_maker {
	const struct ruleset *set;
	bool has_task_rule;
	struct values pool[POOLS];
	struct strings path, dir, exe;
	struct lsm_truth *label;
	size_t labels;
	/* what the event points to */
	struct event event;
	struct event_name name[MOST_NAMES];
	const char *name_path[MOST_NAMES][MOST_STRINGS];
	struct lsm_truth name_label[MOST_NAMES][MOST_LABELS];
	const char *exes[MOST_STRINGS];
	const char *dirs[MOST_STRINGS];
	struct lsm_truth task_label[MOST_LABELS];
	struct lsm_truth ipc_label[MOST_LABELS];
	uint32_t group[MOST_GROUPS];
	struct event inner; /* shares all that with the event */
};

/* A value at the edge of what some rule asks for, or any. */
uint32_t maker_value(struct event_maker *maker, struct random *random,
		     enum pool which);

/* Takes from the event what its call never has: names, and trees that it met,
 * if it collects none (call_names.h). An operation of io_uring may: URING, and
 * it is taken to be of the other ABI, where its number may be another call. */
void maker_keep_real(struct event_maker *maker, bool uring);

/* Changes the event so that it satisfies each test of a random rule with a
 * chance of PERCENT. */
void maker_aim(struct event_maker *maker, struct random *random,
	       unsigned int percent);

#endif
