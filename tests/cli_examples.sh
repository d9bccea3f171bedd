#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The examples do what their comments say, and README.md shows what is true.
. "${AUDITOPT_SRCDIR:?}/tests/lib/cli.sh"

# The command in each example's head works from the top of the tree.
cd "$AUDITOPT_SRCDIR" || exit 99
for file in examples/*.rules examples/*/*.rules; do
	sed -n 's/^#   auditopt //p' "$file" |
		while read -r line; do
			# shellcheck disable=SC2086 # a command line
			"$AUDITOPT" $line >"$work/out" 2>"$work/err"
			echo "$? auditopt $line"
		done
done >"$work/commands"
cd "$work" || exit 99
[ "$(wc -l <commands)" -ge 15 ] || fail "few commands in the examples"
while read -r status line; do
	case $line in
	'auditopt examples/faulty.rules') wanted=3 ;;
	'auditopt diff '*) wanted=1 ;;
	*) wanted=0 ;;
	esac
	[ "$status" = $wanted ] || fail "$line: status $status, not $wanted"
done <commands

run 0 --machine=x86_64 --no-comments "$examples/web-server.rules"
[ "$(grep -c 'perm$' out)" = 1 ] || fail "web-server: the rules for owners and modes are not one"
out_lacks logrotate
run 0 --machine=x86_64 -v --no-comments "$examples/workstation.rules"
[ "$(grep -c 'sudoers -p wa' out)" = 1 ] || fail "workstation: the line that came twice"
out_lacks trace-me
out_lacks 'uid<1000'
out_lacks 'mount.*storage'
run 3 --machine=x86_64 "$examples/faulty.rules"
for line in 12 15 18 21; do err_has "faulty.rules:$line:"; done
err_has 'settimeofday'
run 0 --machine=x86_64 --keep-going "$examples/faulty.rules"
out_has '^-a always,exit -F arch=b64 -S adjtimex .*time$'
out_has '^-w /etc/shadow -p wa -k identity$'
run 0 --machine=x86_64 --no-comments "$examples/rules.d"
[ "$(tail -n 1 out)" = "-e 2" ] || fail "rules.d: -e is not last"
[ "$(head -n 1 out)" = "-D" ] || fail "rules.d: -D is not first"
[ "$(grep -c privilege out)" = 1 ] || fail "rules.d: the privilege rules are not one"

run 0 check --fail-on=warning --machine=x86_64 "$examples/checked.rules"
sed '/auditopt-check:/d' "$examples/checked.rules" >bare.rules
run 1 check --fail-on=warning --machine=x86_64 bare.rules
out_has 'late-never'
out_has 'missing-abi-twin'
run 1 diff --machine=x86_64 "$examples/diff/old.rules" "$examples/diff/new.rules"
out_has '^system calls: fchmodat$'
out_has ' 1 differs,'
run 0 explain --machine=x86_64 -S read -F auid=unset "$examples/busy.rules"
out_has '^No rules that log the same .* can do it below '
run 0 cost --machine=x86_64 --report-format=csv "$examples/busy.rules"
out_has '^x86_64,openat,'
run 0 cost --machine=x86_64 --report-format=html "$examples/busy.rules"
out_has '^</html>$'
run 0 --machine=x86_64 --no-comments --abi=native --lsm=none "$examples/known-host.rules"
out_lacks 'b32'
out_lacks '^-a always,exit .*-S [0-9]'
run 0 diff --listing --machine=x86_64 --auditctl=3.0.9 "$examples/web-server.rules" "$examples/web-server.listing"
options=$(sed -n 's/^Environment="AUDITOPT_BOOT_OPTIONS=\(.*\)"$/\1/p' "$examples/boot/override.conf")
[ -n "$options" ] || fail "boot/override.conf has no options"
# shellcheck disable=SC2086 # words
run 0 $options --machine=x86_64 --keep-going "$examples/rules.d"
sed -n 's/^Environment="\{0,1\}\([A-Z_]*\)=.*/\1/p' "$examples/boot/override.conf" >variables
while read -r name; do
	grep -q "$name" "$AUDITOPT_SRCDIR/contrib/boot/boot-load.in" ||
		fail "boot/override.conf sets $name, which nobody reads"
done <variables
# examples/README.md tells of all of them.
for file in "$examples"/*; do
	name=${file##*/}
	[ "$name" = README.md ] || grep -q "^| .${name}[/\`]" "$examples/README.md" ||
		fail "examples/README.md does not tell of $name"
done

# Every console block of README.md is run from the top of the tree, and must
# print what stands there. It was made on x86_64 with libaudit 3.0.9; other
# tables of calls give other figures.
"$AUDITOPT" --version >version
if [ "$(uname -m)" != x86_64 ] || ! grep -q 'as auditctl 3\.0\.9 ' version; then
	echo "skipped: README.md, other machine or libaudit than it was made with"
	finish
fi
sh "$AUDITOPT_SRCDIR/tests/lib/readme.sh" >got
same "$AUDITOPT_SRCDIR/README.md" got "README.md shows something else; make readme brings it up to date"
[ "$(grep -c '^[$] auditopt' got)" -ge 3 ] || fail "README.md shows no output of auditopt"

finish
