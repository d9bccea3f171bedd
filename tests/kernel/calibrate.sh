# SPDX-License-Identifier: GPL-2.0-or-later
# Calibrate: what it measures where the clock counts instructions is what the cost
# model has; it refuses where it must; and however it ends, the kernel then holds
# the rules that it held. Read by check.sh.
# shellcheck shell=sh disable=SC2034,SC2154,SC2086

calibrate_prepare() {
	mkdir -p "$work/tree"
	sh "$here/tree.sh" "$work/tree" "$AUDITOPT_SRCDIR/examples/workstation.rules" 2>/dev/null
	guest_new "$work/tree"
	guest_program rules "$here/guest/rules.c" "$here/guest/listed.c"
	guest_program stop "$here/guest/stop.c"
	cp "$work/rules" "$work/stop" "$guest/t/"
	guest_auditopt
	loadable "$AUDITOPT_SRCDIR/examples/workstation.rules" 3.0.9 >"$guest/t/loaded"
	# Of every list, and what was put in front comes first.
	cat >>"$guest/t/loaded" <<'END'
-a never,task -F uid=77
-a always,exclude -F msgtype=USER_AVC
-a never,user -F uid=78
-a never,filesystem -F fstype=0x9fa0
-a always,exit -F arch=b64 -S chmod -F auid!=unset -F exe=/usr/bin/x -k calibrated
-A always,exit -F arch=b32 -S open -F exit=-EACCES -k front
END
	echo '-a always,exit -F arch=b64 -S mount -k later' >"$guest/t/later"
	cat "$guest/t/loaded" "$guest/t/later" >"$guest/t/both"
	for name in loaded later both; do
		if ! "$AUDITOPT" dump -q --root="$work/tree" --auditctl=3.0.9 -o "$work/dump" "$guest/t/$name" ||
			! "$build/tests/kernel/expect" "$work/dump" "$guest/t/want-$name"; then
			fail "what is loaded cannot be told"
		fi
	done
	: >"$guest/t/none"
	calibrate_job >"$guest/t/job"
}

calibrate_job() {
	if [ "$size" = quick ]; then
		echo 'quick=yes moments=300 moments_of_ends=900'
	else
		echo 'quick=no moments="1 40 300 800 1500" moments_of_ends="100 900"'
	fi
	cat <<'JOB'
sleep 60
program="/t/auditopt/ld-linux-x86-64.so.2 --library-path /t/auditopt /t/auditopt/auditopt"

# try NAME STATUS PATTERN WANT COMMAND...: it ends with that status, tells that, and
# the kernel then holds the rules of WANT. Nothing is left in /tmp.
try() {
	name=$1 status=$2 pattern=$3 want=$4
	shift 4
	rm -f /tmp/new
	"$@" >/tmp/out 2>/tmp/told
	got=$?
	rules "$want" >/tmp/same
	if [ $got = "$status" ] && grep -q "$pattern" /tmp/told /tmp/out &&
		grep -q ^same /tmp/same && [ "$(echo /tmp/auditopt-*)" = '/tmp/auditopt-*' ]; then
		echo "good $name"
		return
	fi
	echo "bad $name: status $got, not $status; $(ls -d /tmp/auditopt-* 2>/dev/null)"
	sed 's/^/  /' /tmp/same /tmp/out /tmp/told | head -n 40
}

auditctl 3.0.9 -e 0 >/dev/null
try "disabled" 4 'audit is disabled' /t/none $program calibrate -o /tmp/new
auditctl 3.0.9 -e 1 >/dev/null
try "environment" 4 'AUDITOPT_NO_CALIBRATE is set' /t/none \
	env AUDITOPT_NO_CALIBRATE=1 $program calibrate -o /tmp/new
try "directory" 4 'cannot be written' /t/none $program calibrate -o /no/such/file
try "no rules" 0 'gettid without rules' /t/none $program calibrate -o /tmp/new
cp /tmp/new /tmp/calibration
sed 's/^/figures /' /tmp/told
sed 's/^/file /' /tmp/calibration
awk -v far=0.10 'NF == 5 && /^  [a-z_:0-9]+ +[0-9]+ / {
	n++
	if ($5 < 1 - far || $5 > 1 + far)
		print "bad figure " $0
}
END { print (n >= 22 ? "good" : "bad") " figures, " n }' /tmp/told

load 3.0.9 /t/loaded || cat /tmp/told
try "rules loaded" 4 'holds [0-9]* audit rules' /t/want-loaded $program calibrate -o /tmp/new
[ ! -e /tmp/new ] || echo "bad refused, and a file was written"
try "force" 0 'gettid without rules' /t/want-loaded $program calibrate --force -o /tmp/new
[ -s /tmp/new ] || echo "bad nothing was written"

# At several moments, to all that ^C reaches and to one process alone.
for moment in $moments; do
	try "INT, group, $moment" 0 '^signal 2$' /t/want-loaded \
		stop 2 $moment group $program calibrate --force -o /tmp/new
	[ ! -e /tmp/new ] || echo "bad interrupted, and a file was written"
	try "TERM, command, $moment" 0 '^signal 15$' /t/want-loaded \
		stop 15 $moment command $program calibrate --force -o /tmp/new
done
try "HUP" 0 '^signal 1$' /t/want-loaded stop 1 500 group $program calibrate --force -o /tmp/new

# The timed process may just have said what it measured, so that nothing is amiss:
# then a little later.
stop_timed() {
	moment_of_end=$1
	shift
	for later in 0 7 23; do
		stop 11 $((moment_of_end + later)) grandchild "$@" >/tmp/stopped
		grep -q '^exit 0$' /tmp/stopped || break
	done
	cat /tmp/stopped
}

# Its processes end one by one.
for moment in $moments_of_ends; do
	try "SEGV, timed process, $moment" 0 '^exit 4$' /t/want-loaded \
		stop_timed $moment $program calibrate --force -o /tmp/new
	try "KILL, working process, $moment" 0 '^exit 4$' /t/want-loaded \
		stop 9 $moment child $program calibrate --force -o /tmp/new
	try "KILL, command, $moment" 0 '^signal 9$' /t/want-loaded \
		stop 9 $moment command $program calibrate --force -o /tmp/new
done

if [ $quick = no ]; then # each of these measures all
# The kernel refuses a rule: the directory that it names is gone.
$program calibrate --force -o /tmp/new >/tmp/first 2>&1 &
sleep 1
rmdir /tmp/auditopt-calibrate.*
wait $!
echo "status $?" >>/tmp/first
try "a rule is refused" 0 'status 4' /t/want-loaded cat /tmp/first
grep -q 'field:dir: No such file' /tmp/first || {
	echo "bad message of the refused rule"
	sed 's/^/  /' /tmp/first
}

# Somebody loads a rule meanwhile: it stays, behind those that were there.
meanwhile() {
	$program calibrate "$@" -o /tmp/new >/tmp/first 2>&1 &
	sleep 1
	auditctl 3.0.9 -a always,exit -F arch=b64 -S mount -k later
	wait $!
	echo "status $?" >>/tmp/first
	[ ! -e /tmp/new ] || echo "and a file was written" >>/tmp/first
}
rm -f /tmp/new
meanwhile --force
try "a rule of another" 0 'warning: 1 rule was' /t/want-both cat /tmp/first
grep -q '^status 4' /tmp/first || sed 's/^/bad status /' /tmp/first
auditctl 3.0.9 -D >/dev/null
meanwhile
try "a rule of another alone" 0 'warning: 1 rule was' /t/want-later cat /tmp/first
! grep -q '^and a file' /tmp/first || echo "bad a file was written"
fi
auditctl 3.0.9 -D >/dev/null
try "INT, no rules" 0 '^signal 2$' /t/none stop 2 500 group $program calibrate -o /tmp/new

# Nobody is left to put anything back. The next one tells.
auditctl 3.0.9 -D >/dev/null
stop 9 900 group $program calibrate -o /tmp/new >/dev/null 2>&1
auditctl 3.0.9 -l >/tmp/left
rmdir /tmp/auditopt-calibrate.*
$program calibrate --force -o /tmp/new >/tmp/second 2>&1
echo "status $?" >>/tmp/second
[ "$(grep -c 'key=auditopt-calibrate' /tmp/left)" -gt 1 ] || echo "bad no rule was left"
[ "$(grep -vc '^-a never,' /tmp/left)" = 0 ] || echo "bad a rule was left that is not never"
auditctl 3.0.9 -D -k auditopt-calibrate >/dev/null
try "what was killed is told" 0 'that was killed' /t/none cat /tmp/second

# As another user, with and without rules; then the kernel is locked.
echo 'u:x:1000:1000::/:/bin/sh' >>/etc/passwd
chmod 755 /t /t/auditopt /t/auditopt/*
try "not root" 4 'needs root' /t/none start-stop-daemon -S -c u -x /t/auditopt/ld-linux-x86-64.so.2 -- \
	--library-path /t/auditopt /t/auditopt/auditopt calibrate
load 3.0.9 /t/loaded || cat /tmp/told
auditctl 3.0.9 -e 2 >/dev/null
try "locked" 4 'audit is locked' /t/want-loaded $program calibrate --force
JOB
}

# calibrate_report OUT: what was measured is of use: an instruction takes a nanosecond there.
calibrate_report() {
	sed -n 's/^file //p' "$1" >"$work/calibration"
	"$AUDITOPT" cost -q --machine=x86_64 --report-format=json --calibration="$work/calibration" \
		"$AUDITOPT_SRCDIR/examples/first-look.rules" >"$work/report" || {
		fail "calibrate: the file cannot be used"
		return
	}
	awk -F'[:,]' '/"constants"/ { exit } /"instructions": [1-9]/ { instructions += $2 } /"nanoseconds": / { ns += $2 }
		END { exit !(ns > 0 && ns > instructions * 0.8 && ns < instructions * 1.2) }' "$work/report" ||
		fail "calibrate: the report has other nanoseconds than instructions"
}

calibrate() {
	calibrate_prepare
	guest_processor=max
	guests_boot 1 3000 $icount || fail "calibrate: not all guests came to their end"
	guest_processor=Nehalem
	for kernel in $kernels; do
		results calibrate "$kernel"
		sed -n 's/^figures /   /p' "$work/out-$kernel"
		calibrate_report "$work/out-$kernel"
	done
}
