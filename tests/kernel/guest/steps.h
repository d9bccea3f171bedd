/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls to be recorded: those that can do no harm, made through both
 * ABIs, that succeed and that fail. Whatever they change they change back, so
 * that the same steps can be made again and again. What paths point to must lie
 * below 4 GiB (guest/make_call.h).
 */
#ifndef AUDITOPT_TESTS_KERNEL_STEPS_H
#define AUDITOPT_TESTS_KERNEL_STEPS_H

/* What can be done with and around PATH (a file, a directory, or nothing). */
void steps_with_path(const char *path);

/* The same in a few calls. */
void steps_touching(const char *path);

/* PATH is named through another mount, in a namespace of its own; nothing
 * where the process may not do that. */
void steps_with_mount(const char *path);

/* What a program does that names no file: sockets, identities, children. Some
 * children run /bin/y. */
void steps_of_task(void);

/* Every call number there is, with arguments that make nearly all fail: all -1,
 * then all 0 where nothing blocks. */
void steps_with_every_call(void);

/* What a ring does with and around PATH; nothing where the kernel has none. */
void steps_with_ring(const char *path);

#endif
