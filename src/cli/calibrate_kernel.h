/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changing the rules that this machine's kernel holds, over netlink: for
 * calibrate alone. Nothing here ends the program, or says anything.
 */
#ifndef AUDITOPT_CALIBRATE_KERNEL_H
#define AUDITOPT_CALIBRATE_KERNEL_H

#include <libaudit.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/syscall.h>

#include "cli/kernel_link.h"

/* The call that is measured. Nobody audits it, nor the i386 call that has the
 * same number on x86_64 (sigaltstack). */
#define CALIBRATE_CALL SYS_gettid

/* What the rules that calibrate adds are known by, in auditctl -l too. */
#define CALIBRATE_KEY "auditopt-calibrate"

/* Adds RULE behind all others of its filter. Returns 0 or an errno. */
int kernel_add(struct kernel_link *link, struct audit_rule_data *rule);

/* Was RULE added by calibrate? By its key, or as the one that has none. */
bool kernel_is_own(const struct audit_rule_data *rule);

/* Waits until no record is waiting to be written, or a second has passed:
 * each rule added or deleted makes one (audit_log_rule_change). */
void kernel_drain(struct kernel_link *link);

/* Makes the kernel hold SAVED again and nothing of calibrate. What others have
 * added meanwhile stays, behind SAVED, and is counted in *FOREIGN. Returns 0 or
 * an errno: then something could not be put back. */
int kernel_restore(struct kernel_link *link, const struct kernel_rules *saved,
		   size_t *foreign);

/* Takes out all RULES, last first. Does what it can, and returns 0 or the first
 * errno. */
int kernel_delete_all(struct kernel_link *link,
		      const struct kernel_rules *rules);

#endif
