/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/random_draft.h"

#include <string.h>
#include <sys/stat.h>

/* The domains. */
static const char *const some_keys[] = {NULL,  "one", "one",
					"two", "two", "one\001two"};
static const char *const some_paths[] = {"/a", "/a", "/b", "/a/c", "/d"};
static const char *const some_exes[] = {"/bin/x", "/bin/x", "/bin/y"};
static const char *const some_labels[] = {"staff", "staff", "s0"};
static const uint32_t some_ids[] = {0, 0, 1, 500, 999, 1000, 1000, 1001};
static const uint32_t some_exits[] = {-1, -1, -13, -13, -2, 0, 5};
static const uint32_t some_args[] = {0, 0, 1, 2, 3, 16, 0x40000, UNSET};
static const uint32_t some_families[] = {1, 2, 2, 10, 16};
static const uint32_t some_types[] = {S_IFREG, S_IFREG, S_IFDIR, S_IFCHR, 0};
static const uint32_t some_inodes[] = {5, 5, 6, 37, 38};
static const uint32_t some_numbers[] = {0, 1, 1, 2, 8, 9, UNSET};
static const uint32_t some_records[] = {1100, 1100, 1112, 1300, 1400};
static const uint32_t some_file_systems[] = {0x9fa0, 0x62656572, 0xef53};
static const char *const some_calls[] = {
	"open",	    "open",   "openat",	    "openat",	    "unlink",
	"rename",   "chmod",  "chmod",	    "fchmod",	    "chown",
	"execve",   "mount",  "read",	    "getpid",	    "connect",
	"bind",	    "clone",  "exit_group", "openat2",	    "kill",
	"execveat", "ptrace", "socketcall", "settimeofday", "io_uring_enter",
};

const uint32_t draft_any_field[DRAFT_ANY_FIELDS] = {
	AUDIT_PID,	 AUDIT_PPID,	      AUDIT_UID,
	AUDIT_EUID,	 AUDIT_SUID,	      AUDIT_FSUID,
	AUDIT_GID,	 AUDIT_EGID,	      AUDIT_SGID,
	AUDIT_FSGID,	 AUDIT_LOGINUID,      AUDIT_LOGINUID_SET,
	AUDIT_SESSIONID, AUDIT_PERS,	      AUDIT_EXIT,
	AUDIT_SUCCESS,	 AUDIT_DEVMAJOR,      AUDIT_DEVMINOR,
	AUDIT_INODE,	 AUDIT_OBJ_UID,	      AUDIT_OBJ_GID,
	AUDIT_DIR,	 AUDIT_PERM,	      AUDIT_FILETYPE,
	AUDIT_SADDR_FAM, AUDIT_FIELD_COMPARE, AUDIT_ARG0,
	AUDIT_ARG1,	 AUDIT_EXE,	      AUDIT_SUBJ_TYPE,
	AUDIT_OBJ_TYPE,	 AUDIT_ARG2,
};

static bool at_odds_with(uint32_t field, uint32_t other)
{
	bool file = field == AUDIT_WATCH || field == AUDIT_DIR ||
		    field == AUDIT_INODE;
	bool other_file = other == AUDIT_WATCH || other == AUDIT_DIR ||
			  other == AUDIT_INODE;

	return (file && other_file) ||
	       (field == AUDIT_EXE && other == AUDIT_EXE);
}

/* audit_to_watch, audit_to_inode, audit_data_to_entry: one of them a rule */
static bool has_room_for(const struct draft *draft, uint32_t field)
{
	if (draft->tests == MOST_TESTS - 1)
		return false;
	for (unsigned int i = 0; i < draft->tests; i++)
		if (at_odds_with(field, draft->test[i].field->number))
			return false;
	return true;
}

const char *draft_key(struct random *random)
{
	return RANDOM_OF(random, some_keys);
}

const char *draft_string(struct random *random, uint32_t field)
{
	switch (field) {
	case AUDIT_WATCH:
	case AUDIT_DIR:
		return RANDOM_OF(random, some_paths);
	case AUDIT_EXE:
		return RANDOM_OF(random, some_exes);
	default:
		return RANDOM_OF(random, some_labels);
	}
}

uint32_t draft_value(struct random *random, uint32_t field)
{
	switch (field) {
	case AUDIT_EXIT:
		return RANDOM_OF(random, some_exits);
	case AUDIT_SUCCESS:
	case AUDIT_LOGINUID_SET:
		return (uint32_t)random_below(random, 2);
	case AUDIT_ARG0:
	case AUDIT_ARG1:
	case AUDIT_ARG2:
	case AUDIT_ARG3:
		return RANDOM_OF(random, some_args);
	case AUDIT_SADDR_FAM:
		return RANDOM_OF(random, some_families);
	case AUDIT_FILETYPE:
		return RANDOM_OF(random, some_types);
	case AUDIT_PERM:
		return 1 + (uint32_t)random_below(random, 15);
	case AUDIT_INODE:
		return RANDOM_OF(random, some_inodes);
	case AUDIT_MSGTYPE:
		return RANDOM_OF(random, some_records);
	case AUDIT_FSTYPE:
		return RANDOM_OF(random, some_file_systems);
	case AUDIT_FIELD_COMPARE:
		/* 0 and the last few are none */
		return (uint32_t)random_below(random,
					      AUDIT_MAX_FIELD_COMPARE + 4);
	case AUDIT_PID:
	case AUDIT_PPID:
	case AUDIT_PERS:
	case AUDIT_SESSIONID:
	case AUDIT_DEVMAJOR:
	case AUDIT_DEVMINOR:
		return RANDOM_OF(random, some_numbers);
	case AUDIT_LOGINUID:
		if (random_chance(random, 30))
			return UNSET;
		return RANDOM_OF(random, some_ids);
	default:
		return RANDOM_OF(random, some_ids);
	}
}

enum field_op draft_op(struct random *random, const struct field_info *field)
{
	static const enum field_op ops[] = {
		OP_EQ, OP_EQ, OP_EQ, OP_EQ, OP_NE,	 OP_NE,	      OP_LT,
		OP_LE, OP_GT, OP_GE, OP_GE, OP_BIT_MASK, OP_BIT_TEST,
	};
	enum field_op op;

	/* audit_to_watch, audit_make_tree */
	if (field->number == AUDIT_WATCH || field->number == AUDIT_DIR)
		return OP_EQ;
	do
		op = RANDOM_OF(random, ops);
	while (!(field->ops & op));
	/* audit_to_inode */
	if (field->number == AUDIT_INODE && op != OP_EQ)
		return OP_NE;
	return op;
}

void draft_add(struct draft *draft, uint32_t number, enum field_op op,
	       uint32_t value)
{
	struct field_test *test = &draft->test[draft->tests];

	if (!has_room_for(draft, number))
		return;
	*test = (struct field_test){
		.field = field_by_number(number),
		.op = op,
		.value = value,
	};
	draft->tests++;
}

void draft_add_string(struct draft *draft, uint32_t number, enum field_op op,
		      const char *string)
{
	unsigned int tests = draft->tests;

	draft_add(draft, number, op, (uint32_t)strlen(string));
	if (draft->tests > tests)
		draft->test[tests].string = string;
}

/* A test of the field with any operator and value that the kernel takes. */
void draft_add_some(struct draft *draft, uint32_t number)
{
	const struct field_info *field = field_by_number(number);
	struct random *random = draft->random;
	enum field_op op = draft_op(random, field);
	uint32_t value;

	if (field->is_string) {
		draft_add_string(draft, number, op,
				 draft_string(random, number));
		return;
	}
	value = draft_value(random, number);
	/* audit_data_to_entry: auid=-1 becomes loginuid_set, with = or != */
	if (number == AUDIT_LOGINUID && value == UNSET && op != OP_EQ)
		op = OP_NE;
	draft_add(draft, number, op, value);
}

void draft_add_some_of(struct draft *draft, const uint32_t *field,
		       size_t fields, size_t least, size_t most)
{
	size_t count = least + random_below(draft->random, most - least + 1);

	while (count--)
		draft_add_some(draft,
			       field[random_below(draft->random, fields)]);
}

static void add_arch(struct draft *draft, enum abi abi, enum field_op op)
{
	draft_add(draft, AUDIT_ARCH, op, draft->target->abi[abi].elf);
	draft->abi = op == OP_EQ ? abi : ABI_NATIVE;
}

/* An arch in most rules, = in most of them. */
void draft_add_some_arch(struct draft *draft)
{
	struct random *random = draft->random;
	enum abi abi = random_chance(random, 60) ? ABI_NATIVE : ABI_COMPAT;

	if (!target_has_abi(draft->target, abi) || random_chance(random, 30))
		return;
	add_arch(draft, abi, random_chance(random, 95) ? OP_EQ : OP_NE);
}

void draft_add_some_call(struct draft *draft)
{
	const char *name = RANDOM_OF(draft->random, some_calls);

	syscall_mask_add(&draft->rule->mask,
			 target_call_number(draft->target, draft->abi, name));
}

void draft_some_mask(struct draft *draft, size_t most)
{
	size_t count = 1 + random_below(draft->random, most);

	while (count--)
		draft_add_some_call(draft);
	if (random_chance(draft->random, 3))
		syscall_mask_add(
			&draft->rule->mask,
			(int)random_below(draft->random, SYSCALL_MASK_CALLS));
	/* no name was known to this ABI */
	if (syscall_mask_empty(&draft->rule->mask))
		syscall_mask_add(&draft->rule->mask, 1);
}

void draft_all_calls(struct draft *draft)
{
	draft->rule->mask = syscall_mask_all();
}

void draft_shuffle(struct draft *d)
{
	for (unsigned int i = d->tests; i > 1; i--) {
		size_t j = random_below(d->random, i);
		struct field_test test = d->test[i - 1];

		d->test[i - 1] = d->test[j];
		d->test[j] = test;
	}
}

struct rule *draft_finish(struct draft *d)
{
	d->rule->test =
		arena_copy(d->arena, d->test, d->tests * sizeof(d->test[0]));
	d->rule->tests = d->tests;
	return d->rule;
}

struct draft draft_new(struct arena *arena, struct random *random,
		       const struct target *target)
{
	struct draft d = {
		.arena = arena,
		.random = random,
		.target = target,
		.rule = arena_alloc(arena, sizeof(struct rule)),
	};

	d.rule->filter = AUDIT_FILTER_EXIT;
	return d;
}
