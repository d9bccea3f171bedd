/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/json_value.h"

#include <string.h>

#include "util/json_text.h"

json_t *text_value(struct arena *arena, const char *text)
{
	return text ? json_text(arena, text, strlen(text)) : json_null();
}

json_t *size_value(size_t size)
{
	return json_integer((json_int_t)size);
}

json_t *lines_value(struct arena *arena, const struct input *input,
		    struct origin origin)
{
	json_t *value = json_array();

	for (size_t i = 0; i < origin.count; i++) {
		const struct source_line *line = &input->line[origin.line[i]];

		json_array_append_new(
			value, json_pack("{s:o,s:I}", "file",
					 text_value(arena, line->file), "line",
					 (json_int_t)line->number));
	}
	return value;
}

json_t *names_value(struct arena *arena, const struct target *target,
		    enum abi abi, const struct syscall_mask *calls)
{
	json_t *value = json_array();

	for (int n = syscall_mask_next(calls, 0); n >= 0;
	     n = syscall_mask_next(calls, n + 1)) {
		const char *name = target_call_name(target, abi, n);

		if (name)
			json_array_append_new(value, text_value(arena, name));
	}
	return value;
}

json_t *ranges_value(const struct syscall_mask *mask)
{
	json_t *value = json_array();
	int last;

	for (int n = syscall_mask_next(mask, 0); n >= 0;
	     n = syscall_mask_next(mask, last + 1)) {
		for (last = n; syscall_mask_has(mask, last + 1);)
			last++;
		json_array_append_new(value, json_pack("[i,i]", n, last));
	}
	return value;
}
