#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# gone.sh PROGRAM [FILE...]: the page GONE.md, by PROGRAM (bench/gone). Without
# FILE all of ../shared/corpus, or the examples where that is not there. All
# paths and users that the rules name are there, in a tree of its own.
set -eu

top=$(cd "$(dirname "$0")/.." && pwd)
program=$1
shift
[ $# -gt 0 ] || {
	set -- "$top"/../shared/corpus/*.rules
	[ -r "$1" ] || set -- "$top"/examples/*.rules
}
work=$(mktemp -d "${TMPDIR:-/tmp}/auditopt-gone.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
sh "$top/tests/kernel/tree.sh" "$work/tree" "$@" 2>/dev/null

cat <<'EOF'
# How much of what audit rules cost is gone, and how much could be

Made by `make gone`, by estimate (Linux 6.1, x86_64), for calls of a daemon (auid
unset, user 0) on files that no rule names, which are opened with O_RDONLY and no
other flag, all paths of the rules being there.
[SOURCES.md](SOURCES.md) says where the rule sets come from.

"90.2 of 93.1": of what the call pays above the one rule `-a never,exit -S all`,
90.2 % are gone, and no rules that log the same could take more than 93.1 % away:
`src/cost/bound.h` has the argument, and `auditopt explain -S CALL -F auid=unset
-F uid=0 FILE` tells for any call what forces it. What is the same is stricter at
-O1, so that less can go there. A bound says what no rules can reach, not that
some do, and it is for one call by itself. The passes look for what all calls of
the default profile pay together, and then for what readers save if it costs those
little (auditopt.profile(5)).

Aimed at, at -O2, are 95 % for null and read (calls that most sets name in no rule),
80 % for open+close, 50 % for chmod. Where that is missed, and the bound does not
forbid it, "alone" is what the same passes reach under a profile of these calls
and nothing else (`--profile`). A dash: there is nothing to remove.

EOF
"$program" --root="$work/tree" "$@" 2>"$work/err" || {
	cat "$work/err" >&2
	exit 1
}
