/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arenas: memory that dies as a whole. Everything that lives as long as one
 * run of one command (rules, strings, log lines) comes from an arena; nothing
 * in it is freed on its own. Built on the C library's obstacks.
 */
#ifndef AUDITOPT_ARENA_H
#define AUDITOPT_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena;

/* A new, empty arena; owned by the caller, who ends it with arena_free().
 * Does not return when memory runs out: it says so and exits with status 4. */
struct arena *arena_new(void);

/* Gives back the arena and everything that was ever taken from it. NULL is
 * allowed. */
void arena_free(struct arena *arena);

/* How many bytes of memory ARENA holds by now, what is not in use yet of its
 * last piece included. */
size_t arena_bytes(struct arena *arena);

/* SIZE bytes, zeroed, aligned for any type; owned by the arena. SIZE may be 0. */
void *arena_alloc(struct arena *arena, size_t size);

/* COUNT elements of SIZE bytes each, zeroed; the product is checked. */
void *arena_array(struct arena *arena, size_t count, size_t size);

/* Makes room for one more element in ITEMS, an array from ARENA of COUNT
 * elements of SIZE bytes each and room for *CAPACITY; NULL and 0 at first. Gives
 * ITEMS back where there is room; else a copy, twice as large, zeroed behind
 * the elements, and sets *CAPACITY. */
void *arena_grow(struct arena *arena, void *items, size_t count,
		 size_t *capacity, size_t size);

/* A copy of SIZE bytes at DATA; owned by the arena. */
void *arena_copy(struct arena *arena, const void *data, size_t size);

/* A NUL-terminated copy of the LENGTH bytes at TEXT; owned by the arena. */
char *arena_strndup(struct arena *arena, const char *text, size_t length);

/* A copy of the string TEXT; owned by the arena. */
char *arena_strdup(struct arena *arena, const char *text);

/* printf into a new string; owned by the arena. */
char *arena_printf(struct arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* vprintf into a new string; owned by the arena. */
char *arena_vprintf(struct arena *arena, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

#endif
