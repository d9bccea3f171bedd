/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What this machine's kernel says of its audit rules, over netlink. Nothing
 * here changes anything, ends the program or says anything.
 */
#ifndef AUDITOPT_KERNEL_LINK_H
#define AUDITOPT_KERNEL_LINK_H

#include <libaudit.h>
#include <stddef.h>

/* The way to the kernel; tests put another in its place. */
struct kernel_link {
	/* Sends a message of TYPE without data. Returns its sequence number, or
	 * an errno below zero. */
	int (*request)(struct kernel_link *link, int type);
	/* The next message in *REPLY, waiting at most ten seconds for it.
	 * Returns 0 or an errno. */
	int (*receive)(struct kernel_link *link, struct audit_reply *reply);
	int fd; /* of audit_open() */
};

/* Opens the way by audit_open(), with a larger buffer. Returns 0 or an errno:
 * then LINK->fd is below zero. */
int kernel_link_open(struct kernel_link *link);
/* Closes it, if it is open. */
void kernel_link_close(struct kernel_link *link);

/* Rules in the kernel's order: filter by filter, each first to last
 * (audit_list_rules). From malloc(); each has buflen bytes behind it. */
struct kernel_rules {
	struct audit_rule_data **rule;
	size_t count;
};

/* AUDIT_GET: the kernel's audit status in *STATUS; what an older kernel does not
 * tell is 0, and *SIZE, if not NULL, how many bytes it told. Returns 0 or an
 * errno. */
int kernel_link_status(struct kernel_link *link, struct audit_status *status,
		       size_t *size);

/* AUDIT_GET_FEATURE: the same for the features. */
int kernel_link_features(struct kernel_link *link,
			 struct audit_features *features);

/* AUDIT_LIST_RULES: the rules that the kernel holds in *RULES, to be freed by
 * kernel_rules_free() in any case. Asks again where something was lost on the
 * way. Returns 0 or an errno; EBADMSG for an answer that cannot be a rule. */
int kernel_link_list(struct kernel_link *link, struct kernel_rules *rules);
void kernel_rules_free(struct kernel_rules *rules);

#endif
