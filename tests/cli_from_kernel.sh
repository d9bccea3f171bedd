#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --from-kernel, as far as no kernel is needed: what else may stand beside it, and
# what is said where the kernel does not tell; --listing. What the first reads:
# tests/check_from_kernel.c and tests/kernel/from_kernel.sh.
. "${AUDITOPT_SRCDIR:?}/tests/lib/cli.sh"

echo '-a always,exit -F arch=b64 -S adjtimex -k time' >in.rules
touch kernel # a file of that name is not meant

for command in '' cost dump check 'explain -S open'; do
	# shellcheck disable=SC2086 # a command and its options
	run 2 $command --from-kernel in.rules
	err_has "exclude each other: 'in.rules'"
done
run 2 diff --from-kernel
err_has 'one file or directory is wanted, the new rules'
run 2 diff --from-kernel in.rules in.rules
err_has 'one file or directory is wanted, the new rules'
run 2 --from-kernel --verbatim
err_has 'the kernel has no texts'
run 2 --from-kernel --in-place
err_has 'in-place replaces a file'
run 2 calibrate --from-kernel
err_has 'option of other commands'
for machine in x86_64 aarch64; do
	[ "$(uname -m)" = $machine ] || {
		run 2 --from-kernel --machine=$machine
		err_has "not of --machine=$machine"
	}
done

# As somebody who may not ask: nothing is written, and how it is done is told.
as_other=
if [ "$(id -u)" != 0 ]; then
	as_other="env"
elif command -v setpriv >/dev/null 2>&1; then
	as_other='setpriv --reuid=65534 --clear-groups --inh-caps=-all'
	chmod 755 . # where the program lies may be closed to others
fi
if [ -n "$as_other" ] && $as_other "$AUDITOPT" --version >/dev/null 2>&1; then
	for command in '' cost dump check 'explain -S open' diff; do
		operand=
		[ "$command" != diff ] || operand=in.rules
		# shellcheck disable=SC2086 # lists of words
		$as_other "$AUDITOPT" $command --from-kernel $operand >out 2>err </dev/null
		[ $? = 3 ] || fail "$command --from-kernel as another user"
		[ ! -s out ] || fail "$command --from-kernel as another user writes something"
		err_has 'only to root'
		err_has 'run it as root'
	done
else
	echo "skipped: no way to be another user here"
fi
[ -s kernel ] && fail "a file was written to"

# What auditctl -l 3.0.9 and 4.0.2 print when examples/web-server.rules are loaded
# (recorded in a guest of tests/kernel) is the same rules; with and without asking,
# for nothing in it means anything else in a rules file.
run 0 diff --listing --machine=x86_64 --auditctl=3.0.9 "$examples/web-server.rules" "$examples/web-server.listing"
out_has '^The same: proved'
err_has 'prints -w for a rule that says never, too.* on 3 more lines \[listing-watch\]'
err_has 'exe= for exe!=, too.* \[listing-exe\]'
run 0 diff --machine=x86_64 "$examples/web-server.rules" "$examples/web-server.listing"
! grep -q listing err || fail "a listing that means the same is told"
"$AUDITOPT" -q --machine=x86_64 --listing <"$examples/web-server.listing" >out 2>err ||
	fail "a listing on standard input"
[ "$(rules_of out | wc -l)" -gt 5 ] || fail "a listing on standard input gives few rules"

# Behind a rule for b32 the names are those of b32.
cat >b32 <<'END'
-a always,exit -F arch=b32 -S open -F key=a
-a always,exit -S open -F key=b
END
cat >numbers <<'END'
# a rules file
-a always,exit -F arch=b32 -S open -F key=a
-a always,exit -S 5 -F key=b
END
run 0 diff -q --listing --machine=x86_64 b32 numbers
run 1 diff -q --machine=x86_64 b32 numbers
run 0 dump -o /dev/null --machine=x86_64 b32
err_has 'say --listing'
echo nonsense >>b32
run 3 dump --listing --machine=x86_64 b32
err_has 'b32:3:1: error: auditctl -l prints no such line'
run 0 dump --listing --machine=x86_64 numbers
err_has 'nothing that auditctl -l printed was read'
echo 'No rules' >none
run 0 -q --no-comments none
[ ! -s out ] || fail "no rules give something"

finish
