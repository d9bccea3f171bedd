/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel_table CELLS DIRECTORY: tables from what kernel_calls printed (CELLS),
 * in Markdown: the measured instructions, and beside them what `auditopt cost`
 * estimates (DIRECTORY/NAME.json, where there is one).
 */
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CELLS 8192
#define NAME_SIZE 96

struct cell {
	char set[NAME_SIZE], identity[16], call[32];
	double mean, typical;
	int logged;
};

static struct cell cell[MOST_CELLS];
static size_t cells;

/* The columns, and the calls that each is made of. */
static const struct column {
	const char *name;
	const char *part[2];
} columns[] = {
	{"null", {"getppid", NULL}}, {"read", {"read", NULL}},
	{"write", {"write", NULL}},  {"stat", {"stat", NULL}},
	{"fstat", {"fstat", NULL}},  {"open+close", {"openat", "close"}},
	{"chmod", {"chmod", NULL}},  {"socket+close", {"socket", "close"}},
};

#define COLUMNS (sizeof(columns) / sizeof(*columns))

static const char *const identities[] = {"daemon", "user"};

static void read_cells(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[512];

	if (!file) {
		perror(path);
		exit(1);
	}
	while (cells < MOST_CELLS && fgets(line, sizeof(line), file)) {
		struct cell *c = &cell[cells];

		if (sscanf(line, "cell %95s %15s %31s %lf %lf %d", c->set,
			   c->identity, c->call, &c->mean, &c->typical,
			   &c->logged) == 6)
			cells++;
	}
	fclose(file);
}

static const struct cell *find(const char *set, const char *identity,
			       const char *call)
{
	for (size_t i = 0; i < cells; i++)
		if (!strcmp(cell[i].set, set) && !strcmp(cell[i].call, call) &&
		    !strcmp(cell[i].identity, identity))
			return &cell[i];
	return NULL;
}

/* Does a new set begin at cell I? */
static bool begins(size_t i)
{
	return i == 0 || strcmp(cell[i].set, cell[i - 1].set) != 0;
}

static void print_heading(const char *first)
{
	printf("| %s |", first);
	for (size_t c = 0; c < COLUMNS; c++)
		printf(" %s |", columns[c].name);
	printf("\n|---|");
	for (size_t c = 0; c < COLUMNS; c++)
		printf("---:|");
	printf("\n");
}

static void print_measured(const char *identity)
{
	print_heading("rules");
	for (size_t i = 0; i < cells; i++) {
		if (!begins(i))
			continue;
		printf("| %s |", cell[i].set);
		for (size_t c = 0; c < COLUMNS; c++) {
			const struct cell *at =
				find(cell[i].set, identity, columns[c].name);

			if (at)
				printf(" %.0f%s |", at->mean,
				       at->logged ? "*" : "");
			else
				printf(" |");
		}
		printf("\n");
	}
}

static double estimate_of_call(json_t *classes, const char *call,
			       const char *identity)
{
	size_t i, n;
	json_t *class, *name;

	json_array_foreach(classes, i, class)
	{
		json_t *cost = json_object_get(
			json_object_get(json_object_get(class, "before"),
					identity),
			"instructions");

		if (strcmp(json_string_value(json_object_get(class, "abi")),
			   "x86_64") != 0)
			continue;
		json_array_foreach(
			json_object_get(class, "names"), n,
			name) if (!strcmp(json_string_value(name),
					  call)) return json_number_value(cost);
	}
	return NAN;
}

static double estimate(json_t *classes, const struct column *column,
		       const char *identity)
{
	double sum = 0;

	for (int p = 0; p < 2 && column->part[p]; p++)
		sum += estimate_of_call(classes, column->part[p], identity);
	return sum;
}

struct tally {
	unsigned int cells, within_10, beyond_25;
	double worst;
};

static void print_residual(struct tally *tally, json_t *classes,
			   const char *set, const char *identity,
			   const struct column *column)
{
	const struct cell *at = find(set, identity, column->name);
	const struct cell *zero = find("zero", identity, column->name);
	double measured, expected, off;

	if (!at || !zero || at->logged) {
		printf(" %s |", at && at->logged ? "logged" : "");
		return;
	}
	measured = at->typical - zero->typical;
	expected = estimate(classes, column, identity);
	/* What file systems keep of watches that are gone: a few instructions. */
	off = fabs(expected - measured) < 10
		      ? 0
		      : 100 * (expected - measured) / measured;
	tally->cells++;
	tally->within_10 += fabs(off) <= 10;
	tally->beyond_25 += fabs(off) > 25;
	if (fabs(off) > fabs(tally->worst))
		tally->worst = off;
	printf(" %.0f %.0f (%+.0f) |", measured, expected, off);
}

static void print_residuals(const char *directory)
{
	struct tally tally = {0};

	print_heading("rules, identity");
	for (size_t i = 0; i < cells; i++) {
		char path[4096];
		json_t *report;

		if (!begins(i))
			continue;
		snprintf(path, sizeof(path), "%.3900s/%.95s.json", directory,
			 cell[i].set);
		report = json_load_file(path, 0, NULL);
		for (int id = 0; report && id < 2; id++) {
			printf("| %s, %s |", cell[i].set, identities[id]);
			for (size_t c = 0; c < COLUMNS; c++)
				print_residual(
					&tally,
					json_object_get(report, "classes"),
					cell[i].set, identities[id],
					&columns[c]);
			printf("\n");
		}
		json_decref(report);
	}
	if (tally.cells)
		printf("\n%u cells: %.0f %% within 10 %%, %u more than 25 %% "
		       "off, the worst %+.0f %%.\n",
		       tally.cells, 100.0 * tally.within_10 / tally.cells,
		       tally.beyond_25, tally.worst);
}

/* What a list of its own for each call (2021, a patch that was not taken) did
 * inside the kernel, in the milliseconds per 1000 calls that its author gave.
 */
static void print_published(void)
{
	static const struct {
		const char *call;
		double before, after;
	} patch[] = {
		{"null", 5.50, 1.92},	{"read", 16.89, 3.32},
		{"write", 12.18, 3.06}, {"stat", 51.53, 26.81},
		{"fstat", 17.45, 4.57}, {"open+close", 155.40, 71.41},
	};
	static const char *const level[] = {
		"unrelated-160", "unrelated-160:-O1", "unrelated-160:-O2"};

	if (!find(level[0], "user", "null") || !find(level[2], "user", "null"))
		return;
	printf("\n### 160 rules that name none of these calls\n\n"
	       "A patch of 2021 gave each call a list of its own in the "
	       "kernel; its author's figures, in ms\nper 1000 calls, beside "
	       "what other rules do in the same kernel, in instructions.\n\n"
	       "| call | patch: before, after | ratio | as they are | -O1 | "
	       "-O2 | ratio |\n|---|---:|---:|---:|---:|---:|---:|\n");
	for (size_t i = 0; i < sizeof(patch) / sizeof(*patch); i++) {
		double mean[3];

		for (int l = 0; l < 3; l++)
			mean[l] = find(level[l], "user", patch[i].call)->mean;
		printf("| %s | %.2f, %.2f | %.2f | %.0f | %.0f | %.0f | %.2f "
		       "|\n",
		       patch[i].call, patch[i].before, patch[i].after,
		       patch[i].before / patch[i].after, mean[0], mean[1],
		       mean[2], mean[0] / mean[2]);
	}
}

int main(int argc, char **argv)
{
	if (argc != 3) {
		fputs("usage: kernel_table CELLS DIRECTORY\n", stderr);
		return 2;
	}
	read_cells(argv[1]);
	if (!cells) {
		fputs("kernel_table: nothing was measured\n", stderr);
		return 1;
	}
	printf("### A daemon (auid unset, user 0)\n\n");
	print_measured("daemon");
	printf("\n### A user (auid and user 1000)\n\n");
	print_measured("user");
	printf("\n`*`: the call is logged; what making its records costs is in "
	       "it.\n\n### Measured and estimated\n\n"
	       "Instructions above no rules at all (the typical call): "
	       "measured, estimated (percent off).\n\n");
	print_residuals(argv[2]);
	print_published();
	return 0;
}
