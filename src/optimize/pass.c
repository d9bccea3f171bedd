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

	if (log->count == log->capacity) {
		size_t capacity = log->capacity ? 2 * log->capacity : 64;
		struct change *item =
			arena_array(context->arena, capacity, sizeof(*item));

		if (log->count)
			memcpy(item, log->item, log->count * sizeof(*item));
		log->item = item;
		log->capacity = capacity;
	}
	log->item[log->count++] = change;
}

bool pass_may_touch(const struct rule *rule)
{
	return (rule->filter == AUDIT_FILTER_EXIT ||
		rule->filter == AUDIT_FILTER_URING_EXIT) &&
	       rule->mask_classes == 0;
}
