/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Syscall masks (one ABI, as in struct audit_rule_data) and syscall sets: sets
 * of (ABI, number) pairs.
 */
#ifndef AUDITOPT_SYSCALL_SET_H
#define AUDITOPT_SYSCALL_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/abi.h"

#define SYSCALL_MASK_WORDS 64	/* AUDIT_BITMASK_SIZE */
#define SYSCALL_MASK_BITS 2048	/* numbers past this are in no mask (audit_in_mask) */
/* The top AUDIT_SYSCALL_CLASSES (16) bits of a mask on the wire are not calls:
 * the kernel clears them and puts a class in their place
 * (audit_to_entry_common). A mask in the kernel holds numbers below this. */
#define SYSCALL_MASK_CALLS 2032

struct syscall_mask {
	uint32_t word[SYSCALL_MASK_WORDS];
};

struct syscall_set {
	struct syscall_mask abi[ABI_COUNT];
};

/* All numbers below SYSCALL_MASK_CALLS: what the kernel holds for -S all. */
struct syscall_mask syscall_mask_all(void);
/* NUMBER in MASK? False for any number outside 0..SYSCALL_MASK_BITS-1. */
bool syscall_mask_has(const struct syscall_mask *mask, int number);
/* Adds NUMBER; numbers outside 0..SYSCALL_MASK_BITS-1 are ignored. */
void syscall_mask_add(struct syscall_mask *mask, int number);
/* Takes NUMBER away. */
void syscall_mask_remove(struct syscall_mask *mask, int number);
bool syscall_mask_empty(const struct syscall_mask *mask);
bool syscall_mask_equal(const struct syscall_mask *a, const struct syscall_mask *b);
/* Is every call of A in B? */
bool syscall_mask_subset(const struct syscall_mask *a, const struct syscall_mask *b);
/* Is some call in both? */
bool syscall_mask_intersects(const struct syscall_mask *a, const struct syscall_mask *b);
/* A := A united with B; A := A and B; A := A without B. */
void syscall_mask_unite(struct syscall_mask *a, const struct syscall_mask *b);
void syscall_mask_intersect(struct syscall_mask *a, const struct syscall_mask *b);
void syscall_mask_subtract(struct syscall_mask *a, const struct syscall_mask *b);
/* How many calls, 0..SYSCALL_MASK_BITS. */
unsigned int syscall_mask_count(const struct syscall_mask *mask);
/* The first call that is FROM or above, or -1. For loops:
 * for (n = syscall_mask_next(m, 0); n >= 0; n = syscall_mask_next(m, n + 1)) */
int syscall_mask_next(const struct syscall_mask *mask, int from);

/* The same for sets of (ABI, number). */
bool syscall_set_has(const struct syscall_set *set, enum abi abi, int number);
bool syscall_set_empty(const struct syscall_set *set);
bool syscall_set_equal(const struct syscall_set *a, const struct syscall_set *b);
bool syscall_set_subset(const struct syscall_set *a, const struct syscall_set *b);
bool syscall_set_intersects(const struct syscall_set *a, const struct syscall_set *b);
void syscall_set_unite(struct syscall_set *a, const struct syscall_set *b);
void syscall_set_intersect(struct syscall_set *a, const struct syscall_set *b);
void syscall_set_subtract(struct syscall_set *a, const struct syscall_set *b);
unsigned int syscall_set_count(const struct syscall_set *set);

#endif
