/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls to be recorded: those that can do no harm, made through both
 * ABIs, that succeed and that fail. Whatever they change they change back, so
 * that the same steps can be made again and again.
 */
#ifndef AUDITOPT_TESTS_KERNEL_STEPS_H
#define AUDITOPT_TESTS_KERNEL_STEPS_H

/* What can be done with and around PATH (a file, a directory, or nothing). The
 * memory that PATH points to must lie below 4 GiB. */
void steps_with_path(const char *path);

/* What a program does that names no file: sockets, identities, children. */
void steps_of_task(void);

/* Every call number there is, with arguments that make nearly all fail: all -1,
 * then all 0 where nothing blocks. */
void steps_with_every_call(void);

/* A ring that opens and closes PATH; nothing where the kernel has none. */
void steps_with_ring(const char *path);

#endif
