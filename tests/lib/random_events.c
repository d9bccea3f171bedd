/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/random_maker.h"

#include <libaudit.h>
#include <sys/stat.h>

#include "model/audit_names.h"
#include "model/call_names.h"

static enum pool pool_of(uint32_t field)
{
	switch (field) {
	case AUDIT_UID:
	case AUDIT_EUID:
	case AUDIT_SUID:
	case AUDIT_FSUID:
	case AUDIT_LOGINUID:
	case AUDIT_OBJ_UID:
		return POOL_UID;
	case AUDIT_GID:
	case AUDIT_EGID:
	case AUDIT_SGID:
	case AUDIT_FSGID:
	case AUDIT_OBJ_GID:
		return POOL_GID;
	case AUDIT_EXIT:
		return POOL_EXIT;
	case AUDIT_ARG0:
	case AUDIT_ARG1:
	case AUDIT_ARG2:
	case AUDIT_ARG3:
		return POOL_ARG;
	case AUDIT_SADDR_FAM:
		return POOL_FAMILY;
	case AUDIT_FILETYPE:
		return POOL_TYPE;
	case AUDIT_INODE:
		return POOL_INODE;
	case AUDIT_DEVMAJOR:
	case AUDIT_DEVMINOR:
		return POOL_DEVICE;
	case AUDIT_MSGTYPE:
		return POOL_RECORD;
	default:
		return POOL_OTHER;
	}
}

static size_t count_tests(const struct ruleset *set)
{
	size_t count = 0;

	for (size_t i = 0; i < set->count; i++)
		count += set->rule[i]->tests;
	return count;
}

static void gather_string(struct event_maker *maker,
			  const struct field_test *test)
{
	switch (test->field->number) {
	case AUDIT_WATCH:
	case AUDIT_DIR:
		/* an unsettled watch may be either */
		maker->path.item[maker->path.count++] = test->string;
		maker->dir.item[maker->dir.count++] = test->string;
		break;
	case AUDIT_EXE:
		maker->exe.item[maker->exe.count++] = test->string;
		break;
	default:
		maker->label[maker->labels++] = (struct lsm_truth){
			test->field->number, test->op, test->string};
	}
}

static void gather(struct event_maker *maker, const struct field_test *test)
{
	struct values *pool = &maker->pool[pool_of(test->field->number)];

	if (test->string)
		gather_string(maker, test);
	else
		pool->item[pool->count++] = test->value;
}

struct event_maker *event_maker_new(struct arena *arena,
				    const struct ruleset *set)
{
	struct event_maker *maker = arena_alloc(arena, sizeof(*maker));
	size_t tests = count_tests(set);

	maker->set = set;
	for (int i = 0; i < POOLS; i++)
		maker->pool[i].item =
			arena_array(arena, tests, sizeof(uint32_t));
	maker->path.item = arena_array(arena, tests, sizeof(char *));
	maker->dir.item = arena_array(arena, tests, sizeof(char *));
	maker->exe.item = arena_array(arena, tests, sizeof(char *));
	maker->label = arena_array(arena, tests, sizeof(maker->label[0]));
	for (size_t i = 0; i < set->count; i++) {
		if (set->rule[i]->filter == AUDIT_FILTER_TASK)
			maker->has_task_rule = true;
		for (unsigned int j = 0; j < set->rule[i]->tests; j++)
			gather(maker, &set->rule[i]->test[j]);
	}
	return maker;
}

uint32_t maker_value(struct event_maker *maker, struct random *random,
		     enum pool which)
{
	static const uint32_t common[] = {0, 0, 1, UNSET, 1000, 2};
	const struct values *pool = &maker->pool[which];
	uint32_t value;

	if (random_chance(random, 5))
		return (uint32_t)random_next(random);
	if (!pool->count || random_chance(random, 20))
		return RANDOM_OF(random, common);
	value = pool->item[random_below(random, pool->count)];
	if (random_chance(random, 30))
		value += random_chance(random, 50) ? 1 : UNSET;
	return value;
}

/* Up to MOST of the strings, most often none or one. */
static size_t some_strings(struct random *random, const struct strings *from,
			   const char **to, size_t most)
{
	size_t count = 0;

	if (!from->count)
		return 0;
	while (count < most && random_chance(random, 40))
		to[count++] = from->item[random_below(random, from->count)];
	return count;
}

static size_t some_labels(struct event_maker *maker, struct random *random,
			  struct lsm_truth *to)
{
	size_t count = 0;

	if (!maker->labels)
		return 0;
	while (count < MOST_LABELS - 1 && random_chance(random, 40))
		to[count++] = maker->label[random_below(random, maker->labels)];
	return count;
}

static uint32_t some_mode(struct event_maker *maker, struct random *random)
{
	static const uint32_t types[] = {S_IFREG, S_IFREG, S_IFDIR,
					 S_IFCHR, S_IFLNK, 0};
	const struct values *pool = &maker->pool[POOL_TYPE];

	if (pool->count && random_chance(random, 40))
		return pool->item[random_below(random, pool->count)] | 0644;
	return RANDOM_OF(random, types) | 0644;
}

static void make_name(struct event_maker *maker, struct random *random,
		      size_t i)
{
	struct event_name *name = &maker->name[i];

	/* statements: the order of evaluation in a list is the compiler's */
	*name = (struct event_name){
		.path = maker->name_path[i],
		.label = maker->name_label[i],
	};
	name->inode = maker_value(maker, random, POOL_INODE);
	name->dev_major = maker_value(maker, random, POOL_DEVICE);
	name->dev_minor = maker_value(maker, random, POOL_DEVICE);
	name->rdev_major = maker_value(maker, random, POOL_DEVICE);
	name->rdev_minor = maker_value(maker, random, POOL_DEVICE);
	name->uid = maker_value(maker, random, POOL_UID);
	name->gid = maker_value(maker, random, POOL_GID);
	name->mode = some_mode(maker, random);
	if (random_chance(random, 3)) /* an inode past 32 bits */
		name->inode += UINT64_C(1) << 32;
	if (random_chance(random, 5)) {
		name->inode = UINT64_MAX;
	} else {
		name->paths =
			some_strings(random, &maker->path, maker->name_path[i],
				     MOST_STRINGS - 1);
	}
	name->labels = some_labels(maker, random, maker->name_label[i]);
}

static void make_names(struct event_maker *maker, struct random *random)
{
	struct event *event = &maker->event;

	event->names = random_below(random, MOST_NAMES + 1);
	event->name = maker->name;
	for (size_t i = 0; i < MOST_NAMES; i++)
		make_name(maker, random, i);
	event->dir = maker->dirs;
	event->dirs = some_strings(random, &maker->dir, maker->dirs,
				   MOST_STRINGS - 1);
}

static void make_ids(struct event_maker *maker, struct random *random)
{
	struct event *e = &maker->event;

	e->uid = maker_value(maker, random, POOL_UID);
	e->euid = maker_value(maker, random, POOL_UID);
	e->suid = maker_value(maker, random, POOL_UID);
	e->fsuid = maker_value(maker, random, POOL_UID);
	e->auid = maker_value(maker, random, POOL_UID);
	if (random_chance(random, 25))
		e->auid = UNSET;
	if (random_chance(random, 30))
		e->euid = e->suid = e->fsuid = e->uid;
	e->gid = maker_value(maker, random, POOL_GID);
	e->egid = maker_value(maker, random, POOL_GID);
	e->sgid = maker_value(maker, random, POOL_GID);
	e->fsgid = maker_value(maker, random, POOL_GID);
	e->group = maker->group;
	e->groups = random_below(random, MOST_GROUPS);
	for (size_t i = 0; i < e->groups; i++)
		maker->group[i] = maker_value(maker, random, POOL_GID);
}

static void make_result(struct event_maker *maker, struct random *random)
{
	struct event *event = &maker->event;

	event->exit_code = maker_value(maker, random, POOL_EXIT);
	/* mostly as x86 has it, but success with the low 32 bits of an error
	 * is possible */
	event->result = event->exit_code >= (uint32_t)-4095 ? RESULT_FAILURE
							    : RESULT_SUCCESS;
	if (random_chance(random, 10))
		event->result = RESULT_NONE;
	else if (random_chance(random, 5))
		event->result = RESULT_SUCCESS;
}

static int some_call(const struct ruleset *set, struct random *random)
{
	const struct rule *rule;
	int call;

	if (!set->count || random_chance(random, 5))
		return (int)random_below(random, 3000);
	rule = set->rule[random_below(random, set->count)];
	call = syscall_mask_next(&rule->mask, (int)random_below(random, 300));
	if (call < 0)
		call = syscall_mask_next(&rule->mask, 0);
	if (random_chance(random, 10))
		call += random_chance(random, 50) ? 1 : -1;
	return call < 0 ? 0 : call;
}

static void make_rest(struct event_maker *maker, struct random *random)
{
	struct event *e = &maker->event;

	for (int i = 0; i < 4; i++) {
		e->argv[i] = maker_value(maker, random, POOL_ARG);
		if (random_chance(random, 5))
			e->argv[i] |= random_next(random) << 32;
	}
	e->open_flags = random_below(random, 4);
	e->pid = maker_value(maker, random, POOL_OTHER);
	e->ppid = maker_value(maker, random, POOL_OTHER);
	e->personality = maker_value(maker, random, POOL_OTHER);
	e->session = maker_value(maker, random, POOL_OTHER);
	e->has_sockaddr = random_chance(random, 30);
	e->sockaddr_family = maker_value(maker, random, POOL_FAMILY);
	e->exe = maker->exes;
	e->exes = some_strings(random, &maker->exe, maker->exes,
			       MOST_STRINGS - 1);
	e->label = maker->task_label;
	e->labels = some_labels(maker, random, maker->task_label);
	e->has_ipc = random_chance(random, 10);
	e->ipc_label = maker->ipc_label;
	e->ipc_labels = some_labels(maker, random, maker->ipc_label);
	e->msgtype = maker_value(maker, random, POOL_RECORD);
	e->replaced = random_chance(random, 10)
			      ? 1 + (unsigned int)random_below(random, 2)
			      : 0;
	e->task_never = random_chance(random, 1);
	e->task_always = !e->task_never && maker->has_task_rule &&
			 random_chance(random, 5);
}

static void make_any(struct event_maker *maker, struct random *random)
{
	maker->event = (struct event){.abi = ABI_NATIVE};
	if (random_chance(random, 40))
		maker->event.abi = ABI_COMPAT;
	maker->event.number = some_call(maker->set, random);
	if (!target_has_abi(maker->set->target, maker->event.abi))
		maker->event.abi = ABI_NATIVE;
	make_ids(maker, random);
	make_result(maker, random);
	make_names(maker, random);
	make_rest(maker, random);
}

bool event_names_are_real(const struct target *target,
			  const struct event *event)
{
	return (!event->names && !event->dirs) ||
	       call_can_collect_names(target, event->abi, event->number, NULL);
}

void maker_keep_real(struct event_maker *maker, bool uring)
{
	const struct target *target = maker->set->target;
	struct event *event = &maker->event;
	enum abi other = event->abi == ABI_NATIVE ? ABI_COMPAT : ABI_NATIVE;

	if (call_can_collect_names(target, event->abi, event->number, NULL))
		return;
	if (uring && target_has_abi(target, other) &&
	    call_can_collect_names(target, other, event->number, NULL)) {
		event->abi = other;
		return;
	}
	event->names = 0;
	event->dirs = 0;
}

const struct event *event_maker_next(struct event_maker *maker,
				     struct random *random)
{
	make_any(maker, random);
	if (random_chance(random, 30))
		maker_aim(maker, random, 90);
	if (random_chance(random, 85))
		maker_aim(maker, random, 97);
	maker_keep_real(maker, false);
	return &maker->event;
}
