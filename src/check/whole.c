/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the set as a whole costs, and what its events need. */
#include <libaudit.h>

#include "check/checker.h"
#include "model/price.h"

/* Of the calls in the profile how many, in thousandths, are in CALLS; NAMING:
 * of those that name a file as a rule. */
static unsigned int share_of(const struct check_subject *s,
			     const struct syscall_set *calls, bool naming)
{
	const struct profile *profile = s->profile;
	uint64_t sum = 0;

	for (int abi = 0; abi < ABI_COUNT; abi++)
		for (int n = syscall_mask_next(&calls->abi[abi], 0);
		     n >= 0 && n < SYSCALL_MASK_CALLS;
		     n = syscall_mask_next(&calls->abi[abi], n + 1))
			if (!naming || call_naming(s->target, (enum abi)abi,
						   n) != NAMING_NONE)
				sum += profile->weight[abi][n];
	return profile->in_all ? (unsigned int)(1000 * sum / profile->in_all)
			       : 0;
}

/* Enough that a rule's calls are hot: a tenth of all. */
#define HOT_SHARE 100

static bool has_dir(const struct rule *rule, unsigned int *test)
{
	for (*test = 0; *test < rule->tests; (*test)++)
		if (rule->test[*test].field->kind == FIELD_DIR)
			return true;
	return false;
}

/* The calls that get as far as test number TEST: those that the rule is entered
 * for, as far as an arch in front of it lets them through. */
static struct syscall_set
asked_calls(const struct checker *c, const struct rule *rule, unsigned int test)
{
	struct syscall_set calls = rule_entered(c->subject->target, rule), let;
	struct field_test arch[1];
	struct rule part = *rule;

	part.test = arch;
	part.tests = 1;
	for (unsigned int i = 0; i < test; i++) {
		if (rule->test[i].field->kind != FIELD_ARCH)
			continue;
		arch[0] = rule->test[i];
		let = rule_calls(c->subject->target, &part);
		syscall_set_intersect(&calls, &let);
	}
	return calls;
}

/* A dir= rule stands in the list that every call walks. What it costs calls
 * that it cannot match is lost; what it costs those that it can is its price. */
static void look_at_dir(struct checker *c, const struct rule *rule)
{
	const struct check_subject *s = c->subject;
	struct syscall_set asked, can = rule_calls(s->target, rule);
	unsigned int test, hot, of_use;
	struct finding *f;

	if (rule->filter != AUDIT_FILTER_EXIT || rule->mask_classes ||
	    !has_dir(rule, &test))
		return;
	asked = asked_calls(c, rule, test);
	hot = share_of(s, &asked, false);
	syscall_set_intersect(&can, &asked);
	of_use = share_of(s, &can, true);
	if (hot < of_use + HOT_SHARE)
		return;
	f = found(c, DIAG_NOTE, "dir-on-hot-calls",
		  test_at(c, rule->line, test),
		  "dir= is asked of %s; only %u in 100 of them name files and "
		  "can match",
		  hot >= 995 ? "all system calls"
			     : arena_printf(c->arena, "%u in 100 system calls",
					    hot / 10),
		  hot ? 100 * of_use / hot : 0);
	f->group = "dir";
	f->d.auditctl = arena_printf(
		c->arena,
		"each of the others pays about %d instructions for it, read "
		"and write included",
		PRICE_RULE_ENTERED + price_of_test(&rule->test[test]));
	f->d.advice = rule_test_of(rule, FIELD_PERM)
			      ? "name the calls of that permission with -S, or "
				"let auditopt narrow the rule"
			      : "give the rule -F perm= and the calls of that "
				"permission, or let auditopt narrow it";
}

static size_t logging_rules(const struct checker *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->set->count; i++)
		n += c->set->rule[i]->filter == AUDIT_FILTER_EXIT &&
		     c->set->rule[i]->action == AUDIT_ALWAYS;
	return n;
}

/* What audit's own configuration has had since 3.0, the kernel's default, and
 * where a set is so large that a burst must be reckoned with. */
#define BACKLOG_USUAL 8192
#define BACKLOG_KERNEL 64
#define MANY_RULES 30

static void look_at_backlog(struct checker *c)
{
	const struct controls *controls = &c->subject->loaded->controls;
	const struct audit_action *backlog = controls->backlog;
	size_t rules = logging_rules(c);
	struct finding *f;

	/* Without -D the rules may be a part of a set. */
	if (!rules || (!backlog && !controls->delete_all))
		return;
	if (backlog && backlog->number == 0)
		return; /* no limit */
	if (!backlog && rules >= MANY_RULES)
		f = found(c, DIAG_NOTE, "backlog-small",
			  controls->delete_all->at,
			  "no -b says how many records may wait, and the "
			  "kernel's own limit is %d",
			  BACKLOG_KERNEL);
	else if (backlog &&
		 (backlog->number < BACKLOG_KERNEL * 4 ||
		  (backlog->number < BACKLOG_USUAL && rules >= MANY_RULES)))
		f = found(c,
			  backlog->number < BACKLOG_KERNEL * 4 ? DIAG_WARNING
							       : DIAG_NOTE,
			  "backlog-small", backlog->at,
			  "a backlog of %u records is little for %zu rule%s "
			  "that log%s",
			  backlog->number, rules, rules == 1 ? "" : "s",
			  rules == 1 ? "s" : "");
	else
		return;
	f->d.auditctl = "one event is three to eight records; in a burst those "
			"that find no place are lost, or the calls wait";
	f->d.advice = "write -b 8192 (each waiting record takes about 1 KiB "
		      "while it waits)";
}

void check_whole(struct checker *c)
{
	for (size_t i = 0; i < c->set->count; i++)
		look_at_dir(c, c->set->rule[i]);
	look_at_backlog(c);
}
