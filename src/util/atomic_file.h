/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that are written whole or not at all.
 */
#ifndef AUDITOPT_ATOMIC_FILE_H
#define AUDITOPT_ATOMIC_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Replaces PATH (or what it links to) by SIZE bytes at DATA: a temporary file in
 * the same directory, fsync, rename, fsync of the directory. An existing file's
 * owner, mode and security label (security.* attributes, ACL) are kept; a new
 * one gets mode 0640. Refuses what is not a regular file, except that character
 * devices, pipes and what standard output or error is open on (/dev/null,
 * /dev/stdout) are written straight. Refuses a file with other hard links, which
 * would keep the old content. On failure
 * the old file is untouched, no temporary file is left, and *ERROR (a new string
 * from malloc) says what failed and why; returns false. */
bool atomic_write(const char *path, const void *data, size_t size,
		  char **error);

/* The same, and an existing file stays under its name, or that which it is a link
 * to, with SUFFIX behind it ("~"), in place of what had that name: a second link
 * to it, made before the new content takes its place. What is not replaced (a
 * new file, a stream) has no backup. */
bool atomic_write_backup(const char *path, const char *suffix, const void *data,
			 size_t size, char **error);

/* What atomic_write_backup() would keep the file at PATH as; a new string, NULL
 * without memory or if the links of PATH lead nowhere. */
char *backup_name(const char *path, const char *suffix);

/* Would writing to A and to B write one and the same regular file, which need
 * not exist yet? Links are followed as atomic_write() follows them. */
bool same_target(const char *a, const char *b);

#endif
