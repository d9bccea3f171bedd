/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "util/arena.h"

#include <obstack.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define obstack_chunk_alloc malloc
#define obstack_chunk_free free

struct arena {
	struct obstack stack;
};

static void out_of_memory(void)
{
	fputs("auditopt: out of memory; nothing was written\n", stderr);
	exit(4);
}

struct arena *arena_new(void)
{
	struct arena *arena = malloc(sizeof(*arena));

	if (!arena)
		out_of_memory();
	obstack_alloc_failed_handler = out_of_memory;
	obstack_begin(&arena->stack, 64 * 1024 - 64);
	obstack_alignment_mask(&arena->stack) = _Alignof(max_align_t) - 1;
	return arena;
}

void arena_free(struct arena *arena)
{
	if (!arena)
		return;
	obstack_free(&arena->stack, NULL);
	free(arena);
}

size_t arena_bytes(struct arena *arena)
{
	return (size_t)obstack_memory_used(&arena->stack);
}

/* obstack.h aligns an object by arithmetic on a null pointer. */
__attribute__((no_sanitize("pointer-overflow")))
void *arena_alloc(struct arena *arena, size_t size)
{
	/* An object of size 0 would share its address with the next one. */
	size_t room = size ? size : 1;

	if (room > (size_t)PTRDIFF_MAX / 2)
		out_of_memory();
	return memset(obstack_alloc(&arena->stack, room), 0, room);
}

void *arena_array(struct arena *arena, size_t count, size_t size)
{
	size_t total;

	if (__builtin_mul_overflow(count, size, &total))
		out_of_memory();
	return arena_alloc(arena, total);
}

void *arena_grow(struct arena *arena, void *items, size_t count,
		 size_t *capacity, size_t size)
{
	void *grown;

	if (count < *capacity)
		return items;
	*capacity = *capacity ? 2 * *capacity : 16;
	grown = arena_array(arena, *capacity, size);
	if (count)
		memcpy(grown, items, count * size);
	return grown;
}

void *arena_copy(struct arena *arena, const void *data, size_t size)
{
	void *copy = arena_alloc(arena, size);

	return size ? memcpy(copy, data, size) : copy;
}

char *arena_strndup(struct arena *arena, const char *text, size_t length)
{
	char *copy = arena_alloc(arena, length + 1);

	if (length)
		memcpy(copy, text, length);
	return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
	return arena_copy(arena, text, strlen(text) + 1);
}

char *arena_vprintf(struct arena *arena, const char *format, va_list args)
{
	va_list again;
	char *text;
	int length;

	va_copy(again, args);
	length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (length < 0)
		out_of_memory();
	text = arena_alloc(arena, (size_t)length + 1);
	vsnprintf(text, (size_t)length + 1, format, args);
	return text;
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = arena_vprintf(arena, format, args);
	va_end(args);
	return text;
}
