/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Faults that were found by hand: what grows with its input where nobody
 * looks. Sizes and numbers are checked, not seconds.
 */
#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "lib/build.h"
#include "lib/suite.h"
#include "util/atomic_file.h"
#include "verify/equivalence.h"

#define NL "\n"
#define ATTRIBUTE "security.huge"

TEST_ARENA;

/* A file system whose files have one attribute of the greatest size, in place
 * of those of the C library. */

static unsigned int copied;

static char attribute_byte(size_t i)
{
	return (char)(i * 7 + 1);
}

ssize_t listxattr(const char *path, char *list, size_t size)
{
	(void)path;
	if (size < sizeof(ATTRIBUTE)) {
		errno = ERANGE;
		return -1;
	}
	memcpy(list, ATTRIBUTE, sizeof(ATTRIBUTE));
	return sizeof(ATTRIBUTE);
}

ssize_t getxattr(const char *path, const char *name, void *value, size_t size)
{
	(void)path;
	if (strcmp(name, ATTRIBUTE) != 0 || size < XATTR_SIZE_MAX) {
		errno = strcmp(name, ATTRIBUTE) ? ENODATA : ERANGE;
		return -1;
	}
	for (size_t i = 0; i < XATTR_SIZE_MAX; i++)
		((char *)value)[i] = attribute_byte(i);
	return XATTR_SIZE_MAX;
}

ssize_t fgetxattr(int fd, const char *name, void *value, size_t size)
{
	(void)fd;
	(void)name;
	memset(value, 0, size);
	return (ssize_t)size;
}

int fsetxattr(int fd, const char *name, const void *value, size_t size,
	      int flags)
{
	(void)fd;
	(void)flags;
	ck_assert_str_eq(name, ATTRIBUTE);
	ck_assert_uint_eq(size, XATTR_SIZE_MAX);
	for (size_t i = 0; i < size; i++)
		ck_assert(((const char *)value)[i] == attribute_byte(i));
	copied++;
	return 0;
}

int fremovexattr(int fd, const char *name)
{
	(void)fd;
	(void)name;
	errno = ENODATA;
	return -1;
}

static void *write_over(void *path)
{
	char *error = NULL;

	return atomic_write(path, "new", 3, &error) ? path : NULL;
}

/* Where the stack has less room than one attribute. */
START_TEST(huge_attributes_are_not_on_the_stack)
{
	char path[] = "/tmp/auditopt-faults.XXXXXX";
	int fd = mkstemp(path);
	pthread_attr_t attributes;
	pthread_t thread;
	void *done = NULL;

	ck_assert_int_ge(fd, 0);
	close(fd);
	ck_assert_int_eq(pthread_attr_init(&attributes), 0);
	ck_assert_int_eq(pthread_attr_setstacksize(&attributes, XATTR_SIZE_MAX),
			 0);
	ck_assert_int_eq(pthread_create(&thread, &attributes, write_over, path),
			 0);
	ck_assert_int_eq(pthread_join(thread, &done), 0);
	pthread_attr_destroy(&attributes);
	unlink(path);
	ck_assert_ptr_eq(done, path);
	ck_assert_uint_eq(copied, 1);
}
END_TEST

/* Witnesses of two large sets that differ everywhere. */

#define WATCHES 300

static struct ruleset *watches(const char *key)
{
	const char *text = "";

	for (unsigned int i = 0; i < WATCHES; i++)
		text = arena_printf(arena,
				    "unsettled watch path=/w%u perm=wa "
				    "key=%s%u" NL "%s",
				    i, key, i, text);
	return mk_ruleset(arena, mk_target("x86_64"), text);
}

START_TEST(witnesses_are_few_and_small)
{
	const struct verify_options options = {.level = 1,
					       .all_witnesses = true};
	struct ruleset *old = watches("a"), *new = watches("b");
	size_t before = mallinfo2().uordblks, witnesses = 0;
	struct verification v = verify_equivalent(arena, old, new, &options);
	bool cut = false;

	ck_assert_int_eq(v.proof, PROOF_DIFFERENT);
	for (size_t i = 0; i < v.count; i++) {
		ck_assert_uint_le(v.item[i].witnesses, 12);
		ck_assert(v.item[i].witnesses < 12 || v.item[i].cut);
		witnesses += v.item[i].witnesses;
		cut |= v.item[i].cut;
	}
	ck_assert_uint_ge(witnesses, 5);
	ck_assert(cut);
	/* A copy of a set for each would be 100 KiB each, and more. */
	ck_assert_uint_lt(mallinfo2().uordblks - before,
			  (64u << 10) + witnesses * 4096);
}
END_TEST

/* A class that comes late has its witness, too. */
START_TEST(every_class_has_its_turn)
{
	static const char *const calls[] = {
		"open",	 "chmod",  "chown",  "rename", "unlink", "mkdir",
		"mount", "setuid", "ptrace", "kill",   "socket", "bind"};
	const struct verify_options options = {.level = 1,
					       .all_witnesses = true};
	const char *old = "", *new = "";
	struct verification v;
	size_t different = 0;

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		for (unsigned int uid = 0; uid < 20; uid++) {
			old = arena_printf(arena,
					   "%sarch=b64 calls=%s uid=%u "
					   "key=a%u" NL,
					   old, calls[i], uid, uid);
			new = arena_printf(arena,
					   "%sarch=b64 calls=%s uid=%u "
					   "key=b%u" NL,
					   new, calls[i], uid, uid);
		}
	v = verify_equivalent(
		arena, mk_ruleset(arena, mk_target("x86_64"), old),
		mk_ruleset(arena, mk_target("x86_64"), new), &options);
	for (size_t i = 0; i < v.count; i++)
		different += v.item[i].proof == PROOF_DIFFERENT;
	ck_assert_uint_eq(different, sizeof(calls) / sizeof(calls[0]));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("faults");
	TCase *tcase = tcase_create("faults");

	tcase_set_timeout(tcase, 120);
	tcase_add_checked_fixture(tcase, begin_arena, end_arena);
	tcase_add_test(tcase, huge_attributes_are_not_on_the_stack);
	tcase_add_test(tcase, witnesses_are_few_and_small);
	tcase_add_test(tcase, every_class_has_its_turn);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
