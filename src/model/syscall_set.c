/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/syscall_set.h"

#include <string.h>

static bool in_range(int number)
{
	return number >= 0 && number < SYSCALL_MASK_BITS;
}

struct syscall_mask syscall_mask_all(void)
{
	struct syscall_mask mask;

	memset(&mask, 0xff, sizeof(mask));
	mask.word[SYSCALL_MASK_WORDS - 1] = 0xffff;
	return mask;
}

bool syscall_mask_has(const struct syscall_mask *mask, int number)
{
	return in_range(number) &&
	       (mask->word[number / 32] >> (number % 32) & 1);
}

void syscall_mask_add(struct syscall_mask *mask, int number)
{
	if (in_range(number))
		mask->word[number / 32] |= UINT32_C(1) << (number % 32);
}

void syscall_mask_remove(struct syscall_mask *mask, int number)
{
	if (in_range(number))
		mask->word[number / 32] &= ~(UINT32_C(1) << (number % 32));
}

/* Questions about whole masks are asked of so many words at once. */
#define BLOCK 16

bool syscall_mask_empty(const struct syscall_mask *mask)
{
	for (int i = 0; i < SYSCALL_MASK_WORDS; i += BLOCK) {
		uint32_t found = 0;

		for (int j = i; j < i + BLOCK; j++)
			found |= mask->word[j];
		if (found)
			return false;
	}
	return true;
}

bool syscall_mask_equal(const struct syscall_mask *a,
			const struct syscall_mask *b)
{
	return memcmp(a->word, b->word, sizeof(a->word)) == 0;
}

bool syscall_mask_subset(const struct syscall_mask *a,
			 const struct syscall_mask *b)
{
	for (int i = 0; i < SYSCALL_MASK_WORDS; i += BLOCK) {
		uint32_t found = 0;

		for (int j = i; j < i + BLOCK; j++)
			found |= a->word[j] & ~b->word[j];
		if (found)
			return false;
	}
	return true;
}

bool syscall_mask_intersects(const struct syscall_mask *a,
			     const struct syscall_mask *b)
{
	for (int i = 0; i < SYSCALL_MASK_WORDS; i += BLOCK) {
		uint32_t found = 0;

		for (int j = i; j < i + BLOCK; j++)
			found |= a->word[j] & b->word[j];
		if (found)
			return true;
	}
	return false;
}

void syscall_mask_unite(struct syscall_mask *a, const struct syscall_mask *b)
{
	for (int i = 0; i < SYSCALL_MASK_WORDS; i++)
		a->word[i] |= b->word[i];
}

void syscall_mask_intersect(struct syscall_mask *a,
			    const struct syscall_mask *b)
{
	for (int i = 0; i < SYSCALL_MASK_WORDS; i++)
		a->word[i] &= b->word[i];
}

void syscall_mask_subtract(struct syscall_mask *a, const struct syscall_mask *b)
{
	for (int i = 0; i < SYSCALL_MASK_WORDS; i++)
		a->word[i] &= ~b->word[i];
}

unsigned int syscall_mask_count(const struct syscall_mask *mask)
{
	unsigned int count = 0;

	for (int i = 0; i < SYSCALL_MASK_WORDS; i++)
		count += (unsigned int)__builtin_popcount(mask->word[i]);
	return count;
}

int syscall_mask_next(const struct syscall_mask *mask, int from)
{
	uint32_t word;
	int i;

	if (from < 0)
		from = 0;
	if (from >= SYSCALL_MASK_BITS)
		return -1;
	i = from / 32;
	word = mask->word[i] >> (from % 32) << (from % 32);
	while (!word) {
		if (++i == SYSCALL_MASK_WORDS)
			return -1;
		word = mask->word[i];
	}
	return i * 32 + __builtin_ctz(word);
}

bool syscall_set_has(const struct syscall_set *set, enum abi abi, int number)
{
	return syscall_mask_has(&set->abi[abi], number);
}

bool syscall_set_empty(const struct syscall_set *set)
{
	for (int abi = 0; abi < ABI_COUNT; abi++)
		if (!syscall_mask_empty(&set->abi[abi]))
			return false;
	return true;
}

bool syscall_set_equal(const struct syscall_set *a, const struct syscall_set *b)
{
	for (int abi = 0; abi < ABI_COUNT; abi++)
		if (!syscall_mask_equal(&a->abi[abi], &b->abi[abi]))
			return false;
	return true;
}

bool syscall_set_subset(const struct syscall_set *a,
			const struct syscall_set *b)
{
	for (int abi = 0; abi < ABI_COUNT; abi++)
		if (!syscall_mask_subset(&a->abi[abi], &b->abi[abi]))
			return false;
	return true;
}

bool syscall_set_intersects(const struct syscall_set *a,
			    const struct syscall_set *b)
{
	for (int abi = 0; abi < ABI_COUNT; abi++)
		if (syscall_mask_intersects(&a->abi[abi], &b->abi[abi]))
			return true;
	return false;
}

void syscall_set_unite(struct syscall_set *a, const struct syscall_set *b)
{
	for (int abi = 0; abi < ABI_COUNT; abi++)
		syscall_mask_unite(&a->abi[abi], &b->abi[abi]);
}

void syscall_set_intersect(struct syscall_set *a, const struct syscall_set *b)
{
	for (int abi = 0; abi < ABI_COUNT; abi++)
		syscall_mask_intersect(&a->abi[abi], &b->abi[abi]);
}

void syscall_set_subtract(struct syscall_set *a, const struct syscall_set *b)
{
	for (int abi = 0; abi < ABI_COUNT; abi++)
		syscall_mask_subtract(&a->abi[abi], &b->abi[abi]);
}

unsigned int syscall_set_count(const struct syscall_set *set)
{
	unsigned int count = 0;

	for (int abi = 0; abi < ABI_COUNT; abi++)
		count += syscall_mask_count(&set->abi[abi]);
	return count;
}
