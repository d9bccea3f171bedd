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
 * devices and pipes (/dev/stdout, /dev/null) are written straight. On failure
 * the old file is untouched, no temporary file is left, and *ERROR (a new string
 * from malloc) says what failed and why; returns false. */
bool atomic_write(const char *path, const void *data, size_t size,
		  char **error);

#endif
