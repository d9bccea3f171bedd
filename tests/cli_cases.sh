#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The small cases beside the tree, each with what is wanted of it.
. "${AUDITOPT_SRCDIR:?}/tests/lib/cli.sh"

cases=$shared/cases
[ -d "$cases" ] || skip "no cases here"

one() {
	wanted=$1
	file=$2
	shift 2
	run "$wanted" --machine=x86_64 "$@" "$cases/$file"
}

# A duplicate is told with both places and held once; all else is there.
one 0 01-exact-duplicate.rules
err_has '01-exact-duplicate.rules:7:'
err_has '01-exact-duplicate.rules:5'
[ "$(grep -c '^-w /etc/group' out)" = 1 ] || fail "01: the watch is not there once"
out_has '^# lines .*01-exact-duplicate.rules:5,7$'
out_has '-S settimeofday '
[ "$(tail -n 1 out)" = '-e 2' ] || fail "01: -e is not last"

one 3 02-tab-line.rules
err_has '02-tab-line.rules:3:1'
err_has '[Tt]ab'
one 0 02-tab-line.rules --keep-going
out_has '^-w /etc/hosts -p wa -k hosts$'

one 3 03-call-missing-on-abi.rules
err_has '03-call-missing-on-abi.rules:4:[0-9]*.*umount'
err_has 'umount2'
err_has '03-call-missing-on-abi.rules:5:[0-9]*.*stime'
! grep -q '03-call-missing-on-abi.rules:6:.*error' err ||
	fail "03: i386 has stime"
one 0 03-call-missing-on-abi.rules --keep-going
out_has '-S umount2 .*mounts$'
out_has 'arch=b64 -S .*settimeofday.*time-change$'
out_has 'arch=b32 -S .*stime.*time-change$'

one 3 04-unknown-user.rules
err_has '04-unknown-user.rules:3:[0-9]*.*chronyd'
one 0 04-unknown-user.rules --keep-going
out_has '-S adjtimex -k time-change$'
mkdir -p root/etc
echo 'chronyd:x:4711:4711::/:/bin/false' >root/etc/passwd
echo 'chronyd:x:4711:' >root/etc/group
one 0 04-unknown-user.rules --root=root
out_has 'uid=4711'

one 0 05-abi-catch-all-first.rules
out_lacks 'arch=b32.*(modules|perm_mod)$'
out_has 'arch=b64.*modules$'
out_has '32bit-abi$'
tr '\n' ' ' <err | sed 's/  */ /g' >flat
grep -q 'Rules that could never take effect .*first.rules:5: [^(]*(.*first.rules:4) .*first.rules:7: [^(]*(.*first.rules:4); its key perm_mod is never used' flat ||
	fail "05: the idle rules are not reported"
! grep -q 'key modules is never' flat || fail "05: the key of a rule that is left"

one 0 06-no-arch.rules
err_has '06-no-arch.rules:3:[0-9]*.*warning'
err_has 'remap_file_pages'
out_has '^-a always,exit -S .*(openat|257).*failed$'
out_lacks '^-a.*arch'

one 0 07-late-never.rules
out_lacks '/usr/sbin/cron'
tr '\n' ' ' <err | sed 's/  */ /g' >flat
grep -q 'Rules that could never take effect .*never.rules:3: [^(]*(.*never.rules:2)' flat ||
	fail "07: the idle rule is not reported"

one 0 08-task-never.rules
err_has '08-task-never.rules:3:[0-9]*.*warning'
rules_of out >got
rules_of "$cases/08-task-never.rules" >wanted
same wanted got "08: the rules were not left alone"

one 0 10-perm-and-call.rules
err_has '10-perm-and-call.rules:3:[0-9]*.*warning'
one 0 10-perm-and-call.rules -q --auditctl=3.0.9 --no-comments
cp out old
one 0 10-perm-and-call.rules -q --auditctl=3.1.3 --no-comments
cp out new
grep -q '[ ,]openat[, ]' old || fail "10: openat is not in the old meaning"
! grep -q 'unlink' old || fail "10: unlink is in the old meaning"
grep -q 'unlink' new || fail "10: unlink is not in the new meaning"
for meaning in old new; do
	for version in 3.0.9 3.1.3 4.2.1; do
		run 0 --machine=x86_64 -q --no-comments --auditctl=$version $meaning
		same $meaning out "10: the $meaning meaning is another under $version"
	done
done

one 3 11-after-lock.rules
err_has '11-after-lock.rules:4:'
one 0 11-after-lock.rules --keep-going
out_lacks '^-w /etc/sudoers.d'

one 0 12-both-ways.rules
out_has '^-a never,exit .*-S setuid( |$)'
out_has '^-a never,exit .*-F exe=/usr/bin/sudo( |$)'
out_has 'set[ug]id,set[ug]id( |$)'
out_has '^-a always,exit .*-F auid>=1000 '
out_has '-k ids'
out_has 'privilege'
out_has '^--backlog_wait_time 60000$'
never=$(grep -n '^-[aA] never' out | cut -d: -f1)
always=$(grep -n '^-[aA] always' out | cut -d: -f1)
[ "$never" -lt "$always" ] || fail "12: -A did not put the rule in front"

finish
