/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the typical call of each number names files: what it looks up and does
 * with it decides how many names the kernel collects (ctx->names_list) and so
 * what the call pays as soon as there is any rule. For prices alone: which
 * calls surely collect none is call_names.h's to say.
 */
#ifndef AUDITOPT_CALL_NAMING_H
#define AUDITOPT_CALL_NAMING_H

#include <stdint.h>

#include "model/abi.h"

enum naming {
	NAMING_NONE,	/* of no file, or none as a rule (connect, ioctl) */
	NAMING_READ,	/* reads a file that is open, at a place: pread64 */
	NAMING_WRITE,	/* writes one: pwrite64 */
	NAMING_FILE,	/* changes a file that is open: audit_file() */
	NAMING_LOOKUP,	/* looks a path up: stat, access, readlink */
	NAMING_CHANGE,	/* ... and changes the file: chmod, truncate */
	NAMING_OPEN,	/* ... and opens it; its later close is meant, too */
	NAMING_CREATE,	/* opens for writing, makes it: creat */
	NAMING_MAKE,	/* a new entry and its directory: mkdir, mknod */
	NAMING_REMOVE,	/* unlink, rmdir */
	NAMING_LINK,	/* the file, the new directory, the new entry */
	NAMING_SYMLINK, /* the text, the directory, the new entry */
	NAMING_RENAME,	/* two directories, two entries */
	NAMING_EXECUTE, /* the program and its interpreter */
	NAMING_TWO,	/* looks two paths up: mount, pivot_root */
	NAMING_COUNT
};

/* Whether the call succeeds or not, on an existing file where there is a
 * choice. NAMING_NONE for numbers that have no name. */
enum naming call_naming(const struct target *target, enum abi abi, int number);

#endif
