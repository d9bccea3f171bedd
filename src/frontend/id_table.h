/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The users or the groups of this system or of a tree, by name.
 */
#ifndef AUDITOPT_ID_TABLE_H
#define AUDITOPT_ID_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/arena.h"

/* All zero but for the first three: nothing was looked up. Ended with
 * id_table_done(). */
struct id_table {
	struct arena *arena;
	const char *root; /* "": this system */
	bool group;
	struct id_entry *head;
	bool file_read;	    /* all names of the passwd or group file are in */
	const char **names; /* that have an id, for suggestions; NULL at the
			     * end */
	size_t known, room;
};

/* The id of NAME: getpwnam() and getgrnam() for this system, else
 * ROOT/etc/passwd and ROOT/etc/group. False: there is none. */
bool id_table_lookup(struct id_table *table, const char *name, uint32_t *id);

/* The known name that NAME may be meant for, or NULL. */
const char *id_table_nearest(struct id_table *table, const char *name);

/* Frees what is not the arena's. Names that it gave stay valid as long as that. */
void id_table_done(struct id_table *table);

#endif
