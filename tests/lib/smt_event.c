/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From Z3's model to an event. */
#include "lib/smt_parts.h"

static Z3_ast value_of(struct smt *s, Z3_ast variable)
{
	Z3_ast value = NULL;

	/* with completion: what does not matter has a value too */
	Z3_model_eval(s->z3, s->model, variable, true, &value);
	return value;
}

static uint32_t word(struct smt *s, Z3_ast variable)
{
	unsigned int value = 0;

	Z3_get_numeral_uint(s->z3, value_of(s, variable), &value);
	return value;
}

static bool flag(struct smt *s, Z3_ast variable)
{
	return Z3_get_bool_value(s->z3, value_of(s, variable)) == Z3_L_TRUE;
}

static size_t count_tests(const struct smt *s)
{
	size_t count = 0;

	for (int side = 0; side < 2; side++)
		for (size_t i = 0; i < s->set[side]->count; i++)
			count += s->set[side]->rule[i]->tests;
	return count;
}

/* Room for all that the tests of the sets could ask for. */
struct making {
	struct smt *smt;
	struct event *event;
	struct event_name *name;
	uint32_t *group;
	const char **exe, **dir, **path[SMT_NAMES];
	struct lsm_truth *label, *ipc, *of_name[SMT_NAMES];
};

static struct making making_of(struct smt *s)
{
	size_t tests = count_tests(s);
	struct making m = {.smt = s};
	struct arena *arena = s->arena;

	m.event = arena_alloc(arena, sizeof(*m.event));
	m.name = arena_array(arena, SMT_NAMES, sizeof(*m.name));
	m.group = arena_array(arena, tests, sizeof(*m.group));
	m.exe = arena_array(arena, tests, sizeof(*m.exe));
	m.dir = arena_array(arena, tests, sizeof(*m.dir));
	m.label = arena_array(arena, tests, sizeof(*m.label));
	m.ipc = arena_array(arena, tests, sizeof(*m.ipc));
	for (int n = 0; n < SMT_NAMES; n++) {
		m.path[n] = arena_array(arena, tests, sizeof(*m.path[n]));
		m.of_name[n] = arena_array(arena, tests, sizeof(*m.label));
		m.name[n].path = m.path[n];
		m.name[n].label = m.of_name[n];
	}
	m.event->name = m.name;
	m.event->group = m.group;
	m.event->exe = m.exe;
	m.event->dir = m.dir;
	m.event->label = m.label;
	m.event->ipc_label = m.ipc;
	return m;
}

static void add_labels(struct making *m, const struct field_test *test,
		       bool object)
{
	const struct lsm_truth label = {test->field->number, test->op,
					test->string};
	struct smt *s = m->smt;
	struct event *e = m->event;
	uint32_t field = test->field->number;
	int op = (int)test->op;

	if (!object) {
		if (flag(s, smt_flag(s, FLAG_SUBJECT, field, op, test->string)))
			m->label[e->labels++] = label;
		return;
	}
	if (flag(s, smt_flag(s, FLAG_IPC, field, op, test->string)))
		m->ipc[e->ipc_labels++] = label;
	for (int n = 0; n < SMT_NAMES; n++)
		if (flag(s,
			 smt_flag(s, FLAG_OBJECT, n, field, op, test->string)))
			m->of_name[n][m->name[n].labels++] = label;
}

/* What TEST asks for that is no plain value. */
static void add_test(struct making *m, const struct field_test *test)
{
	struct smt *s = m->smt;
	struct event *e = m->event;

	switch (test->field->kind) {
	case FIELD_GROUP:
		if (flag(s, smt_flag(s, FLAG_GROUP, test->value)))
			m->group[e->groups++] = test->value;
		break;
	case FIELD_EXE:
		if (flag(s, smt_flag(s, FLAG_EXE, test->string)))
			m->exe[e->exes++] = test->string;
		break;
	case FIELD_DIR:
		if (smt_may_name(s) &&
		    flag(s, smt_flag(s, FLAG_DIR, test->string)))
			m->dir[e->dirs++] = test->string;
		break;
	case FIELD_PATH:
		for (int n = 0; n < SMT_NAMES; n++)
			if (flag(s, smt_flag(s, FLAG_PATH, n, test->string)))
				m->path[n][m->name[n].paths++] = test->string;
		break;
	case FIELD_LSM_SUBJECT:
	case FIELD_LSM_OBJECT:
		add_labels(m, test, test->field->kind == FIELD_LSM_OBJECT);
		break;
	default:
		break;
	}
}

static void add_tests(struct making *m)
{
	const struct smt *s = m->smt;

	for (int side = 0; side < 2; side++)
		for (size_t i = 0; i < s->set[side]->count; i++)
			for (unsigned int j = 0;
			     j < s->set[side]->rule[i]->tests; j++)
				add_test(m, &s->set[side]->rule[i]->test[j]);
	m->event->has_ipc = m->event->ipc_labels > 0;
}

static void make_ids(struct smt *s, struct event *e)
{
	e->pid = word(s, smt_word(s, "pid"));
	e->ppid = word(s, smt_word(s, "ppid"));
	e->personality = word(s, smt_word(s, "pers"));
	e->session = word(s, smt_word(s, "session"));
	e->auid = word(s, smt_word(s, "auid"));
	e->uid = word(s, smt_word(s, "uid"));
	e->euid = word(s, smt_word(s, "euid"));
	e->suid = word(s, smt_word(s, "suid"));
	e->fsuid = word(s, smt_word(s, "fsuid"));
	e->gid = word(s, smt_word(s, "gid"));
	e->egid = word(s, smt_word(s, "egid"));
	e->sgid = word(s, smt_word(s, "sgid"));
	e->fsgid = word(s, smt_word(s, "fsgid"));
}

static void make_call(struct smt *s, struct event *e)
{
	e->abi = s->call.abi;
	e->number = s->call.number;
	for (unsigned int i = 0; i < 4; i++)
		e->argv[i] = word(s, smt_word(s, WORD_ARG, i));
	if (!flag(s, smt_flag(s, "a0 has 32 bits")))
		e->argv[0] |= UINT64_C(1) << 32;
	e->open_flags = word(s, smt_word(s, "open flags"));
	e->exit_code = word(s, smt_word(s, "exit"));
	if (!flag(s, smt_flag(s, "returned")))
		e->result = RESULT_NONE;
	else
		e->result = flag(s, smt_flag(s, "succeeded")) ? RESULT_SUCCESS
							      : RESULT_FAILURE;
	e->has_sockaddr = flag(s, smt_flag(s, "has address"));
	e->sockaddr_family = word(s, smt_word(s, "family"));
	e->replaced = word(s, smt_word(s, WORD_REPLACED));
	if (e->replaced > 2) /* it does not matter */
		e->replaced = 0;
}

static void make_names(struct smt *s, struct making *m)
{
	struct event *e = m->event;

	for (int n = 0; n < SMT_NAMES; n++) {
		struct event_name *name = &m->name[n];

		if (!flag(s, smt_flag(s, FLAG_NAME, n)))
			break;
		e->names++;
		name->inode = word(s, smt_word(s, WORD_INODE, n));
		if (flag(s, smt_flag(s, FLAG_NO_INODE, n)))
			name->inode = UINT64_MAX;
		name->dev_major = word(s, smt_word(s, WORD_MAJOR, n));
		name->dev_minor = word(s, smt_word(s, WORD_MINOR, n));
		name->rdev_major = word(s, smt_word(s, WORD_RMAJOR, n));
		name->rdev_minor = word(s, smt_word(s, WORD_RMINOR, n));
		name->uid = word(s, smt_word(s, WORD_UID, n));
		name->gid = word(s, smt_word(s, WORD_GID, n));
		name->mode = word(s, smt_word(s, WORD_MODE, n));
	}
}

const struct event *smt_event(struct smt *s)
{
	struct making m;

	if (!s->model)
		return NULL;
	m = making_of(s);
	make_ids(s, m.event);
	make_call(s, m.event);
	make_names(s, &m);
	add_tests(&m);
	return m.event;
}
