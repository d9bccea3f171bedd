/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --profile=FILE. */
#include <stdio.h>
#include <unistd.h>

#include "cli/cli.h"
#include "profile/read.h"

const struct profile *cli_profile(struct arena *arena,
				  const struct cli_options *options,
				  const struct target *target)
{
	static const enum severity least[] = {DIAG_ERROR, DIAG_WARNING,
					      DIAG_NOTE};
	struct input *input = arena_alloc(arena, sizeof(*input));
	struct diagnostics *diagnostics = diagnostics_new(arena);
	const struct profile *profile;

	if (!options->profile)
		return profile_default(arena, target);
	profile = profile_read(arena, target, options->profile, input,
			       diagnostics);
	diagnostics_print(diagnostics, input,
			  least[options->common.verbosity + 1], stderr,
			  cli_want_colour(&options->common, STDERR_FILENO));
	if (!profile && options->common.writes_rules)
		fputs("auditopt: nothing was written\n", stderr);
	return profile;
}
