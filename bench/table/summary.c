/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "table.h"

/* What others measured, beside what was measured here. */
struct workload {
	const char *title, *set, *call;
	const char *published; /* before and after, in their unit */
	const char *ratio;     /* before by after */
	int source;	       /* number in print_sources() */
};

static const struct workload workloads[] = {
	{"lmbench null", "unrelated-160", "null", "5.50 to 1.92 ms", "2.86", 1},
	{"lmbench read", "unrelated-160", "read", "16.89 to 3.32 ms", "5.09",
	 1},
	{"lmbench write", "unrelated-160", "write", "12.18 to 3.06 ms", "3.98",
	 1},
	{"lmbench stat", "unrelated-160", "stat", "51.53 to 26.81 ms", "1.92",
	 1},
	{"lmbench fstat", "unrelated-160", "fstat", "17.45 to 4.57 ms", "3.82",
	 1},
	{"lmbench open+close", "unrelated-160", "open+close",
	 "155.40 to 71.41 ms", "2.18", 1},
	{"getpid", "userspace-30-stig", "null", "208 to 183 ns", "1.14", 2},
	{"dd bs=1", "one-never", "dd-1", "6 to 11 % faster", "1.06 to 1.11", 3},
	{"getpid, close, umask", "one-never", "getpid+close+umask",
	 "6 to 11 % faster", "1.06 to 1.11", 3},
	{"a call that no rule names", "ten-dirs", "null", "", "", 4},
	{"open+close, which they name", "ten-dirs", "open+close", "", "", 4},
	{"64 readers", "userspace-30-stig", "readers", "5M to 70M reads/s",
	 "14", 5},
	{"64 readers", "neo23x0", "readers", "5M to 70M reads/s", "14", 5},
	{"dd bs=512", "neo23x0", "dd-512", "1.8 to 0.4 s", "4.5", 6},
	{"dd bs=1", "neo23x0", "dd-1", "", "", 0},
	{"getpid", "stig", "null", "", "", 0},
	{"open+close", "stig", "open+close", "", "", 0},
	{"chmod", "stig", "chmod", "", "", 0},
};

#define WORKLOADS (sizeof(workloads) / sizeof(*workloads))

void print_sources(void)
{
	static const char *const line[] = {
		"Published figures are others', on their machines, and were "
		"not measured here:",
		"",
		"1. A patch of 2021 for the Linux kernel, not taken: a list of "
		"rules for each call.",
		"   lmbench, ms per 1000 calls, 160 rules on other calls.",
		"2. *audit: annotate branch direction for audit_in_mask()*, "
		"2022, in Linux 6.2: getpid",
		"   under a usual set, mean 207.86 and 182.51 ns, by as many "
		"instructions, which is why",
		"   nothing of it can show here.",
		"3. A patch of 2023: dd and the loop, with the single rule of "
		"one-never.",
		"4. *audit: check syscall bitmap on entry to avoid extra "
		"work*, 2023, rejected; Cloudflare's",
		"   kernel has it (cloudflare/linux). The ten rules come from "
		"there; no figure of that patch is",
		"   quoted here.",
		"5. FreeBSD, *audit: convert audit event class lookup to "
		"lockless*, 2025: what was",
		"   gained is a lock that 64 processors shared. Linux walks "
		"its "
		"rules without one, and the",
		"   machine of these measurements has one processor: what is "
		"left is each call's own walk.",
		"6. Neo23x0/auditd, *Non performant*, 2023: 1,000,000 blocks, "
		"before and after `-a never,exit",
		"   -F arch=b64 -S read,write` was put in front "
		"(neo23x0-read-write in the tables; `auditopt",
		"   diff` does not hold the two for the same, for another rule "
		"is over all calls of people",
		"   who became root)."};

	for (size_t i = 0; i < sizeof(line) / sizeof(*line); i++)
		puts(line[i]);
}

bool is_workload(const char *set)
{
	static const char *const name[] = {"zero", "floor", "one-never",
					   "ten-dirs", "stig"};

	for (size_t i = 0; i < sizeof(name) / sizeof(*name); i++)
		if (!strcmp(set, name[i]))
			return true;
	return !strncmp(set, "unrelated-", strlen("unrelated-"));
}

bool part_gone(const struct run *run, const char *set, int form,
	       const char *call, double *gone, double *left)
{
	const struct cell *floor = run_cell(run, "floor", 0, 0, call);
	const struct cell *before = run_cell(run, set, 0, 0, call);
	const struct cell *after = run_cell(run, set, form, 0, call);

	if (!floor || !before || !after || before->logged || after->logged ||
	    before->typical <= floor->typical)
		return false;
	*left = after->typical - floor->typical;
	*gone = 100 * (before->typical - after->typical) /
		(before->typical - floor->typical);
	return true;
}

static double mean_of(const struct run *run, const char *set, int form,
		      const char *call)
{
	const struct cell *cell = run_cell(run, set, form, 0, call);

	return cell ? cell->mean : NAN;
}

static void print_number(double number)
{
	if (isnan(number))
		printf(" |");
	else
		printf(" %.0f |", number);
}

static void print_workload(const struct run *run, const struct workload *w)
{
	double before = mean_of(run, w->set, 0, w->call);
	double after = mean_of(run, w->set, 2, w->call);

	if (isnan(before))
		return;
	printf("| %s | %s |", w->title, w->set);
	print_number(mean_of(run, "zero", 0, w->call));
	print_number(mean_of(run, "floor", 0, w->call));
	for (int form = 0; form < FORMS; form++)
		print_number(mean_of(run, w->set, form, w->call));
	if (isnan(after))
		printf(" |");
	else
		printf(" %.2f |", before / after);
	printf(" %s | %s |", w->ratio, w->published);
	if (w->source)
		printf(" %d |\n", w->source);
	else
		printf(" |\n");
}

static void print_workloads(const struct run *run)
{
	bool any = false;

	for (size_t i = 0; i < WORKLOADS && !any; i++)
		any = run_cell(run, workloads[i].set, 0, 0, workloads[i].call);
	if (!any)
		return;
	printf("Instructions of one turn of each loop, for a daemon. *Ratio*: "
	       "as they are by -O2. *Theirs*: published.\n\n"
	       "| workload | rules | no rules | floor | as they are | -O1 | "
	       "-O2 | by hand | ratio | theirs | before and after | source |\n"
	       "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---|---:|\n");
	for (size_t i = 0; i < WORKLOADS; i++)
		print_workload(run, &workloads[i]);
}

/* Of a call: what it costs before, and what part is gone at -O1 and -O2. */
static void print_gone(const struct run *run, const char *set, const char *call)
{
	print_number(mean_of(run, set, 0, call));
	for (int form = 1; form < FORMS; form++) {
		double gone, left;

		if (part_gone(run, set, form, call, &gone, &left))
			printf(" %.0f |", gone);
		else
			printf(" |");
	}
}

static bool in_use(const struct run *run, const char *set)
{
	return !is_workload(set) && run_cell(run, set, 2, 0, "null");
}

static bool any_in_use(const struct run *run)
{
	const char *set;

	for (size_t n = 0; (set = run_set(run, n)); n++)
		if (in_use(run, set))
			return true;
	return false;
}

static void print_sets(const struct run *run)
{
	static const char *const call[] = {"null", "open+close", "chmod"};
	const char *set;

	if (!any_in_use(run))
		return;
	printf("\nWhat is gone of what each set costs a daemon above the "
	       "floor, in percent, at -O1, at -O2 and\nby hand, for the "
	       "typical call (the median of 200); over 100: a list that is "
	       "walked to its end\ncosts less than the floor rule; empty: "
	       "there "
	       "was nothing to remove.\n\n"
	       "| rules | getppid | -O1 | -O2 | by hand | open+close | -O1 | "
	       "-O2 | by hand | chmod | -O1 | -O2 | by hand |\n"
	       "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
	       "---:|\n");
	for (size_t n = 0; (set = run_set(run, n)); n++) {
		if (!in_use(run, set))
			continue;
		printf("| %s |", set);
		for (size_t c = 0; c < sizeof(call) / sizeof(*call); c++)
			print_gone(run, set, call[c]);
		printf("\n");
	}
}

struct tally {
	unsigned int cells, within_10, beyond_25;
	double worst;
};

static void count_set(struct tally *tally, const struct run *run,
		      const char *set, int form)
{
	const struct column *column;
	json_t *report = run_report(run, set, form);

	for (size_t c = 0; (column = column_at(c)); c++) {
		for (int id = 0; id < IDENTITIES; id++) {
			const struct cell *cell =
				run_cell(run, set, form, id, column->name);
			double off =
				cell ? residual(run, cell, report, column, id)
				     : NAN;

			if (isnan(off))
				continue;
			tally->cells++;
			tally->within_10 += fabs(off) <= 10;
			tally->beyond_25 += fabs(off) > 25;
			if (fabs(off) > fabs(tally->worst))
				tally->worst = off;
		}
	}
}

static void print_tally(const struct run *run)
{
	struct tally tally = {0};
	const char *set;

	for (size_t n = 0; (set = run_set(run, n)); n++)
		for (int form = 0; form < FORMS; form++)
			count_set(&tally, run, set, form);
	if (!tally.cells)
		return;
	printf("\nEstimates (`auditopt cost`): of %u cells %.1f %% are within "
	       "10 %% of what was measured above no\nrules, %u more than 25 %% "
	       "off, the worst by %+.0f %%. What is off most are stat and "
	       "chmod: of 32 places for\nthe inodes of watched files, a file "
	       "shares one with more or with fewer, and the estimate is the\n"
	       "mean.\n",
	       tally.cells, 100.0 * tally.within_10 / tally.cells,
	       tally.beyond_25, tally.worst);
}

static double daemons(json_t *means)
{
	json_t *number = json_object_get(means, "daemon");

	return number ? json_number_value(number) : NAN;
}

static double mean_estimate(json_t *report)
{
	json_t *before =
		json_object_get(json_object_get(report, "totals"), "before");

	return daemons(json_object_get(before, "mean_instructions"));
}

static void print_patches(const struct run *run)
{
	const char *set;

	printf("\nWhat patches of the kernel would do beside it: **estimated, "
	       "none of it measured**. Instructions above\nno rules, the mean "
	       "over all calls, for a daemon: with a list of rules for each "
	       "call [1], with a bitmap\nof the calls at entry [4]; and "
	       "what the rules of -O1 and -O2 do without any patch. The "
	       "patches [2] and\nthat of the test for the audit daemon change "
	       "no count of instructions that is known.\n\n"
	       "| rules | as they are | list for each call | bitmap | -O1 | "
	       "-O2 |\n|---|---:|---:|---:|---:|---:|\n");
	for (size_t n = 0; (set = run_set(run, n)); n++) {
		json_t *report = run_report(run, set, 0);
		json_t *patches = json_object_get(report, "patches");

		if (!run_report(run, set, 2))
			continue;
		printf("| %s |", set);
		print_number(mean_estimate(report));
		for (size_t i = 0; i < 2; i++)
			print_number(daemons(json_object_get(
				json_array_get(patches, i), "before")));
		for (int form = 1; form <= 2; form++)
			print_number(mean_estimate(run_report(run, set, form)));
		printf("\n");
	}
}

void print_summary(const struct run *run)
{
	print_workloads(run);
	print_sets(run);
	print_tally(run);
	print_patches(run);
}
