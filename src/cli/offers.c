/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/offers.h"

#include "cost/cost.h"
#include "model/self_log.h"

#define RULES_AT_MOST 1000
#define OFFERS_AT_MOST 3
/* Less is not worth a word: of the cost of all calls, in percent. */
#define WORTH_PERCENT 5

static const char price_of_1[] =
	"none; rules are rewritten, and rules with never added";
static const char price_of_1_verbatim[] =
	"none; rules are dropped, and rules with never added";
static const char price_of_2[] =
	"records that the kernel makes by itself lose the SYSCALL and PATH "
	"records that go with them, in calls whose walk it ends";
static const char price_of_lsm[] =
	"right only where no security module (SELinux, AppArmor ...) logs";

static const char price_of_abi[] =
	"calls of %s programs are not looked at any more, and rules for them "
	"alone go: right only where the kernel cannot run them";

/* One call by one identity, before and after. */
struct gain {
	enum abi abi;
	int number;
	enum identity identity;
	double was, is;
	double weighted;
};

struct comparison {
	const struct profile *profile;
	double all_was, all_is; /* of all calls, each as often as it is made */
	struct gain best;
	size_t dearer; /* calls with a name that cost somebody more ... */
	double most;   /* ... by so much at most */
};

/* By number, for one ABI; -1: none. */
static void index_classes(const struct cost_table *table, enum abi abi,
			  int *index)
{
	for (int n = 0; n < SYSCALL_MASK_CALLS; n++)
		index[n] = -1;
	for (size_t i = 0; i < table->count; i++) {
		const struct syscall_mask *mask =
			&table->item[i].calls.abi[abi];

		if (table->item[i].abi != abi)
			continue;
		for (int n = syscall_mask_next(mask, 0);
		     n >= 0 && n < SYSCALL_MASK_CALLS;
		     n = syscall_mask_next(mask, n + 1))
			index[n] = (int)i;
	}
}

static void count_gain(struct comparison *c, struct gain gain)
{
	const struct profile *p = c->profile;
	double unset = p->unset[gain.abi][gain.number];
	double share = gain.identity == IDENTITY_DAEMON ? unset
							: PROFILE_WHOLE - unset;
	double weight = p->weight[gain.abi][gain.number] * share;

	c->all_was += weight * gain.was;
	c->all_is += weight * gain.is;
	gain.weighted = weight * (gain.was - gain.is);
	if (gain.weighted > c->best.weighted)
		c->best = gain;
}

/* Returns whether it is a loss. */
static bool count_loss(struct comparison *c, const struct gain *gain)
{
	double more = gain->is - gain->was;

	if (more > c->most)
		c->most = more;
	return more > 0;
}

static void compare_abi(struct comparison *c, const struct target *target,
			enum abi abi, const struct cost_table *before,
			const struct cost_table *after)
{
	int was[SYSCALL_MASK_CALLS], is[SYSCALL_MASK_CALLS];

	index_classes(before, abi, was);
	index_classes(after, abi, is);
	for (int n = 0; n < SYSCALL_MASK_CALLS; n++) {
		const char *name = target_call_name(target, abi, n);
		bool dearer = false;

		for (int who = 0; who < IDENTITY_COUNT; who++) {
			struct gain gain = {.abi = abi,
					    .number = n,
					    .identity = (enum identity)who};

			if (was[n] >= 0)
				gain.was = before->item[was[n]]
						   .cost[who]
						   .instructions;
			if (is[n] >= 0)
				gain.is = after->item[is[n]]
						  .cost[who]
						  .instructions;
			count_gain(c, gain);
			if (name)
				dearer |= count_loss(c, &gain);
		}
		c->dearer += dearer;
	}
}

static bool is_worth(const struct comparison *c)
{
	return c->best.weighted > 0 &&
	       c->all_was - c->all_is > c->all_was * WORTH_PERCENT / 100;
}

/* Of rules that -O1 has rewritten only the ends of walks are left to do, and
 * those that take no copies are enough for an estimate. */
static void run(struct arena *arena, struct ruleset *set,
		const struct pipeline_options *how, bool rewritten,
		struct change_log *log)
{
	struct pass_context context = {.arena = arena,
				       .level = how->level,
				       .log = log,
				       .profile = how->profile,
				       .kernel_unknown = how->kernel_unknown,
				       .verbatim = true,
				       .unlogged = how->unlogged,
				       .foreign = how->foreign,
				       .progress = how->progress};

	if (!rewritten)
		pipeline_run_as(arena, set, how, log);
	else if (!ruleset_task_never(set))
		pass_terminators.run(set, &context);
}

/* Fills in OFFER what HOW would save over COST, REWRITTEN: with rules that -O1
 * has rewritten; false if that is not worth it. */
static bool fill(struct arena *arena, const struct ruleset *before,
		 const struct cost_table *cost,
		 const struct pipeline_options *how, bool rewritten,
		 struct report_offer *offer)
{
	struct comparison c = {.profile = how->profile};
	struct ruleset *copy = ruleset_copy(arena, before);
	struct change_log log = {0};
	struct cost_table other;

	run(arena, copy, how, rewritten, &log);
	other = cost_of(arena, copy);
	for (int abi = 0; abi < ABI_COUNT; abi++)
		if (target_has_abi(before->target, (enum abi)abi))
			compare_abi(&c, before->target, (enum abi)abi, cost,
				    &other);
	if (!is_worth(&c))
		return false;
	if (rewritten)
		offer->price =
			arena_printf(arena,
				     "%s; some calls may get dearer than now, "
				     "which its own report tells",
				     offer->price);
	else if (c.dearer)
		offer->price = arena_printf(
			arena,
			"%s; %zu kind%s of call%s get%s dearer than now, by "
			"at most %.0f instructions",
			offer->price, c.dearer, c.dearer > 1 ? "s" : "",
			c.dearer > 1 ? "s" : "", c.dearer > 1 ? "" : "s",
			c.most);
	offer->abi = c.best.abi;
	offer->number = c.best.number;
	offer->call =
		target_call_name(before->target, c.best.abi, c.best.number);
	offer->identity = c.best.identity;
	offer->was = c.best.was;
	offer->is = c.best.is;
	offer->percent = (c.all_was - c.all_is) / c.all_was * 100;
	return true;
}

static bool offer_lsm(struct arena *arena, const struct ruleset *before,
		      const struct cost_table *cost,
		      const struct pipeline_options *how,
		      struct report_offer *offer)
{
	struct pipeline_options next = *how;

	next.unlogged = ASKS_ALL;
	*offer = (struct report_offer){.option = "--lsm=none",
				       .price = price_of_lsm};
	return how->level == 1 && how->unlogged != ASKS_ALL &&
	       fill(arena, before, cost, &next, true, offer);
}

static bool offer_level(struct arena *arena, const struct ruleset *before,
			const struct cost_table *cost,
			const struct pipeline_options *how,
			struct report_offer *offer)
{
	struct pipeline_options next = *how;

	next.level++;
	*offer = (struct report_offer){
		.option = next.level == 1 ? "-O1" : "-O2",
		.price = next.level == 2 ? price_of_2
			 : how->verbatim ? price_of_1_verbatim
					 : price_of_1};
	return fill(arena, before, cost, &next, next.level == 2, offer);
}

/* PROFILE of the native calls alone. */
static const struct profile *native_calls(struct arena *arena,
					  const struct profile *profile)
{
	struct profile *native = arena_copy(arena, profile, sizeof(*profile));

	for (int n = 0; n < SYSCALL_MASK_CALLS; n++) {
		native->in_all -= native->weight[ABI_COMPAT][n];
		native->weight[ABI_COMPAT][n] = 0;
	}
	return native;
}

/* What the native calls alone would gain. */
static bool offer_abi(struct arena *arena, const struct ruleset *before,
		      const struct cost_table *cost,
		      const struct pipeline_options *how,
		      struct report_offer *offer)
{
	struct pipeline_options next = *how;
	struct ruleset native = *before;

	if (how->foreign || !target_has_abi(before->target, ABI_COMPAT))
		return false;
	next.estimate = true;
	next.foreign = before->target->abi[ABI_COMPAT].elf;
	next.profile = native_calls(arena, how->profile);
	native.target = target_native_only(arena, before->target);
	*offer = (struct report_offer){
		.option = "--abi=native",
		.price = arena_printf(arena, price_of_abi,
				      before->target->abi[ABI_COMPAT].name)};
	return fill(arena, &native, cost, &next, false, offer);
}

void offers_make(struct arena *arena, const struct ruleset *before,
		 const struct ruleset *after,
		 const struct pipeline_options *how, struct report *report)
{
	struct report_offer *offer =
		arena_array(arena, OFFERS_AT_MOST, sizeof(*offer));
	struct ruleset priced = *after;
	struct cost_table cost;
	size_t count = 0;

	if (before->count > RULES_AT_MOST)
		return;
	priced.target = before->target;
	cost = cost_of(arena, &priced);
	count += offer_lsm(arena, &priced, &cost, how, &offer[count]);
	count += offer_abi(arena, &priced, &cost, how, &offer[count]);
	if (how->level < 2)
		count += offer_level(arena, &priced, &cost, how, &offer[count]);
	report->offer = offer;
	report->offers = count;
}
