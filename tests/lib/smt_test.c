/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>
#include <sys/stat.h>

#include "lib/smt_parts.h"
#include "model/audit_names.h"
#include "model/call_names.h"
#include "model/perm.h"

#define UNSET UINT32_MAX
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* audit_comparator */
static Z3_ast compare(struct smt *s, Z3_ast left, enum field_op op,
		      Z3_ast right)
{
	Z3_ast both;

	switch (op) {
	case OP_EQ:
		return Z3_mk_eq(s->z3, left, right);
	case OP_NE:
		return smt_not(s, Z3_mk_eq(s->z3, left, right));
	case OP_LT:
		return Z3_mk_bvult(s->z3, left, right);
	case OP_LE:
		return Z3_mk_bvule(s->z3, left, right);
	case OP_GT:
		return Z3_mk_bvugt(s->z3, left, right);
	case OP_GE:
		return Z3_mk_bvuge(s->z3, left, right);
	default:
		both = Z3_mk_bvand(s->z3, left, right);
		if (op == OP_BIT_TEST)
			return Z3_mk_eq(s->z3, both, right);
		return smt_not(s, Z3_mk_eq(s->z3, both, smt_number(s, 0)));
	}
}

static Z3_ast compare_value(struct smt *s, Z3_ast left,
			    const struct field_test *test)
{
	return compare(s, left, test->op, smt_number(s, test->value));
}

/* audit_uid_comparator, audit_gid_comparator: ids have no bits */
static Z3_ast compare_id(struct smt *s, Z3_ast left, enum field_op op,
			 Z3_ast right)
{
	if (op == OP_BIT_MASK || op == OP_BIT_TEST)
		return smt_constant(s, false);
	return compare(s, left, op, right);
}

static Z3_ast id_test(struct smt *s, const char *id,
		      const struct field_test *test)
{
	return compare_id(s, smt_word(s, "%s", id), test->op,
			  smt_number(s, test->value));
}

/* gid and egid: in_group_p for "=", and its contrary for "!=" */
static Z3_ast group_test(struct smt *s, const char *id,
			 const struct field_test *test)
{
	Z3_ast member = smt_flag(s, FLAG_GROUP, test->value);
	Z3_ast is = id_test(s, id, test);

	if (test->op == OP_EQ)
		return smt_or(s, is, member);
	if (test->op == OP_NE)
		return smt_and(s, is, smt_not(s, member));
	return is;
}

/* loginuid_set: 1 unless auid is -1; auid=-1 asks for 0 */
static Z3_ast auid_test(struct smt *s, const struct field_test *test)
{
	Z3_ast unset =
		Z3_mk_eq(s->z3, smt_word(s, "auid"), smt_number(s, UNSET));
	uint32_t wanted = test->value;

	if (test->field->number == AUDIT_LOGINUID) {
		if (test->value != UNSET)
			return id_test(s, "auid", test);
		wanted = 0;
	}
	return compare(
		s, Z3_mk_ite(s->z3, unset, smt_number(s, 0), smt_number(s, 1)),
		test->op, smt_number(s, wanted));
}

/* Turned round for "!=", where the kernel asks a yes-or-no question. */
static Z3_ast yes_or_no(struct smt *s, Z3_ast yes,
			const struct field_test *test)
{
	return test->op == OP_NE ? smt_not(s, yes) : yes;
}

/* exit, success: not without a result (ctx->return_valid). There 1 is success
 * and 2 is failure. */
static Z3_ast result_test(struct smt *s, const struct field_test *test)
{
	Z3_ast returned = smt_flag(s, "returned");
	Z3_ast holds;

	if (test->field->number == AUDIT_EXIT)
		holds = compare_value(s, smt_word(s, "exit"), test);
	else
		holds = compare(s,
				Z3_mk_ite(s->z3, smt_flag(s, "succeeded"),
					  smt_number(s, 1), smt_number(s, 2)),
				test->op, smt_number(s, test->value ? 1 : 2));
	return smt_and(s, returned, holds);
}

/* -C */
static const struct {
	uint32_t value;
	const char *left, *right;
	const char *of_name; /* the right one is each name's */
} pairs[] = {
	{AUDIT_COMPARE_UID_TO_OBJ_UID, "uid", NULL, WORD_UID},
	{AUDIT_COMPARE_GID_TO_OBJ_GID, "gid", NULL, WORD_GID},
	{AUDIT_COMPARE_EUID_TO_OBJ_UID, "euid", NULL, WORD_UID},
	{AUDIT_COMPARE_EGID_TO_OBJ_GID, "egid", NULL, WORD_GID},
	{AUDIT_COMPARE_AUID_TO_OBJ_UID, "auid", NULL, WORD_UID},
	{AUDIT_COMPARE_SUID_TO_OBJ_UID, "suid", NULL, WORD_UID},
	{AUDIT_COMPARE_SGID_TO_OBJ_GID, "sgid", NULL, WORD_GID},
	{AUDIT_COMPARE_FSUID_TO_OBJ_UID, "fsuid", NULL, WORD_UID},
	{AUDIT_COMPARE_FSGID_TO_OBJ_GID, "fsgid", NULL, WORD_GID},
	{AUDIT_COMPARE_UID_TO_AUID, "uid", "auid", NULL},
	{AUDIT_COMPARE_UID_TO_EUID, "uid", "euid", NULL},
	{AUDIT_COMPARE_UID_TO_FSUID, "uid", "fsuid", NULL},
	{AUDIT_COMPARE_UID_TO_SUID, "uid", "suid", NULL},
	{AUDIT_COMPARE_AUID_TO_FSUID, "auid", "fsuid", NULL},
	{AUDIT_COMPARE_AUID_TO_SUID, "auid", "suid", NULL},
	{AUDIT_COMPARE_AUID_TO_EUID, "auid", "euid", NULL},
	{AUDIT_COMPARE_EUID_TO_SUID, "euid", "suid", NULL},
	{AUDIT_COMPARE_EUID_TO_FSUID, "euid", "fsuid", NULL},
	{AUDIT_COMPARE_SUID_TO_FSUID, "suid", "fsuid", NULL},
	{AUDIT_COMPARE_GID_TO_EGID, "gid", "egid", NULL},
	{AUDIT_COMPARE_GID_TO_FSGID, "gid", "fsgid", NULL},
	{AUDIT_COMPARE_GID_TO_SGID, "gid", "sgid", NULL},
	{AUDIT_COMPARE_EGID_TO_FSGID, "egid", "fsgid", NULL},
	{AUDIT_COMPARE_EGID_TO_SGID, "egid", "sgid", NULL},
	{AUDIT_COMPARE_SGID_TO_FSGID, "sgid", "fsgid", NULL},
};

static Z3_ast name_word(struct smt *s, const char *which, int name)
{
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	return smt_word(s, which, name);
#pragma GCC diagnostic pop
}

/* audit_compare_uid, audit_compare_gid: in a bucket that name first, then all
 * of them: so all of them. */
static Z3_ast compare_test(struct smt *s, const struct field_test *test)
{
	Z3_ast left, any = smt_constant(s, false);
	size_t i = 0;

	while (i < COUNT(pairs) && pairs[i].value != test->value)
		i++;
	if (i == COUNT(pairs))
		return any;
	left = smt_word(s, "%s", pairs[i].left);
	if (!pairs[i].of_name)
		return compare_id(s, left, test->op,
				  smt_word(s, "%s", pairs[i].right));
	for (int n = 0; n < SMT_NAMES; n++)
		any = smt_or(
			s, any,
			smt_and(s, smt_flag(s, FLAG_NAME, n),
				compare_id(s, left, test->op,
					   name_word(s, pairs[i].of_name, n))));
	return any;
}

static Z3_ast device_test(struct smt *s, const struct field_test *test,
			  const char *of_file, const char *of_node, int n)
{
	return smt_or(s, compare_value(s, name_word(s, of_file, n), test),
		      compare_value(s, name_word(s, of_node, n), test));
}

static Z3_ast one_name_test(struct smt *s, const struct field_test *test, int n)
{
	Z3_ast value = smt_number(s, test->value);

	switch (test->field->number) {
	case AUDIT_DEVMAJOR:
		return device_test(s, test, WORD_MAJOR, WORD_RMAJOR, n);
	case AUDIT_DEVMINOR:
		return device_test(s, test, WORD_MINOR, WORD_RMINOR, n);
	case AUDIT_INODE:
		return compare_value(s, smt_word(s, WORD_INODE, n), test);
	case AUDIT_OBJ_UID:
		return compare_id(s, smt_word(s, WORD_UID, n), test->op, value);
	case AUDIT_OBJ_GID:
		return compare_id(s, smt_word(s, WORD_GID, n), test->op, value);
	default:
		return smt_flag(s, FLAG_OBJECT, n, test->field->number,
				(int)test->op, test->string);
	}
}

/* A bucket's name, or any. */
static Z3_ast name_test(struct smt *s, const struct field_test *test, int name)
{
	Z3_ast any = smt_constant(s, false);

	if (name != IN_LIST)
		return one_name_test(s, test, name);
	for (int n = 0; n < SMT_NAMES; n++)
		any = smt_or(s, any,
			     smt_and(s, smt_flag(s, FLAG_NAME, n),
				     one_name_test(s, test, n)));
	return any;
}

static Z3_ast object_label_test(struct smt *s, const struct field_test *test,
				int name)
{
	return smt_or(s, name_test(s, test, name),
		      smt_flag(s, FLAG_IPC, test->field->number, (int)test->op,
			       test->string));
}

/* audit_match_filetype: all names, whatever walk it is */
static Z3_ast file_type_test(struct smt *s, const struct field_test *test)
{
	Z3_ast any = smt_constant(s, false);

	for (int n = 0; n < SMT_NAMES; n++) {
		Z3_ast type = Z3_mk_eq(s->z3, smt_word(s, WORD_MODE, n),
				       smt_number(s, test->value & 0xffff));
		Z3_ast real =
			smt_and(s, smt_flag(s, FLAG_NAME, n),
				smt_not(s, smt_flag(s, FLAG_NO_INODE, n)));

		any = smt_or(s, any, smt_and(s, real, type));
	}
	return yes_or_no(s, any, test);
}

/* perm */

static bool call_is(const struct smt *s, const char *name, int common)
{
	int number = target_call_number(s->target, s->call.abi, name);

	return !s->call.uring &&
	       s->call.number == (number < 0 ? common : number);
}

/* ACC_MODE: 0 reads, 1 writes, 2 and 3 do both */
static Z3_ast flags_allow(struct smt *s, Z3_ast flags, uint32_t perm)
{
	Z3_ast mode = Z3_mk_bvand(s->z3, flags, smt_number(s, 3));

	if (perm == AUDIT_PERM_READ)
		return smt_not(s, Z3_mk_eq(s->z3, mode, smt_number(s, 1)));
	if (perm == AUDIT_PERM_WRITE)
		return smt_not(s, Z3_mk_eq(s->z3, mode, smt_number(s, 0)));
	return smt_constant(s, false);
}

static bool may_count_as(const struct smt *s, uint32_t perm)
{
	struct syscall_set calls = perm_calls_known(s->target, perm);

	if (!s->call.uring)
		return syscall_set_has(&calls, s->call.abi, s->call.number);
	return syscall_set_has(&calls, ABI_NATIVE, 0) ||
	       syscall_set_has(&calls, ABI_COMPAT, 0);
}

/* Kernels before 5.16 have openat2 and do not know it here. */
static Z3_ast counts_as(struct smt *s, uint32_t perm)
{
	if (!may_count_as(s, perm))
		return smt_constant(s, false);
	if (call_is(s, "open", -1))
		return flags_allow(s, smt_word(s, WORD_ARG, 1), perm);
	if (call_is(s, "openat", -1))
		return flags_allow(s, smt_word(s, WORD_ARG, 2), perm);
	if (call_is(s, "openat2", 437))
		return smt_and(s, smt_flag(s, "openat2 is known"),
			       flags_allow(s, smt_word(s, "open flags"), perm));
	if (call_is(s, "execve", -1))
		return smt_constant(s, perm == AUDIT_PERM_EXEC);
	if (call_is(s, "socketcall", -1)) /* bind */
		return smt_and(s, smt_flag(s, "socketcall is known"),
			       smt_and(s, smt_flag(s, "a0 has 32 bits"),
				       Z3_mk_eq(s->z3, smt_word(s, WORD_ARG, 0),
						smt_number(s, 2))));
	return smt_flag(s, "counts as %u", perm);
}

/* audit_match_perm */
static Z3_ast perm_test(struct smt *s, const struct field_test *test)
{
	Z3_ast any = smt_constant(s, false);

	for (unsigned int i = 0; i < PERM_BITS; i++)
		if (test->value >> i & 1)
			any = smt_or(s, any, counts_as(s, 1u << i));
	return yes_or_no(s, any, test);
}

static Z3_ast arch_test(struct smt *s, const struct field_test *test)
{
	/* in a context of an operation there is no call */
	uint32_t arch = s->call.uring ? 0 : s->target->abi[s->call.abi].elf;

	return smt_constant(s, test->op == OP_NE ? arch != test->value
						 : arch == test->value);
}

static Z3_ast arg_test(struct smt *s, const struct field_test *test)
{
	Z3_ast arg = smt_word(s, WORD_ARG, test->field->number - AUDIT_ARG0);

	if (s->call.uring)
		arg = smt_number(s, 0);
	return compare_value(s, arg, test);
}

static Z3_ast path_test(struct smt *s, const struct field_test *test, int name)
{
	if (name == IN_LIST)
		return smt_constant(s, false);
	return yes_or_no(s, smt_flag(s, FLAG_PATH, name, test->string), test);
}

static Z3_ast family_test(struct smt *s, const struct field_test *test)
{
	return smt_and(s, smt_flag(s, "has address"),
		       compare_value(s, smt_word(s, "family"), test));
}

bool smt_may_name(const struct smt *s)
{
	return s->call.uring || call_can_collect_names(s->target, s->call.abi,
						       s->call.number, NULL);
}

static Z3_ast dir_test(struct smt *s, const struct field_test *test)
{
	Z3_ast met = smt_constant(s, false);

	if (smt_may_name(s))
		met = smt_flag(s, FLAG_DIR, test->string);
	return yes_or_no(s, met, test);
}

Z3_ast smt_test(struct smt *s, const struct field_test *test, int name)
{
	switch (test->field->number) {
	case AUDIT_PID:
		return compare_value(s, smt_word(s, "pid"), test);
	case AUDIT_PPID:
		return compare_value(s, smt_word(s, "ppid"), test);
	case AUDIT_PERS:
		return compare_value(s, smt_word(s, "pers"), test);
	case AUDIT_SESSIONID:
		return compare_value(s, smt_word(s, "session"), test);
	case AUDIT_UID:
		return id_test(s, "uid", test);
	case AUDIT_EUID:
		return id_test(s, "euid", test);
	case AUDIT_SUID:
		return id_test(s, "suid", test);
	case AUDIT_FSUID:
		return id_test(s, "fsuid", test);
	case AUDIT_SGID:
		return id_test(s, "sgid", test);
	case AUDIT_FSGID:
		return id_test(s, "fsgid", test);
	case AUDIT_GID:
		return group_test(s, "gid", test);
	case AUDIT_EGID:
		return group_test(s, "egid", test);
	case AUDIT_LOGINUID:
	case AUDIT_LOGINUID_SET:
		return auid_test(s, test);
	case AUDIT_EXIT:
	case AUDIT_SUCCESS:
		return result_test(s, test);
	case AUDIT_FIELD_COMPARE:
		return compare_test(s, test);
	case AUDIT_DEVMAJOR:
	case AUDIT_DEVMINOR:
	case AUDIT_INODE:
	case AUDIT_OBJ_UID:
	case AUDIT_OBJ_GID:
		return name_test(s, test, name);
	case AUDIT_OBJ_USER:
	case AUDIT_OBJ_ROLE:
	case AUDIT_OBJ_TYPE:
	case AUDIT_OBJ_LEV_LOW:
	case AUDIT_OBJ_LEV_HIGH:
		return object_label_test(s, test, name);
	case AUDIT_SUBJ_USER:
	case AUDIT_SUBJ_ROLE:
	case AUDIT_SUBJ_TYPE:
	case AUDIT_SUBJ_SEN:
	case AUDIT_SUBJ_CLR:
		return smt_flag(s, FLAG_SUBJECT, test->field->number,
				(int)test->op, test->string);
	case AUDIT_FILETYPE:
		return file_type_test(s, test);
	case AUDIT_PERM:
		return perm_test(s, test);
	case AUDIT_ARCH:
		return arch_test(s, test);
	case AUDIT_ARG0:
	case AUDIT_ARG1:
	case AUDIT_ARG2:
	case AUDIT_ARG3:
		return arg_test(s, test);
	case AUDIT_SADDR_FAM:
		return family_test(s, test);
	case AUDIT_WATCH:
		return path_test(s, test, name);
	case AUDIT_DIR:
		return dir_test(s, test);
	case AUDIT_EXE:
		return yes_or_no(s, smt_flag(s, FLAG_EXE, test->string), test);
	default:
		return smt_constant(s, false);
	}
}

Z3_ast smt_in_mask(struct smt *s, const struct rule *rule, int number)
{
	Z3_ast in = smt_constant(s, syscall_mask_has(&rule->mask, number));

	for (unsigned int i = 0; i < MASK_CLASSES; i++)
		if (rule->mask_classes >> i & 1)
			in = smt_or(s, in,
				    smt_flag(s, "%d in class %u", number, i));
	return in;
}

static void assert_is(struct smt *s, Z3_ast fact)
{
	Z3_solver_assert(s->z3, s->solver, fact);
}

static void add_now(struct smt *s, Z3_ast flag, bool value)
{
	s->now[s->nows++] = value ? flag : smt_not(s, flag);
}

static void assume_classes(struct smt *s, int number)
{
	for (unsigned int i = 0; i < MASK_CLASSES; i++) {
		struct syscall_mask class = perm_class(s->target, i);

		add_now(s, smt_flag(s, "%d in class %u", number, i),
			syscall_mask_has(&class, number));
	}
}

/* The newest kernel's answers, as assumptions. */
static void assume_newest(struct smt *s)
{
	const uint64_t none[4] = {0}, bind[4] = {2};
	enum abi abi = s->call.abi;
	int number = s->call.uring ? 0 : s->call.number;

	s->nows = 0;
	for (unsigned int i = 0; i < PERM_BITS; i++)
		add_now(s, smt_flag(s, "counts as %u", 1u << i),
			perm_match(s->target, abi, number, none, 0, 1u << i));
	assume_classes(s, s->call.number);
	if (s->call.uring && s->call.number != 0)
		assume_classes(s, 0);
	if (call_is(s, "openat2", 437))
		add_now(s, smt_flag(s, "openat2 is known"), true);
	if (call_is(s, "socketcall", -1))
		add_now(s, smt_flag(s, "socketcall is known"),
			perm_match(s->target, abi, number, bind, 0,
				   AUDIT_PERM_WRITE));
}

void smt_assert_facts(struct smt *s)
{
	if (!smt_may_name(s)) /* nor a second one */
		assert_is(s, smt_not(s, smt_flag(s, FLAG_NAME, 0)));
	for (int n = 0; n < SMT_NAMES; n++) {
		Z3_ast mode = smt_word(s, WORD_MODE, n);
		Z3_ast none = smt_flag(s, FLAG_NO_INODE, n);

		if (n)
			assert_is(s, Z3_mk_implies(
					     s->z3, smt_flag(s, FLAG_NAME, n),
					     smt_flag(s, FLAG_NAME, n - 1)));
		assert_is(s, Z3_mk_eq(s->z3,
				      Z3_mk_bvand(
					      s->z3, mode,
					      smt_number(s, ~(uint32_t)S_IFMT)),
				      smt_number(s, 0)));
		assert_is(s, Z3_mk_implies(s->z3, none,
					   Z3_mk_eq(s->z3,
						    smt_word(s, WORD_INODE, n),
						    smt_number(s, UNSET))));
	}
	assume_newest(s);
}
