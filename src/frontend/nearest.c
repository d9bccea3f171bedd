/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "frontend/diagnostic.h"

/* No name that is looked for is longer; longer words are no slip of the pen. */
#define WORD_MAX 80

static size_t min(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Damerau-Levenshtein distance, each place edited once at most ("optimal
 * string alignment"). Both lengths are at most LONGEST. */
#define LONGEST (WORD_MAX + WORD_MAX / 3)
static size_t distance(const char *a, size_t a_length, const char *b,
		       size_t b_length)
{
	size_t rows[3][LONGEST + 1];
	size_t *before = rows[0], *last = rows[1], *row = rows[2];

	for (size_t j = 0; j <= b_length; j++)
		last[j] = j;
	for (size_t i = 1; i <= a_length; i++) {
		size_t *spare = before;

		row[0] = i;
		for (size_t j = 1; j <= b_length; j++) {
			size_t changed = last[j - 1] + (a[i - 1] != b[j - 1]);

			row[j] = min(changed, min(last[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				row[j] = min(row[j], before[j - 2] + 1);
		}
		before = last;
		last = row;
		row = spare;
	}
	return last[b_length];
}

/* A wrong first letter is rare in a slip and common between names that only
 * look alike ("stime", "time"). */
static bool same_start(const char *word, const char *name)
{
	return word[0] == name[0] || (word[0] == name[1] && word[1] == name[0]);
}

const char *nearest_name(const char *word,
			 const char *(*candidate)(size_t i, void *data),
			 void *data)
{
	size_t length = strlen(word);
	size_t allowed = length / 3, best = allowed + 1;
	const char *found = NULL, *name;

	if (!length || length > WORD_MAX)
		return NULL;
	for (size_t i = 0; (name = candidate(i, data)); i++) {
		size_t name_length = strlen(name), d;

		if (!name_length || name_length > length + allowed ||
		    name_length + allowed < length || !same_start(word, name))
			continue;
		d = distance(word, length, name, name_length);
		if (d < best) {
			best = d;
			found = name;
		}
	}
	return found;
}
