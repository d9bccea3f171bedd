/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/call_groups.h"

#include <string.h>

#include "model/audit_names.h"
#include "model/call_names.h"
#include "model/perm.h"
#include "model/self_log.h"

#define NUMBERS SYSCALL_MASK_CALLS

static uint64_t mix(uint64_t hash, uint64_t value)
{
	struct random random = {hash ^ (value + 1) * UINT64_C(0x100000001b3)};

	return random_next(&random);
}

static uint64_t mix_string(uint64_t hash, const char *string)
{
	hash = mix(hash, string ? 1 : 2);
	while (string && *string)
		hash = mix(hash, (unsigned char)*string++);
	return hash;
}

/* Of all of RULE but its mask. */
static uint64_t meaning_of(const struct rule *rule)
{
	uint64_t hash =
		mix(mix(rule->filter, rule->action), rule->mask_classes);

	hash = mix_string(hash, rule->key);
	for (unsigned int i = 0; i < rule->tests; i++) {
		hash = mix(hash, rule->test[i].field->number);
		hash = mix(hash, rule->test[i].op);
		hash = mix(hash, rule->test[i].value);
		hash = mix_string(hash, rule->test[i].string);
	}
	return hash;
}

static bool in_bucket(const struct rule *rule)
{
	for (unsigned int i = 0; i < rule->tests; i++)
		if (rule->test[i].field->kind == FIELD_PATH ||
		    (rule->test[i].field->number == AUDIT_INODE &&
		     rule->test[i].op == OP_EQ))
			return true;
	return false;
}

/* May the call or operation meet RULE? */
static bool meets(const struct rule *rule, const struct smt_call *call)
{
	bool uring_rule = rule->filter == AUDIT_FILTER_URING_EXIT;
	bool bucket = in_bucket(rule);

	if (!uring_rule && rule->filter != AUDIT_FILTER_EXIT)
		return false;
	if (!bucket && uring_rule != call->uring)
		return false;
	return rule->mask_classes ||
	       syscall_mask_has(&rule->mask,
				bucket && call->uring ? 0 : call->number);
}

struct meanings {
	const struct ruleset *set;
	uint64_t *of;
};

static struct meanings meanings_of(struct arena *arena,
				   const struct ruleset *set)
{
	struct meanings m = {set, arena_array(arena, set->count, 8)};

	for (size_t i = 0; i < set->count; i++)
		m.of[i] = meaning_of(set->rule[i]);
	return m;
}

static uint64_t rules_met(const struct meanings *m, const struct smt_call *call)
{
	uint64_t hash = ruleset_counted(m->set) != 0;

	for (size_t i = 0; i < m->set->count; i++)
		if (meets(m->set->rule[i], call))
			hash = mix(hash, m->of[i]);
	return hash;
}

/* What else tells calls apart: names that perm asks for, silence, whether they
 * name files. */
static uint64_t nature_of(const struct target *target,
			  const struct smt_call *call)
{
	static const char *const names[] = {"open",   "openat",	  "openat2",
					    "execve", "execveat", "socketcall"};
	const char *name;
	uint64_t hash = call->uring;

	if (call->uring)
		return hash;
	name = target_call_name(target, call->abi, call->number);
	hash = mix(hash,
		   call_can_self_log(target, call->abi, call->number, NULL));
	hash = mix(hash, call_can_collect_names(target, call->abi, call->number,
						NULL));
	for (size_t i = 0; name && i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			hash = mix(hash, i);
	for (uint32_t perm = 1; perm < 16; perm *= 2) {
		struct syscall_set calls = perm_calls_known(target, perm);

		hash = mix(hash,
			   syscall_set_has(&calls, call->abi, call->number));
	}
	return mix(hash, call->abi);
}

/* Worked out once a target. */
static const uint64_t *natures_of(const struct target *target, enum abi abi)
{
	static uint64_t memo[TARGET_COUNT][ABI_COUNT][NUMBERS];
	static bool known[TARGET_COUNT][ABI_COUNT];
	uint64_t *natures = memo[target->index][abi];

	for (int n = 0; n < NUMBERS && !known[target->index][abi]; n++) {
		const struct smt_call call = {false, abi, n};

		natures[n] = nature_of(target, &call);
	}
	known[target->index][abi] = true;
	return natures;
}

static void add_call(struct call_groups *groups, struct random *random,
		     const struct smt_call *call, uint64_t hash, bool differs)
{
	struct call_group *group;
	size_t i = 0;

	while (i < groups->count && groups->item[i].hash != hash)
		i++;
	group = &groups->item[i];
	if (i == groups->count) {
		*group = (struct call_group){.hash = hash, .differs = differs};
		groups->count++;
	}
	/* each call of it with the same chance */
	if (random_below(random, ++group->calls) == 0)
		group->call = *call;
}

struct call_groups call_groups_of(struct arena *arena, struct random *random,
				  const struct ruleset *before,
				  const struct ruleset *after)
{
	struct meanings b = meanings_of(arena, before);
	struct meanings a = meanings_of(arena, after);
	struct call_groups groups = {0};

	groups.item = arena_array(arena, (ABI_COUNT + 1) * NUMBERS,
				  sizeof(*groups.item));
	for (int abi = 0; abi <= ABI_COUNT; abi++) {
		struct smt_call call = {
			.uring = abi == ABI_COUNT,
			.abi = abi == ABI_COUNT ? ABI_NATIVE : (enum abi)abi};
		const uint64_t *natures = natures_of(before->target, call.abi);

		if (!target_has_abi(before->target, call.abi))
			continue;
		for (int n = 0; n < NUMBERS; n++) {
			uint64_t of_b, of_a;

			call.number = n;
			of_b = rules_met(&b, &call);
			of_a = rules_met(&a, &call);
			add_call(&groups, random, &call,
				 mix(mix(of_b, of_a),
				     call.uring ? 1 : natures[n]),
				 of_b != of_a);
		}
	}
	return groups;
}
