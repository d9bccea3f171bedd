/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rules from short strings, for tests. Not the language of auditctl: no
 * frontend is involved, so that the model can be tested by itself, and what
 * auditctl or the kernel would refuse can be built too.
 *
 * A rule is words between spaces, each one of these:
 *
 * - exit, task, user, exclude, filesystem, io_uring: the filter (exit).
 * - always, never: the action (always).
 * - calls=open,openat,257: names or numbers, also "all" and "none"; may repeat.
 *   Names are looked up in the ABI of an arch= that stands before, else in the
 *   native one. Default: all; none for task.
 * - key=NAME: may repeat (joined by \001).
 * - A field, an operator (= != < <= > >= & &=) and a value: a test. Fields are
 *   called as auditctl calls them.
 * - uid:obj_uid=, uid:obj_uid!=: -C uid=obj_uid, -C uid!=obj_uid.
 * - watch, unsettled, epoch=N, classes=N (mask_classes), line=N,N (origin,
 *   ascending): the rest of struct rule.
 *
 * Values are numbers (decimal, 0x..., negative) or "unset" (4294967295), and
 * - arch: also x86_64, i386 ... of the target, b64, b32;
 * - perm: also letters of rwxa;
 * - exit: also an errno name, EPERM or -EPERM;
 * - filetype, msgtype, fstype: also libaudit's names;
 * - path, dir, exe, subj_user ...: the string as it stands.
 *
 * Whatever is wrong in such a string is a bug of the test: a message, abort().
 */
#ifndef AUDITOPT_TESTS_BUILD_H
#define AUDITOPT_TESTS_BUILD_H

#include "model/rule.h"

/* mk_rule(arena, target, "never arch=b64 calls=open,openat auid>=1000 "
 *                        "auid!=unset dir=/etc perm=wa key=x") */
struct rule *mk_rule(struct arena *arena, const struct target *target,
		     const char *spec);

/* A set of rules, one a line of TEXT; empty lines are skipped. Rules without
 * line= get the number of their line as origin. */
struct ruleset *mk_ruleset(struct arena *arena, const struct target *target,
			   const char *text);

/* The target called NAME; aborts if there is none. */
const struct target *mk_target(const char *name);

#endif
