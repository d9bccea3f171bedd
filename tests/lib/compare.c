/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/compare.h"

#include <check.h>
#include <libaudit.h>
#include <string.h>

#include "lib/random_rules.h"
#include "model/audit_names.h"
#include "model/self_log.h"

static bool settles_as_dir(const char *path, enum settling settling)
{
	unsigned int sum = 0;

	if (settling != SOME_OF_EACH)
		return settling == ALL_DIRS;
	while (*path)
		sum += (unsigned char)*path++;
	return sum % 2;
}

/* RULE with its watch made a path or a directory. */
static struct rule *settle_rule(struct arena *arena, const struct rule *rule,
				enum settling settling)
{
	struct rule *copy = rule_copy(arena, rule);
	struct field_test *test =
		arena_copy(arena, rule->test, rule->tests * sizeof(*test));

	for (unsigned int i = 0; i < rule->tests; i++) {
		if (test[i].field->number != AUDIT_WATCH &&
		    test[i].field->number != AUDIT_DIR)
			continue;
		test[i].field = field_by_number(
			settles_as_dir(test[i].string, settling) ? AUDIT_DIR
								 : AUDIT_WATCH);
	}
	copy->test = test;
	copy->unsettled = false;
	return copy;
}

static bool holds_already(const struct ruleset *set, const struct rule *rule)
{
	for (size_t i = 0; i < set->count; i++)
		if (rule_same_to_kernel(set->rule[i], rule))
			return true;
	return false;
}

/* What the kernel holds: audit_add_rule answers EEXIST to the second of two
 * rules that are the same. */
static const struct ruleset *
settle(struct arena *arena, const struct ruleset *set, enum settling settling)
{
	struct ruleset *copy = ruleset_new(arena, set->target);

	for (size_t i = 0; i < set->count; i++) {
		struct rule *rule = set->rule[i];

		if (rule->unsettled)
			rule = settle_rule(arena, rule, settling);
		if (!holds_already(copy, rule))
			ruleset_insert(copy, copy->count, rule);
	}
	return copy;
}

struct settled settled_of(struct arena *arena, const struct ruleset *set)
{
	struct settled settled = {.set = set, .settlings = 1};

	for (size_t i = 0; i < set->count; i++) {
		settled.filters |= 1u << set->rule[i]->filter;
		if (set->rule[i]->unsettled)
			settled.settlings = SETTLINGS;
	}
	for (unsigned int i = 0; i < settled.settlings; i++)
		settled.as[i] = settle(arena, set, (enum settling)i);
	for (unsigned int i = settled.settlings; i < SETTLINGS; i++)
		settled.as[i] = settled.as[0];
	return settled;
}

static bool found_different(struct difference *difference, const char *where,
			    struct outcome before, struct outcome after)
{
	difference->where = where;
	difference->before = before;
	difference->after = after;
	return true;
}

static struct outcome kept(bool record_kept)
{
	return (struct outcome){.verdict = record_kept ? VERDICT_RECORD
						       : VERDICT_NEVER};
}

static bool records_differ(const struct ruleset *before,
			   const struct ruleset *after, uint32_t filter,
			   const struct event *event,
			   struct difference *difference)
{
	bool b = kernel_record_kept(before, filter, event);
	bool a = kernel_record_kept(after, filter, event);

	return b != a &&
	       found_different(difference,
			       filter == AUDIT_FILTER_USER ? "user" : "exclude",
			       kept(b), kept(a));
}

static bool names_differ(const struct ruleset *before,
			 const struct ruleset *after, uint32_t fstype,
			 struct difference *difference)
{
	bool b = kernel_name_collected(before, fstype);
	bool a = kernel_name_collected(after, fstype);

	return b != a &&
	       found_different(difference, "filesystem", kept(b), kept(a));
}

static bool tasks_differ(const struct ruleset *before,
			 const struct ruleset *after, const struct event *event,
			 struct difference *difference)
{
	struct outcome b = kernel_task(before, event);
	struct outcome a = kernel_task(after, event);

	return !outcome_same(b, a, 1, true) &&
	       found_different(difference, "task", b, a);
}

static bool urings_differ(const struct ruleset *before,
			  const struct ruleset *after, int level,
			  const struct event *event,
			  struct difference *difference)
{
	struct outcome b = kernel_uring_exit(before, event, NULL);
	struct outcome a = kernel_uring_exit(after, event, NULL);

	return !outcome_same(b, a, level, true) &&
	       found_different(difference, "io_uring", b, a);
}

static bool exits_differ(const struct ruleset *before,
			 const struct ruleset *after, int level,
			 uint32_t unlogged, const struct event *event,
			 struct difference *difference)
{
	struct outcome b = kernel_syscall_exit(before, event, NULL);
	struct outcome a = kernel_syscall_exit(after, event, NULL);
	bool self_log;

	/* call_can_self_log is only needed where it matters */
	if (outcome_same(b, a, level, true))
		return false;
	self_log = call_can_self_log_with(before->target, event->abi,
					  event->number, unlogged, NULL);
	return !outcome_same(b, a, level, self_log) &&
	       found_different(difference, "exit", b, a);
}

/* Whether the operation inside is logged, and what becomes of the call. What
 * holds after a watch's walk shows only in that. */
static bool inners_differ(const struct ruleset *before,
			  const struct ruleset *after, int level,
			  const struct event *event,
			  const struct inner_walk *inner,
			  struct difference *difference)
{
	struct outcome b_inner, a_inner;
	struct outcome b = kernel_call_with(before, event, inner, 1, &b_inner);
	struct outcome a = kernel_call_with(after, event, inner, 1, &a_inner);

	difference->inner = *inner;
	if (inner->kind == INNER_URING &&
	    !outcome_same(b_inner, a_inner, level, true))
		return found_different(difference, "operation inside", b_inner,
				       a_inner);
	if (!outcome_same(b, a, level, true))
		return found_different(difference, "call with walk inside", b,
				       a);
	difference->inner.event = NULL;
	return false;
}

/* The filters that are seldom in a set, and only then. */
static bool others_differ(unsigned int filters, const struct ruleset *before,
			  const struct ruleset *after,
			  const struct event *event,
			  struct difference *difference)
{
	static const uint32_t magic[] = {0x9fa0, 0x62656572, 0xef53, 0};
	uint32_t fstype = magic[event->pid % 4];

	if ((filters & 1u << AUDIT_FILTER_USER) &&
	    records_differ(before, after, AUDIT_FILTER_USER, event, difference))
		return true;
	if ((filters & 1u << AUDIT_FILTER_EXCLUDE) &&
	    records_differ(before, after, AUDIT_FILTER_EXCLUDE, event,
			   difference))
		return true;
	if ((filters & 1u << AUDIT_FILTER_TASK) &&
	    tasks_differ(before, after, event, difference))
		return true;
	return (filters & 1u << AUDIT_FILTER_FS) &&
	       names_differ(before, after, fstype, difference);
}

/* The end of a watch is logged: no call in which nothing can be has one. */
static bool may_have_inner(const struct settled *before,
			   const struct event *event,
			   const struct inner_walk *inner)
{
	return inner->kind == INNER_URING ||
	       call_can_self_log_with(before->set->target, event->abi,
				      event->number, before->unlogged, NULL);
}

bool event_tells_apart(const struct settled *before,
		       const struct settled *after, int level,
		       const struct event *event,
		       const struct inner_walk *inner,
		       struct difference *difference)
{
	unsigned int filters = before->filters | after->filters;

	ck_assert(event_names_are_real(before->set->target, event));
	if (level < 1)
		level = 1;
	difference->inner.event = NULL;
	if (before->native_only && event->abi != ABI_NATIVE)
		return false;
	for (unsigned int i = 0; i < before->settlings; i++) {
		const struct ruleset *b = before->as[i];
		const struct ruleset *a = after->as[i];

		difference->settling = (enum settling)i;
		if (exits_differ(b, a, level, before->unlogged, event,
				 difference) ||
		    urings_differ(b, a, level, event, difference))
			return true;
		if (inner && may_have_inner(before, event, inner) &&
		    inners_differ(b, a, level, event, inner, difference))
			return true;
	}
	return others_differ(filters, before->as[0], after->as[0], event,
			     difference);
}

bool sets_differ(const struct settled *before, const struct settled *after,
		 int level, struct event_maker *maker, struct random *random,
		 size_t events, const struct event **found,
		 struct difference *difference)
{
	while (events--) {
		struct inner_walk inner;
		bool has_inner;

		*found = event_maker_next(maker, random);
		has_inner = event_maker_inner(maker, random, &inner);
		if (event_tells_apart(before, after, level, *found,
				      has_inner ? &inner : NULL, difference))
			return true;
	}
	*found = NULL;
	return false;
}

bool sets_identical(const struct ruleset *a, const struct ruleset *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (!rule_same_to_kernel(a->rule[i], b->rule[i]))
			return false;
	return true;
}

static void dump_outcome(FILE *file, const char *what, struct outcome outcome)
{
	static const char *const verdict[] = {"dummy", "none", "never",
					      "record"};

	fprintf(file, "  %s: %s, key %s\n", what, verdict[outcome.verdict],
		outcome.key ? outcome.key : "(none)");
}

void dump_difference(FILE *file, const struct settled *before,
		     const struct settled *after, int level,
		     const struct event *event,
		     const struct difference *difference)
{
	static const char *const settling[] = {"path", "dir", "some of each"};

	fprintf(file, "difference in %s at level %d", difference->where, level);
	if (before->settlings > 1)
		fprintf(file, ", unsettled watches taken as %s",
			settling[difference->settling]);
	fprintf(file, "\n");
	dump_outcome(file, "before", difference->before);
	dump_outcome(file, "after", difference->after);
	fprintf(file, "event:\n");
	dump_event(file, before->set->target, event);
	if (difference->inner.event) {
		if (difference->inner.kind == INNER_URING)
			fprintf(file, "operation %d inside it:\n",
				difference->inner.operation);
		else
			fprintf(file, "a watched file's end inside it:\n");
		dump_event(file, before->set->target, difference->inner.event);
	}
	fprintf(file, "before, %zu rules:\n", before->set->count);
	dump_ruleset(file, before->set);
	fprintf(file, "after, %zu rules:\n", after->set->count);
	dump_ruleset(file, after->set);
}
