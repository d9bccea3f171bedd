/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which calls collect file names (ctx->names_list). A test that some collected
 * name must satisfy fails for the others, and no rule of an inode bucket is
 * ever looked at for them (audit_filter_inodes).
 */
#ifndef AUDITOPT_CALL_NAMES_H
#define AUDITOPT_CALL_NAMES_H

#include <stdbool.h>

#include "model/abi.h"
#include "model/field.h"
#include "model/rule.h"
#include "model/syscall_set.h"

/* Can the call collect a name? True whenever that is not certain. *WHY, if not
 * NULL, is set to a static text with the reason when the answer is no. */
bool call_can_collect_names(const struct target *target, enum abi abi,
			    int number, const char **why);

/* All (ABI, number) pairs for which the answer is no. */
struct syscall_set calls_never_collect_names(const struct target *target);

/* Is TEST false, whatever its value, if the call has collected no name
 * (audit_filter_rules)? Not of obj_user ... obj_lev_high, which IPC objects
 * satisfy, too, and not of filetype!= and dir!=, which are true then. */
bool test_needs_name(const struct field_test *test);

#endif
