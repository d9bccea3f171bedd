/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * audit_receive_msg() of the kernel, as far as it keeps rules: what one action
 * after the other does to its lists.
 */
#include "frontend/load.h"

#include <linux/audit.h>
#include <string.h>

#include "frontend/held.h"
#include "frontend/left_list.h"
#include "frontend/load_whole.h"
#include "frontend/missing.h"
#include "util/progress.h"

struct loader {
	struct arena *arena;
	struct diagnostics *diag;
	struct ruleset *set;
	struct controls *controls;
	size_t moments_room;
	struct held_rules held;
	unsigned int epoch;
	bool ignoring;			 /* -i or -c was met */
	const struct audit_action *lock; /* -e 2 */
	struct diagnostic *after_lock;
	unsigned int refused_by_lock;
	const struct audit_action *prepended; /* the first -A */
	struct missing *missing;
	struct left_list left;
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

static void stop_at(const struct loader *l, struct diagnostic *d)
{
	d->stops = !l->ignoring;
	if (l->ignoring)
		d->auditctl = "auditctl tells it, skips the line and goes on, "
			      "because of -i or -c before it";
}

/* The same for what makes auditctl stop. */
static struct diagnostic *refuse(struct loader *l, enum severity severity,
				 const char *id, struct position at,
				 const char *what)
{
	struct diagnostic *d = tell(l, severity, id, at, what);

	stop_at(l, d);
	return d;
}

static void leave_out(struct loader *l, const struct audit_action *action,
		      const char *why)
{
	left_add(l->arena, &l->left, action->line, NULL, why);
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

/* "exe takes these operators: =, !=" */
static const char *operators_of(struct loader *l, const struct field_info *f)
{
	const char *list = "";

	for (unsigned int op = OP_EQ; op <= OP_BIT_TEST; op <<= 1)
		if (f->ops & op)
			list = arena_printf(l->arena, "%s%s%s", list,
					    *list ? ", " : "",
					    field_op_symbol((enum field_op)op));
	return arena_printf(l->arena, "%s takes these operators: %s", f->name,
			    list);
}

static void tell_refusal(struct loader *l, const struct audit_action *action,
			 const struct refusal *refusal)
{
	bool field = refusal->field != REFUSAL_NO_FIELD;
	const struct field_info *info =
		field ? field_by_number(action->wire->fields[refusal->field])
		      : NULL;
	struct position at =
		field ? action->field_at[refusal->field] : action->at;
	struct diagnostic *d = diagnostics_find(l->diag, "quote", at);

	if (d) {
		/* that is why */
		d->severity = DIAG_ERROR;
		d->what = arena_printf(l->arena,
				       "%s, so the kernel refuses the rule: %s",
				       d->what, refusal->why);
		stop_at(l, d);
		return;
	}
	d = refuse(l, DIAG_ERROR, "refused-by-kernel", at,
		   arena_printf(l->arena, "the kernel refuses the rule: %s",
				refusal->why));
	d->advice = refusal->advice;
	if (refusal->operator_refused && info)
		d->advice = operators_of(l, info);
}

static struct rule *make_rule(struct loader *l,
			      const struct audit_action *action)
{
	uint32_t *line = arena_alloc(l->arena, sizeof(*line));
	struct refusal refusal;
	struct rule *rule = rule_from_wire(l->arena, action->wire,
					   action->wire_size, &refusal);

	if (!rule) {
		tell_refusal(l, action, &refusal);
		leave_out(l, action, "the kernel refuses it");
		return NULL;
	}
	*line = action->line;
	rule->watch_form = action->watch_form;
	rule->by_number = action->by_number;
	rule->unsettled = action->unsettled;
	rule->epoch = l->epoch;
	rule->origin = (struct origin){.line = line, .count = 1};
	rule->line = action->line;
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
	const struct held *twin = is_prepended(action) || action->held
					  ? NULL
					  : held_find(&l->held, rule);
	struct diagnostic *d;

	if (!twin)
		return false;
	twin->rule->origin =
		origin_unite(l->set->arena, twin->rule->origin, rule->origin);
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
	const struct held *held;

	if (!is_prepended(action) || !rule->epoch)
		return false;
	for (held = l->held.first; held; held = held->next)
		if (held->rule->filter == rule->filter &&
		    held->rule->epoch < rule->epoch) {
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
	missing_note(l->missing, action, rule, l->ignoring);
	if (is_prepended(action) && !l->prepended)
		l->prepended = action;
	held_add(&l->held, rule, action->at, is_prepended(action));
}

/* Without -D before it the kernel may hold rules that no line adds. */
static void no_such_rule(struct loader *l, const struct audit_action *action)
{
	bool empty = l->controls->delete_all;
	struct diagnostic *d =
		refuse(l, DIAG_ERROR, "no-such-rule", action->at,
		       empty ? "there is no such rule to delete: no line "
			       "before this one adds it"
			     : "no line before this one adds the rule that it "
			       "deletes");

	leave_out(l, action,
		  empty ? "there is no such rule"
			: "no line before it adds that rule");
	if (empty) {
		d->advice = "to be deleted, a rule must be given with the same "
			    "fields in the same order, and the same key";
		return;
	}
	d->stops = false;
	d->auditctl = l->ignoring
			      ? "auditctl deletes it if the kernel holds it "
				"from before; if not, it tells that and goes "
				"on, because of -i or -c before it"
			      : "auditctl deletes it if the kernel holds it "
				"from before, and stops here if not";
	d->advice = "begin the file with -D, so that it is known what the "
		    "kernel holds, and remove this line";
}

static void delete_rule(struct loader *l, const struct audit_action *action)
{
	struct held *held;
	struct rule *rule;

	if (locked(l, action))
		return;
	rule = make_rule(l, action);
	if (!rule)
		return;
	held = held_find_first(&l->held, rule);
	if (held)
		held_remove(&l->held, held);
	else
		no_such_rule(l, action);
}

/* delete_all_rules() and key_match() in auditctl. */
static void delete_all(struct loader *l, const struct audit_action *action)
{
	struct held *held, *next;

	if (!action->text && !l->lock)
		l->controls->delete_all = action;
	for (held = l->held.first; held; held = next) {
		const char *key = held->rule->key;

		next = held->next;
		if (action->text && (!key || !strstr(key, action->text)))
			continue;
		/* the first one that cannot be deleted ends it */
		if (locked(l, action))
			break;
		held_remove(&l->held, held);
	}
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

static void list_rules(struct loader *l)
{
	const struct held *held;

	for (held = l->held.first; held; held = held->next)
		ruleset_insert(l->set, l->set->count, held->rule);
}

struct loaded load_actions(struct arena *arena, const struct actions *actions,
			   const struct compile_options *options,
			   struct diagnostics *diag)
{
	struct loaded loaded = {.set = ruleset_new(arena, options->target)};
	struct loader l = {.arena = arena,
			   .diag = diag,
			   .set = loaded.set,
			   .controls = &loaded.controls,
			   .held = {.arena = arena}};
	const struct left_list told = {actions->left, actions->lefts,
				       actions->lefts};
	struct left_list left;

	l.missing = missing_new(arena, options);
	for (size_t i = 0; i < actions->count; i++) {
		progress_step(options->progress, "looking up paths, rule",
			      i + 1, actions->count);
		do_action(&l, &actions->item[i]);
	}
	list_rules(&l);
	count_after_lock(&l);
	load_warn_whole(diag, actions, &loaded, l.prepended);
	missing_tell(l.missing, diag);
	left = left_merge(arena, &told, &l.left);
	loaded.left = left.item;
	loaded.lefts = left.count;
	held_done(&l.held);
	return loaded;
}
