/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The figures by kernel, as bench/calibration measured them: linux-6.1.txt and
 * linux-6.12.txt there have what was measured, and cost/constants.c says of
 * each what it is. Of the namings, measured were: pread64; pwrite64; fchmod; stat, newfstatat,
 * access, statfs, readlink; chmod, chown, utimensat, truncate, setxattr; open,
 * openat; creat; mkdir, mknod; unlink, rmdir; link; symlink; rename. An execution
 * and two paths are taken as two lookups, an execution as two opens.
 */
#include <stdio.h>
#include <string.h>

#include "model/price.h"

static const struct prices kernels[] = {
	{
		.kernel = "6.1",
		.context_in_use = PRICE_CONTEXT_IN_USE,
		.list_ended = 0,
		.rule_passed = PRICE_RULE_PASSED,
		.rule_matched = PRICE_RULE_MATCHED,
		.rule_entered = PRICE_RULE_ENTERED,
		.field_further = PRICE_FIELD_FURTHER,
		.perm_open = PRICE_PERM_OPEN,
		.perm_call = PRICE_PERM_CALL,
		.perm_class = PRICE_PERM_CLASS,
		.name_owner = PRICE_NAME_OWNER,
		.name_type = PRICE_NAME_TYPE,
		.name_alone = PRICE_NAME_ALONE,
		.watched_event = PRICE_WATCHED_EVENT,
		.naming = {[NAMING_READ] = {0, 0, 2},
			   [NAMING_WRITE] = {0, 0, 1},
			   [NAMING_FILE] = {1, PRICE_NAMES_FILE, 1},
			   [NAMING_LOOKUP] = {1, PRICE_NAMES_COLLECTED, 0},
			   [NAMING_CHANGE] = {1, PRICE_NAMES_COLLECTED, 1},
			   [NAMING_OPEN] = {1, PRICE_NAMES_COLLECTED, 3},
			   [NAMING_CREATE] = {2, PRICE_NAMES_CREATE, 4},
			   [NAMING_MAKE] = {2, PRICE_NAMES_MAKE, 1},
			   [NAMING_REMOVE] = {2, PRICE_NAMES_REMOVE, 3},
			   [NAMING_LINK] = {3, PRICE_NAMES_LINK, 2},
			   [NAMING_SYMLINK] = {3, PRICE_NAMES_SYMLINK, 1},
			   [NAMING_RENAME] = {4, PRICE_NAMES_RENAME, 4},
			   [NAMING_EXECUTE] = {2, 2 * PRICE_NAMES_COLLECTED, 6},
			   [NAMING_TWO] = {2, 2 * PRICE_NAMES_COLLECTED, 0}},
	},
	{
		.kernel = "6.12",
		.since = 602, /* "audit: annotate branch direction ..." */
		.context_in_use = 395,
		.list_ended = 18,
		.rule_passed = 8,
		.rule_matched = 85,
		.rule_entered = 52,
		.field_further = 48,
		.perm_open = 49,
		.perm_call = 64,
		.perm_class = 22,
		.exe_more = 19,
		.name_owner = 31,
		.name_type = 10,
		.name_alone = 47,
		.watched_event = 77,
		.naming = {[NAMING_READ] = {0, 0, 1},
			   [NAMING_WRITE] = {0, 0, 1},
			   [NAMING_FILE] = {1, 874, 1},
			   [NAMING_LOOKUP] = {1, 917, 0},
			   [NAMING_CHANGE] = {1, 920, 1},
			   [NAMING_OPEN] = {1, 923, 2},
			   [NAMING_CREATE] = {1, 926, 3},
			   [NAMING_MAKE] = {2, 1988, 1},
			   [NAMING_REMOVE] = {2, 1855, 3},
			   [NAMING_LINK] = {3, 3003, 2},
			   [NAMING_SYMLINK] = {3, 2648, 1},
			   [NAMING_RENAME] = {4, 4023, 4},
			   [NAMING_EXECUTE] = {2, 1846, 4},
			   [NAMING_TWO] = {2, 1834, 0}},
	},
};

#define KERNELS (sizeof(kernels) / sizeof(kernels[0]))

const struct prices *prices_row(unsigned int i)
{
	return i < KERNELS ? &kernels[i] : NULL;
}

const struct prices *prices_of(const char *kernel)
{
	if (!kernel)
		return &kernels[0];
	for (size_t i = 0; i < KERNELS; i++)
		if (strcmp(kernels[i].kernel, kernel) == 0)
			return &kernels[i];
	return NULL;
}

const struct prices *prices_for(const char *release)
{
	const struct prices *like = &kernels[0];
	unsigned int major, minor;

	if (!release || sscanf(release, "%3u.%2u", &major, &minor) != 2)
		return like;
	for (size_t i = 0; i < KERNELS; i++)
		if (major * 100 + minor >= kernels[i].since)
			like = &kernels[i];
	return like;
}
