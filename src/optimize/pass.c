/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "optimize/facts.h"

#include <string.h>

struct origin origin_first(struct origin origin)
{
	origin.count = origin.count > 0;
	return origin;
}

void change_log_add(struct pass_context *context, struct change change)
{
	struct change_log *log = context->log;

	log->item = arena_grow(context->arena, log->item, log->count,
			       &log->capacity, sizeof(change));
	log->item[log->count++] = change;
}

bool pass_may_touch(const struct rule *rule)
{
	return (rule->filter == AUDIT_FILTER_EXIT ||
		rule->filter == AUDIT_FILTER_URING_EXIT) &&
	       rule->mask_classes == 0;
}
