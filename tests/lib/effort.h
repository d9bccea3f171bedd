/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much a test tries.
 */
#ifndef AUDITOPT_TESTS_EFFORT_H
#define AUDITOPT_TESTS_EFFORT_H

#include <stdint.h>

/* Is the program built with AddressSanitizer, so that it is several times
 * slower? */
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

/* The number in the environment's NAME; OTHERWISE if there is none. */
uint64_t effort_wanted(const char *name, uint64_t otherwise);

#endif
