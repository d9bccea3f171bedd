/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "frontend/missing.h"

#include <linux/audit.h>
#include <string.h>

#include "frontend/lookup.h"

#define PATHS_SHOWN 5

struct missing {
	struct arena *arena;
	struct lookup *lookup;
	const char *shown[PATHS_SHOWN];
	unsigned int count; /* of paths, each once as far as they are shown */
	struct position at; /* of the first */
	bool ignoring;	    /* there */
};

struct missing *missing_new(struct arena *arena,
			    const struct compile_options *options)
{
	struct missing *missing = arena_alloc(arena, sizeof(*missing));

	missing->arena = arena;
	missing->lookup = lookup_new(arena, options->root, options->target);
	return missing;
}

/* What must exist when the rule is loaded: the tree of dir=, the directory of
 * path= and exe= (kern_path(), kern_path_parent()). A watch of something that
 * does not exist is loaded as path=. */
static bool is_missing(struct missing *m, const struct rule *rule,
		       const struct field_test *test)
{
	const char *path = test->string, *last;
	enum path_kind kind;

	switch (test->field->kind) {
	case FIELD_DIR:
		if (!rule->unsettled)
			return lookup_path(m->lookup, path) == PATH_MISSING;
		/* fall through */
	case FIELD_PATH:
	case FIELD_EXE:
		last = strrchr(path, '/');
		if (!last || last == path)
			return false;
		path = arena_strndup(m->arena, path, (size_t)(last - path));
		break;
	default:
		return false;
	}
	kind = lookup_path(m->lookup, path);
	return kind == PATH_MISSING || kind == PATH_OTHER;
}

static void note(struct missing *m, const char *path)
{
	for (unsigned int i = 0; i < m->count && i < PATHS_SHOWN; i++)
		if (strcmp(m->shown[i], path) == 0)
			return;
	if (m->count < PATHS_SHOWN)
		m->shown[m->count] = path;
	m->count++;
}

void missing_note(struct missing *m, const struct audit_action *action,
		  const struct rule *rule, bool ignoring)
{
	const struct audit_rule_data *wire = action->wire;
	unsigned int test = 0;

	/* The key is a field of the wire form and no test. */
	for (unsigned int i = 0; i < wire->field_count; i++) {
		if (wire->fields[i] == AUDIT_FILTERKEY)
			continue;
		if (is_missing(m, rule, &rule->test[test])) {
			if (!m->count) {
				m->at = action->field_at[i];
				m->ignoring = ignoring;
			}
			note(m, rule->test[test].string);
		}
		test++;
	}
}

static const char *list_of(const struct missing *m)
{
	const char *list = "";

	for (unsigned int i = 0; i < m->count && i < PATHS_SHOWN; i++)
		list = arena_printf(m->arena, "%s%s%s", list, i ? ", " : "",
				    m->shown[i]);
	if (m->count > PATHS_SHOWN)
		list = arena_printf(m->arena, "%s and %u more", list,
				    m->count - PATHS_SHOWN);
	return list;
}

void missing_tell(struct missing *m, struct diagnostics *diagnostics)
{
	struct diagnostic *d;

	lookup_free(m->lookup);
	if (!m->count)
		return;
	d = diag(
		diagnostics, DIAG_WARNING, "path-missing", m->at,
		"the kernel refuses a rule for a path whose directory does not "
		"exist; missing here: %s",
		list_of(m));
	/* Never .stops: what exists when the rules are loaded counts. */
	if (m->ignoring) {
		d->auditctl = "while it is missing, auditctl tells it, skips "
			      "the line and goes on, because of -i or -c "
			      "before it";
		d->advice = "create what is missing before the rules are "
			    "loaded, or remove the rules";
	} else {
		d->auditctl = "while it is missing, auditctl stops at the rule "
			      "and never loads the lines after it";
		d->advice = "create what is missing before the rules are "
			    "loaded, begin the file with -c, or remove the "
			    "rules";
	}
}
