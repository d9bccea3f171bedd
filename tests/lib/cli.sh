# SPDX-License-Identifier: GPL-2.0-or-later
# What the command-line tests share; read with `. "$AUDITOPT_SRCDIR/tests/lib/cli.sh"`.
# Each test works in an empty directory of its own, $work, and ends with `finish`.
# shellcheck shell=sh disable=SC2034

set -u
unset HOME NO_COLOR
# What a test says must not depend on the language of whoever runs it.
LC_ALL=C
export LC_ALL
# No test may load rules into the kernel that it runs on.
AUDITOPT_NO_CALIBRATE=1
export AUDITOPT_NO_CALIBRATE
: "${AUDITOPT:?the path of the built program}" "${AUDITOPT_SRCDIR:?}"
examples=$AUDITOPT_SRCDIR/examples
shared=$AUDITOPT_SRCDIR/../shared
work=$(mktemp -d "${TMPDIR:-/tmp}/auditopt-test.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
failures=0
status=0

fail() {
	failures=$((failures + 1))
	printf 'FAILED: %s\n' "$*"
}

# Runs auditopt; leaves $status and the files out and err.
auditopt() {
	"$AUDITOPT" "$@" >out 2>err </dev/null
	status=$?
}

# run STATUS ARGUMENT...: runs auditopt and wants that exit status.
run() {
	wanted=$1
	shift
	auditopt "$@"
	[ "$status" = "$wanted" ] || {
		fail "auditopt $*: status $status, not $wanted"
		sed 's/^/    /' err | head -n 5
	}
}

# out_has PATTERN, err_has PATTERN: a line that grep -E finds.
out_has() {
	grep -qE -e "$1" out || fail "no line of the output matches $1"
}

out_lacks() {
	! grep -qE -e "$1" out || fail "a line of the output matches $1"
}

err_has() {
	grep -qE -e "$1" err || {
		fail "no line of the messages matches $1"
		sed 's/^/    /' err | head -n 12
	}
}

same() {
	cmp -s "$1" "$2" || {
		fail "$3"
		diff "$1" "$2" | head -n 10
	}
}

# The rules of FILE without comments, so without anything that names lines.
rules_of() {
	grep -v '^#' "$1" | grep -v '^$'
}

finish() {
	if [ "$failures" != 0 ]; then
		echo "$failures failed"
		exit 1
	fi
	echo "all good"
	exit 0
}

skip() {
	echo "skipped: $*"
	exit 77
}
