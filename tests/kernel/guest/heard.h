/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The audit daemon's part: hears what the kernel records and prints it so that
 * two runs of the same calls can be compared.
 */
#ifndef AUDITOPT_TESTS_KERNEL_HEARD_H
#define AUDITOPT_TESTS_KERNEL_HEARD_H

#include <stdbool.h>
#include <sys/types.h>

/* Forks a process that is the audit daemon until heard_end(). Prints to standard
 * output, in no order, a line for each call that was recorded:
 *
 *	call WHO ABI NAME=NUMBER RESULT AUID KEY with TYPExCOUNT,... [own]
 *
 * WHO is comm, and only calls of those are printed whose comm has a slash in it
 * or is "y". RESULT is yes, the errno, or none (a call that does not return).
 * Behind "with" stands what else the event has: types of records
 * (linux/audit.h). "own": one of them is none of the rules', the kernel logged it
 * by itself, and the call's record goes with it; "change": that one is a
 * CONFIG_CHANGE. What io_uring did begins with
 * ring, and WHO is UID/GID, all that such a record tells.
 *
 * Of each record that the kernel makes by itself, of such a WHO, there is a line:
 *
 *	own TYPE WHO WHAT
 *
 * WHAT is, of AppArmor's, what was refused. CONFIG_CHANGE, of which the kernel makes
 * as many as there are rules with the path of a file that was replaced, is instead,
 * once an event:
 *
 *	change OPERATION PATH
 *
 * False, with a word, if there is no such daemon. */
bool heard_begin(void);

/* Waits until all is heard that was recorded, and printed. False, with a "bad"
 * line, if records were lost. */
bool heard_end(void);

#endif
