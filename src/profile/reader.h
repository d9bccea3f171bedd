/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the readers of the different formats share. Only for src/profile.
 */
#ifndef AUDITOPT_READER_H
#define AUDITOPT_READER_H

#include "frontend/diagnostic.h"
#include "frontend/source.h"
#include "profile/counts.h"

struct reader {
	struct arena *arena;
	const struct target *target;
	const struct input *input;
	struct diagnostics *diagnostics;
	struct counts *counts;
	size_t warnings; /* that were given, or would have been */
};

/* A word of a line; TEXT ends with NUL and lives in the arena. */
struct word {
	const char *text;
	struct position at;
};

/* The words of a line, as many as were asked for. */
#define WORDS_AT_MOST 16
struct words {
	struct word item[WORDS_AT_MOST];
	unsigned int count; /* more than WORDS_AT_MOST: the rest is left out */
};

/* Splits line LINE at blanks; from '#' on a line is a comment if COMMENTS. */
struct words reader_words(const struct reader *reader, uint32_t line,
			  bool comments);

/* Part FROM..FROM+LENGTH-1 of line LINE as a word. */
struct word reader_part(const struct reader *reader, uint32_t line, size_t from,
			size_t length);

/* Digits only, no sign, at most COUNT_AT_MOST. */
bool reader_number(const char *text, uint64_t *number);

/* A warning about the row at AT, which is left out; only the first few are
 * told. NULL then, else the diagnostic. */
struct diagnostic *reader_warn(struct reader *reader, const char *id,
			       struct position at, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* A call, in ABI unless the name says another one: "read", "b32:open", "63",
 * "syscall_0x1bd" of strace, "[unknown: 445]" of syscount. The number, or -1 if
 * there is none of that name; -2 if no rule can be about it: it is in no mask,
 * or of an ABI that does not count. */
int reader_call(const struct reader *reader, const char *name, enum abi *abi);

/* Adds a row, or warns that the call is not known. */
void reader_add(struct reader *reader, struct word name, enum abi abi,
		struct call_count row);

/* The formats. Each looks whether the input is of its kind, and reads it if so.
 * Returns what it is called, or NULL. */
const char *read_strace(struct reader *reader);
const char *read_perf(struct reader *reader);
const char *read_syscount(struct reader *reader);
const char *read_bpftrace(struct reader *reader);
/* Takes everything, with a warning for each line that it is not. */
const char *read_columns(struct reader *reader);

#endif
