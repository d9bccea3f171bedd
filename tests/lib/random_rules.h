/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random rule sets, of the kinds that people write and of kinds that nobody
 * should. All values come from small domains, so that rules overlap, shadow,
 * repeat and merge a lot. Every rule is one that the kernel accepts.
 */
#ifndef AUDITOPT_TESTS_RANDOM_RULES_H
#define AUDITOPT_TESTS_RANDOM_RULES_H

#include <stdio.h>

#include "lib/random.h"
#include "model/rule.h"

/* What a rule is about. */
enum style {
	STYLE_STIG,  /* arch, failed calls, auid of people; b64 and b32 alike */
	STYLE_WATCH, /* -w: path or dir with perm */
	STYLE_BUCKET,	 /* path= or inode= with calls of its own */
	STYLE_UNSETTLED, /* -w of a path that could not be looked up */
	STYLE_EXCLUDING, /* never, few fields */
	STYLE_EXE,
	STYLE_COMPARE, /* -C */
	STYLE_ARGS,
	STYLE_ALL_CALLS,
	STYLE_RESULT, /* exit, success */
	STYLE_GROUP,  /* gid, egid and -C of groups */
	STYLE_SOCKET, /* saddr_fam */
	STYLE_NAMES,  /* obj_uid, obj_gid, devmajor, devminor, filetype, inode!=
		       */
	STYLE_RANGE,  /* ranges of one id */
	STYLE_LABEL,  /* LSM strings */
	STYLE_MIXED,  /* any fields at all */
	STYLE_NEAR_COPY,   /* an earlier rule with one thing changed */
	STYLE_LENT_KEY,	   /* a bucket rule without key in front of a list rule
			      with one */
	STYLE_TWO_ACTIONS, /* never, then always, of almost the same */
	STYLE_CLASSES,	   /* mask_classes */
	STYLE_URING,
	STYLE_RECORD, /* user and exclude filters */
	STYLE_TASK,
	STYLE_FILESYSTEM,
	STYLE_COUNT
};

struct rules_shape {
	const struct target *target;
	size_t size;			  /* how many rules */
	unsigned int weight[STYLE_COUNT]; /* how often each style is taken */
};

/* A shape with every style in it, the usual ones more often; a style on
 * filters whose evaluation is of its own is rare. */
struct rules_shape rules_shape_default(const struct target *target,
				       size_t size);

/* A set of that shape; rule I has the origin "line I+1". Lives in ARENA. */
struct ruleset *random_ruleset(struct arena *arena, struct random *random,
			       const struct rules_shape *shape);

/* One rule of STYLE (STYLE_NEAR_COPY and the two-rule styles excepted). */
struct rule *random_rule(struct arena *arena, struct random *random,
			 const struct target *target, enum style style);

/* A copy of RULE with one thing of it changed: key, action, an operator, a
 * value, the order, calls, a test more or less. Still one that the kernel
 * accepts. */
struct rule *random_near_copy(struct arena *arena, struct random *random,
			      const struct target *target,
			      const struct rule *rule);

/* Writes RULE or all rules of SET to FILE for people who look for a bug. */
void dump_rule(FILE *file, const struct target *target,
	       const struct rule *rule);
void dump_ruleset(FILE *file, const struct ruleset *set);

#endif
