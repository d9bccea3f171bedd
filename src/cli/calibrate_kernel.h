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

/* The kernel's audit status in *STATUS. Returns 0 or an errno. */
int kernel_status(int fd, struct audit_status *status);

/* The rules that the kernel holds in *RULES, to be freed by
 * kernel_rules_free() in any case. Returns 0 or an errno. */
int kernel_list(int fd, struct kernel_rules *rules);

/* Adds RULE behind all others of its filter, deletes it. Return 0 or an
 * errno. */
int kernel_add(int fd, struct audit_rule_data *rule);
int kernel_delete(int fd, struct audit_rule_data *rule);

/* Was RULE added by calibrate? By its key, or as the one that has none. */
bool kernel_is_own(const struct audit_rule_data *rule);

/* Waits until no record is waiting to be written, or a second has passed:
 * each rule added or deleted makes one (audit_log_rule_change). */
void kernel_drain(int fd);

/* Makes the kernel hold SAVED again and nothing of calibrate. What others have
 * added meanwhile stays, behind SAVED, and is counted in *FOREIGN. Returns 0 or
 * an errno: then something could not be put back. */
int kernel_restore(int fd, const struct kernel_rules *saved, size_t *foreign);

/* Takes out all RULES, last first; adds all RULES, those that are there already
 * excepted. Do what they can, and return 0 or the first errno. */
int kernel_delete_all(int fd, const struct kernel_rules *rules);
int kernel_add_all(int fd, const struct kernel_rules *rules);

#endif
