/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cells.h"

/* A share of what a call costs by itself that is no difference. */
#define SAME 0.003

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct column columns[] = {
	{"null", "getppid, which does nothing", .part = {"getppid"}},
	{"read", "read of one byte of /dev/zero", .part = {"read"},
	 .like = {"pread"}},
	{"write", "write of one byte to /dev/null", .part = {"write"},
	 .like = {"pwrite"}},
	{"stat", "stat", .part = {"stat"}},
	{"fstat", "fstat", .part = {"fstat"}},
	{"open+close", "openat (O_RDONLY) and close",
	 .part = {"openat", "close"}},
	{"chmod", "chmod", .part = {"chmod"}},
	{"socket+close", "socket (AF_UNIX) and close",
	 .part = {"socket", "close"}},
	{"dd-1",
	 "dd bs=1: read and write of one byte",
	 {"read", "write"},
	 {"pread", "pwrite"}},
	{"dd-512",
	 "dd bs=512: read and write of a block",
	 {"read", "write"},
	 {"pread", "pwrite"}},
	{"getpid+close+umask", "getpid, close (of a dup) and umask",
	 .part = {"getpid", "dup", "close", "umask"}},
	{"readers", "64 threads, each reads one byte of its own file",
	 .part = {"pread"}},
};

#define COLUMNS (sizeof(columns) / sizeof(*columns))

const struct column *column_at(size_t i)
{
	return i < COLUMNS ? &columns[i] : NULL;
}

const char *form_suffix(int form)
{
	static const char *const suffix[FORMS] = {"", ":-O1", ":-O2",
						  ":by-hand"};

	return suffix[form];
}

const char *identity_name(int identity)
{
	return identity ? "user" : "daemon";
}

/* False if there is no memory. */
static bool read_limit(struct run *run, const char *line)
{
	struct limit l, *more;

	if (sscanf(line, "bound %95s %d %31s %lf %lf %lf", l.set, &l.form,
		   l.call, &l.before, &l.least, &l.floor) != 6)
		return true;
	more = realloc(run->limit, (run->limits + 1) * sizeof(*run->limit));
	if (!more)
		return false;
	run->limit = more;
	run->limit[run->limits++] = l;
	return true;
}

struct run run_read(const char *kernel, const char *path, const char *reports)
{
	struct run run = {.kernel = kernel,
			  .reports = reports,
			  .loaded = json_object(),
			  .in_dev = json_object()};
	FILE *file = fopen(path, "r");
	char line[512];
	size_t room = 0;

	while (file && fgets(line, sizeof(line), file)) {
		struct cell c;

		if (!read_limit(&run, line))
			break;
		if (sscanf(line, "dev %95s", c.set) == 1)
			json_object_set_new(run.in_dev, c.set, json_true());
		if (sscanf(line, "cell %95s %15s %31s %lf %lf %d", c.set,
			   c.identity, c.call, &c.mean, &c.typical,
			   &c.logged) != 6)
			continue;
		if (run.cells == room) {
			room = room ? 2 * room : 1024;
			run.cell = realloc(run.cell, room * sizeof(*run.cell));
			if (!run.cell)
				break;
		}
		run.cell[run.cells++] = c;
	}
	if (!file || !run.cells || !run.cell) {
		fprintf(stderr, "kernel_table: nothing was measured in %s\n",
			path);
		exit(1);
	}
	fclose(file);
	return run;
}

void run_free(struct run *run)
{
	free(run->cell);
	free(run->limit);
	json_decref(run->loaded);
	json_decref(run->in_dev);
}

const char *run_set(const struct run *run, size_t n)
{
	for (size_t i = 0; i < run->cells; i++) {
		const char *name = run->cell[i].set;

		if (strchr(name, ':') ||
		    (i && !strcmp(name, run->cell[i - 1].set)))
			continue;
		if (!n--)
			return name;
	}
	return NULL;
}

const struct cell *run_cell(const struct run *run, const char *set, int form,
			    int identity, const char *call)
{
	char name[2 * SET_NAME];

	snprintf(name, sizeof(name), "%s%s", set, form_suffix(form));
	for (size_t i = 0; i < run->cells; i++) {
		const struct cell *cell = &run->cell[i];

		if (!strcmp(cell->set, name) && !strcmp(cell->call, call) &&
		    !strcmp(cell->identity, identity_name(identity)))
			return cell;
	}
	return NULL;
}

const struct limit *run_limit(const struct run *run, const char *set, int form,
			      const char *call)
{
	for (size_t i = 0; i < run->limits; i++) {
		const struct limit *limit = &run->limit[i];

		if (limit->form == form && !strcmp(limit->set, set) &&
		    !strcmp(limit->call, call))
			return limit;
	}
	return NULL;
}

json_t *run_report(const struct run *run, const char *set, int form)
{
	char name[2 * SET_NAME], path[4096];
	json_t *report;

	snprintf(name, sizeof(name), "%s%s", set, form_suffix(form));
	report = json_object_get(run->loaded, name);
	if (!report) {
		snprintf(path, sizeof(path), "%.3800s/%s.json", run->reports,
			 name);
		report = json_load_file(path, 0, NULL);
		json_object_set_new(run->loaded, name,
				    report ? report : json_null());
	}
	return json_is_object(report) ? report : NULL;
}

static bool names(json_t *class, const char *call)
{
	size_t i;
	json_t *name;

	json_array_foreach(json_object_get(class, "names"), i, name)
	{
		if (!strcmp(json_string_value(name), call))
			return true;
	}
	return false;
}

/* What REPORT has for CALL: "instructions", or "fixed" for those of them that are
 * the same whatever the rules are. */
static double estimate(json_t *report, const char *call, int identity,
		       const char *what)
{
	size_t i;
	json_t *class;

	json_array_foreach(json_object_get(report, "classes"), i, class)
	{
		json_t *before = json_object_get(class, "before");
		const char *abi =
			json_string_value(json_object_get(class, "abi"));

		if (!strcmp(abi, "x86_64") && names(class, call))
			return json_number_value(json_object_get(
				json_object_get(before,
						identity_name(identity)),
				what));
	}
	return NAN;
}

static double estimate_of_column(const struct run *run, const char *set,
				 json_t *report, const struct column *column,
				 int identity)
{
	bool in_dev = json_object_get(run->in_dev, set);
	double sum = 0;

	for (int i = 0; i < MOST_PARTS && column->part[i]; i++) {
		const char *call = column->part[i], *like = column->like[i];

		sum += estimate(report, call, identity, "instructions");
		if (in_dev && like)
			sum += estimate(report, like, identity, "fixed") -
			       estimate(report, call, identity, "fixed");
	}
	return sum;
}

double residual(const struct run *run, const struct cell *cell, json_t *report,
		const struct column *column, int identity)
{
	const struct cell *zero =
		run_cell(run, "zero", 0, identity, column->name);
	double expected, measured;

	if (cell->logged || !zero || !report)
		return NAN;
	expected = estimate_of_column(run, cell->set, report, column, identity);
	measured = cell->typical - zero->typical;
	/* File systems keep a few instructions of watches that are gone, and a
	 * call that opens files is not the same to the last instruction each
	 * time. */
	if (fabs(expected - measured) < fmax(10, SAME * zero->typical))
		return 0;
	return 100 * (expected - measured) / measured;
}
