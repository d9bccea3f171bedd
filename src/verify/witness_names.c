/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Of an event that is made of answers: the names that the call collects, and
 * what else is not a plain value.
 */
#include "verify/witness_making.h"

#include <string.h>

#include "model/audit_names.h"
#include "model/call_names.h"

#define MOST_NAMES 8
#define PLAIN_INODE 1000003

/* Does VALUE do what Q asks of a name? */
static bool name_value_does(const struct question *q, uint32_t value)
{
	return field_compare(value, q->op, q->value);
}

/* Does VALUE do nothing that no name may do? */
static bool value_allowed(const struct making *m, uint32_t field,
			  uint32_t value)
{
	for (size_t i = 0; i < levels(m); i++) {
		const struct question *q = question(m, i);

		if (q->kind == ASK_TEST && m->answer[i] == ANSWER_NO &&
		    q->field->number == field && q->field->kind == FIELD_NAME &&
		    name_value_does(q, value))
			return false;
	}
	return true;
}

/* A value that does what WANTED asks (NULL: nothing) and nothing that is
 * answered with no. */
static uint32_t name_value(const struct making *m, uint32_t field,
			   const struct question *wanted, uint32_t otherwise)
{
	uint32_t best = wanted ? wanted->value : otherwise;

	for (size_t i = 0; i < levels(m) + 1; i++) {
		const struct question *q =
			i < levels(m) ? question(m, i) : NULL;

		if (q && (q->kind != ASK_TEST || q->field->number != field))
			continue;
		for (uint32_t step = 0; step < 3; step++) {
			uint32_t value = (q ? q->value : otherwise) + step - 1;

			if (wanted && !name_value_does(wanted, value))
				continue;
			if (value_allowed(m, field, value))
				return value;
			if (wanted)
				best = value;
		}
	}
	return best;
}

static void set_name_field(struct event_name *name, uint32_t field,
			   uint32_t value)
{
	switch (field) {
	case AUDIT_DEVMAJOR:
		name->dev_major = name->rdev_major = value;
		break;
	case AUDIT_DEVMINOR:
		name->dev_minor = name->rdev_minor = value;
		break;
	case AUDIT_INODE:
		name->inode = value;
		break;
	case AUDIT_OBJ_UID:
		name->uid = value;
		break;
	case AUDIT_OBJ_GID:
		name->gid = value;
		break;
	default:
		break;
	}
}

static struct event_name *new_name(struct making *m)
{
	struct event_name *name;

	if (m->event->names == MOST_NAMES)
		return &m->name[MOST_NAMES - 1];
	name = &m->name[m->event->names++];
	name->inode = name_value(m, AUDIT_INODE, NULL, PLAIN_INODE);
	name->dev_major = name->rdev_major =
		name_value(m, AUDIT_DEVMAJOR, NULL, 8);
	name->dev_minor = name->rdev_minor =
		name_value(m, AUDIT_DEVMINOR, NULL, 1);
	name->uid = name_value(m, AUDIT_OBJ_UID, NULL, PLAIN_ID);
	name->gid = name_value(m, AUDIT_OBJ_GID, NULL, PLAIN_ID);
	name->mode = 0100644;
	return name;
}

static void add_path(struct making *m, struct event_name *name,
		     const char *path)
{
	const char **list =
		arena_array(m->arena, name->paths + 1, sizeof(*list));

	for (size_t i = 0; i < name->paths; i++)
		list[i] = name->path[i];
	list[name->paths++] = path;
	name->path = list;
}

static void add_name_label(struct making *m, struct event_name *name,
			   const struct question *q)
{
	struct lsm_truth *list =
		arena_array(m->arena, name->labels + 1, sizeof(*list));

	if (name->labels)
		memcpy(list, name->label, name->labels * sizeof(*list));
	list[name->labels++] =
		(struct lsm_truth){q->field->number, q->op, q->string};
	name->label = list;
}

static uint32_t *id_of(struct event *e, uint32_t code, bool second)
{
	uint32_t *const pair[][2] = {
		[AUDIT_COMPARE_UID_TO_OBJ_UID] = {&e->uid, NULL},
		[AUDIT_COMPARE_GID_TO_OBJ_GID] = {&e->gid, NULL},
		[AUDIT_COMPARE_EUID_TO_OBJ_UID] = {&e->euid, NULL},
		[AUDIT_COMPARE_EGID_TO_OBJ_GID] = {&e->egid, NULL},
		[AUDIT_COMPARE_AUID_TO_OBJ_UID] = {&e->auid, NULL},
		[AUDIT_COMPARE_SUID_TO_OBJ_UID] = {&e->suid, NULL},
		[AUDIT_COMPARE_SGID_TO_OBJ_GID] = {&e->sgid, NULL},
		[AUDIT_COMPARE_FSUID_TO_OBJ_UID] = {&e->fsuid, NULL},
		[AUDIT_COMPARE_FSGID_TO_OBJ_GID] = {&e->fsgid, NULL},
		[AUDIT_COMPARE_UID_TO_AUID] = {&e->uid, &e->auid},
		[AUDIT_COMPARE_UID_TO_EUID] = {&e->uid, &e->euid},
		[AUDIT_COMPARE_UID_TO_FSUID] = {&e->uid, &e->fsuid},
		[AUDIT_COMPARE_UID_TO_SUID] = {&e->uid, &e->suid},
		[AUDIT_COMPARE_AUID_TO_FSUID] = {&e->auid, &e->fsuid},
		[AUDIT_COMPARE_AUID_TO_SUID] = {&e->auid, &e->suid},
		[AUDIT_COMPARE_AUID_TO_EUID] = {&e->auid, &e->euid},
		[AUDIT_COMPARE_EUID_TO_SUID] = {&e->euid, &e->suid},
		[AUDIT_COMPARE_EUID_TO_FSUID] = {&e->euid, &e->fsuid},
		[AUDIT_COMPARE_SUID_TO_FSUID] = {&e->suid, &e->fsuid},
		[AUDIT_COMPARE_GID_TO_EGID] = {&e->gid, &e->egid},
		[AUDIT_COMPARE_GID_TO_FSGID] = {&e->gid, &e->fsgid},
		[AUDIT_COMPARE_GID_TO_SGID] = {&e->gid, &e->sgid},
		[AUDIT_COMPARE_EGID_TO_FSGID] = {&e->egid, &e->fsgid},
		[AUDIT_COMPARE_EGID_TO_SGID] = {&e->egid, &e->sgid},
		[AUDIT_COMPARE_SGID_TO_FSGID] = {&e->sgid, &e->fsgid},
	};

	return code < sizeof(pair) / sizeof(pair[0]) ? pair[code][second]
						     : NULL;
}

/* The field of an id of the event, for its limits. */
static uint32_t field_of_id(const struct event *e, const uint32_t *id)
{
	return id == &e->uid	 ? AUDIT_UID
	       : id == &e->euid	 ? AUDIT_EUID
	       : id == &e->suid	 ? AUDIT_SUID
	       : id == &e->fsuid ? AUDIT_FSUID
	       : id == &e->auid	 ? AUDIT_LOGINUID
	       : id == &e->gid	 ? AUDIT_GID
	       : id == &e->egid	 ? AUDIT_EGID
	       : id == &e->sgid	 ? AUDIT_SGID
				 : AUDIT_FSGID;
}

/* Sets *ID to VALUE if the answers let it. */
static bool set_id(struct making *m, uint32_t *id, uint32_t value)
{
	uint32_t low, high;

	making_limits(m, field_of_id(m->event, id), &low, &high);
	if (value < low || value > high)
		return false;
	*id = value;
	return true;
}

static void make_comparison(struct making *m, const struct question *q,
			    bool yes)
{
	uint32_t *a = id_of(m->event, q->value, false);
	uint32_t *b = id_of(m->event, q->value, true);
	bool equal = (q->op == OP_EQ) == yes;

	if (!a)
		return;
	if (!b) {
		struct event_name *name;

		if (!yes)
			return;
		name = new_name(m);
		if (a == &m->event->gid || a == &m->event->egid ||
		    a == &m->event->sgid || a == &m->event->fsgid)
			name->gid = *a + !equal;
		else
			name->uid = *a + !equal;
		return;
	}
	if ((*a == *b) == equal)
		return;
	if (equal && !set_id(m, b, *a))
		(void)set_id(m, a, *b);
	else if (!equal && !set_id(m, b, *b + 1) && !set_id(m, b, *b - 1) &&
		 !set_id(m, a, *a + 1))
		(void)set_id(m, a, *a - 1);
}

static void add_tree(struct making *m, const char *tree)
{
	m->tree[m->trees++] = tree;
}

/* What Q asks holds, or not, as far as that is not a matter of a name. */
static void make_fact(struct making *m, const struct question *q, bool yes)
{
	struct event *e = m->event;

	switch (q->field->kind) {
	case FIELD_EXE:
		if (yes)
			m->exe[e->exes++] = q->string;
		break;
	case FIELD_DIR:
		if (yes)
			m->dir[e->dirs++] = q->string;
		if (yes && q->unsettled)
			add_tree(m, q->string);
		break;
	case FIELD_LSM_SUBJECT:
		if (yes)
			m->label[e->labels++] = (struct lsm_truth){
				q->field->number, q->op, q->string};
		break;
	case FIELD_GROUP:
		if (yes)
			m->group[e->groups++] = q->value;
		break;
	case FIELD_COMPARE:
		make_comparison(m, q, yes);
		break;
	default:
		break;
	}
}

/* The name that a bucket rule is about comes first. */
static void make_bucket_name(struct making *m)
{
	struct event_name *name = NULL;

	for (size_t i = 0; i < levels(m); i++) {
		const struct question *q = question(m, i);

		if (q->kind != ASK_TEST || !q->of_name ||
		    m->answer[i] != ANSWER_YES)
			continue;
		name = name ? name : new_name(m);
		if (q->field->kind == FIELD_PATH)
			add_path(m, name, q->string);
		else if (q->field->kind == FIELD_LSM_OBJECT)
			add_name_label(m, name, q);
		else
			set_name_field(
				name, q->field->number,
				name_value(m, q->field->number, q, q->value));
	}
}

/* Is there a name that does what Q asks? */
static bool some_name_does(const struct making *m, const struct question *q)
{
	for (size_t i = 0; i < m->event->names; i++) {
		const struct event_name *n = &m->name[i];
		uint32_t value =
			q->field->number == AUDIT_DEVMAJOR   ? n->dev_major
			: q->field->number == AUDIT_DEVMINOR ? n->dev_minor
			: q->field->number == AUDIT_INODE   ? (uint32_t)n->inode
			: q->field->number == AUDIT_OBJ_UID ? n->uid
							    : n->gid;

		if (name_value_does(q, value))
			return true;
	}
	return false;
}

static void make_other_names(struct making *m)
{
	for (size_t i = 0; i < levels(m); i++) {
		const struct question *q = question(m, i);

		if (q->kind != ASK_TEST || q->of_name ||
		    m->answer[i] != ANSWER_YES)
			continue;
		if (q->field->kind == FIELD_NAME && !some_name_does(m, q))
			set_name_field(
				new_name(m), q->field->number,
				name_value(m, q->field->number, q, q->value));
		else if (q->field->kind == FIELD_FILETYPE)
			new_name(m)->mode = q->value;
		else if (q->field->kind == FIELD_LSM_OBJECT)
			add_name_label(m, new_name(m), q);
	}
}

/* A call that collects no names has none, and met no tree. */
static void drop_unreal(struct making *m)
{
	struct event *e = m->event;

	if (m->subject->filter != AUDIT_FILTER_EXIT ||
	    call_can_collect_names(m->check->set[BEFORE]->target, e->abi,
				   e->number, NULL))
		return;
	e->names = 0;
	e->dirs = 0;
}

void making_event(struct making *m)
{
	struct event *e = m->event;
	size_t most = levels(m) + 1;

	*e = (struct event){0};
	m->name = arena_array(m->arena, MOST_NAMES, sizeof(*m->name));
	m->exe = arena_array(m->arena, most, sizeof(*m->exe));
	m->dir = arena_array(m->arena, most, sizeof(*m->dir));
	m->tree = arena_array(m->arena, most, sizeof(*m->tree));
	m->label = arena_array(m->arena, most, sizeof(*m->label));
	m->group = arena_array(m->arena, most, sizeof(*m->group));
	m->trees = 0;
	making_call(m);
	make_bucket_name(m);
	for (size_t i = 0; i < levels(m); i++)
		if (question(m, i)->kind == ASK_TEST && m->answer[i])
			make_fact(m, question(m, i),
				  m->answer[i] == ANSWER_YES);
	make_other_names(m);
	drop_unreal(m);
	e->name = m->name;
	e->exe = m->exe;
	e->dir = m->dir;
	e->label = m->label;
	e->group = m->group;
}
