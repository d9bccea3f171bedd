/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The findings as SARIF 2.1.0 (OASIS, "Static Analysis Results Interchange
 * Format"), as code scanning services read it.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include <ctype.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "check/catalogue.h"
#include "check/output.h"

#define SCHEMA                                                       \
	"https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/" \
	"sarif-schema-2.1.0.json"
#define ROOT_ID "SRCROOT"

static json_t *message(struct arena *arena, const char *text)
{
	json_t *object = json_object();

	json_object_set_new(object, "text", output_string(arena, text));
	return object;
}

/* FILE as a part of a URI (RFC 3986). */
static const char *percent(struct arena *arena, const char *file)
{
	const char *text = "";

	for (; *file; file++) {
		unsigned char c = (unsigned char)*file;

		text = isalnum(c) || strchr("/-._~", c)
			       ? arena_printf(arena, "%s%c", text, c)
			       : arena_printf(arena, "%s%%%02X", text, c);
	}
	return text;
}

/* Relative to where the program runs, which in CI is the root of the sources;
 * what lies elsewhere has its whole path. */
static json_t *location_of(struct arena *arena, const char *file)
{
	char here[PATH_MAX];
	json_t *object = json_object();
	size_t length;

	if (strcmp(file, "-") == 0)
		file = "standard-input";
	while (strncmp(file, "./", 2) == 0)
		file += 2 + strspn(file + 2, "/");
	length = getcwd(here, sizeof(here)) ? strlen(here) : 0;
	if (length && strncmp(file, here, length) == 0 && file[length] == '/')
		file += length + 1;
	if (file[0] == '/') {
		json_object_set_new(
			object, "uri",
			json_string(arena_printf(arena, "file://%s",
						 percent(arena, file))));
	} else {
		json_object_set_new(object, "uri",
				    json_string(percent(arena, file)));
		json_object_set_new(object, "uriBaseId", json_string(ROOT_ID));
	}
	return object;
}

static json_t *region(const struct input *input, struct position at)
{
	const struct columns columns = output_columns(input, at, true);
	json_t *object = json_object();

	json_object_set_new(object, "startLine",
			    json_integer(input_line(input, at.line)->number));
	json_object_set_new(object, "startColumn", json_integer(columns.begin));
	json_object_set_new(object, "endColumn", json_integer(columns.end));
	return object;
}

static json_t *location(struct arena *arena, const struct input *input,
			struct position at, const char *text)
{
	json_t *object = json_object(), *physical = json_object();

	json_object_set_new(physical, "artifactLocation",
			    location_of(arena, input_line(input, at.line)->file));
	json_object_set_new(physical, "region", region(input, at));
	json_object_set_new(object, "physicalLocation", physical);
	if (text)
		json_object_set_new(object, "message", message(arena, text));
	return object;
}

static json_t *related(struct arena *arena, const struct input *input,
		       const struct diagnostic *d)
{
	json_t *array = json_array();
	json_int_t id = 0;

	if (output_has_line(input, d->other)) {
		json_t *place =
			location(arena, input, d->other,
				 d->other_what ? d->other_what : "see here");

		json_object_set_new(place, "id", json_integer(++id));
		json_array_append_new(array, place);
	}
	for (size_t i = 0; i < d->mores; i++) {
		json_t *place;

		if (!output_has_line(input, d->more[i]))
			continue;
		place = location(arena, input, d->more[i], "see also");
		json_object_set_new(place, "id", json_integer(++id));
		json_array_append_new(array, place);
	}
	return array;
}

/* What is wrong, what becomes of it, what to do. */
static json_t *result_message(struct arena *arena, const struct input *input,
			      const struct diagnostic *d)
{
	const char *text = d->what;
	size_t lost;

	if (d->stops && output_has_line(input, d->at)) {
		lost = diagnostic_lines_after(input, d->at.line);
		text = arena_printf(arena,
				    "%s. auditctl stops here; lines after it "
				    "that are not loaded: %zu",
				    text, lost);
	}
	if (d->auditctl)
		text = arena_printf(arena, "%s. %s", text, d->auditctl);
	if (d->advice)
		text = arena_printf(arena, "%s. What to do: %s", text,
				    d->advice);
	return message(arena, arena_printf(arena, "%s.", text));
}

/* Which rules the findings have, in the order of the catalogue. */
struct rules {
	const struct catalogue_row **row;
	size_t count;
};

static struct rules rules_of(struct arena *arena,
			     const struct findings *findings)
{
	const struct catalogue_row *row;
	struct rules rules = {0};
	size_t rows = 0;

	while (catalogue_row(rows))
		rows++;
	rules.row = arena_array(arena, rows, sizeof(*rules.row));
	for (size_t i = 0; (row = catalogue_row(i)); i++)
		for (size_t f = 0; f < findings->count; f++)
			if (strcmp(findings->item[f].d.id, row->id) == 0) {
				rules.row[rules.count++] = row;
				break;
			}
	return rules;
}

static json_int_t rule_index(const struct rules *rules, const char *id)
{
	for (size_t i = 0; i < rules->count; i++)
		if (strcmp(rules->row[i]->id, id) == 0)
			return (json_int_t)i;
	return -1;
}

static json_t *result(struct arena *arena, const struct input *input,
		      const struct diagnostic *d, const struct rules *rules,
		      const char *fingerprint)
{
	json_t *object = json_object(), *places = json_array();
	json_t *others = related(arena, input, d), *prints = json_object();

	json_object_set_new(object, "ruleId", json_string(d->id));
	json_object_set_new(object, "ruleIndex",
			    json_integer(rule_index(rules, d->id)));
	json_object_set_new(object, "level",
			    json_string(severity_name(d->severity)));
	json_object_set_new(object, "message", result_message(arena, input, d));
	if (output_has_line(input, d->at))
		json_array_append_new(places,
				      location(arena, input, d->at, NULL));
	json_object_set_new(object, "locations", places);
	if (json_array_size(others))
		json_object_set(object, "relatedLocations", others);
	json_decref(others);
	json_object_set_new(prints, "auditoptFinding/v1",
			    json_string(fingerprint));
	json_object_set_new(object, "partialFingerprints", prints);
	return object;
}

static json_t *rule(struct arena *arena, const struct catalogue_row *row)
{
	json_t *object = json_object(), *level = json_object();
	const char *help =
		arena_printf(arena, "%s\n\n%s", row->why, row->advice);

	if (row->bad)
		help = arena_printf(arena, "%s\n\nFor example:\n%s", help,
				    row->bad);
	if (row->good)
		help = arena_printf(arena, "%s\n\nBetter:\n%s", help,
				    row->good);
	json_object_set_new(object, "id", json_string(row->id));
	json_object_set_new(object, "shortDescription",
			    message(arena, row->title));
	json_object_set_new(object, "fullDescription",
			    message(arena, row->why));
	json_object_set_new(object, "help", message(arena, help));
	json_object_set_new(level, "level",
			    json_string(severity_name(row->severity)));
	json_object_set_new(object, "defaultConfiguration", level);
	return object;
}

static json_t *tool(struct arena *arena, const struct rules *rules)
{
	json_t *object = json_object(), *driver = json_object();
	json_t *array = json_array();

	for (size_t i = 0; i < rules->count; i++)
		json_array_append_new(array, rule(arena, rules->row[i]));
	json_object_set_new(driver, "name", json_string("auditopt"));
	json_object_set_new(driver, "version", json_string(PACKAGE_VERSION));
	json_object_set_new(driver, "rules", array);
	json_object_set_new(object, "driver", driver);
	return object;
}

static json_t *bases(struct arena *arena)
{
	json_t *object = json_object(), *root = json_object();

	json_object_set_new(
		root, "description",
		message(arena, "the directory in which auditopt was run"));
	json_object_set_new(object, ROOT_ID, root);
	return object;
}

bool findings_sarif(struct arena *arena, const struct findings *findings,
		    const struct input *input, FILE *stream)
{
	const char *const *print = output_fingerprints(arena, findings, input);
	const struct rules rules = rules_of(arena, findings);
	json_t *root = json_object(), *run = json_object();
	json_t *runs = json_array(), *results = json_array();

	for (size_t i = 0; i < findings->count; i++)
		json_array_append_new(results,
				      result(arena, input, &findings->item[i].d,
					     &rules, print[i]));
	json_object_set_new(run, "tool", tool(arena, &rules));
	json_object_set_new(run, "columnKind",
			    json_string("unicodeCodePoints"));
	json_object_set_new(run, "originalUriBaseIds", bases(arena));
	json_object_set_new(run, "results", results);
	json_array_append_new(runs, run);
	json_object_set_new(root, "$schema", json_string(SCHEMA));
	json_object_set_new(root, "version", json_string("2.1.0"));
	json_object_set_new(root, "runs", runs);
	return output_write(root, stream);
}
