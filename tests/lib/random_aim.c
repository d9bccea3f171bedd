/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/random_maker.h"

#include <libaudit.h>
#include <string.h>

#include "model/audit_names.h"
#include "model/perm.h"
#include "model/self_log.h"

static bool string_in(const char *const *list, size_t count, const char *string)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i], string) == 0)
			return true;
	return false;
}

/* What comes after makes the event satisfy a given rule. */

static void aim_number(struct random *random, const struct field_test *test,
		       uint32_t *number)
{
	const uint32_t candidate[] = {test->value,
				      test->value,
				      test->value + 1,
				      test->value - 1,
				      0,
				      UNSET,
				      (uint32_t)random_next(random)};

	for (int i = 0; i < 8; i++) {
		uint32_t value = RANDOM_OF(random, candidate);

		if (!field_compare(value, test->op, test->value))
			continue;
		*number = value;
		return;
	}
}

static size_t aim_string(const char **list, size_t count,
			 const struct field_test *test)
{
	size_t kept = 0;

	if (test->op == OP_EQ) {
		if (count < MOST_STRINGS)
			list[count++] = test->string;
		return count;
	}
	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i], test->string) != 0)
			list[kept++] = list[i];
	return kept;
}

static size_t aim_label(struct lsm_truth *list, size_t count,
			const struct field_test *test)
{
	if (count < MOST_LABELS)
		list[count++] = (struct lsm_truth){test->field->number,
						   test->op, test->string};
	return count;
}

static size_t aim_name(struct event_maker *maker, struct random *random)
{
	if (!maker->event.names)
		maker->event.names = 1;
	return random_below(random, maker->event.names);
}

static void aim_arg(struct random *random, const struct field_test *test,
		    uint64_t *arg)
{
	uint32_t low = (uint32_t)*arg;

	aim_number(random, test, &low);
	*arg = (*arg >> 32 << 32) | low;
}

static void aim_auid(struct random *random, const struct field_test *test,
		     uint32_t *auid)
{
	bool set;

	if (test->field->number == AUDIT_LOGINUID && test->value != UNSET) {
		aim_number(random, test, auid);
		return;
	}
	set = test->field->number == AUDIT_LOGINUID ? false : test->value;
	if (test->op == OP_NE)
		set = !set;
	if (!set)
		*auid = UNSET;
	else if (*auid == UNSET)
		*auid = 1000;
}

static void aim_result(struct event *e, struct random *random,
		       const struct field_test *test)
{
	bool success;

	if (test->field->number == AUDIT_EXIT) {
		aim_number(random, test, &e->exit_code);
		if (e->result == RESULT_NONE || random_chance(random, 90))
			e->result = e->exit_code >= (uint32_t)-4095
					    ? RESULT_FAILURE
					    : RESULT_SUCCESS;
		return;
	}
	success = (test->value != 0) == (test->op != OP_NE);
	e->result = success ? RESULT_SUCCESS : RESULT_FAILURE;
}

static void aim_task(struct event *e, struct random *r,
		     const struct field_test *test)
{
	switch (test->field->number) {
	case AUDIT_PID:
		aim_number(r, test, &e->pid);
		break;
	case AUDIT_PPID:
		aim_number(r, test, &e->ppid);
		break;
	case AUDIT_UID:
		aim_number(r, test, &e->uid);
		break;
	case AUDIT_EUID:
		aim_number(r, test, &e->euid);
		break;
	case AUDIT_SUID:
		aim_number(r, test, &e->suid);
		break;
	case AUDIT_FSUID:
		aim_number(r, test, &e->fsuid);
		break;
	case AUDIT_GID:
		aim_number(r, test, &e->gid);
		break;
	case AUDIT_EGID:
		aim_number(r, test, &e->egid);
		break;
	case AUDIT_SGID:
		aim_number(r, test, &e->sgid);
		break;
	case AUDIT_FSGID:
		aim_number(r, test, &e->fsgid);
		break;
	case AUDIT_LOGINUID:
	case AUDIT_LOGINUID_SET:
		aim_auid(r, test, &e->auid);
		break;
	case AUDIT_SESSIONID:
		aim_number(r, test, &e->session);
		break;
	case AUDIT_PERS:
		aim_number(r, test, &e->personality);
		break;
	case AUDIT_EXIT:
	case AUDIT_SUCCESS:
		aim_result(e, r, test);
		break;
	case AUDIT_SADDR_FAM:
		e->has_sockaddr = true;
		aim_number(r, test, &e->sockaddr_family);
		break;
	case AUDIT_ARG0:
	case AUDIT_ARG1:
	case AUDIT_ARG2:
	case AUDIT_ARG3:
		aim_arg(r, test, &e->argv[test->field->number - AUDIT_ARG0]);
		break;
	case AUDIT_MSGTYPE:
		aim_number(r, test, &e->msgtype);
		break;
	default:
		break;
	}
}

static void aim_at_name(struct event_maker *maker, struct random *r,
			const struct field_test *test)
{
	size_t i = aim_name(maker, r);
	struct event_name *name = &maker->name[i];
	uint32_t inode = (uint32_t)name->inode;

	switch (test->field->number) {
	case AUDIT_DEVMAJOR:
		aim_number(r, test,
			   random_chance(r, 50) ? &name->dev_major
						: &name->rdev_major);
		break;
	case AUDIT_DEVMINOR:
		aim_number(r, test,
			   random_chance(r, 50) ? &name->dev_minor
						: &name->rdev_minor);
		break;
	case AUDIT_INODE:
		aim_number(r, test, &inode);
		name->inode = inode;
		break;
	case AUDIT_OBJ_UID:
		aim_number(r, test, &name->uid);
		break;
	case AUDIT_OBJ_GID:
		aim_number(r, test, &name->gid);
		break;
	case AUDIT_FILETYPE:
		if (test->op == OP_EQ)
			name->mode = test->value | 0644;
		break;
	case AUDIT_WATCH:
		name->paths =
			aim_string(maker->name_path[i], name->paths, test);
		break;
	default:
		name->labels =
			aim_label(maker->name_label[i], name->labels, test);
	}
}

static void aim_compare(struct event *e, struct event_name *name,
			const struct field_test *test)
{
	bool same = test->op == OP_EQ;

	switch (test->value) {
	case AUDIT_COMPARE_UID_TO_OBJ_UID:
		name->uid = same ? e->uid : e->uid + 1;
		break;
	case AUDIT_COMPARE_AUID_TO_OBJ_UID:
		name->uid = same ? e->auid : e->auid + 1;
		break;
	case AUDIT_COMPARE_GID_TO_OBJ_GID:
		name->gid = same ? e->gid : e->gid + 1;
		break;
	case AUDIT_COMPARE_UID_TO_EUID:
		e->euid = same ? e->uid : e->uid + 1;
		break;
	case AUDIT_COMPARE_UID_TO_AUID:
		e->auid = same ? e->uid : e->uid + 1;
		break;
	default: /* the pools are small: chance does the rest */
		break;
	}
}

static void aim_test(struct event_maker *maker, struct random *random,
		     const struct field_test *test)
{
	struct event *e = &maker->event;

	switch (test->field->kind) {
	case FIELD_ARCH:
	case FIELD_PERM:
		break; /* aim_call */
	case FIELD_NAME:
	case FIELD_FILETYPE:
	case FIELD_PATH:
	case FIELD_LSM_OBJECT:
		aim_at_name(maker, random, test);
		break;
	case FIELD_DIR:
		e->dirs = aim_string(maker->dirs, e->dirs, test);
		break;
	case FIELD_EXE:
		e->exes = aim_string(maker->exes, e->exes, test);
		break;
	case FIELD_LSM_SUBJECT:
		e->labels = aim_label(maker->task_label, e->labels, test);
		break;
	case FIELD_COMPARE:
		aim_compare(e, &maker->name[aim_name(maker, random)], test);
		break;
	default:
		aim_task(e, random, test);
	}
}

/* A call of the rule's mask, in an ABI that its arch tests let through, and if
 * one can be found, one that its perm test lets through. */
static void aim_call(struct event *e, struct random *random,
		     const struct target *target, const struct rule *rule)
{
	const struct field_test *perm = NULL;

	for (unsigned int i = 0; i < rule->tests; i++) {
		const struct field_test *test = &rule->test[i];
		int abi = target_abi_of_elf(target, test->value);

		if (test->field->kind == FIELD_PERM)
			perm = test;
		if (test->field->kind != FIELD_ARCH || abi < 0)
			continue;
		if (test->op == OP_EQ)
			e->abi = (enum abi)abi;
		else if (target_has_abi(target, (enum abi) !abi))
			e->abi = (enum abi) !abi;
	}
	for (int tries = perm ? 16 : 1; tries > 0; tries--) {
		int from = (int)random_below(random, 400);
		int call = syscall_mask_next(&rule->mask, from);

		if (call < 0)
			call = syscall_mask_next(&rule->mask, 0);
		if (call < 0)
			return;
		e->number = call;
		if (perm && perm_match(target, e->abi, call, e->argv,
				       e->open_flags, perm->value))
			return;
	}
}

void maker_aim(struct event_maker *maker, struct random *random,
	       unsigned int percent)
{
	const struct ruleset *set = maker->set;
	const struct rule *rule;

	if (!set->count)
		return;
	rule = set->rule[random_below(random, set->count)];
	aim_call(&maker->event, random, set->target, rule);
	for (unsigned int i = 0; i < rule->tests; i++)
		if (random_chance(random, percent))
			aim_test(maker, random, &rule->test[i]);
}

/* Calls that can run io_uring operations themselves. */
static bool runs_operations(const struct target *target, const struct event *e)
{
	static const char *const names[] = {
		"io_uring_enter", "io_uring_register", "execve", "execveat",
		"exit",		  "exit_group",
	};
	const char *name = target_call_name(target, e->abi, e->number);

	return name && string_in(names, sizeof(names) / sizeof(names[0]), name);
}

/* The operation's or the moment's credentials: another's, or those that a
 * random rule asks for. */
static void aim_inner(struct event_maker *maker, struct random *random)
{
	const struct ruleset *set = maker->set;
	struct event *e = &maker->inner;
	enum event_result result = e->result;
	const struct rule *rule;

	e->uid = maker_value(maker, random, POOL_UID);
	e->euid = maker_value(maker, random, POOL_UID);
	e->suid = maker_value(maker, random, POOL_UID);
	e->fsuid = maker_value(maker, random, POOL_UID);
	e->gid = maker_value(maker, random, POOL_GID);
	e->egid = maker_value(maker, random, POOL_GID);
	if (!set->count)
		return;
	rule = set->rule[random_below(random, set->count)];
	for (unsigned int i = 0; i < rule->tests; i++)
		aim_task(e, random, &rule->test[i]);
	if (result == RESULT_NONE) /* there is none at that moment */
		e->result = RESULT_NONE;
	/* the task's own, which no credentials change */
	e->auid = maker->event.auid;
	e->session = maker->event.session;
	e->pid = maker->event.pid;
	e->ppid = maker->event.ppid;
	e->personality = maker->event.personality;
}

/* A watched file's end makes a CONFIG_CHANGE record, so not in every call. */
static bool can_end_a_watch(const struct target *target, const struct event *e)
{
	return e->names && call_can_self_log(target, e->abi, e->number, NULL);
}

static void make_inner(struct event_maker *maker, struct random *random,
		       enum inner_kind kind)
{
	struct event *e = &maker->inner;

	e->dirs = random_below(random, e->dirs + 1);
	if (kind == INNER_WATCH) {
		e->names = 1 + random_below(random, e->names);
		e->result = RESULT_NONE;
		e->exit_code = 0;
	} else {
		e->names = random_below(random, e->names + 1);
		e->exit_code = maker_value(maker, random, POOL_EXIT);
		e->result = random_chance(random, 50) ? RESULT_SUCCESS
						      : RESULT_FAILURE;
	}
	if (random_chance(random, 60))
		aim_inner(maker, random);
}

bool event_maker_inner(struct event_maker *maker, struct random *random,
		       struct inner_walk *inner)
{
	const struct target *target = maker->set->target;
	const struct event *e = &maker->event;

	/* Not both at once: a bucket whose order was changed, walked twice in
	 * a call, can tell even one rule from two of the same. */
	if (e->replaced)
		return false;
	if (random_chance(random, 60) && runs_operations(target, e))
		inner->kind = INNER_URING;
	else if (random_chance(random, 30) && can_end_a_watch(target, e))
		inner->kind = INNER_WATCH;
	else
		return false;
	maker->inner = *e;
	make_inner(maker, random, inner->kind);
	inner->operation = (int)random_below(random, 12);
	inner->event = &maker->inner;
	return true;
}
