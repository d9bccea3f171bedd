/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/calibrate_steps.h"

#include <stdlib.h>
#include <string.h>

#include "cli/calibrate_kernel.h"
#include "cost/calibration.h"

#define RULES_PASSED 64
#define RULES_ENTERED 16

/* In nobody's mask, and no call has that number. */
#define CALL_OF_NOBODY 2000
/* One past PID_MAX_LIMIT. */
#define PID_OF_NOBODY 4194305
/* No user or session has it; -1 is refused for some fields. */
#define ID_OF_NOBODY 4294967294u

#define FIELD(name, number, value)                                 \
	{                                                          \
		CALIBRATION_FIELD name, STEP_FIELD, RULES_ENTERED, \
			{{number, AUDIT_EQUAL, value, false}}, 1   \
	}
#define PATH(name, number)                                         \
	{                                                          \
		CALIBRATION_FIELD name, STEP_FIELD, RULES_ENTERED, \
			{{number, AUDIT_EQUAL, 0, true}}, 1        \
	}

/* The call is made with four zeros, succeeds and names no file. */
static const struct calibrate_step steps[] = {
	{"context_in_use", STEP_CONTEXT, 1, {{0}}, 0},
	{"rule_passed", STEP_PASSED, RULES_PASSED, {{0}}, 0},
	{"rule_matched", STEP_MATCHED, 1, {{0}}, 0},
	FIELD("a0", AUDIT_ARG0, 1),
	{"field_further",
	 STEP_FURTHER,
	 RULES_ENTERED,
	 {{AUDIT_ARG1, AUDIT_EQUAL, 0, false},
	  {AUDIT_ARG2, AUDIT_EQUAL, 0, false},
	  {AUDIT_ARG3, AUDIT_EQUAL, 0, false},
	  {AUDIT_ARG0, AUDIT_EQUAL, 1, false}},
	 4},
	FIELD("pers", AUDIT_PERS, ID_OF_NOBODY),
	FIELD("arch", AUDIT_ARCH, 0),
	FIELD("pid", AUDIT_PID, PID_OF_NOBODY),
	FIELD("ppid", AUDIT_PPID, PID_OF_NOBODY),
	FIELD("uid", AUDIT_UID, ID_OF_NOBODY),
	FIELD("euid", AUDIT_EUID, ID_OF_NOBODY),
	FIELD("auid", AUDIT_LOGINUID, ID_OF_NOBODY),
	FIELD("gid", AUDIT_GID, ID_OF_NOBODY),
	FIELD("sessionid", AUDIT_SESSIONID, ID_OF_NOBODY),
	FIELD("success", AUDIT_SUCCESS, 0),
	FIELD("exit", AUDIT_EXIT, (uint32_t)-1),
	FIELD("obj_uid", AUDIT_OBJ_UID, ID_OF_NOBODY),
	/* uid!=euid */
	{CALIBRATION_FIELD "field_compare",
	 STEP_FIELD,
	 RULES_ENTERED,
	 {{AUDIT_FIELD_COMPARE, AUDIT_NOT_EQUAL, AUDIT_COMPARE_UID_TO_EUID,
	   false}},
	 1},
	FIELD("filetype", AUDIT_FILETYPE, 0040000),
	FIELD("saddr_fam", AUDIT_SADDR_FAM, 2),
	FIELD("perm", AUDIT_PERM, AUDIT_PERM_WRITE | AUDIT_PERM_ATTR),
	PATH("dir", AUDIT_DIR),
	PATH("exe", AUDIT_EXE),
};

const struct calibrate_step *calibrate_step(unsigned int i)
{
	return i < sizeof(steps) / sizeof(*steps) ? &steps[i] : NULL;
}

static void add_field(struct audit_rule_data *rule, uint32_t field, uint32_t op,
		      uint32_t value)
{
	rule->fields[rule->field_count] = field;
	rule->fieldflags[rule->field_count] = op;
	rule->values[rule->field_count++] = value;
}

/* RULE has room for it. */
static void add_text(struct audit_rule_data *rule, uint32_t field,
		     const char *text)
{
	size_t length = strlen(text);

	add_field(rule, field, AUDIT_EQUAL, (uint32_t)length);
	memcpy(rule->buf + rule->buflen, text, length);
	rule->buflen += (uint32_t)length;
}

static int call_of(const struct calibrate_step *step)
{
	return step->kind == STEP_PASSED ? CALL_OF_NOBODY : CALIBRATE_CALL;
}

struct audit_rule_data *calibrate_rule(const struct calibrate_step *step,
				       unsigned int i, const char *scratch)
{
	struct audit_rule_data *rule = calloc(
		1, sizeof(*rule) + strlen(scratch) + strlen(CALIBRATE_KEY));
	int call = call_of(step);

	if (!rule)
		return NULL;
	rule->action = AUDIT_NEVER;
	rule->flags = step->kind == STEP_CONTEXT ? AUDIT_FILTER_TASK
						 : AUDIT_FILTER_EXIT;
	if (step->kind != STEP_CONTEXT)
		rule->mask[AUDIT_WORD(call)] |= AUDIT_BIT(call);
	for (unsigned int f = 0; f < step->fields; f++) {
		const struct step_field *field = &step->field[f];

		if (field->is_path)
			add_text(rule, field->field, scratch);
		else
			add_field(rule, field->field, field->op, field->value);
	}
	if (step->kind == STEP_MATCHED)
		return rule; /* a key of a rule that matches is copied */
	add_field(rule, AUDIT_PID, AUDIT_EQUAL, PID_OF_NOBODY + i);
	add_text(rule, AUDIT_FILTERKEY, CALIBRATE_KEY);
	return rule;
}

/* Of a step's rules each costs this much, beside the context. */
static double each(unsigned int i, const double *above)
{
	return (above[i] - above[0]) / steps[i].rules;
}

/* The first step with FIELD alone. */
static unsigned int step_of_field(uint32_t field)
{
	for (unsigned int i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		if (steps[i].kind == STEP_FIELD &&
		    steps[i].field[0].field == field)
			return i;
	return 0;
}

double calibrate_figure(unsigned int i, const double *above)
{
	const struct calibrate_step *step = &steps[i];
	uint32_t last;

	if (step->kind == STEP_CONTEXT)
		return above[i];
	if (step->kind != STEP_FURTHER)
		return each(i, above);
	last = step->field[step->fields - 1].field;
	return (each(i, above) - each(step_of_field(last), above)) /
	       (step->fields - 1);
}
