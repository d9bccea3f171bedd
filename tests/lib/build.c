/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/build.h"

#include <errno.h>
#include <libaudit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TESTS_MAX 256

struct builder {
	struct arena *arena;
	const struct target *target;
	const char *spec;
	struct rule *rule;
	struct field_test test[TESTS_MAX];
	enum abi abi; /* where call names are looked up */
	bool has_calls;
};

static _Noreturn void bad(const struct builder *b, const char *what,
			  const char *word)
{
	fprintf(stderr, "mk_rule: %s: \"%s\" in \"%s\"\n", what, word, b->spec);
	abort();
}

static uint32_t number_or_die(const struct builder *b, const char *text)
{
	char *end;
	long long n;

	errno = 0;
	n = strtoll(text, &end, 0);
	if (end == text || *end || errno || n < INT32_MIN || n > UINT32_MAX)
		bad(b, "not a number", text);
	return (uint32_t)n;
}

static const char *const filter_name[] = {
	[AUDIT_FILTER_USER] = "user",
	[AUDIT_FILTER_TASK] = "task",
	[AUDIT_FILTER_EXIT] = "exit",
	[AUDIT_FILTER_EXCLUDE] = "exclude",
	[AUDIT_FILTER_FS] = "filesystem",
	[AUDIT_FILTER_URING_EXIT] = "io_uring",
};

/* A word without an operators. */
static bool plain_word(struct builder *b, const char *word)
{
	for (size_t i = 0; i < sizeof(filter_name) / sizeof(*filter_name); i++)
		if (filter_name[i] && strcmp(word, filter_name[i]) == 0) {
			b->rule->filter = (uint32_t)i;
			return true;
		}
	if (strcmp(word, "always") == 0)
		b->rule->action = AUDIT_ALWAYS;
	else if (strcmp(word, "never") == 0)
		b->rule->action = AUDIT_NEVER;
	else if (strcmp(word, "watch") == 0)
		b->rule->watch_form = true;
	else if (strcmp(word, "unsettled") == 0)
		b->rule->unsettled = true;
	else
		return false;
	return true;
}

static void add_call(struct builder *b, const char *name)
{
	int number;

	if (strcmp(name, "all") == 0) {
		b->rule->mask = syscall_mask_all();
		return;
	}
	if (strcmp(name, "none") == 0)
		return;
	number = target_call_number(b->target, b->abi, name);
	if (number < 0)
		number = (int)number_or_die(b, name);
	if (number < 0 || number >= SYSCALL_MASK_CALLS)
		bad(b, "no such call", name);
	syscall_mask_add(&b->rule->mask, number);
}

static void add_calls(struct builder *b, char *list)
{
	char *save, *name;

	b->has_calls = true;
	for (name = strtok_r(list, ",", &save); name;
	     name = strtok_r(NULL, ",", &save))
		add_call(b, name);
}

static void add_lines(struct builder *b, char *list)
{
	uint32_t line[64];
	size_t count = 0;
	char *save, *word;

	for (word = strtok_r(list, ",", &save); word && count < 64;
	     word = strtok_r(NULL, ",", &save))
		line[count++] = number_or_die(b, word);
	b->rule->origin.line =
		arena_copy(b->arena, line, count * sizeof(*line));
	b->rule->origin.count = count;
}

static void add_key(struct builder *b, const char *name)
{
	if (b->rule->key)
		b->rule->key =
			arena_printf(b->arena, "%s\001%s", b->rule->key, name);
	else
		b->rule->key = arena_strdup(b->arena, name);
}

/* A word NAME=VALUE that is no test. */
static bool setting(struct builder *b, const char *name, char *value)
{
	if (strcmp(name, "calls") == 0)
		add_calls(b, value);
	else if (strcmp(name, "key") == 0)
		add_key(b, value);
	else if (strcmp(name, "epoch") == 0)
		b->rule->epoch = number_or_die(b, value);
	else if (strcmp(name, "classes") == 0)
		b->rule->mask_classes = (uint16_t)number_or_die(b, value);
	else if (strcmp(name, "line") == 0)
		add_lines(b, value);
	else
		return false;
	return true;
}

static uint32_t arch_value(struct builder *b, const char *text)
{
	for (int abi = 0; abi < ABI_COUNT; abi++) {
		const struct abi_info *info = &b->target->abi[abi];

		if (info->elf && ((info->name && !strcmp(text, info->name)) ||
				  (info->bits && !strcmp(text, info->bits)))) {
			b->abi = (enum abi)abi;
			return info->elf;
		}
	}
	return number_or_die(b, text);
}

static uint32_t perm_value(const struct builder *b, const char *text)
{
	static const char letters[] = "rwxa";
	static const uint32_t bit[] = {AUDIT_PERM_READ, AUDIT_PERM_WRITE,
				       AUDIT_PERM_EXEC, AUDIT_PERM_ATTR};
	uint32_t perm = 0;

	if (strspn(text, letters) != strlen(text))
		return number_or_die(b, text);
	for (; *text; text++)
		perm |= bit[strchr(letters, *text) - letters];
	return perm;
}

static uint32_t named(const struct builder *b, int (*lookup)(const char *),
		      const char *text)
{
	int n = strspn(text, "0123456789") ? -1 : lookup(text);

	return n != -1 ? (uint32_t)n : number_or_die(b, text);
}

static uint32_t exit_value(const struct builder *b, const char *text)
{
	const char *name = text + (*text == '-');
	int n = *name == 'E' ? audit_name_to_errno(name) : 0;

	if (n <= 0)
		return number_or_die(b, text);
	return (uint32_t)(*text == '-' ? -n : n);
}

static uint32_t value_of(struct builder *b, uint32_t field, const char *text)
{
	if (strcmp(text, "unset") == 0)
		return UINT32_MAX;
	switch (field) {
	case AUDIT_ARCH:
		return arch_value(b, text);
	case AUDIT_PERM:
		return perm_value(b, text);
	case AUDIT_EXIT:
		return exit_value(b, text);
	case AUDIT_FILETYPE:
		return named(b, audit_name_to_ftype, text);
	case AUDIT_MSGTYPE:
		return named(b, audit_name_to_msg_type, text);
	case AUDIT_FSTYPE:
		return named(b, audit_name_to_fstype, text);
	default:
		return number_or_die(b, text);
	}
}

static struct field_test *next_test(struct builder *b)
{
	if (b->rule->tests == TESTS_MAX)
		bad(b, "too many tests", b->spec);
	return &b->test[b->rule->tests++];
}

static const struct field_info *row(const struct builder *b, int number)
{
	const struct field_info *info =
		number < 0 ? NULL : field_by_number((uint32_t)number);

	if (!info)
		bad(b, "no such field", b->spec);
	return info;
}

static void add_test(struct builder *b, const char *name, enum field_op op,
		     const char *value)
{
	struct field_test *test = next_test(b);

	/* libaudit's table has no name for it: auditctl never sends it. */
	test->field = row(b, strcmp(name, "loginuid_set") == 0
				     ? AUDIT_LOGINUID_SET
				     : audit_name_to_field(name));
	test->op = op;
	if (test->field->is_string) {
		test->string = arena_strdup(b->arena, value);
		test->value = (uint32_t)strlen(value);
	} else {
		test->value = value_of(b, test->field->number, value);
	}
}

static const struct {
	const char *pair;
	uint32_t code;
} compare[] = {
	{"uid:obj_uid", AUDIT_COMPARE_UID_TO_OBJ_UID},
	{"gid:obj_gid", AUDIT_COMPARE_GID_TO_OBJ_GID},
	{"euid:obj_uid", AUDIT_COMPARE_EUID_TO_OBJ_UID},
	{"egid:obj_gid", AUDIT_COMPARE_EGID_TO_OBJ_GID},
	{"auid:obj_uid", AUDIT_COMPARE_AUID_TO_OBJ_UID},
	{"suid:obj_uid", AUDIT_COMPARE_SUID_TO_OBJ_UID},
	{"sgid:obj_gid", AUDIT_COMPARE_SGID_TO_OBJ_GID},
	{"fsuid:obj_uid", AUDIT_COMPARE_FSUID_TO_OBJ_UID},
	{"fsgid:obj_gid", AUDIT_COMPARE_FSGID_TO_OBJ_GID},
	{"uid:auid", AUDIT_COMPARE_UID_TO_AUID},
	{"uid:euid", AUDIT_COMPARE_UID_TO_EUID},
	{"uid:fsuid", AUDIT_COMPARE_UID_TO_FSUID},
	{"uid:suid", AUDIT_COMPARE_UID_TO_SUID},
	{"auid:fsuid", AUDIT_COMPARE_AUID_TO_FSUID},
	{"auid:suid", AUDIT_COMPARE_AUID_TO_SUID},
	{"auid:euid", AUDIT_COMPARE_AUID_TO_EUID},
	{"euid:suid", AUDIT_COMPARE_EUID_TO_SUID},
	{"euid:fsuid", AUDIT_COMPARE_EUID_TO_FSUID},
	{"suid:fsuid", AUDIT_COMPARE_SUID_TO_FSUID},
	{"gid:egid", AUDIT_COMPARE_GID_TO_EGID},
	{"gid:fsgid", AUDIT_COMPARE_GID_TO_FSGID},
	{"gid:sgid", AUDIT_COMPARE_GID_TO_SGID},
	{"egid:fsgid", AUDIT_COMPARE_EGID_TO_FSGID},
	{"egid:sgid", AUDIT_COMPARE_EGID_TO_SGID},
	{"sgid:fsgid", AUDIT_COMPARE_SGID_TO_FSGID},
};

static void add_compare(struct builder *b, const char *pair, enum field_op op)
{
	for (size_t i = 0; i < sizeof(compare) / sizeof(*compare); i++)
		if (strcmp(pair, compare[i].pair) == 0) {
			*next_test(b) = (struct field_test){
				.field = row(b, AUDIT_FIELD_COMPARE),
				.op = op,
				.value = compare[i].code,
			};
			return;
		}
	bad(b, "no such pair", pair);
}

/* Longer ones first. */
static const struct {
	const char *symbol;
	enum field_op op;
} operators[] = {
	{"!=", OP_NE}, {"<=", OP_LE}, {">=", OP_GE}, {"&=", OP_BIT_TEST},
	{"=", OP_EQ},  {"<", OP_LT},  {">", OP_GT},  {"&", OP_BIT_MASK},
};

static void word_of(struct builder *b, char *word)
{
	char *at = strpbrk(word, "!=<>&");

	if (!at) {
		if (!plain_word(b, word))
			bad(b, "unknown word", word);
		return;
	}
	for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++) {
		size_t length = strlen(operators[i].symbol);

		if (strncmp(at, operators[i].symbol, length))
			continue;
		*at = '\0';
		if (strchr(word, ':'))
			add_compare(b, word, operators[i].op);
		else if (operators[i].op != OP_EQ ||
			 !setting(b, word, at + length))
			add_test(b, word, operators[i].op, at + length);
		return;
	}
	bad(b, "unknown operator", word);
}

struct rule *mk_rule(struct arena *arena, const struct target *target,
		     const char *spec)
{
	struct builder *b = calloc(1, sizeof(*b));
	char *text = strdup(spec);
	struct rule *rule;
	char *save, *word;

	if (!b || !text)
		abort();
	b->arena = arena;
	b->target = target;
	b->spec = spec;
	rule = b->rule = arena_alloc(arena, sizeof(*rule));
	rule->filter = AUDIT_FILTER_EXIT;
	rule->action = AUDIT_ALWAYS;
	for (word = strtok_r(text, " ", &save); word;
	     word = strtok_r(NULL, " ", &save))
		word_of(b, word);
	if (!b->has_calls && rule->filter != AUDIT_FILTER_TASK)
		rule->mask = syscall_mask_all();
	rule->test = arena_copy(arena, b->test, rule->tests * sizeof(*b->test));
	free(text);
	free(b);
	return rule;
}

struct ruleset *mk_ruleset(struct arena *arena, const struct target *target,
			   const char *text)
{
	struct ruleset *set = ruleset_new(arena, target);
	char *copy = arena_strdup(arena, text);
	uint32_t number = 0;
	char *line;

	while ((line = strsep(&copy, "\n"))) {
		struct rule *rule;

		number++;
		if (!line[strspn(line, " \t")])
			continue;
		rule = mk_rule(arena, target, line);
		if (!rule->origin.count) {
			rule->origin.line =
				arena_copy(arena, &number, sizeof(number));
			rule->origin.count = 1;
		}
		ruleset_insert(set, set->count, rule);
	}
	return set;
}

const struct target *mk_target(const char *name)
{
	const struct target *target = target_by_name(name);

	if (!target) {
		fprintf(stderr, "mk_target: no target \"%s\"\n", name);
		abort();
	}
	return target;
}
