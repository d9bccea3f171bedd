/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The conditions of a rule are put into the order in which it costs least to
 * find out that it does not match: the one first that fails most often for what
 * it costs.
 *
 * Why that changes nothing: audit_filter_rules() matches if all fields hold and
 * touches nothing before the last has been asked. One thing goes by order:
 * rule->arch_f is the last arch, which says which signals count. Rules with
 * several are left alone.
 *
 * Rules in inode buckets keep the order that their author gave them: only calls
 * that name a file of the bucket ask them, few, and of those the first
 * condition, path= or inode=, lets nearly all through in any order. What could
 * be saved is below what collecting the name costs, and the text of the rule
 * would be another for it.
 *
 * How often a condition fails is asked of a small table of typical callers,
 * with weights. They stand for servers: mostly daemons, mostly calls that
 * succeed. As the conditions are chosen one by one, only those callers are
 * asked for the next that the ones before let through: behind auid!=unset no
 * daemon is left, and auid>=1000 fails for few. What the callers do not tell
 * (which file, which argument) has a fixed share. All this decides the cost
 * only, never the meaning.
 *
 * Conditions of equal worth keep their order, so that a second run finds
 * nothing to do. -w has an order of its own: such rules, and watches that are
 * not settled, are left alone.
 */
#include "optimize/field_order.h"

#include "model/event.h"
#include "model/price.h"

#include <errno.h>
#include <string.h>

#define UNSET UINT32_MAX
#define FAILED(code) RESULT_FAILURE, (uint32_t) - (code)

/* Callers of a typical server, in parts of a thousand. */
static const struct caller {
	unsigned int weight;
	uint32_t auid, uid, gid;
	enum event_result result;
	uint32_t exit;
	enum abi abi;
} callers[] = {
	{400, UNSET, 0, 0, RESULT_SUCCESS, 0, ABI_NATIVE}, /* daemons of root */
	{250, UNSET, 110, 110, RESULT_SUCCESS, 3, ABI_NATIVE}, /* and others */
	{60, UNSET, 0, 0, FAILED(ENOENT), ABI_NATIVE},
	{20, UNSET, 110, 110, FAILED(EAGAIN), ABI_NATIVE},
	{5, UNSET, 110, 110, FAILED(EACCES), ABI_NATIVE},
	{180, 1000, 1000, 1000, RESULT_SUCCESS, 3, ABI_NATIVE}, /* users */
	{40, 1000, 0, 0, RESULT_SUCCESS, 0, ABI_NATIVE},	/* sudo */
	{30, 1000, 1000, 1000, FAILED(ENOENT), ABI_NATIVE},
	{5, 1000, 1000, 1000, FAILED(EACCES), ABI_NATIVE},
	{10, UNSET, 0, 0, RESULT_SUCCESS, 0, ABI_COMPAT},
};

#define CALLERS (sizeof(callers) / sizeof(callers[0]))

/* Shares of a thousand, for what the callers do not tell. */
enum { RARELY = 50, SOMETIMES = 500, OFTEN = 900, MOSTLY = 970 };

/* The choice for one rule. */
struct choice {
	const struct target *target;
	const struct field_test **left; /* those not placed, in their order */
	unsigned int lefts;
	bool out[CALLERS]; /* fails at one that is placed */
};

static uint32_t value_of(const struct caller *c, const struct field_test *test)
{
	switch (test->field->number) {
	case AUDIT_LOGINUID:
		return c->auid;
	case AUDIT_LOGINUID_SET:
		return c->auid != UNSET;
	case AUDIT_EXIT:
		return c->exit;
	case AUDIT_UID:
	case AUDIT_EUID:
	case AUDIT_SUID:
	case AUDIT_FSUID:
		return c->uid;
	default:
		return c->gid;
	}
}

/* Do the callers tell whether the test fails? */
static bool callers_know(const struct field_test *test)
{
	switch (test->field->kind) {
	case FIELD_ARCH:
	case FIELD_UID:
	case FIELD_GID:
	case FIELD_GROUP:
	case FIELD_RESULT:
	case FIELD_LOGINUID_SET:
		return true;
	default:
		return false;
	}
}

static bool holds(const struct choice *choice, const struct caller *c,
		  const struct field_test *test)
{
	if (test->field->kind == FIELD_ARCH)
		return field_compare(choice->target->abi[c->abi].elf, test->op,
				     test->value);
	if (test->field->number == AUDIT_SUCCESS)
		return field_compare(c->result == RESULT_SUCCESS, test->op,
				     test->value != 0);
	return field_compare(value_of(c, test), test->op, test->value);
}

/* For those that look for one thing among many: = fails often. */
static unsigned int by_equality(const struct field_test *test,
				unsigned int equal)
{
	switch (test->op) {
	case OP_EQ:
		return equal;
	case OP_NE:
		return 1000 - equal;
	default:
		return SOMETIMES;
	}
}

/* In a mask of perm's own calls: opening to read is what fails it. */
static unsigned int perm_fails(const struct field_test *test)
{
	if (test->op != OP_EQ)
		return SOMETIMES;
	return test->value & (AUDIT_PERM_READ | AUDIT_PERM_EXEC) ? RARELY
								 : SOMETIMES;
}

static unsigned int fixed_share(const struct field_test *test)
{
	switch (test->field->kind) {
	case FIELD_PERM:
		return perm_fails(test);
	case FIELD_PATH:
	case FIELD_DIR:
	case FIELD_EXE:
		return by_equality(test, MOSTLY);
	case FIELD_LSM_SUBJECT:
	case FIELD_LSM_OBJECT:
		return MOSTLY; /* with = and != alike where no LSM has labels */
	case FIELD_COMPARE:
		return 1000 - by_equality(test, OFTEN); /* ids are mostly the
							   same */
	case FIELD_NUMBER:
	case FIELD_OPTIONAL:
		return by_equality(test, OFTEN);
	default:
		return SOMETIMES;
	}
}

/* The weight of those, of EVERYBODY or of those that what is placed lets
 * through, for whom FAILING fails; NULL: of all those. */
static unsigned int weight_in(const struct choice *choice, bool everybody,
			      const struct field_test *failing)
{
	unsigned int weight = 0;

	for (size_t c = 0; c < CALLERS; c++)
		if ((everybody || !choice->out[c]) &&
		    (!failing || !holds(choice, &callers[c], failing)))
			weight += callers[c].weight;
	return weight;
}

/* How often the test fails where those that are placed hold, in parts of a
 * thousand; where they hold for nobody, how often it fails at all. */
static unsigned int fails(const struct choice *choice,
			  const struct field_test *test)
{
	unsigned int all = weight_in(choice, false, NULL);

	if (!callers_know(test))
		return fixed_share(test);
	if (!all)
		return weight_in(choice, true, test);
	return weight_in(choice, false, test) * 1000 / all;
}

static unsigned int price(const struct field_test *test)
{
	unsigned int figure = test->field->cost_fail;

	return figure > PRICE_RULE_ENTERED ? figure - PRICE_RULE_ENTERED
					   : PRICE_FIELD_FURTHER;
}

/* The index of the best of those left. */
static unsigned int best(const struct choice *choice)
{
	unsigned int found = 0;

	for (unsigned int t = 1; t < choice->lefts; t++) {
		const struct field_test *a = choice->left[found];
		const struct field_test *b = choice->left[t];

		if (fails(choice, b) * price(a) > fails(choice, a) * price(b))
			found = t;
	}
	return found;
}

static void place(struct choice *choice, unsigned int t, struct field_test *to)
{
	const struct field_test *test = choice->left[t];

	*to = *test;
	memmove(&choice->left[t], &choice->left[t + 1],
		(choice->lefts - t - 1) * sizeof(*choice->left));
	choice->lefts--;
	for (size_t c = 0; callers_know(test) && c < CALLERS; c++)
		if (!holds(choice, &callers[c], test))
			choice->out[c] = true;
}

static struct field_test *in_order(const struct facts *facts,
				   const struct rule *rule)
{
	struct choice choice = {.target = facts->set->target};
	struct field_test *test =
		arena_array(facts->set->arena, rule->tests, sizeof(*test));

	choice.left =
		arena_array(facts->scratch, rule->tests, sizeof(*choice.left));
	for (unsigned int t = 0; t < rule->tests; t++)
		choice.left[choice.lefts++] = &rule->test[t];
	for (unsigned int t = 0; t < rule->tests; t++)
		place(&choice, best(&choice), &test[t]);
	return test;
}

static bool same_order(const struct rule *rule, const struct field_test *test)
{
	for (unsigned int t = 0; t < rule->tests; t++)
		if (rule->test[t].field != test[t].field ||
		    rule->test[t].op != test[t].op ||
		    rule->test[t].value != test[t].value ||
		    rule->test[t].string != test[t].string)
			return false;
	return true;
}

/* Does the order of RULE, in the exit list, go by cost alone? */
static bool is_free(const struct rule *rule)
{
	unsigned int arches = 0;

	for (unsigned int t = 0; t < rule->tests; t++)
		arches += rule->test[t].field->kind == FIELD_ARCH;
	return rule->filter == AUDIT_FILTER_EXIT && !rule->watch_form &&
	       arches <= 1 && rule->tests > 1;
}

const struct field_test *field_order_of(const struct facts *facts,
					const struct rule *rule)
{
	return is_free(rule) ? in_order(facts, rule) : rule->test;
}

static void look_at(struct facts *facts, size_t i)
{
	const struct rule *rule = facts->set->rule[i];
	struct field_test *test = in_order(facts, rule);
	struct change change = {.pass = pass_field_order.name,
				.text = "conditions reordered: cheap and "
					"likely to fail first"};

	if (!same_order(rule, test))
		facts_retest(facts, i, test, rule->tests, change);
}

static bool is_candidate(const struct facts *facts, size_t i)
{
	return facts_may_touch(facts, i) && facts->item[i].role == ROLE_LIST &&
	       is_free(facts->set->rule[i]);
}

static void run(struct ruleset *set, struct pass_context *context)
{
	struct facts *facts = facts_begin(set, context);

	for (size_t i = 0; i < set->count; i++)
		if (is_candidate(facts, i))
			look_at(facts, i);
	facts_end(facts);
}

const struct pass pass_field_order = {
	.name = "field_order",
	.purpose = "puts the conditions first that are cheap and likely to "
		   "fail",
	.level = 1,
	.run = run,
};
