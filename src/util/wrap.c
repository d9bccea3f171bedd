/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "util/wrap.h"

#include <string.h>

void wrap_words(const char *text, size_t length, size_t width,
		void (*write)(const char *word, size_t length, bool line_begin,
			      FILE *stream),
		FILE *stream)
{
	const char *end = text + length;
	size_t used = 0;

	while (text < end) {
		const char *space = memchr(text, ' ', (size_t)(end - text));
		size_t word = (size_t)((space ? space : end) - text);

		if (used && used + 1 + word > width) {
			fputc('\n', stream);
			used = 0;
		}
		if (used)
			fputc(' ', stream);
		write(text, word, !used, stream);
		used += word + (used != 0);
		text += word;
		text += text < end;
	}
	fputc('\n', stream);
}
