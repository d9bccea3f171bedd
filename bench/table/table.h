/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of bench/RESULTS.md, in Markdown, to standard output.
 */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include "cells.h"

/* The published workloads, what is left of each rule set's cost, how good the
 * estimates are, what patches of the kernel would do. */
void print_summary(const struct run *run);
/* What was aimed at, and whether it was reached. */
void print_targets(const struct run *run);
/* Where the published figures stand. */
void print_sources(void);
/* All that was measured, a table for each call. */
void print_tables(const struct run *run);

/* A rule set of the published workloads, not one that somebody uses. */
bool is_workload(const char *set);
/* How much of what any rules cost above the floor is gone, in percent, in *GONE,
 * and how many instructions are not, in *LEFT; false if there is nothing to
 * remove or it was not measured. Daemon, typical call. */
bool part_gone(const struct run *run, const char *set, int form,
	       const char *call, double *gone, double *left);

#endif
