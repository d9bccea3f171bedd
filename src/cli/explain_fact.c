/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a condition that holds says of a call. */
#include <linux/audit.h>

#include "cli/explain_event.h"
#include "model/audit_names.h"

static void set_number(struct event *e, const struct field_test *test)
{
	uint32_t value = test->value;

	switch (test->field->number) {
	case AUDIT_PID:
	case AUDIT_PPID:
	case AUDIT_PERS:
	case AUDIT_SESSIONID:
		*event_task_number(e, test->field->number) = value;
		break;
	case AUDIT_ARG0:
	case AUDIT_ARG1:
	case AUDIT_ARG2:
	case AUDIT_ARG3:
		e->argv[test->field->number - AUDIT_ARG0] = value;
		break;
	default:
		e->has_sockaddr = true;
		e->sockaddr_family = value;
	}
}

static void set_id(struct event *e, const struct field_test *test)
{
	switch (test->field->number) {
	case AUDIT_UID:
		e->uid = e->euid = e->suid = e->fsuid = test->value;
		break;
	case AUDIT_EUID:
		e->euid = e->fsuid = test->value;
		break;
	case AUDIT_SUID:
		e->suid = test->value;
		break;
	case AUDIT_FSUID:
		e->fsuid = test->value;
		break;
	case AUDIT_GID:
		e->gid = e->egid = e->sgid = e->fsgid = test->value;
		break;
	case AUDIT_EGID:
		e->egid = e->fsgid = test->value;
		break;
	case AUDIT_SGID:
		e->sgid = test->value;
		break;
	case AUDIT_FSGID:
		e->fsgid = test->value;
		break;
	default:
		e->auid = test->value;
	}
}

/* is_syscall_success(): -4095 to -1 are errors. */
static bool is_failure(uint32_t code)
{
	return code >= (uint32_t)-4095;
}

static void set_result(struct question *q, const struct field_test *test)
{
	struct event *e = &q->event;

	if (test->field->number == AUDIT_EXIT) {
		e->exit_code = test->value;
		q->has_exit = true;
		if (!q->has_success)
			e->result = is_failure(test->value) ? RESULT_FAILURE
							    : RESULT_SUCCESS;
		return;
	}
	q->has_success = true;
	e->result = test->value ? RESULT_SUCCESS : RESULT_FAILURE;
	if (!test->value && !q->has_exit)
		e->exit_code = (uint32_t)-1;
}

static struct event_name *some_name(struct question *q)
{
	if (!q->event.names)
		q->name[q->event.names++] =
			(struct event_name){.inode = 1, .mode = 0100644};
	return &q->name[q->event.names - 1];
}

static void add_path(struct question *q, const char *path)
{
	q->path[q->event.names] = path;
	q->name[q->event.names] = (struct event_name){
		.inode = 1000 + q->event.names,
		.mode = 0100644,
		.path = &q->path[q->event.names],
		.paths = 1,
	};
	q->event.names++;
}

static void add_label(struct question *q, const struct field_test *test)
{
	struct event_name *name = some_name(q);
	struct lsm_truth *label =
		arena_array(q->arena, name->labels + 1, sizeof(*label));

	for (size_t i = 0; i < name->labels; i++)
		label[i] = name->label[i];
	label[name->labels++] =
		(struct lsm_truth){test->field->number, test->op, test->string};
	name->label = label;
}

static void set_name(struct question *q, const struct field_test *test)
{
	struct event_name *name = some_name(q);

	switch (test->field->number) {
	case AUDIT_DEVMAJOR:
		name->dev_major = name->rdev_major = test->value;
		break;
	case AUDIT_DEVMINOR:
		name->dev_minor = name->rdev_minor = test->value;
		break;
	case AUDIT_INODE:
		name->inode = test->value;
		break;
	case AUDIT_OBJ_UID:
		name->uid = test->value;
		break;
	case AUDIT_OBJ_GID:
		name->gid = test->value;
		break;
	default:
		break;
	}
}

bool explain_make_true(struct question *q, const struct field_test *test)
{
	struct event *e = &q->event;

	if (test->op != OP_EQ)
		return false;
	switch (test->field->kind) {
	case FIELD_NUMBER:
	case FIELD_OPTIONAL:
		set_number(e, test);
		return true;
	case FIELD_UID:
	case FIELD_GID:
	case FIELD_GROUP:
		set_id(e, test);
		return true;
	case FIELD_RESULT:
		set_result(q, test);
		return true;
	case FIELD_NAME:
		set_name(q, test);
		return true;
	case FIELD_FILETYPE:
		some_name(q)->mode = test->value;
		return true;
	case FIELD_PATH:
		add_path(q, test->string);
		return true;
	case FIELD_DIR:
		q->dir[e->dirs++] = test->string;
		return true;
	case FIELD_EXE:
		q->exe[e->exes++] = test->string;
		return true;
	case FIELD_LSM_SUBJECT:
		q->label[e->labels++] = (struct lsm_truth){
			test->field->number, test->op, test->string};
		return true;
	case FIELD_LSM_OBJECT:
		add_label(q, test);
		return true;
	case FIELD_ARCH: {
		int abi = target_abi_of_elf(q->options->common.compile.target,
					    test->value);

		e->abi = (enum abi)abi;
		return abi >= 0;
	}
	default:
		return false;
	}
}

bool explain_results_agree(const struct question *q)
{
	bool failed = q->event.result == RESULT_FAILURE;

	if (!q->has_exit || !q->has_success ||
	    failed == is_failure(q->event.exit_code))
		return true;
	cli_usage_error(CLI_EXPLAIN,
			"-F success=%d and -F exit=%d contradict each other: "
			"-4095 to -1 are failures, all else is success",
			!failed, (int)q->event.exit_code);
	return false;
}
