/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "optimize/terminator_demand.h"

#include <fcntl.h>
#include <libaudit.h>

static const struct {
	uint32_t field;
	enum field_op op;
	uint32_t value;
	const char *call;
	unsigned int likely; /* in percent, of flags */
	const char *text;
} demands[DEMANDS] = {
	[DEMAND_OPEN_READ] = {AUDIT_ARG1, OP_EQ, O_RDONLY, "open", 40,
			      "for reading"},
	[DEMAND_OPEN_CLOEXEC] = {AUDIT_ARG1, OP_EQ, O_RDONLY | O_CLOEXEC,
				 "open", 40, "for reading"},
	[DEMAND_OPENAT_READ] = {AUDIT_ARG2, OP_EQ, O_RDONLY, "openat", 40,
				"for reading"},
	[DEMAND_OPENAT_CLOEXEC] = {AUDIT_ARG2, OP_EQ, O_RDONLY | O_CLOEXEC,
				   "openat", 40, "for reading"},
	[DEMAND_UNSET] = {AUDIT_LOGINUID, OP_EQ, UINT32_MAX, NULL, 0,
			  "by tasks without auid"},
	[DEMAND_SUCCESS] = {AUDIT_SUCCESS, OP_EQ, 1, NULL, 0, "that succeed"},
	[DEMAND_RESULT] = {AUDIT_EXIT, OP_LE, INT32_MAX, NULL, 0,
			   "that give no error"},
};

struct field_test demand_test(enum demand demand)
{
	return (struct field_test){
		.field = field_by_number(demands[demand].field),
		.op = demands[demand].op,
		.value = demands[demand].value};
}

enum demand demand_of(const struct field_test *test)
{
	int d = 0;

	while (d < DEMANDS &&
	       (test->field->number != demands[d].field ||
		test->op != demands[d].op || test->value != demands[d].value))
		d++;
	return (enum demand)d;
}

const char *demand_call(enum demand demand)
{
	return demands[demand].call;
}

#define BIT(demand) (1U << (demand))
#define ROW(flags)                                                     \
	flags, flags | BIT(DEMAND_UNSET), flags | BIT(DEMAND_SUCCESS), \
		flags | BIT(DEMAND_RESULT)

static const unsigned int conditions[CONDITIONS] = {
	ROW(0),
	BIT(DEMAND_UNSET) | BIT(DEMAND_SUCCESS),
	BIT(DEMAND_UNSET) | BIT(DEMAND_RESULT),
	ROW(BIT(DEMAND_OPEN_READ)),
	ROW(BIT(DEMAND_OPEN_CLOEXEC)),
	ROW(BIT(DEMAND_OPENAT_READ)),
	ROW(BIT(DEMAND_OPENAT_CLOEXEC)),
};

unsigned int demand_likelihood(enum demand demand)
{
	return demands[demand].likely;
}

unsigned int condition_demands(unsigned int condition)
{
	return conditions[condition];
}

enum demand condition_flags(unsigned int condition)
{
	for (int d = 0; d < FLAG_DEMANDS; d++)
		if (conditions[condition] & BIT(d))
			return (enum demand)d;
	return DEMANDS;
}

unsigned int condition_without_flags(unsigned int condition)
{
	unsigned int without = conditions[condition] & ~(BIT(FLAG_DEMANDS) - 1);

	for (unsigned int c = 0; c < CONDITIONS; c++)
		if (conditions[c] == without)
			return c;
	return condition;
}

struct meant_numbers meant_numbers_of(const struct target *target)
{
	struct meant_numbers meant;

	for (int d = 0; d < FLAG_DEMANDS; d++)
		for (int abi = 0; abi < ABI_COUNT; abi++)
			meant.number[d][abi] = target_call_number(
				target, (enum abi)abi, demands[d].call);
	return meant;
}

bool condition_means(const struct meant_numbers *meant, unsigned int condition,
		     enum abi abi, int number)
{
	enum demand flags = condition_flags(condition);

	return flags != DEMANDS && meant->number[flags][abi] == number;
}

const char *condition_text(struct arena *arena, unsigned int condition)
{
	const char *text = "";

	for (int d = DEMANDS; d-- > 0;)
		if (conditions[condition] & BIT(d))
			text = arena_printf(arena, "%s%s%s", text,
					    *text ? ", " : "", demands[d].text);
	return text;
}
