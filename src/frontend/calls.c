/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "frontend/calls.h"

#include <libaudit.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "frontend/perm_calls.h"
#include "model/syscall_set.h"

#define V AUDITCTL_VERSION

/* Operations of io_uring that have a name in lib/uringop_table.h, and from
 * which version on, up to which. Numbers are those of linux/io_uring.h. */
static const struct {
	const char *name;
	int number;
	unsigned int since, until;
} operations[] = {
	{"sendmsg", 9, V(3, 1, 0), 0},
	{"recvmsg", 10, V(3, 1, 0), 0},
	{"accept", 13, V(3, 1, 0), 0},
	{"connect", 16, V(3, 1, 0), 0},
	{"fallocate", 17, V(3, 1, 0), 0},
	{"openat", 18, V(3, 1, 0), 0},
	{"close", 19, V(3, 1, 0), 0},
	{"openat2", 28, V(3, 1, 0), 0},
	{"shutdown", 34, V(3, 1, 0), 0},
	{"renameat", 35, V(3, 1, 0), 0},
	{"unlinkat", 36, V(3, 1, 0), 0},
	{"mkdirat", 37, V(3, 1, 0), 0},
	{"symlinkat", 38, V(3, 1, 0), 0},
	{"linkat", 39, V(3, 1, 0), 0},
	{"msg_ring", 40, V(3, 1, 0), 0},
	{"fsetxattr", 41, V(3, 1, 0), 0},
	{"setxattr", 42, V(3, 1, 0), 0},
	{"fgetxattr", 43, V(3, 1, 0), 0},
	{"getxattr", 44, V(3, 1, 0), 0},
	{"uring_cmd", 46, V(3, 1, 0), 0},
	{"send_zc", 47, V(3, 1, 2), V(4, 0, 0)},
	{"sendmsg_zc", 48, V(3, 1, 0), 0},
	{"waitid", 50, V(4, 0, 0), 0},
	{"futex_wait", 51, V(4, 0, 0), 0},
	{"futex_wake", 52, V(4, 0, 0), 0},
	{"futex_waitv", 53, V(4, 0, 0), 0},
	{"fixed_fd_install", 54, V(4, 0, 4), 0},
	{"ftruncate", 55, V(4, 0, 4), 0},
	{"bind", 56, V(4, 0, 4), 0},
	{"listen", 57, V(4, 0, 4), 0},
	{"uring_cmd128", 64, V(4, 2, 0), 0},
};

/* "-S all" gives only operations below this (IORING_OP_LAST of libaudit.c). */
#define OPERATIONS_OF_ALL 37

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

void calls_add_all(struct audit_rule_data *rule)
{
	memset(rule->mask, 0xff, sizeof(rule->mask));
}

/* A number written with digits, as strtol() and int make of it; -1: none. */
static int written_number(const char *text)
{
	if (text[0] < '0' || text[0] > '9')
		return -1;
	return (int)strtol(text, NULL, 0);
}

/* The lists of -S */

static void add_number(struct builder *b, int number)
{
	b->rule->mask[number / 32] |= 1U << number % 32;
	syscall_mask_add(&b->called, number);
}

/* D says why NAME is not known, and what to do. */
static void note_unknown(struct builder *b, const char *name,
			 const struct diagnostic *d)
{
	struct unknown_call *call = arena_alloc(b->arena, sizeof(*call));

	call->name = name;
	call->why = d->advice ? arena_printf(b->arena, "%s (%s)", d->what,
					     d->advice)
			      : d->what;
	*b->unknown_end = call;
	b->unknown_end = &call->next;
}

/* The names that all -S of the line give. */
static const char *const *given_calls(struct builder *b)
{
	const struct command *c = b->command;
	const char **given;
	size_t room = 1, n = 0;

	for (size_t i = 0; i < c->options; i++)
		if (c->option[i].option == 'S')
			room += strlen(c->option[i].value) / 2 + 1;
	given = arena_array(b->arena, room, sizeof(*given));
	for (size_t i = 0; i < c->options; i++) {
		char *rest, *name;

		if (c->option[i].option != 'S')
			continue;
		rest = arena_strdup(b->arena, c->option[i].value);
		while ((name = strsep(&rest, ",")))
			if (*name)
				given[n++] = name;
	}
	return given;
}

static const struct diagnostic *tell_unknown(struct builder *b,
					     struct position at,
					     const char *name, const char *arch)
{
	const char *elsewhere, *near;
	struct diagnostic *d;

	if (lookup_young_call(name) >= 0) {
		d = builder_fault_part(b, "unknown-syscall", at,
				       "this libaudit does not know the system "
				       "call %s yet",
				       name);
		d->advice = arena_printf(b->arena,
					 "it is call %d: write the number",
					 lookup_young_call(name));
		return d;
	}
	if (written_number(name) >= SYSCALL_MASK_BITS)
		return builder_fault_part(b, "unknown-syscall", at,
					  "%s is past the last call that a "
					  "rule can hold, %d",
					  name, SYSCALL_MASK_BITS - 1);
	near = lookup_nearest_call(b->lookup, audit_elf_to_machine(b->elf),
				   name, given_calls(b), &elsewhere);
	d = builder_fault_part(b, "unknown-syscall", at,
			       "\"%s\" is no system call of %s%s%s%s", name,
			       arch, elsewhere ? " (it is one of " : "",
			       elsewhere ? elsewhere : "",
			       elsewhere ? ")" : "");
	if (near && elsewhere)
		d->advice = arena_printf(b->arena, "on %s the call is %s", arch,
					 near);
	else if (near)
		d->advice = builder_suggest(b, near);
	else if (elsewhere)
		d->advice = arena_printf(b->arena,
					 "leave %s out of the rules for %s",
					 name, arch);
	else
		d->advice = arena_printf(
			b->arena,
			"leave %s out, or give its number if the linked "
			"libaudit is too old to know it",
			name);
	return d;
}

static void add_call(struct builder *b, const char *name, struct position at)
{
	const char *arch;
	int number;

	if (strcmp(name, "all") == 0) {
		calls_add_all(b->rule);
		memset(&b->called, 0xff, sizeof(b->called));
		return;
	}
	number = audit_name_to_syscall(name, audit_elf_to_machine(b->elf));
	if (number < 0)
		number = written_number(name);
	if (number >= 0 && number < SYSCALL_MASK_BITS) {
		add_number(b, number);
		return;
	}
	arch = lookup_arch_name(b->lookup, b->elf);
	note_unknown(b, name, tell_unknown(b, at, name, arch));
}

static int operation_number(const struct builder *b, const char *name)
{
	for (size_t i = 0; i < COUNT(operations); i++)
		if (strcasecmp(operations[i].name, name) == 0 &&
		    b->options->auditctl_version >= operations[i].since &&
		    (!operations[i].until ||
		     b->options->auditctl_version < operations[i].until))
			return operations[i].number;
	return -1;
}

static const char *candidate_operation(size_t i, void *data)
{
	(void)data;
	return i < COUNT(operations) ? operations[i].name : NULL;
}

static void add_operation(struct builder *b, const char *name,
			  struct position at)
{
	struct diagnostic *d;
	int number;

	if (strcmp(name, "all") == 0) {
		for (size_t i = 0; i < COUNT(operations); i++)
			if (operations[i].number < OPERATIONS_OF_ALL)
				add_number(b, operations[i].number);
		return;
	}
	number = operation_number(b, name);
	if (number < 0)
		number = written_number(name);
	if (number >= 0 && number < SYSCALL_MASK_BITS) {
		add_number(b, number);
		return;
	}
	d = builder_fault_part(b, "unknown-operation", at,
			       "\"%s\" is no io_uring operation that this "
			       "auditctl can name",
			       name);
	d->advice = builder_suggest(
		b, nearest_name(name, candidate_operation, NULL));
	note_unknown(b, name, d);
}

/* strtok(",") over the value; an empty list has no calls, and is accepted. */
static void each_in_list(struct builder *b, const struct option_word *word,
			 void (*add)(struct builder *b, const char *name,
				     struct position at))
{
	const char *text = word->value;

	while (*text) {
		size_t length = strcspn(text, ",");

		if (length)
			add(b, arena_strndup(b->arena, text, length),
			    option_value_part(b->input, word,
					      (size_t)(text - word->value),
					      length));
		text += length + (text[length] == ',');
	}
}

void calls_add(struct builder *b, const struct option_word *word)
{
	each_in_list(b, word, add_call);
}

void calls_add_operations(struct builder *b, const struct option_word *word)
{
	if (word->value[strspn(word->value, ",")] == 0)
		builder_fault(b, "unknown-operation", word->value_at,
			      "\"%s\" holds no operation", word->value);
	else
		each_in_list(b, word, add_operation);
}

/* What perm adds */

const char *calls_add_perm(struct builder *b, uint32_t perm)
{
	const char *missing;
	struct syscall_mask mask;
	unsigned int added;

	memcpy(mask.word, b->rule->mask, sizeof(mask.word));
	added = perm_calls_add(&mask, perm, audit_elf_to_machine(b->elf),
			       b->options->auditctl_version, &missing);
	memcpy(b->rule->mask, mask.word, sizeof(mask.word));

	/* A list of which nothing is left is used unfiltered, and fails. */
	if (added && builder_behaves(b, BEHAVES_PERM_SKIPS_CALLS))
		return NULL;
	return missing;
}
