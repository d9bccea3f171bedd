#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What takes over a second tells on a terminal how far it is, and leaves nothing of
# that behind.
. "${AUDITOPT_SRCDIR:?}/tests/lib/cli.sh"

command -v script >/dev/null 2>&1 || skip "no script here (package bsdutils or util-linux)"
script -qec true /dev/null </dev/null >/dev/null 2>&1 || skip "no terminal can be made here"

rules() {
	awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++)
		printf "-a always,exit -F arch=b64 -S %d -F uid=%d -F auid>=%d -k k%d\n", i % 300, i % 97, i, i % 7 }'
}

# on_terminal ARGUMENT...: leaves in seen what came to the terminal, which is standard
# error.
on_terminal() {
	script -qec "'$AUDITOPT' $* >/dev/null" /dev/null </dev/null >seen 2>&1
}

# Machines differ: as many rules as it takes for more than a second.
esc=$(printf '\033')
for count in 2000 5000 10000 20000 40000; do
	rules $count >many.rules
	on_terminal --machine=x86_64 --report=none many.rules
	grep -qE "auditopt: (optimising|proving)" seen && break
done
grep -qE "auditopt: (optimising, pass|proving, class) [0-9]+ of [0-9]+" seen ||
	fail "nothing is told on a terminal, of $count rules"
# Each drawing begins by clearing the line, and the last thing there is a clearing.
tr '\r' '\n' <seen | grep -E "auditopt: (optimising|proving)" | grep -qv "^$esc\[K" &&
	fail "a line is not drawn over the last one"
last=$(tr '\r' '\n' <seen | grep -n "^$esc\[Kauditopt: [op]" | tail -n 1 | cut -d: -f1)
tr '\r' '\n' <seen | sed "1,${last}d" | head -n 1 | grep -q "^$esc\[K" ||
	fail "the line is not cleared at the end"

on_terminal -q --machine=x86_64 --report=none many.rules
grep -q 'auditopt: [op]' seen && fail "-q tells how far it is"
run 0 --machine=x86_64 --report=none many.rules
grep -qE "$esc|optimising, pass" err && fail "what is no terminal is told how far it is"

finish
