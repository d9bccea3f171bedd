/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Maps as bpftrace prints them: "@calls[tracepoint:syscalls:sys_enter_read]:
 * 7". A dump may hold other maps too (calls by program): a map counts calls if
 * most of its keys are calls.
 */
#include <string.h>

#include "profile/reader.h"

struct entry {
	struct word map, key;
	uint64_t count;
	enum abi abi;
	int number; /* as reader_call() says */
};

struct maps {
	struct entry *entry;
	size_t count;
};

/* What stands before the call's name in the names of probes and functions. */
static const struct {
	const char *text;
	enum abi abi;
} prefixes[] = {
	{"sys_enter_", ABI_NATIVE},
	{"sys_exit_", ABI_NATIVE},
	{"__x64_sys_", ABI_NATIVE},
	{"__ia32_compat_sys_", ABI_COMPAT},
	{"__ia32_sys_", ABI_COMPAT},
	{"__x32_compat_sys_", ABI_COMPAT},
	{"__arm64_compat_sys_", ABI_COMPAT},
	{"__arm64_sys_", ABI_NATIVE},
	{"__s390x_sys_", ABI_NATIVE},
	{"__s390_sys_", ABI_COMPAT},
	{"__riscv_sys_", ABI_NATIVE},
	{"__do_sys_", ABI_NATIVE},
	{"__se_sys_", ABI_NATIVE},
	{"compat_sys_", ABI_COMPAT},
	{"SyS_", ABI_NATIVE},
	{"sys_", ABI_NATIVE},
};

#define PREFIXES (sizeof(prefixes) / sizeof(prefixes[0]))

/* The kernel's functions newstat, newuname ... are the calls stat, uname. */
static int call_of_function(const struct reader *reader, const char *name,
			    enum abi *abi)
{
	int number = reader_call(reader, name, abi);

	if (number == -1 && strncmp(name, "new", 3) == 0)
		number = reader_call(reader, name + 3, abi);
	return number;
}

/* The call of the name of a probe or function; -1: it is none. */
static int call_of_probe(const struct reader *reader, const char *text,
			 enum abi *abi)
{
	const char *colon = strrchr(text, ':');

	text = colon ? colon + 1 : text;
	for (size_t i = 0; i < PREFIXES; i++) {
		size_t length = strlen(prefixes[i].text);

		if (strncmp(text, prefixes[i].text, length) != 0)
			continue;
		*abi = target_has_abi(reader->target, prefixes[i].abi)
			       ? prefixes[i].abi
			       : ABI_NATIVE;
		return call_of_function(reader, text + length, abi);
	}
	return -1;
}

/* Keys of several parts, "nginx, sys_enter_read": a probe among them is the
 * call, else the last part that is one. */
static int call_of_key(const struct reader *reader, const char *key,
		       enum abi *abi)
{
	char *part = arena_strdup(reader->arena, key), *rest = part;
	int number = -1;

	while ((part = strsep(&rest, ","))) {
		enum abi own = ABI_NATIVE;
		int found;

		part += strspn(part, " ");
		found = call_of_probe(reader, part, &own);
		if (found != -1) {
			*abi = own;
			return found;
		}
		found = reader_call(reader, part, &own);
		if (found != -1) {
			*abi = own;
			number = found;
		}
	}
	return number;
}

/* "12", and "count 12, average ..." of stats(). */
static bool read_count(const char *text, uint64_t *count)
{
	char digits[24];
	size_t length;

	if (strncmp(text, "count ", 6) == 0)
		text += 6;
	length = strspn(text, "0123456789");
	if (!length || length >= sizeof(digits) ||
	    !strchr(", \r", text[length]))
		return false;
	memcpy(digits, text, length);
	digits[length] = '\0';
	return reader_number(digits, count);
}

/* Where the last "]: " of the line is; NULL: nowhere. */
static const char *end_of_key(const char *text)
{
	const char *end = NULL;

	for (const char *at = text; (at = strstr(at, "]: ")); at++)
		end = at;
	return end;
}

static bool read_entry(const struct reader *reader, uint32_t line,
		       struct entry *entry)
{
	const struct source_line *l = &reader->input->line[line];
	const char *open, *end;
	size_t at;

	if (!l->length || l->text[0] != '@')
		return false;
	open = strchr(l->text, '[');
	end = end_of_key(l->text);
	if (!open || !end || end < open || !read_count(end + 3, &entry->count))
		return false;
	at = (size_t)(open - l->text);
	entry->map = reader_part(reader, line, 0, at);
	entry->key =
		reader_part(reader, line, at + 1, (size_t)(end - open) - 1);
	entry->abi = ABI_NATIVE;
	entry->number = call_of_key(reader, entry->key.text, &entry->abi);
	return true;
}

static bool counts_calls(const struct maps *maps, const char *map)
{
	size_t calls = 0, keys = 0;

	for (size_t i = 0; i < maps->count; i++)
		if (strcmp(maps->entry[i].map.text, map) == 0) {
			keys++;
			calls += maps->entry[i].number != -1;
		}
	return 2 * calls > keys;
}

static void add_entry(struct reader *reader, const struct entry *entry)
{
	struct call_count row = {entry->count, -1, -1};

	if (entry->number >= 0)
		counts_add(reader->counts, entry->abi, entry->number, row);
	else if (entry->number == -1)
		reader_add(reader, entry->key, ABI_NATIVE, row);
}

static void tell_unused(struct reader *reader, const struct entry *entry)
{
	diag(reader->diagnostics, DIAG_NOTE, "profile-map", entry->map.at,
	     "the map %s does not count calls by name or number",
	     entry->map.text)
		->advice = "it is passed over";
}

const char *read_bpftrace(struct reader *reader)
{
	struct maps maps = {arena_array(reader->arena, reader->input->count,
					sizeof(struct entry)),
			    0};
	const char *last = "";
	bool used = false;

	for (uint32_t i = 0; i < reader->input->count; i++)
		maps.count += read_entry(reader, i, &maps.entry[maps.count]);
	for (size_t i = 0; i < maps.count; i++) {
		const struct entry *entry = &maps.entry[i];

		if (strcmp(entry->map.text, last) != 0) {
			last = entry->map.text;
			used = counts_calls(&maps, last);
			if (!used)
				tell_unused(reader, entry);
		}
		if (used)
			add_entry(reader, entry);
	}
	return maps.count ? "bpftrace map" : NULL;
}
