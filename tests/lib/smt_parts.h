/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What smt.c, smt_test.c and smt_event.c share; nobody else.
 */
#ifndef AUDITOPT_TESTS_SMT_PARTS_H
#define AUDITOPT_TESTS_SMT_PARTS_H

#include <z3.h>

#include "lib/smt.h"

#define IN_LIST (-1) /* the walk of a list, not of a name's bucket */
#define PERM_BITS 4
#define MASK_CLASSES 16

struct smt {
	struct arena *arena;
	const struct target *target;
	const struct ruleset *set[2];
	int level;
	Z3_context z3;
	struct smt_call call; /* of the question */
	/* How the newest kernel answers what kernels differ in. */
	Z3_ast now[PERM_BITS + 2 * MASK_CLASSES + 1];
	unsigned int nows;
	Z3_solver solver; /* NULL before the first question */
	Z3_model model;	  /* NULL: none */
};

/* Variables. Two of the same name are the same. */
Z3_ast smt_word(struct smt *smt, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
Z3_ast smt_flag(struct smt *smt, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
Z3_ast smt_number(struct smt *smt, uint32_t value);
Z3_ast smt_and(struct smt *smt, Z3_ast a, Z3_ast b);
Z3_ast smt_or(struct smt *smt, Z3_ast a, Z3_ast b);
Z3_ast smt_not(struct smt *smt, Z3_ast a);
Z3_ast smt_constant(struct smt *smt, bool value);

/* The names of variables that smt_event.c asks for, too. */
#define FLAG_GROUP "in group %u"
#define FLAG_EXE "exe %s"
#define FLAG_DIR "below %s"
#define FLAG_SUBJECT "label %u %d %s"
#define FLAG_IPC "ipc label %u %d %s"
#define FLAG_NAME "name %d"
#define FLAG_NO_INODE "name %d has no inode"
#define FLAG_PATH "name %d is %s"
#define FLAG_OBJECT "name %d label %u %d %s"
#define WORD_INODE "name %d inode"
#define WORD_MAJOR "name %d major"
#define WORD_MINOR "name %d minor"
#define WORD_RMAJOR "name %d rmajor"
#define WORD_RMINOR "name %d rminor"
#define WORD_UID "name %d uid"
#define WORD_GID "name %d gid"
#define WORD_MODE "name %d mode"
#define WORD_ARG "a%u"
#define WORD_REPLACED "replaced" /* as struct event has it, up to 2 */

/* smt_test.c: can the call collect names, and meet watched trees? Assumed, as
 * what decides perm is. */
bool smt_may_name(const struct smt *smt);
/* smt_test.c: does TEST hold, in the list or for the name NAME of a bucket?
 * (audit_filter_rules) */
Z3_ast smt_test(struct smt *smt, const struct field_test *test, int name);
/* Is the call in RULE's mask? NUMBER: an operation's in its list, else the
 * call's. (audit_in_mask) */
Z3_ast smt_in_mask(struct smt *smt, const struct rule *rule, int number);
/* What is true of all calls, for the solver of the question. */
void smt_assert_facts(struct smt *smt);

#endif
