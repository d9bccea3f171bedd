/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/field.h"

#include <libaudit.h>
#include <linux/audit.h>

#include "model/audit_names.h"

/* Operators, as the three groups of audit_field_valid have them. That inode,
 * path and dir take fewer is decided later (audit_to_inode, audit_to_watch,
 * audit_make_tree). */
#define EQUALITY (OP_EQ | OP_NE)
#define ORDER (EQUALITY | OP_LT | OP_LE | OP_GT | OP_GE)
#define ALL_OPS (ORDER | OP_BIT_MASK | OP_BIT_TEST)

/* Filters where a field can be true.
 * Exit and io_uring: audit_filter_rules with a context. */
#define CALL (1 << AUDIT_FILTER_EXIT | 1 << AUDIT_FILTER_URING_EXIT)
/* Task: audit_filter_rules without one, so only what the task itself has. */
#define TASK (1 << AUDIT_FILTER_TASK)
/* User and exclude: audit_filter, which knows a few fields and ends its whole
 * walk at any other, the key among them. */
#define RECORD (1 << AUDIT_FILTER_USER | 1 << AUDIT_FILTER_EXCLUDE)
#define FS (1 << AUDIT_FILTER_FS)

/* Where cost_fail comes from: executed instructions of Linux 6.1, one rule that
 * is entered and whose first field fails, 60 like rules, getppid. */
#define MEASURED "measured on 6.1"
#define MEASURED_RANGE "measured on 6.1 as one of a range"
#define LIKE(field) "not measured; taken to cost what " field " does"
#define NEVER_FAILS "never fails"

static const struct field_info rows[] = {
	{AUDIT_PID, "pid", FIELD_NUMBER, ORDER, CALL | TASK | RECORD, false,
	 114, MEASURED_RANGE},
	{AUDIT_UID, "uid", FIELD_UID, ORDER, CALL | TASK | RECORD, false, 118,
	 MEASURED_RANGE},
	{AUDIT_EUID, "euid", FIELD_UID, ORDER, CALL | TASK, false, 118,
	 LIKE("uid")},
	{AUDIT_SUID, "suid", FIELD_UID, ORDER, CALL | TASK, false, 118,
	 LIKE("uid")},
	{AUDIT_FSUID, "fsuid", FIELD_UID, ORDER, CALL | TASK, false, 118,
	 LIKE("uid")},
	{AUDIT_GID, "gid", FIELD_GROUP, ORDER, CALL | TASK | RECORD, false, 133,
	 MEASURED},
	{AUDIT_EGID, "egid", FIELD_GROUP, ORDER, CALL | TASK, false, 133,
	 LIKE("gid")},
	{AUDIT_SGID, "sgid", FIELD_GID, ORDER, CALL | TASK, false, 118,
	 LIKE("uid")},
	{AUDIT_FSGID, "fsgid", FIELD_GID, ORDER, CALL | TASK, false, 118,
	 LIKE("uid")},
	{AUDIT_LOGINUID, "auid", FIELD_UID, ORDER, CALL | TASK | RECORD, false,
	 118, LIKE("uid")},
	{AUDIT_PERS, "pers", FIELD_NUMBER, ALL_OPS, CALL | TASK, false, 112,
	 MEASURED_RANGE},
	{AUDIT_ARCH, "arch", FIELD_ARCH, EQUALITY, CALL, false, 112,
	 LIKE("pers")},
	{AUDIT_MSGTYPE, "msgtype", FIELD_MSGTYPE, ORDER, RECORD, false, 112,
	 LIKE("pers")},
	{AUDIT_SUBJ_USER, "subj_user", FIELD_LSM_SUBJECT, EQUALITY,
	 CALL | TASK | RECORD, true, 88, MEASURED},
	{AUDIT_SUBJ_ROLE, "subj_role", FIELD_LSM_SUBJECT, EQUALITY,
	 CALL | TASK | RECORD, true, 88, MEASURED},
	{AUDIT_SUBJ_TYPE, "subj_type", FIELD_LSM_SUBJECT, EQUALITY,
	 CALL | TASK | RECORD, true, 88, MEASURED},
	{AUDIT_SUBJ_SEN, "subj_sen", FIELD_LSM_SUBJECT, ORDER,
	 CALL | TASK | RECORD, true, 88, MEASURED},
	{AUDIT_SUBJ_CLR, "subj_clr", FIELD_LSM_SUBJECT, ORDER,
	 CALL | TASK | RECORD, true, 88, MEASURED},
	{AUDIT_PPID, "ppid", FIELD_NUMBER, ORDER, CALL, false, 116,
	 MEASURED_RANGE},
	{AUDIT_OBJ_USER, "obj_user", FIELD_LSM_OBJECT, EQUALITY, CALL, true, 88,
	 LIKE("subj_user")},
	{AUDIT_OBJ_ROLE, "obj_role", FIELD_LSM_OBJECT, EQUALITY, CALL, true, 88,
	 LIKE("subj_role")},
	{AUDIT_OBJ_TYPE, "obj_type", FIELD_LSM_OBJECT, EQUALITY, CALL, true, 88,
	 LIKE("subj_type")},
	{AUDIT_OBJ_LEV_LOW, "obj_lev_low", FIELD_LSM_OBJECT, ORDER, CALL, true,
	 88, LIKE("subj_sen")},
	{AUDIT_OBJ_LEV_HIGH, "obj_lev_high", FIELD_LSM_OBJECT, ORDER, CALL,
	 true, 88, LIKE("subj_clr")},
	/* No name of its own: libaudit writes it as auid=unset. */
	{AUDIT_LOGINUID_SET, "loginuid_set", FIELD_LOGINUID_SET, EQUALITY,
	 CALL | TASK | RECORD, false, 118, LIKE("uid")},
	{AUDIT_SESSIONID, "sessionid", FIELD_NUMBER, ORDER, CALL | TASK, false,
	 102, MEASURED},
	/* Without a context audit_match_perm and audit_match_filetype answer
	 * 0, of which != makes a match: hence the task filter. */
	{AUDIT_FILETYPE, "filetype", FIELD_FILETYPE, EQUALITY, CALL | TASK,
	 false, 95, MEASURED_RANGE},
	{AUDIT_PERM, "perm", FIELD_PERM, EQUALITY,
	 1 << AUDIT_FILTER_EXIT | TASK, false, 170, MEASURED},
	{AUDIT_DEVMAJOR, "devmajor", FIELD_NAME, ORDER, CALL, false, 97,
	 LIKE("obj_uid")},
	{AUDIT_DEVMINOR, "devminor", FIELD_NAME, ALL_OPS, CALL, false, 97,
	 LIKE("obj_uid")},
	{AUDIT_INODE, "inode", FIELD_NAME, ORDER, CALL, false, 97,
	 LIKE("obj_uid")},
	{AUDIT_EXIT, "exit", FIELD_RESULT, ORDER, CALL, false, 117,
	 MEASURED_RANGE},
	{AUDIT_SUCCESS, "success", FIELD_RESULT, ORDER, CALL, false, 113,
	 MEASURED_RANGE},
	{AUDIT_WATCH, "path", FIELD_PATH, EQUALITY, CALL, true, 97,
	 LIKE("obj_uid")},
	{AUDIT_DIR, "dir", FIELD_DIR, EQUALITY, CALL, true, 104, MEASURED},
	{AUDIT_EXE, "exe", FIELD_EXE, EQUALITY, CALL | TASK | RECORD, true, 156,
	 MEASURED},
	{AUDIT_FSTYPE, "fstype", FIELD_FSTYPE, EQUALITY, FS, false, 112,
	 LIKE("pers")},
	{AUDIT_OBJ_UID, "obj_uid", FIELD_NAME, ORDER, CALL, false, 97,
	 MEASURED_RANGE},
	{AUDIT_OBJ_GID, "obj_gid", FIELD_NAME, ORDER, CALL, false, 97,
	 LIKE("obj_uid")},
	/* On task only the comparisons of the task's own ids. */
	{AUDIT_FIELD_COMPARE, "field_compare", FIELD_COMPARE, EQUALITY,
	 CALL | TASK, false, 119, MEASURED_RANGE},
	{AUDIT_SADDR_FAM, "saddr_fam", FIELD_OPTIONAL, ORDER, CALL, false, 96,
	 MEASURED_RANGE},
	{AUDIT_ARG0, "a0", FIELD_NUMBER, ALL_OPS, CALL, false, 115,
	 MEASURED_RANGE},
	{AUDIT_ARG1, "a1", FIELD_NUMBER, ALL_OPS, CALL, false, 115, LIKE("a0")},
	{AUDIT_ARG2, "a2", FIELD_NUMBER, ALL_OPS, CALL, false, 115, LIKE("a0")},
	{AUDIT_ARG3, "a3", FIELD_NUMBER, ALL_OPS, CALL, false, 115, LIKE("a0")},
	{AUDIT_FILTERKEY, "key", FIELD_KEY, EQUALITY, CALL | TASK | FS, true, 0,
	 NEVER_FAILS},
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

const struct field_info *field_by_number(uint32_t number)
{
	for (size_t i = 0; i < ROWS; i++)
		if (rows[i].number == number)
			return &rows[i];
	return NULL;
}

const struct field_info *field_row(unsigned int i)
{
	return i < ROWS ? &rows[i] : NULL;
}

static const struct {
	uint32_t audit;
	enum field_op op;
	const char *symbol;
} operators[] = {
	{AUDIT_EQUAL, OP_EQ, "="},
	{AUDIT_NOT_EQUAL, OP_NE, "!="},
	{AUDIT_LESS_THAN, OP_LT, "<"},
	{AUDIT_LESS_THAN_OR_EQUAL, OP_LE, "<="},
	{AUDIT_GREATER_THAN, OP_GT, ">"},
	{AUDIT_GREATER_THAN_OR_EQUAL, OP_GE, ">="},
	{AUDIT_BIT_MASK, OP_BIT_MASK, "&"},
	{AUDIT_BIT_TEST, OP_BIT_TEST, "&="},
};

#define OPERATORS (sizeof(operators) / sizeof(operators[0]))

enum field_op field_op_from_audit(uint32_t op)
{
	for (size_t i = 0; i < OPERATORS; i++)
		if (operators[i].audit == op)
			return operators[i].op;
	return (enum field_op)0;
}

uint32_t field_op_to_audit(enum field_op op)
{
	for (size_t i = 0; i < OPERATORS; i++)
		if (operators[i].op == op)
			return operators[i].audit;
	return 0;
}

const char *field_op_symbol(enum field_op op)
{
	for (size_t i = 0; i < OPERATORS; i++)
		if (operators[i].op == op)
			return operators[i].symbol;
	return "?";
}

bool field_compare(uint32_t left, enum field_op op, uint32_t right)
{
	switch (op) {
	case OP_EQ:
		return left == right;
	case OP_NE:
		return left != right;
	case OP_LT:
		return left < right;
	case OP_LE:
		return left <= right;
	case OP_GT:
		return left > right;
	case OP_GE:
		return left >= right;
	case OP_BIT_MASK:
		return (left & right) != 0;
	case OP_BIT_TEST:
		return (left & right) == right;
	}
	return false;
}
