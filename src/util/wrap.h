/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text in lines of a width.
 */
#ifndef AUDITOPT_WRAP_H
#define AUDITOPT_WRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* LENGTH bytes of TEXT to STREAM, the words broken into lines of at most WIDTH
 * bytes, a longer word alone; each line has its end. WRITE writes the words;
 * LINE_BEGIN: nothing stands before it on its line. */
void wrap_words(const char *text, size_t length, size_t width,
		void (*write)(const char *word, size_t length, bool line_begin,
			      FILE *stream),
		FILE *stream);

#endif
