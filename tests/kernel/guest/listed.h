/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel holds, as it says over netlink, against what was sent.
 */
#ifndef AUDITOPT_TESTS_KERNEL_LISTED_H
#define AUDITOPT_TESTS_KERNEL_LISTED_H

#include <libaudit.h>
#include <stdbool.h>
#include <stddef.h>

#define LISTED_MOST 4096

/* Rules in the kernel's order: filter by filter, each first to last. */
struct listed {
	size_t count;
	struct {
		struct audit_rule_data *rule; /* malloc() */
		size_t size;
	} item[LISTED_MOST];
};

/* Asks the kernel over FD. False, with a word on standard output, if it does
 * not answer. */
bool listed_get(struct listed *listed, int fd);

/* Takes rule after rule (32 bits of size, then the bytes) from a file that
 * tests/kernel/expect.c wrote, up to COUNT of them (or all: SIZE_MAX); returns
 * how many there were. */
size_t listed_read(struct listed *listed, void *file, size_t count);

void listed_free(struct listed *listed);

/* Prints three of the rules that only one side has or that have another place;
 * how many differ. WANT is brought into the form in which the kernel lists rules:
 * audit_to_entry_common() takes AUDIT_FILTER_PREPEND and the bits of the call
 * classes out. */
size_t listed_compare(const struct listed *want, const struct listed *got);

/* The same, and prints nothing. */
size_t listed_differ(const struct listed *want, const struct listed *got);

/* Deletes what is listed, so that nothing is left. */
bool listed_delete_all(int fd);

#endif
