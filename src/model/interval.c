/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/interval.h"

static unsigned int one(struct interval room[2], uint32_t low, uint32_t high)
{
	room[0] = (struct interval){low, high};
	return 1;
}

static unsigned int all_but(struct interval room[2], uint32_t value)
{
	if (value == 0)
		return one(room, 1, UINT32_MAX);
	if (value == UINT32_MAX)
		return one(room, 0, UINT32_MAX - 1);
	room[0] = (struct interval){0, value - 1};
	room[1] = (struct interval){value + 1, UINT32_MAX};
	return 2;
}

unsigned int intervals_of_test(enum field_op op, uint32_t right,
			       struct interval room[2])
{
	switch (op) {
	case OP_EQ:
		return one(room, right, right);
	case OP_NE:
		return all_but(room, right);
	case OP_LT:
		return right ? one(room, 0, right - 1) : 0;
	case OP_LE:
		return one(room, 0, right);
	case OP_GT:
		return right < UINT32_MAX ? one(room, right + 1, UINT32_MAX)
					  : 0;
	case OP_GE:
		return one(room, right, UINT32_MAX);
	default:
		return 0;
	}
}

struct intervals intervals_intersect(struct arena *arena, struct intervals a,
				     struct intervals b)
{
	struct interval *at =
		arena_array(arena, (size_t)a.count + b.count, sizeof(*at));
	struct intervals both = {at, 0};
	unsigned int i = 0, j = 0;

	while (i < a.count && j < b.count) {
		struct interval x = a.at[i], y = b.at[j];
		uint32_t low = x.low > y.low ? x.low : y.low;
		uint32_t high = x.high < y.high ? x.high : y.high;

		if (low <= high)
			at[both.count++] = (struct interval){low, high};
		if (x.high <= y.high)
			i++;
		else
			j++;
	}
	return both;
}

struct intervals intervals_unite(struct arena *arena, struct intervals a,
				 struct intervals b)
{
	struct interval *at =
		arena_array(arena, (size_t)a.count + b.count, sizeof(*at));
	struct intervals both = {at, 0};
	unsigned int i = 0, j = 0;

	while (i < a.count || j < b.count) {
		bool from_a = j == b.count ||
			      (i < a.count && a.at[i].low <= b.at[j].low);
		struct interval next = from_a ? a.at[i++] : b.at[j++];
		struct interval *last = both.count ? &at[both.count - 1] : NULL;

		if (!last || (last->high < next.low &&
			      next.low - last->high > 1))
			at[both.count++] = next;
		else if (next.high > last->high)
			last->high = next.high;
	}
	return both;
}

bool intervals_meet(struct intervals a, struct intervals b)
{
	unsigned int i = 0, j = 0;

	while (i < a.count && j < b.count) {
		if (a.at[i].high < b.at[j].low)
			i++;
		else if (b.at[j].high < a.at[i].low)
			j++;
		else
			return true;
	}
	return false;
}

bool intervals_subset(struct intervals a, struct intervals b)
{
	unsigned int j = 0;

	for (unsigned int i = 0; i < a.count; i++) {
		while (j < b.count && b.at[j].high < a.at[i].low)
			j++;
		if (j == b.count || b.at[j].low > a.at[i].low ||
		    b.at[j].high < a.at[i].high)
			return false;
	}
	return true;
}

bool intervals_equal(struct intervals a, struct intervals b)
{
	if (a.count != b.count)
		return false;
	for (unsigned int i = 0; i < a.count; i++)
		if (a.at[i].low != b.at[i].low || a.at[i].high != b.at[i].high)
			return false;
	return true;
}

bool intervals_have(struct intervals set, uint32_t value)
{
	for (unsigned int i = 0; i < set.count; i++)
		if (value >= set.at[i].low && value <= set.at[i].high)
			return true;
	return false;
}

uint64_t intervals_size(struct intervals set)
{
	uint64_t size = 0;

	for (unsigned int i = 0; i < set.count; i++)
		size += (uint64_t)set.at[i].high - set.at[i].low + 1;
	return size;
}
