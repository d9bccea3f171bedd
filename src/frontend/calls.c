/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "frontend/calls.h"

#include <libaudit.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/perm.h"
#include "model/syscall_set.h"

#define V AUDITCTL_VERSION
#define R AUDIT_PERM_READ
#define W AUDIT_PERM_WRITE
#define X AUDIT_PERM_EXEC
#define A AUDIT_PERM_ATTR

/* What libaudit adds for a permission, from lib/permtab.h of every release: a
 * call, for which permissions, and since which version. NUMBER is that of calls
 * that the linked libaudit may be too old to know; they have the same on all
 * machines. */
static const struct perm_call {
	const char *name;
	uint32_t perm;
	unsigned int since;
	int number;
} perm_calls[] = {
	{"open", R | W, V(3, 1, 3), 0},
	{"openat", R | W, V(3, 1, 3), 0},
	{"openat2", R | W, V(3, 1, 3), 437},
	{"quotactl", R | W, V(3, 1, 3), 0},
	{"link", W | A, V(3, 1, 3), 0},
	{"linkat", W | A, V(3, 1, 3), 0},
	{"acct", W, V(3, 1, 3), 0},
	{"bind", W, V(3, 1, 3), 0},
	{"creat", W, V(3, 1, 3), 0},
	{"fallocate", W, V(3, 1, 3), 0},
	{"ftruncate", W, V(3, 1, 3), 0},
	{"mkdir", W, V(3, 1, 3), 0},
	{"mkdirat", W, V(3, 1, 3), 0},
	{"mknod", W, V(3, 1, 3), 0},
	{"mknodat", W, V(3, 1, 3), 0},
	{"rename", W, V(3, 1, 3), 0},
	{"renameat", W, V(3, 1, 3), 0},
	{"renameat2", W, V(3, 1, 3), 0},
	{"rmdir", W, V(3, 1, 3), 0},
	{"swapon", W, V(3, 1, 3), 0},
	{"symlink", W, V(3, 1, 3), 0},
	{"symlinkat", W, V(3, 1, 3), 0},
	{"truncate", W, V(3, 1, 3), 0},
	{"unlink", W, V(3, 1, 3), 0},
	{"unlinkat", W, V(3, 1, 3), 0},
	{"quotactl_fd", W, V(4, 1, 2), 443},
	{"fgetxattr", R, V(3, 1, 3), 0},
	{"flistxattr", R, V(3, 1, 3), 0},
	{"getxattr", R, V(3, 1, 3), 0},
	{"lgetxattr", R, V(3, 1, 3), 0},
	{"listxattr", R, V(3, 1, 3), 0},
	{"llistxattr", R, V(3, 1, 3), 0},
	{"readlink", R, V(3, 1, 3), 0},
	{"readlinkat", R, V(3, 1, 3), 0},
	{"getxattrat", R, V(4, 0, 4), 464},
	{"listxattrat", R, V(4, 0, 4), 465},
	{"file_getattr", R, V(4, 1, 2), 468},
	{"fstat", R, V(4, 2, 0), 0},
	{"lstat", R, V(4, 2, 0), 0},
	{"newfstatat", R, V(4, 2, 0), 0},
	{"quotactl_fd", R, V(4, 2, 0), 443},
	{"stat", R, V(4, 2, 0), 0},
	{"statx", R, V(4, 2, 0), 0},
	{"execve", X, V(3, 1, 3), 0},
	{"execveat", X, V(4, 2, 0), 0},
	{"chmod", A, V(3, 1, 3), 0},
	{"chown", A, V(3, 1, 3), 0},
	{"fchmod", A, V(3, 1, 3), 0},
	{"fchmodat", A, V(3, 1, 3), 0},
	{"fchown", A, V(3, 1, 3), 0},
	{"fchownat", A, V(3, 1, 3), 0},
	{"fremovexattr", A, V(3, 1, 3), 0},
	{"fsetxattr", A, V(3, 1, 3), 0},
	{"lchown", A, V(3, 1, 3), 0},
	{"lremovexattr", A, V(3, 1, 3), 0},
	{"lsetxattr", A, V(3, 1, 3), 0},
	{"removexattr", A, V(3, 1, 3), 0},
	{"setxattr", A, V(3, 1, 3), 0},
	{"removexattrat", A, V(4, 0, 4), 466},
	{"setxattrat", A, V(4, 0, 4), 463},
	{"fchmodat2", A, V(4, 1, 2), 452},
	{"file_setattr", A, V(4, 1, 2), 469},
};

#define FIRST_LIST V(3, 1, 3)

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

static void mask_set(uint32_t *mask, int number)
{
	mask[number / 32] |= 1U << number % 32;
}

static bool mask_has(const uint32_t *mask, int number)
{
	return mask[number / 32] >> number % 32 & 1;
}

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
	mask_set(b->rule->mask, number);
	mask_set(b->called, number);
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
		memset(b->called, 0xff, sizeof(b->called));
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

static int perm_call_number(const struct perm_call *call, int machine)
{
	int number = audit_name_to_syscall(call->name, machine);

	return number < 0 && call->number ? call->number : number;
}

/* Adds to MASK what auditctl VERSION adds for PERM; a call that the machine
 * lacks is skipped, and named in *MISSING. How many were added. */
static unsigned int add_perm_calls(uint32_t *mask, uint32_t perm, int machine,
				   unsigned int version, const char **missing)
{
	unsigned int added = 0;

	*missing = NULL;
	for (size_t i = 0; i < COUNT(perm_calls); i++) {
		const struct perm_call *call = &perm_calls[i];
		int number;

		if (!(call->perm & perm) || call->since > version)
			continue;
		number = perm_call_number(call, machine);
		if (number < 0) {
			*missing = call->name;
			continue;
		}
		mask_set(mask, number);
		added++;
	}
	return added;
}

const char *calls_add_perm(struct builder *b, uint32_t perm)
{
	const char *missing;
	unsigned int added = add_perm_calls(
		b->rule->mask, perm, audit_elf_to_machine(b->elf),
		b->options->auditctl_version, &missing);

	/* A list of which nothing is left is used unfiltered, and fails. */
	if (added && builder_behaves(b, BEHAVES_PERM_SKIPS_CALLS))
		return NULL;
	return missing;
}

/* Warnings */

#define NAMES_SHOWN 8

/* The name of a call; that of one too new for the linked libaudit is known from
 * perm's list, or is its number. */
static const char *call_name(struct builder *b, enum abi abi, int number)
{
	const char *name = target_call_name(b->options->target, abi, number);

	for (size_t i = 0; !name && i < COUNT(perm_calls); i++)
		if (perm_calls[i].number == number)
			name = perm_calls[i].name;
	return name ? name : arena_printf(b->arena, "%d", number);
}

/* "a, b, c and 4 more" */
static const char *name_calls(struct builder *b, enum abi abi,
			      const struct syscall_mask *mask)
{
	const char *text = "";
	unsigned int shown = 0, more = 0;

	for (int n = syscall_mask_next(mask, 0); n >= 0;
	     n = syscall_mask_next(mask, n + 1)) {
		if (shown == NAMES_SHOWN)
			more++;
		else
			text = arena_printf(b->arena, "%s%s%s", text,
					    shown++ ? ", " : "",
					    call_name(b, abi, n));
	}
	if (more)
		text = arena_printf(b->arena, "%s and %u more", text, more);
	return text;
}

/* The calls of ABI that the newest kernel lets through PERM. */
static const struct syscall_mask *kernel_perm_calls(struct builder *b,
						    enum abi abi, uint32_t perm)
{
	struct syscall_mask **mask = &b->perm_calls[abi][perm & 15];

	if (*mask)
		return *mask;
	*mask = arena_alloc(b->arena, sizeof(**mask));
	for (int n = 0; n < SYSCALL_MASK_CALLS; n++)
		for (uint64_t flags = 0; flags < 3; flags++) {
			/* The open calls have their flags in different places;
			 * socketcall's first argument 2 is bind. */
			const uint64_t argv[4] = {2, flags, flags, flags};

			if (perm_match(b->options->target, abi, n, argv, flags,
				       perm))
				syscall_mask_add(*mask, n);
		}
	return *mask;
}

/* Every perm field of the rule lets through these. */
static void rule_perm_calls(struct builder *b, enum abi abi,
			    struct syscall_mask *mask)
{
	*mask = syscall_mask_all();
	for (unsigned int i = 0; i < b->rule->field_count; i++)
		if (b->rule->fields[i] == AUDIT_PERM)
			syscall_mask_intersect(
				mask,
				kernel_perm_calls(b, abi, b->rule->values[i]));
}

/* The calls that -S gave and perm lets through, in both ABIs. */
static struct syscall_set matched_calls(struct builder *b)
{
	struct syscall_set calls;
	struct syscall_mask called;

	memcpy(called.word, b->called, sizeof(called.word));
	for (int abi = 0; abi < ABI_COUNT; abi++) {
		rule_perm_calls(b, abi, &calls.abi[abi]);
		syscall_mask_intersect(&calls.abi[abi], &called);
	}
	return calls;
}

/* Fills CAUGHT with the calls of the other ABI that have the numbers of the
 * rule but not its names, MISSED with those that have the names but not the
 * numbers. */
static void cross_abi(struct builder *b, struct syscall_mask *caught,
		      struct syscall_mask *missed)
{
	const struct target *target = b->options->target;
	struct syscall_set calls = matched_calls(b);

	for (int n = 0; n < SYSCALL_MASK_CALLS; n++) {
		const char *name = NULL, *other = NULL;

		if (syscall_set_has(&calls, ABI_NATIVE, n))
			name = target_call_name(target, ABI_NATIVE, n);
		if (syscall_set_has(&calls, ABI_COMPAT, n))
			other = target_call_name(target, ABI_COMPAT, n);
		if (other && !syscall_set_has(&calls, ABI_NATIVE,
					      target_call_number(
						      target, ABI_NATIVE,
						      other)))
			syscall_mask_add(caught, n);
		if (name) {
			int same = target_call_number(target, ABI_COMPAT, name);

			if (same >= 0 && !mask_has(b->called, same))
				syscall_mask_add(missed, same);
		}
	}
}

static bool only_numbers(const char *list)
{
	return list[strspn(list, "0123456789,")] == '\0';
}

/* Whoever writes numbers alone means the numbers. */
static bool all_by_number(const struct command *c)
{
	for (size_t i = 0; i < c->options; i++)
		if (c->option[i].option == 'S' &&
		    !only_numbers(c->option[i].value))
			return false;
	return true;
}

/* Is LIST the number of the lowest call of the rule and of that alone? */
static bool is_lowest_call(const struct builder *b, const char *list)
{
	char *end;
	long n = strtol(list, &end, 10);

	if (end == list || *end || n >= SYSCALL_MASK_CALLS ||
	    !mask_has(b->called, (int)n))
		return false;
	while (--n >= 0)
		if (mask_has(b->called, (int)n))
			return false;
	return true;
}

/* Does the first -S hold the lowest number alone, or numbers of calls that the
 * rule can match in the other ABI alone? Who writes that before names knows of
 * both; so does emit/calls_text.c. */
static bool knows_other_abi(struct builder *b)
{
	const struct target *target = b->options->target;
	struct syscall_set calls = matched_calls(b);
	const char *list = b->call_word->value;

	if (!only_numbers(list))
		return false;
	if (is_lowest_call(b, list))
		return true;
	for (list += strspn(list, ","); *list; list += strspn(list, ",")) {
		char *end;
		long n = strtol(list, &end, 10);

		if (n >= SYSCALL_MASK_CALLS ||
		    !syscall_set_has(&calls, ABI_COMPAT, (int)n) ||
		    !target_call_name(target, ABI_COMPAT, (int)n) ||
		    (syscall_set_has(&calls, ABI_NATIVE, (int)n) &&
		     target_call_name(target, ABI_NATIVE, (int)n)))
			return false;
		list = end;
	}
	return true;
}

void calls_warn_no_arch(struct builder *b)
{
	const struct target *target = b->options->target;
	struct syscall_mask caught = {{0}}, missed = {{0}};
	const char *what;

	if (!b->elf_assumed || mask_has(b->called, SYSCALL_MASK_BITS - 1) ||
	    !target_has_abi(target, ABI_COMPAT) ||
	    all_by_number(b->command) || knows_other_abi(b))
		return;
	cross_abi(b, &caught, &missed);
	if (syscall_mask_empty(&caught) && syscall_mask_empty(&missed))
		return;
	what = arena_printf(b->arena,
			    "without arch the rule goes by the numbers of %s",
			    target->abi[ABI_NATIVE].name);
	if (!syscall_mask_empty(&caught))
		what = arena_printf(b->arena,
				    "%s: of %s programs it also "
				    "catches %s",
				    what, target->abi[ABI_COMPAT].name,
				    name_calls(b, ABI_COMPAT, &caught));
	if (!syscall_mask_empty(&missed))
		what = arena_printf(b->arena, "%s%s misses their %s", what,
				    syscall_mask_empty(&caught)
					    ? ": of 32-bit programs it"
					    : ", and",
				    name_calls(b, ABI_COMPAT, &missed));
	builder_warn(b, "missing-arch", b->call_word->value_at, "%s", what)
		->advice = "write the rule twice, with -F arch=b64 and "
			   "-F arch=b32 before -S";
}

static void warn_added(struct builder *b, enum abi abi,
		       const struct syscall_mask *more)
{
	bool adds = builder_behaves(b, BEHAVES_PERM_ADDS_CALLS);
	struct diagnostic *d = builder_warn(
		b, "perm-adds-calls", b->perm_word->value_at,
		"since audit 3.1.3 perm behind arch adds calls to the rule, "
		"before it does not: here %s",
		name_calls(b, abi, more));

	d->auditctl = adds ? "this auditctl adds them"
			   : "this auditctl does not add them";
	d->advice = "write perm before arch, then no version adds any; "
		    "--auditctl=VERSION says which meaning is read here";
}

/* Once for each ABI and permission: a rule set has many such rules. */
static void warn_lost(struct builder *b, enum abi abi, unsigned int version,
		      const struct syscall_mask *less)
{
	bool adds = builder_behaves(b, BEHAVES_PERM_ADDS_CALLS);
	struct lost_calls *lost = &b->lost[abi][b->perm_adding];
	struct diagnostic *d;

	if (lost->rules++) {
		lost->told->what = arena_printf(b->arena,
						"%s (here and in %u more "
						"rule%s)",
						lost->what, lost->rules - 1,
						lost->rules == 2 ? "" : "s");
		return;
	}
	d = builder_warn(
		b, "perm-loses-calls", b->perm_word->value_at,
		"since audit 3.1.3 perm behind arch stands for "
		"libaudit's own list of calls, which in %u.%u.%u lacks "
		"%s",
		version / 10000, version / 100 % 100, version % 100,
		name_calls(b, abi, less));
	lost->told = d;
	lost->what = d->what;
	if (!adds)
		d->severity = DIAG_NOTE;
	d->auditctl = adds ? "this auditctl makes a rule without them"
			   : "this auditctl makes a rule with them; newer ones "
			     "do not";
	d->advice = "write perm before arch: then every version means all "
		    "calls of that permission";
}

void calls_warn_perm(struct builder *b)
{
	int abi = target_abi_of_elf(b->options->target, b->elf);
	unsigned int version = b->options->auditctl_version;
	struct syscall_mask through, with = {{0}}, without = {{0}};
	const char *missing;

	if (!b->perm_adding || b->watch_form || abi < 0)
		return;
	if (!builder_behaves(b, BEHAVES_PERM_ADDS_CALLS))
		version = FIRST_LIST;
	rule_perm_calls(b, abi, &through);
	memcpy(with.word, b->called, sizeof(with.word));
	add_perm_calls(with.word, b->perm_adding, audit_elf_to_machine(b->elf),
		       version, &missing);
	if (b->call_word)
		memcpy(without.word, b->called, sizeof(without.word));
	else
		without = syscall_mask_all();
	syscall_mask_intersect(&with, &through);
	syscall_mask_intersect(&without, &through);
	if (syscall_mask_equal(&with, &without))
		return;
	if (syscall_mask_subset(&without, &with)) {
		syscall_mask_subtract(&with, &without);
		warn_added(b, abi, &with);
	} else {
		syscall_mask_subtract(&without, &with);
		warn_lost(b, abi, version, &without);
	}
}
