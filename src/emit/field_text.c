/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One test of a rule as one option and its value, the way
 * audit_rule_fieldpair_data() and audit_rule_interfield_comp_data() read it in
 * every version.
 */
#include "emit/emit.h"
#include "emit/writer.h"

#include <libaudit.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "model/compare.h"

/* Bytes that auditctl uses itself for an escaped backslash and an escaped
 * space (preprocess(), postprocess()): no value can hold them. */
#define ESCAPED_BACKSLASH '\004'
#define ESCAPED_SPACE '\007'

/* DM_CTRL, DM_EVENT, LANDLOCK_ACCESS, LANDLOCK_DOMAIN. */
static bool newer_msgtype(uint32_t type)
{
	return (type >= 1338 && type <= 1339) || (type >= 1423 && type <= 1424);
}

/* cgroup, cgroup2. */
static bool newer_fstype(uint32_t magic)
{
	return magic == 0x27e0eb || magic == 0x63677270;
}

static bool put_word(UT_string *out, const char *word)
{
	for (const char *c = word; *c; c++) {
		if (*c == '\n' || *c == ESCAPED_SPACE ||
		    *c == ESCAPED_BACKSLASH)
			return false;
		if (*c == ' ' || *c == '\\')
			utstring_bincpy(out, "\\", 1);
		utstring_bincpy(out, c, 1);
	}
	return true;
}

bool put_option(UT_string *out, const char *option, const char *value)
{
	utstring_printf(out, " %s ", option);
	return put_word(out, value);
}

bool pair_reads_back(const char *pair, size_t name, const char *op)
{
	static const char *const order[] = {
		"!=", ">=", "<=", "&=", "=", ">", "<", "&"};

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		const char *found = strstr(pair, order[i]);

		if (found)
			return found == pair + name && !strcmp(order[i], op);
	}
	return false;
}

static bool put_pair(struct writer *w, const char *option, const char *name,
		     const char *op, const char *value)
{
	if (!value || !*value)
		return false;
	utstring_clear(w->pair);
	utstring_printf(w->pair, "%s%s%s", name, op, value);
	if (!pair_reads_back(utstring_body(w->pair), strlen(name), op))
		return false;
	return put_option(w->out, option, utstring_body(w->pair));
}

/* "rwxa" in auditctl's order; empty if there is no bit. */
static const char *perm_letters(uint32_t perm, char letters[5])
{
	static const struct {
		uint32_t bit;
		char letter;
	} known[] = {{AUDIT_PERM_READ, 'r'},
		     {AUDIT_PERM_WRITE, 'w'},
		     {AUDIT_PERM_EXEC, 'x'},
		     {AUDIT_PERM_ATTR, 'a'}};
	size_t n = 0;

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (perm & known[i].bit)
			letters[n++] = known[i].letter;
	}
	letters[n] = '\0';
	return letters;
}

/* b64 or b32, or the name, of an ABI that the target has; others as numbers,
 * which libaudit takes for every machine it knows. */
static const char *arch_text(const struct target *target, uint32_t elf,
			     char number[16])
{
	int abi = target_abi_of_elf(target, elf);
	int machine = audit_elf_to_machine(elf);

	if (abi >= 0 && target->abi[abi].bits)
		return target->abi[abi].bits;
	if (machine < 0)
		return NULL;
	if (abi >= 0 &&
	    audit_name_to_machine(target->abi[abi].name) == machine &&
	    audit_machine_to_elf(machine) == elf)
		return target->abi[abi].name;
	snprintf(number, 16, "0x%x", elf);
	return number;
}

static const char *exit_text(uint32_t value, char *number, size_t size)
{
	int32_t code = (int32_t)value;
	const char *name = NULL;

	if (code < 0 && code > INT_MIN)
		name = audit_errno_to_name(-code);
	if (name) {
		snprintf(number, size, "-%s", name);
		if (audit_name_to_errno(number) == code)
			return number;
	}
	snprintf(number, size, "%d", code);
	return number;
}

static const char *msgtype_text(uint32_t value, const char *number)
{
	const char *name = audit_msg_type_to_name((int)value);

	if (!name || newer_msgtype(value) ||
	    audit_name_to_msg_type(name) != (int)value)
		return number;
	return name;
}

static const char *fstype_text(uint32_t value, char *number, size_t size)
{
	const char *name = audit_fstype_to_name((int)value);

	if (value == UINT32_MAX)
		return NULL;
	if (name && !newer_fstype(value) &&
	    audit_name_to_fstype(name) == (int)value)
		return name;
	snprintf(number, size, "0x%x", value);
	return number;
}

static const char *filetype_text(uint32_t value)
{
	const char *name = audit_ftype_to_name((int)value);

	return name && audit_name_to_ftype(name) == (int)value ? name : NULL;
}

/* The value as audit_rule_fieldpair_data() reads it for that field, or NULL if
 * there is no way to write it. */
static const char *value_text(struct writer *w, const struct field_test *test,
			      char *number, size_t size)
{
	if (test->field->is_string)
		return test->string;
	snprintf(number, size, "%u", test->value);
	switch (test->field->number) {
	case AUDIT_LOGINUID:
	case AUDIT_SESSIONID:
		return test->value == UINT32_MAX ? "unset" : number;
	case AUDIT_ARG0:
	case AUDIT_ARG1:
	case AUDIT_ARG2:
	case AUDIT_ARG3:
		/* Flags and addresses; small numbers are counts or signals. */
		if (test->value > 0xffff)
			snprintf(number, size, "0x%x", test->value);
		return number;
	case AUDIT_ARCH:
		return arch_text(w->target, test->value, number);
	case AUDIT_EXIT:
		return exit_text(test->value, number, size);
	case AUDIT_MSGTYPE:
		return msgtype_text(test->value, number);
	case AUDIT_FSTYPE:
		return fstype_text(test->value, number, size);
	case AUDIT_FILETYPE:
		return filetype_text(test->value);
	default:
		return number;
	}
}

static bool put_compare(struct writer *w, const struct field_test *test)
{
	const struct comparison *c = comparison_by_code(test->value);
	const char *op = field_op_symbol(test->op);
	char number[16];

	/* -C is for the exit list alone; the field by its name goes anywhere.
	 */
	if (w->rule->filter == AUDIT_FILTER_EXIT && c)
		return put_pair(w, "-C", field_by_number(c->left)->name, op,
				field_by_number(c->right)->name);
	snprintf(number, sizeof(number), "%u", test->value);
	return put_pair(w, "-F", "field_compare", op, number);
}

/* loginuid_set has no name for auditctl; the kernel makes it of auid=unset. */
static bool put_loginuid_set(struct writer *w, const struct field_test *test)
{
	bool unset = (test->value == 0) == (test->op == OP_EQ);

	/* = never holds, != always: nobody can write that */
	if (test->value > 1)
		return false;
	return put_pair(w, "-F", "auid", unset ? "=" : "!=", "unset");
}

bool put_perm(struct writer *w, const char *option,
	      const struct field_test *test)
{
	char letters[5];

	if (test->op != OP_EQ || !*perm_letters(test->value, letters))
		return false;
	if (!strcmp(option, "-p"))
		return put_option(w->out, option, letters);
	return put_pair(w, option, "perm", "=", letters);
}

/* Lists outside which auditctl refuses a field that the kernel would take. */
static bool list_takes(uint32_t filter, const struct field_info *field)
{
	switch (field->number) {
	case AUDIT_OBJ_USER:
	case AUDIT_OBJ_ROLE:
	case AUDIT_OBJ_TYPE:
	case AUDIT_OBJ_LEV_LOW:
	case AUDIT_OBJ_LEV_HIGH:
	case AUDIT_WATCH:
	case AUDIT_DIR:
	case AUDIT_FILETYPE:
	case AUDIT_DEVMAJOR:
	case AUDIT_DEVMINOR:
	case AUDIT_INODE:
	case AUDIT_EXIT:
	case AUDIT_SUCCESS:
	case AUDIT_PPID:
		return filter == AUDIT_FILTER_EXIT;
	case AUDIT_SESSIONID:
		return filter == AUDIT_FILTER_EXIT ||
		       filter == AUDIT_FILTER_USER ||
		       filter == AUDIT_FILTER_EXCLUDE;
	default:
		return true;
	}
}

bool put_test(struct writer *w, const struct field_test *test)
{
	char number[64];

	if (!list_takes(w->rule->filter, test->field))
		return false;
	if (test->field->kind == FIELD_COMPARE)
		return put_compare(w, test);
	if (test->field->kind == FIELD_LOGINUID_SET)
		return put_loginuid_set(w, test);
	if (audit_name_to_field(test->field->name) != (int)test->field->number)
		return false;
	return put_pair(w, "-F", test->field->name, field_op_symbol(test->op),
			value_text(w, test, number, sizeof(number)));
}

char *emit_test(struct arena *arena, const struct target *target,
		const struct rule *rule, const struct field_test *test)
{
	struct writer w = {.target = target, .rule = rule};
	char *text = NULL;
	bool good;

	utstring_new(w.out);
	utstring_new(w.pair);
	good = test->field->kind == FIELD_PERM ? put_perm(&w, "-F", test)
					       : put_test(&w, test);
	if (good) /* behind " -F " or " -C " */
		text = arena_strdup(arena, utstring_body(w.out) + 4);
	utstring_free(w.out);
	utstring_free(w.pair);
	return text;
}
