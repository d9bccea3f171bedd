/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A second opinion on what auditctl does with a line: getopt_long and
 * libaudit's own functions, called as auditctl calls them, with a kernel that
 * says yes to everything. Nothing of auditopt is in it.
 */
#ifndef AUDITOPT_ORACLE_DRIVER_H
#define AUDITOPT_ORACLE_DRIVER_H

#include <stdbool.h>
#include <stddef.h>

/* What a line did, one effect after the other, each as a short text ending in
 * LF: "add HEX", "delete HEX", "enable 2" ... */
struct oracle_result {
	bool refused; /* auditctl would tell an error in this line */
	char *effects;
};

/* Works through LINE (LENGTH bytes without LF) as fileopt() of auditctl VERSION
 * does. The effects are ended with free(). */
struct oracle_result oracle_line(const char *line, size_t length,
				 unsigned int version);

#endif
