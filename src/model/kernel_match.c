/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields are told apart by number here, as the kernel does, and not by the
 * kinds of the field table: so a wrong row there makes the passes and this
 * file disagree, and the tests see it.
 */
#include "model/kernel_match.h"

#include <linux/audit.h>
#include <string.h>
#include <sys/stat.h>

#include "model/audit_names.h"
#include "model/perm.h"

#define ID_UNSET UINT32_MAX
#define INODE_UNSET UINT64_MAX /* AUDIT_INO_UNSET */

/* ctx->return_valid (kernel/audit.h) */
enum { RETURN_INVALID, RETURN_SUCCESS, RETURN_FAILURE };

bool string_among(const char *const *list, size_t count, const char *string)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i], string) == 0)
			return true;
	return false;
}

static bool number_among(const uint32_t *list, size_t count, uint32_t number)
{
	for (size_t i = 0; i < count; i++)
		if (list[i] == number)
			return true;
	return false;
}

static bool label_among(const struct lsm_truth *list, size_t count,
			const struct field_test *test)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].field == test->field->number &&
		    list[i].op == test->op &&
		    strcmp(list[i].string, test->string) == 0)
			return true;
	return false;
}

/* audit_uid_comparator, audit_gid_comparator: no bit operators. */
static bool id_compare(uint32_t left, enum field_op op, uint32_t right)
{
	return op != OP_BIT_MASK && op != OP_BIT_TEST &&
	       field_compare(left, op, right);
}

/* Reverses what a yes-or-no field found if the rule says !=. */
static bool found(bool result, const struct field_test *test)
{
	return test->op == OP_NE ? !result : result;
}

/* gid and egid: equality looks through the supplementary groups too. */
static bool group_test(const struct event *event, uint32_t id,
		       const struct field_test *test)
{
	bool result = id_compare(id, test->op, test->value);
	bool member = number_among(event->group, event->groups, test->value);

	if (test->op == OP_EQ)
		return result || member;
	if (test->op == OP_NE)
		return result && !member;
	return result;
}

static bool auid_set_test(const struct event *event, enum field_op op,
			  uint32_t value)
{
	return field_compare(event->auid != ID_UNSET, op, value);
}

/* audit_data_to_entry turns a test of auid against -1 into one of
 * loginuid_set against 0 with the same operator. */
static bool auid_test(const struct event *event, const struct field_test *test)
{
	if (test->value == ID_UNSET)
		return auid_set_test(event, test->op, 0);
	return id_compare(event->auid, test->op, test->value);
}

/* The ids of the task, and what else is one number of it. */
static bool task_test(const struct event *event, const struct field_test *test)
{
	switch (test->field->number) {
	case AUDIT_PID:
		return field_compare(event->pid, test->op, test->value);
	case AUDIT_UID:
		return id_compare(event->uid, test->op, test->value);
	case AUDIT_EUID:
		return id_compare(event->euid, test->op, test->value);
	case AUDIT_SUID:
		return id_compare(event->suid, test->op, test->value);
	case AUDIT_FSUID:
		return id_compare(event->fsuid, test->op, test->value);
	case AUDIT_GID:
		return group_test(event, event->gid, test);
	case AUDIT_EGID:
		return group_test(event, event->egid, test);
	case AUDIT_SGID:
		return id_compare(event->sgid, test->op, test->value);
	case AUDIT_FSGID:
		return id_compare(event->fsgid, test->op, test->value);
	case AUDIT_LOGINUID:
		return auid_test(event, test);
	case AUDIT_LOGINUID_SET:
		return auid_set_test(event, test->op, test->value);
	case AUDIT_SESSIONID:
		return field_compare(event->session, test->op, test->value);
	case AUDIT_PERS:
		return field_compare(event->personality, test->op, test->value);
	case AUDIT_EXE:
		return found(
			string_among(event->exe, event->exes, test->string),
			test);
	default:
		return false;
	}
}

static uint32_t return_valid(const struct event *event)
{
	switch (event->result) {
	case RESULT_SUCCESS:
		return RETURN_SUCCESS;
	case RESULT_FAILURE:
		return RETURN_FAILURE;
	default:
		return RETURN_INVALID;
	}
}

static bool result_test(const struct event *event,
			const struct field_test *test)
{
	uint32_t valid = return_valid(event);

	if (valid == RETURN_INVALID)
		return false;
	if (test->field->number == AUDIT_EXIT)
		return field_compare(event->exit_code, test->op, test->value);
	return field_compare(valid, test->op,
			     test->value ? RETURN_SUCCESS : RETURN_FAILURE);
}

/* audit_match_filetype: always over all names, in a bucket walk too. */
static bool filetype_found(const struct event *event, uint32_t type)
{
	for (size_t i = 0; i < event->names; i++)
		if (event->name[i].inode != INODE_UNSET &&
		    (event->name[i].mode & S_IFMT) == (type & 0xffff))
			return true;
	return false;
}

/* A field of one name. */
static bool name_test(const struct event_name *name,
		      const struct field_test *test)
{
	enum field_op op = test->op;
	uint32_t value = test->value;

	switch (test->field->number) {
	case AUDIT_DEVMAJOR:
		return field_compare(name->dev_major, op, value) ||
		       field_compare(name->rdev_major, op, value);
	case AUDIT_DEVMINOR:
		return field_compare(name->dev_minor, op, value) ||
		       field_compare(name->rdev_minor, op, value);
	case AUDIT_INODE:
		/* audit_comparator takes 32 bits of it */
		return field_compare((uint32_t)name->inode, op, value);
	case AUDIT_OBJ_UID:
		return id_compare(name->uid, op, value);
	case AUDIT_OBJ_GID:
		return id_compare(name->gid, op, value);
	default: /* AUDIT_OBJ_USER ... AUDIT_OBJ_LEV_HIGH */
		return label_among(name->label, name->labels, test);
	}
}

/* The name of the bucket walk, or any name. */
static bool some_name_test(const struct view *view,
			   const struct field_test *test)
{
	const struct event *event = view->event;

	if (view->name)
		return name_test(view->name, test);
	for (size_t i = 0; i < event->names; i++)
		if (name_test(&event->name[i], test))
			return true;
	return false;
}

static bool object_label_test(const struct view *view,
			      const struct field_test *test)
{
	const struct event *event = view->event;

	return some_name_test(view, test) ||
	       (event->has_ipc &&
		label_among(event->ipc_label, event->ipc_labels, test));
}

/* audit_compare_uid and audit_compare_gid: the name of the bucket walk first,
 * then all names again; so this is "some name" in both walks. */
static bool owner_compare(const struct view *view, uint32_t id,
			  enum field_op op, bool group)
{
	const struct event *event = view->event;

	for (size_t i = 0; view->context && i < event->names; i++) {
		const struct event_name *name = &event->name[i];

		if (id_compare(id, op, group ? name->gid : name->uid))
			return true;
	}
	return false;
}

/* audit_field_compare, the half that compares ids of the task. */
static bool task_compare(const struct event *e, enum field_op op,
			 uint32_t which)
{
	switch (which) {
	case AUDIT_COMPARE_UID_TO_AUID:
		return id_compare(e->uid, op, e->auid);
	case AUDIT_COMPARE_UID_TO_EUID:
		return id_compare(e->uid, op, e->euid);
	case AUDIT_COMPARE_UID_TO_SUID:
		return id_compare(e->uid, op, e->suid);
	case AUDIT_COMPARE_UID_TO_FSUID:
		return id_compare(e->uid, op, e->fsuid);
	case AUDIT_COMPARE_AUID_TO_EUID:
		return id_compare(e->auid, op, e->euid);
	case AUDIT_COMPARE_AUID_TO_SUID:
		return id_compare(e->auid, op, e->suid);
	case AUDIT_COMPARE_AUID_TO_FSUID:
		return id_compare(e->auid, op, e->fsuid);
	case AUDIT_COMPARE_EUID_TO_SUID:
		return id_compare(e->euid, op, e->suid);
	case AUDIT_COMPARE_EUID_TO_FSUID:
		return id_compare(e->euid, op, e->fsuid);
	case AUDIT_COMPARE_SUID_TO_FSUID:
		return id_compare(e->suid, op, e->fsuid);
	case AUDIT_COMPARE_GID_TO_EGID:
		return id_compare(e->gid, op, e->egid);
	case AUDIT_COMPARE_GID_TO_SGID:
		return id_compare(e->gid, op, e->sgid);
	case AUDIT_COMPARE_GID_TO_FSGID:
		return id_compare(e->gid, op, e->fsgid);
	case AUDIT_COMPARE_EGID_TO_SGID:
		return id_compare(e->egid, op, e->sgid);
	case AUDIT_COMPARE_EGID_TO_FSGID:
		return id_compare(e->egid, op, e->fsgid);
	case AUDIT_COMPARE_SGID_TO_FSGID:
		return id_compare(e->sgid, op, e->fsgid);
	default:
		return false;
	}
}

/* audit_field_compare, the half that looks at owners of files. */
static bool compare_test(const struct view *view, const struct field_test *test)
{
	const struct event *e = view->event;
	enum field_op op = test->op;

	switch (test->value) {
	case AUDIT_COMPARE_UID_TO_OBJ_UID:
		return owner_compare(view, e->uid, op, false);
	case AUDIT_COMPARE_EUID_TO_OBJ_UID:
		return owner_compare(view, e->euid, op, false);
	case AUDIT_COMPARE_SUID_TO_OBJ_UID:
		return owner_compare(view, e->suid, op, false);
	case AUDIT_COMPARE_FSUID_TO_OBJ_UID:
		return owner_compare(view, e->fsuid, op, false);
	case AUDIT_COMPARE_AUID_TO_OBJ_UID:
		return owner_compare(view, e->auid, op, false);
	case AUDIT_COMPARE_GID_TO_OBJ_GID:
		return owner_compare(view, e->gid, op, true);
	case AUDIT_COMPARE_EGID_TO_OBJ_GID:
		return owner_compare(view, e->egid, op, true);
	case AUDIT_COMPARE_SGID_TO_OBJ_GID:
		return owner_compare(view, e->sgid, op, true);
	case AUDIT_COMPARE_FSGID_TO_OBJ_GID:
		return owner_compare(view, e->fsgid, op, true);
	default:
		return task_compare(e, op, test->value);
	}
}

/* The fields that need an audit context; at fork there is none. */
static bool context_test(const struct view *view, const struct field_test *test)
{
	const struct event *event = view->event;
	uint32_t number = test->field->number;

	switch (number) {
	case AUDIT_PPID:
		return field_compare(event->ppid, test->op, test->value);
	case AUDIT_ARCH:
		return field_compare(view->arch, test->op, test->value);
	case AUDIT_EXIT:
	case AUDIT_SUCCESS:
		return result_test(event, test);
	case AUDIT_DEVMAJOR:
	case AUDIT_DEVMINOR:
	case AUDIT_INODE:
	case AUDIT_OBJ_UID:
	case AUDIT_OBJ_GID:
		return some_name_test(view, test);
	case AUDIT_WATCH:
		return view->name &&
		       found(string_among(view->name->path, view->name->paths,
					  test->string),
			     test);
	case AUDIT_DIR:
		return found(
			string_among(event->dir, event->dirs, test->string),
			test);
	case AUDIT_SADDR_FAM:
		return event->has_sockaddr &&
		       field_compare(event->sockaddr_family, test->op,
				     test->value);
	case AUDIT_OBJ_USER:
	case AUDIT_OBJ_ROLE:
	case AUDIT_OBJ_TYPE:
	case AUDIT_OBJ_LEV_LOW:
	case AUDIT_OBJ_LEV_HIGH:
		return object_label_test(view, test);
	case AUDIT_ARG0:
	case AUDIT_ARG1:
	case AUDIT_ARG2:
	case AUDIT_ARG3:
		return field_compare((uint32_t)view->argv[number - AUDIT_ARG0],
				     test->op, test->value);
	default:
		return false;
	}
}

bool view_test(const struct view *view, const struct field_test *test)
{
	const struct event *event = view->event;

	switch (test->field->number) {
	case AUDIT_SUBJ_USER:
	case AUDIT_SUBJ_ROLE:
	case AUDIT_SUBJ_TYPE:
	case AUDIT_SUBJ_SEN:
	case AUDIT_SUBJ_CLR:
		return label_among(event->label, event->labels, test);
	case AUDIT_FILTERKEY:
		return true;
	/* These two do without a context: then nothing is found, and != holds.
	 */
	case AUDIT_PERM:
		return found(view->context &&
				     perm_match(view->target, view->abi,
						view->number, view->argv,
						event->open_flags, test->value),
			     test);
	case AUDIT_FILETYPE:
		return found(view->context &&
				     filetype_found(event, test->value),
			     test);
	case AUDIT_FIELD_COMPARE:
		return compare_test(view, test);
	default:
		return task_test(event, test) ||
		       (view->context && context_test(view, test));
	}
}

bool record_test(const struct event *event, const struct field_test *test,
		 bool *known)
{
	*known = true;
	switch (test->field->number) {
	case AUDIT_PID:
	case AUDIT_UID:
	case AUDIT_LOGINUID:
	case AUDIT_LOGINUID_SET:
	case AUDIT_EXE:
		return task_test(event, test);
	case AUDIT_GID: /* here without the supplementary groups */
		return id_compare(event->gid, test->op, test->value);
	case AUDIT_MSGTYPE:
		return field_compare(event->msgtype, test->op, test->value);
	case AUDIT_SUBJ_USER:
	case AUDIT_SUBJ_ROLE:
	case AUDIT_SUBJ_TYPE:
	case AUDIT_SUBJ_SEN:
	case AUDIT_SUBJ_CLR:
		return label_among(event->label, event->labels, test);
	default:
		*known = false;
		return false;
	}
}
