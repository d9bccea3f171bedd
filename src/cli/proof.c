/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/proof.h"

#include <stdio.h>

#include "cli/event_text.h"
#include "cost/cost.h"
#include "model/audit_names.h"
#include "optimize/partition.h"

/* How often calls are added that keep their rules; each time all of them are
 * looked at again. */
#define ROUNDS_AT_MOST 3

/* What is asked of the optimizer, and its answer so far. */
struct attempt {
	struct arena *arena;
	const struct ruleset *before;
	const struct pipeline_options *how;
	size_t nodes_at_most;
	int level;
};

static struct proved judge(const struct attempt *try, struct proved proved)
{
	const struct verify_options verify = {
		.level = try->how->level,
		.nodes_at_most = try->nodes_at_most,
		.kernel_unknown = try->how->kernel_unknown,
		.unlogged = try->how->unlogged,
		.progress = try->how->progress,
	};

	proved.verification = verify_equivalent(try->arena, try->before,
						proved.after, &verify);
	proved.refuted = proved.verification.proof == PROOF_DIFFERENT;
	return proved;
}

static bool is_done(const struct proved *proved)
{
	return proved->refuted || proved->verification.proof == PROOF_GOOD;
}

static struct proved try_level(const struct attempt *try)
{
	struct pipeline_options options = *try->how;
	struct proved proved = {.level = try->level};

	options.level = try->level;
	proved.after = ruleset_copy(try->arena, try->before);
	if (try->level >= 0)
		pipeline_run_as(try->arena, proved.after, &options,
				&proved.log);
	return judge(try, proved);
}

static bool is_kept(const struct kept_calls *kept,
		    const struct class_proof *item)
{
	const struct syscall_mask *mask =
		item->filter == AUDIT_FILTER_URING_EXIT ? &kept->operations
							: &kept->calls;

	for (int abi = 0; abi < ABI_COUNT; abi++)
		if (syscall_mask_intersects(&item->calls.abi[abi], mask))
			return true;
	return false;
}

/* Adds the calls of which V has no proof. Returns false if these are all there
 * are, or if it is not about calls. */
static bool add_unproved(const struct verification *v, struct kept_calls *kept)
{
	bool any_proved = false;

	for (size_t i = 0; i < v->count; i++) {
		const struct class_proof *item = &v->item[i];
		bool uring = item->filter == AUDIT_FILTER_URING_EXIT;

		any_proved = any_proved || item->proof == PROOF_GOOD;
		if (item->proof != PROOF_NONE)
			continue;
		if (!uring && item->filter != AUDIT_FILTER_EXIT)
			return false;
		for (int abi = 0; abi < ABI_COUNT; abi++)
			syscall_mask_unite(uring ? &kept->operations
						 : &kept->calls,
					   &item->calls.abi[abi]);
	}
	return any_proved;
}

/* FAILED, but that the calls that were not proved keep their rules. */
static struct proved try_keeping(const struct attempt *try,
				 struct proved failed)
{
	struct pipeline_options options = *try->how;
	struct kept_calls kept = {0};
	struct proved proved = failed;

	options.level = try->level;
	for (int round = 0; round < ROUNDS_AT_MOST && !is_done(&proved);
	     round++) {
		if (!add_unproved(&proved.verification, &kept))
			return failed;
		kept_calls_close(try->before, &kept);
		proved = (struct proved){.level = try->level};
		proved.after = ruleset_copy(try->arena, try->before);
		if (!pipeline_run_keeping(try->arena, proved.after, &kept,
					  &options, &proved.log))
			return failed;
		proved = judge(try, proved);
	}
	for (size_t i = 0; i < proved.verification.count; i++)
		proved.kept += is_kept(&kept, &proved.verification.item[i]);
	return is_done(&proved) ? proved : failed;
}

/* What the calls that have a name cost together. */
static double price_of(const struct ruleset *set)
{
	struct arena *arena = arena_new();
	struct cost_table table = cost_of(arena, set);
	double price = 0;

	for (size_t i = 0; i < table.count; i++) {
		const struct class_cost *item = &table.item[i];
		const struct syscall_mask *mask = &item->calls.abi[item->abi];
		unsigned int calls = 0;

		for (int n = syscall_mask_next(mask, 0); n >= 0;
		     n = syscall_mask_next(mask, n + 1))
			calls += target_call_name(set->target, item->abi, n) !=
				 NULL;
		for (int who = 0; who < IDENTITY_COUNT; who++)
			price += calls * item->cost[who].instructions;
	}
	arena_free(arena);
	return price;
}

/* PROVED, some calls of which keep their rules, or what the next level makes of
 * all, if that is proved and cheaper: rules that are cut are more rules. */
static struct proved cheaper(const struct attempt *try, struct proved proved)
{
	struct attempt lower = *try;
	struct proved other;

	lower.level--;
	if (proved.refuted)
		return proved;
	other = try_level(&lower);
	return other.verification.proof == PROOF_GOOD &&
			       price_of(other.after) < price_of(proved.after)
		       ? other
		       : proved;
}

struct proved optimize_proved_within(struct arena *arena,
				     const struct ruleset *before,
				     const struct pipeline_options *how,
				     size_t nodes_at_most)
{
	struct attempt try = {arena, before, how, nodes_at_most, how->level};
	struct pipeline_options cautious = *how;
	struct verification first = {0};
	struct proved proved;

	/* What cannot be proved may be with fewer terminators. */
	cautious.cautious = true;
	for (; try.level >= -1; try.level--) {
		proved = try_level(&try);
		if (try.level == how->level)
			first = proved.verification;
		if (!is_done(&proved) && try.how == how && try.level > 0) {
			try.how = &cautious;
			proved = try_level(&try);
		}
		if (is_done(&proved))
			break;
		if (try.level >= 0)
			proved = try_keeping(&try, proved);
		if (is_done(&proved)) {
			proved = cheaper(&try, proved);
			break;
		}
	}
	proved.first = first;
	return proved;
}

struct proved optimize_proved(struct arena *arena, const struct ruleset *before,
			      const struct pipeline_options *how)
{
	return optimize_proved_within(arena, before, how, 0);
}

const char *proof_text(struct arena *arena, const struct proved *proved)
{
	const struct verification *v = &proved->verification;

	if (v->proof != PROOF_GOOD)
		return "Left as it came.";
	if (v->level < 0)
		return arena_printf(arena,
				    "Written as they came: %zu classes of "
				    "calls.",
				    v->count);
	return arena_printf(arena,
			    "Proved to mean the same at level %d: %zu classes "
			    "of calls, %zu nodes.",
			    v->level, v->count, v->nodes);
}

/* The first class of V that was not proved; NULL: all were. */
static const struct class_proof *first_unproved(const struct verification *v)
{
	for (size_t i = 0; i < v->count; i++)
		if (v->item[i].proof != PROOF_GOOD)
			return &v->item[i];
	return NULL;
}

static const char *kept_text(struct arena *arena, const struct proved *proved)
{
	const struct class_proof *item = first_unproved(&proved->first);

	return arena_printf(arena,
			    "%zu of %zu classes of calls keep their original "
			    "rules, among them %s: %s",
			    proved->kept, proved->verification.count,
			    calls_text(arena, proved->after->target,
				       item->filter, &item->calls),
			    item->why);
}

const char *proof_fallback(struct arena *arena, const struct proved *proved,
			   int level)
{
	const char *what;

	if (proved->kept && proved->level == level)
		return kept_text(arena, proved);
	if (proved->level == level)
		return NULL;
	what = arena_printf(arena,
			    "what -O%d makes of the rules could not be proved "
			    "to mean the same; they are written as",
			    level);
	if (proved->level < 0)
		return arena_printf(arena, "%s they came", what);
	what = arena_printf(arena, "%s -O%d makes them", what, proved->level);
	return proved->kept ? arena_printf(arena, "%s, but %s", what,
					   kept_text(arena, proved))
			    : what;
}

/* The first class that was not proved stands for them all. */
static void complain_of_classes(struct arena *arena,
				const struct target *target,
				const struct verification *v)
{
	const struct class_proof *item = first_unproved(v);

	if (item)
		fprintf(stderr,
			"auditopt: warning: not proved for %zu of %zu classes "
			"of calls, among them %s: %s\n",
			v->count - v->proved, v->count,
			calls_text(arena, target, item->filter, &item->calls),
			item->why);
}

void proof_complain(struct arena *arena, const struct proved *proved,
		    const struct ruleset *before, int level)
{
	const struct verification *v = &proved->verification;

	if (proved->refuted) {
		fprintf(stderr,
			"auditopt: refused, nothing was written: the result "
			"does not mean the same. Of a call like this\n");
		for (size_t i = 0; i < v->count; i++)
			if (v->item[i].proof == PROOF_DIFFERENT) {
				witness_print(stderr, arena, "  ",
					      v->item[i].witness, before,
					      proved->after);
				break;
			}
		fprintf(stderr, "This is a fault in auditopt, please report "
				"it with the input.\n");
		return;
	}
	if (!proof_fallback(arena, proved, level))
		return;
	if (!proved->kept)
		complain_of_classes(arena, before->target, &proved->first);
	fprintf(stderr, "auditopt: warning: %s\n",
		proof_fallback(arena, proved, level));
}
