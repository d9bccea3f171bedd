/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cost/imagined.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "model/audit_names.h"
#include "model/kernel_match.h"

/* What no rule names: the inode of a file that is new. */
#define NEW_INODE UINT64_C(0x7fffffff12345678)
#define IS_FAILURE(code) ((code) >= (uint32_t)-4095)

unsigned int field_aspects(const struct field_info *field)
{
	switch (field->kind) {
	case FIELD_UID:
	case FIELD_LOGINUID_SET:
		return ASPECT_USERS;
	case FIELD_GID:
	case FIELD_GROUP:
		return ASPECT_GROUPS;
	case FIELD_RESULT:
		return ASPECT_RESULT;
	case FIELD_OPTIONAL:
		return ASPECT_SOCKET;
	case FIELD_NAME:
	case FIELD_FILETYPE:
	case FIELD_LSM_OBJECT:
		return ASPECT_FILE;
	case FIELD_PERM:
	case FIELD_ARCH:
		return ASPECT_CALL;
	case FIELD_DIR:
		return ASPECT_TREE;
	case FIELD_EXE:
		return ASPECT_PROGRAM;
	case FIELD_LSM_SUBJECT:
		return ASPECT_LABEL;
	case FIELD_COMPARE:
		return ASPECT_USERS | ASPECT_GROUPS | ASPECT_FILE;
	case FIELD_NUMBER:
		break;
	default:
		return 0;
	}
	switch (field->number) {
	case AUDIT_SESSIONID:
		return ASPECT_SESSION;
	case AUDIT_PID:
	case AUDIT_PPID:
	case AUDIT_PERS:
		return ASPECT_PROCESS;
	default: /* AUDIT_ARG0 ... */
		return ASPECT_CALL;
	}
}

/* Lets the event point to what is the call's own. */
static void own(struct imagined *call)
{
	struct event *e = &call->event;

	call->name.path = call->path ? &call->path : NULL;
	call->name.paths = call->path != NULL;
	e->name = e->names ? &call->name : NULL;
	e->exe = call->exe ? &call->exe : NULL;
	e->exes = call->exe != NULL;
	e->label = call->label;
	e->dir = call->dir;
}

void imagined_of(struct imagined *call, const struct target *target,
		 const struct event *event, bool named, const char **dir)
{
	*call = (struct imagined){
		.target = target, .event = *event, .dir = dir};
	call->event.dirs = call->event.labels = 0;
	if (event->exes)
		call->exe = event->exe[0];
	for (size_t i = 0; i < event->labels && i < IMAGINED_LABELS; i++)
		call->label[call->event.labels++] = event->label[i];
	if (event->names)
		call->name = event->name[0];
	else
		call->name = (struct event_name){.inode = NEW_INODE,
						 .mode = S_IFREG | 0644};
	call->event.names = named || event->names ? 1 : 0;
	own(call);
}

void imagined_like(struct imagined *call, const struct imagined *other,
		   const char **dir)
{
	*call = *other;
	call->dir = dir;
	memcpy(dir, other->dir, other->event.dirs * sizeof(*dir));
	own(call);
}

void imagined_add_file(struct imagined *call)
{
	call->event.names = 1;
	own(call);
}

/* Does TEST hold for CALL, in the list, or for its file in a bucket? */
static bool holds(const struct imagined *call, const struct field_test *test,
		  bool bucket)
{
	struct view view = {.target = call->target,
			    .event = &call->event,
			    .context = true,
			    .arch = call->target->abi[call->event.abi].elf,
			    .abi = call->event.abi,
			    .number = call->event.number,
			    .name = bucket ? &call->name : NULL};

	memcpy(view.argv, call->event.argv, sizeof(view.argv));
	return view_test(&view, test);
}

void imagined_add_tree(struct imagined *call, const char *tree)
{
	call->dir[call->event.dirs++] = tree;
}

void imagined_set_path(struct imagined *call, const char *path)
{
	call->path = path;
	own(call);
}

/* Where the event has the number that FIELD looks at; NULL: elsewhere, in no
 * one place or in none. */
static uint32_t *number_of(struct imagined *call,
			   const struct field_info *field)
{
	struct event *e = &call->event;

	switch (field->number) {
	case AUDIT_LOGINUID_SET:
		return &e->auid;
	case AUDIT_EXIT:
		return e->result == RESULT_NONE ? NULL : &e->exit_code;
	case AUDIT_OBJ_UID:
		return e->names ? &call->name.uid : NULL;
	case AUDIT_OBJ_GID:
		return e->names ? &call->name.gid : NULL;
	case AUDIT_DEVMAJOR:
		return e->names ? &call->name.dev_major : NULL;
	case AUDIT_DEVMINOR:
		return e->names ? &call->name.dev_minor : NULL;
	case AUDIT_SADDR_FAM:
		e->has_sockaddr = true;
		return &e->sockaddr_family;
	default:
		return event_task_number(e, field->number);
	}
}

/* Writes what TEST looks at; false where it is no number. */
static bool set_number(struct imagined *call, const struct field_info *field,
		       uint32_t value)
{
	uint32_t number = field->number;
	uint32_t *place;

	if (number >= AUDIT_ARG0 && number <= AUDIT_ARG3) {
		call->event.argv[number - AUDIT_ARG0] = value;
		return true;
	}
	place = number_of(call, field);
	if (!place)
		return false;
	*place = value;
	if (number == AUDIT_EXIT)
		call->event.result =
			IS_FAILURE(value) ? RESULT_FAILURE : RESULT_SUCCESS;
	return true;
}

/* Do all tests of RULE that are of FIELD hold? RULE NULL: does TEST turn out
 * as WANTED? */
static bool field_holds(const struct imagined *call, const struct rule *rule,
			const struct field_test *test, bool wanted)
{
	bool bucket = rule && rule_place(rule) == PLACE_INODE;

	if (!rule)
		return holds(call, test, false) == wanted;
	for (unsigned int i = 0; i < rule->tests; i++)
		if (rule->test[i].field == test->field &&
		    !holds(call, &rule->test[i], bucket))
			return false;
	return true;
}

/* Tries values at the edges of TEST, until it is as is wanted. */
static bool try_around(struct imagined *call, const struct rule *rule,
		       const struct field_test *edge,
		       const struct field_test *test, bool wanted)
{
	const uint32_t value[] = {edge->value, edge->value + 1, edge->value - 1,
				  0, 1000};

	for (size_t i = 0; i < sizeof(value) / sizeof(*value); i++)
		if (set_number(call, test->field, value[i]) &&
		    field_holds(call, rule, test, wanted))
			return true;
	return false;
}

/* As kernel flags of open: read, write, both. */
static bool try_perm(struct imagined *call, const struct field_test *test,
		     bool wanted)
{
	for (uint64_t flags = 0; flags <= 2; flags++) {
		call->event.argv[1] = call->event.argv[2] = flags;
		call->event.open_flags = flags;
		if (holds(call, test, false) == wanted)
			return true;
	}
	return false;
}

static bool try_result(struct imagined *call, const struct field_test *test,
		       bool wanted)
{
	struct event *e = &call->event;

	if (e->result == RESULT_NONE)
		return false;
	e->result =
		e->result == RESULT_SUCCESS ? RESULT_FAILURE : RESULT_SUCCESS;
	e->exit_code = e->result == RESULT_SUCCESS ? 0 : (uint32_t)-EPERM;
	return holds(call, test, false) == wanted;
}

static bool try_type(struct imagined *call, const struct field_test *test,
		     bool wanted)
{
	static const uint32_t types[] = {S_IFREG, S_IFDIR};

	if (!call->event.names)
		return false;
	call->name.mode = test->value;
	for (size_t i = 0; i < 2; i++) {
		if (holds(call, test, false) == wanted)
			return true;
		call->name.mode = types[i];
	}
	return holds(call, test, false) == wanted;
}

static bool try_exe(struct imagined *call, const struct field_test *test,
		    bool wanted)
{
	call->exe = (test->op == OP_EQ) == wanted ? test->string : NULL;
	own(call);
	return holds(call, test, false) == wanted;
}

static bool try_label(struct imagined *call, const struct field_test *test,
		      bool wanted)
{
	if (!wanted || call->event.labels == IMAGINED_LABELS)
		return false;
	call->label[call->event.labels++] =
		(struct lsm_truth){test->field->number, test->op, test->string};
	return true;
}

/* The owner, for -C with it. */
static bool try_owner(struct imagined *call, const struct field_test *test,
		      bool wanted)
{
	const struct event *e = &call->event;
	const uint32_t user[] = {e->auid,  e->uid,     e->euid,	   e->suid,
				 e->fsuid, e->uid + 1, e->auid + 2};
	const uint32_t group[] = {e->gid, e->egid,    e->sgid,	  e->fsgid,
				  e->gid, e->gid + 1, e->egid + 2};

	for (size_t i = 0; e->names && i < sizeof(user) / sizeof(*user); i++) {
		call->name.uid = user[i];
		call->name.gid = group[i];
		if (holds(call, test, false) == wanted)
			return true;
	}
	return false;
}

/* RULE NULL: TEST alone is to be as WANTED. */
static bool bring_about(struct imagined *call, const struct rule *rule,
			const struct field_test *test, bool wanted)
{
	switch (test->field->kind) {
	case FIELD_PERM:
		return try_perm(call, test, wanted);
	case FIELD_FILETYPE:
		return try_type(call, test, wanted);
	case FIELD_EXE:
		return try_exe(call, test, wanted);
	case FIELD_LSM_SUBJECT:
		return try_label(call, test, wanted);
	case FIELD_COMPARE:
		return try_owner(call, test, wanted);
	case FIELD_DIR:
		if (!wanted || test->op != OP_EQ || !call->event.names)
			return false;
		imagined_add_tree(call, test->string);
		return true;
	case FIELD_PATH:
		if (!wanted || test->op != OP_EQ || !call->event.names)
			return false;
		imagined_set_path(call, test->string);
		return true;
	default:
		break;
	}
	if (test->field->number == AUDIT_SUCCESS)
		return try_result(call, test, wanted);
	if (try_around(call, rule, test, test, wanted))
		return true;
	for (unsigned int i = 0; rule && i < rule->tests; i++)
		if (rule->test[i].field == test->field &&
		    try_around(call, rule, &rule->test[i], test, wanted))
			return true;
	return false;
}

/* Changes what TEST, of RULE, looks at, so that it and RULE's other tests of the
 * same field hold. False if that is not done: it may have changed. */
static bool satisfy(struct imagined *call, const struct rule *rule,
		    const struct field_test *test)
{
	return bring_about(call, rule, test, true);
}

bool imagined_turn(struct imagined *call, const struct field_test *test)
{
	if (test->field->kind == FIELD_ARCH) {
		call->event.abi = (enum abi) !call->event.abi;
		return target_has_abi(call->target, call->event.abi);
	}
	return bring_about(call, NULL, test, !holds(call, test, false));
}

bool imagined_match(struct imagined *call, const struct rule *rule)
{
	bool bucket = rule_place(rule) == PLACE_INODE;

	for (unsigned int i = 0; i < rule->tests; i++)
		if (!holds(call, &rule->test[i], bucket) &&
		    !satisfy(call, rule, &rule->test[i]))
			return false;
	for (unsigned int i = 0; i < rule->tests; i++)
		if (!holds(call, &rule->test[i], bucket))
			return false;
	return true;
}

static unsigned int task_changes(const struct event *a, const struct event *b)
{
	unsigned int changes = 0;

	if (a->uid != b->uid || a->euid != b->euid || a->suid != b->suid ||
	    a->fsuid != b->fsuid || a->auid != b->auid)
		changes |= ASPECT_USERS;
	if (a->gid != b->gid || a->egid != b->egid || a->sgid != b->sgid ||
	    a->fsgid != b->fsgid)
		changes |= ASPECT_GROUPS;
	if (a->session != b->session)
		changes |= ASPECT_SESSION;
	if (a->pid != b->pid || a->ppid != b->ppid ||
	    a->personality != b->personality)
		changes |= ASPECT_PROCESS;
	if (a->labels != b->labels)
		changes |= ASPECT_LABEL;
	return changes;
}

static bool same_file(const struct imagined *a, const struct imagined *b)
{
	const struct event_name *m = &a->name, *n = &b->name;

	return a->event.names == b->event.names && m->mode == n->mode &&
	       m->uid == n->uid && m->gid == n->gid &&
	       m->dev_major == n->dev_major && m->dev_minor == n->dev_minor;
}

unsigned int imagined_changes(const struct imagined *a,
			      const struct imagined *b)
{
	const struct event *m = &a->event, *n = &b->event;
	unsigned int changes = task_changes(m, n);

	if (m->abi != n->abi || m->open_flags != n->open_flags ||
	    memcmp(m->argv, n->argv, sizeof(m->argv)) != 0)
		changes |= ASPECT_CALL;
	if (m->result != n->result || m->exit_code != n->exit_code)
		changes |= ASPECT_RESULT;
	if (m->has_sockaddr != n->has_sockaddr ||
	    m->sockaddr_family != n->sockaddr_family)
		changes |= ASPECT_SOCKET;
	if (a->exe != b->exe)
		changes |= ASPECT_PROGRAM;
	if (m->dirs != n->dirs || a->path != b->path)
		changes |= ASPECT_TREE;
	if (!same_file(a, b))
		changes |= ASPECT_FILE;
	return changes;
}
