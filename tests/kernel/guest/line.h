/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A line for auditctl, and what is expected of it: between tests/kernel/lines.c
 * and tests/kernel/guest/lines.c.
 */
#ifndef AUDITOPT_TESTS_KERNEL_LINE_H
#define AUDITOPT_TESTS_KERNEL_LINE_H

#include <stdint.h>

enum line_outcome {
	LINE_ACCEPTED,
	LINE_REFUSED,		/* by auditctl */
	LINE_REFUSED_BY_KERNEL, /* auditctl sends it, in vain */
	LINE_OUTCOMES
};

/* Followed by TEXT bytes of the line without LF, and the RULE bytes of the rule
 * that the kernel must list (0: none). */
struct line_head {
	uint32_t outcome, text, rule;
};

#endif
