#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Where the result goes, and that nothing is lost on the way.
. "${AUDITOPT_SRCDIR:?}/tests/lib/cli.sh"

cat >in.rules <<'END'
-D
-b 8192
-a always,exit -F arch=b64 -S adjtimex -k time
-a always,exit -F arch=b64 -S settimeofday -k time
-w /etc/passwd -p wa -k identity
-w /etc/passwd -p wa -k identity
-e 2
END
echo '-a always,exit -F arch=b64 -S no_such_call -k x' >bad.rules
echo '# nothing' >comment.rules

# Standard output, -o and --in-place give the same rules.
run 0 in.rules
rules_of out >wanted
[ "$(grep -c '^-a' wanted)" = 1 ] || fail "the two rules were not merged"
[ "$(grep -c '^-w' wanted)" = 1 ] || fail "the duplicate is still there"
[ "$(tail -n 1 wanted)" = "-e 2" ] || fail "-e is not last"
err_has 'instructions'
run 0 -o new.rules in.rules
[ -s out ] && fail "-o writes to standard output too"
rules_of new.rules >got
same wanted got "-o gives other rules than standard output"
[ "$(stat -c %a new.rules)" = 640 ] || fail "a new file's mode is not 640"
run 0 -o - in.rules
rules_of out >got
same wanted got "-o - gives other rules than standard output"

# An existing file keeps its mode.
cp in.rules mode.rules
chmod 604 mode.rules
run 0 --in-place mode.rules
rules_of mode.rules >got
same wanted got "--in-place gives other rules than standard output"
[ "$(stat -c %a mode.rules)" = 604 ] || fail "--in-place changed the mode"
cp mode.rules once.rules
run 0 --in-place mode.rules
cp mode.rules twice.rules
run 0 --in-place mode.rules
same twice.rules mode.rules "--in-place does not come to rest"
rules_of mode.rules >got
same wanted got "the second --in-place changed the rules"
if [ "$(id -u)" = 0 ]; then
	chown 65534:65534 mode.rules
	run 0 --in-place mode.rules
	[ "$(stat -c %u:%g mode.rules)" = 65534:65534 ] ||
		fail "--in-place changed the owner"
fi

# -o may name the input: it was read before.
cp in.rules self.rules
run 0 -o self.rules self.rules
rules_of self.rules >got
same wanted got "-o over the input gives other rules"

# A link stays a link, and what it names is replaced.
cp in.rules real.rules
ln -s real.rules link.rules
run 0 --in-place link.rules
[ -L link.rules ] || fail "--in-place replaced the link"
rules_of real.rules >got
same wanted got "--in-place through a link"

# Errors leave everything as it was.
cp in.rules kept.rules
run 3 -o kept.rules bad.rules
same in.rules kept.rules "-o wrote in spite of an error"
run 3 -o none.rules bad.rules
[ ! -e none.rules ] || fail "-o made a file in spite of an error"
run 3 bad.rules
[ -s out ] && fail "output in spite of an error"
err_has 'nothing was written'
cp bad.rules kept.rules
run 3 --in-place kept.rules
same bad.rules kept.rules "--in-place wrote in spite of an error"
# -i is consent to leave something out of the result, not out of the source.
(echo '-i' && cat bad.rules in.rules) >ignore.rules
cp ignore.rules kept.rules
run 0 kept.rules
run 3 --in-place kept.rules
same ignore.rules kept.rules "--in-place lost a faulty line because of -i"
run 0 --keep-going --in-place kept.rules

# Places that cannot be written to.
run 4 -o /no/such/directory/out.rules in.rules
err_has '/no/such/directory'
[ -e /proc/self ] && run 4 -o /proc/no-such-file in.rules
mkdir directory
run 4 -o directory in.rules
[ "$(ls -A directory)" = "" ] || fail "something was left in the directory"
if [ -w /dev/full ]; then
	"$AUDITOPT" in.rules >/dev/full 2>err
	[ $? = 4 ] || fail "a full disk is not status 4"
	err_has 'No space left'
	"$AUDITOPT" --help >/dev/full 2>err
	[ $? = 4 ] || fail "--help to a full disk is not status 4"
	"$AUDITOPT" cost in.rules >/dev/full 2>err
	[ $? = 4 ] || fail "cost to a full disk is not status 4"
	"$AUDITOPT" dump in.rules >/dev/full 2>err
	[ $? = 4 ] || fail "dump to a full disk is not status 4"
	run 4 -o /dev/full in.rules
	# A report that cannot be written leaves the rules alone.
	run 4 --report=/dev/full -o untouched.rules in.rules
	[ ! -e untouched.rules ] || fail "rules were written without their report"
fi
"$AUDITOPT" in.rules >&- 2>err
[ $? = 4 ] || fail "a closed standard output is not status 4"
"$AUDITOPT" -o closed.rules bad.rules in.rules --keep-going 2>&- >out
rules_of closed.rules >got
same wanted got "messages ended up in the result"
run 0 -o /dev/null in.rules
"$AUDITOPT" -q -o /dev/stdout in.rules | cat >got-all
rules_of got-all >got
same wanted got "-o /dev/stdout into a pipe"

# A reader that goes away is no reason for a complaint of ours.
("$AUDITOPT" -q in.rules 2>err || true) | head -n 0
[ -s err ] && fail "a closed pipe makes messages"

# What is left out is done, and listed in both places.
run 0 --keep-going bad.rules
err_has 'no_such_call'
out_has '^# left out .*bad.rules:1: '
out_has '^# -a always,exit -F arch=b64 -S no_such_call -k x$'

# Nothing left is worth a word, and so is what is not known.
echo '-a never,exit -F arch=b64 -S getpid' >never.rules
run 0 -O2 never.rules
[ "$(rules_of out)" = "" ] || fail "-O2: a rule is left that stops nothing"
err_has 'warning: the result has no rule'
out_has '^# Taken as all the rules there are'
out_has '^# Rules: 1 before, 1 dropped, 0 after'
run 0 -O2 comment.rules
! grep -q 'has no rule' err || fail "there was no rule before"
run 0 never.rules
! grep -q 'has no rule' err || fail "-O1 left no rule"

# Names are shown so that no terminal or editor does anything: a control
# character of two bytes, a change of direction, a byte that is no character.
hostile=$(printf 'h\302\233\342\200\256\233\303\244.rules')
cp in.rules "$hostile" 2>/dev/null && {
	shown=$(printf '<U.009B><U.202E>\\\\x9b\303\244')
	run 0 -v "$hostile"
	cat err >>out
	out_has "^# Written by auditopt .* from h$shown\\.rules\\.\$"
	out_has "^# lines? h$shown\\.rules:"
	tr -d '\n\40-\176' <out | sed 's/\xc3\xa4//g' >raw
	[ -s raw ] && fail "a name is shown raw"
}

# io_uring rules are from 3.1 on, and so is what they are read again with.
echo '-a always,io_uring -S openat,unlinkat -F auid>=1000 -k ring' >ring.rules
run 0 --machine=x86_64 --auditctl=4.2.1 ring.rules
out_has '^-a always,io_uring -S [a-z0-9,]* -F auid>=1000 -k ring$'
out_has '^# .*audit 3.1 or later'
cp out ring.new
run 0 --machine=x86_64 --auditctl=4.2.1 ring.new
rules_of ring.new >wanted-ring
rules_of out >got
same wanted-ring got "io_uring rules do not come to rest"
run 3 --machine=x86_64 --auditctl=3.0.9 ring.rules
run 0 in.rules
! grep -q 'audit 3.1' out || fail "what needs no new audit says that it does"

# Reports.
run 0 --report=report.txt -o new.rules in.rules
grep -q instructions report.txt || fail "no report in --report=FILE"
! grep -q instructions err || fail "the report went to standard error too"
run 0 --report=- -o new.rules in.rules
out_has instructions
run 0 --report=report.json --report-format=json in.rules
[ "$(head -c 1 report.json)" = '{' ] || fail "no JSON in the report"
# With errors a program gets to know them, and a person has been told.
rm -f report.txt report.json rules
run 3 --report=report.txt bad.rules
[ ! -e report.txt ] || fail "a text report in spite of errors"
run 3 -o rules --report=report.json --report-format=json bad.rules
[ ! -e rules ] || fail "rules in spite of errors"
grep -q '"totals": null' report.json || fail "totals in spite of errors"
grep -q '"id": "unknown-syscall"' report.json || fail "no error in the JSON"
run 3 --report=report.json --report-format=json no-such.rules
grep -q '"severity": "fatal"' report.json || fail "an unreadable input is not in the JSON"
run 3 --report-format=json bad.rules
! grep -q '^{' err || fail "JSON on standard error in spite of errors"
run 0 -q --report=report.txt in.rules
[ -s report.txt ] || fail "-q drops a report that was asked for"
run 0 cost in.rules
out_has instructions
run 0 cost --report-format=json -o cost.json in.rules
[ "$(head -c 1 cost.json)" = '{' ] || fail "no JSON from cost"
out_lacks call-lists
run 0 cost -v in.rules
out_has "measurements of Linux 6.1 "
out_has "call-lists: "
out_has "not measured"
run 0 cost --kernel=6.12.30-amd64 in.rules
out_has "measurements of Linux 6.12 "
run 2 cost --kernel=new in.rules

# No temporary file stays, whatever happened above.
for file in .[!.]* *.tmp* *~; do
	[ ! -e "$file" ] || fail "left over: $file"
done

# Killed at any moment: the old file or the new one, never less.
i=0
while [ $i -lt 3000 ]; do
	i=$((i + 1))
	echo "-a always,exit -F arch=b64 -S openat -F dir=/srv/$i -F perm=wa -k k$i"
done >big.rules
cp big.rules kill.rules
"$AUDITOPT" -q --in-place kill.rules 2>/dev/null
cp kill.rules big.new
for delay in 0 0.01 0.02 0.04 0.06 0.08 0.1 0.15 0.2 0.3 0.4 0.6; do
	cp big.rules kill.rules
	"$AUDITOPT" -q --in-place kill.rules 2>/dev/null &
	sleep $delay
	kill -9 $! 2>/dev/null
	wait $! 2>/dev/null
	cmp -s kill.rules big.rules || cmp -s kill.rules big.new ||
		fail "killed after $delay s: neither the old nor the new file"
done

# What is a copy of a rule names its line.
for n in 1 2 3 4 5 6 7 8 9 10 11 12; do
	echo "-a always,exit -F arch=b64 -S chmod -F a1=$n -k a$n"
done >copied.rules
echo '-a always,exit -S all -F dir=/home -F uid=0 -F auid>=1000 -F auid!=unset -k abuse' >>copied.rules
run 0 -O2 --machine=x86_64 copied.rules
out_has '^# added: as line copied\.rules:13, for calls whose walk ends before it$'
run 0 explain -O2 --machine=x86_64 -S read -F auid=1000 copied.rules
out_has '^  \(added by auditopt, as copied\.rules:13\): -a always,exit '

# A key that begins with the separator is a word that auditctl refuses since 4.2.0
# and takes before. A host with the older one keeps its rule, merged or not.
printf -- '-w /etc/passwd -p wa -k ok\n-a always,exit -F arch=b64 -S chmod -k \001a\n' >first.rules
run 0 --machine=x86_64 --auditctl=3.0.9 --no-comments first.rules
err_has 'first\.rules:2:40: warning: .*0x01'
out_has "$(printf -- '^-a always,exit .*-S chmod.* -k \001a$')"
cp out keyed.rules
run 0 diff --machine=x86_64 --auditctl=3.0.9 first.rules keyed.rules
run 0 --machine=x86_64 --auditctl=4.2.1 --keep-going first.rules
err_has 'first\.rules:2:40: error: .*0x01'
out_has '^-w /etc/passwd -p wa -k ok$'

finish
