/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * struct audit_rule_data to a rule and back: what audit_data_to_entry and
 * audit_krule_to_data (kernel/auditfilter.c) do.
 */
#include "model/rule.h"

#include <libaudit.h>
#include <limits.h>
#include <string.h>

/* AUDIT_SYSCALL_CLASSES is in the kernel's header too, but only in new ones. */
#define CLASS_BITS (SYSCALL_MASK_BITS - SYSCALL_MASK_CALLS)
#define PERM_BITS \
	(AUDIT_PERM_EXEC | AUDIT_PERM_WRITE | AUDIT_PERM_READ | AUDIT_PERM_ATTR)

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

enum fault {
	FAULT_NONE,
	FAULT_TOO_SHORT,
	FAULT_NO_ENTRY,
	FAULT_NO_FILTER,
	FAULT_NO_POSSIBLE,
	FAULT_NO_ACTION,
	FAULT_TOO_MANY,
	FAULT_MSGTYPE_FILTER,
	FAULT_FSTYPE_FILTER,
	FAULT_PERM_FILTER,
	FAULT_FS_FIELDS,
	FAULT_NO_ID,
	FAULT_UNSET_AUID,
	FAULT_OPERATOR,
	FAULT_STRING_LENGTH,
	FAULT_STRING_LONG,
	FAULT_PLACE_FILTER,
	FAULT_TWO_PLACES,
	FAULT_INODE_OPERATOR,
	FAULT_PLACE_OPERATOR,
	FAULT_PATH_RELATIVE,
	FAULT_PATH_SLASH,
	FAULT_PATH_DOTS,
	FAULT_TWO_EXES,
	FAULT_EXE_PATH,
	FAULT_TWO_KEYS,
	FAULT_KEY_LONG,
	FAULT_NO_OPERATOR,
	FAULT_NO_FIELD,
};

/* Why, and what to do where that can be said. */
static const struct {
	const char *why, *advice;
} faults[] = {
	[FAULT_TOO_SHORT] = {"the message is too short", NULL},
	[FAULT_NO_ENTRY] = {"the entry filter is gone", "write the list exit"},
	[FAULT_NO_FILTER] = {"no such filter", NULL},
	[FAULT_NO_POSSIBLE] = {"the action possible is deprecated",
			       "write always or never"},
	[FAULT_NO_ACTION] = {"no such action", NULL},
	[FAULT_TOO_MANY] = {"more than 64 fields", "make two rules of it"},
	[FAULT_MSGTYPE_FILTER] =
		{"msgtype is for the user and exclude filters only",
		 "write the rule for the list exclude or user, or leave "
		 "msgtype out"},
	[FAULT_FSTYPE_FILTER] =
		{"fstype is for the filesystem filter only",
		 "write the rule for the list filesystem, or leave fstype out"},
	[FAULT_PERM_FILTER] = {"perm does not work in the io_uring filter",
			       "leave perm out"},
	[FAULT_FS_FIELDS] =
		{"the filesystem filter takes fstype and a key only",
		 "leave the field out, or write the rule for the list exit"},
	[FAULT_NO_ID] = {"4294967295 is no valid user or group",
			 "only auid can be unset (auid=unset): write the "
			 "number of a user or group"},
	[FAULT_UNSET_AUID] = {"an unset auid takes = and != only",
			      "write auid=unset or auid!=unset"},
	[FAULT_OPERATOR] = {"the field does not take that operator", NULL},
	[FAULT_STRING_LENGTH] = {"a string is empty or longer than the message",
				 NULL},
	[FAULT_STRING_LONG] = {"a string is longer than PATH_MAX",
			       "write a path of at most 4096 bytes"},
	[FAULT_PLACE_FILTER] =
		{"path, dir and inode are for the exit and io_uring filters",
		 "write the rule for the list exit"},
	[FAULT_TWO_PLACES] = {"more than one of path, dir and inode",
			      "make a rule for each of them"},
	[FAULT_INODE_OPERATOR] = {"inode takes = and != only",
				  "write inode= or inode!="},
	[FAULT_PLACE_OPERATOR] = {"path and dir take = only",
				  "write = here; to leave a place out, put a "
				  "rule with never and = before this one"},
	[FAULT_PATH_RELATIVE] = {"the path is not absolute",
				 "write the whole path, from / on"},
	[FAULT_PATH_SLASH] = {"the path ends in a slash",
			      "use dir= for a directory and all below it, or "
			      "drop the slash"},
	[FAULT_PATH_DOTS] = {"the last part of the path is . or ..",
			     "write the path that is meant"},
	[FAULT_TWO_EXES] = {"more than one exe",
			    "make a rule for each of them"},
	[FAULT_EXE_PATH] = {"exe is not an absolute path of a file",
			    "write the whole path of the program, from / on, "
			    "without a slash at its end"},
	[FAULT_TWO_KEYS] = {"more than one key",
			    "give all keys with -k: auditctl joins them"},
	[FAULT_KEY_LONG] = {"the key is longer than 256 bytes",
			    "write a shorter key"},
	[FAULT_NO_OPERATOR] = {"no such operator", NULL},
	[FAULT_NO_FIELD] = {"no such field", NULL},
};

static enum fault check_header(const struct audit_rule_data *wire)
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
		return FAULT_NO_ENTRY;
	default:
		return FAULT_NO_FILTER;
	}
	if (wire->action == AUDIT_POSSIBLE)
		return FAULT_NO_POSSIBLE;
	if (wire->action != AUDIT_NEVER && wire->action != AUDIT_ALWAYS)
		return FAULT_NO_ACTION;
	if (wire->field_count > AUDIT_MAX_FIELDS)
		return FAULT_TOO_MANY;
	return FAULT_NONE;
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
static enum fault check_filter(enum field_kind kind, uint32_t filter)
{
	if (kind == FIELD_MSGTYPE && filter != AUDIT_FILTER_EXCLUDE &&
	    filter != AUDIT_FILTER_USER)
		return FAULT_MSGTYPE_FILTER;
	if (kind == FIELD_FSTYPE && filter != AUDIT_FILTER_FS)
		return FAULT_FSTYPE_FILTER;
	if (kind == FIELD_PERM && filter == AUDIT_FILTER_URING_EXIT)
		return FAULT_PERM_FILTER;
	if (filter == AUDIT_FILTER_FS && kind != FIELD_FSTYPE &&
	    kind != FIELD_KEY)
		return FAULT_FS_FIELDS;
	return FAULT_NONE;
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

/*
 * What audit_field_valid says of values is not asked here: in Linux 6.1 and 6.12
 * audit_data_to_entry calls it before it has put the value where that looks, so
 * that every value of loginuid_set, perm, filetype, field_compare and saddr_fam is
 * taken, also one that means nothing (the kernel test's language part).
 */
static enum fault check_value(const struct field_info *field, uint32_t value)
{
	/* make_kuid() makes INVALID_UID of it. For auid it never comes here. */
	return is_an_id(field) && value == UINT32_MAX ? FAULT_NO_ID
						      : FAULT_NONE;
}

/* audit_field_valid, and uid_valid in audit_data_to_entry. */
static enum fault check_field(uint32_t filter, const struct field_test *test)
{
	const struct field_info *field = test->field;
	enum fault error = check_filter(field->kind, filter);

	if (error)
		return error;
	/* The test for a set auid from before there was loginuid_set. */
	if (field->number == AUDIT_LOGINUID && test->value == UINT32_MAX)
		return test->op & (OP_EQ | OP_NE) ? FAULT_NONE
						  : FAULT_UNSET_AUID;
	if (!(test->op & field->ops))
		return FAULT_OPERATOR;
	return check_value(field, test->value);
}

/* audit_unpack_string. A NUL in it ends the string, as it does in the kernel.
 */
static enum fault unpack_string(struct unpacking *u, size_t length,
				const char **string)
{
	if (length == 0 || length > u->left)
		return FAULT_STRING_LENGTH;
	if (length > PATH_MAX)
		return FAULT_STRING_LONG;
	*string = arena_strndup(u->arena, u->string, length);
	u->string += length;
	u->left -= length;
	return FAULT_NONE;
}

/* kern_path_locked() wants a name as the last part. */
static bool ends_in_dots(const char *path)
{
	const char *last = strrchr(path, '/');

	return last && (!strcmp(last, "/.") || !strcmp(last, "/.."));
}

/* audit_to_watch, audit_make_tree, audit_to_inode. */
static enum fault check_place(struct unpacking *u,
			      const struct field_test *test)
{
	uint32_t filter = u->rule->filter;
	size_t length = test->value;

	if (filter != AUDIT_FILTER_EXIT && filter != AUDIT_FILTER_URING_EXIT)
		return FAULT_PLACE_FILTER;
	if (u->has_place)
		return FAULT_TWO_PLACES;
	u->has_place = true;
	if (test->field->number == AUDIT_INODE)
		return test->op & (OP_EQ | OP_NE) ? FAULT_NONE
						  : FAULT_INODE_OPERATOR;
	if (test->op != OP_EQ)
		return FAULT_PLACE_OPERATOR;
	if (test->string[0] != '/')
		return FAULT_PATH_RELATIVE;
	if (test->field->kind == FIELD_PATH && test->string[length - 1] == '/')
		return FAULT_PATH_SLASH;
	if (test->field->kind == FIELD_PATH && ends_in_dots(test->string))
		return FAULT_PATH_DOTS;
	return FAULT_NONE;
}

/* audit_alloc_mark. */
static enum fault check_exe(struct unpacking *u, const struct field_test *test)
{
	if (u->has_exe)
		return FAULT_TWO_EXES;
	u->has_exe = true;
	if (test->string[0] != '/' || test->string[test->value - 1] == '/')
		return FAULT_EXE_PATH;
	if (ends_in_dots(test->string))
		return FAULT_PATH_DOTS;
	return FAULT_NONE;
}

static enum fault unpack_key(struct unpacking *u, size_t length)
{
	if (u->rule->key)
		return FAULT_TWO_KEYS;
	if (length > AUDIT_MAX_KEY_LEN)
		return FAULT_KEY_LONG;
	return unpack_string(u, length, &u->rule->key);
}

/* What the field demands of the rest of the rule. */
static enum fault check_test(struct unpacking *u, const struct field_test *test)
{
	switch (test->field->kind) {
	case FIELD_PATH:
	case FIELD_DIR:
		return check_place(u, test);
	case FIELD_EXE:
		return check_exe(u, test);
	default:
		return test->field->number == AUDIT_INODE ? check_place(u, test)
							  : FAULT_NONE;
	}
}

static enum fault unpack_field(struct unpacking *u, unsigned int i)
{
	struct field_test *test = &u->test[u->rule->tests];
	enum fault error;

	*test = (struct field_test){
		.field = field_by_number(u->wire->fields[i]),
		.op = field_op_from_audit(u->wire->fieldflags[i]),
		.value = u->wire->values[i],
	};
	if (!test->op)
		return FAULT_NO_OPERATOR;
	if (!test->field)
		return FAULT_NO_FIELD;
	error = check_field(u->rule->filter, test);
	if (error)
		return error;
	/* audit_match_perm looks at these bits alone */
	if (test->field->kind == FIELD_PERM)
		test->value &= PERM_BITS;
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

static struct refusal refusal_of(enum fault fault, unsigned int field)
{
	return (struct refusal){
		.why = faults[fault].why,
		.advice = faults[fault].advice,
		.field = field,
		.operator_refused = fault == FAULT_OPERATOR,
	};
}

struct rule *rule_from_wire(struct arena *arena,
			    const struct audit_rule_data *wire, size_t size,
			    struct refusal *refusal)
{
	struct unpacking u = {.arena = arena, .wire = wire};
	enum fault fault;
	unsigned int i = 0;

	/* audit_receive_msg */
	fault = size < sizeof(*wire) ? FAULT_TOO_SHORT : check_header(wire);
	*refusal = refusal_of(fault, REFUSAL_NO_FIELD);
	if (fault)
		return NULL;
	u.string = wire->buf;
	u.left = size - sizeof(*wire);
	u.rule = arena_alloc(arena, sizeof(*u.rule));
	u.rule->filter = wire->flags & ~(uint32_t)AUDIT_FILTER_PREPEND;
	u.rule->action = wire->action;
	unpack_mask(wire, u.rule);
	u.test = arena_array(arena, wire->field_count, sizeof(*u.test));
	u.rule->test = u.test;
	for (; i < wire->field_count; i++) {
		fault = unpack_field(&u, i);
		if (fault) {
			*refusal = refusal_of(fault, i);
			return NULL;
		}
	}
	return u.rule;
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
