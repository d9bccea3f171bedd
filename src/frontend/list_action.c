/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "frontend/list_action.h"

#include <libaudit.h>
#include <string.h>

enum setup_result { SETUP_GOOD, SETUP_DEPRECATED, SETUP_BAD };

static bool is_word(const char *text, size_t length, const char *word)
{
	return strlen(word) == length && memcmp(text, word, length) == 0;
}

static enum setup_result find_action(struct builder *b, const char *text,
				     size_t length)
{
	if (is_word(text, length, "always"))
		b->action = AUDIT_ALWAYS;
	else if (is_word(text, length, "never"))
		b->action = AUDIT_NEVER;
	else
		return is_word(text, length, "possible") ? SETUP_DEPRECATED
							 : SETUP_BAD;
	b->action_set = true;
	return SETUP_GOOD;
}

static const uint32_t lists[] = {
	AUDIT_FILTER_EXIT,
	AUDIT_FILTER_TASK,
	AUDIT_FILTER_USER,
	AUDIT_FILTER_EXCLUDE,
	AUDIT_FILTER_FS,
	AUDIT_FILTER_URING_EXIT, /* the last: not before 3.1 */
};

static bool find_list(struct builder *b, const char *text, size_t length,
		      uint32_t *filter)
{
	size_t count = sizeof(lists) / sizeof(lists[0]) -
		       !builder_behaves(b, BEHAVES_URING_LIST);

	for (size_t i = 0; i < count; i++)
		if (is_word(text, length, builder_filter_name(lists[i]))) {
			*filter = lists[i];
			b->exclude |= lists[i] == AUDIT_FILTER_EXCLUDE;
			return true;
		}
	return false;
}

/* audit_rule_setup(): list and action in either order. *BAD becomes the part
 * that is wrong, NULL if that is all of it. */
static enum setup_result setup(struct builder *b, const char *text,
			       uint32_t *filter, const char **bad)
{
	const char *comma = strchr(text, ',');
	enum setup_result result;
	size_t length;

	*bad = NULL;
	if (!comma || strchr(comma + 1, ','))
		return SETUP_BAD;
	*bad = text;
	length = (size_t)(comma - text);
	if (find_action(b, text, length) == SETUP_BAD &&
	    !find_list(b, text, length, filter))
		return SETUP_BAD;
	*bad = comma + 1;
	if (*filter == FILTER_UNSET) {
		if (!find_list(b, *bad, strlen(*bad), filter)) {
			*filter = FILTER_UNKNOWN;
			return SETUP_BAD;
		}
	} else {
		result = find_action(b, *bad, strlen(*bad));
		if (result != SETUP_GOOD)
			return result;
	}
	*bad = NULL;
	return b->action_set ? SETUP_GOOD : SETUP_BAD;
}

static const char *candidate_keyword(size_t i, void *data)
{
	static const char *const words[] = {
		"exit",	      "task",	  "user",   "exclude",
		"filesystem", "io_uring", "always", "never",
	};

	(void)data;
	return i < sizeof(words) / sizeof(words[0]) ? words[i] : NULL;
}

/* A list where an action should be, or the other way round. */
static const char *missing_keyword(const char *part)
{
	static const char *const actions[] = {"always", "never", "possible"};

	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++)
		if (strcmp(part, actions[i]) == 0)
			return "a list is missing: exit, task, user, exclude, "
			       "filesystem or io_uring";
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		if (strcmp(part, builder_filter_name(lists[i])) == 0)
			return "an action is missing: always or never";
	return NULL;
}

/* BAD is the part of the value that is no list or action, NULL for all of it.
 */
static struct diagnostic *tell_bad_keyword(struct builder *b,
					   const struct option_word *word,
					   const char *bad)
{
	const char *part = arena_strndup(b->arena, bad ? bad : word->value,
					 strcspn(bad ? bad : word->value, ","));
	struct position at = word->value_at;
	struct diagnostic *d;

	if (bad && *part)
		at = option_value_part(b->input, word,
				       (size_t)(bad - word->value),
				       strlen(part));
	d = builder_fault_part(b, "bad-list", at,
			       "\"%s\" is no list and action that auditctl "
			       "takes",
			       word->value);
	if (strcmp(part, "entry") == 0)
		d->advice = "the list entry is gone; write exit";
	else if (strcmp(part, "io_uring") == 0 &&
		 !builder_behaves(b, BEHAVES_URING_LIST))
		d->advice = "auditctl knows the list io_uring since 3.1";
	else if (bad || !strchr(word->value, ','))
		d->advice = missing_keyword(part);
	if (!d->advice && bad)
		d->advice = builder_suggest(
			b, nearest_name(part, candidate_keyword, NULL));
	if (!d->advice)
		d->advice = "write a list (exit, task, user, exclude, "
			    "filesystem, io_uring), a comma, and always or "
			    "never";
	return d;
}

/* What follows a deprecated action depends on how the handler returns. */
static void deprecated(struct builder *b, const struct option_word *word,
		       bool goes_on)
{
	builder_warn(b, "deprecated-possible", word->value_at,
		     "the action possible is gone: auditctl skips the line "
		     "without an error")
		->advice = "remove the line, or write always or never";
	b->status = LINE_DEPRECATED;
	b->finished = !goes_on;
}

void list_and_action(struct builder *b, const struct option_word *word,
		     uint32_t *filter, bool goes_on)
{
	struct diagnostic *d;
	const char *bad;

	if (++b->lists_given > 1) {
		d = builder_fault(b, "second-list", word->at,
				  "a line can add or delete one rule only");
		if (b->list_word) {
			d->other = b->list_word->at;
			d->other_what = "the first one";
		}
		return;
	}
	switch (setup(b, word->value, filter, &bad)) {
	case SETUP_BAD:
		d = tell_bad_keyword(b, word, bad);
		if (*filter != FILTER_UNKNOWN ||
		    !builder_behaves(b, BEHAVES_LIST_LATE)) {
			b->failed = true;
			b->status = LINE_ERROR;
			return;
		}
		/* A tab or quote may have been told in its place. */
		b->bad_list = b->remark ? b->remark : d;
		break;
	case SETUP_DEPRECATED:
		deprecated(b, word, goes_on);
		return;
	case SETUP_GOOD:
		break;
	}
	b->list_word = word;
	b->status = LINE_RULE;
}
