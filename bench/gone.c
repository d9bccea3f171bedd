/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much of what rules cost is gone, by estimate, and how much of it could
 * be, as a table for people.
 *   gone [--root=DIR] FILE...
 * For a daemon: auid unset, user 0; on files that no rule names.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/proof.h"
#include "cost/bound.h"
#include "cost/cost.h"

#define CALLS_AT_MOST 2
/* Of a profile that is of few calls: how often each is made. */
#define CALLS_MADE 1000000

/* The calls of a column, and the share of the removable cost that is to go. */
static const struct column {
	const char *title;
	const char *call[CALLS_AT_MOST];
	int wanted; /* per cent */
} columns[] = {
	{"null", {"getppid"}, 95},
	{"read", {"read"}, 95},
	{"open+close", {"openat", "close"}, 80},
	{"chmod", {"chmod"}, 50},
	{"socket+close", {"socket", "close"}, 0},
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

/* What a column's calls pay for the rules, and may have to. */
struct sums {
	double before, after, least, floor;
};

static struct sums sums_of(const struct column *column,
			   const struct ruleset *before,
			   const struct ruleset *after,
			   const struct bound_survey *survey)
{
	struct sums sums = {0};

	for (int i = 0; i < CALLS_AT_MOST && column->call[i]; i++) {
		int number = target_call_number(before->target, ABI_NATIVE,
						column->call[i]);
		struct event event =
			cost_event(ABI_NATIVE, number, IDENTITY_DAEMON);
		struct bound bound = bound_of(survey, &event);

		sums.before += cost_of_event(before, &event).instructions;
		sums.floor += bound.floor;
		sums.after += cost_of_event(after, &event).instructions;
		sums.least += bound.instructions;
	}
	return sums;
}

/* Per cent of what is above the floor, at most all. */
static double share(const struct sums *sums, double left)
{
	double gone =
		100 * (sums->before - left) / (sums->before - sums->floor);

	return gone > 100 ? 100 : gone;
}

/* A profile of a daemon that makes the calls of COLUMN and little else. */
static struct profile *profile_of(struct arena *arena,
				  const struct target *target,
				  const struct column *column)
{
	struct profile *profile = profile_default(arena, target);

	profile->in_all = 0;
	for (int abi = 0; abi < ABI_COUNT; abi++)
		for (int n = 0; n < SYSCALL_MASK_CALLS; n++)
			if (profile->weight[abi][n]) {
				profile->weight[abi][n] = 1;
				profile->in_all++;
			}
	for (int i = 0; i < CALLS_AT_MOST && column->call[i]; i++) {
		int n = target_call_number(target, ABI_NATIVE, column->call[i]);

		profile->weight[ABI_NATIVE][n] += CALLS_MADE;
		profile->in_all += CALLS_MADE;
		profile->failed[ABI_NATIVE][n] = 0;
		profile->unset[ABI_NATIVE][n] = PROFILE_WHOLE;
	}
	return profile;
}

/* The rules as the passes of LEVEL make them, proved. */
static const struct ruleset *optimised(struct arena *arena,
				       const struct ruleset *before, int level,
				       const struct profile *profile)
{
	const struct pipeline_options how = {.level = level,
					     .profile = profile};

	return optimize_proved(arena, before, &how).after;
}

/* The same for the calls of COLUMN alone. */
static double gone_alone(struct arena *arena, const struct column *column,
			 const struct ruleset *set,
			 const struct bound_survey *survey, int level)
{
	const struct ruleset *after = optimised(
		arena, set, level, profile_of(arena, set->target, column));
	struct sums sums = sums_of(column, set, after, survey);

	return share(&sums, sums.after);
}

static void write_cell(struct arena *arena, const struct column *column,
		       const struct ruleset *set, const struct ruleset *after,
		       const struct bound_survey *survey, int level)
{
	struct sums sums = sums_of(column, set, after, survey);
	double gone = share(&sums, sums.after);
	double most = share(&sums, sums.least);

	if (sums.before <= sums.floor) {
		printf(" - |");
		return;
	}
	printf(" %.1f", gone);
	if (level > 1 && gone < column->wanted && most >= column->wanted)
		printf(", alone %.1f,",
		       gone_alone(arena, column, set, survey, level));
	printf(" of %.1f |", most);
}

static void write_rows(const char *file, struct arena *arena,
		       const struct ruleset *set)
{
	const char *slash = strrchr(file, '/');
	const char *name = slash ? slash + 1 : file;

	for (int level = 1; level <= 2; level++) {
		const struct ruleset *after =
			optimised(arena, set, level, NULL);
		const struct bound_survey *survey =
			bound_survey_of(arena, set, NULL, level, 0);

		printf("| %.*s | -O%d |", (int)strcspn(name, "."), name, level);
		for (size_t i = 0; i < COLUMNS; i++)
			write_cell(arena, &columns[i], set, after, survey,
				   level);
		putchar('\n');
	}
}

/* Some sets have no rule that any of the calls pays for. */
static bool costs_anything(const struct ruleset *set)
{
	struct event event = cost_event(
		ABI_NATIVE,
		target_call_number(set->target, ABI_NATIVE, "getppid"),
		IDENTITY_DAEMON);

	return cost_of_event(set, &event).instructions > 0;
}

static bool write_file(const struct cli_common *common, char *file)
{
	struct cli_input in;
	bool good = cli_load(&in, common, &file, 1) == STATUS_GOOD;

	if (good && costs_anything(in.loaded.set))
		write_rows(file, in.arena, in.loaded.set);
	arena_free(in.arena);
	return good;
}

static void write_head(void)
{
	printf("| rules | level |");
	for (size_t i = 0; i < COLUMNS; i++)
		printf(" %s |", columns[i].title);
	printf("\n|---|---|");
	for (size_t i = 0; i < COLUMNS; i++)
		printf("---:|");
	putchar('\n');
}

int main(int argc, char **argv)
{
	struct cli_common common = {.verbosity = -1};
	bool good = true;
	int first = 1;

	common.compile.target = target_by_name("x86_64");
	common.compile.auditctl_version = AUDITCTL_VERSION(3, 0, 9);
	common.compile.keep_going = true;
	common.compile.root = "";
	if (argc > 1 && strncmp(argv[1], "--root=", 7) == 0) {
		common.compile.root = argv[1] + 7;
		first++;
	}
	if (first == argc) {
		fputs("usage: gone [--root=DIR] FILE...\n", stderr);
		return 2;
	}
	write_head();
	for (int i = first; i < argc; i++)
		good &= write_file(&common, argv[i]);
	return good ? 0 : 1;
}
