/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Users and groups: found, not found, suggested; and how often the system and
 * the files are asked for them, counted at the functions that are asked, which
 * this program has in place of the C library's and its own.
 */
#include <grp.h>
#include <malloc.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "frontend/diagnostic.h"
#include "frontend/lookup.h"
#include "lib/suite.h"

#define USERS 2000
#define UNKNOWN 4000

static struct {
	unsigned int users_asked, groups_asked, files_read, comparisons;
} count;

TEST_ARENA;

/* In place of those of the C library. */

struct passwd *getpwnam(const char *name)
{
	static struct passwd root = {.pw_name = (char *)"root", .pw_uid = 0};

	count.users_asked++;
	return strcmp(name, "root") == 0 ? &root : NULL;
}

struct group *getgrnam(const char *name)
{
	static struct group wheel = {.gr_name = (char *)"wheel", .gr_gid = 10};

	count.groups_asked++;
	return strcmp(name, "wheel") == 0 ? &wheel : NULL;
}

/* In place of that of nearest.c: the first candidate that begins alike. */
const char *nearest_name(const char *word,
			 const char *(*candidate)(size_t i, void *data),
			 void *data)
{
	const char *found = NULL, *name;

	for (size_t i = 0; (name = candidate(i, data)) != NULL; i++) {
		count.comparisons++;
		if (!found && strncmp(name, word, 4) == 0)
			found = name;
	}
	return found;
}

static char root[] = "/tmp/auditopt-lookup.XXXXXX";

static void make_root(void)
{
	char path[64];
	FILE *file;

	strcpy(root + strlen(root) - 6, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(root));
	snprintf(path, sizeof(path), "%s/etc", root);
	ck_assert_int_eq(mkdir(path, 0755), 0);
	snprintf(path, sizeof(path), "%s/etc/passwd", root);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	for (unsigned int i = 0; i < USERS; i++)
		fprintf(file, "user%u:x:%u:%u::/:/bin/sh\n", i, 1000 + i,
			1000 + i);
	fprintf(file, "user7:x:5:5::/:/bin/sh\n");
	ck_assert_int_eq(fclose(file), 0);
	memset(&count, 0, sizeof(count));
}

static void remove_root(void)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/etc/passwd", root);
	unlink(path);
	snprintf(path, sizeof(path), "%s/etc", root);
	rmdir(path);
	rmdir(root);
}

static struct lookup *lookup_in(const char *directory)
{
	return lookup_new(arena, directory, target_by_name("x86_64"));
}

START_TEST(found_in_root)
{
	struct lookup *lookup = lookup_in(root);
	uint32_t id = 0;

	ck_assert(lookup_user(lookup, "user1999", &id));
	ck_assert_uint_eq(id, 2999);
	ck_assert(lookup_user(lookup, "user7", &id));
	ck_assert_uint_eq(id, 1007); /* the first one in the file counts */
	ck_assert(!lookup_user(lookup, "root", &id));
	ck_assert(!lookup_group(lookup, "wheel", &id));
	ck_assert_uint_eq(count.users_asked + count.groups_asked, 0);
	lookup_free(lookup);
}
END_TEST

START_TEST(system_is_asked_once_a_name)
{
	struct lookup *lookup = lookup_in("");
	uint32_t id = 77;

	for (int i = 0; i < 100; i++) {
		ck_assert(!lookup_user(lookup, "ghost", &id));
		ck_assert(lookup_user(lookup, "root", &id));
		ck_assert(!lookup_group(lookup, "ghost", &id));
		ck_assert(lookup_group(lookup, "wheel", &id));
	}
	ck_assert_uint_eq(id, 10);
	ck_assert_uint_eq(count.users_asked, 2);
	ck_assert_uint_eq(count.groups_asked, 2);
	lookup_free(lookup);
}
END_TEST

/* However often a name stands in the rules, it is compared with all users
 * once. */
START_TEST(nearest_is_looked_for_once_a_name)
{
	struct lookup *lookup = lookup_in(root);

	for (int i = 0; i < 50; i++)
		ck_assert_str_eq(lookup_nearest_user(lookup, "user_x"),
				 "user0" /* the first that begins so */
		);
	ck_assert_uint_eq(count.comparisons, USERS);
	lookup_free(lookup);
}
END_TEST

/* Many unknown users, each another: memory stays that of the names. A list of
 * all users made for each of them would be 60 MB. */
START_TEST(unknown_users_cost_little)
{
	struct lookup *lookup = lookup_in(root);
	size_t before = mallinfo2().uordblks, after;
	uint32_t id;

	for (unsigned int i = 0; i < UNKNOWN; i++) {
		const char *name = arena_printf(arena, "ghost%u", i);

		ck_assert(!lookup_user(lookup, name, &id));
		ck_assert_ptr_null(lookup_nearest_user(lookup, name));
	}
	after = mallinfo2().uordblks;
	ck_assert_uint_lt(after - before, 4u << 20);
	ck_assert_uint_eq(count.comparisons, USERS * UNKNOWN);
	lookup_free(lookup);
}
END_TEST

/* Known ones in between must not have the list made again either. */
START_TEST(known_and_unknown_in_turn)
{
	struct lookup *lookup = lookup_in("");
	size_t before = mallinfo2().uordblks;
	uint32_t id;

	for (unsigned int i = 0; i < UNKNOWN; i++) {
		const char *name = arena_printf(arena, "ghost%u", i);

		ck_assert(lookup_user(lookup, "root", &id));
		lookup_nearest_user(lookup, name);
		ck_assert(!lookup_user(lookup, name, &id));
	}
	ck_assert_uint_lt(mallinfo2().uordblks - before, 4u << 20);
	ck_assert_uint_le(count.users_asked, UNKNOWN + 1);
	lookup_free(lookup);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("lookup");
	TCase *tcase = tcase_create("lookup");

	tcase_set_timeout(tcase, 60);
	tcase_add_checked_fixture(tcase, begin_arena, end_arena);
	tcase_add_checked_fixture(tcase, make_root, remove_root);
	tcase_add_test(tcase, found_in_root);
	tcase_add_test(tcase, system_is_asked_once_a_name);
	tcase_add_test(tcase, nearest_is_looked_for_once_a_name);
	tcase_add_test(tcase, unknown_users_cost_little);
	tcase_add_test(tcase, known_and_unknown_in_turn);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
