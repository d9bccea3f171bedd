/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Check: what is probably not meant in rules that auditctl would take. Uses
 * the passes' own reasoning, the predicates of the model and the profile; has
 * no engine of its own. What reading, compiling and loading had to say comes
 * from the front end's diagnostics and is put beside it.
 */
#ifndef AUDITOPT_CHECK_H
#define AUDITOPT_CHECK_H

#include "frontend/command.h"
#include "frontend/compile.h"
#include "frontend/diagnostic.h"
#include "frontend/load.h"
#include "frontend/source.h"
#include "profile/profile.h"

/* What is checked: all that the front end made of an input that could be read
 * whole. */
struct check_subject {
	struct arena *arena;
	const struct input *input;
	const struct actions *actions;
	const struct loaded *loaded;
	const struct compile_options *compile;
	const struct target *target; /* with the ABIs that count */
	uint32_t foreign;	     /* that which does not (pass.h); 0 */
	bool kernel_unknown;	     /* as in struct pass_context */
	bool of_this_host; /* what is missing under compile->root is missing
			    * where the rules are loaded */
	const struct profile *profile;
	struct progress *progress; /* util/progress.h; NULL: not told */
};

/* One finding. Its severity is that of the check: what stops the load is an
 * error whatever the front end calls it. */
struct finding {
	struct diagnostic d;
	const char *group; /* those of one file with the same id and group are
			    * told as one; NULL: each for itself */
};

struct findings {
	struct finding *item; /* in the order of the input */
	size_t count, room;
};

/* What the front end told in DIAGNOSTICS and what the checks find, in the order
 * of the input. Lives in the arena of SUBJECT. */
struct findings check_rules(const struct check_subject *subject,
			    struct diagnostics *diagnostics);

/* Takes out what comments in the input disable (suppress.c):
 *	# auditopt-check: disable=ID[,ID...] [REASON]
 * the next line that is a command, disable-block= up to the next empty line,
 * disable-file= the whole file. Adds a note for what disables nothing, and a
 * warning for a comment that is not understood. */
void findings_suppress(struct arena *arena, struct findings *findings,
		       const struct input *input);

/* What of it is wanted. */
struct check_choice {
	const char *const *disabled; /* identifiers */
	size_t disables;
	const char *const *enabled; /* if there are any: these alone */
	size_t enables;
	enum severity least;
};

/* Leaves the findings that CHOICE wants, and makes one of each group. */
void findings_choose(struct arena *arena, struct findings *findings,
		     const struct input *input,
		     const struct check_choice *choice);

/* How many of SEVERITY there are. */
size_t findings_count(const struct findings *findings, enum severity severity);

/* Prints them (STREAM; text as diagnostics_print() does). The others return
 * false if memory or a library fails. Nothing in them differs from run to run
 * or depends on where the files are, but for names that were given so. */
void findings_text(struct arena *arena, const struct findings *findings,
		   const struct input *input, FILE *stream, bool colour);
bool findings_json(struct arena *arena, const struct findings *findings,
		   const struct input *input, FILE *stream);
bool findings_sarif(struct arena *arena, const struct findings *findings,
		    const struct input *input, FILE *stream);

#endif
