/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "util/printable.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Decodes one UTF-8 character of several bytes; 0 if it is none. */
static size_t utf8_decode(const unsigned char *s, size_t left, uint32_t *code)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t bytes = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;

	if (s[0] < 0xc2 || s[0] > 0xf4 || left < bytes)
		return 0;
	*code = s[0] & (0x7f >> bytes);
	for (size_t i = 1; i < bytes; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (s[i] & 0x3f);
	}
	if (*code < least[bytes] || *code > 0x10ffff ||
	    (*code >= 0xd800 && *code <= 0xdfff))
		return 0;
	return bytes;
}

/* Characters that control something, show nothing, look like a space or change
 * the order of others. First and last. */
static const uint32_t hidden[][2] = {
	{0x80, 0xa0},	     {0xad, 0xad},     {0x61c, 0x61c},
	{0x115f, 0x1160},    {0x180b, 0x180f}, {0x2000, 0x200f},
	{0x2028, 0x202f},    {0x205f, 0x206f}, {0x3000, 0x3000},
	{0x3164, 0x3164},    {0xfe00, 0xfe0f}, {0xfeff, 0xfeff},
	{0xffa0, 0xffa0},    {0xfff0, 0xfffb}, {0xfffe, 0xffff},
	{0xe0000, 0x10ffff},
};

static bool is_hidden(uint32_t code)
{
	for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++)
		if (code >= hidden[i][0] && code <= hidden[i][1])
			return true;
	return false;
}

struct printable printable_at(const char *text, size_t left)
{
	const unsigned char *s = (const unsigned char *)text;
	struct printable p = {.bytes = 1};
	uint32_t code = 0;
	size_t bytes;

	if (s[0] >= ' ' && s[0] < 0x7f) {
		p.text[0] = text[0];
		p.width = 1;
		return p;
	}
	bytes = utf8_decode(s, left, &code);
	if (bytes && !is_hidden(code)) {
		memcpy(p.text, text, bytes);
		p.width = 1;
		p.bytes = bytes;
		return p;
	}
	if (bytes) {
		snprintf(p.text, sizeof(p.text), "<U+%04" PRIX32 ">", code);
		p.bytes = bytes;
	} else if (s[0] == '\t') {
		strcpy(p.text, "<TAB>");
	} else {
		snprintf(p.text, sizeof(p.text), "\\x%02x", s[0]);
	}
	p.width = strlen(p.text);
	return p;
}

char *printable_cut(struct arena *arena, const char *text, size_t length,
		    size_t most)
{
	size_t columns = 0, room = 0;
	char *copy, *to;

	for (size_t i = 0; i < length;) {
		struct printable p = printable_at(text + i, length - i);

		room += strlen(p.text);
		i += p.bytes;
	}
	copy = to = arena_alloc(arena, room + sizeof("..."));
	for (size_t i = 0; i < length;) {
		struct printable p = printable_at(text + i, length - i);

		if (columns + p.width > most) {
			strcpy(to, "...");
			return copy;
		}
		to = stpcpy(to, p.text);
		columns += p.width;
		i += p.bytes;
	}
	*to = '\0';
	return copy;
}

char *printable_text(struct arena *arena, const char *text, size_t length)
{
	return printable_cut(arena, text, length, SIZE_MAX);
}
