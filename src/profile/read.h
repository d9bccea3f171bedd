/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Profiles from files, in the formats of the tools that count calls.
 * man/auditopt.profile.5 describes them.
 */
#ifndef AUDITOPT_PROFILE_READ_H
#define AUDITOPT_PROFILE_READ_H

#include "frontend/diagnostic.h"
#include "frontend/source.h"
#include "profile/profile.h"

/* The profile in the file PATH, for TARGET. Its lines are put into INPUT
 * (zeroed), what is wrong with them into DIAGNOSTICS; everything lives in
 * ARENA. Rows that are of no use are left out with a warning. NULL, after a
 * diagnostic of severity DIAG_FATAL, if there is nothing of use. Shares that
 * the file does not tell are those of the default profile. */
struct profile *profile_read(struct arena *arena, const struct target *target,
			     const char *path, struct input *input,
			     struct diagnostics *diagnostics);

#endif
