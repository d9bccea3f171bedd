/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/read_profile.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/build.h"
#include "profile/read.h"

struct arena *profile_arena;
const struct target *profile_target;
struct diagnostics *profile_told;

void profile_setup(void)
{
	profile_arena = arena_new();
	profile_target = mk_target("x86_64");
}

void profile_teardown(void)
{
	arena_free(profile_arena);
}

const struct profile *profile_of_bytes(const char *text, size_t size)
{
	char name[] = "/tmp/check_profile.XXXXXX";
	int descriptor = mkstemp(name);
	const struct profile *profile;
	struct input input = {0};

	ck_assert_int_ge(descriptor, 0);
	ck_assert_int_eq(write(descriptor, text, size), (ssize_t)size);
	close(descriptor);
	profile_told = diagnostics_new(profile_arena);
	profile = profile_read(profile_arena, profile_target, name, &input,
			       profile_told);
	unlink(name);
	return profile;
}

const struct profile *profile_of(const char *text)
{
	return profile_of_bytes(text, strlen(text));
}

int number_of(enum abi abi, const char *name)
{
	int number = target_call_number(profile_target, abi, name);

	ck_assert_int_ge(number, 0);
	return number;
}

unsigned int weight_of(const struct profile *p, const char *name)
{
	return p->weight[ABI_NATIVE][number_of(ABI_NATIVE, name)];
}

unsigned int share_failed(const struct profile *p, const char *name)
{
	return p->failed[ABI_NATIVE][number_of(ABI_NATIVE, name)];
}

unsigned int share_unset(const struct profile *p, const char *name)
{
	return p->unset[ABI_NATIVE][number_of(ABI_NATIVE, name)];
}

/* NAME is made PERCENT times as often as a hundred of all that were counted. */
void expect_percent(const struct profile *p, const char *name,
		    unsigned int percent)
{
	unsigned int all = 2000000;

	ck_assert_msg(weight_of(p, name) == all / 100 * percent,
		      "%s: %u, not %u percent of %u", name, weight_of(p, name),
		      percent, all);
}

void expect_quiet(void)
{
	if (diagnostics_get(profile_told, 0))
		ck_abort_msg("%s", diagnostics_get(profile_told, 0)->what);
}

const struct diagnostic *expect_told(size_t i, const char *id, const char *what)
{
	const struct diagnostic *d = diagnostics_get(profile_told, i);

	ck_assert_msg(d != NULL, "nothing is told");
	ck_assert_str_eq(d->id, id);
	ck_assert_msg(strstr(d->what, what) != NULL, "'%s' lacks '%s'", d->what,
		      what);
	return d;
}
