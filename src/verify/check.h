/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of this directory share; nobody else.
 */
#ifndef AUDITOPT_CHECK_H
#define AUDITOPT_CHECK_H

#include "model/audit_names.h"
#include "verify/diagram.h"
#include "verify/equivalence.h"
#include "verify/question.h"

enum side { BEFORE, AFTER, SIDES };

/* Action and key, each pair with its own number. */
struct result {
	enum verdict verdict;
	const char *key;
	unsigned int id;
};

/* One rule as the calls of a class see it. */
enum step_kind {
	STEP_LIST,
	STEP_BUCKET,
	STEP_URING, /* in the io_uring list, of a call that runs operations */
};

struct step {
	enum step_kind kind;
	bool in_mask;	/* else its mask asks for classes of calls */
	bool watch;	/* in a bucket by path= and not by inode= */
	uint32_t entry; /* which rule it is */
	const struct rule *rule;
	diagram when; /* its tests hold */
	const struct result *result;
};

struct steps {
	struct step *item;
	size_t count;
};

/* A class as it is looked at. */
struct subject {
	uint32_t filter;
	struct call_facts facts;
	bool self_log;	 /* its calls can log by themselves */
	bool operations; /* they run io_uring operations */
	struct syscall_set calls;
	struct steps steps[SIDES];
};

struct check {
	struct arena *arena;   /* results */
	struct arena *scratch; /* dies with the check */
	const struct verify_options *options;
	const struct ruleset *set[SIDES]; /* as the kernel holds them */
	struct questions *questions;
	struct diagrams *diagrams;
};

/* Is NEVER like no match, as far as anybody sees? */
bool subject_hides_never(const struct check *check,
			 const struct subject *subject);
/* May a watch end in such a call, so that the buckets are walked twice? */
bool subject_ends_watches(const struct subject *subject);

/* Can A, of the last walk, and the bucket rule B, of any walk, never both hold
 * in one call? */
bool never_together(const struct check *check, const struct subject *subject,
		    diagram a, diagram b);

/* steps.c: takes from STEPS what never decides anything. HARDER 0: what never
 * holds or, in the list, is never reached; 1: also bucket rules that others
 * cover; 2: also unites neighbouring bucket rules with the same result. Returns
 * a new array. */
#define HARDER_AT_MOST 2
struct steps steps_simplify(struct check *check, const struct subject *subject,
			    struct steps steps, int harder);
/* Are two bucket rules the same, for all answers that can be? */
bool step_same_bucket(struct check *check, const struct subject *subject,
		      const struct step *a, const struct step *b);
bool steps_same_buckets(struct check *check, const struct subject *subject,
			struct steps a, struct steps b);

/* pairing.c: do the steps of both sides do the same, as far as looking at pairs
 * of them tells? False: not known. */
bool steps_pair_up(struct check *check, const struct subject *subject);

/* cases.c: does AGREES say so of all cases of SUBJECT, one for each added never
 * rule of the list that asks for nothing but what lasts, and the rest? */
#define CASES_AT_MOST 12
bool subject_agrees_by_cases(struct check *check, const struct subject *subject,
			     bool (*agrees)(struct check *check,
					    struct subject *subject));

/* Judges SUBJECT; *WHY if it is PROOF_NONE. CANDIDATE, if not NULL, is called
 * with answers under which the sets may differ: those of a call and, unless
 * that is DIAGRAM_YES, of the bucket rules for its name. It returns true to be
 * given no more. */
struct candidates {
	bool (*visit)(void *data, diagram call, diagram name);
	void *data;
};
enum proof subject_compare(struct check *check, struct subject *subject,
			   const struct candidates *candidates,
			   const char **why);

/* single_walk.c: gives CANDIDATES the calls with one name, looked at once, for
 * which the sets seem to differ. Proves nothing. */
void single_walk_propose(struct check *check, const struct subject *subject,
			 const struct candidates *candidates);

/* witness.c: makes events of answers and asks the evaluator. */
struct witness_search {
	struct check *check;
	const struct subject *subject;
	struct witness *found;
	size_t count, capacity;
	size_t tried;
	size_t *left; /* tries, of all classes together */
	bool cut;     /* ended before all candidates were tried */
};
bool witness_try(void *search, diagram call, diagram name);

#endif
