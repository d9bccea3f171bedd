/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "cost/calibration.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/field.h"

#define CALIBRATION_FORMAT "auditopt-calibration"
#define CALIBRATION_VERSION 1
/* A second: no figure of the model takes that long on any host. */
#define NANOSECONDS_MOST 1e9
#define REAL_DIGITS 6

/* Of perm, wa and a call that is in neither class. */
static double model_of_perm(const struct prices *prices)
{
	return prices->rule_entered + prices->perm_call +
	       2 * prices->perm_class;
}

static bool model_of_field(const struct prices *prices, const char *name,
			   double *instructions)
{
	const struct field_info *field;

	for (unsigned int i = 0; (field = field_row(i)) != NULL; i++) {
		if (strcmp(field->name, name) != 0 || !field->cost_fail)
			continue;
		*instructions = field->cost_fail - PRICE_RULE_ENTERED +
				prices->rule_entered;
		if (field->kind == FIELD_PERM)
			*instructions = model_of_perm(prices);
		if (field->kind == FIELD_EXE)
			*instructions += prices->exe_more;
		return true;
	}
	return false;
}

bool calibration_model(const struct prices *prices, const char *name,
		       double *instructions)
{
	const struct {
		const char *name;
		int instructions;
	} known[] = {{"context_in_use", prices->context_in_use},
		     {"rule_passed", prices->rule_passed},
		     {"rule_matched", prices->rule_matched},
		     {"field_further", prices->field_further}};
	size_t prefix = strlen(CALIBRATION_FIELD);

	if (strncmp(name, CALIBRATION_FIELD, prefix) == 0)
		return model_of_field(prices, name + prefix, instructions);
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (strcmp(known[i].name, name) == 0) {
			*instructions = known[i].instructions;
			return true;
		}
	}
	return false;
}

const char *calibration_settle(struct arena *arena, struct calibration *c)
{
	double nanoseconds = 0, instructions = 0;

	c->prices = prices_for(c->kernel);
	c->context = c->passed = -1;
	for (size_t i = 0; i < c->count; i++) {
		const struct calibrated *item = &c->item[i];
		double model;

		if (strcmp(item->name, "context_in_use") == 0)
			c->context = item->nanoseconds;
		else if (strcmp(item->name, "rule_passed") == 0)
			c->passed = item->nanoseconds;
		else if (strcmp(item->name, "field_further") != 0 &&
			 calibration_model(c->prices, item->name, &model)) {
			nanoseconds += item->nanoseconds;
			instructions += model;
		}
	}
	if (c->context <= 0 || c->passed <= 0)
		return arena_printf(arena, "it has no figure above zero for %s",
				    c->context <= 0 ? "context_in_use"
						    : "rule_passed");
	if (instructions <= 0 || nanoseconds <= 0)
		return "it has no figure above zero for any rule that is "
		       "entered";
	c->entered = nanoseconds / instructions;
	return NULL;
}

double calibration_nanoseconds(const struct calibration *c,
			       const struct prices *prices,
			       const struct call_cost *cost)
{
	double passed = (double)cost->rules_walked - cost->masks_hit;
	double rest;

	if (cost->instructions <= 0)
		return 0; /* no context is in use */
	if (!prices)
		prices = prices_of(NULL);
	rest = cost->instructions - prices->context_in_use -
	       passed * prices->rule_passed;
	return c->context + passed * c->passed +
	       (rest > 0 ? rest * c->entered : 0);
}

static json_t *constants_value(const struct calibration *c)
{
	json_t *value = json_array();

	for (size_t i = 0; i < c->count; i++) {
		const struct calibrated *item = &c->item[i];
		double model;
		bool known = calibration_model(c->prices, item->name, &model);

		json_array_append_new(
			value,
			json_pack("{s:s,s:f,s:f,s:o}", "name", item->name,
				  "nanoseconds", item->nanoseconds, "spread",
				  item->spread, "instructions",
				  known ? json_real(model) : json_null()));
	}
	return value;
}

const char *calibration_text(struct arena *arena, const struct calibration *c,
			     size_t *size)
{
	const size_t flags = JSON_INDENT(2) | JSON_PRESERVE_ORDER |
			     JSON_REAL_PRECISION(REAL_DIGITS);
	json_t *value = json_pack(
		"{s:s,s:i,s:s,s:s,s:s,s:s,s:s,s:f,s:{s:f,s:f,s:f},s:o}",
		"format", CALIBRATION_FORMAT, "version", CALIBRATION_VERSION,
		"auditopt", PACKAGE_VERSION, "date", c->date, "kernel",
		c->kernel, "build", c->build, "machine", c->machine,
		"call_nanoseconds", c->call, "nanoseconds", "context",
		c->context, "rule_passed", c->passed, "instruction_entered",
		c->entered, "constants", constants_value(c));
	char *dump, *text;

	dump = value ? json_dumps(value, flags) : NULL;
	json_decref(value);
	if (!dump)
		return NULL;
	text = arena_printf(arena, "%s\n", dump);
	*size = strlen(text);
	free(dump);
	return text;
}

/* A file that is being read. */
struct reading {
	struct arena *arena;
	struct calibration *calibration;
	const char **why;
};

static bool refuse(const struct reading *r, const char *why)
{
	*r->why = why;
	return false;
}

/* The string NAME of VALUE; false, told, if it is none. */
static bool read_string(const struct reading *r, json_t *value,
			const char *name, const char **to)
{
	const char *text = json_string_value(json_object_get(value, name));

	if (!text || !*text)
		return refuse(r, arena_printf(r->arena, "it has no string '%s'",
					      name));
	*to = arena_strdup(r->arena, text);
	return true;
}

/* The number NAME of VALUE, from 0 to MOST. */
static bool read_number(const struct reading *r, json_t *value,
			const char *name, double most, double *to)
{
	json_t *number = json_object_get(value, name);

	*to = json_number_value(number);
	if (!json_is_number(number) || !isfinite(*to) || *to < 0 || *to > most)
		return refuse(r, arena_printf(r->arena,
					      "'%s' is not a number from 0 to "
					      "%g",
					      name, most));
	return true;
}

static bool read_head(const struct reading *r, json_t *root)
{
	struct calibration *c = r->calibration;
	const char *format = json_string_value(json_object_get(root, "format"));
	json_t *version = json_object_get(root, "version");

	if (!format || strcmp(format, CALIBRATION_FORMAT) != 0)
		return refuse(r, "it is no file of auditopt calibrate");
	if (!json_is_integer(version) ||
	    json_integer_value(version) != CALIBRATION_VERSION)
		return refuse(r, "it is of a version of the format that is not "
				 "known here");
	c->build = json_string_value(json_object_get(root, "build"));
	c->build = arena_strdup(r->arena, c->build ? c->build : "");
	return read_string(r, root, "kernel", &c->kernel) &&
	       read_string(r, root, "machine", &c->machine) &&
	       read_string(r, root, "date", &c->date) &&
	       read_number(r, root, "call_nanoseconds", NANOSECONDS_MOST,
			   &c->call);
}

/* Does an earlier item have the name of the last one? */
static bool is_twice(const struct calibration *c)
{
	for (size_t i = 0; i + 1 < c->count; i++)
		if (strcmp(c->item[i].name, c->item[c->count - 1].name) == 0)
			return true;
	return false;
}

/* Figures that the model does not have are passed over: another version of the
 * program may know them. */
static bool read_constants(const struct reading *r, json_t *array)
{
	struct calibration *c = r->calibration;
	size_t i;
	json_t *value;

	if (!json_is_array(array))
		return refuse(r, "it has no array 'constants'");
	c->item =
		arena_array(r->arena, json_array_size(array), sizeof(*c->item));
	json_array_foreach(array, i, value)
	{
		struct calibrated *item = &c->item[c->count];
		double model;

		if (!read_string(r, value, "name", &item->name) ||
		    !read_number(r, value, "nanoseconds", NANOSECONDS_MOST,
				 &item->nanoseconds) ||
		    !read_number(r, value, "spread", NANOSECONDS_MOST,
				 &item->spread))
			return false;
		if (!calibration_model(prices_of(NULL), item->name, &model))
			continue;
		c->count++;
		if (is_twice(c))
			return refuse(r, arena_printf(r->arena,
						      "it has '%s' twice",
						      item->name));
	}
	return true;
}

const struct calibration *calibration_read(struct arena *arena,
					   const char *path, const char **why)
{
	struct calibration *c = arena_alloc(arena, sizeof(*c));
	const struct reading r = {arena, c, why};
	json_error_t error;
	json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
	bool good;

	*why = NULL;
	if (!root) {
		*why = error.line > 0 ? arena_printf(arena, "line %d: %s",
						     error.line, error.text)
				      : arena_strdup(arena, error.text);
		return NULL;
	}
	c->file = arena_strdup(arena, path);
	good = read_head(&r, root) &&
	       read_constants(&r, json_object_get(root, "constants"));
	json_decref(root);
	if (good)
		*why = calibration_settle(arena, c);
	return *why ? NULL : c;
}
