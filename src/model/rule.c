/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/rule.h"

#include <libaudit.h>
#include <stdlib.h>
#include <string.h>

#include "model/audit_names.h"
#include "model/call_names.h"
#include "model/perm.h"

const char *rule_list_name(uint32_t filter)
{
	switch (filter) {
	case AUDIT_FILTER_EXIT:
		return "exit";
	case AUDIT_FILTER_TASK:
		return "task";
	case AUDIT_FILTER_USER:
		return "user";
	case AUDIT_FILTER_EXCLUDE:
		return "exclude";
	case AUDIT_FILTER_FS:
		return "filesystem";
	case AUDIT_FILTER_URING_EXIT:
		return "io_uring";
	default:
		return NULL;
	}
}

struct rule *rule_copy(struct arena *arena, const struct rule *rule)
{
	return arena_copy(arena, rule, sizeof(*rule));
}

/* audit_find_rule does not ask for the filter: path= and inode= put io_uring
 * rules into the same buckets. Other filters cannot have them. */
static bool puts_in_bucket(const struct field_test *test)
{
	return test->field->kind == FIELD_PATH ||
	       (test->field->number == AUDIT_INODE && test->op == OP_EQ);
}

const struct field_test *rule_test_of(const struct rule *rule,
				      enum field_kind kind)
{
	for (unsigned int i = 0; i < rule->tests; i++)
		if (rule->test[i].field->kind == kind)
			return &rule->test[i];
	return NULL;
}

bool key_same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

enum place rule_place(const struct rule *rule)
{
	if (rule->unsettled)
		return PLACE_UNSETTLED;
	for (unsigned int i = 0; i < rule->tests; i++)
		if (puts_in_bucket(&rule->test[i]))
			return PLACE_INODE;
	return PLACE_LIST;
}

/* Does the kernel rewrite it to loginuid_set=0 (audit_data_to_entry)? */
static bool is_legacy_auid(const struct field_test *test)
{
	return test->field->number == AUDIT_LOGINUID &&
	       test->value == UINT32_MAX;
}

static bool has_legacy_auid(const struct rule *rule)
{
	for (unsigned int i = 0; i < rule->tests; i++)
		if (is_legacy_auid(&rule->test[i]))
			return true;
	return false;
}

static uint32_t kernel_field(const struct field_test *test)
{
	return is_legacy_auid(test) ? AUDIT_LOGINUID_SET : test->field->number;
}

static uint32_t kernel_value(const struct field_test *test)
{
	return is_legacy_auid(test) ? 0 : test->value;
}

static bool same_string(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_test(const struct field_test *a, const struct field_test *b)
{
	return kernel_field(a) == kernel_field(b) && a->op == b->op &&
	       (a->field->is_string ? same_string(a->string, b->string)
				    : kernel_value(a) == kernel_value(b));
}

bool rule_same_to_kernel(const struct rule *a, const struct rule *b)
{
	if (a->filter != b->filter || a->action != b->action ||
	    a->tests != b->tests || a->mask_classes != b->mask_classes ||
	    a->unsettled != b->unsettled || !same_string(a->key, b->key) ||
	    has_legacy_auid(a) != has_legacy_auid(b) ||
	    !syscall_mask_equal(&a->mask, &b->mask))
		return false;
	for (unsigned int i = 0; i < a->tests; i++)
		if (!same_test(&a->test[i], &b->test[i]))
			return false;
	return true;
}

bool rule_same_outcome(const struct rule *a, const struct rule *b)
{
	return a->action == b->action && same_string(a->key, b->key);
}

/* Which ABIs' numbers can be in a rule's mask. */
static bool uses_abi(const struct target *target, const struct rule *rule,
		     int abi)
{
	if (rule->filter == AUDIT_FILTER_EXIT)
		return target_has_abi(target, (enum abi)abi);
	return abi == ABI_NATIVE;
}

/* audit_filter_task, audit_filter and the file system filter in __audit_inode
 * never look at the mask. */
static bool ignores_mask(const struct rule *rule)
{
	return rule->filter != AUDIT_FILTER_EXIT &&
	       rule->filter != AUDIT_FILTER_URING_EXIT;
}

struct syscall_set rule_entered(const struct target *target,
				const struct rule *rule)
{
	struct syscall_set set = {0};
	struct syscall_mask mask = ignores_mask(rule) || rule->mask_classes
					   ? syscall_mask_all()
					   : rule->mask;

	for (int abi = 0; abi < ABI_COUNT; abi++)
		if (uses_abi(target, rule, abi))
			set.abi[abi] = mask;
	return set;
}

static void apply_arch(const struct target *target,
		       const struct field_test *test, struct syscall_set *set)
{
	for (int abi = 0; abi < ABI_COUNT; abi++)
		if (!field_compare(target->abi[abi].elf, test->op, test->value))
			set->abi[abi] = (struct syscall_mask){0};
}

/* Must a call have collected a name? */
static bool needs_name(const struct rule *rule)
{
	for (unsigned int i = 0; i < rule->tests; i++)
		if (test_needs_name(&rule->test[i]))
			return true;
	return false;
}

static void apply_names(const struct target *target, struct syscall_set *set)
{
	struct syscall_set nameless = calls_never_collect_names(target);

	syscall_set_subtract(set, &nameless);
}

struct syscall_set rule_calls(const struct target *target,
			      const struct rule *rule)
{
	struct syscall_set set = rule_entered(target, rule);

	if (rule->filter != AUDIT_FILTER_EXIT || rule->mask_classes)
		return set;
	if (needs_name(rule))
		apply_names(target, &set);
	for (unsigned int i = 0; i < rule->tests; i++) {
		const struct field_test *test = &rule->test[i];

		if (test->field->kind == FIELD_ARCH) {
			apply_arch(target, test, &set);
		} else if (test->field->kind == FIELD_PERM &&
			   test->op == OP_EQ) {
			struct syscall_set possible =
				perm_calls_possible(target, test->value);

			syscall_set_intersect(&set, &possible);
		}
	}
	return set;
}

/* The memory of an origin that grows. Others may share a part of what is taken,
 * so that only what nobody has seen yet is written to. */
struct origin_room {
	uint32_t *begin, *end; /* all of it */
	uint32_t *low, *high;  /* taken: from LOW up to HIGH */
};

/* Adds B, with later lines, behind A if there is room that nobody else took. */
static bool grow_up(struct origin *a, struct origin b)
{
	struct origin_room *room = a->room;

	if (!room || a->line + a->count != room->high ||
	    (size_t)(room->end - room->high) < b.count)
		return false;
	memcpy(room->high, b.line, b.count * sizeof(*b.line));
	room->high += b.count;
	a->count += b.count;
	return true;
}

/* The same in front of B, with earlier lines. */
static bool grow_down(struct origin *b, struct origin a)
{
	struct origin_room *room = b->room;

	if (!room || b->line != room->low ||
	    (size_t)(room->low - room->begin) < a.count)
		return false;
	room->low -= a.count;
	memcpy(room->low, a.line, a.count * sizeof(*a.line));
	b->line = room->low;
	b->count += a.count;
	return true;
}

/* All of A before all of B. The shorter one is copied, if it can be; if not,
 * both, with as much room again on either side. */
static struct origin append(struct arena *arena, struct origin a,
			    struct origin b)
{
	size_t count = a.count + b.count;
	struct origin_room *room;

	if (a.count >= b.count && grow_up(&a, b))
		return a;
	if (grow_down(&b, a))
		return b;
	if (a.count < b.count && grow_up(&a, b))
		return a;
	room = arena_alloc(arena, sizeof(*room));
	room->begin = arena_array(arena, 3 * count, sizeof(*room->begin));
	room->end = room->begin + 3 * count;
	room->low = room->high = room->begin + count;
	memcpy(room->low, a.line, a.count * sizeof(*a.line));
	memcpy(room->low + a.count, b.line, b.count * sizeof(*b.line));
	room->high += count;
	return (struct origin){room->low, count, room};
}

/* The next line of A or B, taken off; false if both are empty. */
static bool next_line(struct origin *a, struct origin *b, uint32_t *line)
{
	if (!a->count && !b->count)
		return false;
	if (!b->count || (a->count && a->line[0] < b->line[0]))
		*line = a->line[0];
	else
		*line = b->line[0];
	for (; a->count && a->line[0] == *line; a->line++)
		a->count--;
	for (; b->count && b->line[0] == *line; b->line++)
		b->count--;
	return true;
}

static struct origin interleave(struct arena *arena, struct origin a,
				struct origin b)
{
	uint32_t *line = arena_array(arena, a.count + b.count, sizeof(*line));
	struct origin both = {.line = line};

	while (next_line(&a, &b, &line[both.count]))
		both.count++;
	return both;
}

struct origin origin_unite(struct arena *arena, struct origin a,
			   struct origin b)
{
	if (!a.count || !b.count)
		return a.count ? a : b;
	if (a.line[a.count - 1] < b.line[0])
		return append(arena, a, b);
	if (b.line[b.count - 1] < a.line[0])
		return append(arena, b, a);
	return interleave(arena, a, b);
}
