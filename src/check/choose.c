/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which findings are wanted, and those of a kind told as one. */
#include <string.h>
#include <uthash.h>

#include "check/checker.h"

static bool is_among(const char *id, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(id, list[i]) == 0)
			return true;
	return false;
}

static bool is_wanted(const struct diagnostic *d,
		      const struct check_choice *choice)
{
	if (d->severity < choice->least ||
	    is_among(d->id, choice->disabled, choice->disables))
		return false;
	return !choice->enables ||
	       is_among(d->id, choice->enabled, choice->enables);
}

/* The findings of one file, id and group. */
struct cluster {
	char *key;
	size_t first; /* among those that are kept */
	size_t members;
	UT_hash_handle hh;
};

static char *key_of(struct arena *arena, const struct finding *f,
		    const struct input *input)
{
	return arena_printf(arena, "%zu\n%d\n%s\n%s",
			    f->d.at.line < input->count
				    ? input->line[f->d.at.line].file_index
				    : SIZE_MAX,
			    (int)f->d.severity, f->d.id, f->group);
}

static struct cluster *cluster_of(struct arena *arena,
				  struct cluster **clusters, char *key,
				  size_t first)
{
	struct cluster *cluster;

	HASH_FIND_STR(*clusters, key, cluster);
	if (!cluster) {
		cluster = arena_alloc(arena, sizeof(*cluster));
		cluster->key = key;
		cluster->first = first;
		HASH_ADD_KEYPTR(hh, *clusters, key, strlen(key), cluster);
	}
	cluster->members++;
	return cluster;
}

/* The places of the others go to the first of a cluster. */
static void append_place(struct arena *arena, struct finding *first,
			 struct position at)
{
	size_t count = first->d.mores;
	struct position *more = (struct position *)first->d.more;

	/* room doubles at each power of two */
	if ((count & (count + 1)) == 0) {
		more = arena_array(arena, 2 * (count + 1), sizeof(*more));
		if (count)
			memcpy(more, first->d.more, count * sizeof(*more));
	}
	more[count] = at;
	first->d.more = more;
	first->d.mores = count + 1;
}

static void name_members(struct arena *arena, struct findings *findings,
			 const struct cluster *clusters)
{
	for (const struct cluster *c = clusters; c; c = c->hh.next) {
		struct diagnostic *d = &findings->item[c->first].d;

		if (c->members > 1)
			d->what = arena_printf(arena,
					       "%s (and the like in %zu more "
					       "line%s)",
					       d->what, c->members - 1,
					       c->members == 2 ? "" : "s");
	}
}

void findings_choose(struct arena *arena, struct findings *findings,
		     const struct input *input,
		     const struct check_choice *choice)
{
	struct cluster *clusters = NULL;
	size_t kept = 0;

	for (size_t i = 0; i < findings->count; i++) {
		const struct finding f = findings->item[i];
		struct cluster *cluster;

		if (!is_wanted(&f.d, choice))
			continue;
		if (f.group) {
			cluster = cluster_of(arena, &clusters,
					     key_of(arena, &f, input), kept);
			if (cluster->members > 1) {
				append_place(arena,
					     &findings->item[cluster->first],
					     f.d.at);
				continue;
			}
		}
		findings->item[kept++] = f;
	}
	findings->count = kept;
	name_members(arena, findings, clusters);
	HASH_CLEAR(hh, clusters);
}
