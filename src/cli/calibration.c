/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --calibration=FILE. */
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "cli/cli.h"
#include "cost/calibration.h"
#include "util/printable.h"

static const char *shown(struct arena *arena, const char *text)
{
	return printable_cut(arena, text, strlen(text), 200);
}

/* The kernel that the rules are for: --kernel, or this machine's if the rules
 * are for one like it. NULL: not known. */
static const char *kernel_at_hand(struct arena *arena,
				  const struct cli_options *options,
				  const struct target *target)
{
	struct utsname name;

	if (options->kernel)
		return strcmp(options->kernel, "any") ? options->kernel : NULL;
	if (target != target_of_this_machine() || uname(&name) != 0)
		return NULL;
	return arena_strdup(arena, name.release);
}

/* Is RELEASE that of KERNEL, as far as KERNEL says it? "6.12" is 6.12.30. */
static bool is_release(const char *kernel, const char *release)
{
	size_t length = strlen(kernel);

	return strncmp(kernel, release, length) == 0 &&
	       strchr(".-+", release[length]) != NULL;
}

static void warn_of_kernel(struct arena *arena,
			   const struct cli_options *options,
			   const struct target *target,
			   const struct calibration *c)
{
	const char *kernel = kernel_at_hand(arena, options, target);

	if (options->common.verbosity < 0 || !kernel ||
	    is_release(kernel, c->kernel))
		return;
	fprintf(stderr,
		"auditopt: warning: --calibration=%s was measured on Linux %s, "
		"and the rules are for %s: the nanoseconds may be others there "
		"(auditopt calibrate measures a host)\n",
		shown(arena, options->calibration), shown(arena, c->kernel),
		shown(arena, kernel));
}

bool cli_calibration(struct arena *arena, const struct cli_options *options,
		     const struct target *target,
		     const struct calibration **calibration)
{
	const char *file = options->calibration, *why;

	*calibration = NULL;
	if (!file)
		return true;
	*calibration = calibration_read(arena, file, &why);
	if (*calibration && strcmp((*calibration)->machine, target->name) != 0)
		why = arena_printf(arena,
				   "it was measured on a machine of the kind "
				   "%s, and the rules are for %s",
				   (*calibration)->machine, target->name);
	if (why) {
		fprintf(stderr,
			"auditopt: --calibration=%s cannot be used: %s; make "
			"one with auditopt calibrate -o FILE\n"
			"auditopt: nothing was written\n",
			shown(arena, file), shown(arena, why));
		return false;
	}
	warn_of_kernel(arena, options, target, *calibration);
	return true;
}
