#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Help, version, wrong usage, and the exit status of each.
. "${AUDITOPT_SRCDIR:?}/tests/lib/cli.sh"

printf '%s\n' '-w /etc/passwd -p wa -k identity' >good.rules

# help
for command in '' cost dump; do
	# shellcheck disable=SC2086 # none or one word
	run 0 $command --help
	out_has '^Usage: auditopt'
	out_has '^Examples:'
	out_has '--keep-going'
	[ -s err ] && fail "$command --help writes to standard error"
done
run 0 -h
out_has '^Exit status:'
for s in 0 2 3 4; do out_has "^  $s  "; done
out_has 'when faulty parts were left out'
run 0 --help=passes
for pass in duplicates unsatisfiable shadowed useless narrow merge twins \
	implied field_order; do
	out_has "$pass"
done
run 2 --help=nonsense
run 0 --version
out_has '^auditopt [0-9]+\.[0-9]+\.[0-9]+$'
out_has 'auditctl [34]\.'
out_has 'GPL-2.0-or-later'

# Every option that --help lists is taken by the command that lists it.
for command in '' cost dump; do
	# shellcheck disable=SC2086
	run 0 $command --help
	sed -n 's/^  .*--\([a-z-]*\).*  .*/\1/p' out | sort -u >listed
	[ "$(wc -l <listed)" -ge 8 ] || fail "$command --help lists few options"
	while read -r option; do
		# shellcheck disable=SC2086
		auditopt $command "--$option" value
		! grep -q 'unrecognized option' err || fail "$command --$option"
	done <listed
	rm -f value
done

# One line says what is wrong, the second where help is.
wrong() {
	run 2 "$@"
	[ "$(wc -l <err)" = 2 ] || fail "auditopt $*: not two lines of complaint"
	err_has '^Try .auditopt.* --help.\.$'
	[ -s out ] && fail "auditopt $*: output in spite of wrong usage"
}
wrong --no-such-option good.rules
wrong -O3 good.rules
wrong -O
wrong --color=blue good.rules
wrong --report-format=xml good.rules
wrong --machine=pdp11 good.rules
wrong --auditctl=three good.rules
wrong --auditctl=3.0.9.1 good.rules
wrong --auditctl=2.8.5 good.rules
wrong --auditctl= good.rules
wrong --kernel=new good.rules
wrong --kernel=6 good.rules
wrong --kernel= good.rules
wrong --root=/no/such/directory good.rules
wrong --root=good.rules good.rules
wrong - -
wrong chekc
err_has 'neither'
wrong cots good.rules
err_has "did you mean 'cost'"
wrong good.rules cost
err_has 'comes first: auditopt cost'
wrong cost -O2 good.rules
wrong dump --in-place good.rules
wrong --in-place
wrong --in-place -
wrong --in-place .
wrong --in-place good.rules good.rules
wrong --in-place -o x good.rules
wrong --report=- good.rules
wrong --report=x -o x good.rules
wrong --report=good.rules good.rules
wrong --report=./good.rules --in-place good.rules

# A file called like a command.
cp good.rules cost
run 0 ./cost
out_has '^-w /etc/passwd -p wa -k identity$'
run 0 -q -- cost
out_has '^-w /etc/passwd -p wa -k identity$'

# Ways to spell the options.
for spelling in '-O 2' '-O2' '--kernel=any' '--kernel 6.12.3-x' '-vO2' '-O0 --auditctl=3.1' '--auditctl 4' \
	'--machine=aarch64' '--machine s390x' '--root=/' '--color=always' \
	'-q' '--report=none' '--report-format=json' '--keep' '--no-comments'; do
	# shellcheck disable=SC2086 # words
	run 0 $spelling good.rules
	out_has '^-w /etc/passwd -p wa -k identity$'
done

# -q is silent where all is well; none too, apart from warnings.
run 0 -q good.rules
[ -s err ] && fail "-q is not silent"
run 0 --report=none good.rules
! grep -q 'instructions' err || fail "--report=none gives a report"

# Colour only where asked for.
echo '-w' >bad.rules
run 3 bad.rules
! grep -q "$(printf '\033')" err || fail "colour in a file"
run 3 --color=always bad.rules
grep -q "$(printf '\033')" err || fail "--color=always gives no colour"

finish
