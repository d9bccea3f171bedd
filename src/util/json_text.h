/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON is UTF-8; file names and rules need not be.
 */
#ifndef AUDITOPT_JSON_TEXT_H
#define AUDITOPT_JSON_TEXT_H

#include <jansson.h>
#include <stddef.h>

#include "util/arena.h"

/* LENGTH bytes at TEXT as a string, a new reference; if they are no UTF-8, each
 * byte above ASCII becomes U+FFFD. ARENA is for what is in between. */
json_t *json_text(struct arena *arena, const char *text, size_t length);

#endif
