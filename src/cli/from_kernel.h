/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --from-kernel: the rules that the running kernel holds, as input. Nothing is
 * changed: the messages sent are AUDIT_LIST_RULES, AUDIT_GET and
 * AUDIT_GET_FEATURE.
 */
#ifndef AUDITOPT_FROM_KERNEL_H
#define AUDITOPT_FROM_KERNEL_H

#include "cli/cli.h"
#include "cli/kernel_link.h"

/* What the kernel at the other end of LINK holds, in IN (arena, diagnostics):
 * its rules as actions, in its order, each on a line of its own of the file
 * "kernel" (kernel:3 is its third rule); its status as the control commands
 * that set it again, with -D first and -e last, of the file "kernel-status".
 * The bytes of each rule are the kernel's; the text of its line is what
 * auditctl would have to be given. A rule that the model does not know is an
 * error; one that no line of auditctl gives is one where WRITES, that is, where
 * rules are to be written, else a note. False if the kernel does not tell: why
 * is then in the diagnostics. */
bool from_kernel_read(struct cli_input *in, const struct compile_options *how,
		      bool writes, struct kernel_link *link);

/* The same of this machine's kernel. Also false, told, if this process may not
 * ask it. */
bool from_kernel(struct cli_input *in, const struct compile_options *how,
		 bool writes);

#endif
