/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rules with the same outcome, the same calls and the same conditions but for
 * the values of one field become one, whose conditions on that field are a
 * range with holes: exit=-EACCES or exit=-EPERM is exit>=-EACCES and eleven
 * times exit!=.
 *
 * Why that changes nothing:
 * - "I or J" is one conjunction if all of their tests but those of a single
 *   field F demand the same: then it is the rest, and F being what I or J
 *   allow. F must have one value in a call, or none (exit of a call that never
 *   returns, saddr_fam without an address): not so gid and egid, which search
 *   the supplementary groups, nor what is asked of names. Comparisons are on
 *   unsigned 32 bits (audit_comparator; ids likewise), so that -13 to -1 is a
 *   range. Where F may have no value at least one test of it must stay.
 * - perm=w or perm=a is perm=wa: audit_match_perm() looks at the letters one by
 *   one. Only with a single perm= in each.
 * - Masks may differ in calls that the rule without them cannot match anyhow
 *   (perm): the united mask must give neither rule a call more.
 * - J now acts where I stands: merge.c says why that is right if
 *   facts_clear_between() says so, and for which arch tests, places and -q.
 * - In a bucket no rule may come about that the kernel refuses because it has
 * the like: is_refused().
 * - No value is written that is greater than all that were written before; the
 *   kernel refuses some (families from AF_MAX on, -1 as an id). The ends of the
 *   holes are values of the other rule, or next below one. The lower end could
 *   be next above one, but only of a rule with nothing but that lower end, and
 *   such a rule has all values of the other: then its own tests are taken.
 *
 * Whether it pays: see pays().
 */
#include "optimize/facts.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "model/interval.h"
#include "model/price.h"

/* A longer row of != is worse to read than another rule is. */
#define HOLES_AT_MOST 16
/* Earlier rules that are tried for one field of one rule. */
#define TRIED_AT_MOST 16
/* AUDIT_MAX_FIELDS, less one for the key. */
#define TESTS_AT_MOST (AUDIT_MAX_FIELDS - 1)

/* What two rules must have in common, but for the conditions on FIELD.
 * No padding: compared as bytes. */
struct kind {
	uint64_t rest; /* hash of the other conditions */
	uint32_t field;
	uint32_t filter;
	uint32_t role;
	uint32_t outcome_id;
	uint32_t arches;
	uint32_t signal_arch;
	uint32_t epoch;
	uint32_t zero;
};

/* A rule without its tests of one field. */
struct view {
	struct kind kind;
	size_t rule;
	const struct predicate *rest;
	struct view *earlier; /* the same kind */
	UT_hash_handle hh;
};

struct fusing {
	struct facts *facts;
	struct view *views;
	const struct field_info **by; /* by rule: the field that it was fused
				       * by in this run */
	bool changed;
};

/* Two rules, and what they could become. */
struct attempt {
	struct facts *facts;
	const struct rule *a, *b;
	const struct field_info *field;
	struct field_test *test;
	unsigned int tests;
};

/* success= compares with its own notion of a result (predicate_build.c). */
static bool is_plain(const struct field_info *field)
{
	switch (field->kind) {
	case FIELD_NUMBER:
	case FIELD_UID:
	case FIELD_GID:
	case FIELD_OPTIONAL:
		return true;
	case FIELD_RESULT:
		return field != field_by_number(AUDIT_SUCCESS);
	default:
		return false;
	}
}

static bool can_be_absent(const struct field_info *field)
{
	return field->kind == FIELD_RESULT || field->kind == FIELD_OPTIONAL;
}

/* Has the rule conditions on the field that can be united with others? */
static bool can_vary(const struct rule *rule, const struct field_info *field)
{
	unsigned int tests = 0;

	if (!is_plain(field) && field->kind != FIELD_PERM)
		return false;
	for (unsigned int i = 0; i < rule->tests; i++) {
		const struct field_test *test = &rule->test[i];

		if (test->field != field)
			continue;
		tests++;
		if (test->op & (OP_BIT_MASK | OP_BIT_TEST))
			return false;
		if (field->kind == FIELD_PERM &&
		    (tests > 1 || test->op != OP_EQ))
			return false;
	}
	return tests > 0;
}

static struct intervals values_of(struct arena *arena, const struct rule *rule,
				  const struct field_info *field)
{
	static const struct interval full = {0, UINT32_MAX};
	struct intervals values = {&full, 1};

	for (unsigned int i = 0; i < rule->tests; i++) {
		struct interval room[2];
		struct intervals some = {room, 0};

		if (rule->test[i].field != field)
			continue;
		some.count = intervals_of_test(rule->test[i].op,
					       rule->test[i].value, room);
		values = intervals_intersect(arena, values, some);
	}
	return values;
}

static uint32_t letters_of(const struct rule *rule)
{
	for (unsigned int i = 0; i < rule->tests; i++)
		if (rule->test[i].field->kind == FIELD_PERM)
			return rule->test[i].value;
	return 0;
}

static unsigned int tests_of(const struct rule *rule,
			     const struct field_info *field)
{
	unsigned int tests = 0;

	for (unsigned int i = 0; i < rule->tests; i++)
		tests += rule->test[i].field == field;
	return tests;
}

/* How many tests are evaluated until the first of FIELD has been. */
static unsigned int tests_up_to(const struct rule *rule,
				const struct field_info *field)
{
	unsigned int i = 0;

	while (rule->test[i].field != field)
		i++;
	return i + 1;
}

static uint32_t greatest_value(const struct rule *rule,
			       const struct field_info *field)
{
	uint32_t greatest = 0;

	for (unsigned int i = 0; i < rule->tests; i++)
		if (rule->test[i].field == field &&
		    rule->test[i].value > greatest)
			greatest = rule->test[i].value;
	return greatest;
}

static void add_test(struct attempt *attempt, enum field_op op, uint32_t value)
{
	attempt->test[attempt->tests++] = (struct field_test){
		.field = attempt->field, .op = op, .value = value};
}

static void add_tests_of(struct attempt *attempt, const struct rule *rule)
{
	for (unsigned int i = 0; i < rule->tests; i++)
		if (rule->test[i].field == attempt->field)
			add_test(attempt, rule->test[i].op,
				 rule->test[i].value);
}

static uint64_t holes_in(struct intervals values)
{
	uint64_t span = (uint64_t)values.at[values.count - 1].high -
			values.at[0].low + 1;

	return span - intervals_size(values);
}

/* Errors that calls answer with all day long: their holes come first, so that
 * the others are seldom looked at. ENOENT, EAGAIN, EINTR. */
static const uint32_t frequent_errors[] = {-2U, -11U, -4U};

#define FREQUENT_ERRORS (sizeof(frequent_errors) / sizeof(frequent_errors[0]))

static bool is_frequent(const struct field_info *field, uint32_t value)
{
	for (size_t i = 0; i < FREQUENT_ERRORS; i++)
		if (frequent_errors[i] == value)
			return field->kind == FIELD_RESULT;
	return false;
}

static void add_holes(struct attempt *attempt, struct intervals values)
{
	for (size_t i = 0; i < FREQUENT_ERRORS; i++) {
		uint32_t error = frequent_errors[i];

		if (is_frequent(attempt->field, error) &&
		    error > values.at[0].low && !intervals_have(values, error))
			add_test(attempt, OP_NE, error);
	}
	for (unsigned int i = 1; i < values.count; i++)
		for (uint32_t v = values.at[i - 1].high + 1;
		     v < values.at[i].low; v++)
			if (!is_frequent(attempt->field, v))
				add_test(attempt, OP_NE, v);
}

/* auid<=4294967294 is better known as auid!=unset. */
static void add_upper_end(struct attempt *attempt, uint32_t high)
{
	if (high == UINT32_MAX - 1 &&
	    (greatest_value(attempt->a, attempt->field) == UINT32_MAX ||
	     greatest_value(attempt->b, attempt->field) == UINT32_MAX))
		add_test(attempt, OP_NE, UINT32_MAX);
	else if (high != UINT32_MAX)
		add_test(attempt, OP_LE, high);
}

/* Adds tests that let exactly VALUES through; false if there are none to the
 * purpose. */
static bool add_range(struct attempt *attempt, struct intervals values)
{
	uint32_t low = values.at[0].low;
	uint32_t high = values.at[values.count - 1].high;

	/* A single value is what both had before. */
	if (low == high || holes_in(values) > HOLES_AT_MOST)
		return false;
	if (low > 0 || (high == UINT32_MAX && values.count == 1 &&
			can_be_absent(attempt->field)))
		add_test(attempt, OP_GE, low);
	add_upper_end(attempt, high);
	add_holes(attempt, values);
	return true;
}

/*
 * What is gained: a rule less that a call of the mask enters, up to its first
 * test of the field. What is paid: tests that are more than there were, where
 * the first ones hold. For perhaps one call in eight the result is an error
 * that lies in such a range and is none of the frequent ones; of other fields
 * nothing is known, half of all values may be such.
 */
static bool pays(const struct attempt *attempt, unsigned int tests)
{
	unsigned int before = tests_of(attempt->a, attempt->field);
	unsigned int share = attempt->field->kind == FIELD_RESULT ? 8 : 2;
	unsigned int gained =
		PRICE_RULE_ENTERED +
		PRICE_FIELD_FURTHER * tests_up_to(attempt->b, attempt->field);

	return tests <= before ||
	       (tests - before) * PRICE_FIELD_FURTHER <= share * gained;
}

/* Adds the conditions on the field. */
static bool add_united(struct attempt *attempt)
{
	struct arena *scratch = attempt->facts->scratch;
	struct intervals a, b, both;
	unsigned int from = attempt->tests;

	if (attempt->field->kind == FIELD_PERM) {
		add_test(attempt, OP_EQ,
			 letters_of(attempt->a) | letters_of(attempt->b));
		return true;
	}
	a = values_of(scratch, attempt->a, attempt->field);
	b = values_of(scratch, attempt->b, attempt->field);
	if (!a.count || !b.count)
		return false;
	both = intervals_unite(scratch, a, b);
	if (intervals_equal(both, a) || intervals_equal(both, b)) {
		add_tests_of(attempt, intervals_equal(both, a) ? attempt->a
							       : attempt->b);
		return true;
	}
	if (!add_range(attempt, both))
		return false;
	return pays(attempt, attempt->tests - from);
}

/* The tests of A with those of the field in the place of its first one. */
static bool make_tests(struct attempt *attempt)
{
	const struct rule *a = attempt->a;
	size_t room = a->tests + attempt->b->tests + HOLES_AT_MOST + 2;
	bool done = false;

	attempt->test = arena_array(attempt->facts->scratch, room,
				    sizeof(*attempt->test));
	for (unsigned int i = 0; i < a->tests; i++) {
		if (a->test[i].field != attempt->field)
			attempt->test[attempt->tests++] = a->test[i];
		else if (!done && !add_united(attempt))
			return false;
		else
			done = true;
	}
	return attempt->tests <= TESTS_AT_MOST;
}

/* Has RULE no calls more with this mask? */
static bool calls_stay(const struct target *target, const struct rule *rule,
		       const struct syscall_mask *mask)
{
	struct syscall_set was = rule_calls(target, rule), is;
	struct rule with = *rule;

	with.mask = *mask;
	is = rule_calls(target, &with);
	return syscall_set_equal(&was, &is);
}

/* May the masks of the two be united? Call 0 is also what io_uring operations
 * ask bucket rules for, with arch 0. */
static bool masks_unite(const struct facts *facts, const struct rule *a,
			const struct rule *b)
{
	const struct target *target = facts->set->target;
	struct syscall_mask both = a->mask;

	if (syscall_mask_equal(&a->mask, &b->mask))
		return true;
	if (rule_place(a) != PLACE_LIST &&
	    syscall_mask_has(&a->mask, 0) != syscall_mask_has(&b->mask, 0))
		return false;
	syscall_mask_unite(&both, &b->mask);
	return calls_stay(target, a, &both) && calls_stay(target, b, &both);
}

/* The same, or the same if B turns out to be a watch on a file? */
static bool same_as_watch(const struct field_test *a,
			  const struct field_test *b)
{
	bool watches =
		a->field->kind == FIELD_PATH &&
		(b->field->kind == FIELD_PATH || b->field->kind == FIELD_DIR);

	if ((!watches && a->field != b->field) || a->op != b->op)
		return false;
	return a->field->is_string ? !strcmp(a->string, b->string)
				   : a->value == b->value;
}

static bool same_tests(const struct attempt *attempt, const struct rule *rule)
{
	if (rule->tests != attempt->tests)
		return false;
	for (unsigned int i = 0; i < rule->tests; i++)
		if (!same_as_watch(&attempt->test[i], &rule->test[i]))
			return false;
	return true;
}

/* Would the kernel refuse the one rule because of another in a bucket? Which of
 * two alike is refused makes a difference there: what stands between them may
 * win when the file is replaced. */
static bool is_refused(const struct attempt *attempt, size_t i, size_t j)
{
	const struct facts *facts = attempt->facts;

	if (facts->item[i].role != ROLE_BUCKET)
		return false;
	for (size_t k = 0; k < facts->set->count; k++)
		if (k != i && k != j && !facts->item[k].gone &&
		    (facts->item[k].role == ROLE_BUCKET ||
		     facts->item[k].role == ROLE_UNSETTLED) &&
		    facts->item[k].outcome_id == facts->item[i].outcome_id &&
		    same_tests(attempt, facts->set->rule[k]))
			return true;
	return false;
}

static bool fuse(struct fusing *f, size_t i, size_t j,
		 const struct field_info *field)
{
	struct attempt attempt = {.facts = f->facts,
				  .a = f->facts->set->rule[i],
				  .b = f->facts->set->rule[j],
				  .field = field};
	struct change change = {.pass = pass_fuse.name};

	if (!masks_unite(f->facts, attempt.a, attempt.b) ||
	    !make_tests(&attempt) || !facts_clear_between(f->facts, i, j) ||
	    is_refused(&attempt, i, j))
		return false;
	change.text = arena_printf(f->facts->context->arena,
				   "made one with the earlier rule, from which "
				   "it differs in %s alone",
				   field->name);
	if (!facts_fuse(f->facts, i, j,
			arena_copy(f->facts->set->arena, attempt.test,
				   attempt.tests * sizeof(*attempt.test)),
			attempt.tests, change))
		return false;
	f->by[i] = field;
	f->changed = true;
	return true;
}

/* The other conditions of a rule. */
static const struct predicate *rest_of(struct facts *facts,
				       const struct rule *rule,
				       const struct field_info *field)
{
	struct field_test *test =
		arena_array(facts->scratch, rule->tests, sizeof(*test));
	struct rule rest = *rule;

	rest.test = test;
	rest.tests = 0;
	for (unsigned int i = 0; i < rule->tests; i++)
		if (rule->test[i].field != field)
			test[rest.tests++] = rule->test[i];
	return predicate_of(facts->scratch, &rest);
}

static struct view *view_of(struct facts *facts, size_t i,
			    const struct field_info *field)
{
	const struct fact *fact = &facts->item[i];
	const struct rule *rule = facts->set->rule[i];
	struct view *view = arena_alloc(facts->scratch, sizeof(*view));

	view->rule = i;
	view->rest = rest_of(facts, rule, field);
	view->kind = (struct kind){
		.rest = predicate_hash(view->rest),
		.field = field->number,
		.filter = rule->filter,
		.role = fact->role,
		.outcome_id = fact->outcome_id,
		.arches = fact->arches,
		.signal_arch = fact->signal_arch,
		.epoch = rule->epoch,
	};
	return view;
}

/* A rule that is gone, or was fused by another field, is not what its view
 * says.
 */
static bool is_stale(const struct fusing *f, const struct view *view,
		     const struct field_info *field)
{
	const struct field_info *by = f->by[view->rule];

	return f->facts->item[view->rule].gone || (by && by != field);
}

/* Returns true if J became part of an earlier rule. */
static bool try_field(struct fusing *f, size_t j,
		      const struct field_info *field)
{
	struct view *view = view_of(f->facts, j, field), *head;
	unsigned int tried = 0;

	HASH_FIND(hh, f->views, &view->kind, sizeof(view->kind), head);
	for (const struct view *other = head; other && tried < TRIED_AT_MOST;
	     other = other->earlier, tried++)
		if (!is_stale(f, other, field) &&
		    predicate_equal(other->rest, view->rest) &&
		    fuse(f, other->rule, j, field))
			return true;
	if (head) {
		view->earlier = head->earlier;
		head->earlier = view;
	} else {
		HASH_ADD(hh, f->views, kind, sizeof(view->kind), view);
	}
	return false;
}

static void look_at(struct fusing *f, size_t j)
{
	const struct rule *rule = f->facts->set->rule[j];

	for (unsigned int i = 0; i < rule->tests; i++) {
		const struct field_info *field = rule->test[i].field;

		if (tests_up_to(rule, field) == i + 1 &&
		    can_vary(rule, field) && try_field(f, j, field))
			return;
	}
}

/* Returns true if some rules became one. */
static bool run_once(struct ruleset *set, struct pass_context *context)
{
	struct fusing f = {.facts = facts_begin(set, context)};

	f.by = arena_array(f.facts->scratch, set->count, sizeof(*f.by));
	for (size_t j = 0; j < set->count; j++)
		if (facts_may_touch(f.facts, j) &&
		    f.facts->item[j].role != ROLE_UNSETTLED)
			look_at(&f, j);
	HASH_CLEAR(hh, f.views);
	facts_end(f.facts);
	return f.changed;
}

/* Ends by itself: each time there are fewer rules. */
static void run(struct ruleset *set, struct pass_context *context)
{
	while (run_once(set, context))
		;
}

const struct pass pass_fuse = {
	.name = "fuse",
	.purpose = "makes rules that differ in the values of one field one, "
		   "over a range with holes",
	.level = 1,
	.run = run,
};
