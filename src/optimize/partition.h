/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls that keep the rules that they came with: the others are optimised as
 * ever, in the same set. For whoever cannot prove what the passes made of the
 * rules of some calls.
 */
#ifndef AUDITOPT_PARTITION_H
#define AUDITOPT_PARTITION_H

#include "optimize/pipeline.h"

/* By number, as masks have them: of either ABI. */
struct kept_calls {
	struct syscall_mask calls;
	struct syscall_mask operations; /* of io_uring */
};

/* Adds to KEPT what must be kept with it: calls that run io_uring operations
 * and operations meet each other's rules, where SET has rules of both. */
void kept_calls_close(const struct ruleset *set, struct kept_calls *kept);

/* pipeline_run_as(), but that the calls of KEPT, which is closed, have the same
 * rules in the same order afterwards: the same tests, action and key. A rule
 * with other calls, too, becomes two where it can; the part of KEPT is touched
 * by no pass, and at the end the parts become one again if nothing happened to
 * the other. A rule that cannot be cut (a watch that is not settled, a mask
 * that is all or asks for classes) is left alone as a whole, and so is any with
 * options->verbatim. Everything lives in ARENA. Returns false if that went
 * wrong: SET is then worthless. */
bool pipeline_run_keeping(struct arena *arena, struct ruleset *set,
			  const struct kept_calls *kept,
			  const struct pipeline_options *options,
			  struct change_log *log);

#endif
