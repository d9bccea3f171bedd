#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A real kernel as the judge (make check-kernel): Debian's kernel in QEMU, without
# KVM and without privileges, with the auditctl of Debian 12 and 13.
#   outputs.sh   what auditopt writes loads, and is what the kernel then lists
#   language.sh  line by line, auditctl and auditopt agree
#   events.sh    the same calls make the same records, whatever was optimised
#   companions.sh  what AppArmor refuses keeps the records of its call, as far as said
#   calibrate.sh auditopt calibrate measures, and leaves the rules as they were
#   from_kernel.sh  what the kernel holds is read from it, and from auditctl -l
#   boot.sh      what auditopt-boot loads, and what it loads when something fails
#   systemd.sh   the same at boot, in the services of Debian 12 and 13
# AUDITOPT_KERNEL: some (the default) takes some minutes; full is both kernels and
# everything (but they share the random sets of events, and systemd's long boots are of
# the first alone), below 40 minutes of processor time, so 20 on two idle processors;
# quick less of events, companions and calibrate. AUDITOPT_KERNEL_PARTS: which of them;
# AUDITOPT_KERNEL_VERSIONS: on which kernels. Ends with 77 and a word where there is no
# QEMU or its packages cannot be had.
set -u

LC_ALL=C
export LC_ALL
: "${AUDITOPT:?the path of the built program}" "${AUDITOPT_SRCDIR:?}"
here=$AUDITOPT_SRCDIR/tests/kernel
build=$(dirname "$AUDITOPT")
parts=${AUDITOPT_KERNEL_PARTS:-outputs language events companions calibrate from_kernel boot systemd}
size=${AUDITOPT_KERNEL:-some}
auditctls="3.0.9 4.0.2"
kernels=6.1
case $size in
quick | some | full) ;;
*)
	echo "AUDITOPT_KERNEL is quick, some or full, not $size"
	exit 2
	;;
esac
[ "$size" != full ] || kernels="6.1 6.12"
kernels=${AUDITOPT_KERNEL_VERSIONS:-$kernels}
# shellcheck source=tests/kernel/lib.sh
. "$here/lib.sh"
# shellcheck source=tests/kernel/outputs.sh
. "$here/outputs.sh"
# shellcheck source=tests/kernel/language.sh
. "$here/language.sh"
# shellcheck source=tests/kernel/events.sh
. "$here/events.sh"
# shellcheck source=tests/kernel/companions.sh
. "$here/companions.sh"
# shellcheck source=tests/kernel/calibrate.sh
. "$here/calibrate.sh"
# shellcheck source=tests/kernel/from_kernel.sh
. "$here/from_kernel.sh"
# shellcheck source=tests/kernel/boot.sh
. "$here/boot.sh"
# shellcheck source=tests/kernel/systemd.sh
. "$here/systemd.sh"

work=$(mktemp -d "${TMPDIR:-/tmp}/auditopt-kernel.XXXXXX") || exit 99
if [ -n "${AUDITOPT_KERNEL_KEEP:-}" ]; then
	echo "kept: $work"
else
	trap 'rm -rf "$work"' EXIT
fi
trap 'exit 99' INT TERM
failures=0

fail() {
	failures=$((failures + 1))
	printf 'FAILED: %s\n' "$*"
}

# How many guests a kernel, so that two processors have something to do.
shares=1
case $kernels in
*' '*) ;;
*) shares=2 ;;
esac

# results WHAT KERNEL: the guests print "good NAME" or "bad NAME", more on a bad
# one behind it, indented.
results() {
	good=$(grep -c '^good ' "$work/out-$2")
	bad=$(grep -c '^bad ' "$work/out-$2")
	echo "$1, Linux $2: $good good, $bad bad"
	[ "$bad" = 0 ] || {
		sed -n '/^bad /,/^[^ ]/{ /^bad /p; /^  /p; }' "$work/out-$2" | head -n 200
		failures=$((failures + bad))
	}
	[ "$good" != 0 ] || fail "$1: nothing was tested"
}

guest_needs
guest_processor=Nehalem
rule_files="$(ls "$AUDITOPT_SRCDIR"/examples/*.rules "$AUDITOPT_SRCDIR"/examples/*/*.rules)"
for directory in corpus cases; do
	if [ -d "$AUDITOPT_SRCDIR/../shared/$directory" ]; then
		rule_files="$rule_files $(ls "$AUDITOPT_SRCDIR/../shared/$directory"/*.rules)"
	else
		echo "skipped: no $AUDITOPT_SRCDIR/../shared/$directory"
	fi
done
sed 's/^/   /' "$cache/versions"
for part in $parts; do
	began=$(date +%s)
	$part
	times >"$work/times" # a pipe's end has its own
	echo "   $part: $(($(date +%s) - began)) s; so far $(sed -n '2s/ / of processor time and /p' "$work/times") of the system's"
done
[ "$failures" = 0 ] || {
	echo "$failures failed"
	exit 1
}
echo "all good"
