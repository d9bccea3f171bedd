/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/event.h"

#include "model/audit_names.h"

/* A copy of COUNT elements; NULL if there are none. */
static void *copy_list(struct arena *arena, const void *list, size_t count,
		       size_t size)
{
	return count ? arena_copy(arena, list, count * size) : NULL;
}

static struct event_name *copy_names(struct arena *arena,
				     const struct event *event)
{
	struct event_name *name =
		copy_list(arena, event->name, event->names, sizeof(*name));

	for (size_t i = 0; i < event->names; i++) {
		name[i].path = copy_list(arena, name[i].path, name[i].paths,
					 sizeof(*name[i].path));
		name[i].label = copy_list(arena, name[i].label, name[i].labels,
					  sizeof(*name[i].label));
	}
	return name;
}

struct event *event_copy(struct arena *arena, const struct event *event)
{
	struct event *e = arena_copy(arena, event, sizeof(*event));

	e->group = copy_list(arena, e->group, e->groups, sizeof(*e->group));
	e->exe = copy_list(arena, e->exe, e->exes, sizeof(*e->exe));
	e->dir = copy_list(arena, e->dir, e->dirs, sizeof(*e->dir));
	e->name = copy_names(arena, event);
	e->label = copy_list(arena, e->label, e->labels, sizeof(*e->label));
	e->ipc_label = copy_list(arena, e->ipc_label, e->ipc_labels,
				 sizeof(*e->ipc_label));
	return e;
}

uint32_t *event_task_number(struct event *event, uint32_t field)
{
	switch (field) {
	case AUDIT_PID:
		return &event->pid;
	case AUDIT_PPID:
		return &event->ppid;
	case AUDIT_UID:
		return &event->uid;
	case AUDIT_EUID:
		return &event->euid;
	case AUDIT_SUID:
		return &event->suid;
	case AUDIT_FSUID:
		return &event->fsuid;
	case AUDIT_GID:
		return &event->gid;
	case AUDIT_EGID:
		return &event->egid;
	case AUDIT_SGID:
		return &event->sgid;
	case AUDIT_FSGID:
		return &event->fsgid;
	case AUDIT_LOGINUID:
		return &event->auid;
	case AUDIT_SESSIONID:
		return &event->session;
	case AUDIT_PERS:
		return &event->personality;
	default:
		return NULL;
	}
}
