/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names that a rule may hold: users and groups from this system or from the
 * tree under --root, watched paths, and what libaudit's tables know. For names
 * that are not known, the nearest one that is.
 */
#ifndef AUDITOPT_LOOKUP_H
#define AUDITOPT_LOOKUP_H

#include <stdbool.h>
#include <stdint.h>

#include "model/abi.h"
#include "util/arena.h"

struct lookup;

/* ROOT is "" for this system. Ended with lookup_free(). */
struct lookup *lookup_new(struct arena *arena, const char *root,
			  const struct target *target);
void lookup_free(struct lookup *lookup);

/* The user or group NAME (id_table.h). */
bool lookup_user(struct lookup *lookup, const char *name, uint32_t *id);
bool lookup_group(struct lookup *lookup, const char *name, uint32_t *id);
/* The known one that NAME may be meant for, or NULL. */
const char *lookup_nearest_user(struct lookup *lookup, const char *name);
const char *lookup_nearest_group(struct lookup *lookup, const char *name);

enum path_kind {
	PATH_MISSING,
	PATH_DIRECTORY,
	PATH_OTHER,
	PATH_UNKNOWN, /* it may not be looked at */
};

/* What the absolute PATH is under the root; symbolic links are followed and
 * stay inside the root. PATH_MISSING: there is nothing, for the kernel as well,
 * also because links lead in a circle or a name is too long. */
enum path_kind lookup_path(struct lookup *lookup, const char *path);

/* audit_determine_machine() and audit_machine_to_elf() with the target in
 * place of this machine: what -F arch=TEXT means; 0 if nothing. */
uint32_t lookup_arch(const struct lookup *lookup, const char *text);
/* The name of the machine whose calls have ELF as arch: "x86_64". */
const char *lookup_arch_name(const struct lookup *lookup, uint32_t elf);

/* Other names for what is not in libaudit's tables; NULL: nothing near. */
const char *lookup_nearest_field(const char *name);
const char *lookup_nearest_errno(const char *name);
const char *lookup_nearest_msgtype(struct lookup *lookup, const char *name);
const char *lookup_nearest_filetype(const char *name);
const char *lookup_nearest_arch(const char *name);

/* The number of the call NAME, if it is so young that a libaudit still in use
 * does not know it; it is the same on all machines. Else -1. */
int lookup_young_call(const char *name);

/* The call that NAME is likely meant for among those of MACHINE, none of GIVEN
 * (NULL-terminated), or NULL. A name that is a call of some other machine is no
 * misspelling: then only variants count ("umount" is "umount2"). *ELSEWHERE is
 * set to the arch= name of a machine that has the call, or NULL. */
const char *lookup_nearest_call(struct lookup *lookup, int machine,
				const char *name, const char *const *given,
				const char **elsewhere);

#endif
