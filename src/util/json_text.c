/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "util/json_text.h"

#include <string.h>

json_t *json_text(struct arena *arena, const char *text, size_t length)
{
	json_t *value = json_stringn(text, length);
	size_t used = 0;
	char *safe;

	if (value)
		return value;
	safe = arena_alloc(arena, 3 * length + 1);
	for (size_t i = 0; i < length; i++) {
		if ((unsigned char)text[i] < 0x80) {
			safe[used++] = text[i];
			continue;
		}
		memcpy(safe + used, "\xef\xbf\xbd", 3);
		used += 3;
	}
	return json_stringn(safe, used);
}
