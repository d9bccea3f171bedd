#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --from-kernel, as far as no kernel is needed: what else may stand beside it,
# and what is said where the kernel does not tell. What it reads:
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

finish
