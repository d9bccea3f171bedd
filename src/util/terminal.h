/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What can be done on a terminal. */
#ifndef AUDITOPT_TERMINAL_H
#define AUDITOPT_TERMINAL_H

#include <stdbool.h>

/* Does the terminal know no escape sequences? TERM is "dumb", empty or not
 * set. */
bool terminal_is_dumb(void);

/* How many columns the terminal of descriptor FD has: what it says itself, or
 * COLUMNS if that is less, or the terminal does not say; 80 if neither does. At
 * least 1. */
unsigned int terminal_columns(int fd);

/* May this process write to the terminal of FD without being in the way of
 * another? Not while it is in the background of the shell whose terminal it
 * is. */
bool terminal_is_ours(int fd);

#endif
