/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a rule has no arch, auditctl looks names up in the native table, and it
 * warns of "32/64 bit syscall mismatch" if a -S with which the ABI becomes
 * known gives other calls by the other table (check_rule_mismatch). It does so
 * for the first -S of a rule alone. Rules that are meant by number, for both
 * ABIs, are written so that it need not: the first -S holds numbers alone, of
 * calls that the rule can match on the other ABI only, whose native names would
 * mislead; where there are none, that of the first call, which is named all the
 * same. The names follow in a second -S. A rule of the user's own that the
 * warning is right about keeps it, if its text has it.
 */
#include "emit/calls_text.h"

#include <libaudit.h>
#include <stdio.h>
#include <string.h>
#include <utstring.h>

/* What auditctl's linked library of 3.0.9 has no name for though a later one
 * has: such a name would end the load there. */
struct newer_names {
	int machine;
	int first, last;
};

static const struct newer_names newer_calls[] = {
	{MACH_86_64, 335, 336}, /* uretprobe, uprobe */
	{MACH_PPC, 0, 0},	/* restart_syscall */
	{MACH_PPC, 256, 261},	/* mbind ... */
	{MACH_PPC64, 0, 0},	{MACH_PPC64, 256, 261},
	{MACH_PPC64LE, 0, 0},	{MACH_PPC64LE, 256, 261},
	{MACH_S390, 7, 7},	{MACH_S390, 110, 110},
	{MACH_S390, 268, 270},	{MACH_S390, 287, 287},
	{MACH_S390, 310, 310},	{MACH_S390, 378, 378},
	{MACH_S390, 392, 423},	{MACH_S390, 447, 447},
	{MACH_S390X, 7, 7},	{MACH_S390X, 110, 110},
	{MACH_S390X, 220, 220}, {MACH_S390X, 268, 270},
	{MACH_S390X, 287, 287}, {MACH_S390X, 310, 310},
	{MACH_S390X, 378, 378}, {MACH_S390X, 392, 402},
	{MACH_S390X, 447, 447}, {MACH_ARM, 335, 336},
	{MACH_ARM, 346, 346},
};
/* cachestat, the first call that came after 3.0.9; all machines alike. */
#define FIRST_NEWER_CALL 451

static bool newer_call(int machine, int number)
{
	if (number >= FIRST_NEWER_CALL)
		return true;
	for (size_t i = 0; i < sizeof(newer_calls) / sizeof(newer_calls[0]);
	     i++) {
		if (newer_calls[i].machine == machine &&
		    number >= newer_calls[i].first &&
		    number <= newer_calls[i].last)
			return true;
	}
	return false;
}

const char *calls_text_name(const struct target *target, int abi, int number)
{
	const char *name;

	if (abi < 0 || newer_call(target->abi[abi].machine, number))
		return NULL;
	name = target_call_name(target, abi, number);
	if (!name || !*name || target_call_number(target, abi, name) != number)
		return NULL;
	return name;
}

/* The ABI whose names -S takes: that of the last arch, else the machine's own
 * (setopt). -1: numbers only. Behind `arch!=` the names that auditctl would
 * take are those of the ABI that the rule is not for. */
static int abi_of_names(const struct target *target, const struct rule *rule)
{
	int abi = ABI_NATIVE;

	if (rule->filter != AUDIT_FILTER_EXIT)
		return -1;
	for (unsigned int i = 0; i < rule->tests; i++) {
		const struct field_test *test = &rule->test[i];

		if (test->field->kind == FIELD_ARCH)
			abi = test->op == OP_EQ
				      ? target_abi_of_elf(target, test->value)
				      : -1;
	}
	return abi;
}

static bool has_test(const struct rule *rule, enum field_kind kind)
{
	for (unsigned int i = 0; i < rule->tests; i++)
		if (rule->test[i].field->kind == kind)
			return true;
	return false;
}

/* Has the name of call N another number in the other table, or none? Or has the
 * number a name there alone? */
static bool is_misread(const struct target *target, int n)
{
	const char *name = calls_text_name(target, ABI_NATIVE, n);

	if (name)
		return target_call_number(target, ABI_COMPAT, name) != n;
	return !target_call_name(target, ABI_NATIVE, n) &&
	       target_call_name(target, ABI_COMPAT, n);
}

/* A rule stands for calls of the other ABI by their numbers if it was made of
 * one for each ABI, which perm tells apart, or may end the walk for both.
 * Where there are none, auditctl warns all the same. */
struct calls_text calls_text_of(const struct target *target,
				const struct rule *rule, bool native_only)
{
	struct calls_text text = {.abi = abi_of_names(target, rule)};
	const struct syscall_mask *mask = &rule->mask;

	if (text.abi != ABI_NATIVE || has_test(rule, FIELD_ARCH) ||
	    !target_has_abi(target, ABI_COMPAT))
		return text;
	if (!native_only && has_test(rule, FIELD_PERM)) {
		text.other = other_abi_of(target, rule);
		mask = &text.other.both;
	} else if (!native_only && !rule->by_number &&
		   (rule->action != AUDIT_NEVER || rule->key)) {
		return text;
	}
	for (int n = syscall_mask_next(mask, 0); n >= 0;
	     n = syscall_mask_next(mask, n + 1))
		if (is_misread(target, n))
			syscall_mask_add(&text.misread, n);
	return text;
}

/* The numbers of the wire mask: calls, and classes where they are asked for. */
static struct syscall_mask wire_numbers(const struct rule *rule)
{
	struct syscall_mask mask = rule->mask;

	for (int i = 0; i < SYSCALL_MASK_BITS - SYSCALL_MASK_CALLS; i++) {
		if (rule->mask_classes & (1u << i))
			syscall_mask_add(&mask, SYSCALL_MASK_BITS - 1 - i);
	}
	return mask;
}

/* The two lists of a line that is being filled. */
struct lists {
	const struct calls_text *how;
	UT_string other, names;
	int first;    /* the number of the first call in NAMES */
	bool misread; /* would auditctl warn of the names? */
	bool named;   /* is there a name? */
};

static void put_word(UT_string *list, const char *word)
{
	if (utstring_len(list))
		utstring_bincpy(list, ",", 1);
	utstring_bincpy(list, word, strlen(word));
}

/* NAME: that of call N, or NULL. */
static void put_call(struct lists *lists, const char *name, int n)
{
	bool alone = syscall_mask_has(&lists->how->other.alone, n);
	char number[16];

	if (alone || !name)
		snprintf(number, sizeof(number), "%d", n);
	if (!alone && !utstring_len(&lists->names))
		lists->first = n;
	put_word(alone ? &lists->other : &lists->names,
		 name && !alone ? name : number);
	lists->misread =
		lists->misread || syscall_mask_has(&lists->how->misread, n);
	lists->named = lists->named || (name && !alone);
}

/* Bytes of the line, at most: there is a comma more for each list than there
 * may be, and a number for where one must be first. */
static size_t length_of(const struct lists *lists)
{
	return strlen(" -S ,") + utstring_len(&lists->other) + strlen(" -S ,") +
	       utstring_len(&lists->names) + strlen("2047");
}

/* What is in the lists, which are empty then. An empty list is one without a
 * name in it: setopt() takes it for calls that were given, where no -S at all
 * would mean every call. */
static char *take_lists(struct arena *arena, struct lists *lists)
{
	const char *other = utstring_body(&lists->other);
	const char *names = utstring_body(&lists->names);
	char *text;

	if (*other && *names)
		text = arena_printf(arena, " -S %s -S %s", other, names);
	else if (lists->named && lists->misread)
		text = arena_printf(arena, " -S %d -S %s", lists->first, names);
	else
		text = arena_printf(arena, " -S %s",
				    *other   ? other
				    : *names ? names
					     : ",");
	utstring_clear(&lists->other);
	utstring_clear(&lists->names);
	lists->misread = lists->named = false;
	return text;
}

static char **add_text(struct arena *arena, char **text, size_t *count,
		       char *more)
{
	char **grown = arena_array(arena, *count + 1, sizeof(*grown));

	if (*count)
		memcpy(grown, text, *count * sizeof(*grown));
	grown[(*count)++] = more;
	return grown;
}

char **calls_text_lists(struct arena *arena, const struct target *target,
			const struct rule *rule, const struct calls_text *how,
			size_t room, size_t *count)
{
	struct syscall_mask mask = wire_numbers(rule);
	struct lists lists = {.how = how};
	char **text = NULL;
	bool filled = false;

	*count = 0;
	utstring_init(&lists.other);
	utstring_init(&lists.names);
	for (int n = syscall_mask_next(&mask, 0); n >= 0;
	     n = syscall_mask_next(&mask, n + 1)) {
		const char *name = calls_text_name(target, how->abi, n);
		size_t more = name ? strlen(name) : strlen("2047");

		if (filled && length_of(&lists) + more > room)
			text = add_text(arena, text, count,
					take_lists(arena, &lists));
		put_call(&lists, name, n);
		filled = true;
	}
	text = add_text(arena, text, count, take_lists(arena, &lists));
	utstring_done(&lists.other);
	utstring_done(&lists.names);
	return text;
}
