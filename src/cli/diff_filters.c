/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/diff_filters.h"

#include <inttypes.h>
#include <string.h>

#include "cli/event_text.h"
#include "model/audit_names.h"

/* A fork or record, and the strings that its rule made true. */
struct attempt {
	struct event event;
	const char *exe;
	struct lsm_truth label;
	uint32_t fstype;
};

const char *filter_text(uint32_t filter)
{
	switch (filter) {
	case AUDIT_FILTER_EXIT:
		return "system calls";
	case AUDIT_FILTER_URING_EXIT:
		return "io_uring operations";
	case AUDIT_FILTER_TASK:
		return "the task filter";
	case AUDIT_FILTER_USER:
		return "the user filter";
	case AUDIT_FILTER_EXCLUDE:
		return "the exclude filter";
	default:
		return "the filesystem filter";
	}
}

/* Where the value of a numeric field is; NULL if it has none here. */
static uint32_t *value_at(struct attempt *a, uint32_t field)
{
	struct event *e = &a->event;

	switch (field) {
	case AUDIT_PPID: /* only known of a call */
		return NULL;
	case AUDIT_MSGTYPE:
		return &e->msgtype;
	case AUDIT_FSTYPE:
		return &a->fstype;
	default:
		return event_task_number(e, field);
	}
}

/* Do all tests of RULE that are about FIELD hold for VALUE? */
static bool value_passes(const struct rule *rule, uint32_t field,
			 uint32_t value)
{
	for (unsigned int i = 0; i < rule->tests; i++)
		if (rule->test[i].field->number == field &&
		    !field_compare(value, rule->test[i].op,
				   rule->test[i].value))
			return false;
	return true;
}

/* A value that passes, near that of TEST; the field's limits are enough. */
static void pass_value(const struct rule *rule, const struct field_test *test,
		       uint32_t *value)
{
	uint32_t field = test->field->number;

	if (value_passes(rule, field, *value))
		return;
	for (uint32_t step = 0; step < 3; step++)
		if (value_passes(rule, field, test->value + step - 1)) {
			*value = test->value + step - 1;
			return;
		}
}

static void pass_test(struct attempt *a, const struct rule *rule,
		      const struct field_test *test)
{
	uint32_t *value = value_at(a, test->field->number);

	if (value)
		pass_value(rule, test, value);
	else if (test->field->kind == FIELD_LOGINUID_SET)
		a->event.auid = (test->op == OP_EQ) == (test->value == 0)
					? UINT32_MAX
					: 1000;
	else if (test->field->kind == FIELD_EXE && test->op == OP_EQ)
		a->exe = test->string;
	else if (test->field->kind == FIELD_LSM_SUBJECT)
		a->label = (struct lsm_truth){test->field->number, test->op,
					      test->string};
}

/* What RULE is for; NULL: nothing in particular. */
static struct attempt attempt_for(const struct rule *rule)
{
	struct attempt a = {
		.event = {.pid = 4242,
			  .ppid = 4241,
			  .session = 1,
			  .auid = 1000,
			  .uid = 1000,
			  .euid = 1000,
			  .suid = 1000,
			  .fsuid = 1000,
			  .gid = 1000,
			  .egid = 1000,
			  .sgid = 1000,
			  .fsgid = 1000,
			  .msgtype = AUDIT_USER_CMD},
	};

	for (unsigned int i = 0; rule && i < rule->tests; i++)
		pass_test(&a, rule, &rule->test[i]);
	return a;
}

static bool rules_ask(const struct ruleset *set, uint32_t filter,
		      uint32_t field)
{
	for (size_t i = 0; i < set->count; i++)
		for (unsigned int j = 0; j < set->rule[i]->tests; j++)
			if (set->rule[i]->filter == filter &&
			    set->rule[i]->test[j].field->number == field)
				return true;
	return false;
}

struct difference {
	FILE *stream;
	uint32_t filter;
	const struct ruleset *old, *new;
	int level;
};

static void print_task(const struct difference *d, struct attempt *a)
{
	static const uint32_t fields[] = {
		AUDIT_LOGINUID, AUDIT_UID, AUDIT_EUID, AUDIT_SUID,
		AUDIT_FSUID,	AUDIT_GID, AUDIT_EGID, AUDIT_SGID,
		AUDIT_FSGID,	AUDIT_PID, AUDIT_PERS, AUDIT_SESSIONID,
	};
	struct arena *arena = arena_new();

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		uint32_t value = *value_at(a, fields[i]);

		if (i > 1 && !rules_ask(d->old, d->filter, fields[i]) &&
		    !rules_ask(d->new, d->filter, fields[i]))
			continue;
		fprintf(d->stream, " %s=", audit_field_to_name((int)fields[i]));
		if (value == UINT32_MAX)
			fputs("unset", d->stream);
		else
			fprintf(d->stream, "%" PRIu32, value);
	}
	if (a->exe)
		fprintf(d->stream, " exe=%s", key_text(arena, a->exe));
	if (a->label.string)
		fprintf(d->stream, " %s%s%s",
			audit_field_to_name((int)a->label.field),
			field_op_symbol(a->label.op),
			key_text(arena, a->label.string));
	fputc('\n', d->stream);
	arena_free(arena);
}

static void print_outcomes(const struct difference *d, const char *old,
			   const char *new)
{
	fprintf(d->stream, "%s\n  old: %s\n  new: %s\n  as in\n",
		filter_text(d->filter), old, new);
}

static bool print_fork(const struct difference *d, struct attempt *a)
{
	struct arena *arena;
	struct outcome old = kernel_task(d->old, &a->event);
	struct outcome new = kernel_task(d->new, &a->event);
	static const char *const what[] = {
		[VERDICT_DUMMY] = "",
		[VERDICT_NONE] = "the exit rules decide about its calls",
		[VERDICT_NEVER] = "no call of the new process is audited",
		[VERDICT_RECORD] = "all calls of the new process are recorded",
	};

	if (outcome_same(old, new, d->level < 1 ? 1 : d->level, true) &&
	    (old.verdict == VERDICT_NEVER) == (new.verdict == VERDICT_NEVER))
		return false;
	arena = arena_new();
	print_outcomes(
		d,
		old.key ? arena_printf(arena, "%s, key %s", what[old.verdict],
				       key_text(arena, old.key))
			: what[old.verdict],
		new.key ? arena_printf(arena, "%s, key %s", what[new.verdict],
				       key_text(arena, new.key))
			: what[new.verdict]);
	arena_free(arena);
	fputs("    a fork by:", d->stream);
	print_task(d, a);
	return true;
}

static bool print_record(const struct difference *d, struct attempt *a)
{
	bool old = kernel_record_kept(d->old, d->filter, &a->event);
	bool new = kernel_record_kept(d->new, d->filter, &a->event);
	const char *name = audit_msg_type_to_name((int)a->event.msgtype);

	if (old == new)
		return false;
	print_outcomes(d, old ? "the record is kept" : "the record is dropped",
		       new ? "the record is kept" : "the record is dropped");
	fprintf(d->stream, "    a record of type %" PRIu32 "%s%s%s, made by:",
		a->event.msgtype, name ? " (" : "", name ? name : "",
		name ? ")" : "");
	print_task(d, a);
	return true;
}

static bool print_fstype(const struct difference *d, const struct attempt *a)
{
	bool old = kernel_name_collected(d->old, a->fstype);
	bool new = kernel_name_collected(d->new, a->fstype);
	const char *name = audit_fstype_to_name((int)a->fstype);

	if (old == new)
		return false;
	print_outcomes(
		d, old ? "files there are looked at" : "files there count not",
		new ? "files there are looked at" : "files there count not");
	fprintf(d->stream, "    a file system with magic 0x%" PRIx32 "%s%s%s\n",
		a->fstype, name ? " (" : "", name ? name : "", name ? ")" : "");
	return true;
}

static bool try_rule(const struct difference *d, const struct rule *rule)
{
	struct attempt a = attempt_for(rule);

	a.event.exe = &a.exe;
	a.event.exes = a.exe ? 1 : 0;
	a.event.label = &a.label;
	a.event.labels = a.label.string ? 1 : 0;
	switch (d->filter) {
	case AUDIT_FILTER_TASK:
		return print_fork(d, &a);
	case AUDIT_FILTER_FS:
		return print_fstype(d, &a);
	default:
		return print_record(d, &a);
	}
}

static bool try_rules(const struct difference *d, const struct ruleset *set)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->rule[i]->filter == d->filter &&
		    try_rule(d, set->rule[i]))
			return true;
	return false;
}

bool filter_difference_print(FILE *stream, uint32_t filter,
			     const struct ruleset *old,
			     const struct ruleset *new, int level)
{
	const struct difference d = {stream, filter, old, new, level};

	return try_rule(&d, NULL) || try_rules(&d, old) || try_rules(&d, new);
}
