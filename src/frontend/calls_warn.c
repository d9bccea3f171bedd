/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is told of the calls of a rule, which auditctl takes without a word. */
#include "frontend/calls.h"

#include <libaudit.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/perm_calls.h"
#include "model/perm.h"

#define NAMES_SHOWN 8

/* The name of a call; that of one too new for the linked libaudit is known from
 * perm's list, or is its number. */
static const char *call_name(struct builder *b, enum abi abi, int number)
{
	const char *name = target_call_name(b->options->target, abi, number);

	if (!name)
		name = perm_call_name(number);
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

	for (int abi = 0; abi < ABI_COUNT; abi++) {
		rule_perm_calls(b, abi, &calls.abi[abi]);
		syscall_mask_intersect(&calls.abi[abi], &b->called);
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
		if (other &&
		    !syscall_set_has(
			    &calls, ABI_NATIVE,
			    target_call_number(target, ABI_NATIVE, other)))
			syscall_mask_add(caught, n);
		if (name) {
			int same = target_call_number(target, ABI_COMPAT, name);

			if (same >= 0 && !syscall_mask_has(&b->called, same))
				syscall_mask_add(missed, same);
		}
	}
}

static bool only_numbers(const char *list)
{
	return list[strspn(list, "0123456789,")] == '\0';
}

bool calls_by_number(const struct builder *b)
{
	return b->call_word && only_numbers(b->call_word->value);
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
	    !syscall_mask_has(&b->called, (int)n))
		return false;
	while (--n >= 0)
		if (syscall_mask_has(&b->called, (int)n))
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

	if (!b->elf_assumed ||
	    syscall_mask_has(&b->called, SYSCALL_MASK_BITS - 1) ||
	    !target_has_abi(target, ABI_COMPAT) || all_by_number(b->command) ||
	    knows_other_abi(b))
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
		"libaudit's own list of calls, which in %s lacks "
		"%s",
		auditctl_version_text(b->arena, version),
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
	struct syscall_mask through, with = b->called, without = b->called;
	const char *missing;

	if (!b->perm_adding || b->watch_form || abi < 0)
		return;
	if (!builder_behaves(b, BEHAVES_PERM_ADDS_CALLS))
		version = auditctl_behaves_since(BEHAVES_PERM_ADDS_CALLS);
	rule_perm_calls(b, abi, &through);
	perm_calls_add(&with, b->perm_adding, audit_elf_to_machine(b->elf),
		       version, &missing);
	if (!b->call_word)
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
