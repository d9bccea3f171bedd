/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "frontend/id_table.h"

#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <uthash.h>

#include "frontend/diagnostic.h"

/* A user or group, or a name that is known not to be one. */
struct id_entry {
	const char *name;
	uint32_t id;
	bool known;
	bool compared; /* NEAREST was looked for */
	const char *nearest;
	UT_hash_handle hh;
};

static struct id_entry *table_find(struct id_table *table, const char *name)
{
	struct id_entry *entry;

	HASH_FIND_STR(table->head, name, entry);
	return entry;
}

/* The list grows with the table: a file may hold thousands of unknown names,
 * and each of them wants it. */
static void list_name(struct id_table *table, const char *name)
{
	table->names = arena_grow(table->arena, table->names, table->known,
				  &table->room, sizeof(const char *));
	table->names[table->known++] = name;
	/* and the NULL behind the last */
	table->names = arena_grow(table->arena, table->names, table->known,
				  &table->room, sizeof(const char *));
}

static struct id_entry *table_add(struct id_table *table, const char *name,
				  bool known, uint32_t id)
{
	struct id_entry *entry = table_find(table, name);

	if (entry)
		return entry; /* the first one in the file counts */
	entry = arena_alloc(table->arena, sizeof(*entry));
	entry->name = arena_strdup(table->arena, name);
	entry->known = known;
	entry->id = id;
	if (known)
		list_name(table, entry->name);
	HASH_ADD_KEYPTR(hh, table->head, entry->name, strlen(entry->name),
			entry);
	return entry;
}

static void table_read_file(struct id_table *table)
{
	const char *path = arena_printf(table->arena, "%s/etc/%s", table->root,
					table->group ? "group" : "passwd");
	struct passwd *user;
	struct group *group;
	FILE *file;

	if (table->file_read)
		return;
	table->file_read = true;
	file = fopen(path, "re");
	if (!file)
		return;
	if (table->group)
		while ((group = fgetgrent(file)))
			table_add(table, group->gr_name, true, group->gr_gid);
	else
		while ((user = fgetpwent(file)))
			table_add(table, user->pw_name, true, user->pw_uid);
	fclose(file);
}

static struct id_entry *table_ask_system(struct id_table *table,
					 const char *name)
{
	if (table->group) {
		struct group *group = getgrnam(name);

		return table_add(table, name, group, group ? group->gr_gid : 0);
	} else {
		struct passwd *user = getpwnam(name);

		return table_add(table, name, user, user ? user->pw_uid : 0);
	}
}

bool id_table_lookup(struct id_table *table, const char *name, uint32_t *id)
{
	struct id_entry *entry;

	if (table->root[0])
		table_read_file(table);
	entry = table_find(table, name);
	if (!entry && !table->root[0])
		entry = table_ask_system(table, name);
	if (!entry || !entry->known)
		return false;
	*id = entry->id;
	return true;
}

/* Looked for once for each name, however often that stands in the rules. */
const char *id_table_nearest(struct id_table *table, const char *name)
{
	struct id_entry *entry;

	table_read_file(table);
	entry = table_add(table, name, false, 0);
	if (!entry->compared && table->known)
		entry->nearest = nearest_in_list(name, table->names);
	entry->compared = true;
	return entry->nearest;
}

void id_table_done(struct id_table *table)
{
	HASH_CLEAR(hh, table->head);
}
