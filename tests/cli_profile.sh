#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --profile: formats, errors, what the report says, the profiles of the source.
. "${AUDITOPT_SRCDIR:?}/tests/lib/cli.sh"

profiles=$examples/profiles

# Two groups of rules: what is frequent decides where walks are ended.
i=0
while [ $i -lt 30 ]; do
	echo "-a always,exit -F arch=b64 -S openat,getsockname -F uid=50$((i + 10)) -k k$i"
	i=$((i + 1))
done >a.rules
i=0
while [ $i -lt 30 ]; do
	echo "-a always,exit -F arch=b64 -S openat -F uid=60$((i + 10)) -F auid!=unset -F success=0 -k f$i"
	i=$((i + 1))
done >>a.rules

result() {
	run 0 --machine=x86_64 -q --no-comments "$@"
}

# The profiles that come with the source are of use, each without a warning.
for file in "$profiles"/*.profile; do
	run 0 --machine=x86_64 -O2 --profile="$file" --report=none a.rules
	! grep -q "profile:" err || fail "$file: $(grep profile: err | head -n 1)"
	run 0 cost --machine=x86_64 --profile="$file" a.rules
done
[ "$(ls "$profiles")" = "compiler.profile
database.profile
default.profile
idle.profile
web-server.profile" ] || fail "other profiles than are tested"

# The default is default.profile, and both are what the script makes. (Level 2 takes
# only the default for a guess.)
for level in 0 1; do
	for rules in a.rules "$examples/web-server.rules"; do
		result -O$level "$rules"
		mv out default.out
		result -O$level --profile="$profiles/default.profile" "$rules"
		same out default.out "default.profile gives something else than the default"
	done
done
mkdir mixed
sh "$AUDITOPT_SRCDIR/contrib/mix-profiles.sh" "$work/mixed" || fail "mix-profiles.sh"
same mixed/default.profile "$profiles/default.profile" \
	"default.profile is not what contrib/mix-profiles.sh makes"
same mixed/default_rows.inc "$AUDITOPT_SRCDIR/src/profile/default_rows.inc" \
	"default_rows.inc is not what contrib/mix-profiles.sh makes"

# A profile changes what is done, the same way each time, and a second run
# changes nothing.
echo 'openat 100 1 1' >daemons.profile
echo 'openat 100 0 0' >users.profile
for who in daemons users; do
	result -O2 --profile=$who.profile a.rules
	mv out $who.rules
	result -O2 --profile=$who.profile a.rules
	same out $who.rules "another result for the same profile"
	result -O2 --profile=$who.profile $who.rules
	same out $who.rules "a second run changes the result"
	run 0 diff --level=2 --machine=x86_64 a.rules $who.rules
done
cmp -s daemons.rules users.rules && fail "both profiles give the same result"

# The report says which profile it was, and its format.
run 0 --machine=x86_64 -o o.rules --report=- a.rules
out_has 'profile default'
run 0 --machine=x86_64 -o o.rules --report=- --profile=users.profile a.rules
out_has 'profile users\.profile \(two columns\)'
run 0 cost --machine=x86_64 --profile=users.profile a.rules
out_has 'profile users\.profile \(two columns\)'
run 0 cost --machine=x86_64 --report-format=json --profile=users.profile a.rules
out_has '"name": "users\.profile"'
out_has '"kind": "two columns"'
run 0 explain --machine=x86_64 -O2 -S openat --profile=users.profile a.rules

# Faults are told with their place.
printf 'read 5\nopne 7\nwrite x\n' >faulty.profile
run 0 --machine=x86_64 -o o.rules --report=none --profile=faulty.profile a.rules
err_has '^faulty\.profile:2:1: warning: x86_64 has no system call .opne.'
err_has "did you mean 'open'"
err_has '^faulty\.profile:3:7: warning: '
run 0 --machine=x86_64 -q -o o.rules --profile=faulty.profile a.rules
[ ! -s err ] || fail "-q tells warnings"

# Nothing of use: status 3, and nothing is written.
echo 'hello world' >none.profile
: >empty.profile
for file in none.profile empty.profile nowhere.profile .; do
	for command in '' cost explain; do
		rm -f o.rules
		# shellcheck disable=SC2086 # a word or none
		case $command in
		explain) set -- explain -S read ;;
		*) set -- $command ;;
		esac
		run 3 "$@" --machine=x86_64 -o o.rules --profile=$file a.rules
		err_has 'error: .*(profile|no row)'
		[ ! -e o.rules ] || fail "$command --profile=$file: written"
	done
done
err_has 'Is a directory'

# What never ends is not read for ever. (Sanitizers need more than any limit.)
memory=1000000
(
	# shellcheck disable=SC3045 # dash, bash and busybox know -v
	ulimit -v $memory
	"$AUDITOPT" --version
) >/dev/null 2>&1 || memory=unlimited
(
	# shellcheck disable=SC3045 # dash, bash and busybox know -v
	ulimit -v $memory
	timeout 60 "$AUDITOPT" --machine=x86_64 -o o.rules --profile=/dev/zero a.rules
) >out 2>err </dev/null
[ $? = 3 ] || fail "/dev/zero as profile: not status 3"
err_has 'cannot read the profile /dev/zero: File too large'
[ ! -e o.rules ] || fail "--profile=/dev/zero: written"

# The profile is not overwritten; other commands take none.
cp users.profile p.profile
run 2 -o p.profile --profile=p.profile a.rules
err_has 'overwrite the profile'
run 2 --report=p.profile --profile=p.profile a.rules
run 2 cost -o p.profile --profile=p.profile a.rules
same p.profile users.profile "the profile was overwritten"
run 2 dump --profile=p.profile a.rules
run 2 diff --profile=p.profile a.rules a.rules

# A real table, if there is strace and it may trace.
if strace -c -f -o traced.profile ls / >/dev/null 2>&1; then
	run 0 cost --profile=traced.profile a.rules
	out_has 'traced\.profile \(strace -c\)'
	! grep -q warning err || fail "strace: $(grep warning err | head -n 1)"
fi

finish
