/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What check finds in a text, for tests. */
#ifndef AUDITOPT_TESTS_FINDINGS_H
#define AUDITOPT_TESTS_FINDINGS_H

#include "check/check.h"

struct found_in {
	struct input input;
	struct loaded loaded;
	struct findings findings; /* suppressed and grouped */
};

/* How a text is read; zeros: x86_64, auditctl 3.0.9, this system's files. */
struct read_as {
	const char *machine;
	unsigned int version;
	const char *root;
	bool native_only;
};

/* The findings of TEXT, lines of a file "test.rules"; lives in ARENA. */
struct found_in find_in(struct arena *arena, const char *text,
			const struct read_as *how);

/* The first finding of ID; NULL: there is none. */
const struct diagnostic *find_id(const struct found_in *found, const char *id);
/* The number of findings with ID, grouped ones as one. */
size_t count_id(const struct found_in *found, const char *id);

#endif
