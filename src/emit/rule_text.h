/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of one rule, for emit.c.
 */
#ifndef AUDITOPT_RULE_TEXT_H
#define AUDITOPT_RULE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "model/rule.h"

struct rule_lines {
	char **line; /* without newline */
	size_t count;
};

/* The lines that make auditctl send RULE, lives in ARENA. False if there are
 * none that do so under every version. NATIVE_ONLY: see struct emit_options. */
bool rule_text(struct arena *arena, const struct target *target,
	       const struct rule *rule, bool native_only,
	       struct rule_lines *lines);

/* How many words auditctl 3.0.9 keeps of a line of LENGTH bytes, its own name
 * included (fileopt: strlen / 3 + 3 pointers, the last one NULL). */
size_t rule_text_words_kept(size_t length);

/* LINE with as many trailing spaces as it needs for all its words to be kept.
 */
char *rule_text_pad(struct arena *arena, const char *line);

#endif
