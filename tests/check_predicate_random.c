/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Predicates against audit_filter_rules as the evaluator has it
 * (model/kernel_match.h): one field exhaustively, whole rules at random.
 */
#include <check.h>
#include <libaudit.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/build.h"
#include "lib/random.h"
#include "lib/suite.h"
#include "model/kernel_match.h"
#include "model/predicate.h"

static struct arena *arena;
static const struct target *x86;

static void setup(void)
{
	arena = arena_new();
	x86 = mk_target("x86_64");
}

static void teardown(void)
{
	arena_free(arena);
}

/* ck_assert() without its writing to a pipe: these are asked millions of times.
 */
#define must(claim)                                 \
	do {                                        \
		if (!(claim))                       \
			ck_abort_msg("%s", #claim); \
	} while (0)

/* One plain field: all tests against all values, exactly. */
static const uint32_t edge[] = {0,
				1,
				2,
				3,
				5,
				0x7fffffff,
				0x80000000,
				UINT32_MAX - 2,
				UINT32_MAX - 1,
				UINT32_MAX};
static const enum field_op all_ops[] = {OP_EQ, OP_NE, OP_LT,	   OP_LE,
					OP_GT, OP_GE, OP_BIT_MASK, OP_BIT_TEST};
#define EDGES (sizeof(edge) / sizeof(*edge))
#define OPS (sizeof(all_ops) / sizeof(*all_ops))

static struct field_test nth_test(uint32_t field, size_t n)
{
	return (struct field_test){.field = field_by_number(field),
				   .op = all_ops[n / EDGES],
				   .value = edge[n % EDGES]};
}

static const struct predicate *of_tests(const struct field_test *test,
					unsigned int tests)
{
	struct rule rule = {
		.filter = AUDIT_FILTER_EXIT, .test = test, .tests = tests};

	return predicate_of(arena, &rule);
}

/* Values near every edge: a counterexample has one among them, bits included.
 */
static void check_exact(const struct field_test *a, const struct field_test *b)
{
	const struct predicate *p = of_tests(a, 1), *q = of_tests(b, 1);
	bool implied = true, apart = true, none = true;

	for (size_t i = 0; i < EDGES; i++)
		for (uint32_t d = 0; d < 9; d++) {
			uint32_t v = edge[i] + d - 4;
			bool x = field_compare(v, a->op, a->value);
			bool y = field_compare(v, b->op, b->value);

			implied = implied && (!x || y);
			apart = apart && !(x && y);
			none = none && !x;
		}
	must(implied || !predicate_implies(p, q));
	must(apart || !predicate_disjoint(p, q));
	must(none == predicate_unsatisfiable(p));
	if ((a->op | b->op) & (OP_BIT_MASK | OP_BIT_TEST))
		return;
	must(implied == predicate_implies(p, q));
	must(apart == predicate_disjoint(p, q));
}

START_TEST(test_exact)
{
	for (size_t i = 0; i < EDGES * OPS; i++)
		for (size_t j = 0; j < EDGES * OPS; j++) {
			struct field_test a = nth_test(AUDIT_ARG0, i);
			struct field_test b = nth_test(AUDIT_ARG0, j);

			check_exact(&a, &b);
		}
}
END_TEST

/*
 * Random rules against random events. All domains are small, so that claims
 * and counterexamples are frequent.
 */
static const char *const fields[] = {
	"pid",	     "ppid",	     "uid",   "euid",	   "suid",
	"fsuid",     "auid",	     "auid",  "gid",	   "gid",
	"egid",	     "egid",	     "sgid",  "fsgid",	   "pers",
	"sessionid", "exit",	     "exit",  "success",   "success",
	"devmajor",  "devminor",     "inode", "obj_uid",   "obj_gid",
	"perm",	     "perm",	     "perm",  "filetype",  "dir",
	"path",	     "exe",	     "exe",   "subj_type", "obj_type",
	"saddr_fam", "a0",	     "a0",    "a1",	   "a2",
	"compare",   "loginuid_set",
};
static const uint32_t small[] = {0, 1, 2, 3, 4, 7, UINT32_MAX};
static const uint32_t types[] = {S_IFREG, S_IFDIR, S_IFLNK};
static const uint32_t codes[] = {
	AUDIT_COMPARE_UID_TO_OBJ_UID, AUDIT_COMPARE_EGID_TO_OBJ_GID,
	AUDIT_COMPARE_UID_TO_EUID, AUDIT_COMPARE_AUID_TO_SUID, 0};
static const char *const strings[] = {"/a", "/a/b", "/c"};

static uint32_t random_value(struct random *random,
			     const struct field_info *field)
{
	switch (field->kind) {
	case FIELD_PERM:
		return (uint32_t)random_below(random, 16);
	case FIELD_FILETYPE:
		return RANDOM_OF(random, types);
	case FIELD_COMPARE:
		return RANDOM_OF(random, codes);
	case FIELD_LOGINUID_SET:
		return (uint32_t)random_below(random, 2);
	default:
		return RANDOM_OF(random, small);
	}
}

static const struct field_info *random_field(struct random *random)
{
	const char *name = RANDOM_OF(random, fields);

	if (strcmp(name, "compare") == 0)
		return field_by_number(AUDIT_FIELD_COMPARE);
	if (strcmp(name, "loginuid_set") == 0)
		return field_by_number(AUDIT_LOGINUID_SET);
	return field_by_number((uint32_t)audit_name_to_field(name));
}

static void random_test(struct random *random, struct field_test *test,
			const struct field_info *field)
{
	unsigned int ops = field->ops;

	if (field->kind == FIELD_PATH || field->kind == FIELD_DIR)
		ops = OP_EQ;
	test->field = field;
	do
		test->op = RANDOM_OF(random, all_ops);
	while (!(test->op & ops));
	test->value = random_value(random, field);
	test->string = field->is_string ? RANDOM_OF(random, strings) : NULL;
	/* The kernel takes an unset auid with = and != only. */
	if (field->number == AUDIT_LOGINUID && test->value == UINT32_MAX)
		test->op = random_chance(random, 50) ? OP_EQ : OP_NE;
}

#define TESTS 5

struct subject {
	struct field_test test[TESTS];
	unsigned int tests;
	const struct predicate *p;
	bool in_bucket;
};

/* Some tests of LIKE, as they are or with another operator or value, and some
 * others. */
static void random_subject(struct random *random, struct subject *s,
			   const struct subject *like)
{
	struct rule rule = {.filter = AUDIT_FILTER_EXIT, .test = s->test};

	s->tests = 0;
	for (unsigned int i = 0; like && i < like->tests; i++) {
		if (random_chance(random, 40))
			continue;
		if (random_chance(random, 60))
			s->test[s->tests++] = like->test[i];
		else
			random_test(random, &s->test[s->tests++],
				    like->test[i].field);
	}
	for (size_t n = random_below(random, like ? 2 : 4);
	     n && s->tests < TESTS; n--) {
		bool again = s->tests && random_chance(random, 40);

		random_test(random, &s->test[s->tests],
			    again ? s->test[0].field : random_field(random));
		s->tests++;
	}
	rule.tests = s->tests;
	s->p = predicate_of(arena, &rule);
	s->in_bucket = rule_place(&rule) == PLACE_INODE;
}

static uint32_t small_id(struct random *random)
{
	return (uint32_t)random_below(random, 5);
}

static size_t some_strings(struct random *random, const char **list)
{
	size_t count = 0;

	for (size_t i = 0; i < 3; i++)
		if (random_chance(random, 50))
			list[count++] = strings[i];
	return count;
}

static size_t some_labels(struct random *random, struct lsm_truth *label,
			  uint32_t field)
{
	size_t count = random_below(random, 4);

	for (size_t i = 0; i < count; i++)
		label[i] = (struct lsm_truth){
			field, random_chance(random, 50) ? OP_EQ : OP_NE,
			RANDOM_OF(random, strings)};
	return count;
}

static void random_name(struct random *random, struct event_name *name,
			struct lsm_truth label[4], const char *path[3])
{
	name->inode = random_chance(random, 10) ? UINT64_MAX : small_id(random);
	name->paths = some_strings(random, path);
	name->path = path;
	name->dev_major = small_id(random);
	name->dev_minor = small_id(random);
	name->rdev_major = small_id(random);
	name->rdev_minor = small_id(random);
	name->uid = small_id(random);
	name->gid = small_id(random);
	name->mode = RANDOM_OF(random, types) | 0644;
	name->labels = some_labels(random, label, AUDIT_OBJ_TYPE);
	name->label = label;
}

static const char *const calls[] = {"open",    "openat", "execve",  "unlink",
				    "chmod",   "bind",	 "getpid",  "exit",
				    "openat2", "read",	 "truncate"};

struct storage {
	struct event_name name[3];
	struct lsm_truth label[5][4];
	const char *string[5][3];
	uint32_t group[2];
};

static void random_ids(struct random *random, struct event *e,
		       struct storage *room)
{
	uint32_t *id[] = {&e->pid, &e->ppid, &e->personality, &e->session,
			  &e->uid, &e->euid, &e->suid,	      &e->fsuid,
			  &e->gid, &e->egid, &e->sgid,	      &e->fsgid};

	for (size_t i = 0; i < sizeof(id) / sizeof(*id); i++)
		*id[i] = small_id(random);
	e->auid = random_chance(random, 30) ? UINT32_MAX : small_id(random);
	e->groups = random_below(random, 3);
	for (size_t i = 0; i < e->groups; i++)
		room->group[i] = small_id(random);
	e->group = room->group;
}

static void random_event(struct random *random, struct event *e,
			 struct storage *room)
{
	memset(e, 0, sizeof(*e));
	e->abi = random_chance(random, 50) ? ABI_NATIVE : ABI_COMPAT;
	e->number = target_call_number(x86, e->abi, RANDOM_OF(random, calls));
	if (e->abi == ABI_COMPAT && random_chance(random, 10))
		e->number = target_call_number(x86, e->abi, "socketcall");
	for (int i = 0; i < 4; i++)
		e->argv[i] = random_chance(random, 80)
				     ? random_below(random, 8)
				     : RANDOM_OF(random, small);
	e->open_flags = random_below(random, 4);
	random_ids(random, e, room);
	e->result = (enum event_result)random_below(random, 3);
	e->exit_code = RANDOM_OF(random, small);
	e->has_sockaddr = random_chance(random, 50);
	e->sockaddr_family = small_id(random);
	e->exe = room->string[3];
	e->exes = some_strings(random, room->string[3]);
	e->dir = room->string[4];
	e->dirs = some_strings(random, room->string[4]);
	e->names = random_below(random, 4);
	e->name = room->name;
	for (size_t i = 0; i < e->names; i++)
		random_name(random, &room->name[i], room->label[i],
			    room->string[i]);
	e->label = room->label[3];
	e->labels = some_labels(random, room->label[3], AUDIT_SUBJ_TYPE);
	e->has_ipc = random_chance(random, 30);
	e->ipc_label = room->label[4];
	e->ipc_labels = some_labels(random, room->label[4], AUDIT_OBJ_TYPE);
}

/* NAME: an index, or -1 in the list. */
static bool holds(const struct subject *s, const struct event *e, int name)
{
	struct view view = {
		.target = x86,
		.event = e,
		.context = true,
		.arch = x86->abi[e->abi].elf,
		.abi = e->abi,
		.number = e->number,
		.name = name < 0 ? NULL : &e->name[name],
	};

	memcpy(view.argv, e->argv, sizeof(view.argv));
	for (unsigned int i = 0; i < s->tests; i++)
		if (!view_test(&view, &s->test[i]))
			return false;
	return true;
}

static bool holds_in_its_place(const struct subject *s, const struct event *e)
{
	if (!s->in_bucket)
		return holds(s, e, -1);
	for (int n = 0; n < (int)e->names; n++)
		if (holds(s, e, n))
			return true;
	return false;
}

struct claims {
	unsigned long implied, disjoint, never, equal, trivial, anchored;
};

static void check_event(const struct subject *a, const struct subject *b,
			const struct event *e)
{
	for (int n = -1; n < (int)e->names; n++) {
		bool x = holds(a, e, n);

		must(!x || !predicate_unsatisfiable(a->p));
		must(x || !predicate_trivial(a->p));
		if (!predicate_implies(a->p, b->p))
			continue;
		/* Both in the same way; A for one name, B for the call. */
		must(!x || holds(b, e, n));
		must(!x || b->in_bucket || holds(b, e, -1));
	}
	must(!predicate_disjoint(a->p, b->p) || !holds_in_its_place(a, e) ||
	     !holds_in_its_place(b, e));
}

struct search {
	uint64_t wanted;
	bool found;
};

static void compare_anchor(uint64_t anchor, void *data)
{
	struct search *search = data;

	search->found |= anchor == search->wanted;
}

static void check_pair(const struct subject *a, const struct subject *b,
		       struct claims *claims)
{
	bool forth = predicate_implies(a->p, b->p);
	bool back = predicate_implies(b->p, a->p);
	struct search search = {predicate_anchor(b->p), false};

	must((forth && back) == predicate_equal(a->p, b->p));
	must(!predicate_equal(a->p, b->p) ||
	     predicate_hash(a->p) == predicate_hash(b->p));
	must(predicate_disjoint(a->p, b->p) == predicate_disjoint(b->p, a->p));
	claims->implied += forth && b->tests;
	claims->equal += forth && back;
	claims->disjoint += predicate_disjoint(a->p, b->p);
	claims->never += predicate_unsatisfiable(a->p);
	claims->trivial += a->tests && predicate_trivial(a->p);
	if (!forth || predicate_unsatisfiable(a->p))
		return;
	predicate_anchors(a->p, compare_anchor, &search);
	must(search.found);
	claims->anchored += search.wanted != 0;
}

#define PAIRS 40000

START_TEST(test_random)
{
	struct random random = {(uint64_t)_i};
	struct claims claims = {0};
	struct storage room;
	struct subject a, b;
	struct event event;

	for (int pair = 0; pair < PAIRS; pair++) {
		if (pair % 1000 == 0) {
			arena_free(arena);
			arena = arena_new();
		}
		random_subject(&random, &a, NULL);
		random_subject(&random, &b, &a);
		check_pair(&a, &b, &claims);
		check_pair(&b, &a, &claims);
		for (int i = 0; i < 12; i++) {
			random_event(&random, &event, &room);
			check_event(&a, &b, &event);
			check_event(&b, &a, &event);
		}
	}
	/* The claims above were not idle. */
	ck_assert_uint_gt(claims.implied, PAIRS / 20);
	ck_assert_uint_gt(claims.equal, PAIRS / 50);
	ck_assert_uint_gt(claims.disjoint, PAIRS / 50);
	ck_assert_uint_gt(claims.never, PAIRS / 100);
	ck_assert_uint_gt(claims.trivial, 10);
	ck_assert_uint_gt(claims.anchored, PAIRS / 50);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("predicate_random");
	TCase *tc = tcase_create("predicate_random");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 300);
	tcase_add_test(tc, test_exact);
	tcase_add_loop_test(tc, test_random, 0, 10);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
