#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Help, version, wrong usage, and the exit status of each.
. "${AUDITOPT_SRCDIR:?}/tests/lib/cli.sh"

printf '%s\n' '-w /etc/passwd -p wa -k identity' >good.rules

# help
for command in '' cost dump diff explain; do
	# shellcheck disable=SC2086 # none or one word
	run 0 $command --help
	out_has '^Usage: auditopt'
	out_has '^Examples:'
	out_has '--keep-going'
	out_has '  -q, --quiet'
	out_has '  -v, --verbose'
	awk 'length > 80' out | grep -q . &&
		fail "$command --help has lines of more than 80 columns"
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
cp out passes
for form in -hpasses -h=passes; do
	run 0 $form
	same passes out "$form is not --help=passes"
done
run 2 --help=nonsense
run 2 -hnonsense
# What -q and -v do there: no command tells of a report that it does not make.
for command in dump diff explain; do
	run 0 $command --help
	out_lacks 'report on standard error'
	out_lacks 'change in the report'
done
run 0 --version
out_has '^auditopt [0-9]+\.[0-9]+\.[0-9]+$'
out_has 'auditctl [34]\.'
out_has 'GPL-2.0-or-later'
cp out version
for command in cost dump diff explain check; do
	run 0 $command --version
	same out version "$command --version is another"
done

# Every option that --help lists is taken by the command that lists it.
for command in '' cost dump diff explain check; do
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
err_has '^auditopt: --color=blue: never, always or auto is wanted$'
run 2 check --fail-on=x good.rules
err_has '^auditopt check: --fail-on=x: note, warning, error or never is wanted$'
wrong --report-format=xml good.rules
wrong --machine=pdp11 good.rules
wrong --auditctl=three good.rules
wrong --auditctl=3.0.9.1 good.rules
wrong --auditctl=2.8.5 good.rules
wrong --auditctl= good.rules
wrong --kernel=new good.rules
wrong --kernel=6 good.rules
wrong --kernel= good.rules
for release in ' 6.1' +6.1 -6.1 6. 6.x; do
	wrong --kernel="$release" good.rules
done
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
wrong diff good.rules
wrong diff
wrong explain good.rules
wrong explain -S
wrong diff --no-comments good.rules good.rules
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

for option in --calib --machine -O -qO; do
	wrong "$option"
	err_has "option '-.*' requires an argument"
done
wrong -qZ good.rules
err_has "invalid option -- 'Z'"
wrong --re good.rules
err_has "option '--re' is ambiguous"
wrong --quiet=3 good.rules
err_has "option '--quiet' doesn't allow an argument"

# What a name or a word holds moves no cursor and colours nothing.
escape=$(printf '\033')
for option in --lsm --machine --root --auditctl --kernel --color --no-such --quiet --backup=a/b; do
	wrong "$option=${escape}[31m" good.rules
	! grep -q "$escape" err || fail "$option: a raw control character"
done
wrong "-$escape" good.rules
! grep -q "$escape" err || fail 'a letter: a raw control character'
run 4 -q -o "no$escape/x" good.rules
err_has '^auditopt: no.x1b/x: cannot'
! grep -q "$escape" err || fail '-o: a raw control character'

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

# Words behind a command are files.
for command in cost dump 'explain -S open'; do
	# shellcheck disable=SC2086
	run 3 $command nosuchword
	err_has 'nosuchword: No such file'
done

# -q and -v, command by command: good.rules has a path that is not there.
mkdir empty
printf '%s\n' '-w /no/such/thing -p wa -k x' >warned.rules
for command in cost dump 'explain -S open'; do
	# shellcheck disable=SC2086
	run 0 $command --root=empty warned.rules
	err_has 'warning: '
	mv out plain
	# shellcheck disable=SC2086
	run 0 $command --root=empty -q warned.rules
	[ -s err ] && fail "$command -q is not silent"
	same out plain "$command -q prints something else"
done
run 0 diff --root=empty warned.rules warned.rules
err_has 'warning: '
run 0 diff --root=empty -q warned.rules warned.rules
[ -s err ] && fail 'diff -q is not silent'

# A version of auditctl that nobody has seen yet is told to be read as what.
for command in '' cost dump 'explain -S open'; do
	# shellcheck disable=SC2086
	run 0 $command --auditctl=9.9 good.rules
	err_has 'note: auditctl 9\.9\.0 is not known here; .* as 4\.2\.1'
	# shellcheck disable=SC2086
	run 0 $command --auditctl=9.9 -q good.rules
	[ -s err ] && fail "$command -q tells of the version"
	# shellcheck disable=SC2086
	run 0 $command --auditctl=4.2.1 good.rules
	! grep -q 'is not known here' err || fail '4.2.1 is said not to be known'
done

# Rules that auditopt adds meet those of other files, unless -D is there.
i=0
while [ $i -lt 12 ]; do
	echo "-a always,exit -F arch=b64 -S read,write -F auid>=1000 -F auid!=unset -F uid=$((i * 2)) -k k$i"
	i=$((i + 1))
done >many.rules
{
	echo -D
	cat many.rules
} >whole.rules
run 0 -O2 --machine=x86_64 --report=none many.rules
err_has 'note: the result does not begin with -D'
out_lacks '^-D$'
run 0 -O2 --machine=x86_64 -q many.rules
[ -s err ] && fail '-q tells of -D'
run 0 -O0 --machine=x86_64 --report=none many.rules
! grep -q 'begin with -D' err || fail 'nothing was added, and -D is asked for'
run 0 -O2 --machine=x86_64 --report=none --no-comments whole.rules
! grep -q 'begin with -D' err || fail '-D is there, and is asked for'
[ "$(head -n 1 out)" = -D ] || fail '-D is not the first line of the result'

# Colour only where asked for.
echo '-w' >bad.rules
run 3 bad.rules
! grep -q "$(printf '\033')" err || fail "colour in a file"
run 3 --color=always bad.rules
grep -q "$(printf '\033')" err || fail "--color=always gives no colour"

finish
