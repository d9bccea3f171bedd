/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decision diagrams: reduced, ordered and hash-consed, so that two functions
 * are the same if and only if they are the same number. A node asks one yes or
 * no question; leaves are numbers.
 *
 * Questions about one value (is x below 1000? below 1001?) form a group of
 * neighbouring levels, by ascending limit: where one of them is answered with
 * yes, so are those behind it, which then do not occur there.
 */
#ifndef AUDITOPT_DIAGRAM_H
#define AUDITOPT_DIAGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t diagram;

#define DIAGRAM_NO ((diagram)0)
#define DIAGRAM_YES ((diagram)1)

struct diagrams;

/* GROUP[L] is the group of level L, 0: on its own; LASTS[L]: the answer is the
 * same in every walk of a call. Both are kept by reference. No more than
 * NODES_AT_MOST nodes are made. */
struct diagrams *diagrams_new(const unsigned int *group, const bool *lasts,
			      size_t levels, size_t nodes_at_most);
void diagrams_free(struct diagrams *all);

/* From now on WORK steps may be done, each being a call of one of the functions
 * below, or of itself in them, whose result is not remembered. Without a limit
 * at first. */
void diagrams_allow(struct diagrams *all, size_t work);
/* How many steps were done since the beginning. */
size_t diagrams_work(const struct diagrams *all);
/* Did it take more nodes or steps than allowed, or a deeper diagram? Diagrams
 * are then worthless that were made since there were COUNT nodes, to which
 * diagrams_return() goes back. */
bool diagrams_overflow(const struct diagrams *all);
void diagrams_return(struct diagrams *all, size_t count);
/* How many nodes there are. */
size_t diagrams_count(const struct diagrams *all);

/* The leaf VALUE; 0 and 1 are NO and YES. */
diagram diagram_leaf(struct diagrams *all, uint32_t value);
bool diagram_is_leaf(const struct diagrams *all, diagram d);
uint32_t diagram_value(const struct diagrams *all, diagram leaf);
/* The question of LEVEL. */
diagram diagram_ask(struct diagrams *all, size_t level);
size_t diagram_level(const struct diagrams *all, diagram d);
diagram diagram_if_yes(const struct diagrams *all, diagram d);
diagram diagram_if_no(const struct diagrams *all, diagram d);

/* IF is a diagram with leaves NO and YES. */
diagram diagram_choose(struct diagrams *all, diagram condition, diagram yes,
		       diagram no);
diagram diagram_and(struct diagrams *all, diagram a, diagram b);
diagram diagram_or(struct diagrams *all, diagram a, diagram b);
diagram diagram_not(struct diagrams *all, diagram a);
/* Where is D the leaf VALUE? */
diagram diagram_where(struct diagrams *all, diagram d, uint32_t value);

/* Could the answers of D's questions that last be those of some walk in which
 * D held? ALL_WALKS false: nothing is forgotten. */
diagram diagram_lasting(struct diagrams *all, diagram d);
/* D once the answer to the question of LEVEL (alone in its group, or with its
 * group answered from below by NO and at LEVEL by YES) is known. */
diagram diagram_given(struct diagrams *all, diagram d, size_t level,
		      bool answer);
/* D with the whole group of LEVEL forgotten. */
diagram diagram_forget(struct diagrams *all, diagram d, size_t level);

/* Calls VISIT with every pair of leaves that A and B have for the same answers,
 * each once. Returns false if that took too long. */
bool diagram_pairs(struct diagrams *all, diagram a, diagram b,
		   void (*visit)(uint32_t a, uint32_t b, void *data),
		   void *data);

/* The levels that occur in D, ascending, *COUNT of them; for free(). */
size_t *diagram_levels(struct diagrams *all, diagram d, size_t *count);

#endif
