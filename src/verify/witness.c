/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events of answers. What is made here may miss what was wanted, as answers are
 * taken to be free of each other that are not: it is a witness only if the
 * evaluator says so.
 */
#include "verify/check.h"

#include <libaudit.h>
#include <linux/audit.h>
#include <stdlib.h>
#include <string.h>

#include "model/interval.h"
#include "model/perm.h"
#include "verify/loaded.h"

#define TRIES_A_CANDIDATE 24
#define TRIES_AT_MOST 3000
#define MOST_NAMES 8
#define PLAIN_INODE 1000003
#define PLAIN_ID 77771

enum answer { NO_ANSWER, ANSWER_NO, ANSWER_YES };

/* An event in the making. */
struct making {
	const struct check *check;
	const struct subject *subject;
	struct arena *arena;
	unsigned char *answer; /* enum answer, by level */
	uint64_t random;
	unsigned int attempt;
	struct event *event;
	struct event_name *name;
	const char **exe, **dir, **tree;
	size_t trees;
	struct lsm_truth *label;
	uint32_t *group;
};

static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	return z ^ (z >> 27);
}

/* A way through D to YES: the one with the fewest yes, the one with the most,
 * then any. */
static void answer_path(struct making *m, diagram d)
{
	struct diagrams *all = m->check->diagrams;

	while (!diagram_is_leaf(all, d)) {
		size_t level = diagram_level(all, d);
		diagram yes = diagram_if_yes(all, d);
		diagram no = diagram_if_no(all, d);
		bool take = m->attempt == 1;

		if (m->attempt > 1)
			take = next_random(&m->random) % 3 == 0;
		if (yes == DIAGRAM_NO || no == DIAGRAM_NO)
			take = no == DIAGRAM_NO;
		m->answer[level] = take ? ANSWER_YES : ANSWER_NO;
		d = take ? yes : no;
	}
}

static const struct question *question(const struct making *m, size_t level)
{
	return question_at(m->check->questions, level);
}

static size_t levels(const struct making *m)
{
	return questions_count(m->check->questions);
}

static bool is_bits(enum field_op op)
{
	return op == OP_BIT_MASK || op == OP_BIT_TEST;
}

/* The limits that the answers set to the value of a field. Returns false if
 * nothing was asked. */
static bool limits_of(const struct making *m, uint32_t field, uint32_t *low,
		      uint32_t *high)
{
	bool any = false;

	*low = 0;
	*high = UINT32_MAX;
	for (size_t i = 0; i < levels(m); i++) {
		const struct question *q = question(m, i);

		if (q->kind != ASK_BELOW || q->field->number != field ||
		    !m->answer[i])
			continue;
		any = true;
		if (m->answer[i] == ANSWER_NO && q->value > *low)
			*low = q->value;
		if (m->answer[i] == ANSWER_YES && q->value - 1 < *high)
			*high = q->value - 1;
	}
	return any;
}

static uint32_t with_bits(const struct making *m, uint32_t field,
			  uint32_t value)
{
	for (size_t i = 0; i < levels(m); i++) {
		const struct question *q = question(m, i);

		if (q->kind != ASK_TEST || q->field->number != field ||
		    !is_bits(q->op) || !m->answer[i])
			continue;
		if (m->answer[i] == ANSWER_YES)
			value |= q->op == OP_BIT_TEST ? q->value
						      : q->value & -q->value;
		else
			value &= q->op == OP_BIT_MASK ? ~q->value
						      : ~(q->value & -q->value);
	}
	return value;
}

static uint32_t value_of(struct making *m, uint32_t field, uint32_t otherwise)
{
	uint32_t low, high;

	if (!limits_of(m, field, &low, &high))
		return with_bits(m, field, otherwise);
	if (otherwise >= low && otherwise <= high)
		return with_bits(m, field, otherwise);
	return with_bits(m, field, m->attempt % 2 ? high : low);
}

static void make_ids(struct making *m)
{
	struct event *e = m->event;

	e->auid = value_of(m, AUDIT_LOGINUID, 1000);
	e->uid = value_of(m, AUDIT_UID, 1000);
	e->euid = value_of(m, AUDIT_EUID, 1000);
	e->suid = value_of(m, AUDIT_SUID, 1000);
	e->fsuid = value_of(m, AUDIT_FSUID, 1000);
	e->gid = value_of(m, AUDIT_GID, PLAIN_ID);
	e->egid = value_of(m, AUDIT_EGID, PLAIN_ID);
	e->sgid = value_of(m, AUDIT_SGID, PLAIN_ID);
	e->fsgid = value_of(m, AUDIT_FSGID, PLAIN_ID);
	e->pid = value_of(m, AUDIT_PID, 4242);
	e->ppid = value_of(m, AUDIT_PPID, 4241);
	e->personality = value_of(m, AUDIT_PERS, 0);
	e->session = value_of(m, AUDIT_SESSIONID, 3);
	for (uint32_t i = 0; i < 4; i++)
		e->argv[i] = value_of(m, AUDIT_ARG0 + i, 0);
	e->sockaddr_family = value_of(m, AUDIT_SADDR_FAM, 0);
}

static enum answer answer_to(const struct making *m, enum question_kind kind,
			     uint32_t value)
{
	for (size_t i = 0; i < levels(m); i++)
		if (question(m, i)->kind == kind &&
		    question(m, i)->value == value)
			return m->answer[i];
	return NO_ANSWER;
}

static void make_result(struct making *m)
{
	enum answer none = answer_to(m, ASK_RETURNED, 1);
	enum answer not_failed = answer_to(m, ASK_RETURNED, 2);

	m->event->exit_code = value_of(m, AUDIT_EXIT, 0);
	m->event->result = RESULT_SUCCESS;
	if (none == ANSWER_YES)
		m->event->result = RESULT_NONE;
	else if (not_failed == ANSWER_NO)
		m->event->result = RESULT_FAILURE;
	else if (not_failed == NO_ANSWER &&
		 m->event->exit_code >= (uint32_t)-4095)
		m->event->result = RESULT_FAILURE;
	if (m->event->result == RESULT_FAILURE && m->event->exit_code == 0 &&
	    value_of(m, AUDIT_EXIT, -1u) == -1u)
		m->event->exit_code = (uint32_t)-1;
	m->event->has_sockaddr = answer_to(m, ASK_SOCKADDR, 0) == ANSWER_YES;
}

/* The flags argument, so that the kernel counts the call as the answers say. */
static void make_flags(struct making *m)
{
	bool read = answer_to(m, ASK_PERM, AUDIT_PERM_READ) == ANSWER_YES;
	bool write = answer_to(m, ASK_PERM, AUDIT_PERM_WRITE) == ANSWER_YES;
	uint32_t mode = read ? (write ? 2 : 0) : (write ? 1 : 0);
	int argument = m->subject->facts.flags_in;
	uint64_t *flags;

	if (!read && !write &&
	    answer_to(m, ASK_PERM, AUDIT_PERM_READ) == ANSWER_NO)
		mode = 1;
	if (argument < 0)
		return;
	flags = argument < 4 ? &m->event->argv[argument]
			     : &m->event->open_flags;
	if ((*flags & 3) != mode && !(mode == 2 && (*flags & 3) == 3))
		*flags = (*flags & ~UINT64_C(3)) + mode;
}

static bool perms_right(struct making *m, enum abi abi, int number)
{
	const struct event *e = m->event;

	for (uint32_t bit = 1; bit < 16; bit <<= 1) {
		enum answer answer = answer_to(m, ASK_PERM, bit);

		if (answer && perm_match(m->check->set[BEFORE]->target, abi,
					 number, e->argv, e->open_flags,
					 bit) != (answer == ANSWER_YES))
			return false;
	}
	return true;
}

/* One of the class's calls that the kernel counts as the answers say; those
 * that have a name rather than others. */
static void make_call(struct making *m)
{
	const struct target *target = m->check->set[BEFORE]->target;
	unsigned int skip = m->attempt / 4;
	bool any = false;

	m->event->argv[0] =
		answer_to(m, ASK_PERM, AUDIT_PERM_WRITE) == ANSWER_YES &&
				!m->event->argv[0]
			? 2 /* SYS_BIND, should it be socketcall */
			: m->event->argv[0];
	for (int named = 1; named >= 0; named--) {
		for (int abi = 0; abi < ABI_COUNT; abi++) {
			const struct syscall_mask *mask =
				&m->subject->calls.abi[abi];

			for (int n = syscall_mask_next(mask, 0); n >= 0;
			     n = syscall_mask_next(mask, n + 1)) {
				bool has_name = target_call_name(
					target, (enum abi)abi, n);

				if (has_name != named ||
				    (m->subject->filter == AUDIT_FILTER_EXIT &&
				     !perms_right(m, (enum abi)abi, n)))
					continue;
				m->event->abi = (enum abi)abi;
				m->event->number = n;
				any = true;
				if (skip-- == 0)
					return;
			}
		}
	}
	if (any)
		return;
	for (int abi = ABI_COUNT; abi-- > 0;) {
		int n = syscall_mask_next(&m->subject->calls.abi[abi], 0);

		if (n < 0)
			continue;
		m->event->abi = (enum abi)abi;
		m->event->number = n;
	}
}

/* Does VALUE do what Q asks of a name? */
static bool name_value_does(const struct question *q, uint32_t value)
{
	return field_compare(value, q->op, q->value);
}

/* Does VALUE do nothing that no name may do? */
static bool value_allowed(const struct making *m, uint32_t field,
			  uint32_t value)
{
	for (size_t i = 0; i < levels(m); i++) {
		const struct question *q = question(m, i);

		if (q->kind == ASK_TEST && m->answer[i] == ANSWER_NO &&
		    q->field->number == field && q->field->kind == FIELD_NAME &&
		    name_value_does(q, value))
			return false;
	}
	return true;
}

/* A value that does what WANTED asks (NULL: nothing) and nothing that is
 * answered with no. */
static uint32_t name_value(const struct making *m, uint32_t field,
			   const struct question *wanted, uint32_t otherwise)
{
	uint32_t best = wanted ? wanted->value : otherwise;

	for (size_t i = 0; i < levels(m) + 1; i++) {
		const struct question *q =
			i < levels(m) ? question(m, i) : NULL;

		if (q && (q->kind != ASK_TEST || q->field->number != field))
			continue;
		for (uint32_t step = 0; step < 3; step++) {
			uint32_t value = (q ? q->value : otherwise) + step - 1;

			if (wanted && !name_value_does(wanted, value))
				continue;
			if (value_allowed(m, field, value))
				return value;
			if (wanted)
				best = value;
		}
	}
	return best;
}

static void set_name_field(struct event_name *name, uint32_t field,
			   uint32_t value)
{
	switch (field) {
	case AUDIT_DEVMAJOR:
		name->dev_major = name->rdev_major = value;
		break;
	case AUDIT_DEVMINOR:
		name->dev_minor = name->rdev_minor = value;
		break;
	case AUDIT_INODE:
		name->inode = value;
		break;
	case AUDIT_OBJ_UID:
		name->uid = value;
		break;
	case AUDIT_OBJ_GID:
		name->gid = value;
		break;
	default:
		break;
	}
}

static struct event_name *new_name(struct making *m)
{
	struct event_name *name;

	if (m->event->names == MOST_NAMES)
		return &m->name[MOST_NAMES - 1];
	name = &m->name[m->event->names++];
	name->inode = name_value(m, AUDIT_INODE, NULL, PLAIN_INODE);
	name->dev_major = name->rdev_major =
		name_value(m, AUDIT_DEVMAJOR, NULL, 8);
	name->dev_minor = name->rdev_minor =
		name_value(m, AUDIT_DEVMINOR, NULL, 1);
	name->uid = name_value(m, AUDIT_OBJ_UID, NULL, PLAIN_ID);
	name->gid = name_value(m, AUDIT_OBJ_GID, NULL, PLAIN_ID);
	name->mode = 0100644;
	return name;
}

static void add_path(struct making *m, struct event_name *name,
		     const char *path)
{
	const char **list =
		arena_array(m->arena, name->paths + 1, sizeof(*list));

	for (size_t i = 0; i < name->paths; i++)
		list[i] = name->path[i];
	list[name->paths++] = path;
	name->path = list;
}

static void add_name_label(struct making *m, struct event_name *name,
			   const struct question *q)
{
	struct lsm_truth *list =
		arena_array(m->arena, name->labels + 1, sizeof(*list));

	if (name->labels)
		memcpy(list, name->label, name->labels * sizeof(*list));
	list[name->labels++] =
		(struct lsm_truth){q->field->number, q->op, q->string};
	name->label = list;
}

static uint32_t *id_of(struct event *e, uint32_t code, bool second)
{
	uint32_t *const pair[][2] = {
		[AUDIT_COMPARE_UID_TO_OBJ_UID] = {&e->uid, NULL},
		[AUDIT_COMPARE_GID_TO_OBJ_GID] = {&e->gid, NULL},
		[AUDIT_COMPARE_EUID_TO_OBJ_UID] = {&e->euid, NULL},
		[AUDIT_COMPARE_EGID_TO_OBJ_GID] = {&e->egid, NULL},
		[AUDIT_COMPARE_AUID_TO_OBJ_UID] = {&e->auid, NULL},
		[AUDIT_COMPARE_SUID_TO_OBJ_UID] = {&e->suid, NULL},
		[AUDIT_COMPARE_SGID_TO_OBJ_GID] = {&e->sgid, NULL},
		[AUDIT_COMPARE_FSUID_TO_OBJ_UID] = {&e->fsuid, NULL},
		[AUDIT_COMPARE_FSGID_TO_OBJ_GID] = {&e->fsgid, NULL},
		[AUDIT_COMPARE_UID_TO_AUID] = {&e->uid, &e->auid},
		[AUDIT_COMPARE_UID_TO_EUID] = {&e->uid, &e->euid},
		[AUDIT_COMPARE_UID_TO_FSUID] = {&e->uid, &e->fsuid},
		[AUDIT_COMPARE_UID_TO_SUID] = {&e->uid, &e->suid},
		[AUDIT_COMPARE_AUID_TO_FSUID] = {&e->auid, &e->fsuid},
		[AUDIT_COMPARE_AUID_TO_SUID] = {&e->auid, &e->suid},
		[AUDIT_COMPARE_AUID_TO_EUID] = {&e->auid, &e->euid},
		[AUDIT_COMPARE_EUID_TO_SUID] = {&e->euid, &e->suid},
		[AUDIT_COMPARE_EUID_TO_FSUID] = {&e->euid, &e->fsuid},
		[AUDIT_COMPARE_SUID_TO_FSUID] = {&e->suid, &e->fsuid},
		[AUDIT_COMPARE_GID_TO_EGID] = {&e->gid, &e->egid},
		[AUDIT_COMPARE_GID_TO_FSGID] = {&e->gid, &e->fsgid},
		[AUDIT_COMPARE_GID_TO_SGID] = {&e->gid, &e->sgid},
		[AUDIT_COMPARE_EGID_TO_FSGID] = {&e->egid, &e->fsgid},
		[AUDIT_COMPARE_EGID_TO_SGID] = {&e->egid, &e->sgid},
		[AUDIT_COMPARE_SGID_TO_FSGID] = {&e->sgid, &e->fsgid},
	};

	return code < sizeof(pair) / sizeof(pair[0]) ? pair[code][second]
						     : NULL;
}

/* The field of an id of the event, for its limits. */
static uint32_t field_of_id(const struct event *e, const uint32_t *id)
{
	return id == &e->uid	 ? AUDIT_UID
	       : id == &e->euid	 ? AUDIT_EUID
	       : id == &e->suid	 ? AUDIT_SUID
	       : id == &e->fsuid ? AUDIT_FSUID
	       : id == &e->auid	 ? AUDIT_LOGINUID
	       : id == &e->gid	 ? AUDIT_GID
	       : id == &e->egid	 ? AUDIT_EGID
	       : id == &e->sgid	 ? AUDIT_SGID
				 : AUDIT_FSGID;
}

/* Sets *ID to VALUE if the answers let it. */
static bool set_id(struct making *m, uint32_t *id, uint32_t value)
{
	uint32_t low, high;

	limits_of(m, field_of_id(m->event, id), &low, &high);
	if (value < low || value > high)
		return false;
	*id = value;
	return true;
}

static void make_comparison(struct making *m, const struct question *q,
			    bool yes)
{
	uint32_t *a = id_of(m->event, q->value, false);
	uint32_t *b = id_of(m->event, q->value, true);
	bool equal = (q->op == OP_EQ) == yes;

	if (!a)
		return;
	if (!b) {
		struct event_name *name;

		if (!yes)
			return;
		name = new_name(m);
		if (a == &m->event->gid || a == &m->event->egid ||
		    a == &m->event->sgid || a == &m->event->fsgid)
			name->gid = *a + !equal;
		else
			name->uid = *a + !equal;
		return;
	}
	if ((*a == *b) == equal)
		return;
	if (equal && !set_id(m, b, *a))
		(void)set_id(m, a, *b);
	else if (!equal && !set_id(m, b, *b + 1) && !set_id(m, b, *b - 1) &&
		 !set_id(m, a, *a + 1))
		(void)set_id(m, a, *a - 1);
}

static void add_tree(struct making *m, const char *tree)
{
	m->tree[m->trees++] = tree;
}

/* What Q asks holds, or not, as far as that is not a matter of a name. */
static void make_fact(struct making *m, const struct question *q, bool yes)
{
	struct event *e = m->event;

	switch (q->field->kind) {
	case FIELD_EXE:
		if (yes)
			m->exe[e->exes++] = q->string;
		break;
	case FIELD_DIR:
		if (yes)
			m->dir[e->dirs++] = q->string;
		if (yes && q->unsettled)
			add_tree(m, q->string);
		break;
	case FIELD_LSM_SUBJECT:
		if (yes)
			m->label[e->labels++] = (struct lsm_truth){
				q->field->number, q->op, q->string};
		break;
	case FIELD_GROUP:
		if (yes)
			m->group[e->groups++] = q->value;
		break;
	case FIELD_COMPARE:
		make_comparison(m, q, yes);
		break;
	default:
		break;
	}
}

/* The name that a bucket rule is about comes first. */
static void make_bucket_name(struct making *m)
{
	struct event_name *name = NULL;

	for (size_t i = 0; i < levels(m); i++) {
		const struct question *q = question(m, i);

		if (q->kind != ASK_TEST || !q->of_name ||
		    m->answer[i] != ANSWER_YES)
			continue;
		name = name ? name : new_name(m);
		if (q->field->kind == FIELD_PATH)
			add_path(m, name, q->string);
		else if (q->field->kind == FIELD_LSM_OBJECT)
			add_name_label(m, name, q);
		else
			set_name_field(
				name, q->field->number,
				name_value(m, q->field->number, q, q->value));
	}
}

/* Is there a name that does what Q asks? */
static bool some_name_does(const struct making *m, const struct question *q)
{
	for (size_t i = 0; i < m->event->names; i++) {
		const struct event_name *n = &m->name[i];
		uint32_t value =
			q->field->number == AUDIT_DEVMAJOR   ? n->dev_major
			: q->field->number == AUDIT_DEVMINOR ? n->dev_minor
			: q->field->number == AUDIT_INODE   ? (uint32_t)n->inode
			: q->field->number == AUDIT_OBJ_UID ? n->uid
							    : n->gid;

		if (name_value_does(q, value))
			return true;
	}
	return false;
}

static void make_other_names(struct making *m)
{
	for (size_t i = 0; i < levels(m); i++) {
		const struct question *q = question(m, i);

		if (q->kind != ASK_TEST || q->of_name ||
		    m->answer[i] != ANSWER_YES)
			continue;
		if (q->field->kind == FIELD_NAME && !some_name_does(m, q))
			set_name_field(
				new_name(m), q->field->number,
				name_value(m, q->field->number, q, q->value));
		else if (q->field->kind == FIELD_FILETYPE)
			new_name(m)->mode = q->value;
		else if (q->field->kind == FIELD_LSM_OBJECT)
			add_name_label(m, new_name(m), q);
	}
}

static void make_event(struct making *m)
{
	struct event *e = m->event;
	size_t most = levels(m) + 1;

	*e = (struct event){0};
	m->name = arena_array(m->arena, MOST_NAMES, sizeof(*m->name));
	m->exe = arena_array(m->arena, most, sizeof(*m->exe));
	m->dir = arena_array(m->arena, most, sizeof(*m->dir));
	m->tree = arena_array(m->arena, most, sizeof(*m->tree));
	m->label = arena_array(m->arena, most, sizeof(*m->label));
	m->group = arena_array(m->arena, most, sizeof(*m->group));
	m->trees = 0;
	make_ids(m);
	make_result(m);
	make_flags(m);
	make_call(m);
	make_bucket_name(m);
	for (size_t i = 0; i < levels(m); i++)
		if (question(m, i)->kind == ASK_TEST && m->answer[i])
			make_fact(m, question(m, i),
				  m->answer[i] == ANSWER_YES);
	make_other_names(m);
	e->name = m->name;
	e->exe = m->exe;
	e->dir = m->dir;
	e->label = m->label;
	e->group = m->group;
}

/* Is there one for the same two outcomes? */
static bool is_known(const struct witness_search *search,
		     const struct witness *witness)
{
	for (size_t i = 0; i < search->count; i++) {
		const struct witness *w = &search->found[i];

		if (outcome_same(w->before, witness->before, 0, true) &&
		    outcome_same(w->after, witness->after, 0, true))
			return true;
	}
	return false;
}

static void keep(struct witness_search *search, struct arena *arena,
		 struct witness witness)
{
	if (is_known(search, &witness))
		return;
	if (search->count == search->capacity) {
		struct witness *found;

		search->capacity = 2 * search->capacity + 4;
		found = arena_array(arena, search->capacity, sizeof(*found));
		if (search->count)
			memcpy(found, search->found,
			       search->count * sizeof(*found));
		search->found = found;
	}
	search->found[search->count++] = witness;
}

static bool has_unsettled(const struct ruleset *set)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->rule[i]->unsettled)
			return true;
	return false;
}

/* The outcomes of WITNESS's event under a set. */
static struct outcome outcome_under(const struct making *m, enum side side,
				    const struct witness *witness)
{
	const struct ruleset *set = m->check->set[side];
	struct outcome inner;

	if (has_unsettled(set))
		set = loaded_settled(m->arena, set, witness->trees,
				     witness->tree_count);
	if (witness->uring)
		return kernel_uring_exit(set, witness->event, NULL);
	if (witness->has_inner)
		return kernel_call_with(set, witness->event, &witness->inner, 1,
					&inner);
	return kernel_syscall_exit(set, witness->event, NULL);
}

static bool confirm(struct witness_search *search, const struct making *m,
		    struct witness witness)
{
	int level = search->check->options->level;
	bool self_log = search->subject->self_log || witness.has_inner;

	witness.event = m->event;
	witness.trees = m->tree;
	witness.tree_count = m->trees;
	witness.before = outcome_under(m, BEFORE, &witness);
	witness.after = outcome_under(m, AFTER, &witness);
	if (outcome_same(witness.before, witness.after, level < 1 ? 1 : level,
			 self_log))
		return false;
	keep(search, m->arena, witness);
	return true;
}

static bool is_among(const char *const *list, size_t count, const char *string)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i], string) == 0)
			return true;
	return false;
}

/* The event with a walk of the buckets in the middle, when what INNER says
 * held. What no moment changes is the call's, and trees and names only become
 * more. */
static bool confirm_inner(struct witness_search *search, struct making m,
			  const struct event *inner)
{
	struct event *moment = arena_copy(m.arena, inner, sizeof(*inner));
	struct event *end = arena_copy(m.arena, m.event, sizeof(*end));
	size_t names = inner->names + end->names;
	struct event_name *name = arena_array(m.arena, names, sizeof(*name));
	struct witness witness = {.has_inner = true};

	for (size_t i = 0; i < inner->dirs; i++)
		if (!is_among(end->dir, end->dirs, inner->dir[i]))
			return false;
	for (size_t i = 0; i < names; i++)
		name[i] = i < inner->names ? inner->name[i]
					   : end->name[i - inner->names];
	end->name = name;
	end->names = names;
	moment->result = RESULT_NONE;
	moment->exit_code = 0;
	moment->abi = end->abi;
	moment->number = end->number;
	memcpy(moment->argv, end->argv, sizeof(moment->argv));
	moment->open_flags = end->open_flags;
	moment->auid = end->auid;
	moment->session = end->session;
	moment->pid = end->pid;
	moment->ppid = end->ppid;
	moment->personality = end->personality;
	witness.inner.kind = INNER_WATCH;
	witness.inner.event = moment;
	m.event = end;
	return confirm(search, &m, witness);
}

static struct making new_making(const struct witness_search *search,
				struct arena *arena, unsigned int attempt)
{
	struct making m = {.check = search->check,
			   .subject = search->subject,
			   .arena = arena,
			   .attempt = attempt,
			   .random = attempt + 77};

	m.answer = arena_array(m.arena, levels(&m), 1);
	m.event = arena_alloc(m.arena, sizeof(*m.event));
	return m;
}

/* Everything about the attempt lives in ARENA. */
static bool try_in(struct witness_search *search, struct arena *arena,
		   diagram call, diagram name, unsigned int attempt)
{
	struct diagrams *d = search->check->diagrams;
	struct making m = new_making(search, arena, attempt);
	struct making of_name = new_making(search, arena, attempt);
	diagram both = diagram_and(d, call, name);
	bool uring = search->subject->filter == AUDIT_FILTER_URING_EXIT;

	answer_path(&m, both == DIAGRAM_NO ? call : both);
	make_event(&m);
	if (confirm(search, &m, (struct witness){.uring = uring}))
		return true;
	if (uring || !subject_ends_watches(search->subject) ||
	    name == DIAGRAM_YES)
		return false;
	answer_path(&of_name, name);
	make_event(&of_name);
	return confirm_inner(search, m, of_name.event) ||
	       confirm_inner(search, m, m.event);
}

/* Few attempts lead to anything new: what does is made once more, to stay. */
static bool try_once(struct witness_search *search, diagram call, diagram name,
		     unsigned int attempt)
{
	struct witness_search trial = *search;
	struct arena *arena = arena_new();
	bool good, known;

	trial.found = NULL;
	trial.count = trial.capacity = 0;
	good = try_in(&trial, arena, call, name, attempt);
	known = good && is_known(search, &trial.found[0]);
	arena_free(arena);
	return good &&
	       (known || try_in(search, search->check->arena, call, name,
				attempt));
}

bool witness_try(void *data, diagram call, diagram name)
{
	struct witness_search *search = data;
	bool all = search->check->options->all_witnesses;

	for (unsigned int i = 0; i < TRIES_A_CANDIDATE; i++) {
		if (search->tried++ >= TRIES_AT_MOST || !*search->left)
			return true;
		--*search->left;
		if (try_once(search, call, name, i))
			break;
	}
	return search->count && !all;
}
