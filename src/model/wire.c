/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * struct audit_rule_data to a rule and back: what audit_data_to_entry and
 * audit_krule_to_data (kernel/auditfilter.c) do.
 */
#include "model/rule.h"

#include <libaudit.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

/* AUDIT_SYSCALL_CLASSES is in the kernel's header too, but only in new ones. */
#define CLASS_BITS (SYSCALL_MASK_BITS - SYSCALL_MASK_CALLS)
#define PERM_BITS \
	(AUDIT_PERM_EXEC | AUDIT_PERM_WRITE | AUDIT_PERM_READ | AUDIT_PERM_ATTR)
/* AF_MAX of the newest known kernel: this machine's may be older. */
#define FAMILIES 46

/* A rule while it is unpacked. */
struct unpacking {
	struct arena *arena;
	const struct audit_rule_data *wire;
	const char *string; /* what is left of buf ... */
	size_t left;	    /* ... and how much */
	struct rule *rule;
	struct field_test *test;
	bool has_place; /* path, dir or inode seen */
	bool has_exe;
};

static const char *check_header(const struct audit_rule_data *wire)
{
	switch (wire->flags & ~(uint32_t)AUDIT_FILTER_PREPEND) {
	case AUDIT_FILTER_EXIT:
	case AUDIT_FILTER_URING_EXIT:
	case AUDIT_FILTER_TASK:
	case AUDIT_FILTER_USER:
	case AUDIT_FILTER_EXCLUDE:
	case AUDIT_FILTER_FS:
		break;
	case AUDIT_FILTER_ENTRY:
		return "the entry filter is gone";
	default:
		return "no such filter";
	}
	if (wire->action == AUDIT_POSSIBLE)
		return "the action possible is deprecated";
	if (wire->action != AUDIT_NEVER && wire->action != AUDIT_ALWAYS)
		return "no such action";
	if (wire->field_count > AUDIT_MAX_FIELDS)
		return "more than 64 fields";
	return NULL;
}

/* MASK without class bits. */
static bool is_all(const struct syscall_mask *mask)
{
	return syscall_mask_count(mask) == SYSCALL_MASK_CALLS;
}

/* The top bits ask for classes (audit_to_entry_common). All calls have those of
 * any class already. */
static void unpack_mask(const struct audit_rule_data *wire, struct rule *rule)
{
	memcpy(rule->mask.word, wire->mask, sizeof(rule->mask.word));
	for (int i = 0; i < CLASS_BITS; i++) {
		int bit = SYSCALL_MASK_BITS - i - 1;

		if (!syscall_mask_has(&rule->mask, bit))
			continue;
		syscall_mask_remove(&rule->mask, bit);
		rule->mask_classes |= (uint16_t)(1U << i);
	}
	if (is_all(&rule->mask))
		rule->mask_classes = 0;
}

/* The filters that audit_field_valid takes the field in. */
static const char *check_filter(enum field_kind kind, uint32_t filter)
{
	if (kind == FIELD_MSGTYPE && filter != AUDIT_FILTER_EXCLUDE &&
	    filter != AUDIT_FILTER_USER)
		return "msgtype is for the user and exclude filters only";
	if (kind == FIELD_FSTYPE && filter != AUDIT_FILTER_FS)
		return "fstype is for the filesystem filter only";
	if (kind == FIELD_PERM && filter == AUDIT_FILTER_URING_EXIT)
		return "perm does not work in the io_uring filter";
	if (filter == AUDIT_FILTER_FS && kind != FIELD_FSTYPE &&
	    kind != FIELD_KEY)
		return "the filesystem filter takes fstype and a key only";
	return NULL;
}

static bool is_an_id(const struct field_info *field)
{
	switch (field->kind) {
	case FIELD_UID:
	case FIELD_GID:
	case FIELD_GROUP:
		return true;
	default:
		return field->number == AUDIT_OBJ_UID ||
		       field->number == AUDIT_OBJ_GID;
	}
}

static const char *check_value(const struct field_info *field, uint32_t value)
{
	switch (field->kind) {
	case FIELD_LOGINUID_SET:
		return value > 1 ? "loginuid_set is 0 or 1" : NULL;
	case FIELD_PERM:
		return value & ~(uint32_t)PERM_BITS ? "no such perm" : NULL;
	case FIELD_FILETYPE:
		return value & ~(uint32_t)S_IFMT ? "no such file type" : NULL;
	case FIELD_COMPARE:
		return value > AUDIT_MAX_FIELD_COMPARE
			       ? "no such comparison between fields"
			       : NULL;
	default:
		break;
	}
	if (field->number == AUDIT_SADDR_FAM && value >= FAMILIES)
		return "no such address family";
	/* make_kuid() makes INVALID_UID of it. For auid it never comes here. */
	if (is_an_id(field) && value == UINT32_MAX)
		return "4294967295 is no valid user or group";
	return NULL;
}

/* audit_field_valid, and uid_valid in audit_data_to_entry. */
static const char *check_field(uint32_t filter, const struct field_test *test)
{
	const struct field_info *field = test->field;
	const char *error = check_filter(field->kind, filter);

	if (error)
		return error;
	/* The test for a set auid from before there was loginuid_set. */
	if (field->number == AUDIT_LOGINUID && test->value == UINT32_MAX)
		return test->op & (OP_EQ | OP_NE)
			       ? NULL
			       : "an unset auid takes = and != only";
	if (!(test->op & field->ops))
		return "the field does not take that operator";
	return check_value(field, test->value);
}

/* audit_unpack_string. A NUL in it ends the string, as it does in the kernel.
 */
static const char *unpack_string(struct unpacking *u, size_t length,
				 const char **string)
{
	if (length == 0 || length > u->left)
		return "a string is empty or longer than the message";
	if (length > PATH_MAX)
		return "a string is longer than PATH_MAX";
	*string = arena_strndup(u->arena, u->string, length);
	u->string += length;
	u->left -= length;
	return NULL;
}

/* audit_to_watch, audit_make_tree, audit_to_inode. */
static const char *check_place(struct unpacking *u,
			       const struct field_test *test)
{
	uint32_t filter = u->rule->filter;
	size_t length = test->value;

	if (filter != AUDIT_FILTER_EXIT && filter != AUDIT_FILTER_URING_EXIT)
		return "path, dir and inode are for the exit and io_uring "
		       "filters";
	if (u->has_place)
		return "more than one of path, dir and inode";
	u->has_place = true;
	if (test->field->number == AUDIT_INODE)
		return test->op & (OP_EQ | OP_NE) ? NULL
						  : "inode takes = and != only";
	if (test->op != OP_EQ)
		return "path and dir take = only";
	if (test->string[0] != '/')
		return "the path is not absolute";
	if (test->field->kind == FIELD_PATH && test->string[length - 1] == '/')
		return "the path ends in a slash";
	return NULL;
}

/* audit_alloc_mark. */
static const char *check_exe(struct unpacking *u, const struct field_test *test)
{
	if (u->has_exe)
		return "more than one exe";
	u->has_exe = true;
	if (test->string[0] != '/' || test->string[test->value - 1] == '/')
		return "exe is not an absolute path of a file";
	return NULL;
}

static const char *unpack_key(struct unpacking *u, size_t length)
{
	if (u->rule->key)
		return "more than one key";
	if (length > AUDIT_MAX_KEY_LEN)
		return "the key is longer than 256 bytes";
	return unpack_string(u, length, &u->rule->key);
}

/* What the field demands of the rest of the rule. */
static const char *check_test(struct unpacking *u,
			      const struct field_test *test)
{
	switch (test->field->kind) {
	case FIELD_PATH:
	case FIELD_DIR:
		return check_place(u, test);
	case FIELD_EXE:
		return check_exe(u, test);
	default:
		return test->field->number == AUDIT_INODE ? check_place(u, test)
							  : NULL;
	}
}

static const char *unpack_field(struct unpacking *u, unsigned int i)
{
	struct field_test *test = &u->test[u->rule->tests];
	const char *error;

	*test = (struct field_test){
		.field = field_by_number(u->wire->fields[i]),
		.op = field_op_from_audit(u->wire->fieldflags[i]),
		.value = u->wire->values[i],
	};
	if (!test->op)
		return "no such operator";
	if (!test->field)
		return "no such field";
	error = check_field(u->rule->filter, test);
	if (error)
		return error;
	if (test->field->kind == FIELD_KEY)
		return unpack_key(u, test->value);
	if (test->field->is_string) {
		error = unpack_string(u, test->value, &test->string);
		if (error)
			return error;
	}
	error = check_test(u, test);
	if (test->string)
		test->value = (uint32_t)strlen(test->string);
	u->rule->tests++;
	return error;
}

struct rule *rule_from_wire(struct arena *arena,
			    const struct audit_rule_data *wire, size_t size,
			    const char **error)
{
	struct unpacking u = {.arena = arena, .wire = wire};

	/* audit_receive_msg */
	*error = size < sizeof(*wire) ? "the message is too short"
				      : check_header(wire);
	if (*error)
		return NULL;
	u.string = wire->buf;
	u.left = size - sizeof(*wire);
	u.rule = arena_alloc(arena, sizeof(*u.rule));
	u.rule->filter = wire->flags & ~(uint32_t)AUDIT_FILTER_PREPEND;
	u.rule->action = wire->action;
	unpack_mask(wire, u.rule);
	u.test = arena_array(arena, wire->field_count, sizeof(*u.test));
	for (unsigned int i = 0; i < wire->field_count && !*error; i++)
		*error = unpack_field(&u, i);
	u.rule->test = u.test;
	return *error ? NULL : u.rule;
}

static void pack_mask(const struct rule *rule, struct audit_rule_data *wire)
{
	struct syscall_mask mask = rule->mask;

	if (is_all(&mask)) {
		memset(wire->mask, 0xff, sizeof(wire->mask));
		return;
	}
	for (int i = 0; i < CLASS_BITS; i++)
		if (rule->mask_classes >> i & 1)
			syscall_mask_add(&mask, SYSCALL_MASK_BITS - i - 1);
	memcpy(wire->mask, mask.word, sizeof(wire->mask));
}

/* Appends a field with its string, if STRING is not NULL. */
static void pack_field(struct audit_rule_data *wire, uint32_t number,
		       enum field_op op, uint32_t value, const char *string)
{
	uint32_t i = wire->field_count++;

	wire->fields[i] = number;
	wire->fieldflags[i] = field_op_to_audit(op);
	wire->values[i] = value;
	if (!string)
		return;
	wire->values[i] = (uint32_t)strlen(string);
	memcpy(wire->buf + wire->buflen, string, wire->values[i]);
	wire->buflen += wire->values[i];
}

static size_t strings_length(const struct rule *rule)
{
	size_t length = rule->key ? strlen(rule->key) : 0;

	for (unsigned int i = 0; i < rule->tests; i++)
		if (rule->test[i].string)
			length += strlen(rule->test[i].string);
	return length;
}

struct audit_rule_data *rule_to_wire(struct arena *arena,
				     const struct rule *rule, size_t *size)
{
	struct audit_rule_data *wire;

	if (rule->tests + (rule->key != NULL) > AUDIT_MAX_FIELDS)
		return NULL;
	*size = sizeof(*wire) + strings_length(rule);
	wire = arena_alloc(arena, *size);
	wire->flags = rule->filter;
	wire->action = rule->action;
	pack_mask(rule, wire);
	for (unsigned int i = 0; i < rule->tests; i++)
		pack_field(wire, rule->test[i].field->number, rule->test[i].op,
			   rule->test[i].value, rule->test[i].string);
	if (rule->key)
		pack_field(wire, AUDIT_FILTERKEY, OP_EQ, 0, rule->key);
	return wire;
}
