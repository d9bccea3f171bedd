/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * audit_receive_msg() of the kernel, as far as it keeps rules: what one action
 * after the other does to its lists.
 */
#include "frontend/load.h"

#include <linux/audit.h>
#include <string.h>
#include <utarray.h>
#include <uthash.h>
#include <utlist.h>

#include "frontend/lookup.h"

/* A rule that is held, found by a hash of what audit_compare_rule compares. */
struct held {
	uint64_t hash;
	struct rule *rule;
	struct position at;
	struct held *next;
};

struct held_bucket {
	uint64_t hash;
	struct held *head;
	UT_hash_handle hh;
};

#define PATHS_SHOWN 5

static const UT_icd left_icd = {sizeof(struct left_out), NULL, NULL, NULL};

struct loader {
	struct arena *arena;
	const struct compile_options *options;
	struct diagnostics *diag;
	struct ruleset *set;
	struct controls *controls;
	size_t moments_room;
	struct held_bucket *held;
	unsigned int epoch;
	bool ignoring; /* -i or -c was met */
	const struct audit_action *lock; /* -e 2 */
	struct diagnostic *after_lock;
	unsigned int refused_by_lock;
	UT_array left; /* of struct left_out */
};

static struct diagnostic *tell(struct loader *l, enum severity severity,
			       const char *id, struct position at,
			       const char *what)
{
	struct diagnostic d = {.severity = severity,
			       .id = id,
			       .at = at,
			       .what = what,
			       .other = {.line = DIAG_NO_LINE}};

	return diagnostics_add(l->diag, &d);
}

/* The same for what makes auditctl stop. */
static struct diagnostic *refuse(struct loader *l, enum severity severity,
				 const char *id, struct position at,
				 const char *what)
{
	struct diagnostic *d = tell(l, severity, id, at, what);

	d->stops = !l->ignoring;
	if (l->ignoring)
		d->auditctl = "auditctl tells it, skips the line and goes on, "
			      "because of -i or -c before it";
	return d;
}

static void leave_out(struct loader *l, const struct audit_action *action,
		      const char *why)
{
	struct left_out left = {action->line, NULL, why};

	utarray_push_back(&l->left, &left);
}

/* The lists */

static uint64_t mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
	return hash ^ hash >> 29;
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
	for (; text && *text; text++)
		hash = mix(hash, (unsigned char)*text);
	return hash;
}

static uint64_t hash_of(const struct rule *rule)
{
	uint64_t hash = mix(mix(rule->filter, rule->action), rule->tests);

	for (unsigned int i = 0; i < rule->tests; i++) {
		const struct field_test *test = &rule->test[i];

		hash = mix(hash, test->field->number);
		hash = mix(hash, (uint64_t)test->op << 32 | test->value);
		hash = mix_text(hash, test->string);
	}
	for (int i = 0; i < SYSCALL_MASK_WORDS; i++)
		hash = mix(hash, rule->mask.word[i]);
	return mix_text(hash, rule->key);
}

static struct held_bucket *bucket_of(struct loader *l, uint64_t hash)
{
	struct held_bucket *bucket;

	HASH_FIND(hh, l->held, &hash, sizeof(hash), bucket);
	return bucket;
}

static struct held *find_held(struct loader *l, const struct rule *rule)
{
	struct held_bucket *bucket = bucket_of(l, hash_of(rule));
	struct held *held;

	for (held = bucket ? bucket->head : NULL; held; held = held->next)
		if (rule_same_to_kernel(held->rule, rule))
			return held;
	return NULL;
}

static void remember(struct loader *l, struct rule *rule, struct position at)
{
	struct held *held = arena_alloc(l->arena, sizeof(*held));
	struct held_bucket *bucket;

	held->hash = hash_of(rule);
	held->rule = rule;
	held->at = at;
	bucket = bucket_of(l, held->hash);
	if (!bucket) {
		bucket = arena_alloc(l->arena, sizeof(*bucket));
		bucket->hash = held->hash;
		HASH_ADD(hh, l->held, hash, sizeof(bucket->hash), bucket);
	}
	LL_APPEND(bucket->head, held);
}

static void forget(struct loader *l, const struct rule *rule)
{
	struct held_bucket *bucket = bucket_of(l, hash_of(rule));
	struct held *held, *next;

	if (!bucket)
		return;
	LL_FOREACH_SAFE(bucket->head, held, next)
	if (held->rule == rule)
		LL_DELETE(bucket->head, held);
}

/* The lock */

static bool locked(struct loader *l, const struct audit_action *action)
{
	struct diagnostic *d;

	if (!l->lock)
		return false;
	leave_out(l, action, "locked by -e 2 before it");
	if (l->refused_by_lock++)
		return true;
	d = refuse(l, DIAG_ERROR, "after-lock", action->at,
		   "the configuration is locked here: the kernel refuses every "
		   "change until the next boot");
	d->advice = "write -e 2 last";
	d->other = l->lock->at;
	d->other_what = "locked here";
	l->after_lock = d;
	return true;
}

static void count_after_lock(struct loader *l)
{
	unsigned int more = l->refused_by_lock - 1;

	if (l->refused_by_lock > 1)
		l->after_lock->what =
			arena_printf(l->arena, "%s (this line and %u more)",
				     l->after_lock->what, more);
}

/* Adding and deleting */

static struct rule *make_rule(struct loader *l,
			      const struct audit_action *action)
{
	uint32_t *line = arena_alloc(l->arena, sizeof(*line));
	const char *error = NULL;
	struct rule *rule = rule_from_wire(l->arena, action->wire,
					   action->wire_size, &error);

	if (!rule) {
		refuse(l, DIAG_ERROR, "refused-by-kernel", action->at,
		       arena_printf(l->arena, "the kernel refuses the rule: %s",
				    error));
		leave_out(l, action, "the kernel refuses it");
		return NULL;
	}
	*line = action->line;
	rule->watch_form = action->watch_form;
	rule->unsettled = action->unsettled;
	rule->epoch = l->epoch;
	rule->origin = (struct origin){line, 1};
	return rule;
}

static bool is_prepended(const struct audit_action *action)
{
	return action->wire->flags & AUDIT_FILTER_PREPEND;
}

/* audit_add_rule() looks a rule up with its PREPEND flag, which no rule that is
 * held has any more: so -A is never told that its rule exists. */
static bool is_duplicate(struct loader *l, const struct audit_action *action,
			 const struct rule *rule)
{
	const struct held *twin =
		is_prepended(action) ? NULL : find_held(l, rule);
	struct diagnostic *d;

	if (!twin)
		return false;
	d = refuse(l, DIAG_WARNING, "duplicate-rule", action->at,
		   "the same rule is there already; the kernel refuses it");
	d->advice = "remove one of the two lines";
	d->other = twin->at;
	d->other_what = "first added here";
	return true;
}

/* A rule of a later epoch in front of those of an earlier one. */
static bool crosses_equivalent(struct loader *l,
			       const struct audit_action *action,
			       const struct rule *rule)
{
	if (!is_prepended(action))
		return false;
	for (size_t i = 0; i < l->set->count; i++)
		if (l->set->rule[i]->filter == rule->filter &&
		    l->set->rule[i]->epoch < rule->epoch) {
			struct diagnostic *d =
				tell(l, DIAG_ERROR, "prepend-after-equivalent",
				     action->at,
				     "-A behind -q puts a rule in front of "
				     "those that -q has changed, and that "
				     "order cannot be written down again");

			d->advice = "write the rule before -q";
			leave_out(l, action, "-A behind -q");
			return true;
		}
	return false;
}

static void add_rule(struct loader *l, const struct audit_action *action)
{
	struct rule *rule;

	if (locked(l, action))
		return;
	rule = make_rule(l, action);
	if (!rule || is_duplicate(l, action, rule) ||
	    crosses_equivalent(l, action, rule))
		return;
	ruleset_insert(l->set, is_prepended(action) ? 0 : l->set->count, rule);
	remember(l, rule, action->at);
}

static void drop_rule(struct loader *l, size_t at)
{
	forget(l, l->set->rule[at]);
	ruleset_remove(l->set, at);
}

static void delete_rule(struct loader *l, const struct audit_action *action)
{
	const struct held *held;
	struct diagnostic *d;
	struct rule *rule;

	if (locked(l, action))
		return;
	rule = make_rule(l, action);
	if (!rule)
		return;
	held = find_held(l, rule);
	if (!held) {
		d = refuse(l, DIAG_ERROR, "no-such-rule", action->at,
			   "there is no such rule to delete");
		d->advice = "to be deleted, a rule must be given with the same "
			    "fields in the same order, and the same key";
		leave_out(l, action, "there is no such rule");
		return;
	}
	for (size_t i = 0; i < l->set->count; i++)
		if (l->set->rule[i] == held->rule) {
			drop_rule(l, i);
			return;
		}
}

/* delete_all_rules() and key_match() in auditctl. */
static void delete_all(struct loader *l, const struct audit_action *action)
{
	struct ruleset *set = l->set;
	size_t kept = 0, before = set->count;

	if (!action->text && !l->lock)
		l->controls->delete_all = action;
	for (size_t i = 0; i < before; i++) {
		struct rule *rule = set->rule[i];

		if (action->text &&
		    (!rule->key || !strstr(rule->key, action->text))) {
			set->rule[kept++] = rule;
		} else if (locked(l, action)) {
			/* the first one that cannot be deleted ends it */
			memmove(set->rule + kept, set->rule + i,
				(before - i) * sizeof(*set->rule));
			kept += before - i;
			break;
		} else {
			forget(l, rule);
		}
	}
	set->count = kept;
}

/* Controls */

static void add_moment(struct loader *l, const struct audit_action *action,
		       unsigned int epoch)
{
	struct controls *c = l->controls;

	if (c->moments == l->moments_room) {
		size_t room = l->moments_room ? 2 * l->moments_room : 8;
		const struct audit_action **moment =
			arena_array(l->arena, room, sizeof(*moment));
		unsigned int *epochs =
			arena_array(l->arena, room, sizeof(*epochs));

		if (c->moments) {
			memcpy(moment, c->moment, c->moments * sizeof(*moment));
			memcpy(epochs, c->moment_epoch,
			       c->moments * sizeof(*epochs));
		}
		c->moment = moment;
		c->moment_epoch = epochs;
		l->moments_room = room;
	}
	c->moment[c->moments] = action;
	c->moment_epoch[c->moments++] = epoch;
}

static void enable(struct loader *l, const struct audit_action *action)
{
	if (locked(l, action))
		return;
	l->controls->enable = action;
	if (action->number == 2)
		l->lock = action;
}

/* Ten times AUDIT_BACKLOG_WAIT_TIME, a minute, at the highest HZ there is. */
#define WAIT_TIME_MAX 600000

static void wait_time(struct loader *l, const struct audit_action *action)
{
	if (action->number > WAIT_TIME_MAX) {
		refuse(l, DIAG_ERROR, "refused-by-kernel", action->at,
		       "the kernel takes no backlog wait time of more than ten "
		       "minutes");
		leave_out(l, action, "the kernel refuses it");
	} else if (!locked(l, action)) {
		l->controls->backlog_wait_time = action;
	}
}

static void set_control(struct loader *l, const struct audit_action *action,
			const struct audit_action **control)
{
	if (!locked(l, action))
		*control = action;
}

static void do_action(struct loader *l, const struct audit_action *action)
{
	struct controls *c = l->controls;

	switch (action->kind) {
	case DO_ADD_RULE:
		add_rule(l, action);
		break;
	case DO_DELETE_RULE:
		delete_rule(l, action);
		break;
	case DO_DELETE_ALL:
		delete_all(l, action);
		break;
	case DO_ENABLE:
		enable(l, action);
		break;
	case DO_FAILURE:
		set_control(l, action, &c->failure);
		break;
	case DO_RATE:
		set_control(l, action, &c->rate);
		break;
	case DO_BACKLOG:
		set_control(l, action, &c->backlog);
		break;
	case DO_BACKLOG_WAIT_TIME:
		wait_time(l, action);
		break;
	case DO_LOGINUID_IMMUTABLE:
		c->loginuid_immutable = action;
		break;
	case DO_IGNORE:
		c->ignore = action;
		l->ignoring = true;
		break;
	case DO_CONTINUE:
		c->keep_going = action;
		l->ignoring = true;
		break;
	case DO_EQUIVALENT:
		if (!locked(l, action))
			add_moment(l, action, ++l->epoch);
		break;
	case DO_TRIM:
		if (!locked(l, action))
			add_moment(l, action, l->epoch + 1);
		break;
	case DO_MESSAGE:
	case DO_SIGNAL:
	case DO_RESET_LOST:
	case DO_RESET_BACKLOG_WAIT_TIME_ACTUAL:
		add_moment(l, action, l->epoch + 1);
		break;
	case DO_SHOW:
		break;
	}
}

/* What is told of the whole */

static struct position first_line_of(const struct actions *actions,
				     const struct rule *rule)
{
	for (size_t i = 0; i < actions->count; i++)
		if (actions->item[i].kind == DO_ADD_RULE &&
		    actions->item[i].line == rule->origin.line[0])
			return actions->item[i].at;
	return (struct position){rule->origin.line[0], 1, 1};
}

/* The first task rule without a test decides for every task. */
static void warn_task_never(struct loader *l, const struct actions *actions)
{
	bool others = false;

	for (size_t i = 0; i < l->set->count; i++) {
		const struct rule *rule = l->set->rule[i];

		if (rule->filter != AUDIT_FILTER_TASK)
			continue;
		others |= rule->action != AUDIT_NEVER;
		if (rule->tests)
			continue;
		if (rule->action == AUDIT_NEVER)
			tell(l, DIAG_WARNING, "task-never",
			     first_line_of(actions, rule),
			     others ? "no new process is audited, unless a "
				      "task rule before this one says so"
				    : "no new process is audited at all: with "
				      "this rule all exit rules are without "
				      "effect")
				->advice = "remove the rule, unless system "
					   "calls are not to be audited";
		return;
	}
}

/* What must exist when the rule is loaded: the tree of dir=, the directory of
 * path= and exe= (kern_path(), kern_path_parent()). A watch of something that
 * does not exist is loaded as path=. */
static const char *missing_path(struct loader *l, struct lookup *lookup,
				const struct rule *rule,
				const struct field_test *test)
{
	const char *path = test->string, *last;

	switch (test->field->kind) {
	case FIELD_DIR:
		if (!rule->unsettled)
			break;
		/* fall through */
	case FIELD_PATH:
	case FIELD_EXE:
		last = strrchr(path, '/');
		if (!last || last == path)
			return NULL;
		path = arena_strndup(l->arena, path, (size_t)(last - path));
		break;
	default:
		return NULL;
	}
	return lookup_path(lookup, path) == PATH_MISSING ? test->string : NULL;
}

struct missing {
	const char *shown[PATHS_SHOWN];
	unsigned int count; /* of paths, each once as far as they are shown */
	const struct rule *first;
};

static void note_missing(struct missing *m, const struct rule *rule,
			 const char *path)
{
	for (unsigned int i = 0; i < m->count && i < PATHS_SHOWN; i++)
		if (strcmp(m->shown[i], path) == 0)
			return;
	if (!m->first)
		m->first = rule;
	if (m->count < PATHS_SHOWN)
		m->shown[m->count] = path;
	m->count++;
}

static void tell_missing(struct loader *l, const struct actions *actions,
			 const struct missing *m)
{
	const char *list = "";

	for (unsigned int i = 0; i < m->count && i < PATHS_SHOWN; i++)
		list = arena_printf(l->arena, "%s%s%s", list, i ? ", " : "",
				    m->shown[i]);
	if (m->count > PATHS_SHOWN)
		list = arena_printf(l->arena, "%s and %u more", list,
				    m->count - PATHS_SHOWN);
	tell(l, DIAG_WARNING, "path-missing", first_line_of(actions, m->first),
	     arena_printf(l->arena,
			  "the kernel refuses rules for what does not exist, "
			  "which here is: %s",
			  list))
		->advice = "where these are missing when the rules are loaded, "
			   "auditctl stops at the rule";
}

static void warn_missing_paths(struct loader *l, const struct actions *actions)
{
	struct lookup *lookup =
		lookup_new(l->arena, l->options->root, l->options->target);
	struct missing m = {0};

	for (size_t i = 0; i < l->set->count; i++) {
		const struct rule *rule = l->set->rule[i];

		for (unsigned int t = 0; t < rule->tests; t++) {
			const char *path =
				missing_path(l, lookup, rule, &rule->test[t]);

			if (path)
				note_missing(&m, rule, path);
		}
	}
	lookup_free(lookup);
	if (m.count)
		tell_missing(l, actions, &m);
}

static int by_line(const void *a, const void *b)
{
	const struct left_out *x = a, *y = b;

	return (x->line > y->line) - (x->line < y->line);
}

/* ACTIONS' own list is in order. */
static void merge_left(struct loader *l, const struct actions *actions,
		       struct loaded *loaded)
{
	size_t mine = utarray_len(&l->left);
	size_t next = 0, theirs = 0;
	struct left_out *left =
		arena_array(l->arena, mine + actions->lefts, sizeof(*left));

	utarray_sort(&l->left, by_line);
	for (size_t i = 0; i < mine + actions->lefts; i++) {
		const struct left_out *own =
			next < mine ? utarray_eltptr(&l->left, next) : NULL;

		if (own && (theirs == actions->lefts ||
			    own->line < actions->left[theirs].line)) {
			left[i] = *own;
			next++;
		} else {
			left[i] = actions->left[theirs++];
		}
	}
	loaded->left = left;
	loaded->lefts = mine + actions->lefts;
}

struct loaded load_actions(struct arena *arena, const struct actions *actions,
			   const struct compile_options *options,
			   struct diagnostics *diag)
{
	struct loaded loaded = {.set = ruleset_new(arena, options->target)};
	struct loader l = {.arena = arena,
			   .options = options,
			   .diag = diag,
			   .set = loaded.set,
			   .controls = &loaded.controls};

	utarray_init(&l.left, &left_icd);
	for (size_t i = 0; i < actions->count; i++)
		do_action(&l, &actions->item[i]);
	count_after_lock(&l);
	warn_task_never(&l, actions);
	warn_missing_paths(&l, actions);
	merge_left(&l, actions, &loaded);
	utarray_done(&l.left);
	HASH_CLEAR(hh, l.held);
	return loaded;
}
