/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events: everything that a rule can see of one system call (or io_uring
 * operation, fork, record). What the kernel decides by inode (path, dir, exe)
 * or by label is given as the set of strings that hold, so that hard links,
 * bind mounts and LSMs need no modelling.
 */
#ifndef AUDITOPT_EVENT_H
#define AUDITOPT_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/abi.h"
#include "model/field.h"
#include "util/arena.h"

/* A label test that holds: security_audit_rule_match() != 0 for exactly this. */
struct lsm_truth {
	uint32_t field; /* AUDIT_SUBJ_USER ... AUDIT_OBJ_LEV_HIGH */
	enum field_op op;
	const char *string;
};

/* struct audit_names: one file that the call named. */
struct event_name {
	uint64_t inode;		 /* UINT64_MAX: AUDIT_INO_UNSET */
	const char *const *path; /* the path= strings that are this inode */
	size_t paths;
	uint32_t dev_major, dev_minor, rdev_major, rdev_minor;
	uint32_t uid, gid;
	uint32_t mode; /* S_IFMT bits count */
	const struct lsm_truth *label;
	size_t labels;
};

enum event_result { RESULT_NONE, RESULT_SUCCESS, RESULT_FAILURE }; /* return_valid */

struct event {
	enum abi abi;
	int number;	    /* call, or io_uring operation */
	uint64_t argv[4];   /* a0..a3; compared as 32 bits */
	uint64_t open_flags;/* of openat2 */
	uint32_t pid, ppid, personality, session;
	uint32_t uid, euid, suid, fsuid, auid; /* auid 4294967295: unset */
	uint32_t gid, egid, sgid, fsgid;
	const uint32_t *group; /* supplementary */
	size_t groups;
	enum event_result result;
	uint32_t exit_code; /* return_code, low 32 bits; counts unless RESULT_NONE */
	bool has_sockaddr;
	uint32_t sockaddr_family;
	const char *const *exe; /* the exe= strings that are this executable */
	size_t exes;
	const char *const *dir; /* the dir= strings whose trees the call touched */
	size_t dirs;
	const struct event_name *name; /* in the order in which they were collected */
	size_t names;
	const struct lsm_truth *label; /* of the task */
	size_t labels;
	bool has_ipc; /* ctx->type == AUDIT_IPC */
	const struct lsm_truth *ipc_label;
	size_t ipc_labels;
	unsigned int replaced; /* how often the watched files were replaced since
				* the rules were loaded: audit_update_watch puts
				* their rules at the head of the new bucket, and
				* turns their order round every second time */
	bool task_never;   /* the task was born under a task rule "never": no context */
	bool task_always;  /* ... under "always": recorded before any exit rule is asked */
	uint32_t msgtype;  /* user and exclude filters: the record's type */
};

/* A copy in ARENA that needs nothing of the old one but its strings. */
struct event *event_copy(struct arena *arena, const struct event *event);

/* Where EVENT has the one number of its task that FIELD (AUDIT_PID ...) looks
 * at: ids, processes, session, personality. NULL: FIELD looks at something else.
 * Lives as long as EVENT. */
uint32_t *event_task_number(struct event *event, uint32_t field);

#endif
