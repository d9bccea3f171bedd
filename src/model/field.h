/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The field table: one row a field of audit rules, and everything that any
 * part of the program needs to know of it in that row. No other file asks
 * which AUDIT_* number a field has in order to reason about it; it asks the
 * row.
 */
#ifndef AUDITOPT_FIELD_H
#define AUDITOPT_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a field is compared, hence how it can be reasoned about
 * (audit_filter_rules). */
enum field_kind {
	FIELD_NUMBER,	  /* one unsigned 32-bit value of the call or the task */
	FIELD_UID,	  /* the same, a user; bit operators are never true */
	FIELD_GID,	  /* the same, a group (sgid, fsgid) */
	FIELD_GROUP,	  /* gid, egid: = and != search the supplementary groups too */
	FIELD_RESULT,	  /* exit, success: absent when a call never returns */
	FIELD_OPTIONAL,	  /* saddr_fam: absent when the call had none */
	FIELD_NAME,	  /* "some collected name satisfies it" (devmajor, obj_uid, inode) */
	FIELD_FILETYPE,	  /* some collected name; != is the negation of = */
	FIELD_PERM,	  /* audit_match_perm: by call, ABI and open flags */
	FIELD_ARCH,	  /* decided by the ABI alone */
	FIELD_PATH,	  /* path=: one name is that inode; lives in an inode bucket */
	FIELD_DIR,	  /* dir=: some name lies in that tree */
	FIELD_EXE,	  /* exe: by inode and device of the executable */
	FIELD_LSM_SUBJECT,/* security label of the task: opaque */
	FIELD_LSM_OBJECT, /* security label of some name or IPC object: opaque */
	FIELD_COMPARE,	  /* -C: two ids of the task, or one with a name's owner */
	FIELD_LOGINUID_SET,/* is auid set? what auid=unset is rewritten to */
	FIELD_MSGTYPE,	  /* record type; user and exclude filters */
	FIELD_FSTYPE,	  /* file system magic; filesystem filter */
	FIELD_KEY,	  /* always true */
};

/* Operators as bits, so that a row can list those that the kernel takes. */
enum field_op {
	OP_EQ = 1 << 0, /* AUDIT_EQUAL */
	OP_NE = 1 << 1, /* AUDIT_NOT_EQUAL */
	OP_LT = 1 << 2,
	OP_LE = 1 << 3,
	OP_GT = 1 << 4,
	OP_GE = 1 << 5,
	OP_BIT_MASK = 1 << 6, /* &: any bit */
	OP_BIT_TEST = 1 << 7, /* &=: all bits */
};

struct field_info {
	uint32_t number;  /* AUDIT_* */
	const char *name; /* as auditctl writes it (audit_field_to_name) */
	enum field_kind kind;
	unsigned int ops;     /* enum field_op bits that audit_field_valid takes */
	unsigned int filters; /* 1 << AUDIT_FILTER_*: where it can be true at all */
	bool is_string;	      /* the value is the length of a string in buf */
	uint16_t cost_fail;   /* instructions when entered first and it fails (measuring.md) */
	const char *cost_source; /* where that figure comes from */
};

/* The row of field NUMBER (AUDIT_*), or NULL if the kernel knows none. */
const struct field_info *field_by_number(uint32_t number);

/* All rows, for tests and help: I from 0; NULL past the end. */
const struct field_info *field_row(unsigned int i);

/* AUDIT_EQUAL ... to OP_EQ ..., 0 if the kernel knows no such operator. */
enum field_op field_op_from_audit(uint32_t op);
/* OP_EQ ... to AUDIT_EQUAL ... */
uint32_t field_op_to_audit(enum field_op op);
/* "=", "!=", "&=" ... as auditctl writes it. */
const char *field_op_symbol(enum field_op op);

/* The kernel's audit_comparator (auditfilter.c): unsigned 32 bits. */
bool field_compare(uint32_t left, enum field_op op, uint32_t right);

#endif
