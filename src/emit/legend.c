/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/legend.h"

#include <libaudit.h>

static bool has_call_list(const struct rule *rule)
{
	struct syscall_mask all = syscall_mask_all();

	return rule->filter == AUDIT_FILTER_EXIT &&
	       !syscall_mask_subset(&all, &rule->mask);
}

/* The numbers that stand among the native names. */
static void note_numbers(struct legend *legend, const struct target *target,
			 const struct rule *rule,
			 const struct syscall_mask *alone)
{
	struct syscall_mask mask = rule->mask;

	syscall_mask_subtract(&mask, alone);
	for (int n = syscall_mask_next(&mask, 0); n >= 0;
	     n = syscall_mask_next(&mask, n + 1))
		if (!target_call_name(target, ABI_NATIVE, n))
			legend->unborn = legend->unborn ||
					 rule_test_of(rule, FIELD_PERM);
		else if (!calls_text_name(target, ABI_NATIVE, n))
			syscall_mask_add(&legend->unnamed, n);
}

/* A call of RULE that sends signals and that its perm never lets through
 * (audit_match_perm): such a one is there for audit_signals. */
static void note_signal(struct legend *legend, const struct target *target,
			const struct rule *rule)
{
	static const char *const names[] = {"kill", "tgkill", "tkill"};

	if (!rule_test_of(rule, FIELD_PERM))
		return;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		int number = target_call_number(target, ABI_NATIVE, names[i]);

		if (number >= 0 && syscall_mask_has(&rule->mask, number))
			legend->signal = names[i];
	}
}

void legend_note(struct legend *legend, const struct target *target,
		 const struct rule *rule)
{
	struct calls_text text;

	if (!has_call_list(rule))
		return;
	text = calls_text_of(target, rule, legend->native_only);
	legend->both_abis += !syscall_mask_empty(&text.other.alone) ||
			     !syscall_mask_empty(&text.other.both);
	syscall_mask_unite(&legend->other.alone, &text.other.alone);
	syscall_mask_unite(&legend->other.both, &text.other.both);
	if ((legend->native_only || !rule_test_of(rule, FIELD_PERM)) &&
	    !syscall_mask_empty(&text.misread)) {
		legend->number_first = true;
		legend->number_logs |= rule->action == AUDIT_ALWAYS;
	}
	if (text.abi == ABI_NATIVE) {
		note_numbers(legend, target, rule, &text.other.alone);
		note_signal(legend, target, rule);
	}
}

/* "b32", or the ABI's name where auditctl has no such word for it. */
static const char *abi_word(const struct target *target, enum abi abi)
{
	const struct abi_info *info = &target->abi[abi];

	return info->bits ? info->bits : info->name;
}

/* "open (5), creat (8)"; calls without a name are left out. */
static const char *list_calls(struct arena *arena, const struct target *target,
			      enum abi abi, const struct syscall_mask *mask)
{
	const char *text = "", *comma = "";

	for (int n = syscall_mask_next(mask, 0); n >= 0;
	     n = syscall_mask_next(mask, n + 1)) {
		const char *name = target_call_name(target, abi, n);

		if (!name)
			continue;
		text = arena_printf(arena, "%s%s%s (%d)", text, comma, name, n);
		comma = ", ";
	}
	return text;
}

/* "creat is readlink, unlink is swapon". */
static const char *list_pairs(struct arena *arena, const struct target *target,
			      const struct syscall_mask *mask)
{
	const char *text = "", *comma = "";

	for (int n = syscall_mask_next(mask, 0); n >= 0;
	     n = syscall_mask_next(mask, n + 1)) {
		text = arena_printf(arena, "%s%s%s is %s", text, comma,
				    target_call_name(target, ABI_NATIVE, n),
				    target_call_name(target, ABI_COMPAT, n));
		comma = ", ";
	}
	return text;
}

/* Of rules with perm that are for both ABIs: that they always were, and what
 * their numbers are elsewhere. */
static const char *both_text(struct arena *arena, const struct target *target,
			     const struct legend *legend)
{
	const struct other_abi *other = &legend->other;
	const char *here = abi_word(target, ABI_NATIVE);
	const char *there = abi_word(target, ABI_COMPAT);
	bool one = legend->both_abis == 1;
	const char *text = arena_printf(
		arena,
		"The %s below with -S and perm but without arch mean%s what "
		"-w and rules without arch always meant: calls of %s and of "
		"%s, by number. Names are those of %s.\n",
		one ? "rule"
		    : arena_printf(arena, "%zu rules", legend->both_abis),
		one ? "s" : "", here, there, here);

	if (!syscall_mask_empty(&other->alone))
		text = arena_printf(
			arena,
			"%sNumbers before the names are calls of %s alone: "
			"%s.\n",
			text, there,
			list_calls(arena, target, ABI_COMPAT, &other->alone));
	if (!syscall_mask_empty(&other->both))
		text = arena_printf(
			arena,
			"%sNames whose number is another call of %s, which "
			"counts where perm lets it through: %s.\n",
			text, there, list_pairs(arena, target, &other->both));
	return text;
}

/* What rules without arch are for. */
static const char *other_text(struct arena *arena, const struct target *target,
			      const struct legend *legend)
{
	const char *text = "";

	if (legend->native_only)
		return legend->number_first
			       ? "A number in a -S before the one with names "
				 "keeps auditctl from warning of names in "
				 "rules "
				 "without arch.\n"
			       : "";
	if (legend->both_abis)
		text = both_text(arena, target, legend);
	if (legend->number_first)
		text = arena_printf(
			arena,
			"%sA %s for %s and %s, by number. Names are those "
			"of %s; the number before them keeps auditctl from "
			"warning.\n",
			text,
			legend->number_logs ? "rule without arch that gives a "
					      "number before names is"
					    : "never rule without arch and "
					      "perm ends the walk",
			abi_word(target, ABI_NATIVE),
			abi_word(target, ABI_COMPAT),
			abi_word(target, ABI_NATIVE));
	return text;
}

const char *legend_text(struct arena *arena, const struct target *target,
			const struct legend *legend)
{
	const char *text = other_text(arena, target, legend);

	if (!syscall_mask_empty(&legend->unnamed))
		text = arena_printf(
			arena,
			"%sBy number, as older auditctls do not know the name: "
			"%s.\n",
			text,
			list_calls(arena, target, ABI_NATIVE,
				   &legend->unnamed));
	if (legend->signal)
		text = arena_printf(
			arena,
			"%s%s sends signals, and perm lets none of them "
			"through: while some rule has such a call, the kernel "
			"notes in events who gets a signal (OBJ_PID).\n",
			text, legend->signal);
	if (legend->unborn)
		text = arena_printf(
			arena,
			"%sNumbers that are no call yet: newer kernels may "
			"have one there that perm lets through.\n",
			text);
	return text;
}
