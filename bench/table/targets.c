/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "table.h"

/* What was aimed at on Linux 6.1, for a daemon. */
struct target {
	const char *set;
	int form;
	const char *call;
	double most;	 /* instructions; 0: */
	double percent;	 /* over the floor, at most */
	const char *why; /* it was missed, if it was */
};

static const char leading[] =
	"a rule over all calls is in the way: the one that ends the walk asks "
	"for auid and arch, where one of them would do for this call alone";
static const char at_o1[] =
	"a rule over all calls is in the way: the one that ends the walk must "
	"ask for auid or arch";

static const struct target targets[] = {
	{"neo23x0", 2, "null", 0, 10, leading},
	{"neo23x0", 2, "fstat", 0, 10, leading},
	{"neo23x0", 2, "read", 0, 10, leading},
	{"neo23x0", 2, "write", 0, 10, leading},
	{"neo23x0", 2, "open+close", 14500, 0,
	 "rules with dir= or perm=r that can match stand in between"},
	{"neo23x0", 2, "chmod", 14000, 0,
	 "each of its dir= rules must be asked for a chmod, one by one"},
	{"neo23x0", 2, "socket+close", 13500, 0, leading},
	{"neo23x0", 1, "null", 0, 0, at_o1},
	{"neo23x0", 1, "read", 4500, 0,
	 "at -O1 no walk may be ended that the kernel could log by itself in"},
};

/* Not to be reached: with the watches of the set, even the floor rule alone is
 * dearer. In WHY, of SIZE; false if it is not so. */
static bool watches_forbid(const struct run *run, const struct target *t,
			   double most, char *why, size_t size)
{
	char set[SET_NAME + 16];
	const struct cell *behind;

	snprintf(set, sizeof(set), "%s-behind-floor", t->set);
	behind = run_cell(run, set, 0, 0, t->call);
	if (!behind || behind->mean <= most)
		return false;
	snprintf(why, size,
		 "no rules with these watches can: behind the floor rule it "
		 "is %.0f (below)",
		 behind->mean);
	return true;
}

/* Is the file of that column one in /dev? */
static bool is_in_dev(const char *call)
{
	const struct column *column;

	for (size_t c = 0; (column = column_at(c)); c++)
		if (!strcmp(column->name, call))
			return column->like[0] != NULL;
	return false;
}

/* The same where no rules that log the same can be as cheap. */
static bool bound_forbids(const struct run *run, const struct target *t,
			  double most, char *why, size_t size)
{
	const struct cell *zero = run_cell(run, "zero", 0, 0, t->call);
	const struct limit *limit = run_limit(run, t->set, t->form, t->call);
	const struct cell *behind;
	char set[SET_NAME + 16];
	double least;

	if (!zero || !limit)
		return false;
	least = zero->mean + limit->least;
	snprintf(set, sizeof(set), "%s-behind-floor", t->set);
	behind = run_cell(run, set, 0, 0, t->call);
	/* What watches cost is in no estimate of what is in /dev. */
	if (behind && is_in_dev(t->call))
		least = fmax(least, behind->mean + limit->least - limit->floor);
	if (least <= most)
		return false;
	snprintf(why, size,
		 "no rules that log the same can: %.0f at least, by estimate",
		 least);
	return true;
}

static void print_line(const char *what, const char *wanted, double measured,
		       bool met, const char *why)
{
	printf("| %s | %s | %.0f | %s%s |\n", what, wanted, measured,
	       met ? "met" : "**missed**: ", met ? "" : why);
}

static void print_target(const struct run *run, const struct target *t)
{
	const struct cell *cell = run_cell(run, t->set, t->form, 0, t->call);
	const struct cell *floor = run_cell(run, "floor", 0, 0, t->call);
	double most = t->most;
	char what[128], wanted[128], why[128];

	if (!cell || !floor)
		return;
	if (!most)
		most = floor->mean * (1 + t->percent / 100);
	snprintf(what, sizeof(what), "%s at %s, %s", t->set,
		 form_suffix(t->form) + 1, t->call);
	if (!t->most && !t->percent)
		snprintf(wanted, sizeof(wanted), "the floor, %.0f",
			 floor->mean);
	else if (t->most)
		snprintf(wanted, sizeof(wanted), "at most %.0f", t->most);
	else
		snprintf(wanted, sizeof(wanted), "floor %.0f + %.0f %% = %.0f",
			 floor->mean, t->percent, most);
	print_line(what, wanted, cell->mean, cell->mean <= most,
		   watches_forbid(run, t, most, why, sizeof(why)) ||
				   bound_forbids(run, t, most, why, sizeof(why))
			   ? why
			   : t->why);
}

/* The worst of the six calls of lmbench: how far the numbers of rules from 10 to
 * 160 are apart at -O2, in percent. */
static void print_flat(const struct run *run)
{
	static const char *const call[] = {"null", "read",  "write",
					   "stat", "fstat", "open+close"};
	double worst = 0;
	const char *set;

	for (size_t c = 0; c < sizeof(call) / sizeof(*call); c++) {
		double least = INFINITY, most = 0;

		for (size_t n = 0; (set = run_set(run, n)); n++) {
			const struct cell *cell =
				run_cell(run, set, 2, 0, call[c]);

			if (!cell || strncmp(set, "unrelated-", 10) != 0)
				continue;
			least = fmin(least, cell->typical);
			most = fmax(most, cell->typical);
		}
		worst = fmax(worst, 100 * (most / least - 1));
	}
	printf("| 10 to 160 rules at -O2, lmbench's six calls | apart by at "
	       "most 2 %% | %.1f %% | %s |\n",
	       worst,
	       worst <= 2 ? "met" : "**missed**: a walk is not ended early");
}

static void print_gone(const struct run *run)
{
	const struct column *column;
	double worst = 0;

	for (size_t c = 0; (column = column_at(c)); c++) {
		const struct cell *zero =
			run_cell(run, "zero", 0, 0, column->name);
		const struct cell *cell =
			run_cell(run, "one-never", 2, 0, column->name);

		if (zero && cell)
			worst = fmax(worst,
				     fabs(cell->typical - zero->typical));
	}
	printf("| one-never at -O2, all calls | as with no rules | %.0f "
	       "instructions apart | %s |\n",
	       worst,
	       worst < 10 ? "met" : "**missed**: the rule is still there");
}

/* "SET (31.2 of at most 48.8 %, 2717 left)," */
static void print_missed(const struct run *run, const char *set,
			 const char *call, double gone, double left)
{
	const struct limit *limit = run_limit(run, set, 2, call);

	printf(" %s (%.1f", set, gone);
	if (limit && limit->before > limit->floor)
		printf(" of at most %.1f",
		       100 * (limit->before - limit->least) /
			       (limit->before - limit->floor));
	printf(" %%, %.0f left),", left);
}

/* Of every set that is used somewhere, a part of the removable cost. */
static void print_part(const struct run *run, const char *call,
		       const char *what, double wanted, const char *why)
{
	unsigned int sets = 0, met = 0;
	const char *set;
	double gone, left;

	printf("| all sets at -O2, %s | %.0f %% of the removable gone |", what,
	       wanted);
	for (size_t n = 0; (set = run_set(run, n)); n++) {
		if (is_workload(set) ||
		    !part_gone(run, set, 2, call, &gone, &left))
			continue;
		sets++;
		met += gone >= wanted;
	}
	printf(" %u of %u sets |", met, sets);
	if (met == sets) {
		printf(" met |\n");
		return;
	}
	printf(" **missed** by");
	for (size_t n = 0; (set = run_set(run, n)); n++)
		if (!is_workload(set) &&
		    part_gone(run, set, 2, call, &gone, &left) && gone < wanted)
			print_missed(run, set, call, gone, left);
	printf(" %s |\n", why);
}

static void print_watches(const struct run *run)
{
	static const char *const call[] = {"null", "read", "write", "fstat"};

	for (size_t c = 0; c < sizeof(call) / sizeof(*call); c++) {
		const struct cell *behind =
			run_cell(run, "neo23x0-behind-floor", 0, 0, call[c]);
		const struct cell *floor =
			run_cell(run, "floor", 0, 0, call[c]);

		if (!behind || !floor)
			continue;
		printf("%s %s %.0f (floor %.0f)", c ? "," : "", call[c],
		       behind->mean, floor->mean);
	}
}

void print_targets(const struct run *run)
{
	if (!run_cell(run, "neo23x0", 2, 0, "null") ||
	    !run_cell(run, "one-never", 2, 0, "null"))
		return;
	printf("| what | aimed at | measured | |\n|---|---|---:|---|\n");
	for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++)
		print_target(run, &targets[i]);
	print_flat(run);
	print_gone(run);
	print_part(run, "null", "a call that no rule names", 95,
		   "what is left is a comparison or two in the rule that ends "
		   "the walk, or rules over all calls");
	print_part(run, "open+close", "open+close by a daemon", 80,
		   "rules that can match an open for reading must be asked "
		   "before the walk can be ended");
	print_part(run, "chmod", "chmod by a daemon", 50,
		   "dir= and perm=a rules can match each chmod and must be "
		   "asked");
	printf("\nWatches cost where they match nothing, too: files on a file "
	       "system with a watch tell of each read and write.\nAll of "
	       "neo23x0's rules behind the floor rule, where none of them is "
	       "asked:");
	print_watches(run);
	printf(".\nNo rules with these watches could cost less.\n\nWhat any "
	       "rules that log the same must cost a call at least (\"at "
	       "most\", "
	       "above), and why:\n"
	       "`auditopt explain -O2 -S chmod -F auid=unset -F uid=0 FILE`. "
	       "bench/GONE.md has that bound beside what is reached, for every "
	       "set.\n");
}
