/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One rule against one event: audit_filter_rules (kernel/auditsc.c). For the
 * walks of kernel.c, and for price.c: how far a rule of a bucket is asked.
 */
#ifndef AUDITOPT_KERNEL_MATCH_H
#define AUDITOPT_KERNEL_MATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "model/event.h"
#include "model/rule.h"

/* What the fields of a rule can see. */
struct view {
	const struct target *target;
	const struct event *event;
	bool context;  /* false at fork: no audit context, ctx == NULL */
	uint32_t arch; /* ctx->arch */
	enum abi abi;  /* what audit_classify_syscall takes arch for */
	int number;    /* ctx->major */
	uint64_t argv[4];
	const struct event_name *name; /* in a bucket walk; else NULL */
};

/* Does TEST hold in audit_filter_rules? */
bool view_test(const struct view *view, const struct field_test *test);

/* Does TEST hold for the task that a record is made in, as audit_filter (user
 * and exclude filters) asks it? *KNOWN becomes false if that filter does not
 * know the field. */
bool record_test(const struct event *event, const struct field_test *test,
		 bool *known);

/* Is STRING one of the COUNT strings at LIST? */
bool string_among(const char *const *list, size_t count, const char *string);

#endif
