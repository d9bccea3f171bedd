#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What takes over a second tells on a terminal how far it is, and leaves nothing of
# that behind.
. "${AUDITOPT_SRCDIR:?}/tests/lib/cli.sh"

command -v script >/dev/null 2>&1 || skip "no script here (package bsdutils or util-linux)"
script -qec true /dev/null </dev/null >/dev/null 2>&1 || skip "no terminal can be made here"

TERM=xterm
export TERM
unset COLUMNS
esc=$(printf '\033')

rules() {
	awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++)
		printf "-a always,exit -F arch=b64 -S %d -F uid=%d -F auid>=%d -k k%d\n", i % 300, i % 97, i, i % 7 }'
}

# on_terminal COMMAND: leaves in seen what came to the terminal, which is standard
# error.
on_terminal() {
	script -qec "{ $* ; } >/dev/null" /dev/null </dev/null >seen 2>&1
}

# late ARGUMENT...: a command whose input comes after a second, however fast the
# machine is.
late() {
	echo "{ sleep 1.2; cat large.rules; } | '$AUDITOPT' $* --machine=x86_64 -"
}

# told TEXT: did the terminal see a line with it?
told() {
	tr '\r' '\n' <seen | grep -qE "^$esc\[Kauditopt: $1"
}

# Each drawing begins by clearing the line, and after the last one it is cleared,
# before anything else is written.
check_drawing() {
	tr '\r' '\n' <seen | grep -E "auditopt: ($phases)" | grep -qv "^$esc\[K" &&
		fail "$1: a line is not drawn over the last one"
	last=$(tr '\r' '\n' <seen | grep -nE "^$esc\[Kauditopt: ($phases)" | tail -n 1 | cut -d: -f1)
	tr '\r' '\n' <seen | sed "1,${last:-0}d" | head -n 1 | grep -q "^$esc\[K" ||
		fail "$1: the line is not cleared at the end"
	# nothing but drawings and clearings before the last one
	tr '\r' '\n' <seen | sed -n "1,${last:-0}p" |
		grep -vE "^$|^$esc\[K(auditopt: ($phases).*)?$" | grep -q . &&
		fail "$1: something else is written into the line"
}

phases='optimising|proving|reading|compiling|looking|checking|writing|making|explaining'
rules 12000 >large.rules

# Every subcommand, each with what it is longest at; TEXT is empty where no phase of
# its own is sure to last until the line is drawn again.
one() { # one TEXT ARGUMENT...
	text=$1
	shift
	on_terminal "$(late "$@")"
	told "(reading|compiling), line [0-9]+ of 12000" || fail "$1: reading is not told"
	[ -z "$text" ] || told "$text" || fail "$1: '$text' is not told"
	check_drawing "$1"
}
one 'optimising, pass [0-9]+ of [0-9]+' --report=none
one 'proving, class [0-9]+ of [0-9]+' --report-format=html --report=r.html
one '(optimising|proving)' explain -S openat
one 'checking, ' check
one 'writing, command [0-9]+ of 12000' dump
one '' cost
one '' cost --report-format=html -o c.html

on_terminal "{ sleep 1.2; cat large.rules; } | '$AUDITOPT' diff --machine=x86_64 - large.rules"
told 'proving, class [0-9]+ of [0-9]+' || fail "diff tells no proving"
check_drawing diff

# A narrow terminal gets what it has room for, and no line wraps.
on_terminal "stty cols 25; $(late check)"
told 'checking, ' || fail "nothing is told on a narrow terminal"
tr '\r' '\n' <seen | sed "s/^$esc\[K//" | grep -E "^auditopt: ($phases)" | grep -qE '.{25}' &&
	fail "a line wraps on a narrow terminal"

# Nothing where it could not be cleared, is not wanted, or would be in the way.
for how in 'TERM=dumb' 'TERM='; do
	on_terminal "export $how; $(late check)"
	grep -qE "$esc|auditopt: ($phases)" seen && fail "$how: it is told, or coloured"
	grep -q '^auditopt: .*warning' seen || fail "$how: no last word"
done
on_terminal "$(late check -q); echo \$? >&2"
grep -qE "auditopt: ($phases)" seen && fail "-q tells how far it is"
tail -n 1 seen | grep -q '^0' || fail "check -q: $(tail -n 1 seen)"
on_terminal "set -m; { $(late check); } & wait"
grep -qE "auditopt: ($phases)" seen && fail "it is told from the background"
grep -q '^auditopt: .*warning' seen || fail "background: no last word"
mkfifo pipe
{ sleep 1.2; cat large.rules; } >pipe &
run 0 check --fail-on=never --machine=x86_64 - <pipe
wait
grep -qE "$esc|auditopt: ($phases)" err && fail "what is no terminal is told how far it is"

# What is written to the terminal itself needs no such line in between.
script -qec "$(late dump)" /dev/null </dev/null >seen 2>&1
grep -q 'auditopt: writing' seen && fail "dump tells how far it is between its lines"

finish
