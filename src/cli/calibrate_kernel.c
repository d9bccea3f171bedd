/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/calibrate_kernel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DRAIN_TRIES 100
#define DRAIN_NANOSECONDS (10 * 1000 * 1000)
#define CHANGES_AT_ONCE 8

/* As libaudit returns it: a sequence number, or an errno below zero. */
static int error_of(int returned)
{
	return returned < 0 ? -returned : 0;
}

int kernel_add(struct kernel_link *link, struct audit_rule_data *rule)
{
	return error_of(audit_add_rule_data(link->fd, rule, (int)rule->flags,
					    (int)rule->action));
}

static int delete_rule(struct kernel_link *link, struct audit_rule_data *rule)
{
	return error_of(audit_delete_rule_data(link->fd, rule, (int)rule->flags,
					       (int)rule->action));
}

static bool has_string(uint32_t field)
{
	return (field >= AUDIT_SUBJ_USER && field <= AUDIT_OBJ_LEV_HIGH &&
		field != AUDIT_PPID) ||
	       field == AUDIT_WATCH || field == AUDIT_DIR ||
	       field == AUDIT_EXE || field == AUDIT_FILTERKEY;
}

/* The one without a key is known by what it is: -a never,exit -S gettid. */
static bool is_lone(const struct audit_rule_data *rule)
{
	bool same = rule->field_count == 0 && rule->action == AUDIT_NEVER &&
		    rule->flags == AUDIT_FILTER_EXIT;

	for (int i = 0; i < AUDIT_BITMASK_SIZE; i++)
		same &= rule->mask[i] == (i == AUDIT_WORD(CALIBRATE_CALL)
						  ? AUDIT_BIT(CALIBRATE_CALL)
						  : 0);
	return same;
}

bool kernel_is_own(const struct audit_rule_data *rule)
{
	const char *text = rule->buf;
	size_t left = rule->buflen;

	for (uint32_t i = 0; i < rule->field_count && i < AUDIT_MAX_FIELDS;
	     i++) {
		size_t length = rule->values[i];

		if (!has_string(rule->fields[i]))
			continue;
		if (length > left)
			return false;
		if (rule->fields[i] == AUDIT_FILTERKEY)
			return length == strlen(CALIBRATE_KEY) &&
			       memcmp(text, CALIBRATE_KEY, length) == 0;
		text += length;
		left -= length;
	}
	return is_lone(rule);
}

void kernel_drain(struct kernel_link *link)
{
	const struct timespec pause = {0, DRAIN_NANOSECONDS};
	struct audit_status status;

	for (int i = 0; i < DRAIN_TRIES; i++) {
		if (kernel_link_status(link, &status, NULL) != 0 ||
		    status.backlog == 0)
			return;
		nanosleep(&pause, NULL);
	}
}

static bool same_rule(const struct audit_rule_data *a,
		      const struct audit_rule_data *b)
{
	return a->buflen == b->buflen &&
	       memcmp(a, b, sizeof(*a) + a->buflen) == 0;
}

static bool is_in(const struct audit_rule_data *rule,
		  const struct kernel_rules *rules)
{
	for (size_t i = 0; i < rules->count; i++)
		if (same_rule(rule, rules->rule[i]))
			return true;
	return false;
}

static bool same_rules(const struct kernel_rules *a,
		       const struct kernel_rules *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (!same_rule(a->rule[i], b->rule[i]))
			return false;
	return true;
}

static void note_error(int *first, int error)
{
	if (!*first)
		*first = error;
}

/* Each change makes some records, and some kernels keep no more than 64. */
static void pause_now_and_then(struct kernel_link *link, size_t change)
{
	if (change % CHANGES_AT_ONCE == CHANGES_AT_ONCE - 1)
		kernel_drain(link);
}

/* Last first, so that what is left is a beginning of what was there. */
int kernel_delete_all(struct kernel_link *link,
		      const struct kernel_rules *rules)
{
	int error = 0;

	for (size_t i = rules->count; i-- > 0;) {
		note_error(&error, delete_rule(link, rules->rule[i]));
		pause_now_and_then(link, i);
	}
	return error;
}

/* Those that are there already excepted. Does what it can. */
static int add_all(struct kernel_link *link, const struct kernel_rules *rules)
{
	int error = 0;

	for (size_t i = 0; i < rules->count; i++) {
		int refused = kernel_add(link, rules->rule[i]);

		note_error(&error, refused == EEXIST ? 0 : refused);
		pause_now_and_then(link, i);
	}
	return error;
}

/* Moves the rules of others from NOW to OTHERS, which has room. */
static void part_others(struct kernel_rules *now,
			const struct kernel_rules *saved,
			struct kernel_rules *others)
{
	size_t left = 0;

	for (size_t i = 0; i < now->count; i++) {
		struct audit_rule_data *rule = now->rule[i];

		if (kernel_is_own(rule) || is_in(rule, saved))
			now->rule[left++] = rule;
		else
			others->rule[others->count++] = rule;
	}
	now->count = left;
}

/* NOW is not SAVED. Nothing is deleted of others unless SAVED must stand in
 * front of it. */
static int put_back(struct kernel_link *link, const struct kernel_rules *saved,
		    struct kernel_rules *now, size_t *foreign)
{
	struct kernel_rules others = {NULL, 0};
	int error = 0;

	others.rule = calloc(now->count + 1, sizeof(*others.rule));
	if (!others.rule)
		return ENOMEM;
	part_others(now, saved, &others);
	*foreign = others.count;
	if (saved->count)
		note_error(&error, kernel_delete_all(link, &others));
	note_error(&error, kernel_delete_all(link, now));
	note_error(&error, add_all(link, saved));
	if (saved->count)
		note_error(&error, add_all(link, &others));
	kernel_rules_free(&others);
	return error;
}

int kernel_restore(struct kernel_link *link, const struct kernel_rules *saved,
		   size_t *foreign)
{
	struct kernel_rules now;
	int error = kernel_link_list(link, &now);

	*foreign = 0;
	if (!error && !same_rules(&now, saved))
		error = put_back(link, saved, &now, foreign);
	kernel_rules_free(&now);
	if (error || *foreign)
		return error;
	error = kernel_link_list(link, &now);
	if (!error && !same_rules(&now, saved))
		error = EUCLEAN;
	kernel_rules_free(&now);
	return error;
}
