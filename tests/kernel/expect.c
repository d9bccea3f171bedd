/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * expect DUMP WANT: from what `auditopt dump` printed (DUMP) the rules that the
 * kernel holds once auditctl has sent them, in its order; written to WANT for
 * tests/kernel/guest/listed.c.
 */
#include <jansson.h>
#include <libaudit.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 4096

struct held {
	unsigned char *byte;
	size_t size;
};

static struct held held[MOST];
static size_t count;

static uint32_t filter_of(const struct held *rule)
{
	return ((const struct audit_rule_data *)rule->byte)->flags &
	       ~(uint32_t)AUDIT_FILTER_PREPEND;
}

static struct held from_hex(const char *hex)
{
	struct held rule = {malloc(strlen(hex) / 2 + 1), strlen(hex) / 2};

	for (size_t i = 0; i < rule.size; i++)
		if (sscanf(hex + 2 * i, "%2hhx", &rule.byte[i]) != 1)
			exit(1);
	return rule;
}

/* audit_compare_rule(); only what is appended is ever told to be there. */
static size_t place_of(const struct held *rule)
{
	size_t skip = sizeof(uint32_t);

	for (size_t i = 0; i < count; i++)
		if (held[i].size == rule->size &&
		    filter_of(&held[i]) == filter_of(rule) &&
		    !memcmp(held[i].byte + skip, rule->byte + skip,
			    rule->size - skip))
			return i;
	return count;
}

static void take_out(size_t place)
{
	memmove(&held[place], &held[place + 1],
		(--count - place) * sizeof(*held));
}

static void add(struct held rule, bool prepend)
{
	size_t place = prepend ? 0 : count;

	if (!prepend && place_of(&rule) < count)
		return; /* EEXIST */
	if (count == MOST)
		exit(1);
	memmove(&held[place + 1], &held[place],
		(count++ - place) * sizeof(*held));
	held[place] = rule;
}

static bool act(json_t *action)
{
	const char *kind = json_string_value(json_object_get(action, "kind"));
	const char *wire = json_string_value(json_object_get(action, "wire"));

	if (!strcmp(kind, "add")) {
		add(from_hex(wire),
		    json_is_true(json_object_get(action, "prepend")));
	} else if (!strcmp(kind, "delete")) {
		struct held rule = from_hex(wire);
		size_t place = place_of(&rule);

		if (place < count)
			take_out(place);
	} else if (!strcmp(kind, "delete-all")) {
		if (json_is_string(json_object_get(action, "text")) &&
		    *json_string_value(json_object_get(action, "text")))
			return false; /* by key: no test has it */
		count = 0;
	}
	return true;
}

int main(int argc, char **argv)
{
	json_t *dump = argc == 3 ? json_load_file(argv[1], 0, NULL) : NULL;
	FILE *file = dump ? fopen(argv[2], "w") : NULL;
	json_t *action;
	size_t i;

	if (!file) {
		fputs("usage: expect DUMP WANT\n", stderr);
		return 2;
	}
	json_array_foreach(json_object_get(dump, "actions"), i,
			   action) if (!act(action)) return 1;
	for (uint32_t filter = 0; filter < 8; filter++)
		for (i = 0; i < count; i++) {
			uint32_t size = (uint32_t)held[i].size;

			if (filter_of(&held[i]) != filter)
				continue;
			fwrite(&size, sizeof(size), 1, file);
			fwrite(held[i].byte, held[i].size, 1, file);
		}
	return fclose(file) != 0;
}
