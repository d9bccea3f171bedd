/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A rule with perm= loses the calls that perm lets none of through.
 *
 * Why that changes nothing: audit_match_perm() is true only for the calls of
 * the classes that the permission stands for, and for open, openat, openat2,
 * execve, execveat and socketcall, per ABI. For any other call the rule fails
 * at that field; now it fails at its mask. audit_filter_rules() has touched
 * neither prio, key nor state by then. A number stays as long as one ABI that
 * the rule's arch tests let through needs it.
 *
 * Classes grow with the kernel: perm_calls_known() has what any release up to
 * the newest known puts there, and a margin. Where the kernel may be a newer
 * one (pass_context.kernel_unknown) nothing is narrowed.
 *
 * In the list this saves every other call the way into the rule, watches on
 * directories above all. In an inode bucket only calls that name a file of that
 * bucket come by; there are 32 buckets, by inode & 31. Of more rules than that
 * each file name meets several, its own or not. Of fewer it meets few, and those
 * keep their short text that are written as -w, or would get a long one: all but
 * those of perm=x; and of very few all do.
 *
 * Left alone: watches that are not settled, which only -w can say; io_uring
 * rules, whose masks are of operations; rules with texts so long that a list of
 * calls beside them might make two lines, which are two rules, of one.
 */
#include "optimize/facts.h"

#include <string.h>

/* AUDIT_INODE_BUCKETS: bucket rules are narrowed if they are as many. */
#define INODE_BUCKETS 32
/* Of as many as this, those are that no more calls are left of: an execution,
 * and the margin. */
#define SOME_RULES 8
#define SHORT_LIST 40
/* Bytes of strings; escaped they may be twice as many. */
#define LONG_TEXT 600

/* A rule that was cut (partition.h) counts once. */
static size_t bucket_rules(const struct facts *facts)
{
	size_t count = 0;

	for (size_t i = 0; i < facts->set->count; i++)
		count += facts->item[i].role == ROLE_BUCKET &&
			 !facts->set->rule[i]->kept;
	return count;
}

static bool has_long_text(const struct rule *rule)
{
	size_t length = rule->key ? strlen(rule->key) : 0;

	for (unsigned int i = 0; i < rule->tests; i++)
		if (rule->test[i].string)
			length += strlen(rule->test[i].string);
	return length > LONG_TEXT;
}

static bool is_candidate(const struct facts *facts, size_t i)
{
	const struct rule *rule = facts->set->rule[i];

	if (!facts_may_touch(facts, i) || rule->filter != AUDIT_FILTER_EXIT ||
	    has_long_text(rule))
		return false;
	return facts->item[i].role == ROLE_LIST ||
	       facts->item[i].role == ROLE_BUCKET;
}

/* Does RULE take little room with a list of CALLS, too? */
static bool stays_short(const struct rule *rule,
			const struct syscall_set *calls)
{
	struct syscall_mask either = calls->abi[ABI_NATIVE];

	syscall_mask_unite(&either, &calls->abi[ABI_COMPAT]);
	return !rule->watch_form && syscall_mask_count(&either) <= SHORT_LIST;
}

/* May rule I get a list of CALLS, where so many rules are in BUCKETS? */
static bool pays(const struct facts *facts, size_t i,
		 const struct syscall_set *calls, size_t buckets)
{
	if (facts->item[i].role == ROLE_LIST || buckets >= INODE_BUCKETS)
		return true;
	return buckets >= SOME_RULES && stays_short(facts->set->rule[i], calls);
}

static void look_at(struct facts *facts, size_t i, size_t buckets)
{
	struct syscall_set needed = *facts->item[i].calls;
	struct change change = {.pass = pass_narrow.name,
				.text = "its perm never lets through"};

	if (!facts_known_to_perm(facts, facts->set->rule[i], &needed) ||
	    syscall_set_empty(&needed) || !pays(facts, i, &needed, buckets))
		return;
	/* Call 0 is also an io_uring operation's (facts.h). */
	if (facts->item[i].uring)
		syscall_mask_add(&needed.abi[ABI_NATIVE], 0);
	facts_narrow(facts, i, &needed, change);
}

static void run(struct ruleset *set, struct pass_context *context)
{
	struct facts *facts = facts_begin(set, context);
	size_t buckets = bucket_rules(facts);

	for (size_t i = 0; i < set->count; i++)
		if (is_candidate(facts, i))
			look_at(facts, i, buckets);
	facts_end(facts);
}

const struct pass pass_narrow = {
	.name = "narrow",
	.purpose = "takes calls out of masks that perm lets none of through",
	.level = 1,
	.run = run,
};
