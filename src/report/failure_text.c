/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/failure_text.h"

#include <inttypes.h>
#include <libaudit.h>

#include "model/call_names.h"
#include "model/perm.h"

/* The field's value in EVENT; false if it is not one number of the event's. */
static bool value_in(const struct event *e, uint32_t field, uint32_t *value)
{
	struct event copy = *e;
	const uint32_t *number = event_task_number(&copy, field);

	if (number) {
		*value = *number;
		return true;
	}
	if (field < AUDIT_ARG0 || field > AUDIT_ARG3)
		return false;
	*value = (uint32_t)e->argv[field - AUDIT_ARG0];
	return true;
}

static const char *perm_failure(struct arena *arena,
				const struct target *target,
				const struct event *e)
{
	static const char letter[] = {'x', 'w', 'r', 'a'}; /* by bit */
	char counts[5] = "";
	size_t n = 0;

	for (unsigned int bit = 0; bit < sizeof(letter); bit++)
		if (perm_match(target, e->abi, e->number, e->argv,
			       e->open_flags, 1u << bit))
			counts[n++] = letter[bit];
	return n ? arena_printf(arena, "the call counts as %s", counts)
		 : "perm never holds for this call";
}

/* MAX_ERRNO of the kernel and one more. */
#define ERRNO_BOUND 4096

const char *exit_text(struct arena *arena, uint32_t value)
{
	int32_t code = (int32_t)value;
	const char *name = code < 0 && code > -ERRNO_BOUND
				   ? audit_errno_to_name(-code)
				   : NULL;

	return name ? arena_printf(arena, "-%s", name)
		    : arena_printf(arena, "%" PRId32, code);
}

/* "getppid collects no file names: it reads ..."; NULL: it may. */
static const char *names_failure(struct arena *arena,
				 const struct target *target,
				 const struct event *e)
{
	const char *why;

	if (e->names || e->dirs ||
	    call_can_collect_names(target, e->abi, e->number, &why))
		return NULL;
	return arena_printf(arena, "%s collects no names of files, %s",
			    target_call_name(target, e->abi, e->number), why);
}

const char *failure_text(struct arena *arena, const struct target *target,
			 const struct event *event,
			 const struct field_test *test)
{
	const char *text;
	uint32_t value;

	if (test_needs_name(test) &&
	    (text = names_failure(arena, target, event)))
		return text;
	if (value_in(event, test->field->number, &value))
		return value == UINT32_MAX
			       ? "it is unset"
			       : arena_printf(arena, "it is %" PRIu32, value);
	switch (test->field->kind) {
	case FIELD_RESULT:
		if (event->result == RESULT_NONE)
			return "the call never returns";
		if (test->field->number == AUDIT_EXIT)
			return arena_printf(
				arena, "it is %s%s",
				exit_text(arena, event->exit_code),
				test->op == OP_EQ || test->op == OP_NE
					? ""
					: ", compared without sign");
		return event->result == RESULT_SUCCESS ? "the call succeeds"
						       : "the call fails";
	case FIELD_PERM:
		return perm_failure(arena, target, event);
	case FIELD_ARCH:
		return arena_printf(arena, "it is a call of %s",
				    target->abi[event->abi].name);
	case FIELD_DIR:
		return "no file of the call is in that tree";
	case FIELD_EXE:
		return "it is another program";
	case FIELD_PATH:
		return "it is another file";
	case FIELD_NAME:
	case FIELD_FILETYPE:
	case FIELD_LSM_OBJECT:
		return event->names ? "no file of the call is such"
				    : "the call names no file";
	case FIELD_LSM_SUBJECT:
		return "the task has another label";
	case FIELD_LOGINUID_SET:
		return event->auid == UINT32_MAX ? "auid is unset"
						 : "auid is set";
	case FIELD_OPTIONAL:
		return "the call has no such address";
	default:
		return "it does not hold";
	}
}
