/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two columns: a call and how often it was made; optional a third and a fourth:
 * the share of these that failed, and that was made with auid unset.
 */
#include <string.h>

#include "profile/reader.h"

/* "0.25", "1", or "-" for one that is not known, in parts of PROFILE_WHOLE;
 * false if it is something else. */
static bool read_share(const char *text, int *share)
{
	int unit = PROFILE_WHOLE;

	*share = -1;
	if (strcmp(text, "-") == 0)
		return true;
	if (*text != '0' && *text != '1')
		return false;
	*share = (*text++ - '0') * unit;
	if (*text == '.')
		text++;
	for (; *text >= '0' && *text <= '9'; text++) {
		unit /= 10;
		*share += (*text - '0') * unit;
	}
	return *text == '\0' && *share <= PROFILE_WHOLE;
}

static void no_row(struct reader *reader, struct position at, const char *what)
{
	struct diagnostic *d =
		reader_warn(reader, "profile-row", at, "%s", what);

	if (d)
		d->advice = "the row is left out; it is: a call, how often, "
			    "and if known the share that failed and that had "
			    "auid unset, as in 'open 120 0.25 1'";
}

static void read_row(struct reader *reader, const struct words *words)
{
	struct call_count row = {.failed = -1, .unset = -1};
	const struct word *word = words->item;

	if (words->count < 2)
		no_row(reader, word[0].at, "a row has two to four columns");
	else if (words->count > 4)
		no_row(reader, word[4].at, "a row has two to four columns");
	else if (!reader_number(word[1].text, &row.calls))
		no_row(reader, word[1].at, "how often must be a whole number");
	else if (words->count > 2 && !read_share(word[2].text, &row.failed))
		no_row(reader, word[2].at,
		       "the share that failed must be from 0 to 1, or -");
	else if (words->count > 3 && !read_share(word[3].text, &row.unset))
		no_row(reader, word[3].at,
		       "the share with auid unset must be from 0 to 1, or -");
	else
		reader_add(reader, word[0], ABI_NATIVE, row);
}

const char *read_columns(struct reader *reader)
{
	for (uint32_t i = 0; i < reader->input->count; i++) {
		struct words words = reader_words(reader, i, true);

		if (words.count)
			read_row(reader, &words);
	}
	return "two columns";
}
