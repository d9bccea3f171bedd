/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rules as the kernel holds them, and rule sets: the kernel's lists in order.
 */
#ifndef AUDITOPT_RULE_H
#define AUDITOPT_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/abi.h"
#include "model/field.h"
#include "model/syscall_set.h"
#include "util/arena.h"

struct audit_rule_data; /* linux/audit.h */

/* One -F, -C or -p of a rule. */
struct field_test {
	const struct field_info *field;
	enum field_op op;
	uint32_t value;	    /* for strings: their length */
	const char *string; /* NULL unless field->is_string */
};

/* Where a rule is looked at (audit_find_rule, audit_add_rule). */
enum place {
	PLACE_LIST,	/* its filter's list: walked by every call */
	PLACE_INODE,	/* an inode bucket: path= or inode= on exit */
	PLACE_UNSETTLED,/* a watch whose path could not be looked up: will be
			 * dir= (list) or path= (bucket) on the machine that
			 * loads it; whoever reasons must allow for both */
};

/* The input lines that a rule stands for, as line numbers of the program's
 * whole input (frontend/source.h turns them into FILE:LINE). Ascending. */
struct origin {
	const uint32_t *line;
	size_t count;
	struct origin_room *room; /* where it may grow (rule.c); NULL: nowhere */
};

struct rule {
	uint32_t filter;	  /* AUDIT_FILTER_EXIT ...; never with PREPEND */
	uint32_t action;	  /* AUDIT_ALWAYS or AUDIT_NEVER */
	struct syscall_mask mask; /* as the kernel holds it: bits below SYSCALL_MASK_CALLS */
	uint16_t mask_classes;	  /* class bits that the wire mask had without being
				   * "all": bit i asks for AUDIT_CLASS i. Such a
				   * rule's calls depend on the kernel: passes leave
				   * it alone, and it overlaps with everything. */
	const struct field_test *test; /* in the rule's own order, without the key */
	unsigned int tests;
	const char *key;	/* several are joined by \001; NULL: none */
	bool watch_form;	/* came from -w: is written back as -w while it has that form */
	bool by_number;		/* its text gives a call by its number first, so
				 * that auditctl does not warn of names where
				 * there is no arch; and is to go on so */
	bool unsettled;		/* see PLACE_UNSETTLED */
	unsigned int epoch;	/* how many -q stood before it: rules of two epochs
				 * are never merged or moved past each other */
	struct origin origin;
	struct origin copied;	/* of an added rule: those of the rule that it is a
				 * copy of, for fewer calls; empty: of none */
	uint32_t line;		/* the one of them that it was made of first */
	bool kept;		/* passes leave it as it is, and in its order to
				 * the others that are kept (partition.h) */
};

struct ruleset {
	struct arena *arena;	     /* what rules are made of */
	const struct target *target; /* static */
	struct rule **rule;	     /* all filters together; within a filter in the
				      * kernel's order, first match first */
	size_t count;
	size_t capacity;
};

/* An empty set; lives in the arena. */
struct ruleset *ruleset_new(struct arena *arena, const struct target *target);
/* A copy in ARENA that shares nothing that a pass may change. */
struct ruleset *ruleset_copy(struct arena *arena, const struct ruleset *set);
/* Puts RULE (not copied) at position AT, 0..count. */
void ruleset_insert(struct ruleset *set, size_t at, struct rule *rule);
/* Takes the rule at position AT out. */
void ruleset_remove(struct ruleset *set, size_t at);
/* The number of rules that count in audit_n_rules: exit, task and io_uring
 * (audit_add_rule). At zero every context is a dummy. */
size_t ruleset_counted(const struct ruleset *set);
/* Is no process ever audited, because the first task rule that can match any is
 * a `never` (audit_filter_task)? */
bool ruleset_task_never(const struct ruleset *set);

/* Why the kernel would answer EINVAL (audit_field_valid, audit_unpack_string
 * ...). The texts are static. */
struct refusal {
	const char *why;    /* one phrase; NULL: the rule is taken */
	const char *advice; /* what to do; NULL */
	unsigned int field; /* index of the field in the wire form that is at
			     * fault, or REFUSAL_NO_FIELD */
	bool operator_refused; /* it does not take its operator */
};

#define REFUSAL_NO_FIELD (~0U)

/* The rule that the kernel makes of WIRE (audit_data_to_entry), SIZE bytes
 * with its strings, or NULL with *REFUSAL saying why it makes none.
 * auid=-1 stays a test of auid with value 4294967295, as the kernel lists it
 * back; predicate.h knows what it means. Strings are copied into ARENA. */
struct rule *rule_from_wire(struct arena *arena,
			    const struct audit_rule_data *wire, size_t size,
			    struct refusal *refusal);

/* The inverse: what auditctl would have to send so that the kernel holds RULE;
 * the key as last field, "all" with all bits set. *SIZE becomes the length
 * with strings. Lives in ARENA. NULL if it has more than AUDIT_MAX_FIELDS tests,
 * the key counted. */
struct audit_rule_data *rule_to_wire(struct arena *arena,
				     const struct rule *rule, size_t *size);

/* The name of the list FILTER in a rules file: "exit"; NULL: it has no rules
 * (audit_flag_to_name(), which did not always know all of them). */
const char *rule_list_name(uint32_t filter);

/* A copy that may be changed (tests and origin arrays are shared: what one has
 * is never changed in place, only replaced). */
struct rule *rule_copy(struct arena *arena, const struct rule *rule);

/* Its first test of KIND, with any operator; NULL: it has none. */
const struct field_test *rule_test_of(const struct rule *rule,
				      enum field_kind kind);

/* The same key, or none on both sides (NULL)? */
bool key_same(const char *a, const char *b);

/* Where it is looked at. */
enum place rule_place(const struct rule *rule);

/* EEXIST? audit_compare_rule: same filter, action, tests in the same order
 * (key included), mask. */
bool rule_same_to_kernel(const struct rule *a, const struct rule *b);

/* Same action and key? (A rule without a key differs from one with.) */
bool rule_same_outcome(const struct rule *a, const struct rule *b);

/* The (ABI, number) pairs that the rule can match: its mask, as far as its
 * arch tests and its perm tests let it through, without the calls that collect
 * no names if one of its tests needs one (call_names.h). Never too small,
 * whatever the kernel version (perm.h); with mask_classes: everything. For
 * io_uring the numbers are operations and only ABI_NATIVE is used. */
struct syscall_set rule_calls(const struct target *target,
			      const struct rule *rule);

/* The pairs for which the rule is entered at all, that is, its mask bit is
 * set: both ABIs alike. What the walk costs depends on this. */
struct syscall_set rule_entered(const struct target *target,
				const struct rule *rule);

/* The union of two origins, ascending, no line twice. Lives in ARENA, or where
 * A or B does. A rule that takes in one other after the other costs memory in
 * proportion to its lines, if each one's are all after or all before its own. */
struct origin origin_unite(struct arena *arena, struct origin a,
			   struct origin b);

#endif
