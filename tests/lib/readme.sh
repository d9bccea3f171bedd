#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Prints README.md with what the commands in its console blocks print now.
# `make readme` puts that in its place, tests/cli_examples.sh compares.
set -u
: "${AUDITOPT:?the path of the built program}" "${AUDITOPT_SRCDIR:?}"
export AUDITOPT
cd "$AUDITOPT_SRCDIR" || exit 99
awk '/^```console$/ { console = 1; print; next }
	/^```$/ { console = 0 }
	console && /^\$ / {
		print
		fflush()
		system("auditopt() { \"$AUDITOPT\" \"$@\"; }; " substr($0, 3))
	}
	!console' README.md
