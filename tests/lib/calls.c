/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/calls.h"

#include <check.h>

#include "lib/build.h"

struct arena *arena;
const struct target *x86;

void calls_setup(void)
{
	arena = arena_new();
	x86 = mk_target("x86_64");
}

void calls_teardown(void)
{
	arena_free(arena);
}

struct event call_of(enum abi abi, const char *name)
{
	return (struct event){
		.abi = abi,
		.number = target_call_number(x86, abi, name),
		.pid = 100,
		.ppid = 99,
		.auid = 1000,
		.session = 1,
		.result = RESULT_SUCCESS,
	};
}

struct event call(const char *name)
{
	return call_of(ABI_NATIVE, name);
}

struct event failed(const char *name, int error)
{
	struct event event = call(name);

	event.result = RESULT_FAILURE;
	event.exit_code = (uint32_t)-error;
	return event;
}

struct outcome outcome_of(const char *rules, const struct event *event)
{
	return kernel_syscall_exit(mk_ruleset(arena, x86, rules), event, NULL);
}

bool records(const char *rules, const struct event *event)
{
	return outcome_of(rules, event).verdict == VERDICT_RECORD;
}

void expect(const char *rules, const struct event *event, enum verdict verdict,
	    const char *key)
{
	struct outcome outcome = outcome_of(rules, event);

	ck_assert_int_eq(outcome.verdict, verdict);
	if (key)
		ck_assert_pstr_eq(outcome.key, key);
	else
		ck_assert_ptr_null(outcome.key);
}

struct event with_names(const struct event_name *name, size_t names)
{
	struct event e = call("rename");

	e.name = name;
	e.names = names;
	return e;
}
