/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts are made here; facts_meet.c answers questions about pairs of rules,
 * facts_change.c makes the changes.
 */
#include "optimize/facts_tables.h"

#include <string.h>

#include "model/operations.h"
#include "model/perm.h"

#ifndef AUDIT_CLASS_SIGNAL
#define AUDIT_CLASS_SIGNAL 8
#define AUDIT_CLASS_SIGNAL_32 9
#endif

/* path=, dir= or inode= says where a rule lives; an io_uring rule in a bucket
 * is looked at by system calls, too (audit_find_rule). */
static enum role role_of(const struct rule *rule)
{
	if (rule->filter != AUDIT_FILTER_EXIT &&
	    rule->filter != AUDIT_FILTER_URING_EXIT)
		return ROLE_OTHER;
	if (!pass_may_touch(rule))
		return ROLE_OPAQUE;
	if (rule_place(rule) == PLACE_LIST)
		return ROLE_LIST;
	if (rule->filter == AUDIT_FILTER_URING_EXIT)
		return ROLE_OPAQUE;
	return rule_place(rule) == PLACE_INODE ? ROLE_BUCKET : ROLE_UNSETTLED;
}

/* Do the arch tests let a call of ELF through? */
static bool arch_lets(const struct rule *rule, uint32_t elf)
{
	for (unsigned int i = 0; i < rule->tests; i++)
		if (rule->test[i].field->kind == FIELD_ARCH &&
		    !field_compare(elf, rule->test[i].op, rule->test[i].value))
			return false;
	return true;
}

static unsigned char arches_of(const struct target *target,
			       const struct rule *rule)
{
	unsigned char arches = arch_lets(rule, 0) ? 1 << ABI_COUNT : 0;

	for (int abi = 0; abi < ABI_COUNT; abi++)
		if (target_has_abi(target, (enum abi)abi) &&
		    arch_lets(rule, target->abi[abi].elf))
			arches |= (unsigned char)(1 << abi);
	return arches;
}

/* Can this be true in one walk of a call and false in a later one? Results are
 * asked in the walk at the end only: before it nothing matches them
 * (AUDITSC_INVALID). Trees met are never forgotten before the end. auid and
 * session change only through /proc, where nothing is deleted. */
static bool test_lasts(const struct field_test *test)
{
	switch (test->field->kind) {
	case FIELD_NUMBER:
	case FIELD_RESULT:
	case FIELD_PERM:
	case FIELD_ARCH:
	case FIELD_PATH:
	case FIELD_DIR:
	case FIELD_LOGINUID_SET:
		return true;
	case FIELD_UID:
		return test->field == field_by_number(AUDIT_LOGINUID);
	default:
		return false;
	}
}

static bool all_last(const struct rule *rule)
{
	for (unsigned int i = 0; i < rule->tests; i++)
		if (!test_lasts(&rule->test[i]))
			return false;
	return true;
}

/* Can no call 0 of either ABI pass the test? */
static bool perm_excludes_zero(const struct target *target,
			       const struct field_test *test)
{
	struct syscall_set possible;

	if (test->field->kind != FIELD_PERM || test->op != OP_EQ)
		return false;
	possible = perm_calls_possible(target, test->value);
	return !syscall_set_has(&possible, ABI_NATIVE, 0) &&
	       !syscall_set_has(&possible, ABI_COMPAT, 0);
}

/* audit_filter_inode_name asks the mask for ctx->major, which is 0 in
 * AUDIT_CTX_URING, as is ctx->arch. */
bool facts_uring_reaches(const struct target *target, const struct rule *rule)
{
	if (!syscall_mask_has(&rule->mask, 0) || !arch_lets(rule, 0))
		return false;
	for (unsigned int i = 0; i < rule->tests; i++)
		if (perm_excludes_zero(target, &rule->test[i]))
			return false;
	return true;
}

/* rule->arch_f is the last one (audit_data_to_entry), whatever its operator. */
static uint32_t signal_arch_of(const struct rule *rule)
{
	uint32_t arch = 0;

	for (unsigned int i = 0; i < rule->tests; i++)
		if (rule->test[i].field->kind == FIELD_ARCH)
			arch = rule->test[i].value;
	return arch;
}

/* audit_match_signal, which says 0 for yes. */
bool facts_counts_as_signal(const struct facts *facts, const struct rule *rule,
			    uint32_t arch)
{
	const struct fact_tables *t = facts->tables;
	bool native = !arch ||
		      target_abi_of_elf(facts->set->target, arch) != ABI_COMPAT;

	if (native && syscall_mask_intersects(&rule->mask, &t->signal_class))
		return true;
	return (!arch || !native) &&
	       syscall_mask_intersects(&rule->mask, &t->signal_class_32);
}

const struct syscall_set *facts_intern_calls(struct facts *facts,
					     const struct syscall_set *calls)
{
	struct known_calls *known;

	HASH_FIND(hh, facts->tables->calls, calls, sizeof(*calls), known);
	if (!known) {
		known = arena_alloc(facts->scratch, sizeof(*known));
		known->calls = *calls;
		HASH_ADD(hh, facts->tables->calls, calls, sizeof(known->calls),
			 known);
	}
	return &known->calls;
}

static void intern_predicate(struct facts *facts, struct fact *fact,
			     const struct predicate *p)
{
	struct known_predicate *head, *known;
	uint64_t hash = predicate_hash(p);

	HASH_FIND(hh, facts->tables->predicate, &hash, sizeof(hash), head);
	for (known = head; known; known = known->same_hash)
		if (predicate_equal(known->predicate, p))
			break;
	if (!known) {
		known = arena_alloc(facts->scratch, sizeof(*known));
		known->predicate = p;
		known->hash = hash;
		known->id = (unsigned int)facts->predicates++;
		if (head) {
			known->same_hash = head->same_hash;
			head->same_hash = known;
		} else {
			HASH_ADD(hh, facts->tables->predicate, hash,
				 sizeof(known->hash), known);
		}
	}
	fact->predicate = known->predicate;
	fact->predicate_id = known->id;
}

static unsigned int intern_outcome(struct facts *facts, const struct rule *rule)
{
	struct known_outcome *known;
	size_t length = rule->key ? strlen(rule->key) : 0;
	char *name = arena_alloc(facts->scratch, length + 3);

	name[0] = (char)('0' + rule->action);
	name[1] = rule->key ? '=' : '\0';
	if (length)
		memcpy(name + 2, rule->key, length);
	HASH_FIND_STR(facts->tables->outcome, name, known);
	if (!known) {
		known = arena_alloc(facts->scratch, sizeof(*known));
		known->name = name;
		known->id = HASH_COUNT(facts->tables->outcome);
		HASH_ADD_KEYPTR(hh, facts->tables->outcome, known->name,
				strlen(known->name), known);
	}
	return known->id;
}

void facts_block_add(struct facts *facts, size_t i)
{
	struct block *block = &facts->tables->block[i / BLOCK_RULES];

	if (facts->set->rule[i]->filter == AUDIT_FILTER_URING_EXIT)
		block->uring = true;
	else
		block->exit = true;
	syscall_set_unite(&block->calls, facts->item[i].calls);
}

void facts_refresh_mask(struct facts *facts, size_t i)
{
	struct fact *fact = &facts->item[i];
	const struct rule *rule = facts->set->rule[i];
	struct syscall_set calls = rule_calls(facts->set->target, rule);

	fact->calls = facts_intern_calls(facts, &calls);
	fact->uring =
		(fact->role == ROLE_BUCKET || fact->role == ROLE_UNSETTLED) &&
		facts_uring_reaches(facts->set->target, rule);
	fact->signals = facts_counts_as_signal(facts, rule, fact->signal_arch);
	facts_block_add(facts, i);
}

static struct known_alike *find_alike(const struct facts *facts, size_t i)
{
	const struct fact *fact = &facts->item[i];
	unsigned int key[2] = {fact->predicate_id, fact->outcome_id};
	struct known_alike *known;

	HASH_FIND(hh, facts->tables->alike, key, sizeof(key), known);
	return known;
}

static void add_alike(struct facts *facts, size_t i)
{
	struct alike *alike = arena_alloc(facts->scratch, sizeof(*alike));
	struct known_alike *known = find_alike(facts, i);

	if (!known) {
		known = arena_alloc(facts->scratch, sizeof(*known));
		known->key[0] = facts->item[i].predicate_id;
		known->key[1] = facts->item[i].outcome_id;
		HASH_ADD(hh, facts->tables->alike, key, sizeof(known->key),
			 known);
	}
	alike->rule = i;
	alike->next = known->first;
	known->first = alike;
}

/* What RULE watches, as path= or dir=; NULL: nothing. */
static const char *watched_path(const struct rule *rule)
{
	for (unsigned int i = 0; i < rule->tests; i++)
		if (rule->test[i].field->kind == FIELD_PATH ||
		    rule->test[i].field->kind == FIELD_DIR)
			return rule->test[i].string;
	return NULL;
}

static struct open_watch *find_open(const struct facts *facts, const char *path)
{
	struct open_watch *open = NULL;

	if (path)
		HASH_FIND_STR(facts->tables->open, path, open);
	return open;
}

static void add_open(struct facts *facts, size_t i)
{
	const char *path = watched_path(facts->set->rule[i]);
	struct open_watch *open;

	if (!path || find_open(facts, path))
		return;
	open = arena_alloc(facts->scratch, sizeof(*open));
	open->path = path;
	HASH_ADD_KEYPTR(hh, facts->tables->open, path, strlen(path), open);
}

bool facts_collides(const struct facts *facts, size_t i, size_t j,
		    const struct syscall_mask *mask)
{
	const struct known_alike *known = find_alike(facts, i);
	const struct alike *alike;

	/* Whatever the watch becomes, it may be this rule once it is changed. */
	if (facts->item[i].role == ROLE_BUCKET &&
	    find_open(facts, watched_path(facts->set->rule[i])))
		return true;
	if (facts->item[i].role == ROLE_LIST || !known)
		return false;
	for (alike = known->first; alike; alike = alike->next)
		if (alike->rule != i && alike->rule != j &&
		    !facts->item[alike->rule].gone &&
		    facts->item[alike->rule].predicate_id ==
			    facts->item[i].predicate_id &&
		    syscall_mask_equal(&facts->set->rule[alike->rule]->mask,
				       mask))
			return true;
	return false;
}

void facts_refresh_tests(struct facts *facts, size_t i)
{
	struct fact *fact = &facts->item[i];
	const struct rule *rule = facts->set->rule[i];

	intern_predicate(facts, fact, predicate_of(facts->scratch, rule));
	fact->lasting = all_last(rule);
	if (fact->role == ROLE_BUCKET || fact->role == ROLE_UNSETTLED)
		add_alike(facts, i);
	facts_refresh_mask(facts, i);
}

static void fill(struct facts *facts, size_t i)
{
	struct fact *fact = &facts->item[i];
	const struct rule *rule = facts->set->rule[i];
	struct fact_tables *t = facts->tables;

	fact->role = role_of(rule);
	fact->signal_arch = signal_arch_of(rule);
	if (fact->role == ROLE_UNSETTLED)
		add_open(facts, i);
	if (fact->role == ROLE_OTHER) {
		fact->signals =
			facts_counts_as_signal(facts, rule, fact->signal_arch);
	} else {
		fact->outcome_id = intern_outcome(facts, rule);
		fact->arches = arches_of(facts->set->target, rule);
		/* The exit list is never asked about arch 0, and in the
		 * io_uring list the predicate has the arch tests. */
		if (fact->role == ROLE_LIST)
			fact->arches &= (1U << ABI_COUNT) - 1;
		facts_refresh_tests(facts, i);
	}
	t->signals += fact->signals;
	fact->has_dir = rule->unsettled || rule_test_of(rule, FIELD_DIR);
	if (fact->has_dir && rule->epoch > t->tree_epoch)
		t->tree_epoch = rule->epoch;
}

/* Are the rules of SET those that FACTS were made of, to the last bit? */
static bool facts_hold(const struct facts *facts, const struct ruleset *set)
{
	if (facts->set != set || facts->rules != set->count)
		return false;
	for (size_t i = 0; i < set->count; i++)
		if (memcmp(&facts->about[i], set->rule[i],
			   sizeof(*facts->about)))
			return false;
	return true;
}

static struct facts *facts_new(struct ruleset *set)
{
	struct arena *scratch = arena_new();
	struct facts *facts = arena_alloc(scratch, sizeof(*facts));
	struct fact_tables *t = arena_alloc(scratch, sizeof(*t));

	facts->set = set;
	facts->rules = set->count;
	facts->scratch = scratch;
	facts->tables = t;
	facts->item = arena_array(scratch, set->count, sizeof(*facts->item));
	t->block = arena_array(scratch, set->count / BLOCK_RULES + 1,
			       sizeof(*t->block));
	t->uring_calls = calls_running_operations(set->target);
	t->signal_class = perm_class(set->target, AUDIT_CLASS_SIGNAL);
	t->signal_class_32 = perm_class(set->target, AUDIT_CLASS_SIGNAL_32);
	t->counted = ruleset_counted(set);
	facts->about = arena_array(scratch, set->count, sizeof(*facts->about));
	for (size_t i = 0; i < set->count; i++) {
		facts->about[i] = *set->rule[i];
		fill(facts, i);
	}
	return facts;
}

struct facts *facts_begin(struct ruleset *set, struct pass_context *context)
{
	struct facts *facts = context->known ? *context->known : NULL;

	if (facts)
		*context->known = NULL;
	if (!facts || !facts_hold(facts, set)) {
		facts_free(facts);
		facts = facts_new(set);
	}
	facts->context = context;
	return facts;
}

void facts_free(struct facts *facts)
{
	if (!facts)
		return;
	HASH_CLEAR(hh, facts->tables->calls);
	HASH_CLEAR(hh, facts->tables->predicate);
	HASH_CLEAR(hh, facts->tables->outcome);
	HASH_CLEAR(hh, facts->tables->alike);
	HASH_CLEAR(hh, facts->tables->open);
	arena_free(facts->scratch);
}

void facts_end(struct facts *facts)
{
	struct facts **known = facts->context->known;
	struct ruleset *set = facts->set;
	size_t kept = 0;

	for (size_t i = 0; i < set->count; i++)
		if (!facts->item[i].gone)
			set->rule[kept++] = set->rule[i];
	set->count = kept;
	if (known && !*known && kept == facts->rules)
		*known = facts;
	else
		facts_free(facts);
}

bool facts_may_touch(const struct facts *facts, size_t i)
{
	const struct fact *fact = &facts->item[i];

	return !fact->gone && !facts->set->rule[i]->kept &&
	       fact->role != ROLE_OTHER && fact->role != ROLE_OPAQUE;
}
