#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# calibrate as far as it goes without a kernel to measure (tests/kernel/calibrate.sh
# has one), and --calibration.
. "${AUDITOPT_SRCDIR:?}/tests/lib/cli.sh"

[ -n "$AUDITOPT_NO_CALIBRATE" ] || exit 99

run 0 calibrate --help
out_has '^Usage: auditopt calibrate'
out_has '--force'
out_has '^Exit status: '
out_lacks 'keep-going'
awk 'length > 80' out | grep -q . && fail "calibrate --help has lines of more than 80 columns"
run 0 calibrate --version
out_has '^auditopt '
for wrong in x '-o' '-v' '--calibration=x' '--force=1' '-O2' '--root=/'; do
	# shellcheck disable=SC2086 # words
	run 2 calibrate $wrong
	err_has "^Try 'auditopt calibrate --help'\.$"
done
run 2 calibrate -o ''
run 2 calibrate x y
run 2 calibrat x
err_has "did you mean 'calibrate'"

# It says what, why and what to do; and nothing is written.
refused() {
	run 4 calibrate "$@" -o written
	err_has '^auditopt calibrate: refused, nothing was changed: '
	err_has '^  why: '
	err_has '^  what to do: '
	[ ! -e written ] || fail "refused, and written"
	[ -s out ] && fail "refused, and something to standard output"
}
for force in '' --force -q; do
	# shellcheck disable=SC2086 # none or one word
	refused $force
done

# A file: twice as long for what is entered as for what is passed.
{
	printf '{"format": "auditopt-calibration", "version": 1, "auditopt": "0", '
	printf '"date": "2026-01-02T03:04:05Z", "kernel": "6.1.0-x", "build": "b", '
	printf '"machine": "x86_64", "call_nanoseconds": 50, "constants": [\n'
	printf '{"name": "context_in_use", "nanoseconds": 1000, "spread": 0},\n'
	printf '{"name": "rule_passed", "nanoseconds": 7, "spread": 0},\n'
	printf '{"name": "rule_matched", "nanoseconds": 40, "spread": 0}]}\n'
} >host.calibration
cat >a.rules <<'END'
-a always,exit -F arch=b64 -S open -F uid=5 -k a
-a always,exit -F arch=b64 -S open -F uid=6 -k b
-a always,exit -F arch=b64 -S open -F uid=7 -k c
-a always,exit -F arch=b64 -S open -F uid>5 -F uid<5 -k d
END
run 0 cost --machine=x86_64 a.rules
out_lacks '[Nn]anoseconds| ns( |$)'
run 0 cost --machine=x86_64 --calibration=host.calibration a.rules
err_has 'host\.calibration was measured on Linux 6\.1\.0-x'
out_has '^Nanoseconds a call'
out_has 'As host\.calibration has them, measured on Linux 6\.1\.0-x \(2026-01-02T03:04:05Z\)'
out_has 'daemon ns +user ns$'
# getppid is in none of the four.
out_has '^b64 read.* 10[0-9][0-9] +10[0-9][0-9]$'
awk 'length > 100' out | grep -q . && fail "lines of more than 100 columns"
run 0 cost -q --machine=x86_64 --calibration=host.calibration a.rules
[ -s err ] && fail "-q is not silent"
run 0 --machine=x86_64 -o o.rules --report=- --kernel=6.1 --calibration=host.calibration a.rules
! grep -q 'was measured on' err || fail "6.1.0-x is not taken for 6.1"
out_has '^b64 read.* 10[0-9][0-9] -> 10'
run 0 --machine=x86_64 -o o.rules --report=- --kernel=6.12 --calibration=host.calibration a.rules
err_has 'measured on Linux 6\.1\.0-x, and the rules are for 6\.12'
run 0 --machine=x86_64 -o o.rules --report=- --kernel=any --calibration=host.calibration a.rules
! grep -q 'was measured on' err || fail "no kernel is known, and one is told"

# The same in JSON, and nothing of it without.
run 0 cost -q --machine=x86_64 --report-format=json --calibration=host.calibration a.rules
for member in '"nanoseconds": 10[0-9.]*' '"mean_nanoseconds": ' '"weighted_nanoseconds": ' \
	'"calibration": \{' '"file": "host\.calibration"' '"kernel": "6\.1\.0-x"'; do
	out_has "$member"
done
run 0 cost -q --machine=x86_64 --report-format=json a.rules
out_has '"calibration": null'
out_lacks nanoseconds

# The rules are not changed by it.
run 0 -q --machine=x86_64 -O2 a.rules
mv out plain
run 0 -q --machine=x86_64 -O2 --calibration=host.calibration a.rules
sed '/^# Written/d' plain >plain.rules
sed '/^# Written/d' out >calibrated.rules
same plain.rules calibrated.rules "--calibration changes the result"

# Files that cannot be used, and what is not overwritten.
unusable() {
	why=$1
	shift
	run 3 --machine=x86_64 -o o2.rules "$@"
	err_has "$why"
	err_has 'nothing was written'
	[ ! -e o2.rules ] || fail "$*: rules were written"
	run 3 cost --machine=x86_64 "$@"
	[ -s out ] && fail "$*: a report"
}
unusable 'No such file' --calibration=none a.rules
unusable 'line 1: ' --calibration=a.rules a.rules
run 0 cost -q --machine=x86_64 --report-format=json -o report.json a.rules
unusable 'no file of auditopt calibrate' --calibration=report.json a.rules
sed 's/x86_64/aarch64/' host.calibration >other.calibration
unusable 'of the kind aarch64, and the rules are for x86_64' --calibration=other.calibration a.rules
sed 's/"version": 1/"version": 9/' host.calibration >new.calibration
unusable 'version of the format' --calibration=new.calibration a.rules
printf '{"format": "auditopt-calibration", "version": 1, "kernel": "\\u001b[1m", "machine": "m\\u001b", "date": "d", "call_nanoseconds": 1, "constants": [{"name": "context_in_use", "nanoseconds": 1, "spread": 0}, {"name": "rule_passed", "nanoseconds": 1, "spread": 0}, {"name": "rule_matched", "nanoseconds": 1, "spread": 0}]}' >escape.calibration
unusable 'of the kind m.x1b,' --calibration=escape.calibration a.rules
! grep -q "$(printf '\033')" err || fail "bytes of the file reach the terminal"
run 2 --machine=x86_64 -o host.calibration --calibration=host.calibration a.rules
err_has 'would overwrite the calibration'
run 2 --machine=x86_64 --report=./host.calibration --calibration=host.calibration a.rules
run 2 dump --calibration=host.calibration a.rules

finish
